"""DGN, games as text: tags, then numbered bouts, like the PGN of chess.

Reading is done in two steps. Here the text is cut into games of tags and moves, whatever they say: an error has a line
and a column. In `durak_solver.game.replay` each game is replayed: an error has a bout and a move.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from durak_solver.model.cards import Card
from durak_solver.model.layout import SEATS
from durak_solver.model.messages import quoted, underlined
from durak_solver.model.moves import GLYPHS, Ply, normal_mark
from durak_solver.model.rules import Rules
from durak_solver.notation.cards import CardError, parse_cards
from durak_solver.notation.rules import format_rules_tag, read_rules

OWN_TAGS: Final = ("Rules", "Position", "Result")
"""The tags that say what a game knows itself."""

WIDTH: Final = 100
"""Most columns of a line of moves that is written, unless one word is longer."""

# The order matters: a bout number may stand right before its first move, and "b" alone is a result.
_TOKENS: Final = re.compile(
    r"""
    (?P<space> [\s\ufeff]+ )
  | (?P<comment> \{ [^}]* \} )
  | (?P<tag> \[ \s* (?P<name> [A-Za-z0-9_]+ ) \s* "(?P<text> (?: [^"\\\r\n] | \\[^\r\n] )* )" \s* \] )
  | (?P<number> [0-9]{1,6} ) \.+
  | (?P<drawn> \( [^()]* \) )
  | (?P<mark> \$[0-9]* | !! | \?\? | !\? | \?! | ! | \? )
  | (?P<result> (?: [Dd][Rr][Aa][Ww] | [abAB*] ) (?= [\s{}()\[\]] | $ ) )
  | (?P<move> (?: [+>^] \s* )? [^\s{}()\[\]$!?:]+ (?: \s* : \s* [^\s{}()\[\]$!?:]+ )? )
    """,
    re.VERBOSE,
)


class DGNError(ValueError):
    """A text is not DGN.

    Attributes
    ----------
    reason
        What is wrong, in one clause.
    place
        Where, in words: ``"game 1, bout 2, move 3 (7h:9h)"``, or empty where line and column say it.
    line, column
        Where in the text, both counted from 1.
    source
        That line of the text.
    """

    def __init__(self, reason: str, place: str, line: int, column: int, source: str) -> None:
        # All arguments go to the base class, so that the error survives being sent to another process.
        super().__init__(reason, place, line, column, source)
        self.reason = reason
        self.place = place
        self.line = line
        self.column = column
        self.source = source

    def __str__(self) -> str:
        if self.place:
            return f"{self.place}: {self.reason}"
        return f"line {self.line}, column {self.column}: {self.reason}\n{underlined(self.source, self.column - 1)}"


def format_dgn(
    tags: Sequence[tuple[str, str]],
    comment: str,
    bouts: Sequence[Sequence[Ply]],
    *,
    rules: Rules,
    start: str,
    result: str,
) -> str:
    """Write a game; see `Game.to_dgn`."""
    own = zip(OWN_TAGS, (format_rules_tag(rules), start, result), strict=True)
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in (*tags, *own)]
    texts = [f"{{{comment}}}"] if comment else []
    for number, bout in enumerate(bouts, 1):
        texts.append(" ".join([f"{number}.", *map(_ply_text, bout)]))
    if not texts:
        texts.append("")
    texts[-1] = f"{texts[-1]} {result}".lstrip()
    lines.append("")
    for line in texts:
        lines += textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def _ply_text(ply: Ply) -> str:
    marks = ply.mark.split()
    glued = marks.pop(0) if marks and marks[0] in GLYPHS else ""
    words = [f"{ply.move}{glued}", *marks]
    drawn = [f"{seat}:{''.join(map(str, cards))}" for seat, cards in zip(SEATS, ply.drawn, strict=True) if cards]
    if drawn:
        words.append(f"({' '.join(drawn)})")
    if ply.comment:
        words.append(f"{{{ply.comment}}}")
    return " ".join(words)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


# ---------------------------------------------------------------------------------------------------- cutting the text


@dataclass(slots=True)
class RawPly:
    """A move as it is written, with what stands after it."""

    text: str
    offset: int
    number: int | None  # the bout number before it
    marks: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    drawn: dict[str, tuple[Card, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class RawTag:
    """A tag as it is written, with the place of its text."""

    name: str
    text: str
    offset: int


@dataclass(slots=True)
class RawGame:
    """A game as it is written; the tags by their names in lower case."""

    source: str
    offset: int
    tags: dict[str, RawTag] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    plies: list[RawPly] = field(default_factory=list)
    number: tuple[int, int] | None = None  # a bout number that waits for its move, and its offset
    result: str = ""
    result_offset: int = 0


def read_games(text: str) -> list[RawGame]:
    """Cut a text into games."""
    games = [RawGame(text, 0)]
    offset = 0
    while offset < len(text):
        token = _TOKENS.match(text, offset)
        if token is None:
            raise _unexpected(text, offset)
        offset = token.end()
        kind = token.lastgroup  # of the groups that close last, so never one within another
        if kind == "tag":
            _read_tag(games, token)
        elif kind == "comment":
            last = games[-1]
            (last.plies[-1].comments if last.plies else last.comments).append(token.group()[1:-1])
        elif kind != "space":
            _read_word(games[-1], str(kind), token)
    _require_no_number(games[-1])
    if not games[-1].tags and not games[-1].plies and not games[-1].result:
        raise error_at("there is no game in this text", text, len(text))
    return games


def _read_tag(games: list[RawGame], token: re.Match[str]) -> None:
    game, text = games[-1], token.string
    if game.plies or game.result or game.number:
        _require_no_number(game)
        game = RawGame(text, token.start())
        games.append(game)
    name = token["name"]
    if name.lower() in game.tags:
        raise error_at(f"the tag {name} is given twice", text, token.start("name"))
    game.tags[name.lower()] = RawTag(name, re.sub(r'\\(["\\])', r"\1", token["text"]), token.start("text"))


def _read_word(game: RawGame, kind: str, token: re.Match[str]) -> None:
    """Take in anything that stands among the moves, but for comments."""
    text, word, offset = token.string, token.group(), token.start()
    if game.result:
        raise error_at(f"after the result {game.result} only the tags of another game were expected", text, offset)
    if kind in ("mark", "drawn") and (not game.plies or game.number):
        raise error_at(
            f"{'a mark' if kind == 'mark' else 'a list of drawn cards'} can only follow a move", text, offset
        )
    if kind in ("number", "result"):
        _require_no_number(game)
    if kind == "move":
        game.plies.append(RawPly(word, offset, game.number and game.number[0]))
        game.number = None
    elif kind == "number":
        game.number = int(token["number"]), offset
    elif kind == "result":
        game.result, game.result_offset = word.lower(), offset
    elif kind == "drawn":
        _read_drawn(game.plies[-1].drawn, token)
    else:
        try:
            normal_mark(word)
        except ValueError as error:
            raise error_at(str(error), text, offset) from None
        game.plies[-1].marks.append(word)


def _read_drawn(drawn: dict[str, tuple[Card, ...]], token: re.Match[str]) -> None:
    """Read ``(a:Qs8d b:7h)``."""
    text, offset = token.string, token.start() + 1
    # Each colon but the first has, before it, the cards of one seat and the name of the next.
    head, *parts = token.group()[1:-1].split(":")
    seat = head
    for i, part in enumerate(parts):
        name = seat.strip().lower()
        if name not in ("a", "b"):
            raise error_at("a: or b: was expected before the drawn cards", text, offset + _blanks(seat))
        if name in drawn:
            raise error_at(f"the cards that {name} drew are given twice", text, offset + _blanks(seat))
        offset += len(seat) + 1
        next_seat = re.search(r"(?<=[\s,])[^\s,]*\s*$", part) if i + 1 < len(parts) else None
        cards = part[: next_seat.start()] if next_seat else part
        seat = part[len(cards) :]
        try:
            drawn[name] = parse_cards(re.sub(r"\s", " ", re.sub(r",(\s*)$", r" \1", cards)))
        except CardError as error:
            raise error_at(error.reason, text, offset + error.offset) from None
        if not drawn[name]:
            raise error_at("a card was expected", text, offset + _blanks(cards))
        offset += len(cards)
    if not parts:
        raise error_at("a: or b: was expected before the drawn cards", text, offset + _blanks(head))


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())


def _require_no_number(game: RawGame) -> None:
    if game.number:
        raise error_at("a move was expected after the bout number", game.source, game.number[1])


def _unexpected(text: str, offset: int) -> DGNError:
    """Say what is wrong with a text at a place where nothing can be read."""
    sign = text[offset]
    if sign == "{":
        return error_at("this comment is not closed", text, offset)
    if sign == "(":
        return error_at("this list of drawn cards is not closed", text, offset)
    if sign != "[":
        return error_at(f"{quoted(sign)} was not expected here", text, offset)
    offset += 1
    for pattern, reason in (
        (r"\s*[A-Za-z0-9_]+\s*", "the name of a tag was expected"),
        ('"', "the text of the tag was expected, in quotes"),
        (r'(?:[^"\\\r\n]|\\[^\r\n])*"', "the quote is not closed in this line"),
    ):
        found = re.compile(pattern).match(text, offset)
        if not found:
            return error_at(reason, text, offset - (pattern[0] == "("))
        offset = found.end()
    return error_at("a ] was expected after the text of the tag", text, offset)


def error_at(reason: str, text: str, offset: int, place: str = "") -> DGNError:
    """Return the error at a place of a text, with its line."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    source = text[start : end if end >= 0 else len(text)].rstrip("\r")
    column = min(offset - start, len(source)) + 1  # the end of a line may be two characters
    return DGNError(reason, place, text.count("\n", 0, offset) + 1, column, source)


def read_rules_tag(tag: RawTag, source: str) -> Rules:
    """Read the tag Rules."""
    try:
        return read_rules(tag.text)
    except ValueError as error:
        raise error_at(str(error), source, tag.offset) from None
