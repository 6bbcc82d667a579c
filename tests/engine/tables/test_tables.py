"""The endings tables: the index, the values, the files, the commands."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import Engine, IllegalPositionError, Position, Rules, Value
from durak_solver._core.endings import MOST_CARDS, Endings
from durak_solver._core.survey import survey, winning_leads
from durak_solver.engine.tables import sweep as table_work
from durak_solver.engine.tables.build import build_tables
from durak_solver.engine.tables.files import HEADER_BYTES, TableError, checksum, file_name, rules_of, rules_text
from durak_solver.engine.tables.lookup import SHIPPED, NotCoveredError, Tables, user_directory
from durak_solver.engine.tables.sweep import Progress
from durak_solver.game import core
from tests.support import reference
from tests.support.data import ROOT
from tests.support.endings import uses
from tests.support.patience import until
from tests.support.program import environment, interruptible, run
from tests.support.strategies import OPTIONS, deal

DEFAULT = Rules()
CLASSES = {2: 10, 3: 92, 4: 688, 5: 4918, 6: 35064, 7: 251762, 8: 1821842, 9: 13265614, 10: 97016526}
CLASSES |= {11: 711589256, 12: 5229103200}
POSITIONS = {
    2: (0, 5, 8),
    3: (20, 0, 140),
    4: (282, 95, 1333),
    5: (4849, 0, 12983),
    6: (54648, 7722, 123768),
    7: (636422, 0, 1315028),
    8: (6785995, 635846, 13106613),
}
OTHER_RULES = [
    Rules(throw="lead"),
    Rules(throw="none", lead="one"),
    Rules(pursuit=False),
    Rules(limit=1, both="attacker"),
    Rules(limit=2, pursuit=False, both="attacker"),
    Rules(limit="hand", lead="one", throw="none"),
]
PLAIN, SEARCH = Engine(8), Engine(8, tables=False)
INDEX = Endings(core.rule_set(DEFAULT, "s"))
FOUR = "6s7d/6h8h h a -"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of up to six cards for several rules."""
    path = tmp_path_factory.mktemp("tables")
    for rules in (DEFAULT, *OTHER_RULES):
        assert build_tables(rules, 6, path)
    return path


def random_hands(rng: random.Random, cards: int) -> tuple[int, int]:
    deck = [1 << (16 * lane + rank) for lane in range(4) for rank in range(13)]
    drawn = rng.sample(deck, cards)
    leaders = rng.randrange(1, cards)
    return sum(drawn[:leaders]), sum(drawn[leaders:])


# ------------------------------------------------------------------------------------------------------------ the index


def test_how_many_classes_there_are() -> None:
    counts = {cards: sum(INDEX.count(cards, own) for own in range(1, cards)) for cards in range(2, MOST_CARDS + 1)}
    assert counts == CLASSES


@pytest.mark.parametrize("cards", [2, 3, 4, 5, 6, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_rank_and_unrank_are_inverse(cards: int) -> None:
    for leaders in range(1, cards):
        for number in range(INDEX.count(cards, leaders)):
            leader, other = INDEX.unrank(cards, leaders, number)
            assert (leader.bit_count(), other.bit_count(), leader & other) == (leaders, cards - leaders, 0)
            assert INDEX.rank(leader, other) == number


def test_rank_and_unrank_are_inverse_where_there_are_many() -> None:
    rng = random.Random(1)
    for cards, leaders in ((total, own) for total in range(8, MOST_CARDS + 1) for own in range(1, total)):
        count = INDEX.count(cards, leaders)
        for number in (0, count - 1, *(rng.randrange(count) for _ in range(300))):
            leader, other = INDEX.unrank(cards, leaders, number)
            assert (leader.bit_count(), other.bit_count(), leader & other) == (leaders, cards - leaders, 0)
            assert INDEX.rank(leader, other) == number


def renamed(cards: int, lanes: tuple[int, ...]) -> int:
    return sum((cards >> 16 * lane & 0xFFFF) << 16 * new for lane, new in enumerate((0, *lanes)))


def columns_of(cards: int) -> list[int]:
    """For each rank, the bits of its cards in the lanes."""
    return [cards >> rank & 0x0001000100010001 for rank in range(13)]


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), cards=st.integers(2, MOST_CARDS))
def test_what_the_rules_cannot_tell_apart_has_one_number(seed: int, cards: int) -> None:
    rng = random.Random(seed)
    hands = random_hands(rng, cards)
    number = INDEX.rank(*hands)
    for lanes in itertools.permutations((1, 2, 3)):
        assert INDEX.rank(renamed(hands[0], lanes), renamed(hands[1], lanes)) == number
    columns = list(zip(*map(columns_of, hands), strict=True))
    for i in range(12):
        if not sum(columns[i]) & sum(columns[i + 1]):  # empty ranks are swapped, too
            swapped = [*columns[:i], columns[i + 1], columns[i], *columns[i + 2 :]]
            again = [sum(column[side] << rank for rank, column in enumerate(swapped)) for side in (0, 1)]
            assert INDEX.rank(*again) == number


