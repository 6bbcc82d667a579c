"""What is wrong with a position of durak, and the errors that say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.layout import SEATS, Layout
from durak_solver.model.messages import amount
from durak_solver.model.rules import beats, why_no_straps


@dataclass(frozen=True, slots=True)
class Defect:
    """One reason why a position is not legal.

    Attributes
    ----------
    code
        A stable word for programs, such as ``"duplicate_card"``.
    text
        A sentence for people, without a full stop.
    """

    code: str
    text: str

    def __str__(self) -> str:
        return self.text


class IllegalPositionError(ValueError):
    """The position cannot arise in a game; the message lists every defect, as `defects` does."""

    def __init__(self, defects: tuple[Defect, ...]) -> None:
        super().__init__(defects)
        self.defects = defects

    def __str__(self) -> str:
        return "not a legal position: " + "; ".join(defect.text for defect in self.defects)


class UnsupportedError(ValueError):
    """The position is understood, but exact play from it is not available."""


def defects(position: Layout) -> tuple[Defect, ...]:
    """Return everything that is wrong with a position; a finished game has the one defect ``"game_over"``."""
    return tuple(defect for check in _CHECKS for defect in check(position))


def card_defects(position: Layout) -> Iterator[Defect]:
    """Check that every card is in one place and from this deck, and that there are no more of them than it has."""
    rules = position.rules
    places: dict[Card, list[str]] = {}
    for place, cards in position.places().items():
        for card in cards:
            places.setdefault(card, []).append(place)
    deck = _deck(rules.deck)
    for card in sorted(card for card, where in places.items() if len(where) > 1 or card not in deck):
        where = places[card]
        if len(where) > 1:
            found = [place if count == 1 else f"{place} ({count} times)" for place, count in Counter(where).items()]
            yield Defect("duplicate_card", f"{card} is in more than one place: {' and '.join(found)}")
        if card not in deck:
            yield Defect("card_outside_deck", f"{card} is not in a deck of {rules.deck} cards")
    excess = len(position.discard) - position.discard_size
    if excess > 0:
        total = rules.deck + excess
        yield Defect("too_many_cards", f"{total} cards are placed or discarded, but the deck has {rules.deck}")


@lru_cache(maxsize=8)
def _deck(size: int) -> frozenset[Card]:
    return frozenset(deck_cards(size))


def _trump(position: Layout) -> Iterator[Defect]:
    trump = position.trump
    if position.rules.lock == "s" and trump != "d":
        yield Defect("lock_needs_diamonds", f"lock=s is played with trump d, not {trump or '-'}")
    turn_up = position.stock[-1] if position.stock else None
    if turn_up and turn_up.suit != trump:
        yield Defect("turn_up_not_trump", f"the turn-up {turn_up}, last card of the stock, is not of the trump suit")
    if trump and position.stock and turn_up is None and all(card.suit != trump for card in position.unseen):
        yield Defect("no_turn_up", "the unknown turn-up must be a trump, but every trump is somewhere else")
    if trump and position.stock and turn_up is None and position.rules.exchange:
        yield Defect("unknown_turn_up", "with exchange=on the turn-up, last card of the stock, must be given")


def _straps(position: Layout) -> Iterator[Defect]:
    missing = why_no_straps(position.rules)
    if missing:
        yield Defect("straps_outside_deck", missing)


def _hands(position: Layout) -> Iterator[Defect]:
    """While the stock lasts, nobody begins a bout with less than a full hand."""
    rules, table = position.rules, position.table
    # After a transfer the attack cards on the table come from both players, and by overflow some cards are no longer
    # there: then only a fresh bout can be judged.
    if not position.stock or (table and (rules.can_cycle or rules.overflow)):
        return
    attacks, defences = len(table), sum(defence is not None for _, defence in table)
    for seat, held in zip(SEATS, position.hand_sizes, strict=True):
        began = held + (attacks if seat == position.attacker else defences)
        if began < rules.hand:
            text = f"{seat} began the bout with {amount(began)}, but the stock lasts and fills hands to {rules.hand}"
            yield Defect("short_hand", text)


def _take(position: Layout) -> Iterator[Defect]:
    if not position.taking:
        return
    if not position.table:
        yield Defect("take_empty_table", "the defender cannot take from an empty table")
    elif all(defence is not None for _, defence in position.table):
        yield Defect("take_all_beaten", "the defender cannot take when every attack card is beaten")
    if not position.rules.pursuit:
        yield Defect("take_ends_bout", "with pursuit=off the bout ends with the take")


def _shown(position: Layout) -> Iterator[Defect]:
    if not position.shown:
        return
    if not position.rules.show:
        yield Defect("shown_without_rule", f"shown={position.shown} needs show=on")
    if not position.table:
        yield Defect("shown_empty_table", f"shown={position.shown} needs a card on the table")


def _bout_cap(position: Layout) -> Iterator[Defect]:
    """Only cards that went straight to the discard can hide that it was empty when the bout began."""
    rules, cap = position.rules, position.bout_cap
    if cap is None:
        return
    if not (rules.overflow and rules.first):
        yield Defect("cap_without_rule", f"cap={cap} needs first=5 and overflow=on: otherwise it follows from the rest")
    elif not position.table or cap != min(rules.first, position.defender_began) or len(position.table) < cap:
        text = f"cap={cap} cannot be: with first=5 and overflow=on it may be said of a table with all the attack cards"
        yield Defect("cap_not_possible", text)


def _group(position: Layout) -> Iterator[Defect]:
    group = position.group
    if group is None:
        return
    attacks = [attack for attack, _ in position.table]
    if not position.rules.straps:
        yield Defect("group_without_rule", "group needs straps: otherwise it does not matter which cards came last")
    elif position.phase == "lead":
        yield Defect("group_empty_table", "group needs a card on the table")
    elif position.phase != "over" and not set(group) <= set(attacks):
        others = " ".join(str(card) for card in group if card not in attacks)
        yield Defect("group_not_on_table", f"group names {others}, which is no attack card on the table")


def _table_size(position: Layout) -> Iterator[Defect]:
    rules, attacks = position.rules, len(position.table)
    limit = position.attack_limit
    if limit is not None and attacks > limit:
        yield Defect("over_limit", f"{amount(attacks, 'attack card')} on the table, but the limit is {limit}")
    # short=limit and short=bita let an attack grow beyond the receiver's hand.
    began = position.defender_began
    if attacks > began and not (rules.transfer and rules.short != "forbid"):
        yield Defect(
            "over_defender_hand",
            f"{amount(attacks, 'attack card')} on the table, but the defender began the bout with {amount(began)}",
        )


def _table_ranks(position: Layout) -> Iterator[Defect]:
    """Each attack card belongs to the lead, was thrown in when all was beaten, or was given after the take."""
    rules, table = position.rules, position.table
    if not table:
        return
    led = table[0][0].rank
    lead_goes_on = rules.lead == "many" or rules.transfer
    ranks: set[str] = set()
    all_beaten = True
    last_beaten = max((i for i, (_, defence) in enumerate(table) if defence is not None), default=-1)
    for i, (attack, defence) in enumerate(table):
        lead_goes_on = lead_goes_on and attack.rank == led
        if i and not lead_goes_on:
            given = position.taking and not all_beaten and i > last_beaten
            if not (all_beaten or given):
                yield Defect("played_too_early", f"{attack} came while an earlier attack card was not beaten")
            if not (attack.rank in ranks if rules.throw == "any" else rules.throw == "lead" and attack.rank == led):
                yield Defect("rank_not_allowed", f"no rule lets {attack} follow there (throw={rules.throw})")
        ranks.add(attack.rank)
        if defence is None:
            all_beaten = False
        else:
            ranks.add(defence.rank)


def _table_beats(position: Layout) -> Iterator[Defect]:
    for attack, defence in position.table:
        if defence is not None and not beats(defence, attack, position.trump, position.rules):
            yield Defect("does_not_beat", f"{defence} does not beat {attack}")


def _bout_over(position: Layout) -> Iterator[Defect]:
    """When all is beaten and nothing more can be thrown in, the table is cleared at once."""
    table, rules = position.table, position.rules
    held = position.hand_size_of(position.defender)
    beaten = [defence for _, defence in table if defence is not None]
    if table and not position.taking and held == 0 and len(beaten) < len(table) and rules.short == "limit":
        yield Defect("bout_over", "the defender has no card left and need beat no more (short=limit): the bout is over")
    if not table or position.taking or rules.overflow or len(beaten) < len(table):
        return
    limit = position.attack_limit
    if held == 0:
        yield Defect("bout_over", "all is beaten and the defender has no card left, so the bout is over")
    elif limit is not None and len(table) == limit:
        yield Defect("bout_over", f"all is beaten and the limit of {limit} is reached, so the bout is over")


def _game_over(position: Layout) -> Iterator[Defect]:
    if position.phase == "over":
        empty = [seat for seat, held in zip(SEATS, position.hand_sizes, strict=True) if not held]
        yield Defect("game_over", f"the game is over: no card is left to {' and '.join(empty)}")


_CHECKS: Final = (
    card_defects,
    _trump,
    _straps,
    _hands,
    _take,
    _shown,
    _bout_cap,
    _group,
    _table_size,
    _table_ranks,
    _table_beats,
    _bout_over,
    _game_over,
)
