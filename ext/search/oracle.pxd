"""A search lent to another module of the core: it answers questions about values, and keeps the limits of both."""

from game.state cimport State
from keys.trace cimport TraceTables

cdef struct Oracle:
    void* search
    const TraceTables* trace  # for its rules
    int* stop    # one of Stop; an answer of a search that has stopped is void
    int (*value)(void* search, const State* p, int bound) noexcept nogil  # for the attacker of `p`
    bint (*count_node)(void* search) noexcept nogil  # counts a node; False if the search is to stop
