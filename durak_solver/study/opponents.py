"""Playing against a person: opponents of four strengths, and what is taken back for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from durak_solver.engine.engine import Engine
from durak_solver.game.game import Game
from durak_solver.game.position import Position
from durak_solver.model.moves import Move

_SECONDS: Final = 0.8
_NODES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent of some strength; none makes mistakes on purpose.

    Attributes
    ----------
    method
        One of `durak_solver.engine.hidden.methods.METHODS`.
    about
        How they play, in a few words.
    """

    method: str
    about: str


LEVELS: Final = {
    "easy": Opponent("lowest", "plays the cheapest card that is legal"),
    "medium": Opponent("rules", "has the good habits of a careful beginner"),
    "hard": Opponent("mcts30x30", "searches 30 deals that fit what it knows, a little in each"),
    "best": Opponent("pimc", "plays 160 such deals to the end, and solves the game once all cards are known"),
}
"""All levels by name, the weakest first."""


def opponent_move(engine: Engine, game: Game, opponent: Opponent, seed: int) -> Move:
    """Return the move of an opponent, who knows no more than a player at the table who remembers every card.

    The same seed of the game gives the same move in the same game, unless it takes too long.
    """
    seat = game.position.to_move
    assert seat is not None  # or there would be no move
    return engine.choose(
        game.view(seat), method=opponent.method, nodes=_NODES, seconds=_SECONDS, seed=move_seed(game, seed)
    )


def move_seed(game: Game, seed: int) -> int:
    """Return the seed of the next move from that of the whole game."""
    return (seed + len(game.plies)) % 2**63


def has_no_choice(position: Position) -> bool:
    """Tell whether the player to move can only say "take" or "done"."""
    legal = position.legal_moves
    return len(legal) == 1 and legal[0].kind in ("take", "done")


def before_last_choice(game: Game, seat: str) -> Game | None:
    """Return the game as it was when a player last had a choice; None if there was none so far."""
    while game.plies:
        game = game.undo()
        if game.position.to_move == seat and not has_no_choice(game.view(seat)):
            return game
    return None
