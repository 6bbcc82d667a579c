"""Games move by move: what a ply leads to, and the replay of a game that was read from DGN."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from durak_solver.game.play import ends_bout, name_drawn, play
from durak_solver.game.position import Position
from durak_solver.model.messages import quoted
from durak_solver.model.moves import Move, Ply
from durak_solver.notation.dgn import RawGame, error_at, read_rules_tag
from durak_solver.notation.dpn import BOUT_KEYS, DPNError, parse_dpn
from durak_solver.notation.rules import format_rules

RESULTS: Final = ("a", "b", "draw", "*")
"""How a game can end: a or b wins, a draw, not known (or not ended)."""

_LONGEST_SHOWN: Final = 20

Place = tuple[int, int]
"""Where a move stands in its game: the bout, and the move within it."""

FIRST_PLACE: Final = (1, 1)


def next_place(place: Place, move: Move, after: Position) -> Place:
    """Return the place that follows that of a move, given the position after it."""
    bout, number = place
    return (bout + 1, 1) if ends_bout(move, after) else (bout, number + 1)


def play_ply(position: Position, ply: Ply) -> tuple[Position, Ply]:
    """Return the position after a ply, and the ply with all that is known of the cards drawn."""
    after, drawn = play(position, ply.move)
    if any(ply.drawn):
        after = name_drawn(after, drawn, ply.drawn)
    elif not any(drawn):
        return after, ply
    known = [{card for card in cards if card} | set(told) for cards, told in zip(drawn, ply.drawn, strict=True)]
    return after, replace(ply, drawn=(tuple(known[0]), tuple(known[1])))


def checked_result(position: Position, result: str) -> str:
    """Return the result of a game that has come to a position, given what is said about it."""
    if result not in RESULTS:
        raise ValueError(f"result={quoted(result)} is not allowed: choose one of {', '.join(RESULTS)}")
    outcome = position.outcome()
    if outcome and result not in ("*", outcome):
        raise ValueError(f"the result {result} contradicts the moves, which end with {outcome}")
    return outcome or result


# The readers below raise DGNError with the place of what is wrong; `game` is the number of the game in its text.


def read_start(raw: RawGame, game: int) -> Position:
    """Return the start of a game, from the tags Position and Rules."""
    tag = raw.tags.get("position")
    if tag is None:
        raise error_at("the tag Position is missing", raw.source, raw.offset, f"game {game}")
    try:
        position = Position(**parse_dpn(tag.text))
    except DPNError as error:
        raise error_at(f"{error.field}: {error.reason}", raw.source, tag.offset + error.offset) from None
    rules_tag = raw.tags.get("rules")
    if rules_tag is None:
        return position
    rules = read_rules_tag(rules_tag, raw.source)
    options = {word.partition("=")[0] for word in tag.text.split() if "=" in word} - set(BOUT_KEYS)
    if options and position.rules != rules:
        said = format_rules(position.rules, "podkidnoy")
        reason = f"the tag Rules contradicts the tag Position, which says {said}"
        raise error_at(reason, raw.source, rules_tag.offset)
    return replace(position, rules=rules)


def replay(raw: RawGame, game: int, start: Position) -> tuple[tuple[Ply, ...], tuple[Position, ...]]:
    """Return the plies of a game, and the start and the position after each of them."""
    plies: list[Ply] = []
    positions = [start]
    bout, number = FIRST_PLACE
    for ply in raw.plies:
        shown = ply.text if len(ply.text) <= _LONGEST_SHOWN and ply.text.isprintable() else quoted(ply.text)
        place = f"game {game}, bout {bout}, move {number} ({shown})"
        if ply.number is not None and (ply.number, 1) != (bout, number):
            reason = f"bout {bout} is not over" if number > 1 else f"this is bout {bout}"
            raise error_at(f"it is numbered {ply.number}, but {reason}", raw.source, ply.offset, place)
        drawn = ply.drawn.get("a", ()), ply.drawn.get("b", ())
        try:
            move = positions[-1].parse_move(ply.text)
            position, played = play_ply(positions[-1], Ply(move, " ".join(ply.marks), " ".join(ply.comments), drawn))
        except ValueError as error:
            reason = str(error).partition(" is not legal: ")[2] or str(error)
            raise error_at(reason, raw.source, ply.offset, place) from None
        plies.append(played)
        positions.append(position)
        bout, number = next_place((bout, number), move, position)
    return tuple(plies), tuple(positions)


def read_result(raw: RawGame, game: int, position: Position) -> str:
    """Return the result that is written, in the tag or after the moves, for a game that has come to a position."""
    tag = raw.tags.get("result")
    said = tag.text.strip().lower() if tag else "*"
    offset = tag.offset if tag else 0
    if said not in RESULTS:
        raise error_at(f"{quoted(said)} is no result: choose one of {', '.join(RESULTS)}", raw.source, offset)
    if raw.result not in ("", "*"):
        if said not in ("*", raw.result):
            reason = f"the result {raw.result} after the moves contradicts the tag Result, which says {said}"
            raise error_at(reason, raw.source, raw.result_offset)
        said, offset = raw.result, raw.result_offset
    try:
        return checked_result(position, said)
    except ValueError as error:
        raise error_at(str(error), raw.source, offset, f"game {game}") from None
