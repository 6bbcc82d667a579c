"""Cards, and every spelling of them."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver.model.cards import DECKS, JOKER, RANKS, SUITS, Card, deck_cards
from durak_solver.notation.cards import STYLES, CardError, format_card, parse_card, parse_cards, parse_suit

ALL = deck_cards(54)
cards = st.sampled_from(ALL)


# ---------------------------------------------------------------------------------------------------------- Card


def test_each_card_exists_once() -> None:
    assert Card("Ts") is Card("Ts")
    assert pickle.loads(pickle.dumps(ALL)) == ALL
    assert all(copy.deepcopy(card) is card for card in ALL)


def test_repr_reads_back() -> None:
    assert repr(Card("Ts")) == 'Card("Ts")'
    assert all(eval(repr(card)) is card for card in ALL)


def test_attributes() -> None:
    ten = Card("Th")
    assert (ten.rank, ten.suit, ten.colour, ten.rank_index, ten.is_joker) == ("T", "h", "red", 8, False)
    red = Card("RJ")
    assert (red.rank, red.suit, red.colour, red.rank_index, red.is_joker) == (JOKER, "", "red", 13, True)
    assert Card("BJ").rank == red.rank
    assert Card("BJ").colour == "black"


def test_canonical_order() -> None:
    plain = [rank + suit for suit in SUITS for rank in RANKS]
    assert [str(card) for card in sorted(set(ALL))] == [*plain, "RJ", "BJ"]
    assert Card("As") < Card("2c") <= Card("2c")
    assert Card("BJ") > Card("RJ") >= Card("Ah")
    assert Card("As") != "As"


def test_cards_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Card("Ts").rank = "9"
    with pytest.raises(AttributeError):
        del Card("Ts").suit
    with pytest.raises(TypeError):
        Card("Ts") < 3  # type: ignore[operator]  # noqa: B015


@pytest.mark.parametrize("text", ["", "10s", "ts", "TS", "T", "Tss", "1s", "JR", "Т♥", "T♥"])
def test_only_the_written_form(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card(text)


@pytest.mark.parametrize(("deck", "lowest"), [(24, "9s"), (32, "7s"), (36, "6s"), (52, "2s"), (54, "2s")])
def test_decks(deck: int, lowest: str) -> None:
    found = deck_cards(deck)
    assert len(set(found)) == deck
    assert str(found[0]) == lowest
    assert list(found) == sorted(found)
    assert Card("RJ") not in found or deck == 54


def test_unknown_deck() -> None:
    assert set(DECKS) == {24, 32, 36, 52, 54}
    with pytest.raises(ValueError, match="no deck of 40 cards"):
        deck_cards(40)


# ---------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[(text, "Th") for text in ("Th", "TH", "th", "tH", "10h", "10H", "10♥", "T♥", "t♡", "10ч", "10Ч")],
        *[(text, "Th") for text in ("10♥\ufe0f", "10♥\ufe0e", "T♡\ufe0f", "🂺", "🂺\ufe0f", " Th ", "\tTh")],
        *[(text, "6s") for text in ("6s", "6S", "6♠", "6♤", "6п", "6П", "🂦")],
        *[(text, "6c") for text in ("6c", "6♣", "6♧", "6т", "6к", "6Т", "6К", "🃖")],
        *[(text, "6d") for text in ("6d", "6♦", "6♢", "6б", "6Б", "🃆")],
        *[(text, "Ac") for text in ("Тт", "ТТ", "тт", "Тк", "тК", "Т♣", "A♣", "ac", "🃑")],
        *[(text, "Kc") for text in ("Кк", "кт", "К♣", "Kc", "kC", "K♧", "🃞")],
        *[(text, "Js") for text in ("Вп", "вП", "В♠", "J♠", "js", "🂫")],
        *[(text, "Qd") for text in ("Дб", "дб", "Д♦", "qD", "🃍")],
        *[(text, "As") for text in ("🂡", "As", "Тп", "т♠")],
        *[(text, "RJ") for text in ("RJ", "rj", "Rj", "🂿", "🃟", "🃟\ufe0f")],
        *[(text, "BJ") for text in ("BJ", "bj", "🃏", "🃏\ufe0f")],
    ],
)
def test_spellings(text: str, card: str) -> None:
    assert parse_card(text) is Card(card)
    assert parse_cards(text * 2) == (Card(card), Card(card))


def test_every_unicode_playing_card() -> None:
    known = {chr(code) for code in range(0x1F0A0, 0x1F100) if code & 0xF not in (0, 12, 15) and code < 0x1F0E0}
    assert len({parse_card(sign) for sign in known}) == 52


@pytest.mark.parametrize(
    ("text", "what"),
    [("🂬", "a knight"), ("🃜", "a knight"), ("🂠", "the back of a card"), ("🃠", "a tarot card"), ("🃴", "a tarot card")],
)
def test_playing_cards_that_no_deck_has(text: str, what: str) -> None:
    with pytest.raises(CardError, match=f"is {what}"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "first", "second"), [("Тh", "Т", "h"), ("Tч", "T", "ч"), ("Кc", "К", "c"), ("qб", "q", "б")]
)
def test_scripts_do_not_mix(text: str, first: str, second: str) -> None:
    with pytest.raises(CardError, match="different scripts") as caught:
        parse_card(text)
    assert repr(first) in str(caught.value)
    assert repr(second) in str(caught.value)
    assert caught.value.offset == 1


@pytest.mark.parametrize("text", ["6с", "Тс", "6С", "Tс"])
def test_cyrillic_es_is_no_suit(text: str) -> None:
    with pytest.raises(CardError, match=r"the Cyrillic '[сС]' is no suit"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("6", 1),
        ("10", 2),
        ("1s", 0),
        ("11s", 0),
        ("6x", 1),
        ("x", 0),
        ("6s7", 3),
        ("6s,", 2),
        ("6s , ", 3),
        (",6s", 0),
        ("6s,,7s", 3),
        ("6 s", 1),
        ("6s\n7s", 2),
        ("Аs", 0),
        ("6♥\ufe0f\ufe0f", 3),
        ("６s", 0),
        ("6ſ", 1),
        ("\N{KELVIN SIGN}s", 0),
        ("BJs", 2),
        ("\x00", 0),
        ("6\ud800", 1),
    ],
)
def test_where_the_mistake_is(text: str, offset: int) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert caught.value.offset == offset
    assert caught.value.text == text


def test_several_cards() -> None:
    assert parse_cards("") == ()
    assert parse_cards("6s7d,Th , 10♥\ufe0f\tТт") == tuple(map(Card, ("6s", "7d", "Th", "Th", "Ac")))
    # The same letter is a rank or a suit by where it stands.
    assert parse_cards("6Т7ТТТ") == tuple(map(Card, ("6c", "7c", "Ac")))
    with pytest.raises(CardError, match="one card was expected, not 2"):
        parse_card("6s7s")
    with pytest.raises(CardError, match="one card was expected, not 0"):
        parse_card("")


def test_errors_survive_pickling() -> None:
    with pytest.raises(CardError) as caught:
        parse_card("6x")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.offset == 1


@pytest.mark.parametrize(
    ("text", "suit"),
    [("s", "s"), ("S", "s"), ("♠\ufe0f", "s"), ("♧", "c"), ("т", "c"), ("К", "c"), ("б", "d"), ("Ч", "h")],
)
def test_suits(text: str, suit: str) -> None:
    assert parse_suit(text) == suit


@pytest.mark.parametrize("text", ["", "x", "ss", "с", "6s"])
def test_wrong_suits(text: str) -> None:
    with pytest.raises(CardError):
        parse_suit(text)


@settings(deadline=None)
@given(st.text() | st.text(alphabet="6710TJQKABRsScdh♠♥\ufe0f ,тТкКВДпбчс🂡🃏"))
def test_garbage_raises_only_card_errors(text: str) -> None:
    try:
        found = parse_cards(text)
    except CardError as error:
        assert 0 <= error.offset <= len(text)
        assert "\n" not in str(error)
    else:
        assert parse_cards("".join(map(str, found))) == found


# ---------------------------------------------------------------------------------------------------------- writing


@settings(deadline=None)
@given(st.lists(cards), st.sampled_from(STYLES), st.sampled_from(["", " ", ",", ", "]))
def test_what_is_written_reads_back(some: list[Card], style: str, separator: str) -> None:
    assert parse_cards(separator.join(format_card(card, style) for card in some)) == tuple(some)


def test_styles() -> None:
    assert [format_card(Card("Th"), style) for style in STYLES] == ["Th", "10♥", "10♥"]
    assert [format_card(Card("Ah"), style) for style in STYLES] == ["Ah", "A♥", "Т♥"]
    assert [format_card(Card("Js"), style) for style in STYLES] == ["Js", "J♠", "В♠"]
    assert {format_card(Card("RJ"), style) for style in STYLES} == {"RJ"}
    with pytest.raises(ValueError, match="style='latex' is not known"):
        format_card(Card("Th"), "latex")
