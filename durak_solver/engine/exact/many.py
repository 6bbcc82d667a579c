"""Engines that work side by side, a thread for each; the search runs without the GIL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
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
    """Return the size of the table of each of several engines.

    Parameters
    ----------
    table_mb : float
        For all of them, in MiB.
    jobs : int
        How many there are.
    nodes : int or None
        The limit for each position. What is found within one depends on the size of the table, and must not depend on
        `jobs`: then each engine has as much as so many nodes can use, though no more than `table_mb`.

    Returns
    -------
    float
        In MiB.
    """
    return table_mb / jobs if nodes is None else min(table_mb, nodes * _BYTES_PER_NODE / 2**20)


@dataclass(frozen=True, slots=True)
class _Task(Generic[R]):
    """A position that an engine works on, and its cards in the order of its normal form."""

    position: Position
    cards: tuple[Card, ...]
    future: Future[R | None]


@dataclass(frozen=True, slots=True)
class Pending(Generic[R]):
    """A position that was asked for, its cards in the order of its normal form, and the task that answers it."""

    position: Position
    cards: tuple[Card, ...]
    task: _Task[R]


class WorkerPool(Generic[E, R]):
    """Engines in threads of their own, which answer in the order of asking; equal positions are answered once.

    A context manager: leaving it ends all searches.

    Parameters
    ----------
    engines : sequence of Engine
        Nobody else uses them meanwhile.
    work : callable
        What to do with an engine and a position.
    memory : int, optional
        With how many earlier positions a new one is compared; with all of them if not given.
    """

    def __init__(self, engines: Sequence[E], work: Callable[[E, Position], R], memory: int | None = None) -> None:
        self._engines = engines
        self._work = work
        self._memory = memory
        self._tasks: dict[object, _Task[R]] = {}
        self._todo: SimpleQueue[_Task[R] | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._serve, args=(engine,)) for engine in engines]
        self.stopped = False

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped = True
        for _thread in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            while thread.is_alive():
                self._stop_engines()
                thread.join(_POLL_SECONDS)

    def ask(self, position: Position) -> Pending[R]:
        """Hand over a position.

        Parameters
        ----------
        position : Position
            Any; what is wrong with it is raised by `answer`.

        Returns
        -------
        Pending
            For `answer`.
        """
        try:
            require_legal(position)
            known = position.deduced()
            key, cards = normal_form(known) if known else (position, ())
        except IllegalPositionError:
            key, cards = position, ()
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = _Task(position, cards, Future())
            if self._memory is not None and len(self._tasks) > self._memory:
                del self._tasks[next(iter(self._tasks))]
            self._todo.put(task)
        return Pending(position, cards, task)

    def answer(self, question: Pending[R]) -> R | Analysis | None:
        """Wait for the result of a question.

        Parameters
        ----------
        question : Pending

        Returns
        -------
        Analysis, Estimate or None
            None if the work had not begun when `stop` was called.
        """
        task = question.task
        while not task.future.done():
            wait([task.future], _POLL_SECONDS)
            self._stop_again()
        result = task.future.result()
        if question.position is task.position or not isinstance(result, Analysis):
            return result
        return translated(result, question.position, dict(zip(task.cards, question.cards, strict=True)))

    def report(self, questions: Sequence[Pending[R]], on_progress: Callable[[int, int], None]) -> None:
        """Wait until questions are answered, in whatever order, and count them.

        Parameters
        ----------
        questions : sequence of Pending
        on_progress : callable
            Called with the number of those that are answered, and of all.
        """
        finished: SimpleQueue[object] = SimpleQueue()
        for question in questions:
            question.task.future.add_done_callback(finished.put)
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

    def _stop_again(self) -> None:
        """Stop once more: a search that was just about to begin has forgotten the first call."""
        if self.stopped:
            self._stop_engines()

    def _stop_engines(self) -> None:
        for engine in self._engines:
            engine.stop()

    def _serve(self, engine: E) -> None:
        """Work until there is nothing more to come."""
        while (task := self._todo.get()) is not None:
            try:
                task.future.set_result(None if self.stopped else self._work(engine, task.position))
            except BaseException as error:  # raised again where the answer is waited for
                task.future.set_exception(error)


def analyse_all(
    pool: WorkerPool[E, Analysis], positions: Sequence[Position], on_progress: Callable[[int, int], None]
) -> list[Analysis]:
    """Analyse positions, those that look hardest first, so that no thread is left alone with one in the end.

    Parameters
    ----------
    pool : WorkerPool
    positions : sequence of Position
        Legal positions without hidden cards.
    on_progress : callable
        Called with the number of positions done, and of all.

    Returns
    -------
    list of Analysis
        In the order of the positions.
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
    """Return the more, the longer a search may take: that grows with the cards, and with those of the smaller hand."""
    cards = sum(position.hand_sizes) + len(position.stock) + sum(map(len, position.table))
    return cards, min(position.hand_sizes)


def _nothing_known(position: Position) -> Analysis:
    """Return what is known of a position whose analysis was not begun before the stop."""
    moves = (position.deduced() or position).legal_moves
    straps = None if position.rules.straps else 0
    graded = tuple(GradedMove(move, Value.UNKNOWN, (), straps=straps) for move in moves)
    return Analysis(position, moves=graded, nodes=0, seconds=0.0, stopped="interrupt")
