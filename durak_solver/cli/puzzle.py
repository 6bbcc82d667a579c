"""``durak puzzle``: positions to solve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from durak_solver.cli import options, terminal
from durak_solver.engine.engine import Engine
from durak_solver.game.position import Position
from durak_solver.model.messages import os_reason
from durak_solver.model.moves import Move, MoveError
from durak_solver.show.position import position_text
from durak_solver.study.puzzles import Puzzle, PuzzleError, check, judge, read_puzzles

EXAMPLES = """
Examples:

durak puzzle positions/puzzles/leads.dpn

durak puzzle --check positions/puzzles/*.dpn
"""


def puzzle(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files of puzzles.", show_default=False)],
    verify: Annotated[bool, typer.Option("--check", help="Verify the stated solutions instead of asking.")] = False,
    style: options.StyleOption = None,
) -> None:
    """Show positions one by one and ask for the best move."""
    puzzles = [found for file in files for found in _read(file)]
    engine = Engine()
    console = terminal.out()
    if verify:
        _check(puzzles, engine, console)
    else:
        _ask(puzzles, engine, console, terminal.card_style(style))


def _read(file: Path) -> tuple[Puzzle, ...]:
    """Read one file, or end with a message."""
    try:
        return read_puzzles(file)
    except OSError as error:
        terminal.fail(f"{file} cannot be read: {os_reason(error)}")
    except PuzzleError as error:
        terminal.fail(str(error))


def _check(puzzles: list[Puzzle], engine: Engine, console: Console) -> None:
    """Verify all solutions, a line each."""
    bad = 0
    with terminal.on_interrupt(engine.stop):
        for found in puzzles:
            try:
                faults = check(found, engine)
            except InterruptedError:
                terminal.complain("Interrupted: the rest was not verified.")
                raise typer.Exit(terminal.INTERRUPTED) from None
            bad += bool(faults)
            stated = f"{found.value}: {' '.join(map(str, found.solution))}"
            told = f"WRONG  {'; '.join(faults)}" if faults else f"ok     {stated}"
            console.print(f"{found.file}, line {found.line}  {told}", soft_wrap=True)
    console.print(f"{len(puzzles) - bad} of {len(puzzles)} verified")
    if bad:
        raise typer.Exit(terminal.SOME_BAD)


def _ask(puzzles: list[Puzzle], engine: Engine, console: Console, style: str) -> None:
    """Ask for the best moves, and keep the score."""
    right = answered = 0
    for number, asked in enumerate(puzzles, 1):
        console.print(f"\nPuzzle {number} of {len(puzzles)}: {asked.find}\n", soft_wrap=not console.is_terminal)
        drawing = position_text(asked.position, style, width=terminal.text_width(console))
        console.print(drawing, soft_wrap=True)
        move = _answer(asked.position)
        if move is None:
            break
        try:
            with terminal.on_interrupt(engine.stop):
                verdict = judge(asked, move, engine, style)
        except InterruptedError:
            break
        console.print(verdict.text, soft_wrap=not console.is_terminal)
        answered += 1
        right += verdict.right
    if answered < len(puzzles):
        console.print("\nUntil next time.")
    console.print(f"\n{right} of {answered} right")


def _answer(position: Position) -> Move | None:
    """Ask until a legal move is typed; None at the end of the input and after Ctrl-C."""
    while True:
        try:
            return position.parse_move(typer.prompt(f"{position.to_move}'s move", default="", show_default=False))
        except MoveError as error:
            terminal.complain(f"{error}.")
        except UnicodeDecodeError as error:
            terminal.complain(f"That is not text: it cannot be read as {error.encoding}.")
        except typer.Abort:
            return None
