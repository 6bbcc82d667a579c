"""The program ``durak``, run as people and other programs run it."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from typer.testing import CliRunner, Result

from durak_solver.cli.app import app

ROOT = Path(__file__).parents[1]


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    """Run the program in this process."""
    return CliRunner().invoke(app, args, input=stdin, env={"COLUMNS": "100", "TERMINAL_WIDTH": "100"})


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "durak_solver", *args]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def normal(text: str) -> str:
    """Replace what differs from run to run."""
    text = re.sub(r"[\d,]+ nodes, [\d.]+ s", "N nodes, S s", text)
    return re.sub(r'"nodes": \d+, "seconds": [\d.e-]+', '"nodes": N, "seconds": S', text)


@contextmanager
def interruptible(*args: str) -> Iterator[subprocess.Popen[str]]:
    """Start the program so that Ctrl-C reaches it even if these tests run in the background, which ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command(*args), stdin=pipe, stdout=pipe, stderr=pipe, env=environment(), text=True
    ) as process:
        signal.signal(signal.SIGINT, before)
        try:
            yield process
        finally:
            process.kill()


def on_a_terminal(*args: str, stdout: Path | None = None) -> str:
    """Run the program on a terminal, its results perhaps going to a file, and return what the terminal got."""
    ours, theirs = pty.openpty()
    variables = {**environment(), "TERM": "xterm", "COLUMNS": "100"}
    with open(stdout or os.devnull, "wb") as target:  # noqa: PTH123
        process = subprocess.Popen(
            command(*args), stdin=theirs, stdout=target if stdout else theirs, stderr=theirs, env=variables
        )
    os.close(theirs)
    received = b""
    try:
        while chunk := os.read(ours, 65_536):
            received += chunk
    except OSError:  # what Linux says at the end
        pass
    os.close(ours)
    process.wait()
    return received.decode()
