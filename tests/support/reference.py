"""Two-player durak in plain Python, written from the rules text alone.

It is slow and direct on purpose: it is the yardstick for the compiled core, so it shares no code with it. Cards are
strings ("6s", "Th", "RJ"), seats are "a" and "b", moves are written as in the notation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations
from typing import NamedTuple

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


# ---------------------------------------------------------------------------------------------------------- rules


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


# ---------------------------------------------------------------------------------------------------------- state


class RefState(NamedTuple):
    """A position inside a game, or its end.

    Parameters
    ----------
    hands
        Cards of seat a and of seat b.
    attacker
        0 or 1: who attacks in this bout; at the end of the game, who attacked last.
    cap
        Most attack cards of this bout, fixed when it starts or is transferred.
    stock
        Known order, top card first, turn-up last.
    shown
        Seats that have transferred by showing in this bout.
    group
        The attacker's last group; kept only where straps are played.
    discard
        Known discards, the last one on top; kept only where short=bita takes from it.
    """

    hands: tuple[Hand, Hand]
    trump: str
    attacker: int
    table: Table
    taking: bool
    cap: int
    stock: tuple[Card, ...]
    shown: frozenset[int]
    group: frozenset[Card]
    discard: tuple[Card, ...]
    rules: RefRules

    @property
    def defender(self) -> int:
        return 1 - self.attacker

    @property
    def attack_hand(self) -> Hand:
        return self.hands[self.attacker]

    @property
    def defence_hand(self) -> Hand:
        return self.hands[self.defender]

    @property
    def attacks(self) -> int:
        """Attack cards on the table, n in the rules."""
        return len(self.table)

    @property
    def unbeaten(self) -> list[Card]:
        return [attack for attack, defence in self.table if defence is None]

    @property
    def table_cards(self) -> list[Card]:
        return [card for pair in self.table for card in pair if card is not None]

    @property
    def discard_count(self) -> int:
        placed = len(self.hands[0]) + len(self.hands[1]) + len(self.table_cards) + len(self.stock)
        return self.rules.deck - placed

    @property
    def bout_limit(self) -> int:
        """L in the rules."""
        if self.rules.first is not None and self.discard_count == 0:
            return self.rules.first
        return self.rules.deck if self.rules.limit is None else self.rules.limit

    @property
    def over(self) -> bool:
        return not self.table and not self.stock and not all(self.hands)

    @property
    def phase(self) -> str:
        if self.over:
            return "over"
        if not self.table:
            return "lead"
        if self.taking:
            return "give"
        return "defend" if self.unbeaten else "throw"


def to_move(state: RefState) -> str:
    """Seat to move: "a" or "b"."""
    return SEATS[_mover(state)]


def outcome(state: RefState) -> str | None:
    """None while the game goes on, else the winner's seat or "draw"."""
    if not state.over:
        return None
    if any(state.hands):
        return SEATS[0] if not state.hands[0] else SEATS[1]
    return "draw" if state.rules.both == "draw" else SEATS[state.attacker]


def straps_hung(state: RefState) -> int:
    """Straps hung by a finished game."""
    if outcome(state) != SEATS[state.attacker]:
        return 0
    hang = all(is_strap(card, state.rules) and suit(card) != state.trump for card in state.group)
    return len(state.group) if hang else 0


def _mover(state: RefState) -> int:
    return state.defender if state.phase == "defend" else state.attacker


# ---------------------------------------------------------------------------------------------------------- moves


def legal_moves(state: RefState) -> list[str]:
    """Return every legal move in its written form; empty when the game is over."""
    phase = state.phase
    if phase == "over":
        return []
    if phase == "lead":
        return [written(cards) for cards in _leads(state)] + _exchanges(state)
    if phase == "defend":
        return [*_beating(state), *_transfers(state), *_shows(state), *_exchanges(state), "take"]
    return [*(f"+{card}" for card in _throwable(state)), *_exchanges(state), "done"]


def play(state: RefState, move: str) -> RefState:
    """Play a written move; ValueError if it is not legal here."""
    if move not in legal_moves(state):
        raise ValueError(f"{move} is not legal here")
    return _apply(state, move)