def test_what_the_rules_tell_apart_has_two() -> None:
    low, high, trump = 1 << 16, 1 << 17, 1 << 1
    assert INDEX.rank(low, high) != INDEX.rank(high, low)  # another order in the suit
    assert INDEX.rank(high, trump) != INDEX.rank(low, trump)  # the same rank or not
    assert INDEX.rank(low, trump) != INDEX.rank(low, 1 << 33)  # a trump or not


def test_the_index_refuses_what_it_does_not_hold() -> None:
    for call in (
        lambda: INDEX.rank(0, 1),
        lambda: INDEX.rank(1, 0b1111111111110),
        lambda: INDEX.unrank(4, 2, INDEX.count(4, 2)),
        lambda: INDEX.unrank(4, 4, 0),
        lambda: INDEX.count(13, 1),
        lambda: INDEX.attach(3, bytes(1)),
        lambda: INDEX.solve(4, 2, 0, 4, bytearray(1)),
        lambda: Endings(core.rule_set(DEFAULT, None)),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()


# ----------------------------------------------------------------------------------------------------------- the values


@pytest.mark.parametrize("cards", [*range(2, 8), pytest.param(8, marks=pytest.mark.slow)])
def test_every_position_counted(cards: int) -> None:
    """The figures of the specification, which were found by brute force."""
    endings = Tables().endings(DEFAULT)
    assert endings is not None
    found = [survey(endings, cards, leaders, 9) for leaders in range(1, cards)]
    assert tuple(map(sum, zip(*(positions for positions, *_ in found), strict=True))) == POSITIONS[cards]
    for leaders, (_, deals, _, _) in enumerate(found, 1):
        assert sum(deals) == math.comb(36, cards) * math.comb(cards, leaders)


@pytest.mark.parametrize(("leaders", "others", "ranks"), [(1, 1, 9), (2, 1, 6), (1, 3, 4), (2, 2, 4), (2, 3, 3)])
def test_a_survey_is_of_all_deals(leaders: int, others: int, ranks: int) -> None:
    endings = Tables().endings(DEFAULT)
    assert endings is not None
    deck = [1 << (16 * lane + rank) for lane in range(4) for rank in range(ranks)]
    values, burdens, single = [0, 0, 0], 0, 0
    for live in itertools.combinations(deck, leaders + others):
        for hand in itertools.combinations(live, leaders):
            leader, other = sum(hand), sum(live) - sum(hand)
            value, turned = endings.probe(leader, other), endings.probe(other, leader)
            assert value is not None and turned is not None
            values[value + 1] += 1
            burdens += -turned > value
            single += value == 1 and winning_leads(endings, leader, other) == 1
    total = leaders + others
    assert survey(endings, total, leaders, ranks, True)[1:] == (tuple(values), burdens, single)
    assert survey(endings, total, leaders, ranks)[1:] == (tuple(values), burdens, 0)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), cards=st.integers(2, 8))
