"""Hidden cards: what may be played, what a player sees and knows."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import (
    Card,
    IllegalMoveError,
    IllegalPositionError,
    Move,
    MoveSyntaxError,
    Position,
    Rules,
    UnsupportedError,
)
from durak_solver.model.cards import deck_cards
from durak_solver.notation.cards import parse_cards
from tests.support.games import HIDDEN, RULES, random_game


def test_unknown_cards_are_played() -> None:
    position = Position.from_dpn("7dTd/9c,?2 h a 6s")
    # An unseen card takes an unknown place; a known one is where it is.
    assert position.play("6s:9s").to_dpn() == "7dTd/9c,?1 h a 6s:9s"
    assert position.play("9s") == position.play("6s:9s")
    assert position.play("take").play("done").to_dpn() == "7dTd/6s9c,?2 h a -"
    known = Position.from_dpn("7dTd/9c,?2 h a 6c")
    assert known.play("9c").to_dpn() == "7dTd/?2 h a 6c:9c"


@pytest.mark.parametrize(
    ("dpn", "move", "message"),
    [
        ("7dTd/9c,?2 h a 6s", "6s:7d", "6s:7d is not legal: b does not hold 7d"),
        ("7dTd/9c,?2 h a 6s", "6s:6s", "6s:6s is not legal: b does not hold 6s"),
        ("7dTd/9c,?2 h a 6s", "6s:2s", "6s:2s is not legal: b does not hold 2s"),
        ("7dTd/9c,?2 h a 6s", "6s:9d", "6s:9d is not legal: 9d does not beat 6s"),
        ("7dTd/9c,?2 h a 6s", "9d", "6s:9d is not legal: 9d does not beat 6s"),
        ("7dTd/9c,?2 h a 6s", "done", "done is not legal: it is b's turn to beat or take"),
        ("?1,6s/7dTd h a -", "7s7c", "7s7c is not legal: a has only 1 unknown card"),
        ("?2,6s/7dTd h a -", "7s7c", None),
        ("?2,6s/7dTd h a -", "7s8c", "7s8c is not legal: cards led together must be of one rank"),
        ("?2,6s/7dTd h a -", "7s7s", "7s7s is not legal: a card can be led only once"),
        ("6s/7dTd h a -", "6s6s", "6s6s is not legal: a card can be led only once"),
        ("?2,6s/7d h a -", "7s7c", "7s7c is not legal: the cap is 1 attack card"),
    ],
)
def test_unknown_cards_that_cannot_be_played(dpn: str, move: str, message: str | None) -> None:
    position = Position.from_dpn(dpn)
    if message is None:
        assert position.play(move).status() == ()
        return
    with pytest.raises(IllegalMoveError) as caught:
        position.play(move)
    assert str(caught.value) == message


def every_move(position: Position, rng: random.Random) -> Iterator[Move]:
    """Moves of all kinds that may or may not be legal."""
    deck = deck_cards(position.rules.deck)
    yield from (Move("take"), Move("done"))
    for card in rng.sample(deck, 12):
        yield from (Move(kind, (card,)) for kind in ("lead", "throw", "give", "transfer"))
        yield from (Move("lead", (card, other)) for other in deck if other.rank == card.rank)
        yield from (Move("beat", (card,), attack) for attack, _ in position.table)
        yield Move("beat", (card,), rng.choice(deck))


def playable(position: Position, move: Move) -> bool:
    try:
        after = position.play(move)
    except IllegalMoveError as error:
        assert str(error).startswith(f"{move} is not legal: ")
        return False
    assert [defect for defect in after.status() if defect.code != "game_over"] == []
    return True


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_what_can_be_played(seed: int, rules: Rules) -> None:
    """With open cards it is what is listed; with unknown ones, what would be listed with the cards in hand."""
    rng = random.Random(seed)
    game = random_game(seed, rules)
    for position in rng.sample(list(game.positions())[:-1], 3):
        mover = position.to_move or ""
        own = "ab".index(mover)
        hidden = position.view(
            "b" if mover == "a" else "a", rng.sample(position.hands[own], len(position.hands[own]) // 2)
        )
        legal = set(position.legal_moves)
        for move in (*legal, *every_move(position, rng)):
            assert playable(position, move) == (move in legal)
            try:
                held = hidden.reveal(mover, [card for card in move.cards if card not in hidden.hands[own]])
            except ValueError:
                assert not playable(hidden, move)
                continue
            filled = held.reveal(mover, held.unseen[: held.unknown[own]])
            assert playable(hidden, move) == (move in filled.legal_moves)
        assert all(playable(hidden, move) for move in legal)


def test_the_unknown_turn_up_is_a_trump() -> None:
    position = Position.from_dpn("9hThJhQhKh9s/?6 h b - ?12 deck=24")
    with pytest.raises(IllegalMoveError, match="Ah is not legal: the unknown turn-up must be a trump"):
        position.play("Ah")
    assert position.play("As").status() == ()


def test_moves_of_unknown_hands_are_not_listed() -> None:
    position = Position.from_dpn(HIDDEN).play("6s")
    with pytest.raises(UnsupportedError, match="the moves of b cannot be listed"):
        _ = position.legal_moves
    # What follows from such a move is checked as ever.
    assert position.play("9s").legal_moves == (Move("throw", (Card("9c"),)), Move("done"))
    with pytest.raises(MoveSyntaxError):
        position.play("6s:9x")


def test_illegal_positions_are_still_refused() -> None:
    for text in ("6s7d/6s h a -", "7dTd/7d,?2 h a 6s"):
        with pytest.raises(IllegalPositionError):
            Position.from_dpn(text).play("take")
    # Neither a copy nor a change of a position that came from a move is taken for legal unseen.
    after = Position.from_dpn("6s7d/8s9d h a -").play("6s")
    with pytest.raises(IllegalPositionError):
        replace(after, hands=((Card("8s"),), after.hands[1])).play("take")
    assert after == Position.from_dpn("7d/8s9d h a 6s")
    assert hash(after) == hash(Position.from_dpn("7d/8s9d h a 6s"))
    assert pickle.loads(pickle.dumps(after)) == after


def test_reveal() -> None:
    position = Position.from_dpn(HIDDEN)
    assert position.reveal("b", parse_cards("QsQd")).to_dpn() == "6sKs9c7d8hTh/QsQd,?4 h a - ?23,7h"
    assert position.reveal("b", ()) == position
    for cards, message in (
        ("6s", "6s cannot be an unknown card of b"),
        ("7h", "7h cannot be an unknown card of b"),
        ("QsQs", "Qs cannot be an unknown card of b"),
        ("2s", "2s cannot be an unknown card of b"),
        ("QsQcQdQhAsAcAd", "b has 6 unknown cards, not 7"),
    ):
        with pytest.raises(ValueError, match=message):
            position.reveal("b", parse_cards(cards))
    with pytest.raises(ValueError, match="a has 0 unknown cards, not 1"):
        position.reveal("a", parse_cards("Qs"))
    with pytest.raises(ValueError, match="seat='c' is not allowed"):
        position.reveal("c", ())


def test_view() -> None:
    position = Position.from_dpn("6sKs9c7d8hTh/7s8sTs6d9dAh h a - QsQdKd7h 6cAc deck=36")
    assert position.view("a").to_dpn() == "6sKs9c7d8hTh/?6 h a - ?3,7h 6cAc"
    assert position.view("b", {Card("9c"), Card("7h")}).to_dpn() == "9c,?5/7s8sTs6d9dAh h a - ?3,7h 6cAc"
    assert position.view("b").view("b") == position.view("b")
    with pytest.raises(ValueError, match="what a knows cannot be told"):
        position.view("b").view("a")
    with pytest.raises(ValueError, match="seat='x' is not allowed"):
        position.view("x")
