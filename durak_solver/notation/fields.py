"""The single fields of DPN, each read from its own text.

A text that does not fit raises CardError with the offset of the first wrong character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from durak_solver.model.cards import Card
from durak_solver.model.layout import LARGEST_UNKNOWN, SHOWN, Table
from durak_solver.model.messages import quoted
from durak_solver.notation.cards import CardError, parse_suit, scan_card


def read_hands(text: str) -> tuple[tuple[tuple[Card, ...], int], tuple[tuple[Card, ...], int]]:
    """Read HANDS: two hands, each as `read_hand` returns it."""
    first, slash, second = text.partition("/")
    a = read_hand(first)
    if not slash:
        raise CardError("a / was expected between the two hands", text, len(text))
    try:
        return a, read_hand(second)
    except CardError as error:
        raise CardError(error.reason, text, len(first) + 1 + error.offset) from None


def read_hand(text: str) -> tuple[tuple[Card, ...], int]:
    """Read one hand: its known cards in canonical order, and the number of unknown ones."""
    items = read_items(text)
    known = tuple(sorted(item for item in items if item is not None))
    return known, len(items) - len(known)


def read_trump(text: str) -> str | None:
    """Read TRUMP: a suit in any spelling, or ``-``."""
    return None if _is_dash(text) else parse_suit(text)


def read_attacker(text: str) -> str:
    """Read ATTACKER: ``a`` or ``b``."""
    if text not in ("a", "b", "A", "B"):
        raise CardError("a or b was expected", text, 1 if text[:1] in ("a", "b", "A", "B") else 0)
    return text.lower()


def read_table(text: str) -> tuple[Table, bool]:
    """Read TABLE: the pairs in the order played, and whether the defender has said "take"."""
    taking = text.endswith("*")
    pairs: list[tuple[Card, Card | None]] = []
    text_of_pairs = text.removesuffix("*")
    if _is_dash(text_of_pairs):
        return (), taking
    position = -1
    while position < len(text_of_pairs):
        attack, position = scan_card(text_of_pairs, position + 1)
        defence = None
        if text_of_pairs.startswith(":", position):
            defence, position = scan_card(text_of_pairs, position + 1)
        pairs.append((attack, defence))
        if position < len(text_of_pairs) and text_of_pairs[position] != ",":
            raise CardError("a comma was expected before the next attack card", text, position)
    return tuple(pairs), taking


def read_stock(text: str) -> tuple[Card | None, ...]:
    """Read STOCK: top card first, None for a card that is not known."""
    return tuple(read_items(text))


def read_discard(text: str) -> tuple[Card, ...]:
    """Read DISCARD: the known cards, the last one on top."""
    if _is_dash(text):
        return ()
    items = read_items(text)
    if None in items:
        reason = "only known cards are listed here: how many lie there follows from the deck"
        raise CardError(reason, text, text.index("?"))
    return tuple(item for item in items if item is not None)


def read_group(text: str) -> tuple[Card, ...]:
    """Read the attacker's last group of cards."""
    cards = read_items(text)
    if None in cards:
        raise CardError("only known cards are listed here", text, text.index("?"))
    return tuple(card for card in cards if card is not None)


def read_items(text: str) -> list[Card | None]:
    """Read cards and ``?n`` (n times None); a single comma may follow a card and must follow ``?n``."""
    if _is_dash(text):
        return []
    items: list[Card | None] = []
    position = -1
    while position < len(text):
        position += position < 0 or text[position] == ","
        if text.startswith("?", position):
            count, end = _scan_unknown(text, position)
            if items.count(None) + count > LARGEST_UNKNOWN:
                raise CardError(f"there cannot be more than {LARGEST_UNKNOWN} unknown cards", text, position)
            items += [None] * count
            position = end
            if position < len(text) and text[position] != ",":
                raise CardError("a comma was expected after the number of unknown cards", text, position)
        else:
            card, position = scan_card(text, position)
            items.append(card)
    return items


def read_shown(text: str) -> str:
    """Read who has shown a trump; ValueError if it is nobody."""
    if text not in SHOWN:
        raise ValueError(f"shown={quoted(text)} is not allowed: choose one of {', '.join(SHOWN)}")
    return text


def read_cap(text: str) -> int:
    """Read the most attack cards of a bout; ValueError if it is no number."""
    if not re.fullmatch("[1-9][0-9]?", text):
        raise ValueError(f"cap={quoted(text)} is not allowed: a number of cards from 1 to 99 was expected")
    return int(text)


def format_pair(attack: object, defence: object) -> str:
    """Write an attack card with the card that beat it, if it is beaten."""
    return str(attack) if defence is None else f"{attack}:{defence}"


def format_items(items: Iterable[Card | None]) -> str:
    """Write cards, with ``?n`` for n unknown ones in a row; a comma stands on either side of that."""
    runs = [list(run) for _, run in groupby(items, key=lambda item: item is None)]
    return ",".join(f"?{len(run)}" if run[0] is None else "".join(map(str, run)) for run in runs) or "-"


def _is_dash(text: str) -> bool:
    """Tell whether a field is empty, which is written as a dash; nothing else may begin with one."""
    if text.startswith("-") and len(text) > 1:
        raise CardError("nothing was expected after -", text, 1)
    if not text:
        raise CardError("something was expected (write - for none)", text, 0)
    return text == "-"


def _scan_unknown(text: str, start: int) -> tuple[int, int]:
    """Return the number after a question mark, and where the text goes on."""
    end = start + 1
    while end < len(text) and text[end] in "0123456789":
        end += 1
    digits = text[start + 1 : end]
    # Longer numbers are not even converted: they may have millions of digits.
    if not digits or digits[0] == "0" or len(digits) > 2 or int(digits) > LARGEST_UNKNOWN:
        raise CardError(f"a number of cards from 1 to {LARGEST_UNKNOWN} was expected after ?", text, start + 1)
    return int(digits), end
