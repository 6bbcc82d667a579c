"""What an estimate is asked for, and the method that is to make it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from durak_solver.engine.hidden.deal_workers import DealWorkers
from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.game.position import Position

Weight = Callable[[Position], float]
"""How likely a deal is, compared with others: a number that is not negative, of the position with all cards open."""


@dataclass(frozen=True, slots=True)
class Method:
    """One way to value moves.

    Attributes
    ----------
    about
        One line for people.
    blind_spot
        What it cannot see.
    samples
        How many worlds it draws if nothing else is asked for; 0 if it never draws any.
    """

    name: str
    about: str
    blind_spot: str
    samples: int
    estimate: Callable[[EstimateRequest], Estimate]


@dataclass(frozen=True, slots=True)
class EstimateRequest:
    """One estimate to be made.

    Attributes
    ----------
    samples
        Most worlds to draw.
    seed
        What the worlds, and all else that is random, are drawn from.
    workers
        Already started with the limits.
    weight
        Makes some deals more likely than others.
    on_progress
        To be called with the estimate so far.
    """

    method: Method
    sampler: Sampler
    samples: int
    seed: int
    workers: DealWorkers
    weight: Weight | None = None
    on_progress: Callable[[Estimate], None] | None = None

    def answer(
        self, moves: Iterable[EstimatedMove], *, worlds: int, enumerated: bool = False, exact_share: float = 0.0
    ) -> Estimate:
        """Return the estimate; the moves are given best first."""
        return Estimate(
            position=self.sampler.position,
            method=self.method.name,
            seed=self.seed,
            deals=self.sampler.deals,
            worlds=worlds,
            enumerated=enumerated,
            exact_share=exact_share,
            moves=tuple(moves),
            blind_spot=self.method.blind_spot,
            nodes=self.workers.nodes,
            seconds=time.perf_counter() - self.workers.began,
            stopped=self.workers.stopped,
        )
