"""The game on 64-bit card sets: states, legal moves, what a move leads to.

A card set is an ``int`` of four 16-bit lanes, one per suit: bit ``16 * lane + rank`` with rank 0 for the two up to
12 for the ace. Lane 0 is the trump suit; without trumps it is a plain suit like the others. The jokers have rank 13,
the red one in lane 2 and the black one in lane 3.
"""

from collections.abc import Sequence
from typing import Final, final

# Phases of a state.
LEAD: Final = 0
DEFEND: Final = 1
THROW: Final = 2
GIVE: Final = 3
OVER: Final = 4

# Kinds of move. Their card sets: LEAD the cards led; BEAT the beating card, target = the attack card;
# THROW_IN, GIVE, TRANSFER and SHOW the one card; TAKE, DONE and EXCHANGE none.
MOVE_LEAD: Final = 0
MOVE_BEAT: Final = 1
MOVE_THROW_IN: Final = 2
MOVE_GIVE: Final = 3
MOVE_TAKE: Final = 4
MOVE_DONE: Final = 5
MOVE_EXCHANGE: Final = 6
MOVE_TRANSFER: Final = 7
MOVE_SHOW: Final = 8

@final
class RuleSet:
    """The options of the rules as the core reads them (immutable)."""

    def __init__(
        self,
        *,
        trump: bool,  # is there a trump suit?
        deck: int,  # number of cards in the deck
        hand: int,  # up to how many cards a player draws
        throw: int,  # 0 any, 1 lead, 2 none
        lead_many: bool,
        limit: int,  # 0 = hand
        first: int,  # 0 = off
        pursuit: bool,
        both_attacker: bool,
        exchange: int = 0,  # the lowest trump as a card set, if it may be swapped for the turn-up
        transfer: bool = False,
        show: bool = False,
        short: int = 0,  # 0 forbid, 1 limit, 2 bita
        overflow: bool = False,
        straps: int = 0,  # the cards that hang straps
        held_back: int = 0,  # the cards that are led only from a hand that holds nothing else
        beaten_by: Sequence[int] | None = None,
        locked: bool = False,  # by the bit of a card, the cards that beat it; None: the usual ones
        suits: tuple[int, int, int, int] = (0, 1, 2, 3),  # the lanes of s, c, d and h
    ) -> None: ...

@final
class Discard:
    """The piles of discards that the states of one game come to."""

@final
class State:
    """A state of the open game, the order of the stock known (immutable, hashable)."""

    rules: Final[RuleSet]
    def __init__(
        self,
        rules: RuleSet,
        *,
        attacker: int,  # seat, 0 or 1
        hands: tuple[int, int],  # card sets of seat 0 and seat 1
        attacks: int = 0,  # attack cards on the table, beaten or not
        defences: int = 0,  # cards that beat them
        unbeaten: int = 0,  # subset of attacks
        led: int = 0,  # the first attack card; 0 when the table is empty
        taking: bool = False,  # the defender has said "take"
        stock: Sequence[int] = (),  # cards to be drawn, the next one first
        cap: int = 0,  # most attack cards in this bout; 0 for what follows from the rest
        shown: int = 0,  # who has transferred by showing: 1 seat 0, 2 seat 1, 3 both
        group: int = 0,  # the attacker's last group of cards
        pile: Sequence[int] = (),  # known discards, the last one on top, and on them the table pair by pair
    ) -> None: ...
    @property
    def attacker(self) -> int: ...
    @property
    def hands(self) -> tuple[int, int]: ...
    @property
    def attacks(self) -> int: ...
    @property
    def defences(self) -> int: ...
    @property
    def unbeaten(self) -> int: ...
    @property
    def led(self) -> int:
        """The led rank as a set of ranks; 0 on an empty table."""
    @property
    def stock(self) -> tuple[int, ...]: ...
    @property
    def phase(self) -> int:
        """LEAD, DEFEND, THROW, GIVE or OVER."""
    @property
    def cap(self) -> int:
        """Most attack cards in this bout, fixed when it began."""
    @property
    def shown(self) -> int:
        """Who has transferred by showing in this bout: 1 seat 0, 2 seat 1, 3 both."""
    @property
    def pile(self) -> tuple[int, ...]:
        """The known discards and on them the table, the top last, where their order matters."""
    @property
    def straps(self) -> int:
        """Straps that a finished game hangs."""
    @property
    def winner(self) -> int:
        """Seat of the winner, 2 for a draw, -1 while the game goes on."""
    def moves(self) -> list[tuple[int, int, int]]:
        """Return all legal moves as (kind, cards, target)."""
    def play(self, kind: int, cards: int, target: int) -> State:
        """Return the state after a move, which must be one of `moves()`; ValueError otherwise.

        LookupError if it takes a card off the discard that is not known.
        """
