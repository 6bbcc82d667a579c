"""The ways to value moves while cards are hidden, each under its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_NO_SEARCH: Final = "this player does not search: the order is his preference, not a value"


@dataclass(frozen=True, slots=True)
class Method:
    """One way to value moves.

    Attributes
    ----------
    name : str
    about : str
        One line for people.
    blind_spot : str
        What it cannot see.
    samples : int
        How many worlds it draws if nothing else is asked for; 0 if it never draws any.
    module : str
        Where it is: a module of this package, with a function of its name.
    """

    name: str
    about: str
    blind_spot: str
    samples: int
    module: str


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
            "pimc",
        ),
        Method(
            "ismcts",
            "one search tree for all worlds (SO-ISMCTS)",
            "its playouts are random, the opponent is thought to see what he cannot, and more iterations need not come "
            "nearer to best play",
            2_000,
            "mcts",
        ),
        Method(
            "mcts30x30",
            "a search tree of 30 iterations in each of 30 worlds",
            "its playouts are random and each world is searched with open cards, to a small depth",
            30,
            "mcts",
        ),
        Method("rules", "a player of a few good habits", _NO_SEARCH, 0, "policies"),
        Method("lowest", "a player of the cheapest card", _NO_SEARCH, 0, "policies"),
        Method("random", "a player of any card", _NO_SEARCH, 0, "policies"),
    )
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
