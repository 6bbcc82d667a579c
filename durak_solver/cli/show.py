"""``durak show``: a position drawn in the terminal."""

from __future__ import annotations

from durak_solver.cli import options, terminal
from durak_solver.cli.position_options import DPNArgument, PositionOptions, read_position
from durak_solver.game.defects import IllegalPositionError
from durak_solver.show.position import position_text

EXAMPLES = """
Examples:

durak show "6s7dTh/6h8h9c h a -"

durak show "6s7dQdThKs/9c,?3 h b 6c:8c,6d ?11,7h 9h8s" --style russian

durak show --trump h --me "6♠ 7♦" --opponent "8h 9c" --attack opponent --table "6c"
"""


@options.with_groups
def show(
    dpn: DPNArgument = None,
    *,
    described: PositionOptions,
    style: options.StyleOption = None,
) -> None:
    """Draw a position: both hands, the table, whose turn it is and what is legal.

    A position that is not legal is drawn too; what is wrong with it follows, and the exit code is 2.
    """
    position = read_position(dpn, described)
    console = terminal.out()
    drawing = position_text(position, terminal.card_style(style), width=terminal.text_width(console))
    console.print(drawing, soft_wrap=True)
    defects = position.status()
    if defects and position.phase != "over":
        terminal.fail(terminal.message(IllegalPositionError(defects)))
