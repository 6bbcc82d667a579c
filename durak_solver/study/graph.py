"""The graph of a game: everything that can follow from a position, with the places where the game can go round.

The shape of the graph, so that it can be written as GraphML or JSON and read back:

- A **node** is a position in canonical DPN, without discards (unless the rules ask for their order: ``short=bita``). It
  has ``phase`` (``"lead"``, ``"defend"``, ``"throw"``, ``"give"`` or ``"over"``) and ``to_move`` (``"a"`` or ``"b"``),
  or at the end of the game ``outcome`` (``"a"``, ``"b"`` or ``"draw"``) instead, and ``straps`` if any are hung.
- ``component`` is the number of its strongly connected component: two nodes have the same if each can follow from the
  other. No move leads to a smaller number, so the root's is 0. ``cycles`` says whether there are several such nodes.
- An **edge** is a ``move`` in its written form. If other moves lead to the same node, as a beat may with
  ``short=limit``, they are in ``also``, with spaces between them. So every legal move is there.
- The **graph** has ``schema`` ("durak.graph/1") and ``root``.

Positions that have the same cards in the same places are one node, as in a proof.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from durak_solver.game import core
from durak_solver.game.defects import UnsupportedError
from durak_solver.game.legality import require_legal
from durak_solver.game.position import Position
from durak_solver.model.moves import Move

if TYPE_CHECKING:
    import networkx

    Graph = networkx.DiGraph[str]

SCHEMA: Final = "durak.graph/1"
"""Name and version of the shape that the graph of a game has."""

MOST: Final = 100_000
"""Most nodes if nothing else is said: some seconds, and some hundred megabytes."""


def graph(position: Position | str, *, most: int = MOST) -> Graph:
    """Return everything that can follow from a position as a graph, with its cycles marked.

    Parameters
    ----------
    position
        A position, or its DPN; all cards must be known.
    most
        Most nodes that the graph may have.

    Returns
    -------
    networkx.DiGraph
        As described in `durak_solver.study.graph`; the position is its first node.

    Raises
    ------
    IllegalPositionError
        If the position has defects; the end of a game is allowed.
    UnsupportedError
        If cards are hidden.
    ValueError
        If there would be more nodes.

    Examples
    --------
    >>> found = graph("8s8cQdKd/7s7cTdJd h a - transfer=on")
    >>> len(found), sum(cycles for _, cycles in found.nodes(data="cycles"))
    (7094, 22)
    """
    if most < 1:
        raise ValueError(f"most={most} is not allowed: it must be at least 1")
    positions, moves = _explored(_open(position), most)
    import networkx as nx  # noqa: PLC0415  (slow to load, and not needed if there is nothing to return)

    names = [node_name(found) for found in positions]
    result: Graph = nx.DiGraph(schema=SCHEMA, root=names[0])
    for name, found in zip(names, positions, strict=True):
        straps = {"straps": found.straps} if found.straps else {}
        result.add_node(name, **node_labels(found), **straps)
    for before, move, after in moves:
        _add_move(result, names[before], names[after], str(move))
    # A component is found only after all that can follow from it.
    components = list(nx.strongly_connected_components(result))
    for number, component in enumerate(reversed(components)):
        for name in component:
            result.nodes[name].update(component=number, cycles=len(component) > 1)
    return result


def node_name(position: Position) -> str:
    """Return the node of a position: its DPN without the discards, which are gone and depend on the line played.

    They stay where a transfer may take cards from the discard.
    """
    takes_discards = position.rules.transfer and position.rules.short == "bita"
    return (position if takes_discards else replace(position, discard=())).to_dpn()


def node_labels(position: Position) -> dict[str, str]:
    """Return what a node says of its position: ``phase``, and ``to_move`` or ``outcome``."""
    labels = {"phase": position.phase, "to_move": position.to_move, "outcome": position.outcome()}
    return {name: label for name, label in labels.items() if label is not None}


def _add_move(result: Graph, before: str, after: str, move: str) -> None:
    """Add an edge, or another move to one that is there."""
    if not result.has_edge(before, after):
        result.add_edge(before, after, move=move)
        return
    labels = result.edges[before, after]
    labels["also"] = f"{labels['also']} {move}" if "also" in labels else move


def _open(position: Position | str) -> Position:
    """Return a position with every card in its place."""
    if isinstance(position, str):
        position = Position.from_dpn(position)
    require_legal(position)
    known = position.deduced()
    if known is None:
        raise UnsupportedError("there is no graph of a position with hidden cards")
    return known


def _explored(root: Position, most: int) -> tuple[list[Position], list[tuple[int, Move, int]]]:
    """Return all that can follow from a position, itself first, and the moves between them by number."""
    first = root if root.is_round else core.solvable_state(root)
    numbers: dict[Hashable, int] = {first: 0}
    states: list[Hashable] = [first]
    positions = [root]
    moves: list[tuple[int, Move, int]] = []
    for before, state in enumerate(states):  # which grow
        for move, after in _following(state, root.trump):
            number = numbers.setdefault(after, len(states))
            if number == most:
                raise ValueError(f"more than {most:,} positions can follow from here: take fewer cards, or allow more")
            if number == len(states):
                states.append(after)
                positions.append(positions[before].play(move))
            moves.append((before, move, number))
    return positions, moves


def _following(state: Hashable, trump: str | None) -> Iterator[tuple[Move, Hashable]]:
    """Yield each legal move and what it leads to. The core does not know the round game."""
    if isinstance(state, Position):
        for move in state.legal_moves:
            yield move, state.play(move)
    else:
        yield from core.successors(state, trump)
