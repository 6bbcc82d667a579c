"""What a command has of the terminal: its output, messages, exit codes, progress, Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final, NoReturn, Self

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.engine.results import Analysis
from durak_solver.game.defects import IllegalPositionError
from durak_solver.notation.dpn import DPNError
from durak_solver.show.estimates import intervals_text

BAD_INPUT: Final = 2
"""Exit code when the input cannot be used at all."""

SOME_BAD: Final = 1
"""Exit code when some of the input is bad: lines of a file, or values that differ from recorded ones."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""

_BAR_AFTER_SECONDS: Final = 0.5


class Style(StrEnum):
    """How cards are written."""

    ASCII = "ascii"
    UNICODE = "unicode"
    RUSSIAN = "russian"


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

    A context manager. Without a console there is no bar. The total is what `update` will reach, if that is known.
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
