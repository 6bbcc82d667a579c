"""Moves, and what can be wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from durak_solver.model.cards import Card

# What precedes the cards in the written form of each kind, for the kinds that are played with cards alone.
_PREFIX: Final = {"lead": "", "throw": "+", "give": "+", "transfer": ">", "show": "^"}

KINDS: Final = ("lead", "beat", "throw", "give", "take", "done", "transfer", "show", "exchange")
"""The kinds of move."""


class MoveError(ValueError):
    """Something is wrong with a move; the base of the three errors below."""


class MoveSyntaxError(MoveError):
    """The text is not a move at all."""


class IllegalMoveError(MoveError):
    """The move cannot be played in this position."""


class AmbiguousMoveError(MoveError):
    """The text fits several legal moves."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a game.

    Attributes
    ----------
    kind : str
        ``"lead"``, ``"beat"``, ``"throw"`` (throw in), ``"give"`` (throw in after "take"), ``"take"``, ``"done"``,
        ``"transfer"``, ``"show"`` or ``"exchange"`` (swap the lowest trump for the turn-up).
    cards : tuple of Card
        The cards played, in canonical order: several for a lead, none for "take", "done" and "exchange", else one.
    target : Card or None
        The attack card that a ``"beat"`` beats; None for every other kind.

    Raises
    ------
    ValueError
        If kind, cards and target do not fit together.
    """

    kind: str
    cards: tuple[Card, ...] = ()
    target: Card | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is not a kind of move: choose one of {', '.join(KINDS)}")
        if not all(isinstance(card, Card) for card in (*self.cards, *([self.target] if self.target else []))):
            raise ValueError("the cards of a move are of the type Card")
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))
        count = len(self.cards)
        alone = self.kind in ("take", "done", "exchange")
        fits = count == 0 if alone else count >= 1 if self.kind == "lead" else count == 1
        if not fits:
            raise ValueError(f"a move of kind {self.kind!r} cannot be made with {count} cards")
        if (self.target is not None) != (self.kind == "beat"):
            raise ValueError("a beat, and only a beat, names the card that it beats as its target")

    def __str__(self) -> str:
        """Return the written form: ``6s6d``, ``6s:9s``, ``+6d``, ``take``, ``done``, ``>6d``, ``^6h``, ``exchange``."""
        cards = "".join(map(str, self.cards))
        if self.kind == "beat":
            return f"{self.target}:{cards}"
        return _PREFIX[self.kind] + cards if cards else self.kind
