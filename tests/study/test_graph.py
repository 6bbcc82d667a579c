"""The graph of a game: what is in it, and the solver against a fixed point over it, in plain Python."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from durak_solver import Engine, IllegalPositionError, Position, UnsupportedError, Value, graph
from durak_solver.game import core
from durak_solver.show.graphs import dot_text, graphml_text, json_text
from durak_solver.study.graph import SCHEMA
from tests.support import reference
from tests.support.program import environment, run
from tests.support.strategies import ALL_OPTIONS

Graph = nx.DiGraph

HEARTS = "8s8cQdKd/7s7cTdJd h a - rules=perevodnoy"
SPADES = "7s8s7d/6c8c6d8d s a - rules=perevodnoy"
SMALL = "7s/7h8h h a - rules=perevodnoy-show"
ENGINE = Engine(table_mb=16)
MOST = 1_500


@st.composite
def small_positions(draw: st.DrawFn, /, **fixed: str) -> Position:
    """A bout start with few cards of few ranks under any mix of all options, and all discards."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    options = {key: rng.choice(values) for key, values in ALL_OPTIONS.items()} | fixed
    deck = sorted(reference.deck_cards(int(options["deck"])), key=reference.order)
    trump = "d" if options["lock"] == "s" else rng.choice("scdh")
    ranks = rng.sample(sorted({reference.rank(card) for card in deck}), rng.randint(2, 4))
    cards = [card for card in deck if reference.rank(card) in ranks]
    rng.shuffle(cards)
    a = rng.randint(1, 4)
    b = rng.randint(1, min(4, 6 - a))
    hands = f"{reference.written(cards[:a])}/{reference.written(cards[a : a + b])}"
    gone = [card for card in deck if card not in cards[: a + b]]
    rng.shuffle(gone)
    words = " ".join(f"{key}={value}" for key, value in options.items())
    return Position.from_dpn(f"{hands} {trump} {rng.choice('ab')} - - {''.join(gone)} {words}")


def small_graph(position: Position) -> Graph[str]:
    try:
        found = graph(position, most=MOST)
    except ValueError as error:
        assert f"more than {MOST:,} positions" in str(error)
        assume(False)
        raise
    return found


def answers(found: Graph[str], node: str) -> dict[str, str]:
    """Return where each move leads from a node."""
    edges = ((target, found.edges[node, target]) for target in found.successors(node))
    return {move: target for target, labels in edges for move in (labels["move"], *labels.get("also", "").split())}


# ---------------------------------------------------------------------------------------------------- the fixed point


def scores(found: Graph[str]) -> dict[str, int]:
    """Score every node for a, 1 for a win and 1 more for each strap: what neither player can force is 0."""
    forced: dict[str, int] = {}
    for seat, sign in (("a", 1), ("b", -1)):
        ends = {
            node: 1 + labels.get("straps", 0) for node, labels in found.nodes.items() if labels.get("outcome") == seat
        }
        # Moves that do not lead to what is forced yet.
        others = dict(found.out_degree)
        for wanted in sorted(set(ends.values()), reverse=True):
            reached = [node for node, score in ends.items() if score == wanted]
            forced.update(dict.fromkeys(reached, sign * wanted))
            while reached:
                for before in found.predecessors(reached.pop()):
                    if before not in forced:
                        others[before] -= 1
                        if found.nodes[before]["to_move"] == seat or not others[before]:
                            forced[before] = sign * wanted
                            reached.append(before)
    return {node: forced.get(node, 0) for node in found}


def own_score(found: Graph[str], node: str, score: int) -> int:
    """Return the score of a position for the player who is to move at a node."""
    return score if found.nodes[node]["to_move"] == "a" else -score


def written(score: int) -> str:
    """Write a score as the reference does."""
    if not score:
        return "draw"
    return ("win" if score > 0 else "loss") + (f"+{abs(score) - 1}" if abs(score) > 1 else "")


