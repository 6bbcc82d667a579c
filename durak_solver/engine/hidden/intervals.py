"""Means of payoffs and their intervals."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

Z_95: Final = 1.96
"""Standard deviations on either side of a mean that make a 95 % interval."""


def weighted_mean(values: Numbers, weights: Numbers) -> float:
    """Return the mean of numbers; 0 of none."""
    total = weights.sum()
    return float((weights * values).sum() / total) if total > 0 else 0.0


def interval(values: Numbers, weights: Numbers, bound: float, z: float = Z_95) -> tuple[float, float]:
    """Return a confidence interval for the mean of numbers drawn at random; everything possible if none was drawn.

    That of Agresti and Coull ("Approximate is better than 'exact' for interval estimation of binomial proportions",
    1998), for any bounded numbers: z**2 / 2 draws are added at either bound. So it has a width where all draws are
    alike, too.

    Parameters
    ----------
    weights
        How much each number counts. Unequal weights make the effective sample smaller (Kish, "Survey sampling", 1965).
    bound
        The numbers are from -bound to bound.
    z
        How sure it is, in standard deviations.
    """
    total = weights.sum()
    if not total > 0:
        return -bound, bound
    size = float(total**2 / (weights**2).sum())
    mean = weighted_mean(values, weights)
    more = z * z
    centre = size * mean / (size + more)
    square = (size * weighted_mean(values**2, weights) + more * bound**2) / (size + more)
    half = z * float(np.sqrt((square - centre**2) / (size + more)))
    return max(-bound, min(mean, centre - half)), min(bound, max(mean, centre + half))
