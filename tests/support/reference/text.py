"""DPN, as the reference reads and writes it."""

from __future__ import annotations

from dataclasses import fields

from tests.support.reference.moves import RefState, kept_discard, kept_group
from tests.support.reference.rules import (
    NONE_TEXT,
    SEATS,
    SUITS,
    Card,
    RefRules,
    Table,
    beats,
    deck_cards,
    make_rules,
    written,
)


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
    return _restore_bout(state._replace(discard=kept_discard(state, discard)))


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
    return state._replace(cap=cap, group=kept_group(state, group))
