"""Positions and analyses as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from durak_solver.engine.results import Analysis, GradedMove, Value
from durak_solver.game.defects import IllegalPositionError, UnsupportedError
from durak_solver.game.position import SEATS, Position
from durak_solver.game.round_game import pile
from durak_solver.model.cards import Card
from durak_solver.model.messages import STOP_REASONS, amount, lasting
from durak_solver.notation.cards import format_card
from durak_solver.notation.moves import format_move
from durak_solver.notation.rules import option_words

_LABEL_WIDTH: Final = 11
_SUIT_NAMES: Final = {"s": "spades", "c": "clubs", "d": "diamonds", "h": "hearts"}
_SIGNS: Final = {"s": "♠", "c": "♣", "d": "♦", "h": "♥"}
VALUE_STYLES: Final = {
    Value.WIN: "green",
    Value.AT_LEAST_DRAW: "cyan",
    Value.DRAW: "yellow",
    Value.UNKNOWN: "",
    Value.AT_MOST_DRAW: "magenta",
    Value.LOSS: "red",
}
TO_DO: Final = {"lead": "lead", "defend": "defend", "throw": "throw in or say done", "give": "give or say done"}


def position_text(position: Position, style: str = "unicode", *, width: int | None = None) -> Text:
    """Draw a position, legal or not."""
    board = _board(position, style)
    rows = [
        ("trump", [_trump(position.trump, style)]),
        _hand_row(position, "b", style),
        *board.table_rows(position.defender),
        _hand_row(position, "a", style),
        *board.pile_rows(),
        ("to move", [Text(_turn(board))]),
    ]
    options = option_words(position.rules.to_options())
    if options:
        rows.append(("rules", [Text(word) for word in options]))
    lines = [_row(label, words) for label, words in rows]
    return Text("\n").join([*lines, *_legal_rows(position, style, width)])


def turn_text(view: Position, style: str = "unicode", *, width: int | None = None) -> Text:
    """Draw what a player has before them when it is their turn, with the legal moves numbered from 1.

    The position is as that player sees it; see `Game.view`.
    """
    board = _board(view, style)
    me, other = ("a", "b") if view.to_move == "a" else ("b", "a")
    trump = [_trump(view.trump, style)]
    stock = [Text(amount(len(view.stock)))]
    if view.stock:
        stock += [Text("with"), *_cards(view.stock[-1:], style), Text("at the bottom")]
    moves = [f"{number}) {format_move(move, style)}" for number, move in enumerate(view.legal_moves, 1)]
    # No break between a number and its move.
    listed = _folded((f"{move}\xa0".replace(" ", "\xa0") for move in moves), _LABEL_WIDTH, width).replace("\xa0", " ")
    rows = [
        ("trump", trump),
        ("stock", stock),
        ("discard", [Text(amount(view.discard_size))]),
        ("opponent", _hand_row(view, other, style)[1]),
        *board.table_rows("the opponent"),
        ("you", _hand_row(view, me, style)[1]),
        ("to do", [Text(f"{board.to_do()}{board.bout()}")]),
        ("moves", [_reddened(listed.rstrip())]),
    ]
    return Text("\n").join(_row(label, words) for label, words in rows)


def analysis_text(analysis: Analysis, *, width: int | None = None) -> Text:
    """Write an analysis as a table: every move, best first, with its value, distance if known and a line of play."""
    position = analysis.position
    head = Text(f"{position}\n{position.to_move} to {_board(position).to_do()}: ")
    head.append(_worth(analysis), VALUE_STYLES[analysis.value])
    length = lasting(analysis.plies, analysis.bouts)
    if length:
        head.append(f" in {length}")
    if analysis.stopped:
        head.append(f" (not everything is known: {STOP_REASONS[analysis.stopped]})")
    move_width = max(len(str(graded.move)) for graded in analysis.moves)
    value_width = max(len(_worth(graded)) for graded in analysis.moves)
    lengths = [lasting(graded.plies, graded.bouts) for graded in analysis.moves]
    length_width = max(map(len, lengths))
    indent = move_width + value_width + 6 + (length_width + 2 if length_width else 0)
    rows = [head]
    for graded, length in zip(analysis.moves, lengths, strict=True):
        row = Text(f"  {graded.move!s:{move_width}}  ")
        row.append(f"{_worth(graded):{value_width}}", VALUE_STYLES[graded.value])
        if length_width:
            row.append(f"  {length:>{length_width}}")
        row.append("  " + _folded(map(str, graded.line), indent, width))
        row.rstrip()
        rows.append(row)
    tables = f", tables up to {analysis.tables} cards" if analysis.tables else ""
    rows.append(Text(f"{analysis.nodes:,} nodes, {analysis.seconds:.3f} s{tables}", "dim"))
    return Text("\n").join(rows)


def card_text(card: Card, style: str = "unicode") -> Text:
    """Write a card in colour."""
    return Text(format_card(card, style), "red" if card.colour == "red" else "")


def straps_text(number: int) -> str:
    """Return a number of straps in words, such as ``"1 strap"``."""
    return amount(number, "strap")


# ------------------------------------------------------------------------------------------------------ parts of these


def _worth(result: Analysis | GradedMove) -> str:
    if result.repetition:
        return f"{result.value} by repetition"
    if not result.straps:
        return str(result.value)
    return f"{result.value} with {straps_text(result.straps)}"


def _row(label: str, words: Sequence[Text]) -> Text:
    row = Text(f"{label:{_LABEL_WIDTH}}", "dim")
    # A fresh text, so that the label's style does not spread.
    return Text().append_text(row).append_text(Text(" ").join(words))


def _trump(trump: str | None, style: str) -> Text:
    if trump is None:
        return Text("none")
    name = _SUIT_NAMES[trump]
    return Text(name if style == "ascii" else f"{_SIGNS[trump]} {name}", "red" if trump in "dh" else "")


def _cards(cards: Iterable[Card | None], style: str) -> list[Text]:
    """Write cards, with ``?n`` for n unknown ones in a row, as in DPN."""
    words = []
    for known, run in groupby(cards, key=lambda card: card is not None):
        if known:
            words += [card_text(card, style) for card in run if card is not None]
        else:
            words.append(Text(f"?{len(list(run))}"))
    return words


def _hand_row(position: Position, seat: str, style: str) -> tuple[str, list[Text]]:
    index = SEATS.index(seat)
    words = _cards([*position.hands[index], *[None] * position.unknown[index]], style)
    words.append(Text(f"({amount(position.hand_sizes[index])})", "dim"))
    return seat, words


class _Board:
    """What is drawn of a game of durak beside the hands."""

    def __init__(self, position: Position, style: str = "ascii") -> None:
        self.position = position
        self.style = style

    def table_rows(self, defender: str) -> list[tuple[str, list[Text]]]:
        """Return the attack cards and, below each of them, what beat it."""
        position = self.position
        if not position.table:
            return [("table", [Text("empty", "dim")])]
        attacks: list[Text] = []
        defences: list[Text] = []
        for attack, defence in position.table:
            above = card_text(attack, self.style)
            below = Text("-", "dim") if defence is None else card_text(defence, self.style)
            columns = max(above.cell_len, below.cell_len)
            for cell, row in ((above, attacks), (below, defences)):
                cell.pad_right(columns - cell.cell_len)
                row.append(cell)
        attacks[-1].rstrip()
        defences[-1].rstrip()
        if position.taking:
            attacks.append(Text(f"({defender} takes)"))
        return [("attack", attacks), ("beaten by", defences)]

    def pile_rows(self) -> list[tuple[str, list[Text]]]:
        """Return what is known of stock and discard; nothing when both are empty."""
        position = self.position
        return [
            (label, [*_cards(cards, self.style), Text(f"({amount(size)})", "dim")])
            for label, cards, size in (
                ("stock", position.stock, len(position.stock)),
                ("discard", position.discard, position.discard_size),
            )
            if size or cards
        ]

    def to_do(self) -> str:
        """Say what the player to move may do."""
        return TO_DO[self.position.phase]

    def bout(self) -> str:
        """Say how far the bout has come."""
        attacks, cap = len(self.position.table), self.position.cap
        return f" ({amount(attacks, 'attack card')} of at most {cap})" if attacks else f" (at most {cap})"


class _RoundBoard(_Board):
    """What is drawn of a round game: one pile, no stock and no discard."""

    def table_rows(self, defender: str) -> list[tuple[str, list[Text]]]:
        if not self.position.table:
            return super().table_rows(defender)
        return [("pile", [*_cards(pile(self.position), self.style), Text("(from the bottom up)", "dim")])]

    def pile_rows(self) -> list[tuple[str, list[Text]]]:
        return []

    def to_do(self) -> str:
        return "beat the top card or take the bottom card" if self.position.table else super().to_do()

    def bout(self) -> str:
        return ""


def _board(position: Position, style: str = "ascii") -> _Board:
    return (_RoundBoard if position.is_round else _Board)(position, style)


def _turn(board: _Board) -> str:
    """Say who is to do what."""
    position = board.position
    if position.phase == "over":
        outcome = position.outcome()
        straps = f" with {straps_text(position.straps)}" if position.straps else ""
        return "nobody: the game is over, " + ("a draw" if outcome == "draw" else f"{outcome} wins{straps}")
    return f"{position.to_move}, to {board.to_do()}{board.bout()}"


def _legal_rows(position: Position, style: str, width: int | None) -> list[Text]:
    if position.phase == "over":
        return []
    try:
        moves = [format_move(move, style) for move in position.legal_moves]
    except IllegalPositionError:
        return []
    except UnsupportedError as error:
        return [_row("legal", [Text(f"not listed: {error}")])]
    return [_row("legal", [_reddened(_folded(moves, _LABEL_WIDTH, width))])]


def _reddened(moves: str) -> Text:
    """Return moves with the cards of red suits in red."""
    text = Text(moves)
    text.highlight_regex(r"[0-9A-ZВДКТ]{1,2}[dh♦♥]|RJ", "red")
    return text


def _folded(words: Iterable[str], indent: int, width: int | None) -> str:
    """Join words, breaking between two of them before the width is exceeded; all lines but the first are indented."""
    text = " ".join(words)
    if width is None or width <= indent + 10:
        return text
    lines = textwrap.wrap(text, width - indent, break_long_words=False, break_on_hyphens=False)
    return ("\n" + " " * indent).join(lines)
