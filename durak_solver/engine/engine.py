"""`Engine`: owns the memory and the limits of exact searches."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from durak_solver._core.distance import DistanceSearcher
from durak_solver._core.search import Searcher
from durak_solver._core.state import DEFEND, OVER, State
from durak_solver.engine.exact.bounds import Bounds, search_bounds
from durak_solver.engine.exact.choose import choose_move
from durak_solver.engine.exact.distance import measured, require_measurable
from durak_solver.engine.exact.many import WorkerPool, analyse_all, table_share
from durak_solver.engine.exact.round_game import RoundSolver
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.hidden.methods import method_named
from durak_solver.engine.hidden.policies import POLICIES
from durak_solver.engine.hidden.request import EstimateRequest, Method
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.engine.hidden.workers import DealWorkers
from durak_solver.engine.results import Analysis, GradedMove, Line, Solution, Value
from durak_solver.game import core
from durak_solver.game.defects import IllegalPositionError, UnsupportedError
from durak_solver.game.position import Position
from durak_solver.model.moves import Move
from durak_solver.model.seeds import Seeder, draw_seed

if TYPE_CHECKING:
    from durak_solver._core.endings import Endings
    from durak_solver.engine.tables.lookup import Tables

R = TypeVar("R")

_FIRST_BUDGET = 20_000
_BUDGET_GROWTH = 8
# The table of distances, made when the first is asked for, is so many times smaller than the other.
_SMALLER = 4


class Engine:
    """Solves positions exactly, and remembers what it proved for the next one.

    An engine owns its memory; two engines share nothing. Calls from several threads wait for each other, while the
    search itself runs without the GIL, so engines in different threads run side by side.

    Parameters
    ----------
    table_mb : float
        Size of the transposition table in MiB, rounded down to a power of two; 0 for none. Memory is taken as it is
        used.
    tables : bool, str, Path or Tables
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
        self._searcher = Searcher(int(table_mb * 2**20))
        self._distances: DistanceSearcher | None = None
        self._workers = DealWorkers()
        self._pool: WorkerPool[Engine, Analysis] | None = None
        self._round: RoundSolver | None = None
        self._helpers: dict[tuple[int, float], list[Engine]] = {}
        self._tables = _tables(tables)
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Engine(table_mb={self._searcher.table_bytes / 2**20:g})"

    def solve(self, position: Position, *, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Find the value of a position, a best move and a line to the end of the game.

        Parameters
        ----------
        position : Position
        nodes : int, optional
            Search at most this many game states.
        seconds : float, optional
            Search at most this long.

        Returns
        -------
        Solution
            When a limit or Ctrl-C ends the search: what is known by then.

        Raises
        ------
        IllegalPositionError
            If the position has defects, or the game is over; lists them all.
        UnsupportedError
            If cards are hidden that are not deduced, or a discard that matters is not known.
        ValueError
            If a limit is not positive.
        """
        known_position = _open(position)
        if _is_round(position):
            return self._solve_round(position, nodes, seconds, RoundSolver.solution)
        state = core.solvable_state(known_position)
        with self._lock:
            began = self._start(nodes, seconds)
            endings = self._use_tables(position)
            found = Bounds(-1, 1)
            line: Line = ()
            with self._interruptible():
                found = search_bounds(self._searcher, state, position.rules)
                line = self._line(state, found, position.trump)
            return Solution(
                position=position,
                value=_value_for_mover(state, found.lower, found.upper),
                line=line,
                repetition=found.repetition,
                straps=found.straps,
                nodes=self._searcher.nodes,
                seconds=time.perf_counter() - began,
                stopped=self._searcher.stopped,
                tables=endings.largest if endings is not None and self._searcher.settled else 0,
            )

    def analyse(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        distance: bool = False,
        on_progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Grade every legal move of a position.

        Easy moves are graded before hard ones: each move gets a small budget of nodes first, and those that it does not
        settle get a larger one in the next round.

        Parameters
        ----------
        position : Position
        nodes : int, optional
            Search at most this many game states.
        seconds : float, optional
            Search at most this long.
        distance : bool
            Also find how long the game lasts after each move that wins or loses, in plies and in bouts; moves of equal
            value are then ordered by that, and the lines follow the quickest win and slowest loss.
        on_progress : callable, optional
            Called with the analysis so far whenever a move has been graded, or its distance found.

        Returns
        -------
        Analysis
            When a limit or Ctrl-C ends the search: what is known by then.

        Raises
        ------
        IllegalPositionError
            If the position has defects, or the game is over; lists them all.
        UnsupportedError
            As for `solve`; also if the distance is asked for where it is not measured, as with a stock.
        ValueError
            If a limit is not positive.
        """
        known_position = _open(position)
        if distance:
            require_measurable(known_position)
        if _is_round(position):
            return self._solve_round(position, nodes, seconds, lambda solver: solver.analysis(on_progress))
        state = core.solvable_state(known_position)
        straps = None if position.rules.straps else 0
        graded = {move: GradedMove(move, Value.UNKNOWN, (), straps=straps) for move in known_position.legal_moves}
        with self._lock:
            began = self._start(nodes, seconds)
            endings = self._use_tables(position)

            def so_far() -> Analysis:
                moves = sorted(graded.values(), key=GradedMove.goodness, reverse=True)
                return Analysis(
                    position=position,
                    moves=tuple(moves),
                    nodes=self._searcher.nodes,
                    seconds=time.perf_counter() - began,
                    stopped=self._searcher.stopped,
                    tables=endings.largest if endings is not None and self._searcher.settled else 0,
                )

            budget = _FIRST_BUDGET
            with self._interruptible():
                while not all(known.exact for known in graded.values()):
                    for move, known in graded.items():
                        if not known.exact:
                            graded[move] = self._grade(state, known, budget, position)
                            if on_progress is not None and graded[move].exact:
                                on_progress(so_far())
                        if self._searcher.stopped:
                            return so_far()
                    budget *= _BUDGET_GROWTH
                for known in so_far().moves if distance else ():
                    graded[known.move] = measured(self._measurer(), state, known, position.trump)
                    if on_progress is not None:
                        on_progress(so_far())
                    if self._searcher.stopped:
                        break
            return so_far()

    def analyse_many(
        self,
        positions: Iterable[Position],
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
        positions : iterable of Position
        jobs : int
            Threads. Each has a table of its own, and together these are as large as the engine's; under a limit of
            nodes each is as large as the limit allows to use, and empty before each position.
        nodes, seconds : int or float, optional
            Limits for each position.
        distance : bool
            As for `analyse`.
        on_progress : callable, optional
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
        _require_jobs(jobs)
        _require_limits(nodes, seconds)
        asked = [_numbered(number, position, distance) for number, position in enumerate(positions, 1)]

        def work(engine: Engine, position: Position) -> Analysis:
            if nodes is not None:
                engine.clear()
            return engine.analyse(position, nodes=nodes, seconds=seconds, distance=distance)

        with self._lock, WorkerPool(self._side_by_side(jobs, nodes), work) as self._pool, self._interruptible():
            return analyse_all(self._pool, asked, on_progress or (lambda *_: None))

    def estimate(
        self,
        position: Position,
        *,
        method: str = "pimc",
        samples: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int | Seeder | None = None,
        jobs: int = 1,
        weight: Callable[[Position], float] | None = None,
        distance: bool = False,
        on_progress: Callable[[Estimate | Analysis], None] | None = None,
    ) -> Estimate | Analysis:
        """Value every legal move of a position in which cards may be hidden.

        Parameters
        ----------
        position : Position
            The player to move knows his own cards.
        method : str
            One of `durak_solver.engine.hidden.methods.METHODS`: ``"pimc"``, ``"ismcts"``, ``"mcts30x30"``, or one of
            the players without search, ``"rules"``, ``"lowest"`` and ``"random"``, who only name a move.
        samples : int, optional
            How many deals to draw at most among those that fit; what suits the method if not given (160 for pimc). If
            no more than that fit, pimc values all of them, each once.
        nodes : int, optional
            Search at most this many game states. For pimc only: the others do not search, or are held by `samples`.
        seconds : float, optional
            Draw no more deals after this time.
        seed : int or numpy.random.Generator, optional
            What the deals are drawn from. The same seed gives the same estimate, in any engine and with any number of
            threads, unless a limit of time ends it.
        jobs : int
            Threads that value deals.
        weight : callable, optional
            How likely a deal is compared with others: gets the position with all cards open, returns a number that is
            not negative. All are equally likely if it is not given. For pimc only.
        distance : bool
            As for `analyse`; refused if there is more than one deal.
        on_progress : callable, optional
            Called with the estimate so far after every few deals, or with the analysis so far as `analyse` does.

        Returns
        -------
        Estimate or Analysis
            The exact analysis if nothing is hidden, or if only one deal fits, whatever the method.

        Raises
        ------
        IllegalPositionError
            If the position has defects, or the game is over; lists them all.
        UnsupportedError
            If an option is not handled, the player to move has unknown cards, or the distance is asked for where cards
            are hidden or to be drawn.
        ValueError
            If there is no such method, samples, jobs or a limit are not positive, or the seed or a weight is not one.
        """
        chosen = _method(method, samples, jobs)
        if weight is not None and method != "pimc":
            raise ValueError(f"weight is not allowed with method={method!r}: only pimc can weigh deals")
        number = draw_seed(seed)
        _require_legal(position)
        known = position.deduced()
        if distance:
            require_measurable(known)
        if known is not None:
            return self.analyse(position, nodes=nodes, seconds=seconds, distance=distance, on_progress=on_progress)
        return self._estimate(
            position,
            chosen,
            samples,
            nodes=nodes,
            seconds=seconds,
            seed=number,
            jobs=jobs,
            weight=weight,
            on_progress=on_progress,
        )

    def choose(
        self,
        position: Position,
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
        position : Position
        method : str
            As for `estimate`. With pimc, what is open is solved; all others play on as they are.
        samples : int, optional
            As for `estimate`.
        nodes : int
            Search at most this many game states.
        seconds : float, optional
            Search at most this long.
        seed : int or numpy.random.Generator, optional
            As for `estimate`.
        jobs : int
            As for `estimate`.

        Returns
        -------
        Move

        Raises
        ------
        IllegalPositionError, UnsupportedError, ValueError
            As `estimate` does.
        """
        chosen = _method(method, samples, jobs)
        number = draw_seed(seed)
        _require_legal(position)
        if not chosen.samples:
            _require_limits(nodes, seconds)
            return core.from_core(POLICIES[method](core.solvable_state(position), number), position.trump)
        legal = position.legal_moves
        known = position.deduced()
        if len(legal) == 1:
            return legal[0]
        if _is_round(position):
            return self.solve(position, nodes=nodes, seconds=seconds).move or legal[0]
        if known is None or method != "pimc":
            found = self._estimate(position, chosen, samples, nodes=nodes, seconds=seconds, seed=number, jobs=jobs)
            return found.best.move
        state = core.solvable_state(known)
        with self._lock:
            self._start(nodes, seconds)
            self._use_tables(position)
            with self._interruptible():
                return core.from_core(choose_move(self._searcher, state, position.rules), position.trump)
        return legal[0]

    def _estimate(
        self,
        position: Position,
        method: Method,
        samples: int | None,
        *,
        nodes: int | None,
        seconds: float | None,
        seed: int,
        jobs: int,
        weight: Callable[[Position], float] | None = None,
        on_progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        """Value the moves of a legal position by a method, even if nothing is hidden."""
        _require_limits(nodes, seconds)
        with self._lock:
            began = time.perf_counter()
            self._workers.start(jobs, nodes, seconds, self._endings(position))
            request = EstimateRequest(
                method=method,
                sampler=Sampler(position),
                samples=samples or method.samples,
                seed=seed,
                workers=self._workers,
                began=began,
                weight=weight,
                on_progress=on_progress,
            )
            with self._interruptible():
                return method.estimate(request)

    def stop(self) -> None:
        """End the search that is running in another thread; it returns what it knows."""
        self._searcher.stop()
        self._workers.stop()
        if self._round is not None:
            self._round.stop()
        if self._pool is not None:
            self._pool.stop()

    def clear(self) -> None:
        """Forget all that was proved so far."""
        with self._lock:
            self._searcher.clear()
            if self._distances is not None:
                self._distances.clear()
            self._helpers = {}

    def _solve_round(
        self, position: Position, nodes: int | None, seconds: float | None, ask: Callable[[RoundSolver], R]
    ) -> R:
        """Ask a solver of the round game about a position."""
        _require_limits(nodes, seconds)
        with self._lock:
            self._round = solver = RoundSolver(position, self._searcher.table_bytes, nodes, seconds)
            with self._interruptible():
                return ask(solver)

    def _side_by_side(self, jobs: int, nodes: int | None) -> list[Engine]:
        """Return engines that share the memory of this one; the same as before if they fit."""
        size = table_share(self._searcher.table_bytes / 2**20, jobs, nodes)
        if (jobs, size) not in self._helpers:
            self._helpers = {(jobs, size): [Engine(size, tables=self._tables or False) for _ in range(jobs)]}
        return self._helpers[jobs, size]

    def _start(self, nodes: int | None, seconds: float | None) -> float:
        """Set the limits of a search and return the time at which it began."""
        _require_limits(nodes, seconds)
        self._searcher.start(nodes, seconds)
        return time.perf_counter()

    def _endings(self, position: Position) -> Endings | None:
        """Return the tables that hold under the rules of a position."""
        if self._tables is None or position.trump is None:
            return None
        return self._tables.endings(position.rules)

    def _use_tables(self, position: Position) -> Endings | None:
        """Let the search stop at tables that hold under the rules of a position, and return them."""
        endings = self._endings(position)
        self._searcher.use(endings)
        return endings

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let Ctrl-C stop the search where it would raise KeyboardInterrupt, perhaps in the middle of a sum.

        To be entered after the start of the search, which forgets a stop. Another handler of the signal is respected.
        """
        if (
            threading.current_thread() is not threading.main_thread()
            or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        ):
            yield
            return
        signal.signal(signal.SIGINT, lambda *_: self.stop())
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _grade(self, state: State, known: GradedMove, budget: int, position: Position) -> GradedMove:
        """Search one move with a budget of nodes."""
        child = state.play(*core.to_core(known.move, position.trump))
        found = search_bounds(self._searcher, child, position.rules, budget)
        lower, upper = found.lower, found.upper
        line: Line = (known.move, *self._line(child, found, position.trump))
        if child.attacker != state.attacker:
            lower, upper = -upper, -lower
        old_lower, old_upper = known.value.bounds
        value = _value_for_mover(state, lower, upper)
        lower, upper = value.bounds
        value = Value.from_bounds(max(lower, old_lower), min(upper, old_upper))
        return GradedMove(known.move, value, line, repetition=found.repetition, straps=found.straps)

    def _measurer(self) -> DistanceSearcher:
        """Return the searcher of distances, which shares the limits of the search for values."""
        if self._distances is None:
            self._distances = DistanceSearcher(self._searcher, self._searcher.table_bytes // _SMALLER)
        return self._distances

    def _line(self, state: State, found: Bounds, trump: str | None) -> Line:
        """Return a line from a state; an empty one if it is not known what that is worth."""
        if not found.is_exact or state.phase == OVER:
            return ()
        return tuple(core.from_core(move, trump) for move in self._searcher.line(state, found.lower, found.straps or 0))


def _open(position: Position) -> Position:
    """Return a position that can be solved with every card in its place."""
    _require_legal(position)
    known = position.deduced()
    if known is None:
        raise UnsupportedError("positions with hidden cards cannot be solved, only estimated")
    return known


def _numbered(number: int, position: Position, distance: bool) -> Position:
    """Return a position that can be solved, and measured if asked; the number is for the message if it cannot."""
    try:
        known = _open(position)
        if not _is_round(known):
            core.solvable_state(known)
        if distance:
            require_measurable(known)
    except ValueError as error:
        raise ValueError(f"position {number} ({position}): {error}") from None
    return position


def _is_round(position: Position) -> bool:
    return position.is_round


def _require_legal(position: Position) -> None:
    if not isinstance(position, Position):
        raise TypeError(f"a Position is needed, which Position.from_dpn makes of a text, not {type(position).__name__}")
    if position._known_legal and position.phase != "over":  # as in a game, where each position follows from one
        return
    defects = position.status()
    if defects:
        raise IllegalPositionError(defects)


def _tables(tables: bool | str | Path | Tables) -> Tables | None:
    """Return the tables that an engine was asked to use."""
    from durak_solver.engine.tables.lookup import Tables  # noqa: PLC0415 - not needed to import the package

    if isinstance(tables, bool):
        return Tables() if tables else None
    return tables if isinstance(tables, Tables) else Tables(tables)


def _method(name: str, samples: int | None, jobs: int) -> Method:
    """Return a method of estimation by its name, and refuse numbers that make no sense with any."""
    if samples is not None and samples <= 0:
        raise ValueError(f"samples={samples!r} is not allowed: at least one deal is needed")
    _require_jobs(jobs)
    return method_named(name)


def _require_jobs(jobs: int) -> None:
    if jobs <= 0:
        raise ValueError(f"jobs={jobs!r} is not allowed: at least one thread is needed")


def _require_limits(nodes: int | None, seconds: float | None) -> None:
    if nodes is not None and (not isinstance(nodes, int) or nodes <= 0):
        raise ValueError(f"nodes={nodes!r} is not allowed: a limit must be positive, and a whole number")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds={seconds!r} is not allowed: a limit must be positive")


def _value_for_mover(state: State, lower: int, upper: int) -> Value:
    """Turn bounds for the attacker into a value for the side to move."""
    return Value.from_bounds(-upper, -lower) if state.phase == DEFEND else Value.from_bounds(lower, upper)
