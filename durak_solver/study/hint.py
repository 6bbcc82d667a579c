"""The best move of a position, and what speaks for it; `durak_solver.show.hint` says it in a sentence."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.results import Analysis, Value
from durak_solver.game.position import Position
from durak_solver.model.moves import Move

_FIRST_BUDGET: Final = 200_000
_BUDGET_GROWTH: Final = 8
# The opponent's answers are graded only if that is cheap: they are an ornament.
_ANSWERS_BUDGET: Final = 1_000_000
_LEAST_SECONDS: Final = 0.01


@dataclass(frozen=True, slots=True)
class Hint:
    """A recommendation and the facts behind it.

    Attributes
    ----------
    move
        None if nothing speaks for any move.
    found
        The analysis, or the estimate if cards are hidden.
    answers
        The analysis of the position after the move, where the opponent can still go wrong and it is their turn.
    """

    move: Move | None
    found: Analysis | Estimate
    answers: Analysis | None = None

    @property
    def stopped(self) -> str | None:
        """What ended the search early; None if the value of the position is exact."""
        exact = isinstance(self.found, Analysis) and self.found.value.is_exact
        return None if exact else self.found.stopped


def find_hint(
    engine: Engine,
    position: Position,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    method: str = "pimc",
    samples: int | None = None,
    seed: int | None = None,
    distance: bool = False,
    on_progress: Callable[[Analysis | Estimate], None] | None = None,
) -> Hint:
    """Find a best move and what speaks for it; the arguments and errors are those of `Engine.estimate`.

    The limits hold for the search for the move. The opponent's answers are looked at afterwards, and only briefly.
    Progress is reported only where cards are hidden.
    """
    known = position.deduced() if position.is_legal else position
    if known is None:
        estimate = engine.estimate(
            position,
            method=method,
            samples=samples,
            nodes=nodes,
            seconds=seconds,
            seed=seed,
            distance=distance,
            on_progress=on_progress,
        )
        assert isinstance(estimate, Estimate)  # since cards are hidden
        return Hint(preferred_move(estimate), estimate)
    analysis = _analyse_until_known(engine, known, nodes, seconds, distance)
    answers = None
    if analysis.value in (Value.DRAW, Value.LOSS):
        after = known.play(analysis.best.move)
        if after.phase != "over" and after.to_move != known.to_move:
            left = None if seconds is None else max(seconds - analysis.seconds, _LEAST_SECONDS)
            answers = engine.analyse(after, nodes=min(nodes or _ANSWERS_BUDGET, _ANSWERS_BUDGET), seconds=left)
    return Hint(preferred_move(analysis), analysis, answers)


def preferred_move(found: Analysis | Estimate) -> Move | None:
    """Return the best move; None if, after a search that ended early, nothing speaks for one rather than another."""
    if isinstance(found, Estimate):
        return found.best.move if found.is_valued or found.stopped is None else None
    worst = min(graded.value.bounds for graded in found.moves)
    undecided = not found.value.is_exact and len(found.moves) > 1 and found.best.value.bounds == worst
    return None if undecided else found.best.move


def _analyse_until_known(
    engine: Engine, position: Position, nodes: int | None, seconds: float | None, distance: bool
) -> Analysis:
    """Analyse with growing budgets until the value is exact, and the distance too if it is asked for.

    By then not every move need be graded.
    """
    began = time.perf_counter()
    used = 0
    budget = _FIRST_BUDGET
    analysis = None
    try:
        while True:
            allowed = budget if nodes is None else min(budget, nodes - used)
            left = None if seconds is None else max(seconds - (time.perf_counter() - began), 1e-9)
            analysis = engine.analyse(position, nodes=allowed, seconds=left if used else seconds, distance=distance)
            used += analysis.nodes
            ended = analysis.stopped not in (None, "nodes") or (nodes is not None and used >= nodes)
            measured = not distance or analysis.value is Value.DRAW or analysis.plies is not None
            if (analysis.value.is_exact and measured) or ended:
                return replace(analysis, nodes=used, seconds=time.perf_counter() - began)
            budget *= _BUDGET_GROWTH
    except KeyboardInterrupt:  # between two searches; during one it ends in a result
        if analysis is None:
            raise
        return replace(analysis, nodes=used, seconds=time.perf_counter() - began, stopped="interrupt")