def _leads(state: RefState) -> Iterator[tuple[Card, ...]]:
    hand, rules = state.attack_hand, state.rules
    if rules.strapmode == "must-take" and not all(is_strap(card, rules) for card in hand):
        hand = frozenset(card for card in hand if not is_strap(card, rules))
    most = 1 if rules.lead == "one" else state.cap
    for led in sorted({rank(card) for card in hand}):
        same = sorted((card for card in hand if rank(card) == led), key=order)
        for size in range(1, min(most, len(same)) + 1):
            yield from combinations(same, size)


def _beating(state: RefState) -> Iterator[str]:
    for attack in state.unbeaten:
        for card in sorted(state.defence_hand, key=order):
            if beats(card, attack, state.trump, state.rules):
                yield f"{attack}:{card}"


def _nothing_beaten(state: RefState) -> bool:
    return all(defence is None for _, defence in state.table)


def _led_rank(state: RefState) -> str:
    return rank(state.table[0][0])


def _transfers(state: RefState) -> Iterator[str]:
    attacks = state.attacks + 1
    if not (state.rules.transfer and _nothing_beaten(state) and attacks <= state.bout_limit):
        return
    for card in sorted(state.defence_hand, key=order):
        if rank(card) == _led_rank(state) and _can_answer(state, attacks):
            yield f">{card}"


def _can_answer(state: RefState, attacks: int) -> bool:
    """Whether the present attacker can be made to answer that many cards."""
    held = len(state.attack_hand)
    if held >= attacks:
        return True
    if state.rules.short == "limit":
        return held > 0
    return state.rules.short == "bita" and state.discard_count > 0


def _shows(state: RefState) -> Iterator[str]:
    if not (state.rules.show and _nothing_beaten(state)) or state.defender in state.shown:
        return
    card = _led_rank(state) + state.trump
    if card in state.defence_hand and len(state.attack_hand) >= state.attacks:
        yield f"^{card}"


def _throwable(state: RefState) -> list[Card]:
    """Cards the attacker may throw in, give, or (overflow) put straight on the discard."""
    rules = state.rules
    overflowing = rules.overflow and not state.taking
    if rules.throw == "none" or (state.attacks >= state.cap and not overflowing):
        return []
    ranks = {_led_rank(state)} if rules.throw == "lead" else {rank(card) for card in state.table_cards}
    return sorted((card for card in state.attack_hand if rank(card) in ranks), key=order)


def _lowest_trump(state: RefState) -> Card:
    """Of the whole deck, wherever it is; no card where there is no trump suit."""
    return LOWEST_RANK[state.rules.deck] + state.trump


def _exchanges(state: RefState) -> list[str]:
    """Whoever is to move and holds the lowest trump may swap it for the turn-up, as long as that lies there."""
    holds = _lowest_trump(state) in state.hands[_mover(state)]
    return ["exchange"] if state.rules.exchange and state.stock and holds else []


def _exchange(state: RefState) -> RefState:
    """The turn-up goes to the hand and the lowest trump in its place; nothing else changes, nor does the turn."""
    seat, lowest = _mover(state), _lowest_trump(state)
    hand = state.hands[seat] - {lowest} | {state.stock[-1]}
    return state._replace(hands=_with_hand(state.hands, seat, hand), stock=(*state.stock[:-1], lowest))


def _apply(state: RefState, move: str) -> RefState:
    """Play a move known to be legal."""
    mark, card = move[0], move[1:]
    if move in ("take", "done"):
        after = _take(state) if move == "take" else _done(state)
    elif move == "exchange":
        after = _exchange(state)
    elif ":" in move:
        attack, defence = move.split(":")
        after = _beat(state, attack, defence)
    elif mark == "+":
        after = _throw(state, card)
    elif mark == ">":
        after = _transfer(state, card)
    elif mark == "^":
        after = _swap_roles(state._replace(shown=state.shown | {state.defender}), [])
    else:
        cards = [move[i : i + 2] for i in range(0, len(move), 2)]
        after = _put(state, cards, cards)
    return after


def _take(state: RefState) -> RefState:
    return state._replace(taking=True) if state.rules.pursuit else _end_taken(state)


def _done(state: RefState) -> RefState:
    return _end_taken(state) if state.taking else _end_beaten(state)


def _without(state: RefState, seat: int, cards: Iterable[Card]) -> tuple[Hand, Hand]:
    return _with_hand(state.hands, seat, state.hands[seat] - frozenset(cards))


def _with_hand(hands: tuple[Hand, Hand], seat: int, hand: Hand) -> tuple[Hand, Hand]:
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


