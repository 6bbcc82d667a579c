"""The core against the plain-Python rules: the same moves, the same next states, the same values."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import Engine, Position
from tests.support import reference
from tests.support.data import CASES
from tests.support.strategies import OPTIONS, deal, states

ENGINE = Engine(table_mb=16, tables=False)


def same_state(position: Position, state: reference.RefState) -> bool:
    """Compare everything but what is known of the discard."""
    return (
        tuple(frozenset(map(str, hand)) for hand in position.hands) == state.hands
        and "ab".index(position.attacker) == state.attacker
        and {(str(attack), defence and str(defence)) for attack, defence in position.table} == set(state.table)
        and position.phase == state.phase
        and position.outcome() == reference.outcome(state)
        and position.discard_size == state.discard_count
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["dpn"])
def test_cases(case: dict[str, Any]) -> None:
    position = Position.from_dpn(case["dpn"])
    analysis = ENGINE.analyse(position)
    assert analysis.worth == case["value"]
    assert {str(graded.move): graded.worth for graded in analysis.moves} == case["moves"]
    solution = ENGINE.solve(position)
    assert solution.worth == case["value"]
    assert case["moves"][str(solution.move)] == case["value"]


@settings(max_examples=300, deadline=None)
@given(state=states(most=6))
def test_moves_and_next_states(state: reference.RefState) -> None:
    position = Position.from_dpn(reference.write(state))
    assert position.is_legal
    assert same_state(position, state)
    moves = reference.legal_moves(state)
    assert sorted(map(str, position.legal_moves)) == sorted(moves)
    for move in moves:
        assert same_state(position.play(move), reference.play(state, move)), move


@settings(max_examples=200, deadline=None)
@given(state=states(most=3))
def test_values(state: reference.RefState) -> None:
    value, moves = reference.solve(state)
    analysis = ENGINE.analyse(Position.from_dpn(reference.write(state)))
    assert analysis.value == value
    assert {str(graded.move): graded.value for graded in analysis.moves} == moves


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(state=states(most=4))
def test_values_of_larger_states(state: reference.RefState) -> None:
    test_values.hypothesis.inner_test(state)  # type: ignore[attr-defined]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_whole_games_from_the_whole_deck(seed: int, data: st.DataObject) -> None:
    """All cards are live at first, which is when `first` counts."""
    rng = random.Random(seed)
    options = {key: data.draw(st.sampled_from(values)) for key, values in OPTIONS.items()} | {"deck": "24"}
    state = deal(rng, options, (12, 12), rng.choice("scdh-"))
    position = Position.from_dpn(reference.write(state))
    while not state.over:
        moves = reference.legal_moves(state)
        assert sorted(map(str, position.legal_moves)) == sorted(moves)
        move = rng.choice(moves)
        state, position = reference.play(state, move), position.play(move)
        assert same_state(position, state)
        places = [card for cards in position.places().values() for card in cards]
        assert len(places) == len(set(places)) == 24, "every card is in exactly one place"
