"""Moves as text: ``6s6d``, ``6s:9s``, ``+6d``, ``take``, ``done``, ``>6d``, ``^6h``, ``exchange``, and shorter forms.

What a short form means depends on the position: `durak_solver.game.play.parse_move` completes what is read here.
"""

from __future__ import annotations

from typing import Final

from durak_solver.model.cards import Card
from durak_solver.model.messages import quoted
from durak_solver.model.moves import Move, MoveSyntaxError
from durak_solver.notation.cards import CardError, format_card, parse_cards

# "pass" is what an attacker says who has nothing more to throw in.
_WORDS: Final = {
    "take": "take",
    "беру": "take",
    "done": "done",
    "бито": "done",
    "pass": "done",
    "exchange": "exchange",
    "swap": "exchange",
    "обмен": "exchange",
}
_PREFIXES: Final = {"+": "throw", ">": "transfer", "^": "show"}


def format_move(move: Move, style: str = "ascii") -> str:
    """Write a move, its cards in a style of `format_card`; with ``"ascii"`` that is ``str(move)``."""
    text = str(move)
    for card in move.cards if move.target is None else (*move.cards, move.target):
        text = text.replace(str(card), format_card(card, style))
    return text


def read_move(text: str) -> tuple[str, tuple[Card, ...], Card | None]:
    """Return what a text says of kind, cards and target; the kind is empty for cards alone."""
    stripped = text.strip()
    word = _WORDS.get(stripped.lower())
    if word:
        return word, (), None
    kind = _PREFIXES.get(stripped[:1], "")
    try:
        if kind:
            return kind, (_one_card(stripped[1:]),), None
        target, colon, card = stripped.partition(":")
        if colon:
            attack = _one_card(target)
            return "beat", (_one_card(card),), attack
        cards = parse_cards(stripped)
    except CardError as error:
        raise MoveSyntaxError(f"{quoted(text)} is not a move: {error.reason}") from None
    if not cards:
        raise MoveSyntaxError("an empty text is not a move")
    return "", cards, None


def _one_card(text: str) -> Card:
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"one card was expected, not {len(cards)}", text, 0)
    return cards[0]
