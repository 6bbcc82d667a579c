"""Bounds of the value of a state, with straps and repetition, found by asking the search."""

from __future__ import annotations

from dataclasses import dataclass

from durak_solver._core.search import Searcher
from durak_solver._core.state import OVER, State
from durak_solver.model.rules import Rules


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of the value of a state, for its attacker.

    Attributes
    ----------
    lower, upper
        From -1 to 1.
    straps
        Most straps that the winner can hang; None if that is not known yet.
    repetition
        Whether it is a draw because neither player can force an end that is at least a draw for them; None if that is
        not known yet.
    """

    lower: int
    upper: int
    straps: int | None = 0
    repetition: bool | None = False

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left open."""
        return self.lower == self.upper and self.straps is not None and self.repetition is not None


def search_bounds(searcher: Searcher, state: State, rules: Rules, budget: int | None = None) -> Bounds:
    """Bound the value of a state by a search that has its limits already, with a budget of nodes for each question."""
    if state.phase == OVER:
        value = {2: 0, state.attacker: 1}.get(state.winner, -1)
        return Bounds(value, value, state.straps)
    lower, upper = searcher.bounds(state, budget)
    if lower < upper:
        return Bounds(lower, upper, None if rules.straps else 0)
    if lower:
        return Bounds(lower, upper, _straps(searcher, state, lower, budget) if rules.straps else 0)
    return Bounds(0, 0, repetition=_repetition(searcher, state, budget) if rules.can_cycle else False)


def _repetition(searcher: Searcher, state: State, budget: int | None) -> bool | None:
    """Tell whether neither seat can force an end that is at least a draw for it; None if a limit comes first."""
    ends = [searcher.ends(state, seat, budget) for seat in (0, 1)]
    return False if True in ends else None if None in ends else True


def _straps(searcher: Searcher, state: State, value: int, budget: int | None) -> int | None:
    """Return the most straps that the winner can hang, tried one by one; None if a limit ends that."""
    straps = 0
    while True:
        lower, upper = searcher.bounds(state, budget, straps + 1)
        if lower < upper:
            return None
        if lower != value:
            return straps
        straps += 1
