"""DPN: reading, writing, and pointing at mistakes."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver.game.position import Position
from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.rules import PRESETS, Rules
from durak_solver.notation.dpn import DPNError, format_dpn
from tests.support.data import CASES

DPNS = [case["dpn"] for case in CASES]
# The same two options, but in the order in which this package writes options.
REORDERED = {"pursuit=off lead=one": "lead=one pursuit=off"}

# ---------------------------------------------------------------------------------------------------------- strategies

cards = st.sampled_from(deck_cards(54))
hands = st.lists(cards, max_size=9).map(tuple)
unknown = st.integers(0, 54)
rules = st.builds(
    Rules,
    deck=st.sampled_from([36, 24, 54]),
    limit=st.sampled_from([6, 1, "hand"]),
    first=st.sampled_from([None, 5]),
    pursuit=st.booleans(),
    transfer=st.booleans(),
    show=st.booleans(),
    lock=st.sampled_from([None, "s"]),
    straps=st.sampled_from([None, "6", "A", "Qh"]),
) | st.sampled_from(list(PRESETS.values()))
# Any position at all, most of them impossible.
positions = st.builds(
    Position,
    hands=st.tuples(hands, hands),
    unknown=st.just((0, 0)) | st.tuples(unknown, unknown),
    trump=st.sampled_from(["s", "c", "d", "h", None]),
    attacker=st.sampled_from(["a", "b"]),
    table=st.lists(st.tuples(cards, st.none() | cards), max_size=6).map(tuple),
    taking=st.booleans(),
    stock=st.lists(st.none() | cards, max_size=30).map(tuple),
    discard=hands,
    rules=rules,
    shown=st.sampled_from(["", "a", "b", "ab"]),
)

# ---------------------------------------------------------------------------------------------------------- inverse


@settings(deadline=None)
@given(positions)
def test_what_is_written_reads_back(position: Position) -> None:
    text = format_dpn(position)
    assert text.isascii()
    assert Position.from_dpn(text) == position
    assert hash(Position.from_dpn(text)) == hash(position)
    assert format_dpn(Position.from_dpn(text)) == text
    assert eval(repr(position)) == position
    assert pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize("text", DPNS)
def test_cases_are_read_and_written_back(text: str) -> None:
    position = Position.from_dpn(text)
    assert position.status() == ()
    for order, canonical in REORDERED.items():
        text = text.replace(order, canonical)
    assert position.to_dpn() == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("6s7dTh/6h8h9c h a -", "6s7dTh/9c6h8h h a -"),
        ("6s7dQdThKs/9c,?3 h b 6c:8c,6d ?11,7h 9h8s", "6sKs7dQdTh/9c,?3 h b 6c:8c,6d ?11,7h 9h8s"),
        ("-/6h H A -", "-/6h h a -"),
        ("7d,6s/6h - b - - -", "6s7d/6h - b -"),
        ("?2,6s/?3 ♥\ufe0f a -", "6s,?2/?3 h a -"),
        ("?2,?3,6s/6h h a - ?1,?1,9s,?2", "6s,?5/6h h a - ?2,9s,?2"),
        ("10♠6п/Тт10ч ч a 9♣\ufe0f:Вт,Q♦*", "6sTs/AcTh h a 9c:Jc,Qd*"),
        ("  6s/6h   h a -  lead=one  ", "6s/6h h a - lead=one"),
        ("6s/6h h a -\r\n", "6s/6h h a -"),
        ("6s/6h h a -*", "6s/6h h a -*"),
        ("6s/6h h a - - 9s", "6s/6h h a - - 9s"),
        ("6s/6h h a - Qs9d7h", "6s/6h h a - Qs9d7h"),
        ("6s/6h h a - shown=ab rules=perevodnoy-show", "6s/6h h a - rules=perevodnoy-show shown=ab"),
        ("6s/6h h a - both=attacker rules=simple throw=any", "6s/6h h a - both=attacker"),
        ("RJ6s/bj - a - deck=54", "6sRJ/BJ - a - deck=54"),
    ],
)
def test_forgiving_reading(text: str, canonical: str) -> None:
    assert format_dpn(Position.from_dpn(text)) == canonical


def test_fields() -> None:
    position = Position.from_dpn("6s7dQd/9c,?3 h b 6c:8c,6d ?2,7h 9h8s both=attacker")
    assert position == Position(
        hands=((Card("6s"), Card("7d"), Card("Qd")), (Card("9c"),)),
        unknown=(0, 3),
        trump="h",
        attacker="b",
        table=((Card("6c"), Card("8c")), (Card("6d"), None)),
        stock=(None, None, Card("7h")),
        discard=(Card("9h"), Card("8s")),
        rules=Rules(both="attacker"),
    )


# ---------------------------------------------------------------------------------------------------------- mistakes

GOOD = "6s/6h h a -"


@pytest.mark.parametrize(
    ("text", "field", "offset", "reason"),
    [
        ("", "HANDS", 0, "missing"),
        ("   ", "HANDS", 0, "missing"),
        ("6s/6h", "TRUMP", 5, "missing"),
        ("6s/6h h", "ATTACKER", 7, "missing"),
        ("6s/6h h a", "TABLE", 9, "missing"),
        ("6s/6h h lead=one a -", "ATTACKER", 8, "missing"),
        ("lead=one 6s/6h h a -", "HANDS", 0, "missing"),
        ("6s", "HANDS", 2, "a / was expected"),
        ("6x", "HANDS", 1, "a suit was expected"),
        ("6s/6h/7h h a -", "HANDS", 5, "a rank was expected"),
        ("/6h h a -", "HANDS", 0, "write - for none"),
        ("6s/ h a -", "HANDS", 3, "write - for none"),
        ("6z/6x h a -", "HANDS", 1, "a suit was expected"),
        ("6s-/6h h a -", "HANDS", 2, "a rank was expected"),
        ("-6s/6h h a -", "HANDS", 1, "nothing was expected after -"),
        ("6s,/6h h a -", "HANDS", 3, "a card was expected"),
        ("6s,,7s/6h h a -", "HANDS", 3, "a rank was expected"),
        ("6s/?39c h a -", "HANDS", 6, "a comma was expected"),
        ("6s/? h a -", "HANDS", 4, "a number of cards"),
        ("6s/?0 h a -", "HANDS", 4, "a number of cards"),
        ("6s/?03 h a -", "HANDS", 4, "a number of cards"),
        ("6s/?55 h a -", "HANDS", 4, "a number of cards"),
        ("6s/?999999999 h a -", "HANDS", 4, "a number of cards"),
        ("6s/?" + "9" * 10000 + " h a -", "HANDS", 4, "a number of cards"),
        ("6s/?-1 h a -", "HANDS", 4, "a number of cards"),
        ("6s/?٣ h a -", "HANDS", 4, "a number of cards"),
        ("6s/?50,?5 h a -", "HANDS", 7, "more than 54 unknown"),
        ("6s/6h x a -", "TRUMP", 6, "a suit was expected"),
        ("6s/6h hh a -", "TRUMP", 7, "one suit was expected"),
        ("6s/6h -h a -", "TRUMP", 7, "nothing was expected after -"),
        ("6s/6h с a -", "TRUMP", 6, "Cyrillic"),
        ("6s/6h h c -", "ATTACKER", 8, "a or b"),
        ("6s/6h h ab -", "ATTACKER", 9, "a or b"),
        ("6s/6h h а -", "ATTACKER", 8, "a or b"),
        ("6s/6h h a 7s8s", "TABLE", 12, "a comma was expected"),
        ("6s/6h h a 7s,", "TABLE", 13, "a card was expected"),
        ("6s/6h h a 7s:", "TABLE", 13, "a card was expected"),
        ("6s/6h h a 7s:8s:9s", "TABLE", 15, "a comma was expected"),
        ("6s/6h h a 7s*,8s", "TABLE", 12, "a comma was expected"),
        ("6s/6h h a 7s**", "TABLE", 12, "a comma was expected"),
        ("6s/6h h a *", "TABLE", 10, "write - for none"),
        ("6s/6h h a -\n", "", 0, ""),
        ("6s/6h h a -\n6s", "TABLE", 11, "nothing was expected after -"),
        ("6s/6h\nh a -", "HANDS", 5, "a rank was expected"),
        ("6s/6h\th a -", "HANDS", 5, "a rank was expected"),
        ("6s/6h h a -\x00", "TABLE", 11, "nothing was expected after -"),
        ("6s\x00/6h h a -", "HANDS", 2, "a rank was expected"),
        ("6s/6h h a - 7s/8s", "STOCK", 14, "a rank was expected"),
        ("6s/6h h a - 7s ?3", "DISCARD", 15, "only known cards"),
        ("6s/6h h a - 7s 8s?3", "DISCARD", 17, "only known cards"),
        ("6s/6h h a - - - -", "OPTIONS", 16, "only options"),
        ("6s/6h h a - lead=one 7s", "OPTIONS", 21, "only options"),
        ("6s/6h h a - led=one", "OPTIONS", 12, "'led' is not an option"),
        ("6s/6h h a - =one", "OPTIONS", 12, "'' is not an option"),
        ("6s/6h h a - lead=", "OPTIONS", 17, "choose one of many, one"),
        ("6s/6h h a - lead=two", "OPTIONS", 17, "choose one of many, one"),
        ("6s/6h h a - lead=one=one", "OPTIONS", 17, "choose one of many, one"),
        ("6s/6h h a - lead=one lead=one", "OPTIONS", 21, "lead is given twice"),
        ("6s/6h h a - rules=simple rules=pogony", "OPTIONS", 25, "rules is given twice"),
        ("6s/6h h a - rules=durak", "OPTIONS", 18, "choose one of podkidnoy"),
        ("6s/6h h a - shown=ba", "OPTIONS", 18, "choose one of a, b, ab"),
        ("6s/6h h a - limit=" + "9" * 10000, "OPTIONS", 18, "choose one of 1 to 54, hand"),
    ],
)
def test_mistakes(text: str, field: str, offset: int, reason: str) -> None:
    if not field:
        assert format_dpn(Position.from_dpn(text)) == GOOD
        return
    with pytest.raises(DPNError) as caught:
        Position.from_dpn(text)
    error = caught.value
    assert (error.field, error.offset, error.text) == (field, offset, text)
    assert reason in error.reason
    message, line, caret = str(error).split("\n")
    assert message.startswith(f"{field}: ")
    assert caret.strip() == "^"
    assert max(map(len, (message, line, caret))) < 300


def test_the_message_points() -> None:
    with pytest.raises(DPNError) as caught:
        Position.from_dpn("6s7x/6h h a -")
    assert str(caught.value) == "HANDS: a suit was expected, not 'x'\n6s7x/6h h a -\n   ^"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.offset) == (str(caught.value), 3)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("6♥\ufe0f7x/6h h a -", 3),  # a selector takes no column
        ("🃏6x/6h h a -", 3),  # the joker takes two
        ("6s\x01/6h h a -", 2),  # replaced by a picture of one column
        ("6s" * 100 + "x", 63),  # only the surroundings of the mistake are shown
    ],
)
def test_the_caret_stands_below(text: str, column: int) -> None:
    with pytest.raises(DPNError) as caught:
        Position.from_dpn(text)
    assert str(caught.value).split("\n")[2] == " " * column + "^"


@settings(deadline=None)
@given(st.text())
def test_garbage(text: str) -> None:
    read_or_refuse(text)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*"6s7dTh/-?*:,= ab39\n\x00", "=", "lead=", "one", " ", " h a - ", "6s/7s h a", "♥", "Т", "🃏"]
        ),
        max_size=30,
    ).map("".join)
)
def test_garbage_that_looks_like_dpn(text: str) -> None:
    read_or_refuse(text)


@settings(deadline=None)
@given(positions, st.data())
def test_one_wrong_character(position: Position, data: st.DataObject) -> None:
    text = format_dpn(position)
    place = data.draw(st.integers(0, len(text)))
    width = data.draw(st.integers(0, 2))
    read_or_refuse(text[:place] + data.draw(st.text(max_size=2)) + text[place + width :])


def read_or_refuse(text: str) -> None:
    try:
        position = Position.from_dpn(text)
    except DPNError as error:
        assert 0 <= error.offset <= len(text)
        assert error.text == text
        assert str(error).count("\n") == 2
        str(error).encode()
    else:
        written = format_dpn(position)
        assert Position.from_dpn(written) == position
        assert format_dpn(Position.from_dpn(written)) == written


def test_no_hang_on_long_input() -> None:
    for text in (
        "6s" * 20_000 + "/",
        "?1," * 20_000,
        "a=b " * 20_000,
        " " * 200_000,
        "6s:7s," * 20_000,
        "\ufe0f" * 100_000,
    ):
        with pytest.raises(DPNError):
            Position.from_dpn(text)
