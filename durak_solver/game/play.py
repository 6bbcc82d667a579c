"""Moves of either game: the legal ones, what they lead to, and their short forms."""

from __future__ import annotations

from typing import TypeVar

from durak_solver.game.hidden import revealed
from durak_solver.game.legality import law_of, mark_legal, require_legal
from durak_solver.model.cards import Card
from durak_solver.model.layout import SEATS, Drawn, Layout
from durak_solver.model.moves import IllegalMoveError, Move
from durak_solver.notation.moves import read_move

L = TypeVar("L", bound=Layout)


def legal_moves(position: Layout) -> tuple[Move, ...]:
    """Return the legal moves in the order of `Position.legal_moves`."""
    require_legal(position)

    def cheapness(move: Move) -> tuple[bool, int, int, int, tuple[Card, ...], int]:
        # Moves without cards tie: they keep the order of the core.
        dear = sum(card.suit == position.trump or card.is_joker for card in move.cards)
        rank = max((card.rank_index for card in move.cards), default=0)
        target = next((i for i, (attack, _) in enumerate(position.table) if attack == move.target), 0)
        return not move.cards, dear, rank, len(move.cards), move.cards, target

    return tuple(sorted(law_of(position).moves(position), key=cheapness))


def play(position: L, move: Move) -> tuple[L, Drawn]:
    """Return the position after a move, and what was drawn; see `Position.play`."""
    require_legal(position)
    after, drawn = law_of(position).play(position, move)
    mark_legal(after)
    return after, drawn


def parse_move(position: Layout, text: str) -> Move:
    """Return the legal move that a text stands for, perhaps in a short form; see `Position.parse_move`."""
    kind, cards, target = read_move(text)
    require_legal(position)
    law = law_of(position)
    move = law.completed(position, kind, cards, target, text)
    if not law.is_legal(position, move):
        raise IllegalMoveError(law.why_illegal(position, move))
    return move


def ends_bout(move: Move, after: Layout) -> bool:
    """Tell whether a move ended its bout, given the position after it."""
    return move.kind in ("beat", "take", "done") and not after.table


def name_drawn(position: L, drawn: Drawn, named: tuple[tuple[Card, ...], tuple[Card, ...]]) -> L:
    """Return the position after a draw with what is told about the cards drawn; ValueError if it cannot be.

    `position` and `drawn` are what `play` returns; `named` may leave out cards that a and b drew.
    """
    after = position
    for seat, cards, told in zip(SEATS, drawn, named, strict=True):
        others = [card for card in told if card not in cards]
        if told and not cards:
            raise ValueError(f"{seat} draws no card here, so {told[0]} neither")
        if len(told) > len(cards):
            raise ValueError(f"{seat} draws only {len(cards)} here, so not {' '.join(map(str, told))}")
        if len(others) > cards.count(None):
            known = " ".join(str(card) for card in cards if card)
            raise ValueError(f"{seat} cannot have drawn {others[0]}: the stock gives {seat} {known}")
        if others:
            after = revealed(after, seat, tuple(others))
    if after is not position:
        require_legal(after)
    return after
