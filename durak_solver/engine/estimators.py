"""The ways to value moves while cards are hidden, each under its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from durak_solver.engine import habits, pimc, trees
from durak_solver.engine.request import Request
from durak_solver.engine.results import Estimate


@dataclass(frozen=True, slots=True)
class Method:
    """One way to value moves.

    Attributes
    ----------
    about : str
        One line for people.
    blind_spot : str
        What it cannot see.
    samples : int
        How many worlds it draws if nothing else is asked for; 0 if it never draws any.
    estimate : callable
        Does it.
    """

    about: str
    blind_spot: str
    samples: int
    estimate: Callable[[Request], Estimate]


METHODS: Final = {
    "pimc": Method("mean over worlds that are solved or played out", pimc.BLIND_SPOT, pimc.SAMPLES, pimc.pimc),
    "ismcts": Method(
        "one search tree for all worlds (SO-ISMCTS)", trees.ISMCTS_BLIND_SPOT, trees.ISMCTS_SAMPLES, trees.ismcts
    ),
    "mcts30x30": Method(
        "a search tree of 30 iterations in each of 30 worlds",
        trees.MCTS_BLIND_SPOT,
        trees.MCTS_SAMPLES,
        trees.mcts30x30,
    ),
    "rules": Method("a player of a few good habits", habits.BLIND_SPOT, 0, habits.rules),
    "lowest": Method("a player of the cheapest card", habits.BLIND_SPOT, 0, habits.lowest),
    "random": Method("a player of any card", habits.BLIND_SPOT, 0, habits.random),
}
"""All methods by name, the best first."""


def method_named(name: str) -> Method:
    """Return a method.

    Parameters
    ----------
    name : str

    Returns
    -------
    Method

    Raises
    ------
    ValueError
        If there is none of that name; the message lists all.
    """
    if name not in METHODS:
        raise ValueError(f"method={name!r} is not allowed: choose one of {', '.join(METHODS)}")
    return METHODS[name]
