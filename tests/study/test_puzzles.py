"""The puzzles: what their files state, how the files are read, and the command that asks them."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from durak_solver import Engine, Move, Position, Value
from durak_solver.cli.app import app
from durak_solver.study import puzzles as module
from durak_solver.study.puzzles import Puzzle, PuzzleError, check, judge, read_puzzles
from tests.support.data import POSITIONS
from tests.support.program import ctrl_c_at_a_prompt

FOLDER = POSITIONS / "puzzles"
FILES = sorted(FOLDER.glob("*.dpn"))
ALL = [puzzle for file in FILES for puzzle in read_puzzles(file)]
HEAD = "# source: a test\n# find: the lead that wins\n# value: win\n# solution: Kd\n"
DPN = "ThTsKd/QhQsJc - a -\n"


def name(puzzle: Puzzle) -> str:
    return f"{Path(puzzle.file).name}:{puzzle.line}"


def by_dpn(dpn: str) -> Puzzle:
    position = Position.from_dpn(dpn)
    return next(puzzle for puzzle in ALL if puzzle.position == position)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(table_mb=16)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.dpn"


def error(file: Path, text: str | bytes) -> str:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(PuzzleError) as caught:
        read_puzzles(file)
    return str(caught.value).removeprefix(f"{file}, ")


# ------------------------------------------------------------------------------------------------ the puzzles there are


@pytest.mark.parametrize("puzzle", ALL, ids=name)
def test_what_a_puzzle_states_is_true(puzzle: Puzzle, engine: Engine) -> None:
    assert check(puzzle, engine) == ()


@pytest.mark.parametrize("puzzle", ALL, ids=name)
def test_every_puzzle_has_a_choice_and_an_idea(puzzle: Puzzle) -> None:
    assert len(puzzle.position.legal_moves) > 1
    assert puzzle.idea
    # A position that is not lost has moves that spoil it, apart from the one that is there for the cap.
    if puzzle.value is not Value.LOSS and len(puzzle.solution) < 15:
        assert len(puzzle.solution) < len(puzzle.position.legal_moves)


def test_there_are_enough_and_no_position_twice() -> None:
    assert len(ALL) >= 24
    assert len({puzzle.position for puzzle in ALL}) == len(ALL)


def test_only_the_king_of_diamonds(engine: Engine) -> None:
    values = grades("ThTsKd/QhQsJc - a -", engine)
    assert values == {"Kd": "win", "Ts": "loss", "Th": "loss", "TsTh": "loss"}


def test_only_the_trump_king(engine: Engine) -> None:
    values = grades("Ks7h7d/6s8h9d s a -", engine)
    assert values == {"Ks": "win", "7d": "draw", "7h": "draw", "7d7h": "draw"}


def test_every_lead_loses(engine: Engine) -> None:
    values = grades("6h8c8dAc/8hAh6sKc s a -", engine)
    assert values == dict.fromkeys(["6h", "8c", "8d", "8c8d", "Ac"], "loss")


def test_four_sixes_against_four_cards(engine: Engine) -> None:
    puzzle = by_dpn("6s6c6d6h/7s7c7hAc h a -")
    assert set(grades(puzzle.position.to_dpn(), engine).values()) == {"win"}
    position = puzzle.position
    for move in ("6s", "7s", "6c", "7c", "6d", "7h"):
        position = position.play(move)
        assert position.cap == 4
    assert [str(move) for move in position.legal_moves] == ["+6h", "done"]
    assert position.play("6h").play("take").play("done").outcome() == "a"
    # With a cap that shrinks as the defender uses up cards the bout would end after two sixes, and a would lose.
    later = by_dpn("6d6h/7hAc h a 6s:7s,6c:7c")
    assert grades(later.position.to_dpn(), engine) == {"+6d": "win", "+6h": "win", "done": "loss"}


def grades(dpn: str, engine: Engine) -> dict[str, str]:
    by_dpn(dpn)
    return {str(graded.move): str(graded.value) for graded in engine.analyse(Position.from_dpn(dpn)).moves}


# What the ideas claim about a position that is not among the puzzles.
@pytest.mark.parametrize(
    ("dpn", "value", "best"),
    [
        ("JcJdQd/TsTc8h s a -", "win", ["Jc", "Jd", "JcJd"]),
        ("QsTc9h/8s9d7hKh d a Qh", "loss", ["Qh:9d", "Qh:Kh", "take"]),
        ("6d7h/7s6h8h h a 7c", "loss", ["7c:6h", "7c:8h", "take"]),
        # throw-in.dpn: having the lead is no gift, for either player
        ("7sQs8h/Js9h s b - - 7d8s8cAc", "loss", ["9h", "Js"]),
        ("7sQs8h/Js9h s a - - 7d8s8cAc", "loss", ["7s", "8h", "Qs"]),
        ("TcQcAd7h/JcKc7d h b - - TdQdThQh", "loss", ["7d", "Jc", "Kc"]),
    ],
)
def test_what_the_ideas_say_of_other_positions(dpn: str, value: str, best: list[str], engine: Engine) -> None:
    analysis = engine.analyse(Position.from_dpn(dpn))
    assert analysis.value == value
    assert {str(graded.move) for graded in analysis.moves if graded.value == value} == set(best)


# ------------------------------------------------------------------------------------------------------------- checking


def test_check_finds_what_is_wrong(engine: Engine) -> None:
    puzzle = by_dpn("Ks7h7d/6s8h9d s a -")
    assert check(replace(puzzle, value=Value.DRAW), engine) == ("the value is win, not draw",)
    other = puzzle.position.parse_move("7h")
    assert check(replace(puzzle, solution=(*puzzle.solution, other)), engine) == ("7h is not among the best moves",)
    lost = by_dpn("6h8c8dAc/8hAh6sKc s a -")
    assert check(replace(lost, solution=lost.solution[1:]), engine) == ("6h is as good and is not stated",)


def test_check_does_not_guess(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Engine.analyse
    monkeypatch.setattr(Engine, "analyse", lambda self, position: whole(self, position, nodes=1))
    with pytest.raises(InterruptedError, match="nodes"):
        check(by_dpn("6h8c8dAc/8hAh6sKc s a -"), Engine(table_mb=0))


def test_judge(engine: Engine) -> None:
    puzzle = by_dpn("Ks7h7d/6s8h9d s a -")

    def say(text: str) -> str:
        return judge(puzzle, puzzle.position.parse_move(text), engine).text

    assert say("Ks") == f"Right: Ks wins. {puzzle.idea}"
    assert say("7h7d").startswith("Wrong: 7d7h only draws. b answers ")
    assert say("7h").endswith(f" Right is Ks, which wins. {puzzle.idea}")
    without = replace(puzzle, idea="")
    assert judge(without, without.solution[0], engine, "unicode").text.startswith(
        "Right: K♠ wins. The line: K♠ take done"
    )
    lost = by_dpn("6h8c8dAc/8hAh6sKc s a -")
    assert judge(lost, lost.solution[0], engine) == module.Verdict(True, f"Right: every move loses. {lost.idea}")


def test_judge_names_the_reply_even_when_the_mover_goes_on(engine: Engine) -> None:
    # After "done" b has nothing to say: his answer is the next lead.
    puzzle = by_dpn("6d6h/7hAc h a 6s:7s,6c:7c")
    verdict = judge(puzzle, Move("done"), engine)
    assert verdict.text.startswith("Wrong: done loses. b answers 7h, and then take done Ac Ac:6h done.")
    assert "Right is +6d or +6h, which wins." in verdict.text


# -------------------------------------------------------------------------------------------------------------- reading


def test_read(file: Path) -> None:
    text = (
        f"# About the file: anything.\n\n{HEAD}# idea: one\n#   two:\n#    three\n#\n{DPN}\n#find: it\n# source: x: y\n"
    )
    file.write_text(
        f"\ufeff{text}# value: draw\n# solution: беру, 6♣:9♠\n9s/- s b 6c".replace(",", ""), "utf-8", newline="\r\n"
    )
    first, second = read_puzzles(file)
    assert first == Puzzle(
        position=Position.from_dpn(DPN),
        find="the lead that wins",
        solution=(Position.from_dpn(DPN).parse_move("Kd"),),
        value=Value.WIN,
        source="a test",
        idea="one two: three",
        file=str(file),
        line=11,
    )
    assert (second.find, second.source, second.idea, second.line) == ("it", "x: y", "", 17)
    assert list(map(str, second.solution)) == ["take", "6c:9s"]
    assert read_puzzles(str(file)) == (first, second)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: there is no position in the file"),
        ("# only a comment\n\n", "line 3: there is no position in the file"),
        (DPN, "line 1: the comments above this position do not say: source, find, value, solution"),
        (HEAD + "\n" + DPN, "line 6: the comments above this position do not say: source, find, value, solution"),
        (HEAD.replace("a test", " ") + DPN, "line 5: the comments above this position do not say: source"),
        (
            "# a remark\n" + HEAD + DPN,
            "line 1: 'a remark' does not belong above a position: \"# key: text\" does, with one of the keys "
            "source, find, value, solution, idea",
        ),
        (HEAD + "# find: it\n" + DPN, "line 5: find is given twice for one position"),
        (
            HEAD + "ThTsKd/QhQxJc - a -\n",
            "line 5: HANDS: a suit was expected, not 'x'\nThTsKd/QhQxJc - a -\n          ^",
        ),
        (
            HEAD + "ThThKd/QhQsJc - a -\n",
            "line 5: not a legal position: Th is in more than one place: a's hand (2 times)",
        ),
        (HEAD + "Th/- - a -\n", "line 5: the game is over in this position"),
        (
            HEAD + "ThTsKd/QhQsJc - a - transfer=on short=bita\n",
            "line 5: with short=bita the order of the discard matters, but 30 of its 30 cards are not known",
        ),
        (
            HEAD.replace("win\n# sol", "at least draw\n# sol") + DPN,
            "line 3: value 'at least draw' is not allowed: choose one of win, draw, loss",
        ),
        (HEAD.replace("Kd", "Kd Kx") + DPN, "line 4: solution: 'Kx' is not a move: a suit was expected, not 'x'"),
        (HEAD.replace("Kd", "Kh") + DPN, "line 4: solution: Kh is not legal: a does not hold Kh"),
        (HEAD.replace("Kd", "Kd K♦") + DPN, "line 4: solution: Kd is stated twice"),
        (HEAD.encode() + b"\xff", "line 5: the line is not UTF-8 text: byte 1 does not fit"),
    ],
)
def test_errors(file: Path, text: str | bytes, message: str) -> None:
    assert error(file, text) == message


def test_an_error_says_where(file: Path) -> None:
    file.write_text(HEAD)
    with pytest.raises(PuzzleError) as caught:
        read_puzzles(file)
    assert (caught.value.file, caught.value.line) == (str(file), 5)
    assert isinstance(caught.value, ValueError)


# ---------------------------------------------------------------------------------------------------------- the command


def run(*arguments: str | Path, given: str = "") -> tuple[int, str]:
    environment = {"FORCE_COLOR": None, "TERM": "dumb"}
    result = CliRunner().invoke(app, ["puzzle", *map(str, arguments)], input=given, env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_check_of_all_files() -> None:
    code, output = run("--check", *FILES)
    assert code == 0
    *lines, last = output.splitlines()
    assert last == f"{len(ALL)} of {len(ALL)} verified"
    assert len(lines) == len(ALL)
    assert f"{FOLDER / 'draws.dpn'}, line 9  ok     draw: Qh" in lines


def test_check_of_a_wrong_solution(file: Path) -> None:
    file.write_text(HEAD.replace("Kd", "Ts Th") + DPN)
    code, output = run("--check", file)
    assert code == 1
    faults = "Ts is not among the best moves; Th is not among the best moves; Kd is as good and is not stated"
    assert output == f"{file}, line 5  WRONG  {faults}\n0 of 1 verified\n"


def test_a_dialogue(file: Path) -> None:
    file.write_text(f"{HEAD}# idea: It cannot be beaten.\n{DPN}\n{HEAD}{DPN}")
    code, output = run(file, "--style", "ascii", given="Kx\n\n10♠10♥ Kd\n10♠\nкД\nK♦\n")
    assert code == 0
    expected = (
        "Puzzle 1 of 2: the lead that wins",
        "a          Ts Kd Th (3 cards)",
        "'Kx' is not a move: a suit was expected, not 'x'.",
        "an empty text is not a move.",
        "cards led together must be of one rank.",
        "Wrong: Ts loses. b answers Ts:Qs, and then ",
        "Right is Kd, which wins. It cannot be beaten.",
        "Puzzle 2 of 2: the lead that wins",
        "'кД' is not a move: ",
        "Right: Kd wins. The line: Kd take done ",
        "1 of 2 right",
    )
    place = 0
    for part in expected:
        place = output.find(part, place)
        assert place >= 0, part
    assert "Until next time" not in output


def test_the_end_of_the_input_leaves_politely(file: Path) -> None:
    file.write_text(f"{HEAD}{DPN}\n{HEAD}{DPN}")
    code, output = run(file, given="Kd\n")
    assert code == 0
    assert output.endswith("Until next time.\n\n1 of 1 right\n")
    assert "Aborted" not in output


def test_an_input_that_is_no_text(file: Path) -> None:
    file.write_text(HEAD + DPN)
    result = CliRunner().invoke(app, ["puzzle", str(file)], input=b"\xff\n")
    assert result.exit_code == 0
    assert "That is not text: it cannot be read as utf-8." in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_leaves_politely(file: Path) -> None:
    file.write_text(HEAD + DPN)
    command = [sys.executable, "-m", "durak_solver", "puzzle", str(file)]
    # A test run in the background ignores Ctrl-C, and what it starts would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        signal.signal(signal.SIGINT, before)
        assert process.stdout
        assert process.stderr
        shown = ""
        while not shown.endswith("a's move: "):
            sign = process.stdout.read(1)
            assert sign, shown + process.stderr.read()
            shown += sign
        ctrl_c_at_a_prompt(process)
        try:
            rest, errors = process.communicate(timeout=60)
        finally:
            process.kill()
        assert process.returncode == 0
    assert rest.endswith("Until next time.\n\n0 of 0 right\n")
    assert errors == ""


def test_files_that_cannot_be_used(file: Path) -> None:
    assert run(file) == (2, f"Error: {file} cannot be read: no such file or directory\n")
    assert run("--check", file.parent) == (2, f"Error: {file.parent} cannot be read: is a directory\n")
    file.write_text(DPN)
    missing = "the comments above this position do not say: source, find, value, solution"
    assert run("--check", FILES[0], file) == (2, f"Error: {file}, line 1: {missing}\n")
    assert run()[0] == 2
