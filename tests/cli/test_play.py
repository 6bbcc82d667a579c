"""``durak play``: whole games, what can be typed, what is hidden, and how one leaves."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from durak_solver import Card, Engine, Game, Move, Position, deal
from durak_solver.cli import play
from durak_solver.cli.terminal import Style
from durak_solver.show.game import last_ply_text, outcome_text
from durak_solver.show.position import turn_text
from durak_solver.study.opponents import LEVELS, before_last_choice, has_no_choice, move_seed, opponent_move
from tests.support.program import command, ctrl_c_at_a_prompt, environment, interruptible, run

CARD = re.compile(r"[6-9TJQKA][scdh](?![a-z])")
FIRST = "1\n" * 400
ASCII = ("--style", "ascii")


def game_of(path: Path) -> Game:
    return Game.from_dgn(path.read_text("ascii"))


def finished(level: str, seed: int) -> Game:
    """Return a game in which a always plays the first move."""
    game, engine = Game(deal(seed=seed)), Engine(1)
    while seat := game.position.to_move:
        own = game.view(seat)
        game = game.play(own.legal_moves[0] if seat == "a" else opponent_move(engine, game, LEVELS[level], seed))
    return game


# ---------------------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", [1, 5])
def test_a_whole_game(level: str, seed: int, tmp_path: Path) -> None:
    path = tmp_path / "game.dgn"
    result = run("play", "--level", level, "--seed", str(seed), "--save", str(path), *ASCII, stdin=FIRST)
    assert (result.exit_code, result.stderr) == (0, "")
    game = game_of(path)
    assert game.start.hands == deal(seed=seed).hands
    assert game.outcome() is not None
    assert dict(game.tags) == {"Seed": str(seed), "A": "You", "B": f"Opponent, level {level}"}
    assert [ply.move for ply in game.plies] == [ply.move for ply in finished(level, seed).plies]
    *_, told, saved = result.stdout.splitlines()
    assert told == outcome_text(game, "a")
    assert saved == f"The game is in {path}."


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "rules", ["perevodnoy-show deck=24", "deck=54 jokers=supreme transfer=on show=on", "pogony deck=36", "japanese"]
)
def test_a_whole_game_under_other_rules(rules: str, level: str, tmp_path: Path) -> None:
    path = tmp_path / "game.dgn"
    args = ("--rules", rules, "--level", level, "--seed", "2", "--save", str(path))
    result = run("play", *args, *ASCII, stdin="1\n" * 2000)
    assert (result.exit_code, result.stderr) == (0, "")
    game = game_of(path)
    assert game.result in ("a", "b", "draw")
    assert game.outcome() is not None or game.is_repeated
    assert result.stdout.splitlines()[-2] == outcome_text(game, "a")


def test_a_position_that_comes_back_ends_the_game() -> None:
    game = Game(Position.from_dpn("8s8cQdKd/7s7cTdJd h a - transfer=on"))
    half = ("8s", "take", "done", "8c", ">8s", "take", "done")
    other = ("7s", "take", "done", "7c", ">7s", "take", "done")
    for _ in range(2):
        assert not game.is_repeated
        for move in half + other:
            game = game.play(move)
    assert game.is_repeated
    ended = game.end("draw")
    assert outcome_text(ended, "a") == "The game is a draw: the same position has come up for the third time."
    assert Game.from_dgn(ended.to_dgn()) == ended


def test_levels_are_other_players() -> None:
    games = [finished(level, 1).plies for level in LEVELS]
    assert len(set(games)) == len(LEVELS)
    assert list(LEVELS) == list(play.Level)


@pytest.mark.parametrize("style", Style)
def test_moves_may_be_typed(style: str, tmp_path: Path) -> None:
    """Written moves do the same as their numbers, in every style in which they are shown."""
    numbered, written = tmp_path / "numbered.dgn", tmp_path / "written.dgn"
    how = ("play", "--level", "easy", "--seed", "3", "--style", style)
    output = run(*how, "--save", str(numbered), stdin=FIRST).stdout
    moves = re.findall(r"^moves +1\) (\S+)", output, re.MULTILINE)
    assert run(*how, "--save", str(written), stdin="\n".join(moves) + "\n").exit_code == 0
    assert written.read_text("ascii") == numbered.read_text("ascii")


def test_rules(tmp_path: Path) -> None:
    path = tmp_path / "game.dgn"
    how = ("play", "--seed", "2", "--rules", "simple deck=24 exchange=on")
    output = run(*how, "--save", str(path), stdin=FIRST).stdout
    game = game_of(path)
    assert (game.start.rules.throw, game.start.rules.deck, game.start.rules.exchange) == ("lead", 24, True)
    again = "durak play --level medium --seed 2 --rules 'deck=24 rules=simple exchange=on' deals these cards again"
    assert output.startswith(f"{again}; help says what can be typed.\n")


def test_a_random_seed_is_told() -> None:
    outputs = [run("play", stdin="").stdout for _ in range(3)]
    seeds = [re.findall(r"--seed (\d+)", output) for output in outputs]
    assert len(set(outputs)) > 1
    for output, (seed,) in zip(outputs, seeds, strict=True):
        assert run("play", "--seed", seed, stdin="").stdout == output


# ---------------------------------------------------------------------------------------------------- what can be typed

START = """\
durak play --level easy --seed 3 deals these cards again; help says what can be typed.
You attack first.

