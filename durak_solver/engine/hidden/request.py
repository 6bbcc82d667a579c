"""What an estimator is asked, and how it answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module

from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.hidden.methods import Method
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.engine.hidden.workers import DealWorkers
from durak_solver.game.position import Position

Weight = Callable[[Position], float]
"""How likely a deal is, compared with others: a number that is not negative, of the position with all cards open."""


@dataclass(frozen=True, slots=True)
class EstimateRequest:
    """One estimate to be made.

    Attributes
    ----------
    method : Method
    worlds : Sampler
    samples : int
        How many worlds to draw at most.
    seed : int
        What the worlds, and all else that is random, are drawn from.
    workers : DealWorkers
        Already started with the limits.
    began : float
        The time at which the work began, as `time.perf_counter` tells it.
    weight : callable, optional
        Makes some deals more likely than others.
    on_progress : callable, optional
        To be called with the estimate so far.
    """

    method: Method
    worlds: Sampler
    samples: int
    seed: int
    workers: DealWorkers
    began: float
    weight: Weight | None = None
    on_progress: Callable[[Estimate], None] | None = None

    def answer(
        self, moves: Iterable[EstimatedMove], *, worlds: int, enumerated: bool = False, exact_share: float = 0.0
    ) -> Estimate:
        """Return the estimate.

        Parameters
        ----------
        moves : iterable of EstimatedMove
            Best first.
        worlds : int
            In how many worlds they were valued.
        enumerated : bool
            Whether these were all there are.
        exact_share : float
            Share of the values that are exact for their world.

        Returns
        -------
        Estimate
        """
        return Estimate(
            position=self.worlds.position,
            method=self.method.name,
            seed=self.seed,
            deals=self.worlds.deals,
            worlds=worlds,
            enumerated=enumerated,
            exact_share=exact_share,
            moves=tuple(moves),
            blind_spot=self.method.blind_spot,
            nodes=self.workers.nodes,
            seconds=time.perf_counter() - self.began,
            stopped=self.workers.stopped,
        )


def estimate(request: EstimateRequest) -> Estimate:
    """Value the moves by the method that is asked for.

    Parameters
    ----------
    request : EstimateRequest

    Returns
    -------
    Estimate
    """
    # Loaded only now: some need numpy, which takes as long to load as all of this package.
    found: Callable[[EstimateRequest], Estimate] = getattr(
        import_module(f"durak_solver.engine.hidden.{request.method.module}"), request.method.name
    )
    return found(request)
