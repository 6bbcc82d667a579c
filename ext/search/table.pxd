"""The transposition table: proven bounds of bout starts, in a fixed piece of memory.

Sixteen bytes an entry, four entries (one cache line) a bucket. The whole key is stored, so a hit is never a
collision. The high word of an entry, from bit 0: 40 bits of key, 8 bits of variant (which rules, see `Searcher`), 2 +
2 bits of lower and upper bound plus one, 6 bits of depth (the logarithm of the work done for it), 6 bits of age.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from game.bits cimport rarely, u64
from keys.trace cimport Key
from search.memory cimport allocate, ask_for_huge_pages, prefetch

cdef enum:
    TABLE_BUCKET = 4
    VARIANT_SHIFT = 40
    BOUNDS_SHIFT = 48
    DEPTH_SHIFT = 52
    AGE_SHIFT = 58
    AGES = 64

cdef struct TableEntry:
    u64 low
    u64 high

cdef struct Table:
    void* memory
    TableEntry* entries   # aligned to cache lines
    u64 buckets      # a power of two, or 0: no table
    unsigned int* ranks  # of each entry: a number that grows from one stored win or loss to the next; or NULL
    unsigned int rank    # the last of them
    int age          # of the search that is running

cdef inline bint table_allocate(Table* t, u64 buckets) noexcept nogil:
    """Set aside zeroed memory; pages that are never touched cost nothing. False if there is not enough."""
    t.memory = NULL
    t.entries = NULL
    t.ranks = NULL
    t.rank = 0
    t.buckets = buckets
    t.age = 0
    if not buckets:
        return True
    t.entries = <TableEntry*> allocate(&t.memory, buckets * TABLE_BUCKET * sizeof(TableEntry))
    if t.entries == NULL:
        t.buckets = 0
    return t.entries != NULL

cdef inline void table_ask_for_huge_pages(Table* t) noexcept nogil:
    ask_for_huge_pages(t.entries, t.buckets * TABLE_BUCKET * sizeof(TableEntry))

cdef inline bint table_keep_ranks(Table* t) noexcept nogil:
    """Keep ranks from now on; False if there is not enough memory."""
    if t.ranks == NULL and t.buckets:
        t.ranks = <unsigned int*> calloc(t.buckets * TABLE_BUCKET, sizeof(int))
    return t.ranks != NULL or not t.buckets

cdef inline void table_clear(Table* t) noexcept nogil:
    if t.buckets:
        memset(t.entries, 0, t.buckets * TABLE_BUCKET * sizeof(TableEntry))

cdef inline void table_free(Table* t) noexcept nogil:
    free(t.memory)
    free(t.ranks)
    t.memory = NULL
    t.ranks = NULL
    t.buckets = 0

cdef inline TableEntry* table_bucket(const Table* t, const Key* key, u64 variant) noexcept nogil:
    cdef u64 h = (key.low ^ (key.high << 23) ^ (variant << 7)) * 0x9E3779B97F4A7C15u
    h ^= h >> 32
    h = (h ^ key.high) * 0xD6E8FEB86659FD93u
    return t.entries + TABLE_BUCKET * ((h >> 20) & (t.buckets - 1))

cdef inline void table_prefetch(const Table* t, const Key* key, u64 variant) noexcept nogil:
    """Begin to fetch what a probe will read."""
    if t.buckets:
        prefetch(table_bucket(t, key, variant))

cdef inline bint same_entry(const TableEntry* e, const Key* key, u64 variant) noexcept nogil:
    return e.low == key.low and (e.high & ((<u64> 1 << BOUNDS_SHIFT) - 1)) == (key.high | variant << VARIANT_SHIFT)

cdef inline bint table_probe(const Table* t, const Key* key, u64 variant, int* lower, int* upper) noexcept nogil:
    """Narrow the bounds to those stored for a key; False if there are none."""
    cdef TableEntry* e
    cdef int i
    if not t.buckets:
        return False
    e = table_bucket(t, key, variant)
    for i in range(TABLE_BUCKET):
        if same_entry(&e[i], key, variant):
            lower[0] = <int> (e[i].high >> BOUNDS_SHIFT & 3) - 1
            upper[0] = <int> (e[i].high >> (BOUNDS_SHIFT + 2) & 3) - 1
            return True
    return False

cdef inline unsigned int table_rank(const Table* t, const Key* key, u64 variant) noexcept nogil:
    """The rank of a bout start that is stored as won or lost; 0 if there is none."""
    cdef TableEntry* e
    cdef int i
    if not t.buckets or t.ranks == NULL:
        return 0
    e = table_bucket(t, key, variant)
    for i in range(TABLE_BUCKET):
        if same_entry(&e[i], key, variant):
            return t.ranks[&e[i] - t.entries]
    return 0

cdef inline int entry_worth(const Table* t, const TableEntry* e) noexcept nogil:
    """What losing an entry would cost: less the older it is and the less work it holds; an empty one costs nothing."""
    if not e.low:
        return -1000
    return <int> (e.high >> DEPTH_SHIFT & 63) - 8 * ((t.age - <int> (e.high >> AGE_SHIFT)) & (AGES - 1))

cdef inline void table_store(Table* t, const Key* key, u64 variant, int lower, int upper, u64 work) noexcept nogil:
    """Store bounds, in place of those of this key or of the entry that is worth least."""
    cdef TableEntry* e
    cdef TableEntry* victim
    cdef int i, depth = 0
    if not t.buckets:
        return
    while work > 1:
        work >>= 1
        depth += 1
    e = table_bucket(t, key, variant)
    victim = e
    for i in range(TABLE_BUCKET):
        if same_entry(&e[i], key, variant):
            victim = &e[i]
            break
        if entry_worth(t, &e[i]) < entry_worth(t, victim):
            victim = &e[i]
    if rarely(t.ranks != NULL):
        t.rank += 1
        t.ranks[victim - t.entries] = t.rank if lower == upper and lower else 0
    victim.low = key.low
    victim.high = (key.high | variant << VARIANT_SHIFT | <u64> (lower + 1) << BOUNDS_SHIFT
                   | <u64> (upper + 1) << (BOUNDS_SHIFT + 2) | <u64> depth << DEPTH_SHIFT | <u64> t.age << AGE_SHIFT)
