"""One open position of durak: its value, its moves graded, the move to play. The round game has a solver of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from durak_solver._core.state import DEFEND, OVER, State
from durak_solver.engine.exact.bounds import Bounds, search_bounds
from durak_solver.engine.exact.choose import choose_move
from durak_solver.engine.exact.distance import measured, require_measurable
from durak_solver.engine.exact.memory import Memory
from durak_solver.engine.exact.round_game import RoundSolver
from durak_solver.engine.exact.strategy_search import SearchLimits
from durak_solver.engine.results import Analysis, GradedMove, Line, Solution, Value
from durak_solver.game import core
from durak_solver.game.defects import UnsupportedError
from durak_solver.game.position import Position
from durak_solver.model.moves import Move

_FIRST_BUDGET: Final = 20_000
_BUDGET_GROWTH: Final = 8


class Solver:
    """Solves one position of durak within limits, which begin with it.

    Raises
    ------
    UnsupportedError
        As `require` does.
    """

    only_solves: Final = False
    """Whether there is no other method of play."""

    def __init__(self, memory: Memory, position: Position, nodes: int | None, seconds: float | None) -> None:
        self._position = position
        self._known, self._state = self.require(position)
        self._memory = memory
        self._searcher = memory.searcher
        self._seconds = seconds
        self._searcher.start(nodes, seconds)
        self._began = time.perf_counter()
        self._endings = memory.endings(position)
        self._searcher.use(self._endings)

    @staticmethod
    def require(position: Position, *, distance: bool = False) -> tuple[Position, State]:
        """Return the position with every card in its place, and its state; UnsupportedError if it is not solved."""
        known = position.deduced()
        if known is None:
            raise UnsupportedError("positions with hidden cards cannot be solved, only estimated")
        if distance:
            require_measurable(known)
        return known, core.solvable_state(known)

    def stop(self) -> None:
        """End the search, from another thread or a signal handler."""
        self._searcher.stop()

    def solution(self) -> Solution:
        """Return the value of the position, a best move and a line of play."""
        state = self._state
        found = search_bounds(self._searcher, state, self._position.rules)
        line = self._line(state, found)
        return Solution(
            position=self._position,
            value=_value_for_mover(state, found.lower, found.upper),
            line=line,
            repetition=found.repetition,
            straps=found.straps,
            nodes=self._searcher.nodes,
            seconds=time.perf_counter() - self._began,
            stopped=self._searcher.stopped,
            tables=self._tables(),
        )

    def analysis(self, *, distance: bool, on_progress: Callable[[Analysis], None] | None) -> Analysis:
        """Grade every legal move, and measure how long the game lasts after each if asked to.

        Easy moves are graded before hard ones: each gets a small budget of nodes first, and those that it does not
        settle get a larger one in the next round.
        """
        if distance:
            require_measurable(self._known)
        straps = None if self._position.rules.straps else 0
        graded = {move: GradedMove(move, Value.UNKNOWN, (), straps=straps) for move in self._known.legal_moves}
        budget = _FIRST_BUDGET
        while not all(known.exact for known in graded.values()):
            for move, known in graded.items():
                if not known.exact:
                    graded[move] = self._grade(known, budget)
                    if on_progress is not None and graded[move].exact:
                        on_progress(self._so_far(graded))
                if self._searcher.stopped:
                    return self._so_far(graded)
            budget *= _BUDGET_GROWTH
        for known in self._so_far(graded).moves if distance else ():
            graded[known.move] = measured(self._memory.distances, self._state, known, self._position.trump)
            if on_progress is not None:
                on_progress(self._so_far(graded))
            if self._searcher.stopped:
                break
        return self._so_far(graded)

    def move(self) -> Move:
        """Return a best move, or what looks best when a limit ends the search."""
        return core.from_core(choose_move(self._searcher, self._state, self._position.rules), self._position.trump)

    def values(self) -> SearchLimits:
        """Return what answers the questions of a proof about values; UnsupportedError if a position can come back."""
        if self._position.rules.can_cycle:
            raise UnsupportedError(
                "no proof is found under rules by which a position can come back (transfer=on, show=on)"
            )
        return SearchLimits(self._searcher, self._seconds)

    def _so_far(self, graded: dict[Move, GradedMove]) -> Analysis:
        return Analysis(
            position=self._position,
            moves=tuple(sorted(graded.values(), key=GradedMove.goodness, reverse=True)),
            nodes=self._searcher.nodes,
            seconds=time.perf_counter() - self._began,
            stopped=self._searcher.stopped,
            tables=self._tables(),
        )

    def _tables(self) -> int:
        """Return up to how many cards the tables hold that the search has met; 0 if it has met none."""
        return self._endings.largest if self._endings is not None and self._searcher.settled else 0

    def _grade(self, known: GradedMove, budget: int) -> GradedMove:
        """Search one move with a budget of nodes."""
        state = self._state
        child = state.play(*core.to_core(known.move, self._position.trump))
        found = search_bounds(self._searcher, child, self._position.rules, budget)
        lower, upper = found.lower, found.upper
        line: Line = (known.move, *self._line(child, found))
        if child.attacker != state.attacker:
            lower, upper = -upper, -lower
        old_lower, old_upper = known.value.bounds
        lower, upper = _value_for_mover(state, lower, upper).bounds
        value = Value.from_bounds(max(lower, old_lower), min(upper, old_upper))
        return GradedMove(known.move, value, line, repetition=found.repetition, straps=found.straps)

    def _line(self, state: State, found: Bounds) -> Line:
        """Return a line from a state; an empty one if it is not known what that is worth."""
        if not found.is_exact or state.phase == OVER:
            return ()
        moves = self._searcher.line(state, found.lower, found.straps or 0)
        return tuple(core.from_core(move, self._position.trump) for move in moves)


def _value_for_mover(state: State, lower: int, upper: int) -> Value:
    """Turn bounds for the attacker into a value for the side to move."""
    return Value.from_bounds(-upper, -lower) if state.phase == DEFEND else Value.from_bounds(lower, upper)


AnySolver = Solver | RoundSolver


def solver_of(position: Position) -> type[AnySolver]:
    """Return the solver of the game that is played."""
    return RoundSolver if position.is_round else Solver
