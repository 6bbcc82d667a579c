"""``durak bench``: how fast the frozen suites are solved."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from durak_solver.cli import options, terminal
from durak_solver.engine.engine import Engine
from durak_solver.game.position import Position
from durak_solver.model.messages import os_reason
from durak_solver.study import bench_record
from durak_solver.study.bench import HiddenResult, SuiteResult, run_hidden_suite, run_suite, signature
from durak_solver.study.suites import (
    SECONDS,
    default_names,
    find_suites,
    has_other_rules,
    is_hidden,
    read_suite,
    suite_names,
)

EXAMPLES = """
Examples:

durak bench

durak bench 6v6 8v8 --compare before.json

durak bench 10v10 --seconds 5
"""

_HEAD = (
    "suite",
    "positions",
    "solved",
    "nodes",
    "mean",
    "median",
    "mean ms",
    "median ms",
    "p95 ms",
    "max ms",
    "nodes/s",
)
_WIDTHS = (14, 9, 7, 14, 11, 11, 9, 9, 9, 9, 10)
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
_HIDDEN_WIDTHS = (14, 9, 14, 12, 10, 10, 10, 10, 11, 7)
_RATIO_HEAD = ("new / old", "positions", "nodes", "median", "time", "median", "solved", "old", "new")
_RATIO_WIDTHS = (14, 9, 8, 8, 8, 8, 8, 7, 7)


def _complete_name() -> list[str]:
    try:
        return suite_names(find_suites())
    except ValueError:
        return []


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUITE...",
            help="Which suites; if none is named, all but the long ones and those of other rules.",
            autocompletion=_complete_name,
        ),
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="The long suites and those of other rules, too.")] = False,
    suites: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the suites.", show_default="positions/bench")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the numbers, and the values found, as JSON.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Print how they compare with those of an earlier --save.")
    ] = None,
    seconds: options.Seconds = None,
    table_mb: options.TableMB = 64,
    tables: options.TablesOption = "none",
) -> None:
    """Solve the frozen suites and print what that took; docs/cli.md explains the numbers."""
    console = terminal.out()
    engine = options.make_engine(table_mb, options.chosen_tables(tables))
    try:
        old = bench_record.load(compare) if compare else None
        _require_place(save)
        chosen = _chosen(suites, names, everything)
        results = _run(console, chosen, engine, seconds)
    except ValueError as error:
        terminal.fail(str(error))
    if save is not None:
        _save(save, results, table_mb, seconds)
    comparisons: list[bench_record.Comparison] = []
    if old is not None and compare is not None:
        comparisons = bench_record.compare(old, results)
        _show_ratios(console, comparisons, compare)
        _show_values(console, comparisons)
    _end(results)
    if any(found.different for found in comparisons):
        raise typer.Exit(terminal.SOME_BAD)


def _chosen(suites: Path | None, names: list[str] | None, everything: bool) -> dict[str, list[Position]]:
    """Read the suites that are to be run; ValueError if that cannot be done."""
    if names and everything:
        raise ValueError("--all runs every suite: it cannot be combined with the names of some")
    folder = find_suites(suites)
    names = names or (suite_names(folder) if everything else default_names(folder))
    return {name: read_suite(folder, name) for name in names}


def _run(
    console: Console, chosen: dict[str, list[Position]], engine: Engine, seconds: float | None
) -> list[SuiteResult]:
    """Run suites, and print the numbers of each as soon as it is done; ValueError if a position is of no use."""
    results: list[SuiteResult] = []
    total = sum(map(len, chosen.values()))
    with terminal.Bar(terminal.progress_console(console), total) as bar:
        for name, positions in chosen.items():
            done = sum(len(result.nodes) for result in results)

            def on_progress(number: int, name: str = name, done: int = done, size: int = len(positions)) -> None:
                bar.update(done + number, f"{name}: {number} of {size}", total)

            run = run_hidden_suite if is_hidden(positions) else run_suite
            limit = seconds or SECONDS.get(name)
            results.append(run(name, positions, engine, seconds=limit, on_progress=on_progress))
            _show(console, results)
            if results[-1].interrupted:
                break
    return results


def _require_place(file: Path | None) -> None:
    """Raise ValueError if a file cannot be written, before the work rather than after it."""
    if file is not None and (file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK)):
        raise ValueError(f"--save: {file} cannot be written")


def _save(file: Path, results: list[SuiteResult], table_mb: float, seconds: float | None) -> None:
    try:
        bench_record.save(file, results, table_mb=table_mb, seconds=seconds)
    except OSError as error:
        terminal.fail(f"--save: {file} cannot be written: {os_reason(error)}")


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
        f"{result.solved_share:.1%}",
        f"{sum(result.nodes):,}",
        _number(result.mean_nodes, 1),
        _number(result.median_nodes, 1),
        _number(result.mean_milliseconds, 3),
        *(_number(result.milliseconds(share), 3) for share in (0.5, 0.95, 1)),
        f"{result.nodes_per_second:,.0f}",
    )


def _number(number: float, digits: int) -> str:
    """Write a number; digits after the point are of no use once there are many before it."""
    return f"{number:,.{digits}f}" if number < 10_000 else f"{number:,.0f}"


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


def _show_ratios(console: Console, comparisons: Sequence[bench_record.Comparison], file: Path) -> None:
    """Print how suites compare with those of an earlier run."""
    if not comparisons:
        console.print(f"{file} has none of these suites with these positions.", soft_wrap=True)
        return
    console.print(_row(_RATIO_HEAD, _RATIO_WIDTHS), style="dim", soft_wrap=True)
    for found in comparisons:
        ratios = found.nodes, found.median_nodes, found.seconds, found.median_seconds, found.solved
        cells = (
            found.name,
            f"{found.both:,}",
            *("-" if ratio is None else _number(ratio, 3) for ratio in ratios),
            f"{found.old_solved:.1%}",
            f"{found.new_solved:.1%}",
        )
        console.print(_row(cells, _RATIO_WIDTHS), soft_wrap=True)


def _show_values(console: Console, comparisons: Sequence[bench_record.Comparison]) -> None:
    """Say that all values are those of an earlier run, or complain of each that is not."""
    for found in comparisons:
        for number, before, now in found.different:
            terminal.complain(f"Error: suite {found.name}, position {number}: the value was {before}, now it is {now}")
    values = sum(found.values for found in comparisons)
    if values and not any(found.different for found in comparisons):
        console.print(f"values: the same in all positions that both runs solved ({values:,})", soft_wrap=True)


def _row(cells: tuple[str, ...], widths: tuple[int, ...]) -> str:
    name, *numbers = cells
    columns = (f"{number:>{width}}" for number, width in zip(numbers, widths[1:], strict=True))
    return f"{name:{widths[0]}} {' '.join(columns)}"


def _end(results: list[SuiteResult]) -> None:
    """Print the signatures, each kind of suites apart."""
    if results[-1].interrupted:
        terminal.complain("Interrupted: there is no signature.")
        raise typer.Exit(terminal.INTERRUPTED)
    kinds: dict[str, list[SuiteResult]] = {"": [], " (long)": [], " (other rules)": [], " (hidden)": []}
    for result in results:
        kinds[_kind(result)].append(result)
    for kind, some in kinds.items():
        if some:
            cut_off = sum(result.unsolved for result in some)
            reason = f"none, because the limit cut off {cut_off} of the positions"
            typer.echo(f"signature{kind}: {signature(some) if not cut_off else reason}")


def _kind(result: SuiteResult) -> str:
    """Return what the signature of a suite is said to be of."""
    if isinstance(result, HiddenResult):
        return " (hidden)"
    if result.name in SECONDS:
        return " (long)"
    return " (other rules)" if has_other_rules(result.name) else ""