def test_winning_leads_are_those_of_the_search(seed: int, cards: int) -> None:
    rng = random.Random(seed)
    own = rng.randrange(1, cards)
    position = Position.from_dpn(reference.write(deal(rng, {"deck": "36"}, (own, cards - own), rng.choice("scdh"))))
    leader, other = (core.card_set(hand, position.trump) for hand in position.hands)
    if position.attacker == "b":
        leader, other = other, leader
    endings = Tables().endings(DEFAULT)
    assert endings is not None
    wins = sum(move.value is Value.WIN for move in SEARCH.analyse(position).moves)
    assert winning_leads(endings, leader, other) == wins


def test_a_survey_needs_the_tables() -> None:
    with pytest.raises(ValueError, match="the values of 4 cards are needed first"):
        survey(INDEX, 4, 2, 9)
    with pytest.raises(ValueError, match="the values of 2 cards are needed first"):
        winning_leads(INDEX, 1, 2)
    with pytest.raises(ValueError, match="not within"):
        survey(INDEX, 13, 2, 9)


def test_tallies_add_up(folder: Path) -> None:
    endings = Tables(folder).endings(DEFAULT)
    assert endings is not None
    for cards in range(2, 7):
        for leaders in range(1, cards):
            found = [0, 0, 0]
            for number in range(endings.count(cards, leaders)):
                value = endings.probe(*endings.unrank(cards, leaders, number))
                assert value is not None
                found[value + 1] += 1
            assert endings.tally(cards, leaders) == tuple(found)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), cards=st.integers(2, 8))
def test_values_are_those_of_the_search(seed: int, cards: int) -> None:
    rng = random.Random(seed)
    own = rng.randrange(1, cards)
    state = deal(rng, {"deck": rng.choice(OPTIONS["deck"])}, (own, cards - own), rng.choice("scdh"))
    position = Position.from_dpn(reference.write(state))
    assert Tables().probe(position) == SEARCH.solve(position).value


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), cards=st.integers(2, 12))
def test_the_engine_finds_the_same_with_tables(seed: int, cards: int) -> None:
    """In every phase, and above the tables."""
    rng = random.Random(seed)
    own = rng.randrange(1, cards)
    options = {key: rng.choice(OPTIONS[key]) for key in ("deck", "first")} if rng.random() < 0.5 else {"deck": "36"}
    state = deal(rng, options, (own, cards - own), rng.choice("scdh"))
    for _ in range(rng.randrange(5)):
        after = reference.play(state, rng.choice(reference.legal_moves(state)))
        if after.over:
            break
        state = after
    position = Position.from_dpn(reference.write(state))
    with_tables, without = PLAIN.analyse(position), SEARCH.analyse(position)
    assert {move.move: move.value for move in with_tables.moves} == {move.move: move.value for move in without.moves}
    assert without.tables == 0 and with_tables.tables in (0, 8)


@pytest.mark.parametrize("rules", OTHER_RULES, ids=rules_text)
def test_values_under_other_rules(folder: Path, rules: Rules) -> None:
    rng, tables = random.Random(rules_text(rules)), Tables(folder)
    engine = Engine(1, tables=tables)
    used = 0
    for number in range(120):
        cards = rng.randrange(2, 7 if number % 10 else 5)
        own = rng.randrange(1, cards)
        options = dict(word.split("=") for word in rules_text(rules).split())
        options |= {key: rng.choice(OPTIONS[key]) for key in ("deck", "first")}
        state = deal(rng, options, (own, cards - own), rng.choice("scdh"))
        position = Position.from_dpn(reference.write(state))
        value = tables.probe(position)
        assert value == SEARCH.solve(position).value
        if number % 10 == 0:
            assert value == reference.solve(state)[0]
        analysis = engine.analyse(position)
        assert analysis.value == value
        used += analysis.tables
    assert used


def test_other_rules_never_use_a_table() -> None:
    for rules in OTHER_RULES:
        position = Position.from_dpn(FOUR + " " + rules_text(rules))
        with pytest.raises(NotCoveredError, match="there is no table for throw="):
            Tables().probe(position)
        assert PLAIN.analyse(position).tables == 0
    for option in ("hand=5", "deck=24", "deck=52", "first=5", "exchange=on"):  # change nothing here
        position = Position.from_dpn(f"9sTd/9hQh h a - {option}")
        assert Tables().probe(position) == SEARCH.solve(position).value
    # A game without a trump suit has other values, and other names for the suits.
    position = Position.from_dpn("6s7d8d/6h8h9h - a -")
    assert PLAIN.analyse(position).tables == 0
    endings = Tables().endings(DEFAULT)
    assert endings is not None
    assert uses(endings, core.rule_set(Rules(deck=52, hand=5, first=5, exchange=True), "s"))
    assert not any(uses(endings, core.rule_set(rules, "s")) for rules in OTHER_RULES)
    assert not uses(endings, core.rule_set(DEFAULT, None))


