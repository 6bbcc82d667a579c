"""Write the frozen suites of ``durak bench`` into positions/bench.

The same seed gives the same files, byte for byte. They were written once; to write them anew changes what every
earlier signature was measured on.

    python -m tools.write_suites [DIR]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from durak_solver.game.deal import deal
from durak_solver.game.game import Game
from durak_solver.game.position import SEATS, Position
from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.moves import Move
from durak_solver.model.rules import Rules

SEED: Final = 20250914
SIZES: Final = ((4, 4), (6, 6), (8, 8), (6, 12), (12, 6))
RANDOM_POSITIONS: Final = 100
# Sizes that take long, each with its number of positions.
LONG_SIZES: Final = {
    (10, 10): 50,
    (14, 4): 50,
    (4, 14): 50,
    (12, 12): 20,
    (6, 18): 20,
    (18, 6): 20,
    (18, 18): 10,
}
# Other rules, by the first part of the suite's name, with what is said of them, and their sizes.
OTHER_RULES: Final = {
    "perevodnoy": (Rules.preset("perevodnoy"), "36 cards, perevodnoy", {(6, 6): 100, (8, 8): 50}),
    "japanese": (Rules.preset("japanese"), "36 cards, japanese", {(6, 6): 100, (8, 8): 100}),
    "deck52": (Rules(deck=52), "52 cards, podkidnoy", {(6, 6): 100, (8, 8): 100}),
    "deck54": (Rules(deck=54), "54 cards, podkidnoy, both jokers in the hands", {(6, 6): 50}),
}
REALISTIC_POSITIONS: Final = 300
STOCKS: Final = (2, 6, 24)
HIDDEN_POSITIONS: Final = 50

_PODKIDNOY: Final = Rules()
_HAND: Final = 6
_DECK: Final = deck_cards(36)
# While the stock lasts only these and lower cards are thrown in.
_HIGHEST_THROWN: Final = Card("Js").rank_index
# A player who always did the same would play the same few endgames.
_WHIM: Final = 0.1


def main() -> None:
    """Write all suites into the folder named on the command line, or into positions/bench of the checkout."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "positions" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in suites():
        (folder / f"{name}.dpn").write_text(text, encoding="ascii", newline="\n")


def suites() -> Iterator[tuple[str, str]]:
    """Make all suites.

    Yields
    ------
    text : str
        The file.
    """
    for (a, b), count in (dict.fromkeys(SIZES, RANDOM_POSITIONS) | LONG_SIZES).items():
        # A generator for each suite, so that none depends on the others.
        rng = random.Random(f"{SEED} {a}v{b}")
        positions = [random_position(rng, a, b) for _ in range(count)]
        yield f"{a}v{b}", _file(f"Random deals of {a} cards against {b}, a to lead; 36 cards, podkidnoy.", positions)
    for kind, (rules, about, sizes) in OTHER_RULES.items():
        for (a, b), count in sizes.items():
            name = f"{kind}-{a}v{b}"
            rng = random.Random(f"{SEED} {name}")
            positions = [random_position(rng, a, b, rules) for _ in range(count)]
            yield name, _file(f"Random deals of {a} cards against {b}, a to lead; {about}.", positions)
    rng = random.Random(f"{SEED} realistic")
    games = (endgame(rng) for _ in iter(int, 1))
    found = (position for position in games if position is not None)
    positions = [next(found) for _ in range(REALISTIC_POSITIONS)]
    about = "Endgames of whole games in which both players spend low cards first: the first bout with the stock empty."
    yield "realistic", _file(about, positions)
    for stock in STOCKS:
        rng = random.Random(f"{SEED} hidden-{stock}")
        views = (hidden_position(rng, stock) for _ in iter(int, 1))
        seen = (position for position in views if position is not None)
        positions = [next(seen) for _ in range(HIDDEN_POSITIONS)]
        # With few cards in the stock, hardly any deals fit what is seen by a player who remembers all discards.
        positions[1::2] = [replace(position, discard=()) for position in positions[1::2]]
        about = f"What the player to move sees with {stock} cards in the stock, every second one without the discards."
        yield f"hidden-{stock}", _file(f"{about} From whole games as in realistic.dpn.", positions)


