"""The program ``durak`` as people and other programs use it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from durak_solver import Engine, Position, __version__
from durak_solver.study.suites import read_suite
from tests.support.data import POSITIONS, ROOT
from tests.support.patience import with_more_time
from tests.support.program import command, environment, interrupted, interruptible, normal, on_a_terminal, run

HARD = "6s8sTsQsAs6c7cTcJc7d9dJdAd6h7h9hKhAh/7s9sJsKs8c9cQcKcAc6d8dTdQdKd8hThJhQh h a -"
COMMANDS = ("analyse", "hint", "show", "play", "proof", "graph", "puzzle", "rules", "bench")
# Nothing beats anything here, so that every line is forced.
FORCED = "8c9s/6h7h - a -"
BITA = "with short=bita the order of the discard matters, but 34 of its 34 cards are not known"
FILE = f"""# a comment

{FORCED}
6s7dTh/6h8h9x h a -
  # another one
6s6s/6s s b 6c:7d
6s/7s h a - transfer=on short=bita
6c/Qh d a -
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "positions.dpn"
    path.write_text(FILE, encoding="utf-8")
    return path


# -------------------------------------------------------------------------------------------------------------- analyse

FORCED_TEXT = """\
9s8c/6h7h - a -
a to lead: win
  8c  win  8c take done 9s take done
  9s  win  9s take done 8c take done
N nodes, S s
"""
FORCED_JSON = (
    '{"schema": "durak.analysis/1", "position": "9s8c/6h7h - a -", "to_move": "a", "phase": "lead", "value": "win", '
    '"plies": null, "bouts": null, '
    '"moves": [{"move": "8c", "value": "win", "plies": null, "bouts": null, '
    '"line": ["8c", "take", "done", "9s", "take", "done"]}, '
    '{"move": "9s", "value": "win", "plies": null, "bouts": null, '
    '"line": ["9s", "take", "done", "8c", "take", "done"]}], '
    '"line": ["8c", "take", "done", "9s", "take", "done"], "exact": true, "stopped": null, "tables": 0, '
    '"nodes": N, "seconds": S}\n'
)


def test_analyse() -> None:
    result = run("analyse", FORCED)
    assert (result.exit_code, normal(result.stdout), result.stderr) == (0, FORCED_TEXT, "")


def test_analyse_json() -> None:
    result = run("analyse", FORCED, "--json")
    assert (result.exit_code, normal(result.stdout), result.stderr) == (0, FORCED_JSON, "")


def test_analyse_with_distances() -> None:
    result = run("analyse", "AsKc6d/Js7cJc d a -", "--distance")
    assert (result.exit_code, result.stderr) == (0, "")
    assert normal(result.stdout) == (
        "AsKc6d/Js7cJc d a -\n"
        "a to lead: win in 9 plies, 3 bouts\n"
        "  Kc  win   9 plies, 3 bouts  Kc take done As take done 6d take done\n"
        "  As  win   9 plies, 3 bouts  As take done Kc take done 6d take done\n"
        "  6d  win  15 plies, 5 bouts  6d take done As As:6d done Js take done 7c 7c:Kc done Js take done\n"
        "N nodes, S s, tables up to 8 cards\n"
    )
    for name in ("analyse", "hint"):
        found = json.loads(run(name, "6s7dTh/6h8h9c h a -", "--distance", "--json").stdout)
        assert (found["value"], found["plies"], found["bouts"]) == ("draw", None, None)
        assert [(move["move"], move["plies"], move["bouts"]) for move in found["moves"]] == [
            ("6s", None, None),
            ("7d", None, None),
            ("Th", 15, 5),
        ]


STOCK = "6s7dThKs9c8h/6hJhQh7c8cJs h a - 9h"


def test_distances_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "positions.dpn"
    path.write_text(f"{FORCED}\n{STOCK}\n6s7s/?2 h a -\n{FORCED}\n", encoding="ascii")
    result = run("analyse", str(path), "--distance", "--json", "--jobs", "2")
    first, stock, hidden, last = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert (first["plies"], first["bouts"], last["plies"], last["bouts"]) == (6, 2, 6, 2)
    assert stock == {"line": 2, "error": "the distance to the end is measured only when the stock is empty"}
    assert hidden == {"line": 3, "error": "the distance to the end is not known while cards are hidden"}


