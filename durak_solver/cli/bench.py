"""``durak bench``: how fast the frozen suites are solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from durak_solver.cli import common, options
from durak_solver.study.bench import SuiteResult, find_suites, read_suite, run_suite, signature, suite_names

EXAMPLES = """
Examples:

durak bench

durak bench 6v6 8v8 --seconds 10
"""

_HEAD = ("suite", "positions", "nodes", "mean", "median", "median ms", "p95 ms", "max ms", "nodes/s")
_WIDTHS = (10, 9, 14, 12, 10, 10, 10, 10, 11)


def _complete_name() -> list[str]:
    try:
        return suite_names(find_suites())
    except ValueError:
        return []


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUITE...", help="Which suites; all of them if none is named.", autocompletion=_complete_name
        ),
    ] = None,
    suites: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the suites.", show_default="positions/bench")
    ] = None,
    seconds: options.Seconds = None,
    table_mb: options.TableMB = 64,
) -> None:
    """Solve the frozen suites and print what that took.

    Each position is solved on its own, from an empty table: positions, nodes (all, mean, median), milliseconds
    (median, 95 %, slowest), and speed. The signature at the end, all nodes together, is the same on every machine and
    changes with every change of the search.
    """
    console = common.out()
    engine = common.engine(table_mb)
    results: list[SuiteResult] = []
    try:
        folder = find_suites(suites)
        chosen = {name: read_suite(folder, name) for name in names or suite_names(folder)}
        total = sum(map(len, chosen.values()))
        with common.Bar(common.progress_console(console), total) as bar:
            console.print(_row(_HEAD), style="dim", soft_wrap=True)
            for name, positions in chosen.items():
                done = sum(len(result.nodes) for result in results)

                def on_progress(number: int, name: str = name, done: int = done, size: int = len(positions)) -> None:
                    bar.update(done + number, f"{name}: {number} of {size}", total)

                results.append(run_suite(name, positions, engine, seconds=seconds, on_progress=on_progress))
                if results[-1].nodes:
                    console.print(_row(_cells(results[-1])), soft_wrap=True)
                if results[-1].interrupted:
                    break
    except ValueError as error:
        common.fail(str(error))
    _end(results)


def _cells(result: SuiteResult) -> tuple[str, ...]:
    """Write the numbers of one suite."""
    return (
        result.name,
        f"{len(result.nodes):,}",
        f"{sum(result.nodes):,}",
        f"{result.mean_nodes:,.1f}",
        f"{result.median_nodes:,.1f}",
        *(f"{result.milliseconds(share):,.3f}" for share in (0.5, 0.95, 1)),
        f"{result.nodes_per_second:,.0f}",
    )


def _row(cells: tuple[str, ...]) -> str:
    name, *numbers = cells
    columns = (f"{number:>{width}}" for number, width in zip(numbers, _WIDTHS[1:], strict=True))
    return f"{name:{_WIDTHS[0]}} {' '.join(columns)}"


def _end(results: list[SuiteResult]) -> None:
    number = signature(results)
    unsolved = sum(result.unsolved for result in results)
    if number is not None:
        typer.echo(f"signature: {number}")
    elif results[-1].interrupted:
        common.complain("Interrupted: there is no signature.")
        raise typer.Exit(common.INTERRUPTED)
    else:
        typer.echo(f"signature: none, because the limit cut off {unsolved} of the positions")
