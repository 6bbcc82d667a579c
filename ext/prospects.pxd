"""What a bout start promises: a small neural network guesses who wins it, and how long the proof of that is.

No value depends on the guess, only the order in which the proof-number search looks. The network has one hidden layer
of rectified linear units and integer weights, so that it says the same on every machine; tools/fit_prospects.py fits it
to solved bout starts and writes prospects.h. Its inputs are numbers that the trace normal form keeps.
"""

from bits cimport above_bottom, below_top, lowest, of_ranks, popcount, ranks_of, u64

cdef extern from *:
    """
    #include "prospects.h"

    static inline void durak_network(const short *inputs, int *outputs) {
        short hidden[HIDDEN];
        for (int i = 0; i < HIDDEN; i++) {
            int sum = 0;
            for (int k = 0; k < INPUTS; k++) sum += (int) first_weights[i][k] * inputs[k];
            sum = (sum + first_bias[i]) >> 4;
            hidden[i] = (short) (sum < 0 ? 0 : sum > 32767 ? 32767 : sum);
        }
        for (int i = 0; i < OUTPUTS; i++) {
            int sum = 0;
            for (int k = 0; k < HIDDEN; k++) sum += (int) second_weights[i][k] * hidden[k];
            outputs[i] = (sum + second_bias[i]) >> 8;
        }
    }
    """
    enum:
        INPUTS
        OUTPUTS
    void network "durak_network"(const short* inputs, int* outputs) noexcept nogil

cdef enum:
    SIDE_INPUTS = 24
    UNIT = 64           # of the outputs
    FULL_HAND = 6       # less than that limits how much may be thrown in

cdef enum:
    LOGIT               # of the leader's chance, natural
    WIN_LENGTH          # binary logarithm of the nodes that a proof takes if he wins
    LOSS_LENGTH         # the same if he does not

cdef inline void describe(u64 hand, u64 other, u64 trump, short* f) noexcept nogil:
    """The inputs for a hand that faces another. A card is safe if no card of the other hand beats it."""
    cdef u64 plain = hand & ~trump
    cdef u64 in_suit = hand & below_top(other)
    cdef u64 beatable = in_suit | (plain if other & trump else 0)
    cdef u64 safe = hand & ~beatable
    cdef u64 useful = above_bottom(other)
    cdef u64 ranks = ranks_of(hand), safe_ranks = ranks_of(safe)
    cdef u64 mine, his, card
    cdef int cards = popcount(hand), trumps = popcount(hand & trump), suit, beaters, spare
    cdef int risky = popcount(ranks_of(beatable) & ~safe_ranks)
    cdef int tops = 0, voids = 0, beaten_by_one = 0, pairs = 0, trump_pairs = 0
    for suit in range(4):
        mine = hand >> (16 * suit) & 0xFFFF
        his = other >> (16 * suit) & 0xFFFF
        tops += mine > his
        voids += his != 0 and mine == 0
        while mine:
            card = lowest(mine)
            mine &= mine - 1
            beaters = popcount(his & (0 - (card << 1)))
            beaten_by_one += beaters == 1
            pairs += beaters
            if suit == 0:
                trump_pairs += beaters
    spare = risky - popcount(other & trump)
    f[0] = <short> cards
    f[1] = <short> trumps
    f[2] = <short> popcount(ranks)
    f[3] = <short> popcount(safe)
    f[4] = <short> popcount(in_suit & plain)
    f[5] = <short> popcount(beatable & ~in_suit)             # only by a trump
    f[6] = <short> popcount(in_suit & trump)
    f[7] = <short> risky                                     # ranks without a safe card
    f[8] = <short> (pairs - trump_pairs)                     # of a plain card and one that beats it in its suit
    f[9] = <short> trump_pairs
    f[10] = <short> popcount(plain & ~useful)                # beat nothing in their suit
    f[11] = <short> popcount(other & of_ranks(ranks))        # cards of the other hand that open a throw-in
    f[12] = (hand & trump) > (other & trump)                 # has the highest trump
    f[13] = <short> (spare if spare > 0 else 0)              # risky ranks that the other hand's trumps do not answer
    f[14] = <short> (risky * cards)
    f[15] = <short> (risky * trumps)
    f[16] = <short> (trumps * popcount(other))
    f[17] = <short> tops                                     # suits with the highest card
    f[18] = <short> voids                                    # suits that only the other hand has
    f[19] = <short> beaten_by_one
    f[20] = <short> popcount(hand & of_ranks(safe_ranks))    # may be led, or given after a safe card
    f[21] = <short> popcount(hand & trump & ~useful)         # trumps that beat no trump
    f[22] = <short> (FULL_HAND - cards if cards < FULL_HAND else 0)
    f[23] = risky <= 1                                       # all but one rank can be shed safely

cdef inline void describe_both(u64 leader, u64 other, u64 trump, short* inputs) noexcept nogil:
    """All INPUTS for a bout start without a stock."""
    describe(leader, other, trump, inputs)
    describe(other, leader, trump, inputs + SIDE_INPUTS)

cdef inline void foresee(u64 leader, u64 other, u64 trump, int* outputs) noexcept nogil:
    """The outputs for a bout start without a stock, in units of 1 / UNIT."""
    cdef short inputs[INPUTS]
    describe_both(leader, other, trump, inputs)
    network(inputs, outputs)
