"""The search for a strategy over few positions.

Finding the strategy with the fewest positions is NP-hard in general: a position that two lines share counts once, so
each choice changes what the others cost (Sahni, "Computationally related problems", 1974, on AND/OR graphs). So no
strategy found here is proved to be the smallest. What is done:

1. A first strategy takes, move by move, the first one that keeps what is claimed.
2. A second one has the smallest *tree*, in which a position counts each time that it is reached. That one is found
   exactly, if it does not take too much work: best first, with bounds that only grow (AO*: Martelli and Montanari,
   "Additive AND/OR graphs", 1973), depth first under thresholds as in df-pn (Nagai, 2002).
3. Both are made smaller: position after position, each other move that keeps the claim is tried, and kept if fewer
   positions are needed in all. References are counted, so that a trial costs no more than what it changes (as in logic
   synthesis: Mishchenko and others, "Improvements to technology mapping for LUT-based FPGAs", 2007).

The smaller of the two is the result. At 6 v 6 it has some hundred positions. Step 3 removes a tenth or two of the
strategy with the smallest tree, and often nine tenths of the first strategy.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from durak_solver._core.search import Searcher
from durak_solver._core.state import DEFEND, OVER, State

_TREE_WORK: Final = 150_000  # positions looked into for the smallest tree: 6 v 6 hardly ever needs more
_TRIAL_WORK: Final = 10_000_000  # references counted while one strategy is made smaller
_NO_LIMIT: Final = 1 << 60
_PROGRESS_INTERVAL: Final = 1_000


class Stopped(Exception):  # noqa: N818  (no error)
    """A limit or Ctrl-C ends the search."""


class SearchLimits:
    """Answers questions about values until a limit or Ctrl-C comes."""

    def __init__(self, searcher: Searcher, seconds: float | None) -> None:
        self._searcher = searcher
        self._deadline = float("inf") if seconds is None else time.perf_counter() + seconds
        self.stopped: str | None = None

    def check(self) -> None:
        """Raise `Stopped` if the search is to end. The clock is read here, too: short searches do not read it."""
        self.stopped = self._searcher.stopped
        if self.stopped is None and time.perf_counter() >= self._deadline:
            self.stopped = "seconds"
        if self.stopped is not None:
            raise Stopped

    def value(self, state: State, seat: int) -> int:
        """Return what a state is worth to a seat: -1, 0 or 1."""
        if state.phase == OVER:
            return 0 if state.winner == 2 else 1 if state.winner == seat else -1
        lower, _ = self._searcher.bounds(state)
        self.check()
        return lower if state.attacker == seat else -lower


class StateGraph:
    """The states looked at so far, by number, and what they lead to."""

    def __init__(self, limits: SearchLimits, seat: int, goal: int) -> None:
        self.limits = limits
        self.states: list[State] = []
        self.is_over: list[bool] = []
        self._seat, self._goal = seat, goal
        self._numbers: dict[State, int] = {}
        self._answers: list[tuple[int, ...] | None] = []
        self._first: dict[int, int] = {}

    def number(self, state: State) -> int:
        """Return the number of a state."""
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
            self.is_over.append(state.phase == OVER)
            self._answers.append(None)
        return number

    def is_own(self, number: int) -> bool:
        """Tell whether it is the turn of the player whose strategy is to be found."""
        state = self.states[number]
        return (state.phase == DEFEND) != (state.attacker == self._seat)

    def answers(self, number: int) -> tuple[int, ...]:
        """Return what follows: what keeps the claim if it is the player's turn, and everything if it is not."""
        found = self._answers[number]
        if found is None:
            self.limits.check()
            state = self.states[number]
            after = [state.play(*move) for move in state.moves()]
            if self.is_own(number):
                after = [child for child in after if self._keeps(child)]
            found = self._answers[number] = tuple(map(self.number, after))
        return found

    def first(self, number: int) -> int:
        """Return what the first move leads to that keeps the claim."""
        found = self._answers[number]
        if found is not None:
            return found[0]
        if number not in self._first:
            self.limits.check()
            state = self.states[number]
            children = (state.play(*move) for move in state.moves())
            self._first[number] = self.number(next(child for child in children if self._keeps(child)))
        return self._first[number]

    def _keeps(self, state: State) -> bool:
        return self.limits.value(state, self._seat) >= self._goal


class OutOfWork(Exception):  # noqa: N818  (no error)
    """The smallest tree would take too much work."""