def test_lines_are_played_to_the_end_they_promise() -> None:
    found = json.loads(run("analyse", "6s7dTh/6h8h9c h a -", "--json").stdout)
    assert found["value"] == "draw" and found["exact"]
    assert {move["move"]: move["value"] for move in found["moves"]} == {"6s": "draw", "7d": "draw", "Th": "loss"}
    for move in found["moves"]:
        position = Position.from_dpn(found["position"])
        for played in move["line"]:
            position = position.play(played)
        assert position.outcome() == {"draw": "draw", "loss": "b"}[move["value"]]


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_file_as_json(file: Path, jobs: str) -> None:
    result = run("analyse", str(file), "--json", "--jobs", jobs)
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr, len(lines)) == (1, "", 5)
    assert normal(lines[0] + "\n") == FORCED_JSON
    assert json.loads(lines[1]) == {"line": 4, "error": "HANDS: a suit was expected, not 'x' (at character 13)"}
    assert json.loads(lines[2]) == {
        "line": 6,
        "error": "not a legal position: 6s is in more than one place: a's hand (2 times) and b's hand; "
        "7d does not beat 6c",
    }
    assert json.loads(lines[3]) == {"line": 7, "error": BITA}
    assert json.loads(lines[4])["position"] == "6c/Qh d a -"


def test_a_file_as_text(file: Path) -> None:
    result = run("analyse", str(file))
    assert result.exit_code == 1
    assert normal(result.stdout) == FORCED_TEXT + (
        "\n6c/Qh d a -\na to lead: win\n  6c  win  6c take done\nN nodes, S s\n"
    )
    assert result.stderr == (
        f"{file}, line 4: HANDS: a suit was expected, not 'x'\n6s7dTh/6h8h9x h a -\n            ^\n"
        f"{file}, line 6: not a legal position:\n"
        "  - 6s is in more than one place: a's hand (2 times) and b's hand\n  - 7d does not beat 6c\n"
        f"{file}, line 7: {BITA}\n"
    )


def test_standard_input() -> None:
    result = run("analyse", "-", "--json", stdin=f"\ufeff{FORCED}\r\n\r\n{FORCED}")
    assert result.exit_code == 0
    assert normal(result.stdout) == 2 * FORCED_JSON
    assert run("analyse", "-", stdin="6s/7s x\n").stderr.startswith("the standard input, line 1: TRUMP: ")


def test_order_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "many.dpn"
    dpns = [
        line for line in (ROOT / "positions" / "bench" / "4v4.dpn").read_text("ascii").splitlines() if line[0] != "#"
    ]
    path.write_text("\n".join(3 * dpns), encoding="ascii")
    result = run("analyse", str(path), "--json", "--jobs", "4")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [item["position"] for item in found] == 3 * dpns
    engine = Engine(1)
    assert [item["value"] for item in found[:30]] == [
        str(engine.solve(Position.from_dpn(dpn)).value) for dpn in dpns[:30]
    ]


