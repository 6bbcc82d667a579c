"""Files that commands read and write; what cannot be used ends the command with a message."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import BinaryIO

from durak_solver.cli.terminal import fail
from durak_solver.model.messages import os_reason


def open_lines(path: str) -> BinaryIO:
    """Open a file of lines; ``-`` is the standard input."""
    try:
        if path != "-":
            return Path(path).open("rb")
        # Of its own, because a thread that waits for a line must not hold what the end of the program has to close.
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:  # the standard input is no file: a test's
        return io.BytesIO(sys.stdin.buffer.read())
    except OSError as error:
        fail(f"{path} cannot be read: {os_reason(error)}")


def write_whole(path: Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        fail(f"{path} cannot be written: {os_reason(error)}")
