"""Many positions at once: equal ones are recognised, and what comes out does not depend on the number of threads."""

from __future__ import annotations

import itertools
import random
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import Analysis, Engine, Move, Position, Value
from durak_solver.engine.exact.many import EnginePool, table_share
from durak_solver.engine.exact.symmetry import normal_form
from durak_solver.game import core
from durak_solver.model.cards import RANKS, SUITS, Card, deck_cards
from durak_solver.study.batch import Batch
from durak_solver.study.position_files import FileLine
from durak_solver.study.suites import read_suite
from tests.engine.exact.test_search import HARD, positions_of
from tests.support import reference
from tests.support.data import POSITIONS
from tests.support.patience import during_a_search, interrupt
from tests.support.strategies import deal, option_sets, states

SUITES = POSITIONS / "bench"
EASY = Position.from_dpn("6s7dTh/6h8h9c h a -")


def random_deal(rng: random.Random, most: int, options: dict[str, str]) -> Position:
    sizes = rng.randint(1, most), rng.randint(1, most)
    return Position.from_dpn(reference.write(deal(rng, options, sizes, rng.choice("scdh-"))))


def disguised(rng: random.Random, position: Position) -> Position:
    """An equal position in which cards have other names: other suits, other ranks, other seats."""
    cards = [card for hand in position.hands for card in hand]
    suits = {rank: {card.suit for card in cards if card.rank == rank} for rank in RANKS}
    ranks = [rank for rank in RANKS if suits[rank]]
    for _ in range(30):
        at = rng.randrange(len(ranks))
        if at and not suits[ranks[at - 1]] & suits[ranks[at]]:
            ranks[at - 1], ranks[at] = ranks[at], ranks[at - 1]
    lowest = deck_cards(position.rules.deck)[0].rank_index
    new_ranks = dict(zip(ranks, sorted(rng.sample(RANKS[lowest:], len(ranks)), key=RANKS.index), strict=True))
    new_suits = dict(zip(SUITS, rng.sample(SUITS, 4), strict=True))
    names = {card: Card(new_ranks[card.rank] + new_suits[card.suit]) for card in cards}
    a, b = (tuple(names[card] for card in hand) for hand in position.hands)
    swap = rng.random() < 0.5
    return Position(
        hands=(b, a) if swap else (a, b),
        trump=position.trump and new_suits[position.trump],
        attacker="ba"["ab".index(position.attacker)] if swap else position.attacker,
        rules=position.rules,
    )


def values(analysis: Analysis) -> dict[Move, Value]:
    return {graded.move: graded.value for graded in analysis.moves}


def check_lines(analysis: Analysis) -> None:
    """Every line is legal and ends as its value says."""
    for graded in analysis.moves:
        position = analysis.position
        for move in graded.line:
            position = position.play(move)
        winner = {Value.DRAW: "draw", Value.WIN: analysis.position.to_move}
        loser = {"a": "b", "b": "a"}[analysis.position.to_move or ""]
        assert position.outcome() == winner.get(graded.value, loser)


# ---------------------------------------------------------------------------------------------------- equal positions


@pytest.mark.parametrize(
    ("cards", "count"), [(2, 10), (3, 92), (4, 688), (5, 4918), pytest.param(6, 35064, marks=pytest.mark.slow)]
)
def test_as_many_forms_as_there_are_traces(cards: int, count: int) -> None:
    """So no two different positions are taken for equal; the counts are those of the enumeration in the notes."""
    forms = set()
    for leader, other in positions_of(cards):
        hands = core.cards_of(leader, "s"), core.cards_of(other, "s")
        key, live = normal_form(Position(hands=hands, trump="s", attacker="a"))
        assert sorted(live) == sorted(hands[0] + hands[1])
        forms.add(key)
    assert len(forms) == count


@settings(max_examples=200, deadline=None)
@given(options=option_sets(), seed=st.integers(0, 2**32))
def test_equal_positions_are_solved_once(options: dict[str, str], seed: int) -> None:
    rng = random.Random(seed)
    position = random_deal(rng, 5, options)
    other = disguised(rng, position)
    assert normal_form(position)[0] == normal_form(other)[0]
    first, second = Engine(1).analyse_many([position, other])
    assert (first.position, second.position) == (position, other)
    assert (first.nodes, first.seconds) == (second.nodes, second.seconds)
    assert values(second) == values(Engine(1).analyse(other))
    check_lines(first)
    check_lines(second)
    # In the order that is promised: the best first, then the cheapest.
    legal = other.legal_moves
    order = [(-graded.value.bounds[0], legal.index(graded.move)) for graded in second.moves]
    assert order == sorted(order)


