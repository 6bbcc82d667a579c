"""A game: where it began, what was played, how it ended; and the deal that begins one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from durak_solver.game.legality import require_legal
from durak_solver.game.play import name_drawn, play
from durak_solver.game.position import SEATS, Position
from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.messages import quoted
from durak_solver.model.moves import IllegalMoveError, Move, Ply, normal_comment
from durak_solver.model.rules import Rules, why_no_straps
from durak_solver.model.seeds import Seeder, draw_seed
from durak_solver.notation.dgn import OWN_TAGS, RawGame, error_at, format_dgn, read_games, read_rules_tag
from durak_solver.notation.dpn import BOUT_KEYS, DPNError, parse_dpn
from durak_solver.notation.rules import format_rules

RESULTS: Final = ("a", "b", "draw", "*")
"""How a game can end: a or b wins, a draw, not known (or not ended)."""

REPETITIONS: Final = 3
"""A position that has come up so often ends a game in a draw, if the players want it to."""

# With that many cards of one suit a player may ask for another deal.
_MANY_OF_A_SUIT: Final = 5


class GameError(ValueError):
    """A game cannot have gone like this.

    Attributes
    ----------
    reason : str
        What is wrong, in one sentence.
    bout, number : int
        Where: the bout, and the move within it, both counted from 1.
    move : str
        The move.
    """

    def __init__(self, reason: str, bout: int, number: int, move: str) -> None:
        # All arguments go to the base class, so that the error survives being sent to another process.
        super().__init__(reason, bout, number, move)
        self.reason = reason
        self.bout = bout
        self.number = number
        self.move = move

    def __str__(self) -> str:
        return f"bout {self.bout}, move {self.number} ({self.move}): {self.reason}"


@dataclass(frozen=True, slots=True)
class Game:
    """A game from a position on: immutable, hashable.

    Attributes
    ----------
    start : Position
        Where it began. Cards may be unknown; a card that is played from a hand with unknown cards becomes known.
    plies : tuple of Ply
        What was played. Their drawn cards are completed from what the positions say.
    result : str
        ``"a"`` or ``"b"``, the winner; ``"draw"``; ``"*"``, not known. Where the moves end the game, it is theirs.
    tags : tuple of tuple of str
        Name and text of whatever else is noted, such as ``("Event", "Club evening")``.
    comment : str
        What is noted before the first move.

    Raises
    ------
    GameError
        If a move cannot be played, or cards cannot have been drawn.
    IllegalPositionError
        If the start has defects.
    ValueError
        If the result contradicts the moves, or a tag cannot be written.
    """

    start: Position
    plies: tuple[Ply, ...] = ()
    result: str = "*"
    tags: tuple[tuple[str, str], ...] = ()
    comment: str = ""
    # The position before the first move and after each: kept so that a game need not be replayed.
    _positions: tuple[Position, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_tags(self.tags)
        require_legal(self.start)
        positions = [self.start]
        plies: list[Ply] = []
        for ply in self.plies:
            try:
                position, played = _play(positions[-1], ply)
            except ValueError as error:
                bout, number = _next_place(plies, positions)
                raise GameError(str(error), bout, number, str(ply.move)) from None
            positions.append(position)
            plies.append(played)
        self._set(tuple(plies), tuple(positions), _result(positions[-1], self.result))
        object.__setattr__(self, "comment", normal_comment(self.comment))
        object.__setattr__(self, "tags", tuple((name, text) for name, text in self.tags))

    # ------------------------------------------------------------------------------------------------ in and out

    @classmethod
    def from_dgn(cls, text: str) -> Game:
        """Read one game in DGN; `durak_solver.game.game.parse_dgn` reads several.

        Parameters
        ----------
        text : str

        Returns
        -------
        Game

        Raises
        ------
        DGNError
            A ValueError that says where the text is wrong, or that there is not exactly one game.
        """
        return parse_game(text)

    def to_dgn(self) -> str:
        """Return the game in DGN, in its canonical form.

        Returns
        -------
        str
            Several lines.
        """
        return format_dgn(
            self.tags,
            self.comment,
            self.bouts,
            rules=self.start.rules,
            start=self.start.to_dpn(),
            result=self.result,
        )

    # ------------------------------------------------------------------------------------------------ what there is

    @property
    def position(self) -> Position:
        """The position after the last move."""
        return self._positions[-1]

    def positions(self) -> Iterator[Position]:
        """Iterate over the start and the position after each move.

        Yields
        ------
        Position
        """
        yield from self._positions

    @property
    def bouts(self) -> tuple[tuple[Ply, ...], ...]:
        """The plies, bout by bout; the last one may not be over."""
        bouts: list[list[Ply]] = []
        over = True
        for ply, after in zip(self.plies, self._positions[1:], strict=True):
            if over:
                bouts.append([])
            bouts[-1].append(ply)
            over = ends_bout(ply.move, after)
        return tuple(map(tuple, bouts))

    def outcome(self) -> str | None:
        """Return how the moves ended the game: ``"a"``, ``"b"``, ``"draw"``, or None if they did not.

        Returns
        -------
        str or None
        """
        return self.position.outcome()

    @property
    def is_repeated(self) -> bool:
        """Whether the position lies there for the third time: between two people that is a draw, which `end` notes."""
        return self._positions.count(self.position) >= REPETITIONS

    def view(self, seat: str) -> Position:
        """Return what a player sees now, if he remembers every card that has lain face up since the start.

        Where the start has unknown cards in a hand, the known ones of that hand count as seen.

        Parameters
        ----------
        seat : str
            ``"a"`` or ``"b"``.

        Returns
        -------
        Position

        Raises
        ------
        ValueError
            If there is no such seat, or not all of that player's cards are known.
        """
        seen = set(_seen_at_start(self.start))
        for ply, after in zip(self.plies, self._positions[1:], strict=True):
            seen.update(ply.move.cards)
            seen.update(card for card in after.stock[-1:] if card)
        return self.position.view(seat, seen)

    # ------------------------------------------------------------------------------------------------ what follows

    def play(
        self,
        move: Move | str,
        *,
        mark: str = "",
        comment: str = "",
        drawn: tuple[Iterable[Card], Iterable[Card]] = ((), ()),
    ) -> Game:
        """Return the game with one move more.

        Parameters
        ----------
        move : Move or str
            A legal move, or its text.
        mark, comment : str
            As in `Ply`.
        drawn : tuple of iterable of Card
            Cards that a and b are known to have drawn after the move, where the position does not say so.

        Returns
        -------
        Game

        Raises
        ------
        MoveError, UnsupportedError
            As for `Position.play`; IllegalMoveError also if the game has ended.
        ValueError
            If the cards cannot have been drawn, or it is no mark or comment.
        """
        before = self.position
        if self.result != "*" and before.phase != "over":
            raise IllegalMoveError(f"{move} cannot be played: the game has ended with the result {self.result}")
        if isinstance(move, str):
            move = before.parse_move(move)
        a, b = drawn
        position, ply = _play(before, Ply(move, mark, comment, (tuple(a), tuple(b))))
        return self._copy((*self.plies, ply), (*self._positions, position), _result(position, "*"))

    def undo(self) -> Game:
        """Return the game without its last move, and not ended.

        Returns
        -------
        Game

        Raises
        ------
        ValueError
            If nothing was played.
        """
        if not self.plies:
            raise ValueError("there is no move to take back")
        return self._copy(self.plies[:-1], self._positions[:-1], "*")

    def end(self, result: str) -> Game:
        """Return the game with a result, such as that of a player who gives up.

        Parameters
        ----------
        result : str
            One of `RESULTS`.

        Returns
        -------
        Game

        Raises
        ------
        ValueError
            If it is none, or contradicts the moves.
        """
        return self._copy(self.plies, self._positions, _result(self.position, result))

    def _copy(self, plies: tuple[Ply, ...], positions: tuple[Position, ...], result: str) -> Game:
        """Return a game that differs in these and is known to be right, without replaying it."""
        game = object.__new__(Game)
        for name in ("start", "tags", "comment"):
            object.__setattr__(game, name, getattr(self, name))
        game._set(plies, positions, result)
        return game

    def _set(self, plies: tuple[Ply, ...], positions: tuple[Position, ...], result: str) -> None:
        object.__setattr__(self, "plies", plies)
        object.__setattr__(self, "result", result)
        object.__setattr__(self, "_positions", positions)


def deal(
    rules: Rules | str | None = None,
    seed: int | Seeder | None = None,
    *,
    redeal: bool = False,
    attacker: str | None = None,
) -> Position:
    """Deal the cards for a new game.

    The last card of the stock is the turn-up, and names the trump. A card that cannot, a joker or (with ``lock=s``) one
    that is no diamond, is passed over: the card above it is turned up instead, and goes under the stock.

    Parameters
    ----------
    rules : Rules or str, optional
        Rules, or the name of a preset.
    seed : int or numpy.random.Generator, optional
        What the shuffle comes from: a number gives the same deal everywhere. None draws one.
    redeal : bool
        Deal again while a player has five or more cards of one suit.
    attacker : str, optional
        Who attacks first, such as the winner of the game before; if not given, who holds the lowest trump, and a if
        nobody holds one.

    Returns
    -------
    Position
        With all cards known; see `Position.view` for what a player sees of it.

    Raises
    ------
    ValueError
        If there is no such preset, seed or seat; with rules by which nothing is dealt, or whose straps are not in the
        deck.
    """
    from random import Random  # noqa: PLC0415  (not worth importing with the package)

    if attacker not in (None, *SEATS):
        raise ValueError(f"attacker={quoted(attacker)} is not allowed: choose one of a, b")
    rules = Rules() if rules is None else Rules.preset(rules) if isinstance(rules, str) else rules
    if rules.game == "round":
        raise ValueError("rules=round is played with open hands and without a stock: there is nothing to deal")
    if missing := why_no_straps(rules):
        raise ValueError(missing)
    rng = Random(draw_seed(seed))
    while True:
        cards = list(deck_cards(rules.deck))
        rng.shuffle(cards)
        a, b, stock = cards[: rules.hand], cards[rules.hand : 2 * rules.hand], cards[2 * rules.hand :]
        turn_ups = [card for card in stock if not card.is_joker and (rules.lock is None or card.suit == "d")]
        if turn_ups and not (redeal and (_many_of_a_suit(a) or _many_of_a_suit(b))):
            break
    turn_up = turn_ups[-1]
    stock.remove(turn_up)
    trumps = [min((card for card in hand if card.suit == turn_up.suit), default=None) for hand in (a, b)]
    lowest = min((card for card in trumps if card), default=None)
    return Position(
        hands=(tuple(a), tuple(b)),
        trump=turn_up.suit,
        attacker=attacker or SEATS[trumps.index(lowest)],
        stock=(*stock, turn_up),
        rules=rules,
    )


def ends_bout(move: Move, after: Position) -> bool:
    """Tell whether a move ended its bout.

    Parameters
    ----------
    move : Move
    after : Position
        The position after it.

    Returns
    -------
    bool
    """
    return move.kind in ("beat", "take", "done") and not after.table


def _next_place(plies: Iterable[Ply], positions: Iterable[Position]) -> tuple[int, int]:
    """Return where the next move of a game stands: the bout, and the move within it, both counted from 1."""
    bout, number = 1, 1
    for ply, after in zip(plies, list(positions)[1:], strict=True):
        bout, number = (bout + 1, 1) if ends_bout(ply.move, after) else (bout, number + 1)
    return bout, number


def _play(position: Position, ply: Ply) -> tuple[Position, Ply]:
    """Return the position after a ply, and the ply with all that is known of the cards drawn."""
    after, drawn = play(position, ply.move)
    if any(ply.drawn):
        after = name_drawn(after, drawn, ply.drawn)
    elif not any(drawn):
        return after, ply
    known = [{card for card in cards if card} | set(told) for cards, told in zip(drawn, ply.drawn, strict=True)]
    return after, replace(ply, drawn=(tuple(known[0]), tuple(known[1])))


def _result(position: Position, result: str) -> str:
    """Return the result of a game that has come to a position, given what is said about it."""
    if result not in RESULTS:
        raise ValueError(f"result={quoted(result)} is not allowed: choose one of {', '.join(RESULTS)}")
    outcome = position.outcome()
    if outcome and result not in ("*", outcome):
        raise ValueError(f"the result {result} contradicts the moves, which end with {outcome}")
    return outcome or result


def _seen_at_start(start: Position) -> Iterator[Card]:
    for cards in (start.stock[-1:], *start.table):
        yield from (card for card in cards if card)
    for hand, unknown in zip(start.hands, start.unknown, strict=True):
        if unknown:
            yield from hand


def _many_of_a_suit(hand: Iterable[Card]) -> bool:
    suits = [card.suit for card in hand if card.suit]
    return any(suits.count(suit) >= _MANY_OF_A_SUIT for suit in suits)


def _check_tags(tags: Iterable[tuple[str, str]]) -> None:
    names: set[str] = set()
    for name, text in tags:
        if not re.fullmatch("[A-Za-z0-9_]+", name):
            raise ValueError(f"{quoted(name)} is not the name of a tag: only letters, digits and _ are allowed")
        if name.lower() in (own.lower() for own in OWN_TAGS):
            raise ValueError(f"the game says itself what the tag {name} says: it cannot be set")
        if name.lower() in names:
            raise ValueError(f"the tag {name} is given twice")
        if "\n" in text or "\r" in text:
            raise ValueError(f"the text of a tag is one line: {name}")
        names.add(name.lower())


def parse_dgn(text: str) -> list[Game]:
    """Read games.

    Parameters
    ----------
    text : str
        One game or several. Bout numbers, results after the moves and all tags but Position may be missing.

    Returns
    -------
    list of Game

    Raises
    ------
    DGNError
        At the first thing that is wrong, or if there is no game at all.
    """
    return [_replay(raw, number) for number, raw in enumerate(read_games(text), 1)]


def parse_game(text: str) -> Game:
    """Read exactly one game.

    Parameters
    ----------
    text : str

    Returns
    -------
    Game

    Raises
    ------
    DGNError
        As for `parse_dgn`, or if there are several.
    """
    games = read_games(text)
    if len(games) > 1:
        raise error_at(f"one game was expected, not {len(games)}", text, games[1].offset)
    return _replay(games[0], 1)


def _replay(raw: RawGame, number: int) -> Game:
    """Make a game of what is written."""
    start = _start(raw, number)
    tags = tuple((tag.name, tag.text) for key, tag in raw.tags.items() if key not in map(str.lower, OWN_TAGS))
    try:
        game = Game(start, tags=tags, comment=" ".join(raw.comments))
    except ValueError as error:
        raise error_at(str(error), raw.source, raw.tags["position"].offset, f"game {number}, start") from None
    bout, move = 1, 1
    for ply in raw.plies:
        shown = ply.text if len(ply.text) <= 20 and ply.text.isprintable() else quoted(ply.text)
        place = f"game {number}, bout {bout}, move {move} ({shown})"
        if ply.number is not None and (ply.number, 1) != (bout, move):
            reason = f"it is numbered {ply.number}, but " + (
                f"bout {bout} is not over" if move > 1 else f"this is bout {bout}"
            )
            raise error_at(reason, raw.source, ply.offset, place)
        drawn = ply.drawn.get("a", ()), ply.drawn.get("b", ())
        try:
            game = game.play(ply.text, mark=" ".join(ply.marks), comment=" ".join(ply.comments), drawn=drawn)
        except ValueError as error:
            reason = str(error).partition(" is not legal: ")[2] or str(error)
            raise error_at(reason, raw.source, ply.offset, place) from None
        bout, move = (bout + 1, 1) if ends_bout(game.plies[-1].move, game.position) else (bout, move + 1)
    return _ended(game, raw, number)


def _start(raw: RawGame, number: int) -> Position:
    """Return the start of a game, from the tags Position and Rules."""
    tag = raw.tags.get("position")
    if tag is None:
        raise error_at("the tag Position is missing", raw.source, raw.offset, f"game {number}")
    try:
        position = Position(**parse_dpn(tag.text))
    except DPNError as error:
        raise error_at(f"{error.field}: {error.reason}", raw.source, tag.offset + error.offset) from None
    rules_tag = raw.tags.get("rules")
    if rules_tag is None:
        return position
    rules = read_rules_tag(rules_tag, raw.source)
    options = {word.partition("=")[0] for word in tag.text.split() if "=" in word} - set(BOUT_KEYS)
    if options and position.rules != rules:
        said = format_rules(position.rules, "podkidnoy")
        reason = f"the tag Rules contradicts the tag Position, which says {said}"
        raise error_at(reason, raw.source, rules_tag.offset)
    return replace(position, rules=rules)


def _ended(game: Game, raw: RawGame, number: int) -> Game:
    """Return the game with the result that is written, in the tag or after the moves."""
    tag = raw.tags.get("result")
    said = tag.text.strip().lower() if tag else "*"
    offset = tag.offset if tag else 0
    if said not in RESULTS:
        raise error_at(f"{quoted(said)} is no result: choose one of {', '.join(RESULTS)}", raw.source, offset)
    if raw.result not in ("", "*"):
        if said not in ("*", raw.result):
            reason = f"the result {raw.result} after the moves contradicts the tag Result, which says {said}"
            raise error_at(reason, raw.source, raw.result_offset)
        said, offset = raw.result, raw.result_offset
    try:
        return game.end(said)
    except ValueError as error:
        raise error_at(str(error), raw.source, offset, f"game {number}") from None
