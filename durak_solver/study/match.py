"""Matches between two players: each deal is played twice, with the seats swapped.

What a game brings depends only on the match and the number of its pair, not on the other games, nor on how many
processes share the work.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any, Final, Self

from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.control_variate import DrawLuck
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.game.deal import deal
from durak_solver.game.defects import UnsupportedError
from durak_solver.game.game import REPETITIONS
from durak_solver.game.knowledge import seen_after, seen_at_start
from durak_solver.game.position import SEATS, Position
from durak_solver.model.messages import quoted
from durak_solver.model.rules import Rules, why_no_straps

_TABLE_MB: Final = 16
_POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """Who plays: ``str`` gives what `parse_player` reads.

    Attributes
    ----------
    method
        One of `durak_solver.engine.hidden.methods.METHODS`.
    samples
        How many deals to draw for a move; None for what suits the method.
    """

    method: str
    samples: int | None = None

    def __str__(self) -> str:
        return self.method if self.samples is None else f"{self.method}:{self.samples}"


def parse_player(text: str) -> PlayerSpec:
    """Read a player: a method, and perhaps the number of deals to draw for a move, as in ``pimc:40``.

    Raises
    ------
    ValueError
        If there is no such method, or it is not a number.
    """
    name, colon, number = text.partition(":")
    if name not in METHODS:
        raise ValueError(f"{quoted(text)} is no player: choose one of {', '.join(METHODS)}, or pimc:40 for 40 deals")
    if not colon:
        return PlayerSpec(name)
    if not METHODS[name].samples:
        raise ValueError(f"{quoted(text)} is no player: {name} draws no deals, so it has no number")
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:10]) < 10**9 and len(number) < 10):
        raise ValueError(f"{quoted(text)} is no player: after {name}: a number of deals was expected, such as 40")
    return PlayerSpec(name, int(number))


@dataclass(frozen=True, slots=True)
class Match:
    """What is to be played.

    Attributes
    ----------
    games
        How many; even, for each deal is played twice.
    seed
        What all deals, and all that is random in the players, come from.

    Raises
    ------
    ValueError
        If the number of games or the seed is not allowed, or the straps of the rules are not in the deck.
    UnsupportedError
        If the rules have options that cannot be played.
    """

    players: tuple[PlayerSpec, PlayerSpec]
    games: int
    seed: int = 0
    rules: Rules = Rules()  # noqa: RUF009  (immutable)

    def __post_init__(self) -> None:
        if self.games <= 0 or self.games % 2:
            raise ValueError(f"games={self.games} is not allowed: an even number, because each deal is played twice")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed={self.seed} is not allowed: a number from 0 to 2**63 - 1")
        require_playable(self.rules)

    @property
    def pairs(self) -> int:
        """How many deals."""
        return self.games // 2


def require_playable(rules: Rules) -> None:
    """Refuse rules by which no game can be dealt and played.

    Raises
    ------
    UnsupportedError
        If they are those of the round game.
    ValueError
        If the straps that are played for are not in the deck.
    """
    if rules.game != "durak":
        raise UnsupportedError("rules=round cannot be played here")
    if missing := why_no_straps(rules):
        raise ValueError(missing)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one deal: in the first one the first player has seat a, in the second one seat b.

    Attributes
    ----------
    number
        From 0.
    payoffs
        1, 0 or -1 for each game: the first player won, drew, lost.
    luck
        The first player's luck with the draws in each game, as `durak_solver.engine.hidden.control_variate` finds it.
    plies
        Of each game.
    moves, seconds
        How many moves the first and the second player made, and how long they thought.
    """

    number: int
    payoffs: tuple[int, int]
    luck: tuple[float, float]
    plies: tuple[int, int]
    moves: tuple[int, int]
    seconds: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as a dict that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_dict(cls, item: dict[str, Any]) -> Self:
        """Read what `to_dict` returns; ValueError if it is something else."""
        try:
            pairs = {name: (item[name][0], item[name][1]) for name in ("payoffs", "luck", "plies", "moves", "seconds")}
            numbers = [item["number"], *(number for pair in pairs.values() for number in pair)]
        except (KeyError, IndexError, TypeError):
            numbers = [None]
        if not all(isinstance(number, int | float) for number in numbers):
            raise ValueError("this is no pair of games")
        return cls(number=item["number"], **pairs)


