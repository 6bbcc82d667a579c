"""Rules of thumb that the endings tables refute, each with a position that has as few cards as can be.

Positions are tried in the order of the index, from two cards up. Used by write.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from durak_solver._core.endings import Endings
from durak_solver._core.search import Searcher
from durak_solver._core.state import DEFEND, GIVE, LEAD, MOVE_DONE, MOVE_TAKE, OVER, State
from durak_solver.game import core
from durak_solver.game.position import Position
from durak_solver.model.cards import lowest_card
from durak_solver.model.rules import Rules

TRUMP: Final = "s"

NO_WORSE_TO_LEAD: Final = "It is never worse to lead."
HIGHER_IS_BETTER: Final = "A higher card in place of a lower one of its suit is never worse."
ONE_MORE_HELPS: Final = "One more card for the opponent helps."
LOWER_OF_EQUAL_LEADS: Final = "Of two cards of a suit that the same cards beat, lead the lower."
PLAIN_FIRST: Final = "Lead a plain card before a trump."
LOWER_OF_EQUAL_BEATERS: Final = "Of two cards of a suit that leave nothing to throw in, beat with the lower."
BEAT_IF_CLOSED: Final = "Beat rather than take if nothing can be thrown in then."
GIVE_ALL: Final = "Give as many plain cards as you can."
KEEP_TRUMPS: Final = "Do not give a trump."
EVERY_RULE: Final = (
    NO_WORSE_TO_LEAD,
    HIGHER_IS_BETTER,
    ONE_MORE_HELPS,
    LOWER_OF_EQUAL_LEADS,
    PLAIN_FIRST,
    LOWER_OF_EQUAL_BEATERS,
    BEAT_IF_CLOSED,
    GIVE_ALL,
    KEEP_TRUMPS,
)

Hands = tuple[int, int]
Move = tuple[int, int, int]
Values = dict[Move, int]

_RULES: Final = core.rule_set(Rules(), "s")
_TRUMPS: Final = 0xFFFF
_LOWEST_RANK: Final = lowest_card(Rules().deck, TRUMP).rank_index
_GAPPED: Final = 6  # cards, up to which ranks with gaps between them fit 13


@dataclass(frozen=True)
class Side:
    """What a rule of thumb says, or what is better.

    Attributes
    ----------
    move
        What is played; empty if positions are compared.
    value
        For seat a where positions are compared, otherwise for the player to move; from -1 to 1.
    """

    position: Position
    move: str
    value: int


@dataclass(frozen=True)
class Refutation:
    """A rule of thumb, and where it is wrong."""

    rule: str
    by_rule: Side
    better: Side


def refutations(endings: Endings, cards: int) -> dict[str, Refutation]:
    """Find the first position that refutes each rule.

    Parameters
    ----------
    cards
        Up to how many live cards positions are tried.

    Returns
    -------
    dict
        By rule; those that are not refuted are missing.
    """
    found: dict[str, Refutation] = {}
    rules = {*EVERY_RULE}
    worth = _Worth(endings)
    for total in range(2, cards + 1):
        for leaders in range(1, total):
            for number in range(endings.count(total, leaders)):
                if not rules:
                    return found
                hands = endings.unrank(total, leaders, number)
                for one in (*_compared(endings, hands, rules), *_played(worth, hands, rules)):
                    found.setdefault(one.rule, one)
                    rules.discard(one.rule)
    return found


class _Worth:
    """Values of states, by the tables and searches of a bout."""

    def __init__(self, endings: Endings) -> None:
        self._searcher = Searcher(2**20)
        self._searcher.use(endings)
        self._searcher.start(None, None)

    def moves(self, state: State, moves: list[Move]) -> Values:
        """Return what moves are worth for the player who makes them; leads of several cards are left out."""
        mover = 1 - state.attacker if state.phase == DEFEND else state.attacker
        return {move: self._value(state.play(*move), mover) for move in moves if not _is_group(move)}

    def _value(self, state: State, seat: int) -> int:
        if state.phase == OVER:
            return 0 if state.winner == 2 else 1 if state.winner == seat else -1
        value = self._searcher.bounds(state)[0]
        return value if state.attacker == seat else -value


# --- Two positions ----------------------------------------------------------------------------------------------------


def _compared(endings: Endings, hands: Hands, rules: set[str]) -> Iterator[Refutation]:
    """Yield how a bout start refutes rules about two positions; a has led, or is to lead."""
    value = endings.probe(*hands)
    turned = endings.probe(hands[1], hands[0])
    assert value is not None and turned is not None
    if NO_WORSE_TO_LEAD in rules and -turned > value:
        yield _pair(NO_WORSE_TO_LEAD, (hands, "a", value), (hands, "b", -turned))
    if value == -1 or (hands[0] | hands[1]).bit_count() > _GAPPED:
        return
    leader, other = map(_with_gaps, hands)
    for place in _free_places(leader | other):
        below = [bit for bit in _cards(leader) if bit < place and _suit(bit) == _suit(place)]
        for card in below if HIGHER_IS_BETTER in rules else ():
            worse = (leader & ~card | place, other)
            yield from _worse(endings, HIGHER_IS_BETTER, (leader, other), worse)
        if ONE_MORE_HELPS in rules:
            yield from _worse(endings, ONE_MORE_HELPS, (leader, other), (leader, other | place))


def _worse(endings: Endings, rule: str, before: Hands, after: Hands) -> Iterator[Refutation]:
    """Yield a refutation if what the rule calls no worse is worse for the leader."""
    old, new = endings.probe(*before), endings.probe(*after)
    assert old is not None
    if new is not None and new < old:
        live = before[0] | before[1] | after[0] | after[1]
        shown = [(_narrow(hands[0], live), _narrow(hands[1], live)) for hands in (after, before)]
        yield _pair(rule, (shown[0], "a", new), (shown[1], "a", old))


def _pair(rule: str, by_rule: tuple[Hands, str, int], better: tuple[Hands, str, int]) -> Refutation:
    said, liked = (Side(position_of(hands, attacker), "", value) for hands, attacker, value in (by_rule, better))
    return Refutation(rule, said, liked)


# --- Two moves --------------------------------------------------------------------------------------------------------


def _played(worth: _Worth, hands: Hands, rules: set[str]) -> Iterator[Refutation]:
    """Yield how the first moves of a bout refute rules about moves."""
    start = State(_RULES, attacker=0, hands=hands)
    if rules & {LOWER_OF_EQUAL_LEADS, PLAIN_FIRST}:
        leads = worth.moves(start, start.moves())
        yield from _chosen(hands, [], leads, _in_lead(leads, hands[1]), rules)
    for lead in start.moves():
        state = start.play(*lead)
        if state.phase != DEFEND or _is_group(lead):
            continue
        take = next(move for move in state.moves() if move[0] == MOVE_TAKE)
        closing = [move for move in state.moves() if move[1] and _is_last(state.play(*move))]
        if closing and rules & {LOWER_OF_EQUAL_BEATERS, BEAT_IF_CLOSED}:
            answers = worth.moves(state, [*closing, take])
            yield from _chosen(hands, [lead], answers, _in_defence(answers), rules)
        taken = state.play(*take)
        if taken.phase == GIVE and rules & {GIVE_ALL, KEEP_TRUMPS}:
            gifts = worth.moves(taken, taken.moves())
            yield from _chosen(hands, [lead, take], gifts, _in_giving(gifts), rules)


def _chosen(
    hands: Hands, path: list[Move], values: Values, found: Iterator[tuple[str, Move, Move]], rules: set[str]
) -> Iterator[Refutation]:
    """Yield what was found wrong with rules about moves, after some moves of a bout."""
    for rule, said, better in found:
        if rule in rules:
            position = position_of(hands)
            for move in path:
                position = position.play(_in_deck(move))
            by_rule, liked = (Side(position, _in_deck(move), values[move]) for move in (said, better))
            yield Refutation(rule, by_rule, liked)


def _is_last(state: State) -> bool:
    """Return whether a bout is over after a beat, or can only be ended."""
    return state.phase in (LEAD, OVER) or all(move[0] == MOVE_DONE for move in state.moves())


def _in_lead(values: Values, other: int) -> Iterator[tuple[str, Move, Move]]:
    """Yield rules about leads, with the move by the rule and a better one."""
    for low, high in combinations(sorted(values, key=lambda move: move[1]), 2):
        same = _suit(low[1]) == _suit(high[1]) and _beaters(low[1], other) == _beaters(high[1], other)
        if same and values[low] < values[high]:
            yield LOWER_OF_EQUAL_LEADS, low, high
    trumps, plain = _parted(values)
    if trumps and plain and values[_best(values, plain)] < values[_best(values, trumps)]:
        yield PLAIN_FIRST, _best(values, plain), _best(values, trumps)


def _in_defence(values: Values) -> Iterator[tuple[str, Move, Move]]:
    """Yield rules about beating a led card, where only "take" and beats that end the bout have values."""
    *closing, take = sorted(values)
    for low, high in combinations(closing, 2):
        if _suit(low[1]) == _suit(high[1]) and values[low] < values[high]:
            yield LOWER_OF_EQUAL_BEATERS, low, high
    for move in closing:
        if values[move] < values[take]:
            yield BEAT_IF_CLOSED, move, take


def _in_giving(values: Values) -> Iterator[tuple[str, Move, Move]]:
    """Yield rules about giving cards into a take."""
    done = next(move for move in values if move[0] == MOVE_DONE)
    trumps, plain = _parted(values)
    if plain and not trumps and values[_best(values, plain)] < values[done]:
        yield GIVE_ALL, _best(values, plain), done
    # Whoever gives a plain card may still give the trump; so that is no better.
    keeping = _best(values, [*plain, done])
    if trumps and values[keeping] < values[_best(values, trumps)]:
        yield KEEP_TRUMPS, keeping, _best(values, trumps)


def _parted(values: Values) -> tuple[list[Move], list[Move]]:
    """Return the moves with a trump and those with a plain card."""
    cards = [move for move in values if move[1]]
    return [move for move in cards if move[1] & _TRUMPS], [move for move in cards if not move[1] & _TRUMPS]


def _best(values: Values, moves: list[Move]) -> Move:
    return max(moves, key=lambda move: values[move])


# --- Card sets --------------------------------------------------------------------------------------------------------


def position_of(hands: Hands, attacker: str = "a") -> Position:
    """Return a bout start of the index in cards of the deck, the lowest ranks first.

    Parameters
    ----------
    hands
        Of the leader and the other, in ranks from 0 up.
    attacker
        Who leads; the first hand is always a's.
    """
    first, second = (core.cards_of(hand << _LOWEST_RANK, TRUMP) for hand in hands)
    return Position(hands=(first, second), trump=TRUMP, attacker=attacker)


def _in_deck(move: Move) -> str:
    kind, cards, target = move
    return str(core.from_core((kind, cards << _LOWEST_RANK, target << _LOWEST_RANK), TRUMP))


def _is_group(move: Move) -> bool:
    return move[1] & (move[1] - 1) != 0


def _suit(card: int) -> int:
    return (card.bit_length() - 1) // 16


def _cards(hand: int) -> list[int]:
    return [1 << bit for bit in range(64) if hand >> bit & 1]


def _beaters(card: int, hand: int) -> int:
    """Return the cards of a hand that beat a card."""
    lane = _suit(card)
    higher = hand & (_TRUMPS << 16 * lane) & ~(2 * card - 1)
    return higher | (hand & _TRUMPS if lane else 0)


def _with_gaps(hand: int) -> int:
    """Return a hand with ranks moved apart, so that there is a free one below and above each."""
    return sum(1 << 16 * (bit // 16) + 2 * (bit % 16) + 1 for bit in range(64) if hand >> bit & 1)


def _free_places(live: int) -> list[int]:
    """Return the cards that are not live."""
    return [1 << 16 * lane + rank for lane in range(4) for rank in range(13) if not live >> 16 * lane + rank & 1]


def _narrow(hand: int, live: int) -> int:
    """Return a hand with the ranks of the live cards numbered from 0 up."""
    ranks = sorted({(card.bit_length() - 1) % 16 for card in _cards(live)})
    return sum(1 << 16 * _suit(card) + ranks.index((card.bit_length() - 1) % 16) for card in _cards(hand))
