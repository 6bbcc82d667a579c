"""``durak bench``: how fast the frozen suites are solved."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from durak_solver.cli import common, options
from durak_solver.study.bench import (
    HiddenResult,
    SuiteResult,
    find_suites,
    is_hidden,
    read_suite,
    run_hidden_suite,
    run_suite,
    signature,
    suite_names,
)

EXAMPLES = """
Examples:

durak bench

durak bench 6v6 8v8 --seconds 10
"""

_HEAD = ("suite", "positions", "nodes", "mean", "median", "median ms", "p95 ms", "max ms", "nodes/s")
_WIDTHS = (10, 9, 14, 12, 10, 10, 10, 10, 11)
_HIDDEN_HEAD = (
    "suite",
    "positions",
    "nodes",
    "deals/s",
    "exact",
    "median ms",
    "p95 ms",
    "max ms",
    "open nodes",
    "solved",
)
_HIDDEN_WIDTHS = (10, 9, 14, 12, 10, 10, 10, 10, 11, 7)


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

    Where cards are hidden, each position is estimated over 160 deals: nodes, deals per second, the share of exact
    values, and milliseconds. The first deal is then solved with open cards, within 100,000 nodes: nodes, and how many
    are solved. These suites have a signature of their own.
    """
    console = common.out()
    engine = common.engine(table_mb)
    results: list[SuiteResult] = []
    try:
        folder = find_suites(suites)
        chosen = {name: read_suite(folder, name) for name in names or suite_names(folder)}
        total = sum(map(len, chosen.values()))
        with common.Bar(common.progress_console(console), total) as bar:
            for name, positions in chosen.items():
                done = sum(len(result.nodes) for result in results)

                def on_progress(number: int, name: str = name, done: int = done, size: int = len(positions)) -> None:
                    bar.update(done + number, f"{name}: {number} of {size}", total)

                run = run_hidden_suite if is_hidden(positions) else run_suite
                results.append(run(name, positions, engine, seconds=seconds, on_progress=on_progress))
                _show(console, results)
                if results[-1].interrupted:
                    break
    except ValueError as error:
        common.fail(str(error))
    _end(results)


def _show(console: Console, results: list[SuiteResult]) -> None:
    """Print the numbers of the last suite, below a head if the one before was not of its kind."""
    result, before = results[-1], results[-2:-1]
    hidden = isinstance(result, HiddenResult)
    if not before or isinstance(before[0], HiddenResult) != hidden:
        console.print(
            _row(*(_HIDDEN_HEAD, _HIDDEN_WIDTHS) if hidden else (_HEAD, _WIDTHS)), style="dim", soft_wrap=True
        )
    if not result.nodes:
        return
    if isinstance(result, HiddenResult):
        console.print(_row(_hidden_cells(result), _HIDDEN_WIDTHS), soft_wrap=True)
    else:
        console.print(_row(_cells(result), _WIDTHS), soft_wrap=True)


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


def _hidden_cells(result: HiddenResult) -> tuple[str, ...]:
    """Write the numbers of one suite of hidden cards."""
    return (
        result.name,
        f"{len(result.nodes):,}",
        f"{sum(result.nodes):,}",
        f"{result.worlds_per_second:,.0f}",
        f"{statistics.fmean(result.exact_shares):.1%}",
        *(f"{result.milliseconds(share):,.3f}" for share in (0.5, 0.95, 1)),
        f"{sum(result.open_nodes):,}",
        f"{result.open_solved:,}",
    )


def _row(cells: tuple[str, ...], widths: tuple[int, ...]) -> str:
    name, *numbers = cells
    columns = (f"{number:>{width}}" for number, width in zip(numbers, widths[1:], strict=True))
    return f"{name:{widths[0]}} {' '.join(columns)}"


def _end(results: list[SuiteResult]) -> None:
    """Print the signatures, that of the suites with hidden cards apart."""
    if results[-1].interrupted:
        common.complain("Interrupted: there is no signature.")
        raise typer.Exit(common.INTERRUPTED)
    hidden = [result for result in results if isinstance(result, HiddenResult)]
    solved = [result for result in results if not isinstance(result, HiddenResult)]
    for title, some in (("signature", solved), ("signature (hidden)", hidden)):
        if some:
            cut_off = sum(result.unsolved for result in some)
            reason = f"none, because the limit cut off {cut_off} of the positions"
            typer.echo(f"{title}: {signature(some) if not cut_off else reason}")
