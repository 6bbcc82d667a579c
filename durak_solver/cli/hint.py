"""``durak hint``: the best move, and why."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any

import typer

from durak_solver.cli import options, terminal
from durak_solver.engine.results import Analysis, Estimate
from durak_solver.study import explain

EXAMPLES = """
Examples:

durak hint "Ks7h7d/6s8h9d s a -"

durak hint --trump h --me "6♠ 7♦ 10♥" --opponent "6h 8h 9c" --attack me

durak hint --me "6♠ 7♦ 10♥ K♠ 9♣ 8♥" --turn-up 7h --stock 4 --opponent-has "9h"
"""


def hint(
    dpn: options.DPNArgument = None,
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
    style: options.StyleOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write what analyse --json does, instead of a sentence.")
    ] = False,
    distance: options.Distance = False,
    nodes: options.Nodes = None,
    seconds: options.Seconds = None,
    table_mb: options.TableMB = 64,
    method: options.Method = "pimc",
    samples: options.Samples = None,
    seed: options.Seed = 0,
) -> None:
    """Name the best move and say in one sentence why it is the best.

    Where cards are hidden: the best one by estimate, its chances, and how sure they are. A point is a hundredth of a
    win, and a draw counts half.
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
    console = terminal.out()
    engine = options.make_engine(table_mb)
    how: dict[str, Any] = {
        "method": method,
        "samples": samples,
        "seed": seed,
        "nodes": nodes,
        "seconds": seconds,
        "distance": distance,
    }
    found: Analysis | Estimate | explain.Hint
    try:
        with terminal.Bar(terminal.progress_console(console)) as bar:
            how["on_progress"] = partial(bar.show, samples=samples)
            if as_json:
                found = engine.estimate(position, **how)
            else:
                found = explain.hint(engine, position, style=terminal.card_style(style), **how)
    except ValueError as error:
        terminal.fail(terminal.message(error))
    if isinstance(found, explain.Hint):
        console.print(found.sentence, soft_wrap=not console.is_terminal)
    else:
        print(json.dumps(found.to_dict()))
    if found.stopped == "interrupt":
        raise typer.Exit(terminal.INTERRUPTED)