def test_what_makes_positions_different() -> None:
    forms = [
        normal_form(Position.from_dpn(text))[0]
        for text in (
            "6s7d/6h8h h a -",
            "6s7d/6h8h h b -",
            "6s7d/6h8h h a - pursuit=off",
            "6s7d/6h8h - a -",
            "7s7d/6h8h h a -",
            "6s7d/6h8h h a - 9h",
            "7d/6h8h h a 6s",
        )
    ]
    assert len(set(forms)) == len(forms)
    # Rules that are not solved may read ranks by name.
    assert len({normal_form(Position.from_dpn(f"{text} h a - straps=6"))[0] for text in ("6s/7s", "7s/8s")}) == 2


@settings(max_examples=50, deadline=None)
@given(state=states(most=5))
def test_any_positions(state: reference.RefState) -> None:
    """Inside a bout, too."""
    position = Position.from_dpn(reference.write(state))
    first, middle, last = Engine(1).analyse_many([position, EASY, replace(position, discard=())])
    assert values(first) == values(last) == values(Engine(1).analyse(position))
    assert values(middle) == values(Engine(1).analyse(EASY))


def test_positions_with_a_stock() -> None:
    hands = "6sKs9c7d8hTh/9h7sTs8cAdQc h a -"
    positions = [Position.from_dpn(f"{hands} {turn_up}") for turn_up in ("Jh", "Qh", "Jh")]
    found = Engine(1).analyse_many(positions, jobs=2)
    assert [values(analysis) for analysis in found] == [values(Engine(1).analyse(each)) for each in positions]
    assert found[0].seconds == found[2].seconds != found[1].seconds


def test_hands_that_are_deduced() -> None:
    hidden = Position.from_dpn("TsKsJh/?3 h a - - 9sJsQs9cTcJcQcKcAc9dTdJdQdKdAd9hQhAh deck=24")
    known = hidden.deduced()
    assert known is not None
    disguise = disguised(random.Random(1), replace(known, discard=()))
    first, second = Engine(1).analyse_many([disguise, hidden])
    assert (second.position, second.seconds) == (hidden, first.seconds)
    assert values(second) == values(Engine(1).analyse(hidden))


# -------------------------------------------------------------------------------------------------------- many at once


@pytest.fixture(scope="module")
def many() -> list[Position]:
    """Random deals, many of them equal to others, in no order of their size."""
    rng = random.Random(3)
    positions = [random_deal(rng, 6, {"deck": "36"}) for _ in range(150)]
    positions += [disguised(rng, position) for position in rng.sample(positions, 50)]
    rng.shuffle(positions)
    return positions


def test_results_do_not_depend_on_the_number_of_threads(many: list[Position]) -> None:
    expected = [values(Engine(1).analyse(position)) for position in many]
    for jobs in (1, 2, 5):
        seen: list[tuple[int, int]] = []
        found = Engine(1).analyse_many(
            iter(many), jobs=jobs, on_progress=lambda *counts, seen=seen: seen.append(counts)
        )
        assert [analysis.position for analysis in found] == many
        assert [values(analysis) for analysis in found] == expected
        assert seen == [(number, 200) for number in range(1, 201)]
        for analysis in found[:20]:
            check_lines(analysis)


def test_within_a_limit_of_nodes_nothing_depends_on_the_number_of_threads(many: list[Position]) -> None:
    one, two, warm = (
        [replace(analysis, seconds=0) for analysis in engine.analyse_many(many, jobs=jobs, nodes=100)]
        for jobs, engine in ((1, Engine(1)), (3, Engine(1)), (2, warmed(many)))
    )
    assert one == two == warm
    assert 10 < sum(analysis.stopped == "nodes" for analysis in one) < 150


def warmed(positions: list[Position]) -> Engine:
    engine = Engine(1)
    engine.analyse_many(positions, jobs=2)
    engine.analyse_many(positions[::-1], jobs=2, nodes=100)
    return engine


def test_memory_is_shared_out() -> None:
    assert table_share(64, 2, None) == 32
    assert table_share(64, 1, 1000) == table_share(64, 9, 1000) < 0.07
    assert table_share(64, 9, 10**30) == 64


def test_an_engine_remembers_until_it_is_cleared(many: list[Position]) -> None:
    engine = Engine(8, tables=False)  # with them there is little to remember
    cold, warm = (sum(analysis.nodes for analysis in engine.analyse_many(many)) for _ in range(2))
    assert warm < cold / 2
    engine.clear()
    assert sum(analysis.nodes for analysis in engine.analyse_many(many)) == cold


def test_the_hardest_come_first(many: list[Position], monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    analyse = Engine.analyse

    def spy(engine: Engine, position: Position, **limits: float) -> Analysis:
        begun.append(sum(position.hand_sizes))
        return analyse(engine, position, **limits)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "analyse", spy)
    Engine(1).analyse_many(many)
    assert begun == sorted(begun, reverse=True)
    assert len(begun) <= 150
    assert Engine(1).analyse_many([]) == []


