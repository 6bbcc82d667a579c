"""Proofs: strategies that hold what they claim, few positions, and a check that nothing false gets past."""

from __future__ import annotations

import io
import json
import pickle
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import durak_solver
from durak_solver import Engine, Position, ProofError, Value, proof, verify_proof
from durak_solver._core.search import Searcher
from durak_solver.engine.exact.strategy_search import SearchLimits, StateGraph, Tree
from durak_solver.engine.strategy import NoStrategyError, UnfinishedError
from durak_solver.game import core
from durak_solver.game.defects import IllegalPositionError, UnsupportedError
from durak_solver.show.graphs import dot_text, graphml_text, json_text
from tests.support import reference
from tests.support.program import environment, interrupted, run
from tests.support.strategies import OPTIONS, deal, states

if TYPE_CHECKING:
    Graph = nx.DiGraph[str]

WON, DRAWN, LOST = "Ks7h7d/6s8h9d s a -", "7d/8h h a -", "6h8c8dAc/8hAh6sKc s a -"
HARD = "6s8sTsQsAs6c7cTcJc7d9dJdAd6h7h9hKhAh/7s9sJsKs8c9cQcKcAc6d8dTdQdKd8hThJhQh h a -"
LONG = "6sQsQc9dTh/9s7cJcTd8h h a -"
# The last cards of a game are still to be drawn, and the lowest trump may be swapped for the turn-up.
STOCK = "9hThJhQhKs/9s9cTsTcJs h b - QsAh hand=5 exchange=on deck=24"


def random_position(rng: random.Random, most: int) -> Position:
    options = {name: rng.choice(values) for name, values in OPTIONS.items()}
    return Position.from_dpn(
        reference.write(deal(rng, options, (rng.randint(1, most), rng.randint(1, most)), rng.choice("scdh-")))
    )


def read_json(text: str) -> Graph:
    return cast("Graph", nx.node_link_graph(json.loads(text), edges="edges"))


def after_json(graph: Graph) -> Graph:
    return read_json(json_text(graph))


def after_graphml(graph: Graph) -> Graph:
    return cast("Graph", nx.read_graphml(io.BytesIO(graphml_text(graph).encode())))


def contents(graph: Graph) -> object:
    said = {name: value for name, value in graph.graph.items() if not name.endswith("_default")}
    return said, {node: graph.nodes[node] for node in graph}, {edge[:2]: edge[2] for edge in graph.edges(data=True)}


# -------------------------------------------------------------------------------------------------------- what is found


@given(states(most=3))
@settings(max_examples=150, deadline=None)
def test_random_positions(state: reference.RefState) -> None:
    position = Position.from_dpn(reference.write(state))
    graph = proof(position, engine=Engine(1))
    verify_proof(graph)
    mover, other = (position.to_move, "b" if position.to_move == "a" else "a")
    value = reference.solve(state)[0]
    claim = {"win": (mover, "win"), "draw": (mover, "draw"), "loss": (other, "win")}[value]
    assert (graph.graph["seat"], graph.graph["at_least"]) == claim
    assert graph.graph["root"] == position.to_dpn()
    for read in (after_json(graph), after_graphml(graph)):
        assert contents(read) == contents(graph)
        verify_proof(read)


@pytest.mark.parametrize(
    "dpn",
    [
        "6s7d8dTh/6h8h9c8s h a - lead=one",
        "6s6d7d7sTh/6h8h9cJc h a - pursuit=off lead=one",
        "6s6d7d/8h9c h b - rules=simple",
        "8d9d/6sTd s a 6d:7d both=attacker",
        STOCK,
    ],
)
def test_rules_and_phases(dpn: str) -> None:
    graph = proof(dpn)
    verify_proof(graph)
    value = durak_solver.solve(dpn).value
    position = Position.from_dpn(dpn)
    assert (graph.graph["seat"] == position.to_move) == (value is not Value.LOSS)
    assert graph.graph["at_least"] == ("draw" if value is Value.DRAW else "win")


