"""How long the game lasts after a move whose value is known."""

from __future__ import annotations

from dataclasses import replace

from durak_solver._core.distance import DistanceSearcher
from durak_solver._core.state import DEFEND, LEAD, OVER, State
from durak_solver.engine.results import GradedMove, Value
from durak_solver.game import core
from durak_solver.game.defects import UnsupportedError
from durak_solver.game.position import Position


def require_measurable(position: Position) -> None:
    """Refuse to measure, by UnsupportedError, where it is not done: with a stock or straps."""
    if position.rules.straps:
        raise UnsupportedError("the distance to the end is not measured where straps are played: they come first")
    if position.stock:
        raise UnsupportedError("the distance to the end is measured only when the stock is empty")


def measured(searcher: DistanceSearcher, state: State, graded: GradedMove, trump: str | None) -> GradedMove:
    """Measure a move: how long the game lasts when the winner hurries and the loser delays.

    Parameters
    ----------
    searcher
        Its limits are already set.
    state
        In which the move is played.
    trump
        The trump suit.

    Returns
    -------
    GradedMove
        With plies, bouts, and a line of that many plies; as it was for a draw, or where the value is not exact. When a
        limit ends the search: with what is proved by then.
    """
    if graded.value not in (Value.WIN, Value.LOSS):
        return graded
    mover = 1 - state.attacker if state.phase == DEFEND else state.attacker
    winner = mover if graded.value is Value.WIN else 1 - mover
    child = state.play(*core.to_core(graded.move, trump))
    if child.phase == OVER:
        return replace(graded, plies=1, bouts=1)
    plies = searcher.plies(child, winner)
    if plies is None:
        return graded
    line = tuple(core.from_core(move, trump) for move in searcher.line(child, winner))
    bouts = searcher.bouts(child, winner)
    return replace(
        graded,
        line=(graded.move, *line),
        plies=1 + plies,
        bouts=None if bouts is None else bouts + (child.phase == LEAD),
    )
