"""How long a won game lasts: against plain recursion, the cases, and what must hold for lines and limits."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from durak_solver import Analysis, Engine, Position, UnsupportedError, Value, analyse
from durak_solver._core.distance import DistanceSearcher
from durak_solver._core.search import Searcher
from durak_solver.game import core
from durak_solver.model.messages import lasting
from tests.support import reference
from tests.support.data import CASES
from tests.support.strategies import OPTIONS, deal, states

WARM = Engine(table_mb=4)


class Brute:
    """The distance by exhaustive recursion."""

    def __init__(self, rules: reference.RefRules) -> None:
        self.solver = reference.Acyclic(rules)
        self.known: dict[tuple[reference.RefState, bool], int] = {}

    def distance(self, state: reference.RefState, in_bouts: bool) -> int:
        """Plies or bouts to the end of a game that is not drawn."""
        if state.over:
            return 0
        if (state, in_bouts) not in self.known:
            score = self.solver.score(state)
            assert score != 0
            lengths = [
                self.after(state, move, in_bouts)
                for move in reference.legal_moves(state)
                if self.solver.score(reference.play(state, move)) == score
            ]
            wins = score == (1 if reference.to_move(state) == "a" else -1)
            self.known[state, in_bouts] = min(lengths) if wins else max(lengths)
        return self.known[state, in_bouts]

    def after(self, state: reference.RefState, move: str, in_bouts: bool) -> int:
        """The same, the move included; a bout counts when it ends."""
        child = reference.play(state, move)
        return (not child.table if in_bouts else 1) + self.distance(child, in_bouts)


def check(state: reference.RefState, analysis: Analysis) -> None:
    """Compare an analysis with plain recursion."""
    brute = Brute(state.rules)
    drawn = brute.solver.score(state) == 0
    assert analysis.plies == (None if drawn else brute.distance(state, False))
    assert analysis.bouts == (None if drawn else brute.distance(state, True))
    for graded in analysis.moves:
        move = next(
            text
            for text in reference.legal_moves(state)
            if analysis.position.play(text) == analysis.position.play(graded.move)
        )
        if graded.value is Value.DRAW:
            assert (graded.plies, graded.bouts) == (None, None)
        else:
            assert graded.plies == brute.after(state, move, False), move
            assert graded.bouts == brute.after(state, move, True), move
            assert len(graded.line) == graded.plies


# -------------------------------------------------------------------------------------------------------- exact numbers


@settings(max_examples=150, deadline=None)
@given(state=states(most=3))
def test_against_plain_recursion(state: reference.RefState) -> None:
    check(state, WARM.analyse(Position.from_dpn(reference.write(state)), distance=True))


@settings(max_examples=25, deadline=None)
@given(state=states(most=4))
def test_against_plain_recursion_without_and_with_little_memory(state: reference.RefState) -> None:
    position = Position.from_dpn(reference.write(state))
    for engine in (Engine(table_mb=0), Engine(table_mb=0.001)):
        check(state, engine.analyse(position, distance=True))


@pytest.mark.parametrize(
    "options",
    [
        "",
        "lead=one",
        "pursuit=off",
        "lead=one pursuit=off",
        "throw=lead",
        "throw=none",
        "throw=none lead=one",
        "limit=1",
        "limit=2 pursuit=off",
        "limit=hand both=attacker",
        "first=5 deck=24",
    ],
)
def test_each_option_by_itself(options: str) -> None:
    rng = random.Random(options)
    default = {key: values[0] for key, values in OPTIONS.items()}
    chosen = default | dict(word.split("=") for word in options.split())
    for _ in range(6):
        state = deal(rng, chosen, (rng.randint(1, 4), rng.randint(1, 4)), rng.choice("scdh"))
        check(state, WARM.analyse(Position.from_dpn(reference.write(state)), distance=True))


@pytest.mark.slow
def test_many_positions_against_plain_recursion() -> None:
    rng = random.Random(5)
    for number in range(5_000):
        options = {key: rng.choice(values) for key, values in OPTIONS.items()}
        most = 5 if number % 50 == 0 else 4
        state = deal(rng, options, (rng.randint(1, most), rng.randint(1, most)), rng.choice("scdh-"))
        for _ in range(rng.randint(0, 8)):
            after = reference.play(state, rng.choice(reference.legal_moves(state)))
            state = state if after.over else after
        check(state, WARM.analyse(Position.from_dpn(reference.write(state)), distance=True))


def test_the_cases() -> None:
    checked = 0
    for case in CASES:
        position = Position.from_dpn(case["dpn"])
        if "plies" in case and not position.stock:
            analysis = WARM.analyse(position, distance=True)
            assert analysis.plies == case["plies"], case["dpn"]
            assert (analysis.bouts is None) == (analysis.plies is None)
            checked += analysis.plies is not None
    assert checked > 200


# ------------------------------------------------------------------------------------------------------ order and lines


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_moves_are_ordered_and_lines_keep_the_distance(seed: int) -> None:
    rng = random.Random(seed)
    sizes = (rng.randint(1, 6), rng.randint(1, 6))
    position = Position.from_dpn(reference.write(deal(rng, {"deck": "36"}, sizes, "h")))
    analysis = WARM.analyse(position, distance=True)
    assert analysis.line == analysis.best.line
    assert analysis.plies == analysis.best.plies
    for first, second in pairwise(analysis.moves):
        assert first.value >= second.value
        if first.value is second.value and first.plies is not None and second.plies is not None:
            assert (first.plies <= second.plies) == (first.value is Value.WIN) or first.plies == second.plies
    assume(analysis.plies)
    left, end = analysis.plies or 0, position
    for move in analysis.line:
        assert WARM.analyse(end, distance=True).plies == left
        end = end.play(move)
        left -= 1
    assert left == 0
    assert end.outcome() == (
        position.to_move if analysis.value is Value.WIN else "ab".replace(str(position.to_move), "")
    )


def test_the_best_in_plies_need_not_be_the_best_in_bouts() -> None:
    """Each of the two is the best in its own measure, so that a position may have both from different moves."""
    state = reference.parse("JsJcTh/9s7c9dAdAh h b -")
    analysis = WARM.analyse(Position.from_dpn(reference.write(state)), distance=True)
    assert (analysis.value, analysis.plies, analysis.bouts) == (Value.LOSS, 16, 5)
    assert [(str(graded.move), graded.plies, graded.bouts) for graded in analysis.moves[:2]] == [
        ("Ad", 16, 4),
        ("Ah", 15, 5),
    ]
    check(state, analysis)


def test_without_being_asked_nothing_is_measured() -> None:
    analysis = analyse("8c9s/6h7h - a -")
    assert (analysis.plies, analysis.bouts, analysis.best.plies, analysis.best.bouts) == (None, None, None, None)
    assert analyse("8c9s/6h7h - a -", distance=True).to_dict()["plies"] == 6


# --------------------------------------------------------------------------------------------------------- limits, time


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), nodes=st.integers(1, 20_000))
def test_what_a_limit_leaves_is_true(seed: int, nodes: int) -> None:
    rng = random.Random(seed)
    position = Position.from_dpn(reference.write(deal(rng, {"deck": "36"}, (5, 5), "h")))
    limited = Engine().analyse(position, distance=True, nodes=nodes)
    assert limited.nodes <= nodes
    full = WARM.analyse(position, distance=True)
    known = {graded.move: graded for graded in full.moves}
    for graded in limited.moves:
        assert graded.plies in (None, known[graded.move].plies)
        assert graded.bouts in (None, known[graded.move].bouts)
    assert limited.plies in (None, full.plies)
    assert limited.bouts in (None, full.bouts)
    measured = all(graded.value is Value.DRAW or None not in (graded.plies, graded.bouts) for graded in limited.moves)
    assert measured == (limited.stopped is None)


def test_a_limit_of_time_ends_a_long_measurement() -> None:
    # To measure it takes many times as long as to solve it.
    position = Position.from_dpn("7s9sTs7cJdQd8hAh/KsAsQcKcAc9dQhKh h a -")
    engine = Engine()
    engine.analyse(position)
    work = time.process_time()
    analysis = engine.analyse(position, distance=True, seconds=0.03)
    assert time.process_time() - work < 1
    assert (analysis.exact, analysis.stopped, analysis.plies) == (True, "seconds", None)


def test_progress_is_reported() -> None:
    seen: list[Analysis] = []
    analysis = Engine().analyse(Position.from_dpn("AsKc6d/Js7cJc d a -"), distance=True, on_progress=seen.append)
    assert [sum(graded.plies is not None for graded in part.moves) for part in seen] == [0, 0, 0, 1, 2, 3]
    assert seen[-1].moves == analysis.moves


def test_equal_positions_among_many_share_what_was_measured() -> None:
    """The second is the first with clubs and spades swapped: the same numbers, in its own cards."""
    texts = ["JsJcTh/9s7c9dAdAh h b -", "JsJcTh/9c7s9dAdAh h b -", "AsKc6d/Js7cJc d a -"]
    positions = [Position.from_dpn(text) for text in texts]
    found = WARM.analyse_many(positions, distance=True, jobs=2)
    assert [(analysis.plies, analysis.bouts) for analysis in found] == [(16, 5), (16, 5), (9, 3)]
    for position, analysis in zip(positions, found, strict=True):
        alone = Engine().analyse(position, distance=True)
        numbers = [(str(graded.move), graded.plies, graded.bouts) for graded in alone.moves]
        assert [(str(graded.move), graded.plies, graded.bouts) for graded in analysis.moves] == numbers
    with pytest.raises(ValueError, match=r"position 2 .*stock is empty"):
        WARM.analyse_many(
            [positions[0], Position.from_dpn("6s7dThKs9c8h/6hJhQh7c8cJs h a - 9h")], distance=True, jobs=1
        )


def test_clearing_repeats_the_search() -> None:
    rng = random.Random(3)
    position = Position.from_dpn(reference.write(deal(rng, {"deck": "36"}, (6, 6), "h")))
    engine = Engine()
    first = engine.analyse(position, distance=True).nodes
    assert engine.analyse(position, distance=True).nodes < first
    engine.clear()
    assert engine.analyse(position, distance=True).nodes == first


# ------------------------------------------------------------------------------------------------------------- refusals


def test_what_is_not_measured_is_refused() -> None:
    stock = Position.from_dpn("6s7dThKs9c8h/6hJhQh7c8cJs h a - 9h")
    hidden = Position.from_dpn("6s7dTh/?3 h a -")
    for function in (WARM.analyse, WARM.estimate):
        with pytest.raises(UnsupportedError, match="only when the stock is empty"):
            function(stock, distance=True)
    with pytest.raises(UnsupportedError, match="not measured where straps are played"):
        WARM.analyse(Position.from_dpn("6s7dTh/6h8h9c h a - straps=6"), distance=True)
    with pytest.raises(UnsupportedError, match="while cards are hidden"):
        WARM.estimate(hidden, distance=True)


def test_the_core_wants_the_winner_and_no_stock() -> None:
    searcher = Searcher(0)
    distances = DistanceSearcher(searcher, 0)
    searcher.start(None, None)
    state = core.bout_state(Position.from_dpn("8c9s/6h7h - a -"))
    assert (distances.plies(state, 0), distances.bouts(state, 0), len(distances.line(state, 0))) == (6, 2, 6)
    with pytest.raises(ValueError, match="does not win"):
        distances.plies(state, 1)
    with pytest.raises(ValueError, match="stock"):
        distances.plies(core.bout_state(Position.from_dpn("6s7dThKs9c8h/6hJhQh7c8cJs h a - 9h")), 0)


def test_lengths_in_words() -> None:
    assert [lasting(9, 3), lasting(1, 1), lasting(4, None), lasting(None, None)] == [
        "9 plies, 3 bouts",
        "1 ply, 1 bout",
        "4 plies",
        "",
    ]