def value(score: int) -> Value:
    sign = (score > 0) - (score < 0)
    return Value.from_bounds(sign, sign)


def require_the_solver_agrees(found: Graph[str], node: str, scored: dict[str, int], engine: Engine) -> None:
    analysis = engine.analyse(Position.from_dpn(node))
    after = answers(found, node)
    assert {str(graded.move): graded.value for graded in analysis.moves} == {
        move: value(own_score(found, node, scored[target])) for move, target in after.items()
    }
    expected = value(own_score(found, node, scored[node]))
    assert (analysis.value, engine.solve(Position.from_dpn(node)).value) == (expected, expected)


def some_nodes(found: Graph[str], seed: int, count: int) -> Iterator[str]:
    """Yield the root and some other nodes at which there is a move: more of those on cycles, if there are any."""
    rng = random.Random(seed)
    inner = [node for node in found if found.out_degree(node)]
    on_cycles = [node for node in inner if found.nodes[node]["cycles"]] or inner
    yield from itertools.islice(found, 1)
    yield from (rng.choice(rng.choice((inner, on_cycles))) for _ in range(count))


@settings(max_examples=40, deadline=None)
@given(position=small_positions(), seed=st.integers(0, 2**32))
def test_the_solver_finds_the_fixed_point(position: Position, seed: int) -> None:
    found = small_graph(position)
    scored = scores(found)
    for engine in (ENGINE, Engine(table_mb=0, tables=False)):
        for node in some_nodes(found, seed, 3):
            require_the_solver_agrees(found, node, scored, engine)


@settings(max_examples=40, deadline=None)
@given(
    position=small_positions(transfer="on", exchange="off", straps="off", limit="6"),
    seed=st.integers(0, 2**32),
)
def test_the_solver_finds_the_fixed_point_with_transfers(position: Position, seed: int) -> None:
    found = small_graph(position)
    scored = scores(found)
    for node in some_nodes(found, seed, 6):
        require_the_solver_agrees(found, node, scored, ENGINE)


@settings(max_examples=40, deadline=None)
@given(position=small_positions(straps="9"))
def test_straps_are_graded(position: Position) -> None:
    found = small_graph(position)
    root = found.graph["root"]
    scored = scores(found)
    known, moves = reference.solve(reference.parse(position.to_dpn().replace("rules=pogony", "straps=6")))
    assert written(own_score(found, root, scored[root])) == known
    after = answers(found, root)
    assert {move: written(own_score(found, root, scored[target])) for move, target in after.items()} == moves


@pytest.mark.parametrize("dpn", [HEARTS, SPADES])
@pytest.mark.parametrize("tables", [True, False])
def test_the_two_cycles_of_the_field(dpn: str, tables: bool) -> None:
    found = graph(dpn)
    assert found.graph["root"] == dpn
    assert found.nodes[dpn]["cycles"]
    cycle = [node for node, labels in found.nodes.items() if labels["component"] == 0]
    assert nx.is_strongly_connected(found.subgraph(cycle))
    assert len(nx.find_cycle(found, dpn)) > 1
    scored = scores(found)
    for node in cycle:
        require_the_solver_agrees(found, node, scored, Engine(table_mb=8, tables=tables))


def test_the_line_that_comes_back() -> None:
    found = graph(HEARTS)
    line = ["8s", "take", "done", "8c", ">8s", "take", "done", "7s", "take", "done", "7c", ">7s", "take", "done"]
    position, passed = Position.from_dpn(HEARTS), [HEARTS]
    for move in line:
        target = answers(found, passed[-1])[move]
        position = position.play(move)
        assert Position.from_dpn(target).hands == position.hands
        passed.append(target)
    assert passed[-1] == HEARTS
    assert {found.nodes[node]["component"] for node in passed} == {0}


