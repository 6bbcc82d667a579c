"""Hidden cards: the deals that are drawn, and what the moves are worth over them."""

from __future__ import annotations

import collections
import itertools
import math
import random
import signal
import time
from dataclasses import replace

import pytest

from durak_solver import Analysis, Card, Engine, IllegalPositionError, Position, UnsupportedError
from durak_solver._core.deals import Dealer
from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.model.cards import deck_cards
from tests.support.hidden import (
    ENDLESS,
    FULL_STOCK,
    check_record,
    dealer,
    estimated,
    every_deal,
    hidden_position,
    key,
    opened,
    same,
)
from tests.support.patience import during_a_search, interrupt, with_more_time

# ------------------------------------------------------------------------------------------------------------- worlds


@pytest.mark.parametrize("turn_up", [True, False])
def test_worlds_are_consistent(turn_up: bool) -> None:
    rng = random.Random(1)
    for _ in range(100):
        position = hidden_position(
            rng,
            rng.choice([5, 6]),
            rng.randint(2, 8),
            forgotten=rng.randint(0, 3),
            known=rng.randint(0, 5),
            turn_up=turn_up,
        )
        for world in opened(position, dealer(position).sample(rng.getrandbits(63), 0, 50)):
            assert world.is_legal  # no card twice, a trump turned up
            assert world.stock[-1] is not None and world.stock[-1].suit == position.trump
            for before, after in zip(position.hands, world.hands, strict=True):
                assert {*before} <= {*after}
                assert {*after} - {*before} <= {*position.unseen}
            for card, drawn in zip(position.stock, world.stock, strict=True):
                assert card in (None, drawn)


@pytest.mark.parametrize("turn_up", [True, False])
def test_worlds_are_uniform(turn_up: bool) -> None:
    position = hidden_position(random.Random(2), 5, 3, forgotten=1, known=3, turn_up=turn_up)
    expected = {key(deal) for deal in every_deal(position)}
    assert len(expected) == position.knowledge(position.to_move or "a").deals > 30
    mean = 200
    worlds = dealer(position).sample(3, 0, mean * len(expected))
    counts = collections.Counter(map(key, opened(position, worlds)))
    assert counts.keys() == expected
    free = len(expected) - 1
    chi_square = sum((count - mean) ** 2 / mean for count in counts.values())
    assert abs(chi_square - free) < 4 * math.sqrt(2 * free)


def test_worlds_have_numbers() -> None:
    position = Position.from_dpn(FULL_STOCK)
    drawn = dealer(position)
    whole = drawn.sample(4, 0, 100)
    assert whole == b"".join(drawn.sample(4, first, 20) for first in range(0, 100, 20))
    size = 8 * drawn.width
    assert [drawn.sample(4, i, 1) for i in (70, 3)] == [whole[i * size : (i + 1) * size] for i in (70, 3)]
    assert len({whole[i * size : (i + 1) * size] for i in range(100)}) == 100
    assert drawn.sample(5, 0, 100) != whole
    assert drawn.sample(4, 0, 0) == b""


def test_no_worlds() -> None:
    with pytest.raises(ValueError, match="no deal fits"):
        Dealer(unseen=0b111, unknown=(2, 2), stock=[], turn_ups=0)
    with pytest.raises(ValueError, match="no deal fits"):
        Dealer(unseen=0b111, unknown=(1, 0), stock=[0, 0], turn_ups=0b1000)


@pytest.mark.parametrize("turn_up", [True, False])
def test_all_worlds(turn_up: bool) -> None:
    rng = random.Random(5)
    for forgotten in range(3):
        position = hidden_position(rng, 5, rng.choice([2, 3]), forgotten=forgotten, known=2, turn_up=turn_up)
        deals = position.knowledge(position.to_move or "a").deals
        for seed in (0, 1):
            found = [key(world) for row in Sampler(position).all(seed) for world in opened(position, row)]
            assert len(found) == deals
            assert {*found} == {key(deal) for deal in every_deal(position)}


# ---------------------------------------------------------------------------------------------------------- estimates


def test_the_seed_decides() -> None:
    engine, rng = Engine(), random.Random(6)
    for stock in (2, 4, 8):
        position = hidden_position(rng, 6, stock, forgotten=3)
        first = estimated(engine, position, 40, 7)
        assert same(first, engine.estimate(position, samples=40, seed=7))
        assert same(first, Engine().estimate(position, samples=40, seed=7))
        assert not same(first, engine.estimate(position, samples=40, seed=8))
        assert (first.seed, first.worlds, first.enumerated, first.stopped) == (7, 40, False, None)
        drawn = estimated(engine, position, 1)
        assert drawn.best.high - drawn.best.low > 1.5  # one deal says next to nothing


