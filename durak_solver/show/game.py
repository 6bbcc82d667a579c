"""A game as one of its players is told of it: what is played, drawn and picked up, and how it ends."""

from __future__ import annotations

from durak_solver.game.game import Game
from durak_solver.game.play import ends_bout
from durak_solver.game.position import SEATS
from durak_solver.model.messages import amount
from durak_solver.notation.cards import format_card
from durak_solver.notation.moves import format_move
from durak_solver.show.moves import move_words
from durak_solver.show.position import straps_text


def last_ply_text(game: Game, seat: str, style: str = "unicode") -> str:
    """Tell the player in a seat what was played last, and what came of it, in one line or several.

    Of the cards that the other draws they get the number only.
    """
    ply = game.plies[-1]
    before = game.undo().position
    words = move_words(before, ply.move, style)
    said = format_move(ply.move, style)
    lines = [f"{_sentence(words, before.to_move == seat)}{'' if said.lower() in words.lower() else f' ({said})'}."]
    if ends_bout(ply.move, game.position):
        lines += _end_of_bout(game, seat, style)
    return "\n".join(lines)


def outcome_text(game: Game, seat: str) -> str:
    """Tell the player in a seat, in one line, how a finished game ended."""
    outcome = game.outcome()
    if outcome is None and game.is_repeated:
        return "The game is a draw: the same position has come up for the third time."
    if outcome == "draw":
        return "The game is a draw: nobody is the durak."
    straps = f", with {straps_text(game.position.straps)}" if game.position.straps else ""
    if outcome == seat:
        return f"You win{straps}: the opponent is the durak."
    return f"You lose{straps}: you are the durak."


def _sentence(order: str, own: bool) -> str:
    """Make a statement of an order: "Take" becomes "You take" or "The opponent takes"."""
    verb, space, rest = order.partition(" ")
    return f"You {verb.lower()}{space}{rest}" if own else f"The opponent {verb.lower()}s{space}{rest}"


def _end_of_bout(game: Game, seat: str, style: str) -> list[str]:
    """Say where the cards of the table went, and who drew."""
    ply, before = game.plies[-1], game.undo().position
    cards = [card for pair in before.table for card in pair if card is not None]
    # Whatever the last move added has gone the same way.
    cards += [card for card in ply.move.cards if ply.move.kind == "beat"]
    if before.taking or ply.move.kind == "take":
        names = " ".join(format_card(card, style) for card in cards)
        lines = [_sentence(f"Pick up {names}", before.defender == seat) + "."]
    else:
        lines = [f"{amount(len(cards))} go to the discard."]
    for other, drawn in zip(SEATS, ply.drawn, strict=True):
        if drawn and other == seat:
            lines.append(f"You draw {' '.join(format_card(card, style) for card in drawn)}.")
        elif drawn:
            lines.append(f"The opponent draws {amount(len(drawn))}.")
    return lines
