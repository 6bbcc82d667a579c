"""Many positions analysed side by side, the results handed back in the order of the texts.

The search runs without the GIL, so threads with an engine each are enough. No more than a window of lines is ahead of
the result that is handed out next: a file may be longer than memory, and an endless one is answered as it comes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Final, Self

from durak_solver.engine.engine import Engine
from durak_solver.engine.results import Analysis, Estimate
from durak_solver.position import Position

# How many lines for each thread may be ahead of the result that is handed out next.
_WINDOW: Final = 64
_POLL_SECONDS: Final = 0.05


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
        Size of each engine's table in MiB.
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
        nodes: int | None = None,
        seconds: float | None = None,
        method: str = "pimc",
        samples: int | None = None,
        seed: int = 0,
        threads: int = 1,
        on_progress: Callable[[Analysis | Estimate], None] | None = None,
    ) -> None:
        self._engines = [Engine(table_mb) for _ in range(jobs)]
        self._free: SimpleQueue[Engine] = SimpleQueue()
        for engine in self._engines:
            self._free.put(engine)
        self._pool = ThreadPoolExecutor(jobs)
        self._slots = threading.Semaphore(_WINDOW * jobs)
        self._limits = (nodes, seconds)
        self._draw = (method, samples, seed, threads)
        self._on_progress = on_progress
        self._futures: SimpleQueue[Future[Outcome | None] | None] = SimpleQueue()
        self.stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._slots.release()  # lets the feeding thread see the stop
        self._pool.shutdown(cancel_futures=True)

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
        while (future := self._futures.get()) is not None:
            outcome = self._outcome(future)
            self._slots.release()
            if outcome is not None:
                yield outcome

    def stop(self) -> None:
        """End all searches; may be called from a signal handler."""
        self.stopped = True
        self._stop_engines()
        self._futures.put(None)

    def _stop_engines(self) -> None:
        for engine in self._engines:
            engine.stop()

    def _feed(self, entries: Iterable[Entry]) -> None:
        """Hand entries to the pool as long as there is room."""
        try:
            for entry in entries:
                self._slots.acquire()
                if self.stopped:
                    break
                self._futures.put(self._pool.submit(self._analyse, entry))
        except RuntimeError:
            if not self.stopped:  # else the pool was shut down between the two lines above
                raise
        finally:
            self._futures.put(None)

    def _outcome(self, future: Future[Outcome | None]) -> Outcome | None:
        """Wait for one outcome; None if the work on it had not begun before the stop."""
        while True:
            try:
                return future.result(timeout=_POLL_SECONDS)
            except TimeoutError:
                # Once is not enough: a search that was just about to begin has forgotten the call.
                if self.stopped:
                    self._stop_engines()
            except CancelledError:
                return None

    def _analyse(self, entry: Entry) -> Outcome | None:
        if self.stopped:
            return None
        engine = self._free.get()
        try:
            if isinstance(entry.content, ValueError):
                return Outcome(entry, entry.content)
            position = entry.content if isinstance(entry.content, Position) else Position.from_dpn(entry.content)
            nodes, seconds = self._limits
            if nodes is not None:
                engine.clear()
            method, samples, seed, threads = self._draw
            result = engine.estimate(
                position,
                method=method,
                samples=samples,
                nodes=nodes,
                seconds=seconds,
                seed=seed,
                jobs=threads,
                on_progress=self._on_progress,
            )
            return Outcome(entry, result)
        except ValueError as error:
            return Outcome(entry, error)
        finally:
            self._free.put(engine)
