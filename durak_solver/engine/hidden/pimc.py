"""Perfect-information Monte Carlo: what each move is worth on average over worlds with open cards.

Ginsberg, "GIB: imperfect information in a computationally challenging game", 2001; when it works: Long, Sturtevant,
Buro and Furtak, "Understanding the success of perfect information Monte Carlo sampling in game tree search", AAAI 2010.
All moves are valued in the same worlds, and the mean of a move is taken before the best move is: the mean of each
world's own best would overstate what the player can get.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np

from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.hidden.intervals import Numbers, interval, weighted_mean
from durak_solver.engine.hidden.request import EstimateRequest

# With a small stock most worlds are solved. All values share a number of nodes, about a second's work: what easy worlds
# leave of it is for the hard ones, up to a budget for each value.
_EXACT_STOCK: Final = 2
_SHARED_BUDGET: Final = 1_500_000
_LEAST_BUDGET: Final = 500
_BUDGET: Final = 30_000
# Most values take much less than their budget.
_SLACK: Final = 2
# When all deals are valued, no value should be missed: the means are the truth about open cards.
_FULL_BUDGET: Final = 10_000_000
# With a larger stock a few worlds are tried if there are many nodes for each value. If too many of their values stay
# open, all worlds are played out instead.
_LARGEST_EXACT_STOCK: Final = 7
_TRIAL_BUDGET: Final = 20_000
_TRIAL: Final = 2
_TRIAL_SHARE: Final = 0.75
_TRIED_BUDGET: Final = 4_000_000

# Nodes for the exact value of a small ending at the end of a playout.
_LEAF_BUDGET: Final = 200

# Moves are compared after every round of worlds, for the first time when the interval of a difference can be trusted.
_ROUND: Final = 32
_FIRST_LOOK: Final = 64
# Several looks at several moves: a move that is as good as the best must almost never be dropped.
_Z_DROP: Final = 3.3


def pimc(request: EstimateRequest) -> Estimate:
    """Estimate what each legal move is worth.

    A move that is worse than the best one beyond doubt is valued in no more worlds, and the work ends when one move is
    left. If no more deals fit than were asked for, all moves are valued in all of them.
    """
    sample = _Sample(request)
    for rows in _rounds(request):
        sample.add(rows)
        if request.workers.stopped is not None or len(sample.alive) == 1 < len(request.sampler.moves):
            break
        if request.on_progress is not None:
            request.on_progress(sample.estimate())
    sample.break_ties()
    return sample.estimate()


def _rounds(request: EstimateRequest) -> Iterator[bytes]:
    """Yield the worlds, a round at a time; later rounds grow, because each looks at all worlds so far."""
    count = min(request.samples, request.sampler.deals)
    every = request.sampler.all(request.seed) if request.samples >= request.sampler.deals else None
    first = 0
    while first < count:
        size = min(max(_ROUND, first // 8 // _ROUND * _ROUND), count - first)
        if every is None:
            yield request.sampler.sample(request.seed, first, size)
        else:
            yield b"".join(itertools.islice(every, size))
        first += size


class _Sample:
    """The payoffs of the moves in the worlds so far."""

    def __init__(self, request: EstimateRequest) -> None:
        moves = len(request.sampler.moves)
        self.alive = list(range(moves))
        self._request = request
        self._fixed_budget = self._exact_budget()
        self._rows = b""
        # A move that was dropped has no number in the later worlds.
        self._payoffs = np.empty((0, moves))
        self._weights = np.empty(0)
        self._guesses = np.zeros(moves)
        self._exact = 0

    @property
    def _is_complete(self) -> bool:
        return len(self._payoffs) == self._request.sampler.deals

    def add(self, rows: bytes) -> None:
        """Value the moves in more worlds, and drop those that cannot be best any more."""
        request = self._request
        found, exact = request.workers.payoffs(request.sampler, self.alive, rows, self._budget(), _LEAF_BUDGET)
        payoffs = np.frombuffer(found).reshape(-1, len(self.alive))
        more = np.full((len(payoffs), len(request.sampler.moves)), np.nan)
        more[:, self.alive] = payoffs
        self._payoffs = np.concatenate([self._payoffs, more])
        self._exact += exact
        width = request.sampler.width
        rows = rows[: len(payoffs) * width]
        self._rows += rows
        worlds = (rows[i : i + width] for i in range(0, len(rows), width))
        weights = [1.0 if request.weight is None else _weight(request, world) for world in worlds]
        self._weights = np.concatenate([self._weights, weights])
        if self._is_complete and not self._weights.any():
            raise ValueError("weight is not allowed: it is 0 for every deal")
        if len(self._payoffs) >= _FIRST_LOOK and request.samples < request.sampler.deals:
            self._drop()

    def break_ties(self) -> None:
        """Play the best moves out where they are equal: open cards say too often that all is won or lost anyway."""
        means = self._means()
        best = max(means[move] for move in self.alive)
        tied = [move for move in self.alive if abs(means[move] - best) < 1e-9]
        request = self._request
        if len(tied) < 2 or self._fixed_budget == 0 or request.workers.stopped is not None:
            return
        found, _ = request.workers.payoffs(request.sampler, tied, self._rows, 0, _LEAF_BUDGET)
        played = np.frombuffer(found).reshape(-1, len(tied))
        for move, column in zip(tied, played.T, strict=True):
            self._guesses[move] = weighted_mean(column, self._weights[: len(column)])

    def estimate(self) -> Estimate:
        """Return what is known so far."""
        means = self._means()
        order = sorted(
            range(len(means)),
            key=lambda move: (move in self.alive, round(means[move], 9), self._guesses[move]),
            reverse=True,
        )
        valued = int(np.count_nonzero(~np.isnan(self._payoffs)))
        return self._request.answer(
            (self._move(move, order[0]) for move in order),
            worlds=len(self._payoffs),
            enumerated=self._is_complete,
            exact_share=self._exact / valued if valued else 0.0,
        )

    def _exact_budget(self) -> int | None:
        """Return how many nodes to try for each exact value; None if it depends on what the others took."""
        request, stock = self._request, len(self._request.sampler.position.stock)
        if stock <= _EXACT_STOCK:
            return _FULL_BUDGET if request.samples >= request.sampler.deals else None
        budget = _TRIED_BUDGET // (min(request.samples, request.sampler.deals) * len(self.alive))
        if stock > _LARGEST_EXACT_STOCK or budget < _TRIAL_BUDGET:
            return 0
        rows = request.sampler.sample(request.seed, 0, _TRIAL)
        _, exact = request.workers.payoffs(request.sampler, self.alive, rows, budget, 0)
        return budget if exact >= _TRIAL_SHARE * _TRIAL * len(self.alive) else 0

    def _budget(self) -> int:
        """Return how many nodes to try for each exact value of the next round."""
        if self._fixed_budget is not None:
            return self._fixed_budget
        values = (self._request.samples - len(self._payoffs)) * len(self.alive)
        share = _SLACK * (_SHARED_BUDGET - self._request.workers.nodes) // values
        return min(_BUDGET, max(_LEAST_BUDGET, share))

    def _means(self) -> list[float]:
        return [weighted_mean(*self._column(move)) for move in range(self._payoffs.shape[1])]

    def _column(self, move: int) -> tuple[Numbers, Numbers]:
        """Return the payoffs of a move and the weights of their worlds."""
        column = self._payoffs[:, move]
        valued = ~np.isnan(column)
        return column[valued], self._weights[valued]

    def _difference(self, move: int, other: int) -> tuple[Numbers, Numbers]:
        """Return by how much a move does better than another, in the worlds in which both were valued."""
        differences = self._payoffs[:, move] - self._payoffs[:, other]
        valued = ~np.isnan(differences)
        return differences[valued], self._weights[valued]

    def _drop(self) -> None:
        means = self._means()
        best = max(self.alive, key=means.__getitem__)
        self.alive = [
            move for move in self.alive if move == best or interval(*self._difference(move, best), 2, _Z_DROP)[1] >= 0
        ]

    def _move(self, move: int, best: int) -> EstimatedMove:
        payoffs, weights = self._column(move)
        differences, difference_weights = self._difference(move, best)
        mean, difference = weighted_mean(payoffs, weights), weighted_mean(differences, difference_weights)
        if self._is_complete:
            low = high = mean
            difference_low = difference_high = difference
        else:
            low, high = interval(payoffs, weights, 1)
            # The best move is as good as itself in every world, seen or not.
            difference_low, difference_high = (
                (0.0, 0.0) if move == best else interval(differences, difference_weights, 2)
            )
        draw = weighted_mean((payoffs == 0).astype(float), weights)
        return EstimatedMove(
            move=self._request.sampler.moves[move],
            mean=mean,
            low=low,
            high=high,
            win=(1 - draw + mean) / 2,
            draw=draw,
            loss=(1 - draw - mean) / 2,
            difference=difference,
            difference_low=difference_low,
            difference_high=difference_high,
            samples=len(payoffs),
        )


def _weight(request: EstimateRequest, world: bytes) -> float:
    """Return how much a world counts."""
    assert request.weight is not None
    weight = float(request.weight(request.sampler.fill_in(world)))
    if not 0 <= weight < float("inf"):
        raise ValueError(f"weight={weight} is not allowed: that of a deal is 0 or more")
    return weight
