"""``durak show``: a position drawn in the terminal."""

from __future__ import annotations

from durak_solver.cli import options, terminal
from durak_solver.game.defects import IllegalPositionError
from durak_solver.show.position import position_text

EXAMPLES = """
Examples:

durak show "6s7dTh/6h8h9c h a -"

durak show "6s7dQdThKs/9c,?3 h b 6c:8c,6d ?11,7h 9h8s" --style russian

durak show --trump h --me "6♠ 7♦" --opponent "8h 9c" --attack opponent --table "6c"
"""


def show(
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
) -> None:
    """Draw a position: both hands, the table, whose turn it is and what is legal.

    A position that is not legal is drawn too; what is wrong with it follows, and the exit code is 2.
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
    drawing = position_text(position, terminal.card_style(style), width=terminal.text_width(console))
    console.print(drawing, soft_wrap=True)
    defects = position.status()
    if defects and position.phase != "over":
        terminal.fail(terminal.message(IllegalPositionError(defects)))
