"""All methods of valuing moves while cards are hidden: what each promises, and how strong the tree searches are."""

from __future__ import annotations

import random
import struct
import time

import numpy as np
import pytest

from durak_solver import Analysis, Card, Engine, Estimate, Position
from durak_solver._core.mcts import TreeSearcher
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.game import core
from durak_solver.model.cards import deck_cards
from tests.support.data import CASES
from tests.support.hidden import ENDLESS, FULL_STOCK, check_record, estimated, hidden_position, same
from tests.support.patience import during_a_search, interrupt, with_more_time

SEARCHES = ("pimc", "ismcts", "mcts30x30")
# Where a search goes on as long as it may: pimc ends when one move is left.
LONG = {"pimc": ENDLESS, "ismcts": FULL_STOCK, "mcts30x30": FULL_STOCK}
POLICIES = ("rules", "lowest", "random")


def by(engine: Engine, method: str, position: Position, samples: int | None = None, seed: int = 0) -> Estimate:
    found = engine.estimate(position, method=method, samples=samples, seed=seed)
    assert isinstance(found, Estimate)
    return found


# --------------------------------------------------------------------------------------------------------- all methods


def test_all_methods_are_named() -> None:
    assert tuple(METHODS) == SEARCHES + POLICIES
    for call in (Engine(1).estimate, Engine(1).choose):
        with pytest.raises(ValueError, match="method='best' is not allowed: choose one of pimc, ismcts, mcts30x30, ru"):
            call(Position.from_dpn(FULL_STOCK), method="best")


@pytest.mark.parametrize("method", METHODS)
def test_records_are_coherent(method: str) -> None:
    rng, engine = random.Random(1), Engine(1)
    for stock in (2, 4, 8):
        for _ in range(3):
            position = hidden_position(rng, 6, stock, forgotten=3)
            estimate = by(engine, method, position)
            check_record(position, estimate, by_visits="cts" in method)
            assert (estimate.method, estimate.blind_spot) == (method, METHODS[method].blind_spot)
            assert (estimate.worlds <= METHODS[method].samples) and not estimate.enumerated
            assert estimate.is_valued == (method in SEARCHES)
            assert position.legal_moves.count(engine.choose(position, method=method, seed=0)) == 1
            if method not in SEARCHES:
                assert (estimate.worlds, estimate.exact_share) == (0, 0)
                assert all((move.low, move.high, move.samples) == (-1, 1, 0) for move in estimate.moves)


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_decides(method: str) -> None:
    rng = random.Random(2)
    differ = 0
    for stock in (2, 4, 8):
        position = hidden_position(rng, 6, stock, forgotten=3)
        first = by(Engine(1), method, position, 40, 7)
        used = Engine(1)
        by(used, method, position, 40, 8)
        assert same(first, by(used, method, position, 40, 7))
        differ += first.moves != by(used, method, position, 40, 8).moves
    assert (differ > 0) == (method not in ("rules", "lowest"))


@pytest.mark.parametrize("method", SEARCHES)
def test_any_number_of_threads_and_any_seed_of_numpy(method: str) -> None:
    position = Position.from_dpn("6s7dThKs9c8h/?6 h a - ?5,7h 7sAs8c9d")
    one, *others = (
        Engine(1).estimate(position, method=method, samples=100, seed=np.random.default_rng(5), jobs=jobs)
        for jobs in (1, 2, 3)
    )
    assert all(same(one, other) for other in others)
    assert isinstance(one, Estimate)
    assert same(one, by(Engine(1), method, position, 100, one.seed))
    rng = np.random.default_rng(5)
    drawn = [Engine(1).estimate(position, method=method, samples=8, seed=rng) for _ in range(2)]
    assert not same(*drawn)  # a generator goes on


@pytest.mark.parametrize("stock", [2, 4, 8])
def test_any_number_of_threads_for_any_stock(stock: int) -> None:
    """Sampler that are solved, tried and played out."""
    position = hidden_position(random.Random(stock), 6, stock, forgotten=3)
    one, *others = (Engine(1).estimate(position, seed=3, jobs=jobs) for jobs in (1, 2, 3))
    assert all(same(one, other) for other in others)


