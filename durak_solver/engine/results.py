"""What is known of an open position, and what it cost to find out: frozen records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from durak_solver.game.position import Position
from durak_solver.model.messages import quoted
from durak_solver.model.moves import Move

SCHEMA: Final = "durak.analysis/1"
"""Name and version of the shape that `Analysis.to_dict` has."""

Line = tuple[Move, ...]


class Value(StrEnum):
    """What is known of a position or a move, for the side to move.

    Values are ordered by the middle of what is possible, and among equals the surer one is greater: loss < at most
    draw < unknown < draw < at least draw < win. The text of a value stands for it: ``value >= "draw"``.
    """

    WIN = "win"
    AT_LEAST_DRAW = "at least draw"
    DRAW = "draw"
    UNKNOWN = "unknown"
    AT_MOST_DRAW = "at most draw"
    LOSS = "loss"

    @classmethod
    def from_bounds(cls, lower: int, upper: int) -> Value:
        """Return the value that lies between two bounds, each from -1 (loss) to 1 (win)."""
        return _VALUES[lower, upper]

    @property
    def bounds(self) -> tuple[int, int]:
        """Lower and upper bound, from -1 (loss) to 1 (win)."""
        return _BOUNDS[self]

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left open."""
        lower, upper = self.bounds
        return lower == upper

    # Strings have all four comparisons already, so each must be replaced.
    def __lt__(self, other: object) -> bool:
        return _goodness(self) < _goodness(other) if isinstance(other, str) else NotImplemented

    def __le__(self, other: object) -> bool:
        return _goodness(self) <= _goodness(other) if isinstance(other, str) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return _goodness(self) > _goodness(other) if isinstance(other, str) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return _goodness(self) >= _goodness(other) if isinstance(other, str) else NotImplemented

    def __repr__(self) -> str:
        return f"Value.{self.name}"


_BOUNDS: Final = {
    Value.WIN: (1, 1),
    Value.AT_LEAST_DRAW: (0, 1),
    Value.DRAW: (0, 0),
    Value.UNKNOWN: (-1, 1),
    Value.AT_MOST_DRAW: (-1, 0),
    Value.LOSS: (-1, -1),
}
_NAMES: Final = tuple(map(str, Value))
_VALUES: Final = {bounds: value for value, bounds in _BOUNDS.items()}


def _goodness(text: str) -> tuple[int, int]:
    """Return what values are ordered by. Text that names none is refused: Python would go by the alphabet."""
    if text not in _NAMES:
        raise TypeError(f"{quoted(text)} is not a value: choose one of {', '.join(_NAMES)}")
    lower, upper = Value(text).bounds
    return lower + upper, lower


def _worth(value: Value, straps: int | None) -> str:
    return f"{value}+{straps}" if straps else str(value)


def _special(repetition: bool | None, straps: int | None) -> dict[str, Any]:
    """Return what is said of a value only where there is something to say."""
    return {**({"repetition": True} if repetition else {}), **({"straps": straps} if straps else {})}


class _Valued:
    """A record of one value."""

    __slots__ = ()
    value: Value
    repetition: bool | None
    straps: int | None

    @property
    def exact(self) -> bool:
        """Whether nothing is left open: value, straps and repetition."""
        return self.value.is_exact and self.straps is not None and self.repetition is not None

    @property
    def worth(self) -> str:
        """The value with the straps, such as ``win``, ``win+2`` or ``loss+1``."""
        return _worth(self.value, self.straps)


@dataclass(frozen=True, slots=True)
class GradedMove(_Valued):
    """One legal move and what it is worth.

    Attributes
    ----------
    value
        For the side that plays the move.
    line
        Best play by both sides from the move itself to the end of the game; shorter, or the move alone, where a limit
        cut it off.
    plies
        How many moves the game lasts, this one and forced ones too, when the winner hurries and the loser delays; the
        line is then of that length. None for a draw, and where that was not asked or not proved.
    bouts
        The length in bouts, the one being played included. Plies and bouts are optimised separately, so the two may
        belong to different lines.
    repetition
        Whether the value is a draw because the game goes round for ever: neither side can force an end that is at least
        a draw for it. None if that is not known.
    straps
        Most straps that the winner can hang; None if that is not known. Always 0 where straps are not played.
    """

    move: Move
    value: Value
    line: Line
    plies: int | None = None
    bouts: int | None = None
    repetition: bool | None = False
    straps: int | None = 0

    def goodness(self) -> tuple[Value, float, float]:
        """Return what moves are ordered by, the best greatest: value, then straps, then a quick win or slow loss."""
        sign = 1 if self.value is Value.WIN else -1
        return self.value, sign * (self.straps or 0), -math.inf if self.plies is None else -sign * self.plies

    def to_dict(self) -> dict[str, Any]:
        """Return the move in written forms, for JSON.

        Returns
        -------
        dict
            ``move``, ``value``, ``plies``, ``bouts`` (both null where they are not known) and ``line`` (a list of
            moves, this one first); ``repetition`` (true) where the value is a draw by repetition, and ``straps`` where
            some are hung.
        """
        return {
            "move": str(self.move),
            "value": str(self.value),
            "plies": self.plies,
            "bouts": self.bouts,
            "line": [str(move) for move in self.line],
            **_special(self.repetition, self.straps),
        }


