"""``durak hint``: the best move, and why."""

from __future__ import annotations

import typer

from durak_solver.cli import common
from durak_solver.study import explain

EXAMPLES = """
Examples:

durak hint "Ks7h7d/6s8h9d s a -"

durak hint --trump h --me "6♠ 7♦ 10♥" --opponent "6h 8h 9c" --attack me
"""


def hint(
    dpn: common.DPNArgument = None,
    *,
    trump: common.Trump = None,
    me: common.Me = None,
    opponent: common.Opponent = None,
    attack: common.Attack = None,
    table: common.Table = None,
    rules: common.RulesOption = None,
    style: common.StyleOption = None,
    nodes: common.Nodes = None,
    seconds: common.Seconds = None,
    table_mb: common.TableMB = 64,
) -> None:
    """Name the best move and say in one sentence why it is the best."""
    position = common.read_position(dpn, common.Flags(trump, me, opponent, attack, table, rules))
    console = common.out()
    engine = common.engine(table_mb)
    try:
        with common.Bar(common.progress_console(console)):
            found = explain.hint(engine, position, nodes=nodes, seconds=seconds, style=common.card_style(style))
    except ValueError as error:
        common.fail(common.message(error))
    console.print(found.sentence, soft_wrap=not console.is_terminal)
    if found.stopped == "interrupt":
        raise typer.Exit(common.INTERRUPTED)