trump      clubs
stock      24 cards with Qc at the bottom
discard    0 cards
opponent   ?6 (6 cards)
table      empty
"""


def easy(*lines: str, seed: int = 3) -> str:
    """Return what is said at the level easy when lines are typed."""
    result = run("play", "--level", "easy", "--seed", str(seed), *ASCII, stdin="".join(f"{line}\n" for line in lines))
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_the_start() -> None:
    assert easy("quit").startswith(START)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", "Nothing was typed; help says what can be typed."),
        ("99", "There is no move '99': the last one is 8."),
        ("0", "There is no move '0': the last one is 8."),
        ("9" * 5000, "There is no move "),
        ("foo", "'foo' is not a move: a rank was expected, not 'f'; help says what can be typed."),
        ("take", "Take is not legal: "),
        ("As", "As is not legal: "),
        ("save", "Say where to, such as: save game.dgn"),
        ("save /nosuch/game.dgn", "/nosuch/game.dgn cannot be written: no such file or directory."),
        ("save a\0b", "a\0b cannot be written: embedded null byte."),
        ("undo", "There is nothing to take back: this is your first decision."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(typed: str, answer: str) -> None:
    lines = easy(typed, "quit").split("\n> ")[1].splitlines()
    assert lines[0] == typed
    assert len(lines) == 2
    assert lines[1].startswith(answer)


def test_input_that_is_no_text() -> None:
    result = run("play", *ASCII, stdin=b"\xff\xfe\n\xd0\nquit\n")
    assert result.exit_code == 0
    assert result.stdout.count("is not a move") == 2


def test_commands() -> None:
    before, shown, told, bye = easy("moves", "HELP", "Quit").split("\n> ")
    assert shown.partition("\n\n")[2] in before
    assert "undo " in told and "save FILE" in told
    assert bye == "Quit\nGoodbye.\n"


def test_undo_takes_back_the_answers_too(tmp_path: Path) -> None:
    once, twice = easy("1", "1", "1", "quit"), easy("1", "1", "undo", "1", "1", "undo", "undo", "1", "1", "quit")
    assert twice.endswith(once.split("\n> ")[-2].partition("\n")[2] + "\n> quit\nGoodbye.\n")
    path = tmp_path / "game.dgn"
    easy("1", "2", "undo", "undo", f"save {path}", "quit")
    assert game_of(path).plies == ()


def test_what_is_taken_back() -> None:
    game = finished("medium", 5)
    choices = [game := back for _ in game.plies if (back := before_last_choice(game, "a"))]
    assert len(choices) > 5
    for earlier in choices:
        assert earlier.position.to_move == "a" and not has_no_choice(earlier.position)
    # Nothing is left out.
    assert len(choices) == sum(
        position.to_move == "a" and not has_no_choice(position) for position in finished("medium", 5).positions()
    )


def test_hint() -> None:
    game = Game(deal(seed=3))
    for word in ("hint", "h", "?"):
        said = easy(word, "quit").split("\n> ")[1].splitlines()
        assert said[1].startswith("Lead ") and said[1].endswith(" (You are a.)")
        assert "estimated over " in said[1]
        assert said == [word, *easy("hint", "quit").split("\n> ")[1].splitlines()[1:]]
    best = Engine().estimate(game.view("a"), seed=move_seed(game, 3)).best.move
    assert said[1].startswith(f"Lead {best}: ")


def test_save(tmp_path: Path) -> None:
    path = tmp_path / "game.dgn"
    other = tmp_path / "other.dgn"
    other.write_text("mine", "ascii")
    output = easy("1", f"save {path}", f"save {other}", "1", f"save {path}", "quit")
    assert output.count(f"The game so far is in {path}.") == 2
    assert f"{other} exists, and is not overwritten." in output
    assert other.read_text("ascii") == "mine"
    game = game_of(path)
    assert game.result == "*" and len(game.plies) >= 2


def test_a_file_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "game.dgn"
    path.write_text("mine", "ascii")
    for name, reason in (
        (path, "exists, and is not overwritten"),
        (tmp_path, "exists, and is not overwritten"),
        (tmp_path / "no" / "game.dgn", "cannot be written: no such file or directory"),
    ):
        result = run("play", "--save", str(name), stdin=FIRST)
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: --save: {name} {reason}\n")
    assert path.read_text("ascii") == "mine"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--rules", "round"], "Error: --rules: rules=round cannot be played here\n"),
        (["--rules", "bridge"], "Error: --rules: rules='bridge' is not known: "),
        (["--level", "godlike"], "Usage: "),
        (["--seed", "-1"], "Usage: "),
    ],
)
def test_bad_arguments(args: list[str], error: str) -> None:
    result = run("play", *args, stdin=FIRST)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(error)


# --------------------------------------------------------------------------------------------------------- hidden cards


@pytest.mark.parametrize("seed", range(12))
def test_no_card_is_named_before_it_was_seen(seed: int, tmp_path: Path) -> None:
    """Whatever is named for the first time is in your hand, in a draw of yours, the turn-up, or played openly."""
    level = list(LEVELS)[seed % 2]
    path = tmp_path / "game.dgn"
    output = run("play", "--level", level, "--seed", str(seed), "--save", str(path), *ASCII, stdin=FIRST).stdout
    own = [card for ply in game_of(path).plies for card in ply.drawn[0]]
    assert CARD.findall("".join(re.findall("^You draw.*", output, re.M))) == list(map(str, own))
    start = deal(seed=seed)
    known = {*map(str, start.hands[0]), str(start.stock[-1])}
    *lines, _ = output.splitlines()
    assert len(lines) > 100
    for line in lines:
        if line.startswith(("You draw", "The opponent leads", "The opponent beats", "The opponent throws in")) or (
            line.startswith("The opponent gives")
        ):
            known.update(CARD.findall(line))
        assert not set(CARD.findall(line)) - known, line
    assert len(known) > 25


def test_the_table_shows_what_you_know() -> None:
    """The drawing is that of the true cards at the places that you know, and of numbers elsewhere."""
    picked_up = 0
    for seed in range(4):
        game = finished("medium", seed)
        own: set[Card] = set()
        while game.plies:
            game = game.undo()
            if game.position.to_move != "a":
                continue
            view = game.view("a")
            rows = dict(re.findall(r"^(opponent|you|stock|discard) +(.*)$", turn_text(view, "ascii").plain, re.M))
            hidden = set(game.position.hands[1]) - set(view.hands[1])
            text = turn_text(view, "ascii").plain
            assert not {str(card) for card in hidden} & set(CARD.findall(text))
            assert CARD.findall(rows["you"]) == [str(card) for card in game.position.hands[0]]
            assert CARD.findall(rows["opponent"]) == [str(card) for card in view.hands[1]]
            assert rows["opponent"].endswith(
                f"({len(game.position.hands[1])} card{'s' * (len(game.position.hands[1]) != 1)})"
            )
            picked_up += bool(view.hands[1])
            own.update(view.hands[0])
    assert picked_up > 10


def test_engines_see_views_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opponent and the hints are asked about positions without the other's cards."""
    asked: list[Position] = []
    for name in ("choose", "estimate"):
        real = getattr(Engine, name)

        def spy(engine: Engine, position: Position, *, _real: Any = real, **how: Any) -> Any:
            asked.append(position)
            return _real(engine, position, **how)

        monkeypatch.setattr(Engine, name, spy)
    run("play", "--level", "best", "--seed", "1", stdin="hint\n1\n" * 6)
    assert {position.to_move for position in asked} == {"a", "b"}
    assert len(asked) > 8
    for position in asked:
        seat = 0 if position.to_move == "a" else 1
        assert position.unknown[seat] == 0 and position.unknown[1 - seat] > 0
        assert position.stock[:-1] == (None,) * (len(position.stock) - 1)


