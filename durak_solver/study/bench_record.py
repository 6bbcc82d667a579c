"""Runs of the bench as files, and how one run compares with another."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from durak_solver.model.messages import os_reason
from durak_solver.study.bench import SuiteResult

SCHEMA: Final = "durak.bench/1"
"""Name and version of the shape of a record."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a run of a suite compares with an earlier one.

    Attributes
    ----------
    both
        Positions that both runs solved; nodes and time are compared over these.
    nodes, median_nodes
        New number of nodes divided by the old one, of all these positions together and in the median; None if both
        runs solved none.
    seconds, median_seconds
        The same for the time.
    old_solved, new_solved
        Shares of the positions that each run solved, from 0 to 1.
    values
        Positions whose values were compared: those that both runs solved, or 0 if a run lacks values.
    different
        The number of each position whose values differ, from 1 on, with the old value and the new one.
    """

    name: str
    both: int
    nodes: float | None
    median_nodes: float | None
    seconds: float | None
    median_seconds: float | None
    old_solved: float
    new_solved: float
    values: int
    different: tuple[tuple[int, str, str], ...]

    @property
    def solved(self) -> float | None:
        """New share of solved positions divided by the old one; None if the old run solved none."""
        return self.new_solved / self.old_solved if self.old_solved else None


def save(path: Path, results: Sequence[SuiteResult], **options: object) -> None:
    """Write what suites took as JSON; one that was interrupted is left out.

    The options, with which they were run, are for people who read the file.
    """
    suites = [
        {
            "name": result.name,
            "digest": result.digest,
            "limit": result.limit,
            "nodes": result.nodes,
            "seconds": [round(seconds, 6) for seconds in result.seconds],
            "solved": result.solved,
            "values": result.values,
        }
        for result in results
        if not result.interrupted
    ]
    path.write_text(json.dumps({"schema": SCHEMA, "options": options, "suites": suites}) + "\n", encoding="ascii")


def load(path: Path) -> dict[str, SuiteResult]:
    """Read what `save` wrote, by the names of the suites.

    Raises
    ------
    ValueError
        If the file cannot be read, or is no such record.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {os_reason(error)}") from None
    except (ValueError, RecursionError):  # not JSON, or not even text
        record = None
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise ValueError(f"{path} is no record of durak bench, as --save writes it ({SCHEMA})")
    try:
        return {result.name: result for result in map(_suite, record["suites"])}
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ValueError(f"{path} is a damaged record of durak bench: it lacks numbers of a suite") from None


def compare(old: Mapping[str, SuiteResult], new: Sequence[SuiteResult]) -> list[Comparison]:
    """Compare each suite of the new run with that of the old one, if it has it with the same positions."""
    return [
        _comparison(old[result.name], result)
        for result in new
        if not result.interrupted and result.name in old and _same_positions(old[result.name], result)
    ]


def _same_positions(old: SuiteResult, new: SuiteResult) -> bool:
    return old.digest == new.digest and len(old.nodes) == len(new.nodes)


def _comparison(old: SuiteResult, new: SuiteResult) -> Comparison:
    both = [i for i, solved in enumerate(zip(old.solved, new.solved, strict=True)) if all(solved)]

    def ratio(of_new: Sequence[float], of_old: Sequence[float], *, median: bool) -> float | None:
        if not both:
            return None
        measure = statistics.median if median else sum
        return measure([of_new[i] for i in both]) / max(measure([of_old[i] for i in both]), 1e-6)

    pairs = enumerate(zip(old.values, new.values, strict=False), 1)  # none if one of the runs lacks values
    values = [(number, before, now) for number, (before, now) in pairs if before is not None and now is not None]
    return Comparison(
        name=new.name,
        both=len(both),
        nodes=ratio(new.nodes, old.nodes, median=False),
        median_nodes=ratio(new.nodes, old.nodes, median=True),
        seconds=ratio(new.seconds, old.seconds, median=False),
        median_seconds=ratio(new.seconds, old.seconds, median=True),
        old_solved=old.solved_share,
        new_solved=new.solved_share,
        values=len(values),
        different=tuple((number, before, now) for number, before, now in values if before != now),
    )


def _suite(item: Any) -> SuiteResult:
    """Read one suite of a record; TypeError, KeyError or ValueError if it is not one."""
    result = SuiteResult(
        name=str(item["name"]),
        nodes=tuple(int(nodes) for nodes in item["nodes"]),
        seconds=tuple(float(seconds) for seconds in item["seconds"]),
        solved=tuple(bool(solved) for solved in item["solved"]),
        limit=None if item["limit"] is None else float(item["limit"]),
        digest=str(item["digest"]),
        values=tuple(None if value is None else str(value) for value in item.get("values", ())),
    )
    if not 0 < len(result.nodes) == len(result.seconds) == len(result.solved):
        raise ValueError("not as many numbers as positions")
    if result.values and tuple(value is not None for value in result.values) != result.solved:
        raise ValueError("the values are not those of the solved positions")
    return result
