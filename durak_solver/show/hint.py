"""A hint in one sentence: the best move and why, from what an engine has found.

Nothing is claimed that was not computed: a clause about other moves or about the opponent's answers appears only when
all of them have been graded.
"""

from __future__ import annotations

from typing import Final

from durak_solver.engine.hidden.estimate import Estimate
from durak_solver.engine.results import Analysis, GradedMove, Value
from durak_solver.game.position import Position
from durak_solver.game.round_game import pile
from durak_solver.model.messages import STOP_REASONS, counted, lasting
from durak_solver.model.moves import Move
from durak_solver.notation.cards import format_card
from durak_solver.notation.moves import format_move
from durak_solver.show.moves import move_words

_SHOWN_LINE: Final = 3
_DRAWS_MATTER: Final = 0.005
# What is most to be distrusted in an estimate, in fewer words than `Estimate.blind_spot`.
_OPEN_CARDS: Final = ", as if the cards lay open, so what a move hides or gives away counts for nothing"
_NOT_SEEN: Final = {"pimc": _OPEN_CARDS, "mcts30x30": _OPEN_CARDS}

_VERBS: Final = {"win": "wins", "draw": "draws", "loss": "loses"}


def hint_text(
    move: Move | None, found: Analysis | Estimate, answers: Analysis | None = None, style: str = "ascii"
) -> str:
    """Say what the best move is and why.

    Parameters
    ----------
    move
        The best move; None if nothing speaks for any.
    found
        What is known of the position in which it is played.
    answers
        What is known of the position after it, if it is the opponent's turn there.
    """
    if isinstance(found, Estimate):
        return _explain_estimate(move, found, style)
    if move is None or not found.value.is_exact:
        return _explain_open(move, found, style)
    after = found.position.play(move)
    *reasons, last = [*_forced(found.best, found.position, after, style), *_worth(found, after, answers, style)]
    clauses = [
        f"{', '.join(reasons)}{', and ' if reasons else ''}{last}",
        *_others(found),
        *_straps(found),
        *_length(found),
    ]
    return f"{move_words(found.position, move, style)}: {'; '.join(clauses)}."


def _explain_estimate(move: Move | None, estimate: Estimate, style: str) -> str:
    """Say what the best move of an estimate is, how good it is, and how sure that is."""
    if move is None:
        return f"No move can be preferred: {STOP_REASONS[estimate.stopped or 'nodes']} before any deal was valued."
    action = move_words(estimate.position, move, style)
    if not estimate.is_valued:
        return f"{action}: so plays {estimate.method}, who does not search, and the chances are not known."
    only = "it is the only legal move, and " if len(estimate.moves) == 1 else ""
    clauses = [f"{only}{_chances(estimate)}", *_lead(estimate, style), _over(estimate)]
    return f"{action}: {'; '.join(clauses)}."


# ---------------------------------------------------------------------------------------------------------- the clauses


def _forced(best: GradedMove, position: Position, after: Position, style: str) -> list[str]:
    """Say what must follow the move, if anything must."""
    reasons = ["it is the only legal move"] if len(position.legal_moves) == 1 else []
    if after.phase == "over":
        outcome = after.outcome()
        return [*reasons, *(["it ends the game in a draw"] if outcome == "draw" else ["it ends the game"])]
    other = after.to_move
    if other == position.to_move:
        if not after.table and best.move.kind != "exchange":
            lead = f" with {format_move(best.line[1], style)}" if len(best.line) > 1 else ""
            reasons.append(f"the bout is over and {other} leads the next{lead}")
        return reasons
    answers = after.legal_moves
    if len(answers) > 1:
        return reasons
    if answers[0].kind == "take":
        if best.move.kind == "take":  # in the round game, where the next card to beat is the same
            what = f"{other} cannot beat {format_card(pile(after)[-1], style)}"
        else:
            what = "it cannot be beaten" if len(best.move.cards) == 1 else "none of them can be beaten"
        reasons.append(f"{what}, so {other} must take")
    elif answers[0].kind == "done":
        reasons.append(f"{other} has nothing to {'throw in' if after.phase == 'throw' else 'give'}")
    else:
        reasons.append(f"{other}'s only answer is {format_move(answers[0], style)}")
    return reasons


def _worth(analysis: Analysis, after: Position, answers: Analysis | None, style: str) -> list[str]:
    """Say what the move is worth."""
    mover, best = analysis.position.to_move, analysis.best
    if after.phase == "over":
        outcome = after.outcome()
        return [] if outcome == "draw" else [f"{outcome} wins"]
    if analysis.value is Value.WIN:
        if after.to_move == mover or len(after.legal_moves) == 1:
            return [f"{mover} wins in every line"]
        line = " ".join(format_move(move, style) for move in best.line[1 : 1 + _SHOWN_LINE])
        return [f"whatever {after.to_move} does, {mover} wins" + (f", for example after {line}" if line else "")]
    by = " by repetition" if analysis.repetition else ""
    if len(analysis.moves) > 1:
        worth = f"no move wins, but this one holds the draw{by}" if analysis.value is Value.DRAW else "every move loses"
    elif analysis.value is Value.DRAW:
        worth = f"the game is drawn{by} with best play"
    else:
        worth = f"{'b' if mover == 'a' else 'a'} wins with best play"
    return [worth, *_pitfalls(answers, style)]