# ------------------------------------------------------------------------------------------------------- what is told


@pytest.mark.parametrize(
    ("dpn", "move", "told"),
    [
        ("6s6d7h/8s8d9d h a -", "6s6d", "You lead 6s and 6d (6s6d)."),
        ("7h/8d9d h a 6s,6d", "6s:9d", ""),
        ("6s7h8h/7s8d9d h b 6c", "take", "You take."),
        ("6s7h8h/7s8d9d h b 6c pursuit=off", "take", "You take.\nYou pick up 6c."),
        ("7h9s/8d9d h a 6d:9h", "+9s", "You throw in 9s (+9s)."),
        ("7h9s/8d9d h a 6s:8s,6d:7d", "done", "You say done.\n4 cards go to the discard."),
        ("6s/9d h a 7s:8s,8d", "8d:9d", "The opponent beats 8d with 9d (8d:9d).\n4 cards go to the discard."),
        ("7h9s/8d9d h a 6s:8s,6d*", "+8c", ""),
        ("7h8c/8d9d h a 6s:8s,6d*", "+8c", "You give 8c (+8c)."),
        ("7h8c/8d9d h a 6s:8s,6d*", "done", "You say done.\nThe opponent picks up 6s 8s 6d."),
        ("6s7s8h/8s9sTs h a 6c:7c,6d:7d Js9cKh hand=5", "done", "You draw Js 9c.\nThe opponent draws 1 card."),
        ("6hQh7d8d9dTd/7s8s9sTsJsQs h a - QcKh exchange=on", "exchange", "You exchange 6h for Kh."),
        (
            "7s8s9sTsJsQs/6hQh7d8d9dTd h b - QcKh exchange=on",
            "exchange",
            "The opponent exchanges 6h for Kh.",
        ),
    ],
)
def test_what_is_told_of_a_move(dpn: str, move: str, told: str) -> None:
    game = Game(Position.from_dpn(dpn))
    if not told:
        with pytest.raises(ValueError, match="is not legal"):
            game.play(move)
        return
    text = last_ply_text(game.play(move), "a", "ascii")
    assert text == told or (told.startswith("You draw") and text.endswith(told))