@pytest.mark.parametrize(
    "dpn",
    [
        "Ac9h/9sTh h a Jd:Kh,Jh:Qh,Jc:Qc Kc9dAh deck=24 hand=5 exchange=on",
        "Ts/Jh c a Tc:Jc,Jd:9c,Th:Qh,9s:Qc Kc deck=24 hand=5 transfer=on short=limit overflow=on",
        "JcKd/9hTh d a Qc:Ad,As:9d,9c:Tc Qd KcKsQhJsAhQsTsJhAcTdKhJd9s deck=24 hand=5 transfer=on short=bita",
        "Ad/AsKd h a Ks:Qh,Kc:Th,Td:Jd,Tc:Jc QcAh deck=24 hand=5 transfer=on show=on exchange=on",
    ],
)
def test_a_known_stock(dpn: str) -> None:
    found = graph(dpn)
    scored = scores(found)
    for node in some_nodes(found, 1, 12):
        require_the_solver_agrees(found, node, scored, ENGINE)
    moves = {labels["move"] for labels in found.edges.values()}
    assert ("exchange" in moves) == ("9h" in dpn and "exchange=on" in dpn)
    assert any(labels["cycles"] for labels in found.nodes.values()) == ("show=on" in dpn)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_round_game(seed: int) -> None:
    rng = random.Random(seed)
    cards = rng.sample(sorted(reference.deck_cards(36)), 5)
    a = rng.randint(1, 4)
    hands = "".join(cards[:a]) + "/" + "".join(cards[a:])
    found = small_graph(Position.from_dpn(f"{hands} {rng.choice('scdh')} {rng.choice('ab')} - rules=round"))
    scored = scores(found)
    for node in some_nodes(found, seed, 5):
        require_the_solver_agrees(found, node, scored, ENGINE)


# ------------------------------------------------------------------------------------------------ what is in the graph


@settings(max_examples=40, deadline=None)
@given(position=small_positions(), seed=st.integers(0, 2**32))
def test_every_legal_move_is_there(position: Position, seed: int) -> None:
    found = small_graph(position)
    assert found.graph == {"schema": SCHEMA, "root": next(iter(found))}
    for node in random.Random(seed).sample(sorted(found), min(len(found), 20)):
        read, labels = Position.from_dpn(node), found.nodes[node]
        assert read.to_dpn() == node
        assert (read.phase, read.to_move, read.outcome()) == tuple(
            labels.get(name) for name in ("phase", "to_move", "outcome")
        )
        assert read.straps == labels.get("straps", 0)
        moves = {move: Position.from_dpn(target) for move, target in answers(found, node).items()}
        assert sorted(moves) == sorted(map(str, read.legal_moves))
        for move, after in moves.items():
            # As the rules see it: of two ways to play the same cards one is the node.
            assert core.bout_state(read.play(move)) == core.bout_state(after)
        assert node == found.graph["root"] or found.in_degree(node)


def components(found: Graph[str]) -> dict[str, int]:
    return {node: labels["component"] for node, labels in found.nodes.items()}


@settings(max_examples=40, deadline=None)
@given(position=small_positions(transfer="on", limit="6"))
def test_components(position: Position) -> None:
    found = small_graph(position)
    assume(len(found) < 500)
    numbers = components(found)
    assert numbers[found.graph["root"]] == 0
    assert {*numbers.values()} == {*range(max(numbers.values()) + 1)}
    assert all(numbers[before] <= numbers[after] for before, after in found.edges)
    below = {node: nx.descendants(found, node) for node in found}
    for node, labels in found.nodes.items():
        together = {other for other in below[node] if node in below[other]} | {node}
        assert together == {other for other in found if numbers[other] == numbers[node]}
        assert labels["cycles"] == (len(together) > 1)


def test_nothing_comes_back_without_transfers() -> None:
    found = graph("Ks7h7d/6s8h9d s a -")
    assert not any(labels["cycles"] for labels in found.nodes.values())
    assert len({*components(found).values()}) == len(found)


