"""Hidden cards: what each move is worth on average over the deals that fit what is known (PIMC).

Perfect-information Monte Carlo (Ginsberg, "GIB: imperfect information in a computationally challenging game", 2001;
when it works: Long, Sturtevant, Buro and Furtak, "Understanding the success of perfect information Monte Carlo sampling
in game tree search", AAAI 2010). All moves are valued in the same worlds, and the mean of a move is taken before the
best move is: the mean of each world's own best would overstate what the player can get.
"""

from __future__ import annotations

import itertools
import math
import os
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from durak_solver import bridge
from durak_solver._core.deals import Dealer
from durak_solver._core.search import Searcher
from durak_solver.cards import Card
from durak_solver.engine.results import Estimate, EstimatedMove
from durak_solver.moves import Move
from durak_solver.position import Position

BLIND_SPOT: Final = (
    "each world is played with open cards, so what a move hides or gives away counts for nothing, and the opponent's "
    "earlier moves say nothing about his cards"
)
"""What this method cannot see."""

# With so few cards in the stock, most worlds are solved within the budget; with more the attempt is wasted.
_EXACT_STOCK: Final = 4
_BUDGET: Final = 2_000
# What all worlds together may take when they are few: then most can be solved.
_SHARED_BUDGET: Final = 2_000_000
_CHUNK: Final = 16
_PLAY_OUT: Final = -1
_GOLDEN: Final = 0.618034


class Seeder(Protocol):
    """What a `numpy.random.Generator` is used for."""

    def integers(self, high: int) -> object:
        """Draw a number below `high`."""


