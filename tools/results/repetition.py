"""Count how many endings are lost, drawn and won under some rules, and how many draws come by repetition.

    python -m tools.results.repetition [--rules RULES] [--cards N] [--jobs N]

A draw is by repetition if neither side can force an end of the game that is no loss for it. Tables are built in memory
for that, of values and of who can force an end. Eight cards take one or two minutes.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from durak_solver._core.endings import Endings
from durak_solver._core.survey import ForcedEnds, survey
from durak_solver.cli.options import read_rules
from durak_solver.engine.tables.files import core_rules
from durak_solver.engine.tables.sweep import sweep_all

RANKS: Final = 9  # of a deck of 36 cards


def counted(endings: Endings, cards: int, jobs: int) -> tuple[list[int], list[int]]:
    """Solve all endings with a number of cards, after those with fewer, and count what is stored of them.

    Parameters
    ----------
    endings
        To which they are attached.
    jobs
        Threads.

    Returns
    -------
    tuple of list of int
        How often 0, 1 and 2 are stored: of the bout starts in the index, and of all that differ in more than ranks
        without a card and names of plain suits.
    """
    values = memoryview(bytearray(endings.section(cards, cards)))
    with ThreadPoolExecutor(jobs) as pool:
        sweep_all(endings, cards, values, pool, jobs)
    hands = range(1, cards)
    classes = [endings.tally(cards, leaders) for leaders in hands]
    positions = [survey(endings, cards, leaders, RANKS)[0] for leaders in hands]
    return _sums(classes), _sums(positions)


def _sums(rows: list[tuple[int, int, int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def main() -> None:
    """Write the counts as tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rules", default="perevodnoy", help="a preset and options (default: perevodnoy)")
    parser.add_argument("--cards", type=int, default=8, help="up to how many cards, at most 12 (default: 8)")
    parser.add_argument("--jobs", type=int, default=1, help="threads (default: 1)")
    arguments = parser.parse_args()
    rules = core_rules(read_rules(arguments.rules))
    values, ends = Endings(rules), ForcedEnds(rules)
    rows: tuple[list[str], list[str]] = [], []
    began = time.perf_counter()
    for cards in range(2, arguments.cards + 1):
        for found, unended, row in zip(
            counted(values, cards, arguments.jobs), counted(ends, cards, arguments.jobs), rows, strict=True
        ):
            row.append("| " + " | ".join(f"{n:,}" for n in (cards, sum(found), *found, unended[0])) + " |")
    for name, lines in zip(("classes", "positions"), rows, strict=True):
        print(f"\n| cards | {name} | loss | draw | win | of the draws: by repetition |\n|---|---|---|---|---|---|")
        print("\n".join(lines))
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
