"""Monte Carlo tree search: the methods that other estimates have to beat."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import numpy as np

from durak_solver._core.mcts import TreeSearcher
from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.hidden.intervals import interval
from durak_solver.engine.hidden.request import EstimateRequest

_MCTS_ITERATIONS: Final = 30
_CHUNK_SECONDS: Final = 0.02


def ismcts(request: EstimateRequest) -> Estimate:
    """Search one tree over the moves, each iteration in another world (SO-ISMCTS).

    Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", 2012. The mean of a move is that of its
    playouts in the tree. Best is the move most often visited.
    """
    return _search(request, one_tree=True, iterations=1)


def mcts30x30(request: EstimateRequest) -> Estimate:
    """Search a tree of 30 iterations in each of 30 worlds (determinised MCTS), and add up the visits."""
    return _search(request, one_tree=False, iterations=_MCTS_ITERATIONS)


def _search(request: EstimateRequest, *, one_tree: bool, iterations: int) -> Estimate:
    sampler, workers = request.sampler, request.workers
    searcher = TreeSearcher(sampler.root, sampler.known, one_tree, iterations, request.seed)
    searched = 0
    for first, count in _portions(request.samples):
        if workers.is_over():
            break
        searcher.add(sampler.sample(request.seed, first, count))
        searched += count
        if request.on_progress is not None and searched < request.samples:
            request.on_progress(_answer(request, searcher, searched))
    return _answer(request, searcher, searched)


def _portions(samples: int) -> Iterator[tuple[int, int]]:
    """Yield portions of the worlds, as first number and count; each takes some hundredths of a second."""
    first, count = 0, 1
    while first < samples:
        count = min(count, samples - first)
        began = time.perf_counter()
        yield first, count
        first += count
        if time.perf_counter() - began < _CHUNK_SECONDS:
            count *= 2


def _answer(request: EstimateRequest, searcher: TreeSearcher, worlds: int) -> Estimate:
    tallies = searcher.tallies()
    # The move visited most was best for longest; it is also the steadier choice.
    order = sorted(range(len(tallies)), key=lambda move: tallies[move], reverse=True)
    return request.answer((_move(request, move, order[0], tallies) for move in order), worlds=worlds)


def _move(request: EstimateRequest, move: int, best: int, tallies: list[tuple[int, int, int]]) -> EstimatedMove:
    visits, wins, draws = tallies[move]
    mean, low, high = _mean(*tallies[move])
    best_mean, best_low, best_high = _mean(*tallies[best])
    half = float(np.hypot(high - low, best_high - best_low)) / 2
    difference = mean - best_mean
    draw = draws / visits if visits else 0.0
    return EstimatedMove(
        move=request.sampler.moves[move],
        mean=mean,
        low=low,
        high=high,
        win=wins / visits if visits else 0.5,
        draw=draw,
        loss=(visits - wins - draws) / visits if visits else 0.5,
        difference=0.0 if move == best else difference,
        difference_low=0.0 if move == best else max(-2.0, difference - half),
        difference_high=0.0 if move == best else min(2.0, difference + half),
        samples=visits,
    )


def _mean(visits: int, wins: int, draws: int) -> tuple[float, float, float]:
    """Return the mean payoff of playouts, and its 95 % interval."""
    payoffs = np.array([1.0, 0.0, -1.0])
    counts = np.array([wins, draws, visits - wins - draws], dtype=float)
    low, high = interval(np.repeat(payoffs, counts.astype(int)), np.ones(visits), 1)
    return (float(payoffs @ counts) / visits if visits else 0.0), low, high
