"""What a match has shown: the score, how sure it is, and the file that keeps the games of a long one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from durak_solver.notation.rules import option_words
from durak_solver.study.match import Match, Pair

_FILE_SCHEMA: Final = "durak.match.pairs/1"

# How far results follow luck cannot be measured in fewer pairs.
_LEAST_PAIRS: Final = 50


@dataclass(frozen=True, slots=True)
class Score:
    """A score in percent, where a draw is half a win, and its 95 % interval."""

    percent: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.percent:.1f} % (95 % interval {self.low:.1f} to {self.high:.1f})"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What is known of a match; for the first player.

    Attributes
    ----------
    games
        How many were played.
    first, second
        Wins, draws and losses in the games in which the player had seat a, and in those with seat b.
    score
        From the results alone.
    control
        The score with the luck of the draws subtracted; equal to `score` if the match is too short for that.
    beta
        Which part of the luck is subtracted; 0 in a short match.
    variance_left
        Variance of `control`, as a share of that of `score`.
    plies
        Mean length of a game.
    seconds
        For one move, by the first and the second player; forced moves count.
    """

    match: Match
    games: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    score: Score
    control: Score
    beta: float
    variance_left: float
    plies: float
    seconds: tuple[float, float]

    @property
    def results(self) -> tuple[int, int, int]:
        """Wins, draws and losses."""
        (a, b, c), (x, y, z) = self.first, self.second
        return a + x, b + y, c + z

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a dict that JSON can hold.

        Its ``schema`` is "durak.match/1". Scores are in percent. Only ``seconds_per_move`` depends on when and where
        the match is played.
        """
        wins, draws, losses = self.results
        return {
            "schema": "durak.match/1",
            "players": [str(player) for player in self.match.players],
            "rules": self.match.rules.to_options(),
            "seed": self.match.seed,
            "games": self.games,
            "complete": self.games == self.match.games,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "score": self.score.percent,
            "low": self.score.low,
            "high": self.score.high,
            "control": {
                "score": self.control.percent,
                "low": self.control.low,
                "high": self.control.high,
                "beta": self.beta,
                "variance_left": self.variance_left,
            },
            "by_seat": {
                seat: dict(zip(("wins", "draws", "losses"), results, strict=True))
                for seat, results in (("a", self.first), ("b", self.second))
            },
            "mean_plies": self.plies,
            "seconds_per_move": list(self.seconds),
        }


def match_result(match: Match, pairs: Iterable[Pair]) -> MatchResult:
    """Sum up pairs of games, in any order; ValueError if there are none.

    The intervals are those of the means of pairs, whose two games are not independent. For `control` a part of each
    pair's luck is subtracted (a control variate). Luck is 0 on average, so the score is right whatever the part. The
    part is measured in the match, which costs a bias of the order of 1 / pairs; in fewer than 50 pairs nothing is
    subtracted.
    """
    import numpy as np  # noqa: PLC0415  (takes as long to load as all of the package)

    from durak_solver.engine.hidden.intervals import interval  # noqa: PLC0415

    played = sorted(pairs, key=lambda pair: pair.number)  # sums of floats depend on the order
    if not played:
        raise ValueError("no game was played")
    payoffs = np.array([sum(pair.payoffs) / 2 for pair in played])
    luck = np.array([sum(pair.luck) / 2 for pair in played])
    deviations = payoffs - payoffs.mean()
    squares = float((luck**2).sum())
    measurable = len(played) >= _LEAST_PAIRS and squares
    beta = float((deviations * luck).sum()) / squares if measurable else 0.0
    told = payoffs - beta * luck

    def score(values: Any) -> Score:
        low, high = interval(values, np.ones(len(values)), 1)
        low, percent, high = (50 + 50 * float(value) for value in (low, values.mean(), high))
        return Score(min(100.0, max(0.0, percent)), low, high)

    variance = float(payoffs.var())
    moves = [max(1, sum(pair.moves[i] for pair in played)) for i in (0, 1)]
    return MatchResult(
        match=match,
        games=2 * len(played),
        first=_results(pair.payoffs[0] for pair in played),
        second=_results(pair.payoffs[1] for pair in played),
        score=score(payoffs),
        control=score(told),
        beta=beta,
        variance_left=float(told.var()) / variance if variance else 1.0,
        plies=sum(sum(pair.plies) for pair in played) / (2 * len(played)),
        seconds=(
            sum(pair.seconds[0] for pair in played) / moves[0],
            sum(pair.seconds[1] for pair in played) / moves[1],
        ),
    )


def _results(payoffs: Iterable[int]) -> tuple[int, int, int]:
    numbers = list(payoffs)
    return numbers.count(1), numbers.count(0), numbers.count(-1)


class MatchFile:
    """A file that keeps finished pairs, one JSON object a line after a first line that says what match it is.

    A context manager. The file is made if it does not exist. A match can be made longer: another number of games is no
    other match.

    Raises
    ------
    ValueError
        If it is a file of something else, or a line in it is broken; then nothing is written.
    OSError
        If it cannot be read or written.
    """

    def __init__(self, path: Path, match: Match) -> None:
        header = {
            "schema": _FILE_SCHEMA,
            "players": [str(player) for player in match.players],
            "rules": match.rules.to_options(),
            "seed": match.seed,
        }
        first = json.dumps(header).encode() + b"\n"
        content = path.read_bytes() if path.exists() else b""
        if not content.startswith(first) and not first.startswith(content):
            raise ValueError(f"{path} {_what_differs(content.splitlines()[0], header)}")
        # What stands after the last end of line was cut off while it was written.
        whole = content[: content.rfind(b"\n") + 1]
        self.pairs = _read_pairs(path, whole.splitlines()[1:], match)
        self._file: BinaryIO = path.open("r+b" if path.exists() else "wb")
        self._file.truncate(len(whole))
        self._file.seek(len(whole))
        if not whole:
            self._write(first)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, pair: Pair) -> None:
        """Write a pair."""
        self._write(json.dumps(pair.to_dict()).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()


def _what_differs(line: bytes, header: dict[str, Any]) -> str:
    """Say what the first line of a file has that does not belong to this match."""
    try:
        found = json.loads(line)
    except ValueError:  # JSON's errors and those of text that is no UTF-8 are such
        found = None
    if isinstance(found, dict) and found.get("schema") == _FILE_SCHEMA:
        for key, verb in (("players", "are"), ("rules", "are"), ("seed", "is")):
            if key in found and found[key] != header[key]:
                differs = f"its {key} {verb} {_in_words(found[key])}, not {_in_words(header[key])}"
                return f"belongs to another match: {differs}"
    return "is not the file of a match"


def _in_words(value: object) -> str:
    """Write players, rules or a seed as they are typed."""
    if isinstance(value, dict):
        return " ".join(option_words(value)) or "rules=podkidnoy"
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)


def _read_pairs(path: Path, lines: list[bytes], match: Match) -> dict[int, Pair]:
    """Return the pairs of a match in a file, by their numbers."""
    pairs = {}
    for place, line in enumerate(lines, start=2):
        try:
            pair = Pair.from_dict(json.loads(line))
        except ValueError as error:  # JSON's errors and those of text that is no UTF-8 are such
            raise ValueError(f"{path}, line {place}: {error}") from None
        if pair.number < match.pairs:
            pairs[pair.number] = pair
    return pairs
