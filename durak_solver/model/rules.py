"""The options of the rules, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final, Literal

from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.messages import quoted

_ON_OFF: Final[dict[str, Any]] = {"on": True, "off": False}
_LARGEST_LIMIT: Final = 54

# For each option the words of the notation and the Python values they stand for, in the order of writing.
_VALUES: Final[dict[str, dict[str, Any]]] = {
    "deck": {str(n): n for n in (36, 24, 32, 52, 54)},
    "hand": {"6": 6, "5": 5},
    "throw": {word: word for word in ("any", "lead", "none")},
    "lead": {word: word for word in ("many", "one")},
    "limit": {**{str(n): n for n in range(1, _LARGEST_LIMIT + 1)}, "hand": "hand"},
    "first": {"off": None, "5": 5},
    "pursuit": _ON_OFF,
    "both": {word: word for word in ("draw", "attacker")},
    "transfer": _ON_OFF,
    "show": _ON_OFF,
    "short": {word: word for word in ("forbid", "limit", "bita")},
    "lock": {"none": None, "s": "s"},
    "jokers": {word: word for word in ("colour", "supreme")},
    "ace6": _ON_OFF,
    "exchange": _ON_OFF,
    "overflow": _ON_OFF,
    "straps": {"off": None, **{word: word for word in (*"6789TJQKA", "Qs", "Qc", "Qd", "Qh")}},
    "strapmode": {word: word for word in ("free", "must-take")},
    "game": {word: word for word in ("durak", "round")},
}

# What the notation has a key for: another game than durak is named by its preset, ``rules=round``.
OPTION_KEYS: Final = ("rules", *(key for key in _VALUES if key != "game"))
"""The keys by which rules are written in the notation."""

# What is played for in a session of straps, one after the other; the last is the queen of one agreed suit.
_LADDER: Final = "6789TJKA"
_QUEENS: Final = ("Qs", "Qc", "Qd", "Qh")

# The only options that mean something in the round game.
_ROUND: Final = ("game", "deck", "jokers")

# The options that say what is dealt; the name of a preset is written after them and before the others.
_DEAL: Final = ("deck", "hand")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game, one field per option.

    The constructor takes Python values and also the words of the notation (``pursuit="off"``, ``limit="5"``,
    ``lock="none"``), which it turns into Python values.

    Attributes
    ----------
    deck
        Cards in the deck: 36, 24, 32, 52 or 54 (52 and two jokers).
    hand
        Cards up to which hands are refilled: 6 or 5.
    throw
        Ranks that may be thrown in: ``"any"`` on the table, only the ``"lead"`` rank, ``"none"``.
    lead
        The first attack may be ``"many"`` cards of one rank, or only ``"one"``.
    limit
        Most attack cards in a bout, 1 to 54; ``"hand"``: no limit but the defender's hand.
    first
        5: the limit is five until something has been beaten off; None: no such rule.
    pursuit
        After "take" the attacker may still give cards.
    both
        Both hands empty at the end: a ``"draw"``, or the ``"attacker"`` wins.
    transfer
        The defender may transfer the attack by a card of its rank.
    show
        The defender may also transfer it by showing the trump of that rank.
    short
        Transfer to a receiver who holds too few cards: ``"forbid"``, ``"limit"`` or ``"bita"``.
    lock
        ``"s"``: spades are beaten only by spades; None: no such rule.
    jokers
        ``"colour"``: a joker beats every card of its colour; ``"supreme"``: every card that is not a joker.
    ace6
        The lowest trump of the deck beats the trump ace.
    exchange
        The player to move may swap the lowest trump for the turn-up while the stock lasts.
    overflow
        When all is beaten at the cap, matching cards may go straight to the discard.
    straps
        The rank that counts (``"6"`` to ``"A"``), the one card that does (``"Qs"``, ``"Qc"``, ``"Qd"`` or ``"Qh"``),
        or None.
    strapmode
        ``"free"`` or ``"must-take"``.
    game
        ``"durak"``, or ``"round"``: another game with the same cards, of whose options only `deck` and `jokers` matter.

    Raises
    ------
    ValueError
        If an option has a value it cannot have; the message names the option, the value and what is allowed. If an
        option has no meaning in the round game.
    """

    deck: int = 36
    hand: int = 6
    throw: str = "any"
    lead: str = "many"
    limit: int | Literal["hand"] = 6
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
    game: str = "durak"

    def __post_init__(self) -> None:
        for key in _VALUES:
            object.__setattr__(self, key, _normal(key, getattr(self, key)))
        if self.game == "round":
            self._require_round()

    @classmethod
    def preset(cls, name: str) -> Rules:
        """Return the rules that go by a name, one of the keys of `PRESETS`.

        Raises
        ------
        ValueError
            If there is no preset of that name.
        """
        rules = PRESETS.get(name)
        if rules is None:
            raise ValueError(f"rules={quoted(name)} is not known: choose one of {', '.join(PRESETS)}")
        return rules

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Rules:
        """Read rules from the options of the notation.

        Parameters
        ----------
        options
            Words by key. ``rules`` names a preset; the others, before or after it, override the preset.

        Raises
        ------
        ValueError
            If an option is not known or has a value it cannot have.
        """
        unknown = [key for key in options if key not in OPTION_KEYS]
        if unknown:
            raise ValueError(f"{quoted(unknown[0])} is not an option: choose among {', '.join(OPTION_KEYS)}")
        base = cls.preset(options["rules"]) if "rules" in options else cls()
        values = {key: options.get(key, getattr(base, key)) for key in _VALUES}
        return cls(**values)

    @property
    def can_cycle(self) -> bool:
        """Whether a position can come back: by a transfer or a show."""
        return self.transfer or self.show

    def to_options(self) -> dict[str, str]:
        """Return the words of the options that differ from the default, in the order in which they are written.

        A preset is named if everything it sets is set; of several such presets the one that sets most. Its name
        follows `deck` and `hand`; the other options keep the order of the fields.
        """
        changed = self._changed()
        best: dict[str, str] = {}
        name = ""
        for preset, rules in PRESETS.items():
            implied = rules._changed()
            if len(implied) > len(best) and implied.items() <= changed.items():
                best, name = implied, preset
        options = {key: word for key, word in changed.items() if key in _DEAL}
        if name:
            options["rules"] = name
        options.update((key, word) for key, word in changed.items() if key not in _DEAL and key not in best)
        return options

    def by_name(self) -> list[str]:
        """Return the options, as ``key=value``, under which single ranks or suits count by their names.

        Under all other rules only the trump suit, the order within each suit and equal ranks matter.
        """
        changed = self._changed()
        keys = ["lock", "ace6", "straps"]
        if self.transfer and self.short == "bita":  # it matters which card lies on the discard
            keys.append("short")
        found = [f"deck={self.deck}"] if self.deck == 54 else []
        return found + [f"{key}={changed[key]}" for key in keys if key in changed]

    def _require_round(self) -> None:
        """Refuse options of durak that mean nothing in the round game."""
        for key, word in self._changed().items():
            if key not in _ROUND:
                raise ValueError(f"{key}={word} has no meaning with rules=round, where only deck and jokers have one")

    def _changed(self) -> dict[str, str]:
        """Return what differs from the default, as words, in the order of the fields."""
        return {key: option_word(key, getattr(self, key)) for key in _VALUES if getattr(self, key) != _DEFAULTS[key]}

    def __repr__(self) -> str:
        changed = (key for key in _VALUES if getattr(self, key) != _DEFAULTS[key])
        return f"Rules({', '.join(f'{key}={getattr(self, key)!r}' for key in changed)})"


