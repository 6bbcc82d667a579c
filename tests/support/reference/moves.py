"""States of the reference, their legal moves, and what those lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from tests.support.reference.rules import (
    LOWEST_RANK,
    SEATS,
    Card,
    Hand,
    RefRules,
    Table,
    beats,
    is_strap,
    order,
    rank,
    suit,
    written,
)


class RefState(NamedTuple):
    """A position inside a game, or its end.

    Parameters
    ----------
    hands
        Cards of seat a and of seat b.
    attacker
        0 or 1: who attacks in this bout; at the end of the game, who attacked last.
    cap
        Most attack cards of this bout, fixed when it starts or is transferred.
    stock
        Known order, top card first, turn-up last.
    shown
        Seats that have transferred by showing in this bout.
    group
        The attacker's last group; kept only where straps are played.
    discard
        Known discards, the last one on top; kept only where short=bita takes from it.
    """

    hands: tuple[Hand, Hand]
    trump: str
    attacker: int
    table: Table
    taking: bool
    cap: int
    stock: tuple[Card, ...]
    shown: frozenset[int]
    group: frozenset[Card]
    discard: tuple[Card, ...]
    rules: RefRules

    @property
    def defender(self) -> int:
        return 1 - self.attacker

    @property
    def attack_hand(self) -> Hand:
        return self.hands[self.attacker]

    @property
    def defence_hand(self) -> Hand:
        return self.hands[self.defender]

    @property
    def attacks(self) -> int:
        """Attack cards on the table, n in the rules."""
        return len(self.table)

    @property
    def unbeaten(self) -> list[Card]:
        return [attack for attack, defence in self.table if defence is None]

    @property
    def table_cards(self) -> list[Card]:
        return [card for pair in self.table for card in pair if card is not None]

    @property
    def discard_count(self) -> int:
        placed = len(self.hands[0]) + len(self.hands[1]) + len(self.table_cards) + len(self.stock)
        return self.rules.deck - placed

    @property
    def bout_limit(self) -> int:
        """L in the rules."""
        if self.rules.first is not None and self.discard_count == 0:
            return self.rules.first
        return self.rules.deck if self.rules.limit is None else self.rules.limit

    @property
    def over(self) -> bool:
        return not self.table and not self.stock and not all(self.hands)

    @property
    def phase(self) -> str:
        if self.over:
            return "over"
        if not self.table:
            return "lead"
        if self.taking:
            return "give"
        return "defend" if self.unbeaten else "throw"


def to_move(state: RefState) -> str:
    """Seat to move: "a" or "b"."""
    return SEATS[mover(state)]


def outcome(state: RefState) -> str | None:
    """None while the game goes on, else the winner's seat or "draw"."""
    if not state.over:
        return None
    if any(state.hands):
        return SEATS[0] if not state.hands[0] else SEATS[1]
    return "draw" if state.rules.both == "draw" else SEATS[state.attacker]


def straps_hung(state: RefState) -> int:
    """Straps hung by a finished game."""
    if outcome(state) != SEATS[state.attacker]:
        return 0
    hang = all(is_strap(card, state.rules) and suit(card) != state.trump for card in state.group)
    return len(state.group) if hang else 0


def mover(state: RefState) -> int:
    return state.defender if state.phase == "defend" else state.attacker


def legal_moves(state: RefState) -> list[str]:
    """Return every legal move in its written form; empty when the game is over."""
    phase = state.phase
    if phase == "over":
        return []
    if phase == "lead":
        return [written(cards) for cards in _leads(state)] + _exchanges(state)
    if phase == "defend":
        return [*_beating(state), *_transfers(state), *_shows(state), *_exchanges(state), "take"]
    return [*(f"+{card}" for card in _throwable(state)), *_exchanges(state), "done"]


def play(state: RefState, move: str) -> RefState:
    """Play a written move; ValueError if it is not legal here."""
    if move not in legal_moves(state):
        raise ValueError(f"{move} is not legal here")
    return apply_move(state, move)