def pimc(
    searcher: Searcher,
    position: Position,
    *,
    samples: int,
    seed: int,
    on_progress: Callable[[Estimate], None] | None = None,
) -> Estimate:
    """Estimate what each legal move is worth.

    Parameters
    ----------
    searcher : Searcher
        Already started with its limits.
    position : Position
        A legal one, with hidden cards; the player to move knows his own.
    samples : int
        How many worlds to draw. If no more deals than that fit, all of them are valued, each once.
    seed : int
        What the worlds are drawn from, or the order in which all of them are valued.
    on_progress : callable, optional
        Called with the estimate so far after every few worlds.

    Returns
    -------
    Estimate

    Raises
    ------
    UnsupportedError
        If the position does not say what the player to move holds.
    """
    began = time.perf_counter()
    root = bridge.bout_state(position)
    moves = [bridge.from_core(move, position.trump) for move in root.moves()]
    known = (bridge.card_set(position.hands[0], position.trump), bridge.card_set(position.hands[1], position.trump))
    deals = position.knowledge(position.to_move or "a").deals
    enumerated = samples >= deals
    budget = max(_BUDGET, _SHARED_BUDGET // (min(samples, deals) * len(moves)))
    rows: list[list[float]] = []
    played: list[list[float]] = []
    exact = 0

    def so_far() -> Estimate:
        return _summary(
            position, moves, rows, played, exact=exact, seed=seed, deals=deals, searcher=searcher, began=began
        )

    try:
        for worlds in _all_worlds(position, seed, deals) if enumerated else _sampled_worlds(position, seed, samples):
            found, exact_counts = searcher.payoffs(root, known, worlds, _EXACT_STOCK, budget)
            rows += found
            exact += sum(exact_counts)
            if not searcher.stopped:
                played += searcher.payoffs(root, known, worlds, _PLAY_OUT, _BUDGET)[0]
            if searcher.stopped:
                break
            if on_progress is not None:
                on_progress(so_far())
    except KeyboardInterrupt:  # between two searches
        searcher.stop()
    return so_far()


def draw_seed(seed: int | Seeder | None) -> int:
    """Return a seed as a number below 2**63.

    Parameters
    ----------
    seed : int, numpy.random.Generator or None
        None draws one from the operating system.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If it is none of these, or the number is negative or too large.
    """
    if seed is None:
        return int.from_bytes(os.urandom(8)) >> 1
    if isinstance(seed, int):
        if not 0 <= seed < 2**63:
            raise ValueError(f"seed={seed} is not allowed: a number from 0 to 2**63 - 1")
        return seed
    if not hasattr(seed, "integers"):
        raise ValueError(f"seed={seed!r} is not allowed: a number or a numpy.random.Generator")
    return int(str(seed.integers(2**63)))


def _sampled_worlds(position: Position, seed: int, samples: int) -> Iterator[bytes]:
    """Yield the worlds of a seed, some at a time."""
    dealer = _dealer(position)
    for first in range(0, samples, _CHUNK):
        yield dealer.sample(seed, first, min(_CHUNK, samples - first))


def _dealer(position: Position) -> Dealer:
    trump = position.trump
    return Dealer(
        unseen=bridge.card_set(position.unseen, trump),
        unknown=position.unknown,
        stock=[bridge.card_set([card] if card else [], trump) for card in position.stock],
        turn_ups=bridge.card_set(_turn_ups(position), trump),
    )


def _turn_ups(position: Position) -> list[Card]:
    return [card for card in position.unseen if position.trump in (None, card.suit)]


def _all_worlds(position: Position, seed: int, deals: int) -> Iterator[bytes]:
    """Yield every world once, some at a time; scattered, so that those before a stop are fair ones."""
    step = int(deals * _GOLDEN) | 1
    while math.gcd(step, deals) != 1:
        step += 2
    first = seed % deals
    worlds = (_world(position, (first + i * step) % deals) for i in range(deals))
    while chunk := b"".join(itertools.islice(worlds, _CHUNK)):
        yield chunk


def _world(position: Position, number: int) -> bytes:
    """Return one of the worlds, which are numbered from 0 to the number of deals less one."""
    trump, cards, stock = position.trump, list(position.unseen), list(position.stock)
    if stock and stock[-1] is None:
        turn_ups = _turn_ups(position)
        number, i = divmod(number, len(turn_ups))
        stock[-1] = turn_ups[i]
        cards.remove(turn_ups[i])
    hands = []
    for unknown in position.unknown:
        number, i = divmod(number, math.comb(len(cards), unknown))
        hands.append(_combination(cards, unknown, i))
        cards = [card for card in cards if card not in hands[-1]]
    for place, card in enumerate(stock):
        if card is None:
            number, i = divmod(number, len(cards))
            stock[place] = cards.pop(i)
    words = [bridge.card_set(hand, trump) for hand in hands]
    words += [bridge.card_set([card] if card else [], trump) for card in stock]
    return struct.pack(f"={len(words)}Q", *words)


def _combination(cards: list[Card], size: int, number: int) -> list[Card]:
    """Return one of the combinations of so many cards, numbered in the order of `itertools.combinations`."""
    chosen: list[Card] = []
    for i, card in enumerate(cards):
        with_card = math.comb(len(cards) - i - 1, size - len(chosen) - 1) if len(chosen) < size else 0
        if number < with_card:
            chosen.append(card)
        else:
            number -= with_card
    return chosen


def _summary(
    position: Position,
    moves: list[Move],
    rows: list[list[float]],
    played: list[list[float]],
    *,
    exact: int,
    seed: int,
    deals: int,
    searcher: Searcher,
    began: float,
) -> Estimate:
    """Put the payoffs of all worlds together."""
    columns = [[row[i] for row in rows] for i in range(len(moves))]
    means = [_mean(column) if column else 0.0 for column in columns]
    guesses = [_mean([row[i] for row in played]) if played else 0.0 for i in range(len(moves))]
    order = sorted(range(len(moves)), key=lambda i: (round(means[i], 9), guesses[i]), reverse=True)
    complete = len(rows) == deals
    best = columns[order[0]]
    estimated = []
    for i in order:
        low, high = _interval(columns[i], complete)
        differences = [value - top for value, top in zip(columns[i], best, strict=True)]
        # The best move itself is the best in every world, seen or not.
        difference_low, difference_high = _interval(differences, complete or i == order[0], 2.0)
        worlds = max(1, len(rows))
        draw = columns[i].count(0) / worlds
        win = sum((1 + value) / 2 for value in columns[i] if value != 0) / worlds
        estimated.append(
            EstimatedMove(
                move=moves[i],
                mean=means[i],
                low=low,
                high=high,
                win=win,
                draw=draw,
                loss=max(0.0, 1 - win - draw) if rows else 0.0,
                difference=_mean(differences) if rows else 0.0,
                difference_low=difference_low,
                difference_high=difference_high,
                samples=len(rows),
            )
        )
    return Estimate(
        position=position,
        method="pimc",
        seed=seed,
        deals=deals,
        worlds=len(rows),
        enumerated=complete,
        exact_share=exact / (len(rows) * len(moves)) if rows else 0.0,
        moves=tuple(estimated),
        blind_spot=BLIND_SPOT,
        nodes=searcher.nodes,
        seconds=time.perf_counter() - began,
        stopped=searcher.stopped,
    )


def _interval(values: list[float], complete: bool, bound: float = 1.0) -> tuple[float, float]:
    """Return a 95 % interval of the mean of values from -bound to bound; the mean itself when every deal was valued."""
    if not values:
        return (0.0, 0.0) if complete else (-bound, bound)
    mean = _mean(values)
    if complete:
        return mean, mean
    low, high = min(values), max(values)
    if low == high:
        # A share p of worlds that say something else is missed with chance (1 - p) ** n: 95 % sure that p < 3 / n.
        missed = min(1.0, 3 / len(values))
        return mean - missed * (mean + bound), mean + missed * (bound - mean)
    half = 1.96 * _deviation(values) / math.sqrt(len(values))
    return max(-bound, mean - half), min(bound, mean + half)


# The module `statistics` would take longer to load than all of this package.
def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _deviation(values: Sequence[float]) -> float:
    mean = _mean(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