def test_all_deals_are_valued_when_there_are_no_more() -> None:
    rng, engine = random.Random(8), Engine()
    for _ in range(10):
        position = hidden_position(rng, 5, 2, forgotten=rng.randint(0, 1), turn_up=rng.random() < 0.5)
        deals = position.knowledge(position.to_move or "a").deals
        estimate = estimated(engine, position, deals)
        assert estimate.enumerated and estimate.worlds == estimate.deals == deals
        other = estimated(engine, position, 10 * deals, 9)
        means = {move.move: move.mean for move in other.moves}
        for move in estimate.moves:
            assert move.low == move.mean == move.high
            assert move.difference_low == move.difference == move.difference_high
            assert move.samples == deals
            assert estimate.exact_share < 1 or move.mean == pytest.approx(means[move.move])
        if deals > 1:
            fewer = estimated(engine, position, deals - 1)
            assert (fewer.enumerated, fewer.worlds) == (False, deals - 1)


def test_estimates_are_coherent() -> None:
    rng, engine = random.Random(10), Engine()
    for stock in (2, 3, 5, 7, 10):
        position = hidden_position(rng, 6, stock, turn_up=rng.random() < 0.5, forgotten=min(2, 10 - stock))
        check_record(position, estimated(engine, position, 20))


# -------------------------------------------------------------------------------------------- what else can come of it


def test_nothing_is_estimated_where_nothing_is_hidden() -> None:
    engine = Engine()
    for dpn in ("6s7dTh/6h8h9c h a -", "9sTsJsQsKsAs/9cTcJcQcKcAc h a - 9dTdJh deck=24"):
        position = Position.from_dpn(dpn)
        analysis = engine.estimate(position)
        assert isinstance(analysis, Analysis) and analysis.exact
        assert analysis.moves == engine.analyse(position).moves
    cards = deck_cards(24)
    own, turn_up = "".join(map(str, cards[11:17])), cards[23]
    deduced = Position.from_dpn(f"{own}/?6 {turn_up.suit} a - {turn_up} {''.join(map(str, cards[:11]))} deck=24")
    known: list[object] = []
    assert isinstance(engine.estimate(deduced, on_progress=known.append), Analysis)
    assert known
    assert all(isinstance(analysis, Analysis) for analysis in known)


def test_what_cannot_be_estimated() -> None:
    engine, position = Engine(1), Position.from_dpn(FULL_STOCK)
    with pytest.raises(IllegalPositionError):
        engine.estimate(Position.from_dpn("6s6s/?2 h a -"))
    with pytest.raises(UnsupportedError, match="the moves of b cannot be listed"):
        engine.estimate(replace(position, attacker="b"))
    with pytest.raises(UnsupportedError, match="with short=bita the order of the discard matters, but 2 of its 2 "):
        engine.estimate(Position.from_dpn(f"{FULL_STOCK.replace('?23', '?21')} transfer=on short=bita"))
    for samples in (0, -1):
        with pytest.raises(ValueError, match=f"samples={samples} is not allowed"):
            engine.estimate(position, samples=samples)
    for seed in (-1, 2**63):
        with pytest.raises(ValueError, match=f"seed={seed} is not allowed"):
            engine.estimate(position, seed=seed)
    with pytest.raises(ValueError, match="seed='x' is not allowed"):
        engine.estimate(position, seed="x")  # type: ignore[arg-type]
    for seconds in (0, -1, math.nan):
        with pytest.raises(ValueError, match="is not allowed: a limit must be positive"):
            engine.estimate(position, seconds=seconds)
    with pytest.raises(ValueError, match="nodes=0 is not allowed"):
        engine.estimate(position, nodes=0)


class Generator:
    """Draws as `numpy.random.Generator` does: a number of a type of its own."""

    class Number:
        def __str__(self) -> str:
            return "42"

    def integers(self, high: int) -> object:
        assert high == 2**63
        return self.Number()


def test_seeds_of_other_kinds() -> None:
    engine, position = Engine(1), Position.from_dpn(FULL_STOCK)
    drawn = engine.estimate(position, samples=4, seed=Generator())
    assert same(drawn, engine.estimate(position, samples=4, seed=42))
    seeds = {estimate.seed for _ in range(2) if isinstance(estimate := engine.estimate(position, samples=1), Estimate)}
    assert len(seeds) == 2
    for seed in seeds:
        assert 0 <= seed < 2**63


