"""Matches: mirrored deals, the luck with the draws, intervals, interrupted and resumed."""

from __future__ import annotations

import json
import random
import re
import signal
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from durak_solver import Engine, Position, Rules, UnsupportedError, deal
from durak_solver.engine.hidden.control_variate import DrawLuck
from durak_solver.study.match import Contest, Match, Pair, PlayerSpec, parse_player
from durak_solver.study.match_result import MatchFile, match_result
from tests.support.patience import until
from tests.support.program import interruptible, run

SHOWN = """\
rules against lowest: 100 games, rules=podkidnoy, seed 1
  50 won, 6 drawn, 44 lost
  score 53.0 % (95 % interval 42.6 to 62.9)
  told from luck: 53.8 % (95 % interval 44.1 to 62.9), 83% of the variance
  in seat a: 24 won, 3 drawn, 23 lost; in seat b: 26, 3, 21
  66.1 moves a game; rules T ms, lowest T ms a move
"""


def match_of(a: str, b: str, games: int, seed: int = 0, rules: str = "podkidnoy") -> Match:
    return Match((parse_player(a), parse_player(b)), games, seed, Rules.preset(rules))


def match_under(options: str, a: str, b: str, seed: int = 0) -> Match:
    """Two games, with a small deck if nothing else is said."""
    rules = Rules.from_options({"deck": "24"} | dict(word.split("=") for word in options.split()))
    return Match((parse_player(a), parse_player(b)), 2, seed, rules)


def played(match: Match, jobs: int = 1) -> list[Pair]:
    """Play a match, and forget how long it took."""
    pairs = (replace(pair, seconds=(0.0, 0.0)) for pair in Contest(match, jobs).play())
    return sorted(pairs, key=lambda pair: pair.number)


def untimed(text: str) -> dict[str, Any]:
    item: dict[str, Any] = json.loads(text)
    del item["seconds_per_move"]
    return item


# -------------------------------------------------------------------------------------------------------------- players


