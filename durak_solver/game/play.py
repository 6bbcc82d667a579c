"""What a move leads to."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from durak_solver._core.state import OVER, State
from durak_solver.game import core, round_game
from durak_solver.game.defects import why_illegal
from durak_solver.game.knowledge import revealed
from durak_solver.game.legality import defects as defects_of
from durak_solver.game.legality import mark_legal, require_legal
from durak_solver.model.cards import Card, lowest_card
from durak_solver.model.layout import Hand, Layout
from durak_solver.model.messages import quoted
from durak_solver.model.moves import AmbiguousMoveError, IllegalMoveError, Move

L = TypeVar("L", bound=Layout)

Drawn = tuple[tuple[Card | None, ...], tuple[Card | None, ...]]
"""The cards that a and b drew, in the order drawn; None for one that is not known."""

NOTHING_DRAWN: Drawn = ((), ())
"""What is drawn where no bout ends."""


def is_legal(position: Layout, move: Move) -> bool:
    """Tell whether a move can be played, the unknown cards of the player to move allowing for it.

    Parameters
    ----------
    position : Layout
        A legal position.
    move : Move

    Returns
    -------
    bool

    Raises
    ------
    UnsupportedError
        If the move takes a card off the discard that is not known.
    """
    if position.is_round:
        return round_game.is_legal(position, move)
    holding = _holding(position, move)
    return position.phase != "over" and holding is not None and core.state_after(holding, move) is not None


def play(position: L, move: Move) -> tuple[L, Drawn]:
    """Return the position after a move, and what was drawn; see `Layout.play`.

    Parameters
    ----------
    position : Layout
    move : Move

    Returns
    -------
    Layout
    Drawn

    Raises
    ------
    IllegalMoveError, IllegalPositionError, UnsupportedError
        As for `Layout.play`.
    """
    require_legal(position)
    if position.is_round:
        after = round_game.play(position, move)
        mark_legal(after)
        return after, NOTHING_DRAWN
    if position.phase == "over":
        raise IllegalMoveError(why_illegal(position, move))
    holding = _holding(position, move)
    state = core.state_after(holding or position, move)
    if holding is None or state is None:
        raise IllegalMoveError(why_illegal(holding or position, move))
    after, drawn = _after(holding, move, state)
    mark_legal(after)
    return after, drawn


def _holding(position: L, move: Move) -> L | None:
    """Return the position with the cards of a move known to be in the mover's hand; None if they cannot be there."""
    seat = position.to_move
    if seat is None or not position.unknown["ab".index(seat)]:
        return position
    needed = move.cards if move.kind != "exchange" else (lowest_card(position.rules.deck, position.trump or ""),)
    others = [card for card in needed if card not in position.hands["ab".index(seat)]]
    try:
        holding = revealed(position, seat, tuple(others))
    except ValueError:
        return None
    # Of all that can be wrong with a position, only one thing can come up by this: it was the last card that could be
    # an unknown turn-up.
    defects = defects_of(holding) if None in position.stock[-1:] else ()
    if defects:
        raise IllegalMoveError(f"{move} is not legal: {defects[0]}")
    return holding


def _after(position: L, move: Move, state: State) -> tuple[L, Drawn]:
    """Return what a legal move leads to, given the state that it leads to."""
    if move.kind == "exchange":
        return _exchanged(position), NOTHING_DRAWN
    position = _moved(position, move, state)
    if state.attacks:
        return position, NOTHING_DRAWN
    hands, discard = list(position.hands), position.discard
    if position.taking:
        hands["ab".index(position.defender)] += position.table_cards
    else:
        discard += position.table_cards
    drawn = _drawn(position, state)
    unknown = [number + new.count(None) for number, new in zip(position.unknown, drawn, strict=True)]
    hands = [hand + tuple(card for card in new if card) for hand, new in zip(hands, drawn, strict=True)]
    after = replace(
        position,
        hands=(hands[0], hands[1]),
        unknown=(unknown[0], unknown[1]),
        attacker="ab"[state.attacker],
        table=(),
        taking=False,
        stock=position.stock[len(drawn[0]) + len(drawn[1]) :],
        discard=discard,
        shown="",
        bout_cap=None,
        group=position.last_group if state.phase == OVER and position.rules.straps else None,
    )
    return after, drawn


def _moved(position: L, move: Move, state: State) -> L:
    """Return the position after a move, as it is before the bout's end is looked at."""
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
        shown="".join(seat for i, seat in enumerate("ab") if state.shown >> i & 1),
        bout_cap=state.cap if rules.first and rules.overflow and state.attacks else None,
        group=group if rules.straps else None,
    )


def _drawn_from_discard(position: Layout, hands: list[Hand], discard: Hand) -> tuple[list[Hand], Hand]:
    """Return the hands and the discard when an attack has been transferred to a player who takes a card first."""
    receiver = "ab".index(position.attacker)
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


def _drawn(position: Layout, state: State) -> Drawn:
    """Return who drew what at the end of a bout, given the state after it."""
    gone = len(position.stock) - len(state.stock)
    if not gone:
        return NOTHING_DRAWN
    drawn: tuple[list[Card | None], list[Card | None]] = ([], [])
    _, stock = core.stand_ins(position)
    for card, stand_in in zip(position.stock[:gone], stock[:gone], strict=True):
        seat = 0 if core.card_set([stand_in], position.trump) & state.hands[0] else 1
        drawn[seat].append(card)
    return tuple(drawn[0]), tuple(drawn[1])


def name_drawn(position: L, drawn: Drawn, named: tuple[tuple[Card, ...], tuple[Card, ...]]) -> L:
    """Return the position after a draw with what is told about the cards drawn.

    Parameters
    ----------
    position : Layout
        As `play` returns it.
    drawn : Drawn
        What was drawn, as `play` returns it.
    named : tuple of tuple of Card
        Cards that a and b are said to have drawn, not necessarily all of them.

    Returns
    -------
    Layout

    Raises
    ------
    ValueError
        If they cannot have drawn them.
    """
    after = position
    for seat, cards, told in zip("ab", drawn, named, strict=True):
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


def resolved(position: Layout, kind: str, cards: tuple[Card, ...], target: Card | None, text: str) -> Move:
    """Return the legal move that was read, perhaps from a short form; see `Position.parse_move`."""
    require_legal(position)
    if position.is_round:
        return _round_move(position, kind, cards, target)
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
    move = Move(kind, cards, target)
    if not is_legal(position, move):
        raise IllegalMoveError(why_illegal(position, move))
    return move


def _round_move(position: Layout, kind: str, cards: tuple[Card, ...], target: Card | None) -> Move:
    """Return the move of the round game that was read."""
    top = round_game.pile(position)[-1:]
    if not kind and len(cards) == 1 and top:
        kind = "beat"
    if kind == "beat" and target is None:
        target = top[0]
    move = Move(kind or "lead", cards, target)
    if not is_legal(position, move):
        raise IllegalMoveError(round_game.why_illegal(position, move))
    return move
