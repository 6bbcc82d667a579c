"""Graphs written to a file or to the standard output: what ``durak proof`` and ``durak graph`` share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from durak_solver.cli import files, terminal
from durak_solver.show.graphs import FORMATS, dot_text

if TYPE_CHECKING:
    import networkx


class Format(StrEnum):
    """How a graph is written."""

    DOT = "dot"
    GRAPHML = "graphml"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOptions:
    """Where a graph goes and how it is written."""

    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Not to the standard output.", show_default=False),
    ] = None
    form: Annotated[
        Format | None,
        typer.Option("--format", help="If the suffix of FILE does not tell.", show_default=False),
    ] = None

    def chosen_format(self) -> Format:
        """Return the format that a file is to have, or end with a message."""
        suffix = "" if self.output is None else self.output.suffix.lower().removeprefix(".")
        if self.form is None and self.output is not None and suffix not in FORMATS:
            terminal.fail(
                f"-o {self.output}: a file .dot, .graphml or .json was expected; for any other name say --format"
            )
        return self.form or Format(suffix or "dot")


def write_graph(
    graph: networkx.DiGraph[str], output: Path | None, form: Format, style: terminal.Style | None, summary: str
) -> None:
    """Write a graph, as a whole or not at all, or end with a message.

    The summary is said once there is a file.
    """
    if form is Format.DOT:
        text = dot_text(graph, terminal.card_style(style) if style or output is None else "unicode")
    else:
        text = FORMATS[form](graph)
    if output is None:
        print(text, end="")
    else:
        files.write_whole(output, text)
        print(f"{output}: {summary}")
