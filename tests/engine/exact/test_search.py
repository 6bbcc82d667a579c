"""What must hold for every search: the same value whatever the memory, the names and the limits."""

from __future__ import annotations

import itertools
import json
import operator
import pickle
import random
import resource
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from durak_solver import (
    Analysis,
    Card,
    Engine,
    IllegalPositionError,
    Position,
    UnsupportedError,
    Value,
    analyse,
    solve,
)
from durak_solver._core.search import Searcher
from durak_solver._core.state import RuleSet, State
from durak_solver.engine.exact.solver import Solver
from durak_solver.engine.results import GradedMove
from durak_solver.engine.strategy import find_strategy
from durak_solver.game import core
from durak_solver.model.cards import RANKS, SUITS
from tests.support import reference
from tests.support.patience import during_a_search, interrupt
from tests.support.strategies import deal, states

WARM = Engine(table_mb=16, tables=False)
HARD = (
    "7s8sJsQsKs6c7cTcKc6d8d9dTd6h8hJhQhAh/6s9sTsAs8c9cJcQcAc7dJdQdKdAd7h9hThKh d a -"  # 18 v 18: nobody has solved it
)


def random_position(rng: random.Random, sizes: tuple[int, int], trump: str | None = None) -> Position:
    options = {"deck": "36"}
    return Position.from_dpn(reference.write(deal(rng, options, sizes, trump or rng.choice("scdh"))))


# ------------------------------------------------------------------------------------------------------------- memory


@settings(max_examples=100, deadline=None)
@given(state=states(most=5))
def test_the_table_changes_no_value(state: reference.RefState) -> None:
    position = Position.from_dpn(reference.write(state))
    values = [
        {graded.move: graded.value for graded in engine.analyse(position).moves}
        for engine in (Engine(table_mb=0, tables=False), Engine(table_mb=0.0001), Engine(tables=False), WARM, WARM)
    ]
    assert all(value == values[0] for value in values)


def test_a_warm_table_keeps_draws() -> None:
    """A search that failed high once stored the bound of one answer for all of them."""
    engine = Engine(tables=False)
    engine.analyse(Position.from_dpn("KsAs8dKd7hTh/8sQh h a -"))
    second = engine.analyse(Position.from_dpn("Qc7d/Ts6dJdQdAd6h d a -"))
    assert {str(graded.move): str(graded.value) for graded in second.moves} == {"7d": "loss", "Qc": "draw"}


def test_an_engine_shared_by_threads() -> None:
    rng = random.Random(1)
    positions = [random_position(rng, (5, 5)) for _ in range(40)]
    expected = [solve(position).value for position in positions]
    shared = Engine(table_mb=1, tables=False)
    found: list[list[Value]] = [[], []]

    def run(values: list[Value]) -> None:
        values.extend(shared.solve(position).value for position in positions)

    threads = [threading.Thread(target=run, args=(values,)) for values in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected, expected]


def test_more_rules_than_the_table_tells_apart() -> None:
    engine = Engine(table_mb=1, tables=False)
    texts = [
        f"7cJd7h/7s7d6h h b - deck={deck} limit={limit} both={both} lead={lead} pursuit={pursuit}"
        for deck in (24, 36)
        for limit in range(1, 20)
        for both in ("draw", "attacker")
        for lead in ("many", "one")
        for pursuit in ("on", "off")
    ]
    positions = [position for position in map(Position.from_dpn, texts) if position.is_legal]
    assert len({position.rules for position in positions}) > 128
    first_first = [Position.from_dpn(f"{position.to_dpn()} first=5") for position in positions]
    for position in positions + first_first + positions:
        assert engine.solve(position).value == Engine(table_mb=0, tables=False).solve(position).value


@pytest.mark.slow
def test_memory_stays_flat_over_many_positions() -> None:
    rng = random.Random(2)
    engine, plain = Engine(table_mb=4, tables=False), Engine(table_mb=0)
    before = 0
    for number in range(100_000):
        sizes = rng.randint(1, 6), rng.randint(1, 6)
        position = random_position(rng, sizes)
        analysis = engine.analyse(position)
        assert analysis.exact
        assert analysis.value == plain.solve(position).value
        if number == 10_000:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 4096, f"{grown} KiB more after 90,000 positions"


# -------------------------------------------------------------------------------------------------------------- names


