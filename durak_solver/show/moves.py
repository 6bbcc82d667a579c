"""Moves in words."""

from __future__ import annotations

from typing import Final

from durak_solver.model.cards import lowest_card
from durak_solver.model.layout import Layout
from durak_solver.model.moves import Move
from durak_solver.notation.cards import format_card

_ORDERS: Final = {
    "lead": "Lead",
    "throw": "Throw in",
    "give": "Give",
    "take": "Take",
    "done": "Say done",
    "transfer": "Transfer with",
    "show": "Show",
}


def move_words(position: Layout, move: Move, style: str = "ascii") -> str:
    """Say in words what a legal move does: an order, such as ``"Beat 6s with 9s"``, that begins with a regular verb."""
    if move.kind == "exchange":
        lowest = lowest_card(position.rules.deck, position.trump or "")
        got, given = (format_card(card, style) for card in (position.stock[-1], lowest) if card is not None)
        return f"Exchange {given} for {got}"
    cards = " and ".join(format_card(card, style) for card in move.cards)
    if move.target is not None:
        return f"Beat {format_card(move.target, style)} with {cards}"
    return f"{_ORDERS[move.kind]} {cards}".rstrip()
