"""Hypothesis strategies for positions: under the options that are solved, and under every mix of options."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from tests.support import reference

OPTIONS: dict[str, list[str]] = {
    "deck": ["36", "24", "32", "52"],
    "throw": ["any", "lead", "none"],
    "lead": ["many", "one"],
    "limit": ["6", "1", "2", "3", "hand"],
    "first": ["off", "5"],
    "pursuit": ["on", "off"],
    "both": ["draw", "attacker"],
}


ALL_OPTIONS = OPTIONS | {
    "deck": ["36", "24", "32", "52", "54"],
    "hand": ["6", "5"],
    "transfer": ["on", "off"],
    "show": ["off", "on"],
    "short": ["forbid", "limit", "bita"],
    "lock": ["none", "s"],
    "jokers": ["colour", "supreme"],
    "ace6": ["off", "on"],
    "exchange": ["off", "on"],
    "overflow": ["off", "on"],
    "straps": ["off", "9", "T", "A", "Qs", "Qc", "Qd", "Qh"],
    "strapmode": ["free", "must-take"],
}


@st.composite
def option_sets(draw: st.DrawFn) -> dict[str, str]:
    """Any mix of the options that are solved."""
    return {key: draw(st.sampled_from(values)) for key, values in OPTIONS.items()}


def deal(rng: random.Random, options: dict[str, str], sizes: tuple[int, int], trump: str) -> reference.RefState:
    """A random bout start."""
    deck = sorted(reference.deck_cards(int(options["deck"])), key=reference.order)
    cards = rng.sample(deck, sum(sizes))
    hands = "/".join(reference.written(hand) for hand in (cards[: sizes[0]], cards[sizes[0] :]))
    words = " ".join(f"{key}={value}" for key, value in options.items())
    return reference.parse(f"{hands} {trump} {rng.choice('ab')} - {words}")


@st.composite
def states(draw: st.DrawFn, most: int = 4) -> reference.RefState:
    """A state of an open game under any mix of options: a random deal, then some random moves."""
    options = draw(option_sets())
    rng = draw(st.randoms(use_true_random=False))
    sizes = (draw(st.integers(1, most)), draw(st.integers(1, most)))
    state = deal(rng, options, sizes, draw(st.sampled_from("scdh-")))
    for _ in range(draw(st.integers(0, 8))):
        after = reference.play(state, rng.choice(reference.legal_moves(state)))
        if after.over:
            break
        state = after
    return state


def mix(rng: random.Random) -> dict[str, str]:
    """Some options of all, the others as usual."""
    return {key: rng.choice(values) for key, values in ALL_OPTIONS.items() if rng.random() < 0.4}


def ending(rng: random.Random, options: dict[str, str], most: int) -> reference.RefState:
    """A state with the stock empty and up to so many cards a side, of few ranks, so that much can be transferred."""
    rules = reference.make_rules(options)
    deck = sorted(reference.deck_cards(rules.deck), key=reference.order)
    ranks = rng.sample(sorted({reference.rank(card) for card in deck}), rng.randint(2, 5))
    if rules.ace6:
        ranks += [reference.LOWEST_RANK[rules.deck], "A"]
    if rules.straps:
        ranks.append(rules.straps[0])
    cards = [card for card in deck if reference.rank(card) in ranks]
    rng.shuffle(cards)
    a, b = rng.randint(1, most), rng.randint(1, most)
    hands = f"{reference.written(cards[:a])}/{reference.written(cards[a : a + b])}"
    # The order of the discard matters only to short=bita, which takes from it.
    gone = [card for card in deck if card not in cards[: a + b]] if rules.short == "bita" else []
    rng.shuffle(gone)
    trump = "d" if rules.lock else rng.choice("scdh-")
    words = " ".join(f"{key}={value}" for key, value in options.items())
    state = reference.parse(f"{hands} {trump} {rng.choice('ab')} - - {''.join(gone) or '-'} {words}")
    for _ in range(rng.randint(0, 3)):
        after = reference.play(state, rng.choice(reference.legal_moves(state)))
        # What is written must say which group came last.
        if after.over or reference.parse(reference.write(after)) != after:
            break
        state = after
    return state


@st.composite
def starts(draw: st.DrawFn) -> reference.RefState:
    """A bout start under any mix of all options: with a stock or without, with few ranks or many, or the whole deck."""
    options = {key: draw(st.sampled_from(values)) for key, values in ALL_OPTIONS.items()}
    rng = random.Random(draw(st.integers(0, 2**32)))
    cards = sorted(reference.deck_cards(int(options["deck"])), key=reference.order)
    rng.shuffle(cards)
    hand, stock = int(options["hand"]), ""
    trump = "d" if options["lock"] == "s" else draw(st.sampled_from("scdh"))
    kind = draw(st.sampled_from(["few ranks", "any cards", "short stock", "stock", "whole deck"]))
    if kind == "few ranks":  # so that much can be transferred and thrown in
        ranks = rng.sample(sorted({reference.rank(card) for card in cards}), 4)
        placed = [card for card in cards if reference.rank(card) in ranks]
        a = draw(st.integers(1, 8))
        b = min(draw(st.integers(1, 8)), len(placed) - a)
    elif kind == "any cards":
        placed, a, b = cards, draw(st.integers(1, 8)), draw(st.integers(1, 8))
    elif kind == "whole deck":
        placed, a = cards, rng.randint(1, len(cards) - 1)
        b = len(cards) - a
    else:
        turn_up = next(card for card in cards if reference.suit(card) == trump)
        cards.remove(turn_up)
        placed, a, b = cards, hand, hand
        drawn = rng.randint(0, 6) if kind == "short stock" else len(cards)
        stock = "".join([*cards[2 * hand : 2 * hand + drawn], turn_up])
    hands = f"{reference.written(placed[:a])}/{reference.written(placed[a : a + b])}"
    gone = [card for card in cards if card not in placed[: a + b] and card not in stock]
    # Where less of it is known, the known cards are on top.
    discard = "".join(gone[: rng.choice([2, len(gone)])])
    words = " ".join(f"{key}={value}" for key, value in options.items())
    return reference.parse(f"{hands} {trump} {rng.choice('ab')} - {stock or '-'} {discard or '-'} {words}")
