"""The spellings of cards: everything people write is read, three forms are written.

Read are ASCII (``Th``, ``10h``, ``qS``), suit signs (``10♥``, ``J♤``), Unicode playing cards (``🂱``) and Russian
(``10ч``, ``Тт``, ``В♠``). Where a sign stands tells rank from suit, and its script tells the Cyrillic ace from the
Latin ten. Digits and suit signs belong to no script; Latin and Cyrillic letters do not mix within a card.
"""

from __future__ import annotations

from typing import Final

from durak_solver.model.cards import SUITS, Card
from durak_solver.model.messages import quoted

STYLES: Final = ("ascii", "unicode", "russian")
"""The forms that `format_card` writes."""

_SIGNS: Final = {"♠": "s", "♣": "c", "♦": "d", "♥": "h", "♤": "s", "♧": "c", "♢": "d", "♡": "h"}
_LATIN_RANKS: Final = {**{letter: letter for letter in "TJQKA"}, **{letter.lower(): letter for letter in "TJQKA"}}
_LATIN_SUITS: Final = {**{letter: letter for letter in SUITS}, **{letter.upper(): letter for letter in SUITS}}
_CYRILLIC_RANKS: Final = {"В": "J", "Д": "Q", "К": "K", "Т": "A", "в": "J", "д": "Q", "к": "K", "т": "A"}
_CYRILLIC_SUITS: Final = {
    **{"п": "s", "т": "c", "к": "c", "б": "d", "ч": "h"},
    **{"П": "s", "Т": "c", "К": "c", "Б": "d", "Ч": "h"},
}
# Text or emoji presentation of the sign before it: no difference to the card.
_VARIATION_SELECTORS: Final = "\ufe0e\ufe0f"
_SPACES: Final = " \t"

_PLAYING_CARDS: Final = range(0x1F0A0, 0x1F100)
_PLAYING_SUITS: Final = {0xA: "s", 0xB: "h", 0xC: "d", 0xD: "c"}
_PLAYING_RANKS: Final = {1: "A", **{n: str(n) for n in range(2, 10)}, 10: "T", 11: "J", 13: "Q", 14: "K"}
# The white joker is the outline twin of the black one, as ♡ is of ♥: the pair of them came before the red joker.
_PLAYING_JOKERS: Final = {0x1F0BF: "RJ", 0x1F0CF: "BJ", 0x1F0DF: "RJ"}

_CYRILLIC_ES: Final = "сС"
_SUIT_OF_SIGN: Final = {suit: sign for sign, suit in reversed(_SIGNS.items())}
_RUSSIAN_RANKS: Final = {"T": "10", "J": "В", "Q": "Д", "K": "К", "A": "Т"}


class CardError(ValueError):
    """A text that should be cards is not.

    Attributes
    ----------
    reason
        What is wrong, in one clause.
    text
        The whole text.
    offset
        Where in the text the first wrong character is, counted in characters from 0.
    """

    def __init__(self, reason: str, text: str, offset: int) -> None:
        # All arguments go to the base class, so that the error survives being sent to another process.
        super().__init__(reason, text, offset)
        self.reason = reason
        self.text = text
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.reason} (in {quoted(self.text)}, at character {self.offset + 1})"


def parse_card(text: str) -> Card:
    """Read one card in any spelling, with nothing but spaces around it."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"one card was expected, not {len(cards)}", text, 0)
    return cards[0]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards in any spelling; spaces, and one comma, may stand between two cards.

    Raises
    ------
    CardError
        At the first character that cannot belong to a card.
    """
    cards: list[Card] = []
    position = _skip_spaces(text, 0)
    while position < len(text):
        card, position = scan_card(text, position)
        cards.append(card)
        position = _skip_spaces(text, position)
        if text[position : position + 1] == ",":
            comma = position
            position = _skip_spaces(text, position + 1)
            if position == len(text):
                raise CardError("a card was expected after the comma", text, comma)
    return tuple(cards)


def parse_suit(text: str) -> str:
    """Read a suit: one letter (``h``, ``H``, ``ч``) or sign (``♥``, ``♡``)."""
    suit, end, _ = _scan_suit(text, 0)
    if end != len(text):
        raise CardError("one suit was expected and nothing more", text, end)
    return suit


