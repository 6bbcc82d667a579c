"""Many positions analysed side by side, the results handed back in the order of the texts.

No more than a window of lines is ahead of the result that is handed out next: a file may be longer than memory, and an
endless one is answered as it comes. So positions are begun in the order of the file, not the hardest first as in
`Engine.analyse_many`: else a hard one would keep back the results of all easy ones before it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Self

from durak_solver.engine.engine import Engine
from durak_solver.engine.exact.many import EnginePool, Pending, table_share
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.results import Analysis
from durak_solver.game.position import Position
from durak_solver.study.position_files import FileLine

if TYPE_CHECKING:
    from durak_solver.engine.tables.lookup import Tables

# How many lines for each thread may be ahead of the result that is handed out next.
_WINDOW: Final = 64
# With how many earlier positions a new one is compared, because equal ones are solved once.
_REMEMBERED: Final = 4096


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a line: the analysis, the estimate if cards are hidden, or why there is neither."""

    line: FileLine
    result: Analysis | Estimate | ValueError


class Batch:
    """Threads with an engine each, which analyse what they are given until they are told to stop.

    A context manager: leaving it ends all searches.

    Parameters
    ----------
    jobs
        Number of threads.
    table_mb
        Size of all their tables together in MiB; see `durak_solver.engine.exact.many.table_share`.
    nodes
        Limit for each position. Then each begins with an empty table, so that what is found within the limit does not
        depend on the positions before it.
    **how
        Other arguments of `Engine.estimate`.

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
        **how: Any,
    ) -> None:
        def work(engine: Engine, position: Position) -> Analysis | Estimate:
            if nodes is not None:
                engine.clear()
            return engine.estimate(position, nodes=nodes, **how)

        size = table_share(table_mb, jobs, nodes)
        engines = [Engine(size, tables=tables) for _ in range(jobs)]
        self._pool = EnginePool(engines, work, _REMEMBERED)
        self._slots = threading.Semaphore(_WINDOW * jobs)
        self._asked: SimpleQueue[tuple[FileLine, Pending[Analysis | Estimate] | ValueError] | None] = SimpleQueue()

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

    def run(self, lines: Iterable[FileLine]) -> Iterator[Outcome]:
        """Yield the outcome of each line, in order; after `stop`, of those that had been begun. To be called once.

        The lines are drawn from in a thread of its own, not far ahead of the outcomes.
        """
        # A daemon, because nothing can end a thread that waits for a line from a terminal.
        threading.Thread(target=self._feed, args=(lines,), daemon=True).start()
        while (asked := self._asked.get()) is not None:
            line, question = asked
            try:
                result = self._pool.answer(question) if isinstance(question, Pending) else question
            except ValueError as error:
                result = error
            self._slots.release()
            if result is not None:
                yield Outcome(line, result)

    def stop(self) -> None:
        """End all searches; may be called from a signal handler."""
        self._pool.stop()
        self._asked.put(None)

    def _feed(self, lines: Iterable[FileLine]) -> None:
        """Hand lines to the pool while there is room."""
        try:
            for line in lines:
                self._slots.acquire()
                if self.stopped:
                    break
                self._asked.put((line, self._ask(line.text)))
        finally:
            self._asked.put(None)

    def _ask(self, text: str | ValueError) -> Pending[Analysis | Estimate] | ValueError:
        if isinstance(text, ValueError):
            return text
        try:
            return self._pool.ask(Position.from_dpn(text))
        except ValueError as error:
            return error