def test_how_it_ends() -> None:
    game = Game(Position.from_dpn("6s/7s8s h a -")).play("6s").play("7s").play("done")
    assert game.outcome() == "a"
    assert outcome_text(game, "a") == "You win: the opponent is the durak."
    assert outcome_text(game, "b") == "You lose: you are the durak."
    assert outcome_text(Game(Position.from_dpn("6s/7s h a -")).play("6s").play("7s"), "a").startswith(
        "The game is a draw"
    )


# -------------------------------------------------------------------------------------------------------------- leaving


def test_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "game.dgn"
    with interruptible("play", "--level", "easy", "--seed", "3", "--save", str(path)) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("1\n")
        process.stdin.flush()
        while "> 1" not in process.stdout.readline():
            pass
        ctrl_c_at_a_prompt(process)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert output.endswith(f"\nGoodbye.\nThe game is in {path}.\n")
    assert game_of(path).result == "*" and game_of(path).plies


@pytest.mark.parametrize("typed", ["1\n", "1\nquit\n"])
def test_the_end_of_the_input(typed: str, tmp_path: Path) -> None:
    path = tmp_path / "game.dgn"
    result = run("play", "--level", "easy", "--seed", "3", "--save", str(path), stdin=typed)
    assert result.exit_code == 0
    assert result.stdout.endswith(f"\nGoodbye.\nThe game is in {path}.\n")
    assert game_of(path).result == "*" and game_of(path).plies


