"""What a bout start without a stock is worth when it is too long to be solved: a guess, fitted to solved endings.

tools/fit/evaluation.py writes the weights; docs/evaluation.md says how good the guess is.
"""

from libc.math cimport tanh

from game.bits cimport above_bottom, below_top, popcount, ranks_of, u64

cdef extern from "generated/evaluation_weights.h":
    enum:
        TRAITS
        LOGIT_UNIT
        CONSTANT "EVALUATION_CONSTANT"
    const int leader_weights[TRAITS]
    const int other_weights[TRAITS]

cdef enum:
    FULL_HAND = 6   # less than that limits how much may be thrown in
    HIGH = 0x1C00   # queen, king and ace

cdef inline void list_traits(u64 hand, u64 other, u64 trump, int* t) noexcept nogil:
    """All that the guess goes by: a hand as it faces another. A card is safe if no card of the other hand beats it."""
    cdef u64 plain = hand & ~trump, trumps = hand & trump
    cdef u64 in_suit = hand & below_top(other)
    cdef u64 beatable = in_suit | (plain if other & trump else 0)
    cdef u64 useful = above_bottom(other)
    cdef int cards = popcount(hand), faced = popcount(other), held = popcount(trumps)
    cdef int risky = popcount(ranks_of(beatable) & ~ranks_of(hand & ~beatable)), spare = risky - popcount(other & trump)
    t[0] = FULL_HAND - cards if cards < FULL_HAND else 0
    t[1] = popcount(trumps & HIGH)
    t[2] = popcount(trumps & ~useful)            # that beat no trump of the other hand
    t[3] = popcount(beatable & ~in_suit)         # plain cards that only a trump of the other hand beats
    t[4] = popcount(plain & ~useful)             # that beat no card of the other hand in their suit
    t[5] = risky                                 # ranks held without a safe card: to shed them may cost the lead
    t[6] = risky <= 1                            # with the lead, this hand mostly wins by safe cards alone
    t[7] = spare if spare > 0 else 0             # risky ranks that the other hand's trumps do not answer
    t[8] = risky * cards
    t[9] = risky * held
    t[10] = held * cards
    t[11] = held * faced
    t[12] = (cards - held - popcount(ranks_of(plain))) * faced  # plain cards beyond the first of their rank

cdef inline double evaluate(u64 leader, u64 other, u64 trump) noexcept nogil:
    """The expected payoff for the leader of a bout start with the stock empty, from -1 to 1."""
    cdef int ours[TRAITS]
    cdef int theirs[TRAITS]
    cdef int i, logit = CONSTANT
    list_traits(leader, other, trump, ours)
    list_traits(other, leader, trump, theirs)
    for i in range(TRAITS):
        logit += leader_weights[i] * ours[i] + other_weights[i] * theirs[i]
    return tanh(logit / (2.0 * LOGIT_UNIT))
