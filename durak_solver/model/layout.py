"""Who holds what, as plain data, and the numbers that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from durak_solver.model.cards import SUITS, Card, deck_cards
from durak_solver.model.rules import Rules

SEATS: Final = "ab"
"""The two seats."""

SHOWN: Final = ("a", "b", "ab")
"""What a position can say about who has shown a trump in this bout."""

LARGEST_UNKNOWN: Final = 54
"""Most unknown cards in one place: more than any deck leaves."""

_DEFAULT_RULES: Final = Rules()

Hand = tuple[Card, ...]
Table = tuple[tuple[Card, Card | None], ...]

Drawn = tuple[tuple[Card | None, ...], tuple[Card | None, ...]]
"""The cards that a and b drew, in the order drawn; None for one that is not known."""

NOTHING_DRAWN: Final[Drawn] = ((), ())


def seat_index(seat: str) -> int:
    """Return 0 for a and 1 for b; ValueError for anything else."""
    if seat not in ("a", "b"):
        raise ValueError(f"seat={seat!r} is not allowed: choose one of a, b")
    return int(seat == "b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The data of a position, which need not be one that a game can reach.

    Attributes
    ----------
    hands
        The known cards of seats a and b, in canonical order.
    unknown
        How many more cards each of them holds.
    trump
        The trump suit, or None.
    attacker
        ``"a"`` or ``"b"``: who attacks in this bout, or did in the last one when the game is over. With ``rules=round``
        the player to move.
    table
        Pairs of attack card and the card that beat it, or None; in the order in which the attack cards were played.
        With ``rules=round`` the pile, from the bottom up.
    taking
        Whether the defender has said "take".
    stock
        Top card first, the turn-up last; None for a card that is not known.
    discard
        Known discards, the last one on top; usually fewer than lie there.
    shown
        Who has transferred by showing a trump in this bout: ``""``, ``"a"``, ``"b"`` or ``"ab"``.
    bout_cap
        Most attack cards in this bout, where the other fields do not tell: with ``first=5`` and ``overflow=on`` cards
        that went straight to the discard hide that it was empty when the bout began. Otherwise None.
    group
        Where straps are played, the attacker's last group of cards, in canonical order, if it is not the one that the
        table suggests (see `last_group`); after the end of the game that of the last bout. Otherwise None.

    Raises
    ------
    ValueError
        If a value is of the wrong kind.
    """

    hands: tuple[Hand, Hand]
    unknown: tuple[int, int] = (0, 0)
    trump: str | None
    attacker: str
    table: Table = ()
    taking: bool = False
    stock: tuple[Card | None, ...] = ()
    discard: tuple[Card, ...] = ()
    rules: Rules = _DEFAULT_RULES
    shown: str = ""
    bout_cap: int | None = None
    group: Hand | None = None
    # Read and written by `durak_solver.game.legality` only.
    _known_legal: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.trump is not None and self.trump not in tuple(SUITS):
            raise ValueError(f"trump={self.trump!r} is not allowed: choose one of s, c, d, h, None")
        if self.attacker not in tuple(SEATS):
            raise ValueError(f"attacker={self.attacker!r} is not allowed: choose one of a, b")
        if self.shown and self.shown not in SHOWN:
            raise ValueError(f"shown={self.shown!r} is not allowed: choose one of {', '.join(SHOWN)}")
        if not all(0 <= number <= LARGEST_UNKNOWN for number in (*self.unknown, self.stock.count(None))):
            raise ValueError(f"a place can have 0 to {LARGEST_UNKNOWN} unknown cards")
        if not all(isinstance(card, Card) for cards in self.places().values() for card in cards):
            raise ValueError("the cards of a position are of the type Card: Position.build reads them from text")
        a, b = self.hands
        object.__setattr__(self, "hands", (tuple(sorted(a)), tuple(sorted(b))))
        # Equal positions are written alike: what the other fields tell is left out.
        if self.bout_cap is not None and self.bout_cap == self._cap(self._limit(self.discard_size <= 0)):
            object.__setattr__(self, "bout_cap", None)
        if self.group is not None:
            group = tuple(sorted(self.group))
            object.__setattr__(self, "group", None if group == tuple(sorted(self._table_group())) else group)

    @property
    def defender(self) -> str:
        """The seat that does not attack."""
        return "b" if self.attacker == "a" else "a"

    def hand_of(self, seat: str) -> Hand:
        """Return the known cards of a player."""
        return self.hands[seat_index(seat)]

    def unknown_of(self, seat: str) -> int:
        """Return how many unknown cards a player holds."""
        return self.unknown[seat_index(seat)]

    def hand_size_of(self, seat: str) -> int:
        """Return how many cards a player holds, known or not."""
        index = seat_index(seat)
        return len(self.hands[index]) + self.unknown[index]

    @property
    def hand_sizes(self) -> tuple[int, int]:
        """How many cards a and b hold, known or not."""
        return len(self.hands[0]) + self.unknown[0], len(self.hands[1]) + self.unknown[1]

    @property
    def discard_size(self) -> int:
        """How many cards lie in the discard: those of the deck that are nowhere else."""
        return self.rules.deck - sum(self.hand_sizes) - len(self.table_cards) - len(self.stock)

    @property
    def table_cards(self) -> tuple[Card, ...]:
        """The cards on the table, each attack card followed by the one that beat it."""
        return tuple(card for pair in self.table for card in pair if card is not None)

    @property
    def defender_began(self) -> int:
        """How many cards the defender held when the bout began."""
        beaten = sum(defence is not None for _, defence in self.table)
        return self.hand_size_of(self.defender) + beaten

    @property
    def attack_limit(self) -> int | None:
        """Most attack cards in this bout whatever the defender holds; None for no such limit."""
        return self._limit(self.discard_size <= 0 or self.bout_cap is not None)

    @property
    def cap(self) -> int:
        """Most attack cards in this bout."""
        return self._cap(self.attack_limit) if self.bout_cap is None else self.bout_cap

    def _limit(self, nothing_discarded: bool) -> int | None:
        if self.rules.first is not None and nothing_discarded:
            return self.rules.first
        return None if self.rules.limit == "hand" else self.rules.limit

    def _cap(self, limit: int | None) -> int:
        return self.defender_began if limit is None else min(limit, self.defender_began)

    @property
    def last_group(self) -> Hand:
        """The attacker's last lead, throw-in or transfer, with the cards given to it.

        Unless `group` says so, the table suggests it: several unbeaten cards were led together if nothing can have been
        transferred; after "take" it is the unbeaten cards, else the last attack card.
        """
        return self._table_group() if self.group is None else self.group

    def _table_group(self) -> Hand:
        attacks = tuple(attack for attack, _ in self.table)
        unbeaten = tuple(attack for attack, defence in self.table if defence is None)
        if self.taking:
            return unbeaten
        # Throw-ins come one at a time, when all is beaten.
        led_together = len(unbeaten) > 1 and not self.rules.can_cycle
        return attacks if led_together else attacks[-1:]

    @property
    def is_round(self) -> bool:
        """Whether the round game is played, not durak."""
        return self.rules.game == "round"

    @property
    def phase(self) -> str:
        """One of ``"lead"``, ``"defend"``, ``"throw"``, ``"give"`` (after "take") and ``"over"``."""
        if self.is_round:
            return "over" if 0 in self.hand_sizes else "defend" if self.table else "lead"
        if self.taking:
            return "give"
        if self.table:
            return "defend" if any(defence is None for _, defence in self.table) else "throw"
        return "over" if not self.stock and 0 in self.hand_sizes else "lead"

    @property
    def to_move(self) -> str | None:
        """The seat whose turn it is; None when the game is over."""
        phase = self.phase
        if phase == "defend" and not self.is_round:
            return self.defender
        return None if phase == "over" else self.attacker

    def outcome(self) -> str | None:
        """Return how the game ended: ``"a"`` or ``"b"``, the winner; ``"draw"``; None while it goes on."""
        if self.phase != "over":
            return None
        if self.hand_sizes == (0, 0):
            return "draw" if self.rules.both == "draw" else self.attacker
        return SEATS[self.hand_sizes.index(0)]

    def places(self) -> dict[str, tuple[Card, ...]]:
        """Return the known cards by the place where they are, in words."""
        return {
            "a's hand": self.hands[0],
            "b's hand": self.hands[1],
            "the table": self.table_cards,
            "the stock": tuple(card for card in self.stock if card is not None),
            "the discard": self.discard,
        }

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards of the deck whose place is not known, in canonical order."""
        seen = {card for cards in self.places().values() for card in cards}
        return tuple(card for card in deck_cards(self.rules.deck) if card not in seen)
