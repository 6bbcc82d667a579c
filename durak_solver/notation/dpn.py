"""DPN, a position in one line: ``6s7dTh/6h8h9c h a -``.

The fields are HANDS TRUMP ATTACKER TABLE [STOCK] [DISCARD] [key=value ...]. Reading forgives spellings of cards and
order within a hand; everything else that does not fit is an error that points at the first wrong character.
`Position.build` takes the same fields as arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from typing import Any, Final, TypeVar

from durak_solver.model.layout import Layout
from durak_solver.model.messages import quoted, underlined
from durak_solver.model.rules import OPTION_KEYS, Rules
from durak_solver.notation import fields
from durak_solver.notation.cards import CardError
from durak_solver.notation.fields import format_items, format_pair
from durak_solver.notation.rules import option_words

FIELDS: Final = ("HANDS", "TRUMP", "ATTACKER", "TABLE", "STOCK", "DISCARD")
"""The fields before the options, in order; the last two may be left out."""

# What the table cannot show of a bout is written as an option too.
_BOUT_OPTIONS: Final[dict[str, Callable[[str], object]]] = {
    "shown": fields.read_shown,
    "cap": fields.read_cap,
    "group": fields.read_group,
}
BOUT_KEYS: Final = tuple(_BOUT_OPTIONS)
"""The options that belong to the position and not to its rules."""

_OPTION_KEYS: Final = (*OPTION_KEYS, *BOUT_KEYS)
_RULE_FIELDS: Final = tuple(field.name for field in fields_of(Rules))

T = TypeVar("T")


class DPNError(ValueError):
    """A text is not DPN.

    Attributes
    ----------
    reason
        What is wrong, in one clause.
    field
        The field at fault: one of `FIELDS`, or ``"OPTIONS"``.
    text
        The whole text.
    offset
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
    """Read a line as the fields of a position, which need not be a legal one.

    More than one space between fields, spaces around them and an end of line do not matter. DPNError points at the
    first character that does not fit.
    """
    tokens = [(found.group(), found.start()) for found in re.finditer("[^ ]+", text.rstrip("\r\n"))]
    first_option = next((i for i, (token, _) in enumerate(tokens) if re.match(r"\w*=", token)), len(tokens))
    plain = tokens[: min(first_option, len(FIELDS))]
    options = tokens[len(plain) :]
    line = _Line(text, plain, options[0][1] if options else len(text.rstrip()))
    (a, a_unknown), (b, b_unknown) = line.field(0, fields.read_hands)
    trump = line.field(1, fields.read_trump)
    attacker = line.field(2, fields.read_attacker)
    table, taking = line.field(3, fields.read_table)
    stock = line.field(4, fields.read_stock) if len(plain) > 4 else ()
    discard = line.field(5, fields.read_discard) if len(plain) > 5 else ()
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
    """Write a position in its canonical form: one line of ASCII."""
    hands = "/".join(
        format_items([*hand, *[None] * unknown]) for hand, unknown in zip(position.hands, position.unknown, strict=True)
    )
    table = (",".join(format_pair(*pair) for pair in position.table) or "-") + "*" * position.taking
    parts = [hands, position.trump or "-", position.attacker, table]
    if position.stock or position.discard:
        parts.append(format_items(position.stock))
    if position.discard:
        parts.append(format_items(position.discard))
    parts += option_words(position.rules.to_options())
    if position.shown:
        parts.append(f"shown={position.shown}")
    if position.bout_cap is not None:
        parts.append(f"cap={position.bout_cap}")
    if position.group is not None:
        parts.append(f"group={format_items(position.group)}")
    return " ".join(parts)


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
                bout["bout_cap" if key == "cap" else key] = _BOUT_OPTIONS[key](value)
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


def read_arguments(
    *,
    a: object,
    b: object,
    trump: object,
    attacker: object,
    table: object,
    taking: bool,
    stock: object,
    discard: object,
    rules: Rules | str | None,
    shown: str,
    bout_cap: int | None,
    group: object,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Read the arguments of `Position.build`; ValueError names the one that cannot be read."""
    a_cards, a_unknown = _argument("a", a, fields.read_hand)
    b_cards, b_unknown = _argument("b", b, fields.read_hand)
    pairs, star = _argument("table", table, fields.read_table)
    return {
        "hands": (a_cards, b_cards),
        "unknown": (a_unknown, b_unknown),
        "trump": _argument("trump", "" if trump is None else trump, fields.read_trump),
        "attacker": _argument("attacker", attacker, fields.read_attacker),
        "table": pairs,
        "taking": taking or star,
        "stock": _argument("stock", stock, fields.read_stock),
        "discard": _argument("discard", discard, fields.read_discard),
        "rules": _build_rules(rules, options),
        "shown": shown,
        "bout_cap": bout_cap,
        "group": None if group is None else _argument("group", group, fields.read_group),
    }


def _argument(name: str, value: object, parse: Callable[[str], T]) -> T:
    """Read one argument as the field of DPN that it is."""
    if not isinstance(value, str):
        if not isinstance(value, Iterable):
            raise ValueError(f"{name}: a text or several cards were expected, not {quoted(value)}")
        value = ",".join(map(_text, value))
    # Spaces are as good as commas, and mean nothing beside another sign.
    text = re.sub(r"\s+", ",", re.sub(r"\s*([,:*])\s*", r"\1", value.strip()))
    try:
        return parse(text or "-")
    except CardError as error:
        raise ValueError(f"{name}: {error}") from None


def _text(item: object) -> str:
    """Return one item of an argument as text: a card, None for an unknown one, a pair of the table."""
    if isinstance(item, tuple | list) and len(item) == 2:
        return format_pair(*item)
    return "?1" if item is None else str(item)


def _build_rules(rules: Rules | str | None, options: Mapping[str, Any]) -> Rules:
    unknown = [key for key in options if key not in _RULE_FIELDS]
    if unknown:
        raise ValueError(f"{unknown[0]} is neither a part of a position nor an option of the rules")
    if not isinstance(rules, Rules | str | None):
        raise ValueError(f"rules: rules or the name of a preset were expected, not {quoted(rules)}")
    base = Rules() if rules is None else Rules.preset(rules) if isinstance(rules, str) else rules
    return replace(base, **options)
