"""What the engine returns: frozen records that say what is known and what it cost."""

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

ESTIMATE_SCHEMA: Final = "durak.estimate/1"
"""Name and version of the shape that `Estimate.to_dict` has."""

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
        """Return the value between two bounds.

        Parameters
        ----------
        lower, upper : int
            From -1 (loss) to 1 (win).

        Returns
        -------
        Value
        """
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


@dataclass(frozen=True, slots=True)
class GradedMove:
    """One legal move and what it is worth.

    Attributes
    ----------
    move : Move
    value : Value
        For the side that plays the move.
    line : tuple of Move
        Best play by both sides from the move itself to the end of the game; shorter, or the move alone, where a limit
        cut it off.
    plies : int or None
        How many moves the game lasts, this one and forced ones too, when the winner hurries and the loser delays; None
        for a draw, and where that was not asked or not proved. A line that was found with it lasts so many.
    bouts : int or None
        The same in bouts, counted with the one that is being played; each of the two is the best in its own measure.
    repetition : bool or None
        Whether the value is a draw because the game goes round for ever: neither side can force an end that is at least
        a draw for it. None if that is not known.
    straps : int or None
        How many the winner can hang at most; None if that is not known yet. Always 0 where straps are not played.
    """

    move: Move
    value: Value
    line: Line
    plies: int | None = None
    bouts: int | None = None
    repetition: bool | None = False
    straps: int | None = 0

    @property
    def exact(self) -> bool:
        """Whether nothing is left open: value, straps and repetition."""
        return self.value.is_exact and self.straps is not None and self.repetition is not None

    @property
    def worth(self) -> str:
        """The value with the straps, such as ``win``, ``win+2`` or ``loss+1``."""
        return _worth(self.value, self.straps)

    def goodness(self) -> tuple[Value, float, float]:
        """Return what moves are ordered by, the best greatest.

        Returns
        -------
        tuple
            The value, then more straps or fewer, then a quick win or a slow loss.
        """
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
class Solution:
    """The value of a position and a line of play that shows it.

    Attributes
    ----------
    position : Position
    value : Value
        For the side to move.
    line : tuple of Move
        Best play by both sides to the end of the game; shorter, or empty, where a limit cut it off.
    nodes : int
        Game states whose moves were searched; what is known of a state at sight takes none.
    seconds : float
        Time it took.
    stopped : str or None
        What ended the search early: ``"nodes"``, ``"seconds"``, ``"memory"`` or ``"interrupt"``; None if nothing did.
    tables : int
        The search met positions that the endings tables hold, which are those of up to so many cards; 0 if it did not.
    repetition : bool or None
        Whether the value is a draw because the game goes round for ever: neither side can force an end that is at least
        a draw for it. None if that is not known.
    straps : int or None
        How many the winner can hang at most; None if that is not known. Always 0 where straps are not played.
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

    @property
    def exact(self) -> bool:
        """Whether nothing is left open: value, straps and repetition."""
        return self.value.is_exact and self.straps is not None and self.repetition is not None

    @property
    def worth(self) -> str:
        """The value with the straps, such as ``win``, ``win+2`` or ``loss+1``."""
        return _worth(self.value, self.straps)


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every legal move of a position, graded.

    Attributes
    ----------
    position : Position
    moves : tuple of GradedMove
        All legal moves, best first; among equals the quickest win and the slowest loss, where that is known, then cheap
        cards.
    nodes : int
        Game states whose moves were searched; what is known of a state at sight takes none.
    seconds : float
        Time it took.
    stopped : str or None
        What ended the search early: ``"nodes"``, ``"seconds"``, ``"memory"`` or ``"interrupt"``; None if nothing did.
    tables : int
        The search met positions that the endings tables hold, which are those of up to so many cards; 0 if it did not.
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
        """The same in bouts."""
        return self._length([graded.bouts for graded in self._choices()])

    @property
    def best(self) -> GradedMove:
        """The best move, or one of them."""
        return self.moves[0]

    @property
    def repetition(self) -> bool | None:
        """Whether the value is a draw because the game goes round for ever: that of all moves that draw."""
        if self.value is not Value.DRAW:
            return False
        drawn = [graded.repetition for graded in self.moves if graded.value is Value.DRAW]
        return False if False in drawn else None if None in drawn else True

    @property
    def straps(self) -> int | None:
        """How many the winner can hang at most; None if that is not known. Always 0 where straps are not played."""
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
        """Return the length that the player to move chooses; None if one that matters is not known."""
        known = [length for length in lengths if length is not None]
        if len(known) < len(lengths):
            return None
        return min(known) if self.value is Value.WIN else max(known)


@dataclass(frozen=True, slots=True)
class EstimatedMove:
    """One legal move and what it is worth on average.

    Attributes
    ----------
    move : Move
    mean : float
        Mean payoff for the side to move, from -1 (loss) to 1 (win).
    low, high : float
        95 % interval of the mean over all deals that fit; the mean itself if every one of them was valued.
    win, draw, loss : float
        Chances, from 0 to 1.
    difference, difference_low, difference_high : float
        Mean payoff less that of the best move in the same worlds, with its 95 % interval.
    samples : int
        In how many worlds the move was valued.
    """

    move: Move
    mean: float
    low: float
    high: float
    win: float
    draw: float
    loss: float
    difference: float
    difference_low: float
    difference_high: float
    samples: int

    @property
    def win_interval(self) -> tuple[float, float]:
        """95 % interval of the chance to win, from 0 to 1.

        It follows from that of the mean, which is as wide as 2 * win + draw spreads: where draws occur, the share of
        the width that is due to wins is taken.
        """
        spread = self.win + self.draw / 4 - (self.win + self.draw / 2) ** 2  # the variance of win + draw / 2
        share = math.sqrt(self.win * (1 - self.win) / spread) if self.draw and spread > 0 else 1.0
        low, high = share * (self.mean - self.low) / 2, share * (self.high - self.mean) / 2
        return max(0.0, self.win - low), min(1.0, self.win + high)

    def to_dict(self) -> dict[str, Any]:
        """Return the move for JSON, numbers rounded to six digits.

        Returns
        -------
        dict
        """
        numbers = {
            name: round(getattr(self, name), 6)
            for name in (
                "mean",
                "low",
                "high",
                "win",
                "draw",
                "loss",
                "difference",
                "difference_low",
                "difference_high",
            )
        }
        return {"move": str(self.move), **numbers, "samples": self.samples}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Every legal move of a position with hidden cards, valued over the deals that fit.

    Attributes
    ----------
    position : Position
    method : str
    seed : int
        What the worlds were drawn from.
    deals : int
        How many deals are consistent with what is known.
    worlds : int
        In how many of them the moves were valued.
    enumerated : bool
        Whether these are all, each once.
    exact_share : float
        Share of the values that are exact for their world, from 0 to 1.
    moves : tuple of EstimatedMove
        All legal moves, best first.
    blind_spot : str
        What the method cannot see.
    nodes : int
        Game states whose moves were searched; what is known of a state at sight takes none.
    seconds : float
        Time it took.
    stopped : str or None
        What ended the search early: ``"nodes"``, ``"seconds"``, ``"memory"`` or ``"interrupt"``; None if nothing did.
    """

    position: Position
    method: str
    seed: int
    deals: int
    worlds: int
    enumerated: bool
    exact_share: float
    moves: tuple[EstimatedMove, ...]
    blind_spot: str
    nodes: int
    seconds: float
    stopped: str | None

    @property
    def best(self) -> EstimatedMove:
        """The best move, or one of them."""
        return self.moves[0]

    @property
    def is_valued(self) -> bool:
        """Whether the moves have values, and not only an order: a player without search gives no more than that."""
        return any(estimated.samples for estimated in self.moves)

    def to_dict(self) -> dict[str, Any]:
        """Return everything in written forms, for JSON.

        Returns
        -------
        dict
            ``schema`` ("durak.estimate/1"), ``position``, ``to_move``, ``phase``, ``method``, ``seed``, ``deals``,
            ``worlds``, ``enumerated``, ``exact_share``, ``moves`` (see `EstimatedMove.to_dict`), ``blind_spot``,
            ``stopped``, ``nodes``, ``seconds``.
        """
        return {
            "schema": ESTIMATE_SCHEMA,
            "position": self.position.to_dpn(),
            "to_move": self.position.to_move,
            "phase": self.position.phase,
            "method": self.method,
            "seed": self.seed,
            "deals": self.deals,
            "worlds": self.worlds,
            "enumerated": self.enumerated,
            "exact_share": round(self.exact_share, 6),
            "moves": [estimated.to_dict() for estimated in self.moves],
            "blind_spot": self.blind_spot,
            "stopped": self.stopped,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
