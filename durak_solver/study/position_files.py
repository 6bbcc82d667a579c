"""Files of positions: one DPN in a line, with blank lines and comments between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from durak_solver.model.messages import os_reason

SUFFIX: Final = ".dpn"
"""How the names of such files end."""

_LONGEST_LINE: Final = 10_000


@dataclass(frozen=True, slots=True)
class FileLine:
    """One line of a file.

    Attributes
    ----------
    number
        Counted from 1.
    text
        Without the end of the line; or what keeps it from being read.
    end
        Where the line ends in the file, in bytes.
    """

    number: int
    text: str | ValueError
    end: int = 0


def read_lines(file: BinaryIO, *, comments: bool = False) -> Iterator[FileLine]:
    """Yield the lines of a file, and close it at the end.

    A line that cannot be read is yielded with the reason, and the next one follows. The file is read no further than
    it has to be: it may be endless.

    Parameters
    ----------
    comments
        Yield blank lines and comments too.
    """
    number = end = 0
    with file:
        try:
            while line := file.readline(_LONGEST_LINE):
                number += 1
                end += len(line)
                if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                    end += _skip_line(file)
                    text: str | ValueError = ValueError(f"the line is longer than {_LONGEST_LINE:,} bytes")
                else:
                    text = _decoded(line)
                if isinstance(text, str):
                    text = text.removeprefix("\ufeff") if number == 1 else text
                    if not comments and (not text.strip() or text.lstrip().startswith("#")):
                        continue
                yield FileLine(number, text, end)
        except OSError as error:
            yield FileLine(number + 1, ValueError(f"the line cannot be read: {os_reason(error)}"), end)


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
