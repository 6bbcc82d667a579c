"""Which game's rules hold, and whether a layout is legal by them.

Whoever asks what may be played, or what it leads to, asks `law_of`, which alone tells durak from the round game.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from durak_solver.game import durak, round_game
from durak_solver.game.defects import Defect, IllegalPositionError
from durak_solver.model.cards import Card
from durak_solver.model.layout import Drawn, Layout
from durak_solver.model.moves import Move

L = TypeVar("L", bound=Layout)


class Law(Protocol):
    """What the module of a game offers. Positions are legal, but for `defects`."""

    def defects(self, position: Layout, /) -> tuple[Defect, ...]:
        """Return everything that is wrong; a finished game has the one defect ``"game_over"``."""

    def moves(self, position: Layout, /) -> list[Move]:
        """Return the legal moves; UnsupportedError if a card of the player to move is not known."""

    def is_legal(self, position: Layout, move: Move, /) -> bool:
        """Tell whether a move can be played, if unknown cards of the player to move allow for it."""

    def why_illegal(self, position: Layout, move: Move, /) -> str:
        """Say in one sentence, without a full stop, why a move is not legal."""

    def play(self, position: L, move: Move, /) -> tuple[L, Drawn]:
        """Return the position after a move, and what was drawn; IllegalMoveError if it is not legal."""

    def completed(
        self, position: Layout, kind: str, cards: tuple[Card, ...], target: Card | None, text: str, /
    ) -> Move:
        """Return the move that was read from a text, with what a short form leaves out; it may be illegal."""


def law_of(layout: Layout) -> Law:
    """Return the rules of the game that is played."""
    return round_game if layout.is_round else durak


def defects(layout: Layout) -> tuple[Defect, ...]:
    """Return everything that is wrong with a layout; a finished game has the one defect ``"game_over"``."""
    return law_of(layout).defects(layout)


def require_legal(layout: Layout) -> None:
    """Refuse a layout that is neither legal nor the end of a game, with IllegalPositionError."""
    if layout._known_legal:
        return
    found = defects(layout)
    if found and [defect.code for defect in found] != ["game_over"]:
        raise IllegalPositionError(found)
    mark_legal(layout)


def mark_legal(layout: Layout) -> None:
    """Note that a layout is legal, or the end of a game, and need not be checked again."""
    object.__setattr__(layout, "_known_legal", True)


def mark_like(layout: Layout, other: Layout) -> None:
    """Note of a layout what is noted of another."""
    if other._known_legal:
        mark_legal(layout)
