"""Positions with hidden cards, the deals that fit them, and what holds for every estimate."""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Iterator
from dataclasses import replace

import pytest

from durak_solver import Analysis, Engine, Estimate, Position, Value
from durak_solver._core.deals import Dealer
from durak_solver.game import core
from durak_solver.model.cards import deck_cards

PAYOFFS = {Value.WIN: 1.0, Value.DRAW: 0.0, Value.LOSS: -1.0}
FULL_STOCK = "6s7dThKs9c8h/?6 h a - ?23,7h"
# There is one legal move, so that no number of deals is too many.
ENDLESS = "?5/6c7c8c6d7d8d h a As ?2,7h"


def hidden_position(
    rng: random.Random, hand: int, stock: int, *, forgotten: int = 0, known: int = 0, turn_up: bool = True
) -> Position:
    """What the player to move knows after some random moves of an open deal.

    Parameters
    ----------
    rng : random.Random
    hand, stock : int
        Sizes at the start.
    forgotten : int
        How many discards nobody noted.
    known : int
        How many of the opponent's cards are known.
    turn_up : bool
        Whether the last card of the stock is known.
    """
    while True:
        cards = rng.sample(deck_cards(24), 24)
        a, b = cards[:hand], cards[hand : 2 * hand]
        drawn, discard = cards[2 * hand : 2 * hand + stock], cards[2 * hand + stock :]
        words = ["".join(map(str, part)) for part in (a, b, drawn, discard)]
        position = Position.from_dpn(
            f"{words[0]}/{words[1]} {drawn[-1].suit} {rng.choice('ab')} - {words[2]} {words[3]} deck=24 hand={hand}"
        )
        for _ in range(rng.randint(0, 3)):
            after = position.play(rng.choice(position.legal_moves))
            if after.phase == "over" or len(after.stock) < stock:
                break
            position = after
        other = 1 - "ab".index(position.to_move or "a")
        hands, unknown = list(position.hands), [0, 0]
        known_cards = tuple(sorted(rng.sample(hands[other], min(known, len(hands[other])))))
        unknown[other] = len(hands[other]) - len(known_cards)
        hands[other] = known_cards
        position = replace(
            position,
            hands=(hands[0], hands[1]),
            unknown=(unknown[0], unknown[1]),
            stock=(None,) * (stock - 1) + ((position.stock[-1],) if turn_up else (None,)),
            discard=position.discard[forgotten:],
        )
        if position.deduced() is None:
            return position


def every_deal(position: Position) -> Iterator[Position]:
    """Yield the open positions that fit, each once."""
    places = position.stock.count(None)
    for a in itertools.combinations(position.unseen, position.unknown[0]):
        left = [card for card in position.unseen if card not in a]
        for b in itertools.combinations(left, position.unknown[1]):
            for drawn in itertools.permutations([card for card in left if card not in b], places):
                cards = iter(drawn)
                stock = tuple(card or next(cards) for card in position.stock)
                if not stock or stock[-1].suit == position.trump:
                    hands = (
                        tuple(sorted(position.hands[0] + a)),
                        tuple(sorted(position.hands[1] + b)),
                    )
                    yield replace(position, hands=hands, unknown=(0, 0), stock=stock)


def dealer(position: Position) -> Dealer:
    trump = position.trump
    return Dealer(
        unseen=core.card_set(position.unseen, trump),
        unknown=position.unknown,
        stock=[core.card_set([card] if card else [], trump) for card in position.stock],
        turn_ups=core.card_set([card for card in position.unseen if card.suit == trump], trump),
    )


def opened(position: Position, worlds: bytes) -> list[Position]:
    """Put worlds into a position, and check that they have the right numbers of cards."""
    width = 2 + len(position.stock)
    found = []
    for row in struct.iter_unpack(f"={width}Q", worlds):
        parts = [core.cards_of(word, position.trump) for word in row]
        assert tuple(map(len, parts)) == (*position.unknown, *[1] * len(position.stock))
        hands = [tuple(sorted(hand + got)) for hand, got in zip(position.hands, parts[:2], strict=True)]
        stock = tuple(card for (card,) in parts[2:])
        found.append(replace(position, hands=(hands[0], hands[1]), unknown=(0, 0), stock=stock))
    return found


def key(position: Position) -> tuple[object, ...]:
    return position.hands, position.stock


def same(one: Estimate | Analysis, other: Estimate | Analysis) -> bool:
    """Whether two estimates differ in their time only."""
    assert isinstance(one, Estimate) and isinstance(other, Estimate)
    return replace(one, seconds=0) == replace(other, seconds=0)


def estimated(engine: Engine, position: Position, samples: int, seed: int = 0) -> Estimate:
    estimate = engine.estimate(position, samples=samples, seed=seed)
    assert isinstance(estimate, Estimate)
    return estimate


def check_record(position: Position, estimate: Estimate, *, by_visits: bool = False) -> None:
    """Check what holds for every estimate; `by_visits` where the best move is the one tried most often."""
    assert {move.move for move in estimate.moves} == {*position.legal_moves}
    most = max(move.samples for move in estimate.moves)
    visits = [move.samples for move in estimate.moves]
    means = [round(move.mean, 9) for move in estimate.moves]
    if by_visits:
        assert visits == sorted(visits, reverse=True)
    else:
        # Moves that were given up stand last: their means may be those of fewer worlds.
        assert any(
            {*visits[:split]} == {most}
            and all(part == sorted(part, reverse=True) for part in (means[:split], means[split:]))
            for split in range(1, len(means) + 1)
        )
    for move in estimate.moves:
        assert -1 <= move.low <= move.mean <= move.high <= 1
        assert move.win + move.draw + move.loss == pytest.approx(1)
        assert min(move.win, move.draw, move.loss) >= -1e-12
        assert move.win - move.loss == pytest.approx(move.mean)
        if move.samples == most or by_visits:
            assert move.difference == pytest.approx(move.mean - estimate.best.mean)
        assert -2 <= move.difference_low <= move.difference + 1e-12
        assert move.difference - 1e-12 <= move.difference_high <= 2
    assert estimate.best.difference == estimate.best.difference_low == estimate.best.difference_high == 0
