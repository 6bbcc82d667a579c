"""Dealing the cards for a new game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from durak_solver.game.position import Position
from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.layout import SEATS
from durak_solver.model.messages import quoted
from durak_solver.model.rules import Rules, why_no_straps
from durak_solver.model.seeds import Seeder, draw_seed

# With this many cards of one suit a player may ask for another deal.
_MANY_OF_A_SUIT: Final = 5


def deal(
    rules: Rules | str | None = None,
    seed: int | Seeder | None = None,
    *,
    redeal: bool = False,
    attacker: str | None = None,
) -> Position:
    """Deal the cards for a new game: a position with all cards known.

    The last card of the stock is the turn-up, and names the trump. A card that cannot, a joker or (with ``lock=s``) one
    that is no diamond, is passed over: the card above it is turned up instead, and goes under the stock.

    Parameters
    ----------
    rules
        Rules, or the name of a preset.
    seed
        A number, which gives the same deal everywhere, or a numpy.random.Generator. None draws one.
    redeal
        Deal again while a player has five or more cards of one suit.
    attacker
        Who attacks first, such as the winner of the game before; if not given, who holds the lowest trump, and a if
        nobody holds one.

    Raises
    ------
    ValueError
        If there is no such preset, seed or seat; with rules by which nothing is dealt, or whose straps are not in the
        deck.
    """
    from random import Random  # noqa: PLC0415  (not worth importing with the package)

    if attacker not in (None, *SEATS):
        raise ValueError(f"attacker={quoted(attacker)} is not allowed: choose one of a, b")
    rules = Rules() if rules is None else Rules.preset(rules) if isinstance(rules, str) else rules
    if rules.game == "round":
        raise ValueError("rules=round is played with open hands and without a stock: there is nothing to deal")
    if missing := why_no_straps(rules):
        raise ValueError(missing)
    rng = Random(draw_seed(seed))
    while True:
        cards = list(deck_cards(rules.deck))
        rng.shuffle(cards)
        a, b, stock = cards[: rules.hand], cards[rules.hand : 2 * rules.hand], cards[2 * rules.hand :]
        turn_ups = [card for card in stock if not card.is_joker and (rules.lock is None or card.suit == "d")]
        if turn_ups and not (redeal and (_many_of_a_suit(a) or _many_of_a_suit(b))):
            break
    turn_up = turn_ups[-1]
    stock.remove(turn_up)
    trumps = [min((card for card in hand if card.suit == turn_up.suit), default=None) for hand in (a, b)]
    lowest = min((card for card in trumps if card), default=None)
    return Position(
        hands=(tuple(a), tuple(b)),
        trump=turn_up.suit,
        attacker=attacker or SEATS[trumps.index(lowest)],
        stock=(*stock, turn_up),
        rules=rules,
    )


def _many_of_a_suit(hand: Iterable[Card]) -> bool:
    suits = [card.suit for card in hand if card.suit]
    return any(suits.count(suit) >= _MANY_OF_A_SUIT for suit in suits)
