"""``durak graph``: everything that can follow from a position, written as a graph."""

from __future__ import annotations

from typing import Annotated

import typer

from durak_solver.cli import export, options, terminal
from durak_solver.study.graph import MOST
from durak_solver.study.graph import graph as find_graph

EXAMPLES = """
Examples:

durak graph "7s/7h8h h a - transfer=on" -o out.dot

durak graph "8s8cQdKd/7s7cTdJd h a - transfer=on" --format json
"""


def graph(
    dpn: options.DPNArgument = None,
    *,
    output: export.Output = None,
    form: export.Form = None,
    most: Annotated[int, typer.Option(min=1, metavar="N", help="Give up beyond so many positions.")] = MOST,
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
    style: options.StyleOption = None,
) -> None:
    """Write everything that can follow from a position as a graph, with its cycles marked.

    Each position is there once, with every legal move. Where the game can go round, as with transfers, positions have
    the number of their component in common, and in a drawing a bold line.
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
    position = options.read_position(dpn, flags)
    form = export.chosen_format(output, form)
    try:
        found = find_graph(position, most=most)
    except ValueError as error:
        terminal.fail(terminal.message(error))
    on_cycles = sum(labels["cycles"] for labels in found.nodes.values())
    summary = f"{len(found):,} positions, {on_cycles:,} of them on cycles"
    export.write_graph(found, output, form, style, summary)
