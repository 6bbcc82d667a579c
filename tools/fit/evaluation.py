"""Fit the evaluation in ext/heuristics/evaluation.pxd to solved endings; write ext/generated/evaluation_weights.h.

The endings are those of evaluation_data.py. Prints how good the fit is on games it was not fitted to, what each trait
brings, and what `leader_logit` in ext/search/move_order.pxd would be if it were fitted anew.

    python -m tools.fit.evaluation [FILE]
"""

from __future__ import annotations

import gzip
import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from durak_solver import Position
from durak_solver.game import core
from tools.fit.evaluation_data import DATA, SEED

WEIGHTS: Final = Path(__file__).parents[2] / "ext" / "generated" / "evaluation_weights.h"
FOLDS: Final = 5
LOGIT_UNIT: Final = 64
# Of the weights for features scaled to unit deviation; hardly matters with so many positions.
PENALTY: Final = 1.0
# Shorter endings are nearly always solved, and need no guess.
LARGE: Final = 12

Sets = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.float64]
Features = dict[str, Numbers]

_TRUMP: Final = np.uint64(0xFFFF)
_HIGH: Final = np.uint64(0x1C00)
_SCORES: Final = {"win": 1.0, "draw": 0.5, "loss": 0.0}

LEADER_LOGIT: Final = {
    "CONSTANT": 109,
    "TOP_TRUMP": -166,
    "LEADER_CARDS": -25,
    "OTHER_CARDS": 21,
    "LEADER_TRUMPS": 142,
    "OTHER_TRUMPS": -119,
    "LEADER_SAFE": 47,
    "OTHER_SAFE": -44,
    "LEADER_TRUMP_ONLY": 54,
    "OTHER_TRUMP_ONLY": -26,
    "LEADER_RISKY": -45,
    "OTHER_RISKY": 36,
}
"""The weights of `leader_logit` in ext/search/move_order.pxd, under the names of the same features here."""


@dataclass(frozen=True, slots=True)
class Endings:
    """Solved bout starts.

    Attributes
    ----------
    leader, other
        The hands as card sets of the core.
    score
        For the leader: 1 win, 0.5 draw, 0 loss.
    game
        Which game each is from.
    """

    leader: Sets
    other: Sets
    score: Numbers
    game: npt.NDArray[np.int64]

    @property
    def cards(self) -> Numbers:
        """Cards in both hands together."""
        return _count(self.leader | self.other)


