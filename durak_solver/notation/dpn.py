"""DPN, a position in one line: ``6s7dTh/6h8h9c h a -``.

The fields are HANDS TRUMP ATTACKER TABLE [STOCK] [DISCARD] [key=value ...]. Reading forgives spellings of cards and
order within a hand; everything else that does not fit is an error that points at the first wrong character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeVar

from durak_solver.model.cards import Card
from durak_solver.model.layout import LARGEST_UNKNOWN, SHOWN, Layout, Table
from durak_solver.model.messages import quoted, underlined
from durak_solver.model.rules import OPTION_KEYS, Rules
from durak_solver.notation.cards import CardError, parse_suit, scan_card

FIELDS: Final = ("HANDS", "TRUMP", "ATTACKER", "TABLE", "STOCK", "DISCARD")
"""The fields before the options, in order; the last two may be left out."""

# What the table cannot show of a bout is written as an option too.
BOUT_KEYS: Final = ("shown", "cap", "group")
"""The options that belong to the position and not to its rules."""

_OPTION_KEYS: Final = (*OPTION_KEYS, *BOUT_KEYS)

T = TypeVar("T")


class DPNError(ValueError):
    """A text is not DPN.

    Attributes
    ----------
    reason : str
        What is wrong, in one clause.
    field : str
        The field at fault: one of `FIELDS`, or ``"OPTIONS"``.
    text : str
        The whole text.
    offset : int
        Where in the text the first wrong character is, counted in characters from 0; the length of the text if
        something is missing at its end.
    """

    def __init__(self, reason: str, field: str, text: str, offset: int) -> None:
        # All arguments go to the base class, so that the error survives being sent to another process.
        super().__init__(reason, field, text, offset)
        self.reason = reason
        self.field = field
        self.text = text
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}\n{underlined(self.text, self.offset)}"


def parse_dpn(text: str) -> dict[str, Any]:
    """Read a position.

    Parameters
    ----------
    text : str
        One line. More than one space between fields, spaces around them and an end of line do not matter.

    Returns
    -------
    dict
        Not necessarily a legal one: see `Position.status`.

    Raises
    ------
    DPNError
        At the first character that does not fit.
    """
    tokens = [(found.group(), found.start()) for found in re.finditer("[^ ]+", text.rstrip("\r\n"))]
    first_option = next((i for i, (token, _) in enumerate(tokens) if re.match(r"\w*=", token)), len(tokens))
    plain = tokens[: min(first_option, len(FIELDS))]
    options = tokens[len(plain) :]
    line = _Line(text, plain, options[0][1] if options else len(text.rstrip()))
    (a, a_unknown), (b, b_unknown) = line.field(0, read_hands)
    trump = line.field(1, read_trump)
    attacker = line.field(2, read_attacker)
    table, taking = line.field(3, read_table)
    stock = line.field(4, read_stock) if len(plain) > 4 else ()
    discard = line.field(5, read_discard) if len(plain) > 5 else ()
    rules, bout = _parse_options(text, options)
    return dict(
        hands=(a, b),
        unknown=(a_unknown, b_unknown),
        trump=trump,
        attacker=attacker,
        table=table,
        taking=taking,
        stock=stock,
        discard=discard,
        rules=rules,
        **bout,
    )


def format_dpn(position: Layout) -> str:
    """Write a position in its canonical form.

    Parameters
    ----------
    position : Layout

    Returns
    -------
    str
        One line of ASCII.
    """
    hands = "/".join(
        _runs([*hand, *[None] * unknown]) for hand, unknown in zip(position.hands, position.unknown, strict=True)
    )
    pairs = (str(attack) if defence is None else f"{attack}:{defence}" for attack, defence in position.table)
    table = (",".join(pairs) or "-") + "*" * position.taking
    parts = [hands, position.trump or "-", position.attacker, table]
    if position.stock or position.discard:
        parts.append(_runs(position.stock))
    if position.discard:
        parts.append(_runs(position.discard))
    parts += [f"{key}={word}" for key, word in position.rules.to_options().items()]
    if position.shown:
        parts.append(f"shown={position.shown}")
    if position.bout_cap is not None:
        parts.append(f"cap={position.bout_cap}")
    if position.group is not None:
        parts.append(f"group={_runs(position.group)}")
    return " ".join(parts)


# ---------------------------------------------------------------------------------------------------- single fields
# Each takes the text of one field and raises CardError with the offset of the first wrong character.


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
    """Read cards and ``?n`` (n times None), with single commas between them as one likes, but always after ``?n``."""
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


# ---------------------------------------------------------------------------------------------------- the whole line


@dataclass(frozen=True, slots=True)
class _Line:
    """A line cut into its plain fields, each with its offset; `end` is where a missing field should have been."""

    text: str
    plain: list[tuple[str, int]]
    end: int

    def field(self, index: int, parse: Callable[[str], T]) -> T:
        """Read one field; an error in it becomes one in the whole text."""
        if index >= len(self.plain):
            raise DPNError("the field is missing", FIELDS[index], self.text, self.end)
        token, start = self.plain[index]
        try:
            return parse(token)
        except CardError as error:
            raise DPNError(error.reason, FIELDS[index], self.text, start + error.offset) from None


def _parse_options(text: str, tokens: list[tuple[str, int]]) -> tuple[Rules, dict[str, Any]]:
    """Read the options: the rules, and by their names the attributes of the position that are written so."""
    options: dict[str, str] = {}
    bout: dict[str, Any] = {}
    for token, start in tokens:
        key, equals, value = token.partition("=")
        if not equals:
            raise DPNError("only options of the form key=value were expected from here on", "OPTIONS", text, start)
        if key not in _OPTION_KEYS:
            reason = f"{quoted(key)} is not an option: choose among {', '.join(_OPTION_KEYS)}"
            raise DPNError(reason, "OPTIONS", text, start)
        if key in options:
            raise DPNError(f"{key} is given twice", "OPTIONS", text, start)
        options[key] = value
        value_start = start + len(key) + 1
        try:
            if key in BOUT_KEYS:
                bout["bout_cap" if key == "cap" else key] = _parse_bout_option(key, value)
            else:
                Rules.from_options({key: value})
        except CardError as error:
            raise DPNError(error.reason, "OPTIONS", text, value_start + error.offset) from None
        except ValueError as error:
            raise DPNError(str(error), "OPTIONS", text, value_start) from None
    try:
        return Rules.from_options({key: value for key, value in options.items() if key not in BOUT_KEYS}), bout
    except ValueError as error:  # each is allowed, but not together
        offset = next((start for token, start in tokens if str(error).startswith(token)), tokens[0][1])
        raise DPNError(str(error), "OPTIONS", text, offset) from None


def _parse_bout_option(key: str, value: str) -> object:
    if key == "group":
        return read_group(value)
    if key == "cap":
        if not re.fullmatch("[1-9][0-9]?", value):
            raise ValueError(f"cap={quoted(value)} is not allowed: a number of cards from 1 to 99 was expected")
        return int(value)
    if value not in SHOWN:
        raise ValueError(f"shown={quoted(value)} is not allowed: choose one of {', '.join(SHOWN)}")
    return value


def _runs(items: Iterable[Card | None]) -> str:
    """Write cards, with ``?n`` for n unknown ones in a row; a comma stands on either side of that."""
    runs = [list(run) for _, run in groupby(items, key=lambda item: item is None)]
    return ",".join(f"?{len(run)}" if run[0] is None else "".join(map(str, run)) for run in runs) or "-"
