"""Endings tables under rules with transfers, a locked suit or overflow."""

from __future__ import annotations

import itertools
import random
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import Engine, Position, Rules, Value
from durak_solver._core.endings import MOST_CARDS, Endings
from durak_solver._core.search import Searcher
from durak_solver._core.state import RuleSet, State
from durak_solver._core.survey import ForcedEnds
from durak_solver.engine.tables import sweep as table_work
from durak_solver.engine.tables.build import build_tables
from durak_solver.engine.tables.files import (
    HEADER_BYTES,
    TableError,
    checksum,
    core_rules,
    file_name,
    rules_of,
    rules_text,
    untabled,
)
from durak_solver.engine.tables.lookup import SHIPPED, NotCoveredError, Tables
from durak_solver.engine.tables.sweep import Progress, sweep_all
from tests.support import reference
from tests.support.data import ROOT
from tests.support.endings import uses
from tests.support.program import run
from tests.support.strategies import deal
from tools.results import repetition

PEREVODNOY = Rules.preset("perevodnoy")
JAPANESE = Rules.preset("japanese")
RULES = [
    PEREVODNOY,
    Rules.preset("perevodnoy-show"),
    JAPANESE,
    Rules.preset("simple"),
    Rules(both="attacker"),
    Rules(overflow=True, limit=1),
    Rules(show=True, limit=2, throw="lead"),
    Rules(transfer=True, short="limit"),
    Rules(transfer=True, short="limit", pursuit=False, overflow=True, limit=3),
    Rules(transfer=True, pursuit=False, both="attacker", lead="one"),
    Rules(transfer=True, show=True, lock="s", throw="none", limit="hand"),
]
LOCKED = Endings(core_rules(JAPANESE))
SEARCH = Engine(8, tables=False)
# Found by the search that every ending of up to seven cards was compared with, and by tools/results/repetition.py.
LOCKED_CLASSES = {2: 20, 3: 210, 4: 1722, 5: 13140, 6: 97844, 7: 722380}
CYCLES = ["8s8cQdKd/7s7cTdJd h a - transfer=on", "7d7s8s/6c6d8c8d s a - transfer=on"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of up to five cards for several rules, and of up to seven for one."""
    path = tmp_path_factory.mktemp("tables")
    for rules in RULES:
        assert build_tables(rules, 5, path)
    assert build_tables(PEREVODNOY, 7, path, jobs=2)
    return path


# ------------------------------------------------------------------------------------------------------------ the index


@pytest.mark.parametrize("cards", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_rank_and_unrank_are_inverse(cards: int) -> None:
    found = 0
    for leaders in range(1, cards):
        for number in range(LOCKED.count(cards, leaders)):
            leader, other = LOCKED.unrank(cards, leaders, number)
            assert (leader.bit_count(), other.bit_count(), leader & other) == (leaders, cards - leaders, 0)
            assert LOCKED.rank(leader, other) == number
            found += 1
    assert found == LOCKED_CLASSES[cards]


def test_rank_and_unrank_are_inverse_where_there_are_many() -> None:
    rng = random.Random(1)
    for cards, leaders in ((total, own) for total in range(6, MOST_CARDS + 1) for own in range(1, total)):
        count = LOCKED.count(cards, leaders)
        assert count < 2**32
        for number in (0, count - 1, *(rng.randrange(count) for _ in range(100))):
            leader, other = LOCKED.unrank(cards, leaders, number)
            assert (leader.bit_count(), other.bit_count(), leader & other) == (leaders, cards - leaders, 0)
            assert LOCKED.rank(leader, other) == number


Word = tuple[tuple[int, int], ...]  # for each rank from the lowest up: suits of the leader's cards, and of the other's


def words(leaders: int, others: int) -> list[Word]:
    """All bout starts, but for ranks without a card."""
    if not leaders and not others:
        return [()]
    found = []
    for mine, theirs in itertools.product(range(16), repeat=2):
        more, fewer = leaders - mine.bit_count(), others - theirs.bit_count()
        if mine | theirs and not mine & theirs and more >= 0 and fewer >= 0:
            found += [((mine, theirs), *rest) for rest in words(more, fewer)]
    return found


def alike(word: Word, lanes: list[int]) -> list[Word]:
    """Bout starts that are worth the same: lanes have changed names, or two columns without a common suit places."""
    moved = [sum(1 << lanes[s] for s in range(4) if n >> s & 1) for column in word for n in column]
    found: list[Word] = [tuple(zip(moved[::2], moved[1::2], strict=True))]
    for i in range(len(word) - 1):
        if not sum(word[i]) & sum(word[i + 1]):
            found.append((*word[:i], word[i + 1], word[i], *word[i + 2 :]))
    return found


def ranked(word: Word) -> int:
    hands = [
        sum(1 << 16 * lane + rank for rank, column in enumerate(word) for lane in range(4) if column[side] >> lane & 1)
        for side in (0, 1)
    ]
    return LOCKED.rank(*hands)


@pytest.mark.parametrize(("leaders", "others"), [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3)])
def test_the_classes_are_those_of_the_rules(leaders: int, others: int) -> None:
    """Numbers are equal where bout starts are alike, and nowhere else."""
    classes: dict[Word, int] = {}
    for word in words(leaders, others):
        if word in classes:
            continue
        number = len(set(classes.values()))
        todo = [word]
        while todo:
            one = todo.pop()
            if one not in classes:
                classes[one] = number
                todo += alike(one, [0, 1, 3, 2])
    numbers = {(number, ranked(word)) for word, number in classes.items()}
    assert len(numbers) == len(set(classes.values())) == LOCKED.count(leaders + others, leaders)
    assert len({rank for _, rank in numbers}) == len(numbers)


# ----------------------------------------------------------------------------------------------------------- the values


def searched(searcher: Searcher, rules: RuleSet, hands: tuple[int, int]) -> int:
    searcher.start(None, None)
    lower, upper = searcher.bounds(State(rules, attacker=0, hands=hands), 10**8)
    assert lower == upper
    return lower


@pytest.mark.parametrize("rules", RULES, ids=rules_text)
def test_all_values_are_those_of_the_search(folder: Path, rules: Rules) -> None:
    endings, searcher = Tables(folder).endings(rules), Searcher(2**22)
    assert endings is not None
    rng = random.Random(rules_text(rules))
    for cards in range(2, 6):
        for leaders in range(1, cards):
            count = endings.count(cards, leaders)
            for number in range(count) if cards < 5 else rng.sample(range(count), 200):
                hands = endings.unrank(cards, leaders, number)
                assert endings.probe(*hands) == searched(searcher, core_rules(rules), hands)


def test_many_values_are_those_of_the_search(folder: Path) -> None:
    """Of seven cards, where draws by repetition begin: all draws, and some others."""
    endings, searcher = Tables(folder).endings(PEREVODNOY), Searcher(2**22)
    assert endings is not None
    rng, draws = random.Random(1), 0
    for leaders in range(1, 7):
        for number in range(endings.count(7, leaders)):
            hands = endings.unrank(7, leaders, number)
            value = endings.probe(*hands)
            draws += value == 0
            if value == 0 or rng.random() < 0.005:
                assert searched(searcher, core_rules(PEREVODNOY), hands) == value
    assert draws == 49


@pytest.mark.parametrize("rules", RULES, ids=rules_text)
def test_values_are_those_of_the_reference(folder: Path, rules: Rules) -> None:
    rng, tables = random.Random(rules_text(rules)), Tables(folder)
    engine = Engine(1, tables=tables)
    options = dict(word.split("=") for word in rules_text(rules).split())
    for _ in range(25):
        options["deck"] = rng.choice(["24", "36", "52"])
        cards = rng.randrange(2, 6)
        own = rng.randrange(1, cards)
        state = deal(rng, options, (own, cards - own), "d" if rules.lock else rng.choice("scdh"))
        position = Position.from_dpn(reference.write(state))
        value, moves = reference.solve(state)
        assert tables.probe(position) == value
        analysis = engine.analyse(position)
        assert {str(move.move): move.value for move in analysis.moves} == moves


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), cards=st.integers(5, 9))
def test_the_engine_finds_the_same_with_tables(seed: int, cards: int) -> None:
    rng = random.Random(seed)
    own = rng.randrange(1, cards)
    state = deal(rng, {"deck": "36", "transfer": "on"}, (own, cards - own), rng.choice("scdh"))
    for _ in range(rng.randrange(5)):
        after = reference.play(state, rng.choice(reference.legal_moves(state)))
        if after.over:
            break
        state = after
    position = Position.from_dpn(reference.write(state))
    with_tables, without = Engine(8).analyse(position), SEARCH.analyse(position)
    assert {move.move: move.value for move in with_tables.moves} == {move.move: move.value for move in without.moves}
    assert (without.tables, with_tables.tables in (0, 7)) == (0, True)


@pytest.mark.parametrize("dpn", CYCLES)
def test_positions_that_come_back(dpn: str) -> None:
    position = Position.from_dpn(dpn)
    with_tables, without = Engine(8).analyse(position), SEARCH.analyse(position)
    assert {move.move: move.value for move in with_tables.moves} == {move.move: move.value for move in without.moves}
    assert with_tables.value == without.value
    assert (with_tables.tables, without.tables) == (7, 0)


@pytest.mark.slow
def test_eight_cards(tmp_path: Path) -> None:
    assert build_tables(PEREVODNOY, 8, tmp_path, jobs=2)
    tables, rng = Tables(tmp_path), random.Random(8)
    position = Position.from_dpn(CYCLES[0])
    assert tables.probe(position) == SEARCH.solve(position).value
    for _ in range(300):
        own = rng.randrange(1, 8)
        position = Position.from_dpn(reference.write(deal(rng, {"deck": "36", "transfer": "on"}, (own, 8 - own), "h")))
        assert tables.probe(position) == SEARCH.solve(position).value


# ------------------------------------------------------------------------------------------------ who can force an end


def can_end(state: reference.RefState) -> tuple[bool, bool]:
    """Which seat can force an end of the game that is no loss for it, over the graph of all that can be reached."""
    graph = reference.Retrograde(state)
    found = []
    for seat, sign in ((0, 1), (1, -1)):
        can = [one.over and sign * reference.end_score(one) >= 0 for one in graph.states]
        more = True
        while more:
            more = False
            for i, one in enumerate(graph.states):
                choose = any if not one.over and reference.mover(one) == seat else all
                if not can[i] and not one.over and choose(can[child] for child in graph.children[i]):
                    can[i] = more = True
        found.append(can[0])
    return found[0], found[1]


@pytest.mark.parametrize("rules", [PEREVODNOY, Rules(transfer=True, short="limit")], ids=rules_text)
def test_who_can_force_an_end(rules: Rules) -> None:
    ends, blocks, rng = ForcedEnds(core_rules(rules)), {}, random.Random(2)
    with ThreadPoolExecutor(1) as pool:
        for cards in range(2, 6):
            blocks[cards] = memoryview(bytearray(ends.section(cards, cards)))
            assert sweep_all(ends, cards, blocks[cards], pool, 1)
    options, seen = {"deck": "36"} | dict(word.split("=") for word in rules_text(rules).split()), set()
    for _ in range(60):
        cards = rng.randrange(2, 6)
        own = rng.randrange(1, cards)
        state = deal(rng, options, (own, cards - own), "h")
        position = Position.from_dpn(reference.write(state))
        leader, other = (
            sum(1 << 16 * "hscd".index(card.suit) + card.rank_index for card in hand) for hand in position.hands
        )
        can_a, can_b = can_end(state)
        if state.attacker == 1:
            leader, other, can_a, can_b = other, leader, can_b, can_a
        number = ends.rank(leader, other)
        code = blocks[cards][ends.section(cards, leader.bit_count()) + number // 4] >> 2 * (number % 4) & 3
        assert code == can_a + 2 * can_b
        seen.add(code)
    assert seen >= {1, 2, 3}
    with pytest.raises(ValueError, match="no values"):
        Searcher(0).use(ends)


def test_draws_by_repetition_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With an odd number of cards a game cannot end in a draw, so all draws are by repetition."""
    monkeypatch.setattr(sys, "argv", ["repetition.py", "--cards", "7"])
    repetition.main()
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 7 |")]
    assert rows == [
        "| 7 | 251,762 | 78,107 | 49 | 173,606 | 49 |",
        "| 7 | 1,951,450 | 643,877 | 49 | 1,307,524 | 49 |",
    ]
    documented = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8").splitlines()
    assert all(row in documented for row in rows)


# ------------------------------------------------------------------------------------------------------------ the files


def test_names_and_rules() -> None:
    assert file_name(PEREVODNOY, 7) == "perevodnoy-07.durak"
    assert file_name(Rules(transfer=True, short="limit", lock="s"), 7) == "perevodnoy-short-limit-lock-s-07.durak"
    for rules in RULES:
        assert rules_of(rules_text(rules)) == rules and not untabled(rules)
    assert len({file_name(rules, 5) for rules in RULES}) == len(RULES)
    assert rules_text(Rules(short="limit")) == rules_text(Rules()), "it speaks of transfers"
    default = rules_text(Rules())
    for text in (default + " transfer=off", "transfer=on " + default, default[:-10]):
        with pytest.raises(ValueError, match=r"\w"):
            rules_of(text)


def test_a_table_is_used_under_its_own_rules_only(folder: Path, tmp_path: Path) -> None:
    for one, other in itertools.product(RULES, repeat=2):
        endings = Tables(folder).endings(one)
        assert endings is not None
        assert uses(endings, core_rules(other)) == (one is other)
    for one, other in itertools.permutations(RULES, 2):
        shutil.copy(folder / file_name(one, 4), tmp_path / file_name(other, 4))
        with pytest.raises(TableError, match="was built for"):
            Tables(tmp_path).endings(other)
        (tmp_path / file_name(other, 4)).unlink()
    shutil.copy(folder / "perevodnoy-04.durak", tmp_path)
    with pytest.raises(NotCoveredError, match=r"there is no table for throw=any .* transfer=on short=limit"):
        Tables(tmp_path).probe(Position.from_dpn("6s7d/6h8h h a - transfer=on short=limit"))
    assert Engine(1).analyse(Position.from_dpn("6s7d/6h8h h a - transfer=on short=limit")).tables == 0
    for options in ("straps=6", "ace6=on", "transfer=on short=bita", "deck=54"):
        assert untabled(Position.from_dpn(f"6s7d/6h8h h a - {options}").rules)


def test_jobs_and_pieces_change_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_work, "_CHUNK", 1 << 8)
    seen: list[Progress] = []
    assert build_tables(PEREVODNOY, 6, tmp_path, jobs=3, on_progress=seen.append)
    for cards in range(2, 7):
        name = file_name(PEREVODNOY, cards)
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes() == (SHIPPED / name).read_bytes()
    assert max(progress.sweep for progress in seen) > 1


