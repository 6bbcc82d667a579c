"""The bounds of a state's value, by questions that are each answered with yes or no."""

from game cimport moves
from game.state cimport State
from heuristics.network cimport LOGIT, OUTPUTS, foresee
from search.known cimport drawable
from search.move_order cimport leader_logit
from search.proofnumber cimport Prover, exceeds

cdef inline void find_bounds(Prover* v, const State* p, int* lower, int* upper) noexcept nogil:
    """Narrow the bounds of a state's value for its attacker until they meet, or the search is stopped.

    Two questions at most: less work than one search with an open window. First the one that is likely to be the last.
    """
    cdef int outputs[OUTPUTS]
    cdef int bound
    cdef bint more
    if p.phase == moves.LEAD and not p.stock_left:
        foresee(p.attacker_hand, p.defender_hand, v.s.rules.trump, outputs)
    else:
        outputs[LOGIT] = leader_logit(p.attacker_hand, p.defender_hand, v.s.rules.trump)
    bound = 0 if outputs[LOGIT] > 0 else -1
    while lower[0] < upper[0]:
        more = exceeds(v, p, bound)
        if v.s.stop:
            return
        if more:
            lower[0] = bound + 1
        else:
            upper[0] = bound
        if not drawable(p, &v.s.rules):
            lower[0] = 1 if more else -1
            upper[0] = lower[0]
        bound = lower[0] if lower[0] == 0 else -1
