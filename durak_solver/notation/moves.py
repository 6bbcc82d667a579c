"""Moves as text: ``6s6d``, ``6s:9s``, ``+6d``, ``take``, ``done``, ``>6d``, ``^6h``, ``exchange``, and shorter forms.

`str(move)` writes a move; here it is read, which takes a position to know what a short form means.
"""

from __future__ import annotations

from typing import Final

from durak_solver import roundgame
from durak_solver.cards import Card
from durak_solver.messages import quoted
from durak_solver.moves import AmbiguousMoveError, IllegalMoveError, Move, MoveSyntaxError
from durak_solver.notation.cards import CardError, format_card, parse_cards
from durak_solver.playing import is_legal, require_legal
from durak_solver.position import Position
from durak_solver.status import why_illegal

# "pass" is what an attacker says who has nothing more to throw in.
_WORDS: Final = {
    "take": "take",
    "беру": "take",
    "done": "done",
    "бито": "done",
    "pass": "done",
    "exchange": "exchange",
    "swap": "exchange",
    "обмен": "exchange",
}
_ORDERS: Final = {
    "lead": "Lead",
    "throw": "Throw in",
    "give": "Give",
    "take": "Take",
    "done": "Say done",
    "transfer": "Transfer with",
    "show": "Show",
}
_PREFIXES: Final = {"+": "throw", ">": "transfer", "^": "show"}


def parse_move(position: Position, text: str) -> Move:
    """Read a move that is legal in a position.

    Parameters
    ----------
    position : Position
    text : str
        The written form or a shorter one, with cards in any spelling: ``9s`` for ``6s:9s`` when only one card can be
        meant, ``6d`` for ``+6d``, ``беру``, ``бито`` and ``pass``, ``swap`` and ``обмен``.

    Returns
    -------
    Move

    Raises
    ------
    MoveSyntaxError
        If the text is not a move.
    IllegalMoveError
        If the move is not legal here; the message says why.
    AmbiguousMoveError
        If the text fits several legal moves.
    IllegalPositionError
        If the position has defects.
    UnsupportedError
        If the move takes a card off the discard (``short=bita``) that is not known.
    """
    kind, cards, target = _read(text)
    require_legal(position)
    if position.rules.game == "round":
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


def format_move(move: Move, style: str = "ascii") -> str:
    """Write a move.

    Parameters
    ----------
    move : Move
    style : str
        How the cards are written: ``"ascii"``, ``"unicode"`` or ``"russian"``, as for `format_card`.

    Returns
    -------
    str
        The written form, but for the cards; with ``"ascii"`` the same as ``str(move)``.
    """
    text = str(move)
    for card in move.cards if move.target is None else (*move.cards, move.target):
        text = text.replace(str(card), format_card(card, style))
    return text


def move_words(position: Position, move: Move, style: str = "ascii") -> str:
    """Say in words what a move does.

    Parameters
    ----------
    position : Position
        Where it is played.
    move : Move
        A legal move.
    style : str
        How the cards are written, as for `format_move`.

    Returns
    -------
    str
        An order, such as ``"Beat 6s with 9s"``, whose first word is a regular verb.
    """
    if move.kind == "exchange":
        after = position.play(move)
        got, given = (format_card(card, style) for card in (position.stock[-1], after.stock[-1]) if card is not None)
        return f"Exchange {given} for {got}"
    cards = " and ".join(format_card(card, style) for card in move.cards)
    if move.target is not None:
        return f"Beat {format_card(move.target, style)} with {cards}"
    return f"{_ORDERS[move.kind]} {cards}".rstrip()


def _round_move(position: Position, kind: str, cards: tuple[Card, ...], target: Card | None) -> Move:
    """Return the move of the round game that was read."""
    top = roundgame.pile(position)[-1:]
    if not kind and len(cards) == 1 and top:
        kind = "beat"
    if kind == "beat" and target is None:
        target = top[0]
    move = Move(kind or "lead", cards, target)
    if not is_legal(position, move):
        raise IllegalMoveError(roundgame.why_illegal(position, move))
    return move


def _read(text: str) -> tuple[str, tuple[Card, ...], Card | None]:
    """Return kind, cards and target as far as the text tells; the kind is empty for cards alone."""
    stripped = text.strip()
    word = _WORDS.get(stripped.lower())
    if word:
        return word, (), None
    kind = _PREFIXES.get(stripped[:1], "")
    try:
        if kind:
            return kind, (_one_card(stripped[1:]),), None
        target, colon, card = stripped.partition(":")
        if colon:
            attack = _one_card(target)
            return "beat", (_one_card(card),), attack
        cards = parse_cards(stripped)
    except CardError as error:
        raise MoveSyntaxError(f"{quoted(text)} is not a move: {error.reason}") from None
    if not cards:
        raise MoveSyntaxError("an empty text is not a move")
    return "", cards, None


def _one_card(text: str) -> Card:
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"one card was expected, not {len(cards)}", text, 0)
    return cards[0]
