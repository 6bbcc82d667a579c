"""The program ``durak``, run as people and other programs run it."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from typer.testing import CliRunner, Result

from durak_solver.cli.app import app
from tests.support.data import ROOT
from tests.support.patience import until

# Seconds of processor time after which the program is taken to be at work: the first are enough for what it loads.
_WAITS: Final = (1.5, 5, 15)


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


def interrupted(*args: str, begun: Callable[[str, str], bool] = lambda stdout, _: bool(stdout)) -> tuple[str, str]:
    """Press Ctrl-C while the program works, and return its output and its complaints.

    It works when it has used some time of the processor. The output shows whether that was enough: if not, there is a
    longer wait.
    """
    stdout = stderr = ""
    for wait in _WAITS:
        with interruptible(*args) as process, suppress(subprocess.TimeoutExpired):
            until(partial(_has_worked, process, wait))
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=10)
            if begun(stdout, stderr):
                assert process.returncode == 130
                assert "Traceback" not in stderr
                return stdout, stderr
    raise AssertionError(f"code {process.returncode}, {stdout!r}, {stderr!r}")


def _has_worked(process: subprocess.Popen[str], seconds: float) -> bool:
    """Tell whether a program has used some time of the processor, or has ended."""
    stat = Path(f"/proc/{process.pid}/stat")
    if not stat.exists():  # not Linux
        time.sleep(seconds)
        return True
    user, system = stat.read_text("ascii", "replace").rpartition(")")[2].split()[11:13]
    return process.poll() is not None or int(user) + int(system) >= seconds * os.sysconf("SC_CLK_TCK")


def ctrl_c_at_a_prompt(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C when the program waits for a line.

    In the moment between the prompt and the reading, a signal would only be seen after the next line.
    """
    stat = Path(f"/proc/{process.pid}/stat")
    if stat.exists():
        until(lambda: stat.read_text("ascii", "replace").rpartition(")")[2].split()[0] == "S")  # it sleeps
    else:
        time.sleep(1)
    process.send_signal(signal.SIGINT)


def on_a_terminal(*args: str, stdout: Path | None = None, bar_after: float | None = None) -> str:
    """Run the program on a terminal, its results perhaps going to a file, and return what the terminal got.

    The bar may be told to come after another time than usual.
    """
    ours, theirs = pty.openpty()
    variables = {**environment(), "TERM": "xterm", "COLUMNS": "100"}
    line = command(*args)
    if bar_after is not None:
        line[1:3] = [
            "-c",
            f"from durak_solver.cli import app, terminal; terminal._BAR_AFTER_SECONDS = {bar_after}; app.main()",
        ]
    with open(stdout or os.devnull, "wb") as target:  # noqa: PTH123
        process = subprocess.Popen(
            line, stdin=theirs, stdout=target if stdout else theirs, stderr=theirs, env=variables
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