class Contest:
    """Plays a match, in one process or in several.

    With more than one, a script that uses this must guard its own start by ``if __name__ == "__main__"``, as always
    with `multiprocessing`.
    """

    def __init__(self, match: Match, jobs: int = 1) -> None:
        self._match = match
        self._jobs = jobs
        self._dealer = _PairPlayer(match)
        self._stopped = threading.Event()

    def play(self, done: Collection[int] = ()) -> Iterator[Pair]:
        """Yield all pairs but those whose numbers are done, as they are finished.

        With several processes they come in any order. After `stop` no more come.
        """
        todo = [number for number in range(self._match.pairs) if number not in done]
        yield from self._play_here(todo) if self._jobs == 1 else self._play_in_processes(todo)

    def stop(self) -> None:
        """End the match; what is not finished is lost. May be called from a signal handler."""
        self._stopped.set()
        self._dealer.stop()

    def _play_here(self, todo: list[int]) -> Iterator[Pair]:
        for number in todo:
            pair = None if self._stopped.is_set() else self._dealer.play(number)
            if pair is None:
                return
            yield pair

    def _play_in_processes(self, todo: list[int]) -> Iterator[Pair]:
        with _ignoring_interrupts():  # which the new processes inherit: this one ends them
            pool = multiprocessing.get_context("spawn").Pool(min(self._jobs, max(1, len(todo))))
        with pool:
            found = pool.imap_unordered(partial(_play_pair, self._match), todo)
            while not self._stopped.is_set():
                try:
                    yield found.next(_POLL_SECONDS)
                except StopIteration:
                    return
                except multiprocessing.TimeoutError:
                    continue


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # only that one gets them
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _play_pair(match: Match, number: int) -> Pair:
    """Play one pair in a process of its own."""
    pair = _PairPlayer(match).play(number)
    assert pair is not None  # nobody stops it
    return pair


class _PairPlayer:
    """Plays the pairs of a match, one at a time."""

    def __init__(self, match: Match) -> None:
        self._match = match
        # One for each player: what one has found out must not help the other. No endings tables, lest the games that
        # a seed gives depend on which are there.
        self._engines = (Engine(_TABLE_MB, tables=False), Engine(_TABLE_MB, tables=False))
        self._luck = DrawLuck()
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True
        for engine in self._engines:
            engine.stop()

    def play(self, number: int) -> Pair | None:
        """Play a pair; None if it was stopped."""
        start = deal(self._match.rules, self._random(number))
        tallies = [_Tally(), _Tally()]
        for first, tally in enumerate(tallies):
            self._play_game(start, number, first, tally)
            if self._stopped:
                return None
        return Pair(
            number=number,
            payoffs=(tallies[0].payoff, tallies[1].payoff),
            luck=(tallies[0].luck, tallies[1].luck),
            plies=(sum(tallies[0].moves), sum(tallies[1].moves)),
            moves=(tallies[0].moves[0] + tallies[1].moves[0], tallies[0].moves[1] + tallies[1].moves[1]),
            seconds=(tallies[0].seconds[0] + tallies[1].seconds[0], tallies[0].seconds[1] + tallies[1].seconds[1]),
        )

    def _play_game(self, position: Position, number: int, first: int, tally: _Tally) -> None:
        """Play one game, in which the first player has seat a (0) or b (1)."""
        for engine in self._engines:  # what is left from other games must make no difference
            engine.clear()
        seen = set(seen_at_start(position))
        met: Counter[Position] = Counter()
        sign = -1 if first else 1
        while (seat := position.to_move) is not None:
            if self._stopped:
                return
            met[position] += 1
            if met[position] == REPETITIONS:  # under transfers a game can go round for ever
                return
            player = SEATS.index(seat) ^ first
            ply = sum(tally.moves)
            spec = self._match.players[player]
            began = time.perf_counter()
            move = self._engines[player].choose(
                position.view(seat, seen),
                method=spec.method,
                samples=spec.samples,
                seed=self._random(number, first, ply),
            )
            tally.seconds[player] += time.perf_counter() - began
            tally.moves[player] += 1
            after = position.play(move)
            tally.luck += sign * self._luck.of(position, after, self._random(number, first, ply, "luck"))
            position = after
            seen.update(seen_after(move, position))
        winner = position.outcome()
        tally.payoff = 0 if winner == "draw" else sign if winner == "a" else -sign

    def _random(self, *place: int | str) -> int:
        """Return a number that belongs to a place in the match, as good as drawn at random."""
        text = " ".join(map(str, (self._match.seed, *place)))
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1


@dataclass(slots=True)
class _Tally:
    """What becomes of a game: the payoff and the luck are the first player's; a draw if it goes round."""

    payoff: int = 0
    luck: float = 0.0
    moves: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
