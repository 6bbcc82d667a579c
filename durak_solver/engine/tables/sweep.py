"""The work on one endings table, in pieces that threads share, and sweep by sweep where one pass is not enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

from durak_solver._core.endings import Endings

_CHUNK: Final = 2**16  # positions: a multiple of four, and some hundredths of a second's work


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work on one table has come.

    Attributes
    ----------
    cards : int
    done : int
        Positions worked out or checked so far.
    count : int
        Of how many.
    fresh : int
        How many of those done were done in this run.
    seconds : float
        How long this run has worked on the table, or on this sweep.
    sweep : int
        Which sweep over the table this is, from one up; 0 where one is enough.
    """

    cards: int
    done: int
    count: int
    fresh: int
    seconds: float
    sweep: int = 0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take; None if there is nothing to go by."""
        return self.seconds / self.fresh * (self.count - self.done) if self.fresh else None


OnProgress = Callable[[Progress], None]
Chunk = tuple[int, int, int, int]  # the leader's cards, the first number, how many numbers, and how many came before


def chunks(endings: Endings, cards: int, skipped: int) -> Iterator[Chunk | None]:
    """Yield the work on a table in pieces; None where all before must be done first.

    Parameters
    ----------
    endings : Endings
    cards : int
    skipped : int
        How many positions are done already.

    Yields
    ------
    tuple of int or None
    """
    before = 0
    for leaders in range(1, cards):
        count = endings.count(cards, leaders)
        for first in range(0, count, _CHUNK):
            run = min(_CHUNK, count - first)
            if before + run > skipped:
                yield leaders, first, run, before
            before += run
        yield None


def run_in_order(
    pool: ThreadPoolExecutor,
    jobs: int,
    work: Callable[[Chunk], None],
    todo: Iterator[Chunk | None],
    *,
    stop: Callable[[], bool],
    on_done: Callable[[int], None],
) -> None:
    """Do pieces of work side by side, and say how many positions are done whenever all before them are, too.

    Parameters
    ----------
    pool : ThreadPoolExecutor
    jobs : int
        Its threads.
    work : callable
        Called with each piece.
    todo : iterator
        As `runs` gives it.
    stop : callable
        Asked before each piece; no more are begun once it returns true.
    on_done : callable
        Called with the number of positions.
    """
    waiting: list[tuple[Future[None], int]] = []

    def finish_first() -> None:
        future, done = waiting[0]
        future.result()
        waiting.pop(0)
        on_done(done)

    try:
        for run in todo:
            if stop():
                break
            if run is not None:
                waiting.append((pool.submit(work, run), run[2] + run[3]))
            while waiting and (run is None or len(waiting) > 2 * jobs):
                finish_first()
        while waiting:
            finish_first()
    finally:  # whatever happens, no thread works on when its table is closed
        wait([future for future, _ in waiting])


def sweep_all(
    endings: Endings,
    cards: int,
    values: memoryview,
    pool: ThreadPoolExecutor,
    jobs: int,
    *,
    on_progress: OnProgress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Work out a table of a game that can go round for ever, from the beginning.

    Parameters
    ----------
    endings : Endings
        With the values of all smaller tables attached. Those worked out are attached, too.
    cards : int
    values : memoryview
        Where they are written.
    pool : ThreadPoolExecutor
    jobs : int
        Its threads.
    on_progress : callable, optional
    stop : callable, optional

    Returns
    -------
    bool
        False if it was stopped.
    """
    values[:] = endings.blank(cards)
    endings.attach(cards, values)
    count = sum(endings.count(cards, leaders) for leaders in range(1, cards))
    sweep = 0
    while True:
        sweep += 1
        done, changes, began = 0, [0], time.monotonic()

        def improve(run: Chunk, changes: list[int] = changes) -> None:
            leaders, first, number, _ = run
            start = endings.section(cards, leaders) + first // 4
            changes.append(endings.sweep(cards, leaders, first, number, values[start : start + (number + 3) // 4]))

        def on_done(number: int, sweep: int = sweep, began: float = began) -> None:
            nonlocal done
            done = number
            if on_progress is not None:
                on_progress(Progress(cards, done, count, done, time.monotonic() - began, sweep))

        run_in_order(pool, jobs, improve, chunks(endings, cards, 0), stop=stop, on_done=on_done)
        if done < count or not sum(changes):
            return done == count