@pytest.mark.parametrize("method", SEARCHES)
def test_limits_end_in_a_result(method: str) -> None:
    position = Position.from_dpn(LONG[method])

    def cut_off(seconds: float) -> Estimate:
        work = time.process_time()
        cut = Engine(1).estimate(position, method=method, samples=10**7, seconds=seconds, seed=1)
        assert time.process_time() - work < seconds + 1
        assert isinstance(cut, Estimate)
        return cut

    cut = with_more_time(cut_off, lambda cut: cut.worlds > 0, 0.05)
    assert (cut.stopped, cut.enumerated) == ("seconds", False)
    assert 0 < cut.worlds < 10**7
    check_record(position, cut, by_visits=method != "pimc")
    nothing = Engine(1).estimate(position, method=method, seconds=1e-9)
    assert isinstance(nothing, Estimate)
    assert (nothing.worlds, nothing.stopped, nothing.is_valued) == (0, "seconds", False)


@pytest.mark.parametrize("method", SEARCHES)
def test_ctrl_c(method: str) -> None:
    engine, position = Engine(1), Position.from_dpn(LONG[method])
    with during_a_search(interrupt, after=0.3):
        estimate = engine.estimate(position, method=method, samples=10**7, seed=1)
    assert isinstance(estimate, Estimate)
    assert estimate.stopped == "interrupt"
    assert 0 < estimate.worlds < 10**7
    check_record(position, estimate, by_visits=method != "pimc")


def test_a_limit_of_nodes_is_for_pimc() -> None:
    position = hidden_position(random.Random(0), 6, 4)
    for method in METHODS:
        limited = Engine(1).estimate(position, method=method, samples=64, nodes=1, seed=1)
        assert isinstance(limited, Estimate)
        assert limited.stopped == ("nodes" if method == "pimc" else None)
        assert same(limited, by(Engine(1), method, position, 64, 1)) == (method != "pimc")


# ------------------------------------------------------------------------------------------------------------- weights


def test_equal_weights_change_nothing() -> None:
    for stock in (2, 4, 8):
        position = hidden_position(random.Random(stock), 6, stock, forgotten=2)
        plain = by(Engine(1), "pimc", position, 100)
        assert same(plain, Engine(1).estimate(position, samples=100, seed=0, weight=lambda deal: 2.0))
        other = Engine(1).estimate(position, samples=100, seed=0, weight=lambda deal: 0.3)
        assert isinstance(other, Estimate)
        for one, two in zip(plain.moves, other.moves, strict=True):
            assert (one.move, one.samples) == (two.move, two.samples)
            assert (one.mean, one.low, one.high) == pytest.approx((two.mean, two.low, two.high))


class Holds:
    """Weighs deals: those in which a seat has a card count 1, the others less."""

    def __init__(self, seat: str, card: Card, otherwise: float) -> None:
        self.seat, self.card, self.otherwise = "ab".index(seat), card, otherwise

    def __call__(self, deal: Position) -> float:
        return 1.0 if self.card in deal.hands[self.seat] else self.otherwise


def weighted(engine: Engine, position: Position, weight: Holds, samples: int, seed: int = 0) -> Estimate:
    found = engine.estimate(position, samples=samples, seed=seed, weight=weight)
    assert isinstance(found, Estimate)
    return found


def test_weights_of_nothing_and_all_are_conditions() -> None:
    """To rule out all deals in which the opponent lacks a card is to know that he has it."""
    rng, engine = random.Random(3), Engine(1)
    differ = 0
    for _ in range(5):
        position = hidden_position(rng, 5, 2, forgotten=1, known=2)
        seat = "ba"["ab".index(position.to_move or "a")]
        card = rng.choice(position.unseen)
        found = weighted(engine, position, Holds(seat, card, 0), 10_000)
        known = position.reveal(seat, [card])
        assert found.enumerated and known.knowledge(position.to_move or "a").deals > 1
        expected = {move.move: move for move in estimated(engine, known, 10_000).moves}
        for move in found.moves:
            truth = expected[move.move]
            assert (move.mean, move.win, move.draw) == pytest.approx((truth.mean, truth.win, truth.draw), abs=1e-12)
        plain = {move.move: move.mean for move in estimated(engine, position, 10_000).moves}
        differ += any(abs(plain[move.move] - move.mean) > 0.01 for move in found.moves)
    assert differ


