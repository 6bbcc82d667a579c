"""Players that do not search: they name a move, and know nothing of what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from durak_solver._core import policies
from durak_solver._core.state import State
from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.hidden.request import EstimateRequest
from durak_solver.model.moves import Move

CoreMove = tuple[int, int, int]

POLICIES: Final[dict[str, Callable[[State, int], CoreMove]]] = {
    # Any legal move, all equally likely.
    "random": policies.random_move,
    # The cheapest card that may be played, plain before trump; takes or stops only when there is none.
    "lowest": lambda state, seed: policies.lowest(state),
    # A careful beginner: leads the cheapest card, plain before trump. Beats what can be beaten, as cheaply as possible;
    # but while six cards or more are in the stock, takes a plain card rather than beat it with a trump. Throws in and
    # gives whatever fits, cheapest first, but no trump while the stock lasts.
    "rules": lambda state, seed: policies.rules(state),
}
"""What each of them plays, given a state with any cards in the unknown places, and a seed."""


def prefer(request: EstimateRequest) -> Estimate:
    """Put the move of the player in front; nothing is known of the value of any."""
    sampler = request.sampler
    move = POLICIES[request.method.name](sampler.root, request.seed)
    chosen = sampler.moves[sampler.root.moves().index(move)]
    others = [other for other in sampler.moves if other != chosen]
    return request.answer((_unvalued(move, chosen) for move in (chosen, *others)), worlds=0)


def _unvalued(move: Move, chosen: Move) -> EstimatedMove:
    """Return a move of which nothing is known but that it is the chosen one, or not."""
    return EstimatedMove(
        move=move,
        mean=0.0,
        low=-1.0,
        high=1.0,
        win=0.5,
        draw=0.0,
        loss=0.5,
        difference=0.0,
        difference_low=0.0 if move == chosen else -2.0,
        difference_high=0.0 if move == chosen else 2.0,
        samples=0,
    )
