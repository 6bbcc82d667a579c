"""The plain-Python rules against worked cases and random games, and how they read a text."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import pytest

from tests.support.data import CASES
from tests.support.reference import (
    Acyclic,
    Retrograde,
    analyse,
    deck_cards,
    legal_moves,
    make_rules,
    outcome,
    parse,
    play,
    plies,
    solve,
    write,
)

# Ten cards and more under limit=hand: each takes 10 s or more.
SLOW = {
    "8sJh/6s7c8cTcAc7d8dTh h b - limit=hand",
    "9sQh/TsKsJcQd6h8hJhAh h b - limit=hand",
    "KsJcAdKh/TsJsAcJdThQh s b - limit=hand",
    "TcKcAcTd/TsKs7c8c9cAh c b - limit=hand",
}


def case_params() -> list[Any]:
    return [
        pytest.param(case, id=case["dpn"], marks=[pytest.mark.slow] if case["dpn"] in SLOW else []) for case in CASES
    ]


@pytest.mark.parametrize("case", case_params())
def test_case(case: dict[str, Any]) -> None:
    found = analyse(parse(case["dpn"]))
    assert found.moves == case["moves"]
    assert found.value == case["value"]
    if "plies" in case:
        assert found.plies == case["plies"]


def test_slow_cases_exist() -> None:
    assert {case["dpn"] for case in CASES} >= SLOW


@pytest.mark.parametrize("case", CASES[:40], ids=lambda case: str(case["dpn"]))
def test_fixpoint_agrees_with_minimax(case: dict[str, Any]) -> None:
    state = parse(case["dpn"])
    tree, graph = Acyclic(state.rules), Retrograde(state)
    assert tree.score(state) == graph.score(state)
    assert tree.plies(state) == graph.plies(state)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["dpn"]))
def test_write_reads_back(case: dict[str, Any]) -> None:
    state = parse(case["dpn"])
    assert parse(write(state)) == state


def small_positions(cards: int) -> Iterator[str]:
    """Hands of so many cards in all, one of each kind: no unused rank between, plain suits alike."""
    renamings = [dict(zip("scd", plain, strict=True)) | {"h": "h"} for plain in permutations("scd")]
    seen = set()
    for ranks in range(1, cards + 1):
        for used in combinations([r + s for r in "6789T"[:ranks] for s in "scdh"], cards):
            if len({card[0] for card in used}) < ranks:
                continue
            for owners in product("ab", repeat=cards):
                owned = list(zip(used, owners, strict=True))
                kind = min(tuple(sorted((c[0] + names[c[1]], owner) for c, owner in owned)) for names in renamings)
                if len(set(owners)) == 2 and kind not in seen:
                    seen.add(kind)
                    yield "/".join("".join(card for card, owner in kind if owner == seat) for seat in "ab")


@pytest.mark.parametrize(
    ("cards", "loss", "draw", "win"),
    [
        (2, 0, 5, 8),
        (3, 20, 0, 140),
        (4, 282, 95, 1333),
        pytest.param(5, 4849, 0, 12983, marks=pytest.mark.slow),
    ],
)
def test_counts_of_small_positions(cards: int, loss: int, draw: int, win: int) -> None:
    found = Counter(solve(parse(f"{hands} h a -"))[0] for hands in small_positions(cards))
    assert found == Counter(loss=loss, draw=draw, win=win)


OPTION_SETS = (
    "",
    "throw=lead limit=hand",
    "pursuit=off first=5 hand=5",
    "transfer=on first=5",
    "transfer=on show=on short=limit",
    "transfer=on short=bita",
    "overflow=on limit=1",
    "deck=54 jokers=supreme straps=Qh strapmode=must-take",
    "deck=24 lead=one throw=none both=attacker",
    "lock=s ace6=on",
)


@pytest.mark.parametrize("options", OPTION_SETS)
def test_random_games_keep_every_card_in_one_place(options: str) -> None:
    rng = random.Random(20240601)
    rules = make_rules(dict(option.split("=") for option in options.split()))
    for _ in range(20):
        cards = sorted(deck_cards(rules.deck))
        rng.shuffle(cards)
        turn_up = next(
            i for i, card in enumerate(cards) if card not in ("RJ", "BJ") and (not rules.lock or "d" in card)
        )
        cards.append(cards.pop(turn_up))
        left, right, stock = cards[: rules.hand], cards[rules.hand : 2 * rules.hand], cards[2 * rules.hand :]
        dpn = f"{''.join(left)}/{''.join(right)} {cards[-1][1]} a - {''.join(stock)} {options}"
        state = parse(dpn)
        for _ in range(3000):
            if outcome(state) is not None:
                break
            moves = legal_moves(state)
            assert moves
            assert len(moves) == len(set(moves))
            state = play(state, rng.choice(moves))
            placed = [*state.hands[0], *state.hands[1], *state.table_cards, *state.stock, *state.discard]
            assert len(placed) == len(set(placed))
            assert 0 <= state.discard_count <= rules.deck
            # The text does not say which group came last; a finished game keeps its own.
            assert parse(write(state))._replace(group=state.group) == state


# ------------------------------------------------------------------------------------------------------- the text


@pytest.mark.parametrize(
    "dpn",
    [
        "6s/6s h a -",
        "2s/6s h a -",
        "6s/7s h a - colour=red",
        "6s/7s h a - throw=some",
        "6s/7s h a - rules=bridge",
        "6s/7s h a - rules=japanese",
        "6s/7s x a -",
        "6s/7s h a 9s:8s",
        "6s/7s h a",
    ],
)
def test_bad_positions(dpn: str) -> None:
    with pytest.raises(ValueError):
        parse(dpn)


def test_unknown_cards_are_not_supported() -> None:
    with pytest.raises(NotImplementedError):
        parse("6s/?3 h a -")


def test_presets_and_overrides() -> None:
    assert make_rules({"rules": "perevodnoy", "both": "attacker"}) == make_rules({"transfer": "on", "both": "attacker"})


def test_plies_of_a_draw_and_of_a_finished_game() -> None:
    assert plies(parse("6s/7s h a -")) is None
    with pytest.raises(ValueError, match="over"):
        solve(parse("-/7s h a -"))
