"""The frozen suites, and what is said about solving them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from durak_solver import Engine, Position
from durak_solver.study.bench import SuiteResult, find_suites, read_suite, run_suite, signature, suite_names

ROOT = Path(__file__).parents[1]
SUITES = ROOT / "positions" / "bench"
NAMES = ["4v4", "6v6", "8v8", "12v6", "6v12", "realistic"]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_suites", ROOT / "tools" / "write_suites.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_suites_are_there() -> None:
    assert suite_names(SUITES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_suite(name: str) -> None:
    positions = read_suite(SUITES, name)
    assert len(positions) == len(set(positions)) == (300 if name == "realistic" else 100)
    for position in positions:
        assert position.is_legal
        assert position.phase == "lead"
        if name == "realistic":
            assert all(4 <= size <= 8 for size in position.hand_sizes)
        else:
            assert "{}v{}".format(*position.hand_sizes) == name
            assert position.attacker == "a"


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
