"""Whether a layout is legal, whichever game is played."""

from __future__ import annotations

from durak_solver.game import round_game
from durak_solver.game.defects import Defect, IllegalPositionError, position_defects
from durak_solver.model.layout import Layout


def defects(layout: Layout) -> tuple[Defect, ...]:
    """Return everything that is wrong with a layout."""
    return round_game.defects(layout) if layout.is_round else position_defects(layout)


def require_legal(layout: Layout) -> None:
    """Refuse a layout that is neither legal nor the end of a game."""
    if layout._known_legal:
        return
    found = defects(layout)
    if found and [defect.code for defect in found] != ["game_over"]:
        raise IllegalPositionError(found)
    mark_legal(layout)


def mark_legal(layout: Layout) -> None:
    """Note that a layout need not be checked again."""
    object.__setattr__(layout, "_known_legal", True)