def main() -> None:
    """Fit to the file named on the command line, or to the one in the checkout, report and write."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    endings = read_endings(path)
    found = features(endings.leader, endings.other)
    old = leader_logit_features(endings.leader, endings.other)
    print(f"{len(endings.score)} endings of {endings.game.max() + 1} games; hold-out: {FOLDS} parts of the games")
    print(f"positions with {LARGE} cards or more in brackets\n")
    print(f"{'':<28}{'accuracy':>16}{'log loss':>16}{'Brier':>16}{'RMSE of payoff':>16}")
    guess = held_out(found, endings)
    for name, logit in (
        ("a constant", np.full_like(endings.score, np.log(endings.score.mean() / (1 - endings.score.mean())))),
        ("leader_logit as it is", logits(old, LEADER_LOGIT)),
        ("leader_logit, fitted anew", held_out(old, endings)),
        ("evaluate", guess),
    ):
        _print_errors(name, logit, endings)
    print("\nevaluate without")
    for trait in _trait_names():
        gone = {f"LEADER_{trait}", f"OTHER_{trait}"}
        rest = {name: values for name, values in found.items() if name not in gone}
        _print_errors(f"  {trait.lower()}", held_out(rest, endings), endings)
    _print_sizes(guess, endings)
    _print_calibration(guess, endings)
    print("\nleader_logit: weight, fitted anew")
    for name, weight in whole(fit(old, endings.score)).items():
        print(f"  {name:<24}{LEADER_LOGIT[name]:>6}{weight:>6}")
    WEIGHTS.write_text(header(whole(fit(found, endings.score)), path), encoding="ascii", newline="\n")


def read_endings(path: Path) -> Endings:
    """Read a data file."""
    leaders, others, scores, games = [], [], [], []
    game = -1
    for line in gzip.decompress(path.read_bytes()).decode("ascii").splitlines():
        if not line:
            game += 1
        elif not line.startswith("#"):
            dpn, _, value = line.rpartition(" ")
            position = Position.from_dpn(dpn)
            hands = [core.card_set(hand, position.trump) for hand in position.hands]
            leader = "ab".index(position.attacker)
            leaders.append(hands[leader])
            others.append(hands[1 - leader])
            scores.append(_SCORES[value])
            games.append(game)
    return Endings(
        leader=np.array(leaders, dtype=np.uint64),
        other=np.array(others, dtype=np.uint64),
        score=np.array(scores),
        game=np.array(games, dtype=np.int64),
    )


def features(leader: Sets, other: Sets) -> Features:
    """Compute what `evaluate` in ext/heuristics/evaluation.pxd goes by.

    Parameters
    ----------
    leader, other
        Hands as card sets of the core, with a trump suit.

    Returns
    -------
    dict of str to array
        All but the constant.
    """
    found = {}
    ours, theirs = _traits(leader, other), _traits(other, leader)
    for name in ours:
        found[f"LEADER_{name}"] = ours[name]
        found[f"OTHER_{name}"] = theirs[name]
    return found


def leader_logit_features(leader: Sets, other: Sets) -> Features:
    """Compute what `leader_logit` in ext/search/move_order.pxd goes by.

    Returns
    -------
    dict of str to array
        All but the constant.
    """
    found = features(leader, other)
    found["TOP_TRUMP"] = _number((leader & _TRUMP) > (other & _TRUMP))
    for side, hand, faced in (("LEADER", leader, other), ("OTHER", other, leader)):
        found[f"{side}_CARDS"] = _count(hand)
        found[f"{side}_TRUMPS"] = _count(hand & _TRUMP)
        found[f"{side}_SAFE"] = _count(hand & ~_below_top(faced)) - found[f"{side}_TRUMP_ONLY"]
    return {name: found[name] for name in LEADER_LOGIT if name != "CONSTANT"}


def fit(found: Features, score: Numbers) -> dict[str, float]:
    """Fit a logistic regression by Newton's method.

    Parameters
    ----------
    score
        What the logistic function of the sum is to be near to.

    Returns
    -------
    dict of str to float
        The weights, with ``CONSTANT``.
    """
    columns = np.column_stack(list(found.values()))
    mean, deviation = columns.mean(axis=0), columns.std(axis=0)
    scaled = np.column_stack([np.ones(len(columns)), (columns - mean) / deviation])
    penalty = PENALTY * np.eye(scaled.shape[1])
    penalty[0, 0] = 0
    weights: Numbers = np.zeros(scaled.shape[1])
    step: Numbers = np.ones(1)
    while np.abs(step).max() > 1e-9:
        chance = _chance(scaled @ weights)
        slope = scaled.T @ (score - chance) - penalty @ weights
        curvature = scaled.T @ (scaled * (chance * (1 - chance))[:, None]) + penalty
        step = _number(np.linalg.solve(curvature, slope))
        weights += step
    plain = weights[1:] / deviation
    return {
        "CONSTANT": float(weights[0] - plain @ mean),
        **{name: float(weight) for name, weight in zip(found, plain, strict=True)},
    }


def whole(weights: Mapping[str, float]) -> dict[str, int]:
    """Return weights as the core has them.

    Returns
    -------
    dict of str to int
        64 for a logit.
    """
    return {name: round(LOGIT_UNIT * weight) for name, weight in weights.items()}


def header(weights: Mapping[str, int], path: Path) -> str:
    """Return the weights as C; `path` is the file of the endings they were fitted to."""
    digest = hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()
    names = _trait_names()
    lines = [
        "/* The weights of heuristics/evaluation.pxd. Generated: do not edit.",
        " *",
        " * Command: python -m tools.fit.evaluation",
        f" * Solved set: {path.name}, seed {SEED}, uncompressed SHA-256 {digest}",
        " */",
        f"#define TRAITS {len(names)}",
        f"#define LOGIT_UNIT {LOGIT_UNIT}",
        f"#define EVALUATION_CONSTANT {weights['CONSTANT']}",
    ]
    for side in ("LEADER", "OTHER"):
        lines.append(f"static const int {side.lower()}_weights[TRAITS] = {{")
        lines += [f"    {weights[f'{side}_{name}']},  /* {name.lower()} */" for name in names]
        lines.append("};")
    return "\n".join(lines) + "\n"


def logits(found: Features, weights: Mapping[str, int]) -> Numbers:
    """Return the logits that weights give.

    Parameters
    ----------
    weights
        64 for a logit.
    """
    total = np.full(len(next(iter(found.values()))), float(weights["CONSTANT"]))
    for name, values in found.items():
        total += weights[name] * values
    return total / LOGIT_UNIT


def held_out(found: Features, endings: Endings) -> Numbers:
    """Return for each position the logit of weights that were fitted without its game and a fifth of all others."""
    result = np.zeros(len(endings.score))
    for part in range(FOLDS):
        inside = endings.game % FOLDS == part
        weights = whole(fit({name: values[~inside] for name, values in found.items()}, endings.score[~inside]))
        result[inside] = logits({name: values[inside] for name, values in found.items()}, weights)
    return result


def errors(logit: Numbers, score: Numbers) -> tuple[float, float, float, float]:
    """Measure guesses.

    Parameters
    ----------
    logit
        The guesses.
    score
        The truth: 1, 0.5 or 0.

    Returns
    -------
    tuple of float
        Accuracy (the better half guessed, among those that are not draws), log loss, Brier score, and the root of the
        mean squared error of the payoff, which runs from -1 to 1.
    """
    chance = _chance(logit)
    decided = score != 0.5
    brier = np.mean((chance - score) ** 2)
    return (
        float(np.mean((chance > 0.5)[decided] == (score > 0.5)[decided])),
        float(-np.mean(score * np.log(chance) + (1 - score) * np.log1p(-chance))),
        float(brier),
        float(2 * np.sqrt(brier)),
    )


def _traits(hand: Sets, other: Sets) -> Features:
    """Compute what `list_traits` in ext/heuristics/evaluation.pxd does, in its order."""
    plain, trumps = hand & ~_TRUMP, hand & _TRUMP
    in_suit = hand & _below_top(other)
    beatable = in_suit | np.where(other & _TRUMP, plain, np.uint64(0))
    useful = _above_bottom(other)
    cards, faced, mates = _count(hand), _count(other), _count(plain) - _count(_ranks(plain))
    held, risky = _count(trumps), _count(_ranks(beatable) & ~_ranks(hand & ~beatable))
    return {
        "SHORT_OF_SIX": np.maximum(6 - cards, 0),
        "HIGH_TRUMPS": _count(trumps & _HIGH),
        "LOW_TRUMPS": _count(trumps & ~useful),
        "TRUMP_ONLY": _count(beatable & ~in_suit),
        "IDLE": _count(plain & ~useful),
        "RISKY": risky,
        "SHEDS": _number(risky <= 1),
        "RISKY_UNANSWERED": np.maximum(risky - _count(other & _TRUMP), 0),
        "RISKY_TIMES_CARDS": risky * cards,
        "RISKY_TIMES_TRUMPS": risky * held,
        "TRUMPS_TIMES_CARDS": held * cards,
        "TRUMPS_TIMES_FACED": held * faced,
        "MATES_TIMES_FACED": mates * faced,
    }


def _trait_names() -> list[str]:
    none = np.zeros(1, dtype=np.uint64)
    return list(_traits(none, none))


def _count(sets: Sets) -> Numbers:
    return _number(np.bitwise_count(sets))


def _number(values: npt.NDArray[np.generic]) -> Numbers:
    return values.astype(np.float64)


def _ranks(sets: Sets) -> Sets:
    sets = sets | sets >> np.uint64(32)
    return (sets | sets >> np.uint64(16)) & np.uint64(0xFFFF)


def _below_top(sets: Sets) -> Sets:
    """In each suit, everything below the set's highest card."""
    return _spread(sets, [np.uint64(0x0001_0001_0001_0001 * (0xFFFF >> step)) for step in range(16)], np.right_shift)


