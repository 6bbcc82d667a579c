"""`Tables`: values of endings that were solved in advance, and where their files are found."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, TypeVar

from durak_solver._core.endings import Endings
from durak_solver.engine.results import Value
from durak_solver.engine.tables.files import (
    MOST_CARDS,
    Header,
    TableError,
    core_rules,
    file_name,
    map_values,
    positions,
    read_header,
    rules_of,
    rules_text,
    untabled,
)
from durak_solver.game import core
from durak_solver.game.defects import IllegalPositionError
from durak_solver.game.position import Position
from durak_solver.model.rules import Rules

T = TypeVar("T")

SHIPPED: Final = Path(__file__).parents[2] / "tables"
"""Where the tables are that come with the package: up to eight cards, default rules."""

VARIABLE: Final = "DURAK_TABLES"
"""The environment variable that names a folder of tables."""


class NotCoveredError(ValueError):
    """The position is not in the tables; the message says why."""


def user_directory() -> Path:
    """Return the folder for the user's own tables.

    It is ``durak/tables`` in ``$XDG_DATA_HOME`` or ``~/.local/share``; under Windows in ``%LOCALAPPDATA%``.
    """
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME"
    fallback = ("AppData", "Local") if sys.platform == "win32" else (".local", "share")
    base = os.environ.get(name)
    return (Path(base) if base else Path.home().joinpath(*fallback)) / "durak" / "tables"


def chosen_directory() -> Path:
    """Return the folder that `DURAK_TABLES` names, or else the user's; it need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else user_directory()


class Tables:
    """Values of bout starts with few live cards, looked up in files.

    The files are opened when they are first needed. Those in the folder come first, then those that come with the
    package. Objects may be shared by engines and threads.

    Parameters
    ----------
    path
        A folder of tables. If not given: the one that the environment variable ``DURAK_TABLES`` names, or else
        ``~/.local/share/durak/tables`` (see `user_directory`), which need not exist.

    Raises
    ------
    TableError
        If the folder that was given does not exist.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.directory = chosen_directory() if path is None else Path(path)
        if path is not None and not self.directory.is_dir():
            raise TableError(f"there is no folder {self.directory}, where endings tables were to be found")
        self._endings: dict[str, Endings | None] = {}

    def __repr__(self) -> str:
        return f"Tables({str(self.directory)!r})"

    def files(self, rules: Rules) -> list[Path]:
        """Return the files that hold values under some rules, one for each number of cards."""
        found = []
        for cards in range(2, MOST_CARDS + 1):
            places = [folder / file_name(rules, cards) for folder in (self.directory, SHIPPED)]
            found += [path for path in places if path.is_file()][:1]
        return found

    def endings(self, rules: Rules) -> Endings | None:
        """Return what the core looks values up in, for games with a trump suit; None if there are no values.

        Raises
        ------
        TableError
            If a file is broken, or the folder that `DURAK_TABLES` names does not exist.
        """
        if untabled(rules):
            return None
        key = rules_text(rules)
        if key not in self._endings:
            if str(self.directory) == os.environ.get(VARIABLE) and not self.directory.is_dir():
                raise TableError(f"{VARIABLE}: there is no folder {self.directory}")
            files = self.files(rules)
            self._endings[key] = open_files(files, rules) if files else None
        return self._endings[key]

    def largest(self, rules: Rules) -> int:
        """Return the most live cards for which there are values under some rules; 0 if there are none."""
        endings = self.endings(rules)
        return endings.largest if endings is not None else 0

    def probe(self, position: Position) -> Value:
        """Look up the value of a bout start for the side to move.

        Raises
        ------
        IllegalPositionError
            If the position has defects, or the game is over.
        NotCoveredError
            If the tables do not hold it, such as a position inside a bout; the message says why.
        TableError
            If a file is broken.
        """
        defects = position.status()
        if defects:
            raise IllegalPositionError(defects)
        known = position.deduced()
        if known is None:
            raise NotCoveredError("cards are hidden, and the tables hold open positions only")
        if known.stock:
            raise NotCoveredError("there is a stock, and the tables hold positions without one")
        if known.table:
            raise NotCoveredError("cards lie on the table, and the tables hold the starts of bouts")
        if known.trump is None:
            raise NotCoveredError("there is no trump suit, and the tables hold positions with one")
        cards = sum(map(len, known.hands))
        if cards > MOST_CARDS:
            raise NotCoveredError(f"{cards} cards are live, and the tables hold at most {MOST_CARDS}")
        return self._look_up(known, cards)

    def _look_up(self, position: Position, cards: int) -> Value:
        rules = position.rules
        endings = self.endings(rules)
        if endings is None:
            options = " ".join(untabled(rules))
            if options:
                raise NotCoveredError(f"{options} changes the game, and no table can be built for it")
            raise NotCoveredError(f"there is no table for {rules_text(rules)}")
        leader, other = (core.card_set(hand, position.trump) for hand in position.hands)
        if position.attacker == "b":
            leader, other = other, leader
        value = endings.probe(leader, other)
        if value is None:
            raise NotCoveredError(f"there is no table for {cards} cards (the largest is for {endings.largest})")
        return Value.from_bounds(value, value)

    def get(self, position: Position, default: T | None = None) -> Value | T | None:
        """Look up the value of a bout start as `probe` does; return `default` if the tables do not hold it."""
        try:
            return self.probe(position)
        except NotCoveredError:
            return default


def open_files(files: list[Path], rules: Rules) -> Endings:
    """Return the values in files, at most one for each number of cards; errors are those of `attach`."""
    endings = Endings(core_rules(rules))
    for path in files:
        attach(endings, path, rules)
    return endings


def tally(path: Path) -> tuple[Header, list[tuple[int, int, int]]]:
    """Return the header of a file, and how many positions are lost, drawn and won for 1, 2, ... cards of the leader."""
    header = read_header(path)
    endings = open_files([path], rules_of(header.rules))
    return header, [endings.tally(header.cards, leaders) for leaders in range(1, header.cards)]


def attach(endings: Endings, path: Path, rules: Rules) -> None:
    """Use the values in one more file; TableError if it is broken, or was built for other rules."""
    header = read_header(path)
    if header.rules != rules_text(rules):
        raise TableError(f"{path} was built for {header.rules}, not for {rules_text(rules)}")
    if path.name != file_name(rules, header.cards):
        raise TableError(f"{path} holds {header.cards} cards and should be called {file_name(rules, header.cards)}")
    count = positions(endings, header.cards)
    if (header.count, header.size) != (count, endings.section(header.cards, header.cards)) or header.done != count:
        raise TableError(f"{path} says that it holds {header.count:,} positions, and there are {count:,}")
    endings.attach(header.cards, map_values(path, header))
