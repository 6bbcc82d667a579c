"""``durak hint``: the best move, and why."""

from __future__ import annotations

import json
from functools import partial

import typer

from durak_solver.cli import options, terminal
from durak_solver.cli.position_options import DPNArgument, PositionOptions, read_position
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.results import Analysis
from durak_solver.show.hint import hint_text
from durak_solver.study.hint import Hint, find_hint

EXAMPLES = """
Examples:

durak hint "Ks7h7d/6s8h9d s a -"

durak hint --me "6♠ 7♦ 10♥ K♠ 9♣ 8♥" --turn-up 7h --stock 4
"""


@options.with_groups
def hint(
    dpn: DPNArgument = None,
    *,
    described: PositionOptions,
    style: options.StyleOption = None,
    as_json: options.Json = False,
    search: options.SearchOptions,
) -> None:
    """Name the best move and say in one sentence why it is the best."""
    position = read_position(dpn, described)
    console = terminal.out()
    engine = options.make_engine(search.table_mb)
    found: Analysis | Estimate | Hint
    try:
        with terminal.Bar(terminal.progress_console(console)) as bar:
            ask = engine.estimate if as_json else partial(find_hint, engine)
            found = ask(position, on_progress=partial(bar.show, samples=search.samples), **search.for_engine())
    except ValueError as error:
        terminal.fail(terminal.message(error))
    if isinstance(found, Hint):
        sentence = hint_text(found.move, found.found, found.answers, terminal.card_style(style))
        console.print(sentence, soft_wrap=not console.is_terminal)
    else:
        print(json.dumps(found.to_dict()))
    if found.stopped == "interrupt":
        raise typer.Exit(terminal.INTERRUPTED)
