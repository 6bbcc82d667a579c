"""positions/RESULTS.md: it is what the command writes, and what it says of positions is so."""

from __future__ import annotations

import re

import pytest

from durak_solver import Engine, Position, Value
from durak_solver.engine.tables.lookup import SHIPPED, Tables
from tests.support.data import ROOT
from tools.results.write import Facts, text

TEXT = (ROOT / "positions" / "RESULTS.md").read_text(encoding="utf-8")
ENGINE = Engine(16)
DPN = r"`([^`]+/[^`]+ [scdh] [ab] [^`]+)`"
LENGTHS = re.findall(rf"(\d+) \| (leader|other) \| {DPN}", TEXT)
SIDES = re.findall(rf"{DPN}(?: and `([^`]+)`)?: (loss|draw|win)", TEXT)


def rows(markdown: str) -> list[list[str]]:
    """The rows of each table."""
    return [table.splitlines() for table in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE)]


def test_the_command_writes_what_is_there() -> None:
    """As far as six cards go: with more the tables have more rows and columns."""
    small, all_of_it = rows(text(Facts(Tables(SHIPPED), 6))), rows(TEXT)
    assert len(small) == len(all_of_it) == 10
    for few, many in zip(small, all_of_it, strict=True):
        assert 5 <= len(few) <= len(many)
        for row, whole in zip(few, many, strict=False):
            assert whole.startswith(row.removesuffix(" |"))


def test_the_headings_are_the_same() -> None:
    headings = re.findall(r"^#+ .*", TEXT, re.MULTILINE)
    assert re.findall(r"^#+ .*", text(Facts(Tables(SHIPPED), 3)), re.MULTILINE) == headings


@pytest.mark.slow
def test_the_command_writes_what_is_there_up_to_eight_cards() -> None:
    for few, many in zip(rows(text(Facts(Tables(SHIPPED), 8))), rows(TEXT), strict=True):
        for row, whole in zip(few, many, strict=False):
            assert whole.startswith(row.removesuffix(" |"))


def test_tables_that_are_missing_are_named() -> None:
    with pytest.raises(ValueError, match="tables of 9 cards are needed"):
        Facts(Tables(SHIPPED), 9)


def test_every_position_is_looked_at_below() -> None:
    assert len(re.findall(DPN, TEXT)) == len(LENGTHS) + len(SIDES) == 2 * 7 + 2 * 9


@pytest.mark.parametrize("place", range(len(LENGTHS)))
def test_the_longest_wins_last_so_long(place: int) -> None:
    """Positions by plies and by bouts alternate."""
    length, winner, dpn = LENGTHS[place]
    analysis = ENGINE.analyse(Position.from_dpn(dpn), distance=True)
    assert analysis.value is (Value.WIN if winner == "leader" else Value.LOSS)
    assert (analysis.bouts if place % 2 else analysis.plies) == int(length)


@pytest.mark.parametrize(("dpn", "move", "value"), SIDES)
def test_rules_of_thumb_are_refuted(dpn: str, move: str, value: str) -> None:
    position = Position.from_dpn(dpn)
    analysis = ENGINE.analyse(position)
    found = analysis.value
    if move:
        (found,) = (graded.value for graded in analysis.moves if str(graded.move) == move)
    elif position.attacker == "b":
        found = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN}.get(found, found)
    assert str(found) == value


def test_what_the_rules_say_is_worse() -> None:
    order = ["loss", "draw", "win"]
    for (*_, by_rule), (*_, better) in zip(SIDES[::2], SIDES[1::2], strict=True):
        assert order.index(by_rule) < order.index(better)


def test_the_counts_are_those_of_the_documentation() -> None:
    document = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8").partition("## Transfers")[0]
    shown = re.findall(r"^\| (\d+) \| ([\d,]+) \| [^|]*\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|", document, re.MULTILINE)
    counts = [row.strip("| ").split(" | ") for row in rows(TEXT)[0][2:]]
    assert [list(row) for row in shown] == [[row[k] for k in (0, 1, 3, 4, 5)] for row in counts]
