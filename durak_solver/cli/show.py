"""``durak show``: a position drawn in the terminal."""

from __future__ import annotations

from durak_solver.cli import common
from durak_solver.show.text import position_text
from durak_solver.status import IllegalPositionError

EXAMPLES = """
Examples:

durak show "6s7dTh/6h8h9c h a -"

durak show "6s7dQdThKs/9c,?3 h b 6c:8c,6d ?11,7h 9h8s" --style russian

durak show --trump h --me "6♠ 7♦" --opponent "8h 9c" --attack opponent --table "6c"
"""


def show(
    dpn: common.DPNArgument = None,
    *,
    trump: common.Trump = None,
    me: common.Me = None,
    opponent: common.Opponent = None,
    attack: common.Attack = None,
    table: common.Table = None,
    rules: common.RulesOption = None,
    style: common.StyleOption = None,
) -> None:
    """Draw a position: both hands, the table, whose turn it is and what is legal.

    A position that is not legal is drawn too; what is wrong with it follows, and the exit code is 2.
    """
    position = common.read_position(dpn, common.Flags(trump, me, opponent, attack, table, rules))
    console = common.out()
    drawing = position_text(position, common.card_style(style), width=common.text_width(console))
    console.print(drawing, soft_wrap=True)
    defects = position.status()
    if defects and position.phase != "over":
        common.fail(common.message(IllegalPositionError(defects)))
