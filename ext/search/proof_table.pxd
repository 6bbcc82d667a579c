"""The table of proof-number search: proof and disproof numbers of states, in a fixed piece of memory.

The whole state and the question are stored, so a hit is never a collision.
"""

from libc.stdlib cimport free
from libc.string cimport memset

from game.bits cimport u64
from search.memory cimport allocate, ask_for_huge_pages, prefetch

cdef extern from *:
    ctypedef unsigned int u32 "uint32_t"

cdef enum:
    PROOF_BUCKET = 4  # entries that share a place

cdef struct Proof:
    u64 words[4]     # the state and the question
    u32 pn
    u32 dn
    u64 work         # nodes; 0 if the numbers are a first guess

cdef struct ProofTable:
    void* memory
    Proof* proofs    # aligned to cache lines
    u64 buckets      # a power of two, or 0: no table
    bint is_used     # has anything been stored?
    bint is_huge     # have huge pages been asked for?

cdef inline bint proofs_allocate(ProofTable* t, u64 buckets) noexcept nogil:
    """Set aside zeroed memory; pages that are never touched cost nothing. False if there is not enough."""
    t.is_used = t.is_huge = False
    t.buckets = buckets
    t.memory = NULL
    t.proofs = NULL
    if buckets:
        t.proofs = <Proof*> allocate(&t.memory, buckets * PROOF_BUCKET * sizeof(Proof))
    return t.proofs != NULL or not buckets

cdef inline void proofs_ask_for_huge_pages(ProofTable* t) noexcept nogil:
    t.is_huge = True
    ask_for_huge_pages(t.proofs, t.buckets * PROOF_BUCKET * sizeof(Proof))

cdef inline void proofs_clear(ProofTable* t) noexcept nogil:
    if t.is_used:
        memset(t.proofs, 0, t.buckets * PROOF_BUCKET * sizeof(Proof))
    t.is_used = False

cdef inline void proofs_free(ProofTable* t) noexcept nogil:
    free(t.memory)
    t.memory = NULL
    t.proofs = NULL
    t.buckets = 0

cdef inline Proof* proofs_bucket(const ProofTable* t, const u64* words) noexcept nogil:
    cdef u64 h = words[0] * 0x9E3779B97F4A7C15u
    h = (h ^ (h >> 29) ^ words[1]) * 0xD6E8FEB86659FD93u
    h = (h ^ (h >> 31) ^ words[2]) * 0xBF58476D1CE4E5B9u
    h = (h ^ (h >> 30) ^ words[3]) * 0x94D049BB133111EBu
    return t.proofs + PROOF_BUCKET * ((h >> 24) & (t.buckets - 1))

cdef inline void proofs_prefetch(const ProofTable* t, const u64* words) noexcept nogil:
    """Begin to fetch what `proofs_find` will read."""
    cdef const char* bucket = <const char*> proofs_bucket(t, words)
    prefetch(bucket)
    prefetch(bucket + 64)
    prefetch(bucket + 128)

cdef inline bint same_words(const Proof* e, const u64* words) noexcept nogil:
    return (e.words[0] == words[0] and e.words[1] == words[1] and e.words[2] == words[2]
            and e.words[3] == words[3])

cdef inline Proof* proofs_find(const ProofTable* t, const u64* words) noexcept nogil:
    """The entry of a state, or NULL."""
    cdef Proof* e = proofs_bucket(t, words)
    cdef int i
    for i in range(PROOF_BUCKET):
        if same_words(&e[i], words):
            return &e[i]
    return NULL

cdef inline void proofs_store(ProofTable* t, const u64* words, u32 pn, u32 dn, u64 work) noexcept nogil:
    """Store numbers, in place of those of this state or of the entry with the least work."""
    cdef Proof* e = proofs_bucket(t, words)
    cdef Proof* victim = e
    cdef int i
    t.is_used = True
    for i in range(PROOF_BUCKET):
        if same_words(&e[i], words):
            victim = &e[i]
            work += victim.work
            break
        if e[i].work < victim.work:
            victim = &e[i]
    for i in range(4):
        victim.words[i] = words[i]
    victim.pn = pn
    victim.dn = dn
    victim.work = work
