"""The program ``durak``: joins the commands."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from durak_solver import __version__
from durak_solver.cli import (
    analyse,
    bench,
    graph,
    hint,
    match,
    play,
    proof,
    puzzle,
    rules,
    show,
    tables,
    terminal,
)
from durak_solver.cli.position_options import PositionCommand
from durak_solver.engine.tables.files import TableError

app = typer.Typer(name="durak", no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="markdown")

app.command("analyse", cls=PositionCommand, epilog=analyse.EXAMPLES)(analyse.analyse)
app.command("hint", cls=PositionCommand, epilog=hint.EXAMPLES)(hint.hint)
app.command("show", cls=PositionCommand, epilog=show.EXAMPLES)(show.show)
app.command("match", epilog=match.EXAMPLES)(match.match)
app.command("play", epilog=play.EXAMPLES)(play.play)
app.command("puzzle", epilog=puzzle.EXAMPLES)(puzzle.puzzle)
app.command("proof", cls=PositionCommand, epilog=proof.EXAMPLES)(proof.proof)
app.command("graph", cls=PositionCommand, epilog=graph.EXAMPLES)(graph.graph)
app.command("rules", epilog=rules.EXAMPLES)(rules.rules)
app.command("bench", epilog=bench.EXAMPLES)(bench.bench)
app.add_typer(tables.app, name="tables")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"durak {__version__}")
        raise typer.Exit


@app.callback(epilog='Example: durak analyse "6s7dTh/6h8h9c h a -"')
def durak(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Solve endgames of durak exactly."""


def main() -> None:
    """Run the program."""
    # A stream that was closed before the program began is as good as an empty one.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        # What the terminal's encoding lacks is no reason to fail.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except TableError as error:
        terminal.complain(f"Error: {error}")
        sys.exit(terminal.BAD_INPUT)
    except OSError as error:
        # The disk is full, say. Nothing more goes to where it cannot, not even at the end of the program.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        terminal.complain(f"Error: {error.strerror or error}")
        sys.exit(1)
