"""The network of ext/heuristics/network.pxd: its header, and that the core computes what the weights say.

That the weights are those of the command is not checked: it takes tables of ten cards and a quarter of an hour, and the
positions that they were fitted to were not kept. What is checked is that the header is what the command's writer makes
of its weights, that they do on new positions what they are for, and that a fit to a small sample is repeatable.
"""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

from durak_solver._core import network, state
from durak_solver.engine.tables.lookup import SHIPPED, Tables
from tools.fit import network as tool

TEXT = tool.WEIGHTS.read_text(encoding="ascii")
WEIGHTS, SOLVED_SET = tool.read_header(TEXT)
HIDDEN, INPUTS, OUTPUTS, ROWS = 32, 16, 3, tool.SUIT_ROWS + tool.RANK_ROWS
SHIFT = 11


def starts(seed: int, number: int) -> list[state.State]:
    return list(islice(tool.starts(random.Random(seed)), number))


def seen(position: state.State) -> tuple[np.ndarray, np.ndarray]:
    """What the network sees of a bout start: its inputs, and the numbers of its rows."""
    inputs, rows = network.inputs(position)
    numbers = np.frombuffer(rows, np.uint16)
    return np.frombuffer(inputs, np.int16).astype(np.int64), numbers[numbers < ROWS]


def test_the_header_is_what_the_command_writes() -> None:
    assert tool.header(WEIGHTS, SOLVED_SET) == TEXT
    assert f"Seed: {tool.SEED}\n" in TEXT
    assert f"#define OUTPUT_SHIFT {SHIFT}\n" in TEXT


def test_the_shapes_and_the_digest() -> None:
    assert {name: weights.shape for name, weights in WEIGHTS.items()} == {
        "first_weights": (INPUTS, HIDDEN),
        "first_bias": (HIDDEN,),
        "second_weights": (OUTPUTS, HIDDEN),
        "second_bias": (OUTPUTS,),
        "row_weights": (ROWS, HIDDEN),
    }
    assert tool.digest(WEIGHTS) == "bc4d14f61ff756551a08d50819d0309046c3724035e07dacf16f39df75e077e3"
    assert all(np.abs(weights).max() < 2 ** (tool.BITS[name] - 1) for name, weights in WEIGHTS.items())


def test_plain_suits_may_be_renamed() -> None:
    same = tool.representatives()[:-1]
    assert np.array_equal(WEIGHTS["row_weights"], WEIGHTS["row_weights"][same])


def test_the_core_computes_what_the_weights_say() -> None:
    found, largest = [], 0
    positions = starts(1, 1000)
    for position in positions:
        inputs, rows = seen(position)
        sums = WEIGHTS["first_bias"] + inputs @ WEIGHTS["first_weights"] + WEIGHTS["row_weights"][rows].sum(0)
        largest = max(largest, np.abs(sums).max())
        outputs = WEIGHTS["second_bias"] + WEIGHTS["second_weights"] @ np.maximum(sums, 0)
        found.append(tuple((outputs >> SHIFT).tolist()))
    assert largest < 2**15, "the core counts the hidden layer in 16 bits"
    assert found == [network.outputs(position) for position in positions]
    assert len(set(found)) > 900


def solved(number: int) -> tool.Data:
    """Bout starts that the weights were not fitted to, solved above the tables that are at hand."""
    return tool.solved(random.Random(2), number, Tables(SHIPPED))


def test_the_weights_know_who_wins() -> None:
    data = solved(1000)
    hidden = np.maximum(
        WEIGHTS["first_bias"]
        + data.inputs @ WEIGHTS["first_weights"]
        + tool.counts(data.rows) @ WEIGHTS["row_weights"],
        0,
    )
    outputs = (WEIGHTS["second_bias"] + hidden @ WEIGHTS["second_weights"].T) / 2**SHIFT / tool.OUTPUT_UNIT
    decided = data.known & ~data.drawn
    assert decided.mean() > 0.75
    assert ((outputs[:, 0] > 0) == data.won)[decided].mean() > 0.95
    for column, which in ((1, decided & data.won), (2, decided & ~data.won)):
        assert np.corrcoef(outputs[which, column], data.lengths[which])[0, 1] > 0.85


@pytest.mark.slow
def test_a_fit_is_repeatable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fit to few positions, twice: the same weights, and better than nothing where it was not fitted."""
    monkeypatch.setattr(tool, "EPOCHS", 5)
    data = solved(6000)
    order = np.random.default_rng(3).permutation(6000)
    once, again = (tool.integers(tool.fit(data.take(order[:5000]))) for _ in range(2))
    assert tool.header(once, "") == tool.header(again, "")
    held_back = data.take(order[5000:])
    weights = tool.fit(data.take(order[:5000]))
    outputs = tool.forward(weights, held_back.inputs, tool.counts(held_back.rows))[1]
    decided = held_back.known & ~held_back.drawn
    assert ((outputs[:, 0] > 0) == held_back.won)[decided].mean() > 0.85
