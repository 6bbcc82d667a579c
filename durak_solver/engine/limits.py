"""Limits of a search: checks of what is asked for, and Ctrl-C as a stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable


def require_limits(nodes: int | None, seconds: float | None) -> None:
    """Refuse limits that are not positive."""
    if nodes is not None and (not isinstance(nodes, int) or nodes <= 0):
        raise ValueError(f"nodes={nodes!r} is not allowed: a limit must be positive, and a whole number")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds={seconds!r} is not allowed: a limit must be positive")


def require_jobs(jobs: int) -> None:
    """Refuse a number of threads that is not positive."""
    if jobs <= 0:
        raise ValueError(f"jobs={jobs!r} is not allowed: at least one thread is needed")


class StopOnInterrupt:
    """Lets Ctrl-C stop a search where it would raise KeyboardInterrupt, perhaps in the middle of a sum.

    A context manager, to be entered after the start of the search, which forgets a stop. Another handler of the signal
    is respected.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._is_set = False

    def __enter__(self) -> None:
        self._is_set = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._is_set:
            signal.signal(signal.SIGINT, lambda *_: self._stop())

    def __exit__(self, *_: object) -> None:
        if self._is_set:
            signal.signal(signal.SIGINT, signal.default_int_handler)