def test_discards_are_left_out_unless_they_matter() -> None:
    assert "Ts" not in " ".join(graph("7s/7h h a - - TsJs"))
    gone = "".join(sorted(reference.deck_cards(24) - {"9s", "Jh", "Ts"}))
    found = graph(f"9s/TsJh h a - - {gone} deck=24 transfer=on short=bita")
    assert len(found) > 5 and all("QsTcTdTh" in node for node in found)


def test_the_end_of_a_game() -> None:
    found = graph("6s/- h a -")
    assert dict(found.nodes) == {"6s/- h a -": {"phase": "over", "outcome": "b", "component": 0, "cycles": False}}


def test_one_unknown_place_is_no_secret() -> None:
    discards = "".join(sorted(reference.deck_cards(24) - {"9s", "Th"}))
    assert graph(f"9s/?1 h a - - {discards} deck=24").graph["root"] == "9s/Th h a - deck=24"


def test_what_has_no_graph() -> None:
    size = len(graph(SMALL))
    assert len(graph(SMALL, most=size)) == size
    for most in (1, size - 1):
        with pytest.raises(ValueError, match=rf"more than {most} positions can follow from here: take fewer cards, or"):
            graph(SMALL, most=most)
    with pytest.raises(ValueError, match="most=0 is not allowed: it must be at least 1"):
        graph(SMALL, most=0)
    with pytest.raises(UnsupportedError, match="there is no graph of a position with hidden cards"):
        graph("6s/?3 h a -")
    with pytest.raises(UnsupportedError, match="with short=bita the order of the discard matters"):
        graph("9s/9hTs h a - deck=24 transfer=on short=bita")
    with pytest.raises(IllegalPositionError, match="6s is in more than one place"):
        graph("6s/6s h a -")
    with pytest.raises(ValueError, match="HANDS: "):
        graph("6x/6s h a -")


# ------------------------------------------------------------------------------------------------------------- written


def test_formats() -> None:
    found = graph(SPADES, most=10_000)
    read = nx.node_link_graph(json.loads(json_text(found)), edges="edges")
    assert (read.graph, dict(read.nodes)) == (found.graph, dict(found.nodes))
    small = graph(SMALL)
    again = nx.parse_graphml(graphml_text(small))
    assert dict(again.nodes) == dict(small.nodes)
    assert [*again.edges(data="move")] == [*small.edges(data="move")]
    assert dot_text(found).count("style=bold") == sum(labels["cycles"] for labels in found.nodes.values())
    assert dot_text(small, "ascii").splitlines()[:4] == [
        "digraph game {",
        f'  graph [label="all that can follow; trump h, rules=perevodnoy-show; {len(small)} positions"]',
        '  node [fontname="monospace"]',
        f'  n0 [label="a: 7s\\nb: 7h 8h\\na leads", shape=box, tooltip="{SMALL}"]',
    ]


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    result = run("graph", SPADES, "-o", str(path))
    found = graph(SPADES)
    on_cycles = sum(labels["cycles"] for labels in found.nodes.values())
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{path}: {len(found):,} positions, {on_cycles} of them on cycles\n"
    assert path.read_text(encoding="ascii") == json_text(found)
    assert run("graph", SMALL, "--style", "ascii").stdout == dot_text(graph(SMALL), "ascii")


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ([SPADES, "--most", "100"], "more than 100 positions can follow from here"),
        ([SMALL, "-o", "out.png"], "-o out.png: a file .dot, .graphml or .json was expected"),
        (["6s/?3 h a -"], "there is no graph of a position with hidden cards"),
        (["6s6s/7s h a -"], "not a legal position:\n  - 6s is in more than one place"),
        ([], "no position is given"),
    ],
)
def test_command_errors(args: list[str], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("graph", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {error}")


def test_networkx_is_not_loaded_without_need() -> None:
    code = "import sys, durak_solver; durak_solver.graph; print('networkx' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], env=environment(), text=True) == "False\n"
