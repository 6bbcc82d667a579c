"""A table of proven distances of bout starts (see distance.pxd), in a fixed piece of memory.

It stands apart from the transposition table of values, whose entries have no room for numbers. The whole key is stored,
so a hit is never a collision.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from game.bits cimport u64
from keys.trace cimport Key

cdef enum:
    BUCKET = 4  # entries that share a place

cdef struct DistanceEntry:
    u64 low
    u64 high
    unsigned short lower
    unsigned short upper
    unsigned int work      # nodes it took, the measure of what losing it would cost

cdef struct DistanceTable:
    DistanceEntry* entries
    u64 buckets            # a power of two, or 0: no table

cdef inline bint distances_allocate(DistanceTable* t, u64 table_bytes) noexcept nogil:
    """Set aside zeroed memory; pages that are never touched cost nothing. False if there is not enough."""
    cdef u64 size = BUCKET * sizeof(DistanceEntry)
    t.buckets = 1 if table_bytes >= size else 0
    while t.buckets and 2 * t.buckets * size <= table_bytes:
        t.buckets *= 2
    t.entries = <DistanceEntry*> calloc(t.buckets * BUCKET + 1, sizeof(DistanceEntry))
    return t.entries != NULL

cdef inline void distances_clear(DistanceTable* t) noexcept nogil:
    memset(t.entries, 0, t.buckets * BUCKET * sizeof(DistanceEntry))

cdef inline void distances_free(DistanceTable* t) noexcept nogil:
    free(t.entries)
    t.entries = NULL

cdef inline DistanceEntry* distances_bucket(const DistanceTable* t, const Key* key) noexcept nogil:
    cdef u64 h = (key.low ^ (key.high << 23)) * 0x9E3779B97F4A7C15u
    h ^= h >> 32
    h = (h ^ key.high) * 0xD6E8FEB86659FD93u
    return t.entries + BUCKET * ((h >> 20) & (t.buckets - 1))

cdef inline void distances_probe(const DistanceTable* t, const Key* key, int* lower, int* upper) noexcept nogil:
    """Narrow bounds to those in the table, if it has any."""
    cdef DistanceEntry* e
    cdef int i
    if not t.buckets:
        return
    e = distances_bucket(t, key)
    for i in range(BUCKET):
        if e[i].low == key.low and e[i].high == key.high:
            if e[i].lower > lower[0]:
                lower[0] = e[i].lower
            if e[i].upper < upper[0]:
                upper[0] = e[i].upper
            return

cdef inline void distances_store(const DistanceTable* t, const Key* key, int lower, int upper, u64 work) noexcept nogil:
    """Store bounds, in place of the same key or of the entry that took the least work."""
    cdef DistanceEntry* e
    cdef DistanceEntry* victim
    cdef int i
    if not t.buckets:
        return
    e = distances_bucket(t, key)
    victim = e
    for i in range(BUCKET):
        if e[i].low == key.low and e[i].high == key.high:
            victim = &e[i]
            work += victim.work
            break
        if e[i].work < victim.work:
            victim = &e[i]
    if victim.low != key.low or victim.high != key.high:
        for i in range(BUCKET):
            e[i].work -= e[i].work >> 4  # or what was much work would stay for ever
    victim.low = key.low
    victim.high = key.high
    victim.lower = <unsigned short> lower
    victim.upper = <unsigned short> upper
    victim.work = <unsigned int> (work if work < 0xFFFFFFFFu else 0xFFFFFFFFu)
