"""The program ``durak`` where cards are hidden: positions by options, estimates, hints, what a terminal shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from durak_solver import Engine, Estimate, Position
from durak_solver.engine.hidden.methods import METHODS
from tests.support.hidden import ENDLESS
from tests.support.patience import with_more_time
from tests.support.program import interrupted, normal, on_a_terminal, run

HIDDEN = "6sKs9c7d8hTh/?6 h a - ?2,7h 7sAs"
# With several legal moves; a tree search goes on with them as long as it may.
KINGS = "6s6cKsKc8hTh/?6 h a - ?2,7h"
FULL_STOCK = "6sKs9c7d8hTh/?6 h a - ?23,7h"
# b's only card can be any of 34.
FEW = "6s7s/?1 h a -"
FORCED = "8c9s/6h7h - a -"
ME = ("--me", "6♠ K♠ 9♣ 7♦ 8♥ 10♥")


def position_of(*flags: str) -> str:
    """Return the position that options make, as `analyse` repeats it."""
    result = run("analyse", *flags, "--samples", "1")
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    return result.stdout.splitlines()[0]


def same(text: str) -> dict[str, Any]:
    """Return JSON without what differs from run to run."""
    item: dict[str, Any] = json.loads(text)
    return {key: value for key, value in item.items() if key != "seconds"}


# ------------------------------------------------------------------------------------------------- positions by options


@pytest.mark.parametrize(
    ("flags", "dpn"),
    [
        ([*ME, "--turn-up", "7h", "--stock", "24"], FULL_STOCK),
        ([*ME, "--turn-up", "7♥", "--stock", "3", "--discard", "7s As"], HIDDEN),
        ([*ME, "--trump", "h", "--turn-up", "7h", "--stock", "24"], FULL_STOCK),
        ([*ME, "--trump", "h", "--stock", "24"], "6sKs9c7d8hTh/?6 h a - ?24"),
        ([*ME, "--stock", "?2,7h"], "6sKs9c7d8hTh/?6 h a - ?2,7h"),
        ([*ME, "--stock", "?3", "--turn-up", "7h"], "6sKs9c7d8hTh/?6 h a - ?2,7h"),
        ([*ME, "--stock", "Qs ?1 7h"], "6sKs9c7d8hTh/?6 h a - Qs,?1,7h"),
        ([*ME, "--stock", "1", "--turn-up", "7h"], "6sKs9c7d8hTh/?6 h a - 7h"),
        ([*ME, "--stock", "3", "--turn-up", "7h", "--opponent", "9h"], "6sKs9c7d8hTh/9h,?5 h a - ?2,7h"),
        ([*ME, "--stock", "3", "--turn-up", "7h", "--opponent-has", "9h 9d"], "6sKs9c7d8hTh/9d9h,?4 h a - ?2,7h"),
        ([*ME, "--stock", "3", "--turn-up", "7h", "--opponent", "9h ?7"], "6sKs9c7d8hTh/9h,?7 h a - ?2,7h"),
        (
            [*ME, "--stock", "3", "--turn-up", "7h", "--opponent", "9h", "--opponent-cards", "8"],
            "6sKs9c7d8hTh/9h,?7 h a - ?2,7h",
        ),
        # He began the bout with six: one of them attacks, or two of them beat.
        (
            [*ME, "--stock", "3", "--turn-up", "7h", "--attack", "opponent", "--table", "6c"],
            "6sKs9c7d8hTh/?5 h b 6c ?2,7h",
        ),
        (
            ["--me", "6s Ks 9c 7d", "--stock", "3", "--turn-up", "7h", "--table", "8c:Tc, 8d:Td"],
            "6sKs9c7d/?4 h a 8c:Tc,8d:Td ?2,7h",
        ),
        (
            [*ME[:1], "6s Ks 9c 7d 8h", "--stock", "3", "--turn-up", "7h", "--rules", "hand=5"],
            "6sKs9c7d8h/?5 h a - ?2,7h hand=5",
        ),
        (["--me", "6s 7s", "--trump", "h", "--opponent-cards", "1"], FEW),
        (["--me", "6s 7s", "--trump", "h", "--stock", "0", "--opponent-cards", "1"], FEW),
        (["--me", "6s 7s", "--trump", "h", "--stock", "-", "--opponent", "?1"], FEW),
        # All is said.
        (
            [*ME, "--stock", "Qs 7h", "--opponent", "6c 8c 6d 8d 6h 9h"],
            "6sKs9c7d8hTh/6c8c6d8d6h9h h a - Qs7h",
        ),
    ],
)
def test_options(flags: list[str], dpn: str) -> None:
    assert position_of(*flags, "--nodes", "1000") == dpn
    assert Position.from_dpn(dpn).is_legal


NEEDED = "a position needs --me, --trump or --turn-up, and --opponent (or --stock while cards are hidden); - stands for"
STOCK = ("--turn-up", "7h", "--stock", "3")


@pytest.mark.parametrize(
    ("flags", "error"),
    [
        ([*ME], f"--trump is missing: {NEEDED}"),
        ([*ME, "--stock", "3"], f"--trump is missing: {NEEDED}"),
        ([*ME, "--stock", "0"], f"--opponent is missing: {NEEDED}"),
        ([*STOCK], f"--me is missing: {NEEDED}"),
        ([*ME, "--trump", "h"], f"--opponent is missing: {NEEDED}"),
        (
            [*ME, "--turn-up", "7h"],
            "--stock is missing: how many cards are still to be drawn, the turn-up included "
            "(24 if no card is gone yet)",
        ),
        (
            [*ME, "--turn-up", "7h", "--discard", "9s 9d", "--opponent-cards", "7", "--table", "6c"],
            "--stock is missing: how many cards are still to be drawn, the turn-up included "
            "(20 if --discard lists every card that is gone)",
        ),
        (
            [*ME, "--turn-up", "7h", "--opponent-cards", "40"],
            "--stock is missing: how many cards are still to be drawn, the turn-up included\n",
        ),
        ([*ME, *STOCK, "--trump", "s"], "--trump s contradicts the turn-up 7h, which is of the trump suit"),
        ([*ME, *STOCK, "--trump", "-"], "--trump - contradicts the turn-up 7h, which is of the trump suit"),
        ([*ME, "--stock", "Qs7h", "--trump", "s"], "--trump s contradicts the turn-up 7h, which is of the trump suit"),
        ([*ME, "--stock", "Qs9d", "--turn-up", "7h"], "--turn-up 7h contradicts --stock, whose last card is 9d"),
        (
            [*ME, "--stock", "0", "--turn-up", "7h"],
            "--turn-up: 7h lies under the stock, but --stock says that no card is left",
        ),
        ([*ME, "--turn-up", "RJ", "--stock", "3", "--rules", "deck=54"], f"--trump is missing: {NEEDED}"),
        ([*ME, "--turn-up", "7x", "--stock", "3"], "--turn-up: a suit was expected, not 'x' (in '7x', at character 2)"),
        ([*ME, "--turn-up", "", "--stock", "3"], "--turn-up: one card was expected, not 0"),
        ([*ME, "--turn-up", "7h8h", "--stock", "3"], "--turn-up: one card was expected, not 2"),
        ([*ME, "--turn-up", "7h", "--stock", "-3"], "--stock: a number of cards from 0 to 54 was expected, not '-3'"),
        ([*ME, "--turn-up", "7h", "--stock", "55"], "--stock: a number of cards from 0 to 54 was expected, not '55'"),
        (
            [*ME, "--turn-up", "7h", "--stock", "9" * 5000],
            "--stock: a number of cards from 0 to 54 was expected, not '9",
        ),
        ([*ME, "--turn-up", "7h", "--stock", "3.5"], "--stock: a suit was expected, not '.'"),
        ([*ME, "--turn-up", "7h", "--stock", "some"], "--stock: a rank was expected, not 's'"),
        ([*ME, "--turn-up", "7h", "--stock", "?x"], "--stock: a number of cards from 1 to 54 was expected after ?"),
        ([*ME, *STOCK, "--discard", "?3"], "--discard: only known cards are listed here"),
        ([*ME, *STOCK, "--discard", "7y"], "--discard: a suit was expected, not 'y'"),
        ([*ME, *STOCK, "--opponent", "7y"], "--opponent: a suit was expected, not 'y'"),
        (
            [*ME, *STOCK, "--opponent-has", "9h 9d", "--opponent-cards", "1"],
            "--opponent-cards 1 contradicts --opponent, which names 2",
        ),
        (
            [*ME, *STOCK, "--opponent", "9h ?2", "--opponent-cards", "6"],
            "--opponent-cards 6 contradicts --opponent, which names 3",
        ),
        (
            [*ME, *STOCK, "--opponent", "9h 9d 9s 6c 7c 8c", "--attack", "opponent", "--table", "6h"],
            "--opponent-cards is missing: 7 cards of his are named, with those on the table, and hands are filled up "
            "to 6 only",
        ),
        (
            [*ME, *STOCK, "--attack", "opponent", "--table", "6c", "--rules", "perevodnoy"],
            "--opponent-cards is missing: by these rules the table does not tell who has played which card",
        ),
        ([HIDDEN, "--stock", "3"], "a DPN says everything"),
        ([HIDDEN, "--opponent-cards", "3"], "a DPN says everything"),
    ],
)
@pytest.mark.parametrize("name", ["analyse", "hint", "show"])
def test_bad_options(name: str, flags: list[str], error: str) -> None:
    result = run(name, *flags)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {error}")
    assert result.stderr.count("\n") == 1 and len(result.stderr) < 300


@pytest.mark.parametrize(
    ("flags", "error"),
    [
        (["--turn-up", "8h", "--stock", "3"], "8h is in more than one place: a's hand and the stock"),
        ([*STOCK, "--discard", "7h"], "7h is in more than one place: the stock and the discard"),
        (["--turn-up", "7h", "--stock", "30"], "42 cards are placed or discarded, but the deck has 36"),
        (
            [*STOCK, "--opponent-cards", "4"],
            "b began the bout with 4 cards, but the stock lasts and fills hands to 6",
        ),
    ],
)
def test_options_of_no_legal_position(flags: list[str], error: str) -> None:
    for name in ("analyse", "hint"):
        result = run(name, *ME, *flags)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: not a legal position:\n  - {error}\n"


# -------------------------------------------------------------------------------------------------------------- analyse

CHANCE = r" +\d+\.\d"
NUMBER = r"[+-]\d\.\d{3}"
INTERVAL = rf"{NUMBER} \({NUMBER} to {NUMBER}\)"


def test_an_estimate() -> None:
    result = run("analyse", HIDDEN, "--samples", "20")
    assert (result.exit_code, result.stderr) == (0, "")
    dpn, head, cost, titles, *moves, blind_spot = result.stdout.splitlines()
    assert (dpn, head) == (HIDDEN, "a to lead: estimate by pimc over 20 of 124,324,200 deals")
    assert re.fullmatch(r"seed 0, \d+\.\d % of the values are exact for their deal, N nodes, S s", normal(cost))
    assert titles.split("  ")[1:4] == ["move", "win %", "draw %"]
    row = rf"  \S\S  {3 * CHANCE}  {INTERVAL}  "
    assert re.fullmatch(row + " *best +20", moves[0])
    assert len(moves) == 6
    assert all(re.fullmatch(rf"{row}{INTERVAL} +20", move) for move in moves[1:])
    assert all(move.endswith("20") and len(move) == len(titles) <= 100 for move in moves)
    assert blind_spot.startswith("Not seen: each world is played with open cards")


def test_an_estimate_over_all_deals() -> None:
    lines = run("analyse", FEW, "--samples", "100").stdout.splitlines()
    assert lines[1] == "a to lead: estimate by pimc over all 34 deals"
    assert lines[2].startswith("seed 0, 100.0 % of the values are exact for their deal, ")
    assert "(" not in "".join(lines[3:])


def test_a_full_stock() -> None:
    """No number that nobody can read."""
    lines = run("analyse", FULL_STOCK, "--samples", "4").stdout.splitlines()
    assert lines[1] == "a to lead: estimate by pimc over 4 of about 1.2e28 deals"
    item = json.loads(run("analyse", FULL_STOCK, "--samples", "4", "--json").stdout)
    assert item["deals"] == 12_280_224_991_305_141_603_532_800_000


def test_an_estimate_as_json() -> None:
    def found(*options: str) -> dict[str, Any]:
        result = run("analyse", HIDDEN, "--json", "--samples", "20", *options)
        assert (result.exit_code, result.stderr) == (0, "")
        return same(result.stdout)

    first = found()
    assert (first["schema"], first["seed"], first["worlds"]) == ("durak.estimate/1", 0, 20)
    assert found() == found("--seed", "0") == found("--method", "pimc") == found("--jobs", "2") == first
    assert found("--seed", "1")["moves"] != first["moves"]


def test_a_limit_of_an_estimate() -> None:
    def found(seconds: float) -> dict[str, Any]:
        return same(run("analyse", ENDLESS, "--json", "--samples", "1000000", "--seconds", str(seconds)).stdout)

    item = with_more_time(found, lambda item: item["worlds"] > 0, 0.1)
    assert item["stopped"] == "seconds" and 0 < item["worlds"] < 100_000
    # Only worlds that are solved take nodes.
    text = run("analyse", "6sKs9c7d8hTh/?6 h a - ?1,7h", "--samples", "1000000", "--nodes", "100000").stdout
    assert "deals\n(no more than these: the limit of nodes was reached)\n" in text


def test_a_limit_before_anything_is_known() -> None:
    result = run("analyse", FULL_STOCK, "--seconds", "1e-9")
    head, *moves = normal(result.stdout).splitlines()[1:-1]
    assert head == "a to lead: nothing is known, because the time was up before any deal was valued"
    assert sorted(moves) == ["  6s", "  7d", "  8h", "  9c", "  Ks", "  Th"]
    result = run("hint", FULL_STOCK, "--seconds", "1e-9")
    assert result.stdout == "No move can be preferred: the time was up before any deal was valued.\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_with_hidden_cards(tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "mixed.dpn"
    path.write_text(f"{FORCED}\n{HIDDEN}\n6s6s/?2 h a -\n{HIDDEN}\n", encoding="ascii")
    result = run("analyse", str(path), "--json", "--samples", "5", "--jobs", jobs)
    first, second, third, fourth = result.stdout.splitlines()
    assert json.loads(first)["schema"] == "durak.analysis/1"
    assert json.loads(second)["worlds"] == 5
    assert same(second) == same(fourth)
    assert json.loads(third)["line"] == 3
    text = run("analyse", str(path), "--samples", "5", "--jobs", jobs).stdout
    assert f"\n\n{HIDDEN}\na to lead: estimate by pimc over 5 of " in text


@pytest.mark.parametrize("name", ["analyse", "hint"])
def test_an_unknown_method(name: str) -> None:
    for text in ("nosuch", "", "PIMC"):
        result = run(name, HIDDEN, "--method", text)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: --method: {text!r} is not known: choose one of {', '.join(METHODS)}\n"


@pytest.mark.parametrize("method", [*METHODS])
def test_every_method(method: str) -> None:
    """Whatever a method gives, it can be written."""
    options = ("--method", method, "--samples", "20", "--seconds", "20")
    item = json.loads(run("analyse", HIDDEN, "--json", *options).stdout)
    assert item["method"] == method
    legal = {str(move) for move in Position.from_dpn(HIDDEN).legal_moves}
    assert {move["move"] for move in item["moves"]} == legal
    text = run("analyse", HIDDEN, *options)
    hint = run("hint", HIDDEN, *options)
    assert (text.exit_code, hint.exit_code, text.stderr, hint.stderr) == (0, 0, "", "")
    valued = any(move["samples"] for move in item["moves"])
    assert ("%" in text.stdout) == ("%" in hint.stdout) == valued
    assert hint.stdout.count("\n") == 1


# ----------------------------------------------------------------------------------------------------------------- hint


def test_a_hint() -> None:
    result = run("hint", HIDDEN, "--style", "ascii")
    estimate = Engine().estimate(Position.from_dpn(HIDDEN), seed=0)
    assert isinstance(estimate, Estimate)
    assert result.exit_code == 0
    assert result.stdout.startswith(
        f"Lead {estimate.best.move}: a wins {100 * estimate.best.win:.0f} % (95 % interval "
    )
    assert "; estimated over 160 of 124,324,200 deals, as if the cards lay open, so " in result.stdout


def test_a_hint_as_json() -> None:
    for dpn in (HIDDEN, FORCED, "6s7dTh/6h8h9c h a -"):
        hint, analysis = (run(name, dpn, "--json", "--samples", "20") for name in ("hint", "analyse"))
        assert (hint.exit_code, hint.stderr) == (0, "")
        assert same(hint.stdout) == same(analysis.stdout)


def test_a_hint_where_nothing_is_hidden() -> None:
    """All cards but the opponent's are seen, so these are his: no estimate, and no percentage."""
    gone = "9sJsQs9cTcJcQcKcAc9dTdJdQdKdAd9hQhAh"
    dpn = f"TsKsJh/?3 h a - - {gone} deck=24"
    known = Position.from_dpn(dpn).deduced()
    assert known is not None
    sentences = {run("hint", text, "--style", "ascii").stdout for text in (dpn, str(known))}
    assert len(sentences) == 1
    assert "%" not in sentences.pop()
    assert json.loads(run("hint", dpn, "--json").stdout)["schema"] == "durak.analysis/1"