def test_bad_positions_are_named() -> None:
    engine = Engine(1)
    for text, error in (
        ("6s6s/6s s b 6c:7d", r"position 2 \(6s6s/6s s b 6c:7d\): not a legal position: "),
        ("6s/- h a -", r"position 2 .*: the game is over"),
        ("6s7s8s9sTsJs/?6 h a - ?5,7h", r"position 2 .*: positions with hidden cards cannot be solved"),
        ("6s/7s h a - transfer=on short=bita", r"position 2 .*: with short=bita the order of the discard matters"),
    ):
        with pytest.raises(ValueError, match=error):
            engine.analyse_many([EASY, Position.from_dpn(text)], jobs=2)
    with pytest.raises(ValueError, match="jobs=0 is not allowed"):
        engine.analyse_many([EASY], jobs=0)
    with pytest.raises(ValueError, match="nodes=0 is not allowed"):
        engine.analyse_many([EASY], nodes=0)
    with pytest.raises(ValueError, match=r"position 1 \(6s/7s z a -\): TRUMP: a suit"):
        engine.analyse_many(["6s/7s z a -"])
    with pytest.raises(TypeError, match="a Position is needed, or its DPN, not int"):
        engine.analyse_many([7])  # type: ignore[list-item]


# ------------------------------------------------------------------------------------------------------------ stopping


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Python's own answer to SIGINT, also where the tests were started with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def hard(count: int) -> list[Position]:
    """Positions that nobody can solve, none like another, of several sizes."""
    rng = random.Random(4)
    cards = rng.sample(deck_cards(36), 36)
    return [
        Position(hands=(tuple(cards[:14]), tuple(cards[14 : 36 - number])), trump="h", attacker="a")
        for number in range(count)
    ]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("by", ["signal", "thread"])
def test_a_stop_keeps_what_is_known(jobs: int, by: str) -> None:
    engine = Engine(1)
    positions = [EASY, Position.from_dpn(HARD), *hard(3)]
    work = time.process_time()
    with during_a_search(engine.stop if by == "thread" else interrupt, after=0.5):
        found = engine.analyse_many(positions, jobs=jobs, seconds=60)
    assert time.process_time() - work < 2
    assert [analysis.position for analysis in found] == positions
    assert [analysis.stopped for analysis in found] == ["interrupt"] * 5
    assert sum(analysis.nodes > 0 for analysis in found) == jobs
    assert all({*values(analysis)} == {*analysis.position.legal_moves} for analysis in found)
    assert threading.active_count() == 1
    assert values(engine.analyse_many([EASY], jobs=jobs)[0]) == values(engine.analyse(EASY))


@pytest.mark.usefixtures("interruptible")
def test_what_was_done_before_a_stop_is_kept() -> None:
    engine = Engine(1)
    done: list[int] = []

    def stop_at_the_third(number: int, total: int) -> None:
        assert total == 100
        done.append(number)
        if number == 3:
            signal.raise_signal(signal.SIGINT)

    found = engine.analyse_many(read_suite(SUITES, "6v6"), on_progress=stop_at_the_third)
    assert done == [1, 2, 3]
    assert 3 <= sum(analysis.stopped is None for analysis in found) < 100
    assert all(analysis.exact for analysis in found if analysis.stopped is None)


def test_an_error_of_the_caller_ends_all_searches() -> None:
    def fail(*_: int) -> None:
        raise RuntimeError("enough")

    work = time.process_time()
    with pytest.raises(RuntimeError, match="enough"):
        Engine(1).analyse_many([*hard(2), EASY], jobs=3, on_progress=fail)
    assert time.process_time() - work < 2
    assert threading.active_count() == 1


def test_what_is_asked_after_the_end_is_not_answered() -> None:
    pool = EnginePool([Engine(1)], Engine.analyse)
    with pool:
        first = pool.ask(EASY)
        assert isinstance(pool.answer(first), Analysis)
    assert pool.answer(pool.ask(Position.from_dpn("7s/8s h a -"))) is None


def test_limits_of_time_hold_for_each_position() -> None:
    work = time.process_time()
    found = Engine(1).analyse_many(hard(4), jobs=2, seconds=0.2)
    assert time.process_time() - work < 2
    assert [analysis.stopped for analysis in found] == ["seconds"] * 4


# --------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_batch_solves_equal_positions_once(many: list[Position], jobs: int) -> None:
    lines = [FileLine(number, str(position)) for number, position in enumerate(itertools.chain(many, many))]
    with Batch(jobs, 1) as batch:
        outcomes = [*batch.run(lines)]
    assert [outcome.line for outcome in outcomes] == lines
    results = [outcome.result for outcome in outcomes]
    costs = set()
    for position, result in zip(many + many, results, strict=True):
        assert isinstance(result, Analysis)
        assert result.position == position
        assert values(result) == values(Engine(1).analyse(position))
        costs.add((result.nodes, result.seconds))
    assert len(costs) <= 150
    assert threading.active_count() == 1
