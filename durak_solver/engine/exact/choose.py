"""The move to play in an open position, at less cost than grading all of them."""

from __future__ import annotations

from typing import Final

from durak_solver._core import policies
from durak_solver._core.search import Searcher
from durak_solver._core.state import DEFEND, OVER, State
from durak_solver.engine.exact.bounds import search_bounds
from durak_solver.model.rules import Rules

_FIRST_BUDGET: Final = 2_000
_BUDGET_GROWTH: Final = 8
_STRAPS_BUDGET: Final = 200_000
_LONGEST: Final = 1000  # moves; without transfers no game lasts nearly as long

CoreMove = tuple[int, int, int]


def choose_move(searcher: Searcher, state: State, rules: Rules) -> CoreMove:
    """Return a best move, or what looks best when a limit ends the search, which was started before.

    Among equals, or where the value is not known, it is the move with which the game ends best when both players go on
    by the rollout policy. Where a position can come back, a move that leaves a win may still lead round for ever: a won
    game is played along a line that ends. Where straps are played, the line is the best for these.
    """
    moves = state.moves()
    seat = 1 - state.attacker if state.phase == DEFEND else state.attacker
    children = [state.play(*move) for move in moves]
    bounds = [(-1, 1)] * len(moves)
    budget = _FIRST_BUDGET
    if rules.straps and (move := _for_straps(searcher, state, rules)):
        return move
    while any(lower < upper for lower, upper in bounds) and searcher.stopped is None:
        for i, child in enumerate(children):
            if bounds[i][0] < bounds[i][1] and searcher.stopped is None:
                bounds[i] = _bounds(searcher, child, seat, budget)
                if bounds[i][0] == 1:
                    cycles = rules.can_cycle
                    line = searcher.line(state, 1 if seat == state.attacker else -1) if cycles else ()
                    return line[0] if line else moves[i]
        budget *= _BUDGET_GROWTH
    guesses = [_rollout(child, seat) for child in children]
    return max(zip(bounds, guesses, moves, strict=True), key=lambda known: _promise(*known[:2]))[2]


def _for_straps(searcher: Searcher, state: State, rules: Rules) -> CoreMove | None:
    """Return the move that is best for the straps of a game that somebody wins, if it is found within a budget."""
    found = search_bounds(searcher, state, rules, _STRAPS_BUDGET)
    line = searcher.line(state, found.lower, found.straps or 0) if found.is_exact and found.lower else ()
    return line[0] if line else None


def _bounds(searcher: Searcher, child: State, seat: int, budget: int) -> tuple[int, int]:
    """Return what is known of a state within a budget of nodes, for a seat."""
    if child.phase == OVER:
        return _outcome(child, seat), _outcome(child, seat)
    lower, upper = searcher.bounds(child, budget)
    return (lower, upper) if child.attacker == seat else (-upper, -lower)


def _rollout(state: State, seat: int) -> int:
    """Return how the game ends for a seat when both players follow the rollout policy; a draw if it goes round."""
    for _ in range(_LONGEST):
        if state.phase == OVER:
            return _outcome(state, seat)
        state = state.play(*policies.rules(state))
    return 0


def _outcome(state: State, seat: int) -> int:
    return 0 if state.winner == 2 else 1 if state.winner == seat else -1


def _promise(bounds: tuple[int, int], guess: int) -> tuple[float, float]:
    """Return what to hope from a move: what is proved, and the guess where that leaves room."""
    lower, upper = bounds
    return max(lower, min(upper, guess)), guess
