"""The round game (``rules=round``) solved exactly: ``ext/round_game.pyx`` says why the values are right.

Every draw is one by repetition here: the game only ends with one empty hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final, NoReturn

from durak_solver._core.round_game import RoundSearcher
from durak_solver.engine.exact.memory import Memory
from durak_solver.engine.results import Analysis, GradedMove, Line, Solution, Value
from durak_solver.game.defects import UnsupportedError
from durak_solver.game.position import Position
from durak_solver.game.round_game import pile
from durak_solver.model.cards import Card
from durak_solver.model.moves import Move
from durak_solver.model.rules import beats

_LEAST_BYTES: Final = 1 << 20


class RoundSolver:
    """Solves one position of the round game within limits, which begin with it; the twin of `Solver`.

    Nothing is remembered for other positions: of the memory only its size is used.
    """

    only_solves: Final = True

    def __init__(self, memory: Memory, position: Position, nodes: int | None, seconds: float | None) -> None:
        self._began = time.perf_counter()
        self._position = position
        cards, rules, trump = _ordered(position), position.rules, position.trump
        self._bits = {card: 1 << i for i, card in enumerate(cards)}
        beaters = [self._set(beater for beater in cards if beats(beater, card, trump, rules)) for card in cards]
        self._searcher = RoundSearcher(beaters, max(memory.searcher.table_bytes, _LEAST_BYTES), nodes, seconds)

    @staticmethod
    def require(position: Position, *, distance: bool = False) -> None:
        """Refuse to measure distances; UnsupportedError."""
        if distance:
            raise UnsupportedError("the distance to the end is not measured with rules=round")

    def stop(self) -> None:
        """End the search, from another thread or a signal handler."""
        self._searcher.stop()

    def solution(self) -> Solution:
        """Return the value of the position, a best move and a line of play."""
        value = self._solved(self._position)
        line = self._line(self._position, value) if value.is_exact else ()
        return Solution(
            position=self._position,
            value=value,
            line=line,
            nodes=self._searcher.nodes,
            seconds=time.perf_counter() - self._began,
            stopped=self._searcher.stopped,
            repetition=value is Value.DRAW,
        )

    def analysis(self, *, distance: bool, on_progress: Callable[[Analysis], None] | None) -> Analysis:
        """Grade every legal move."""
        self.require(self._position, distance=distance)
        graded = {move: (GradedMove(move, Value.UNKNOWN, ()), 0) for move in self._position.legal_moves}
        for move in graded:
            graded[move] = self._graded(move)
            if on_progress is not None and graded[move][0].value.is_exact:
                on_progress(self._so_far(graded))
        return self._so_far(graded)

    def move(self) -> Move:
        """Return a best move, or any if a limit ends the search."""
        return self.solution().move or self._position.legal_moves[0]

    def values(self) -> NoReturn:
        """Refuse to answer the questions of a proof; UnsupportedError."""
        raise UnsupportedError("proofs are not made with rules=round, where a position can come back")

    def _so_far(self, graded: dict[Move, tuple[GradedMove, int]]) -> Analysis:
        # Of several wins the one that was found first is the best: its line cannot come back to the position itself.
        moves = sorted(graded.values(), key=lambda known: (known[0].goodness(), known[1]), reverse=True)
        return Analysis(
            position=self._position,
            moves=tuple(move for move, _ in moves),
            nodes=self._searcher.nodes,
            seconds=time.perf_counter() - self._began,
            stopped=self._searcher.stopped,
        )

    def _graded(self, move: Move) -> tuple[GradedMove, int]:
        """Return what a move is worth, and a number that is greater the better it is among moves of equal value."""
        after = self._position.play(move)
        if after.phase == "over":
            return GradedMove(move, Value.WIN, (move,)), 1
        value = self._solved(after)
        line = (move, *(self._line(after, value) if value.is_exact else ()))
        _, step = self._known(after)
        lower, upper = value.bounds
        graded = GradedMove(move, Value.from_bounds(-upper, -lower), line, repetition=value is Value.DRAW)
        return graded, -step if value is Value.LOSS else step

    def _solved(self, position: Position) -> Value:
        """Return the value of a position for the player to move, if the limits allow finding it."""
        self._searcher.solve(*self._state(position))
        return self._known(position)[0]

    def _known(self, position: Position) -> tuple[Value, int]:
        """Return the value of a position for the player to move, and when it was found."""
        value, step = self._searcher.known(*self._state(position))
        if value == 0 and not self._searcher.done:
            return Value.UNKNOWN, step
        return Value.from_bounds(value, value), step

    def _line(self, position: Position, value: Value) -> Line:
        """Return best play from a position on.

        Where a side wins, each move leads to a position whose value was found earlier, so that none comes again: the
        winner takes the one that was found first, the loser the last. A draw ends with the move that brings back a
        position of the line, the start of the search included.
        """
        line: list[Move] = []
        seen = {self._position, position}
        while position.phase != "over":
            wanted = Value.from_bounds(-value.bounds[1], -value.bounds[0])
            choices: list[tuple[int, int, Move, Position]] = []
            for move in position.legal_moves:
                after = position.play(move)
                if after.phase == "over":
                    return (*line, move)
                found, step = self._known(after)
                if found is wanted:
                    choices.append((step if wanted is Value.LOSS else -step, len(choices), move, after))
            repeated = [choice for choice in choices if choice[3] in seen]
            *_, move, position = min(repeated if repeated and value is Value.DRAW else choices)
            line.append(move)
            if value is Value.DRAW and position in seen:
                break
            seen.add(position)
            value = wanted
        return tuple(line)

    def _state(self, position: Position) -> tuple[int, int]:
        return self._set(position.hand_of(position.attacker)), self._set(pile(position))

    def _set(self, cards: Iterable[Card]) -> int:
        return sum(self._bits[card] for card in cards)


def _ordered(position: Position) -> list[Card]:
    """Return the cards in play so that none beats a later one."""
    cards = [*position.hands[0], *position.hands[1], *pile(position)]
    return sorted(cards, key=lambda card: (card.is_joker, card.suit == position.trump, card.rank_index, card))
