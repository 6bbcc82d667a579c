"""``durak analyse``: every legal move graded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from durak_solver.cli import files, options, terminal
from durak_solver.cli.position_options import PositionOptions, read_position
from durak_solver.engine.exact.many import table_share
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.results import Analysis
from durak_solver.game.position import Position
from durak_solver.model.messages import quoted
from durak_solver.notation.dpn import DPNError
from durak_solver.show.estimates import estimate_text
from durak_solver.show.position import analysis_text
from durak_solver.study.batch import Batch, Outcome
from durak_solver.study.position_files import read_lines

EXAMPLES = """
Examples:

durak analyse "6s7dTh/6h8h9c h a -"

durak analyse --me "6♠ 7♦ 10♥ K♠ 9♣ 8♥" --turn-up 7h --stock 4

durak analyse positions.dpn --json --jobs 4
"""


@options.with_groups
def analyse(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="DPN|FILE|-",
            help="A position in quotes, a file of positions, or -.",
            show_default=False,
        ),
    ] = None,
    *,
    described: PositionOptions,
    as_json: options.Json = False,
    jobs: options.Jobs = 1,
    search: options.SearchOptions,
    tables: options.TablesOption = "auto",
) -> None:
    """Grade every legal move of a position, or estimate it where cards are hidden; see docs/cli.md."""
    if source is not None and not described.given and _is_file(source):
        _analyse_file(source, as_json, jobs, search, tables)
    else:
        _analyse_one(_one_position(source, described), as_json, jobs, search, tables)


def _is_file(source: str) -> bool:
    try:
        return source == "-" or (source != "" and Path(source).exists())
    except (OSError, ValueError):  # a name that no file can have
        return False


def _one_position(source: str | None, described: PositionOptions) -> Position:
    """Read a position that is not in a file, or end with a message; a text may have been meant as the name of one."""
    if source is None or described.given:
        return read_position(source, described)
    if source.lower().endswith((".dpn", ".txt")):
        terminal.fail(f"there is no file {quoted(source)}")
    try:
        return Position.from_dpn(source)
    except DPNError as error:
        if error.field == "HANDS" and len(source.split()) == 1:
            terminal.fail(
                f"{quoted(source)} is neither an existing file nor a DPN, whose fields have spaces between them"
            )
        terminal.fail(terminal.message(error))


def _analyse_one(position: Position, as_json: bool, jobs: int, search: options.SearchOptions, tables: str) -> None:
    """Analyse one position; several threads share the deals of one with hidden cards."""
    console = terminal.out()
    engine = options.make_engine(table_share(search.table_mb, 1, search.nodes), options.chosen_tables(tables))
    try:
        with terminal.Bar(terminal.progress_console(console)) as bar:
            result = engine.estimate(
                position, jobs=jobs, on_progress=partial(bar.show, samples=search.samples), **search.for_engine()
            )
    except ValueError as error:
        terminal.fail(terminal.message(error))
    _print(console, _written(console, result, as_json))
    if result.stopped == "interrupt":
        _end_early()


def _analyse_file(source: str, as_json: bool, jobs: int, search: options.SearchOptions, tables: str) -> None:
    """Analyse the positions of a file, in several threads."""
    console = terminal.out()
    lines = read_lines(files.open_lines(source))
    size = (Path(source).stat().st_size or None) if source != "-" else None
    bar = terminal.Bar(terminal.progress_console(console), size)
    report = _Report(console, bar, "the standard input" if source == "-" else source, as_json)
    try:
        batch = Batch(jobs, search.table_mb, tables=options.chosen_tables(tables), **search.for_engine())
    except (ValueError, MemoryError):
        options.fail_for_memory(search.table_mb)
    with batch, terminal.on_interrupt(batch.stop), bar:
        for outcome in batch.run(lines):
            report.write(outcome)
        interrupted = batch.stopped
    if interrupted:
        _end_early()
    if report.bad:
        raise typer.Exit(terminal.SOME_BAD)
    if not report.count:
        terminal.complain(f"There is no position in {report.name}.")


@dataclass
class _Report:
    """Where the results of a file go, and how many of its lines were good and bad."""

    console: Console
    bar: terminal.Bar
    name: str
    as_json: bool
    count: int = 0
    bad: int = 0

    def write(self, outcome: Outcome) -> None:
        """Write one result, or what is wrong with the line."""
        result, line = outcome.result, outcome.line
        if not isinstance(result, ValueError):
            written = _written(self.console, result, self.as_json)
            _print(self.console, Text("\n") + written if self.count and isinstance(written, Text) else written)
            self.count += 1
        else:
            if self.as_json:
                _print(self.console, json.dumps({"line": line.number, "error": terminal.one_line(result)}))
            else:
                self.bar.complain(f"{self.name}, line {line.number}: {terminal.message(result)}")
            self.bad += 1
        self.bar.update(line.end, f"{self.count + self.bad:,} positions")


def _written(console: Console, result: Analysis | Estimate, as_json: bool) -> str | Text:
    if as_json:
        return json.dumps(result.to_dict())
    width = terminal.text_width(console)
    return analysis_text(result, width=width) if isinstance(result, Analysis) else estimate_text(result, width=width)


def _print(console: Console, text: str | Text) -> None:
    if console.is_terminal:
        console.print(text, soft_wrap=True)
    else:
        print(text, flush=True)  # many times faster, which matters with a hundred thousand of them


def _end_early() -> NoReturn:
    terminal.complain("Interrupted: what was known by then is written.")
    raise typer.Exit(terminal.INTERRUPTED)
