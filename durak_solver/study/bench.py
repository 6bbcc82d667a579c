"""Suites of positions, solved to see how fast that goes and how many nodes it takes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.engine.results import Solution
from durak_solver.game.position import Position
from durak_solver.study.suites import digest

R = TypeVar("R")

WORLDS: Final = 160
"""Deals drawn for each position with hidden cards."""

OPEN_NODES: Final = 100_000
"""Limit of the search of one of them with open cards: enough for most with two cards in the stock, for none with 24."""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What solving a suite took.

    Attributes
    ----------
    nodes
        Game states whose moves were searched, for each position; if it was cut off, until then.
    seconds
        Time it took, for each position.
    solved
        Whether no limit cut it off, for each position.
    interrupted
        Whether Ctrl-C ended the suite early; the positions after that are missing.
    limit
        Seconds that each position was allowed.
    digest
        Differs between suites of different positions.
    values
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
        """Return the time within which a share of the positions was done: 0.5 for the median, 1 for the slowest.

        It is the nearest rank: a time that was measured, in milliseconds.
        """
        return 1000 * sorted(self.seconds)[math.ceil(share * len(self.seconds)) - 1]


@dataclass(frozen=True, slots=True)
class HiddenResult(SuiteResult):
    """What estimating a suite of positions with hidden cards took.

    Nodes and seconds are those of the estimates; a position is unsolved if a limit of time cut off its estimate or its
    open deal.

    Attributes
    ----------
    worlds
        Deals valued, for each position.
    exact_shares
        Share of the values that are exact for their deal, for each position.
    open_nodes
        Game states searched in the first deal with open cards, for each position.
    open_solved
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

    The nodes of open deals count too. None if positions were cut off or are missing: then the number depends on the
    machine.
    """
    if any(result.unsolved or result.interrupted for result in results):
        return None
    return sum(
        sum(result.nodes) + (sum(result.open_nodes) if isinstance(result, HiddenResult) else 0) for result in results
    )


def run_suite(
    name: str,
    positions: Sequence[Position],
    engine: Engine,
    *,
    seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> SuiteResult:
    """Solve a suite, each position from an empty table, so that its nodes do not depend on the others.

    The limit of time is for each position. Progress is the number of positions done.

    Raises
    ------
    ValueError
        If a position cannot be solved; the message names suite and position.
    """

    def solved(position: Position) -> Solution | None:
        engine.clear()
        solution = engine.solve(position, seconds=seconds)
        return None if solution.stopped == "interrupt" else solution

    done = _done(name, positions, solved, on_progress)
    return SuiteResult(
        name,
        nodes=tuple(solution.nodes for solution in done),
        seconds=tuple(solution.seconds for solution in done),
        solved=tuple(solution.exact for solution in done),
        interrupted=len(done) < len(positions),
        limit=seconds,
        digest=digest(positions),
        values=tuple(solution.worth if solution.exact else None for solution in done),
    )


def run_hidden_suite(
    name: str,
    positions: Sequence[Position],
    engine: Engine,
    *,
    seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> HiddenResult:
    """Estimate the positions of a suite, and solve the first deal of each with open cards.

    The limit of time is for each estimate and each open deal. Progress is the number of positions done.

    Raises
    ------
    ValueError
        If a position cannot be estimated, or nothing is hidden in it; the message names suite and position.
    """

    def estimated(position: Position) -> tuple[Estimate, Solution] | None:
        estimate = engine.estimate(position, samples=WORLDS, seconds=seconds, seed=0)
        if not isinstance(estimate, Estimate):
            raise ValueError("nothing is hidden here, while the suite is one of hidden cards")
        worlds = Sampler(position)
        engine.clear()
        solution = engine.solve(worlds.fill_in(worlds.sample(0, 0, 1)), nodes=OPEN_NODES, seconds=seconds)
        return None if "interrupt" in (estimate.stopped, solution.stopped) else (estimate, solution)

    done = _done(name, positions, estimated, on_progress)
    return HiddenResult(
        name,
        nodes=tuple(estimate.nodes for estimate, _ in done),
        seconds=tuple(estimate.seconds for estimate, _ in done),
        solved=tuple("seconds" not in (estimate.stopped, solution.stopped) for estimate, solution in done),
        interrupted=len(done) < len(positions),
        limit=seconds,
        digest=digest(positions),
        worlds=tuple(estimate.worlds for estimate, _ in done),
        exact_shares=tuple(estimate.exact_share for estimate, _ in done),
        open_nodes=tuple(solution.nodes for _, solution in done),
        open_solved=sum(solution.exact for _, solution in done),
    )


def _done(
    name: str,
    positions: Sequence[Position],
    work: Callable[[Position], R | None],
    on_progress: Callable[[int], None] | None,
) -> list[R]:
    """Return the results of some work on each position; those before a Ctrl-C, after which the work returns None."""
    done: list[R] = []
    for number, position in enumerate(positions, 1):
        try:
            result = work(position)
        except KeyboardInterrupt:
            return done
        except ValueError as error:
            raise ValueError(f"suite {name}, position {number} ({position}): {error}") from None
        if result is None:
            return done
        done.append(result)
        if on_progress is not None:
            on_progress(number)
    return done