def _put(state: RefState, cards: list[Card], group: Iterable[Card]) -> RefState:
    """Attacker's cards go on the table."""
    return state._replace(
        hands=_without(state, state.attacker, cards),
        table=state.table + tuple((card, None) for card in cards),
        group=_kept_group(state, group),
    )


def _kept_group(state: RefState, group: Iterable[Card]) -> frozenset[Card]:
    return frozenset(group) if state.rules.straps is not None else frozenset()


def _throw(state: RefState, card: Card) -> RefState:
    if state.taking:
        return _put(state, [card], state.group | {card})
    if state.attacks < state.cap:
        return _put(state, [card], [card])
    return state._replace(
        hands=_without(state, state.attacker, [card]), discard=_kept_discard(state, [*state.discard, card])
    )


def _beat(state: RefState, attack: Card, card: Card) -> RefState:
    state = state._replace(
        hands=_without(state, state.defender, [card]),
        table=tuple((a, card if a == attack else d) for a, d in state.table),
    )
    if state.unbeaten:
        # He need only beat as many as he holds (short=limit): the open rest goes to the discard with the table.
        excused = state.rules.short == "limit" and not state.defence_hand
        return _end_beaten(state) if excused else state
    closed = state.attacks >= state.cap or not state.defence_hand
    return _end_beaten(state) if closed and not state.rules.overflow else state


def _transfer(state: RefState, card: Card) -> RefState:
    receiver = state.attacker
    attacks = state.attacks + 1
    state = state._replace(hands=_without(state, state.defender, [card]), table=(*state.table, (card, None)))
    if state.rules.short == "bita" and len(state.hands[receiver]) < attacks:
        if not state.discard:
            raise NotImplementedError("short=bita with an unknown card on top of the discard")
        hands = _with_hand(state.hands, receiver, state.hands[receiver] | {state.discard[-1]})
        state = state._replace(hands=hands, discard=state.discard[:-1])
    return _swap_roles(state, [card])


def _swap_roles(state: RefState, group: Iterable[Card]) -> RefState:
    state = state._replace(attacker=state.defender, group=_kept_group(state, group))
    return state._replace(cap=min(state.bout_limit, len(state.defence_hand)))


