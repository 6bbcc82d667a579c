"""Hypothesis strategies for positions whose options are solved."""

from __future__ import annotations

import random

import reference
from hypothesis import strategies as st

OPTIONS: dict[str, list[str]] = {
    "deck": ["36", "24", "32", "52"],
    "throw": ["any", "lead", "none"],
    "lead": ["many", "one"],
    "limit": ["6", "1", "2", "3", "hand"],
    "first": ["off", "5"],
    "pursuit": ["on", "off"],
    "both": ["draw", "attacker"],
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