def next_strap(strap: str, *, queen: str | None = None) -> str | None:
    """Return what the next game of a session is played for once straps have been hung.

    A session begins with the sixes and goes on with 7, 8, 9, T, J, K, A and the queen of one agreed suit, alone. Only a
    win with straps moves it on; after any other game the next one is for the same rank.

    Parameters
    ----------
    strap
        What straps were hung with: the option `straps` of that game.
    queen
        The agreed queen: ``"Qs"``, ``"Qc"``, ``"Qd"`` or ``"Qh"``. It may be given from the start; after the aces it
        must be.

    Returns
    -------
    str or None
        The option `straps` of the next game; None after the queen, when the session is over.

    Raises
    ------
    ValueError
        If no session comes to that strap, or the queen is missing or none.
    """
    if queen is not None and queen not in _QUEENS:
        raise ValueError(f"queen={quoted(queen)} is not allowed: choose one of {', '.join(_QUEENS)}")
    if strap in _QUEENS:
        return None
    if strap not in tuple(_LADDER):
        raise ValueError(f"no session comes to strap={quoted(strap)}: choose one of {', '.join((*_LADDER, *_QUEENS))}")
    if strap != _LADDER[-1]:
        return _LADDER[_LADDER.index(strap) + 1]
    if queen is None:
        raise ValueError(f"after the aces comes the agreed queen: queen must be one of {', '.join(_QUEENS)}")
    return queen