@pytest.mark.parametrize("otherwise", [0.0, 0.2])
def test_weights_of_a_sample(otherwise: float) -> None:
    """Weighted means lie within their intervals of the weighted means over all deals."""
    rng, engine = random.Random(4), Engine(1)
    inside, shifted = [], 0.0
    for _ in range(3):
        position = hidden_position(rng, 5, 2, forgotten=3)
        seat = "ba"["ab".index(position.to_move or "a")]
        weight = Holds(seat, position.unseen[-1], otherwise)
        truth = {move.move: move.mean for move in weighted(engine, position, weight, 10**4).moves}
        plain = {move.move: move.mean for move in estimated(engine, position, 10**4).moves}
        shifted = max(shifted, *(abs(truth[move] - plain[move]) for move in truth))
        for seed in range(10):
            found = weighted(engine, position, weight, 64, seed)
            assert not found.enumerated
            inside += [move.low <= truth[move.move] <= move.high for move in found.moves]
    assert shifted > 0.05
    assert sum(inside) > 0.85 * len(inside)


@pytest.mark.parametrize("number", [-1.0, float("nan"), float("inf")])
def test_bad_weights(number: float) -> None:
    position = Position.from_dpn(FULL_STOCK)
    with pytest.raises(ValueError, match=f"weight={number} is not allowed: that of a deal is 0 or more"):
        Engine(1).estimate(position, samples=4, weight=lambda deal: number)


def test_weights_are_for_pimc() -> None:
    with pytest.raises(ValueError, match="weight is not allowed with method='ismcts'"):
        Engine(1).estimate(Position.from_dpn(FULL_STOCK), method="ismcts", weight=lambda deal: 1.0)


# ------------------------------------------------------------------------------------------------------ open positions


@pytest.mark.parametrize("method", METHODS)
def test_choose_plays_legal_moves(method: str) -> None:
    rng, engine = random.Random(5), Engine(1)
    for case in rng.sample(CASES, 40):
        position = Position.from_dpn(case["dpn"])
        assert engine.choose(position, method=method, samples=8, seed=1) in position.legal_moves


def test_choose_finds_a_best_move() -> None:
    engine = Engine()
    for case in CASES:
        position = Position.from_dpn(case["dpn"])
        chosen = engine.choose(position, seed=1)
        assert case["moves"][str(chosen)] == case["value"], case["dpn"]


def small_ending(rng: random.Random) -> Position:
    """A random open position of a few cards in which the moves differ."""
    while True:
        cards = rng.sample(deck_cards(36), rng.randint(5, 8))
        half = len(cards) // 2
        position = Position(hands=(tuple(cards[:half]), tuple(cards[half:])), trump=rng.choice("scdh"), attacker="a")
        for _ in range(rng.randint(0, 3)):
            after = position.play(rng.choice(position.legal_moves))
            if after.phase == "over":
                break
            position = after
        if len({graded.value for graded in Engine(0).analyse(position).moves}) > 1:
            return position


def most_visited(position: Position, one_tree: bool, iterations: int) -> str:
    """Search one world, in which all cards lie open."""
    state = core.bout_state(position)
    searcher = TreeSearcher(state, state.hands, one_tree, iterations, 1)
    searcher.add(struct.pack("=2Q", 0, 0))
    tallies = searcher.tallies()
    assert sum(visits for visits, _, _ in tallies) == iterations
    assert all(wins + draws <= visits for visits, wins, draws in tallies)
    move = max(range(len(tallies)), key=lambda number: tallies[number])
    return str(core.from_core(state.moves()[move], position.trump))


@pytest.mark.parametrize("one_tree", [True, False])
def test_tree_searches_find_best_moves(one_tree: bool) -> None:
    rng, engine = random.Random(6), Engine(1)
    best = 0
    for _ in range(100):
        position = small_ending(rng)
        analysis = engine.analyse(position)
        values = {str(graded.move): graded.value for graded in analysis.moves}
        best += values[most_visited(position, one_tree, 10_000)] == analysis.value
    print(f"best moves: {best} of 100")
    assert best >= 90


@pytest.mark.parametrize("one_tree", [True, False])
def test_tree_searches_win_at_once_where_they_can(one_tree: bool) -> None:
    """The defender's last card beats the only attack card."""
    rng, done = random.Random(7), 0
    while done < 30:
        first, last, *others = rng.sample(deck_cards(36), rng.randint(3, 6))
        position = Position.from_dpn(f"{''.join(map(str, others))}/{last} {rng.choice('scdh')} a {first}")
        if len(position.legal_moves) == 2:
            assert most_visited(position, one_tree, 500) == f"{first}:{last}", position
            done += 1


def test_nothing_hidden_is_solved_whatever_the_method() -> None:
    for method in METHODS:
        assert isinstance(Engine(1).estimate(Position.from_dpn("6s7dTh/6h8h9c h a -"), method=method), Analysis)
