"""What is known of a position with hidden cards: frozen records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from durak_solver.game.position import Position
from durak_solver.model.moves import Move

ESTIMATE_SCHEMA: Final = "durak.estimate/1"
"""Name and version of the shape that `Estimate.to_dict` has."""

_NUMBERS: Final = ("mean", "low", "high", "win", "draw", "loss", "difference", "difference_low", "difference_high")


@dataclass(frozen=True, slots=True)
class EstimatedMove:
    """One legal move and what it is worth on average.

    Attributes
    ----------
    mean
        Mean payoff for the side to move, from -1 (loss) to 1 (win).
    low, high
        95 % interval of the mean over all deals that fit; the mean itself if every one of them was valued.
    win, draw, loss
        Chances, from 0 to 1.
    difference, difference_low, difference_high
        Mean payoff less that of the best move in the same worlds, with its 95 % interval.
    samples
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

        The interval of the mean, halved. Where draws occur, its width is scaled by the standard deviation of the wins
        over that of win + draw / 2.
        """
        spread = self.win + self.draw / 4 - (self.win + self.draw / 2) ** 2  # the variance of win + draw / 2
        share = math.sqrt(self.win * (1 - self.win) / spread) if self.draw and spread > 0 else 1.0
        low, high = share * (self.mean - self.low) / 2, share * (self.high - self.mean) / 2
        return max(0.0, self.win - low), min(1.0, self.win + high)

    def to_dict(self) -> dict[str, Any]:
        """Return the move for JSON, numbers rounded to six digits."""
        numbers = {name: round(getattr(self, name), 6) for name in _NUMBERS}
        return {"move": str(self.move), **numbers, "samples": self.samples}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Every legal move of a position with hidden cards, valued over the deals that fit.

    Attributes
    ----------
    seed
        What the worlds were drawn from.
    deals
        How many deals are consistent with what is known.
    worlds
        In how many of them the moves were valued.
    enumerated
        Whether these are all, each once.
    exact_share
        Share of the values that are exact for their world, from 0 to 1.
    moves
        All legal moves, best first.
    blind_spot
        What the method cannot see.
    nodes
        Game states whose moves were searched; what is known of a state at sight takes none.
    stopped
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
        """Whether the moves have values, and not only the order that a player without search gives them."""
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
