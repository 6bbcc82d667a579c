"""DGN, games as text: tags, then numbered bouts, like the PGN of chess.

Reading is done in two steps. First the text is cut into games of tags and moves, whatever they say: what goes wrong
here has a line and a column. Then each game is replayed: what goes wrong there has a bout and a move.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field, replace
from typing import Final

from durak_solver.cards import Card
from durak_solver.game import OWN_TAGS, RESULTS, Game, ends_bout
from durak_solver.messages import quoted, underlined
from durak_solver.notation.cards import CardError, parse_cards
from durak_solver.notation.dpn import BOUT_KEYS, DPNError, parse_dpn
from durak_solver.plies import GLYPHS, Ply, normal_mark
from durak_solver.position import SEATS, Position
from durak_solver.rules import Rules

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
    reason : str
        What is wrong, in one clause.
    place : str
        Where, in words: ``"game 1, bout 2, move 3 (7h:9h)"``, or empty where line and column say it.
    line, column : int
        The same in the text, both counted from 1.
    source : str
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


def parse_dgn(text: str) -> list[Game]:
    """Read games.

    Parameters
    ----------
    text : str
        One game or several. Bout numbers, results after the moves and all tags but Position may be missing.

    Returns
    -------
    list of Game

    Raises
    ------
    DGNError
        At the first thing that is wrong, or if there is no game at all.
    """
    return [_replay(raw, number) for number, raw in enumerate(_read(text), 1)]


def parse_game(text: str) -> Game:
    """Read exactly one game.

    Parameters
    ----------
    text : str

    Returns
    -------
    Game

    Raises
    ------
    DGNError
        As for `parse_dgn`, or if there are several.
    """
    games = _read(text)
    if len(games) > 1:
        raise _error(f"one game was expected, not {len(games)}", text, games[1].offset)
    return _replay(games[0], 1)


def format_dgn(game: Game) -> str:
    """Write a game in its canonical form.

    The tags Rules, Position and Result come last. Every bout begins a line, and the result ends the text. Cards drawn
    are written wherever they are known.

    Parameters
    ----------
    game : Game

    Returns
    -------
    str
        Lines of ASCII, but for what comments and tags say. Several games can stand in one text, one after the other.
    """
    rules = game.start.rules.to_options()
    words = [rules.pop("rules", "podkidnoy"), *(f"{key}={word}" for key, word in rules.items())]
    own = zip(OWN_TAGS, (" ".join(words), game.start.to_dpn(), game.result), strict=True)
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in (*game.tags, *own)]
    bouts = [f"{{{game.comment}}}"] if game.comment else []
    for number, bout in enumerate(game.bouts, 1):
        bouts.append(" ".join([f"{number}.", *map(_ply_text, bout)]))
    if not bouts:
        bouts.append("")
    bouts[-1] = f"{bouts[-1]} {game.result}".lstrip()
    lines.append("")
    for line in bouts:
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
class _RawPly:
    """A move as it is written, with what stands after it."""

    text: str
    offset: int
    number: int | None  # the bout number before it
    marks: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    drawn: dict[str, tuple[Card, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class _RawTag:
    """A tag as it is written, with the place of its text."""

    name: str
    text: str
    offset: int


@dataclass(slots=True)
class _RawGame:
    """A game as it is written; the tags by their names in lower case."""

    source: str
    offset: int
    tags: dict[str, _RawTag] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    plies: list[_RawPly] = field(default_factory=list)
    number: tuple[int, int] | None = None  # a bout number that waits for its move, and its offset
    result: str = ""
    result_offset: int = 0


def _read(text: str) -> list[_RawGame]:
    """Cut a text into games."""
    games = [_RawGame(text, 0)]
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
        raise _error("there is no game in this text", text, len(text))
    return games


def _read_tag(games: list[_RawGame], token: re.Match[str]) -> None:
    game, text = games[-1], token.string
    if game.plies or game.result or game.number:
        _require_no_number(game)
        game = _RawGame(text, token.start())
        games.append(game)
    name = token["name"]
    if name.lower() in game.tags:
        raise _error(f"the tag {name} is given twice", text, token.start("name"))
    game.tags[name.lower()] = _RawTag(name, re.sub(r'\\(["\\])', r"\1", token["text"]), token.start("text"))


def _read_word(game: _RawGame, kind: str, token: re.Match[str]) -> None:
    """Take in anything that stands among the moves, but for comments."""
    text, word, offset = token.string, token.group(), token.start()
    if game.result:
        raise _error(f"after the result {game.result} only the tags of another game were expected", text, offset)
    if kind in ("mark", "drawn") and (not game.plies or game.number):
        raise _error(f"{'a mark' if kind == 'mark' else 'a list of drawn cards'} can only follow a move", text, offset)
    if kind in ("number", "result"):
        _require_no_number(game)
    if kind == "move":
        game.plies.append(_RawPly(word, offset, game.number and game.number[0]))
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
            raise _error(str(error), text, offset) from None
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
            raise _error("a: or b: was expected before the drawn cards", text, offset + _blanks(seat))
        if name in drawn:
            raise _error(f"the cards that {name} drew are given twice", text, offset + _blanks(seat))
        offset += len(seat) + 1
        next_seat = re.search(r"(?<=[\s,])[^\s,]*\s*$", part) if i + 1 < len(parts) else None
        cards = part[: next_seat.start()] if next_seat else part
        seat = part[len(cards) :]
        try:
            drawn[name] = parse_cards(re.sub(r"\s", " ", re.sub(r",(\s*)$", r" \1", cards)))
        except CardError as error:
            raise _error(error.reason, text, offset + error.offset) from None
        if not drawn[name]:
            raise _error("a card was expected", text, offset + _blanks(cards))
        offset += len(cards)
    if not parts:
        raise _error("a: or b: was expected before the drawn cards", text, offset + _blanks(head))


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())


def _require_no_number(game: _RawGame) -> None:
    if game.number:
        raise _error("a move was expected after the bout number", game.source, game.number[1])


def _unexpected(text: str, offset: int) -> DGNError:
    """Say what is wrong with a text at a place where nothing can be read."""
    sign = text[offset]
    if sign == "{":
        return _error("this comment is not closed", text, offset)
    if sign == "(":
        return _error("this list of drawn cards is not closed", text, offset)
    if sign != "[":
        return _error(f"{quoted(sign)} was not expected here", text, offset)
    offset += 1
    for pattern, reason in (
        (r"\s*[A-Za-z0-9_]+\s*", "the name of a tag was expected"),
        ('"', "the text of the tag was expected, in quotes"),
        (r'(?:[^"\\\r\n]|\\[^\r\n])*"', "the quote is not closed in this line"),
    ):
        found = re.compile(pattern).match(text, offset)
        if not found:
            return _error(reason, text, offset - (pattern[0] == "("))
        offset = found.end()
    return _error("a ] was expected after the text of the tag", text, offset)


def _error(reason: str, text: str, offset: int, place: str = "") -> DGNError:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    source = text[start : end if end >= 0 else len(text)].rstrip("\r")
    column = min(offset - start, len(source)) + 1  # the end of a line may be two characters
    return DGNError(reason, place, text.count("\n", 0, offset) + 1, column, source)


# --------------------------------------------------------------------------------------------------------- replaying


def _replay(raw: _RawGame, number: int) -> Game:
    """Make a game of what is written."""
    start = _start(raw, number)
    tags = tuple((tag.name, tag.text) for key, tag in raw.tags.items() if key not in map(str.lower, OWN_TAGS))
    try:
        game = Game(start, tags=tags, comment=" ".join(raw.comments))
    except ValueError as error:
        raise _error(str(error), raw.source, raw.tags["position"].offset, f"game {number}, start") from None
    bout, move = 1, 1
    for ply in raw.plies:
        shown = ply.text if len(ply.text) <= 20 and ply.text.isprintable() else quoted(ply.text)
        place = f"game {number}, bout {bout}, move {move} ({shown})"
        if ply.number is not None and (ply.number, 1) != (bout, move):
            reason = f"it is numbered {ply.number}, but " + (
                f"bout {bout} is not over" if move > 1 else f"this is bout {bout}"
            )
            raise _error(reason, raw.source, ply.offset, place)
        drawn = ply.drawn.get("a", ()), ply.drawn.get("b", ())
        try:
            game = game.play(ply.text, mark=" ".join(ply.marks), comment=" ".join(ply.comments), drawn=drawn)
        except ValueError as error:
            reason = str(error).partition(" is not legal: ")[2] or str(error)
            raise _error(reason, raw.source, ply.offset, place) from None
        bout, move = (bout + 1, 1) if ends_bout(game.plies[-1].move, game.position) else (bout, move + 1)
    return _ended(game, raw, number)


def _start(raw: _RawGame, number: int) -> Position:
    """Return the start of a game, from the tags Position and Rules."""
    tag = raw.tags.get("position")
    if tag is None:
        raise _error("the tag Position is missing", raw.source, raw.offset, f"game {number}")
    try:
        position = parse_dpn(tag.text)
    except DPNError as error:
        raise _error(f"{error.field}: {error.reason}", raw.source, tag.offset + error.offset) from None
    rules_tag = raw.tags.get("rules")
    if rules_tag is None:
        return position
    rules = _rules(rules_tag, raw.source)
    options = {word.partition("=")[0] for word in tag.text.split() if "=" in word} - set(BOUT_KEYS)
    if options and position.rules != rules:
        said = " ".join(f"{key}={word}" for key, word in position.rules.to_options().items()) or "podkidnoy"
        reason = f"the tag Rules contradicts the tag Position, which says {said}"
        raise _error(reason, raw.source, rules_tag.offset)
    return replace(position, rules=rules)


def _rules(tag: _RawTag, source: str) -> Rules:
    """Read the tag Rules: a preset, options, or both."""
    options: dict[str, str] = {}
    for word in tag.text.split():
        key, equals, value = word.partition("=")
        if not equals:
            key, value = "rules", word
        if key in options:
            raise _error(f"{key} is given twice", source, tag.offset)
        options[key] = value
    try:
        return Rules.from_options(options)
    except ValueError as error:
        raise _error(str(error), source, tag.offset) from None


def _ended(game: Game, raw: _RawGame, number: int) -> Game:
    """Return the game with the result that is written, in the tag or after the moves."""
    tag = raw.tags.get("result")
    said = tag.text.strip().lower() if tag else "*"
    offset = tag.offset if tag else 0
    if said not in RESULTS:
        raise _error(f"{quoted(said)} is no result: choose one of {', '.join(RESULTS)}", raw.source, offset)
    if raw.result not in ("", "*"):
        if said not in ("*", raw.result):
            reason = f"the result {raw.result} after the moves contradicts the tag Result, which says {said}"
            raise _error(reason, raw.source, raw.result_offset)
        said, offset = raw.result, raw.result_offset
    try:
        return game.end(said)
    except ValueError as error:
        raise _error(str(error), raw.source, offset, f"game {number}") from None
