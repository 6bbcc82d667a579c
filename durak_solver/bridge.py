"""The crossing to the compiled core: positions and moves there, states and card sets here.

A card set of the core is an integer of four 16-bit lanes, one per suit: bit ``16 * lane + rank_index``. The trump suit
has lane 0; the others follow in the order s, c, d, h.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_solver._core import state as core
from durak_solver.cards import RANKS, SUITS, Card, deck_cards, lowest_card
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
    core.MOVE_EXCHANGE: "exchange",
}
_KINDS: Final = {name: kind for kind, name in _NAMES.items()}


@lru_cache(maxsize=64)
def rule_set(rules: Rules, trump: bool) -> core.RuleSet:
    """Return the rules as the core reads them.

    Parameters
    ----------
    rules : Rules
    trump : bool
        Whether there is a trump suit.

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
    # Whichever suit is trump, it has lane 0.
    lowest_trump = 1 << lowest_card(rules.deck, SUITS[0]).rank_index
    return core.RuleSet(
        trump=trump,
        deck=rules.deck,
        hand=rules.hand,
        throw=_THROW[rules.throw],
        lead_many=rules.lead == "many",
        limit=0 if rules.limit == "hand" else rules.limit,
        first=rules.first or 0,
        pursuit=rules.pursuit,
        both_attacker=rules.both == "attacker",
        exchange=lowest_trump if rules.exchange and trump else 0,
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
    bits = _bits(trump)
    total = 0
    for card in cards:
        total |= bits[card]
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


def stand_ins(position: Position) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Return both hands and the stock with any unseen cards in the places of the unknown ones.

    Parameters
    ----------
    position : Position
        A legal position.

    Returns
    -------
    tuple
        The hands of a and b, and the stock, the next card first.
    """
    if not any(position.unknown) and None not in position.stock:
        return list(position.hands), tuple(card for card in position.stock if card is not None)
    unseen = list(position.unseen)
    hands = []
    for hand, unknown in zip(position.hands, position.unknown, strict=True):
        hands.append(hand + tuple(unseen[:unknown]))
        del unseen[:unknown]
    return hands, tuple(unseen.pop() if card is None else card for card in position.stock)


def bout_state(position: Position) -> core.State:
    """Return a state that has the legal moves of a position.

    The cards of the player who is not to move need not be known: only their number matters to the bout's legal moves,
    so any unseen cards stand in for them. The same holds for the stock.

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
    mover = position.to_move or position.attacker
    if position.unknown["ab".index(mover)]:
        rule_set(position.rules, position.trump is not None)  # what is not handled at all is said first
        raise UnsupportedError(f"the moves of {mover} cannot be listed while cards of that hand are unknown")
    return _state(position)


def state_after(position: Position, move: Move) -> core.State | None:
    """Return the state after a move, in which any unseen cards stand in for the unknown ones.

    Parameters
    ----------
    position : Position
        A legal position. The cards of the move, if they are in the mover's hand, are known to be there.
    move : Move

    Returns
    -------
    State or None
        None if the move is not legal.

    Raises
    ------
    UnsupportedError
        If an option is not handled.
    """
    kind = _KINDS.get(move.kind)
    state = _state(position)
    hand = position.hands["ab".index(position.to_move or "a")]
    # A stand-in must not be taken for the card itself, and in a card set a card cannot be there twice.
    if kind is None or len(set(move.cards)) < len(move.cards) or not all(card in hand for card in move.cards):
        return None
    trump = position.trump
    try:
        return state.play(kind, card_set(move.cards, trump), card_set([move.target] if move.target else [], trump))
    except ValueError:
        return None


def _state(position: Position) -> core.State:
    rules = rule_set(position.rules, position.trump is not None)
    hands, stock = stand_ins(position)
    trump, table = position.trump, position.table
    bits = _bits(trump)
    return core.State(
        rules,
        attacker="ab".index(position.attacker),
        hands=(card_set(hands[0], trump), card_set(hands[1], trump)),
        attacks=card_set((attack for attack, _ in table), trump),
        defences=card_set((defence for _, defence in table if defence is not None), trump),
        unbeaten=card_set((attack for attack, defence in table if defence is None), trump),
        led=card_set((attack for attack, _ in table[:1]), trump),
        taking=position.taking,
        stock=[bits[card] for card in stock],
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
def _bits(trump: str | None) -> dict[Card, int]:
    """Return the bit of each card. A joker has one that is no card's: it is nowhere when moves are looked for."""
    lanes = _lanes(trump)
    return {card: 1 << 16 * lanes.index(card.suit) + card.rank_index for card in deck_cards(54)}


@lru_cache(maxsize=8)
def _lanes(trump: str | None) -> str:
    """Return the suits in the order of their lanes."""
    return (trump or "") + SUITS.replace(trump or " ", "")
