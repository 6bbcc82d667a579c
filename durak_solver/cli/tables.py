"""``durak tables``: build, check and list endings tables."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from durak_solver.cli import options, terminal
from durak_solver.engine.tables import verify as table_verify
from durak_solver.engine.tables.build import build_tables
from durak_solver.engine.tables.files import MOST_CARDS, Header, file_name, read_header, rules_of
from durak_solver.engine.tables.lookup import SHIPPED, chosen_directory, open_files, tally
from durak_solver.engine.tables.sweep import Progress
from durak_solver.model.messages import os_reason
from durak_solver.model.rules import Rules

app = typer.Typer(
    no_args_is_help=True,
    help="Build, check and list endings tables: all endings with few cards, solved once and for all.",
)

BUILD_EXAMPLES = """
Examples:

durak tables build --cards 9

durak tables build --cards 8 --rules "pursuit=off" --dir tables
"""

Dir = Annotated[
    Path | None,
    typer.Option(
        "--dir", metavar="DIR", help="The folder of the tables.", show_default="$DURAK_TABLES or the user's own"
    ),
]
Cards = Annotated[int, typer.Option(min=2, max=MOST_CARDS, metavar="N", help="Up to how many live cards.")]


@app.command(epilog=BUILD_EXAMPLES)
def build(
    cards: Cards,
    rules: options.RulesOption = "",
    jobs: options.Jobs = 1,
    directory: Dir = None,
) -> None:
    """Solve all endings with up to N cards and write one file for each number of cards.

    Ten cards take minutes and 24 MB, twelve take hours and 1.3 GB. Work that was broken off is taken up where it was.
    """
    folder = directory or chosen_directory()
    wanted = _rules(rules)
    console = terminal.out()
    missing = [total for total in range(2, cards + 1) if not (folder / file_name(wanted, total)).exists()]
    stopped = threading.Event()
    try:
        with terminal.on_interrupt(stopped.set), _bar(console) as bar:
            whole = build_tables(
                wanted, cards, folder, jobs=jobs, on_progress=_shown(bar, "solved"), stop=stopped.is_set
            )
    except ValueError as error:
        terminal.fail(terminal.message(error))
    except OSError as error:
        terminal.fail(f"{folder}: {os_reason(error)}")
    for total in missing:
        path = folder / file_name(wanted, total)
        if path.exists():
            header = read_header(path)
            console.print(f"{path}: {header.count:,} positions, {_size(header)}", soft_wrap=True)
    if not whole:
        terminal.complain("Interrupted: what is done is kept, and the same command goes on from there.")
        raise typer.Exit(terminal.INTERRUPTED)
    if not missing:
        console.print(f"All tables of up to {cards} cards are in {folder} already.", soft_wrap=True)


@app.command()
def verify(
    directory: Dir = None,
    sample: Annotated[int, typer.Option(min=0, metavar="N", help="Solve N positions of each table by search.")] = 100,
    seed: options.FixedSeed = 0,
    full: Annotated[
        bool, typer.Option("--full", help="Work out every value again, from those of what can follow.")
    ] = False,
    jobs: options.Jobs = 1,
) -> None:
    """Check tables: their checksums, then some of their values against a search without tables."""
    stopped = threading.Event()
    console = terminal.out()
    files = _files(directory)
    try:
        with terminal.on_interrupt(stopped.set), _bar(console) as bar:
            for path in files:
                done = _verify(path, bar, stopped.is_set, sample=sample, seed=seed, full_jobs=jobs if full else 0)
                if stopped.is_set():
                    break
                console.print(f"{path}: {done}", soft_wrap=True)
    except ValueError as error:
        terminal.complain(f"Error: {error}")
        raise typer.Exit(terminal.SOME_BAD) from None
    if stopped.is_set():
        terminal.complain("Interrupted: the tables that are not listed were not checked.")
        raise typer.Exit(terminal.INTERRUPTED)


def _verify(path: Path, bar: terminal.Bar, stop: Callable[[], bool], *, sample: int, seed: int, full_jobs: int) -> str:
    """Check one file, every value if there are threads for that, and say what was found to be right."""
    header = table_verify.verify_checksum(path)
    rules = rules_of(header.rules)
    smaller = [path.parent / file_name(rules, total) for total in range(2, header.cards)] if full_jobs else []
    endings = open_files([*smaller, path], rules)
    compared = table_verify.verify_sample(
        path, endings, sample=sample, seed=seed, on_progress=_shown(bar, "searched"), stop=stop
    )
    said = f"the checksum is right, and so are {compared:,} positions solved by search"
    if full_jobs:
        table_verify.verify_all(path, endings, jobs=full_jobs, on_progress=_shown(bar, "worked out again"), stop=stop)
        said = f"{said}, and all {header.count:,} values follow from each other"
    return said


@app.command()
def info(
    directory: Dir = None,
    as_json: options.Json = False,
) -> None:
    """List tables: their sizes, and the shares of lost, drawn and won positions by the cards of leader and other.

    Positions that cannot be told apart (see docs/tables.md) count once.
    """
    console = terminal.out()
    try:
        for path in _files(directory):
            record = _record(path)
            if as_json:
                console.print(json.dumps(record), soft_wrap=True)
            else:
                console.print(_text(record), soft_wrap=True)
    except ValueError as error:
        terminal.fail(str(error))


def _record(path: Path) -> dict[str, Any]:
    """Return what there is to say about a file."""
    header, counts = tally(path)
    hands = [
        {"leader": leaders, "other": header.cards - leaders, "loss": loss, "draw": draw, "win": win}
        for leaders, (loss, draw, win) in enumerate(counts, 1)
    ]
    return {
        "file": str(path),
        "rules": header.rules,
        "cards": header.cards,
        "positions": header.count,
        "bytes": path.stat().st_size,
        **{value: sum(row[value] for row in hands) for value in ("loss", "draw", "win")},
        "hands": hands,
    }


def _text(record: dict[str, Any]) -> str:
    """Return a record as a small table."""
    rows = [
        f"{record['file']}: {record['cards']} cards, {record['positions']:,} positions, {record['bytes']:,} bytes",
        f"  {record['rules']}",
        f"  {'cards':<9}{'positions':>15}{'loss':>9}{'draw':>9}{'win':>9}",
    ]
    for row in [*record["hands"], {**record, "leader": "all", "other": ""}]:
        count = row["loss"] + row["draw"] + row["win"]
        name = f"{row['leader']} v {row['other']}" if row["other"] else row["leader"]
        shares = "".join(f"{100 * row[value] / count:>8.2f}%" for value in ("loss", "draw", "win"))
        rows.append(f"  {name:<9}{count:>15,}{shares}")
    return "\n".join(rows)


def _files(directory: Path | None) -> list[Path]:
    """Return all tables in a folder, and those that come with the package if none is named."""
    folder = directory or chosen_directory()
    if directory is not None and not directory.is_dir():
        terminal.fail(f"there is no folder {directory}")
    found = sorted(folder.glob("*.durak")) if folder.is_dir() else []
    if directory is None:
        found = sorted(SHIPPED.glob("*.durak")) + found
    if not found:
        terminal.fail(f"there are no tables in {folder}")
    return found


def _rules(text: str) -> Rules:
    try:
        return options.read_rules(text)
    except ValueError as error:
        terminal.fail(f"--rules: {error}")


def _bar(console: Console) -> terminal.Bar:
    return terminal.Bar(terminal.progress_console(console))


def _shown(bar: terminal.Bar, what: str) -> Callable[[Progress], None]:
    """Return what draws the progress of the work on one table."""

    def show(progress: Progress) -> None:
        left = progress.seconds_left
        time_left = "" if left is None else f", {_duration(left)} left"
        sweep = f" in sweep {progress.sweep}" if progress.sweep else ""
        text = f"{progress.cards} cards: {progress.done:,} of {progress.count:,} {what}{sweep}{time_left}"
        bar.update(progress.done, text, progress.count)

    return show


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _size(header: Header) -> str:
    return f"{header.size / 1e6:,.1f} MB" if header.size >= 1e5 else f"{header.size:,} bytes"
