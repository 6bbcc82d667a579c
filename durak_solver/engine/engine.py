"""`Engine`: owns memory, threads and limits, checks what it is asked, and hands over to `exact` and `hidden`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from durak_solver.engine.exact.memory import Memory
from durak_solver.engine.exact.solver import AnySolver, solver_of
from durak_solver.engine.hidden.deal_workers import DealWorkers
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.hidden.methods import method_named
from durak_solver.engine.hidden.policies import POLICIES
from durak_solver.engine.hidden.request import EstimateRequest, Weight
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.engine.limits import StopOnInterrupt, require_jobs, require_limits
from durak_solver.engine.results import Analysis, Solution
from durak_solver.game import core
from durak_solver.game.defects import IllegalPositionError, UnsupportedError
from durak_solver.game.legality import require_legal
from durak_solver.game.position import Position
from durak_solver.model.moves import Move
from durak_solver.model.seeds import Seeder, draw_seed

if TYPE_CHECKING:
    from durak_solver._core.endings import Endings
    from durak_solver.engine.exact.many import EnginePool
    from durak_solver.engine.tables.lookup import Tables

R = TypeVar("R")


class Engine:
    """Solves positions exactly, estimates those with hidden cards, and remembers what it proved for the next one.

    An engine owns its memory; two engines share nothing. Calls from several threads wait for each other, while the
    search itself runs without the GIL, so engines in different threads run side by side.

    Positions are given as such, or as their DPN. Limits (``nodes``, ``seconds``) and Ctrl-C end a search with what is
    known by then.

    Parameters
    ----------
    table_mb
        Size of the transposition table in MiB, rounded down to a power of two; 0 for none. Memory is taken as it is
        used.
    tables
        Endings tables, at which a search stops: True for those that are found (see `Tables`), False for none, a folder,
        or tables that are shared with others. They are opened when a position is first searched.

    Raises
    ------
    ValueError
        If the size is negative or not a number, or there is no such folder of tables.
    MemoryError
        If there is not that much memory.
    """

    def __init__(self, table_mb: float = 64, *, tables: bool | str | Path | Tables = True) -> None:
        if not 0 <= table_mb < 2**30:
            raise ValueError(f"table_mb={table_mb!r} is not allowed: the table's size in MiB, 0 or more")
        self._memory = Memory(int(table_mb * 2**20), self._endings)
        self._solver: AnySolver | None = None
        self._workers = DealWorkers()
        self._pool: EnginePool[Engine, Analysis] | None = None
        self._helpers: dict[tuple[int, float], list[Engine]] = {}
        self._tables = _tables(tables)
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Engine(table_mb={self._table_mb:g})"

    def solve(self, position: Position | str, *, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Find the value of a position, a best move and a line to the end of the game.

        Parameters
        ----------
        nodes, seconds
            Most game states to search, and the longest time.

        Raises
        ------
        IllegalPositionError
            If the position has defects, or the game is over; lists them all.
        UnsupportedError
            If cards are hidden that are not deduced, or a discard that matters is not known.
        ValueError
            If a limit is not positive, or the text is no DPN.
        """
        return self.ask(legal_position(position), lambda solver: solver.solution(), nodes=nodes, seconds=seconds)

    def analyse(
        self,
        position: Position | str,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        distance: bool = False,
        on_progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Grade every legal move of a position.

        Parameters
        ----------
        nodes, seconds
            As for `solve`.
        distance
            Also find how long the game lasts after each move that wins or loses, in plies and in bouts; moves of equal
            value are then ordered by that, and the lines follow the quickest win and slowest loss.
        on_progress
            Called with the analysis so far whenever a move has been graded, or its distance found.

        Raises
        ------
        IllegalPositionError, UnsupportedError, ValueError
            As for `solve`; also if the distance is asked for where it is not measured, as with a stock.
        """
        return self.ask(
            legal_position(position),
            lambda solver: solver.analysis(distance=distance, on_progress=on_progress),
            nodes=nodes,
            seconds=seconds,
        )

    def analyse_many(
        self,
        positions: Iterable[Position | str],
        *,
        jobs: int = 1,
        nodes: int | None = None,
        seconds: float | None = None,
        distance: bool = False,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> list[Analysis]:
        """Grade every legal move of many positions.

        Positions that differ only in the names of cards (`durak_solver.engine.exact.symmetry`) are solved once: each
        gets the result in its own cards, with the cost of that one search. Hard positions are begun before easy ones.
        Values do not depend on `jobs`, nor does anything but the time under a limit of nodes.

        Parameters
        ----------
        jobs
            Threads. Each has a table of its own, and together these are as large as the engine's; under a limit of
            nodes each is as large as the limit allows to use, and empty before each position.
        nodes, seconds
            Limits for each position.
        distance
            As for `analyse`.
        on_progress
            Called with the number of positions done, and of all.

        Returns
        -------
        list of Analysis
            In the order of the positions. When Ctrl-C or `stop` ends it: what is known by then.

        Raises
        ------
        ValueError
            If a position cannot be solved, which the message says with its number; or jobs or a limit are not positive.
        """
        from durak_solver.engine.exact.many import (  # noqa: PLC0415  (threads are slow to load)
            EnginePool,
            analyse_all,
            table_share,
        )

        require_jobs(jobs)
        require_limits(nodes, seconds)
        size = table_share(self._table_mb, jobs, nodes)
        asked = [_numbered(number, position, distance) for number, position in enumerate(positions, 1)]

        def work(engine: Engine, position: Position) -> Analysis:
            if nodes is not None:
                engine.clear()
            return engine.analyse(position, nodes=nodes, seconds=seconds, distance=distance)

        with self._lock, EnginePool(self._side_by_side(jobs, size), work) as self._pool, StopOnInterrupt(self.stop):
            return analyse_all(self._pool, asked, on_progress or (lambda *_: None))

    def estimate(
        self,
        position: Position | str,
        *,
        method: str = "pimc",
        samples: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int | Seeder | None = None,
        jobs: int = 1,
        weight: Weight | None = None,
        distance: bool = False,
        on_progress: Callable[[Estimate | Analysis], None] | None = None,
    ) -> Estimate | Analysis:
        """Value every legal move of a position in which cards may be hidden.

        Parameters
        ----------
        position
            The player to move knows their own cards.
        method
            One of `durak_solver.engine.hidden.methods.METHODS`: ``"pimc"``, ``"ismcts"``, ``"mcts30x30"``, or one of
            the players without search, ``"rules"``, ``"lowest"`` and ``"random"``, who only name a move.
        samples
            Most deals to draw among those that fit; what suits the method if not given (160 for pimc). If no more than
            that fit, pimc values all of them, each once.
        nodes
            Search at most this many game states. For pimc only: the others do not search, or are held by `samples`.
        seconds
            Draw no more deals after this time.
        seed
            What the deals are drawn from. The same seed gives the same estimate, in any engine and with any number of
            threads, unless a limit of time ends it.
        jobs
            Threads that value deals.
        weight
            How likely a deal is compared with others: gets the position with all cards open, returns a number that is
            not negative. All are equally likely if it is not given. For pimc only.
        distance
            As for `analyse`; refused if there is more than one deal.
        on_progress
            Called with the estimate so far after every few deals, or with the analysis so far as `analyse` does.

        Returns
        -------
        Estimate or Analysis
            The exact analysis if nothing is hidden, or if only one deal fits, whatever the method.

        Raises
        ------
        IllegalPositionError, UnsupportedError, ValueError
            As for `analyse`; also if the player to move has unknown cards, there is no such method, samples or jobs are
            not positive, or the seed or a weight is not one.
        """
        require_jobs(jobs)
        chosen = method_named(method, samples)
        if weight is not None and method != "pimc":
            raise ValueError(f"weight is not allowed with method={method!r}: only pimc can weigh deals")
        number = draw_seed(seed)
        position = legal_position(position)
        if position.deduced() is not None:
            return self.analyse(position, nodes=nodes, seconds=seconds, distance=distance, on_progress=on_progress)
        if distance:
            raise UnsupportedError("the distance to the end is not known while cards are hidden")
        most = samples or chosen.samples
        request = EstimateRequest(chosen, Sampler(position), most, number, self._workers, weight, on_progress)
        return self._estimate(request, nodes=nodes, seconds=seconds, jobs=jobs)

    def choose(
        self,
        position: Position | str,
        *,
        method: str = "pimc",
        samples: int | None = None,
        nodes: int = 1_000_000,
        seconds: float | None = None,
        seed: int | Seeder | None = None,
        jobs: int = 1,
    ) -> Move:
        """Return the move that a method would play.

        Much cheaper than grading every move: a forced move costs nothing, and an open position is searched only until
        one winning move is found. Among moves that are equally good, the one that makes more of a weak opponent.

        Parameters
        ----------
        method
            As for `estimate`. With pimc, what is open is solved; all others play on as they are.
        nodes, seconds
            As for `solve`.
        samples, seed, jobs
            As for `estimate`.

        Raises
        ------
        IllegalPositionError, UnsupportedError, ValueError
            As `estimate` does.
        """
        require_jobs(jobs)
        chosen = method_named(method, samples)
        number = draw_seed(seed)
        position = legal_position(position)
        if not chosen.samples:
            require_limits(nodes, seconds)
            return core.from_core(POLICIES[method](core.solvable_state(position), number), position.trump)
        legal = position.legal_moves
        if len(legal) == 1:
            return legal[0]
        if solver_of(position).only_solves or (method == "pimc" and position.deduced() is not None):
            return self.ask(position, lambda solver: solver.move(), nodes=nodes, seconds=seconds)
        request = EstimateRequest(chosen, Sampler(position), samples or chosen.samples, number, self._workers)
        return self._estimate(request, nodes=nodes, seconds=seconds, jobs=jobs).best.move

    def stop(self) -> None:
        """End the search that is running in another thread; it returns what it knows."""
        for running in (self._solver, self._workers, self._pool):
            if running is not None:
                running.stop()

    def clear(self) -> None:
        """Forget all that was proved so far."""
        with self._lock:
            self._memory.clear()
            self._helpers = {}

    def ask(
        self, position: Position, question: Callable[[AnySolver], R], *, nodes: int | None, seconds: float | None
    ) -> R:
        """Let the solver of a legal position answer a question, within limits and until Ctrl-C."""
        require_limits(nodes, seconds)
        with self._lock:
            self._solver = solver_of(position)(self._memory, position, nodes, seconds)
            with StopOnInterrupt(self.stop):
                return question(self._solver)

    def _estimate(self, request: EstimateRequest, *, nodes: int | None, seconds: float | None, jobs: int) -> Estimate:
        """Value the moves of a legal position by a method, even if nothing is hidden."""
        require_limits(nodes, seconds)
        with self._lock:
            self._workers.start(jobs, nodes, seconds, self._endings(request.sampler.position))
            with StopOnInterrupt(self.stop):
                return request.method.estimate(request)

    @property
    def _table_mb(self) -> float:
        return self._memory.searcher.table_bytes / 2**20

    def _side_by_side(self, jobs: int, size: float) -> list[Engine]:
        """Return engines with tables of a size in MiB; the same as before if they fit."""
        if (jobs, size) not in self._helpers:
            self._helpers = {(jobs, size): [Engine(size, tables=self._tables or False) for _ in range(jobs)]}
        return self._helpers[jobs, size]

    def _endings(self, position: Position) -> Endings | None:
        """Return the tables that hold under the rules of a position."""
        if self._tables is None or position.trump is None:
            return None
        return self._tables.endings(position.rules)


def legal_position(position: Position | str) -> Position:
    """Return a legal position with a move to make; raise an error if it is not one."""
    if isinstance(position, str):
        position = Position.from_dpn(position)
    if not isinstance(position, Position):
        raise TypeError(f"a Position is needed, or its DPN, not {type(position).__name__}")
    require_legal(position)
    if position.phase == "over":
        raise IllegalPositionError(position.status())
    return position


def _numbered(number: int, position: Position | str, distance: bool) -> Position:
    """Return a position that can be solved, and measured if asked; the number is for the message if it cannot."""
    try:
        legal = legal_position(position)
        solver_of(legal).require(legal, distance=distance)
    except ValueError as error:
        raise ValueError(f"position {number} ({position}): {error}") from None
    return legal


def _tables(tables: bool | str | Path | Tables) -> Tables | None:
    """Return the tables that an engine was asked to use."""
    from durak_solver.engine.tables.lookup import Tables  # noqa: PLC0415 - a tenth of the time to import the package

    if isinstance(tables, bool):
        return Tables() if tables else None
    return tables if isinstance(tables, Tables) else Tables(tables)
