"""Positions from what people type into a call, one argument for each field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from durak_solver.model.messages import quoted
from durak_solver.model.rules import Rules
from durak_solver.notation import dpn
from durak_solver.notation.cards import CardError

_OPTION_KEYS: Final = tuple(field.name for field in fields(Rules))

T = TypeVar("T")


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
    """Make a position; see `Position.build`, whose arguments these are.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        If an argument cannot be read; the message names it.
    """
    a_cards, a_unknown = _argument("a", a, dpn.read_hand)
    b_cards, b_unknown = _argument("b", b, dpn.read_hand)
    pairs, star = _argument("table", table, dpn.read_table)
    return {
        "hands": (a_cards, b_cards),
        "unknown": (a_unknown, b_unknown),
        "trump": _argument("trump", "" if trump is None else trump, dpn.read_trump),
        "attacker": _argument("attacker", attacker, dpn.read_attacker),
        "table": pairs,
        "taking": taking or star,
        "stock": _argument("stock", stock, dpn.read_stock),
        "discard": _argument("discard", discard, dpn.read_discard),
        "rules": _rules(rules, options),
        "shown": shown,
        "bout_cap": bout_cap,
        "group": None if group is None else _argument("group", group, dpn.read_group),
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
        attack, defence = item
        return str(attack) if defence is None else f"{attack}:{defence}"
    return "?1" if item is None else str(item)


def _rules(rules: Rules | str | None, options: Mapping[str, Any]) -> Rules:
    unknown = [key for key in options if key not in _OPTION_KEYS]
    if unknown:
        raise ValueError(f"{unknown[0]} is neither a part of a position nor an option of the rules")
    if not isinstance(rules, Rules | str | None):
        raise ValueError(f"rules: rules or the name of a preset were expected, not {quoted(rules)}")
    base = Rules() if rules is None else Rules.preset(rules) if isinstance(rules, str) else rules
    return replace(base, **options)
