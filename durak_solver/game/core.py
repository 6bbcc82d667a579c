"""The crossing to the compiled core: positions and moves there, states and card sets here.

A card set of the core is an integer of four 16-bit lanes, one per suit: bit ``16 * lane + rank_index``. The trump suit
has lane 0; the others follow in the order s, c, d, h. The jokers have places of rank 13 in lanes 2 and 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from durak_solver._core.state import (
    MOVE_BEAT,
    MOVE_DONE,
    MOVE_EXCHANGE,
    MOVE_GIVE,
    MOVE_LEAD,
    MOVE_SHOW,
    MOVE_TAKE,
    MOVE_THROW_IN,
    MOVE_TRANSFER,
    RuleSet,
    State,
)
from durak_solver.game.defects import UnsupportedError
from durak_solver.model.cards import RANKS, SUITS, Card, deck_cards, lowest_card
from durak_solver.model.layout import Layout
from durak_solver.model.moves import Move
from durak_solver.model.rules import Rules, beats, is_strap

_THROW: Final = {"any": 0, "lead": 1, "none": 2}
_SHORT: Final = {"forbid": 0, "limit": 1, "bita": 2}
_NAMES: Final = {
    MOVE_LEAD: "lead",
    MOVE_BEAT: "beat",
    MOVE_THROW_IN: "throw",
    MOVE_GIVE: "give",
    MOVE_TAKE: "take",
    MOVE_DONE: "done",
    MOVE_EXCHANGE: "exchange",
    MOVE_TRANSFER: "transfer",
    MOVE_SHOW: "show",
}
_KINDS: Final = {name: kind for kind, name in _NAMES.items()}
_JOKERS: Final = {1 << 16 * 2 + 13: Card("RJ"), 1 << 16 * 3 + 13: Card("BJ")}


def rule_set(rules: Rules, trump: str | None) -> RuleSet:
    """Return the rules as the core reads them.

    Parameters
    ----------
    rules : Rules
    trump : str or None
        The trump suit.

    Returns
    -------
    RuleSet
        The same object for the same arguments, and for any trump suit where the rules name no suit.
    """
    if rules.game == "round":
        raise UnsupportedError(
            "with rules=round positions are only solved: there are no puzzles, guesses or other methods of play"
        )
    return _rule_set(rules, trump if trump is None or _name_suits(rules) else SUITS[0])


def _name_suits(rules: Rules) -> bool:
    """Tell whether it matters to the rules which suits are the plain ones."""
    queen = rules.straps is not None and len(rules.straps) > 1
    return rules.lock is not None or rules.deck == 54 or queen or _takes_discards(rules)


def _takes_discards(rules: Rules) -> bool:
    """Tell whether a transfer may take cards from the discard, whose order matters then."""
    return rules.transfer and rules.short == "bita"


@lru_cache(maxsize=64)
def _rule_set(rules: Rules, trump: str | None) -> RuleSet:
    deck = deck_cards(rules.deck)
    straps = [card for card in deck if is_strap(card, rules)]
    must_take = rules.strapmode == "must-take"
    lanes = _lanes(trump)
    beaten_by = None
    if rules.deck == 54 or rules.ace6 or (straps and must_take):
        beaten_by = [0] * 64
        for attack in deck:
            beating = (card for card in deck if beats(card, attack, trump, rules))
            beaten_by[card_set([attack], trump).bit_length() - 1] = card_set(beating, trump)
    return RuleSet(
        trump=trump is not None,
        deck=rules.deck,
        hand=rules.hand,
        throw=_THROW[rules.throw],
        lead_many=rules.lead == "many",
        limit=0 if rules.limit == "hand" else rules.limit,
        first=rules.first or 0,
        pursuit=rules.pursuit,
        both_attacker=rules.both == "attacker",
        exchange=card_set([lowest_card(rules.deck, trump)], trump) if rules.exchange and trump else 0,
        transfer=rules.transfer,
        show=rules.show,
        short=_SHORT[rules.short] if rules.transfer else 0,
        overflow=rules.overflow,
        straps=card_set((card for card in straps if card.suit != trump), trump),
        held_back=card_set(straps, trump) if must_take else 0,
        beaten_by=beaten_by,
        locked=rules.lock is not None,
        suits=(lanes.index("s"), lanes.index("c"), lanes.index("d"), lanes.index("h")),
    )


def card_set(cards: Iterable[Card], trump: str | None) -> int:
    """Return cards as a card set of the core.

    Parameters
    ----------
    cards : iterable of Card
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
        bit = bits & -bits
        index = bit.bit_length() - 1
        cards.append(_JOKERS.get(bit) or Card(RANKS[index % 16] + lanes[index // 16]))
        bits &= bits - 1
    return tuple(sorted(cards))


def stand_ins(position: Layout) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Return both hands and the stock with any unseen cards in the places of the unknown ones.

    Parameters
    ----------
    position : Layout
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


def bout_state(position: Layout) -> State:
    """Return a state that has the legal moves of a position.

    The cards of the player who is not to move need not be known: only their number matters to the bout's legal moves,
    so any unseen cards stand in for them. The same holds for the stock.

    Parameters
    ----------
    position : Layout
        A legal position.

    Returns
    -------
    State

    Raises
    ------
    UnsupportedError
        If a card of the player to move is not known.
    """
    mover = position.to_move or position.attacker
    if position.unknown["ab".index(mover)]:
        raise UnsupportedError(f"the moves of {mover} cannot be listed while cards of that hand are unknown")
    return _state(position)


def solvable_state(position: Layout) -> State:
    """Return the state of `bout_state`, if there is exact play from it.

    Parameters
    ----------
    position : Layout
        A legal position.

    Returns
    -------
    State

    Raises
    ------
    UnsupportedError
        As for `bout_state`, and if a transfer may take cards from the discard (short=bita) which are not known.
    """
    missing = position.discard_size - len(position.discard)
    if _takes_discards(position.rules) and missing > 0:
        raise UnsupportedError(
            f"with short=bita the order of the discard matters, but {missing} of its {position.discard_size} cards are "
            "not known"
        )
    return bout_state(position)


def final_straps(position: Layout) -> int:
    """Return how many straps a finished game hangs.

    Parameters
    ----------
    position : Layout

    Returns
    -------
    int
    """
    return _state(position).straps


def state_after(position: Layout, move: Move) -> State | None:
    """Return the state after a move, in which any unseen cards stand in for the unknown ones.

    Parameters
    ----------
    position : Layout
        A legal position. The cards of the move, if they are in the mover's hand, are known to be there.
    move : Move

    Returns
    -------
    State or None
        None if the move is not legal.

    Raises
    ------
    UnsupportedError
        If the move takes a card off the discard that is not known.
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
    except LookupError:
        reason = "it takes the top card of the discard, which is not known (list the discards, the last one on top)"
        raise UnsupportedError(f"{move} cannot be played: {reason}") from None


def _state(position: Layout) -> State:
    hands, stock = stand_ins(position)
    trump, table = position.trump, position.table
    bits = _bits(trump)
    pile: list[int] = []
    if _takes_discards(position.rules):
        pile = [bits[card] for card in (*position.discard, *position.table_cards)]
    return State(
        rule_set(position.rules, trump),
        attacker="ab".index(position.attacker),
        hands=(card_set(hands[0], trump), card_set(hands[1], trump)),
        attacks=card_set((attack for attack, _ in table), trump),
        defences=card_set((defence for _, defence in table if defence is not None), trump),
        unbeaten=card_set((attack for attack, defence in table if defence is None), trump),
        led=card_set((attack for attack, _ in table[:1]), trump),
        taking=position.taking,
        stock=[bits[card] for card in stock],
        cap=position.bout_cap or 0,
        shown=sum(1 << "ab".index(seat) for seat in position.shown),
        group=card_set(position.last_group, trump) if position.rules.straps else 0,
        pile=pile,
    )


def to_core(move: Move, trump: str | None) -> tuple[int, int, int]:
    """Return a move as the core's (kind, cards, target).

    Parameters
    ----------
    move : Move
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
    """Return the bit of each card."""
    lanes = _lanes(trump)
    bits = {card: 1 << 16 * lanes.index(card.suit) + card.rank_index for card in deck_cards(52)}
    return bits | {card: bit for bit, card in _JOKERS.items()}


@lru_cache(maxsize=8)
def _lanes(trump: str | None) -> str:
    """Return the suits in the order of their lanes."""
    return (trump or "") + SUITS.replace(trump or " ", "")
