"""Hints as people read them."""

from __future__ import annotations

from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.results import Analysis
from durak_solver.show.hint import hint_text
from durak_solver.study.hint import Hint, preferred_move


def said(hint: Hint, style: str = "ascii") -> str:
    return hint_text(hint.move, hint.found, hint.answers, style)


def explained(found: Analysis | Estimate, style: str = "ascii") -> str:
    """What is said of a result when the opponent's answers were not looked at."""
    return hint_text(preferred_move(found), found, None, style)