@pytest.mark.parametrize("typed", ["1\n" * 3, "hint\n1\n"])
def test_ctrl_c_while_the_engine_thinks(typed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The search ends with what it knows, and the program with it."""
    path = tmp_path / "game.dgn"
    choose, estimate = Engine.choose, Engine.estimate

    def interrupted_choose(engine: Engine, position: Position, **how: Any) -> Move:
        signal.raise_signal(signal.SIGINT)
        return choose(engine, position, **how)

    def interrupted_estimate(engine: Engine, position: Position, **how: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return estimate(engine, position, **how)

    monkeypatch.setattr(Engine, "choose", interrupted_choose)
    monkeypatch.setattr(Engine, "estimate", interrupted_estimate)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run("play", "--level", "best", "--seed", "3", "--save", str(path), stdin=typed)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.exit_code == 130
    assert result.stdout.endswith(f"\nGoodbye.\nThe game is in {path}.\n")
    assert len(game_of(path).plies) == (0 if typed.startswith("hint") else 1)


@pytest.mark.parametrize(("end", "code"), [("ctrl-c", 130), ("ctrl-d", 0), ("quit", 0)])
def test_on_a_terminal(end: str, code: int) -> None:
    ours, theirs = pty.openpty()
    variables = {**environment(), "TERM": "xterm", "COLUMNS": "60"}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        command("play", "--seed", "3"), stdin=theirs, stdout=theirs, stderr=theirs, env=variables
    ) as process:
        signal.signal(signal.SIGINT, before)
        os.close(theirs)
        try:
            received = _read_until(ours, "> ")
            os.write(ours, b"h\n")
            received += _read_until(ours, "You are a.)\r\n> ")
            if end == "ctrl-c":
                ctrl_c_at_a_prompt(process)
            else:
                os.write(ours, b"\x04" if end == "ctrl-d" else b"quit\n")
            received += _read_until(ours, None)
            assert process.wait(60) == code
        finally:
            process.kill()
            os.close(ours)
    assert received.replace("\r\n", "\n").endswith("\nGoodbye.\n")
    # On a terminal there are colours, and lines fit it.
    assert "\x1b[31m" in received
    assert max(len(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line)) for line in re.split(r"[\r\n]+", received)) <= 62


def _read_until(terminal: int, text: str | None) -> str:
    """Read what a terminal got up to a text, or to its end."""
    received = b""
    while text is None or text not in received.decode(errors="replace"):
        assert select.select([terminal], [], [], 60)[0], received
        try:
            received += os.read(terminal, 65_536)
        except OSError:  # what Linux says at the end
            break
    return received.decode()


def test_straps_that_are_not_in_the_deck() -> None:
    result = run("play", "--rules", "straps=6 deck=24", stdin="quit\n")
    told = "Error: --rules: straps=6 needs cards of that rank, but the lowest in a deck of 24 is 9\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", told)


def test_a_win_with_straps() -> None:
    game = Game(Position.from_dpn("6s6c/7s8s9c h a - straps=6")).play("6s6c").play("take").play("done")
    assert outcome_text(game, "a") == "You win, with 2 straps: the opponent is the durak."
    assert outcome_text(game, "b") == "You lose, with 2 straps: you are the durak."


def test_help_names_the_moves_of_the_game() -> None:
    usual = run("play", "--seed", "1", *ASCII, stdin="help\nquit\n").stdout
    assert "  +6d          throws the six in, or gives it after" in usual
    assert not re.search(r"^  ([>^]6|exchange)", usual, re.MULTILINE)
    rules = ("--rules", "transfer=on show=on exchange=on lead=one throw=none")
    every = run("play", "--seed", "1", *rules, *ASCII, stdin="help\nquit\n").stdout
    for move, meaning in ((">6d", "transfers"), ("^6h", "transfers the attack by showing"), ("exchange", "swaps")):
        assert f"\n  {move:12} {meaning}" in every
    assert "+6d" not in every and "6s6d" not in every
