"""Building endings tables, and checking them."""

from __future__ import annotations

import mmap
import os
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

try:
    import fcntl
except ImportError:  # not under Windows, where a file that is open cannot be replaced anyway
    fcntl = None  # type: ignore[assignment]

from durak_solver import bridge
from durak_solver._core import state as core
from durak_solver._core.endings import MOST_CARDS, Endings
from durak_solver._core.search import Searcher
from durak_solver.engine.table_files import (
    HEADER_BYTES,
    VERSION,
    Header,
    TableError,
    checksum,
    file_name,
    map_values,
    read_header,
    rules_of,
    rules_text,
)
from durak_solver.engine.tables import attach
from durak_solver.rules import Rules

_CHUNK: Final = 2**16  # positions: a multiple of four, and some hundredths of a second's work
_SAVE_SECONDS: Final = 10.0
_SEARCH_BYTES: Final = 2**24
_FIRST_BUDGET: Final = 1_000_000


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
        How long this run has worked on the table.
    """

    cards: int
    done: int
    count: int
    fresh: int
    seconds: float

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take; None if there is nothing to go by."""
        return self.seconds / self.fresh * (self.count - self.done) if self.fresh else None


OnProgress = Callable[[Progress], None]
Run = tuple[int, int, int, int]  # the leader's cards, the first number, how many numbers, and how many came before


