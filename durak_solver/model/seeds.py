"""Seeds as numbers."""

from __future__ import annotations

import os
from typing import Protocol


class Seeder(Protocol):
    """What a `numpy.random.Generator` is used for."""

    def integers(self, high: int, /) -> object:
        """Draw a number below `high`."""


def draw_seed(seed: int | Seeder | None) -> int:
    """Return a seed as a number below 2**63; None draws one from the operating system.

    Raises
    ------
    ValueError
        If it is no number or generator, or the number is negative or too large.
    """
    if seed is None:
        return int.from_bytes(os.urandom(8)) >> 1
    if isinstance(seed, int):
        if not 0 <= seed < 2**63:
            raise ValueError(f"seed={seed} is not allowed: a number from 0 to 2**63 - 1")
        return seed
    if not hasattr(seed, "integers"):
        raise ValueError(f"seed={seed!r} is not allowed: a number or a numpy.random.Generator")
    return int(str(seed.integers(2**63)))
