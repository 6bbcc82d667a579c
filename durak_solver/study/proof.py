"""Proofs: a winning strategy as a graph, and a check of such a graph by the rules alone.

The shape of the graph, all of it strings, so that it can be written as GraphML or JSON and read back:

- A **node** is a position in canonical DPN, without discards. It has ``phase`` (``"lead"``, ``"defend"``, ``"throw"``,
  ``"give"`` or ``"over"``) and ``to_move`` (``"a"`` or ``"b"``), or at the end of the game ``outcome`` (``"a"``,
  ``"b"`` or ``"draw"``) instead.
- An **edge** is a ``move`` in its written form.
- The **graph** has ``schema`` ("durak.proof/1"), ``root``, ``seat`` (whose strategy it is) and ``at_least`` ("win" or
  "draw": what it holds); also ``search``, which says how it was found, and ``stopped`` if something ended the search
  for a smaller one early.

Where it is the seat's turn one move leads on, elsewhere every legal move does; all ends are as claimed. Positions that
have the same cards in the same places are one node, so lines meet again, and there is no cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final

from durak_solver.engine.engine import Engine
from durak_solver.engine.results import Value
from durak_solver.engine.strategy import find_strategy
from durak_solver.game import core
from durak_solver.game.defects import UnsupportedError
from durak_solver.game.position import SEATS, Position
from durak_solver.model.messages import quoted
from durak_solver.model.moves import Move, MoveError
from durak_solver.notation.dpn import DPNError
from durak_solver.study.graph import node_labels, node_name

if TYPE_CHECKING:
    import networkx

    Graph = networkx.DiGraph[str]

SCHEMA: Final = "durak.proof/1"
"""Name and version of the shape that a proof has."""

_CLAIMS: Final = (Value.WIN, Value.DRAW)
_LABELS: Final = ("phase", "to_move", "outcome")


class ProofError(ValueError):
    """A graph does not prove what it claims.

    Attributes
    ----------
    node
        The position at fault; None if it is the graph as a whole.
    """

    def __init__(self, node: object, reason: str) -> None:
        # All arguments go to the base class, so that the error survives being sent to another process.
        super().__init__(node, reason)
        self.node = node
        self.reason = reason

    def __str__(self) -> str:
        return self.reason if self.node is None else f"in {quoted(self.node, 200)}: {self.reason}"


def proof(
    position: Position | str,
    *,
    seat: str | None = None,
    at_least: Value | str | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    engine: Engine | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Graph:
    """Find a winning strategy, with few positions, as a graph that proves the value of a position.

    For a won position it is that of the player to move, for a lost one that of the opponent, and for a drawn one the
    player to move holds at least a draw by it (that the opponent can do so too takes a proof of its own, with `seat`).

    The fewest positions possible are not promised: to find them is NP-hard in general, since positions that lines share
    count once. See `durak_solver.engine.strategy` for what is done instead.

    Parameters
    ----------
    position
        A position, or its DPN.
    seat
        Whose strategy to find, ``"a"`` or ``"b"``.
    at_least
        What it is to hold: ``Value.WIN`` or ``Value.DRAW``. If not given, the most that the player can be sure of.
    nodes
        Search at most this many game states.
    seconds
        Search at most this long.
    engine
        What to search with; a new one if not given.
    on_progress
        Called now and then with the number of positions that the strategy has so far.

    Returns
    -------
    networkx.DiGraph
        As described in `durak_solver.study.proof`. When a limit or Ctrl-C ends the search for a smaller strategy: the
        smallest one found by then.

    Raises
    ------
    NoStrategyError
        If the player cannot be sure of what is claimed.
    UnfinishedError
        If a limit or Ctrl-C comes before there is any strategy.
    IllegalPositionError, UnsupportedError, ValueError
        As for `Engine.solve`; also if there is no such seat, or `at_least` is something else.

    Examples
    --------
    >>> graph = proof("Ks7h/6s8h s a -")
    >>> graph.graph["seat"], graph.graph["at_least"], len(graph)
    ('a', 'win', 13)
    """
    if isinstance(position, str):
        position = Position.from_dpn(position)
    found = find_strategy(
        engine or Engine(),
        position,
        seat=seat,
        at_least=_claim(at_least),
        nodes=nodes,
        seconds=seconds,
        on_progress=on_progress,
    )
    import networkx as nx  # noqa: PLC0415  (slow to load, and not needed if there is nothing to prove)

    names = [node_name(known) for known in found.positions]
    graph: Graph = nx.DiGraph(schema=SCHEMA, root=names[0], seat=found.seat, at_least=str(found.at_least))
    graph.graph["search"] = "smallest tree" if found.smallest_tree else "first moves"
    if found.stopped is not None:
        graph.graph["stopped"] = found.stopped
    for name, known in zip(names, found.positions, strict=True):
        graph.add_node(name, **node_labels(known))
    for before, move, after in found.moves:
        graph.add_edge(names[before], names[after], move=str(move))
    return graph


def verify_proof(graph: Graph) -> None:
    """Check by the rules alone, without any search, that a graph proves what it claims.

    Parameters
    ----------
    graph
        As `proof` returns it, or read back from GraphML or JSON.

    Raises
    ------
    ProofError
        If it does not; says in which position, and why.
    """
    import networkx as nx  # noqa: PLC0415  (slow to load)

    if not isinstance(graph, nx.DiGraph) or graph.is_multigraph():
        raise ProofError(None, f"a proof is a networkx.DiGraph, not a {type(graph).__name__}")
    seat, ends, root = _claimed(graph)
    if root not in graph:
        raise ProofError(None, f"the root {quoted(root, 200)} is not among the nodes")
    if not nx.is_directed_acyclic_graph(graph):
        raise ProofError(nx.find_cycle(graph)[0][0], "the moves from here lead back to it")
    for node in graph:
        # In a graph without cycles all nodes are reached from the root if it is the only one that nothing leads to.
        if node != root and not graph.in_degree(node):
            raise ProofError(node, "no move leads here, and it is not the root")
    positions = {node: _position(node, labels) for node, labels in graph.nodes(data=True)}
    for node, position in positions.items():
        if position.phase == "over":
            if position.outcome() not in ends:
                raise ProofError(node, f"the game ends here, but not as claimed: the outcome is {position.outcome()}")
            if graph.out_degree(node):
                raise ProofError(node, "the game is over here, but a move leads on")
        else:
            _check_moves(graph, node, positions, seat)


# ------------------------------------------------------------------------------------------------------------- building


def _claim(value: Value | str | None) -> Value | None:
    try:
        claim = None if value is None else Value(value)
    except ValueError:
        claim = Value.UNKNOWN
    if claim not in (None, *_CLAIMS):
        raise ValueError(f"at_least={value!s} is not allowed: choose one of {', '.join(_CLAIMS)}")
    return claim


# ------------------------------------------------------------------------------------------------------------- checking


def _claimed(graph: Graph) -> tuple[str, tuple[str, ...], object]:
    """Return whose strategy a graph is said to be, how the game may end, and the root."""
    said: dict[str, Any] = {name: graph.graph.get(name) for name in ("schema", "root", "seat", "at_least")}
    missing = [name for name, value in said.items() if value is None]
    if missing:
        raise ProofError(None, f"the graph does not say: {', '.join(missing)}")
    for name, allowed in (("schema", (SCHEMA,)), ("seat", tuple(SEATS)), ("at_least", tuple(map(str, _CLAIMS)))):
        if said[name] not in allowed:
            choice = f"choose one of {', '.join(allowed)}" if len(allowed) > 1 else f"it must be {allowed[0]}"
            raise ProofError(None, f"{name}={quoted(said[name])} is not allowed: {choice}")
    ends = (said["seat"],) if said["at_least"] == Value.WIN else (said["seat"], "draw")
    return said["seat"], ends, said["root"]


def _position(node: object, labels: dict[str, Any]) -> Position:
    """Read the position of a node, and check what the node says of it."""
    if not isinstance(node, str):
        raise ProofError(node, "a node must be the DPN of a position")
    try:
        position = Position.from_dpn(node)
        if position.is_round:
            raise UnsupportedError("proofs are not made with rules=round, where a position can come back")
        core.rule_set(position.rules, position.trump)
        position.legal_moves  # noqa: B018  (that there are any)
    except DPNError as error:
        raise ProofError(node, f"no position can be read: {error.field}: {error.reason}") from None
    except ValueError as error:
        raise ProofError(node, str(error)) from None
    if any(position.unknown) or None in position.stock:
        raise ProofError(node, "cards are hidden")
    if node != node_name(position):
        raise ProofError(node, f"its canonical form is {node_name(position)}")
    right = node_labels(position)
    for name in _LABELS:
        if labels.get(name) != right.get(name):
            said = f"is labelled {quoted(labels[name])}" if name in labels else "is missing"
            fact = f"it is {right[name]}" if name in right else "there is none"
            raise ProofError(node, f"{name} {said}, but {fact}")
    return position


def _check_moves(graph: Graph, node: str, positions: dict[str, Position], seat: str) -> None:
    """Check that the edges are legal moves that lead where they should, and that none is missing."""
    position, played = positions[node], set[Move]()
    for _, target, labels in graph.out_edges(node, data=True):
        move = _move(node, position, labels.get("move"))
        if move in played:
            raise ProofError(node, f"the move {move} is there twice")
        played.add(move)
        if _places(position.play(move)) != _places(positions[target]):
            raise ProofError(node, f"{move} does not lead to {quoted(target, 200)}")
    who = position.to_move
    if who == seat and len(played) != 1:
        what = f"{len(played)} moves: {', '.join(sorted(map(str, played)))}" if played else "no move"
        raise ProofError(node, f"it is {who}'s turn, whose strategy it is: there must be one move, not {what}")
    missing = [] if who == seat else [str(move) for move in position.legal_moves if move not in played]
    if missing:
        raise ProofError(node, f"there is no answer to {who}'s {missing[0]}")


def _move(node: str, position: Position, text: object) -> Move:
    """Read the move of an edge."""
    if text is None:
        raise ProofError(node, "an edge does not say its move")
    try:
        move = position.parse_move(str(text))
    except MoveError as error:
        raise ProofError(node, str(error)) from None
    if str(move) != text:
        raise ProofError(node, f"the written form of the move {quoted(text)} is {move}")
    return move


def _places(position: Position) -> Hashable:
    """Return what has to be equal for a game to go on alike: the same cards in the same places, and the same turn."""
    table = position.table
    return (
        (position.rules, position.trump, position.attacker, position.taking, position.shown),
        (position.hands, position.unknown, position.stock),
        frozenset(attack for attack, defence in table if defence is None),
        frozenset(attack for attack, defence in table if defence is not None),
        frozenset(defence for _, defence in table if defence is not None),
    )