def random_position(rng: random.Random, a: int, b: int, rules: Rules = _PODKIDNOY) -> Position:
    """Deal two hands from a shuffled deck, the rest being gone; if there are jokers, both are dealt.

    Parameters
    ----------
    a, b
        Cards in each hand.
    """
    jokers = [card for card in deck_cards(rules.deck) if card.is_joker]
    others = [card for card in deck_cards(rules.deck) if not card.is_joker]
    cards = rng.sample(others, a + b - len(jokers))
    if jokers:
        cards += jokers
        rng.shuffle(cards)
    # With a lock the trump suit is not a matter of chance.
    trump = "d" if rules.lock else rng.choice("scdh")
    return Position(hands=(tuple(cards[:a]), tuple(cards[a:])), trump=trump, attacker="a", rules=rules)


def endgame(rng: random.Random) -> Position | None:
    """Play a game from the deal until the stock is empty.

    Returns
    -------
    Position or None
        The first bout start without a stock at which both hands have four to eight cards; None if there was none.
    """
    cards = rng.sample(_DECK, len(_DECK))
    hands, stock = (tuple(cards[:_HAND]), tuple(cards[_HAND : 2 * _HAND])), cards[2 * _HAND :]
    trump = stock[-1].suit
    position = Position(hands=hands, trump=trump, attacker=_first_attacker(hands, trump))
    while position.phase != "over":
        if not stock and all(4 <= size <= 8 for size in position.hand_sizes):
            # Not from the game's view but from that of a puzzle: who discarded what is of no use.
            return replace(position, discard=())
        position = _play_bout(rng, position, stock)
    return None


def hidden_position(rng: random.Random, stock: int) -> Position | None:
    """Play a game from the deal, and look at it from the side of the player to move.

    Parameters
    ----------
    stock
        How many cards are left to be drawn.

    Returns
    -------
    Position or None
        Any one with that stock, a choice of moves and cards that are hidden; None if there was none.
    """
    game, views = Game(deal(seed=rng.getrandbits(63))), []
    while game.position.phase != "over" and len(game.position.stock) >= stock:
        position = game.position
        if len(position.stock) == stock and len(position.legal_moves) > 1:
            views.append(game.view(position.to_move or "a"))
        game = game.play(_choose(rng, position, bool(position.stock)))
    views = [view for view in views if view.deduced() is None]
    return rng.choice(views) if views else None


def _first_attacker(hands: tuple[tuple[Card, ...], tuple[Card, ...]], trump: str) -> str:
    """Return the seat with the lowest trump; seat a if nobody has one."""
    trumps = [(card, seat) for seat, hand in zip(SEATS, hands, strict=True) for card in hand if card.suit == trump]
    return min(trumps, default=(_DECK[0], "a"))[1]


def _play_bout(rng: random.Random, position: Position, stock: list[Card]) -> Position:
    """Play a bout and draw. The position never shows the stock, which has no part in a bout."""
    attacker, taken = position.attacker, False
    after = position
    while after is position or after.table:
        move = _choose(rng, after, bool(stock))
        taken = taken or move.kind == "take"
        after = after.play(move)
    hands = [list(hand) for hand in after.hands]
    for seat in (attacker, position.defender):
        hand = hands[SEATS.index(seat)]
        while stock and len(hand) < _HAND:
            hand.append(stock.pop(0))
    return replace(
        after, hands=(tuple(hands[0]), tuple(hands[1])), attacker=attacker if taken else position.defender, discard=()
    )


def _choose(rng: random.Random, position: Position, stock: bool) -> Move:
    """Choose the cheapest move; trumps and high cards are held back while the stock lasts."""
    moves = position.legal_moves
    if rng.random() < _WHIM:
        return rng.choice(moves)
    cheapest = moves[0]
    dear = any(card.suit == position.trump for card in cheapest.cards)
    if position.phase in ("throw", "give"):
        dear = dear or any(card.rank_index > _HIGHEST_THROWN for card in cheapest.cards)
        return moves[-1] if dear and stock else cheapest
    if position.phase == "defend" and dear and stock and len(position.table) < 2 and rng.random() < 0.5:
        return moves[-1]  # a trump is worth more than one card less
    return cheapest


def _file(about: str, positions: list[Position]) -> str:
    head = f"# {about}\n# Written by tools/write_suites.py, seed {SEED}; frozen.\n"
    return head + "".join(f"{position.to_dpn()}\n" for position in positions)


if __name__ == "__main__":
    main()
