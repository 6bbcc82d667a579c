"""``durak show``: a position drawn in the terminal."""

from __future__ import annotations

from durak_solver.cli import options, terminal
from durak_solver.cli.position_options import DPNArgument, PositionOptions, read_position
from durak_solver.game.defects import IllegalPositionError
from durak_solver.show.position import position_text

EXAMPLES = """
Examples:

durak show "6s7dTh/6h8h9c h a -"

durak show --trump h --me "6♠ 7♦" --opponent "8h 9c" --table "6c"
"""


@options.with_groups
def show(
    dpn: DPNArgument = None,
    *,
    described: PositionOptions,
    style: options.StyleOption = None,
) -> None:
    """Draw a position, legal or not: both hands, the table, whose turn it is and what is legal."""
    position = read_position(dpn, described)
    console = terminal.out()
    drawing = position_text(position, terminal.card_style(style), width=terminal.text_width(console))
    console.print(drawing, soft_wrap=True)
    defects = position.status()
    if defects and position.phase != "over":
        terminal.fail(terminal.message(IllegalPositionError(defects)))
