"""A game: where it began, what was played, how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from durak_solver.game.knowledge import seen_after, seen_at_start
from durak_solver.game.legality import require_legal
from durak_solver.game.play import ends_bout
from durak_solver.game.position import Position
from durak_solver.game.replay import FIRST_PLACE, checked_result, next_place, play_ply, read_result, read_start, replay
from durak_solver.model.cards import Card
from durak_solver.model.messages import quoted
from durak_solver.model.moves import IllegalMoveError, Move, Ply, normal_comment
from durak_solver.notation.dgn import OWN_TAGS, RawGame, error_at, format_dgn, read_games

REPETITIONS: Final = 3
"""A position that has come up this often ends a game in a draw, if the players want it to."""


class GameError(ValueError):
    """A game cannot have gone like this.

    Attributes
    ----------
    reason
        What is wrong, in one sentence.
    bout, number
        Where: the bout, and the move within it, both counted from 1.
    move
        The move, as text.
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
    start
        Where it began. Cards may be unknown; a card that is played from a hand with unknown cards becomes known.
    plies
        What was played. Their drawn cards are completed from what the positions say.
    result
        ``"a"`` or ``"b"``, the winner; ``"draw"``; ``"*"``, not known. Where the moves end the game, it is theirs.
    tags
        Name and text of whatever else is noted, such as ``("Event", "Club evening")``.
    comment
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
        place = FIRST_PLACE
        for ply in self.plies:
            try:
                position, played = play_ply(positions[-1], ply)
            except ValueError as error:
                raise GameError(str(error), *place, str(ply.move)) from None
            positions.append(position)
            plies.append(played)
            place = next_place(place, ply.move, position)
        self._set(tuple(plies), tuple(positions), checked_result(positions[-1], self.result))
        object.__setattr__(self, "comment", normal_comment(self.comment))
        object.__setattr__(self, "tags", tuple((name, text) for name, text in self.tags))

    @classmethod
    def from_dgn(cls, text: str) -> Game:
        """Read one game in DGN; `durak_solver.game.game.parse_dgn` reads several.

        Raises
        ------
        DGNError
            A ValueError that says where the text is wrong, or that there is not exactly one game.
        """
        games = read_games(text)
        if len(games) > 1:
            raise error_at(f"one game was expected, not {len(games)}", text, games[1].offset)
        return _game(games[0], 1)

    def to_dgn(self) -> str:
        """Return the game in DGN, in its canonical form of several lines."""
        return format_dgn(
            self.tags,
            self.comment,
            self.bouts,
            rules=self.start.rules,
            start=self.start.to_dpn(),
            result=self.result,
        )

    @property
    def position(self) -> Position:
        """The position after the last move."""
        return self._positions[-1]

    def positions(self) -> Iterator[Position]:
        """Iterate over the start and the position after each move."""
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
        """Return how the moves ended the game: ``"a"``, ``"b"``, ``"draw"``, or None if they did not."""
        return self.position.outcome()

    @property
    def is_repeated(self) -> bool:
        """Whether the position lies there for the third time: between two people that is a draw, which `end` notes."""
        return self._positions.count(self.position) >= REPETITIONS

    def view(self, seat: str) -> Position:
        """Return what player a or b sees now, remembering every card that has lain face up since the start.

        Where the start has unknown cards in a hand, the known ones of that hand count as seen.

        Raises
        ------
        ValueError
            If there is no such seat, or not all of that player's cards are known.
        """
        seen = set(seen_at_start(self.start))
        for ply, after in zip(self.plies, self._positions[1:], strict=True):
            seen.update(seen_after(ply.move, after))
        return self.position.view(seat, seen)

    def play(
        self,
        move: Move | str,
        *,
        mark: str = "",
        comment: str = "",
        drawn: tuple[Iterable[Card], Iterable[Card]] = ((), ()),
    ) -> Game:
        """Return the game with one more move.

        Parameters
        ----------
        move
            A legal move, or its text.
        mark, comment
            As in `Ply`.
        drawn
            Cards that a and b are known to have drawn after the move, where the position does not say so.

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
        position, ply = play_ply(before, Ply(move, mark, comment, (tuple(a), tuple(b))))
        return self._copy((*self.plies, ply), (*self._positions, position), checked_result(position, "*"))

    def undo(self) -> Game:
        """Return the game without its last move, and not ended; ValueError if nothing was played."""
        if not self.plies:
            raise ValueError("there is no move to take back")
        return self._copy(self.plies[:-1], self._positions[:-1], "*")

    def end(self, result: str) -> Game:
        """Return the game with a result, such as that of a player who gives up.

        Raises
        ------
        ValueError
            If it is no result, or contradicts the moves.
        """
        return self._copy(self.plies, self._positions, checked_result(self.position, result))

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


def parse_dgn(text: str) -> list[Game]:
    """Read one game or several.

    Bout numbers, results after the moves and all tags but Position may be missing.

    Raises
    ------
    DGNError
        At the first thing that is wrong, or if there is no game at all.
    """
    return [_game(raw, number) for number, raw in enumerate(read_games(text), 1)]


def _game(raw: RawGame, number: int) -> Game:
    """Make a game of what is written."""
    start = read_start(raw, number)
    own = [name.lower() for name in OWN_TAGS]
    tags = tuple((tag.name, tag.text) for key, tag in raw.tags.items() if key not in own)
    try:
        game = Game(start, tags=tags, comment=" ".join(raw.comments))
    except ValueError as error:
        raise error_at(str(error), raw.source, raw.tags["position"].offset, f"game {number}, start") from None
    plies, positions = replay(raw, number, start)
    return game._copy(plies, positions, read_result(raw, number, positions[-1]))


def _check_tags(tags: Iterable[tuple[str, str]]) -> None:
    own = [name.lower() for name in OWN_TAGS]
    names: set[str] = set()
    for name, text in tags:
        if not re.fullmatch("[A-Za-z0-9_]+", name):
            raise ValueError(f"{quoted(name)} is not the name of a tag: only letters, digits and _ are allowed")
        if name.lower() in own:
            raise ValueError(f"the game says itself what the tag {name} says: it cannot be set")
        if name.lower() in names:
            raise ValueError(f"the tag {name} is given twice")
        if "\n" in text or "\r" in text:
            raise ValueError(f"the text of a tag is one line: {name}")
        names.add(name.lower())
