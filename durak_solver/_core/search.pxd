"""The extension type of search.pyx, for the other modules of the core."""

from durak_solver._core.endings cimport Endings
from durak_solver._core.state cimport State
from game.bits cimport u64
from game.state cimport Move, State as CState
from search.context cimport Search
from search.proofnumber cimport Prover

cdef class Searcher:
    cdef Search s
    cdef Prover prover
    cdef Endings endings
    cdef object error     # what a signal handler raised
    cdef dict variants    # numbers in the keys of the tables, by the rules and what is asked: see `prepare`
    cdef object discard   # what the numbers of piles in the tables belong to
    cdef tuple deal       # what the table of deals belongs to: the rules' variant and the stock
    cdef u64 all_nodes    # limit that all calls since `start` share
    cdef void prepare(self, State state, budget, int straps=*, int finisher=*) except *
    cdef void open_deal(self, State state) except *
    cdef void finish(self) except *
    cdef void check_signals(self) noexcept
    cdef unsigned int rank_of(self, State state, const CState* p, int straps) except *
    cdef bint keep_value(self, State state, const CState* p, int value, int straps, unsigned int limit, int left,
                         Move* move) except *
