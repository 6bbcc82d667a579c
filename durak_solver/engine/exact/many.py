"""Many positions at once: engines in threads of their own, equal positions solved once, hard ones begun first.

The search runs without the GIL, so the threads run side by side.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Generic, Protocol, Self, TypeVar

from durak_solver.engine.exact.symmetry import normal_form, translated
from durak_solver.engine.results import Analysis, GradedMove, Value
from durak_solver.game.defects import IllegalPositionError
from durak_solver.game.legality import require_legal
from durak_solver.game.position import Position

if TYPE_CHECKING:
    from durak_solver.model.cards import Card


class Stoppable(Protocol):
    """What a thread of a pool works with."""

    def stop(self) -> None:
        """End the search."""


E = TypeVar("E", bound=Stoppable)
R = TypeVar("R")

_POLL_SECONDS: Final = 0.02
_BYTES_PER_NODE: Final = 64  # four entries of the table


def table_share(table_mb: float, jobs: int, nodes: int | None) -> float:
    """Return the size of the table of each of several engines, in MiB, where `table_mb` is for all of them.

    What is found within a limit of nodes depends on the size of the table, and must not depend on `jobs`: then each
    engine has as much as that number of nodes can use, though no more than `table_mb`.
    """
    return table_mb / jobs if nodes is None else min(table_mb, nodes * _BYTES_PER_NODE / 2**20)


@dataclass(frozen=True, slots=True)
class Pending(Generic[R]):
    """A position that was asked for, its cards in the order of its normal form, and the first question equal to it."""

    position: Position
    cards: tuple[Card, ...]
    future: Future[R | None]
    first: Pending[R] | None = None


class EnginePool(Generic[E, R]):
    """Engines in threads of their own, which answer in the order of asking; equal positions are answered once.

    A context manager: leaving it ends all searches.

    Parameters
    ----------
    engines
        Nobody else uses them meanwhile.
    work
        What to do with an engine and a position.
    memory
        With how many earlier positions a new one is compared; with all of them if not given.
    """

    def __init__(self, engines: Sequence[E], work: Callable[[E, Position], R], memory: int | None = None) -> None:
        self._engines = engines
        self._work = work
        self._memory = memory
        self._known: dict[object, Pending[R]] = {}
        self._idle: SimpleQueue[E] = SimpleQueue()
        for engine in engines:
            self._idle.put(engine)
        self._threads = ThreadPoolExecutor(len(engines))
        self.stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped = True
        while self._idle.qsize() < len(self._engines):
            self._stop_engines()
            time.sleep(_POLL_SECONDS)
        self._threads.shutdown()

    def ask(self, position: Position) -> Pending[R]:
        """Hand over any position; what is wrong with it is raised by `answer`."""
        try:
            require_legal(position)
            known = position.deduced()
            key, cards = normal_form(known) if known else (position, ())
        except IllegalPositionError:
            key, cards = position, ()
        first = self._known.get(key)
        if first is not None:
            return Pending(position, cards, first.future, first)
        question = self._known[key] = Pending(position, cards, self._begin(position))
        if self._memory is not None and len(self._known) > self._memory:
            del self._known[next(iter(self._known))]
        return question

    def answer(self, question: Pending[R]) -> R | Analysis | None:
        """Wait for the answer to a question; None if the work had not begun when `stop` was called."""
        while not question.future.done():
            wait([question.future], _POLL_SECONDS)
            if self.stopped:  # a search that was just about to begin has forgotten the first call
                self._stop_engines()
        result, first = question.future.result(), question.first
        if first is None or question.position is first.position or not isinstance(result, Analysis):
            return result
        return translated(result, question.position, dict(zip(first.cards, question.cards, strict=True)))

    def report(self, questions: Sequence[Pending[R]], on_progress: Callable[[int, int], None]) -> None:
        """Wait until questions are answered, in any order; report how many are, and of how many."""
        finished: SimpleQueue[object] = SimpleQueue()
        for question in questions:
            question.future.add_done_callback(finished.put)
        done = 0
        while done < len(questions) and not self.stopped:
            try:
                finished.get(timeout=_POLL_SECONDS)
            except Empty:
                continue
            done += 1
            if not self.stopped:  # else it may have been cut off
                on_progress(done, len(questions))

    def stop(self) -> None:
        """End all searches; may be called from any thread and from a signal handler."""
        self.stopped = True
        self._stop_engines()

    def _stop_engines(self) -> None:
        for engine in self._engines:
            engine.stop()

    def _begin(self, position: Position) -> Future[R | None]:
        try:
            return self._threads.submit(self._run, position)
        except RuntimeError:  # the pool was left meanwhile, as another thread that asks cannot know
            nothing: Future[R | None] = Future()
            nothing.set_result(None)
            return nothing

    def _run(self, position: Position) -> R | None:
        """Work on a position, in one of the threads."""
        engine = self._idle.get()
        try:
            return None if self.stopped else self._work(engine, position)
        finally:
            self._idle.put(engine)


def analyse_all(
    pool: EnginePool[E, Analysis], positions: Sequence[Position], on_progress: Callable[[int, int], None]
) -> list[Analysis]:
    """Analyse open positions, those that look hardest first, so that no thread is left alone with one in the end.

    The results have the order of the positions.
    """
    numbers = sorted(range(len(positions)), key=lambda number: _hardness(positions[number]), reverse=True)
    questions = {number: pool.ask(positions[number]) for number in numbers}
    pool.report([*questions.values()], on_progress)
    results = []
    for number, position in enumerate(positions):
        result = pool.answer(questions[number])
        results.append(_nothing_known(position) if result is None else result)
    return results


def _hardness(position: Position) -> tuple[int, int]:
    """Return what grows with the time of a search: the number of cards, then that of the smaller hand."""
    cards = sum(position.hand_sizes) + len(position.stock) + sum(map(len, position.table))
    return cards, min(position.hand_sizes)


def _nothing_known(position: Position) -> Analysis:
    """Return what is known of a position whose analysis was not begun before the stop."""
    moves = (position.deduced() or position).legal_moves
    straps = None if position.rules.straps else 0
    graded = tuple(GradedMove(move, Value.UNKNOWN, (), straps=straps) for move in moves)
    return Analysis(position, moves=graded, nodes=0, seconds=0.0, stopped="interrupt")
