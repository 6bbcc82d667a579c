"""Playing cards and the decks they come from.

There are 54 cards and each of them exists once: ``Card("Ts") is Card("Ts")``. Only the canonical written form is
understood here; the many spellings people use are read by `durak_solver.notation.cards`.
"""

from __future__ import annotations

from functools import cache
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


class Card:
    """One playing card: immutable, hashable, ordered, and only one object for each card.

    Cards sort in canonical order: by suit (spades, clubs, diamonds, hearts), then by rank upward, jokers last (red,
    then black). ``str(card)`` is the written form, and ``repr(card)`` reads back.

    Parameters
    ----------
    text : str
        The written form: rank then suit (``"6s"``, ``"Th"``), or ``"RJ"`` and ``"BJ"`` for the jokers.

    Attributes
    ----------
    rank : str
        ``"2"`` to ``"9"``, ``"T"``, ``"J"``, ``"Q"``, ``"K"`` or ``"A"``; ``"joker"`` for both jokers, because the
        rules count them as one rank.
    suit : str
        ``"s"``, ``"c"``, ``"d"`` or ``"h"``; empty for a joker.
    colour : str
        ``"black"`` or ``"red"``.
    rank_index : int
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

    def __le__(self, other: Card) -> bool:
        return self._index <= other._index if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: Card) -> bool:
        return self._index > other._index if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: Card) -> bool:
        return self._index >= other._index if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self._text,)


_CARDS: Final[dict[str, Card]] = {}


def _make_cards() -> None:
    plain = [(rank + suit, rank, suit, "black" if suit in "sc" else "red") for suit in SUITS for rank in RANKS]
    jokers = [("RJ", JOKER, "", "red"), ("BJ", JOKER, "", "black")]
    for index, (text, rank, suit, colour) in enumerate(plain + jokers):
        card = object.__new__(Card)
        rank_index = len(RANKS) if rank == JOKER else RANKS.index(rank)
        for name, value in (
            ("_index", index),
            ("_text", text),
            ("rank", rank),
            ("suit", suit),
            ("colour", colour),
            ("rank_index", rank_index),
        ):
            object.__setattr__(card, name, value)
        _CARDS[text] = card


_make_cards()


@cache
def deck_cards(deck: int) -> tuple[Card, ...]:
    """Return the cards of a deck in canonical order.

    Parameters
    ----------
    deck : int
        Size of the deck in cards: 24, 32, 36, 52 or 54.

    Returns
    -------
    tuple of Card

    Raises
    ------
    ValueError
        If there is no such deck.
    """
    if deck not in _LOWEST_RANK:
        raise ValueError(f"there is no deck of {deck!r} cards: choose one of {', '.join(map(str, DECKS))}")
    lowest = RANKS.index(_LOWEST_RANK[deck])
    return tuple(card for card in _CARDS.values() if (deck == 54 if card.is_joker else card.rank_index >= lowest))


def lowest_card(deck: int, suit: str) -> Card:
    """Return the lowest card of a suit.

    Parameters
    ----------
    deck : int
        Size of the deck in cards: 24, 32, 36, 52 or 54.
    suit : str
        ``"s"``, ``"c"``, ``"d"`` or ``"h"``.

    Returns
    -------
    Card
    """
    return Card(_LOWEST_RANK[deck] + suit)
