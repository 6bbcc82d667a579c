"""Puzzles: positions in a file of DPN lines, each with what to find and what the solution is.

The comment lines right above a position, with no blank line between, belong to it. Each is ``# key: text``, with one
of the keys in `KEYS`; a line that begins with ``#`` and two or more spaces goes on with the text before it. All other
comments are free.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from durak_solver.engine.engine import Engine
from durak_solver.engine.results import Analysis, GradedMove, Value
from durak_solver.game import core
from durak_solver.game.position import Position
from durak_solver.model.messages import quoted
from durak_solver.model.moves import Move, MoveError
from durak_solver.notation.moves import format_move
from durak_solver.study.position_files import read_lines

KEYS: Final = ("source", "find", "value", "solution", "idea")
"""What the comments above a position say; only the idea may be left out."""

_REQUIRED: Final = KEYS[:-1]
_VALUES: Final = {str(value): value for value in Value if value.is_exact}
_VERBS: Final = {Value.WIN: "wins", Value.DRAW: "draws", Value.LOSS: "loses"}

_Fields = dict[str, tuple[int, str]]


class PuzzleError(ValueError):
    """A file of puzzles is not as it should be.

    Attributes
    ----------
    line
        Number of the line at fault, counted from 1.
    """

    def __init__(self, file: str, line: int, reason: str) -> None:
        # All arguments go to the base class, so that the error survives being sent to another process.
        super().__init__(file, line, reason)
        self.file = file
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a question and its answer.

    Attributes
    ----------
    position
        A legal one, with a move to make.
    find
        What to look for.
    solution
        All moves that keep the best value.
    value
        Win, draw or loss, for the side to move.
    source
        Where the position comes from, or how it was found.
    idea
        Why the solution is right; may be empty.
    file, line
        Where the position stands; lines are counted from 1.
    """

    position: Position
    find: str
    solution: tuple[Move, ...]
    value: Value
    source: str
    idea: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said about an answer, in one or more sentences."""

    right: bool
    text: str


def read_puzzles(path: str | Path) -> tuple[Puzzle, ...]:
    """Read a file of puzzles; there is at least one.

    Raises
    ------
    PuzzleError
        If the file is no text, holds no position, or something about a position is missing, wrong or not legal.
    OSError
        If the file cannot be read.
    """
    file = str(path)
    puzzles = []
    comments: list[tuple[int, str]] = []
    number = 0
    with Path(path).open("rb") as content:
        for line in read_lines(content, comments=True):
            number = line.number
            if isinstance(line.text, ValueError):
                raise PuzzleError(file, number, str(line.text))
            text = line.text.strip()
            if not text.startswith("#"):
                if text:
                    puzzles.append(_puzzle(file, number, text, _fields(file, comments)))
                comments = []
            elif comments and re.match("#  +[^ ]", text):
                first, before = comments[-1]
                comments[-1] = (first, f"{before} {text[1:].strip()}")
            elif len(text) > 1:
                comments.append((number, text[1:].strip()))
    if not puzzles:
        raise PuzzleError(file, number + 1, "there is no position in the file")
    return tuple(puzzles)


def check(puzzle: Puzzle, engine: Engine) -> tuple[str, ...]:
    """Return what is wrong with the stated value and solution of a puzzle, a clause each; empty if all is right.

    The solution must be all moves that keep the value.

    Raises
    ------
    InterruptedError
        If the search was ended before everything was known.
    """
    analysis = _analyse(puzzle, engine)
    best = [graded.move for graded in analysis.moves if graded.worth == analysis.worth]
    faults = []
    if analysis.value is not puzzle.value:
        faults.append(f"the value is {analysis.value}, not {puzzle.value}")
    faults += [f"{move} is not among the best moves" for move in puzzle.solution if move not in best]
    faults += [f"{move} is as good and is not stated" for move in best if move not in puzzle.solution]
    return tuple(faults)


def judge(puzzle: Puzzle, move: Move, engine: Engine, style: str = "ascii") -> Verdict:
    """Say whether a legal move is right, and why.

    Raises
    ------
    InterruptedError
        If the search was ended before everything was known.
    """
    analysis = _analyse(puzzle, engine)
    graded = next(graded for graded in analysis.moves if graded.move == move)
    name = format_move(move, style)
    if graded.worth == analysis.worth:
        every = all(other.worth == analysis.worth for other in analysis.moves)
        claim = f"every move {_does(graded)}" if every else f"{name} {_does(graded)}"
        reason = puzzle.idea or f"The line: {_joined(graded.line, style)}."
        return Verdict(True, f"Right: {claim}. {reason}")
    only = "only " if graded.value is Value.DRAW else ""
    solution = " or ".join(format_move(best, style) for best in puzzle.solution)
    words = [
        f"Wrong: {name} {only}{_does(graded)}.",
        _refutation(puzzle.position, graded, style),
        f"Right is {solution}, which {_does(analysis)}.",
        puzzle.idea,
    ]
    return Verdict(False, " ".join(filter(None, words)))


def _does(result: Analysis | GradedMove) -> str:
    """Say what a move or a position does, such as "wins" or "wins with 2 straps"."""
    straps = f" with {result.straps} strap{'s' if result.straps > 1 else ''}" if result.straps else ""
    return f"{_VERBS[result.value]}{straps}"


# ------------------------------------------------------------------------------------------------------- reading a file


def _fields(file: str, comments: list[tuple[int, str]]) -> _Fields:
    """Read the comments above a position: by key, the line and the text."""
    fields: _Fields = {}
    for line, comment in comments:
        key, _, text = comment.partition(":")
        if key not in KEYS:
            reason = f'{quoted(comment)} does not belong above a position: "# key: text" does, with one of the keys '
            raise PuzzleError(file, line, reason + ", ".join(KEYS))
        if key in fields:
            raise PuzzleError(file, line, f"{key} is given twice for one position")
        fields[key] = (line, text.strip())
    return fields


def _puzzle(file: str, number: int, text: str, fields: _Fields) -> Puzzle:
    """Make a puzzle from a position and what is said above it."""
    missing = [key for key in _REQUIRED if not fields.get(key, (0, ""))[1]]
    if missing:
        raise PuzzleError(file, number, f"the comments above this position do not say: {', '.join(missing)}")
    try:
        position = Position.from_dpn(text)
        core.rule_set(position.rules, position.trump)
        legal = position.legal_moves
        if legal:
            core.solvable_state(position)  # raises what keeps it from being solved
    except ValueError as error:
        raise PuzzleError(file, number, str(error)) from None
    if not legal:
        raise PuzzleError(file, number, "the game is over in this position")
    line, word = fields["value"]
    if word not in _VALUES:
        raise PuzzleError(file, line, f"value {quoted(word)} is not allowed: choose one of {', '.join(_VALUES)}")
    return Puzzle(
        position=position,
        find=fields["find"][1],
        solution=tuple(_moves(file, position, *fields["solution"])),
        value=_VALUES[word],
        source=fields["source"][1],
        idea=fields.get("idea", (0, ""))[1],
        file=file,
        line=number,
    )


def _moves(file: str, position: Position, line: int, text: str) -> Iterator[Move]:
    """Read the moves of a solution."""
    seen: set[Move] = set()
    for word in text.split():
        try:
            move = position.parse_move(word)
        except MoveError as error:
            raise PuzzleError(file, line, f"solution: {error}") from None
        if move in seen:
            raise PuzzleError(file, line, f"solution: {move} is stated twice")
        seen.add(move)
        yield move


# -------------------------------------------------------------------------------------------------------------- judging


def _analyse(puzzle: Puzzle, engine: Engine) -> Analysis:
    analysis = engine.analyse(puzzle.position)
    if not analysis.exact:
        raise InterruptedError(f"the search ended too early ({analysis.stopped})")
    return analysis


def _refutation(position: Position, graded: GradedMove, style: str) -> str:
    """Say how the opponent answers a bad move, and what follows."""
    mover, after = position.to_move, position
    for number, move in enumerate(graded.line):
        if after.to_move != mover:
            rest = _joined(graded.line[number + 1 :], style)
            return f"{after.to_move} answers {format_move(move, style)}" + (f", and then {rest}." if rest else ".")
        after = after.play(move)
    return f"The line: {_joined(graded.line, style)}."


def _joined(moves: Iterable[Move], style: str) -> str:
    return " ".join(format_move(move, style) for move in moves)