@settings(max_examples=100, deadline=None)
@given(state=states(most=5), order=st.permutations(SUITS))
def test_the_names_of_suits_change_no_value(state: reference.RefState, order: list[str]) -> None:
    """Any renaming of the four suits, the trump suit with them."""
    position = Position.from_dpn(reference.write(state))
    names = dict(zip(SUITS, order, strict=True))
    a, b = ([f"{card.rank}{names[card.suit]}" for card in hand] for hand in position.hands)
    renamed = Position.build(
        a,
        b,
        trump=position.trump and names[position.trump],
        attacker=position.attacker,
        table=[tuple(card and f"{card.rank}{names[card.suit]}" for card in pair) for pair in position.table],  # type: ignore[misc]
        taking=position.taking,
        rules=position.rules,
    )
    assert Engine(table_mb=1, tables=False).solve(renamed).value == WARM.solve(position).value


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), trump=st.sampled_from(["s", "h", None]))
def test_swapping_ranks_that_share_no_suit_changes_no_value(seed: int, trump: str | None) -> None:
    rng = random.Random(seed)
    position = random_position(rng, (rng.randint(1, 5), rng.randint(1, 5)))
    suits = {rank: {card.suit for hand in position.hands for card in hand if card.rank == rank} for rank in RANKS[4:]}
    ranks = list(RANKS[4:])
    swaps = 0
    for _ in range(30):
        at = rng.randrange(len(ranks) - 1)
        if not suits[ranks[at]] & suits[ranks[at + 1]]:
            swaps += bool(suits[ranks[at]]) and bool(suits[ranks[at + 1]])
            ranks[at], ranks[at + 1] = ranks[at + 1], ranks[at]
    assume(swaps)
    names = dict(zip(ranks, RANKS[4:], strict=True))
    a, b = ([f"{names[card.rank]}{card.suit}" for card in hand] for hand in position.hands)
    swapped = Position.build(a, b, trump or position.trump)
    same = Position.build(*position.hands, trump or position.trump)
    plain = Engine(table_mb=0, tables=False).solve(swapped)
    assert plain.value == Engine(table_mb=0, tables=False).solve(same).value
    # The same key: with one found, the other is answered from the table, with the same bounds.
    engine = Engine(table_mb=1, tables=False)
    engine.solve(same)
    assert engine.solve(swapped).value == plain.value


# ------------------------------------------------------------------------------------------------- every small position

Columns = tuple[tuple[int, int], ...]


def columns(cards: int) -> Iterator[Columns]:
    """All ways to lay out some cards in columns, one per live rank: (suits, those of the leader), suit 0 trump."""
    if not cards:
        yield ()
    for suits in range(1, 16):
        if suits.bit_count() <= cards:
            for owners in range(16):
                if not owners & ~suits:
                    for rest in columns(cards - suits.bit_count()):
                        yield ((suits, owners), *rest)


def renamed(layout: Columns, order: tuple[int, ...]) -> Columns:
    def move(mask: int) -> int:
        return sum(1 << new for new, old in enumerate(order) if mask >> old & 1)

    return tuple((move(suits), move(owners)) for suits, owners in layout)


def positions_of(cards: int) -> Iterator[tuple[int, int]]:
    """Hands of all bout starts with a number of cards, up to missing ranks and the names of plain suits."""
    orders = [(0, *rest) for rest in itertools.permutations((1, 2, 3))]
    for layout in columns(cards):
        leader = other = 0
        for rank, (suits, owners) in enumerate(layout):
            for suit in range(4):
                bit = 1 << 16 * suit + rank
                leader |= bit if owners >> suit & 1 else 0
                other |= bit if (suits & ~owners) >> suit & 1 else 0
        if leader and other and all(layout <= renamed(layout, order) for order in orders):
            yield leader, other


@pytest.mark.parametrize(
    ("cards", "counts"),
    [
        (2, (0, 5, 8)),
        (3, (20, 0, 140)),
        (4, (282, 95, 1333)),
        (5, (4849, 0, 12983)),
        pytest.param(6, (54648, 7722, 123768), marks=pytest.mark.slow),
    ],
)
def test_losses_draws_and_wins_of_all_small_positions(cards: int, counts: tuple[int, int, int]) -> None:
    """Equal to the counts of an independent program."""
    rules = RuleSet(
        trump=True, deck=36, hand=6, throw=0, lead_many=True, limit=6, first=0, pursuit=True, both_attacker=False
    )
    searcher = Searcher(2**24)
    searcher.start(None, None)
    found: Counter[int] = Counter()
    for leader, other in positions_of(cards):
        lower, upper = searcher.bounds(State(rules, attacker=0, hands=(leader, other)))
        assert lower == upper
        found[lower] += 1
    assert (found[-1], found[0], found[1]) == counts