def scan_card(text: str, start: int) -> tuple[Card, int]:
    """Read the card that begins at a place in a text; also return where the text goes on."""
    if start >= len(text):
        raise CardError("a card was expected", text, start)
    if ord(text[start]) in _PLAYING_CARDS:
        return _playing_card(text, start), _skip_selector(text, start + 1)
    if text[start : start + 2].upper() in ("RJ", "BJ") and text[start : start + 2].isascii():
        return Card(text[start : start + 2].upper()), start + 2
    rank, middle, rank_script = _scan_rank(text, start)
    suit, end, suit_script = _scan_suit(text, middle)
    if rank_script and suit_script and rank_script != suit_script:
        raise CardError(
            f"the {rank_script} {text[start]!r} and the {suit_script} {text[middle]!r} cannot make one card: "
            f"they are of different scripts",
            text,
            middle,
        )
    return Card(rank + suit), end


def format_card(card: Card, style: str = "ascii") -> str:
    """Write a card so that `parse_card` reads it back.

    Parameters
    ----------
    style
        ``"ascii"``: ``Th``, the written form; ``"unicode"``: ``10♥``; ``"russian"``: ``10♥``, ``Т♥`` (the ace), ``В♠``.
        A joker is ``RJ`` or ``BJ`` in all of them.
    """
    if style not in STYLES:
        raise ValueError(f"style={style!r} is not known: choose one of {', '.join(STYLES)}")
    if style == "ascii" or card.is_joker:
        return str(card)
    rank = _RUSSIAN_RANKS.get(card.rank, card.rank) if style == "russian" else card.rank.replace("T", "10")
    return rank + _SUIT_OF_SIGN[card.suit]


def _scan_rank(text: str, start: int) -> tuple[str, int, str]:
    """Return rank, end and script of the rank at a place; the script of a digit is empty."""
    sign = text[start]
    if text.startswith("10", start):
        return "T", start + 2, ""
    if sign in "23456789":
        return sign, start + 1, ""
    if sign in _LATIN_RANKS:
        return _LATIN_RANKS[sign], start + 1, "Latin"
    if sign in _CYRILLIC_RANKS:
        return _CYRILLIC_RANKS[sign], start + 1, "Cyrillic"
    if sign == "1":
        raise CardError("a rank was expected, and 1 alone is none: the ten is T or 10", text, start)
    raise CardError(f"a rank was expected, not {_name(sign)}", text, start)


def _scan_suit(text: str, start: int) -> tuple[str, int, str]:
    """Return suit, end and script of the suit at a place; the script of a suit sign is empty."""
    if start >= len(text):
        raise CardError("a suit was expected, but the text ends", text, start)
    sign = text[start]
    if sign in _SIGNS:
        return _SIGNS[sign], _skip_selector(text, start + 1), ""
    if sign in _LATIN_SUITS:
        return _LATIN_SUITS[sign], start + 1, "Latin"
    if sign in _CYRILLIC_SUITS:
        return _CYRILLIC_SUITS[sign], start + 1, "Cyrillic"
    if sign in _CYRILLIC_ES:
        raise CardError(f"the Cyrillic {sign!r} is no suit: clubs are the Latin 'c' or the Cyrillic 'т'", text, start)
    raise CardError(f"a suit was expected, not {_name(sign)}", text, start)


def _playing_card(text: str, start: int) -> Card:
    """Return the card that one Unicode playing card shows."""
    code = ord(text[start])
    if code in _PLAYING_JOKERS:
        return Card(_PLAYING_JOKERS[code])
    suit = _PLAYING_SUITS.get(code >> 4 & 0xF)
    rank = _PLAYING_RANKS.get(code & 0xF)
    if suit is None or rank is None:
        kind = "a knight" if suit and code & 0xF == 12 else "the back of a card" if code == 0x1F0A0 else "a tarot card"
        raise CardError(f"U+{code:X} is {kind}, which no deck here has", text, start)
    return Card(rank + suit)


def _skip_spaces(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACES:
        position += 1
    return position


def _skip_selector(text: str, position: int) -> int:
    selector = text[position : position + 1]
    return position + 1 if selector and selector in _VARIATION_SELECTORS else position


def _name(sign: str) -> str:
    """Name a character so that it can be told from one that looks the same."""
    if sign.isascii():
        return repr(sign)
    # Only needed to explain a mistake: not worth importing with the package.
    from unicodedata import name  # noqa: PLC0415

    return f"{sign!r} ({name(sign, f'U+{ord(sign):04X}')})"
