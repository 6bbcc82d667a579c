"""Distances to the end of a won game, for Python; the search is in search/distance.pxd."""

cimport cython
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp

from durak_solver._core.search cimport Searcher
from durak_solver._core.state cimport State as PyState
from game cimport moves
from game.bits cimport u64
from game.rules cimport Rules
from game.state cimport State
from search.distance cimport (
    FIRST_ARENA, NEVER, Candidate, DistanceSearch, best_candidate, count_plies_or_bouts, exact_distance)
from search.distance_table cimport distances_allocate, distances_clear, distances_free
from search.limits cimport RUNNING


@cython.final
cdef class DistanceSearcher:
    """Measures won and lost positions, and remembers what it proved; not for two threads at once.

    Parameters
    ----------
    searcher
        Whose knowledge of values, limits and counter of nodes are used.
    table_bytes
        Memory for a table of its own, rounded down to a power of two of buckets.

    Raises
    ------
    MemoryError
        If there is not that much.
    """

    cdef DistanceSearch s
    cdef Searcher searcher
    cdef object discard  # what the numbers of piles in the table belong to
    cdef bint is_used

    def __cinit__(self, Searcher searcher not None, u64 table_bytes):
        self.searcher = searcher
        self.s.arena = <Candidate*> realloc(NULL, FIRST_ARENA * sizeof(Candidate))
        if not distances_allocate(&self.s.table, table_bytes) or self.s.arena == NULL:
            raise MemoryError("no memory for a search of distances")
        self.s.arena_size = FIRST_ARENA

    def __dealloc__(self):
        distances_free(&self.s.table)
        free(self.s.arena)

    def clear(self):
        """Forget everything."""
        if self.is_used:  # memory that was never touched stays so
            distances_clear(&self.s.table)
            self.is_used = False

    def plies(self, PyState state, int winner):
        """How many moves the game lasts, forced ones too, when the winner hurries and the loser delays.

        Parameters
        ----------
        state
            With an empty stock.
        winner
            The seat that is known to win.

        Returns
        -------
        int or None
            None if a limit of the searcher was reached.
        """
        return self.measure(state, winner, False)

    def bouts(self, PyState state, int winner):
        """How many bouts the game lasts, each counted when it ends; both sides go by bouts, not moves.

        Parameters and result as for `plies`.
        """
        return self.measure(state, winner, True)

    def line(self, PyState state, int winner):
        """A line of play, quickest for the winner and slowest for the loser, in plies; it ends early at a limit.

        Parameters as for `plies`; moves as `State.moves` gives them.
        """
        cdef State p = state.c
        cdef Candidate best
        cdef bint found
        cdef list result = []
        known = self.plies(state, winner)
        if known is None:
            return result
        cdef int left = known
        self.begin(state, winner, False)
        while p.phase != moves.OVER:
            with nogil:
                found = best_candidate(&self.s, &p, left, &best)
            if not found:
                break
            result.append((best.move.kind, best.move.cards, best.move.target))
            p = best.child
            left -= best.count
        self.searcher.finish()
        return result

    cdef measure(self, PyState state, int winner, bint bouts):
        """The distance of a state, None if a limit was reached."""
        cdef int found
        self.begin(state, winner, bouts)
        with nogil:
            found = exact_distance(&self.s, &state.c)
        self.searcher.finish()
        if self.s.search.stop != RUNNING:
            return None
        if found == NEVER:
            raise ValueError("the seat does not win")
        return found

    cdef begin(self, PyState state, int winner, bint bouts):
        """Set the rules and what is counted; `Searcher.finish` ends what this begins."""
        cdef Rules rules = state.rules.c
        cdef const Rules* r = &rules
        if state.c.stock_left:
            raise ValueError("the stock must be empty")
        if state.discard is not None:
            rules.piles = state.discard.c
        if memcmp(&self.s.rules, r, sizeof(Rules)) or state.discard is not self.discard:
            self.clear()
            self.s.rules = rules
            self.discard = state.discard
        self.is_used = True
        self.s.winner = winner
        self.s.top = 0
        count_plies_or_bouts(&self.s, bouts)
        self.searcher.prepare(state, None)
        self.s.search = &self.searcher.s
