"""Checking endings tables: against a search, and against each other."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from durak_solver._core.endings import Endings
from durak_solver._core.search import Searcher
from durak_solver._core.state import State
from durak_solver.engine.tables.files import (
    Header,
    TableError,
    checksum,
    core_rules,
    map_values,
    read_header,
    rules_of,
)
from durak_solver.engine.tables.lookup import attach
from durak_solver.engine.tables.sweep import Chunk, OnProgress, Progress, chunks, place, run_in_order, sweep_all

_SEARCH_BYTES: Final = 2**24
_FIRST_BUDGET: Final = 1_000_000


def verify_checksum(path: Path) -> Header:
    """Check that a file is as it was when it was built, and return its header; TableError if it is not."""
    header = read_header(path)
    rules = rules_of(header.rules)
    attach(Endings(core_rules(rules)), path, rules)
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
    """Solve positions drawn at random by search without tables and compare; TableError if a value differs.

    Parameters
    ----------
    path
        The file.
    endings
        With its values attached.
    sample
        How many positions.

    Returns
    -------
    int
        How many were compared: fewer if the work was stopped.
    """
    header = read_header(path)
    rules = core_rules(rules_of(header.rules))
    searcher, rng, began = Searcher(_SEARCH_BYTES), random.Random(seed), time.monotonic()
    sections = range(1, header.cards)
    counts = [endings.count(header.cards, leaders) for leaders in sections]
    for done in range(sample):
        if stop():
            return done
        leaders = rng.choices(sections, counts)[0]
        leader, other = endings.unrank(header.cards, leaders, rng.randrange(counts[leaders - 1]))
        value = _searched(searcher, State(rules, attacker=0, hands=(leader, other)), stop)
        if value is None:
            return done
        if endings.probe(leader, other) != value:
            raise TableError(f"{path} is wrong: the search finds another value for number {done + 1} of the sample")
        if on_progress is not None:
            on_progress(Progress(header.cards, done + 1, sample, done + 1, time.monotonic() - began))
    return sample


def _searched(searcher: Searcher, state: State, stop: Callable[[], bool]) -> int | None:
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

    Where a game can go round for ever, the table is built again from its smaller ones alone: values that follow from
    each other need not be right there.

    Parameters
    ----------
    endings
        With the values of the file and those of all smaller tables attached.
    jobs
        Threads.

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
    if endings.needs_sweeps:
        return _rebuild(path, endings, header, values, jobs=jobs, on_progress=on_progress, stop=stop)

    def compare(chunk: Chunk) -> None:
        leaders, first, count, _ = chunk
        before = values[place(endings, header.cards, chunk)]
        again = bytearray(len(before))
        endings.solve(header.cards, leaders, first, count, again)
        if again != before:
            raise _wrong(path, header, leaders)

    def on_done(number: int) -> None:
        nonlocal done
        done = number
        if on_progress is not None:
            on_progress(Progress(header.cards, done, header.count, done, time.monotonic() - began))

    with ThreadPoolExecutor(jobs) as pool:
        run_in_order(pool, jobs, compare, chunks(endings, header.cards, 0), stop=stop, on_done=on_done)
    return done == header.count


def _rebuild(
    path: Path,
    endings: Endings,
    header: Header,
    values: memoryview,
    *,
    jobs: int,
    on_progress: OnProgress | None,
    stop: Callable[[], bool],
) -> bool:
    """Build a table once more and compare; False if it was stopped."""
    again = memoryview(bytearray(header.size))
    with ThreadPoolExecutor(jobs) as pool:
        whole = sweep_all(endings, header.cards, again, pool, jobs, on_progress=on_progress, stop=stop)
    endings.attach(header.cards, values)
    if whole:
        for leaders in range(1, header.cards):
            start, end = endings.section(header.cards, leaders), endings.section(header.cards, leaders + 1)
            if again[start:end] != values[start:end]:
                raise _wrong(path, header, leaders)
    return whole


def _wrong(path: Path, header: Header, leaders: int) -> TableError:
    return TableError(
        f"{path} is wrong: values of {leaders} against {header.cards - leaders} cards do not follow from others"
    )
