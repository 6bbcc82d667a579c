"""The evaluation of endings: data, fitting script and core must agree."""

from __future__ import annotations

import gzip
import re
import struct

import numpy as np
import pytest

from durak_solver import Engine, Position
from durak_solver._core.search import Searcher
from durak_solver._core.state import State
from durak_solver.game import core
from durak_solver.model.cards import deck_cards
from durak_solver.model.rules import Rules
from tests.support.data import ROOT
from tools.fit import evaluation as fit_tool
from tools.fit import evaluation_data as data_tool


@pytest.fixture(scope="module")
def text() -> str:
    return gzip.decompress(data_tool.DATA.read_bytes()).decode("ascii")


def test_the_data_are_written_as_they_are(text: str) -> None:
    games = list(data_tool.solved_games(data_tool.SEED, 12, data_tool.BUDGET))
    _, _, body = data_tool.file_text(games, data_tool.SEED, data_tool.BUDGET).partition("\n\n")
    assert text.partition("\n\n")[2].startswith(body + "\n")
    assert f"seed {data_tool.SEED}, budget {data_tool.BUDGET} nodes" in text


def test_the_data_are_solved_right(text: str) -> None:
    engine = Engine(table_mb=8)
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(lines) > 10_000
    for line in lines[::400]:
        dpn, _, value = line.rpartition(" ")
        position = Position.from_dpn(dpn)
        assert position.is_legal and position.phase == "lead" and not position.stock
        assert 4 <= sum(position.hand_sizes) <= 24
        assert str(engine.solve(position).value) == value


def test_the_weights_are_what_the_command_makes() -> None:
    endings = fit_tool.read_endings(data_tool.DATA)
    found = fit_tool.features(endings.leader, endings.other)
    weights = fit_tool.whole(fit_tool.fit(found, endings.score))
    assert fit_tool.WEIGHTS.read_text(encoding="ascii") == fit_tool.header(weights, data_tool.DATA)
    # What docs/evaluation.md claims.
    large = (endings.cards >= 12) & (endings.cards <= 20)
    assert fit_tool.errors(fit_tool.held_out(found, endings)[large], endings.score[large])[3] < 0.46


def test_the_core_computes_what_the_script_computes() -> None:
    """Without a node only what is won at sight is solved; else a play-out from a bout start is the evaluation."""
    endings = fit_tool.read_endings(data_tool.DATA)
    chosen = slice(None, None, 25)
    leaders, others = endings.leader[chosen], endings.other[chosen]
    found = fit_tool.features(leaders, others)
    logits = fit_tool.logits(
        found, fit_tool.whole(fit_tool.fit(fit_tool.features(endings.leader, endings.other), endings.score))
    )
    expected = np.tanh(logits / 2)
    searcher = Searcher(0)
    searcher.start(None, None)
    rules = core.rule_set(Rules(), "s")
    deck = core.card_set(deck_cards(36), "s")
    at_sight = 0
    for leader, other, guess in zip(leaders.tolist(), others.tolist(), expected.tolist(), strict=True):
        # The bout before: the present leader has just beaten an ace with a trump.
        free = deck & ~leader & ~other
        attack = free & -free
        defence = (free ^ attack) & -(free ^ attack)
        before = State(rules, attacker=0, hands=(other, leader), attacks=attack, defences=defence, led=attack)
        done = len(before.moves()) - 1
        payoffs, exact = searcher.payoffs(before, (other, leader), [done], bytes(16), 0, 1)
        assert exact == 0
        (payoff,) = struct.unpack("d", payoffs)
        if payoff == -1:
            at_sight += 1
            assert searcher.bounds(State(rules, attacker=0, hands=(leader, other))) == (1, 1)
        else:
            assert payoff == pytest.approx(-guess, abs=1e-12)
    assert 0 < at_sight < len(expected) / 4


def test_leader_logit_is_quoted_right() -> None:
    source = (ROOT / "ext" / "search" / "move_order.pxd").read_text(encoding="utf-8")
    body = source.partition("leader_logit(")[2].partition("cheapest(")[0].partition("cdef int logit")[2]
    numbers = [abs(int(number)) for number in re.findall(r"\b\d+\b", body)]
    assert sorted(numbers) == sorted([0, *(abs(weight) for weight in fit_tool.LEADER_LOGIT.values())])