def _above_bottom(sets: Sets) -> Sets:
    """In each suit, everything above the set's lowest card."""
    masks = [np.uint64(0x0001_0001_0001_0001 * (0xFFFF << step & 0xFFFF)) for step in range(16)]
    return _spread(sets, masks, np.left_shift)


def _spread(sets: Sets, masks: list[np.uint64], shift: np.ufunc) -> Sets:
    """Shift the cards of each suit by 1 to 15 ranks; what comes from the next suit is masked."""
    result = np.zeros_like(sets)
    for step in range(1, 16):
        result |= shift(sets, np.uint64(step)) & masks[step]
    return result


def _chance(logit: Numbers) -> Numbers:
    result: Numbers = 1 / (1 + np.exp(-logit))
    return result


def _print_errors(name: str, logit: Numbers, endings: Endings) -> None:
    large = endings.cards >= LARGE
    pairs = zip(errors(logit, endings.score), errors(logit[large], endings.score[large]), strict=True)
    print(f"{name:<28}" + "".join(f"{f'{every:.3f} ({long:.3f})':>16}" for every, long in pairs))


def _print_sizes(logit: Numbers, endings: Endings) -> None:
    print("\nevaluate by cards in both hands: positions, accuracy, RMSE of payoff")
    for low in range(4, 25, 2):
        inside = (endings.cards >= low) & (endings.cards < low + 2)
        if inside.any():
            accuracy, _, _, rmse = errors(logit[inside], endings.score[inside])
            print(f"  {low:>2}-{low + 1:<4}{inside.sum():>8}{accuracy:>8.3f}{rmse:>8.3f}")


def _print_calibration(logit: Numbers, endings: Endings) -> None:
    print("\nevaluate by tenths of the guesses: mean guess, mean truth (chance of a win, a draw for half)")
    chance = _chance(logit)
    for part in np.array_split(np.argsort(chance, kind="stable"), 10):
        print(f"  {chance[part].mean():>7.3f}{endings.score[part].mean():>8.3f}")


if __name__ == "__main__":
    main()
