"""What the commands are asked with: their common arguments and options, and positions made of them."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import typer.core

from durak_solver.cli.terminal import Style, fail, message
from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.game.position import LARGEST_UNKNOWN, Position
from durak_solver.model.cards import Card
from durak_solver.model.messages import quoted
from durak_solver.model.rules import PRESETS, Rules, why_no_straps
from durak_solver.notation.cards import CardError, parse_card


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


# --------------------------------------------------------------------------------------------------- arguments, options


def _positive(value: float | None) -> float | None:
    if value is not None and not value > 0:
        raise typer.BadParameter("a limit must be positive")
    return value


def _known_method(value: str) -> str:
    if value not in METHODS:
        fail(f"--method: {quoted(value)} is not known: choose one of {', '.join(METHODS)}")
    return value


def _not_negative(value: float) -> float:
    if not 0 <= value < float("inf"):
        raise typer.BadParameter("the size must be 0 or more")
    return value


_NEEDED: Final = (
    "a position needs --me, --trump or --turn-up, and --opponent (or --stock while cards are hidden); - stands for none"
)
_HAND_PANEL: Final = "A position without DPN"
_LIMITS_PANEL: Final = "Limits"
_HIDDEN_PANEL: Final = "Hidden cards"

DPNArgument = Annotated[str | None, typer.Argument(metavar="DPN", help="The position, in quotes.", show_default=False)]
Trump = Annotated[
    str | None,
    typer.Option(
        help="The trump suit, - for none; not needed with --turn-up.", rich_help_panel=_HAND_PANEL, metavar="SUIT"
    ),
]
Me = Annotated[str | None, typer.Option(help="My cards (I am seat a).", rich_help_panel=_HAND_PANEL, metavar="CARDS")]
Opponent = Annotated[
    str | None,
    typer.Option(
        "--opponent",
        "--opponent-has",
        help="The opponent's cards; while there is a stock, those I know of, such as cards he has picked up.",
        rich_help_panel=_HAND_PANEL,
        metavar="CARDS",
    ),
]
OpponentCards = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=LARGEST_UNKNOWN,
        help="How many cards he holds in all. While there is a stock, if not given: a full hand (6, or as --rules say) "
        "less what he has played in this bout.",
        rich_help_panel=_HAND_PANEL,
        metavar="N",
    ),
]
Attack = Annotated[Side | None, typer.Option(help="Who attacks; me if not given.", rich_help_panel=_HAND_PANEL)]
Table = Annotated[
    str | None,
    typer.Option(
        help="What lies on the table: '6c:9c, 6d', with * at the end after 'take'.",
        rich_help_panel=_HAND_PANEL,
        metavar="CARDS",
    ),
]
Stock = Annotated[
    str | None,
    typer.Option(
        help="How many cards are still to be drawn, the turn-up included; or the cards, the turn-up last.",
        rich_help_panel=_HAND_PANEL,
        metavar="N|CARDS",
    ),
]
TurnUp = Annotated[
    str | None,
    typer.Option(help="The card under the stock, which names the trump.", rich_help_panel=_HAND_PANEL, metavar="CARD"),
]
Discard = Annotated[
    str | None,
    typer.Option(help="Cards that are gone, as far as I remember.", rich_help_panel=_HAND_PANEL, metavar="CARDS"),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules",
        help="A preset and options: simple, 'throw=lead limit=5'.",
        rich_help_panel=_HAND_PANEL,
        metavar="RULES",
        autocompletion=lambda: list(PRESETS),
    ),
]
Distance = Annotated[
    bool,
    typer.Option(
        "--distance",
        help="Also find how many plies and bouts a win takes if the winner hurries and the loser delays.",
    ),
]
Nodes = Annotated[
    int | None, typer.Option(help="Search at most N game states.", callback=_positive, rich_help_panel=_LIMITS_PANEL)
]
Seconds = Annotated[
    float | None, typer.Option(help="Search at most this long.", callback=_positive, rich_help_panel=_LIMITS_PANEL)
]
Method = Annotated[
    str,
    typer.Option(
        help=f"How moves are valued: {', '.join(METHODS)}.",
        callback=_known_method,
        rich_help_panel=_HIDDEN_PANEL,
        metavar="NAME",
        autocompletion=lambda: list(METHODS),
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Draw at most N of the deals that fit; what suits the method if not given, 160 for pimc.",
        rich_help_panel=_HIDDEN_PANEL,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0,
        max=2**63 - 1,
        metavar="N",
        help="What the deals are drawn from: the same number, the same deals.",
        rich_help_panel=_HIDDEN_PANEL,
    ),
]
TableMB = Annotated[
    float,
    typer.Option(
        "--table-mb", help="Memory for proved results, in MiB.", callback=_not_negative, rich_help_panel=_LIMITS_PANEL
    ),
]
TablesOption = Annotated[
    str,
    typer.Option(
        "--tables",
        help="Endings tables: auto for those that are found, none, or their folder.",
        rich_help_panel=_LIMITS_PANEL,
        metavar="DIR|auto|none",
    ),
]
StyleOption = Annotated[Style | None, typer.Option("--style", help="How cards are written.", show_default=False)]


def chosen_tables(choice: str) -> bool | Path:
    """Return what `--tables` stands for, or end with a message.

    Parameters
    ----------
    choice : str
        ``auto``, ``none`` or a folder.

    Returns
    -------
    bool or Path
        As `Engine` is told which tables to use.
    """
    if choice in ("auto", "none"):
        return choice == "auto"
    if not Path(choice).is_dir():
        fail(f"--tables: there is no folder {choice}")
    return Path(choice)


def make_engine(table_mb: float, tables: bool | Path = True) -> Engine:
    """Return an engine, or end with a message."""
    try:
        return Engine(table_mb, tables=tables)
    except (ValueError, MemoryError):
        fail(f"--table-mb {table_mb:g}: there is not that much memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """A position given by options; None for one that was not used."""

    trump: str | None
    me: str | None
    opponent: str | None
    opponent_cards: int | None
    attack: Side | None
    table: str | None
    stock: str | None
    turn_up: str | None
    discard: str | None
    rules: str | None

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
    """Return the stock as DPN has it; a number stands for so many unknown cards."""
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


def read_rules(text: str) -> Rules:
    """Read rules as they stand in a DPN; the name of a preset may stand alone.

    Parameters
    ----------
    text : str

    Returns
    -------
    Rules

    Raises
    ------
    ValueError
        If they cannot be read.
    """
    options: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals:
            key, value = "rules", word
        if key in options:
            raise ValueError(f"{key} is given twice")
        options[key] = value
    return Rules.from_options(options)


def rules_to_play(text: str) -> Rules:
    """Read the option ``--rules`` of a command that deals and plays, or end the program with a message.

    Parameters
    ----------
    text : str
        As for `read_rules`.

    Returns
    -------
    Rules
    """
    try:
        rules = read_rules(text)
    except ValueError as error:
        fail(f"--rules: {error}")
    if rules.game != "durak":
        fail("--rules: rules=round cannot be played here")
    if missing := why_no_straps(rules):
        fail(f"--rules: {missing}")
    return rules


def read_position(dpn: str | None, flags: Flags) -> Position:
    """Read the one position a command is about, or end with a message.

    Parameters
    ----------
    dpn : str or None
    flags : Flags

    Returns
    -------
    Position
        Not necessarily a legal one.
    """
    if dpn is None:
        if not flags.given:
            fail("no position is given: write a DPN in quotes, or --trump, --me and --opponent")
        return flags.position()
    if flags.given:
        fail("a DPN says everything: it cannot be combined with options that describe a position")
    try:
        return Position.from_dpn(dpn)
    except ValueError as error:
        fail(message(error))