def _kept_discard(state: RefState, discard: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(discard) if state.rules.short == "bita" else ()


def _end_beaten(state: RefState) -> RefState:
    discard = _kept_discard(state, [*state.discard, *state.table_cards])
    return _next_bout(state._replace(table=(), discard=discard), state.defender)


def _end_taken(state: RefState) -> RefState:
    hands = _with_hand(state.hands, state.defender, state.defence_hand | frozenset(state.table_cards))
    return _next_bout(state._replace(hands=hands, table=(), taking=False), state.attacker)


def _next_bout(state: RefState, leader: int) -> RefState:
    """Refill and start the next bout, or leave the game ended."""
    hands, stock = state.hands, state.stock
    for seat in (state.attacker, state.defender):
        missing = max(0, state.rules.hand - len(hands[seat]))
        hands = _with_hand(hands, seat, hands[seat] | frozenset(stock[:missing]))
        stock = stock[missing:]
    state = state._replace(hands=hands, stock=stock, shown=frozenset(), cap=0)
    if state.over:
        return state
    state = state._replace(attacker=leader, group=frozenset())
    return state._replace(cap=min(state.bout_limit, len(state.defence_hand)))


# ------------------------------------------------------------------------------------------------------------ DPN


def parse(dpn: str) -> RefState:
    """Read a position in plain ASCII DPN with every card known."""
    if "?" in dpn:
        raise NotImplementedError("unknown cards")
    words = dpn.split()
    places = [word for word in words if "=" not in word]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    if not 4 <= len(places) <= 6:
        raise ValueError(f"{dpn}: 4 to 6 fields before the options")
    hands_text, trump, attacker, table_text, stock_text, discard_text = (*places, "-", "-")[:6]
    if options.get("rules") == "japanese" and trump != "d":
        raise ValueError(f"{dpn}: japanese needs trump d")
    shown = options.pop("shown", "")
    rules = make_rules(options)
    left, right = hands_text.split("/")
    taking = table_text.endswith("*")
    state = RefState(
        hands=(frozenset(_read_cards(left)), frozenset(_read_cards(right))),
        trump=trump,
        attacker=SEATS.index(attacker),
        table=_read_table(table_text.removesuffix("*")),
        taking=taking,
        cap=0,
        stock=tuple(_read_cards(stock_text)),
        shown=frozenset(SEATS.index(seat) for seat in shown),
        group=frozenset(),
        discard=(),
        rules=rules,
    )
    discard = _read_cards(discard_text)
    _check_cards(state, [*_read_cards(left), *_read_cards(right), *state.table_cards, *state.stock, *discard])
    return _restore_bout(state._replace(discard=_kept_discard(state, discard)))


def write(state: RefState) -> str:
    """Write a position as DPN, options one by one. The inverse of `parse` but for an ambiguous last group."""
    table = ",".join(attack + (f":{defence}" if defence else "") for attack, defence in state.table)
    words = [
        "/".join(written(hand) or "-" for hand in state.hands),
        state.trump,
        SEATS[state.attacker],
        (table or "-") + ("*" if state.taking else ""),
    ]
    if state.stock or state.discard:
        words.append("".join(state.stock) or "-")
    if state.discard:
        words.append("".join(state.discard))
    for option in fields(RefRules):
        value = getattr(state.rules, option.name)
        if value != option.default:
            words.append(f"{option.name}={_option_text(option.name, value)}")
    if state.shown:
        words.append("shown=" + "".join(SEATS[seat] for seat in sorted(state.shown)))
    return " ".join(words)


def _option_text(key: str, value: object) -> str:
    if value is None:
        return NONE_TEXT[key]
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _read_cards(text: str) -> list[Card]:
    if text == "-":
        return []
    text = text.replace(",", "")
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def _read_table(text: str) -> Table:
    if text == "-":
        return ()
    pairs = [pair.partition(":") for pair in text.split(",")]
    return tuple((attack, defence or None) for attack, _, defence in pairs)


def _check_cards(state: RefState, cards: list[Card]) -> None:
    if state.trump not in (*SUITS, "-"):
        raise ValueError(f"unknown trump {state.trump!r}")
    strange = [card for card in cards if card not in deck_cards(state.rules.deck)]
    if strange or len(set(cards)) < len(cards):
        raise ValueError(f"cards outside the deck or twice: {strange or sorted(cards)}")
    for attack, defence in state.table:
        if defence is not None and not beats(defence, attack, state.trump, state.rules):
            raise ValueError(f"{defence} does not beat {attack}")


def _restore_bout(state: RefState) -> RefState:
    """Fill in what the table implies: the cap and the last group."""
    if state.over:
        return state
    beaten = state.attacks - len(state.unbeaten)
    cap = min(state.bout_limit, len(state.defence_hand) + beaten)
    attacks = [attack for attack, _ in state.table]
    if state.taking:
        group = state.unbeaten
    elif len(state.unbeaten) > 1 and not state.rules.can_cycle:
        # Throw-ins come one at a time, on a beaten table: two open cards were led together, with all the others.
        group = attacks
    else:
        group = attacks[-1:]
    return state._replace(cap=cap, group=_kept_group(state, group))


# ---------------------------------------------------------------------------------------------------------- solver


@dataclass(frozen=True)
class Analysis:
    """Exact result of a position; `plies` is None for a draw and where straps are played."""

    value: str
    moves: dict[str, str]
    plies: int | None


class TooLarge(Exception):  # noqa: N818  (no error)
    """More states than were allowed."""


def solve(state: RefState, most: int | None = None) -> tuple[str, dict[str, str]]:
    """Exact value for the side to move, and that of each of its moves; TooLarge beyond so many states."""
    solver = _solver(state, most)
    return _value(solver, state), _move_values(solver, state)


def plies(state: RefState) -> int | None:
    """Moves to the end when the winner hurries and the loser delays; None for a draw."""
    if state.rules.straps is not None:
        raise NotImplementedError("plies where straps are played")
    return _solver(state).plies(state)


def analyse(state: RefState) -> Analysis:
    """`solve` and `plies` in one search."""
    solver = _solver(state)
    length = solver.plies(state) if state.rules.straps is None else None
    return Analysis(_value(solver, state), _move_values(solver, state), length)


def _solver(state: RefState, most: int | None = None) -> Acyclic | Retrograde:
    if state.over:
        raise ValueError("the game is over")
    return Retrograde(state, most) if state.rules.can_cycle else Acyclic(state.rules, most)


def _value(solver: Acyclic | Retrograde, state: RefState) -> str:
    return _score_text(_sign(_mover(state)) * solver.score(state))


def _move_values(solver: Acyclic | Retrograde, state: RefState) -> dict[str, str]:
    sign = _sign(_mover(state))
    return {move: _score_text(sign * solver.score(_apply(state, move))) for move in legal_moves(state)}


def _sign(seat: int) -> int:
    return 1 if seat == 0 else -1


def _score_text(score: int) -> str:
    if score == 0:
        return "draw"
    name = "win" if score > 0 else "loss"
    return name if abs(score) == 1 else f"{name}+{abs(score) - 1}"


def _end_score(state: RefState) -> int:
    """Score of a finished game for seat a: 1 for a win, 1 more for each strap."""
    result = outcome(state)
    if result == "draw":
        return 0
    return _sign(0 if result == "a" else 1) * (1 + straps_hung(state))


class Acyclic:
    """Memoised minimax, for rules under which no position can come back."""

    def __init__(self, rules: RefRules, most: int | None = None) -> None:
        self.most = most
        # No game can hang more straps than there are cards of the rank.
        self.best = 1 if rules.straps is None else 1 + len(SUITS)
        self.scores: dict[RefState, int] = {}
        self.lengths: dict[RefState, int] = {}

    def score(self, state: RefState) -> int:
        """Exact score for seat a."""
        if state.over:
            return _end_score(state)
        known = self.scores.get(state)
        if known is not None:
            return known
        sign = _sign(_mover(state))
        best = -self.best
        for move in legal_moves(state):
            best = max(best, sign * self.score(_apply(state, move)))
            if best == self.best:
                break
        self.scores[state] = sign * best
        if self.most is not None and len(self.scores) > self.most:
            raise TooLarge
        return sign * best

    def plies(self, state: RefState) -> int | None:
        """Moves to the end, None for a draw."""
        return None if self.score(state) == 0 else self._length(state)

    def _length(self, state: RefState) -> int:
        if state.over:
            return 0
        known = self.lengths.get(state)
        if known is not None:
            return known
        score = self.score(state)
        after = [_apply(state, move) for move in legal_moves(state)]
        lengths = [self._length(child) for child in after if self.score(child) == score]
        winning = _sign(_mover(state)) * score > 0
        self.lengths[state] = 1 + (min(lengths) if winning else max(lengths))
        return self.lengths[state]


class Retrograde:
    """Least fixed point over everything reachable, for rules under which positions can come back.

    What neither side can force stays a draw.
    """

    def __init__(self, root: RefState, most: int | None = None) -> None:
        self.index = {root: 0}
        self.states = [root]
        self.children: list[list[int]] = []
        for state in self.states:
            if most is not None and len(self.states) > most:
                raise TooLarge
            self.children.append([self._number(_apply(state, move)) for move in legal_moves(state)])
        self.parents: list[list[int]] = [[] for _ in self.states]
        for parent, children in enumerate(self.children):
            for child in children:
                self.parents[child].append(parent)
        self.scores = [0] * len(self.states)
        self.lengths: list[int | None] = [None] * len(self.states)
        for seat in (0, 1):
            self._force(seat)

    def score(self, state: RefState) -> int:
        """Exact score for seat a."""
        return self.scores[self.index[state]]

    def plies(self, state: RefState) -> int | None:
        """Moves to the end, None for a draw."""
        return self.lengths[self.index[state]]

    def _number(self, state: RefState) -> int:
        number = self.index.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number

    def _force(self, seat: int) -> None:
        """Find where the seat can force a win, best wins first and shortest first among equals."""
        sign = _sign(seat)
        ends = [(sign * _end_score(state), i) for i, state in enumerate(self.states) if state.over]
        escapes = [len(children) for children in self.children]
        for wanted in sorted({score for score, _ in ends if score > 0}, reverse=True):
            queue = deque(i for score, i in ends if score == wanted)
            for i in queue:
                self.scores[i], self.lengths[i] = sign * wanted, 0
            while queue:
                child = queue.popleft()
                for parent in self.parents[child]:
                    if self.lengths[parent] is not None:
                        continue
                    escapes[parent] -= 1
                    if _mover(self.states[parent]) == seat or escapes[parent] == 0:
                        self.scores[parent] = sign * wanted
                        self.lengths[parent] = (self.lengths[child] or 0) + 1
                        queue.append(parent)