def test_who_has_moves_to_choose() -> None:
    graph = proof(WON)
    for node in graph:
        position = Position.from_dpn(node)
        if position.phase != "over":
            choices = 1 if position.to_move == "a" else len(position.legal_moves)
            assert graph.out_degree(node) == choices
    assert graph.graph == {
        "schema": "durak.proof/1",
        "root": "Ks7d7h/6s9d8h s a -",
        "seat": "a",
        "at_least": "win",
        "search": graph.graph["search"],
    }
    assert graph.graph["search"] in ("smallest tree", "first moves")


def test_discards_are_left_out() -> None:
    graph = proof("7d/8h h a - - 6s6c")
    assert graph.graph["root"] == DRAWN
    assert contents(graph) == contents(proof(DRAWN))


def test_cards_that_only_seem_hidden() -> None:
    deck = "9s9c9d9hTsTcTdThJsJcJdJhQsQcQdQhKsKcKdKhAsAcAdAh"
    discard = deck.replace("As", "").replace("Kh", "")
    graph = proof(f"As/?1 h a - - {discard} deck=24")
    assert graph.graph["root"] == "As/Kh h a - deck=24"
    verify_proof(graph)


def test_lines_meet_again() -> None:
    """The same cards in the same places are one position, whatever the order in which they came there."""
    graph = proof("6s6c8d/7s7cJdQd h b -")
    keys = {
        (position.hands, position.attacker, position.taking, frozenset(position.table))
        for position in map(Position.from_dpn, graph)
    }
    assert len(keys) == len(graph)
    position = Position.from_dpn("6s6d/KsAc h a -")
    one, other = (position.play(first).play("take").play(second) for first, second in (("6s", "+6d"), ("6d", "+6s")))
    assert one != other
    assert core.bout_state(one) == core.bout_state(other)


def test_each_side_of_a_draw() -> None:
    for seat in ("a", "b", None):
        graph = proof(DRAWN, seat=seat)
        assert (graph.graph["seat"], graph.graph["at_least"]) == (seat or "a", "draw")
        verify_proof(graph)


def test_less_than_all_can_be_claimed() -> None:
    graph = proof(WON, at_least=Value.DRAW)
    assert (graph.graph["seat"], graph.graph["at_least"]) == ("a", "draw")
    assert len(graph) <= len(proof(WON))
    verify_proof(graph)
    assert proof(LOST, at_least="draw").graph["seat"] == "b"


@pytest.mark.parametrize(
    ("dpn", "asked", "error", "message"),
    [
        (
            DRAWN,
            {"at_least": "win"},
            NoStrategyError,
            "nobody can be sure of a win here: with best play the game is dr",
        ),
        (DRAWN, {"seat": "b", "at_least": Value.WIN}, NoStrategyError, "b cannot be sure of a win here"),
        (WON, {"seat": "b"}, NoStrategyError, "b cannot be sure of a draw here: with best play a wins"),
        (WON, {"seat": "c"}, ValueError, "seat='c' is not allowed: choose one of a, b"),
        (WON, {"seat": ""}, ValueError, "seat='' is not allowed"),
        (WON, {"at_least": "loss"}, ValueError, "at_least=loss is not allowed: choose one of win, draw"),
        (WON, {"at_least": "x"}, ValueError, "at_least=x is not allowed"),
        (WON, {"nodes": 0}, ValueError, "nodes=0 is not allowed"),
        ("6s/- s a -", {}, IllegalPositionError, "the game is over"),
        ("6s/7s s a 8s:7s", {}, IllegalPositionError, "7s is in more than one place"),
        ("6s/7s h a - transfer=on", {}, UnsupportedError, "under rules by which a position can come back"),
        ("6s/?1 s a -", {}, UnsupportedError, "hidden cards cannot be solved"),
        ("6s/7s", {}, ValueError, "TRUMP"),
    ],
)
def test_what_cannot_be_proved(dpn: str, asked: dict[str, Any], error: type[ValueError], message: str) -> None:
    with pytest.raises(error, match=message):
        proof(dpn, **asked)


# -------------------------------------------------------------------------------------------------- how small it is


def places(position: Position) -> object:
    table = [frozenset(a for a, d in position.table if (d is None) == open_) for open_ in (True, False)]
    return position.hands, position.attacker, position.taking, *table, frozenset(d for _, d in position.table if d)