def test_the_engine_says_when_it_used_tables(folder: Path) -> None:
    position = Position.from_dpn("6s7dTh/6h8h9c h a -")
    analysis = Engine(1).analyse(position)
    assert analysis.tables == 8 and analysis.to_dict()["tables"] == 8
    assert Engine(1).solve(position).tables == 8
    assert Engine(1, tables=folder).solve(position).tables == 8, "the shipped ones are used beside those of a folder"
    assert Engine(1, tables=False).analyse(position).tables == 0
    won = Position.from_dpn("Ah/6s7s h a -")  # needs no look-up
    assert Engine(1).analyse(won).tables == 0
    stocked = Position.from_dpn("6s7dThKs9c8h/6hKh9dQsJcAd h a - 7h deck=36")
    assert Engine(1).analyse(stocked, nodes=3000).tables in (0, 8)


def test_estimates_do_not_depend_on_threads() -> None:
    position = Position.from_dpn("6s7dThKs9c8h/?6 h a - ?3,7h")
    first, *others = (
        Engine(1).estimate(position, samples=40, seed=2, jobs=jobs).to_dict() | {"seconds": 0} for jobs in (1, 2, 3)
    )
    assert others == [first, first]


# ------------------------------------------------------------------------------------------------- what is not covered


@pytest.mark.parametrize(
    ("dpn", "reason"),
    [
        ("6s7dThKs9c8h/6hKh9dQsJcAd h a - 7h", "there is a stock"),
        ("6s/6h8h h b 7s:Ts,7d", "cards lie on the table"),
        ("6s7s/?2 h a -", "cards are hidden"),
        ("6s7d/6h8h - a -", "there is no trump suit"),
        ("6s7s8s9sTs/6h8h9hTh h a -", "no table for 9 cards (the largest is for 8)"),
        ("6s7s8s9sTsJsQs/6h8h9hThJhQh h a -", "13 cards are live, and the tables hold at most 12"),
        (FOUR + " straps=6", "straps=6 changes the game"),
        (FOUR + " limit=5", "no table for throw=any lead=many limit=5 pursuit=on both=draw"),
    ],
)
def test_what_is_not_covered(dpn: str, reason: str) -> None:
    position = Position.from_dpn(dpn)
    with pytest.raises(NotCoveredError) as caught:
        Tables().probe(position)
    assert reason in str(caught.value) and str(caught.value).count(".") == 0
    assert Tables().get(position) is None
    assert Tables().get(position, "?") == "?"


def test_what_is_covered() -> None:
    assert Tables().probe(Position.from_dpn("Ks7h7d/6s8h9d s a -")) is Value.WIN
    assert Tables().get(Position.from_dpn("6s/7s s a -"), "?") is Value.DRAW
    assert Tables().probe(Position.from_dpn("6s/7s8s s b -")) is Value.WIN
    assert Tables().largest(DEFAULT) == 8 and Tables().largest(Rules(pursuit=False)) == 0
    with pytest.raises(IllegalPositionError):
        Tables().get(Position.from_dpn("6s/6s s a -"))


# ------------------------------------------------------------------------------------------------------------ the files


def test_where_tables_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("DURAK_TABLES")
    own = tmp_path / "durak" / "tables"
    assert user_directory() == Tables().directory == own
    assert Tables().largest(DEFAULT) == 8 and not own.exists(), "nothing is written"
    monkeypatch.setenv("DURAK_TABLES", str(tmp_path / "none"))
    with pytest.raises(TableError, match="DURAK_TABLES: there is no folder"):
        Engine(1).solve(Position.from_dpn(FOUR))
    assert Engine(1, tables=False).solve(Position.from_dpn(FOUR)).value is Value.LOSS
    with pytest.raises(TableError, match="there is no folder"):
        Engine(1, tables=tmp_path / "none")