def test_an_answer_comes_before_the_next_question() -> None:
    """Results are not held back until more input comes, or another program could not talk with this one."""
    with subprocess.Popen(
        command("analyse", "-", "--json"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for _ in range(2):
            process.stdin.write(FORCED + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["value"] == "win"
        process.stdin.close()
        assert process.wait(60) == 0


def test_limits() -> None:
    for limit in (["--nodes", "1000"], ["--seconds", "0.05"]):
        result = run("analyse", HARD, "--json", *limit)
        found = json.loads(result.stdout)
        assert (result.exit_code, found["value"], found["exact"]) == (0, "unknown", False)
        assert found["stopped"] == limit[0].removeprefix("--")
    assert "(not everything is known: the limit of nodes was reached)" in run("analyse", HARD, "--nodes", "9").stdout


def test_with_a_limit_of_nodes_neighbours_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "twice.dpn"
    path.write_text(f"{HARD}\n" * 2, encoding="ascii")
    first, second = run("analyse", str(path), "--json", "--nodes", "20000").stdout.splitlines()
    assert re.sub('"seconds.*', "", first) == re.sub('"seconds.*', "", second)


# ------------------------------------------------------------------------------------------------- positions by options


def test_options_instead_of_dpn() -> None:
    flags = ["--trump", "-", "--me", "8♣ 9♠", "--opponent", "6ч 7h"]
    assert normal(run("analyse", *flags, "--json").stdout) == FORCED_JSON
    assert normal(run("analyse", *flags, "--attack", "me").stdout) == FORCED_TEXT


def test_all_options() -> None:
    result = run(
        *("show", "--trump", "♥", "--me", "7d Qd", "--opponent", "9c", "--attack", "opponent"),
        *("--table", "6c:8c, 6d", "--rules", "simple limit=5", "--style", "ascii"),
    )
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "trump      hearts",
        "b          9c (1 card)",
        "attack     6c 6d",
        "beaten by  8c -",
        "a          7d Qd (2 cards)",
        "discard    (30 cards)",
        "to move    a, to defend (2 attack cards of at most 3)",
        "rules      rules=simple limit=5",
        "legal      6d:7d 6d:Qd take",
    ]


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--me", "6s"], "--trump is missing: a position needs --me, --trump or --turn-up, and --opponent "),
        (["--trump", "h", "--me", "6s"], "--opponent is missing"),
        (["--trump", "x", "--me", "6s", "--opponent", "7s"], "--trump: a suit was expected, not 'x'"),
        (["--trump", "h", "--me", "6s 7y", "--opponent", "7s"], "--me: a suit was expected, not 'y'"),
        (["--trump", "h", "--me", "6s", "--opponent", "1s"], "--opponent: a rank was expected"),
        (["--trump", "h", "--me", "6s", "--opponent", "7s", "--table", "6c-"], "--table: a comma was expected"),
        (["--trump", "h", "--me", "6s", "--opponent", "7s", "--rules", "chess"], "--rules: rules='chess' is not known"),
        (["--trump", "h", "--me", "6s", "--opponent", "7s", "--rules", "limit=0"], "--rules: limit='0' is not allowed"),
        (
            ["--trump", "h", "--me", "6s", "--opponent", "7s", "--rules", "simple simple"],
            "--rules: rules is given twice",
        ),
        ([FORCED, "--me", "6s"], "a DPN says everything"),
        ([], "no position is given"),
    ],
)
@pytest.mark.parametrize("name", ["analyse", "hint", "show"])
def test_bad_options(name: str, args: list[str], error: str) -> None:
    result = run(name, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {error}")
    assert result.stderr.count("\n") == 1


def test_a_hand_without_cards_is_no_option() -> None:
    dpn = "-/Qh d a 6c"
    assert json.loads(run("analyse", dpn, "--json").stdout)["value"] == "loss"
    assert json.loads(run("analyse", "--json", "--", dpn).stdout)["value"] == "loss"
    assert run("show", "--style", "ascii", dpn).exit_code == 0
    assert run("hint", dpn, "--style", "ascii").stdout.startswith("Take: ")


# ----------------------------------------------------------------------------------------------------------- hint, show


def test_hint() -> None:
    result = run("hint", "Ks7h7d/6s8h9d s a -", "--style", "unicode")
    assert result.exit_code == 0
    assert result.stdout == (
        "Lead K♠: it cannot be beaten, so b must take, and a wins in every line; every other move draws.\n"
    )


def test_hint_with_distances() -> None:
    assert run("hint", "AsKc6d/Js7cJc d a -", "--distance", "--style", "ascii").stdout == (
        "Lead Kc: it cannot be beaten, so b must take, and a wins in every line; "
        "9 plies, 3 bouts to the end if the winner hurries and the loser delays.\n"
    )


def test_hint_with_a_limit() -> None:
    result = run("hint", HARD, "--nodes", "1000")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "No move can be preferred: the limit of nodes was reached before any was graded.\n"


def test_show() -> None:
    result = run("show", "6s7dTh/6h8h9c h a -", "--style", "russian")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[3] == "a          6♠ 7♦ 10♥ (3 cards)"


def test_show_draws_what_is_wrong() -> None:
    result = run("show", "6s6s/6s s b 6c:7d", "--style", "ascii")
    assert result.exit_code == 2
    assert "a          6s 6s (2 cards)" in result.stdout.splitlines()
    assert result.stderr == (
        "Error: not a legal position:\n  - 6s is in more than one place: a's hand (2 times) and b's hand\n"
        "  - 7d does not beat 6c\n"
    )


def test_show_draws_what_is_not_solved() -> None:
    for dpn in ("6s/7s h a - transfer=on short=bita", "6s7s8s9sTsJs/?6 h a - ?5,7h", "-/6s h a -"):
        result = run("show", dpn)
        assert (result.exit_code, result.stderr) == (0, ""), dpn


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize(
    ("dpn", "stderr"),
    [
        ("6s7dTh/6h8h9x h a -", "Error: HANDS: a suit was expected, not 'x'\n6s7dTh/6h8h9x h a -\n            ^\n"),
        ("6s/7s h c -", "Error: ATTACKER: a or b was expected\n6s/7s h c -\n        ^\n"),
        ("6s/7s h", "Error: ATTACKER: the field is missing\n6s/7s h\n       ^\n"),
        (
            "6s/7s h a - limit=0",
            "Error: OPTIONS: limit='0' is not allowed: choose one of 1 to 54, hand\n6s/7s h a - limit=0\n"
            "                  ^\n",
        ),
        (
            "6s6s/6s s b 6c:7d",
            "Error: not a legal position:\n  - 6s is in more than one place: a's hand (2 times) and b's hand\n"
            "  - 7d does not beat 6c\n",
        ),
        ("6s/- h a -", "Error: not a legal position:\n  - the game is over: no card is left to b\n"),
        ("6s/7s h a - transfer=on short=bita", f"Error: {BITA}\n"),
        (
            "?6/6c7c8c9cTcJc h a - ?5,7h",
            "Error: the moves of a cannot be listed while cards of that hand are unknown\n",
        ),
        ("\x00 \x1b[31m", None),
        (" ", None),
        ("6s/7s h a - " + "x" * 100_000, None),
    ],
)
def test_one_bad_position(dpn: str, stderr: str | None, options: list[str]) -> None:
    result = run("analyse", dpn, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "\x1b" not in result.stderr and len(result.stderr) < 1000
    if stderr is not None:
        assert result.stderr == stderr
        assert run("hint", dpn, *options).stderr == stderr


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("nosuch.dpn", "there is no file 'nosuch.dpn'"),
        ("no such.dpn", "there is no file 'no such.dpn'"),
        ("nosuch", "'nosuch' is neither an existing file nor a DPN, whose fields have spaces between them"),
        ("6s/7s", "TRUMP: the field is missing"),
        ("x" * 5000, "is neither an existing file nor a DPN"),
        ("a\x00b", "is neither an existing file nor a DPN"),
        ("", "HANDS: the field is missing"),
        (".", ". cannot be read: is a directory"),
    ],
)
def test_no_file(source: str, error: str) -> None:
    result = run("analyse", source)
    assert (result.exit_code, result.stdout) == (2, "")
    assert error in result.stderr


