"""Players that do not search: they name a move, and know nothing of what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from durak_solver._core import policies
from durak_solver._core.state import State
from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.hidden.request import EstimateRequest

CoreMove = tuple[int, int, int]

POLICIES: Final[dict[str, Callable[[State, int], CoreMove]]] = {
    "random": policies.random_move,
    "lowest": lambda state, seed: policies.lowest(state),
    "rules": lambda state, seed: policies.rules(state),
}
"""What each of them plays, given a state with any cards in the unknown places, and a seed."""


def random(request: EstimateRequest) -> Estimate:
    """Prefer any legal move, all equally likely.

    Parameters
    ----------
    request : EstimateRequest

    Returns
    -------
    Estimate
        Without values.
    """
    return _preferring(request)


def lowest(request: EstimateRequest) -> Estimate:
    """Prefer the cheapest card that may be played, plain before trump; take or stop only when there is none.

    Parameters
    ----------
    request : EstimateRequest

    Returns
    -------
    Estimate
        Without values.
    """
    return _preferring(request)


def rules(request: EstimateRequest) -> Estimate:
    """Prefer what a careful beginner plays.

    He leads the cheapest card, plain before trump. He beats what he can, as cheaply as possible; but while six cards
    or more are in the stock, he takes a plain card rather than beat it with a trump. He throws in and gives whatever
    fits, cheapest first, but no trump while the stock lasts.

    Parameters
    ----------
    request : EstimateRequest

    Returns
    -------
    Estimate
        Without values.
    """
    return _preferring(request)


def _preferring(request: EstimateRequest) -> Estimate:
    """Return an estimate with the player's move in front and nothing known of any."""
    worlds = request.worlds
    move = POLICIES[request.method.name](worlds.root, request.seed)
    place = worlds.root.moves().index(move)
    order = sorted(worlds.moves, key=lambda other: other != worlds.moves[place])
    return request.answer(
        (
            EstimatedMove(
                move=other,
                mean=0.0,
                low=-1.0,
                high=1.0,
                win=0.5,
                draw=0.0,
                loss=0.5,
                difference=0.0,
                difference_low=-2.0 if other is not order[0] else 0.0,
                difference_high=2.0 if other is not order[0] else 0.0,
                samples=0,
            )
            for other in order
        ),
        worlds=0,
    )
