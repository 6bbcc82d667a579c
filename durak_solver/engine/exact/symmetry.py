"""Which positions are equal up to the names of their cards, and how the analysis of one becomes that of another.

At the start of a bout without a stock the rules read only the order within a suit, the equality of ranks, which suit is
trump, and counts. So ranks without a live card do not matter, plain suits may be renamed, and neighbouring ranks whose
cards share no suit may be swapped. `ext/keys/trace.pxd` explains the normal form that follows. Here it comes with the
cards in its order, so that two positions of one form say which card of one is which of the other.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, permutations
from operator import attrgetter

from durak_solver.engine.results import Analysis, GradedMove
from durak_solver.game.position import SEATS, Position
from durak_solver.model.cards import SUITS, Card
from durak_solver.model.moves import Move
from durak_solver.model.rules import Rules

Form = tuple[Hashable, tuple[Card, ...]]
"""A key that is the same for equal positions, and the cards of this one in the order of the key."""


def normal_form(position: Position) -> Form:
    """Return a key for what a legal position is up to the names of its cards, and the cards in the order of the key.

    Inside a bout, with a stock or with hidden cards the key is the position itself, without cards.
    """
    if position.phase != "lead" or position.stock or any(position.unknown) or not _names_nothing(position.rules):
        return position, ()
    columns = _columns(position)
    pairs = [(layer << 8, column) for layer, column, _ in columns]
    words = [sorted([layer | renamed[column] for layer, column in pairs]) for _, renamed in _renamings(position.trump)]
    word = min(words)
    order, renamed = _renamings(position.trump)[words.index(word)]
    cards: list[Card] = []
    for _, _, column_cards in sorted(columns, key=lambda column: column[0] << 8 | renamed[column[1]]):
        cards += sorted(column_cards, key=lambda card: order.index(card.suit))
    return (position.rules, position.trump is None, tuple(word)), tuple(cards)


def translated(analysis: Analysis, position: Position, names: Mapping[Card, Card]) -> Analysis:
    """Return the analysis of a position, made of that of an equal one, with the cost of that.

    `names` says which card of the position each card of the other one is; it is empty if they are the same.
    """
    if not names:
        return replace(analysis, position=position)
    renamed: dict[Move, Move] = {}
    for graded in analysis.moves:
        for move in (graded.move, *graded.line):
            if move not in renamed:
                cards = tuple(sorted(names[card] for card in move.cards))
                renamed[move] = Move(move.kind, cards, names[move.target] if move.target else None)
    found = {
        renamed[graded.move]: replace(
            graded, move=renamed[graded.move], line=tuple(renamed[move] for move in graded.line)
        )
        for graded in analysis.moves
    }
    # Which of two equal moves has the cheaper cards depends on the names of ranks.
    legal = (position.deduced() or position).legal_moves
    moves = sorted((found[move] for move in legal), key=GradedMove.goodness, reverse=True)
    return replace(analysis, position=position, moves=tuple(moves))


def _columns(position: Position) -> list[tuple[int, int, list[Card]]]:
    """Return a column for each live rank: its layer; which suits, and whose (four bits each); its cards."""
    leader = SEATS.index(position.attacker)
    led = {*position.hands[leader]}
    heights = dict.fromkeys(SUITS, 0)
    columns = []
    for _, group in groupby(sorted((*led, *position.hands[1 - leader]), key=_rank), key=_rank):
        cards = list(group)
        layer = 1 + max([heights[card.suit] for card in cards])
        column = 0
        for card in cards:
            heights[card.suit] = layer
            column |= (0x11 if card in led else 1) << SUITS.index(card.suit)
        columns.append((layer, column, cards))
    return columns


_rank = attrgetter("rank_index")


@lru_cache(maxsize=8)
def _renamings(trump: str | None) -> list[tuple[str, bytes]]:
    """Return the orders in which suits can stand, the trump suit first, and each column by its number in that order."""
    first = trump or ""
    orders = [first + "".join(rest) for rest in permutations(SUITS.replace(trump or " ", ""))]

    def moved(column: int, order: str) -> int:
        return sum((column >> SUITS.index(suit) & 0x11) << place for place, suit in enumerate(order))

    return [(order, bytes(moved(column, order) for column in range(256))) for order in orders]


@lru_cache(maxsize=64)
def _names_nothing(rules: Rules) -> bool:
    """Tell whether the rules read no rank and no plain suit by its name."""
    return rules.game == "durak" and not rules.by_name()
