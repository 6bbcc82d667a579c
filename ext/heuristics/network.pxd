"""What a bout start promises: a small neural network guesses who wins it, and how long the proof of that is.

No value depends on the guess, only the order in which the proof-number search looks. The network has one hidden layer
of rectified linear units and integer weights, so that it gives equal outputs on every machine; tools/fit/network.py
fits it to solved bout starts and writes the weights. What it sees of a position is what the trace normal form keeps:
numbers that describe it; of each suit, whose its cards are from the highest down; and of each rank, whose its cards are
and which of them a card of their suit beats. For each suit and each rank a row of weights is added to the hidden layer,
as in efficiently updatable networks of chess and shogi (Nasu, "Efficiently updatable neural-network-based evaluation
functions for computer shogi", 2018).
"""

from game.bits cimport below_top, ctz, highest, lowest, of_ranks, popcount, ranks_of, suits_at, u64

cdef extern from *:
    """
    #include "generated/network_weights.h"

    _Static_assert(INPUTS == 16 && OUTPUTS == 3 && ROWS == 2 * 1024 + 625, "network_weights.h is of another network");

    /* By itself, or the compiler puts the loop over the rows inside the one over the hidden layer. */
    __attribute__((noinline)) static void add_row(const short *restrict row, short *restrict sums) {
        for (int i = 0; i < HIDDEN; i++) sums[i] = (short) (sums[i] + row[i]);
    }

    static inline void durak_network(const short *inputs, const unsigned short *rows, int count, int *outputs) {
        short sums[HIDDEN];
        for (int i = 0; i < HIDDEN; i++) sums[i] = first_bias[i];
        for (int k = 0; k < INPUTS; k++)
            for (int i = 0; i < HIDDEN; i++) sums[i] = (short) (sums[i] + inputs[k] * first_weights[k * HIDDEN + i]);
        for (int r = 0; r < count; r++) add_row(row_weights + rows[r] * HIDDEN, sums);
        for (int i = 0; i < HIDDEN; i++) sums[i] = sums[i] > 0 ? sums[i] : 0;
        for (int i = 0; i < OUTPUTS; i++) {
            int sum = second_bias[i];
            for (int k = 0; k < HIDDEN; k++) sum += (int) second_weights[i * HIDDEN + k] * sums[k];
            outputs[i] = sum >> OUTPUT_SHIFT;
        }
    }
    """
    enum:
        INPUTS
        OUTPUTS
        ROWS  # of trumps, of a plain suit, of a rank
    void network "durak_network"(const short* inputs, const unsigned short* rows, int count,
                                 int* outputs) noexcept nogil

cdef enum:
    SIDE_INPUTS = 8
    UNIT = 64           # of the outputs
    FULL_HAND = 6       # less than that limits how much may be thrown in
    SUIT_CARDS = 9      # of a suit with more the highest count
    SUIT_ROWS = 1 << (SUIT_CARDS + 1)
    MOST_ROWS = 4 + 14  # four suits, thirteen ranks and the jokers

cdef enum:
    LOGIT               # of the leader's chance, natural
    WIN_LENGTH          # binary logarithm of the nodes that a proof takes if the leader wins
    LOSS_LENGTH         # the same if the leader does not

cdef inline void describe(u64 hand, u64 other, u64 trump, short* f) noexcept nogil:
    """The inputs for a hand that faces another. A card is safe if no card of the other hand beats it."""
    cdef u64 in_suit = hand & below_top(other)
    cdef u64 beatable = in_suit | (hand & ~trump if other & trump else 0)
    cdef u64 safe_ranks = ranks_of(hand & ~beatable)
    cdef int cards = popcount(hand), trumps = popcount(hand & trump)
    cdef int risky = popcount(ranks_of(beatable) & ~safe_ranks), spare = risky - popcount(other & trump)
    f[0] = <short> popcount(beatable & ~in_suit)             # only by a trump
    f[1] = <short> risky                                     # ranks without a safe card
    f[2] = <short> (spare if spare > 0 else 0)               # risky ranks that the other hand's trumps do not answer
    f[3] = <short> (risky * cards)
    f[4] = <short> (risky * trumps)
    f[5] = <short> (trumps * popcount(other))
    f[6] = <short> popcount(hand & of_ranks(safe_ranks))     # may be led, or given after a safe card
    f[7] = <short> (FULL_HAND - cards if cards < FULL_HAND else 0)

cdef inline void describe_both(u64 leader, u64 other, u64 trump, short* inputs) noexcept nogil:
    """All INPUTS for a bout start without a stock."""
    describe(leader, other, trump, inputs)
    describe(other, leader, trump, inputs + SIDE_INPUTS)

cdef inline int suit_row(unsigned int leader, unsigned int other) noexcept nogil:
    """Whose the cards of a suit are: a one, then a bit for each, the highest first."""
    cdef unsigned int live = leader | other, top
    cdef int row = 1
    while live and row < SUIT_ROWS >> 1:
        top = highest(live)
        row = 2 * row + (leader & top != 0)
        live ^= top
    return row

cdef inline int fives(int suits) noexcept nogil:
    """A set of suits as a number whose digits to the base five are 0 and 1."""
    return (suits & 1) + 5 * (suits >> 1 & 1) + 25 * (suits >> 2 & 1) + 125 * (suits >> 3)

cdef inline int list_rows(u64 leader, u64 other, u64 trump, unsigned short* rows) noexcept nogil:
    """The numbers of the rows for the suits and ranks of a bout start; returns how many."""
    cdef u64 beaten = leader & below_top(other) | other & below_top(leader)
    cdef u64 ranks = ranks_of(leader | other)
    cdef int suit, rank, row, n = 0
    for suit in range(4):
        row = suit_row(leader >> (16 * suit) & 0xFFFF, other >> (16 * suit) & 0xFFFF)
        rows[n] = <unsigned short> (row if trump >> (16 * suit) & 1 else SUIT_ROWS + row)
        n += 1
    while ranks:
        rank = ctz(ranks)
        ranks &= ranks - 1
        row = fives(suits_at(leader, rank)) + 3 * fives(suits_at(other, rank)) + fives(suits_at(beaten, rank))
        rows[n] = <unsigned short> (2 * SUIT_ROWS + row)
        n += 1
    return n

cdef inline void foresee(u64 leader, u64 other, u64 trump, int* outputs) noexcept nogil:
    """The outputs for a bout start without a stock, in units of 1 / UNIT."""
    cdef short inputs[INPUTS]
    cdef unsigned short rows[MOST_ROWS]
    describe_both(leader, other, trump, inputs)
    network(inputs, rows, list_rows(leader, other, trump, rows), outputs)
