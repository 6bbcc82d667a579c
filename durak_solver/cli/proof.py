"""``durak proof``: a winning strategy, written as a graph."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from durak_solver.cli import export, options, terminal
from durak_solver.cli.position_options import DPNArgument, PositionOptions, read_position
from durak_solver.engine.strategy import UnfinishedError
from durak_solver.show.graphs import claim_text
from durak_solver.study.proof import proof as find_proof

if TYPE_CHECKING:
    import networkx

EXAMPLES = """
Examples:

durak proof "Ks7h7d/6s8h9d s a -" -o out.dot

durak proof "7d/8h h a -" --seat b
"""

_UNFINISHED = 1


class Seat(StrEnum):
    """Whose strategy it is."""

    A = "a"
    B = "b"


class Claim(StrEnum):
    """What the strategy holds."""

    WIN = "win"
    DRAW = "draw"


@options.with_groups
def proof(
    dpn: DPNArgument = None,
    *,
    written: export.GraphOptions,
    seat: Annotated[Seat | None, typer.Option(help="Whose strategy, if not the winner's.", show_default=False)] = None,
    at_least: Annotated[
        Claim | None, typer.Option(help="What it is to hold, if not the most.", show_default=False)
    ] = None,
    described: PositionOptions,
    style: options.StyleOption = None,
    nodes: options.Nodes = None,
    seconds: options.Seconds = None,
    table_mb: options.TableMB = 64,
) -> None:
    """Write a winning strategy as a graph: one move of the winner, every answer of the loser."""
    position = read_position(dpn, described)
    form = written.chosen_format()
    engine = options.make_engine(table_mb)
    try:
        with terminal.Bar(terminal.progress_console(terminal.out())) as bar:
            graph = find_proof(
                position,
                seat=seat,
                at_least=at_least,
                nodes=nodes,
                seconds=seconds,
                engine=engine,
                on_progress=lambda size: bar.update(0, f"{size:,} positions"),
            )
    except UnfinishedError as error:
        terminal.complain(f"Error: {error}")
        raise typer.Exit(terminal.INTERRUPTED if error.stopped == "interrupt" else _UNFINISHED) from None
    except ValueError as error:
        terminal.fail(terminal.message(error))
    export.write_graph(graph, written.output, form, style, _summary(graph))
    if graph.graph.get("stopped") == "interrupt":
        raise typer.Exit(terminal.INTERRUPTED)


def _summary(graph: networkx.DiGraph[str]) -> str:
    """Say what was found."""
    seat = graph.graph["seat"]
    own = sum(mover == seat for _, mover in graph.nodes(data="to_move"))
    cut = ", and there may be fewer: the search was ended early" if "stopped" in graph.graph else ""
    return f"{claim_text(graph)}; {len(graph):,} positions, in {own:,} of them it is {seat}'s turn{cut}"
