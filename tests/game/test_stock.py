"""Positions with a stock: drawing, what a player knows, and open deals solved exactly."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import Card, Engine, IllegalPositionError, Position, UnsupportedError, Value
from durak_solver._core.search import Searcher
from durak_solver._core.state import RuleSet, State
from durak_solver.model.cards import deck_cards
from tests.support import reference
from tests.support.strategies import OPTIONS


def open_deal(rng: random.Random, hand: int, stock: int, options: str) -> str:
    """DPN of a deal with both hands full and the order of the stock known."""
    cards = rng.sample(deck_cards(24), 2 * hand + stock)
    a, b, rest = cards[:hand], cards[hand : 2 * hand], cards[2 * hand :]
    words = ["".join(map(str, sorted(part))) for part in (a, b)]
    return f"{words[0]}/{words[1]} {rest[-1].suit} {rng.choice('ab')} - {''.join(map(str, rest))} deck=24 {options}"


# ------------------------------------------------------------------------------------------------------------ drawing


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_whole_games_with_a_stock(seed: int, data: st.DataObject) -> None:
    rng = random.Random(seed)
    hand = rng.choice([5, 6])
    options = {key: data.draw(st.sampled_from(values)) for key, values in OPTIONS.items() if key != "deck"}
    words = " ".join(f"{key}={value}" for key, value in (options | {"hand": str(hand)}).items())
    dpn = open_deal(rng, hand, rng.randint(1, 24 - 2 * hand), words)
    state, position = reference.parse(dpn), Position.from_dpn(dpn)
    while not state.over:
        moves = reference.legal_moves(state)
        assert sorted(map(str, position.legal_moves)) == sorted(moves)
        move = rng.choice(moves)
        state, position = reference.play(state, move), position.play(move)
        assert tuple(frozenset(map(str, hand)) for hand in position.hands) == state.hands
        assert tuple(map(str, position.stock)) == state.stock
        assert (position.phase, position.outcome()) == (state.phase, reference.outcome(state))
        assert position.discard_size == state.discard_count
        assert position.deduced() == position


# ---------------------------------------------------------------------------------------------------------- open deals


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_open_deals_against_the_reference(seed: int) -> None:
    """Hands of two, so that the reference can solve the whole game."""
    rng = random.Random(seed)
    throw, lead, limit = rng.choice(["any", "lead", "none"]), rng.choice(["many", "one"]), rng.choice([6, 1, 2])
    pursuit, both = rng.choice(["on", "off"]), rng.choice(["draw", "attacker"])
    options = f"throw={throw} lead={lead} limit={limit} pursuit={pursuit} both={both}"
    state = reference.parse(open_deal(rng, 2, rng.randint(1, 4), options))
    state = state._replace(rules=replace(state.rules, hand=2))
    rules = RuleSet(
        trump=True,
        deck=24,
        hand=2,
        throw=["any", "lead", "none"].index(throw),
        lead_many=lead == "many",
        limit=limit,
        first=0,
        pursuit=pursuit == "on",
        both_attacker=both == "attacker",
    )
    lanes = state.trump + "scdh".replace(state.trump, "")

    def bits(cards: frozenset[str]) -> int:
        return sum(1 << 16 * lanes.index(card[1]) + "23456789TJQKA".index(card[0]) for card in cards)

    core = State(
        rules,
        attacker=state.attacker,
        hands=(bits(state.hands[0]), bits(state.hands[1])),
        stock=[bits(frozenset([card])) for card in state.stock],
    )
    value = {"win": 1, "draw": 0, "loss": -1}[reference.solve(state)[0]]
    for size in (0, 64, 2**20):
        searcher = Searcher(size)
        searcher.start(None, None)
        assert searcher.bounds(core) == (value, value)
        end = core
        for move in searcher.line(core, value):
            end = end.play(*move)
        assert end.winner == {1: state.attacker, 0: 2, -1: 1 - state.attacker}[value]


def test_open_deals_are_solved_with_lines() -> None:
    rng = random.Random(6)
    engine = Engine()
    for _ in range(10):
        position = Position.from_dpn(open_deal(rng, 6, 2, ""))
        analysis = engine.analyse(position)
        assert analysis.exact
        for graded in analysis.moves:
            end = position
            for move in graded.line:
                end = end.play(move)
            outcome = end.outcome()
            assert graded.value == ("draw" if outcome == "draw" else "win" if outcome == position.to_move else "loss")


def test_a_limit_leaves_bounds_of_an_open_deal() -> None:
    position = Position.from_dpn(open_deal(random.Random(7), 6, 12, ""))
    solution = Engine().solve(position, nodes=20_000)
    assert solution.stopped == "nodes"
    assert solution.value == Value.UNKNOWN


# ----------------------------------------------------------------------------------------------------------- knowledge


def enumerate_deals(position: Position) -> int:
    """Count deals one by one."""
    unseen, count = position.unseen, 0
    stock = position.stock.count(None)
    for a in itertools.combinations(unseen, position.unknown[0]):
        rest = [card for card in unseen if card not in a]
        for b in itertools.combinations(rest, position.unknown[1]):
            left = [card for card in rest if card not in b]
            for drawn in itertools.permutations(left, stock):
                last = position.stock[-1] if position.stock else None
                turn_up = last or (drawn[-1] if stock else None)
                count += turn_up is None or position.trump is None or turn_up.suit == position.trump
    return count


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_number_of_deals(seed: int) -> None:
    rng = random.Random(seed)
    cards = list(deck_cards(24))
    rng.shuffle(cards)
    hidden, known = cards[: rng.randint(1, 6)], cards[6:]
    stock = rng.randint(0, min(3, len(hidden)))
    opponent = rng.randint(0, len(hidden) - stock)
    trump = rng.choice("scdh")
    turn_up = [card for card in known if card.suit == trump][:1] if rng.random() < 0.5 else []
    known = [card for card in known if card not in turn_up]
    placed = f"?{stock}" * (stock > 0) + "," * (stock > 0 and bool(turn_up)) + "".join(map(str, turn_up))
    discards = "".join(map(str, known[12 - opponent if opponent < 6 else 6 :]))
    theirs = "".join(map(str, known[6 : 12 - opponent])) if opponent < 6 else ""
    hand = "".join(map(str, known[:6]))
    unknown = f"?{opponent}" * (opponent > 0)
    comma = "," * bool(theirs and unknown)
    theirs += comma + (unknown or ("" if theirs else "-"))
    position = Position.from_dpn(f"{hand}/{theirs} {trump} a - {placed or '-'} {discards or '-'} deck=24")
    expected = enumerate_deals(position)
    if not position.is_legal:
        assert expected == 0 or "no_turn_up" not in {defect.code for defect in position.status()}
        return
    knowledge = position.knowledge("a")
    assert knowledge.deals == expected > 0
    assert knowledge.hand == position.hands[0]
    assert (knowledge.opponent, knowledge.opponent_unknown) == (position.hands[1], opponent)
    known_position = position.deduced()
    assert (known_position is not None) == (expected == 1 or not (opponent or stock))
    if known_position is not None:
        assert known_position.unknown == (0, 0)
        assert None not in known_position.stock
        assert known_position.is_legal


def test_knowledge_of_a_seat() -> None:
    position = Position.from_dpn("6s7dQdThKs/9c,?3 h b 6c:8c,6d ?11,7h 9h8s")
    knowledge = position.knowledge("a")
    assert (knowledge.seat, knowledge.opponent, knowledge.opponent_unknown) == ("a", (Card("9c"),), 3)
    assert len(knowledge.unseen) == 24
    assert position.deduced() is None
    with pytest.raises(ValueError, match="what b knows cannot be told while cards of that hand are unknown"):
        position.knowledge("b")
    with pytest.raises(ValueError, match="choose one of a, b"):
        position.knowledge("c")
    with pytest.raises(IllegalPositionError):
        Position.from_dpn("6s6s/?2 h a -").knowledge("a")


def test_the_last_hidden_cards_are_deduced() -> None:
    """With the stock down to the turn-up and every discard noted, the opponent's hand follows."""
    discards = "".join(map(str, deck_cards(24)[:11]))
    own, theirs, turn_up = deck_cards(24)[11:17], deck_cards(24)[17:23], deck_cards(24)[23]
    hand = "".join(map(str, own))
    hidden = Position.from_dpn(f"{hand}/?6 {turn_up.suit} a - {turn_up} {discards} deck=24")
    assert hidden.knowledge("a").deals == 1
    known = hidden.deduced()
    assert known is not None
    assert known.hands[1] == theirs
    engine = Engine()
    assert engine.solve(hidden).value == engine.solve(known).value
    analysis = engine.analyse(hidden)
    assert analysis.position == hidden
    assert [graded.value for graded in analysis.moves] == [graded.value for graded in engine.analyse(known).moves]
    # From the other side: it is the opponent's turn, and his moves are known too.
    turned = Position.from_dpn(f"{hand}/?6 {turn_up.suit} b - {turn_up} {discards} deck=24")
    assert {move for graded in engine.analyse(turned).moves for move in graded.move.cards} == set(theirs)
    # One discard forgotten: it may be in the hand.
    with pytest.raises(UnsupportedError, match="hidden"):
        engine.solve(Position.from_dpn(f"{hand}/?6 {turn_up.suit} a - {turn_up} {discards[2:]} deck=24"))


def test_a_turn_up_must_be_possible() -> None:
    trumps = "9hThJhQhKhAh"
    position = Position.from_dpn(f"{trumps}/?6 h a - ?3 deck=24")
    assert [defect.code for defect in position.status()] == ["no_turn_up"]
