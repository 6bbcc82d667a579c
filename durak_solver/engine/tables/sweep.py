"""Threads and repeated passes for building or checking one endings table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

from durak_solver._core.endings import Endings
from durak_solver.engine.tables.files import positions

_CHUNK: Final = 2**16  # positions: a multiple of four, and some hundredths of a second's work


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work on one table has come.

    Attributes
    ----------
    done
        Positions worked out or checked so far.
    count
        Of how many.
    fresh
        How many of those done were done in this run.
    seconds
        How long this run has worked on the table, or on this sweep.
    sweep
        Number of the sweep over the table, from 1; 0 where one is enough.
    """

    cards: int
    done: int
    count: int
    fresh: int
    seconds: float
    sweep: int = 0

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the time for the rest; None before anything is done."""
        return self.seconds / self.fresh * (self.count - self.done) if self.fresh else None


OnProgress = Callable[[Progress], None]
Chunk = tuple[int, int, int, int]  # the leader's cards, the first number, how many numbers, and how many came before


def chunks(endings: Endings, cards: int, done: int) -> Iterator[Chunk | None]:
    """Yield the work on a table in pieces, from the first position that is not done already.

    None stands where all pieces before must be done before the next one is begun.
    """
    before = 0
    for leaders in range(1, cards):
        count = endings.count(cards, leaders)
        for first in range(0, count, _CHUNK):
            size = min(_CHUNK, count - first)
            if before + size > done:
                yield leaders, first, size, before
            before += size
        yield None


def place(endings: Endings, cards: int, chunk: Chunk) -> slice:
    """Return where the values of a piece stand in a table, four in a byte."""
    leaders, first, count, _ = chunk
    start = endings.section(cards, leaders) + first // 4
    return slice(start, start + (count + 3) // 4)


def run_in_order(
    pool: ThreadPoolExecutor,
    jobs: int,
    work: Callable[[Chunk], None],
    todo: Iterator[Chunk | None],
    *,
    stop: Callable[[], bool],
    on_done: Callable[[int], None],
) -> None:
    """Do pieces of work side by side, and report them in their order.

    Parameters
    ----------
    jobs
        Threads of the pool.
    todo
        As `chunks` gives it.
    stop
        Asked before each piece; no more are begun once it returns true.
    on_done
        Called with the number of positions that are done, all before them included.
    """
    waiting: list[tuple[Future[None], int]] = []

    def finish_first() -> None:
        future, done = waiting[0]
        future.result()
        waiting.pop(0)
        on_done(done)

    try:
        for chunk in todo:
            if stop():
                break
            if chunk is not None:
                waiting.append((pool.submit(work, chunk), chunk[2] + chunk[3]))
            while waiting and (chunk is None or len(waiting) > 2 * jobs):
                finish_first()
        while waiting:
            finish_first()
    finally:  # whatever happens, no thread goes on working when its table is closed
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
    """Work out a table of a game that can go round for ever, from the beginning; False if it was stopped.

    Parameters
    ----------
    endings
        With the values of all smaller tables attached. Those worked out are attached, too.
    values
        Where they are written.
    jobs
        Threads of the pool.
    """
    values[:] = endings.blank(cards)
    endings.attach(cards, values)
    count = positions(endings, cards)
    sweep = 0
    while True:
        sweep += 1
        done, changes, began = 0, [0], time.monotonic()

        def improve(chunk: Chunk, changes: list[int] = changes) -> None:
            leaders, first, number, _ = chunk
            changes.append(endings.sweep(cards, leaders, first, number, values[place(endings, cards, chunk)]))

        def on_done(number: int, sweep: int = sweep, began: float = began) -> None:
            nonlocal done
            done = number
            if on_progress is not None:
                on_progress(Progress(cards, done, count, done, time.monotonic() - began, sweep))

        run_in_order(pool, jobs, improve, chunks(endings, cards, 0), stop=stop, on_done=on_done)
        if done < count or not sum(changes):
            return done == count
