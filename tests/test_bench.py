"""The frozen suites, and what is said about solving them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from durak_solver import Engine, Position
from durak_solver.study.bench import (
    HiddenResult,
    SuiteResult,
    find_suites,
    is_hidden,
    read_suite,
    run_hidden_suite,
    run_suite,
    signature,
    suite_names,
)

ROOT = Path(__file__).parents[1]
SUITES = ROOT / "positions" / "bench"
NAMES = ["4v4", "6v6", "8v8", "12v6", "6v12", "realistic"]
HIDDEN_NAMES = ["hidden-2", "hidden-6", "hidden-24"]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_suites", ROOT / "tools" / "write_suites.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_suites_are_there() -> None:
    assert suite_names(SUITES) == NAMES + HIDDEN_NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_suite(name: str) -> None:
    positions = read_suite(SUITES, name)
    assert len(positions) == len(set(positions)) == (300 if name == "realistic" else 100)
    assert not is_hidden(positions)
    for position in positions:
        assert position.is_legal
        assert position.phase == "lead"
        if name == "realistic":
            assert all(4 <= size <= 8 for size in position.hand_sizes)
        else:
            assert "{}v{}".format(*position.hand_sizes) == name
            assert position.attacker == "a"


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


def test_the_suites_are_written_as_they_are(tool: ModuleType) -> None:
    for name, text in tool.suites():
        assert (SUITES / f"{name}.dpn").read_bytes() == text.encode("ascii")


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
    result = HiddenResult("x", (5, 7), (0.5, 1.5), 0, worlds=(96, 160), exact_shares=(1, 0.5), open_nodes=(3, 4))
    assert result.worlds_per_second == 128
    assert signature([result, SuiteResult("y", (1,), (0.1,), 0)]) == 20


def test_statistics() -> None:
    result = SuiteResult("x", (1, 2, 3, 10), (0.001, 0.004, 0.002, 0.003), 0)
    assert (result.mean_nodes, result.median_nodes) == (4, 2.5)
    assert [result.milliseconds(share) for share in (0.25, 0.5, 0.95, 1)] == [1, 2, 4, 4]
    assert result.nodes_per_second == pytest.approx(1600)
    assert signature([result, result]) == 32
    assert signature([result, SuiteResult("y", (1,), (0.1,), 1)]) is None
    assert signature([SuiteResult("y", (1,), (0.1,), 0, interrupted=True)]) is None


def test_a_limit_leaves_positions_unsolved() -> None:
    positions = [Position.from_dpn("6s8sTsQsAs6c7cTcJc7d9dJdAd6h7h9hKhAh/7s9sJsKs8c9cQcKcAc6d8dTdQdKd8hThJhQh h a -")]
    seen: list[int] = []
    result = run_suite("hard", positions, Engine(1), seconds=0.05, on_progress=seen.append)
    assert (result.unsolved, seen) == (1, [1])
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
    monkeypatch.setattr("durak_solver.study.bench._HOMES", [tmp_path / "nowhere"])
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
    with pytest.raises(ValueError, match=r"binary\.dpn cannot be read"):
        read_suite(tmp_path, "binary")
    with pytest.raises(ValueError, match="choose among bad, binary, empty"):
        read_suite(tmp_path, "other")
    with pytest.raises(ValueError, match=r"suite x, position 1 \(6s/6s h a -\): not a legal position"):
        run_suite("x", [Position.from_dpn("6s/6s h a -")], Engine(1))