# ------------------------------------------------------------------------------------------------------ lines, limits


@settings(max_examples=100, deadline=None)
@given(state=states(most=5))
def test_every_line_proves_its_value(state: reference.RefState) -> None:
    position = Position.from_dpn(reference.write(state))
    analysis = WARM.analyse(position)
    assert analysis.line == analysis.best.line
    for graded in analysis.moves:
        assert graded.line[0] == graded.move
        end = position
        for move in graded.line:
            end = end.play(move)
        outcome = end.outcome()
        assert outcome is not None
        assert graded.value == ("draw" if outcome == "draw" else "win" if outcome == position.to_move else "loss")
    solution = WARM.solve(position)
    assert solution.value == analysis.value
    assert {graded.move: graded.value for graded in analysis.moves}[solution.line[0]] == analysis.value


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), nodes=st.one_of(st.integers(1, 30), st.integers(1, 3000)))
def test_what_a_limit_leaves_is_true(seed: int, nodes: int) -> None:
    rng = random.Random(seed)
    position = random_position(rng, (rng.randint(4, 6), rng.randint(4, 6)))
    limited = Engine().analyse(position, nodes=nodes)
    assert limited.nodes <= nodes
    full = WARM.analyse(position)
    known = {graded.move: graded.value for graded in full.moves}
    assert {graded.move for graded in limited.moves} == set(known)
    for graded in limited.moves:
        lower, upper = graded.value.bounds
        assert lower <= known[graded.move].bounds[0] <= upper
    assert limited.exact or limited.stopped == "nodes"
    solution = Engine().solve(position, nodes=nodes)
    lower, upper = solution.value.bounds
    assert lower <= full.value.bounds[0] <= upper
    assert solution.exact or solution.stopped == "nodes"


def test_limits_end_a_hard_search() -> None:
    position = Position.from_dpn(HARD)
    began, work = time.perf_counter(), time.process_time()
    solution = solve(position, seconds=0.2)
    assert time.perf_counter() - began > 0.1
    assert time.process_time() - work < 1
    assert (solution.value, solution.move, solution.stopped) == (Value.UNKNOWN, None, "seconds")
    analysis = analyse(position, nodes=50_000)
    assert analysis.stopped == "nodes"
    assert analysis.nodes <= 50_000
    assert not analysis.exact
    assert {graded.move for graded in analysis.moves} == set(position.legal_moves)


def test_very_many_cards_to_give_do_not_delay_a_stop() -> None:
    rng = random.Random(4)
    deck = sorted(reference.deck_cards(52), key=reference.order)
    for _ in range(5):
        cards = rng.sample(deck, 50)
        hands = "/".join(reference.written(hand) for hand in (cards[:30], cards[30:]))
        position = Position.from_dpn(f"{hands} h a - deck=52 limit=hand")
        work = time.process_time()
        Engine(table_mb=1).solve(position, seconds=0.1)
        assert time.process_time() - work < 1


def test_another_thread_can_stop_a_search() -> None:
    engine = Engine()
    work = time.process_time()
    with during_a_search(engine.stop):
        assert engine.solve(Position.from_dpn(HARD), seconds=60).stopped == "interrupt"
    assert time.process_time() - work < 1
    assert engine.solve(Position.from_dpn("6s/6h c b -")).value == "win"


@pytest.mark.parametrize(("seconds", "budget"), [(None, 1), (0.0, None)])
def test_no_limit_hides_a_stop(seconds: float | None, budget: int | None) -> None:
    """A stop that comes just before the search reaches a limit of its own counts."""
    state = core.bout_state(Position.from_dpn(HARD))
    for table_bytes in (0, 2**20):
        searcher = Searcher(table_bytes)
        searcher.start(None, seconds)
        searcher.stop()
        searcher.bounds(state, budget)
        assert searcher.stopped == "interrupt"


