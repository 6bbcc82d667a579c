"""The search against the plain rules, under every option and mixes: values, straps, moves, lines, repetition."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import Engine, GradedMove, Position, Value
from tests.support import reference
from tests.support.strategies import ALL_OPTIONS, ending, mix

ENGINE = Engine(table_mb=16)
# What the reference solves in some tenths of a second.
FEW_STATES = 5_000


def goes_round(state: reference.RefState, most: int) -> bool:
    """Whether neither seat can force an end of the game that is at least a draw for him."""
    graph = reference.Retrograde(state, most)
    for seat in (0, 1):
        good = {
            number
            for number, end in enumerate(graph.states)
            if end.over and reference.outcome(end) in ("ab"[seat], "draw")
        }
        todo = list(good)
        open_moves = [len(children) for children in graph.children]
        while todo:
            for parent in graph.parents[todo.pop()]:
                open_moves[parent] -= 1
                mine = reference.to_move(graph.states[parent]) == "ab"[seat]
                if parent not in good and (mine or not open_moves[parent]):
                    good.add(parent)
                    todo.append(parent)
        if 0 in good:
            return False
    return True


def check_line(position: Position, graded: GradedMove) -> None:
    """A line keeps what it promises to the end; where somebody wins, it never comes back to where it was."""
    mover = position.to_move
    met: set[Position] = set()
    for move in graded.line:
        position = position.play(move)
        if position.phase == "lead":
            assert graded.value is Value.DRAW or position not in met, "the line goes round"
            met.add(position)
    if graded.value is Value.DRAW:
        cycles = position.rules.transfer or position.rules.show
        assert position.outcome() == "draw" or (cycles and position.outcome() is None)
    else:
        assert (position.outcome() == mover) == (graded.value is Value.WIN)
        assert position.straps == graded.straps


def check(state: reference.RefState, most: int, engine: Engine = ENGINE, *, lines: bool = True) -> bool:
    """Compare a state with the reference; False if it is too large for that."""
    try:
        worth, moves = reference.solve(state, most)
        repeated = worth == "draw" and state.rules.can_cycle and goes_round(state, most)
    except (reference.TooLarge, NotImplementedError):  # the latter where the discard has run out
        return False
    position = Position.from_dpn(reference.write(state))
    analysis = engine.analyse(position)
    assert (analysis.worth, analysis.repetition) == (worth, repeated)
    assert {str(graded.move): graded.worth for graded in analysis.moves} == moves
    solution = engine.solve(position)
    assert (solution.worth, solution.repetition) == (worth, repeated)
    if lines:
        assert moves[str(solution.move)] == worth
        for graded in analysis.moves:
            check_line(position, graded)
    return True


SINGLE = [
    "",
    *(f"{key}={word}" for key, words in ALL_OPTIONS.items() for word in words[1:] if key not in ("hand", "exchange")),
    "transfer=on show=on",
    "transfer=on short=limit",
    "transfer=on short=bita deck=24",
    "transfer=on limit=2 lead=one",
    "transfer=on limit=hand both=attacker",
    "show=on",
    "deck=54 jokers=supreme",
    "deck=54 transfer=on",
    "straps=9",
    "straps=9 strapmode=must-take",
    "straps=T transfer=on",
    "straps=Qh pursuit=off",
    "limit=1 overflow=on",
    "limit=2 overflow=on transfer=on",
]


@pytest.mark.parametrize("options", SINGLE)
def test_each_option(options: str) -> None:
    rng, words = random.Random(options), dict(word.split("=") for word in options.split())
    most = 3 if "short=bita" in options else 4
    assert sum(check(ending(rng, words, most), FEW_STATES) for _ in range(12)) >= 4


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_mixes_of_options(seed: int) -> None:
    rng = random.Random(seed)
    check(ending(rng, mix(rng), 4), FEW_STATES)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_mixes_of_options_without_and_with_little_memory(seed: int) -> None:
    rng = random.Random(seed)
    state = ending(rng, mix(rng), 3)
    for engine in (Engine(table_mb=0), Engine(table_mb=0.001)):
        # Where a position can come back, a line needs to remember what was proved first.
        check(state, FEW_STATES // 4, engine, lines=not state.rules.can_cycle)


@pytest.mark.slow
def test_many_mixes_of_options() -> None:
    rng = random.Random(5)
    compared = sum(check(ending(rng, mix(rng), 5 if number % 20 == 0 else 4), 20_000) for number in range(1_500))
    assert compared > 1_000