def test_a_hint_with_a_limit() -> None:
    result = with_more_time(
        lambda seconds: run("hint", ENDLESS, "--samples", "1000000", "--seconds", str(seconds)),
        lambda result: "No move" not in result.stdout,
        0.2,
    )
    assert result.exit_code == 0
    assert re.search(r"; estimated over only [\d,]+ of [\d,.e+]+ deals, because the time was up, ", result.stdout)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_hint_for_somebody_else(options: list[str]) -> None:
    result = run("hint", "?6/6c7c8c9cTcJc h a - ?5,7h", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: the moves of a cannot be listed while cards of that hand are unknown\n"


# ------------------------------------------------------------------------------------------------------------ terminals


@pytest.mark.parametrize("name", ["analyse", "hint"])
def test_intervals_on_a_terminal(name: str) -> None:
    options = ("--method", "ismcts", "--samples", "10000000", "--seconds")
    shown = with_more_time(
        lambda seconds: on_a_terminal(name, KINGS, *options, str(seconds)), lambda shown: "●" in shown, 2
    )
    plain = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown)
    assert re.search(r"[\d,]+ of 10,000,000 deals valued", plain)
    assert re.search(r"loss +draw +win   win %   samples\r\n  \S+ +·*━*●━*·* +\d+\.\d +[\d,]+\r\n", plain)
    # Nothing of it is left: from the last drawing the cursor goes up to its first line, and erases each on the way.
    assert len(re.findall(r"\x1b\[1A\x1b\[2K", shown[shown.rfind("win   win %") :])) == 10
    if name == "analyse":
        assert re.search(r"  move  win %  draw %", plain)


