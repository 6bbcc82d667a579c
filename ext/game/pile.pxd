"""Piles of cards whose order matters: the discard, where short=bita takes cards from its top.

A pile is a number: 0 is the empty one, any other stands for a card laid on another pile. Equal piles have equal
numbers.
"""

from libc.stdlib cimport calloc, free, malloc

from game.bits cimport u64

cdef enum:
    FIRST_PILES = 1 << 8  # a power of two; the room doubles when half of it is used
    MOST_PILES = 1 << 30

cdef struct Piles:
    u64* nodes            # of each pile: the pile below << 8, and the place of its top card
    unsigned int* slots   # hash table of the piles by their nodes, with linear probing; 0 is free
    unsigned int used     # piles there are, the empty one too
    unsigned int kept     # piles that Python's states may stand for
    unsigned int room     # a power of two: slots there are, and twice the nodes
    bint full             # no memory was left: what has been laid since is wrong

cdef inline Piles* new_piles() noexcept nogil:
    """Only the empty pile; NULL if there is no memory."""
    cdef Piles* p = <Piles*> calloc(1, sizeof(Piles))
    if p == NULL:
        return NULL
    p.room = FIRST_PILES
    p.used = p.kept = 1
    p.nodes = <u64*> calloc(p.room // 2, sizeof(u64))
    p.slots = <unsigned int*> calloc(p.room, sizeof(unsigned int))
    if p.nodes == NULL or p.slots == NULL:
        free_piles(p)
        return NULL
    return p

cdef inline void free_piles(Piles* p) noexcept nogil:
    """Of NULL too."""
    if p != NULL:
        free(p.nodes)
        free(p.slots)
        free(p)

cdef inline unsigned int pile_slot(const Piles* p, u64 node) noexcept nogil:
    """Where a node is in the hash table, or the free slot where it belongs."""
    cdef unsigned int slot = <unsigned int> (node * 0x9E3779B97F4A7C15u >> 32) & (p.room - 1)
    while p.slots[slot] and p.nodes[p.slots[slot]] != node:
        slot = (slot + 1) & (p.room - 1)
    return slot

cdef inline bint grown(Piles* p) noexcept nogil:
    """Twice the room. False if there is no memory: then nothing has changed."""
    cdef unsigned int i
    cdef u64* nodes = <u64*> malloc(p.room * sizeof(u64))
    cdef unsigned int* slots = <unsigned int*> calloc(2 * <size_t> p.room, sizeof(unsigned int))
    if nodes == NULL or slots == NULL or p.room == MOST_PILES:
        free(nodes)
        free(slots)
        return False
    for i in range(p.used):
        nodes[i] = p.nodes[i]
    free(p.nodes)
    free(p.slots)
    p.nodes = nodes
    p.slots = slots
    p.room *= 2
    for i in range(1, p.used):
        p.slots[pile_slot(p, p.nodes[i])] = i
    return True

cdef inline unsigned int laid_on(Piles* p, unsigned int pile, int card) noexcept nogil:
    """A pile with a card, given by its place in a card set, laid on top."""
    cdef u64 node = <u64> pile << 8 | <u64> card
    cdef unsigned int slot = pile_slot(p, node)
    if p.slots[slot]:
        return p.slots[slot]
    if p.used == p.room // 2:
        if not grown(p):
            p.full = True
            return 0
        slot = pile_slot(p, node)
    p.nodes[p.used] = node
    p.slots[slot] = p.used
    p.used += 1
    return p.used - 1

cdef inline int top_card(const Piles* p, unsigned int pile) noexcept nogil:
    """The place of the top card of a pile that is not empty."""
    return <int> (p.nodes[pile] & 0xFF)

cdef inline unsigned int pile_under(const Piles* p, unsigned int pile) noexcept nogil:
    """A pile that is not empty, without its top card."""
    return <unsigned int> (p.nodes[pile] >> 8)

cdef inline void forget_piles(Piles* p, unsigned int used) noexcept nogil:
    """Forget the piles from a number on that no state of Python's stands for; those made last go first."""
    while p.used > used and p.used > p.kept:
        p.used -= 1
        p.slots[pile_slot(p, p.nodes[p.used])] = 0