def test_players() -> None:
    assert parse_player("rules") == PlayerSpec("rules")
    assert parse_player("pimc:40") == PlayerSpec("pimc", 40)
    assert [str(parse_player(text)) for text in ("pimc", "ismcts:500")] == ["pimc", "ismcts:500"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("best", "'best' is no player: choose one of pimc, ismcts, mcts30x30, rules, lowest, random"),
        ("", "choose one of pimc"),
        ("pimc:", "a number of deals was expected"),
        ("pimc:0", "a number of deals was expected"),
        ("pimc:-1", "a number of deals was expected"),
        ("pimc:1.5", "a number of deals was expected"),
        ("pimc:²", "a number of deals was expected"),
        ("pimc:" + "9" * 5000, "a number of deals was expected"),
        ("rules:3", "rules draws no deals"),
    ],
)
def test_no_players(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_player(text)


def test_no_matches() -> None:
    with pytest.raises(ValueError, match="games=3 is not allowed"):
        match_of("rules", "random", 3)
    with pytest.raises(ValueError, match="games=0 is not allowed"):
        match_of("rules", "random", 0)
    with pytest.raises(ValueError, match="seed=-1 is not allowed"):
        match_of("rules", "random", 2, seed=-1)
    with pytest.raises(UnsupportedError, match="rules=round cannot be played here"):
        match_of("rules", "random", 2, rules="round")


# ---------------------------------------------------------------------------------------------------------------- games


@pytest.mark.parametrize("player", ["rules", "lowest"])
def test_a_player_against_itself(player: str) -> None:
    pairs = played(match_of(player, player, 40))
    for pair in pairs:
        assert pair.payoffs[0] == -pair.payoffs[1]
        assert pair.plies[0] == pair.plies[1]
    assert {pair.payoffs[0] for pair in pairs} >= {1, -1}
    result = match_result(match_of(player, player, 40), pairs)
    assert result.score.percent == 50
    assert result.first == result.second[::-1]


# Two careful beginners soon hold jokers that neither will spend, and go round with the stock untouched.
ROUND = "deck=54 jokers=supreme transfer=on show=on"


def test_a_game_that_goes_round_is_a_draw() -> None:
    (pair,) = played(match_under(ROUND, "rules", "rules", seed=1))
    assert pair.payoffs == (0, 0)
    assert max(pair.plies) < 1_000


@pytest.mark.parametrize(
    "options",
    [
        "transfer=on show=on",
        "transfer=on short=limit",
        "transfer=on short=bita",
        "deck=54",
        "straps=9",
        "lock=s",
        ROUND,
    ],
)
def test_every_player_plays_under_other_rules(options: str) -> None:
    for first, second in (
        ("rules", "lowest"),
        ("random", "ismcts:20"),
        ("mcts30x30:2", "random"),
        ("pimc:4", "lowest"),
    ):
        (pair,) = played(match_under(options, first, second))
        assert all(0 < plies < 1_000 for plies in pair.plies)


def test_swapped_players_have_the_opposite_result() -> None:
    # The two games of a pair change places.
    there, back = played(match_of("rules", "lowest", 40)), played(match_of("lowest", "rules", 40))
    for pair, other in zip(there, back, strict=True):
        assert pair.payoffs == (-other.payoffs[1], -other.payoffs[0])
        assert pair.plies == other.plies[::-1]
        assert pair.moves == other.moves[::-1]


@pytest.mark.parametrize(("a", "b", "games"), [("pimc:100", "rules", 4), ("ismcts:20", "mcts30x30:2", 8)])
def test_the_number_of_processes_makes_no_difference(a: str, b: str, games: int) -> None:
    match = match_of(a, b, games, seed=5)
    alone = played(match)
    assert alone == played(match, jobs=2)
    # Nor do the games before.
    assert [replace(pair, seconds=(0.0, 0.0)) for pair in Contest(match).play({0})] == alone[1:]


def test_another_seed_is_another_match() -> None:
    match = match_of("random", "random", 4)
    assert played(match) == played(match) != played(replace(match, seed=1))


@pytest.mark.parametrize("rules", ["simple", "podkidnoy"])
def test_a_player_sees_no_hidden_card(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    choose, views = Engine.choose, []

    def watched(engine: Engine, position: Position, **how: Any) -> Any:
        views.append(position)
        return choose(engine, position, **how)

    monkeypatch.setattr(Engine, "choose", watched)
    match = match_of("rules", "lowest", 10, rules=rules)
    pairs = played(match)
    assert len(views) == sum(sum(pair.plies) for pair in pairs)
    for view in views:
        assert set(view.stock[:-1]) <= {None}
        assert not view.unknown["ab".index(view.to_move or "")]
    # At the start nothing of the opponent is known.
    assert sum(sorted(view.unknown) == [0, 6] and len(view.stock) == 24 for view in views) >= 10
    assert {view.rules for view in views} == {Rules.preset(rules)}


def test_other_rules() -> None:
    for rules in (Rules(exchange=True), Rules(deck=24, hand=5), Rules(deck=52, limit="hand", both="attacker")):
        match = Match((parse_player("rules"), parse_player("random")), 6, 0, rules)
        assert len(played(match)) == 3


# ----------------------------------------------------------------------------------------------------------------- luck


def played_on(position: Position, seed: int) -> tuple[Position, Position]:
    """Play any moves until a bout ends with a draw from a small stock."""
    rng = random.Random(seed)
    while True:
        after = position.play(rng.choice(position.legal_moves))
        if len(after.stock) < len(position.stock) <= 9:
            return position, after
        position = after


def redrawn(before: Position, after: Position, order: list[Any]) -> Position:
    """Return the position after a draw, had the stock been in another order."""
    gone = len(before.stock) - len(after.stock)
    places = {card: other for card, other in zip(before.stock, [*order, before.stock[-1]], strict=True) if card}
    hands = [tuple(places[card] if card in before.stock[:gone] else card for card in hand) for hand in after.hands]
    return replace(after, hands=(hands[0], hands[1]), stock=tuple(places[card] for card in after.stock if card))


@pytest.mark.parametrize("seed", range(6))
def test_luck_is_nothing_on_average(seed: int) -> None:
    before, after = played_on(deal(seed=seed), seed)
    luck, rng, found = DrawLuck(), random.Random(seed), []
    for number in range(300):
        order = list(before.stock[:-1])
        rng.shuffle(order)
        other = replace(before, stock=(*order, before.stock[-1]))
        found.append(luck.of(other, redrawn(before, after, order), number))
    assert abs(statistics.mean(found)) < 4 * statistics.stdev(found) / len(found) ** 0.5 + 1e-9
    assert statistics.stdev(found) > 0.05


def test_luck_is_good_and_bad() -> None:
    # a draws the trump ace and b the six, or the other way round.
    before = Position.build("Ks 6c 7c 8c 9c", "6d 7d 8d 9d Td", "h", stock="Ah 6s 7h", table="6h:8h")
    other = Position.build("Ks 6c 7c 8c 9c", "6d 7d 8d 9d Td", "h", stock="6s Ah 7h", table="6h:8h")
    luck = DrawLuck()
    good, bad = luck.of(before, before.play("done"), 1), luck.of(other, other.play("done"), 1)
    assert good > 0.1 > -0.1 > bad
    assert good == pytest.approx(-bad, rel=0.3)


def test_no_draw_is_no_luck() -> None:
    before = Position.build("Ks 6c", "6d 7d", "h", table="6s:7s")
    assert DrawLuck().of(before, before.play("done"), 0) == 0


# -------------------------------------------------------------------------------------------------------------- results


def made_up(number: int, rng: random.Random) -> Pair:
    """Return a pair whose results follow its luck; the true score is 50 %."""
    luck = [rng.gauss(0, 0.7) for _ in range(2)]
    payoffs = [1 if chance + rng.gauss(0, 0.5) > 0 else -1 for chance in luck]
    return Pair(number, (payoffs[0], payoffs[1]), (luck[0], luck[1]), (50, 50), (50, 50), (1.0, 1.0))


def test_intervals_hold_the_truth() -> None:
    rng, match = random.Random(7), match_of("rules", "lowest", 400)
    results = [match_result(match, [made_up(number, rng) for number in range(200)]) for _ in range(300)]
    for name in ("score", "control"):
        scores = [getattr(result, name) for result in results]
        assert 0.92 <= statistics.mean(score.low <= 50 <= score.high for score in scores) <= 0.985
        assert all(score.low <= score.percent <= score.high for score in scores)
    assert statistics.mean(result.variance_left for result in results) < 0.6
    assert statistics.mean(result.control.high - result.control.low for result in results) < 0.8 * statistics.mean(
        result.score.high - result.score.low for result in results
    )


def test_a_result_is_the_same_in_any_order() -> None:
    match = match_of("rules", "random", 60)
    pairs = played(match)
    result = match_result(match, pairs)
    assert match_result(match, pairs[::-1]) == result
    assert sum(result.results) == result.games == 60
    assert result.score.percent > 75
    assert result.to_dict()["complete"]
    # Too short for a share of the luck to be measured.
    assert (result.beta, result.control) == (0, result.score)
    with pytest.raises(ValueError, match="no game was played"):
        match_result(match, [])


# ------------------------------------------------------------------------------------------------------------ the files


def test_a_resumed_match_is_the_same(tmp_path: Path) -> None:
    file, match = tmp_path / "match.jsonl", match_of("rules", "random", 20)
    whole = played(match)
    with MatchFile(file, match) as kept:
        for pair in whole[4:7]:
            kept.add(pair)
    file.write_bytes(file.read_bytes() + b'{"number": 9, "payo')
    args = ("match", "rules", "random", "--games", "20", "--json")
    resumed = run(*args, "--save", str(file))
    assert (resumed.exit_code, resumed.stderr) == (0, "")
    assert untimed(resumed.stdout) == untimed(run(*args).stdout)
    lines = file.read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines[1:]] == [4, 5, 6, 0, 1, 2, 3, 7, 8, 9]
    # Once more, nothing is left to do; a shorter match is a part of it, a longer one goes on.
    assert untimed(run(*args, "--save", str(file)).stdout) == untimed(resumed.stdout)
    assert file.read_text().splitlines() == lines
    assert json.loads(run(*args[:4], "8", "--json", "--save", str(file)).stdout)["games"] == 8
    assert json.loads(run(*args[:4], "24", "--json", "--save", str(file)).stdout)["games"] == 24
    assert len(file.read_text().splitlines()) == 13


@pytest.mark.parametrize("content", [b"", b'{"schema": "dura'])
def test_a_file_that_was_cut_off_at_once(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_bytes(content)
    assert run("match", "rules", "random", "--games", "2", "--save", str(file)).exit_code == 0
    assert len(file.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (("rules", "lowest"), "its players are rules and random, not rules and lowest"),
        (("rules", "random", "--seed", "1"), "its seed is 0, not 1"),
        (("rules", "random", "--rules", "simple"), "its rules are rules=podkidnoy, not rules=simple"),
    ],
)
def test_a_file_of_another_match(change: tuple[str, ...], differs: str, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    run("match", "rules", "random", "--games", "2", "--save", str(file))
    before = file.read_bytes()
    result = run("match", *change, "--games", "2", "--save", str(file))
    assert result.exit_code == 2
    assert result.stderr == f"Error: --save: {file} belongs to another match: {differs}\n"
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"\n", b"[]\n", b"\xff\n", b'{"schema": "durak.match.pairs/1"}\n', b"6s/7s h a -\n"]
)
def test_a_file_of_no_match(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_bytes(content)
    result = run("match", "rules", "random", "--games", "2", "--save", str(file))
    assert (result.exit_code, result.stderr) == (2, f"Error: --save: {file} is not the file of a match\n")
    assert file.read_bytes() == content


def test_a_broken_file(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    run("match", "rules", "random", "--games", "4", "--save", str(file))
    good = file.read_bytes().splitlines(keepends=True)
    for broken in (b"{}\n", b"[]\n", b"\xff\n", b'{"number": 0}\n', b"12\n"):
        content = good[0] + broken + good[2]
        file.write_bytes(content)
        result = run("match", "rules", "random", "--games", "4", "--save", str(file))
        assert (result.exit_code, result.stdout) == (2, "")
        assert "line 2" in result.stderr
        assert file.read_bytes() == content
    file.write_text("some notes\n")
    assert run("match", "rules", "random", "--games", "4", "--save", str(file)).exit_code == 2
    assert file.read_text() == "some notes\n"


# ------------------------------------------------------------------------------------------------------ the command


def test_the_command() -> None:
    result = run("match", "rules", "lowest", "--games", "100", "--seed", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.sub(r"[\d.]+ ms", "T ms", result.stdout) == SHOWN


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("best", "rules"), "A: 'best' is no player"),
        (("rules", "pimc:x"), "B: 'pimc:x' is no player"),
        (("rules", "random", "--games", "5"), "--games 5: an even number is needed"),
        (("rules", "random", "--games", "0"), "--games 0: an even number is needed"),
        (("rules", "random", "--rules", "nonsense"), "--rules: "),
        (("rules", "random", "--rules", "round"), "--rules: rules=round cannot be played here"),
        (("rules", "random", "--save", "/nowhere/at/all"), "--save: /nowhere/at/all cannot be used: no such file"),
        (("rules", "random", "--save", "/"), "--save: / cannot be used: "),
    ],
)
def test_bad_input(args: tuple[str, ...], reason: str) -> None:
    result = run("match", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {reason}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_was_played(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    args = ("match", "ismcts:20", "rules", "--games", "100000", "--jobs", jobs, "--json", "--save", str(file))
    with interruptible(*args) as process:
        until(lambda: file.exists() and file.read_bytes().count(b"\n") > 2)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    item = json.loads(out)
    assert re.fullmatch(r"Interrupted: \d+ of 100,000 games were played\.\n", errors)
    assert not item["complete"]
    assert item["games"] == 2 * (file.read_bytes().count(b"\n") - 1) > 0


@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--json",)])
def test_straps_that_are_not_in_the_deck(more: tuple[str, ...]) -> None:
    result = run("match", "rules", "lowest", "--games", "4", "--rules", "straps=6 deck=24", *more)
    told = "straps=6 needs cards of that rank, but the lowest in a deck of 24 is 9"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: --rules: {told}\n")
    with pytest.raises(ValueError, match=f"^{told}$"):
        Match((parse_player("rules"), parse_player("lowest")), 4, rules=Rules(straps="6", deck=24))
