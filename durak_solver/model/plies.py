"""The moves of a game, with what is noted about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from durak_solver.model.layout import Hand
from durak_solver.model.messages import quoted
from durak_solver.model.moves import Move

GLYPHS: Final = ("!", "?", "!!", "??", "!?", "?!")
"""The marks that have a sign, in the order of their numbers ``$1`` to ``$6``."""

_LAST_MARK: Final = 255


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game, with what was noted about it.

    Attributes
    ----------
    move : Move
    mark : str
        ``"!"``, ``"?"``, ``"!!"``, ``"??"``, ``"!?"``, ``"?!"`` or ``"$0"`` to ``"$255"`` as in chess; several with
        spaces between. ``$1`` to ``$6`` become the signs that they stand for.
    comment : str
        Words, with single spaces between. There is no ``}`` in it.
    drawn : tuple of tuple of Card
        The cards that a and b are known to have drawn after the move, in canonical order.

    Raises
    ------
    ValueError
        If it is no mark, or the comment has a ``}``.
    """

    move: Move
    mark: str = ""
    comment: str = ""
    drawn: tuple[Hand, Hand] = ((), ())

    def __post_init__(self) -> None:
        a, b = self.drawn
        object.__setattr__(self, "mark", " ".join(map(normal_mark, self.mark.split())))
        object.__setattr__(self, "comment", normal_comment(self.comment))
        object.__setattr__(self, "drawn", (tuple(sorted(a)), tuple(sorted(b))))


def normal_mark(mark: str) -> str:
    """Return a mark in its written form.

    Parameters
    ----------
    mark : str
        One sign, or a number such as ``"$3"``.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it is no mark.
    """
    if mark in GLYPHS:
        return mark
    if not re.fullmatch(r"\$[0-9]{1,3}", mark) or int(mark[1:]) > _LAST_MARK:
        signs = ", ".join(GLYPHS)
        raise ValueError(f"{quoted(mark)} is not a mark: choose one of {signs}, or $0 to ${_LAST_MARK}")
    number = int(mark[1:])
    return GLYPHS[number - 1] if 1 <= number <= len(GLYPHS) else f"${number}"


def normal_comment(comment: str) -> str:
    """Return a comment in its written form: with single spaces.

    Parameters
    ----------
    comment : str

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it could not be read back.
    """
    if "}" in comment:
        raise ValueError(f"there can be no }} in a comment: {quoted(comment)}")
    return " ".join(comment.split())