def test_binary_files(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(
        f"{FORCED}\n".encode() + bytes(range(256)) + b"\n" + b"x" * 50_000 + b"\n" + FORCED.encode("utf-16")
    )
    result = run("analyse", str(path), "--json")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert found[0]["value"] == "win"
    assert all({*item} == {"line", "error"} for item in found[1:])
    assert found[2]["error"].startswith("the line is not UTF-8 text: byte ")
    assert {"line": 4, "error": "the line is longer than 10,000 bytes"} in found
    assert found[-1]["line"] == 5
    assert run("analyse", str(path)).exit_code == 1


def test_empty_files(tmp_path: Path) -> None:
    path = tmp_path / "empty.dpn"
    for content in ("", "\n\n# nothing\n"):
        path.write_text(content, encoding="ascii")
        result = run("analyse", str(path), "--json")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"There is no position in {path}.\n")


@pytest.mark.parametrize(
    "args",
    [
        ["analyse", FORCED, "--jobs", "0"],
        ["analyse", FORCED, "--jobs", "many"],
        ["analyse", FORCED, "--nodes", "-1"],
        ["analyse", FORCED, "--nodes", "0"],
        ["analyse", FORCED, "--seconds", "-1"],
        ["analyse", FORCED, "--seconds", "nan"],
        ["analyse", FORCED, "--samples", "0"],
        ["analyse", FORCED, "--samples", "many"],
        ["hint", FORCED, "--seed", "-1"],
        ["analyse", FORCED, "--seed", str(2**63)],
        ["analyse", FORCED, "--opponent-cards", "-1"],
        ["show", FORCED, "--opponent-cards", "55"],
        ["analyse", FORCED, "--table-mb", "-1"],
        ["analyse", FORCED, "--table-mb", "nan"],
        ["analyse", FORCED, "--table-mb", "1e12"],
        ["analyse", FORCED, "more"],
        ["analyse", "--attack", "nobody"],
        ["hint", FORCED, "--seconds", "0"],
        ["hint", FORCED, "--table-mb", "1e12"],
        ["show", FORCED, "--style", "gothic"],
        ["bench", "--seconds", "0"],
        ["bench", "nosuch"],
        ["bench", "--suites", "nosuch"],
        ["bench", "--nosuch"],
        ["bench", "4v4", "--all"],
        ["bench", "4v4", "--save", "/nosuch/file"],
        ["bench", "4v4", "--save", "/"],
        ["bench", "4v4", "--compare", "/nosuch/file"],
        ["bench", "4v4", "--compare", __file__],
        ["nosuch"],
    ],
)
def test_bad_arguments(args: list[str]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stderr.strip() and "Traceback" not in result.stderr
    assert isinstance(result.exception, SystemExit)


# ---------------------------------------------------------------------------------------------------------------- bench


def test_bench(tmp_path: Path) -> None:
    (tmp_path / "own.dpn").write_text(f"# two\n{FORCED}\n6c/Qh d a -\n", encoding="ascii")
    results = [run("bench", "--suites", str(tmp_path)) for _ in range(2)]
    lines = results[0].stdout.splitlines()
    assert [result.exit_code for result in results] == [0, 0]
    assert " ".join(lines[0].split()) == (
        "suite positions solved nodes mean median mean ms median ms p95 ms max ms nodes/s"
    )
    name, positions, solved, nodes, *numbers = lines[1].split()
    assert (name, positions, solved, len(numbers)) == ("own", "2", "100.0%", 7)
    assert lines[2:] == [f"signature: {nodes.replace(',', '')}"]
    assert results[1].stdout.splitlines()[2:] == lines[2:]


def test_bench_of_hidden_cards(tmp_path: Path) -> None:
    (first,) = read_suite(ROOT / "positions" / "bench", "hidden-2")[:1]  # with few deals, so that all are solved
    (tmp_path / "hidden-2.dpn").write_text(f"{first}\n", encoding="ascii")
    alone = run("bench", "--suites", str(tmp_path)).stdout.splitlines()
    assert " ".join(alone[0].split()) == (
        "suite positions nodes deals/s exact median ms p95 ms max ms open nodes solved"
    )
    name, positions, nodes, _, exact, *_, open_nodes, solved = alone[1].split()
    assert (name, positions, exact, solved) == ("hidden-2", "1", "100.0%", "1")
    number = int(nodes.replace(",", "")) + int(open_nodes.replace(",", ""))
    assert alone[2:] == [f"signature (hidden): {number}"]
    (tmp_path / "own.dpn").write_text(f"{FORCED}\n", encoding="ascii")
    both = run("bench", "--suites", str(tmp_path)).stdout.splitlines()
    assert [line.split()[0] for line in both] == ["suite", "own", "suite", "hidden-2", "signature:", "signature"]
    assert both[5] == alone[2]


def test_bench_cut_off(tmp_path: Path) -> None:
    (tmp_path / "hard.dpn").write_text(f"{HARD}\n", encoding="ascii")
    result = run("bench", "hard", "--suites", str(tmp_path), "--seconds", "0.05")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "signature: none, because the limit cut off 1 of the positions"


def test_long_suites(tmp_path: Path) -> None:
    (tmp_path / "own.dpn").write_text(f"{FORCED}\n", encoding="ascii")
    (tmp_path / "12v12.dpn").write_text(f"{FORCED}\n{HARD}\n", encoding="ascii")
    (tmp_path / "6v18.dpn").write_text(f"{FORCED}\n", encoding="ascii")
    (short,) = re.findall(
        r"^(\w+) +1 .*\nsignature: \d+\n$", run("bench", "--suites", str(tmp_path)).stdout, re.MULTILINE
    )
    assert short == "own"
    named = run("bench", "6v18", "--suites", str(tmp_path)).stdout.splitlines()
    assert [line.split()[0] for line in named[1:-1]] == ["6v18"]
    assert re.fullmatch(r"signature \(long\): \d+", named[-1])
    every = run("bench", "--all", "--suites", str(tmp_path), "--seconds", "0.05").stdout.splitlines()
    assert [line.split()[:3] for line in every[1:-2]] == [
        ["12v12", "2", "50.0%"],
        ["6v18", "1", "100.0%"],
        ["own", "1", "100.0%"],
    ]
    assert every[-2].startswith("signature: ")
    assert every[-1] == "signature (long): none, because the limit cut off 1 of the positions"


def test_bench_compares_runs(tmp_path: Path) -> None:
    suites, record = tmp_path / "suites", tmp_path / "record.json"
    suites.mkdir()
    (suites / "own.dpn").write_text(f"{FORCED}\n6c/Qh d a -\n", encoding="ascii")
    saved = run("bench", "--suites", str(suites), "--save", str(record))
    assert (saved.exit_code, json.loads(record.read_text("ascii"))["schema"]) == (0, "durak.bench/1")
    compared = run("bench", "--suites", str(suites), "--compare", str(record), "--save", str(record))
    head, ratios, values, end = compared.stdout.splitlines()[2:]
    assert " ".join(head.split()) == "new / old positions nodes median time median solved old new"
    name, positions, nodes, median, time_all, time_median, *shares = ratios.split()
    assert (name, positions, nodes, median, shares) == ("own", "2", "1.000", "1.000", ["1.000", "100.0%", "100.0%"])
    assert float(time_all.replace(",", "")) > 0 and float(time_median.replace(",", "")) > 0
    assert values == "values: the same in all positions that both runs solved (2)"
    assert end.startswith("signature: ")
    (suites / "own.dpn").write_text(f"{FORCED}\n", encoding="ascii")
    other = run("bench", "--suites", str(suites), "--compare", str(record)).stdout.splitlines()
    assert other[2] == f"{record} has none of these suites with these positions."


def test_bench_compares_values(tmp_path: Path) -> None:
    suites, path = tmp_path / "suites", tmp_path / "record.json"
    suites.mkdir()
    (suites / "own.dpn").write_text(f"{FORCED}\n{HARD}\n6c/Qh d a -\n", encoding="ascii")
    args = ("bench", "--suites", str(suites), "--seconds", "0.05")
    assert run(*args, "--save", str(path)).exit_code == 0
    record = json.loads(path.read_text("ascii"))
    (suite,) = record["suites"]
    first, unsolved, last = suite["values"]
    assert (first in {"win", "draw", "loss"}, unsolved, last) == (True, None, "win")

    tables = run(*args, "--tables", "auto", "--compare", str(path))
    assert (tables.exit_code, tables.stderr) == (0, "")
    assert "values: the same in all positions that both runs solved (2)" in tables.stdout.splitlines()

    suite["values"] = [first, None, "loss"]
    path.write_text(json.dumps(record), encoding="ascii")
    other = run(*args, "--compare", str(path))
    assert other.exit_code == 1
    assert other.stderr == "Error: suite own, position 3: the value was loss, now it is win\n"
    assert "values" not in other.stdout
    assert other.stdout.splitlines()[-1].startswith("signature: ")

    del suite["values"]
    path.write_text(json.dumps(record), encoding="ascii")
    lacking = run(*args, "--compare", str(path))
    assert (lacking.exit_code, lacking.stderr) == (0, "")
    assert "new / old" in lacking.stdout and "values" not in lacking.stdout


def test_a_full_disk() -> None:
    with Path("/dev/full").open("wb") as full:
        for args in (["analyse", FORCED], ["analyse", FORCED, "--json"], ["show", FORCED]):
            done = subprocess.run(command(*args), env=environment(), stdout=full, stderr=subprocess.PIPE, check=False)
            assert (done.returncode, done.stderr) == (1, b"Error: No space left on device\n")


def test_bench_from_anywhere(tmp_path: Path) -> None:
    done = subprocess.run(
        command("bench", "4v4"), cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1].startswith("signature: ")


# ---------------------------------------------------------------------------------------------------- the whole program


def test_help_has_an_example() -> None:
    for args in ([], *([name] for name in COMMANDS)):
        result = run(*args, "--help")
        assert result.exit_code == 0
        assert f"durak {args[0] if args else 'analyse'} " in re.split("Examples?:", result.stdout)[1]


def test_version_and_no_arguments() -> None:
    assert run("--version").stdout == f"durak {__version__}\n"
    assert "Usage" in run().output


def test_completion() -> None:
    def complete(words: str) -> set[str]:
        variables = {"_PYTHON_MDURAK_SOLVER_COMPLETE": "complete_bash", "_DURAK_COMPLETE": "complete_bash"}
        variables |= {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        code = "from durak_solver.cli.app import main; import sys; sys.argv = ['durak']; main()"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**environment(), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        return {*done.stdout.split()}

    assert complete("durak a") == {"analyse"}
    assert complete("durak show --style ") == {"ascii", "unicode", "russian"}
    assert complete("durak hint --rules s") == {"simple"}
    assert complete("durak bench 6") == {"6v6", "6v12", "6v18"}


def test_import_of_the_package_is_light() -> None:
    code = "import sys, durak_solver; print([name for name in ('typer', 'rich', 'click') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("options", [[], ["--json"], ["--json", "--jobs", "2"]])
def test_a_reader_who_leaves(tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "many.dpn"
    path.write_text(f"{FORCED}\n" * 20_000, encoding="ascii")
    with subprocess.Popen(
        command("analyse", str(path), *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) != 130
        assert process.stderr.read() == b""


def test_a_terminal_that_has_no_suits() -> None:
    for args in (
        ["show", FORCED],
        ["show", FORCED, "--style", "unicode"],
        ["hint", FORCED],
        ["analyse", "6♠/7ы h a -"],
    ):
        done = subprocess.run(
            command(*args), env={**environment(), "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False
        )
        assert b"Traceback" not in done.stderr
        assert (done.stdout + done.stderr).isascii()


@pytest.mark.parametrize(
    "args", [["analyse", HARD], ["analyse", "FILE", "--json", "--jobs", "2"], ["hint", HARD], ["bench", "hard"]]
)
def test_ctrl_c(tmp_path: Path, args: list[str]) -> None:
    path = tmp_path / "hard.dpn"
    path.write_text(f"{FORCED}\n{HARD}\n{FORCED}\n", encoding="ascii")
    args = [str(path) if arg == "FILE" else arg for arg in args]
    if args[0] == "bench":
        args += ["--suites", str(tmp_path)]
    stdout, _ = interrupted(*args, begun=lambda stdout, _: stdout.count("\n") >= (3 if "--json" in args else 1))
    if args[0] == "hint":
        assert stdout == "No move can be preferred: the search was interrupted before any was graded.\n"
    elif "--json" in args:
        first, second, third = map(json.loads, stdout.splitlines())
        assert (first["value"], second["value"], third["value"]) == ("win", "unknown", "win")
        assert second["stopped"] == "interrupt"
    elif args[0] == "bench":
        assert re.search(r"^hard +1 ", stdout, re.MULTILINE) and "signature" not in stdout
    else:
        assert "(not everything is known: the search was interrupted)" in stdout


def test_ctrl_c_while_waiting_for_input() -> None:
    with interruptible("analyse", "-") as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(FORCED + "\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == "Interrupted: what was known by then is written.\n"


def test_progress_on_a_terminal_only(tmp_path: Path) -> None:
    assert with_more_time(
        lambda seconds: "searching" in on_a_terminal("analyse", HARD, "--seconds", str(seconds)), bool, 1
    )
    assert "searching" not in on_a_terminal("analyse", FORCED, bar_after=60)
    path, results = tmp_path / "hard.dpn", tmp_path / "results.jsonl"
    path.write_text(f"{FORCED}\n{HARD}\nbad line\n", encoding="ascii")
    terminal = with_more_time(
        lambda seconds: on_a_terminal("analyse", str(path), "--json", "--seconds", str(seconds), stdout=results),
        lambda shown: "1 positions" in shown,
        1,
    )
    assert "1 positions" in terminal and "schema" not in terminal
    assert len(results.read_text("ascii").splitlines()) == 3
    terminal = on_a_terminal("analyse", str(path), "--seconds", "0.1")
    assert "a to lead: " in terminal and "line 3: HANDS: " in terminal


# ---------------------------------------------------------------------------------------------------- hostile terminals


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("analyse - <&-", 0),
        ("puzzle {puzzles} <&-", 0),
        ('analyse "6s/7s s a -" >&-', 0),
        ('analyse "6s/7x s a -" 2>&-', 2),
    ],
)
def test_closed_streams(command: str, code: int) -> None:
    puzzles = POSITIONS / "puzzles" / "draws.dpn"
    line = f"{sys.executable} -m durak_solver {command.format(puzzles=puzzles)}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr


def test_a_limit_larger_than_any_search() -> None:
    assert run("analyse", "6s/7s s a -", "--nodes", "1" + "0" * 30).exit_code == 0
