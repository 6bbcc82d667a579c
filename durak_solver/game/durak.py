"""Durak move by move: what is legal, what it leads to, what short forms mean.

The names in ``__all__`` are what `durak_solver.game.legality.Law` asks for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from durak_solver.game import core
from durak_solver.game.defects import defects
from durak_solver.game.hidden import revealed
from durak_solver.game.reasons import why_illegal
from durak_solver.model.cards import Card, lowest_card
from durak_solver.model.layout import NOTHING_DRAWN, Drawn, Hand, Layout, seat_index
from durak_solver.model.messages import quoted
from durak_solver.model.moves import AmbiguousMoveError, IllegalMoveError, Move

__all__ = ["completed", "defects", "is_legal", "moves", "play", "why_illegal"]

L = TypeVar("L", bound=Layout)


def moves(position: Layout) -> list[Move]:
    """Return the legal moves; UnsupportedError if a card of the player to move is not known."""
    return [] if position.phase == "over" else core.moves(position)


def is_legal(position: Layout, move: Move) -> bool:
    """Tell whether a move can be played, if unknown cards of the player to move allow for it."""
    holding = _holding(position, move)
    return position.phase != "over" and holding is not None and core.is_legal(holding, move)


def play(position: L, move: Move) -> tuple[L, Drawn]:
    """Return the position after a move, and what was drawn."""
    if position.phase == "over":
        raise IllegalMoveError(why_illegal(position, move))
    holding = _holding(position, move)
    effect = core.effect_of(holding, move) if holding else None
    if holding is None or effect is None:
        raise IllegalMoveError(why_illegal(holding or position, move))
    return _after(holding, move, effect)


def completed(position: Layout, kind: str, cards: tuple[Card, ...], target: Card | None, text: str) -> Move:
    """Return the move that was read from a text, with what a short form leaves out."""
    phase = position.phase
    if kind == "throw" and phase == "give":
        kind = "give"
    elif not kind:
        if len(cards) > 1 and phase in ("defend", "throw", "give"):
            raise IllegalMoveError(f"{quoted(text)} is not legal: only a lead can be of several cards")
        kind = {"defend": "beat", "over": "lead"}.get(phase, phase)
    if kind == "beat" and target is None:
        open_attacks = [attack for attack, defence in position.table if defence is None]
        beats = [move for attack in open_attacks if is_legal(position, move := Move(kind, cards, attack))]
        if len(beats) > 1:
            raise AmbiguousMoveError(f"{quoted(text)} may be {' or '.join(map(str, beats))}")
        if beats:
            return beats[0]
        target = open_attacks[0]
    return Move(kind, cards, target)


def _holding(position: L, move: Move) -> L | None:
    """Return the position with the cards of a move known to be in the mover's hand; None if they cannot be there."""
    seat = position.to_move
    if seat is None or not position.unknown_of(seat):
        return position
    needed = move.cards if move.kind != "exchange" else (lowest_card(position.rules.deck, position.trump or ""),)
    others = [card for card in needed if card not in position.hand_of(seat)]
    try:
        holding = revealed(position, seat, tuple(others))
    except ValueError:
        return None
    # Of all that can be wrong with a position, only one thing can come up by this: it was the last card that could be
    # an unknown turn-up.
    found = defects(holding) if None in position.stock[-1:] else ()
    if found:
        raise IllegalMoveError(f"{move} is not legal: {found[0]}")
    return holding


def _after(position: L, move: Move, effect: core.Effect) -> tuple[L, Drawn]:
    """Return what a legal move leads to."""
    if move.kind == "exchange":
        return _exchanged(position), NOTHING_DRAWN
    position = _moved(position, move, effect)
    if not effect.table_empty:
        return position, NOTHING_DRAWN
    hands, discard = list(position.hands), position.discard
    if position.taking:
        hands[seat_index(position.defender)] += position.table_cards
    else:
        discard += position.table_cards
    drawn = effect.drawn
    unknown = [number + new.count(None) for number, new in zip(position.unknown, drawn, strict=True)]
    hands = [hand + tuple(card for card in new if card) for hand, new in zip(hands, drawn, strict=True)]
    after = replace(
        position,
        hands=(hands[0], hands[1]),
        unknown=(unknown[0], unknown[1]),
        attacker=effect.attacker,
        table=(),
        taking=False,
        stock=position.stock[len(drawn[0]) + len(drawn[1]) :],
        discard=discard,
        shown="",
        bout_cap=None,
        group=position.last_group if effect.game_over and position.rules.straps else None,
    )
    return after, drawn


def _moved(position: L, move: Move, effect: core.Effect) -> L:
    """Return the position after a move, before the end of a bout is looked at."""
    hands = [hand if move.kind == "show" else _without(hand, move.cards) for hand in position.hands]
    discard, table, taking = position.discard, position.table, position.taking
    group = position.last_group
    attacker = position.attacker
    if move.kind == "beat":
        table = tuple((attack, move.cards[0] if attack == move.target else held) for attack, held in table)
    elif move.kind == "take":
        taking = True
    elif move.kind == "throw" and len(table) >= position.cap:
        discard += move.cards
    elif move.kind == "show":
        attacker, group = position.defender, ()
    elif move.kind != "done":
        table += tuple((card, None) for card in move.cards)
        group = move.cards if move.kind != "give" else group + move.cards
    if move.kind == "transfer":
        attacker = position.defender
        hands, discard = _drawn_from_discard(position, hands, discard)
    rules = position.rules
    return replace(
        position,
        hands=(hands[0], hands[1]),
        attacker=attacker,
        table=table,
        taking=taking,
        discard=discard,
        shown=effect.shown,
        bout_cap=effect.cap if rules.first and rules.overflow and not effect.table_empty else None,
        group=group if rules.straps else None,
    )


def _drawn_from_discard(position: Layout, hands: list[Hand], discard: Hand) -> tuple[list[Hand], Hand]:
    """Return the hands and the discard when an attack has been transferred to a player who takes a card first."""
    receiver = seat_index(position.attacker)
    if position.rules.short != "bita" or position.hand_sizes[receiver] > len(position.table):
        return hands, discard
    hands[receiver] += discard[-1:]
    return hands, discard[:-1]


def _without(hand: Hand, cards: Hand) -> Hand:
    return tuple(card for card in hand if card not in cards)


def _exchanged(position: L) -> L:
    """Return the position after the player to move has swapped the lowest trump for the turn-up."""
    lowest, turn_up = lowest_card(position.rules.deck, position.trump or ""), position.stock[-1]
    hands = [tuple(turn_up if card == lowest and turn_up else card for card in hand) for hand in position.hands]
    return replace(position, hands=(hands[0], hands[1]), stock=(*position.stock[:-1], lowest))
