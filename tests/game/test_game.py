"""Games: what is noted, what each player sees, and how a game ends."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import (
    Card,
    Game,
    IllegalMoveError,
    IllegalPositionError,
    Move,
    Position,
    Rules,
)
from durak_solver.game.game import GameError
from durak_solver.model.moves import Ply
from durak_solver.notation.cards import parse_cards
from tests.support.games import HIDDEN, RULES, as_seen_by, random_game

# --------------------------------------------------------------------------------------------------------------- games


def test_a_short_game() -> None:
    game = Game(Position.from_dpn("6s6c/6d7s8c h a -"), tags=(("Event", "a test"),))
    game = game.play("6s", mark="$1").play("7s", comment="  what\n else ")
    assert game.plies == (
        Ply(Move("lead", (Card("6s"),)), "!"),
        Ply(Move("beat", (Card("7s"),), Card("6s")), comment="what else"),
    )
    assert [str(position) for position in game.positions()] == [
        "6s6c/7s8c6d h a -",
        "6c/7s8c6d h a 6s",
        "6c/8c6d h a 6s:7s",
    ]
    assert (game.outcome(), game.result, len(game.bouts)) == (None, "*", 1)
    assert game.undo().undo() == Game(game.start, tags=game.tags)
    ended = game.play("+6c").play("8c").play("done")
    assert ended.position.phase == "over"
    assert (ended.outcome(), ended.result) == ("a", "a")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        ended.play("6d")
    assert ended.undo().result == "*"
    with pytest.raises(FrozenInstanceError):
        game.result = "a"  # type: ignore[misc]


def test_a_game_given_up() -> None:
    game = Game(Position.from_dpn("6s6c/6d7s8c h a -")).play("6s").end("b")
    assert game.result == "b"
    assert game.outcome() is None
    with pytest.raises(IllegalMoveError, match="the game has ended with the result b"):
        game.play("take")
    assert game.undo().play("6c").result == "*"
    assert game.end("*").play("take").result == "*"
    with pytest.raises(ValueError, match="result='c' is not allowed"):
        game.end("c")
    over = Game(Position.from_dpn("6s/- h a -"))
    assert over.result == "b"
    with pytest.raises(ValueError, match="the result a contradicts the moves, which end with b"):
        over.end("a")
    with pytest.raises(ValueError, match="there is no move to take back"):
        over.undo()


def test_games_are_checked_when_made() -> None:
    start = Position.from_dpn("6s6c/6d7s8c h a -")
    lead, beat = Ply(Move("lead", (Card("6s"),))), Ply(Move("beat", (Card("8c"),), Card("6s")))
    with pytest.raises(GameError) as caught:
        Game(start, (lead, beat))
    assert str(caught.value) == "bout 1, move 2 (6s:8c): 6s:8c is not legal: 8c does not beat 6s"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    takes = Ply(Move("take")), Ply(Move("done")), Ply(Move("lead", (Card("6d"),)))
    with pytest.raises(GameError, match=r"^bout 2, move 1 \(6d\): 6d is not legal: a does not hold 6d$"):
        Game(start, (lead, *takes))
    with pytest.raises(IllegalPositionError):
        Game(Position.from_dpn("6s/6s h a -"))
    with pytest.raises(ValueError, match="contradicts"):
        Game(Position.from_dpn("6s/- h a -"), result="a")


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ((("Result", "a"),), "cannot be set"),
        ((("position", "a"),), "cannot be set"),
        ((("A b", "a"),), "not the name of a tag"),
        ((("A", "a"), ("a", "b")), "given twice"),
        ((("A", "a\nb"),), "one line"),
    ],
)
def test_tags_are_checked(tags: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game(Position.from_dpn("6s/7s h a -"), tags=tags)


def test_marks_and_comments_are_checked() -> None:
    move = Move("done")
    assert [Ply(move, mark).mark for mark in ("$2 $6", "$007", "!?", "$0 !")] == ["? ?!", "$7", "!?", "$0 !"]
    for mark in ("$256", "$", "x", "!!!", "$1000", "$٣"):
        with pytest.raises(ValueError, match="is not a mark"):
            Ply(move, mark)
    with pytest.raises(ValueError, match="there can be no } in a comment"):
        Ply(move, comment="a } b")


def test_drawn_cards() -> None:
    game = Game(Position.from_dpn(HIDDEN)).play("6s").play("9s")
    told = game.play("done", drawn=(parse_cards("Qs"), parse_cards("8d")))
    assert told.position.to_dpn() == "QsKs9c7d8hTh/8d,?5 h b - ?21,7h 6s9s"
    assert told.plies[-1].drawn == ((Card("Qs"),), (Card("8d"),))
    assert told.undo() == game
    half = game.play("done", drawn=((), parse_cards("8d")))
    assert half.position.unknown == (1, 5)
    for drawn, message in (
        (("QsQd", ""), "a draws only 1 here, so not Qs Qd"),
        (("6s", ""), "6s cannot be an unknown card of a"),
        (("7h", ""), "7h cannot be an unknown card of a"),
    ):
        with pytest.raises(ValueError, match=message):
            game.play("done", drawn=(parse_cards(drawn[0]), parse_cards(drawn[1])))
    with pytest.raises(ValueError, match="a draws no card here, so Qs neither"):
        game.play("+9c", drawn=(parse_cards("Qs"), ()))
    opened = Game(Position.from_dpn("6sKs9c7d8hTh/9s7s7c6d8dJh h a - QsQd7h")).play("6s").play("9s")
    assert opened.play("done").plies[-1].drawn == ((Card("Qs"),), (Card("Qd"),))
    with pytest.raises(ValueError, match="a cannot have drawn Qd: the stock gives a Qs"):
        opened.play("done", drawn=(parse_cards("Qd"), ()))


def test_repr_reads_back() -> None:
    game = random_game(5, Rules(deck=24)).undo()
    assert eval(repr(game)) == game
    assert hash(pickle.loads(pickle.dumps(game))) == hash(game)


# -------------------------------------------------------------------------------------------------------- whole games


def check_views(game: Game) -> None:
    """Compare what each player sees at every ply with the truth."""
    part, positions = game, list(game.positions())
    for position in reversed(positions):
        assert part.position == position
        for own, seat in enumerate("ab"):
            view = part.view(seat)
            assert [defect.code for defect in view.status()] == ["game_over"] * (position.phase == "over")
            assert view.hands[own] == position.hands[own]
            assert set(view.hands[1 - own]) <= set(position.hands[1 - own])
            assert view.hand_sizes == position.hand_sizes
            assert (view.table, view.taking, view.attacker) == (position.table, position.taking, position.attacker)
            assert (view.discard, view.stock[-1:]) == (position.discard, position.stock[-1:])
            assert view.stock.count(None) == max(0, len(position.stock) - 1)
        if part.plies:
            part = part.undo()
    assert part.plies == ()


def check_records(game: Game) -> None:
    """Compare what each player sees at every ply with the game as he would have written it down."""
    for seat in "ab":
        record = as_seen_by(game, seat)
        assert Game.from_dgn(record.to_dgn()) == record
        part = Game(game.start)
        for i, position in enumerate(record.positions()):
            if i:
                part = part.play(game.plies[i - 1].move)
            assert part.view(seat) == position
            if position.to_move == seat:
                assert position.legal_moves == part.position.legal_moves


def games(number: int, decks: tuple[int, ...]) -> Iterator[Game]:
    rules = [rules for rules in RULES if rules.deck in decks]
    for seed in range(number):
        yield random_game(seed, rules[seed % len(rules)])


def test_whole_games() -> None:
    """Most of them short: with a deck of 36 a game takes four times as long, and many more are below."""
    for i, game in enumerate((*games(9, (32, 36, 52)), *games(120, (24,)))):
        assert game.result == game.outcome() != "*"
        check_views(game)
        if i % 10 == 0:
            check_records(game)


@pytest.mark.slow
def test_many_whole_games() -> None:
    for game in games(1000, (24, 32, 36, 52)):
        check_views(game)
        check_records(game)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES), data=st.data())
def test_undo_and_construction(seed: int, rules: Rules, data: st.DataObject) -> None:
    game = random_game(seed, rules)
    kept = data.draw(st.integers(0, len(game.plies)))
    part = Game(game.start, game.plies[:kept])
    undone = game
    for _ in range(len(game.plies) - kept):
        undone = undone.undo()
    assert part == undone
    assert list(part.positions()) == list(undone.positions())
    assert part.position == undone.position
    assert sum(map(len, part.bouts)) == kept
    # A bout begins with a lead, and only there.
    assert all([ply.move.kind == "lead" for ply in bout] == [True] + [False] * (len(bout) - 1) for bout in part.bouts)
