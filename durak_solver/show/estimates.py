"""Estimates of positions with hidden cards as text for a terminal: the table, and the intervals while they shrink."""

from __future__ import annotations

import textwrap
from typing import Final

from rich.text import Text

from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.results import Value
from durak_solver.model.messages import STOP_REASONS, counted
from durak_solver.show.position import TO_DO, VALUE_STYLES

_INTERVAL_WIDTH: Final = len("-0.113 (-0.267 to +0.042)")
_SCALE_WIDTHS: Final = range(15, 51)
# What is between loss and win, the interval, its middle; in a terminal that has these signs, and in any.
_SIGNS: Final = ("·", "━", "●")
_ASCII_SIGNS: Final = (".", "=", "O")


def estimate_text(estimate: Estimate, *, width: int | None = None) -> Text:
    """Write an estimate as a table: every move, best first, with its chances and how sure they are.

    Only the order of the moves where none of them was valued. Lines have no more than 100 columns but for very long
    moves; `width` is for the sentence on what the method cannot see.
    """
    position = estimate.position
    head = f"{position}\n{position.to_move} to {TO_DO[position.phase]}: "
    if estimate.is_valued:
        rows = [Text(f"{head}estimate by {estimate.method} over {_deals(estimate)}{_stop(estimate)}")]
        exact = f"{100 * estimate.exact_share:.1f} % of the values are exact for their deal"
        rows.append(Text(f"seed {estimate.seed}, {exact}, {_cost(estimate)}", "dim"))
        rows += _table(estimate)
    elif estimate.stopped:
        rows = [Text(f"{head}nothing is known, because {STOP_REASONS[estimate.stopped]} before any deal was valued")]
        rows += [Text(f"  {estimated.move}") for estimated in estimate.moves]
        rows.append(Text(_cost(estimate), "dim"))
        return Text("\n").join(rows)
    else:
        rows = [Text(f"{head}the order in which the player {estimate.method}, who does not search, prefers the moves")]
        rows.append(Text(f"seed {estimate.seed}, {_cost(estimate)}", "dim"))
        rows += [Text(f"  {place:2}  {estimated.move}") for place, estimated in enumerate(estimate.moves, 1)]
    sentence = f"Not seen: {estimate.blind_spot}."
    rows.append(Text(sentence if width is None else textwrap.fill(sentence, max(width, 20))))
    return Text("\n").join(rows)


def intervals_text(estimate: Estimate, *, width: int = 100, ascii_only: bool = False) -> Text:
    """Draw the 95 % interval of every move on a scale from loss to win, best first.

    Moves must have been valued. A line for each has its chance of winning and the number of its samples.
    """
    move_width = max(len(str(estimated.move)) for estimated in estimate.moves)
    scale_width = min(max(width - move_width - 26, _SCALE_WIDTHS[0]), _SCALE_WIDTHS[-1])
    left = (scale_width - len("draw")) // 2
    scale = f"{'loss':{left}}draw{'win':>{scale_width - left - len('draw')}}"
    rows = [Text(f"  {'':{move_width}}  {scale}  {'win %':>6}  {'samples':>8}", "dim")]
    for estimated in estimate.moves:
        row = Text(f"  {estimated.move!s:{move_width}}  ")
        row.append_text(_bar(estimated, scale_width, _ASCII_SIGNS if ascii_only else _SIGNS))
        row.append(f"  {100 * estimated.win:6.1f}  {estimated.samples:8,}")
        rows.append(row)
    return Text("\n").join(rows)


def _deals(estimate: Estimate) -> str:
    if estimate.enumerated:
        return f"all {counted(estimate.deals)} deals"
    return f"{estimate.worlds:,} of {counted(estimate.deals)} deals"


def _stop(estimate: Estimate) -> str:
    return f"\n(no more than these: {STOP_REASONS[estimate.stopped]})" if estimate.stopped else ""


def _cost(estimate: Estimate) -> str:
    return f"{estimate.nodes:,} nodes, {estimate.seconds:.3f} s"


def _table(estimate: Estimate) -> list[Text]:
    """Return a line of titles and one for each move."""
    move_width = max(len("move"), *(len(str(estimated.move)) for estimated in estimate.moves))
    column = len("-0.113") if estimate.enumerated else _INTERVAL_WIDTH
    titles = ("mean", "to best") if estimate.enumerated else ("mean (95 % interval)", "to best (95 % interval)")
    column = max(column, len("to best"))
    head = f"  {'move':{move_width}}  win %  draw %  loss %  {titles[0]:{column}}  {titles[1]:{column}}  samples"
    return [Text(head, "dim"), *(_row(estimated, move_width, column, estimate.best) for estimated in estimate.moves)]


def _row(estimated: EstimatedMove, move_width: int, column: int, best: EstimatedMove) -> Text:
    row = Text(f"  {estimated.move!s:{move_width}}")
    if not estimated.samples:
        return row.append("  not valued")
    for value, chance, width in (
        (Value.WIN, estimated.win, 7),
        (Value.DRAW, estimated.draw, 8),
        (Value.LOSS, estimated.loss, 8),
    ):
        row.append(f"{100 * chance:{width}.1f}", VALUE_STYLES[value])
    row.append(f"  {_with_interval(estimated.mean, estimated.low, estimated.high):{column}}")
    difference = _with_interval(estimated.difference, estimated.difference_low, estimated.difference_high)
    row.append(f"  {'best' if estimated is best else difference:{column}}  {estimated.samples:7,}")
    return row


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{value:+.3f}" if low == value == high else f"{value:+.3f} ({low:+.3f} to {high:+.3f})"


def _bar(estimated: EstimatedMove, width: int, signs: tuple[str, str, str]) -> Text:
    """Draw one interval on the scale, its middle in the colour of what is likeliest."""
    low, middle, high = (
        round((payoff + 1) / 2 * (width - 1)) for payoff in (estimated.low, estimated.mean, estimated.high)
    )
    outside, inside, point = signs
    style = VALUE_STYLES[Value.WIN if estimated.mean > 0 else Value.LOSS if estimated.mean < 0 else Value.DRAW]
    bar = Text().append(outside * low, "dim")  # a style of the whole text would spread to what follows
    bar.append(inside * (middle - low) + point + inside * (high - middle), style)
    return bar.append(outside * (width - 1 - high), "dim")
