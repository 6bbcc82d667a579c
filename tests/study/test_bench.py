"""The frozen suites, and what is said about solving them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from durak_solver import Engine, Position
from durak_solver.study import bench_record
from durak_solver.study.bench import HiddenResult, SuiteResult, run_hidden_suite, run_suite, signature
from durak_solver.study.suites import SECONDS, default_names, find_suites, is_hidden, read_suite, suite_names
from tests.support.data import ROOT
from tools import write_suites

SUITES = ROOT / "positions" / "bench"
NAMES = ["4v4", "6v6", "8v8", "12v6", "6v12", "realistic"]
LONG = {"10v10": 50, "14v4": 50, "4v14": 50, "12v12": 20, "6v18": 20, "18v6": 20, "18v18": 10}
OTHER = {
    "perevodnoy-6v6": 100,
    "perevodnoy-8v8": 50,
    "japanese-6v6": 100,
    "japanese-8v8": 100,
    "deck52-6v6": 100,
    "deck52-8v8": 100,
    "deck54-6v6": 50,
}
OTHER_OPTIONS = {
    "perevodnoy": {"rules": "perevodnoy"},
    "japanese": {"rules": "japanese"},
    "deck52": {"deck": "52"},
    "deck54": {"deck": "54"},
}
HIDDEN_NAMES = ["hidden-2", "hidden-6", "hidden-24"]


def test_the_suites_are_there() -> None:
    assert {*suite_names(SUITES)} == {*NAMES, *LONG, *OTHER, *HIDDEN_NAMES}
    assert suite_names(SUITES)[-11:-4] == [*OTHER]
    assert suite_names(SUITES)[-4:] == ["realistic", *HIDDEN_NAMES]
    assert default_names(SUITES) == NAMES + HIDDEN_NAMES
    assert {*SECONDS} == {*LONG, "perevodnoy-8v8"}


@pytest.mark.parametrize("name", [*NAMES, *LONG])
def test_a_suite(name: str) -> None:
    positions = read_suite(SUITES, name)
    assert len(positions) == len(set(positions)) == (300 if name == "realistic" else LONG.get(name, 100))
    assert not is_hidden(positions)
    for position in positions:
        assert position.is_legal
        assert position.phase == "lead"
        if name == "realistic":
            assert all(4 <= size <= 8 for size in position.hand_sizes)
        else:
            assert "{}v{}".format(*position.hand_sizes) == name
            assert position.attacker == "a"


@pytest.mark.parametrize("name", OTHER)
def test_a_suite_of_other_rules(name: str) -> None:
    positions = read_suite(SUITES, name)
    kind, _, sizes = name.partition("-")
    assert len(positions) == len(set(positions)) == OTHER[name]
    jokers = set()
    for position in positions:
        assert position.is_legal
        assert "{}v{}".format(*position.hand_sizes) == sizes
        assert (position.attacker, position.phase) == ("a", "lead")
        assert position.rules.to_options() == OTHER_OPTIONS[kind]
        jokers.add(tuple(sum(card.is_joker for card in hand) for hand in position.hands))
    assert jokers == ({(1, 1), (2, 0), (0, 2)} if kind == "deck54" else {(0, 0)})
    assert {position.trump for position in positions} == ({"d"} if kind == "japanese" else {*"scdh"})


@pytest.mark.parametrize("name", [name for name in OTHER if name.endswith("6v6")])
def test_other_rules_are_solved(name: str) -> None:
    result = run_suite(name, read_suite(SUITES, name)[:5], Engine(8), seconds=60)
    assert result.unsolved == 0


@pytest.mark.parametrize("name", HIDDEN_NAMES)
def test_a_suite_of_hidden_cards(name: str) -> None:
    positions = read_suite(SUITES, name)
    assert len(positions) == len(set(positions)) == 50
    assert is_hidden(positions)
    stock = int(name.removeprefix("hidden-"))
    for position in positions:
        assert position.is_legal
        assert position.deduced() is None
        assert len(position.legal_moves) > 1
        own = "ab".index(position.to_move or "a")
        assert position.unknown[own] == 0
        assert len(position.stock) == stock
        assert position.stock[-1] is not None
        assert position.stock[:-1] == (None,) * (stock - 1)
    assert {position.phase for position in positions} == {"lead", "defend", "throw", "give"}
    assert {position.attacker for position in positions} == {"a", "b"}
    if stock < 24:
        # Every second player has forgotten the discards; the others know where all cards but the hidden ones are.
        for position in positions[::2]:
            assert len(position.unseen) == sum(position.unknown) + stock - 1
        assert not any(position.discard for position in positions[1::2])
        assert any(position.hands[1 - "ab".index(position.to_move or "a")] for position in positions)  # picked up


def test_realistic_endgames_have_the_high_cards_left() -> None:
    positions = read_suite(SUITES, "realistic")
    cards = [card for position in positions for hand in position.hands for card in hand]
    dear = sum(card.rank in "QKA" for card in cards) / len(cards)
    assert dear > 0.45  # of the deck it is a third
    trumps = sum(card.suit == position.trump for position in positions for hand in position.hands for card in hand)
    assert trumps / len(cards) > 0.3


def test_the_suites_are_written_as_they_are() -> None:
    for name, text in write_suites.suites():
        assert (SUITES / f"{name}.dpn").read_bytes() == text.encode("ascii")


@pytest.mark.parametrize("name", ["4v4", "6v6", "perevodnoy-6v6"])
def test_the_signature_is_the_one_that_is_kept(name: str) -> None:
    """A change of the search that is meant to change it changes data/signatures.json, too."""
    kept = json.loads((ROOT / "tests" / "data" / "signatures.json").read_text(encoding="ascii"))
    assert signature([run_suite(name, read_suite(SUITES, name), Engine(tables=False))]) == kept[name]


def test_nodes_are_the_same_in_any_order_and_with_any_history() -> None:
    positions = read_suite(SUITES, "6v6")[:30]
    engine = Engine(1)
    forth = run_suite("6v6", positions, engine)
    back = run_suite("6v6", positions[::-1], engine)
    again = run_suite("6v6", positions, Engine(1))
    assert forth.nodes == back.nodes[::-1] == again.nodes
    assert signature([forth]) == signature([back]) == sum(forth.nodes) > 0
    assert forth.unsolved == 0


@pytest.mark.parametrize("name", HIDDEN_NAMES)
def test_hidden_nodes_are_the_same_in_any_order_and_with_any_history(name: str) -> None:
    positions = read_suite(SUITES, name)[:4]
    engine = Engine(1)
    seen: list[int] = []
    forth = run_hidden_suite(name, positions, engine, on_progress=seen.append)
    back = run_hidden_suite(name, positions[::-1], engine, seconds=1000)
    assert forth.nodes == back.nodes[::-1]
    assert forth.worlds == back.worlds[::-1]
    assert forth.open_nodes == back.open_nodes[::-1]
    assert forth.exact_shares == back.exact_shares[::-1]
    assert (forth.open_solved, forth.unsolved, seen) == (back.open_solved, 0, [1, 2, 3, 4])
    assert signature([forth]) == sum(forth.nodes) + sum(forth.open_nodes)
    assert all(64 <= worlds <= 160 or name == "hidden-2" for worlds in forth.worlds)
    assert max(forth.open_nodes) <= 110_000
    if name == "hidden-24":
        assert (forth.open_solved, set(forth.exact_shares)) == (0, {0.0})
    if name == "hidden-2":
        assert forth.open_solved == 4
        assert min(forth.exact_shares) > 0.9


def test_a_limit_cuts_off_estimates() -> None:
    result = run_hidden_suite("hidden-6", read_suite(SUITES, "hidden-6")[:2], Engine(1), seconds=1e-6)
    assert (len(result.nodes), result.unsolved) == (2, 2)
    assert signature([result]) is None


def test_ctrl_c_ends_a_hidden_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    positions, engine = read_suite(SUITES, "hidden-24")[:3], Engine(1)

    def stop_after_the_second(number: int) -> None:
        if number == 2:
            monkeypatch.setattr(engine, "solve", interrupted)

    result = run_hidden_suite("hidden-24", positions, engine, on_progress=stop_after_the_second)
    assert (result.interrupted, len(result.nodes), len(result.open_nodes)) == (True, 2, 2)
    assert signature([result]) is None


def test_suites_are_of_one_kind() -> None:
    hidden, solved = read_suite(SUITES, "hidden-2")[0], read_suite(SUITES, "4v4")[0]
    with pytest.raises(ValueError, match=r"suite x, position 2 .*: nothing is hidden here"):
        run_hidden_suite("x", [hidden, solved], Engine(1))
    with pytest.raises(ValueError, match=r"suite x, position 2 .*: positions with hidden cards cannot be solved"):
        run_suite("x", [solved, hidden], Engine(1))
    assert not is_hidden([Position.from_dpn("6s/6s h a -")])  # so that its defects are told


def test_statistics_of_hidden_suites() -> None:
    result = HiddenResult(
        "x", (5, 7), (0.5, 1.5), (True, True), worlds=(96, 160), exact_shares=(1, 0.5), open_nodes=(3, 4)
    )
    assert result.worlds_per_second == 128
    assert signature([result, SuiteResult("y", (1,), (0.1,), (True,))]) == 20


def test_statistics() -> None:
    result = SuiteResult("x", (1, 2, 3, 10), (0.001, 0.004, 0.002, 0.003), (True,) * 4)
    assert (result.mean_nodes, result.median_nodes) == (4, 2.5)
    assert [result.milliseconds(share) for share in (0.25, 0.5, 0.95, 1)] == [1, 2, 4, 4]
    assert result.mean_milliseconds == pytest.approx(2.5)
    assert result.nodes_per_second == pytest.approx(1600)
    assert signature([result, result]) == 32
    cut_off = SuiteResult("y", (1, 2), (0.1, 0.1), (True, False))
    assert (cut_off.unsolved, cut_off.solved_share) == (1, 0.5)
    assert signature([result, cut_off]) is None
    assert signature([SuiteResult("y", (1,), (0.1,), (True,), interrupted=True)]) is None


def test_a_limit_leaves_positions_unsolved() -> None:
    positions = [Position.from_dpn("6s8sTsQsAs6c7cTcJc7d9dJdAd6h7h9hKhAh/7s9sJsKs8c9cQcKcAc6d8dTdQdKd8hThJhQh h a -")]
    seen: list[int] = []
    result = run_suite("hard", positions, Engine(1), seconds=0.05, on_progress=seen.append)
    assert (result.solved, result.limit, seen) == ((False,), 0.05, [1])
    assert signature([result]) is None


def test_where_suites_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_suites() == SUITES
    folder = tmp_path / "positions" / "bench"
    folder.mkdir(parents=True)
    assert find_suites() == SUITES
    (folder / "own.dpn").write_text("6s/7s h a -\n", encoding="ascii")
    assert find_suites().resolve() == folder.resolve()
    with pytest.raises(ValueError, match=r"there are no suites .* in "):
        find_suites(tmp_path)
    monkeypatch.setattr("durak_solver.study.suites._HOMES", [tmp_path / "nowhere"])
    (folder / "own.dpn").unlink()
    with pytest.raises(ValueError, match="there are no suites here"):
        find_suites()


def test_bad_suites(tmp_path: Path) -> None:
    (tmp_path / "bad.dpn").write_text("# a comment\n\n6s/7x h a -\n", encoding="ascii")
    (tmp_path / "empty.dpn").write_text("# nothing\n", encoding="ascii")
    (tmp_path / "binary.dpn").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"bad\.dpn, line 3: HANDS: a suit was expected"):
        read_suite(tmp_path, "bad")
    with pytest.raises(ValueError, match=r"there is no position in .*empty\.dpn"):
        read_suite(tmp_path, "empty")
    with pytest.raises(ValueError, match=r"binary\.dpn, line 1: the line is not UTF-8 text"):
        read_suite(tmp_path, "binary")
    with pytest.raises(ValueError, match="choose among bad, binary, empty"):
        read_suite(tmp_path, "other")
    with pytest.raises(ValueError, match=r"suite x, position 1 \(6s/6s h a -\): not a legal position"):
        run_suite("x", [Position.from_dpn("6s/6s h a -")], Engine(1))


def test_long_suites_alone(tmp_path: Path) -> None:
    (tmp_path / "18v18.dpn").write_text("6s/7s h a -\n", encoding="ascii")
    with pytest.raises(
        ValueError, match="are long ones or of other rules, which are run only when named, or with --all"
    ):
        default_names(tmp_path)


# ------------------------------------------------------------------------------------------------------------- records


def test_a_record_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    solved = run_suite("4v4", read_suite(SUITES, "4v4")[:5], Engine(1), seconds=100)
    hidden = run_hidden_suite("hidden-2", read_suite(SUITES, "hidden-2")[:1], Engine(1))
    broken_off = SuiteResult("x", (1,), (0.1,), (True,), interrupted=True)
    bench_record.save(path, [solved, hidden, broken_off], table_mb=1)
    found = bench_record.load(path)
    assert [*found] == ["4v4", "hidden-2"]
    assert found["4v4"].seconds == pytest.approx(solved.seconds, abs=1e-6)
    for before, after in ((solved, found["4v4"]), (hidden, found["hidden-2"])):
        for field in ("name", "nodes", "solved", "limit", "digest", "values"):
            assert getattr(after, field) == getattr(before, field)
    assert len(solved.values) == 5 and {*solved.values} <= {"win", "draw", "loss"}
    assert hidden.values == ()
    assert found["4v4"].digest != found["hidden-2"].digest


def test_ratios() -> None:
    old = SuiteResult("x", (10, 20, 30, 40), (1, 2, 3, 10), (True, True, True, False), digest="d")
    new = SuiteResult("x", (5, 20, 90, 40), (2, 2, 2, 10), (True, True, False, True), digest="d")
    (found,) = bench_record.compare({"x": old}, [new, SuiteResult("y", (1,), (1,), (True,))])
    assert (found.name, found.both) == ("x", 2)
    assert (found.nodes, found.median_nodes) == (25 / 30, 12.5 / 15)
    assert (found.seconds, found.median_seconds) == (4 / 3, 2 / 1.5)
    assert (found.old_solved, found.new_solved, found.solved) == (0.75, 0.75, 1)
    nothing = SuiteResult("x", (9, 9, 9, 9), (9, 9, 9, 9), (False,) * 4, digest="d")
    (found,) = bench_record.compare({"x": nothing}, [new])
    assert (found.both, found.nodes, found.median_seconds, found.solved) == (0, None, None, None)
    assert found.new_solved == 0.75


def test_values_are_compared() -> None:
    solved = (True, True, True, False)
    old = SuiteResult("x", (1,) * 4, (1,) * 4, solved, values=("win", "loss", "win+1", None))
    new = SuiteResult("x", (1,) * 4, (1,) * 4, (True, True, True, True), values=("win", "draw", "win", "draw"))
    (found,) = bench_record.compare({"x": old}, [new])
    assert (found.both, found.values) == (3, 3)
    assert found.different == ((2, "loss", "draw"), (3, "win+1", "win"))
    (found,) = bench_record.compare({"x": new}, [new])
    assert (found.values, found.different) == (4, ())
    lacking = SuiteResult("x", (1,) * 4, (1,) * 4, solved)
    for before, now in ((old, lacking), (lacking, old), (lacking, lacking)):
        (found,) = bench_record.compare({"x": before}, [now])
        assert (found.both, found.values, found.different) == (3, 0, ())


def test_records_without_values(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    suite = {"name": "x", "digest": "d", "limit": None, "nodes": [1], "seconds": [1], "solved": [True]}
    path.write_text(json.dumps({"schema": bench_record.SCHEMA, "suites": [suite]}), encoding="ascii")
    assert bench_record.load(path)["x"].values == ()


def test_other_positions_are_not_compared() -> None:
    result = SuiteResult("x", (1,), (1,), (True,), digest="d")
    for other in (
        SuiteResult("x", (1,), (1,), (True,), digest="e"),
        SuiteResult("x", (1, 2), (1, 2), (True, True), digest="d"),
        SuiteResult("y", (1,), (1,), (True,), digest="d"),
    ):
        assert bench_record.compare({other.name: other}, [result]) == []


def test_bad_records(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    with pytest.raises(ValueError, match=r"record\.json cannot be read: no such file"):
        bench_record.load(path)
    for content in (b"", b"\xff", b"[" * 100_000, b"[]", b"{}", b'{"schema": "durak.bench/2", "suites": []}'):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"record\.json is no record of durak bench"):
            bench_record.load(path)
    whole = {"name": "x", "digest": "d", "limit": None, "nodes": [1], "seconds": [1], "solved": [True]}
    for damage in (
        *({key: value for key, value in whole.items() if key != left_out} for left_out in whole),
        {**whole, "nodes": []},
        {**whole, "nodes": ["x"]},
        {**whole, "nodes": [1e400]},
        {**whole, "seconds": [1, 2]},
        {**whole, "limit": "x"},
        {**whole, "values": None},
        {**whole, "values": [None]},
        {**whole, "values": ["win", "win"]},
        {**whole, "solved": [False], "values": ["win"]},
        "x",
    ):
        path.write_text(json.dumps({"schema": bench_record.SCHEMA, "suites": [damage]}), encoding="ascii")
        with pytest.raises(ValueError, match=r"record\.json is a damaged record of durak bench"):
            bench_record.load(path)
