"""Frozen suites of positions, solved to see how fast that goes and how many nodes it takes."""

from __future__ import annotations

import hashlib
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.engine.results import Estimate, Solution
from durak_solver.game.position import Position
from durak_solver.model.messages import os_reason
from durak_solver.study.position_files import SUFFIX, read_lines

WORLDS: Final = 160
"""Deals drawn for each position with hidden cards."""

OPEN_NODES: Final = 100_000
"""Limit of the search of one of them with open cards: enough for most with two cards in the stock, for none with 24."""

LIMITS: Final = {
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


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What solving a suite took.

    Attributes
    ----------
    name : str
    nodes : tuple of int
        Game states whose moves were searched, for each position; if it was cut off, until then.
    seconds : tuple of float
        Time it took, for each position.
    solved : tuple of bool
        Whether no limit cut it off, for each position.
    interrupted : bool
        Whether Ctrl-C ended the suite early; the positions after that are missing.
    limit : float or None
        Seconds that each position was allowed.
    digest : str
        Differs between suites of different positions.
    values : tuple of (str or None)
        What each position is worth to the side to move, with the straps; None where it was not solved. Empty where no
        values are kept: for hidden cards, and in records that lack them.
    """

    name: str
    nodes: tuple[int, ...]
    seconds: tuple[float, ...]
    solved: tuple[bool, ...]
    interrupted: bool = False
    limit: float | None = None
    digest: str = ""
    values: tuple[str | None, ...] = ()

    @property
    def unsolved(self) -> int:
        """Positions that a limit cut off."""
        return self.solved.count(False)

    @property
    def solved_share(self) -> float:
        """Share of the positions that were solved, from 0 to 1."""
        return statistics.fmean(self.solved)

    @property
    def nodes_per_second(self) -> float:
        """Speed of the whole suite."""
        return sum(self.nodes) / max(sum(self.seconds), 1e-9)

    @property
    def mean_nodes(self) -> float:
        """Mean number of nodes of a position."""
        return statistics.fmean(self.nodes)

    @property
    def median_nodes(self) -> float:
        """Median number of nodes of a position."""
        return statistics.median(self.nodes)

    @property
    def mean_milliseconds(self) -> float:
        """Mean time of a position."""
        return 1000 * statistics.fmean(self.seconds)

    def milliseconds(self, share: float) -> float:
        """Return the time within which a share of the positions was done.

        Parameters
        ----------
        share : float
            0.5 for the median, 1 for the slowest.

        Returns
        -------
        float
            The nearest rank: a time that was measured, in milliseconds.
        """
        return 1000 * sorted(self.seconds)[math.ceil(share * len(self.seconds)) - 1]


@dataclass(frozen=True, slots=True)
class HiddenResult(SuiteResult):
    """What estimating a suite of positions with hidden cards took.

    Nodes and seconds are those of the estimates; a position is unsolved if a limit of time cut off its estimate or its
    open deal.

    Attributes
    ----------
    worlds : tuple of int
        Deals valued, for each position.
    exact_shares : tuple of float
        Share of the values that are exact for their deal, for each position.
    open_nodes : tuple of int
        Game states searched in the first deal with open cards, for each position.
    open_solved : int
        Open deals that were solved within `OPEN_NODES`.
    """

    # After an attribute with a default value they need one too.
    worlds: tuple[int, ...] = ()
    exact_shares: tuple[float, ...] = ()
    open_nodes: tuple[int, ...] = ()
    open_solved: int = 0

    @property
    def worlds_per_second(self) -> float:
        """Deals valued in a second, in the whole suite."""
        return sum(self.worlds) / max(sum(self.seconds), 1e-9)


def signature(results: Sequence[SuiteResult]) -> int | None:
    """Return the nodes of all suites together: equal on every machine, and changed by every change of the search.

    The nodes of open deals count too.

    Parameters
    ----------
    results : sequence of SuiteResult

    Returns
    -------
    int or None
        None if positions were cut off or are missing, which makes the number one of chance.
    """
    if any(result.unsolved or result.interrupted for result in results):
        return None
    return sum(
        sum(result.nodes) + (sum(result.open_nodes) if isinstance(result, HiddenResult) else 0) for result in results
    )


def find_suites(folder: Path | None = None) -> Path:
    """Find the folder of the suites.

    Parameters
    ----------
    folder : Path, optional
        Where they are; if not given, ``positions/bench`` in the current folder, beside the package (in a checkout) or
        inside it (installed).

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        If there is none.
    """
    places = [folder] if folder else [home / "positions" / "bench" for home in _HOMES]
    for place in places:
        if place.is_dir() and any(place.glob("*" + SUFFIX)):
            return place
    if folder:
        raise ValueError(f"there are no suites (files named *{SUFFIX}) in {folder}")
    raise ValueError("there are no suites here: run this in a checkout, or name the folder that holds positions/bench")


def suite_names(folder: Path) -> list[str]:
    """Return the names of the suites in a folder: hands in numbers first, hidden cards last, small ones before large.

    Those of other rules follow the hands in numbers.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    list of str
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
    """Read a suite: one position in each line, blank lines and comments aside.

    Parameters
    ----------
    folder : Path
    name : str

    Returns
    -------
    list of Position

    Raises
    ------
    ValueError
        If there is no such suite, or it cannot be read; the message names file and line.
    """
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
    """Return the names of the suites that are run if none is named: all but the long ones and those of other rules.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If there are no others.
    """
    names = [name for name in suite_names(folder) if name not in LIMITS and not has_other_rules(name)]
    if not names:
        raise ValueError(
            f"all suites in {folder} are long ones or of other rules, which are run only when named, or with --all"
        )
    return names


def has_other_rules(name: str) -> bool:
    """Tell from its name whether a suite is played by other rules than podkidnoy with 36 cards.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool
    """
    return name.rpartition("-")[0] in OTHER_RULES


def digest(positions: Sequence[Position]) -> str:
    """Return a short text that differs between suites of different positions.

    Parameters
    ----------
    positions : sequence of Position

    Returns
    -------
    str
    """
    return hashlib.sha256("\n".join(map(str, positions)).encode()).hexdigest()[:16]


def is_hidden(positions: Sequence[Position]) -> bool:
    """Tell whether a suite is one of hidden cards.

    Parameters
    ----------
    positions : sequence of Position

    Returns
    -------
    bool
        Whether it is in its first position; all others are taken for the same kind.
    """
    return positions[0].is_legal and positions[0].deduced() is None


def run_suite(
    name: str,
    positions: Sequence[Position],
    engine: Engine,
    *,
    seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> SuiteResult:
    """Solve a suite, each position from an empty table, so that its nodes do not depend on the others.

    Parameters
    ----------
    name : str
    positions : sequence of Position
    engine : Engine
    seconds : float, optional
        Limit for each position.
    on_progress : callable, optional
        Called with the number of positions done.

    Returns
    -------
    SuiteResult

    Raises
    ------
    ValueError
        If a position cannot be solved; the message names suite and position.
    """
    done: list[Solution] = []

    def result(interrupted: bool) -> SuiteResult:
        return SuiteResult(
            name,
            nodes=tuple(solution.nodes for solution in done),
            seconds=tuple(solution.seconds for solution in done),
            solved=tuple(solution.exact for solution in done),
            interrupted=interrupted,
            limit=seconds,
            digest=digest(positions),
            values=tuple(solution.worth if solution.exact else None for solution in done),
        )

    for number, position in enumerate(positions, 1):
        try:
            engine.clear()
            solution = engine.solve(position, seconds=seconds)
        except KeyboardInterrupt:
            return result(interrupted=True)
        except ValueError as error:
            raise ValueError(f"suite {name}, position {number} ({position}): {error}") from None
        if solution.stopped == "interrupt":
            return result(interrupted=True)
        done.append(solution)
        if on_progress is not None:
            on_progress(number)
    return result(interrupted=False)


def run_hidden_suite(
    name: str,
    positions: Sequence[Position],
    engine: Engine,
    *,
    seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> HiddenResult:
    """Estimate the positions of a suite, and solve the first deal of each with open cards.

    Parameters
    ----------
    name : str
    positions : sequence of Position
    engine : Engine
    seconds : float, optional
        Limit for each estimate, and for each open deal.
    on_progress : callable, optional
        Called with the number of positions done.

    Returns
    -------
    HiddenResult

    Raises
    ------
    ValueError
        If a position cannot be estimated, or nothing is hidden in it; the message names suite and position.
    """
    done: list[tuple[Estimate, Solution]] = []

    def result(interrupted: bool) -> HiddenResult:
        return HiddenResult(
            name,
            nodes=tuple(estimate.nodes for estimate, _ in done),
            seconds=tuple(estimate.seconds for estimate, _ in done),
            solved=tuple("seconds" not in (estimate.stopped, solution.stopped) for estimate, solution in done),
            interrupted=interrupted,
            limit=seconds,
            digest=digest(positions),
            worlds=tuple(estimate.worlds for estimate, _ in done),
            exact_shares=tuple(estimate.exact_share for estimate, _ in done),
            open_nodes=tuple(solution.nodes for _, solution in done),
            open_solved=sum(solution.exact for _, solution in done),
        )

    for number, position in enumerate(positions, 1):
        try:
            estimate, solution = _estimated(position, engine, seconds)
        except KeyboardInterrupt:
            return result(interrupted=True)
        except ValueError as error:
            raise ValueError(f"suite {name}, position {number} ({position}): {error}") from None
        if "interrupt" in (estimate.stopped, solution.stopped):
            return result(interrupted=True)
        done.append((estimate, solution))
        if on_progress is not None:
            on_progress(number)
    return result(interrupted=False)


def _estimated(position: Position, engine: Engine, seconds: float | None) -> tuple[Estimate, Solution]:
    """Estimate a position, and solve the first of its deals with open cards, within the limit of nodes."""
    estimate = engine.estimate(position, samples=WORLDS, seconds=seconds, seed=0)
    if not isinstance(estimate, Estimate):
        raise ValueError("nothing is hidden here, while the suite is one of hidden cards")
    worlds = Sampler(position)
    engine.clear()
    return estimate, engine.solve(worlds.opened(worlds.sample(0, 0, 1)), nodes=OPEN_NODES, seconds=seconds)
