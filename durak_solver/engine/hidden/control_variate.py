"""Luck of the draw: how much the cards drawn after a bout were worth, compared with what might have been drawn.

Neither player knows the order of the stock, so whatever they do, luck is 0 on average. Subtracting it from the results
of games leaves less noise in who plays better: the idea of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT:
a new variance reduction technique for agent evaluation in imperfect information games", AAAI 2018).
"""

from __future__ import annotations

import math
import struct
from typing import Final

from durak_solver._core.deals import Dealer
from durak_solver._core.search import Searcher
from durak_solver.game import core
from durak_solver.game.position import Position

# Draws that leave a larger stock only add noise: too much is still to come.
_LARGEST_STOCK: Final = 12
_DRAWS: Final = 256
# Playouts take turns with this many pairs of policies: a mean over draws must have equally many of each.
_POLICY_PAIRS: Final = 4
_NODES_FOR_ENDING: Final = 0


class DrawLuck:
    """Values draws by playouts that end when the stock is gone, at the evaluation fitted to solved endings.

    Exact values there explain the results of matches less well, since better players would have left that line of play,
    and they cost ten times as much.
    """

    def __init__(self) -> None:
        self._searcher = Searcher(0)

    def of(self, before: Position, after: Position, seed: int) -> float:
        """Return by how much a draw favoured seat a; 0 on average over all orders of the unseen stock.

        Parameters
        ----------
        before, after
            Around the last move of a bout, with all cards known.
        seed
            What the other draws come from.

        Returns
        -------
        float
            In payoff, where winning is 1 and losing -1. 0 as long as the stock is large.
        """
        drawn = len(before.stock) - len(after.stock)
        # The turn-up lies open: it is no luck who draws it.
        unseen = before.stock[:-1]
        if not drawn or len(unseen) < 2 or len(after.stock) > _LARGEST_STOCK:
            return 0.0
        trump = after.trump
        luck = core.card_set((card for card in unseen[:drawn] if card), trump)
        hands = [core.card_set(hand, trump) for hand in after.hands]
        self._searcher.start(None, None)
        got = self._mean(after, (hands[0], hands[1]), 0, seed)
        expected = self._mean(after, (hands[0] & ~luck, hands[1] & ~luck), luck, seed)
        return (got - expected) * (1 if after.attacker == "a" else -1)

    def _mean(self, after: Position, known: tuple[int, int], luck: int, seed: int) -> float:
        """Return the mean worth of a position to the attacker, over other draws in place of the cards of `luck`."""
        trump = after.trump
        hands = [core.card_set(hand, trump) & luck for hand in after.hands]
        rest = after.stock[:-1]
        unseen = luck | core.card_set((card for card in rest if card), trump)
        turn_up = [core.card_set([card], trump) for card in after.stock[-1:] if card]
        dealer = Dealer(
            unseen=unseen,
            unknown=(hands[0].bit_count(), hands[1].bit_count()),
            stock=[0] * len(rest) + turn_up,
            turn_ups=0,
        )
        draws = _DRAWS if luck or len(rest) > 1 else _POLICY_PAIRS
        rows = dealer.sample(seed, 0, draws)
        values = self._searcher.play_outs(core.solvable_state(after), known, rows, _NODES_FOR_ENDING)
        return math.fsum(struct.unpack(f"={draws}d", values)) / draws
