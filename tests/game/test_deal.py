"""Dealing the cards for a new game."""

from __future__ import annotations

import pytest

from durak_solver import Card, Position, Rules, deal
from durak_solver.model.cards import deck_cards


@pytest.mark.parametrize("deck", [24, 32, 36, 52, 54])
@pytest.mark.parametrize("hand", [5, 6])
def test_deals_are_legal_and_whole(deck: int, hand: int) -> None:
    for seed in range(30):
        position = deal(Rules(deck=deck, hand=hand), seed)
        assert position.status() == ()
        assert position.hand_sizes == (hand, hand)
        cards = [*position.hands[0], *position.hands[1], *position.stock]
        assert sorted(card for card in cards if card) == list(deck_cards(deck))
        turn_up = position.stock[-1]
        assert turn_up and turn_up.suit == position.trump
        trumps = [card for hand in position.hands for card in hand if card.suit == position.trump]
        assert position.attacker == ("a" if not trumps or min(trumps) in position.hands[0] else "b")


DEAL_OF_SEED_7 = "Js7cQd6h8hTh/As9cJcTdJd7h d b - KhQc6s7d9hKs9dAhTc8sQhQsKc7s6d8cJhAcAdTs9sKd6c8d"


def test_nothing_is_dealt_for_straps_that_are_not_in_the_deck() -> None:
    with pytest.raises(ValueError, match="straps=6 needs cards of that rank"):
        deal(Rules(straps="6", deck=24))


def test_a_seed_deals_the_same_everywhere() -> None:
    assert deal(seed=7).to_dpn() == DEAL_OF_SEED_7
    assert deal("podkidnoy", 7) == deal(Rules(), 7) == deal(seed=7)
    assert deal(seed=8) != deal(seed=7)
    assert deal() != deal()


def test_the_shuffle_is_fair() -> None:
    """Where two cards are among 36 places: each place about as often."""
    counts = dict.fromkeys(["a", "b", "turn-up", "stock"], 0)
    games = 1800
    for seed in range(games):
        position = deal(seed=seed)
        card = Card("Qd")
        place = "a" if card in position.hands[0] else "b" if card in position.hands[1] else "stock"
        counts["turn-up" if position.stock[-1] is card else place] += 1
    assert counts["a"] == pytest.approx(games / 6, abs=70)
    assert counts["b"] == pytest.approx(games / 6, abs=70)
    assert counts["turn-up"] == pytest.approx(games / 36, abs=35)


def test_who_attacks_first() -> None:
    assert {deal(seed=seed).attacker for seed in range(20)} == {"a", "b"}
    assert {deal(seed=seed, attacker="b").attacker for seed in range(20)} == {"b"}
    nobody = next(
        position
        for position in (deal(Rules(deck=24), seed) for seed in range(3000))
        if not any(card.suit == position.trump for hand in position.hands for card in hand)
    )
    assert nobody.attacker == "a"


def test_redeal() -> None:
    def longest(position: Position) -> int:
        suits = [[card.suit for card in hand] for hand in position.hands]
        return max(hand.count(suit) for hand in suits for suit in "scdh")

    seeds = range(400)
    assert max(longest(deal(seed=seed)) for seed in seeds) >= 5
    assert max(longest(deal(seed=seed, redeal=True)) for seed in seeds) == 4
    kept = [seed for seed in seeds if longest(deal(seed=seed)) < 5]
    assert all(deal(seed=seed, redeal=True) == deal(seed=seed) for seed in kept)


def test_cards_that_cannot_be_turned_up() -> None:
    jokers = [deal(Rules(deck=54), seed) for seed in range(200)]
    assert all(position.trump and not position.stock[-1].is_joker for position in jokers if position.stock[-1])
    japanese = [deal("japanese", seed) for seed in range(50)]
    assert {position.trump for position in japanese} == {"d"}
    assert all(position.status() == () for position in japanese)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "whist"}, "rules='whist' is not known"),
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"seed": "x"}, "seed='x' is not allowed"),
        ({"attacker": "c"}, "attacker='c' is not allowed: choose one of a, b"),
    ],
)
def test_deals_refuse(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deal(**arguments)  # type: ignore[arg-type]
