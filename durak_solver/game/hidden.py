"""Hidden cards: how many deals fit a position, and what is known once some of them are named.

The unseen cards are in unknown places of the hands and the stock, or among the discards that nobody noted. A deal puts
each of them somewhere: which cards are in a hand or in the discard matters, in the stock their order too. The turn-up,
where it is unknown, is of the trump suit.
"""

from __future__ import annotations

from dataclasses import replace
from math import factorial
from typing import TypeVar

from durak_solver.model.cards import Card
from durak_solver.model.layout import Layout, seat_index

L = TypeVar("L", bound=Layout)


def count_deals(position: Layout) -> int:
    """Return how many deals fit a position; 0 if the cards do not suffice or the turn-up cannot be a trump."""
    unseen = position.unseen
    cards = len(unseen)
    turn_up = 1
    rest = cards - sum(position.unknown) - position.stock.count(None)
    if rest < 0:
        return 0
    if position.trump and position.stock and position.stock[-1] is None:
        turn_up = sum(card.suit == position.trump for card in unseen)
        cards -= 1
    if not turn_up:
        return 0
    ways = factorial(cards) // factorial(rest)
    for unknown in position.unknown:
        ways //= factorial(unknown)
    return turn_up * ways


def only_deal(position: L) -> L | None:
    """Return the position with every card in its place, or None if several deals fit."""
    if not any(position.unknown) and None not in position.stock:
        return position
    if count_deals(position) != 1:
        return None
    unseen, stock = list(position.unseen), list(position.stock)
    if stock and stock[-1] is None:
        turn_up = next((card for card in unseen if card.suit == position.trump), unseen[0])
        unseen.remove(turn_up)
        stock[-1] = turn_up
    # With one deal left, the others all go to the same place: one hand, one card of the stock or the discard.
    drawn = tuple(unseen.pop() if card is None else card for card in stock)
    hands = [hand + tuple(unseen[:unknown]) for hand, unknown in zip(position.hands, position.unknown, strict=True)]
    return replace(position, hands=(hands[0], hands[1]), unknown=(0, 0), stock=drawn)


def revealed(position: L, seat: str, cards: tuple[Card, ...]) -> L:
    """Return the position with cards in the place of unknown ones of a hand; ValueError if they cannot be there."""
    own = seat_index(seat)
    unseen = set(position.unseen)
    for i, card in enumerate(cards):
        if card not in unseen or card in cards[:i]:
            raise ValueError(f"{card} cannot be an unknown card of {seat}: its place is known, or the deck lacks it")
    if len(cards) > position.unknown[own]:
        raise ValueError(f"{seat} has {position.unknown[own]} unknown cards, not {len(cards)}")
    hands, unknown = list(position.hands), list(position.unknown)
    hands[own] += cards
    unknown[own] -= len(cards)
    return replace(position, hands=(hands[0], hands[1]), unknown=(unknown[0], unknown[1]))