def test_a_limit_of_time() -> None:
    engine, position = Engine(), Position.from_dpn("6s7dThKs9c8h/?6 h a - ?19,7h 7sAs8c9d")

    def cut_off(seconds: float) -> Estimate:
        work = time.process_time()
        estimate = engine.estimate(position, samples=10**7, seconds=seconds, seed=1)
        assert time.process_time() - work < seconds + 0.5
        assert isinstance(estimate, Estimate)
        return estimate

    estimate = with_more_time(cut_off, lambda estimate: estimate.worlds > 0, 0.05)
    assert estimate.stopped == "seconds"
    assert 0 < estimate.worlds < 10**5
    check_record(position, estimate)


def test_a_limit_before_the_first_deal() -> None:
    # With two cards in the stock every deal is searched; with more it may be played out, which takes no nodes.
    searched = hidden_position(random.Random(15), 6, 2, forgotten=3)
    limited = {
        "seconds": Engine(1).estimate(Position.from_dpn(FULL_STOCK), seconds=1e-9),
        "nodes": Engine(1).estimate(searched, nodes=1),
    }
    for limit, estimate in limited.items():
        assert isinstance(estimate, Estimate)
        assert (estimate.worlds, estimate.stopped) == (0, limit)
        assert {move.move for move in estimate.moves} == {*estimate.position.legal_moves}
        assert (estimate.best.low, estimate.best.high) == (-1, 1)
        assert estimate.to_dict()["exact_share"] == 0


def test_a_limit_while_all_deals_are_valued() -> None:
    """The first deals are a fair sample, or the interval would lie."""
    position = hidden_position(random.Random(14), 6, 2, forgotten=3)
    deals = position.knowledge(position.to_move or "a").deals
    estimate = Engine(tables=False).estimate(position, samples=deals, nodes=100_000, seed=0)
    assert isinstance(estimate, Estimate)
    assert (estimate.enumerated, estimate.stopped) == (False, "nodes")
    assert 0 < estimate.worlds < deals
    worlds = b"".join(itertools.islice(Sampler(position).all(0), 16))
    other = "ba".index(position.to_move or "a")
    assert len({deal.hands[other] for deal in opened(position, worlds)}) > 8


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("method", "dpn"), [("pimc", ENDLESS), ("ismcts", FULL_STOCK)])
def test_ctrl_c(method: str, dpn: str, jobs: int) -> None:
    """Wherever it comes: between two searches it must not break a sum."""
    engine, position = Engine(), Position.from_dpn(dpn)
    engine.estimate(position, method=method, samples=8, seed=1, jobs=jobs)  # what is loaded for the first takes a while
    for later in range(10):
        with during_a_search(interrupt, after=0.1 + later / 100):
            estimate = engine.estimate(position, method=method, samples=10**7, seed=1, jobs=jobs)
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert isinstance(estimate, Estimate)
        assert estimate.stopped == "interrupt"
        assert 0 < estimate.worlds < 10**7


def test_progress_and_stop() -> None:
    engine, position = Engine(), Position.from_dpn(FULL_STOCK)
    known: list[Estimate] = []

    def note(estimate: Estimate | Analysis) -> None:
        assert isinstance(estimate, Estimate)
        known.append(estimate)
        if len(known) == 3:
            engine.stop()

    estimate = engine.estimate(position, samples=10**7, seed=1, on_progress=note)
    assert isinstance(estimate, Estimate)
    assert estimate.stopped == "interrupt"
    worlds = [item.worlds for item in known]
    assert worlds == sorted({*worlds})
    assert estimate.worlds == worlds[-1]


def test_to_dict() -> None:
    estimate = estimated(Engine(1), Position.from_dpn(FULL_STOCK), 10, 3)
    found = estimate.to_dict()
    assert found.keys() == {
        *("schema", "position", "to_move", "phase", "method", "seed", "deals", "worlds", "enumerated", "exact_share"),
        *("moves", "blind_spot", "stopped", "nodes", "seconds"),
    }
    assert (found["schema"], found["method"], found["seed"]) == ("durak.estimate/1", "pimc", 3)
    assert (found["to_move"], found["phase"], found["stopped"]) == ("a", "lead", None)
    assert Position.from_dpn(found["position"]) == estimate.position
    for move in found["moves"]:
        assert move.keys() == {
            *("move", "mean", "low", "high", "win", "draw", "loss", "samples"),
            *("difference", "difference_low", "difference_high"),
        }
        assert move["samples"] == 10
    assert [move["move"] for move in found["moves"]] == [str(move.move) for move in estimate.moves]
    assert isinstance(estimate.best, EstimatedMove)
    assert estimate.best.move.cards[0] in {*map(Card, ("6s", "7d", "Th", "Ks", "9c", "8h"))}
