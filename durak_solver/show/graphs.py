"""Proofs and graphs of games as text: DOT for a drawing, GraphML and JSON for other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from durak_solver.game.position import SEATS, Position
from durak_solver.notation.cards import format_card
from durak_solver.notation.moves import format_move
from durak_solver.notation.rules import format_rules

if TYPE_CHECKING:
    import networkx

    Graph = networkx.DiGraph[str]

_TURNS: Final = {"lead": "leads", "defend": "defends", "throw": "may throw in", "give": "may give"}


def claim_text(graph: Graph) -> str:
    """Say what a proof proves, such as ``"a wins"``."""
    return f"{graph.graph['seat']} {'wins' if graph.graph['at_least'] == 'win' else 'holds at least a draw'}"


def dot_text(graph: Graph, style: str = "unicode") -> str:
    """Write a proof or the graph of a game in DOT, the language of Graphviz.

    In a proof, boxes are the positions in which the one move of the strategy is played, ellipses those in which every
    move of the other player is answered. In the graph of a game, boxes are a's turns and ellipses b's, and positions
    to which the game can come back have a bold line. The ends of the game have a double line. Each has its DPN as a
    tooltip.
    """
    return "\n".join(_dot_lines(graph, style)) + "\n"


def graphml_text(graph: Graph) -> str:
    """Write a graph as GraphML, which `networkx.read_graphml` reads."""
    import networkx as nx  # noqa: PLC0415  (slow to load)

    return "\n".join(nx.generate_graphml(graph)) + "\n"


def json_text(graph: Graph) -> str:
    """Write a graph as JSON, which `networkx.node_link_graph` with ``edges="edges"`` makes a graph again."""
    import networkx as nx  # noqa: PLC0415  (slow to load)

    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1) + "\n"


FORMATS: Final[dict[str, Callable[[Graph], str]]] = {"dot": dot_text, "graphml": graphml_text, "json": json_text}
"""What writes a graph, by the name of the format, which is also the suffix of its files."""


def _dot_lines(graph: Graph, style: str) -> Iterator[str]:
    positions = {node: Position.from_dpn(node) for node in graph}
    names = {node: f"n{number}" for number, node in enumerate(graph)}
    root, is_proof = positions[graph.graph["root"]], "seat" in graph.graph
    seat = graph.graph["seat"] if is_proof else "a"
    about = claim_text(graph) if is_proof else "all that can follow"
    rules = format_rules(root.rules)
    title = f"{about}; trump {root.trump or '-'}{', ' if rules else ''}{rules}; {len(graph):,} positions"
    yield f"digraph {'proof' if is_proof else 'game'} {{"
    yield f"  graph [label={_quoted(title)}]"
    yield '  node [fontname="monospace"]'
    for node, position in positions.items():
        shape = "box" if position.to_move == seat else "ellipse"
        end = (
            ", peripheries=2" if position.phase == "over" else ", style=bold" if graph.nodes[node].get("cycles") else ""
        )
        label = _quoted("\n".join(_label(position, style)))
        yield f"  {names[node]} [label={label}, shape={shape}{end}, tooltip={_quoted(node)}]"
    for node, target, labels in graph.edges(data=True):
        moves = [labels["move"], *labels.get("also", "").split()]
        label = "\n".join(format_move(positions[node].parse_move(move), style) for move in moves)
        yield f"  {names[node]} -> {names[target]} [label={_quoted(label)}]"
    yield "}"


def _label(position: Position, style: str) -> Iterator[str]:
    """Yield the lines that describe a position."""
    for seat, hand in zip(SEATS, position.hands, strict=True):
        yield f"{seat}: {' '.join(format_card(card, style) for card in hand) or '-'}"
    if position.table:
        pairs = (":".join(format_card(card, style) for card in pair if card is not None) for pair in position.table)
        yield f"table: {' '.join(pairs)}"
    if position.stock:
        yield f"stock: {' '.join(format_card(card, style) for card in position.stock if card is not None)}"
    outcome = position.outcome()
    if outcome is None:
        yield f"{position.to_move} {_TURNS[position.phase]}"
    else:
        yield "draw" if outcome == "draw" else f"{outcome} wins"


def _quoted(text: str) -> str:
    """Write a text as DOT has it; a line break in it is one in the drawing."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
