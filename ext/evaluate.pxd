"""A guess at who wins a bout start, for ordering only: no value ever depends on it.

The logit of the leader's chance, times 64, linear in a handful of counts. The weights were fitted by logistic regression
to solved positions.
"""

from bits cimport below_top, popcount, ranks_of, several, u64

cdef inline int evaluate(u64 leader, u64 other, u64 trump) noexcept nogil:
    cdef u64 leader_top = below_top(leader), other_top = below_top(other)
    cdef u64 covered = leader & other_top, covered2 = other & leader_top
    cdef u64 free_ = leader & ~other_top, free2 = other & ~leader_top
    cdef u64 beat = covered, beat2 = covered2
    cdef int n = popcount(leader), m = popcount(other), score
    if other & trump:
        beat |= leader & ~trump
    if leader & trump:
        beat2 |= other & ~trump
    score = 109 - 25 * n + 21 * m
    score += 142 * popcount(leader & trump) - 119 * popcount(other & trump)
    score += 54 * popcount(beat & ~covered) - 26 * popcount(beat2 & ~covered2)
    score += 47 * popcount(leader & ~beat) - 44 * popcount(other & ~beat2)
    score -= 45 * popcount(ranks_of(beat) & ~ranks_of(leader & ~beat))
    score += 36 * popcount(ranks_of(beat2) & ~ranks_of(other & ~beat2))
    if (leader & trump) > (other & trump):
        score -= 166
    return score
