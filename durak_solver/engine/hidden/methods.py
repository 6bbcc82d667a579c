"""The ways to value moves while cards are hidden, each under its name."""

from __future__ import annotations

from typing import Final

from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.hidden.policies import prefer
from durak_solver.engine.hidden.request import EstimateRequest, Method

_NO_SEARCH: Final = "this player does not search: the order is his preference, not a value"

# The searches need numpy, which takes as long to load as all of this package: they are loaded when they are used.


def _pimc(request: EstimateRequest) -> Estimate:
    from durak_solver.engine.hidden.pimc import pimc  # noqa: PLC0415

    return pimc(request)


def _ismcts(request: EstimateRequest) -> Estimate:
    from durak_solver.engine.hidden.mcts import ismcts  # noqa: PLC0415

    return ismcts(request)


def _mcts30x30(request: EstimateRequest) -> Estimate:
    from durak_solver.engine.hidden.mcts import mcts30x30  # noqa: PLC0415

    return mcts30x30(request)


METHODS: Final = {
    method.name: method
    for method in (
        Method(
            "pimc",
            "mean over worlds that are solved or played out",
            "each world is played with open cards, so what a move hides or gives away counts for nothing, and the "
            "opponent's earlier moves say nothing about his cards",
            # More gain little: Buro, Long, Furtak and Sturtevant, "Improving state evaluation, inference, and search in
            # trick-based card games", IJCAI 2009.
            160,
            _pimc,
        ),
        Method(
            "ismcts",
            "one search tree for all worlds (SO-ISMCTS)",
            "its playouts are random, the opponent is thought to see what he cannot, and more iterations need not come "
            "nearer to best play",
            2_000,
            _ismcts,
        ),
        Method(
            "mcts30x30",
            "a search tree of 30 iterations in each of 30 worlds",
            "its playouts are random and each world is searched with open cards, to a small depth",
            30,
            _mcts30x30,
        ),
        Method("rules", "a player of a few good habits", _NO_SEARCH, 0, prefer),
        Method("lowest", "a player of the cheapest card", _NO_SEARCH, 0, prefer),
        Method("random", "a player of any card", _NO_SEARCH, 0, prefer),
    )
}
"""All methods by name, the best first."""


def method_named(name: str, samples: int | None = None) -> Method:
    """Return a method by its name; ValueError if there is none, or the samples asked of it are not positive."""
    if samples is not None and samples <= 0:
        raise ValueError(f"samples={samples!r} is not allowed: at least one deal is needed")
    if name not in METHODS:
        raise ValueError(f"method={name!r} is not allowed: choose one of {', '.join(METHODS)}")
    return METHODS[name]