@dataclass(frozen=True, slots=True)
class Solution(_Valued):
    """The value of a position and a line of play that shows it.

    Attributes
    ----------
    value
        For the side to move.
    line
        Best play by both sides to the end of the game; shorter, or empty, where a limit cut it off.
    nodes
        Game states whose moves were searched; what is known of a state at sight takes none.
    stopped
        What ended the search early: ``"nodes"``, ``"seconds"``, ``"memory"`` or ``"interrupt"``; None if nothing did.
    tables
        If the search looked values up in endings tables: up to how many cards these hold. Else 0.
    repetition, straps
        As for `GradedMove`.
    """

    position: Position
    value: Value
    line: Line
    nodes: int
    seconds: float
    stopped: str | None
    tables: int = 0
    repetition: bool | None = False
    straps: int | None = 0

    @property
    def move(self) -> Move | None:
        """A best move; None if no limit allowed finding one."""
        return self.line[0] if self.line else None


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every legal move of a position, graded.

    Attributes
    ----------
    moves
        All legal moves, best first; among equals the quickest win and the slowest loss, where that is known, then cheap
        cards.
    nodes, stopped, tables
        As for `Solution`.
    """

    position: Position
    moves: tuple[GradedMove, ...]
    nodes: int
    seconds: float
    stopped: str | None
    tables: int = 0

    @property
    def value(self) -> Value:
        """What the position is worth to the side to move."""
        bounds = [graded.value.bounds for graded in self.moves]
        return Value.from_bounds(max(lower for lower, _ in bounds), max(upper for _, upper in bounds))

    @property
    def plies(self) -> int | None:
        """How many moves the game lasts when the winner hurries and the loser delays; see `GradedMove`."""
        return self._length([graded.plies for graded in self._choices()])

    @property
    def bouts(self) -> int | None:
        """How many bouts the game lasts, likewise."""
        return self._length([graded.bouts for graded in self._choices()])

    @property
    def best(self) -> GradedMove:
        """The best move, or one of them."""
        return self.moves[0]

    @property
    def repetition(self) -> bool | None:
        """Whether the value is a draw because the game goes round for ever, whichever drawing move is played."""
        if self.value is not Value.DRAW:
            return False
        drawn = [graded.repetition for graded in self.moves if graded.value is Value.DRAW]
        return False if False in drawn else None if None in drawn else True

    @property
    def straps(self) -> int | None:
        """Most straps that the winner can hang; None if that is not known. Always 0 where straps are not played."""
        value = self.value
        if any(graded.straps is None and graded.value.bounds[1] >= value.bounds[1] for graded in self.moves):
            return None
        return self.best.straps if value in (Value.WIN, Value.LOSS) else 0

    @property
    def worth(self) -> str:
        """The value with the straps, such as ``win``, ``win+2`` or ``loss+1``."""
        return _worth(self.value, self.straps)

    @property
    def line(self) -> Line:
        """Best play by both sides to the end of the game."""
        return self.best.line

    @property
    def exact(self) -> bool:
        """Whether everything is exact for every move."""
        return all(graded.exact for graded in self.moves)

    def to_dict(self) -> dict[str, Any]:
        """Return everything in written forms, for JSON.

        Returns
        -------
        dict
            ``schema`` ("durak.analysis/1"), ``position`` (canonical DPN), ``to_move`` ("a" or "b"), ``phase``,
            ``value``, ``plies``, ``bouts`` (both null where they are not known), ``moves`` (see `GradedMove.to_dict`),
            ``line``, ``exact``, ``stopped``, ``tables``, ``nodes``, ``seconds``; ``repetition`` (true) where the value
            is a draw by repetition, and ``straps`` where some are hung.
        """
        return {
            "schema": SCHEMA,
            "position": self.position.to_dpn(),
            "to_move": self.position.to_move,
            "phase": self.position.phase,
            "value": str(self.value),
            **_special(self.repetition, self.straps),
            "plies": self.plies,
            "bouts": self.bouts,
            "moves": [graded.to_dict() for graded in self.moves],
            "line": [str(move) for move in self.line],
            "exact": self.exact,
            "stopped": self.stopped,
            "tables": self.tables,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }

    def _choices(self) -> list[GradedMove]:
        """Return the moves that have the value of the position, or may have it."""
        best = self.value.bounds[1]
        return [graded for graded in self.moves if graded.value.bounds[1] >= best]

    def _length(self, lengths: list[int | None]) -> int | None:
        """Return the shortest length if the player to move wins, else the longest; None if one is not known."""
        known = [length for length in lengths if length is not None]
        if len(known) < len(lengths):
            return None
        return min(known) if self.value is Value.WIN else max(known)
