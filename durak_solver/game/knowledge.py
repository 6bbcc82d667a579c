"""What a player knows when cards are hidden, and how many deals fit that.

The unseen cards are in unknown places of the hands and the stock, or among the discards that nobody noted. A deal puts
each of them somewhere: which cards are in a hand or in the discard matters, in the stock their order too. The turn-up,
where it is unknown, is of the trump suit.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import factorial
from typing import TypeVar

from durak_solver.game.defects import IllegalPositionError
from durak_solver.game.legality import defects as defects_of
from durak_solver.model.cards import Card
from durak_solver.model.layout import Layout

L = TypeVar("L", bound=Layout)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one player knows of a position.

    Attributes
    ----------
    seat : str
        The player.
    hand : tuple of Card
        His own cards.
    opponent : tuple of Card
        The opponent's cards that are known, such as those that were picked up from the table.
    opponent_unknown : int
        How many cards more the opponent holds.
    unseen : tuple of Card
        The cards whose place is not known.
    deals : int
        How many deals are consistent with all that; 1 when nothing is hidden.
    """

    seat: str
    hand: tuple[Card, ...]
    opponent: tuple[Card, ...]
    opponent_unknown: int
    unseen: tuple[Card, ...]
    deals: int


def player_knowledge(position: Layout, seat: str) -> Knowledge:
    """Return what a player knows; see `Layout.knowledge`."""
    own = _seat(seat)
    defects = [defect for defect in defects_of(position) if defect.code != "game_over"]
    if defects:
        raise IllegalPositionError(tuple(defects))
    _require_own_cards(position, seat)
    return Knowledge(
        seat=seat,
        hand=position.hands[own],
        opponent=position.hands[1 - own],
        opponent_unknown=position.unknown[1 - own],
        unseen=position.unseen,
        deals=count_deals(position),
    )


def count_deals(position: Layout) -> int:
    """Return how many deals are consistent with a position.

    Parameters
    ----------
    position : Layout

    Returns
    -------
    int
        0 if there is none, because the cards do not suffice or the turn-up cannot be a trump.
    """
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
    """Return the position with every card in its place, if only one deal fits; see `Layout.deduced`."""
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
    """Return the position with cards in the place of unknown ones of a hand; see `Layout.reveal`."""
    own = _seat(seat)
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


def player_view(position: L, seat: str, seen: Collection[Card]) -> L:
    """Return what a player sees of a position; see `Layout.view`."""
    own = _seat(seat)
    if position.is_round:  # played with open hands
        return position
    _require_own_cards(position, seat)
    hands, unknown = list(position.hands), list(position.unknown)
    hands[1 - own] = tuple(card for card in hands[1 - own] if card in seen)
    unknown[1 - own] += len(position.hands[1 - own]) - len(hands[1 - own])
    stock = (None,) * (len(position.stock) - 1) + position.stock[-1:]
    view = replace(position, hands=(hands[0], hands[1]), unknown=(unknown[0], unknown[1]), stock=stock)
    # To see less of a legal position makes it no other: it need not be checked again.
    object.__setattr__(view, "_known_legal", position._known_legal)
    return view


def _seat(seat: str) -> int:
    if seat not in ("a", "b"):
        raise ValueError(f"seat={seat!r} is not allowed: choose one of a, b")
    return "ab".index(seat)


def _require_own_cards(position: Layout, seat: str) -> None:
    if position.unknown["ab".index(seat)]:
        raise ValueError(f"what {seat} knows cannot be told while cards of that hand are unknown")
