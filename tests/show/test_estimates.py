"""Estimates in words: the table, the intervals and the sentence of a hint, from numbers that are made up."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from durak_solver import Engine, Estimate, EstimatedMove, Position
from durak_solver.model.messages import counted
from durak_solver.show.estimates import estimate_text, intervals_text
from durak_solver.study.hint import find_hint
from tests.support.hints import explained, said

HIDDEN = Position.from_dpn("6sKs9c7d8hTh/?6 h a - ?2,7h 7sAs")
OPEN_CARDS = "as if the cards lay open, so what a move hides or gives away counts for nothing."


def valued(
    text: str,
    mean: float,
    half: float = 0.1,
    *,
    draw: float = 0.0,
    behind: float = 0.0,
    samples: int = 160,
    position: Position = HIDDEN,
) -> EstimatedMove:
    """Make a valued move; `half` is half the width of its interval, and of that of the difference to the best."""
    win = (1 + mean - draw) / 2
    return EstimatedMove(
        move=position.parse_move(text),
        mean=mean,
        low=mean - half,
        high=mean + half,
        win=win,
        draw=draw,
        loss=1 - win - draw,
        difference=-behind,
        difference_low=-behind - half,
        difference_high=-behind + half,
        samples=samples,
    )


def estimate(*moves: EstimatedMove, position: Position = HIDDEN, stopped: str | None = None) -> Estimate:
    return Estimate(
        position=position,
        method="pimc",
        seed=3,
        deals=124_324_200,
        worlds=max(move.samples for move in moves),
        enumerated=False,
        exact_share=0.552,
        moves=moves,
        blind_spot="nobody knows what",
        nodes=1234,
        seconds=0.5,
        stopped=stopped,
    )


def without_search(method: str = "lowest", stopped: str | None = None) -> Estimate:
    """Return what a player without search, or a search that ended before its first deal, knows."""
    moves = (replace(valued(text, 0, 1), win=0, loss=0, samples=0) for text in ("6s", "7d", "Ks"))
    return replace(estimate(*moves, stopped=stopped), method=method, exact_share=0)


# ------------------------------------------------------------------------------------------------------------ the table


def test_a_table() -> None:
    """A move that was given up early has fewer samples."""
    text = estimate_text(
        estimate(
            valued("Ks", 0.25, draw=0.05, samples=1600),
            valued("6s", -0.1, behind=0.35, samples=1600),
            valued("7d", -0.9, 0.3, behind=1.15, samples=16),
        )
    )
    assert text.plain.splitlines() == [
        "6sKs9c7d8hTh/?6 h a - ?2,7h 7sAs",
        "a to lead: estimate by pimc over 1,600 of 124,324,200 deals",
        "seed 3, 55.2 % of the values are exact for their deal, 1,234 nodes, 0.500 s",
        "  move  win %  draw %  loss %  mean (95 % interval)       to best (95 % interval)    samples",
        "  Ks     60.0     5.0    35.0  +0.250 (+0.150 to +0.350)  best                         1,600",
        "  6s     45.0     0.0    55.0  -0.100 (-0.200 to +0.000)  -0.350 (-0.450 to -0.250)    1,600",
        "  7d      5.0     0.0    95.0  -0.900 (-1.200 to -0.600)  -1.150 (-1.450 to -0.850)       16",
        "Not seen: nobody knows what.",
    ]


def test_a_table_over_all_deals() -> None:
    every = replace(
        estimate(valued("Ks", 0.25, 0, samples=8), valued("6s", -0.25, 0, behind=0.5, samples=8)),
        deals=8,
        enumerated=True,
    )
    lines = estimate_text(every).plain.splitlines()
    assert lines[1] == "a to lead: estimate by pimc over all 8 deals"
    assert lines[3:6] == [
        "  move  win %  draw %  loss %  mean     to best  samples",
        "  Ks     62.5     0.0    37.5  +0.250   best           8",
        "  6s     37.5     0.0    62.5  -0.250   -0.500         8",
    ]


def test_a_table_that_was_cut_off() -> None:
    lines = estimate_text(estimate(valued("Ks", 0.25, samples=16), stopped="interrupt")).plain.splitlines()
    assert lines[1:3] == [
        "a to lead: estimate by pimc over 16 of 124,324,200 deals",
        "(no more than these: the search was interrupted)",
    ]


def test_a_move_that_was_never_tried() -> None:
    lines = estimate_text(estimate(valued("Ks", 0.25), valued("6s", 0, 1, samples=0))).plain.splitlines()
    assert lines[5] == "  6s    not valued"


def test_a_player_without_search_gives_no_chances() -> None:
    lines = estimate_text(without_search()).plain.splitlines()
    assert lines[1:] == [
        "a to lead: the order in which the player lowest, who does not search, prefers the moves",
        "seed 3, 1,234 nodes, 0.500 s",
        "   1  6s",
        "   2  7d",
        "   3  Ks",
        "Not seen: nobody knows what.",
    ]


def test_nothing_is_known() -> None:
    lines = estimate_text(without_search("pimc", "seconds")).plain.splitlines()
    assert lines[1:] == [
        "a to lead: nothing is known, because the time was up before any deal was valued",
        "  6s",
        "  7d",
        "  Ks",
        "1,234 nodes, 0.500 s",
    ]


def test_a_terminal_is_not_exceeded() -> None:
    position = Position.from_dpn("6s6c6d8hTh9d/?6 h a - ?23,7h")
    moves = [valued(str(move), 0.1, position=position, samples=160) for move in position.legal_moves]
    found = replace(
        estimate(*moves, position=position, stopped="memory"), deals=10**28, blind_spot="nobody knows what " * 10
    )
    assert all(len(line) <= 100 for line in estimate_text(found, width=100).plain.splitlines())
    assert max(map(len, estimate_text(found).plain.splitlines())) > 150


# -------------------------------------------------------------------------------------------------------- the intervals


def test_intervals() -> None:
    found = estimate(
        replace(valued("Ks", 0.0, 1.0, draw=0.5), samples=1234),
        replace(valued("6s", -1.0), low=-1.0, high=-1.0),
        replace(valued("Th", 1.0), low=0.5, high=1.0),
    )
    text = intervals_text(found, width=49, ascii_only=True)
    assert text.plain.splitlines() == [
        "      loss    draw      win   win %   samples",
        "  Ks  ==========O==========    25.0     1,234",
        "  6s  O....................     0.0       160",
        "  Th  ...............=====O   100.0       160",
    ]


@pytest.mark.parametrize("width", [1, 30, 45, 80, 100, 300])
def test_intervals_fit(width: int) -> None:
    rng = random.Random(width)
    for _ in range(50):
        low, mean, high = sorted(rng.uniform(-1, 1) for _ in range(3))
        found = estimate(replace(valued("Ks", mean), low=low, high=high), valued("6s", 0.0))
        lines = intervals_text(found, width=width).plain.splitlines()
        assert len({*map(len, lines)}) == 1 and len(lines[0]) <= max(width, 41)
        assert lines[1].count("●") == 1
        bar = lines[1][6:].split("  ")[0]
        assert abs(bar.index("●") / (len(bar) - 1) - (mean + 1) / 2) < 1 / len(bar)


# --------------------------------------------------------------------------------------------------------- the sentence


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (
            [valued("Ks", 0.5), valued("6s", 0.2, behind=0.3)],
            "Lead Ks: a wins 75 % (95 % interval 70 to 80 %); that is 15 points better than 6s (95 % interval 10 to "
            "20); estimated over 160 of 124,324,200 deals, ",
        ),
        (
            [valued("Ks", 0.5), valued("6s", 0.42, behind=0.08)],
            "Lead Ks: a wins 75 % (95 % interval 70 to 80 %); it cannot be told apart from 6s, 4 points behind (95 % "
            "interval -1 to 9); estimated over ",
        ),
        (
            [valued("Ks", 0.5), *(valued(text, 0.48, behind=0.02) for text in ("6s", "7d", "9c"))],
            "Lead Ks: a wins 75 % (95 % interval 70 to 80 %); it cannot be told apart from 6s, 1 point behind (95 % "
            "interval -4 to 6), nor from 2 other moves; estimated over ",
        ),
        (
            [valued("Ks", 0.5), valued("6s", 0.5), valued("7d", -0.5, behind=1.0)],
            "Lead Ks: a wins 75 % (95 % interval 70 to 80 %); it cannot be told apart from 6s, 0.0 points behind (95 % "
            "interval -5 to 5); estimated over ",
        ),
        ([valued("Ks", 1.0, 0.0)], "Lead Ks: it is the only legal move, and a wins 100 %; estimated over "),
        ([valued("Ks", 0.996, 0.0)], "Lead Ks: it is the only legal move, and a wins over 99 %; estimated over "),
        ([valued("Ks", -0.996, 0.0)], "Lead Ks: it is the only legal move, and a wins under 1 %; estimated over "),
        (
            [valued("Ks", 0.1, 0.0, draw=0.1), valued("6s", 0.1, 0.0)],
            "Lead Ks: a wins 50 % and draws 10 %; 6s is as good; estimated over ",
        ),
        (
            [valued("Ks", 0.1, 0.0, draw=0.004), valued("6s", 0.09, 0.0, behind=0.01)],
            "Lead Ks: a wins 55 %; that is 0.5 points better than 6s; estimated over ",
        ),
        (
            [valued("Ks", 0.1, 0.0), valued("6s", 0.0, 1.0, samples=0)],
            "Lead Ks: a wins 55 %; estimated over ",
        ),
    ],
)
def test_sentences(moves: list[EstimatedMove], sentence: str) -> None:
    found = explained(estimate(*moves))
    assert found.startswith(sentence)
    assert found.endswith(OPEN_CARDS)


def test_words_are_named_as_what_one_does() -> None:
    position = Position.from_dpn("6sKs9c7d8hTh/?5 h b 6c ?2,7h 7sAs")
    moves = [
        valued("9c", 0.5, position=position),
        valued("take", 0.5, position=position),
    ]
    assert "told apart from taking, 0.0 points" in explained(estimate(*moves, position=position))
    assert explained(estimate(*moves[::-1], position=position)).startswith("Take: a wins ")


def test_sentences_of_an_end_too_early() -> None:
    cut = explained(estimate(valued("Ks", 0.5, samples=16), stopped="interrupt"))
    assert "estimated over only 16 of 124,324,200 deals, because the search was interrupted, as if " in cut
    nothing = explained(without_search("pimc", "nodes"))
    assert nothing == "No move can be preferred: the limit of nodes was reached before any deal was valued."


def test_the_sentence_of_a_player_without_search() -> None:
    assert explained(without_search(), "unicode") == (
        "Lead 6♠: so plays lowest, who does not search, and the chances are not known."
    )


def test_another_method_says_itself_what_it_cannot_see() -> None:
    found = replace(estimate(valued("Ks", 0.5)), method="ismcts")
    assert explained(found).endswith("deals; not seen: nobody knows what.")


def test_hints_agree_with_the_estimate_they_come_from() -> None:
    engine = Engine(8)
    found = find_hint(engine, HIDDEN, samples=40, seed=5)
    base = engine.estimate(HIDDEN, samples=40, seed=5)
    assert isinstance(base, Estimate)
    assert said(found) == explained(base)
    assert (found.move, found.stopped) == (base.best.move, None)
    cut = find_hint(engine, HIDDEN, seconds=1e-9)
    assert (cut.move, cut.stopped) == (None, "seconds")


def test_progress_of_a_hint() -> None:
    known: list[object] = []
    find_hint(Engine(8), HIDDEN, samples=40, on_progress=known.append)
    assert known and all(isinstance(item, Estimate) for item in known)


# ---------------------------------------------------------------------------------------------------------- the numbers


def test_the_interval_of_the_chance_to_win() -> None:
    assert valued("Ks", 0.5, 0.1).win_interval == pytest.approx((0.7, 0.8))
    assert valued("Ks", 0.9, 0.3).win_interval == pytest.approx((0.8, 1.0))
    assert valued("Ks", 0.5, 0.0, draw=0.2).win_interval == pytest.approx((0.65, 0.65))
    all_drawn = replace(valued("Ks", 0.0, draw=1.0), low=-0.02, high=0.02)
    assert all_drawn.win_interval == pytest.approx((0.0, 0.01))


def test_the_interval_of_the_chance_to_win_is_calibrated() -> None:
    """Of many samples from known chances, 95 % have an interval that holds the truth, draws or no draws."""
    rng = random.Random(1)
    for win, draw in ((0.5, 0.0), (0.5, 0.3), (0.1, 0.6), (0.3, 0.1)):
        hits = 0
        for _ in range(1000):
            payoffs = rng.choices((1, 0, -1), (win, draw, 1 - win - draw), k=160)
            mean = sum(payoffs) / 160
            deviation = (sum((payoff - mean) ** 2 for payoff in payoffs) / 159) ** 0.5
            half = 1.96 * deviation / 160**0.5
            found = replace(valued("Ks", mean, half), win=payoffs.count(1) / 160, draw=payoffs.count(0) / 160)
            low, high = found.win_interval
            hits += low <= win <= high
        assert 920 <= hits <= 975, (win, draw)


def test_large_numbers() -> None:
    numbers = (0, 999, 124_324_200, 10**12 - 1, 10**12, 12_280_224_991_305_141_603_532_800_000, 10**400)
    assert [counted(number) for number in numbers] == [
        *("0", "999", "124,324,200", "999,999,999,999", "about 1.0e12", "about 1.2e28", "about 1.0e400")
    ]
