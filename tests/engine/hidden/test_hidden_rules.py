"""Hidden cards under other rules: what is known, and what moves are worth over the deals that fit."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from durak_solver import Analysis, Card, Engine, Estimate, Position, Rules, deal
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.engine.hidden.sampler import Sampler
from durak_solver.model.cards import deck_cards
from tests.support.hidden import PAYOFFS, check_record, dealer, estimated, every_deal, key, opened, same

RULES = (
    "transfer=on",
    "transfer=on show=on limit=hand",
    "transfer=on short=limit",
    "transfer=on short=bita",
    "transfer=on exchange=on",
    "lock=s ace6=on",
    "overflow=on limit=2",
    "straps=9 transfer=on",
    "straps=Qs strapmode=must-take",
    "deck=54",
    "deck=54 jokers=supreme transfer=on",
)


# Once the stock is gone something can be hidden only if a discard was not noted, and then these are not solved.
FORGETTABLE = [options for options in RULES if "bita" not in options]


def seen_late(rng: random.Random, options: str, stock: int, forgotten: int = 0, cards: int = 54) -> Position:
    """What the player to move sees of a game, played at random.

    Parameters
    ----------
    rng : random.Random
    options : str
    stock : int
        How many cards are left in the stock at most.
    forgotten : int
        How many discards nobody noted; all are noted with short=bita.
    cards : int
        How many cards are in the hands and on the table at most.
    """
    words = {"deck": "24"} | dict(word.split("=") for word in options.split())
    while True:
        position = deal(Rules.from_options(words), rng.getrandbits(32))
        seen = {card for card in position.stock[-1:] if card}
        while position.phase != "over" and (len(position.stock) > stock or _in_play(position) > cards):
            move = rng.choice(position.legal_moves)
            position = position.play(move)
            seen.update(move.cards)
            seen.update(card for card in position.stock[-1:] if card)
        if position.to_move:
            view = position.view(position.to_move, seen)
            if position.rules.short != "bita":
                view = replace(view, discard=view.discard[forgotten:])
            if view.deduced() is None:
                return view


def _in_play(position: Position) -> int:
    return sum(position.hand_sizes) + len(position.table_cards)


def few_deals(rng: random.Random, options: str) -> Position:
    """A position with the stock used up that fits not many deals."""
    while True:
        position = seen_late(rng, options, 0, 1, 11)
        if position.knowledge(position.to_move or "a").deals <= 40 and len(position.legal_moves) > 1:
            return position


# ---------------------------------------------------------------------------------------------------------- the deals


def test_what_is_known_with_jokers() -> None:
    rest = "".join(str(card) for card in deck_cards(54) if str(card) not in ("6h", "RJ", "BJ", "As"))
    knowledge = Position.from_dpn(f"6hRJ/?1 h a - - {rest} deck=54").knowledge("a")
    assert (knowledge.unseen, knowledge.deals) == ((Card("As"), Card("BJ")), 2)
    known = Position.from_dpn(f"6hRJ/?1 h a - - {rest}As deck=54").deduced()
    assert known is not None
    assert known.hands == ((Card("6h"), Card("RJ")), (Card("BJ"),))


def test_a_joker_is_never_the_turn_up() -> None:
    rng = random.Random(1)
    for _ in range(20):
        position = deal(Rules(deck=54), rng.getrandbits(32))
        assert position.stock[-1] is not None and not position.stock[-1].is_joker
        hidden = replace(position.view("a", ()), stock=(None,) * len(position.stock))
        for world in opened(hidden, dealer(hidden).sample(rng.getrandbits(63), 0, 20)):
            assert world.is_legal
            assert world.stock[-1] is not None and world.stock[-1].suit == position.trump


@pytest.mark.parametrize("options", FORGETTABLE)
def test_all_worlds(options: str) -> None:
    rng = random.Random(options)
    position = seen_late(rng, options, 0, 1, 14)
    deals = position.knowledge(position.to_move or "a").deals
    found = [key(world) for row in Sampler(position).all(0) for world in opened(position, row)]
    assert len(found) == deals
    assert {*found} == {key(world) for world in every_deal(position)}


# ---------------------------------------------------------------------------------------------------------- the moves


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", RULES)
def test_every_method_values_moves(options: str, method: str) -> None:
    rng, engine = random.Random(options), Engine(1)
    for stock in (2, 4, 8):
        position = seen_late(rng, options, stock, 1)
        estimate = engine.estimate(position, method=method, samples=12, seed=1, nodes=200_000)
        assert isinstance(estimate, Estimate)
        assert estimate.stopped in (None, "nodes")
        check_record(position, estimate, by_visits="cts" in method)
        assert engine.choose(position, method=method, samples=4, seed=1, nodes=50_000) in position.legal_moves


@pytest.mark.parametrize("options", FORGETTABLE)
def test_all_deals_are_solved(options: str) -> None:
    """Where all deals are valued, the mean is that of the exact values."""
    rng, engine, exact = random.Random(options), Engine(4), Engine(4)
    for _ in range(3):
        position = few_deals(rng, options)
        estimate = estimated(engine, position, 100)
        assert estimate.enumerated and estimate.exact_share == 1
        deals = list(every_deal(position))
        assert len(deals) == estimate.worlds
        total = dict.fromkeys((str(move.move) for move in estimate.moves), 0.0)
        for world in deals:
            for graded in exact.analyse(world).moves:
                total[str(graded.move)] += PAYOFFS[graded.value]
        for move in estimate.moves:
            assert move.low == move.mean == move.high == pytest.approx(total[str(move.move)] / len(deals))


@pytest.mark.parametrize("options", FORGETTABLE)
def test_one_deal_is_solved(options: str) -> None:
    rng, engine = random.Random(options), Engine(4)
    done = 0
    while done < 3:
        hidden = few_deals(rng, options)
        known = next(every_deal(hidden))
        # The last card that was not noted: what is left is in the opponent's hand.
        gone = [card for card in hidden.unseen if card not in known.hands[0] + known.hands[1]]
        told = replace(hidden, discard=(*gone, *hidden.discard))
        found = engine.estimate(told, seed=1)
        assert isinstance(found, Analysis)
        full = engine.analyse(replace(known, discard=told.discard))
        assert [(str(move.move), move.worth) for move in found.moves] == [
            (str(move.move), move.worth) for move in full.moves
        ]
        done += 1


@pytest.mark.parametrize(
    "options", ["transfer=on", "transfer=on show=on short=limit", "deck=54", "overflow=on limit=2"]
)
def test_intervals_hold_the_mean_over_all_deals(options: str) -> None:
    rng, engine = random.Random(options), Engine(4)
    inside: list[bool] = []
    while len(inside) < 100:
        position = seen_late(rng, options, 0, 5, 10)
        deals = position.knowledge(position.to_move or "a").deals
        if not 50 < deals < 300 or len(position.legal_moves) < 2:
            continue
        truth = {move.move: move.mean for move in estimated(engine, position, deals).moves}
        for seed in range(8):
            found = estimated(engine, position, 32, seed)
            assert not found.enumerated
            inside += [move.low <= truth[move.move] <= move.high for move in found.moves]
    assert sum(inside) > 0.85 * len(inside)


def test_threads_do_not_share_discards() -> None:
    """The order of the discard is remembered by numbers, which belong to one search."""
    position = seen_late(random.Random(3), "transfer=on short=bita", 6)
    one, *others = (Engine(1).estimate(position, samples=64, seed=3, jobs=jobs) for jobs in (1, 2, 3))
    assert all(same(one, other) for other in others)