def test_a_stopped_build_begins_again(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_work, "_CHUNK", 1 << 10)
    seen: list[Progress] = []
    assert not build_tables(
        PEREVODNOY, 6, tmp_path, on_progress=seen.append, stop=lambda: seen != [] and seen[-1].cards == 6
    )
    part = tmp_path / "perevodnoy-06.part"
    assert not (tmp_path / "perevodnoy-06.durak").exists()
    part.write_bytes(part.read_bytes()[:HEADER_BYTES].ljust(part.stat().st_size, b"\xaa"))
    assert build_tables(PEREVODNOY, 6, tmp_path)
    assert (tmp_path / "perevodnoy-06.durak").read_bytes() == (folder / "perevodnoy-06.durak").read_bytes()


def test_verify_builds_again(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("perevodnoy-0*.durak"):
        shutil.copy(path, tmp_path)
    path = tmp_path / "perevodnoy-07.durak"
    data = path.read_bytes()
    values = bytearray(data[HEADER_BYTES:])
    endings = Tables(tmp_path).endings(PEREVODNOY)
    assert endings is not None
    for leaders in range(1, 7):
        for number in range(endings.count(7, leaders)):
            if endings.probe(*endings.unrank(7, leaders, number)) == 0:
                values[endings.section(7, leaders) + number // 4] ^= 3 << 2 * (number % 4)
    old, new = checksum(memoryview(data)[HEADER_BYTES:]), checksum(memoryview(values))
    path.write_bytes(data[:HEADER_BYTES].replace(old.encode(), new.encode()) + values)
    result = run("tables", "verify", "--dir", str(tmp_path), "--sample", "0", "--full", "--jobs", "2")
    assert result.exit_code == 1 and "cards do not follow from others" in result.stderr


def test_commands(folder: Path) -> None:
    result = run("tables", "verify", "--dir", str(folder), "--sample", "5", "--full")
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 4 * len(RULES) + 2
    result = run("tables", "info", "--dir", str(folder))
    assert "  throw=any lead=many limit=6 pursuit=on both=draw transfer=on short=limit" in result.stdout.splitlines()


def test_shipped_tables() -> None:
    tables = Tables()
    assert tables.largest(PEREVODNOY) == 7
    assert tables.probe(Position.from_dpn(CYCLES[1])) == SEARCH.solve(Position.from_dpn(CYCLES[1])).value
    assert tables.probe(Position.from_dpn("6s/7s s a - transfer=on")) is Value.DRAW
    assert sum(path.stat().st_size for path in SHIPPED.glob("*.durak")) < 700_000
