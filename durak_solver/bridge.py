"""The crossing to the compiled core: positions and moves there, states and card sets here.

A card set of the core is an integer of four 16-bit lanes, one per suit: bit ``16 * lane + rank_index``. The trump suit
has lane 0; the others follow in the order s, c, d, h.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_solver._core import state as core
from durak_solver.cards import RANKS, SUITS, Card, deck_cards
from durak_solver.moves import Move
from durak_solver.rules import Rules
from durak_solver.status import UnsupportedError

if TYPE_CHECKING:
    from durak_solver.position import Position

_THROW: Final = {"any": 0, "lead": 1, "none": 2}
_NAMES: Final = {
    core.MOVE_LEAD: "lead",
    core.MOVE_BEAT: "beat",
    core.MOVE_THROW_IN: "throw",
    core.MOVE_GIVE: "give",
    core.MOVE_TAKE: "take",
    core.MOVE_DONE: "done",
}
_KINDS: Final = {name: kind for kind, name in _NAMES.items()}


@lru_cache(maxsize=64)
def rule_set(rules: Rules, trump: bool, stock_size: int = 0) -> core.RuleSet:
    """Return the rules as the core reads them.

    Parameters
    ----------
    rules : Rules
    trump : bool
        Whether there is a trump suit.
    stock_size : int
        Cards in the stock, which the core knows nothing of: it needs the others' number to see an empty discard.

    Returns
    -------
    RuleSet
        The same object for the same arguments.

    Raises
    ------
    UnsupportedError
        If an option is set that the core does not handle.
    """
    unsupported = rules.unsupported()
    if unsupported:
        raise UnsupportedError(f"{' '.join(unsupported)} is not solved yet")
    return core.RuleSet(
        trump=trump,
        deck=rules.deck - stock_size,
        throw=_THROW[rules.throw],
        lead_many=rules.lead == "many",
        limit=0 if rules.limit == "hand" else rules.limit,
        first=rules.first or 0,
        pursuit=rules.pursuit,
        both_attacker=rules.both == "attacker",
    )


def card_set(cards: Iterable[Card], trump: str | None) -> int:
    """Return cards as a card set of the core.

    Parameters
    ----------
    cards : iterable of Card
        No jokers.
    trump : str or None
        The trump suit.

    Returns
    -------
    int
    """
    lanes = _lanes(trump)
    total = 0
    for card in cards:
        total |= 1 << 16 * lanes.index(card.suit) + card.rank_index
    return total


def cards_of(bits: int, trump: str | None) -> tuple[Card, ...]:
    """Return a card set of the core as cards in canonical order.

    Parameters
    ----------
    bits : int
    trump : str or None
        The trump suit.

    Returns
    -------
    tuple of Card
    """
    lanes = _lanes(trump)
    cards = []
    while bits:
        index = (bits & -bits).bit_length() - 1
        cards.append(Card(RANKS[index % 16] + lanes[index // 16]))
        bits &= bits - 1
    return tuple(sorted(cards))


def open_state(position: Position) -> core.State:
    """Return the state that the core searches: all cards known, no stock.

    Parameters
    ----------
    position : Position
        A legal position.

    Returns
    -------
    State

    Raises
    ------
    UnsupportedError
        If there is a stock, a card is not known, or an option is not handled.
    """
    if position.stock:
        raise UnsupportedError("positions with a stock are not solved yet")
    if any(position.unknown):
        raise UnsupportedError("positions with unknown cards are not solved yet")
    return bout_state(position)


def bout_state(position: Position) -> core.State:
    """Return a state that is right until the end of the bout, whatever lies in the stock.

    The cards of the player who is not to move need not be known: only their number matters to the bout's legal moves,
    so any unseen cards stand in for them.

    Parameters
    ----------
    position : Position
        A legal position.

    Returns
    -------
    State

    Raises
    ------
    UnsupportedError
        If a card of the player to move is not known, or an option is not handled.
    """
    rules = rule_set(position.rules, position.trump is not None, len(position.stock))
    mover = "ab".index(position.to_move or position.attacker)
    if position.unknown[mover]:
        raise UnsupportedError(f"the moves of {'ab'[mover]} cannot be listed while cards of that hand are unknown")
    hands = list(position.hands)
    if position.unknown[1 - mover]:
        seen = {card for cards in position.places().values() for card in cards}
        unseen = [card for card in deck_cards(position.rules.deck) if card not in seen]
        hands[1 - mover] += tuple(unseen[: position.unknown[1 - mover]])
    trump, table = position.trump, position.table
    return core.State(
        rules,
        attacker="ab".index(position.attacker),
        hands=(card_set(hands[0], trump), card_set(hands[1], trump)),
        attacks=card_set((attack for attack, _ in table), trump),
        defences=card_set((defence for _, defence in table if defence is not None), trump),
        unbeaten=card_set((attack for attack, defence in table if defence is None), trump),
        led=card_set((attack for attack, _ in table[:1]), trump),
        taking=position.taking,
    )


def to_core(move: Move, trump: str | None) -> tuple[int, int, int]:
    """Return a move as the core's (kind, cards, target).

    Parameters
    ----------
    move : Move
        Any but a transfer or a show.
    trump : str or None
        The trump suit.

    Returns
    -------
    tuple of int
    """
    return _KINDS[move.kind], card_set(move.cards, trump), card_set([move.target] if move.target else [], trump)


@lru_cache(maxsize=1 << 16)
def from_core(move: tuple[int, int, int], trump: str | None) -> Move:
    """Return a move of the core as a move.

    Parameters
    ----------
    move : tuple of int
        The core's (kind, cards, target).
    trump : str or None
        The trump suit.

    Returns
    -------
    Move
    """
    kind, cards, target = move
    return Move(_NAMES[kind], cards_of(cards, trump), cards_of(target, trump)[0] if target else None)


@lru_cache(maxsize=8)
def _lanes(trump: str | None) -> str:
    """Return the suits in the order of their lanes."""
    return (trump or "") + SUITS.replace(trump or " ", "")
