"""Files of endings tables: the values of all bout starts with one number of live cards, under one set of rules.

A file is a header of 1,024 bytes and then the values, as docs/tables.md says. While it is being built it has another
first line and the ending ``.part``, so that it is never taken for a finished one.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import re
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from durak_solver._core.endings import MOST_CARDS as _MOST_CARDS
from durak_solver._core.endings import Endings
from durak_solver._core.state import RuleSet
from durak_solver.game import core
from durak_solver.model.messages import os_reason
from durak_solver.model.rules import Rules, option_word
from durak_solver.notation.rules import option_words, read_rules

MOST_CARDS: Final = _MOST_CARDS
"""Most live cards that a table can be built for."""

HEADER_BYTES: Final = 1024
VERSION: Final = 1
_WHOLE: Final = "durak endings table\n"
_PART: Final = "unfinished durak endings table\n"
# The options that matter; a header names the first ones always, the others where they are not the default.
_OPTIONS: Final = ("throw", "lead", "limit", "pursuit", "both")
_MORE_OPTIONS: Final = ("transfer", "show", "short", "lock", "overflow")
_HASHED_AT_ONCE: Final = 2**24


class TableError(ValueError):
    """A file of an endings table cannot be used; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself.

    Attributes
    ----------
    version
        Of the format.
    rules
        What `rules_text` gives.
    cards
        Live cards of all positions in it.
    count
        How many bout starts, each a class of equal ones.
    size
        Of the values, in bytes.
    blake2b
        Checksum of the values, 128 bits in hexadecimal digits; empty while they are being worked out.
    done
        How many bout starts have been worked out.
    """

    version: int
    rules: str
    cards: int
    count: int
    size: int
    blake2b: str
    done: int

    def to_bytes(self) -> bytes:
        """Return the header as it stands in a file."""
        text = (_WHOLE if self.blake2b else _PART) + json.dumps(asdict(self))
        return text.encode("ascii").ljust(HEADER_BYTES - 1) + b"\n"


def rules_text(rules: Rules) -> str:
    """Return the options that matter at a bout start with few cards and no stock; equal texts, equal values.

    `deck`, `hand` and `exchange` speak of the deal and of drawing. `first` counts while the discard is empty, which it
    is not: the smallest deck has 24 cards.
    """
    known, default = _that_matter(rules), Rules()
    more = (key for key in _MORE_OPTIONS if getattr(known, key) != getattr(default, key))
    return " ".join(option_words({key: option_word(key, getattr(known, key)) for key in (*_OPTIONS, *more)}))


def _that_matter(rules: Rules) -> Rules:
    """Return rules without the options that do not matter."""
    keys = [key for key in (*_OPTIONS, *_MORE_OPTIONS) if key != "short" or rules.transfer]
    return Rules(**{key: getattr(rules, key) for key in keys})


def rules_of(text: str) -> Rules:
    """Return rules that a text of `rules_text` stands for; ValueError if there are none."""
    rules = read_rules(text)
    if rules_text(rules) != text:
        raise ValueError("the options are not those of a table")
    return rules


def positions(endings: Endings, cards: int) -> int:
    """Return how many positions the table of a number of cards holds."""
    return sum(endings.count(cards, leaders) for leaders in range(1, cards))


def core_rules(rules: Rules) -> RuleSet:
    """Return rules as the core reads them, for the bout starts of a table: diamonds are trump, every rank may occur."""
    return core.rule_set(replace(rules, deck=52), "d")


def untabled(rules: Rules) -> list[str]:
    """Return the options, as ``key=value``, for which no table can be built.

    The index has no place for cards that count by name, but for a locked suit.
    """
    if rules.game != "durak":
        return ["rules=round"]
    return [option for option in rules.by_name() if option.partition("=")[0] != "lock"]


def file_name(rules: Rules, cards: int) -> str:
    """Return the name of a file by its number of cards, such as ``podkidnoy-10.durak`` or ``perevodnoy-07.durak``.

    Options that the preset does not set are named: ``podkidnoy-limit-5-pursuit-off-08.durak``.
    """
    options = _that_matter(rules).to_options()
    preset = options.pop("rules", "podkidnoy")
    return "-".join([preset, *(f"{key}-{word}" for key, word in options.items()), f"{cards:02}.durak"])


def read_header(path: Path, *, unfinished: bool = False) -> Header:
    """Read the header of a file and check that the rest is as long as it should be; TableError if it is not.

    `unfinished` files are those that are still being built.
    """
    try:
        with path.open("rb") as file:
            start = file.read(HEADER_BYTES)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise TableError(f"{path} cannot be read: {os_reason(error)}") from None
    first = (_PART if unfinished else _WHOLE).encode("ascii")
    if not start.startswith(first):
        what = "an unfinished" if start.startswith(_PART.encode("ascii")) else "not an"
        raise TableError(f"{path} is {what} endings table")
    if len(start) < HEADER_BYTES:
        raise TableError(f"{path} ends within its header")
    header = _header(path, start[len(first) :])
    if size != HEADER_BYTES + header.size:
        raise TableError(f"{path} has {size:,} bytes and should have {HEADER_BYTES + header.size:,}")
    return header


def _header(path: Path, text: bytes) -> Header:
    try:
        values: dict[str, Any] = json.loads(text)
        known = Header(**{field.name: values[field.name] for field in fields(Header)})
    except (ValueError, KeyError, TypeError):
        raise TableError(f"{path} has a header that cannot be read") from None
    if known.version != VERSION:
        raise TableError(f"{path} has version {known.version!r} of the format, and only {VERSION} is known")
    numbers = (known.cards, known.count, known.size, known.done)
    if not all(type(number) is int and number >= 0 for number in numbers) or not 2 <= known.cards <= MOST_CARDS:
        raise TableError(f"{path} has a header with numbers that cannot be right")
    try:
        rules_of(known.rules)
        if re.fullmatch("[0-9a-f]{32}|", known.blake2b) is None:
            raise ValueError
    except (ValueError, TypeError, AttributeError):
        raise TableError(f"{path} has a header that cannot be read") from None
    return known


def map_values(path: Path, header: Header) -> memoryview:
    """Return the values in a file, read from the disk as they are used; TableError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[HEADER_BYTES:]
    except (OSError, ValueError) as error:
        raise TableError(f"{path} cannot be read: {error}") from None


def checksum(values: memoryview) -> str:
    """Return the checksum of values, as a header has it."""
    digest = hashlib.blake2b(digest_size=16)
    for start in range(0, len(values), _HASHED_AT_ONCE):
        digest.update(values[start : start + _HASHED_AT_ONCE])
    return digest.hexdigest()
