"""Strategies: one move for one player wherever it is his turn, whatever the other does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from durak_solver._core.state import State
from durak_solver.engine.engine import Engine, _open
from durak_solver.engine.exact.strategy_search import Draft, SearchLimits, StateGraph, Stopped, smallest
from durak_solver.engine.results import Value
from durak_solver.game import core
from durak_solver.game.defects import UnsupportedError
from durak_solver.game.position import SEATS, Position
from durak_solver.model.messages import STOP_REASONS
from durak_solver.model.moves import Move

_GOALS: Final = {Value.WIN: 1, Value.DRAW: 0}


class UnfinishedError(ValueError):
    """A limit or Ctrl-C came before there was a whole strategy.

    Attributes
    ----------
    stopped : str
        ``"nodes"``, ``"seconds"``, ``"memory"`` or ``"interrupt"``.
    """

    def __init__(self, stopped: str) -> None:
        super().__init__(stopped)
        self.stopped = stopped

    def __str__(self) -> str:
        return f"no strategy was found: {STOP_REASONS[self.stopped]} too early"


class NoStrategyError(ValueError):
    """The player cannot be sure of what is claimed."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """What one player does in a position and in all that can follow.

    Attributes
    ----------
    seat : str
        Whose strategy it is: ``"a"`` or ``"b"``.
    at_least : Value
        What it holds, whatever the other player does: ``Value.WIN`` or ``Value.DRAW``.
    positions : tuple of Position
        All that can be reached, the first one first; of several ways to play the same cards only the first shows in
        the table.
    moves : tuple
        Where from, the move and where to, as indices into `positions`: one move where it is the player's turn, every
        legal one where it is not.
    smallest_tree : bool
        Whether it comes from the strategy with the smallest tree, rather than from the first one found.
    stopped : str or None
        What ended the search for a smaller one early: ``"nodes"``, ``"seconds"``, ``"memory"`` or ``"interrupt"``.
    """

    seat: str
    at_least: Value
    positions: tuple[Position, ...]
    moves: tuple[tuple[int, Move, int], ...]
    smallest_tree: bool
    stopped: str | None


def find_strategy(
    engine: Engine,
    position: Position,
    *,
    seat: str | None = None,
    at_least: Value | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Strategy:
    """Find a strategy over few positions.

    Parameters
    ----------
    engine : Engine
    position : Position
    seat : str, optional
        Whose strategy; if not given, that of the player who can be sure of `at_least`, and of the player to move if
        both can.
    at_least : Value, optional
        ``Value.WIN`` or ``Value.DRAW``; if not given, the most that the player can be sure of.
    nodes : int, optional
        Search at most this many game states.
    seconds : float, optional
        Search at most this long.
    on_progress : callable, optional
        Called now and then with the number of positions that the strategy has so far.

    Returns
    -------
    Strategy
        When a limit or Ctrl-C ends the search for a smaller one: the smallest found by then.

    Raises
    ------
    NoStrategyError
        If the player cannot be sure of what is claimed.
    UnfinishedError
        If a limit or Ctrl-C comes before there is any.
    IllegalPositionError, UnsupportedError, ValueError
        As for `Engine.solve`; also if there is no such seat, or the claim is neither a win nor a draw.
    """
    known = _open(position)
    if seat is not None and seat not in tuple(SEATS):
        raise ValueError(f"seat={seat!r} is not allowed: choose one of a, b")
    if at_least is not None and at_least not in _GOALS:
        raise ValueError(f"at_least={at_least!r} is not allowed: choose one of win, draw")
    if known.rules.game == "round":
        raise UnsupportedError("proofs are not made with rules=round, where a position can come back")
    state = core.solvable_state(known)
    if known.rules.can_cycle:
        raise UnsupportedError("no proof is found under rules by which a position can come back (transfer=on, show=on)")
    with engine._lock:
        engine._start(nodes, seconds)
        engine._use_tables(known)
        limits = SearchLimits(engine._searcher, seconds)
        try:
            with engine._interruptible():
                number, goal = _claim(limits, state, known.to_move, seat, at_least)
                game = StateGraph(limits, number, goal)
                root = game.number(state)
                draft, smallest_tree = smallest(game, root, on_progress)
        except Stopped:
            raise UnfinishedError(limits.stopped or "nodes") from None
    positions, moves = _written_out(game, draft, root, known)
    claim = next(value for value, least in _GOALS.items() if least == goal)
    return Strategy(SEATS[number], claim, positions, moves, smallest_tree, limits.stopped)


def _claim(
    limits: SearchLimits, state: State, mover: str | None, seat: str | None, at_least: Value | None
) -> tuple[int, int]:
    """Return whose strategy is to be found, and the least value that it has to hold."""
    first = SEATS.index(seat or mover or "a")
    value = limits.value(state, first)
    goal = None if at_least is None else _GOALS[at_least]
    if seat is None and value < (0 if goal is None else goal):
        first, value = 1 - first, -value
    if goal is None:
        goal = max(value, 0)
    if value < goal:
        who = f"{SEATS[first]} cannot be sure of" if seat else "nobody can be sure of"
        what = "a win" if goal else "a draw"
        ends = {1: f"{SEATS[first]} wins", 0: "the game is drawn", -1: f"{SEATS[1 - first]} wins"}[value]
        raise NoStrategyError(f"{who} {what} here: with best play {ends}")
    return first, goal


def _written_out(
    game: StateGraph, draft: Draft, root: int, position: Position
) -> tuple[tuple[Position, ...], tuple[tuple[int, Move, int], ...]]:
    """Return a strategy as positions and moves."""
    order = draft.in_order()
    places = {number: place for place, number in enumerate(order)}
    positions = {root: position}
    moves: list[tuple[int, Move, int]] = []
    for number in order:
        state, after = game.states[number], set(draft.after(number))
        for move in state.moves() if after else ():
            answer = game.number(state.play(*move))
            if answer in after:
                played = core.from_core(move, position.trump)
                if answer not in positions:
                    positions[answer] = positions[number].play(played)
                moves.append((places[number], played, places[answer]))
    return tuple(positions[number] for number in order), tuple(moves)
