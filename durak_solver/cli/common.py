"""What the commands share: reading files, reporting what is wrong, progress, Ctrl-C."""

from __future__ import annotations

import io
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Final, NoReturn, Self

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.engine.results import Analysis
from durak_solver.game.defects import IllegalPositionError
from durak_solver.model.messages import os_reason
from durak_solver.notation.dpn import DPNError
from durak_solver.show.estimates import intervals_text
from durak_solver.study.batch import Entry

BAD_INPUT: Final = 2
"""Exit code when the input cannot be used at all."""

SOME_BAD: Final = 1
"""Exit code when some of the input is bad: lines of a file, or values that differ from recorded ones."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""

_LONGEST_LINE: Final = 10_000
_BAR_AFTER_SECONDS: Final = 0.5


class Style(StrEnum):
    """How cards are written."""

    ASCII = "ascii"
    UNICODE = "unicode"
    RUSSIAN = "russian"


# ------------------------------------------------------------------------------------------------------- files of lines


def open_lines(path: str) -> BinaryIO:
    """Open a file of positions, or end with a message.

    Parameters
    ----------
    path : str
        ``-`` for the standard input.

    Returns
    -------
    file object
        Of bytes.
    """
    try:
        if path != "-":
            return Path(path).open("rb")
        # Of its own, because a thread that waits for a line must not hold what the end of the program has to close.
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:  # the standard input is no file: a test's
        return io.BytesIO(sys.stdin.buffer.read())
    except OSError as error:
        fail(f"{path} cannot be read: {os_reason(error)}")


def entries(file: BinaryIO) -> Iterator[Entry]:
    """Read a file of positions; blank lines and comments are skipped, and the file is closed at the end.

    Parameters
    ----------
    file : file object
        Of bytes.

    Yields
    ------
    Entry
        The last one tells of it when the file cannot be read to its end.
    """
    number = end = 0
    with file:
        try:
            while line := file.readline(_LONGEST_LINE):
                number += 1
                end += len(line)
                if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                    end += _skip_line(file)
                    content: str | ValueError = ValueError(f"the line is longer than {_LONGEST_LINE:,} bytes")
                else:
                    content = _decoded(line)
                if isinstance(content, str):
                    content = content.removeprefix("\ufeff") if number == 1 else content
                    if not content.strip() or content.lstrip().startswith("#"):
                        continue
                yield Entry(number, content, end)
        except OSError as error:
            yield Entry(number + 1, ValueError(f"the line cannot be read: {os_reason(error)}"), end)


def _skip_line(file: BinaryIO) -> int:
    """Skip the rest of a line and return its length."""
    length = 0
    while rest := file.readline(_LONGEST_LINE):
        length += len(rest)
        if rest.endswith(b"\n"):
            break
    return length


def _decoded(line: bytes) -> str | ValueError:
    try:
        return line.decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        return ValueError(f"the line is not UTF-8 text: byte {error.start + 1} does not fit")


def tables(choice: str) -> bool | Path:
    """Return what `--tables` stands for, or end with a message.

    Parameters
    ----------
    choice : str
        ``auto``, ``none`` or a folder.

    Returns
    -------
    bool or Path
        As `Engine` is told which tables to use.
    """
    if choice in ("auto", "none"):
        return choice == "auto"
    if not Path(choice).is_dir():
        fail(f"--tables: there is no folder {choice}")
    return Path(choice)


def engine(table_mb: float, tables: bool | Path = True) -> Engine:
    """Return an engine, or end with a message."""
    try:
        return Engine(table_mb, tables=tables)
    except (ValueError, MemoryError):
        fail(f"--table-mb {table_mb:g}: there is not that much memory")


# ------------------------------------------------------------------------------------------------------------- messages


def message(error: ValueError) -> str:
    """Return an error as text for a terminal, each defect of a position in a line of its own."""
    if isinstance(error, IllegalPositionError):
        return "\n  - ".join(["not a legal position:", *(str(defect) for defect in error.defects)])
    return str(error)


def one_line(error: ValueError) -> str:
    """Return an error as one line."""
    if isinstance(error, DPNError):
        return f"{error.field}: {error.reason} (at character {error.offset + 1})"
    return str(error)


def complain(text: str) -> None:
    """Write to the standard error stream."""
    print(text, file=sys.stderr, flush=True)


def fail(text: str) -> NoReturn:
    """End the command because its input cannot be used."""
    complain(f"Error: {text}")
    raise typer.Exit(BAD_INPUT)


# ------------------------------------------------------------------------------------------------------------ terminals


def out() -> Console:
    """Return what writes to the standard output."""
    return Console(highlight=False, emoji=False, markup=False)


def text_width(console: Console) -> int | None:
    """Return the columns of a terminal; None for anything else, where lines are not to be broken."""
    return console.width if console.is_terminal else None


def progress_console(console: Console) -> Console | None:
    """Return the terminal on which progress may be shown, if there is one.

    When the results themselves go to a terminal it must be the same console, which keeps them apart.
    """
    if console.is_terminal:
        return console
    errors = Console(stderr=True)
    return errors if errors.is_terminal else None


class _Progress(Progress):
    """Progress with a drawing below it."""

    drawing: Text | None = None

    def get_renderables(self) -> Iterator[RenderableType]:
        """Yield what is drawn."""
        yield from super().get_renderables()
        if self.drawing is not None:
            yield self.drawing


class Bar:
    """A progress bar on a terminal, which appears when the work is not done at once and leaves nothing behind.

    A context manager.

    Parameters
    ----------
    console : Console or None
        None for no bar at all.
    total : float or None
        What `update` will reach; None if that is not known.
    """

    def __init__(self, console: Console | None, total: float | None = None) -> None:
        columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
        self._console = console
        # Nothing is redirected: what is written to a file must not end on the terminal.
        self._progress = _Progress(
            *columns,
            console=console or Console(quiet=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("searching", total=total)
        self._timer = threading.Timer(_BAR_AFTER_SECONDS, self._progress.start)

    def __enter__(self) -> Self:
        if self._console is not None:
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console is not None:
            self._timer.cancel()
            self._timer.join()
            self._progress.stop()

    def update(self, completed: float, description: str, total: float | None = None) -> None:
        """Say how far the work has come."""
        self._progress.update(self._task, completed=completed, description=description, total=total)

    def show(self, known: Analysis | Estimate, samples: int | None) -> None:
        """Say how far the work on one position has come; where cards are hidden, draw the intervals below the bar."""
        if isinstance(known, Analysis):
            graded = sum(move.value.is_exact for move in known.moves)
            self.update(graded, f"{graded} of {len(known.moves)} moves graded", len(known.moves))
            return
        if self._console is not None and known.is_valued:
            ascii_only = self._console.options.ascii_only
            self._progress.drawing = intervals_text(known, width=self._console.width, ascii_only=ascii_only)
        deals = min(samples or METHODS[known.method].samples, known.deals)
        self.update(known.worlds, f"{known.worlds:,} of {deals:,} deals valued", deals)

    def complain(self, text: str) -> None:
        """Write to the standard error stream without tearing the bar."""
        if self._console is not None and sys.stderr.isatty():
            self._console.print(text, soft_wrap=True)
        else:
            complain(text)


def card_style(style: Style | None) -> str:
    """Return how to write cards: as asked for, else with suit signs where the output has them."""
    if style is not None:
        return style.value
    try:
        "♠♣♦♥".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Style.ASCII.value
    return Style.UNICODE.value


@contextmanager
def on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function on the first Ctrl-C; a second one raises KeyboardInterrupt.

    A program that was told to ignore Ctrl-C, as in the background of a script, goes on doing so.

    Parameters
    ----------
    stop : callable
    """

    def first(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop()

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
