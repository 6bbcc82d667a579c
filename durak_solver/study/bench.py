"""Frozen suites of positions, solved to see how fast that goes and how many nodes it takes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from durak_solver.engine.engine import Engine
from durak_solver.position import Position

SUFFIX: Final = ".dpn"
"""How the names of files of positions end."""

_HOMES: Final = (Path(), Path(__file__).parents[2], Path(__file__).parents[1])


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What solving a suite took.

    Attributes
    ----------
    name : str
    nodes : tuple of int
        Game states searched, for each position.
    seconds : tuple of float
        Time it took, for each position.
    unsolved : int
        Positions that a limit cut off.
    interrupted : bool
        Whether Ctrl-C ended the suite early; the positions after that are missing.
    """

    name: str
    nodes: tuple[int, ...]
    seconds: tuple[float, ...]
    unsolved: int
    interrupted: bool = False

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

    def milliseconds(self, share: float) -> float:
        """Return the time within which a share of the positions was solved.

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


def signature(results: Sequence[SuiteResult]) -> int | None:
    """Return the nodes of all suites together: equal on every machine, and changed by every change of the search.

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
    return sum(sum(result.nodes) for result in results)


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
    """Return the names of the suites in a folder, small ones first.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    list of str
    """

    def size(name: str) -> tuple[bool, int, str]:
        a, _, b = name.partition("v")
        numbers = a.isdecimal() and b.isdecimal()
        return not numbers, int(a) + int(b) if numbers else 0, name

    return sorted((path.stem for path in folder.glob("*" + SUFFIX)), key=size)


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
    positions = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                positions.append(Position.from_dpn(line))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
    if not positions:
        raise ValueError(f"there is no position in {path}")
    return positions


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
    nodes: list[int] = []
    times: list[float] = []
    unsolved, interrupted = 0, False
    for number, position in enumerate(positions, 1):
        try:
            engine.clear()
            solution = engine.solve(position, seconds=seconds)
        except KeyboardInterrupt:
            interrupted = True
        except ValueError as error:
            raise ValueError(f"suite {name}, position {number} ({position}): {error}") from None
        if interrupted or solution.stopped == "interrupt":
            return SuiteResult(name, tuple(nodes), tuple(times), unsolved, interrupted=True)
        nodes.append(solution.nodes)
        times.append(solution.seconds)
        unsolved += not solution.exact
        if on_progress is not None:
            on_progress(number)
    return SuiteResult(name, tuple(nodes), tuple(times), unsolved)
