"""Threads that value deals side by side, with the same result whatever their number."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from durak_solver._core.endings import Endings
from durak_solver._core.search import Searcher
from durak_solver.engine.hidden.sampler import Sampler

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_TABLE_BYTES: Final = 2**19
_CHUNK: Final = 8


class DealWorkers:
    """Searchers with a small table each, which value moves in worlds; one alone works in the caller's thread.

    Worlds are valued in chunks of a fixed size, each from an empty table: what a search within a budget finds depends
    on what the table holds, and so must not depend on which worlds a thread has met before.
    """

    def __init__(self) -> None:
        self._searchers: list[Searcher] = []
        self._pool: ThreadPoolExecutor | None = None
        self._nodes_left: int | None = None
        self._deadline: float | None = None
        self._interrupted = False
        self.began = 0.0
        self.nodes = 0
        self.stopped: str | None = None

    def start(self, jobs: int, nodes: int | None, seconds: float | None, endings: Endings | None = None) -> None:
        """Set the limits of all calls until the next start, and the tables at which searches stop."""
        self.began = time.perf_counter()
        if len(self._searchers) != jobs:
            self.close()
            self._searchers = [Searcher(_TABLE_BYTES) for _ in range(jobs)]
            if jobs > 1:
                from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (slow to load)

                self._pool = ThreadPoolExecutor(jobs)
        for searcher in self._searchers:
            searcher.use(endings)
        self._nodes_left = nodes
        self._deadline = None if seconds is None else self.began + seconds
        self._interrupted = False
        self.nodes = 0
        self.stopped = None

    def stop(self) -> None:
        """End the running calls, from any thread."""
        self._interrupted = True
        for searcher in self._searchers:
            searcher.stop()

    def is_over(self) -> bool:
        """Whether the time is up or someone has asked to stop; `stopped` says so then."""
        if self._interrupted:
            self.stopped = "interrupt"
        elif self._deadline is not None and time.perf_counter() >= self._deadline:
            self.stopped = "seconds"
        return self.stopped is not None

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
        self._pool = None

    def payoffs(
        self, sampler: Sampler, which: Sequence[int], rows: bytes, budget: int, leaf_budget: int
    ) -> tuple[bytes, int]:
        """Value moves in worlds; see `Searcher.payoffs`.

        Parameters
        ----------
        which
            Numbers of the moves.
        rows
            Worlds of the sampler.
        budget, leaf_budget
            Nodes for each attempt at an exact value: of a move, and at the end of a playout.

        Returns
        -------
        tuple
            Rows of payoffs as bytes, and how many of them are exact. If a limit ends the search, `stopped` says so,
            and the rows are those of the first worlds.
        """
        size = _CHUNK * sampler.width
        parts = [rows[i : i + size] for i in range(0, len(rows), size)]
        # Shares of the limit of nodes, lest the result depend on which thread comes first.
        share = None if self._nodes_left is None else max(1, self._nodes_left // max(1, len(parts)))

        def value(searcher: Searcher, part: bytes) -> tuple[bytes, int, int, str | None]:
            searcher.clear()
            left = None if self._deadline is None else max(1e-9, self._deadline - time.perf_counter())
            searcher.start(share, left)
            if self._interrupted:  # before the start, which forgets it
                searcher.stop()
            payoffs, exact = searcher.payoffs(sampler.new_root(), sampler.known, which, part, budget, leaf_budget)
            return payoffs, exact, searcher.nodes, searcher.stopped

        def value_some(number: int) -> list[tuple[bytes, int, int, str | None]]:
            return [value(self._searchers[number], part) for part in parts[number :: len(self._searchers)]]

        if self._pool is None:
            return self._joined(value(self._searchers[0], part) for part in parts)
        futures = [self._pool.submit(value_some, number) for number in range(len(self._searchers))]
        try:
            found = [future.result() for future in futures]
        except BaseException:  # of a signal handler
            self.stop()
            for future in futures:
                future.exception()  # waits for its end
            raise
        return self._joined(found[i % len(found)][i // len(found)] for i in range(len(parts)))

    def _joined(self, found: Iterable[tuple[bytes, int, int, str | None]]) -> tuple[bytes, int]:
        """Put the parts together, up to the first one that a limit cut off."""
        rows, exact = [], 0
        for payoffs, exact_here, nodes, stopped in found:
            self.nodes += nodes
            if self._nodes_left is not None:
                self._nodes_left -= nodes
            rows.append(payoffs)
            exact += exact_here
            if stopped is not None:
                self.stopped = stopped
                break
        return b"".join(rows), exact
