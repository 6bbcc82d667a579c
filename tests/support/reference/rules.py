"""Cards and rules of the reference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

Card = str
Hand = frozenset[Card]
Table = tuple[tuple[Card, Card | None], ...]

SEATS = "ab"
RANKS = "23456789TJQKA"
SUITS = "scdh"
RED_JOKER, BLACK_JOKER = "RJ", "BJ"
JOKERS = (RED_JOKER, BLACK_JOKER)
LOWEST_RANK = {24: "9", 32: "7", 36: "6", 52: "2", 54: "2"}


# ---------------------------------------------------------------------------------------------------------- cards


def is_joker(card: Card) -> bool:
    return card in JOKERS


@cache
def rank(card: Card) -> str:
    """Rank letter; the two jokers are one rank of their own."""
    return "joker" if is_joker(card) else card[0]


def suit(card: Card) -> str:
    """Suit letter, empty for a joker."""
    return "" if is_joker(card) else card[1]


@cache
def order(card: Card) -> tuple[int, int]:
    """Sort key: suits s c d h, then rank upward, jokers last."""
    if is_joker(card):
        return len(SUITS), JOKERS.index(card)
    return SUITS.index(card[1]), RANKS.index(card[0])


def written(cards: Iterable[Card]) -> str:
    return "".join(sorted(cards, key=order))


@cache
def deck_cards(size: int) -> Hand:
    """All cards of a deck of that size."""
    ranks = RANKS[RANKS.index(LOWEST_RANK[size]) :]
    cards = {r + s for r in ranks for s in SUITS}
    return frozenset(cards | set(JOKERS)) if size == 54 else frozenset(cards)


@dataclass(frozen=True)
class RefRules:
    """Every rule option, by its written name; None stands for `off`, `none` or (limit) `hand`."""

    deck: int = 36
    hand: int = 6
    throw: str = "any"
    lead: str = "many"
    limit: int | None = 6
    first: int | None = None
    pursuit: bool = True
    both: str = "draw"
    transfer: bool = False
    show: bool = False
    short: str = "forbid"
    lock: str | None = None
    jokers: str = "colour"
    ace6: bool = False
    exchange: bool = False
    overflow: bool = False
    straps: str | None = None
    strapmode: str = "free"

    def __hash__(self) -> int:
        # A search never leaves its rules, and hashing them whole would cost more than the rest of a state.
        return hash((self.deck, self.limit))

    @property
    def can_cycle(self) -> bool:
        """Whether a position can come back."""
        return self.transfer or self.show


ON_OFF = ("on", "off")
OPTION_VALUES: dict[str, tuple[str, ...]] = {
    "deck": ("36", "24", "32", "52", "54"),
    "hand": ("6", "5"),
    "throw": ("any", "lead", "none"),
    "lead": ("many", "one"),
    "first": ("off", "5"),
    "pursuit": ON_OFF,
    "both": ("draw", "attacker"),
    "transfer": ON_OFF,
    "show": ON_OFF,
    "short": ("forbid", "limit", "bita"),
    "lock": ("none", "s", "c", "d", "h"),
    "jokers": ("colour", "supreme"),
    "ace6": ON_OFF,
    "exchange": ON_OFF,
    "overflow": ON_OFF,
    "straps": ("off", *"6789TJQKA", *("Q" + s for s in SUITS)),
    "strapmode": ("free", "must-take"),
}
NONE_TEXT = {"limit": "hand", "first": "off", "lock": "none", "straps": "off"}
NUMBERS = {"deck", "hand", "limit", "first"}
PRESETS: dict[str, dict[str, str]] = {
    "podkidnoy": {},
    "simple": {"throw": "lead"},
    "perevodnoy": {"transfer": "on"},
    "perevodnoy-show": {"transfer": "on", "show": "on"},
    "japanese": {"lock": "s"},
    "pogony": {"straps": "6"},
}


def make_rules(options: dict[str, str]) -> RefRules:
    """Rules from written options, a preset among them if need be."""
    options = dict(options)
    preset = options.pop("rules", "podkidnoy")
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}")
    values: dict[str, object] = {}
    for key, text in (PRESETS[preset] | options).items():
        if key == "limit":
            known = text == "hand" or (text.isdecimal() and int(text) > 0)
        else:
            known = text in OPTION_VALUES.get(key, ())
        if not known:
            raise ValueError(f"unknown option {key}={text}")
        if NONE_TEXT.get(key) == text:
            values[key] = None
        elif key in NUMBERS:
            values[key] = int(text)
        else:
            values[key] = text == "on" if text in ON_OFF else text
    return replace(RefRules(), **values)  # type: ignore[arg-type]


def beats(defence: Card, attack: Card, trump: str, rules: RefRules) -> bool:
    """Whether `defence` beats `attack`."""
    if is_joker(attack) or (rules.strapmode == "must-take" and is_strap(attack, rules)):
        return False
    if suit(attack) == rules.lock and suit(defence) != rules.lock:
        return False
    if is_joker(defence):
        return rules.jokers == "supreme" or (suit(attack) in "dh") == (defence == RED_JOKER)
    if suit(defence) != suit(attack):
        return suit(defence) == trump
    if rules.ace6 and suit(attack) == trump and rank(attack) == "A":
        return rank(defence) == LOWEST_RANK[rules.deck]
    return RANKS.index(rank(defence)) > RANKS.index(rank(attack))


def is_strap(card: Card, rules: RefRules) -> bool:
    """Whether the card counts for straps: one rank, or one queen alone."""
    return rules.straps is not None and rules.straps in (rank(card), card)
