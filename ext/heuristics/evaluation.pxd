"""What a bout start without a stock is worth when it is too long to be solved: a guess, fitted to solved endings.

The weights are those that tools/fit_evaluation.py prints; docs/evaluation.md says how good the guess is.
"""

from libc.math cimport tanh

from game.bits cimport above_bottom, below_top, popcount, ranks_of, u64

cdef enum:
    FULL_HAND = 6   # less than that limits how much may be thrown in
    HIGH = 0x1C00   # queen, king and ace
    LOGIT_UNIT = 64

cdef enum:
    CONSTANT = 99
    LEADER_SHORT_OF_SIX = 33
    OTHER_SHORT_OF_SIX = -44
    LEADER_HIGH_TRUMPS = 27
    OTHER_HIGH_TRUMPS = -19
    LEADER_LOW_TRUMPS = -14
    OTHER_LOW_TRUMPS = 20
    LEADER_TRUMP_ONLY = 13
    OTHER_TRUMP_ONLY = -17
    LEADER_IDLE = -26
    OTHER_IDLE = 34
    LEADER_RISKY = -67
    OTHER_RISKY = 42
    LEADER_SHEDS = 162
    OTHER_SHEDS = -29
    LEADER_RISKY_UNANSWERED = 67
    OTHER_RISKY_UNANSWERED = -60
    LEADER_RISKY_TIMES_CARDS = 5
    OTHER_RISKY_TIMES_CARDS = -3
    LEADER_RISKY_TIMES_TRUMPS = -14
    OTHER_RISKY_TIMES_TRUMPS = 17
    LEADER_TRUMPS_TIMES_CARDS = 5
    OTHER_TRUMPS_TIMES_CARDS = -5
    LEADER_TRUMPS_TIMES_FACED = 18
    OTHER_TRUMPS_TIMES_FACED = -20
    LEADER_MATES_TIMES_FACED = 15
    OTHER_MATES_TIMES_FACED = -13

# All that the guess goes by: a hand as it faces another. A card is safe if no card of the other hand beats it.
cdef struct Traits:
    int short_of_six
    int high_trumps
    int low_trumps          # that beat no trump of the other hand
    int trump_only          # plain cards that only a trump of the other hand beats
    int idle                # plain cards that beat no card of the other hand in their suit
    int risky               # ranks held without a safe card: to shed them may cost the lead
    int sheds               # 1 if there is at most one: with the lead, this hand mostly wins by safe cards alone
    int risky_unanswered    # how many more they are than the other hand's trumps
    int risky_times_cards
    int risky_times_trumps
    int trumps_times_cards
    int trumps_times_faced  # trumps, times the cards of the other hand
    int mates_times_faced   # plain cards beyond the first of their rank, times the cards of the other hand

cdef inline Traits traits(u64 hand, u64 other, u64 trump) noexcept nogil:
    """Describe a hand that faces another."""
    cdef Traits t
    cdef u64 plain = hand & ~trump, trumps = hand & trump
    cdef u64 in_suit = hand & below_top(other)
    cdef u64 beatable = in_suit | (plain if other & trump else 0)
    cdef u64 useful = above_bottom(other)
    cdef int cards = popcount(hand), faced = popcount(other), held = popcount(trumps), spare
    t.short_of_six = FULL_HAND - cards if cards < FULL_HAND else 0
    t.high_trumps = popcount(trumps & HIGH)
    t.low_trumps = popcount(trumps & ~useful)
    t.trump_only = popcount(beatable & ~in_suit)
    t.idle = popcount(plain & ~useful)
    t.risky = popcount(ranks_of(beatable) & ~ranks_of(hand & ~beatable))
    t.sheds = t.risky <= 1
    spare = t.risky - popcount(other & trump)
    t.risky_unanswered = spare if spare > 0 else 0
    t.risky_times_cards = t.risky * cards
    t.risky_times_trumps = t.risky * held
    t.trumps_times_cards = held * cards
    t.trumps_times_faced = held * faced
    t.mates_times_faced = (cards - held - popcount(ranks_of(plain))) * faced
    return t

cdef inline double evaluate(u64 leader, u64 other, u64 trump) noexcept nogil:
    """The expected payoff for the leader of a bout start with the stock empty, from -1 to 1."""
    cdef Traits a = traits(leader, other, trump), b = traits(other, leader, trump)
    cdef int logit = CONSTANT
    logit += LEADER_SHORT_OF_SIX * a.short_of_six + OTHER_SHORT_OF_SIX * b.short_of_six
    logit += LEADER_HIGH_TRUMPS * a.high_trumps + OTHER_HIGH_TRUMPS * b.high_trumps
    logit += LEADER_LOW_TRUMPS * a.low_trumps + OTHER_LOW_TRUMPS * b.low_trumps
    logit += LEADER_TRUMP_ONLY * a.trump_only + OTHER_TRUMP_ONLY * b.trump_only
    logit += LEADER_IDLE * a.idle + OTHER_IDLE * b.idle
    logit += LEADER_RISKY * a.risky + OTHER_RISKY * b.risky
    logit += LEADER_SHEDS * a.sheds + OTHER_SHEDS * b.sheds
    logit += LEADER_RISKY_UNANSWERED * a.risky_unanswered + OTHER_RISKY_UNANSWERED * b.risky_unanswered
    logit += LEADER_RISKY_TIMES_CARDS * a.risky_times_cards + OTHER_RISKY_TIMES_CARDS * b.risky_times_cards
    logit += LEADER_RISKY_TIMES_TRUMPS * a.risky_times_trumps + OTHER_RISKY_TIMES_TRUMPS * b.risky_times_trumps
    logit += LEADER_TRUMPS_TIMES_CARDS * a.trumps_times_cards + OTHER_TRUMPS_TIMES_CARDS * b.trumps_times_cards
    logit += LEADER_TRUMPS_TIMES_FACED * a.trumps_times_faced + OTHER_TRUMPS_TIMES_FACED * b.trumps_times_faced
    logit += LEADER_MATES_TIMES_FACED * a.mates_times_faced + OTHER_MATES_TIMES_FACED * b.mates_times_faced
    return tanh(logit / (2.0 * LOGIT_UNIT))
