"""Waiting in tests: as long as a busy machine needs, and hardly at all on a quiet one.

Time on the clock says how busy the machine is. What a test promises about the speed of the program is measured in
processor time (`time.process_time`), and what must happen during a search waits until the search has worked that long.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

Result = TypeVar("Result")
_POLL_SECONDS: Final = 0.005


def interrupt() -> None:
    """Press Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


@contextmanager
def during_a_search(act: Callable[[], object], after: float = 0.2) -> Iterator[None]:
    """Do something, from another thread, when the search in this block has worked that long.

    It has begun when the engine has put its own answer to Ctrl-C in the place of Python's. Python's holds in the block
    also where the tests were started with Ctrl-C ignored.
    """
    over = threading.Event()

    def wait_and_act() -> None:
        while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            if over.wait(_POLL_SECONDS):
                return
        began = time.process_time()
        while time.process_time() - began < after:
            if over.wait(_POLL_SECONDS):
                return
        act()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=wait_and_act)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        signal.signal(signal.SIGINT, before)


def with_more_time(search: Callable[[float], Result], enough: Callable[[Result], bool], seconds: float) -> Result:
    """Search with a limit of time, and with larger ones if the machine was too busy to get anywhere by then."""
    for limit in (seconds, 5 * seconds):
        result = search(limit)
        if enough(result):
            return result
    return search(25 * seconds)


def until(done: Callable[[], bool]) -> None:
    """Wait until something is done; a minute of nothing else is no matter of a busy machine."""
    deadline = time.monotonic() + 120
    while not done():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(_POLL_SECONDS)
