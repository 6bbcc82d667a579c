"""A position as a command is asked for it: a DPN, or options that say who holds what."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Final

import typer
import typer.core

from durak_solver.cli.options import preset_names, read_rules
from durak_solver.cli.terminal import fail, message
from durak_solver.game.position import LARGEST_UNKNOWN, Position
from durak_solver.model.cards import Card
from durak_solver.model.messages import quoted
from durak_solver.notation.cards import CardError, parse_card

_PANEL: Final = "A position without DPN"
_NEEDED: Final = (
    "a position needs --me, --trump or --turn-up, and --opponent (or --stock while cards are hidden); - stands for none"
)

DPNArgument = Annotated[str | None, typer.Argument(metavar="DPN", help="The position, in quotes.", show_default=False)]


class Side(StrEnum):
    """Who attacks, seen from the person who types."""

    ME = "me"
    OPPONENT = "opponent"


class PositionCommand(typer.core.TyperCommand):
    """A command whose argument may begin with a dash: ``-/9s`` are the hands when seat a holds no card."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move such an argument to the end, where it is not taken for an option."""
        positions = [arg for arg in args if arg.startswith("-/")]
        if positions and "--" not in args:
            args = [*(arg for arg in args if arg not in positions), "--", *positions]
        return super().parse_args(ctx, args)


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionOptions:
    """A position given by options; None for one that was not used."""

    trump: Annotated[
        str | None, typer.Option(metavar="SUIT", help="The trump suit, - for none.", rich_help_panel=_PANEL)
    ] = None
    me: Annotated[str | None, typer.Option(metavar="CARDS", help="My cards (seat a).", rich_help_panel=_PANEL)] = None
    opponent: Annotated[
        str | None,
        typer.Option(
            "--opponent",
            "--opponent-has",
            metavar="CARDS",
            help="The opponent's, if known.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    opponent_cards: Annotated[
        int | None,
        typer.Option(
            min=0, max=LARGEST_UNKNOWN, metavar="N", help="How many the opponent holds.", rich_help_panel=_PANEL
        ),
    ] = None
    attack: Annotated[Side | None, typer.Option(help="Who attacks, if not me.", rich_help_panel=_PANEL)] = None
    table: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="'6c:9c, 6d'; * after 'take'.", rich_help_panel=_PANEL),
    ] = None
    stock: Annotated[
        str | None, typer.Option(metavar="N|CARDS", help="What is left to be drawn.", rich_help_panel=_PANEL)
    ] = None
    turn_up: Annotated[
        str | None, typer.Option(metavar="CARD", help="The card under the stock.", rich_help_panel=_PANEL)
    ] = None
    discard: Annotated[
        str | None, typer.Option(metavar="CARDS", help="Cards that are gone.", rich_help_panel=_PANEL)
    ] = None
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="RULES",
            help="A preset and options.",
            rich_help_panel=_PANEL,
            autocompletion=preset_names,
        ),
    ] = None

    @property
    def given(self) -> bool:
        """Whether any of them was used."""
        return any(value is not None for value in astuple(self))

    def position(self) -> Position:
        """Make the position, or end with a message."""
        if self.trump is None and self.turn_up is None and self.stock is None:
            fail(f"--trump is missing: {_NEEDED}")
        if self.me is None:
            fail(f"--me is missing: {_NEEDED}")
        position = self._as_written(self.me)
        turn_up = self._card_under_stock()
        stock = self._whole_stock(position.stock, turn_up)
        has_stock = bool(stock) or turn_up is not None
        unknown = (position.unknown[0], self._unknown_of_opponent(position, has_stock))
        position = replace(position, unknown=unknown, stock=stock, trump=self._trump(position.trump, stock, turn_up))
        if has_stock and not stock:
            fail(f"--stock is missing: how many cards are still to be drawn, the turn-up included{_left(position)}")
        return position

    def _as_written(self, me: str) -> Position:
        """Read every option that DPN has a field for, as it stands."""
        try:
            return Position.build(
                a=me,
                b=self.opponent or "",
                trump=self.trump,
                attacker="b" if self.attack is Side.OPPONENT else "a",
                table=self.table or "",
                stock=_stock_text(self.stock or ""),
                discard=self.discard or "",
                rules=read_rules(self.rules or ""),
            )
        except ValueError as error:
            name, _, reason = str(error).partition(": ")
            options = {"a": "me", "b": "opponent", **{field: field for field in ("trump", "table", "stock", "discard")}}
            fail(f"--{options[name]}: {reason}" if name in options else f"--rules: {error}")

    def _card_under_stock(self) -> Card | None:
        """Read the turn-up."""
        try:
            return None if self.turn_up is None else parse_card(self.turn_up)
        except CardError as error:
            fail(f"--turn-up: {error}")

    def _whole_stock(self, stock: tuple[Card | None, ...], turn_up: Card | None) -> tuple[Card | None, ...]:
        """Put the turn-up under the stock; an empty one if it was not said how large the stock is."""
        if turn_up is None or self.stock is None:
            return stock
        if not stock:
            fail(f"--turn-up: {turn_up} lies under the stock, but --stock says that no card is left")
        if stock[-1] not in (None, turn_up):
            fail(f"--turn-up {turn_up} contradicts --stock, whose last card is {stock[-1]}")
        return (*stock[:-1], turn_up)

    def _trump(self, trump: str | None, stock: tuple[Card | None, ...], turn_up: Card | None) -> str | None:
        """Return the trump suit, which the turn-up names."""
        turn_up = turn_up or (stock[-1] if stock else None)
        if self.trump is None:
            if turn_up is None or turn_up.is_joker:
                fail(f"--trump is missing: {_NEEDED}")
            return turn_up.suit
        if turn_up is not None and turn_up.suit != trump:
            fail(f"--trump {self.trump} contradicts the turn-up {turn_up}, which is of the trump suit")
        return trump

    def _unknown_of_opponent(self, position: Position, has_stock: bool) -> int:
        """Return how many cards the opponent holds beside those that are known."""
        rules, known, named = position.rules, len(position.hands[1]), position.hand_sizes[1]
        if self.opponent_cards is not None:
            if self.opponent_cards < named or (position.unknown[1] and self.opponent_cards != named):
                fail(f"--opponent-cards {self.opponent_cards} contradicts --opponent, which names {named}")
            return self.opponent_cards - known
        if position.unknown[1] or not has_stock:
            if self.opponent is None:
                fail(f"--opponent is missing: {_NEEDED}")
            return position.unknown[1]
        if position.table and (rules.can_cycle or rules.overflow):
            fail("--opponent-cards is missing: by these rules the table does not tell who has played which card")
        beaten = sum(defence is not None for _, defence in position.table)
        played = len(position.table) if position.attacker == "b" else beaten
        if known + played > rules.hand:
            fail(
                f"--opponent-cards is missing: {known + played} cards of his are named, with those on the table, "
                f"and hands are filled up to {rules.hand} only"
            )
        return rules.hand - played - known


def _stock_text(text: str) -> str:
    """Return the stock as DPN has it; a number stands for unknown cards."""
    text = text.strip()
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        return text
    if len(text) > 2 or not 0 <= int(text) <= LARGEST_UNKNOWN:
        fail(f"--stock: a number of cards from 0 to {LARGEST_UNKNOWN} was expected, not {quoted(text)}")
    return f"?{int(text)}" if int(text) else ""


def _left(position: Position) -> str:
    """Say how large the stock is if the discard is complete; nothing if it cannot be."""
    left = position.discard_size - len(position.discard)
    condition = "--discard lists every card that is gone" if position.discard else "no card is gone yet"
    return f" ({left} if {condition})" if left > 0 else ""


def read_position(dpn: str | None, options: PositionOptions) -> Position:
    """Read the one position a command is about, legal or not, or end with a message."""
    if dpn is None:
        if not options.given:
            fail("no position is given: write a DPN in quotes, or --trump, --me and --opponent")
        return options.position()
    if options.given:
        fail("a DPN says everything: it cannot be combined with options that describe a position")
    try:
        return Position.from_dpn(dpn)
    except ValueError as error:
        fail(message(error))