def _leads(state: RefState) -> Iterator[tuple[Card, ...]]:
    hand, rules = state.attack_hand, state.rules
    if rules.strapmode == "must-take" and not all(is_strap(card, rules) for card in hand):
        hand = frozenset(card for card in hand if not is_strap(card, rules))
    most = 1 if rules.lead == "one" else state.cap
    for led in sorted({rank(card) for card in hand}):
        same = sorted((card for card in hand if rank(card) == led), key=order)
        for size in range(1, min(most, len(same)) + 1):
            yield from combinations(same, size)


def _beating(state: RefState) -> Iterator[str]:
    for attack in state.unbeaten:
        for card in sorted(state.defence_hand, key=order):
            if beats(card, attack, state.trump, state.rules):
                yield f"{attack}:{card}"


def _nothing_beaten(state: RefState) -> bool:
    return all(defence is None for _, defence in state.table)


def _led_rank(state: RefState) -> str:
    return rank(state.table[0][0])


def _transfers(state: RefState) -> Iterator[str]:
    attacks = state.attacks + 1
    if not (state.rules.transfer and _nothing_beaten(state) and attacks <= state.bout_limit):
        return
    for card in sorted(state.defence_hand, key=order):
        if rank(card) == _led_rank(state) and _can_answer(state, attacks):
            yield f">{card}"


def _can_answer(state: RefState, attacks: int) -> bool:
    """Whether the present attacker can be made to answer that many cards."""
    held = len(state.attack_hand)
    if held >= attacks:
        return True
    if state.rules.short == "limit":
        return held > 0
    return state.rules.short == "bita" and state.discard_count > 0


def _shows(state: RefState) -> Iterator[str]:
    if not (state.rules.show and _nothing_beaten(state)) or state.defender in state.shown:
        return
    card = _led_rank(state) + state.trump
    if card in state.defence_hand and len(state.attack_hand) >= state.attacks:
        yield f"^{card}"


def _throwable(state: RefState) -> list[Card]:
    """Cards the attacker may throw in, give, or (overflow) put straight on the discard."""
    rules = state.rules
    overflowing = rules.overflow and not state.taking
    if rules.throw == "none" or (state.attacks >= state.cap and not overflowing):
        return []
    ranks = {_led_rank(state)} if rules.throw == "lead" else {rank(card) for card in state.table_cards}
    return sorted((card for card in state.attack_hand if rank(card) in ranks), key=order)


def _lowest_trump(state: RefState) -> Card:
    """Of the whole deck, wherever it is; no card where there is no trump suit."""
    return LOWEST_RANK[state.rules.deck] + state.trump


def _exchanges(state: RefState) -> list[str]:
    """Whoever is to move and holds the lowest trump may swap it for the turn-up, as long as that lies there."""
    holds = _lowest_trump(state) in state.hands[mover(state)]
    return ["exchange"] if state.rules.exchange and state.stock and holds else []


def _exchange(state: RefState) -> RefState:
    """The turn-up goes to the hand and the lowest trump in its place; nothing else changes, nor does the turn."""
    seat, lowest = mover(state), _lowest_trump(state)
    hand = state.hands[seat] - {lowest} | {state.stock[-1]}
    return state._replace(hands=_with_hand(state.hands, seat, hand), stock=(*state.stock[:-1], lowest))


def apply_move(state: RefState, move: str) -> RefState:
    """Play a move known to be legal."""
    mark, card = move[0], move[1:]
    if move in ("take", "done"):
        after = _take(state) if move == "take" else _done(state)
    elif move == "exchange":
        after = _exchange(state)
    elif ":" in move:
        attack, defence = move.split(":")
        after = _beat(state, attack, defence)
    elif mark == "+":
        after = _throw(state, card)
    elif mark == ">":
        after = _transfer(state, card)
    elif mark == "^":
        after = _swap_roles(state._replace(shown=state.shown | {state.defender}), [])
    else:
        cards = [move[i : i + 2] for i in range(0, len(move), 2)]
        after = _put(state, cards, cards)
    return after