def test_no_intervals_in_a_pipe_or_at_once() -> None:
    assert "●" not in run("analyse", HIDDEN).output
    assert "●" not in on_a_terminal("analyse", HIDDEN, "--samples", "2", bar_after=60)
    assert "●" not in on_a_terminal("analyse", "6s7dTh/6h8h9c h a -", bar_after=0)


def test_intervals_while_the_results_go_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    # Ten times as many deals as a fast machine values in a second: only the limit ends it.
    options = ("--samples", "10000000", "--json", "--seconds")
    shown = with_more_time(
        lambda seconds: on_a_terminal("analyse", ENDLESS, *options, str(seconds), stdout=path),
        lambda shown: "●" in shown,
        1.5,
    )
    assert "●" in shown and "schema" not in shown
    assert json.loads(path.read_text("ascii"))["stopped"] == "seconds"


@pytest.mark.parametrize("args", [["analyse"], ["hint"], ["analyse", "--json"], ["hint", "--json"]])
def test_ctrl_c(args: list[str]) -> None:
    def begun(stdout: str, _: str) -> bool:
        return bool(stdout) and '"worlds": 0' not in stdout and "before any deal was valued" not in stdout

    stdout, _ = interrupted(args[0], ENDLESS, "--samples", "10000000", *args[1:], begun=begun)
    if "--json" in args:
        item = json.loads(stdout)
        assert item["stopped"] == "interrupt" and item["worlds"] > 0
    elif args[0] == "hint":
        assert ", because the search was interrupted, " in stdout
    else:
        assert "(no more than these: the search was interrupted)" in stdout