def test_an_interrupt_ends_in_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_dpn(HARD)
    engine = Engine()
    for search in (engine.solve, engine.analyse):
        work = time.process_time()
        with during_a_search(interrupt):
            assert search(position, seconds=60).stopped == "interrupt"
        assert time.process_time() - work < 1
    # One that comes between the searches of two moves is no different.
    grade, graded = Solver._grade, []

    def interrupted(solver: Solver, known: GradedMove, budget: int) -> GradedMove:
        signal.raise_signal(signal.SIGINT)
        graded.append(known.move)
        return grade(solver, known, budget)

    monkeypatch.setattr(Solver, "_grade", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert engine.analyse(position, seconds=60).stopped == "interrupt"
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(graded) == 1


def test_a_signal_handler_may_raise() -> None:
    def handler(*_: object) -> None:
        raise TimeoutError("enough")

    before = signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)  # of work
    try:
        with pytest.raises(TimeoutError, match="enough"):
            Engine().solve(Position.from_dpn(HARD), seconds=60)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_progress_is_reported() -> None:
    seen: list[Analysis] = []
    analysis = Engine().analyse(Position.from_dpn("6s7dTh/6h8h9c h a -"), on_progress=seen.append)
    assert [sum(graded.value.is_exact for graded in part.moves) for part in seen] == [1, 2, 3]
    assert seen[-1].moves == analysis.moves


@pytest.mark.parametrize(
    "limit", [{"nodes": 0}, {"nodes": 1.5}, {"seconds": 0.0}, {"seconds": -1.0}, {"seconds": float("nan")}]
)
def test_limits_must_be_positive(limit: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        Engine().solve(Position.from_dpn("6s/6h c b -"), **limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [-1, float("nan"), float("inf"), 2**30, 2**60])
def test_table_sizes_are_checked(size: float) -> None:
    with pytest.raises(ValueError, match="table_mb"):
        Engine(table_mb=size)


def test_what_is_not_solved_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="short=bita"):
        solve("6s7dTh/6h8h9c h a - rules=perevodnoy short=bita")
    with pytest.raises(UnsupportedError, match="hidden"):
        solve("6s7dThJhQhKh/6h8h9cJcQcKc h a - ?2,7h")
    with pytest.raises(UnsupportedError, match="hidden"):
        solve("6s7dTh/?3 h a -")
    with pytest.raises(IllegalPositionError) as caught:
        solve("6s7dTh/6h8h9c6s h a -")
    assert caught.value.defects
    with pytest.raises(IllegalPositionError):
        solve("6s/- h a -")


def test_limits_may_be_larger_than_any_search() -> None:
    assert solve("6s/6h c b -", nodes=10**30, seconds=1e30).value == "win"


def test_an_engine_wants_a_position() -> None:
    with pytest.raises(TypeError, match="a Position is needed, or its DPN, not NoneType"):
        Engine().solve(None)  # type: ignore[arg-type]


def test_a_text_will_do_for_a_position() -> None:
    engine, text = Engine(1), "Ks7h7d/6s8h9d s a -"
    position = Position.from_dpn(text)
    assert engine.solve(text).line == engine.solve(position).line
    assert engine.analyse(text).position == engine.analyse_many([text])[0].position == position
    assert engine.estimate(text, seed=1).position == find_strategy(engine, text).positions[0] == position
    assert engine.choose(text) in position.legal_moves


def test_values_are_ordered() -> None:
    ordered = [Value.LOSS, Value.AT_MOST_DRAW, Value.UNKNOWN, Value.DRAW, Value.AT_LEAST_DRAW, Value.WIN]
    assert max(ordered) == Value.WIN
    for (i, a), (k, b) in itertools.product(enumerate(ordered), repeat=2):
        expected = i < k, i <= k, i > k, i >= k
        assert (a < b, a <= b, a > b, a >= b) == expected
        # A text stands for the value that it names, on either side.
        assert (a < str(b), a <= str(b), a > str(b), a >= str(b)) == expected
        assert (str(a) < b, str(a) <= b, str(a) > b, str(a) >= b) == expected
        assert (a == str(b), str(a) == b, a != str(b)) == (i == k, i == k, i != k)
        assert hash(a) == hash(str(a))


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("other", ["a win", "WIN", "", 1, None, (1, 1)])
def test_values_are_not_ordered_against_anything_else(compare: Callable[[object, object], bool], other: object) -> None:
    for value in Value:
        with pytest.raises(TypeError):
            compare(value, other)
        with pytest.raises(TypeError):
            compare(other, value)
        assert value != other


