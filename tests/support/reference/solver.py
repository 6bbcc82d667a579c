"""The values of states, found without pruning: by recursion, or backwards where a position can come back."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from tests.support.reference.moves import RefState, apply_move, legal_moves, mover, outcome, straps_hung
from tests.support.reference.rules import SUITS, RefRules


@dataclass(frozen=True)
class Analysis:
    """Exact result of a position; `plies` is None for a draw and where straps are played."""

    value: str
    moves: dict[str, str]
    plies: int | None


class TooLarge(Exception):  # noqa: N818  (no error)
    """More states than were allowed."""


def solve(state: RefState, most: int | None = None) -> tuple[str, dict[str, str]]:
    """Exact value for the side to move, and that of each of its moves; TooLarge beyond so many states."""
    solver = _solver(state, most)
    return _value(solver, state), _move_values(solver, state)


def plies(state: RefState) -> int | None:
    """Moves to the end when the winner hurries and the loser delays; None for a draw."""
    if state.rules.straps is not None:
        raise NotImplementedError("plies where straps are played")
    return _solver(state).plies(state)


def analyse(state: RefState) -> Analysis:
    """`solve` and `plies` in one search."""
    solver = _solver(state)
    length = solver.plies(state) if state.rules.straps is None else None
    return Analysis(_value(solver, state), _move_values(solver, state), length)


def _solver(state: RefState, most: int | None = None) -> Acyclic | Retrograde:
    if state.over:
        raise ValueError("the game is over")
    return Retrograde(state, most) if state.rules.can_cycle else Acyclic(state.rules, most)


def _value(solver: Acyclic | Retrograde, state: RefState) -> str:
    return _score_text(_sign(mover(state)) * solver.score(state))


def _move_values(solver: Acyclic | Retrograde, state: RefState) -> dict[str, str]:
    sign = _sign(mover(state))
    return {move: _score_text(sign * solver.score(apply_move(state, move))) for move in legal_moves(state)}


def _sign(seat: int) -> int:
    return 1 if seat == 0 else -1


def _score_text(score: int) -> str:
    if score == 0:
        return "draw"
    name = "win" if score > 0 else "loss"
    return name if abs(score) == 1 else f"{name}+{abs(score) - 1}"


def end_score(state: RefState) -> int:
    """Score of a finished game for seat a: 1 for a win, 1 more for each strap."""
    result = outcome(state)
    if result == "draw":
        return 0
    return _sign(0 if result == "a" else 1) * (1 + straps_hung(state))


class Acyclic:
    """Memoised minimax, for rules under which no position can come back."""

    def __init__(self, rules: RefRules, most: int | None = None) -> None:
        self.most = most
        # No game can hang more straps than there are cards of the rank.
        self.best = 1 if rules.straps is None else 1 + len(SUITS)
        self.scores: dict[RefState, int] = {}
        self.lengths: dict[RefState, int] = {}

    def score(self, state: RefState) -> int:
        """Exact score for seat a."""
        if state.over:
            return end_score(state)
        known = self.scores.get(state)
        if known is not None:
            return known
        sign = _sign(mover(state))
        best = -self.best
        for move in legal_moves(state):
            best = max(best, sign * self.score(apply_move(state, move)))
            if best == self.best:
                break
        self.scores[state] = sign * best
        if self.most is not None and len(self.scores) > self.most:
            raise TooLarge
        return sign * best

    def plies(self, state: RefState) -> int | None:
        """Moves to the end, None for a draw."""
        return None if self.score(state) == 0 else self._length(state)

    def _length(self, state: RefState) -> int:
        if state.over:
            return 0
        known = self.lengths.get(state)
        if known is not None:
            return known
        score = self.score(state)
        after = [apply_move(state, move) for move in legal_moves(state)]
        lengths = [self._length(child) for child in after if self.score(child) == score]
        winning = _sign(mover(state)) * score > 0
        self.lengths[state] = 1 + (min(lengths) if winning else max(lengths))
        return self.lengths[state]


class Retrograde:
    """Least fixed point over everything reachable, for rules under which positions can come back.

    What neither side can force stays a draw.
    """

    def __init__(self, root: RefState, most: int | None = None) -> None:
        self.index = {root: 0}
        self.states = [root]
        self.children: list[list[int]] = []
        for state in self.states:
            if most is not None and len(self.states) > most:
                raise TooLarge
            self.children.append([self._number(apply_move(state, move)) for move in legal_moves(state)])
        self.parents: list[list[int]] = [[] for _ in self.states]
        for parent, children in enumerate(self.children):
            for child in children:
                self.parents[child].append(parent)
        self.scores = [0] * len(self.states)
        self.lengths: list[int | None] = [None] * len(self.states)
        for seat in (0, 1):
            self._force(seat)

    def score(self, state: RefState) -> int:
        """Exact score for seat a."""
        return self.scores[self.index[state]]

    def plies(self, state: RefState) -> int | None:
        """Moves to the end, None for a draw."""
        return self.lengths[self.index[state]]

    def _number(self, state: RefState) -> int:
        number = self.index.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number

    def _force(self, seat: int) -> None:
        """Find where the seat can force a win, best wins first and shortest first among equals."""
        sign = _sign(seat)
        ends = [(sign * end_score(state), i) for i, state in enumerate(self.states) if state.over]
        escapes = [len(children) for children in self.children]
        for wanted in sorted({score for score, _ in ends if score > 0}, reverse=True):
            queue = deque(i for score, i in ends if score == wanted)
            for i in queue:
                self.scores[i], self.lengths[i] = sign * wanted, 0
            while queue:
                child = queue.popleft()
                for parent in self.parents[child]:
                    if self.lengths[parent] is not None:
                        continue
                    escapes[parent] -= 1
                    if mover(self.states[parent]) == seat or escapes[parent] == 0:
                        self.scores[parent] = sign * wanted
                        self.lengths[parent] = (self.lengths[child] or 0) + 1
                        queue.append(parent)