def build_tables(
    rules: Rules,
    cards: int,
    directory: Path,
    *,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Build the tables of up to so many live cards that a folder does not hold yet.

    Work that was broken off, even by a kill, is taken up again where it was last saved.

    Parameters
    ----------
    rules : Rules
    cards : int
        2 to 12.
    directory : Path
        Made if it does not exist.
    jobs : int
        Threads.
    on_progress : callable, optional
        Called with a `Progress` every so often.
    stop : callable, optional
        Asked every so often; the work ends once it returns true.

    Returns
    -------
    bool
        Whether all tables are there; False if the work was stopped.

    Raises
    ------
    TableError
        If a file in the folder is broken, or another process is building there.
    UnsupportedError
        If exact play under these rules is not available.
    ValueError
        If there can be no such table.
    OSError
        If the folder cannot be written to.
    """
    if not 2 <= cards <= MOST_CARDS:
        raise ValueError(f"cards={cards!r} is not allowed: a table holds 2 to {MOST_CARDS} cards")
    if jobs <= 0:
        raise ValueError(f"jobs={jobs!r} is not allowed: at least one thread is needed")
    endings = Endings(bridge.rule_set(rules, True))
    directory.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        for total in range(2, cards + 1):
            path = directory / file_name(rules, total)
            if not path.exists():
                with _part(path, endings, rules, total) as part:
                    if not part.work(pool, jobs, on_progress, stop):
                        return False
                    part.finish()
            attach(endings, path, rules)
    return True


class _Part:
    """A table that is being built, in a file of its own."""

    def __init__(self, path: Path, file: BinaryIO, endings: Endings, header: Header) -> None:
        self._path = path
        self._file = file
        self._endings = endings
        self._header = header
        self._map = mmap.mmap(file.fileno(), HEADER_BYTES + header.size)
        self._values = memoryview(self._map)[HEADER_BYTES:]

    def close(self) -> None:
        """Let go of the file. What was attached of it must not be used any more."""
        self._endings.detach(self._header.cards)
        self._values.release()
        self._map.close()

    def work(
        self, pool: ThreadPoolExecutor, jobs: int, on_progress: OnProgress | None, stop: Callable[[], bool]
    ) -> bool:
        """Work out what is not done yet; False if it was stopped."""
        cards, first, began = self._header.cards, self._header.done, time.monotonic()
        saved = began
        done = first

        def on_done(number: int) -> None:
            nonlocal done, saved
            done = number
            now = time.monotonic()
            if now - saved > _SAVE_SECONDS:
                self.save(done)
                saved = now
            if on_progress is not None:
                on_progress(Progress(cards, done, self._header.count, done - first, now - began))

        self._endings.attach(cards, self._values)
        _in_order(pool, jobs, self._solve, _runs(self._endings, cards, first), stop=stop, on_done=on_done)
        self.save(done)
        return done == self._header.count

    def _solve(self, run: Run) -> None:
        leaders, first, count, _ = run
        start = self._endings.section(self._header.cards, leaders) + first // 4
        self._endings.solve(self._header.cards, leaders, first, count, self._values[start : start + (count + 3) // 4])

    def save(self, done: int) -> None:
        """Make sure that what is done is on the disk, then say so in the header."""
        self._map.flush()
        self._header = replace(self._header, done=done)
        self._write(self._header)

    def finish(self) -> None:
        """Give the whole table its checksum and its name."""
        self._write(replace(self._header, blake2b=checksum(self._values)))
        os.replace(self._file.name, self._path)  # noqa: PTH105
        if os.name == "posix":  # a name is on the disk when its folder is
            folder = os.open(self._path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)

    def _write(self, header: Header) -> None:
        self._file.seek(0)
        self._file.write(header.to_bytes())
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def _part(path: Path, endings: Endings, rules: Rules, cards: int) -> Iterator[_Part]:
    """Open the unfinished file of a table, or begin one."""
    name = path.with_suffix(".part")
    count = sum(endings.count(cards, leaders) for leaders in range(1, cards))
    size = endings.section(cards, cards)
    header = Header(version=VERSION, rules=rules_text(rules), cards=cards, count=count, size=size, blake2b="", done=0)
    with name.open("r+b" if name.exists() else "w+b") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise TableError(f"another process is building {path}") from None
        if not name.exists() or not os.path.samestat(os.fstat(file.fileno()), name.stat()):
            raise TableError(f"another process has just built {path}")
        try:
            known = read_header(name, unfinished=True)
        except TableError:  # a new file, or one whose beginning was not written to its end
            known = header
        if replace(known, done=0) != header or not 0 <= known.done <= count:
            known = header
        if known is header:
            file.truncate(0)
            file.write(header.to_bytes())
            file.truncate(HEADER_BYTES + size)
            file.flush()
            if hasattr(os, "posix_fallocate"):  # or a full disk would end the process when the map is written to
                os.posix_fallocate(file.fileno(), 0, HEADER_BYTES + size)
        part = _Part(path, file, endings, known)
        try:
            yield part
        finally:
            part.close()


def _runs(endings: Endings, cards: int, skipped: int) -> Iterator[Run | None]:
    """Yield the work on a table in pieces; None where all before must be done first."""
    before = 0
    for leaders in range(1, cards):
        count = endings.count(cards, leaders)
        for first in range(0, count, _CHUNK):
            run = min(_CHUNK, count - first)
            if before + run > skipped:
                yield leaders, first, run, before
            before += run
        yield None


def _in_order(
    pool: ThreadPoolExecutor,
    jobs: int,
    work: Callable[[Run], None],
    runs: Iterator[Run | None],
    *,
    stop: Callable[[], bool],
    on_done: Callable[[int], None],
) -> None:
    """Do pieces of work side by side, and say how many positions are done whenever all before them are, too."""
    waiting: list[tuple[Future[None], int]] = []

    def finish_first() -> None:
        future, done = waiting[0]
        future.result()
        waiting.pop(0)
        on_done(done)

    try:
        for run in runs:
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


def verify_checksum(path: Path) -> Header:
    """Check that a file is as it was when it was built.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Header

    Raises
    ------
    TableError
        If it is not.
    """
    header = read_header(path)
    rules = rules_of(header.rules)
    attach(Endings(bridge.rule_set(rules, True)), path, rules)
    if checksum(map_values(path, header)) != header.blake2b:
        raise TableError(f"{path} has changed since it was built: its checksum is wrong")
    return header


def verify_sample(
    path: Path,
    endings: Endings,
    *,
    sample: int,
    seed: int,
    on_progress: OnProgress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Solve positions drawn at random by search without tables and compare.

    Parameters
    ----------
    path : Path
        The file, for the message.
    endings : Endings
        With its values attached.
    sample : int
        How many positions.
    seed : int
    on_progress : callable, optional
    stop : callable, optional

    Returns
    -------
    int
        How many were compared.

    Raises
    ------
    TableError
        If one differs.
    """
    header = read_header(path)
    rules = bridge.rule_set(rules_of(header.rules), True)
    searcher, rng, began = Searcher(_SEARCH_BYTES), random.Random(seed), time.monotonic()
    sections = range(1, header.cards)
    counts = [endings.count(header.cards, leaders) for leaders in sections]
    for done in range(sample):
        if stop():
            return done
        leaders = rng.choices(sections, counts)[0]
        leader, other = endings.unrank(header.cards, leaders, rng.randrange(counts[leaders - 1]))
        value = _searched(searcher, core.State(rules, attacker=0, hands=(leader, other)), stop)
        if value is None:
            return done
        if endings.probe(leader, other) != value:
            raise TableError(f"{path} is wrong: the search finds another value for number {done + 1} of the sample")
        if on_progress is not None:
            on_progress(Progress(header.cards, done + 1, sample, done + 1, time.monotonic() - began))
    return sample


def _searched(searcher: Searcher, state: core.State, stop: Callable[[], bool]) -> int | None:
    """Return the value of a state by search, None if it was stopped."""
    searcher.start(None, None)
    budget = _FIRST_BUDGET
    while not stop():
        lower, upper = searcher.bounds(state, budget)
        if lower == upper:
            return lower
        budget *= 2
    return None


def verify_all(
    path: Path,
    endings: Endings,
    *,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Work out every value of a table again, from those of the positions that can follow, and compare.

    Parameters
    ----------
    path : Path
        The file.
    endings : Endings
        With its values and those of all smaller tables attached.
    jobs : int
        Threads.
    on_progress : callable, optional
    stop : callable, optional

    Returns
    -------
    bool
        False if it was stopped.

    Raises
    ------
    TableError
        If a value differs.
    """
    header = read_header(path)
    values, began, done = map_values(path, header), time.monotonic(), 0

    def compare(run: Run) -> None:
        leaders, first, count, _ = run
        start = endings.section(header.cards, leaders) + first // 4
        again = bytearray((count + 3) // 4)
        endings.solve(header.cards, leaders, first, count, again)
        if again != values[start : start + len(again)]:
            raise TableError(
                f"{path} is wrong: values of {leaders} against {header.cards - leaders} cards do not follow from others"
            )

    def on_done(number: int) -> None:
        nonlocal done
        done = number
        if on_progress is not None:
            on_progress(Progress(header.cards, done, header.count, done, time.monotonic() - began))

    with ThreadPoolExecutor(jobs) as pool:
        _in_order(pool, jobs, compare, _runs(endings, header.cards, 0), stop=stop, on_done=on_done)
    return done == header.count
