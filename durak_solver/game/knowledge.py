"""What a player knows when cards are hidden."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from durak_solver.game.hidden import count_deals
from durak_solver.game.legality import mark_like, require_legal
from durak_solver.model.cards import Card
from durak_solver.model.layout import Layout, seat_index
from durak_solver.model.moves import Move

L = TypeVar("L", bound=Layout)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one player knows of a position.

    Attributes
    ----------
    hand
        The player's own cards.
    opponent
        The opponent's cards that are known, such as those that were picked up from the table.
    opponent_unknown
        How many more cards the opponent holds.
    unseen
        The cards whose place is not known.
    deals
        How many deals fit all that; 1 when nothing is hidden.
    """

    seat: str
    hand: tuple[Card, ...]
    opponent: tuple[Card, ...]
    opponent_unknown: int
    unseen: tuple[Card, ...]
    deals: int


def player_knowledge(position: Layout, seat: str) -> Knowledge:
    """Return what a player knows; see `Position.knowledge`."""
    own = seat_index(seat)
    require_legal(position)
    _require_own_cards(position, seat)
    return Knowledge(
        seat=seat,
        hand=position.hands[own],
        opponent=position.hands[1 - own],
        opponent_unknown=position.unknown[1 - own],
        unseen=position.unseen,
        deals=count_deals(position),
    )


def player_view(position: L, seat: str, seen: Collection[Card]) -> L:
    """Return what a player sees of a position; see `Position.view`."""
    own = seat_index(seat)
    if position.is_round:  # played with open hands
        return position
    _require_own_cards(position, seat)
    hands, unknown = list(position.hands), list(position.unknown)
    hands[1 - own] = tuple(card for card in hands[1 - own] if card in seen)
    unknown[1 - own] += len(position.hands[1 - own]) - len(hands[1 - own])
    stock = (None,) * (len(position.stock) - 1) + position.stock[-1:]
    view = replace(position, hands=(hands[0], hands[1]), unknown=(unknown[0], unknown[1]), stock=stock)
    mark_like(view, position)  # hiding cards makes no legal position illegal
    return view


def seen_at_start(position: Layout) -> Iterator[Card]:
    """Yield the cards that lie face up where a game begins: the turn-up and the table.

    Where a hand has unknown cards, its known ones count as seen.
    """
    for cards in (position.stock[-1:], *position.table):
        yield from (card for card in cards if card)
    for hand, unknown in zip(position.hands, position.unknown, strict=True):
        if unknown:
            yield from hand


def seen_after(move: Move, after: Layout) -> Iterator[Card]:
    """Yield the cards that a move shows: those played, and the turn-up, another one after an exchange."""
    yield from move.cards
    yield from (card for card in after.stock[-1:] if card)


def _require_own_cards(position: Layout, seat: str) -> None:
    if position.unknown_of(seat):
        raise ValueError(f"what {seat} knows cannot be told while cards of that hand are unknown")
