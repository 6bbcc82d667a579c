"""The round game (``rules=round``): one pile, each player in turn beats its top card or takes its bottom card.

How the one sentence that describes it is read here, and why, stands at the end of docs/rules.md. A position keeps the
pile as its table, from the bottom up, and the player to move as its attacker. The functions are what
`durak_solver.game.legality.Law` asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from durak_solver.game.defects import Defect, card_defects
from durak_solver.model.cards import Card
from durak_solver.model.layout import NOTHING_DRAWN, SEATS, Drawn, Layout, seat_index
from durak_solver.model.moves import IllegalMoveError, Move
from durak_solver.model.rules import beats

L = TypeVar("L", bound=Layout)

_TAKE = Move("take")


def pile(position: Layout) -> tuple[Card, ...]:
    """Return the cards of the pile, from the bottom up."""
    return tuple(card for card, _ in position.table)


def moves(position: Layout) -> list[Move]:
    """Return the legal moves."""
    if position.phase == "over":
        return []
    hand = position.hand_of(position.attacker)
    if not position.table:
        return [Move("lead", (card,)) for card in hand]
    top = pile(position)[-1]
    return [Move("beat", (card,), top) for card in hand if beats(card, top, position.trump, position.rules)] + [_TAKE]


def is_legal(position: Layout, move: Move) -> bool:
    """Tell whether a move can be played."""
    return move in moves(position)


def play(position: L, move: Move) -> tuple[L, Drawn]:
    """Return the position after a move; nothing is ever drawn."""
    if not is_legal(position, move):
        raise IllegalMoveError(why_illegal(position, move))
    seat = seat_index(position.attacker)
    hands, table = list(position.hands), position.table
    if move.kind == "take":
        hands[seat] += (table[0][0],)
        table = table[1:]
    else:
        hands[seat] = tuple(card for card in hands[seat] if card not in move.cards)
        table = (*table, (move.cards[0], None))
    after = replace(position, hands=(hands[0], hands[1]), table=table, attacker=position.defender)
    return after, NOTHING_DRAWN


def completed(position: Layout, kind: str, cards: tuple[Card, ...], target: Card | None, text: str) -> Move:
    """Return the move that was read from a text, with what a short form leaves out."""
    top = pile(position)[-1:]
    if not kind and len(cards) == 1 and top:
        kind = "beat"
    if kind == "beat" and target is None:
        target = top[0]
    return Move(kind or "lead", cards, target)


def why_illegal(position: Layout, move: Move) -> str:
    """Say in one sentence, without a full stop, why a move is not legal."""
    mover, top = position.attacker, pile(position)[-1:]
    missing = [card for card in move.cards if card not in position.hand_of(mover)]
    if position.phase == "over":
        reason = "the game is over"
    elif not top and move.kind != "lead":
        reason = f"the pile is empty, so it is {mover}'s turn to lead"
    elif top and move.kind not in ("beat", "take"):
        reason = f"it is {mover}'s turn to beat {top[0]} or take"
    elif missing:
        reason = f"{mover} does not hold {missing[0]}"
    elif not top:
        reason = "with rules=round only one card is led"
    elif move.target is not top[0]:
        reason = f"only {top[0]}, the top card of the pile, is to be beaten"
    else:
        reason = f"{move.cards[0]} does not beat {top[0]}"
    return f"{move} is not legal: {reason}"


def defects(position: Layout) -> tuple[Defect, ...]:
    """Return everything that is wrong with a position; a finished game has the one defect ``"game_over"``."""
    return tuple(_defects(position))


def _defects(position: Layout) -> Iterator[Defect]:
    yield from card_defects(position)
    if any(position.unknown):
        yield Defect("hidden_cards", "rules=round is played with open hands, so no card of them can be unknown")
    if position.stock:
        yield Defect("stock_in_round", "rules=round is played without a stock")
    if position.discard:
        yield Defect("discard_in_round", "with rules=round nothing is discarded: cards out of play are left out")
    if position.taking:
        yield Defect("taking_in_round", 'with rules=round a "take" is over at once: there is no * after the pile')
    if position.shown:
        yield Defect("shown_without_rule", f"shown={position.shown} needs show=on")
    for card, defence in position.table:
        if defence is not None:
            text = f"with rules=round the pile is written card by card: {card},{defence} and not {card}:{defence}"
            yield Defect("pair_in_round", text)
    for below, above in pairwise(pile(position)):
        # Cards are put on the top and taken from the bottom, so that each one still lies on the one it has beaten.
        if not beats(above, below, position.trump, position.rules):
            yield Defect("does_not_beat", f"{above} lies on {below} in the pile, but does not beat it")
    empty = [seat for seat, held in zip(SEATS, position.hand_sizes, strict=True) if not held]
    if len(empty) == 2:
        yield Defect("both_hands_empty", "both hands are empty, but the game ends with the first that is")
    elif empty:
        yield Defect("game_over", f"the game is over: no card is left to {empty[0]}")
