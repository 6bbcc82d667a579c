"""What the commands share: reading positions, reporting what is wrong, progress, Ctrl-C."""

from __future__ import annotations

import io
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, NoReturn, Self

import typer
import typer.core
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from durak_solver.engine.engine import Engine
from durak_solver.notation.dpn import DPNError
from durak_solver.position import Position
from durak_solver.rules import PRESETS, Rules
from durak_solver.status import IllegalPositionError
from durak_solver.study.batch import Entry

BAD_INPUT: Final = 2
"""Exit code when the input cannot be used at all."""

SOME_BAD: Final = 1
"""Exit code when some lines of a file are bad."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""

_LONGEST_LINE: Final = 10_000
_BAR_AFTER_SECONDS: Final = 0.5


class Side(StrEnum):
    """Who attacks, seen from the person who types."""

    ME = "me"
    OPPONENT = "opponent"


class Style(StrEnum):
    """How cards are written."""

    ASCII = "ascii"
    UNICODE = "unicode"
    RUSSIAN = "russian"


class PositionCommand(typer.core.TyperCommand):
    """A command whose argument may begin with a dash: ``-/9s`` are the hands when seat a holds no card."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move such an argument to the end, where it is not taken for an option."""
        positions = [arg for arg in args if arg.startswith("-/")]
        if positions and "--" not in args:
            args = [*(arg for arg in args if arg not in positions), "--", *positions]
        return super().parse_args(ctx, args)


# --------------------------------------------------------------------------------------------------- arguments, options


def _positive(value: float | None) -> float | None:
    if value is not None and not value > 0:
        raise typer.BadParameter("a limit must be positive")
    return value


def _not_negative(value: float) -> float:
    if not 0 <= value < float("inf"):
        raise typer.BadParameter("the size must be 0 or more")
    return value


_HAND_PANEL: Final = "A position without DPN"
_LIMITS_PANEL: Final = "Limits"
_HIDDEN_PANEL: Final = "Hidden cards"

DPNArgument = Annotated[str | None, typer.Argument(metavar="DPN", help="The position, in quotes.", show_default=False)]
Trump = Annotated[
    str | None, typer.Option(help="The trump suit, - for none.", rich_help_panel=_HAND_PANEL, metavar="SUIT")
]
Me = Annotated[str | None, typer.Option(help="My cards (I am seat a).", rich_help_panel=_HAND_PANEL, metavar="CARDS")]
Opponent = Annotated[
    str | None, typer.Option(help="The opponent's cards.", rich_help_panel=_HAND_PANEL, metavar="CARDS")
]
Attack = Annotated[Side | None, typer.Option(help="Who attacks; me if not given.", rich_help_panel=_HAND_PANEL)]
Table = Annotated[
    str | None,
    typer.Option(
        help="What lies on the table: '6c:9c, 6d', with * at the end after 'take'.",
        rich_help_panel=_HAND_PANEL,
        metavar="CARDS",
    ),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules",
        help="A preset and options: simple, 'throw=lead limit=5'.",
        rich_help_panel=_HAND_PANEL,
        metavar="RULES",
        autocompletion=lambda: list(PRESETS),
    ),
]
Nodes = Annotated[
    int | None, typer.Option(help="Search at most N game states.", callback=_positive, rich_help_panel=_LIMITS_PANEL)
]
Seconds = Annotated[
    float | None, typer.Option(help="Search at most this long.", callback=_positive, rich_help_panel=_LIMITS_PANEL)
]
Samples = Annotated[
    int,
    typer.Option(
        min=1,
        metavar="N",
        help="Draw N of the deals that fit; all are valued if they are no more than that.",
        rich_help_panel=_HIDDEN_PANEL,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0,
        max=2**63 - 1,
        metavar="N",
        help="What the deals are drawn from: the same number, the same deals.",
        rich_help_panel=_HIDDEN_PANEL,
    ),
]
TableMB = Annotated[
    float,
    typer.Option(
        "--table-mb", help="Memory for proved results, in MiB.", callback=_not_negative, rich_help_panel=_LIMITS_PANEL
    ),
]
StyleOption = Annotated[Style | None, typer.Option("--style", help="How cards are written.", show_default=False)]


@dataclass(frozen=True, slots=True)
class Flags:
    """A position given by options."""

    trump: str | None
    me: str | None
    opponent: str | None
    attack: Side | None
    table: str | None
    rules: str | None

    @property
    def given(self) -> bool:
        """Whether any of them was used."""
        return any(value is not None for value in astuple(self))

    def position(self) -> Position:
        """Make the position, or end with a message."""
        for name, value in (("--trump", self.trump), ("--me", self.me), ("--opponent", self.opponent)):
            if value is None:
                fail(f"{name} is missing: a position needs --trump, --me and --opponent (- stands for none)")
        try:
            return Position.build(
                a=self.me or "",
                b=self.opponent or "",
                trump=self.trump,
                attacker="b" if self.attack is Side.OPPONENT else "a",
                table=self.table or "",
                rules=_rules(self.rules or ""),
            )
        except ValueError as error:
            name, _, reason = str(error).partition(": ")
            option = {"a": "--me", "b": "--opponent", "trump": "--trump", "table": "--table"}.get(name)
            fail(f"{option}: {reason}" if option else f"--rules: {error}")


def _rules(text: str) -> Rules:
    """Read rules as they stand in a DPN; the name of a preset may stand alone."""
    options: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals:
            key, value = "rules", word
        if key in options:
            raise ValueError(f"{key} is given twice")
        options[key] = value
    return Rules.from_options(options)


def read_position(dpn: str | None, flags: Flags) -> Position:
    """Read the one position a command is about, or end with a message.

    Parameters
    ----------
    dpn : str or None
    flags : Flags

    Returns
    -------
    Position
        Not necessarily a legal one.
    """
    if dpn is None:
        if not flags.given:
            fail("no position is given: write a DPN in quotes, or --trump, --me and --opponent")
        return flags.position()
    if flags.given:
        fail("a DPN says everything: it cannot be combined with options for trump, hands, attack, table and rules")
    try:
        return Position.from_dpn(dpn)
    except ValueError as error:
        fail(message(error))


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
        fail(f"{path} cannot be read: {_reason(error)}")


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
            yield Entry(number + 1, ValueError(f"the line cannot be read: {_reason(error)}"), end)


def _skip_line(file: BinaryIO) -> int:
    """Skip the rest of a line and return its length."""
    length = 0
    while rest := file.readline(_LONGEST_LINE):
        length += len(rest)
        if rest.endswith(b"\n"):
            break
    return length


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _decoded(line: bytes) -> str | ValueError:
    try:
        return line.decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        return ValueError(f"the line is not UTF-8 text: byte {error.start + 1} does not fit")


def engine(table_mb: float) -> Engine:
    """Return an engine, or end with a message."""
    try:
        return Engine(table_mb)
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
        self._progress = Progress(
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