def test_values_are_written_as_before() -> None:
    assert [*map(str, Value)] == ["win", "at least draw", "draw", "unknown", "at most draw", "loss"]
    assert f"{Value.AT_LEAST_DRAW}, {Value.WIN!r}" == "at least draw, Value.WIN"
    assert json.dumps([Value.LOSS, {"value": Value.AT_MOST_DRAW}]) == '["loss", {"value": "at most draw"}]'
    assert pickle.loads(pickle.dumps(Value.DRAW)) is Value("draw") is Value.DRAW


def test_clearing_the_table_repeats_the_search() -> None:
    engine = Engine()
    position = random_position(random.Random(3), (7, 7))
    first = engine.solve(position).nodes
    assert engine.solve(position).nodes < first
    engine.clear()
    assert engine.solve(position).nodes == first
    assert repr(engine) == "Engine(table_mb=64)"


def test_what_is_known_at_sight_takes_no_node() -> None:
    """A bout start that is won by leading only what must be taken, a defence that a reply answers, and the table."""
    searcher = Searcher(2**20)
    for dpn, value in (("AsAd/6c7c8h s a -", 1), ("7s7d/9h s b 6h", -1)):
        searcher.start(None, None)
        assert searcher.bounds(core.bout_state(Position.from_dpn(dpn))) == (value, value)
        assert searcher.nodes == 0
    state = core.bout_state(random_position(random.Random(3), (7, 7)))
    searcher.start(None, None)
    found = searcher.bounds(state)
    assert searcher.nodes > 10
    searcher.start(None, None)
    assert searcher.bounds(state) == found
    assert searcher.nodes == 0


@pytest.mark.parametrize("nodes", [1, 7, 1000])
def test_a_limit_of_nodes_is_kept_to_the_node(nodes: int) -> None:
    assert Engine(tables=False).solve(Position.from_dpn(HARD), nodes=nodes).nodes == nodes


def test_cards_are_in_order() -> None:
    assert [str(card) for card in sorted([Card("Ah"), Card("6s"), Card("2c")])] == ["6s", "2c", "Ah"]


@pytest.mark.parametrize("seed", range(3))
def test_more_layers_than_a_key_holds(seed: int) -> None:
    """All in one suit and on top of each other: such bout starts keep their names in the table."""
    rng = random.Random(seed)
    cards = [card for card in sorted(reference.deck_cards(52)) if card[1] == "s"]
    held = rng.sample(cards, rng.choice((12, 13)))
    most = rng.randint(5, 7)
    dpn = f"{reference.written(held[:most])}/{reference.written(held[most:])} d a - deck=52"
    expected = {"win": 1, "draw": 0, "loss": -1}[reference.solve(reference.parse(dpn))[0]]
    state = core.bout_state(Position.from_dpn(dpn))
    for table_bytes in (0, 512, 2**20):
        searcher = Searcher(table_bytes)
        searcher.start(None, None)
        assert searcher.bounds(state) == (expected, expected)
        if table_bytes:
            assert searcher.prove(state, 0) == (expected == 1)


@pytest.mark.parametrize("trump", ["s", "-"])
def test_equal_bout_starts_share_an_entry(trump: str) -> None:
    """Suits without names are renamed, and neighbouring ranks that share no suit swapped."""
    rng = random.Random(trump)
    ranks = "6789TJQKA"
    swaps = 0
    for _ in range(40):
        held = rng.sample([rank + suit for rank in ranks for suit in SUITS], 9)
        searcher, plain = Searcher(2**20), [suit for suit in SUITS if suit != trump]
        renamed = dict(zip(plain, rng.sample(plain, len(plain)), strict=True)) | {trump: trump}
        place = {rank: rank for rank in ranks}
        for _ in range(30):
            low = rng.randrange(8)
            lower, upper = ({card[1] for card in held if place[card[0]] == rank} for rank in ranks[low : low + 2])
            if lower and upper and not lower & upper:
                swaps += 1
                place = {rank: swapped(new, ranks[low : low + 2]) for rank, new in place.items()}
        nodes = []
        for cards in (held, [place[card[0]] + renamed[card[1]] for card in held]):
            position = Position.from_dpn(f"{''.join(cards[:4])}/{''.join(cards[4:])} {trump} a -")
            searcher.start(None, None)
            searcher.bounds(core.bout_state(position))
            nodes.append(searcher.nodes)
        assert nodes[1] <= 2  # a question each
    assert swaps > 20


def swapped(rank: str, pair: str) -> str:
    """The other one of a pair of ranks, or the rank itself."""
    return pair[1 - pair.index(rank)] if rank in pair else rank