def test_names_and_rules() -> None:
    assert file_name(DEFAULT, 9) == "podkidnoy-09.durak"
    assert file_name(Rules(limit=5, pursuit=False, deck=24), 10) == "podkidnoy-limit-5-pursuit-off-10.durak"
    for rules in (DEFAULT, *OTHER_RULES):
        assert rules_of(rules_text(rules)) == rules
    assert len({file_name(rules, 5) for rules in (DEFAULT, *OTHER_RULES)}) == 1 + len(OTHER_RULES)


def changed(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new.ljust(len(old))))


BREAKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:-1]), "has 9,790 bytes and should have 9,791"),
    "long": (lambda path: path.write_bytes(path.read_bytes() + b"x"), "has 9,792 bytes and should have 9,791"),
    "empty": (lambda path: path.write_bytes(b""), "is not an endings table"),
    "header": (lambda path: path.write_bytes(path.read_bytes()[:500]), "ends within its header"),
    "other": (lambda path: path.write_bytes(b"\x00\xff" * 5000), "is not an endings table"),
    "part": (lambda path: changed(path, b"durak e", b"unfinished durak e"[:7]), "is not an endings table"),
    "version": (lambda path: changed(path, b'"version": 1', b'"version": 2'), "has version 2 of the format"),
    "json": (lambda path: changed(path, b'{"version"', b'["version"'), "has a header that cannot be read"),
    "key": (lambda path: changed(path, b'"size"', b'"sizes"'[:6]), "has a header that cannot be read"),
    "count": (lambda path: changed(path, b"35064, ", b"35063, "), "says that it holds 35,063 positions"),
    "cards": (lambda path: changed(path, b'"cards": 6', b'"cards": 5'), "holds 5 cards and should be called"),
    "numbers": (lambda path: changed(path, b'"cards": 6', b'"cards": 1'), "with numbers that cannot be right"),
    "rules": (lambda path: changed(path, b"limit=6", b"limit=5"), "was built for throw=any lead=many limit=5"),
    "words": (lambda path: changed(path, b"limit=6", b"limit=x"), "has a header that cannot be read"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_broken_files(tmp_path: Path, name: str) -> None:
    for path in SHIPPED.glob("*-0[2-6].durak"):
        shutil.copy(path, tmp_path)
    path = tmp_path / "podkidnoy-06.durak"
    spoil, reason = BREAKS[name]
    if name == "count":  # it stands there twice, as what is done
        path.write_bytes(path.read_bytes().replace(b'"done": 35064', b'"done": 35063'))
    spoil(path)
    with pytest.raises(TableError) as caught:
        Tables(tmp_path).probe(Position.from_dpn(FOUR))
    assert reason in str(caught.value) and str(path) in str(caught.value) and "\n" not in str(caught.value)
    result = run("analyse", FOUR, "--tables", str(tmp_path))
    assert result.exit_code == 2 and reason in result.stderr
    result = run("tables", "info", "--dir", str(tmp_path))
    assert result.exit_code == 2 and str(path) in result.stderr and result.stderr.count("\n") == 1


def test_flipped_bits_are_found_by_verify(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "podkidnoy-06.durak"
    data = bytearray(path.read_bytes())
    data[HEADER_BYTES + 4321] ^= 1
    path.write_bytes(data)
    result = run("tables", "verify", "--dir", str(tmp_path), "--sample", "1")
    assert result.exit_code == 1
    assert result.stderr == f"Error: {path} has changed since it was built: its checksum is wrong\n"


def test_wrong_values_with_a_right_checksum(tmp_path: Path) -> None:
    """As a fault in the builder would leave them."""
    shutil.copytree(SHIPPED, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "podkidnoy-05.durak"
    data = path.read_bytes()
    values = bytes(byte ^ 0b10101010 for byte in data[HEADER_BYTES:])
    old = checksum(memoryview(data)[HEADER_BYTES:])
    new = checksum(memoryview(values))
    path.write_bytes(data[:HEADER_BYTES].replace(old.encode(), new.encode()) + values)
    result = run("tables", "verify", "--dir", str(tmp_path))
    assert result.exit_code == 1 and f"{path} is wrong: the search finds another value" in result.stderr
    result = run("tables", "verify", "--dir", str(tmp_path), "--sample", "0", "--full")
    assert result.exit_code == 1 and f"{path} is wrong: values of 1 against 4 cards do not follow" in result.stderr


# ------------------------------------------------------------------------------------------------------------- building


def test_jobs_and_pieces_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_work, "_CHUNK", 1 << 10)
    seen: list[Progress] = []
    assert build_tables(DEFAULT, 6, tmp_path, jobs=3, on_progress=seen.append)
    for cards in range(2, 7):
        name = file_name(DEFAULT, cards)
        assert (tmp_path / name).read_bytes() == (SHIPPED / name).read_bytes()
    assert [progress.done for progress in seen if progress.cards == 6][-1] == CLASSES[6]
    assert seen[-1].seconds_left == 0


def stops_after(seen: list[Progress], number: int) -> Callable[[], bool]:
    return lambda: len(seen) >= number


def test_a_stopped_build_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_work, "_CHUNK", 1 << 10)
    runs = 0
    while True:
        seen: list[Progress] = []
        runs += 1
        if build_tables(DEFAULT, 6, tmp_path, on_progress=seen.append, stop=stops_after(seen, 20)):
            break
        assert not (tmp_path / "podkidnoy-06.durak").exists()
        assert runs < 20
    assert runs > 2
    assert not list(tmp_path.glob("*.part"))
    assert (tmp_path / "podkidnoy-06.durak").read_bytes() == (SHIPPED / "podkidnoy-06.durak").read_bytes()


SLOW_BUILD = """
import sys
from pathlib import Path
from durak_solver import Rules
from durak_solver.engine.tables import build, sweep as table_work
build._SAVE_SECONDS, table_work._CHUNK = 0, 1 << 12
build.build_tables(Rules(), 8, Path(sys.argv[1]))
"""


def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    for path in SHIPPED.glob("*-0[2-7].durak"):
        shutil.copy(path, tmp_path)
    part = tmp_path / "podkidnoy-08.part"
    process = subprocess.Popen([sys.executable, "-c", SLOW_BUILD, str(tmp_path)], env=environment(), cwd=ROOT)
    try:
        until(lambda: part.exists() and done_in(part) > 200_000)
    finally:
        process.kill()
        process.wait()
    done = done_in(part)
    assert 200_000 < done < CLASSES[8]
    with pytest.raises(TableError, match="is an unfinished endings table"):
        part.rename(tmp_path / "podkidnoy-08.durak")
        Tables(tmp_path).largest(DEFAULT)
    (tmp_path / "podkidnoy-08.durak").rename(part)
    seen: list[Progress] = []
    assert build_tables(DEFAULT, 8, tmp_path, on_progress=seen.append)
    assert seen[-1].fresh == CLASSES[8] - done, "what was finished is not done again"
    assert (tmp_path / "podkidnoy-08.durak").read_bytes() == (SHIPPED / "podkidnoy-08.durak").read_bytes()


def done_in(part: Path) -> int:
    try:
        return int(json.loads(part.read_bytes()[:HEADER_BYTES].partition(b"\n")[2])["done"])
    except ValueError:
        return 0


def test_spoilt_unfinished_work_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "podkidnoy-05.part").write_bytes(b"unfinished durak endings table\n{")
    (tmp_path / "podkidnoy-04.part").write_bytes((SHIPPED / "podkidnoy-05.durak").read_bytes())
    assert build_tables(DEFAULT, 5, tmp_path)
    for cards in (4, 5):
        name = file_name(DEFAULT, cards)
        assert (tmp_path / name).read_bytes() == (SHIPPED / name).read_bytes()