class Brute:
    """Everything about the strategies of a small position, by the rules and without any cleverness."""

    def __init__(self, graph: Graph) -> None:
        self.seat = graph.graph["seat"]
        self.ends = {self.seat} if graph.graph["at_least"] == "win" else {self.seat, "draw"}
        self.root = Position.from_dpn(graph.graph["root"])
        self._known: dict[object, bool] = {}
        self._trees: dict[object, int] = {}
        self.tried = 0

    def keeps(self, position: Position) -> bool:
        key = places(position)
        if key not in self._known:
            if position.phase == "over":
                self._known[key] = position.outcome() in self.ends
            else:
                quantor = any if position.to_move == self.seat else all
                self._known[key] = quantor(self.keeps(position.play(move)) for move in position.legal_moves)
        return self._known[key]

    def groups(self, position: Position) -> list[list[Position]]:
        """Each way to go on: one move of the player, or all of the other one's."""
        if position.phase == "over":
            return [[]]
        after = [position.play(move) for move in position.legal_moves]
        return [[child] for child in after if self.keeps(child)] if position.to_move == self.seat else [after]

    def tree(self, position: Position) -> int:
        """Positions of the smallest tree."""
        key = places(position)
        if key not in self._trees:
            self._trees[key] = 1 + min(sum(map(self.tree, group)) for group in self.groups(position))
        return self._trees[key]

    def fewer(self, size: int) -> bool:
        """Whether there is a strategy with fewer positions."""
        return self._fewer([self.root], frozenset({places(self.root)}), size)

    def _fewer(self, todo: list[Position], seen: frozenset[object], size: int) -> bool:
        self.tried += 1
        if len(seen) >= size or self.tried > 5_000:
            return False
        if not todo:
            return True
        position, *rest = todo
        for group in self.groups(position):
            new = [child for child in group if places(child) not in seen]
            if self._fewer([*rest, *new], seen | set(map(places, new)), size):
                return True
        return False


def test_hardly_ever_is_there_a_smaller_one() -> None:
    rng, engine, whole, smaller = random.Random(11), Engine(1), 0, 0
    for _ in range(120):
        graph = proof(random_position(rng, 3), engine=engine)
        brute = Brute(graph)
        smaller += brute.fewer(len(graph))
        whole += brute.tried <= 5_000
    assert whole > 60
    assert smaller <= 2  # of 500 others one, with 33 positions instead of 35


def test_the_smallest_tree_is_found() -> None:
    rng, engine = random.Random(12), Engine(1)
    for _ in range(60):
        graph = proof(random_position(rng, 3), engine=engine)
        brute = Brute(graph)
        searcher = Searcher(1 << 16)
        searcher.start(None, None)
        game = StateGraph(SearchLimits(searcher, None), "ab".index(brute.seat), 0 if "draw" in brute.ends else 1)
        root = game.number(core.bout_state(brute.root))
        tree = Tree(game, 1_000_000)
        assert tree.solve(root)
        assert tree.bound(root) == brute.tree(brute.root), brute.root
        assert len(graph) <= tree.bound(root)


def test_too_much_work_for_the_smallest_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = proof(LONG)
    monkeypatch.setattr("durak_solver.engine.exact.strategy_search._TREE_WORK", 10)
    graph = proof(LONG)
    verify_proof(graph)
    assert (graph.graph["search"], "stopped" in graph.graph) == ("first moves", False)
    assert len(whole) <= len(graph)


def test_it_is_the_same_each_time() -> None:
    engine = Engine()
    assert contents(proof(LONG, engine=engine)) == contents(proof(LONG, engine=engine)) == contents(proof(LONG))


# ---------------------------------------------------------------------------------------------------------- the limits


@pytest.mark.parametrize("limit", [{"nodes": 100}, {"seconds": 0.05}])
def test_limits_without_a_strategy(limit: dict[str, Any]) -> None:
    work = time.process_time()
    with pytest.raises(UnfinishedError, match=r"no strategy was found: the (time|limit)") as caught:
        proof(HARD, **limit)
    assert caught.value.stopped == next(iter(limit))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert time.process_time() - work < 2


