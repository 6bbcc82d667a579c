"""Hints: the sentences say what is true, and no more."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from durak_solver import Analysis, Engine, Position
from durak_solver.engine.results import GradedMove, Value
from durak_solver.game.defects import IllegalPositionError, UnsupportedError
from durak_solver.study.hint import find_hint
from tests.support.data import CASES
from tests.support.hints import explained, said

WITH_MOVES = [case for case in CASES if case["moves"]]
HARD = "6s8sTsQsAs6c7cTcJc7d9dJdAd6h7h9hKhAh/7s9sJsKs8c9cQcKcAc6d8dTdQdKd8hThJhQh h a -"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(8)


@pytest.mark.parametrize(
    ("dpn", "sentence"),
    [
        (
            "Ks7h7d/6s8h9d s a -",
            "Lead K♠: it cannot be beaten, so b must take, and a wins in every line; every other move draws.",
        ),
        (
            "ThTsKd/QhQsJc - a -",
            "Lead K♦: it cannot be beaten, so b must take, and a wins in every line; every other move loses.",
        ),
        (
            "6c/Qh d a -",
            "Lead 6♣: it is the only legal move, it cannot be beaten, so b must take, and a wins in every line.",
        ),
        ("-/Qh d a 6c*", "Say done: it is the only legal move, it ends the game, and a wins."),
        ("-/Qh d a 6c", "Take: it is the only legal move, a has nothing to give, and a wins with best play."),
        (
            "7d/8h h a -",
            "Lead 7♦: it is the only legal move, the game is drawn with best play, "
            "and b must answer 7♦:8♥ to hold the draw.",
        ),
        ("-/8h h a 7d", "Beat 7♦ with 8♥: it ends the game in a draw; the other move loses."),
        ("6h8c8dAc/8hAh6sKc s a -", "Lead 6♥: every move loses."),
        ("-/6sKs8h s a 7d:9d,7h", "Beat 7♥ with 8♥: a has nothing to throw in, and every move loses."),
    ],
)
def test_sentences(engine: Engine, dpn: str, sentence: str) -> None:
    found = find_hint(engine, Position.from_dpn(dpn))
    assert said(found, "unicode") == sentence
    assert found.stopped is None


def test_whatever_the_opponent_does(engine: Engine) -> None:
    found = find_hint(engine, Position.from_dpn("7d7h/6sKs9d8h s a -"))
    assert re.fullmatch(r"Lead 7.: whatever b does, a wins, for example after 7\S+( \S+){0,2}\.", said(found))


def test_a_lost_game_names_the_only_refutation(engine: Engine) -> None:
    found = find_hint(engine, Position.from_dpn("8cAc8d/6sKcAh s a 6h:8h"))
    assert re.fullmatch(r"Throw in 8\S: every move loses, and b must answer 8\S:\S+ to win\.", said(found))


def test_several_cards(engine: Engine) -> None:
    position = Position.from_dpn("9s9h/8s8h - a -")
    analysis = engine.analyse(position)
    pair = next(graded for graded in analysis.moves if len(graded.move.cards) == 2)
    assert explained(Analysis(position, (pair,), 1, 0.0, None), "russian").startswith(
        "Lead 9♠ and 9♥: none of them can"
    )


@pytest.mark.parametrize("case", [pytest.param(case, id=case["dpn"]) for case in WITH_MOVES])
def test_nothing_false_is_said(engine: Engine, case: dict[str, object]) -> None:
    """Every clause that a sentence may have, checked against the values of all moves."""
    values = case["moves"]
    assert isinstance(values, dict)
    position = Position.from_dpn(str(case["dpn"]))
    found = find_hint(engine, position)
    assert found.move is not None
    sentence = said(found)
    assert sentence.endswith(".") and sentence.count(".") == 1 and "\n" not in sentence
    assert values[str(found.move)] == case["value"]
    values = {move: str(value).partition("+")[0] for move, value in values.items()}
    best = values[str(found.move)]
    others = {value for move, value in values.items() if move != str(found.move)}
    after = position.play(found.move)
    answers = after.legal_moves
    assert ("only legal move" in sentence) == (len(values) == 1)
    if "must take" in sentence:
        assert [str(move) for move in answers] == ["take"]
    if "has nothing to" in sentence:
        assert [str(move) for move in answers] == ["done"]
    if "it ends the game" in sentence:
        assert after.phase == "over"
    if "every other move" in sentence or "the other move" in sentence:
        assert best not in others
        assert {
            word for word, verb in (("loss", "lose"), ("draw", "draws")) if verb in sentence.split(";")[1]
        } == others
    if "every move loses" in sentence:
        assert {*values.values()} == {"loss"}
    if "no move wins" in sentence or "drawn with best play" in sentence:
        assert "win" not in values.values() and best == "draw"
    if must := re.search(r"must answer (\S+) to (win|hold the draw)", sentence):
        good = _keeping(engine, after)
        assert [must[1]] == good
    if only := re.search(r"only (\d+) of .'s (\d+) answers", sentence):
        assert (int(only[1]), int(only[2])) == (len(_keeping(engine, after)), len(answers))
    if "in every line" in sentence or "whatever" in sentence:
        assert best == "win" and f"{position.to_move} wins" in sentence
    if example := re.search(r"for example after ([^.;]+)", sentence):
        line = after
        for move in example[1].split():
            line = line.play(move)


def _keeping(engine: Engine, position: Position) -> list[str]:
    analysis = engine.analyse(position)
    return [str(graded.move) for graded in analysis.moves if graded.value is analysis.value]


def test_limits_say_what_is_known(engine: Engine) -> None:
    found = find_hint(engine, Position.from_dpn(HARD), nodes=1000)
    assert found.move is None
    assert found.stopped == "nodes"
    assert said(found) == "No move can be preferred: the limit of nodes was reached before any was graded."
    found = find_hint(engine, Position.from_dpn(HARD), seconds=0.05)
    assert found.stopped == "seconds"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            (Value.AT_LEAST_DRAW, Value.UNKNOWN),
            "Lead 6s: it is at least draw; more is not known, because the time was up.",
        ),
        (
            (Value.UNKNOWN, Value.LOSS),
            "Lead 6s: it is not proved to lose, while 1 of the 2 moves lose; "
            "more is not known, because the time was up.",
        ),
        (
            (Value.AT_MOST_DRAW, Value.AT_MOST_DRAW),
            "No move can be preferred: the time was up before any was graded, and the position is at most draw.",
        ),
    ],
)
def test_partial_knowledge(values: tuple[Value, ...], sentence: str) -> None:
    position = Position.from_dpn("6s7d/8s9d h a -")
    moves = tuple(GradedMove(move, value, ()) for move, value in zip(position.legal_moves, values, strict=True))
    assert explained(Analysis(position, moves, 1, 0.0, "seconds")) == sentence


def test_a_found_win_is_enough(engine: Engine) -> None:
    """The search ends when the value is known; other moves that are still open are not spoken of."""
    position = Position.from_dpn("Ks7h7d/6s8h9d s a -")
    moves = engine.analyse(position).moves
    opened = (moves[0], GradedMove(moves[1].move, Value.UNKNOWN, ()), *moves[2:])
    sentence = explained(Analysis(position, opened, 1, 0.0, "nodes"))
    assert sentence == "Lead Ks: it cannot be beaten, so b must take, and a wins in every line."


def test_errors(engine: Engine) -> None:
    with pytest.raises(IllegalPositionError):
        find_hint(engine, Position.from_dpn("6s/6s h a -"))
    with pytest.raises(UnsupportedError, match="short=bita"):
        find_hint(engine, Position.from_dpn("6s/7s h a - transfer=on short=bita"))
    with pytest.raises(ValueError, match="a limit must be positive"):
        find_hint(engine, Position.from_dpn("6s/7s h a -"), nodes=-1)


def test_the_same_position_gives_the_same_hint() -> None:
    for case in islice(WITH_MOVES, 20):
        position = Position.from_dpn(case["dpn"])
        first, second = find_hint(Engine(1), position), find_hint(Engine(8), position)
        assert (first.move, said(first)) == (second.move, said(second))
