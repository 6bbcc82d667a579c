"""Strategies: one move for one player wherever it is their turn, whatever the other does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from durak_solver._core.state import State
from durak_solver.engine.engine import Engine, legal_position
from durak_solver.engine.exact.solver import AnySolver
from durak_solver.engine.exact.strategy_search import Draft, SearchLimits, StateGraph, Stopped, smallest
from durak_solver.engine.results import Value
from durak_solver.game import core
from durak_solver.game.position import SEATS, Position
from durak_solver.model.messages import STOP_REASONS
from durak_solver.model.moves import Move

_GOALS: Final = {Value.WIN: 1, Value.DRAW: 0}


class UnfinishedError(ValueError):
    """A limit or Ctrl-C came before there was a whole strategy.

    Attributes
    ----------
    stopped
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
    seat
        Whose strategy it is: ``"a"`` or ``"b"``.
    at_least
        What it holds, whatever the other player does: ``Value.WIN`` or ``Value.DRAW``.
    positions
        All that can be reached, the root first; where the same cards can be played in several orders, the table shows
        the first.
    moves
        Where from, the move and where to, as indices into `positions`: one move where it is the player's turn, every
        legal one where it is not.
    smallest_tree
        Whether it comes from the strategy with the smallest tree, rather than from the first one found.
    stopped
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
    position: Position | str,
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
    seat
        Whose strategy; if not given, that of the player who can be sure of `at_least`, and of the player to move if
        both can.
    at_least
        ``Value.WIN`` or ``Value.DRAW``; if not given, the most that the player can be sure of.
    nodes, seconds
        As for `Engine.solve`.
    on_progress
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
    asked = legal_position(position)
    known = asked.deduced() or asked
    if seat is not None and seat not in tuple(SEATS):
        raise ValueError(f"seat={seat!r} is not allowed: choose one of a, b")
    if at_least is not None and at_least not in _GOALS:
        raise ValueError(f"at_least={at_least!r} is not allowed: choose one of win, draw")

    def search(solver: AnySolver) -> _Found:
        limits = solver.values()
        state = core.solvable_state(known)
        try:
            number, goal = _claim(limits, state, known.to_move, seat, at_least)
            graph = StateGraph(limits, number, goal)
            return _Found(number, goal, graph, *smallest(graph, graph.number(state), on_progress))
        except Stopped:
            raise UnfinishedError(limits.stopped or "nodes") from None

    found = engine.ask(asked, search, nodes=nodes, seconds=seconds)
    positions, moves = _written_out(found.graph, found.draft, known)
    claim = next(value for value, least in _GOALS.items() if least == found.goal)
    return Strategy(SEATS[found.number], claim, positions, moves, found.smallest_tree, found.graph.limits.stopped)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a search has found: a seat's number, the least value that it holds, and how."""

    number: int
    goal: int
    graph: StateGraph
    draft: Draft
    smallest_tree: bool


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
    graph: StateGraph, draft: Draft, position: Position
) -> tuple[tuple[Position, ...], tuple[tuple[int, Move, int], ...]]:
    """Return a strategy as positions and moves."""
    order = draft.in_order()
    places = {number: place for place, number in enumerate(order)}
    positions = {order[0]: position}
    moves: list[tuple[int, Move, int]] = []
    for number in order:
        state, after = graph.states[number], set(draft.after(number))
        for move in state.moves() if after else ():
            answer = graph.number(state.play(*move))
            if answer in after:
                played = core.from_core(move, position.trump)
                if answer not in positions:
                    positions[answer] = positions[number].play(played)
                moves.append((places[number], played, places[answer]))
    return tuple(positions[number] for number in order), tuple(moves)