def test_a_limit_leaves_what_was_found_by_then() -> None:
    sizes: list[int] = []
    graph = proof(LONG, nodes=1_000, on_progress=sizes.append)
    assert graph.graph["stopped"] == "nodes"
    assert sizes[-1] == len(graph)
    verify_proof(after_graphml(graph))
    assert len(proof(LONG)) < len(graph)


def test_stop_from_elsewhere() -> None:
    engine = Engine()
    graph = proof(LONG, engine=engine, on_progress=lambda size: engine.stop())
    assert graph.graph["stopped"] == "interrupt"
    verify_proof(graph)
    assert "stopped" not in proof(WON, engine=engine).graph


# -------------------------------------------------------------------------------------------------- what is refused

Change = Callable[[Any, random.Random], str]
CHANGES: list[Change] = []


def change(function: Change) -> Change:
    CHANGES.append(function)
    return function


def some_node(graph: Graph, rng: random.Random, fits: Callable[[Position], bool]) -> tuple[str, Position]:
    found = [(node, position) for node in graph if fits(position := Position.from_dpn(node))]
    return rng.choice(found)


def some_edge(graph: Graph, rng: random.Random) -> tuple[str, str]:
    node, target = rng.choice(list(graph.edges))
    return node, target


@change
def drop_an_edge(graph: Graph, rng: random.Random) -> str:
    graph.remove_edge(*some_edge(graph, rng))
    return r"no move leads here|there is no answer to|there must be one move, not no move"


@change
def drop_a_node(graph: Graph, rng: random.Random) -> str:
    graph.remove_node(rng.choice(list(graph)))
    return r"no move leads here|no answer to|not no move|is not among the nodes"


@change
def another_legal_move(graph: Graph, rng: random.Random) -> str:
    node, position = some_node(graph, rng, lambda p: p.phase != "over" and len(p.legal_moves) > 1)
    target = next(iter(graph[node]))
    others = [str(move) for move in position.legal_moves if str(move) != graph[node][target]["move"]]
    graph[node][target]["move"] = rng.choice(others)
    return "does not lead to|is there twice"


@change
def an_illegal_move(graph: Graph, rng: random.Random) -> str:
    node, target = some_edge(graph, rng)
    graph[node][target]["move"] = "exchange"
    return "exchange is not legal"


@change
def no_move_at_all(graph: Graph, rng: random.Random) -> str:
    node, target = some_edge(graph, rng)
    graph[node][target]["move"] = rng.choice(["", "x", "6s:", 5])
    return "is not a move"


@change
def an_edge_without_a_move(graph: Graph, rng: random.Random) -> str:
    node, target = some_edge(graph, rng)
    del graph[node][target]["move"]
    return "an edge does not say its move"


@change
def a_move_in_other_words(graph: Graph, rng: random.Random) -> str:
    node, target = rng.choice([edge for edge in graph.edges if graph.edges[edge]["move"] == "done"])
    graph[node][target]["move"] = "pass"
    return "the written form of the move 'pass' is done"


@change
def a_second_move_of_the_winner(graph: Graph, rng: random.Random) -> str:
    seat = graph.graph["seat"]
    node, position = some_node(graph, rng, lambda p: p.to_move == seat and len(p.legal_moves) > 1)
    (played,) = (graph.edges[edge]["move"] for edge in graph.out_edges(node))
    other = rng.choice([move for move in position.legal_moves if str(move) != played])
    after = position.play(other)
    name = Position.build(*after.hands, after.trump, after.attacker, table=after.table, rules=after.rules).to_dpn()
    name = name if not after.taking else str(after).replace(f" {after.discard}", "")
    if name not in graph:
        labels = {"phase": after.phase, "to_move": after.to_move, "outcome": after.outcome()}
        graph.add_node(name, **{key: value for key, value in labels.items() if value})
    graph.add_edge(node, name, move=str(other))
    return r"there must be one move, not 2 moves: |not as claimed|no answer to|not no move|canonical form"


@change
def a_wrong_label(graph: Graph, rng: random.Random) -> str:
    node = rng.choice(list(graph))
    name = rng.choice(list(graph.nodes[node]))
    graph.nodes[node][name] = rng.choice(["x", "", None, 3])
    return f"{name} is labelled .*, but it is "