def test_one_builder_at_a_time(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "podkidnoy-02.part").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(TableError, match="another process is building"):
            build_tables(DEFAULT, 2, tmp_path)


@pytest.mark.parametrize("arguments", [{"cards": 1}, {"cards": 13}, {"cards": 3, "jobs": 0}])
def test_what_cannot_be_built(tmp_path: Path, arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"cards=|jobs="):
        build_tables(DEFAULT, directory=tmp_path, **arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no table can be built for deck=54 ace6=on"):
        build_tables(Rules(deck=54, ace6=True, lock="s"), 3, tmp_path)


# --------------------------------------------------------------------------------------------------------- the commands


def test_build_command(tmp_path: Path) -> None:
    result = run("tables", "build", "--cards", "4", "--dir", str(tmp_path), "--rules", "pursuit=off")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [
        f"{tmp_path}/podkidnoy-pursuit-off-02.durak: 10 positions, 3 bytes",
        f"{tmp_path}/podkidnoy-pursuit-off-03.durak: 92 positions, 24 bytes",
        f"{tmp_path}/podkidnoy-pursuit-off-04.durak: 688 positions, 173 bytes",
    ]
    assert result.stdout.splitlines() == lines
    result = run("tables", "build", "--cards", "3", "--dir", str(tmp_path), "--rules", "pursuit=off")
    assert result.stdout == f"All tables of up to 3 cards are in {tmp_path} already.\n"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["build", "--cards", "3", "--rules", "pogony"], "no table can be built for straps=6"),
        (["build", "--cards", "3", "--rules", "limits=3"], "--rules: 'limits' is not an option"),
        (["build", "--cards", "3", "--dir", "/dev/null/x"], "/dev/null/x: not a directory"),
        (["verify", "--dir", "/nowhere"], "there is no folder /nowhere"),
        (["info", "--dir", "/"], "there are no tables in /"),
    ],
)
def test_commands_say_what_is_wrong(tmp_path: Path, args: list[str], reason: str) -> None:
    if args[0] == "build" and "--dir" not in args:
        args = [*args, "--dir", str(tmp_path)]
    result = run("tables", *args)
    assert result.exit_code == 2 and result.stderr.startswith("Error: ") and reason in result.stderr


