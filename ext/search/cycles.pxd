"""Bout starts on the way of a search under rules that let a position come back.

The search asks yes-or-no questions: can a side force a win? A value of 0 that stands for "not that I know" never makes
a yes wrong, since a win forced without help of such an answer is forced. A no may be wrong if it rests on one. So the
search keeps, beside the table of what is proved, a stack of the bout starts it has entered: those still open, which lie
on its path, and those it has left with a no that rests on an open one.

- An open bout start that is met again counts as a no for the time being.
- If a bout start turns out to be a yes, what was entered after it is forgotten: it may rest on the no it stood for.
- If it turns out to be a no that rests on nothing entered before it, then it and all that was entered after it are
  noes for good: each move of the side that asks, in each of them, leads to a no of this set or to a proved no, and for
  each of them the other side has a move that does. So that side can stay among noes for ever, and never loses. This is
  the least fixed point: the strongly connected components of Tarjan ("Depth-first search and linear graph algorithms",
  1972) are closed one by one, as in the evaluation of recursive rules with tables (Chen and Warren, "Tabled evaluation
  with delaying for general logic programs", 1996).

Each yes is kept in the table, so what is forgotten is looked at again no more often than there are yeses.
"""

from libc.stdlib cimport free, malloc, realloc

from game.bits cimport u64
from keys.trace cimport Key

cdef enum:
    FIRST_VISITS = 1 << 10   # a power of two
    MOST_VISITS = 1 << 26
    NOTHING = 0x7FFFFFFF     # rests on no open bout start

cdef struct Visit:
    Key key
    u64 tag        # which rules or deal, and which question
    int rests_on   # the first bout start on the stack that its no rests on; void while it is open
    int slot       # where it is in the hash table
    bint is_open

cdef struct Visits:
    Visit* stack
    int* slots     # hash table with linear probing: place on the stack plus one, or 0
    int top
    int room       # of the stack, a power of two; the hash table has twice as much

cdef inline void visits_free(Visits* v) noexcept nogil:
    free(v.stack)
    free(v.slots)
    v.stack = NULL
    v.slots = NULL
    v.room = v.top = 0

cdef inline int visits_slot(const Visits* v, const Key* key, u64 tag) noexcept nogil:
    """Where a bout start is in the hash table, or the free slot where it belongs."""
    cdef int mask = 2 * v.room - 1, slot
    cdef u64 h = (key.low ^ (key.high << 23) ^ (tag << 7)) * 0x9E3779B97F4A7C15u
    cdef const Visit* e
    h = (h ^ (h >> 32) ^ key.high ^ tag) * 0xD6E8FEB86659FD93u
    slot = <int> ((h >> 32) & <u64> mask)
    while v.slots[slot]:
        e = &v.stack[v.slots[slot] - 1]
        if e.key.low == key.low and e.key.high == key.high and e.tag == tag:
            break
        slot = (slot + 1) & mask
    return slot

cdef inline int visits_find(const Visits* v, const Key* key, u64 tag) noexcept nogil:
    """The place of a bout start on the stack, or -1."""
    return v.slots[visits_slot(v, key, tag)] - 1 if v.room else -1

cdef inline bint visits_grow(Visits* v) noexcept nogil:
    """Twice the room; False if there is no memory."""
    cdef int room = 2 * v.room if v.room else FIRST_VISITS, i
    cdef Visit* stack
    cdef int* slots
    if room > MOST_VISITS:
        return False
    stack = <Visit*> realloc(v.stack, room * sizeof(Visit))
    if stack == NULL:
        return False
    v.stack = stack
    slots = <int*> malloc(2 * <size_t> room * sizeof(int))
    if slots == NULL:
        return False
    free(v.slots)
    v.slots = slots
    v.room = room
    for i in range(2 * room):
        slots[i] = 0
    for i in range(v.top):
        v.stack[i].slot = visits_slot(v, &v.stack[i].key, v.stack[i].tag)
        slots[v.stack[i].slot] = i + 1
    return True

cdef inline int visits_push(Visits* v, const Key* key, u64 tag) noexcept nogil:
    """Enter a bout start that is not on the stack; returns its place, -1 if there is no memory."""
    cdef Visit* e
    if v.top == v.room and not visits_grow(v):
        return -1
    e = &v.stack[v.top]
    e.key = key[0]
    e.tag = tag
    e.is_open = True
    e.slot = visits_slot(v, key, tag)
    v.top += 1
    v.slots[e.slot] = v.top
    return v.top - 1

cdef inline void visits_pop(Visits* v, int top) noexcept nogil:
    """Forget what was entered from a place on. The last entered go first, so no chain of the hash table is cut."""
    while v.top > top:
        v.top -= 1
        v.slots[v.stack[v.top].slot] = 0

cdef inline int foundation(const Visits* v, int place) noexcept nogil:
    """The first open bout start that an answer taken from a place of the stack rests on."""
    while not v.stack[place].is_open:
        place = v.stack[place].rests_on
    return place