@change
def a_label_is_missing(graph: Graph, rng: random.Random) -> str:
    node = rng.choice(list(graph))
    name = rng.choice(list(graph.nodes[node]))
    del graph.nodes[node][name]
    return f"{name} is missing, but it is"


@change
def a_label_too_many(graph: Graph, rng: random.Random) -> str:
    node, _ = some_node(graph, rng, lambda p: p.phase != "over")
    graph.nodes[node]["outcome"] = "a"
    return "outcome is labelled 'a', but there is none"


@change
def a_renamed_node(graph: Graph, rng: random.Random) -> str:
    """The attacker changes, and so does who moves: the labels, or what the moves lead to, are wrong then."""
    old = rng.choice([node for node in graph if node != graph.graph["root"]])
    a, trump, attacker, *rest = old.split(" ")
    new = " ".join([a, trump, "b" if attacker == "a" else "a", *rest])
    if new in graph:
        graph.remove_node(old)
        return "."
    nx.relabel_nodes(graph, {old: new}, copy=False)
    return "."


@change
def a_node_that_is_no_position(graph: Graph, rng: random.Random) -> str:
    old = rng.choice([node for node in graph if node != graph.graph["root"]])
    nx.relabel_nodes(graph, {old: rng.choice(["x", "6s/7s h a 8s8s", old + " limit=0"])}, copy=False)
    return "no position can be read|not a legal position"


@change
def a_node_with_discards(graph: Graph, rng: random.Random) -> str:
    old, position = some_node(graph, rng, lambda p: p.discard_size > 0 and not p.stock)
    fields = old.split(" ")
    fields[4:4] = ["-", str(position.unseen[0])]
    if old == graph.graph["root"]:
        graph.graph["root"] = " ".join(fields)
    nx.relabel_nodes(graph, {old: " ".join(fields)}, copy=False)
    return "its canonical form is"


@change
def a_cycle(graph: Graph, rng: random.Random) -> str:
    node = rng.choice(list(graph))
    graph.add_edge(node, graph.graph["root"], move="done")
    return "the moves from here lead back to it"


@change
def a_position_by_itself(graph: Graph, rng: random.Random) -> str:
    graph.add_node("-/2s h a - deck=52", phase="over", outcome="a")
    return "no move leads here, and it is not the root"


@change
def a_move_after_the_end(graph: Graph, rng: random.Random) -> str:
    ends = [node for node in graph if graph.nodes[node]["phase"] == "over"]
    graph.add_edge(ends[0], "-/2s h a - deck=52", move="done")
    graph.nodes["-/2s h a - deck=52"].update(phase="over", outcome="a")
    return "the game is over here, but a move leads on|not as claimed"


@change
def the_other_seat(graph: Graph, rng: random.Random) -> str:
    graph.graph["seat"] = "b" if graph.graph["seat"] == "a" else "a"
    return "not as claimed|there must be one move|no answer to"


@change
def another_root(graph: Graph, rng: random.Random) -> str:
    graph.graph["root"] = rng.choice([node for node in graph if node != graph.graph["root"]] + ["6s/7s s a -", 7])
    return "no move leads here, and it is not the root|is not among the nodes"


@change
def something_not_said(graph: Graph, rng: random.Random) -> str:
    name = rng.choice(["schema", "root", "seat", "at_least"])
    del graph.graph[name]
    return f"the graph does not say: {name}"


@change
def something_not_allowed(graph: Graph, rng: random.Random) -> str:
    name = rng.choice(["schema", "seat", "at_least"])
    graph.graph[name] = rng.choice(["x", "", 1, ["win"], "loss"])
    return f"{name}=.* is not allowed"


@pytest.fixture(scope="module")
def proofs() -> list[Graph]:
    rng, engine = random.Random(13), Engine(1)
    found = [proof(random_position(rng, 4), engine=engine) for _ in range(50)]
    found += [proof(random_position(rng, 4), engine=engine, at_least="draw") for _ in range(10)]
    return [graph for graph in found if len(graph) > 8]


