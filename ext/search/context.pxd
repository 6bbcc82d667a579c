"""What the functions of a search share: what it looks for, what it has found, and its limits."""

from endings.endings cimport Endings
from game.bits cimport u64
from game.rules cimport Rules
from keys.trace cimport Key, TraceTables
from search.cycles cimport NOTHING, Visits, visits_pop
from search.table cimport Table

cdef struct Bout:
    u64 leader     # hands
    u64 other
    const u64* stock
    unsigned char stock_left
    unsigned char swapped
    unsigned char seat     # the leader's
    unsigned char kind     # of the key: 1 if it keeps the names of cards, and 2 if an end is asked for by the leader
    unsigned int pile
    Key key
    int lower      # what is proved of its value, for the leader
    int upper
    int score      # the higher, the better for the leader: only an ordering

cdef struct Search:
    Rules rules
    Table table        # bout starts with the stock empty, under their trace normal form
    Table deals        # bout starts of one deal with cards still to be drawn
    const TraceTables* trace
    const Endings* endings  # values of bout starts with few cards under these rules, or NULL
    bint used_endings  # has one of them been used since `start`?
    u64 variant        # which rules the table's keys belong to
    u64 deal           # which deal the keys of the table of deals belong to
    u64 nodes
    u64 node_limit
    u64 next_check     # number of nodes at which to look at the clock
    double deadline
    double next_signal_check
    int stop           # one of Stop, see limits.pxd; another thread may set it
    Visits visits      # where a position can come back
    const char* stack_top  # of the machine, where the search began
    int rests_on       # the first bout start of these that a no found since then rests on
    unsigned int rank_limit  # see `find_progress`; 0: it is not asked for
    int rank_cards     # cards that are left then, STOCK times, and those of them in the stock
    Bout* arena        # a stack of candidates, addressed by index because it may move
    int arena_size
    int top
    void* owner        # the Searcher
    void (*check_signals)(void* owner) noexcept nogil


cdef inline void begin_again(Search* s) noexcept nogil:
    """Leave what a search that was stopped was in the middle of."""
    s.top = 0
    visits_pop(&s.visits, 0)
    s.rests_on = NOTHING
