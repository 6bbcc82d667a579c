"""Samples the deals that fit what the player to move knows, as worlds for the core; or lists them all."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from durak_solver._core.deals import Dealer
from durak_solver._core.state import State
from durak_solver.game import core
from durak_solver.game.hidden import count_deals
from durak_solver.game.position import Position
from durak_solver.model.cards import Card

_GOLDEN: Final = 0.618034


class Sampler:
    """The worlds of a position: the unseen cards put into the unknown places.

    The position is legal and has a move to make.

    Attributes
    ----------
    root
        The position, with any unseen cards in the unknown places.
    moves
        The legal moves, in the order of `root.moves()`.
    known
        Card sets of the cards that a and b are known to hold.
    deals
        How many worlds there are.

    Raises
    ------
    UnsupportedError
        If the position does not say what the player to move holds.
    """

    def __init__(self, position: Position) -> None:
        trump = position.trump
        self.position = position
        self.root = core.solvable_state(position)
        self.moves = [core.from_core(move, trump) for move in self.root.moves()]
        self.known = (core.card_set(position.hands[0], trump), core.card_set(position.hands[1], trump))
        self.deals = count_deals(position)
        self._dealer = Dealer(
            unseen=core.card_set(position.unseen, trump),
            unknown=position.unknown,
            stock=[core.card_set([card] if card else [], trump) for card in position.stock],
            turn_ups=core.card_set(_turn_ups(position), trump),
        )

    def new_root(self) -> State:
        """Return `root` for a thread of its own: with short=bita states share a memory of discards."""
        return core.solvable_state(self.position) if self.position.rules.short == "bita" else self.root

    @property
    def width(self) -> int:
        """Bytes of one world."""
        return 8 * self._dealer.width

    def sample(self, seed: int, first: int, count: int) -> bytes:
        """Draw worlds, all deals equally likely.

        Parameters
        ----------
        first, count
            Which worlds of the seed's sequence. A world depends on the seed and its number alone.

        Returns
        -------
        bytes
            Rows of 64-bit words: the cards that a and b get, then the stock.
        """
        return self._dealer.sample(seed, first, count)

    def all(self, seed: int) -> Iterator[bytes]:
        """Yield every world once; scattered, so that those before a stop are a fair sample."""
        step = int(self.deals * _GOLDEN) | 1
        while math.gcd(step, self.deals) != 1:
            step += 2
        first = seed % self.deals
        for i in range(self.deals):
            yield _numbered_world(self.position, (first + i * step) % self.deals)

    def fill_in(self, world: bytes) -> Position:
        """Return the position with the cards of a world in the unknown places."""
        trump = self.position.trump
        words = struct.unpack(f"={len(world) // 8}Q", world)
        hands = [hand + core.cards_of(dealt, trump) for hand, dealt in zip(self.position.hands, words, strict=False)]
        stock = tuple(core.cards_of(card, trump)[0] for card in words[2:])
        return replace(self.position, hands=(hands[0], hands[1]), unknown=(0, 0), stock=stock)


def _turn_ups(position: Position) -> list[Card]:
    return [card for card in position.unseen if position.trump in (None, card.suit)]


def _numbered_world(position: Position, number: int) -> bytes:
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
    words = [core.card_set(hand, trump) for hand in hands]
    words += [core.card_set([card] if card else [], trump) for card in stock]
    return struct.pack(f"={len(words)}Q", *words)


def _combination(cards: list[Card], size: int, number: int) -> list[Card]:
    """Return one of the combinations of a size, numbered in the order of `itertools.combinations`."""
    chosen: list[Card] = []
    for i, card in enumerate(cards):
        with_card = math.comb(len(cards) - i - 1, size - len(chosen) - 1) if len(chosen) < size else 0
        if number < with_card:
            chosen.append(card)
        else:
            number -= with_card
    return chosen
