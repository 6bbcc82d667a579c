"""Words and small questions that the sentences of the rules share."""

from __future__ import annotations

from typing import Final

from durak_solver.model.cards import deck_cards
from durak_solver.model.rules import Rules

Said = tuple[str, str]
"""One sentence in each language: English, Russian."""

# How ranks are called in a list of them: English, Russian.
NUMBERS: Final = {**{rank: (rank, rank) for rank in "23456789"}, "T": ("10", "10")}
# Ranks that are called by name. One card: English, and the Russian nominative and genitive.
RANKS: Final = {
    "2": ("two", "двойка", "двойки"),
    "6": ("six", "шестёрка", "шестёрки"),
    "7": ("seven", "семёрка", "семёрки"),
    "9": ("nine", "девятка", "девятки"),
    "J": ("jack", "валет", "валета"),
    "Q": ("queen", "дама", "дамы"),
    "K": ("king", "король", "короля"),
    "A": ("ace", "туз", "туза"),
}
# Several cards: English, and the Russian nominative, genitive and accusative.
STRAPS: Final = {
    "6": ("sixes", "шестёрки", "шестёрок", "шестёрки"),
    "7": ("sevens", "семёрки", "семёрок", "семёрки"),
    "8": ("eights", "восьмёрки", "восьмёрок", "восьмёрки"),
    "9": ("nines", "девятки", "девяток", "девятки"),
    "T": ("tens", "десятки", "десяток", "десятки"),
    "J": ("jacks", "валеты", "валетов", "валетов"),
    "Q": ("queens", "дамы", "дам", "дам"),
    "K": ("kings", "короли", "королей", "королей"),
    "A": ("aces", "тузы", "тузов", "тузов"),
}
QUEENS: Final = {
    "Qs": ("the queen of spades", "пиковая дама"),
    "Qc": ("the queen of clubs", "трефовая дама"),
    "Qd": ("the queen of diamonds", "бубновая дама"),
    "Qh": ("the queen of hearts", "червовая дама"),
}


# ---------------------------------------------------------------------------------------- what the options say together


def one_attack_card(rules: Rules) -> bool:
    """Whether no bout can have a second attack card."""
    return rules.limit == 1 and rules.first is None


def may_follow(rules: Rules) -> bool:
    """Whether anything can be thrown in."""
    return rules.throw != "none" and not one_attack_card(rules)


def may_transfer_by_card(rules: Rules) -> bool:
    """Whether an attack can be transferred by adding a card to it."""
    return rules.transfer and not one_attack_card(rules)


def may_transfer(rules: Rules) -> bool:
    """Whether an attack can be transferred at all."""
    return may_transfer_by_card(rules) or rules.show


def lowest_rank(rules: Rules) -> tuple[str, str, str]:
    """Return the forms of the lowest rank of the deck, as `RANKS` has them."""
    return RANKS[deck_cards(rules.deck)[0].rank]


# ---------------------------------------------------------------------------------------------------- numbers and lists


def listed(words: list[str], joint: str) -> str:
    """Return words with commas between, the last one after a conjunction."""
    return f"{', '.join(words[:-1])} {joint} {words[-1]}" if len(words) > 1 else "".join(words)


def cards(number: int) -> str:
    """Return a number of cards in English."""
    return f"{number} card" if number == 1 else f"{number} cards"


def have_cards_ru(number: int) -> str:
    """Return a number of cards in the nominative: 1 карта, 2 карты, 5 карт, 11 карт."""
    if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14):
        return f"{number} карты"
    return f"{number} {'карта' if _ends_in_one(number) else 'карт'}"


def of_cards_ru(number: int) -> str:
    """Return a number of cards in the genitive: 1 карты, 2 карт, 5 карт, 21 карты."""
    return f"{number} {'карты' if _ends_in_one(number) else 'карт'}"


def _ends_in_one(number: int) -> bool:
    return number % 10 == 1 and number % 100 != 11
