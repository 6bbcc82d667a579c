"""Positions and analyses drawn as text."""

from __future__ import annotations

import pytest

from durak_solver import Engine, Position
from durak_solver.notation.moves import format_move
from durak_solver.show.position import analysis_text, position_text
from tests.support.data import CASES

DPNS = [case["dpn"] for case in CASES]


def drawn(dpn: str, style: str = "unicode", width: int | None = None) -> list[str]:
    return position_text(Position.from_dpn(dpn), style, width=width).plain.splitlines()


def test_a_lead() -> None:
    assert drawn("6s7dTh/6h8h9c h a -") == [
        "trump      ♥ hearts",
        "b          9♣ 6♥ 8♥ (3 cards)",
        "table      empty",
        "a          6♠ 7♦ 10♥ (3 cards)",
        "discard    (30 cards)",
        "to move    a, to lead (at most 3)",
        "legal      6♠ 7♦ 10♥",
    ]


def test_everything_at_once_in_russian() -> None:
    assert drawn("6s7dQdThKs/9c,?3 h b Tc:Kc,Td ?11,7h 9h8s", "russian") == [
        "trump      ♥ hearts",
        "b          9♣ ?3 (4 cards)",
        "attack     10♣ 10♦",
        "beaten by  К♣  -",
        "a          6♠ К♠ 7♦ Д♦ 10♥ (5 cards)",
        "stock      ?11 7♥ (12 cards)",
        "discard    9♥ 8♠ (12 cards)",
        "to move    a, to defend (2 attack cards of at most 6)",
        "legal      10♦:Д♦ 10♦:10♥ take",
    ]


def test_who_takes() -> None:
    lines = drawn("7d/6s8h9d s a Ks*", "ascii")
    assert lines[:4] == [
        "trump      spades",
        "b          6s 9d 8h (3 cards)",
        "attack     Ks (b takes)",
        "beaten by  -",
    ]
    assert lines[-2:] == ["to move    a, to give or say done (1 attack card of at most 3)", "legal      done"]


def test_no_trump_and_rules() -> None:
    lines = drawn("ThTsKd/QhQsJc - a - rules=simple limit=5")
    assert lines[0] == "trump      none"
    assert "rules      rules=simple limit=5" in lines


@pytest.mark.parametrize(
    ("dpn", "turn"),
    [
        ("-/6s h a -", "nobody: the game is over, a wins"),
        ("6s/- h a -", "nobody: the game is over, b wins"),
        ("-/8s7d h a - straps=6 group=6s6c", "nobody: the game is over, a wins with 2 straps"),
        ("-/8s7d h a - straps=6 group=6s", "nobody: the game is over, a wins with 1 strap"),
        ("-/- h a -", "nobody: the game is over, a draw"),
    ],
)
def test_a_finished_game(dpn: str, turn: str) -> None:
    assert f"to move    {turn}" in drawn(dpn)[-2:]  # the rules may follow


def test_kinds_that_are_not_solved_are_drawn() -> None:
    assert drawn("8d9d/7s6d h a 6s transfer=on")[-1] == "legal      >6♦ 6♠:7♠ take"
    assert drawn("?6/7s8s9sTsJsQs h a - ?5,7h")[-1].startswith("legal      not listed: ")
    assert "RJ" in drawn("6sRJ/7sBJ h a - deck=54")[3]


def test_an_illegal_position_is_drawn_without_moves() -> None:
    assert not any(line.startswith("legal") for line in drawn("6s6s/6s s b 6c:7d"))


def test_red_suits_are_red() -> None:
    text = position_text(Position.from_dpn("6s7dTh/6h8h9c h a -"))
    red = {text.plain[span.start : span.end] for span in text.spans if span.style == "red"}
    assert red == {"♥ hearts", "6♥", "8♥", "7♦", "10♥"}


def test_long_lists_are_broken_for_a_terminal_only() -> None:
    dpn = "6s6c6d6h7s7c7d7h/8s8c8d8h9s9c9d9h h a -"
    unbroken = drawn(dpn)
    broken = drawn(dpn, width=60)
    assert max(map(len, broken)) <= 60 < max(map(len, unbroken))
    start = next(i for i, line in enumerate(broken) if line.startswith("legal"))
    assert all(line.startswith(" " * 11) for line in broken[start + 1 :])
    assert " ".join(" ".join(broken[start:]).split()) == " ".join(unbroken[-1].split())


@pytest.mark.parametrize("style", ["ascii", "unicode", "russian"])
def test_every_case_can_be_drawn(style: str) -> None:
    for dpn in DPNS:
        lines = drawn(dpn, style)
        assert not any(line != line.rstrip() for line in lines), dpn
        assert style != "ascii" or "\n".join(lines).isascii()


def test_an_analysis() -> None:
    analysis = Engine(1).analyse(Position.from_dpn("8c9s/6h7h - a -"))  # nothing beats anything
    *lines, cost = analysis_text(analysis).plain.splitlines()
    assert lines == [
        "9s8c/6h7h - a -",
        "a to lead: win",
        "  8c  win  8c take done 9s take done",
        "  9s  win  9s take done 8c take done",
    ]
    assert cost.endswith(" s")
    narrow = analysis_text(analysis, width=30).plain.splitlines()
    assert narrow[2:5] == ["  8c  win  8c take done 9s", "           take done", "  9s  win  9s take done 8c"]


def test_an_analysis_that_was_cut_off() -> None:
    position = Position.from_dpn("6s7s8s9s6c7c8c9c6d7d/TsJsQsKsTcJcQcKcTdJd h a -")
    text = analysis_text(Engine(1).analyse(position, nodes=1)).plain
    assert "(not everything is known: the limit of nodes was reached)" in text
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_moves_in_a_style() -> None:
    position = Position.from_dpn("TsTc/QhAh h a -")
    moves = {format_move(move, "unicode") for move in position.legal_moves}
    assert moves == {"10♠", "10♣", "10♠10♣"}
    beats = [format_move(move, "russian") for move in position.play("Ts").legal_moves]
    assert beats == ["10♠:Д♥", "10♠:Т♥", "take"]
    assert [format_move(move) for move in position.legal_moves] == [str(move) for move in position.legal_moves]
