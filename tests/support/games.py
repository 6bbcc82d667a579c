"""Games of random moves, and as one of the players sees them."""

from __future__ import annotations

import random
from dataclasses import replace

from durak_solver import Game, Rules, deal

RULES = (
    Rules(),
    Rules(deck=24),
    Rules(deck=24, hand=5, throw="lead", first=5),
    Rules(deck=32, pursuit=False, limit="hand"),
    Rules(deck=24, throw="none", lead="one", both="attacker"),
    Rules(deck=24, limit=2),
    Rules(deck=52),
)

HIDDEN = "6s7dThKs9c8h/?6 h a - ?23,7h"
"""A deal as a sees it."""


def random_game(seed: int, rules: Rules) -> Game:
    """A game from the deal to the end, of random legal moves."""
    rng = random.Random(seed)
    game = Game(deal(rules, seed))
    while game.position.to_move:
        game = game.play(rng.choice(game.position.legal_moves))
    return game


def as_seen_by(game: Game, seat: str) -> Game:
    """The game as a player would write it down: the opponent's cards and draws are unknown."""
    own = "ab".index(seat)
    plies = []
    for ply in game.plies:
        drawn = (ply.drawn[0], ()) if own == 0 else ((), ply.drawn[1])
        plies.append(replace(ply, drawn=drawn))
    start = game.start
    return Game(start.view(seat, start.stock[-1:]), tuple(plies), tags=game.tags, comment=game.comment)  # type: ignore[arg-type]
