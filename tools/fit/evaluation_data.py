"""Write the solved endings that the evaluation in ext/heuristics/evaluation.pxd is fitted to.

Whole games are played from the deal, by habits like those of ext/heuristics/policy.pxd with a whim now and then. Of
each game the bout start at which the stock has just run out is taken, and up to two later ones, and solved exactly. A
seed gives one file, byte for byte, while the search solves the same positions within the budget.

    python -m tools.fit.evaluation_data [FILE]
"""

from __future__ import annotations

import gzip
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from durak_solver import Engine, Position, Value
from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.moves import Move

DATA: Final = Path(__file__).parent / "data" / "endings.txt.gz"
SEED: Final = 20260301
GAMES: Final = 4400
BUDGET: Final = 3_000_000

_HAND: Final = 6
_DECK: Final = deck_cards(36)
_CARDS: Final = range(4, 25)
_LATER: Final = 2
# As in ext/heuristics/policy.pxd: with this many cards in the stock, a trump is worth more than a few plain cards.
_EARLY_STOCK: Final = 6
# How often a player makes any other move, and how often they take what they could beat, drawn for each game, so
# that there are careful games and wild ones, and endings with many cards.
_WHIMS: Final = (0.05, 0.1, 0.2)
_TAKES: Final = (0.0, 0.1, 0.3)


@dataclass(frozen=True, slots=True)
class Ending:
    """A bout start with the stock empty.

    Attributes
    ----------
    position
        Without a discard, and without a table.
    value
        For the leader; not exact if the budget was too small.
    """

    position: Position
    value: Value


def main() -> None:
    """Write the file named on the command line, or the one in the checkout."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    began = time.perf_counter()
    games = []
    for number, endings in enumerate(solved_games(SEED, GAMES, BUDGET), 1):
        games.append(endings)
        if number % 100 == 0:
            print(f"{number} games, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(file_text(games, SEED, BUDGET).encode("ascii"), mtime=0))
    print(file_text(games, SEED, BUDGET).partition("\n\n")[0])


def solved_games(seed: int, games: int, budget: int) -> Iterator[list[Ending]]:
    """Play games and solve their endings.

    Parameters
    ----------
    games
        How many; those that are over before the stock is make none.
    budget
        Nodes for each ending.

    Yields
    ------
    list of Ending
        Of one game, in the order played.
    """
    engine = Engine(table_mb=64)
    for number in range(games):
        # A generator for each game, so that none depends on the others.
        endings = game_endings(random.Random(f"{seed} {number}"))
        if endings:
            yield [Ending(position, engine.solve(position, nodes=budget).value) for position in endings]


def game_endings(rng: random.Random) -> list[Position]:
    """Play a game from the deal to its end.

    Returns
    -------
    list of Position
        The first bout start without a stock, and up to two of those after it.
    """
    whim, take = rng.choice(_WHIMS), rng.choice(_TAKES)
    position = _deal(rng)
    starts = []
    while position.phase != "over":
        if position.phase == "lead" and not position.stock and sum(position.hand_sizes) in _CARDS:
            starts.append(Position(hands=position.hands, trump=position.trump, attacker=position.attacker))
        if position.phase == "defend" and position.stock and rng.random() < take:
            position = position.play("take")
        else:
            position = position.play(rng.choice(position.legal_moves) if rng.random() < whim else _habit(position))
    later = sorted(rng.sample(range(1, len(starts)), min(_LATER, len(starts) - 1))) if starts else []
    return starts[:1] + [starts[i] for i in later]


def file_text(games: list[list[Ending]], seed: int, budget: int) -> str:
    """Return the text of a data file.

    Returns
    -------
    str
        Comments, then for each game, after a blank line, its solved endings: the position and its value.
    """
    endings = [ending for game in games for ending in game]
    unsolved = sum(not ending.value.is_exact for ending in endings)
    head = (
        "# Endings of games of two cheap players (36 cards, podkidnoy), each with its value for the leader.\n"
        f"# Written by tools/fit/evaluation_data.py, seed {seed}, budget {budget} nodes; a blank line between games.\n"
        f"# {len(endings) - unsolved} solved; {unsolved} ({unsolved / len(endings):.1%}) were not, and are left out.\n"
    )
    solved = ([f"{e.position.to_dpn()} {e.value}\n" for e in game if e.value.is_exact] for game in games)
    return head + "".join("\n" + "".join(lines) for lines in solved if lines)


def _deal(rng: random.Random) -> Position:
    """Deal; the lowest trump leads, seat a if nobody has one."""
    cards = rng.sample(_DECK, len(_DECK))
    hands, stock = (tuple(cards[:_HAND]), tuple(cards[_HAND : 2 * _HAND])), tuple(cards[2 * _HAND :])
    trump = stock[-1].suit
    trumps = [(card, seat) for hand, seat in zip(hands, "ab", strict=True) for card in hand if card.suit == trump]
    return Position(hands=hands, stock=stock, trump=trump, attacker=min(trumps, default=(cards[0], "a"))[1])


def _habit(position: Position) -> Move:
    """Return a careful beginner's move: that of `rules_move` in policy.pxd, but the last attack is beaten first."""
    moves = position.legal_moves
    if position.phase == "lead":
        return min((move for move in moves if len(move.cards) == 1), key=lambda move: _cost(position, move.cards[0]))
    target = position.table[-1][0] if position.phase == "defend" else None
    stock = len(position.stock)
    options = []
    for move in moves:
        if move.cards and (move.target is None or move.target == target):
            spent = move.cards[0].suit == position.trump
            held_back = stock >= _EARLY_STOCK and target is not None and target.suit != position.trump
            if not spent or not (held_back if target else stock):
                options.append(move)
    if options:
        return min(options, key=lambda move: _cost(position, move.cards[0]))
    return next(move for move in moves if not move.cards)


def _cost(position: Position, card: Card) -> tuple[bool, int]:
    """Return what a cheap player goes by: plain before trump, then the rank."""
    return card.suit == position.trump, card.rank_index


if __name__ == "__main__":
    main()
