"""Fit the network of ext/heuristics/network.pxd to solved bout starts, and write ext/generated/network_weights.h.

A quarter of the positions are random deals, the others come up when random deals are played on by habits and whims.
Each is solved within a budget, above the endings tables; those of up to ten cards must be there. The network learns who
wins, and the binary logarithm of the nodes it took: those of a proof that the leader wins from the positions that the
leader wins, the others from the rest. Prints how good the fit is on positions it was not fitted to, some of the same
games.

The same seed gives the same positions. The weights depend a little on the library that multiplies the matrices, and the
nodes, from which the lengths are learnt, on the search; so the header names a digest of the solved positions.

    python -m tools.fit.network TABLES [SOLVED.npz]

With the name of a file the solved positions are kept there, and taken from there the next time.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from multiprocessing import Pool
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from durak_solver._core import network, policies, search, state
from durak_solver.engine.tables.lookup import Tables
from durak_solver.game import core
from durak_solver.model.rules import Rules
from tools.write_suites import random_position

WEIGHTS: Final = Path(__file__).parents[2] / "ext" / "generated" / "network_weights.h"
SEED: Final = 20261130
PARTS: Final = 16
POSITIONS: Final = 30_000  # in each part
CARDS: Final = range(11, 23)
BUDGET: Final = 30_000
TABLE_BYTES: Final = 2**21

HIDDEN: Final = 32
SUIT_ROWS: Final = 2048  # of trumps, then of a plain suit
RANK_ROWS: Final = 625  # after those
EPOCHS: Final = 10
BATCH: Final = 512
RATE: Final = 3e-3
HELD_BACK: Final = 0.05
# How much a squared error of a logarithm of nodes counts beside the log-loss of who wins.
LENGTH_WEIGHT: Final = 0.05
# Weights are integers in these units. The hidden layer counts in the first, in 16 bits: on solved positions it stays
# within 15, they hold 64.
FIRST_UNIT: Final = 512
SECOND_UNIT: Final = 256
OUTPUT_UNIT: Final = 64
# What a weight has in the core, by the name of its array.
BITS: Final = {"first_weights": 16, "first_bias": 16, "second_weights": 16, "second_bias": 32, "row_weights": 16}
NUMBERS_IN_LINE: Final = 1024

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.intp]
Weights = tuple[Floats, Floats, Floats, Floats, Floats]
Integers = dict[str, npt.NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Data:
    """Solved bout starts.

    Attributes
    ----------
    inputs
        A line of numbers for each.
    rows
        A line of numbers of rows for each.
    lower, upper
        Bounds of the value for the leader, from -1 to 1.
    lengths
        Binary logarithms of nodes.
    """

    inputs: Floats
    rows: Numbers
    lower: Numbers
    upper: Numbers
    lengths: Floats

    @property
    def known(self) -> Flags:
        """Whether the budget sufficed."""
        return np.asarray(self.lower == self.upper, np.bool_)

    @property
    def won(self) -> Flags:
        """Whether the leader wins for sure."""
        return np.asarray(self.lower == 1, np.bool_)

    @property
    def drawn(self) -> Flags:
        """Whether it is a draw for sure."""
        return np.asarray(self.known & (self.lower == 0), np.bool_)

    @property
    def digest(self) -> str:
        """SHA-256 of all arrays, one after the other."""
        arrays = (np.ascontiguousarray(getattr(self, field.name)) for field in fields(self))
        return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()

    def take(self, which: Numbers) -> Data:
        """Return some of them."""
        return Data(**{field.name: getattr(self, field.name)[which] for field in fields(self)})


def main() -> None:
    """Solve, fit and write."""
    kept = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if kept and kept.exists():
        data = Data(**np.load(kept))
    else:
        with Pool() as pool:
            parts = pool.map(solved_part, range(PARTS), chunksize=1)
        data = Data(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Data)})
        if kept:
            with kept.open("wb") as file:
                np.savez(file, **{field.name: getattr(data, field.name) for field in fields(data)})
    order = np.random.default_rng(SEED).permutation(len(data.lengths))
    fitted = int(len(order) * (1 - HELD_BACK))
    weights = fit(data.take(order[:fitted]))
    report(weights, data.take(order[fitted:]))
    text = header(integers(weights), f"{len(order):,} bout starts, SHA-256 {data.digest}")
    WEIGHTS.write_text(text, encoding="ascii", newline="\n")


def solved_part(part: int) -> Data:
    """Solve one of the parts, with the tables named on the command line."""
    return solved(random.Random(SEED + part), POSITIONS, Tables(sys.argv[1]))


def solved(rng: random.Random, positions: int, tables: Tables) -> Data:
    """Solve random positions that no table and no static win answers."""
    searcher = search.Searcher(TABLE_BYTES)
    searcher.use(tables.endings(Rules()))
    inputs, rows, bounds, nodes = [], [], [], []
    for start in starts(rng):
        searcher.clear()
        searcher.start(BUDGET, None)
        found = searcher.bounds(start)
        if searcher.nodes:
            numbers, row_numbers = network.inputs(start)
            inputs.append(numbers)
            rows.append(row_numbers)
            bounds.append(found)
            nodes.append(searcher.nodes)
            if len(nodes) == positions:
                break
    return Data(
        np.frombuffer(b"".join(inputs), np.int16).reshape(len(nodes), -1).astype(np.float32),
        np.frombuffer(b"".join(rows), np.uint16).reshape(len(nodes), -1).astype(np.intp),
        np.array([lower for lower, _ in bounds]),
        np.array([upper for _, upper in bounds]),
        np.log2(nodes).astype(np.float32),
    )


def starts(rng: random.Random) -> Iterator[state.State]:
    """Make bout starts without end."""
    while True:
        if rng.random() < 0.25:
            cards = rng.choice(CARDS)
            leader = rng.randint(max(1, cards - 18), min(cards - 1, 18))
            yield core.bout_state(random_position(rng, leader, cards - leader))
        else:
            yield from played_on(rng)


def played_on(rng: random.Random) -> Iterator[state.State]:
    """Play a few bouts of a random deal and make some of the bout starts."""
    current = core.bout_state(random_position(rng, rng.randint(6, 13), rng.randint(6, 13)))
    bouts, whim = rng.randint(1, 7), rng.random()
    while bouts and current.phase != state.OVER:
        if rng.random() < whim:
            move = rng.choice(current.moves())
        else:
            move = rng.choice((policies.rules, policies.lowest))(current)
        current = current.play(*move)
        if current.phase == state.LEAD:
            bouts -= 1
            if sum(hand.bit_count() for hand in current.hands) in CARDS and rng.random() < 0.5:
                yield current


def fit(data: Data) -> Weights:
    """Fit by Adam (Kingma and Ba, 2015) with a rate that falls like a cosine."""
    rng = np.random.default_rng(SEED)
    mean, deviation = data.inputs.mean(0), data.inputs.std(0) + 1e-6
    inputs = (data.inputs - mean) / deviation
    same = representatives()
    rows = same[data.rows]
    known, won = data.known, data.won
    goal = np.where(data.drawn, 0.5, won).astype(np.float32)
    # Where the budget did not suffice, either proof is longer than it.
    of_win, of_loss = ~known | won, ~known | ~won
    lengths = data.lengths + ~known
    parameters = [
        rng.normal(0, inputs.shape[1] ** -0.5, (inputs.shape[1], HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, HIDDEN**-0.5, (HIDDEN, 3)).astype(np.float32),
        np.array([0, lengths.mean(), lengths.mean()], np.float32),
        np.zeros((len(same) - 1, HIDDEN), np.float32),
    ]
    first = [np.zeros_like(parameter) for parameter in parameters]
    second = [np.zeros_like(parameter) for parameter in parameters]
    steps = EPOCHS * (len(goal) // BATCH)
    for step in range(1, steps + 1):
        which = rng.integers(0, len(goal), BATCH)
        held = counts(rows[which])
        hidden, outputs = forward(parameters, inputs[which], held)
        error = np.empty_like(outputs)
        error[:, 0] = (1 / (1 + np.exp(-outputs[:, 0])) - goal[which]) * known[which]
        error[:, 1] = LENGTH_WEIGHT * (outputs[:, 1] - lengths[which]) * of_win[which]
        error[:, 2] = LENGTH_WEIGHT * (outputs[:, 2] - lengths[which]) * of_loss[which]
        error /= BATCH
        back = (error @ parameters[2].T) * (hidden > 0)
        slopes = (inputs[which].T @ back, back.sum(0), hidden.T @ error, error.sum(0), held.T @ back)
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        for i, slope in enumerate(slopes):
            first[i] += 0.1 * (slope - first[i])
            second[i] += 0.001 * (slope**2 - second[i])
            parameters[i] -= rate * (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
    weights, bias, *rest, row_weights = parameters
    return weights / deviation[:, None], bias - (mean / deviation) @ weights, rest[0], rest[1], row_weights[same[:-1]]


def representatives() -> Numbers:
    """For each row the one that stands for it, as plain suits may be renamed; and one row more, which is none."""
    same = np.arange(SUIT_ROWS + RANK_ROWS + 1)
    for states in itertools.product(range(5), repeat=4):
        renamed = states[:1] + tuple(sorted(states[1:]))
        same[SUIT_ROWS + _fives(states)] = SUIT_ROWS + _fives(renamed)
    return same


def counts(rows: Numbers) -> Floats:
    """Return how often each row counts, a line for each position."""
    held = np.zeros((len(rows), SUIT_ROWS + RANK_ROWS + 1), np.float32)
    np.add.at(held, (np.arange(len(rows))[:, None], rows), 1)
    return held[:, :-1]


def _fives(states: tuple[int, ...]) -> int:
    return sum(state * 5**suit for suit, state in enumerate(states))


def forward(parameters: Weights | list[Floats], inputs: Floats, held: Floats) -> tuple[Floats, Floats]:
    """Return the hidden units and the outputs; `held` says how often each row counts."""
    hidden = np.maximum(inputs @ parameters[0] + parameters[1] + held @ parameters[4], 0)
    return hidden, hidden @ parameters[2] + parameters[3]


def report(weights: Weights, data: Data) -> None:
    """Print how well the outputs fit."""
    outputs = forward(weights, data.inputs, counts(data.rows))[1]
    decided = data.known & ~data.drawn
    right = ((outputs[:, 0] > 0) == data.won)[decided].mean()
    loss = np.logaddexp(0, np.where(data.won, -outputs[:, 0], outputs[:, 0]))[decided].mean()
    print(f"{len(decided)} positions held back: {decided.sum()} decided, the winner guessed right in {right:.1%}")
    print(f"log-loss {loss:.3f}")
    for name, column, which in (("won", 1, data.known & data.won), ("lost", 2, decided & ~data.won)):
        error = outputs[which, column] - data.lengths[which]
        share = 1 - (error**2).mean() / data.lengths[which].var()
        print(f"length of the proof where {name}: {share:.1%} of the variance of the logarithm")


def integers(weights: Weights) -> Integers:
    """Return the weights in the units of the core, by their names there; rows of the hidden layer's size.

    Raises
    ------
    ValueError
        If a weight does not fit into the bits it has.
    """
    first, first_bias, second, second_bias, row_weights = weights
    scaled = {
        "first_weights": first * FIRST_UNIT,
        "first_bias": first_bias * FIRST_UNIT,
        "second_weights": second.T * SECOND_UNIT,
        "second_bias": second_bias * FIRST_UNIT * SECOND_UNIT,
        "row_weights": row_weights * FIRST_UNIT,
    }
    rounded = {name: np.round(numbers).astype(np.int64) for name, numbers in scaled.items()}
    for name, numbers in rounded.items():
        if np.abs(numbers).max() >= 2 ** (BITS[name] - 1):
            raise ValueError(f"a weight of {name} does not fit into {BITS[name]} bits")
    return rounded


def header(weights: Integers, solved_set: str) -> str:
    """Return the weights as C; `solved_set` says which positions they were fitted to."""
    lines = [
        "/* The weights of the network in heuristics/network.pxd. Generated: do not edit.",
        " *",
        " * Command: python -m tools.fit.network TABLES [SOLVED.npz]",
        f" * Seed: {SEED}",
        f" * Solved set: {solved_set}",
        f" * Weights: SHA-256 {digest(weights)}",
        " */",
        f"#define HIDDEN {weights['first_bias'].size}",
        f"#define INPUTS {len(weights['first_weights'])}",
        f"#define OUTPUTS {weights['second_bias'].size}",
        f"#define ROWS {len(weights['row_weights'])}",
        f"#define OUTPUT_SHIFT {(FIRST_UNIT * SECOND_UNIT // OUTPUT_UNIT).bit_length() - 1}",
    ]
    for name, bits in BITS.items():
        numbers = [str(number) for number in weights[name].ravel()]
        lines.append(f"static const {'short' if bits == 16 else 'int'} {name}[{len(numbers)}] = {{")
        lines += [
            ",".join(numbers[first : first + NUMBERS_IN_LINE]) + ","
            for first in range(0, len(numbers), NUMBERS_IN_LINE)
        ]
        lines.append("};")
    return "\n".join(lines) + "\n"


def read_header(text: str) -> tuple[Integers, str]:
    """Return the weights in a header, and what it says of the positions they were fitted to."""
    found = re.findall(r"^static const \w+ (\w+)\[\d+\] = \{([^}]*)\};$", text, re.MULTILINE)
    flat = {name: np.array(body.rstrip(",\n").split(","), np.int64) for name, body in found}
    hidden = flat["first_bias"].size
    solved_set = re.search(r"^ \* Solved set: (.*)$", text, re.MULTILINE)
    assert solved_set is not None
    weights = {name: array.reshape(-1, hidden) if array.size > hidden else array for name, array in flat.items()}
    return weights, solved_set[1]


def digest(weights: Integers) -> str:
    """Return the SHA-256 of all weights as signed 64-bit little-endian numbers."""
    return hashlib.sha256(b"".join(weights[name].astype("<i8").tobytes() for name in BITS)).hexdigest()


if __name__ == "__main__":
    main()
