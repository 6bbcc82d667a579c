"""The endings table: the values of all bout starts with few live cards, by their place in the index.

Two bits a bout start: its value for the leader plus one. For each number of cards one block of bytes, in it a section
for each number of cards that the leader holds, which begins with a byte of its own.
"""

from game.bits cimport popcount, u64
from game.rules cimport Rules
from keys.index cimport Index, MOST_CARDS, index_count, index_rank

cdef enum:
    ABSENT = 2      # no value: what the table does not hold

cdef struct Endings:
    Index index
    Rules rules                                    # for which the values hold
    bint who_can_end                               # not values but who can force an end, see survey.pyx
    const unsigned char* values[MOST_CARDS + 1]    # for each number of cards, or NULL; not owned
    u64 sections[MOST_CARDS + 1][MOST_CARDS + 1]   # first byte, by cards and the leader's cards; last: the size
    int largest                                    # number of cards with values

cdef inline void endings_layout(Endings* e) noexcept nogil:
    """Where the sections lie."""
    cdef int total, leaders
    cdef u64 size
    for total in range(MOST_CARDS + 1):
        e.values[total] = NULL
        size = 0
        e.sections[total][0] = 0
        for leaders in range(1, total):
            e.sections[total][leaders] = size
            size += (index_count(&e.index, total, leaders) + 3) >> 2
        e.sections[total][total] = size
    e.largest = 0
    e.who_can_end = False

cdef inline bint same_endings(const Rules* a, const Rules* b) noexcept nogil:
    """Are the endings worth the same under both rules?

    With the stock empty nobody draws or exchanges, so `hand` and `exchange` do not matter. `first` counts while the
    discard is empty, which is never with twelve cards left: the smallest deck has 24. The deck itself matters no more
    than its ranks do. What the rules say of single cards does not matter here: no bout start is looked up where they
    do (`names_matter`). `single_leads` and the like follow from the rest.
    """
    return (a.trump == b.trump and a.throw_table == b.throw_table and a.throw_led == b.throw_led
            and a.limit == b.limit and a.both_empty == b.both_empty and a.lead_many == b.lead_many
            and a.pursuit == b.pursuit and a.transfer == b.transfer and a.show == b.show
            and a.short_hand == b.short_hand and a.overflow == b.overflow and a.fixed_lanes == b.fixed_lanes)

cdef inline int endings_probe(const Endings* e, u64 leader, u64 other) noexcept nogil:
    """Value of a bout start without a stock for its leader, or ABSENT. Both hands must hold cards."""
    cdef int leaders = popcount(leader), total = leaders + popcount(other)
    cdef u64 number
    if total > e.largest or e.values[total] == NULL:
        return ABSENT
    number = index_rank(&e.index, leader, other)
    return <int> (e.values[total][e.sections[total][leaders] + (number >> 2)] >> (2 * (number & 3)) & 3) - 1
