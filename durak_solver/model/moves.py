"""Moves, what can be wrong with them, and what is noted about them in a game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from durak_solver.model.cards import Card
from durak_solver.model.layout import Hand
from durak_solver.model.messages import quoted

# What precedes the cards in the written form of each kind, for the kinds that are played with cards alone.
_PREFIX: Final = {"lead": "", "throw": "+", "give": "+", "transfer": ">", "show": "^"}

KINDS: Final = ("lead", "beat", "throw", "give", "take", "done", "transfer", "show", "exchange")
"""The kinds of move."""

GLYPHS: Final = ("!", "?", "!!", "??", "!?", "?!")
"""The marks that have a sign, in the order of their numbers ``$1`` to ``$6``."""

_LAST_MARK: Final = 255


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
    kind
        ``"lead"``, ``"beat"``, ``"throw"`` (throw in), ``"give"`` (throw in after "take"), ``"take"``, ``"done"``,
        ``"transfer"``, ``"show"`` or ``"exchange"`` (swap the lowest trump for the turn-up).
    cards
        The cards played, in canonical order: several for a lead, none for "take", "done" and "exchange", else one.
    target
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


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game, with what was noted about it.

    Attributes
    ----------
    mark
        ``"!"``, ``"?"``, ``"!!"``, ``"??"``, ``"!?"``, ``"?!"`` or ``"$0"`` to ``"$255"`` as in chess; several with
        spaces between. ``$1`` to ``$6`` become the signs that they stand for.
    comment
        Words, with single spaces between. There is no ``}`` in it.
    drawn
        The cards that a and b are known to have drawn after the move, in canonical order.

    Raises
    ------
    ValueError
        If it is no mark, or the comment has a ``}``.
    """

    move: Move
    mark: str = ""
    comment: str = ""
    drawn: tuple[Hand, Hand] = ((), ())

    def __post_init__(self) -> None:
        a, b = self.drawn
        object.__setattr__(self, "mark", " ".join(map(normal_mark, self.mark.split())))
        object.__setattr__(self, "comment", normal_comment(self.comment))
        object.__setattr__(self, "drawn", (tuple(sorted(a)), tuple(sorted(b))))


def normal_mark(mark: str) -> str:
    """Return a mark in its written form; ValueError if it is none."""
    if mark in GLYPHS:
        return mark
    if not re.fullmatch(r"\$[0-9]{1,3}", mark) or int(mark[1:]) > _LAST_MARK:
        signs = ", ".join(GLYPHS)
        raise ValueError(f"{quoted(mark)} is not a mark: choose one of {signs}, or $0 to ${_LAST_MARK}")
    number = int(mark[1:])
    return GLYPHS[number - 1] if 1 <= number <= len(GLYPHS) else f"${number}"


def normal_comment(comment: str) -> str:
    """Return a comment with single spaces; ValueError if it could not be read back."""
    if "}" in comment:
        raise ValueError(f"there can be no }} in a comment: {quoted(comment)}")
    return " ".join(comment.split())
