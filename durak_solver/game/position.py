"""A position of a game: a layout with what can be asked of it and done with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from durak_solver.game import core
from durak_solver.game.defects import Defect
from durak_solver.game.hidden import only_deal, revealed
from durak_solver.game.knowledge import Knowledge, player_knowledge, player_view
from durak_solver.game.legality import defects
from durak_solver.game.play import legal_moves, parse_move, play
from durak_solver.model.cards import Card
from durak_solver.model.layout import LARGEST_UNKNOWN, SEATS, SHOWN, Hand, Layout, Table
from durak_solver.model.moves import Move
from durak_solver.model.rules import Rules
from durak_solver.notation import dpn

__all__ = ["LARGEST_UNKNOWN", "SEATS", "SHOWN", "Hand", "Position", "Table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Layout):
    """A position: immutable, hashable, and ``repr`` reads back.

    It may be one that no game can reach; `status` says what is wrong with it. Use `build` or `from_dpn` to make one:
    the constructor takes finished values only. `Layout` describes the fields.
    """

    @classmethod
    def from_dpn(cls, text: str) -> Position:
        """Read a position from one line of DPN.

        Raises
        ------
        DPNError
            A ValueError that names the field and points at the first wrong character.
        """
        return cls(**dpn.parse_dpn(text))

    def to_dpn(self) -> str:
        """Return the position as one line of DPN, in its canonical form."""
        return dpn.format_dpn(self)

    @classmethod
    def build(
        cls,
        a: str | Iterable[Card | str],
        b: str | Iterable[Card | str],
        trump: str | None,
        attacker: str = "a",
        *,
        table: str | Iterable[Card | str | tuple[Card | str, Card | str | None]] = "",
        taking: bool = False,
        stock: str | Iterable[Card | str | None] = "",
        discard: str | Iterable[Card | str] = "",
        rules: Rules | str | None = None,
        shown: str = "",
        bout_cap: int | None = None,
        group: str | Iterable[Card | str] | None = None,
        **options: object,
    ) -> Position:
        """Make a position from what people type.

        Parameters
        ----------
        a, b
            The hands: cards in any spelling, and ``?n`` for n unknown cards.
        trump
            The trump suit in any spelling; None or ``"-"`` for none.
        attacker
            ``"a"`` or ``"b"``.
        table
            ``"6c:9c, 6d"``: attack cards in the order played, each with the card that beat it; ``*`` at the end for
            a defender who has said "take". A pair is an attack card and the card that beat it, or None.
        taking
            The same as the ``*``.
        stock
            Top card first, the turn-up last; ``?n`` for n unknown cards, None for one.
        discard
            Known discards, the last one on top.
        rules
            Rules, or the name of a preset.
        shown, bout_cap, group
            As in `Layout`.
        **options
            Single options of the rules, on top of `rules`.

        Raises
        ------
        ValueError
            If an argument cannot be read; the message names it.

        Examples
        --------
        >>> Position.build(a="6s 7d Th", b="6h 8h 9c", trump="h")
        Position.from_dpn("6s7dTh/9c6h8h h a -")
        """
        return cls(
            **dpn.read_arguments(
                a=a,
                b=b,
                trump=trump,
                attacker=attacker,
                table=table,
                taking=taking,
                stock=stock,
                discard=discard,
                rules=rules,
                shown=shown,
                bout_cap=bout_cap,
                group=group,
                options=options,
            )
        )

    def __str__(self) -> str:
        return self.to_dpn()

    def __repr__(self) -> str:
        return f'Position.from_dpn("{self.to_dpn()}")'

    @property
    def straps(self) -> int:
        """Straps that the winner hangs; 0 if there are none, or while the game goes on."""
        return core.final_straps(self) if self.rules.straps and self.phase == "over" else 0

    def knowledge(self, seat: str) -> Knowledge:
        """Return what player a or b knows.

        Raises
        ------
        ValueError
            If there is no such seat, or the position does not say all of that player's own cards.
        IllegalPositionError
            If the position has defects.
        """
        return player_knowledge(self, seat)

    def deduced(self) -> Position | None:
        """Return the position with every card in its place, or None if several deals fit."""
        return only_deal(self)

    def reveal(self, seat: str, cards: Iterable[Card]) -> Position:
        """Return the position with unseen cards in the place of unknown ones of a hand.

        Raises
        ------
        ValueError
            If there is no such seat, a card is not unseen, or the hand has fewer unknown cards.
        """
        return revealed(self, seat, tuple(cards))

    def view(self, seat: str, seen: Collection[Card] = frozenset()) -> Position:
        """Return what a player sees: the position without the opponent's cards and the order of the stock.

        The turn-up and the discards stay, and so do the opponent's cards that have lain face up.

        Parameters
        ----------
        seat
            ``"a"`` or ``"b"``.
        seen
            Every card that has lain face up so far: the turn-up, and whatever has been on the table.

        Raises
        ------
        ValueError
            If there is no such seat, or the position does not say all of that player's own cards.
        """
        return player_view(self, seat, seen)

    def status(self) -> tuple[Defect, ...]:
        """Return everything that is wrong with the position; a finished game has the one defect ``"game_over"``."""
        return defects(self)

    @property
    def is_legal(self) -> bool:
        """Whether the position has no defect."""
        return not self.status()

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves: low cards before high ones, plain before trumps and jokers; then words, "exchange" first.

        Empty when the game is over.

        Raises
        ------
        IllegalPositionError
            If the position has defects.
        UnsupportedError
            If a card of the player to move is not known.
        """
        return legal_moves(self)

    def play(self, move: Move | str) -> Position:
        """Return the position after a move.

        The player to move may have unknown cards: then a move may use unseen cards, which become known to have been
        in that hand. Cards that are known to be in hand are taken first.

        Parameters
        ----------
        move
            A legal move, or its text.

        Raises
        ------
        MoveError
            If the text is not a move, the move is not legal, or the text fits several moves.
        IllegalPositionError
            If the position has defects.
        UnsupportedError
            If the move takes a card off the discard (``short=bita``) that is not known.
        """
        return play(self, self.parse_move(move) if isinstance(move, str) else move)[0]

    def parse_move(self, text: str) -> Move:
        """Read a move that is legal here.

        Parameters
        ----------
        text
            The written form (``6s6d``, ``6s:9s``, ``+6d``, ``take``, ``done``) or a shorter one.

        Raises
        ------
        MoveSyntaxError, IllegalMoveError, AmbiguousMoveError
            If the text is not a move, the move is not legal here, or it fits several moves.
        IllegalPositionError, UnsupportedError
            As for `legal_moves`.
        """
        return parse_move(self, text)
