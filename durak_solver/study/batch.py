"""Many positions analysed side by side, the results handed back in the order of the texts.

No more than a window of lines is ahead of the result that is handed out next: a file may be longer than memory, and an
endless one is answered as it comes. So positions are begun in the order of the file, not the hardest first as in
`Engine.analyse_many`: else a hard one would keep back the results of all easy ones before it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, Self

from durak_solver.engine.engine import Engine
from durak_solver.engine.exact.many import EnginePool, Pending, table_share
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.results import Analysis
from durak_solver.game.position import Position

if TYPE_CHECKING:
    from durak_solver.engine.tables.lookup import Tables

# How many lines for each thread may be ahead of the result that is handed out next.
_WINDOW: Final = 64
# With how many earlier positions a new one is compared, because equal ones are solved once.
_REMEMBERED: Final = 4096


@dataclass(frozen=True, slots=True)
class Entry:
    """One text to be analysed.

    Attributes
    ----------
    line : int
        Its line in the file, counted from 1.
    content : Position, str or ValueError
        A position, the text of one, or what is wrong with the line already.
    end : int
        Where the line ends in the file, in bytes.
    """

    line: int
    content: Position | str | ValueError
    end: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an entry.

    Attributes
    ----------
    entry : Entry
    result : Analysis, Estimate or ValueError
        The analysis, the estimate if cards are hidden, or why there is neither.
    """

    entry: Entry
    result: Analysis | Estimate | ValueError


class Batch:
    """Threads with an engine each, which analyse what they are given until they are told to stop.

    A context manager: leaving it ends all searches.

    Parameters
    ----------
    jobs : int
        Number of threads.
    table_mb : float
        Size of all their tables together in MiB; see `durak_solver.engine.exact.many.table_share`.
    tables : bool, str, Path or Tables
        Endings tables, as for `Engine`.
    nodes, seconds : int or float, optional
        Limits for each position. With a limit of nodes each position begins with an empty table, so that what is found
        within the limit does not depend on the positions before it.
    method : str
        How moves are valued where cards are hidden.
    samples : int, optional
        How many deals to draw there at most; what suits the method if not given.
    seed : int
        What they are drawn from; the same for each position.
    threads : int
        How many threads value the deals of one position.
    distance : bool
        Whether it is also found how long the game lasts.
    on_progress : callable, optional
        Called, in the thread that searches, with what is known so far of a position.

    Raises
    ------
    ValueError
        If the size of the table is negative or not a number.
    MemoryError
        If there is not that much memory.
    """

    def __init__(
        self,
        jobs: int = 1,
        table_mb: float = 64,
        *,
        tables: bool | str | Path | Tables = True,
        nodes: int | None = None,
        seconds: float | None = None,
        method: str = "pimc",
        samples: int | None = None,
        seed: int = 0,
        threads: int = 1,
        distance: bool = False,
        on_progress: Callable[[Analysis | Estimate], None] | None = None,
    ) -> None:
        def work(engine: Engine, position: Position) -> Analysis | Estimate:
            if nodes is not None:
                engine.clear()
            return engine.estimate(
                position,
                method=method,
                samples=samples,
                nodes=nodes,
                seconds=seconds,
                seed=seed,
                jobs=threads,
                distance=distance,
                on_progress=on_progress,
            )

        size = table_share(table_mb, jobs, nodes)
        engines = [Engine(size, tables=tables) for _ in range(jobs)]
        self._pool = EnginePool(engines, work, _REMEMBERED)
        self._slots = threading.Semaphore(_WINDOW * jobs)
        self._asked: SimpleQueue[tuple[Entry, Pending[Analysis | Estimate] | ValueError] | None] = SimpleQueue()

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._slots.release()  # lets the feeding thread see the stop
        self._pool.__exit__()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._pool.stopped

    def run(self, entries: Iterable[Entry]) -> Iterator[Outcome]:
        """Analyse entries; to be called once.

        Parameters
        ----------
        entries : iterable of Entry
            Drawn from in a thread of its own, not far ahead of the outcomes.

        Yields
        ------
        Outcome
            For each entry, in order. After `stop`, for those that had been begun.
        """
        # A daemon, because nothing can end a thread that waits for a line from a terminal.
        threading.Thread(target=self._feed, args=(entries,), daemon=True).start()
        while (asked := self._asked.get()) is not None:
            entry, question = asked
            try:
                result = self._pool.answer(question) if isinstance(question, Pending) else question
            except ValueError as error:
                result = error
            self._slots.release()
            if result is not None:
                yield Outcome(entry, result)

    def stop(self) -> None:
        """End all searches; may be called from a signal handler."""
        self._pool.stop()
        self._asked.put(None)

    def _feed(self, entries: Iterable[Entry]) -> None:
        """Hand entries to the pool as long as there is room."""
        try:
            for entry in entries:
                self._slots.acquire()
                if self.stopped:
                    break
                self._asked.put((entry, self._ask(entry.content)))
        finally:
            self._asked.put(None)

    def _ask(self, content: Position | str | ValueError) -> Pending[Analysis | Estimate] | ValueError:
        if isinstance(content, ValueError):
            return content
        try:
            return self._pool.ask(content if isinstance(content, Position) else Position.from_dpn(content))
        except ValueError as error:
            return error