class Tree:
    """The smallest tree below each position, as far as it is known: a bound from below, which is exact once solved."""

    def __init__(self, graph: StateGraph, work: int) -> None:
        self._graph = graph
        self._work = work
        self._opened: set[int] = set()
        self._bounds: dict[int, int] = {}
        self._solved: dict[int, int] = {}

    def solve(self, root: int) -> bool:
        """Find the smallest tree of a position; False if that is too much work."""
        try:
            self._raise_bound(root, _NO_LIMIT)
        except (OutOfWork, RecursionError):
            return False
        return True

    def choice(self, number: int) -> int:
        """Return what the player's move leads to: that of the smallest tree where it is known."""
        return self._solved[number] if number in self._solved else self._graph.first(number)

    def bound(self, number: int) -> int:
        """Return the least number of positions of a tree."""
        return 1 if self._graph.is_over[number] else self._bounds.get(number, 2)

    def _is_solved(self, number: int) -> bool:
        return self._graph.is_over[number] or number in self._solved

    def _raise_bound(self, number: int, limit: int) -> None:
        """Look into a position until it is solved or its bound exceeds a limit."""
        if number not in self._opened:
            self._opened.add(number)
            self._work -= 1
            if self._work < 0:
                raise OutOfWork
        answers = self._graph.answers(number)
        if self._graph.is_own(number):
            self._choose(number, answers, limit)
        else:
            self._sum_up(number, answers, limit)

    def _choose(self, number: int, answers: tuple[int, ...], limit: int) -> None:
        while True:
            best, least, second = -1, _NO_LIMIT, _NO_LIMIT
            for answer in answers:
                bound = self.bound(answer)
                if bound < least or (bound == least and not self._is_solved(best) and self._is_solved(answer)):
                    best, least, second = answer, bound, least
                elif bound < second:
                    second = bound
            self._bounds[number] = least + 1
            if self._is_solved(best):
                self._solved[number] = best
                return
            if least + 1 > limit:
                return
            # A quarter more than the next best saves going to and fro between two nearly equal ones.
            self._raise_bound(best, min(limit - 1, second + second // 4))

    def _sum_up(self, number: int, answers: tuple[int, ...], limit: int) -> None:
        while True:
            total, hardest, most = 1, -1, 0
            for answer in answers:
                bound = self.bound(answer)
                total += bound
                if bound > most and not self._is_solved(answer):
                    hardest, most = answer, bound
            self._bounds[number] = total
            if hardest < 0:
                self._solved[number] = -1
                return
            if total > limit:
                return
            self._raise_bound(hardest, limit - total + most)


class Draft:
    """A strategy that is being made smaller.

    `default` gives what the player's move leads to where nothing better has been found.
    """

    def __init__(
        self, graph: StateGraph, default: Callable[[int], int], root: int, on_progress: Callable[[int], None] | None
    ) -> None:
        self._graph = graph
        self._default = default
        self._on_progress = on_progress
        self._root = root
        self._chosen: dict[int, int] = {}
        self._uses: dict[int, int] = {}
        self._work = _TRIAL_WORK
        self.size = 0
        self.size = self._add(root, _NO_LIMIT)

    def after(self, number: int) -> tuple[int, ...]:
        """Return what can follow a position."""
        if self._graph.is_over[number]:
            return ()
        if not self._graph.is_own(number):
            return self._graph.answers(number)
        chosen = self._chosen.get(number)
        if chosen is None:
            chosen = self._chosen[number] = self._default(number)
        return (chosen,)

    def in_order(self) -> list[int]:
        """Return all positions, each before those that follow from it."""
        order: list[int] = []
        seen = {self._root}
        path = [(self._root, iter(self.after(self._root)))]
        while path:
            number, rest = path[-1]
            for answer in rest:
                if answer not in seen:
                    seen.add(answer)
                    path.append((answer, iter(self.after(answer))))
                    break
            else:
                order.append(number)
                path.pop()
        return order[::-1]

    def shrink(self) -> None:
        """Try other moves until none makes the strategy smaller, or the work is used up."""
        before = self.size + 1
        while self.size < before and self._work > 0:
            before = self.size
            for number in self.in_order():  # far-reaching choices first
                if self._uses[number] and not self._graph.is_over[number] and self._graph.is_own(number):
                    self._graph.limits.check()
                    self._try_others(number)
                if self._work <= 0:
                    break

    def _try_others(self, number: int) -> None:
        answers = self._graph.answers(number)
        if len(answers) == 1:
            return
        best = self._chosen[number]
        freed = least = self._drop(best)
        for answer in answers:
            added = self._add(answer, least - 1) if answer != best else least
            if added < least:
                self._drop(answer)
                best, least = answer, added
        self._chosen[number] = best
        self._add(best, _NO_LIMIT)
        if least < freed:
            self.size -= freed - least
            self._report(self.size)

    def _add(self, number: int, limit: int) -> int:
        """Use a position once more; return how many come in by that, or undo it if they are more than a limit."""
        uses = self._uses
        used: list[int] = []
        todo, added = [number], 0
        while todo:
            number = todo.pop()
            used.append(number)
            times = uses[number] = uses.get(number, 0) + 1
            if times == 1:
                added += 1
                if added > limit:
                    for number in used:
                        uses[number] -= 1
                    break
                todo.extend(self.after(number))
                if not self.size and added % _PROGRESS_INTERVAL == 0:
                    self._report(added)
        self._work -= len(used)
        return added

    def _drop(self, number: int) -> int:
        """Use a position once less; return how many go by that."""
        todo, freed = [number], 0
        while todo:
            number = todo.pop()
            self._work -= 1
            self._uses[number] -= 1
            if not self._uses[number]:
                freed += 1
                todo.extend(self.after(number))
        return freed

    def _report(self, size: int) -> None:
        if self._on_progress is not None:
            self._on_progress(size)


def smallest(graph: StateGraph, root: int, on_progress: Callable[[int], None] | None) -> tuple[Draft, bool]:
    """Return the smallest strategy found, and whether it comes from the one with the smallest tree.

    `on_progress` is called now and then with the number of positions so far. Raises `Stopped` if the search is to end
    before there is any strategy.
    """
    first, second = Draft(graph, graph.first, root, on_progress), None
    try:
        first.shrink()
        tree = Tree(graph, _TREE_WORK)
        if tree.solve(root):
            second = Draft(graph, tree.choice, root, on_progress)
            second.shrink()
    except Stopped:
        pass
    return (first, False) if second is None or first.size < second.size else (second, True)