def _pitfalls(answers: Analysis | None, style: str) -> list[str]:
    """Say how the opponent may go wrong, if all answers are graded and not all are equally good."""
    if answers is None or not answers.exact:
        return []
    good = [graded.move for graded in answers.moves if graded.value is answers.value]
    if len(good) == len(answers.moves):
        return []
    seat = answers.position.to_move
    aim = "win" if answers.value is Value.WIN else "hold the draw"
    if len(good) == 1:
        return [f"{seat} must answer {format_move(good[0], style)} to {aim}"]
    return [f"only {len(good)} of {seat}'s {len(answers.moves)} answers {aim}"]


def _straps(analysis: Analysis) -> list[str]:
    """Say how many straps are hung, if any are."""
    if not analysis.straps:
        return []
    seat = analysis.position.to_move
    winner = seat if analysis.value is Value.WIN else "b" if seat == "a" else "a"
    return [f"{winner} hangs {analysis.straps} strap{'s' if analysis.straps > 1 else ''}"]


def _length(analysis: Analysis) -> list[str]:
    """Say how long the game lasts, if that is known."""
    length = lasting(analysis.plies, analysis.bouts)
    return [f"{length} to the end if the winner hurries and the loser delays"] if length else []


def _others(analysis: Analysis) -> list[str]:
    """Say what the other moves are worth, if all of them are worse."""
    others = {graded.value for graded in analysis.moves[1:]}
    if not others or analysis.value is Value.LOSS or not all(value.is_exact for value in others):
        return []
    if analysis.value in others:
        return []
    verbs = [_VERBS[value] for value in (Value.DRAW, Value.LOSS) if value in others]
    return [f"every other move {' or '.join(verbs)}" if len(analysis.moves) > 2 else f"the other move {verbs[0]}"]


def _explain_open(move: Move | None, analysis: Analysis, style: str) -> str:
    """Say what is known when the search ended too early."""
    stop = STOP_REASONS[analysis.stopped or "nodes"]
    known = "" if analysis.value is Value.UNKNOWN else f", and the position is {analysis.value}"
    if move is None:
        return f"No move can be preferred: {stop} before any was graded{known}."
    lost = sum(graded.value is Value.LOSS for graded in analysis.moves)
    worth = f"it is {analysis.best.value}" if analysis.best.value is not Value.UNKNOWN else "it is not proved to lose"
    others = f", while {lost} of the {len(analysis.moves)} moves lose" if lost else ""
    action = move_words(analysis.position, move, style)
    return f"{action}: {worth}{others}; more is not known, because {stop}."


# ----------------------------------------------------------------------------------------------- clauses on an estimate


def _chances(estimate: Estimate) -> str:
    """Say how often the best move wins, and draws if that happens."""
    best = estimate.best
    low, high = best.win_interval
    sure = "" if low == high else f" (95 % interval {100 * low:.0f} to {100 * high:.0f} %)"
    draws = f" and draws {_percent(best.draw)}" if best.draw >= _DRAWS_MATTER else ""
    return f"{estimate.position.to_move} wins {_percent(best.win)}{sure}{draws}"


def _percent(chance: float) -> str:
    """Write a chance; one that is not quite 0 or 1 is not rounded to it."""
    percent = 100 * chance
    return "under 1 %" if 0 < percent < 0.5 else "over 99 %" if 99.5 < percent < 100 else f"{percent:.0f} %"


def _lead(estimate: Estimate, style: str) -> list[str]:
    """Compare the best move with the next one, in the same deals; a point is a hundredth of a win."""
    if len(estimate.moves) < 2 or not estimate.moves[1].samples:
        return []
    second, *others = estimate.moves[1:]
    name = {"take": "taking", "done": "saying done"}.get(second.move.kind, format_move(second.move, style))
    ahead, least, most = (-50 * value for value in (second.difference, second.difference_high, second.difference_low))
    if least == most:
        return [f"{name} is as good" if ahead == 0 else f"that is {_points(ahead)} better than {name}"]
    digits = 0 if most - least >= 2 else 1
    sure = f"(95 % interval {_rounded(least, digits)} to {_rounded(most, digits)})"
    if not least <= 0 <= most:
        return [f"that is {_points(ahead)} better than {name} {sure}"]
    near = sum(other.difference_low <= 0 <= other.difference_high for other in others)
    more = f", nor from {near} other move{'s' * (near > 1)}" if near else ""
    return [f"it cannot be told apart from {name}, {_points(ahead)} behind {sure}{more}"]


def _points(points: float) -> str:
    number = _rounded(points, 0 if points >= 1 else 1)
    return f"{number} point" if number == "1" else f"{number} points"


def _rounded(number: float, digits: int) -> str:
    """Write a number without a sign before a zero."""
    return f"{round(number, digits) + 0.0:.{digits}f}"


def _over(estimate: Estimate) -> str:
    """Say what the estimate rests on, and what it cannot see."""
    stopped = f", because {STOP_REASONS[estimate.stopped]}" if estimate.stopped else ""
    only = "only " if stopped else ""
    not_seen = _NOT_SEEN.get(estimate.method, f"; not seen: {estimate.blind_spot}")
    share = "all" if estimate.enumerated else f"{estimate.worlds:,} of"
    return f"estimated over {only}{share} {counted(estimate.deals)} deals{stopped}{not_seen}"
