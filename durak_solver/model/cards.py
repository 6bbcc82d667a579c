"""Playing cards and the decks they come from.

There are 54 cards and each of them exists once: ``Card("Ts") is Card("Ts")``. Only the canonical written form is
understood here; the many spellings people use are read by `durak_solver.notation.cards`.
"""

from __future__ import annotations

from functools import cache, total_ordering
from typing import Final, NoReturn

SUITS: Final = "scdh"
"""The four suits in canonical order: spades, clubs, diamonds, hearts."""

RANKS: Final = "23456789TJQKA"
"""The thirteen ranks upward; the position of a rank is `Card.rank_index`."""

JOKER: Final = "joker"
"""The one rank that both jokers share."""

_LOWEST_RANK: Final = {24: "9", 32: "7", 36: "6", 52: "2", 54: "2"}

DECKS: Final = tuple(_LOWEST_RANK)
"""The deck sizes there are, in cards."""


@total_ordering
class Card:
    """One playing card: immutable, hashable, ordered, and only one object for each card.

    Cards sort in canonical order: by suit (spades, clubs, diamonds, hearts), then by rank upward, jokers last (red,
    then black). ``str(card)`` is the written form, and ``repr(card)`` reads back.

    Parameters
    ----------
    text
        The written form: rank then suit (``"6s"``, ``"Th"``), or ``"RJ"`` and ``"BJ"`` for the jokers.

    Attributes
    ----------
    rank
        ``"2"`` to ``"9"``, ``"T"``, ``"J"``, ``"Q"``, ``"K"`` or ``"A"``; ``"joker"`` for both jokers, because the
        rules count them as one rank.
    suit
        ``"s"``, ``"c"``, ``"d"`` or ``"h"``; empty for a joker.
    colour
        ``"black"`` or ``"red"``.
    rank_index
        Strength within the suit: 0 for the two up to 12 for the ace, 13 for a joker.

    Raises
    ------
    ValueError
        If the text is not the written form of a card.
    """

    __slots__ = ("_index", "_text", "colour", "rank", "rank_index", "suit")

    _index: int
    _text: str
    rank: str
    suit: str
    colour: str
    rank_index: int

    def __new__(cls, text: str) -> Card:
        """Return the one object that stands for the card."""
        card = _CARDS.get(text)
        if card is None:
            raise ValueError(f"{text!r} is not a card: write rank then suit, such as 6s or Th, or RJ and BJ")
        return card

    @property
    def is_joker(self) -> bool:
        """Whether the card is one of the two jokers."""
        return self.rank == JOKER

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f'Card("{self._text}")'

    def __hash__(self) -> int:
        # Not the address: sets of cards must come out in the same order on every run.
        return self._index

    def __eq__(self, other: object) -> bool:
        return self is other

    def __lt__(self, other: Card) -> bool:
        return self._index < other._index if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object = None) -> NoReturn:
        raise AttributeError(f"a card cannot be changed: {name}")

    __delattr__ = __setattr__

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self._text,)


def _make_card(index: int, text: str) -> Card:
    card = object.__new__(Card)
    rank, suit, rank_index = JOKER, "", len(RANKS)
    if index < len(SUITS) * len(RANKS):
        rank, suit, rank_index = text[0], text[1], RANKS.index(text[0])
    colour = "red" if suit in ("d", "h") or text == "RJ" else "black"
    for name, value in zip(Card.__slots__, (index, text, colour, rank, rank_index, suit), strict=True):
        object.__setattr__(card, name, value)
    return card


_TEXTS: Final = [*(rank + suit for suit in SUITS for rank in RANKS), "RJ", "BJ"]
_CARDS: Final = {text: _make_card(index, text) for index, text in enumerate(_TEXTS)}


@cache
def deck_cards(deck: int) -> tuple[Card, ...]:
    """Return the cards of a deck of 24, 32, 36, 52 or 54 in canonical order; ValueError if there is no such deck."""
    if deck not in _LOWEST_RANK:
        raise ValueError(f"there is no deck of {deck!r} cards: choose one of {', '.join(map(str, DECKS))}")
    lowest = RANKS.index(_LOWEST_RANK[deck])
    return tuple(card for card in _CARDS.values() if (deck == 54 if card.is_joker else card.rank_index >= lowest))


def lowest_card(deck: int, suit: str) -> Card:
    """Return the lowest card of a suit."""
    return Card(_LOWEST_RANK[deck] + suit)
