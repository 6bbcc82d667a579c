"""The crossing to the compiled core: positions and moves there, states and card sets here.

A card set of the core is an integer of four 16-bit lanes, one per suit: bit ``16 * lane + rank_index``. The trump suit
has lane 0; the others follow in the order s, c, d, h. The jokers have places of rank 13 in lanes 2 and 3.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

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
    OVER,
    RuleSet,
    State,
)
from durak_solver.game.defects import UnsupportedError
from durak_solver.model.cards import RANKS, SUITS, Card, deck_cards, lowest_card
from durak_solver.model.layout import NOTHING_DRAWN, SEATS, SHOWN, Drawn, Layout, seat_index
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
_SHOWN: Final = ("", *SHOWN)


class Effect(NamedTuple):
    """What a move leads to, beside the cards that it names. The names are those of `Layout`."""

    attacker: str
    shown: str
    cap: int  # most attack cards in the bout
    table_empty: bool  # after the move, and what it ends
    game_over: bool
    drawn: Drawn


def rule_set(rules: Rules, trump: str | None) -> RuleSet:
    """Return the rules as the core reads them; equal ones are one object, whatever the trump if no suit is named."""
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
    """Return cards as a card set of the core."""
    bits = _bits(trump)
    total = 0
    for card in cards:
        total |= bits[card]
    return total


def cards_of(bits: int, trump: str | None) -> tuple[Card, ...]:
    """Return a card set of the core as cards in canonical order."""
    lanes = _lanes(trump)
    cards = []
    while bits:
        bit = bits & -bits
        index = bit.bit_length() - 1
        cards.append(_JOKERS.get(bit) or Card(RANKS[index % 16] + lanes[index // 16]))
        bits &= bits - 1
    return tuple(sorted(cards))


def _stand_ins(position: Layout) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Return both hands and the stock of a legal position, with unseen cards in the places of the unknown ones."""
    if not any(position.unknown) and None not in position.stock:
        return list(position.hands), tuple(card for card in position.stock if card is not None)
    unseen, hands = list(position.unseen), list(position.hands)
    if position.rules.strapmode == "must-take":  # a strap may be led only from a hand of straps: the mover may hold one
        unseen.sort(key=lambda card: not is_strap(card, position.rules))
    mover = seat_index(position.to_move or "a")
    for seat in (mover, 1 - mover):
        unknown = position.unknown[seat]
        hands[seat] += tuple(unseen[:unknown])
        del unseen[:unknown]
    return hands, tuple(unseen.pop() if card is None else card for card in position.stock)


def bout_state(position: Layout) -> State:
    """Return a state that has the legal moves of a legal position.

    The cards of the player who is not to move need not be known: only their number matters to the bout's legal moves,
    so any unseen cards stand in for them, and for the stock. If a card of the player to move is not known, that is an
    UnsupportedError.
    """
    mover = position.to_move or position.attacker
    if position.unknown_of(mover):
        raise UnsupportedError(f"the moves of {mover} cannot be listed while cards of that hand are unknown")
    return _state(position)


def solvable_state(position: Layout) -> State:
    """Return the state of `bout_state`, if there is exact play from it.

    If a transfer may take cards from the discard (short=bita) that are not known, that too is an UnsupportedError.
    """
    missing = position.discard_size - len(position.discard)
    if _takes_discards(position.rules) and missing > 0:
        raise UnsupportedError(
            f"with short=bita the order of the discard matters, but {missing} of its {position.discard_size} cards are "
            "not known"
        )
    return bout_state(position)


def final_straps(position: Layout) -> int:
    """Return how many straps a finished game hangs."""
    return _state(position).straps


def moves(position: Layout) -> list[Move]:
    """Return the legal moves of a position, as `bout_state` has them."""
    return [from_core(move, position.trump) for move in bout_state(position).moves()]


def successors(state: Hashable, trump: str | None) -> Iterator[tuple[Move, Hashable]]:
    """Yield each legal move of a state, and the state it leads to; the first state is a `solvable_state`."""
    assert isinstance(state, State)
    for move in state.moves():
        yield from_core(move, trump), state.play(*move)


def is_legal(position: Layout, move: Move) -> bool:
    """Tell whether a move is legal in a legal position, where its cards are known cards of the player to move.

    If the move takes a card off the discard that is not known, that is an UnsupportedError.
    """
    return _state_after(position, move) is not None


def effect_of(position: Layout, move: Move) -> Effect | None:
    """Return what a move leads to, or None if it is not legal; see `is_legal`."""
    state = _state_after(position, move)
    if state is None:
        return None
    table_empty = not state.attacks
    return Effect(
        attacker=SEATS[state.attacker],
        shown=_SHOWN[state.shown],
        cap=state.cap,
        table_empty=table_empty,
        game_over=state.phase == OVER,
        drawn=_drawn(position, state) if table_empty else NOTHING_DRAWN,
    )


def _drawn(position: Layout, state: State) -> Drawn:
    """Return who drew what at the end of a bout, given the state after it."""
    gone = len(position.stock) - len(state.stock)
    if not gone:
        return NOTHING_DRAWN
    drawn: tuple[list[Card | None], list[Card | None]] = ([], [])
    _, stock = _stand_ins(position)
    for card, stand_in in zip(position.stock[:gone], stock[:gone], strict=True):
        seat = 0 if card_set([stand_in], position.trump) & state.hands[0] else 1
        drawn[seat].append(card)
    return tuple(drawn[0]), tuple(drawn[1])


def _state_after(position: Layout, move: Move) -> State | None:
    """Return the state after a move, with any unseen cards for the unknown ones, or None if the move is not legal."""
    state = _state(position)
    hand = position.hand_of(position.to_move or "a")
    # A stand-in must not be taken for the card itself, and in a card set a card cannot be there twice.
    if len(set(move.cards)) < len(move.cards) or not all(card in hand for card in move.cards):
        return None
    try:
        return state.play(*to_core(move, position.trump))
    except ValueError:
        return None
    except LookupError:
        reason = "it takes the top card of the discard, which is not known (list the discards, the last one on top)"
        raise UnsupportedError(f"{move} cannot be played: {reason}") from None


def _state(position: Layout) -> State:
    hands, stock = _stand_ins(position)
    trump, table = position.trump, position.table
    bits = _bits(trump)
    pile: list[int] = []
    if _takes_discards(position.rules):
        pile = [bits[card] for card in (*position.discard, *position.table_cards)]
    return State(
        rule_set(position.rules, trump),
        attacker=seat_index(position.attacker),
        hands=(card_set(hands[0], trump), card_set(hands[1], trump)),
        attacks=card_set((attack for attack, _ in table), trump),
        defences=card_set((defence for _, defence in table if defence is not None), trump),
        unbeaten=card_set((attack for attack, defence in table if defence is None), trump),
        led=card_set((attack for attack, _ in table[:1]), trump),
        taking=position.taking,
        stock=[bits[card] for card in stock],
        cap=position.bout_cap or 0,
        shown=_SHOWN.index(position.shown),
        group=card_set(position.last_group, trump) if position.rules.straps else 0,
        pile=pile,
    )


def to_core(move: Move, trump: str | None) -> tuple[int, int, int]:
    """Return a move as the core's (kind, cards, target)."""
    return _KINDS[move.kind], card_set(move.cards, trump), card_set([move.target] if move.target else [], trump)


@lru_cache(maxsize=1 << 16)
def from_core(move: tuple[int, int, int], trump: str | None) -> Move:
    """Return the core's (kind, cards, target) as a move."""
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