@pytest.mark.parametrize("function", CHANGES, ids=lambda function: function.__name__)
def test_a_changed_proof_is_refused(function: Change, proofs: list[Graph]) -> None:
    rng, refused = random.Random(14), 0
    for original in proofs:
        graph = original.copy()
        verify_proof(graph)
        try:
            pattern = function(graph, rng)
        except (IndexError, ValueError):  # there is nothing of that kind to be changed
            continue
        with pytest.raises(ProofError, match=pattern) as caught:
            verify_proof(graph)
        assert caught.value.node is None or caught.value.node in graph
        assert "\n" not in str(caught.value)
        refused += 1
    assert refused >= 10


def test_a_weaker_claim_is_true_as_well_and_a_stronger_one_is_not() -> None:
    graph = proof(WON)
    graph.graph["at_least"] = "draw"
    verify_proof(graph)
    graph = proof(DRAWN)
    graph.graph["at_least"] = "win"
    with pytest.raises(ProofError, match="not as claimed: the outcome is draw"):
        verify_proof(graph)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([5], "a node must be the DPN of a position"),
        (["6s/?1 s a -"], "cards are hidden"),
        (["?1/6s s a -"], "cannot be listed while cards of that hand are unknown"),
        (["6s/7s h a -\n"], "its canonical form is 6s/7s h a -"),
    ],
)
def test_nodes_that_cannot_be_played_on(nodes: list[Any], message: str) -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph(schema="durak.proof/1", root=nodes[0], seat="a", at_least="win")
    graph.add_nodes_from(nodes)
    with pytest.raises(ProofError, match=message):
        verify_proof(graph)


@pytest.mark.parametrize("other", [nx.Graph(), nx.MultiDiGraph(), nx.DiGraph(), {}, None, "x"])
def test_what_is_no_proof_at_all(other: Any) -> None:
    with pytest.raises(ProofError, match=r"a proof is a networkx.DiGraph, not a|the graph does not say: schema"):
        verify_proof(other)


def test_the_error_survives_another_process() -> None:
    error = ProofError("6s/7s h a -", "there is no answer to b's take")
    assert str(error) == "in '6s/7s h a -': there is no answer to b's take"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_no_search_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = proof(WON)

    def no_search(*_: object) -> None:
        raise AssertionError("a search")

    monkeypatch.setattr("durak_solver.engine.exact.memory.Searcher", no_search)
    monkeypatch.setattr("durak_solver.study.proof.find_strategy", no_search)
    verify_proof(graph)


# ------------------------------------------------------------------------------------------------------------ the text

DOT = r"""digraph proof {
  graph [label="a holds at least a draw; trump h; 6 positions"]
  node [fontname="monospace"]
  n0 [label="a: 7d\nb: 8h\na leads", shape=box, tooltip="7d/8h h a -"]
  n1 [label="a: -\nb: 8h\ntable: 7d\nb defends", shape=ellipse, tooltip="-/8h h a 7d"]
  n2 [label="a: -\nb: 8h\ntable: 7d\na may give", shape=box, tooltip="-/8h h a 7d*"]
  n3 [label="a: -\nb: 7d 8h\na wins", shape=ellipse, peripheries=2, tooltip="-/7d8h h a -"]
  n4 [label="a: -\nb: -\ndraw", shape=ellipse, peripheries=2, tooltip="-/- h a -"]
  n0 -> n1 [label="7d"]
  n1 -> n4 [label="7d:8h"]
  n1 -> n2 [label="take"]
  n2 -> n3 [label="done"]
}
"""


def test_dot() -> None:
    assert dot_text(proof(DRAWN), "ascii") == DOT.replace("6 positions", "5 positions")
    russian = dot_text(proof(DRAWN), "russian")
    assert "В" not in russian and 'label="7♦:8♥"' in russian


def test_dot_shows_stock_and_rules() -> None:
    lines = dot_text(proof(STOCK), "ascii").splitlines()
    assert "trump h, deck=24 hand=5 exchange=on; " in lines[1]
    assert r"\nstock: Qs Ah\n" in lines[3]


