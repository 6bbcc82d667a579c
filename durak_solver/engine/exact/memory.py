"""What exact searches remember from one position to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from durak_solver._core.distance import DistanceSearcher
from durak_solver._core.endings import Endings
from durak_solver._core.search import Searcher
from durak_solver.game.position import Position

_DISTANCE_SHARE: Final = 4  # the table of distances is smaller than that of values by this factor


class Memory:
    """What was proved so far, for the positions that are still to come.

    Parameters
    ----------
    table_bytes
        Size of the transposition table. That of distances is made when the first distance is asked for.
    endings
        Gives the endings tables that hold for a position, None if there are none.
    """

    def __init__(self, table_bytes: int, endings: Callable[[Position], Endings | None]) -> None:
        self.searcher = Searcher(table_bytes)
        self.endings = endings
        self._distances: DistanceSearcher | None = None

    @property
    def distances(self) -> DistanceSearcher:
        """The searcher of distances, which shares the limits of the search for values."""
        if self._distances is None:
            self._distances = DistanceSearcher(self.searcher, self.searcher.table_bytes // _DISTANCE_SHARE)
        return self._distances

    def clear(self) -> None:
        """Forget everything."""
        self.searcher.clear()
        if self._distances is not None:
            self._distances.clear()
