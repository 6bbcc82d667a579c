"""Moves as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver.game.position import Position
from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.moves import KINDS, AmbiguousMoveError, IllegalMoveError, Move, MoveError, MoveSyntaxError
from tests.support.data import CASES

LEAD = Position.from_dpn("6s6dTh/6h8h9c h a -")
DEFEND = Position.from_dpn("Ts/7s7c8h9h h a 6s")
TWO_OPEN = Position.from_dpn("Ts/7s7c8h9h h a 6s,6c")
THROW = Position.from_dpn("7dTs/9c9h h a 6s:7s")
GIVE = Position.from_dpn("6dTs/9c9h h a 6s*")
OVER = Position.from_dpn("-/9c9h h a -")
SWAP = Position.from_dpn("6h7d8d9dTdJd/8s9sTsJsQsKs h a - QhKh exchange=on")


# ---------------------------------------------------------------------------------------------------------- Move

cards = st.sampled_from(deck_cards(54))
moves = st.one_of(
    st.builds(Move, st.just("lead"), st.lists(cards, min_size=1, unique=True).map(tuple)),
    st.builds(Move, st.just("beat"), st.tuples(cards), cards),
    st.builds(Move, st.sampled_from(["throw", "give", "transfer", "show"]), st.tuples(cards)),
    st.builds(Move, st.sampled_from(["take", "done", "exchange"])),
)


@settings(deadline=None)
@given(moves)
def test_repr_reads_back(move: Move) -> None:
    assert eval(repr(move)) == move
    assert hash(eval(repr(move))) == hash(move)


@pytest.mark.parametrize(
    ("move", "written"),
    [
        (Move("lead", (Card("6s"),)), "6s"),
        (Move("lead", (Card("6d"), Card("6s"))), "6s6d"),
        (Move("beat", (Card("9s"),), Card("6s")), "6s:9s"),
        (Move("throw", (Card("6d"),)), "+6d"),
        (Move("give", (Card("6d"),)), "+6d"),
        (Move("take"), "take"),
        (Move("done"), "done"),
        (Move("transfer", (Card("6d"),)), ">6d"),
        (Move("show", (Card("6h"),)), "^6h"),
        (Move("exchange"), "exchange"),
    ],
)
def test_written_forms(move: Move, written: str) -> None:
    assert str(move) == written


@pytest.mark.parametrize(
    ("kind", "names", "target"),
    [
        ("bet", "6s", None),
        ("lead", "", None),
        ("take", "6s", None),
        ("exchange", "6h", None),
        ("throw", "6s 7s", None),
        ("beat", "6s", None),
        ("lead", "6s", "7s"),
    ],
)
def test_moves_that_make_no_sense(kind: str, names: str, target: str | None) -> None:
    with pytest.raises(ValueError, match=r"kind|target"):
        Move(kind, tuple(map(Card, names.split())), Card(target) if target else None)


def test_every_kind_is_tested() -> None:
    assert set(KINDS) == {"lead", "beat", "throw", "give", "take", "done", "transfer", "show", "exchange"}


# ---------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["dpn"])
def test_legal_moves_of_the_cases_read_back(case: dict[str, object]) -> None:
    position = Position.from_dpn(str(case["dpn"]))
    for move in position.legal_moves:
        assert position.parse_move(str(move)) == move


@pytest.mark.parametrize(
    ("position", "text", "written"),
    [
        (LEAD, "6s", "6s"),
        (LEAD, " 6♠\ufe0f ", "6s"),
        (LEAD, "6п, 6б", "6s6d"),
        (LEAD, "6d6s", "6s6d"),
        (LEAD, "10ч", "Th"),
        (DEFEND, "6s:7s", "6s:7s"),
        (DEFEND, "6♠ : 7♠", "6s:7s"),
        (DEFEND, "7s", "6s:7s"),
        (DEFEND, "9H", "6s:9h"),
        (DEFEND, "take", "take"),
        (DEFEND, "Беру", "take"),
        (TWO_OPEN, "7s", "6s:7s"),
        (TWO_OPEN, "6c:8h", "6c:8h"),
        (THROW, "+7d", "+7d"),
        (THROW, "7d", "+7d"),
        (THROW, "+ 7♦", "+7d"),
        (THROW, "done", "done"),
        (THROW, "БИТО", "done"),
        (THROW, "pass", "done"),
        (GIVE, "+6d", "+6d"),
        (GIVE, "6d", "+6d"),
        (GIVE, "done", "done"),
        (SWAP, "exchange", "exchange"),
        (SWAP, " Swap", "exchange"),
        (SWAP, "ОБМЕН", "exchange"),
    ],
)
def test_forms(position: Position, text: str, written: str) -> None:
    move = position.parse_move(text)
    assert str(move) == written
    assert move in position.legal_moves


def test_throwing_in_is_not_giving() -> None:
    assert THROW.parse_move("7d").kind == "throw"
    assert GIVE.parse_move("6d").kind == "give"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "?",
        "tak",
        "6",
        "6x",
        "6s:",
        ":6s",
        "6s:7s:8s",
        "6s:7s8s",
        "+",
        "+6s7s",
        "+take",
        "++6s",
        "Tч",
        "6s\n7s",
        "\x00",
    ],
)
def test_not_a_move(text: str) -> None:
    for position in (LEAD, DEFEND, THROW, GIVE):
        with pytest.raises(MoveSyntaxError, match=r"not a move") as caught:
            position.parse_move(text)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        (LEAD, "7s", "a does not hold 7s"),
        (LEAD, "6sTh", "of one rank"),
        (LEAD, "6s6s", "only once"),
        (LEAD, "6s:9c", "it is a's turn to lead"),
        (LEAD, "+6s", "it is a's turn to lead"),
        (LEAD, "take", "it is a's turn to lead"),
        (Position.from_dpn("6s6dTh/6h h a -"), "6s6d", "the cap is 1 attack card$"),
        (Position.from_dpn("6s6dTh/6h8h9c h a - lead=one"), "6s6d", "with lead=one"),
        (DEFEND, "7c", "7c does not beat 6s"),
        (DEFEND, "6s:7c", "7c does not beat 6s"),
        (DEFEND, "6d:7s", "6d is not on the table to be beaten"),
        (DEFEND, "Ts", "b does not hold Ts"),
        (DEFEND, "7s7c", "only a lead"),
        (DEFEND, "done", "it is b's turn to beat or take"),
        (DEFEND, "+7s", "it is b's turn to beat or take"),
        (DEFEND, ">7s", "it is b's turn to beat or take"),
        (THROW, "Ts", "no card of that rank is on the table"),
        (THROW, "6s:7s", "it is a's turn to throw in or say done"),
        (THROW, "7d Ts", "only a lead"),
        (THROW, "9h", "a does not hold 9h"),
        (Position.from_dpn("7dTs/9c9h h a 6s:7s rules=simple"), "7d", "with throw=lead"),
        (Position.from_dpn("7dTs/9c9h h a 6s:7s throw=none"), "7d", "with throw=none"),
        (GIVE, "take", "it is a's turn to give or say done"),
        (Position.from_dpn("6dTs/9c h a 6s*"), "6d", "the cap is 1 attack card$"),
        (OVER, "9c", "the game is over"),
        (OVER, "done", "the game is over"),
    ],
)
def test_illegal_moves_say_why(position: Position, text: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason) as caught:
        position.parse_move(text)
    assert "\n" not in str(caught.value)
    with pytest.raises(IllegalMoveError, match=reason):
        position.play(text)


def test_ambiguous_moves_list_what_they_may_be() -> None:
    with pytest.raises(AmbiguousMoveError, match=r"'8h' may be 6s:8h or 6c:8h"):
        TWO_OPEN.parse_move("8h")


def test_the_errors_are_value_errors() -> None:
    for error in (MoveSyntaxError, IllegalMoveError, AmbiguousMoveError):
        assert issubclass(error, MoveError)
    assert issubclass(MoveError, ValueError)


def test_transfers_and_shows() -> None:
    transfers = Position.from_dpn("TsTd/6d7s6h7c h a 6s rules=perevodnoy-show")
    assert transfers.parse_move(">6♦") == Move("transfer", (Card("6d"),))
    assert transfers.parse_move("^6h") == Move("show", (Card("6h"),))
    for text in ("xx", ">", ">6d6h", "^xx"):
        with pytest.raises(MoveSyntaxError):
            transfers.parse_move(text)


@settings(deadline=None)
@given(
    st.sampled_from([LEAD, DEFEND, TWO_OPEN, THROW, GIVE, OVER]),
    st.text() | st.text(alphabet="6789Tscdh♠Т+>^: ,takedone", max_size=8),
)
def test_garbage_raises_only_move_errors(position: Position, text: str) -> None:
    try:
        move = position.parse_move(text)
    except MoveError as error:
        assert "\n" not in str(error)
    else:
        assert move in position.legal_moves