def read_dot(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if "->" in line:
            source, _, target = line.split()[:3]
            yield source, target


def test_dot_has_every_edge() -> None:
    graph = proof(LONG)
    nodes = {node: f"n{number}" for number, node in enumerate(graph)}
    assert list(read_dot(dot_text(graph))) == [(nodes[a], nodes[b]) for a, b in graph.edges]


# ---------------------------------------------------------------------------------------------------- the command line


def test_command_writes_to_the_standard_output() -> None:
    result = run("proof", DRAWN, "--style", "ascii")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == DOT.replace("6 positions", "5 positions")
    graph = proof(WON)
    assert run("proof", WON, "--format", "json").stdout == json_text(graph)
    assert run("proof", WON, "--format", "graphml").stdout == graphml_text(graph)


@pytest.mark.parametrize("suffix", ["dot", "graphml", "json", "DOT"])
def test_command_writes_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out.{suffix}"
    path.write_text("something else", encoding="ascii")
    result = run("proof", WON, "-o", str(path))
    graph = proof(WON)
    own = sum(labels.get("to_move") == "a" for labels in graph.nodes.values())
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{path}: a wins; {len(graph)} positions, in {own} of them it is a's turn\n"
    expected = {"json": json_text, "graphml": graphml_text}.get(suffix, dot_text)(graph)
    assert path.read_text(encoding="utf-8") == expected
    assert list(tmp_path.iterdir()) == [path]


def test_command_options(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    hand = ["--trump", "h", "--me", "7d", "--opponent", "8h"]
    result = run("proof", *hand, "-o", str(path), "--format", "json", "--seat", "b", "--at-least", "draw")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{path}: b holds at least a draw; ")
    graph = read_json(path.read_text(encoding="ascii"))
    verify_proof(graph)
    assert graph.graph["root"] == DRAWN


@pytest.mark.parametrize(
    ("args", "code", "error"),
    [
        ([DRAWN, "--at-least", "win"], 2, "nobody can be sure of a win here: with best play the game is drawn"),
        ([WON, "-o", "out.png"], 2, "-o out.png: a file .dot, .graphml or .json was expected"),
        ([WON, "-o", "out"], 2, "-o out: a file .dot, .graphml or .json was expected"),
        ([WON, "-o", "no/such/folder/out.dot"], 2, "no/such/folder/out.dot cannot be written: no such file"),
        ([HARD, "--nodes", "1000"], 1, "no strategy was found: the limit of nodes was reached too early"),
        ([HARD, "--seconds", "0.05"], 1, "no strategy was found: the time was up too early"),
        (["6s6s/7s h a -"], 2, "not a legal position:\n  - 6s is in more than one place"),
        (["6s/- h a -"], 2, "not a legal position:\n  - the game is over"),
        (["6s/?3 h a -"], 2, "positions with hidden cards cannot be solved"),
        (["6s7s h a -"], 2, "HANDS: "),
        ([], 2, "no position is given"),
    ],
)
def test_command_errors(args: list[str], code: int, error: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("proof", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(f"Error: {error}")
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_replaced_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "out.dot"
    path.mkdir()
    result = run("proof", WON, "-o", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {path} cannot be written: is a directory\n"
    assert list(tmp_path.iterdir()) == [path]


def test_ctrl_c_before_there_is_a_strategy(tmp_path: Path) -> None:
    path = tmp_path / "out.dot"
    out, errors = interrupted("proof", HARD, "-o", str(path), begun=lambda _, errors: "strategy" in errors)
    assert (out, errors) == ("", "Error: no strategy was found: the search was interrupted too early\n")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_leaves_what_was_found_by_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(position: Position, **how: Any) -> Graph:
        return proof(position, **{**how, "on_progress": lambda size: how["engine"].stop()})

    monkeypatch.setattr("durak_solver.cli.proof.find_proof", interrupted)
    path = tmp_path / "out.json"
    result = run("proof", LONG, "-o", str(path))
    assert result.exit_code == 130
    assert "and there may be fewer: the search was ended early\n" in result.stdout
    verify_proof(read_json(path.read_text(encoding="ascii")))


def test_networkx_is_not_loaded_without_need() -> None:
    code = "import sys, durak_solver.cli.app; print('networkx' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], env=environment(), text=True) == "False\n"


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_the_command_proves_what_it_says(seed: int) -> None:
    position = random_position(random.Random(seed), 3)
    result = run("proof", "--format", "json", "--", str(position))
    graph = read_json(result.stdout)
    verify_proof(graph)
    assert graph.graph["root"] == str(position)
