"""Building endings tables."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

try:
    import fcntl
except ImportError:  # not under Windows, where a file that is open cannot be replaced anyway
    fcntl = None  # type: ignore[assignment]

from durak_solver._core.endings import Endings
from durak_solver.engine.limits import require_jobs
from durak_solver.engine.tables.files import (
    HEADER_BYTES,
    MOST_CARDS,
    VERSION,
    Header,
    TableError,
    checksum,
    core_rules,
    file_name,
    positions,
    read_header,
    rules_text,
    untabled,
)
from durak_solver.engine.tables.lookup import attach
from durak_solver.engine.tables.sweep import Chunk, OnProgress, Progress, chunks, place, run_in_order, sweep_all
from durak_solver.game.defects import UnsupportedError
from durak_solver.model.rules import Rules

_SAVE_SECONDS: Final = 10.0


def build_tables(
    rules: Rules,
    cards: int,
    directory: Path,
    *,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Build the tables from 2 live cards up that a folder does not hold yet; False if the work was stopped.

    Work that was broken off, even by a kill, goes on from where it was last saved; but an unfinished table of a game
    that can go round for ever (transfer, show) is begun again.

    Parameters
    ----------
    cards
        Most live cards, 2 to 12.
    directory
        Made if it does not exist.
    jobs
        Threads.
    stop
        Asked between pieces of work, which ends once it returns true.

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
    require_jobs(jobs)
    if options := untabled(rules):
        raise UnsupportedError(f"no table can be built for {' '.join(options)}")
    endings = Endings(core_rules(rules))
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

        if self._endings.needs_sweeps:
            whole = sweep_all(self._endings, cards, self._values, pool, jobs, on_progress=on_progress, stop=stop)
            self.save(self._header.count if whole else 0)
            return whole
        self._endings.attach(cards, self._values)
        run_in_order(pool, jobs, self._solve, chunks(self._endings, cards, first), stop=stop, on_done=on_done)
        self.save(done)
        return done == self._header.count

    def _solve(self, chunk: Chunk) -> None:
        leaders, first, count, _ = chunk
        values = self._values[place(self._endings, self._header.cards, chunk)]
        self._endings.solve(self._header.cards, leaders, first, count, values)

    def save(self, done: int) -> None:
        """Write what is done to the disk, then say so in the header."""
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
    count = positions(endings, cards)
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