def test_verify_command(folder: Path) -> None:
    result = run("tables", "verify", "--dir", str(folder), "--sample", "20", "--full")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len(lines) == 5 * (1 + len(OTHER_RULES))
    said = "the checksum is right, and so are 20 positions solved by search, and all 688 values follow from each other"
    assert f"{folder}/podkidnoy-04.durak: {said}" in lines


def test_info_command(folder: Path) -> None:
    result = run("tables", "info", "--dir", str(folder), "--json")
    records = {Path(record["file"]).name: record for record in map(json.loads, result.stdout.splitlines())}
    assert len(records) == 5 * (1 + len(OTHER_RULES))
    assert records["podkidnoy-04.durak"] == {
        "file": f"{folder}/podkidnoy-04.durak",
        "rules": "throw=any lead=many limit=6 pursuit=on both=draw",
        "cards": 4,
        "positions": 688,
        "bytes": HEADER_BYTES + 173,
        "loss": 108,
        "draw": 42,
        "win": 538,
        "hands": [
            {"leader": 1, "other": 3, "loss": 0, "draw": 0, "win": 198},
            {"leader": 2, "other": 2, "loss": 45, "draw": 38, "win": 209},
            {"leader": 3, "other": 1, "loss": 63, "draw": 4, "win": 131},
        ],
    }
    assert (
        "  2 v 2                292   15.41%   13.01%   71.58%"
        in run("tables", "info", "--dir", str(folder)).stdout.splitlines()
    )


def test_ctrl_c_while_building(tmp_path: Path) -> None:
    with interruptible("tables", "build", "--cards", "9", "--dir", str(tmp_path)) as process:
        until((tmp_path / "podkidnoy-08.part").exists)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr == "Interrupted: what is done is kept, and the same command goes on from there.\n"
    assert "podkidnoy-07.durak: 251,762 positions" in stdout
    assert not (tmp_path / "podkidnoy-09.durak").exists()


def test_no_bar_in_a_pipe(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "durak_solver", "tables", "build", "--cards", "8", "--dir", str(tmp_path)]
    done = subprocess.run(command, env=environment(), capture_output=True, check=True, cwd=os.sep)
    assert done.stderr == b"" and done.stdout.count(b"\n") == 7 and b"\x1b" not in done.stdout
