"""``durak graph``: everything that can follow from a position, written as a graph."""

from __future__ import annotations

from typing import Annotated

import typer

from durak_solver.cli import export, options, terminal
from durak_solver.cli.position_options import DPNArgument, PositionOptions, read_position
from durak_solver.study.graph import MOST
from durak_solver.study.graph import graph as find_graph

EXAMPLES = """
Examples:

durak graph "7s/7h8h h a - transfer=on" -o out.dot
"""


@options.with_groups
def graph(
    dpn: DPNArgument = None,
    *,
    written: export.GraphOptions,
    most: Annotated[int, typer.Option(min=1, metavar="N", help="Give up beyond N positions.")] = MOST,
    described: PositionOptions,
    style: options.StyleOption = None,
) -> None:
    """Write everything that can follow from a position as a graph, with its cycles marked."""
    position = read_position(dpn, described)
    form = written.chosen_format()
    try:
        found = find_graph(position, most=most)
    except ValueError as error:
        terminal.fail(terminal.message(error))
    on_cycles = sum(labels["cycles"] for labels in found.nodes.values())
    summary = f"{len(found):,} positions, {on_cycles:,} of them on cycles"
    export.write_graph(found, written.output, form, style, summary)
