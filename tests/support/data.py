"""Where the checkout keeps things, and the positions whose values an independent program worked out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
POSITIONS: Final = ROOT / "positions"
DATA: Final = ROOT / "tests" / "data"

CASES: Final[list[dict[str, Any]]] = [
    json.loads(line) for line in (DATA / "cases" / "values.jsonl").read_text(encoding="ascii").splitlines()
]
"""Positions with the value of every legal move; see tests/data/cases."""