def _take(state: RefState) -> RefState:
    return state._replace(taking=True) if state.rules.pursuit else _end_taken(state)


def _done(state: RefState) -> RefState:
    return _end_taken(state) if state.taking else _end_beaten(state)


def _without(state: RefState, seat: int, cards: Iterable[Card]) -> tuple[Hand, Hand]:
    return _with_hand(state.hands, seat, state.hands[seat] - frozenset(cards))


def _with_hand(hands: tuple[Hand, Hand], seat: int, hand: Hand) -> tuple[Hand, Hand]:
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


def _put(state: RefState, cards: list[Card], group: Iterable[Card]) -> RefState:
    """Attacker's cards go on the table."""
    return state._replace(
        hands=_without(state, state.attacker, cards),
        table=state.table + tuple((card, None) for card in cards),
        group=kept_group(state, group),
    )


def kept_group(state: RefState, group: Iterable[Card]) -> frozenset[Card]:
    return frozenset(group) if state.rules.straps is not None else frozenset()


def _throw(state: RefState, card: Card) -> RefState:
    if state.taking:
        return _put(state, [card], state.group | {card})
    if state.attacks < state.cap:
        return _put(state, [card], [card])
    return state._replace(
        hands=_without(state, state.attacker, [card]), discard=kept_discard(state, [*state.discard, card])
    )


def _beat(state: RefState, attack: Card, card: Card) -> RefState:
    state = state._replace(
        hands=_without(state, state.defender, [card]),
        table=tuple((a, card if a == attack else d) for a, d in state.table),
    )
    if state.unbeaten:
        # He need only beat as many as he holds (short=limit): the open rest goes to the discard with the table.
        excused = state.rules.short == "limit" and not state.defence_hand
        return _end_beaten(state) if excused else state
    closed = state.attacks >= state.cap or not state.defence_hand
    return _end_beaten(state) if closed and not state.rules.overflow else state


def _transfer(state: RefState, card: Card) -> RefState:
    receiver = state.attacker
    attacks = state.attacks + 1
    state = state._replace(hands=_without(state, state.defender, [card]), table=(*state.table, (card, None)))
    if state.rules.short == "bita" and len(state.hands[receiver]) < attacks:
        if not state.discard:
            raise NotImplementedError("short=bita with an unknown card on top of the discard")
        hands = _with_hand(state.hands, receiver, state.hands[receiver] | {state.discard[-1]})
        state = state._replace(hands=hands, discard=state.discard[:-1])
    return _swap_roles(state, [card])


def _swap_roles(state: RefState, group: Iterable[Card]) -> RefState:
    state = state._replace(attacker=state.defender, group=kept_group(state, group))
    return state._replace(cap=min(state.bout_limit, len(state.defence_hand)))


def kept_discard(state: RefState, discard: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(discard) if state.rules.short == "bita" else ()


def _end_beaten(state: RefState) -> RefState:
    discard = kept_discard(state, [*state.discard, *state.table_cards])
    return _next_bout(state._replace(table=(), discard=discard), state.defender)


def _end_taken(state: RefState) -> RefState:
    hands = _with_hand(state.hands, state.defender, state.defence_hand | frozenset(state.table_cards))
    return _next_bout(state._replace(hands=hands, table=(), taking=False), state.attacker)


def _next_bout(state: RefState, leader: int) -> RefState:
    """Refill and start the next bout, or leave the game ended."""
    hands, stock = state.hands, state.stock
    for seat in (state.attacker, state.defender):
        missing = max(0, state.rules.hand - len(hands[seat]))
        hands = _with_hand(hands, seat, hands[seat] | frozenset(stock[:missing]))
        stock = stock[missing:]
    state = state._replace(hands=hands, stock=stock, shown=frozenset(), cap=0)
    if state.over:
        return state
    state = state._replace(attacker=leader, group=frozenset())
    return state._replace(cap=min(state.bout_limit, len(state.defence_hand)))
