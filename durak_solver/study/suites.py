"""The frozen suites of the bench: files of positions, and what their names say."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from durak_solver.game.position import Position
from durak_solver.model.messages import os_reason
from durak_solver.study.position_files import SUFFIX, read_lines

SECONDS: Final = {
    "10v10": 10.0,
    "14v4": 10.0,
    "4v14": 10.0,
    "12v12": 60.0,
    "6v18": 60.0,
    "18v6": 60.0,
    "18v18": 60.0,
    "perevodnoy-8v8": 10.0,
}
"""Seconds for each position of the long suites, which are run only when they are asked for."""

OTHER_RULES: Final = ("perevodnoy", "japanese", "deck52", "deck54")
"""How the names of suites begin that are played by other rules, ``perevodnoy-6v6`` say; not run unless asked for."""

_HOMES: Final = (Path(), Path(__file__).parents[2], Path(__file__).parents[1])


def find_suites(folder: Path | None = None) -> Path:
    """Return the folder of the suites; ValueError if there is none.

    If none is named: ``positions/bench`` in the current folder, beside the package (in a checkout) or inside it
    (installed).
    """
    places = [folder] if folder else [home / "positions" / "bench" for home in _HOMES]
    for place in places:
        if place.is_dir() and any(place.glob("*" + SUFFIX)):
            return place
    if folder:
        raise ValueError(f"there are no suites (files named *{SUFFIX}) in {folder}")
    raise ValueError("there are no suites here: run this in a checkout, or name the folder that holds positions/bench")


def suite_names(folder: Path) -> list[str]:
    """Return the names of the suites in a folder: hands in numbers, those of other rules, all else, hidden cards.

    Among these, small ones come before large ones.
    """

    def place(name: str) -> tuple[int, int, str]:
        kind, _, size = name.rpartition("-")
        a, _, b = size.partition("v")
        if kind == "hidden" and size.isdecimal():
            return len(OTHER_RULES) + 2, int(size), name
        if a.isdecimal() and b.isdecimal() and kind in ("", *OTHER_RULES):
            return ("", *OTHER_RULES).index(kind), int(a) + int(b), name
        return len(OTHER_RULES) + 1, 0, name

    return sorted((path.stem for path in folder.glob("*" + SUFFIX)), key=place)


def read_suite(folder: Path, name: str) -> list[Position]:
    """Read a suite; ValueError if that cannot be done, which names file and line."""
    names = suite_names(folder)
    if name not in names:
        raise ValueError(f"there is no suite {name!r} in {folder}: choose among {', '.join(names)}")
    path = folder / (name + SUFFIX)
    try:
        file = path.open("rb")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {os_reason(error)}") from None
    positions = []
    for line in read_lines(file):
        try:
            if isinstance(line.text, ValueError):
                raise line.text
            positions.append(Position.from_dpn(line.text))
        except ValueError as error:
            raise ValueError(f"{path}, line {line.number}: {error}") from None
    if not positions:
        raise ValueError(f"there is no position in {path}")
    return positions


def default_names(folder: Path) -> list[str]:
    """Return the names of the suites that are run if none is named; ValueError if there are none.

    The long ones and those of other rules are run only when named.
    """
    names = [name for name in suite_names(folder) if name not in SECONDS and not has_other_rules(name)]
    if not names:
        raise ValueError(
            f"all suites in {folder} are long ones or of other rules, which are run only when named, or with --all"
        )
    return names


def has_other_rules(name: str) -> bool:
    """Tell from its name whether a suite is played by other rules than podkidnoy with 36 cards."""
    return name.rpartition("-")[0] in OTHER_RULES


def digest(positions: Sequence[Position]) -> str:
    """Return a short text that differs between suites of different positions."""
    return hashlib.sha256("\n".join(map(str, positions)).encode()).hexdigest()[:16]


def is_hidden(positions: Sequence[Position]) -> bool:
    """Tell whether cards are hidden in the first position of a suite; the others are taken for the same kind."""
    return positions[0].is_legal and positions[0].deduced() is None