def beats(defence: Card, attack: Card, trump: str | None, rules: Rules) -> bool:
    """Tell whether a card beats another; of the rules `lock`, `jokers`, `ace6`, `straps` and `strapmode` matter."""
    if attack.is_joker or (rules.strapmode == "must-take" and is_strap(attack, rules)):
        return False
    if attack.suit == rules.lock and defence.suit != rules.lock:
        return False
    if defence.is_joker:
        return rules.jokers == "supreme" or defence.colour == attack.colour
    if defence.suit == attack.suit:
        if rules.ace6 and attack.suit == trump and attack.rank == "A":
            return defence.rank == deck_cards(rules.deck)[0].rank
        return defence.rank_index > attack.rank_index
    return defence.suit == trump


def is_strap(card: Card, rules: Rules) -> bool:
    """Tell whether a card is of the strap rank, or the one queen that counts."""
    return rules.straps in (card.rank, str(card))


def why_no_straps(rules: Rules) -> str | None:
    """Say in one sentence why the deck has no card that hangs straps; None if it has one, or there are no straps."""
    if not rules.straps or any(is_strap(card, rules) for card in deck_cards(rules.deck)):
        return None
    lowest = deck_cards(rules.deck)[0].rank
    return f"straps={rules.straps} needs cards of that rank, but the lowest in a deck of {rules.deck} is {lowest}"


def _normal(key: str, value: object) -> Any:
    """Return the Python value of an option given as such or as a word of the notation."""
    values = _VALUES[key]
    if isinstance(value, str):
        if value in values:
            return values[value]
    else:
        # The type counts too, or True would pass for 1.
        for known in values.values():
            if type(known) is type(value) and known == value:
                return known
    allowed = f"1 to {_LARGEST_LIMIT}, hand" if key == "limit" else ", ".join(values)
    raise ValueError(f"{key}={quoted(value)} is not allowed: choose one of {allowed}")


def option_word(key: str, value: object) -> str:
    """Return the word of the notation for a Python value."""
    return next(word for word, known in _VALUES[key].items() if known == value)


_DEFAULTS: Final[dict[str, Any]] = {field.name: field.default for field in fields(Rules)}

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "podkidnoy": Rules(),
        "simple": Rules(throw="lead"),
        "perevodnoy": Rules(transfer=True),
        "perevodnoy-show": Rules(transfer=True, show=True),
        "japanese": Rules(lock="s"),
        "pogony": Rules(straps="6"),
        "round": Rules(game="round"),
    }
)
"""Rules that go by a name."""
