"""Proof-number search says what the plain rules and alpha-beta say."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings

from durak_solver import Position
from durak_solver._core.search import Searcher
from durak_solver._core.state import DEFEND
from durak_solver.game import core
from tests.engine.exact.test_search import HARD, random_position
from tests.support import reference
from tests.support.strategies import states


def value(searcher: Searcher, position: Position) -> int:
    """Value for the attacker, by proof-number search alone."""
    state = core.bout_state(position)
    searcher.start(None, None)
    won, held = searcher.prove(state, 0), searcher.prove(state, -1)
    assert won is not None and held is not None and won <= held
    return won + held - 1


@settings(deadline=None)
@given(state=states())
def test_values_are_those_of_the_rules(state: reference.RefState) -> None:
    assume(not state.over)
    position = Position.from_dpn(reference.write(state))
    expected = {"win": 1, "draw": 0, "loss": -1}[reference.solve(state)[0]]
    if core.bout_state(position).phase == DEFEND:
        expected = -expected
    assert value(Searcher(2**20), position) == expected


@pytest.mark.parametrize("table_bytes", [512, 2**14, 2**24])
@pytest.mark.parametrize("options", ["", "lead=one", "pursuit=off", "both=attacker", "limit=hand", "throw=lead"])
def test_values_are_those_of_alpha_beta(options: str, table_bytes: int) -> None:
    rng = random.Random(options)
    searcher, judge = Searcher(table_bytes), Searcher(2**20)
    for _ in range(10):
        position = random_position(rng, (rng.randint(2, 6), rng.randint(2, 6)))
        position = Position.from_dpn(f"{position.to_dpn()} {options}".strip())
        judge.start(None, None)
        lower, upper = judge.bounds(core.bout_state(position))
        assert lower == upper == value(searcher, position)


def test_a_limit_leaves_the_question_open() -> None:
    searcher = Searcher(2**20)
    searcher.start(20_000, None)
    assert searcher.prove(core.bout_state(Position.from_dpn(HARD)), 0) is None
    assert searcher.stopped == "nodes"
    assert searcher.nodes == 20_000


def test_without_a_table_there_is_none() -> None:
    with pytest.raises(ValueError, match="needs a table"):
        Searcher(0).prove(core.bout_state(Position.from_dpn("6s/7s - a -")), 0)


def test_it_knows_no_transfers() -> None:
    with pytest.raises(ValueError, match="classic rules"):
        Searcher(2**20).prove(core.bout_state(Position.from_dpn("6s7c/8s9d s a - rules=perevodnoy")), 0)


def test_too_many_children_are_no_answer() -> None:
    """Of the sets of 17 cards that may be given after a take, more than there is room for."""
    matching = "6c" + "".join(f"{rank}{suit}" for rank in "6789TJQK" for suit in "dh")
    table = "6s:7s,7c:8c,8s:9s,9c:Tc,Ts:Js,Jc:Qc,Qs:Ks,Kc"
    position = Position.from_dpn(f"{matching}/2c3c4c5c2d3d4d5d2h3h4h5h h a {table} deck=52 limit=hand")
    assert not position.status()
    searcher = Searcher(2**20)
    searcher.start(None, None)
    assert searcher.prove(core.bout_state(position), 0) is None
    assert searcher.stopped is None
