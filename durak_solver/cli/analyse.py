"""``durak analyse``: every legal move graded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from durak_solver.cli import files, options, terminal
from durak_solver.engine.results import Analysis, Estimate
from durak_solver.model.messages import quoted
from durak_solver.notation.dpn import read_hands
from durak_solver.show.estimates import estimate_text
from durak_solver.show.position import analysis_text
from durak_solver.study.batch import Batch, Outcome
from durak_solver.study.position_files import FileLine, read_lines

EXAMPLES = """
Examples:

durak analyse "6s7dTh/6h8h9c h a -"

durak analyse "6s7dThKs9c8h/?6 h a - ?3,7h" --samples 500 --seed 1

durak analyse --trump h --me "6♠ 7♦ 10♥" --opponent "6h 8h 9c"

durak analyse --me "6♠ 7♦ 10♥ K♠ 9♣ 8♥" --turn-up 7h --stock 4 --opponent-has "9h"

durak analyse "6s7dTh/6h8h9c h a -" --distance

durak analyse positions.dpn --json --jobs 4 > results.jsonl
"""


def analyse(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="DPN|FILE|-",
            help="A position in quotes, a file with one in each line, or - for the standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    trump: options.Trump = None,
    me: options.Me = None,
    opponent: options.Opponent = None,
    opponent_cards: options.OpponentCards = None,
    attack: options.Attack = None,
    table: options.Table = None,
    stock: options.Stock = None,
    turn_up: options.TurnUp = None,
    discard: options.Discard = None,
    rules: options.RulesOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write one JSON object for each position, in a line.")
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(min=1, max=256, help="Positions of a file, or deals of one position, worked on side by side."),
    ] = 1,
    distance: options.Distance = False,
    nodes: options.Nodes = None,
    seconds: options.Seconds = None,
    table_mb: options.TableMB = 64,
    tables: options.TablesOption = "auto",
    method: options.Method = "pimc",
    samples: options.Samples = None,
    seed: options.Seed = 0,
) -> None:
    """Grade every legal move: win, draw or loss, best first, each with the line that shows it.

    Where cards are hidden the moves are valued over deals that fit what is known: an estimate, in percent, and the same
    each time for the same --method, --seed, --samples, --table-mb and endings tables.

    With --distance also in how many plies (moves of both, forced ones too) and bouts, each the best in its own measure;
    among equals the quickest win and the slowest loss come first, and the lines follow them.

    In a file blank lines and lines that begin with # are skipped; a bad line is reported in its place and the others
    go on, with exit code 1 at the end. Limits hold for each position. Ctrl-C ends the search with what is known.
    """
    flags = options.Flags(
        trump=trump,
        me=me,
        opponent=opponent,
        opponent_cards=opponent_cards,
        attack=attack,
        table=table,
        stock=stock,
        turn_up=turn_up,
        discard=discard,
        rules=rules,
    )
    console, name, total, threads = terminal.out(), None, None, 1
    if source is None or flags.given or _is_dpn(source):
        lines: Iterable[FileLine] = [FileLine(1, str(options.read_position(source, flags)))]
        jobs, threads = 1, jobs
    else:
        lines = read_lines(files.open_lines(source))
        name = "the standard input" if source == "-" else source
        total = (Path(source).stat().st_size or None) if source != "-" else None
    bar = terminal.Bar(terminal.progress_console(console), total)
    report = _Report(console, bar, name, as_json)
    try:
        batch = Batch(
            jobs,
            table_mb,
            tables=options.chosen_tables(tables),
            nodes=nodes,
            seconds=seconds,
            method=method,
            samples=samples,
            seed=seed,
            threads=threads,
            distance=distance,
            on_progress=None if name else partial(bar.show, samples=samples),
        )
    except (ValueError, MemoryError):
        terminal.fail(f"--table-mb {table_mb:g}: there is not that much memory")
    with batch, terminal.on_interrupt(batch.stop), bar:
        for outcome in batch.run(lines):
            report.write(outcome)
        interrupted = batch.stopped
    report.end(interrupted)


@dataclass
class _Report:
    """Where the results go, and how many of them were bad; `name` is None for a single position."""

    console: Console
    bar: terminal.Bar
    name: str | None
    as_json: bool
    count: int = 0
    bad: int = 0

    def write(self, outcome: Outcome) -> None:
        """Write one result."""
        result = outcome.result
        if not isinstance(result, ValueError):
            self._write_result(result)
        elif self.name is None:
            terminal.fail(terminal.message(result))
        else:
            self._write_error(outcome.line.number, result)
        if self.name is not None:
            self.bar.update(outcome.line.end, f"{self.count + self.bad:,} positions")

    def end(self, interrupted: bool) -> None:
        """Leave with the exit code that fits."""
        if interrupted:
            terminal.complain("Interrupted: what was known by then is written.")
            raise typer.Exit(terminal.INTERRUPTED)
        if self.bad:
            raise typer.Exit(terminal.SOME_BAD)
        if not self.count:
            terminal.complain(f"There is no position in {self.name}.")

    def _write_result(self, result: Analysis | Estimate) -> None:
        if self.as_json:
            self._print(json.dumps(result.to_dict()))
        else:
            width = terminal.text_width(self.console)
            drawn = (
                analysis_text(result, width=width)
                if isinstance(result, Analysis)
                else estimate_text(result, width=width)
            )
            self._print(Text("\n") + drawn if self.count else drawn)
        self.count += 1

    def _write_error(self, line: int, error: ValueError) -> None:
        if self.as_json:
            self._print(json.dumps({"line": line, "error": terminal.one_line(error)}))
        else:
            self.bar.complain(f"{self.name}, line {line}: {terminal.message(error)}")
        self.bad += 1

    def _print(self, text: str | Text) -> None:
        if self.console.is_terminal:
            self.console.print(text, soft_wrap=True)
        else:
            print(text, flush=True)  # many times faster, which matters with a hundred thousand of them


def _is_dpn(source: str) -> bool:
    """Tell a DPN from the name of a file, or end with a message when it can be neither."""
    try:
        exists = source != "" and Path(source).exists()
    except (OSError, ValueError):  # a name that no file can have
        exists = False
    if source == "-" or exists:
        return False
    if source.lower().endswith((".dpn", ".txt")):
        terminal.fail(f"there is no file {quoted(source)}")
    if len(source.split()) != 1 or _are_hands(source):
        return True
    terminal.fail(f"{quoted(source)} is neither an existing file nor a DPN, whose fields have spaces between them")


def _are_hands(text: str) -> bool:
    """Tell the first field of a DPN, to which the others are missing."""
    try:
        read_hands(text)
    except ValueError:
        return False
    return True
