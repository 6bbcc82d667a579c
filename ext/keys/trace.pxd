"""The trace normal form: one key for all bout starts that the rules cannot tell apart.

With the options that are solved here the rules read only the order within a suit, the equality of ranks, which suit
is trump, and counts. So (1) ranks without a live card do not matter, (2) plain suits may be renamed, and (3) two
neighbouring ranks whose cards share no suit may be swapped: that changes the order within no suit and no equality of
ranks. The columns of a position (one per live rank: which suits, whose) are thus the letters of a trace (Cartier and
Foata, "Problemes combinatoires de commutation et rearrangements", 1969): columns that share no suit commute. In the
Foata normal form each column falls to the lowest layer in which it still lies above every earlier column that it
shares a suit with. The key is the walk over these layers, under the names of suits that layers.pxd settles, nine bits a
layer, so it is exact: equal keys are equal positions up to (1) to (3).
"""

from game.bits cimport BLACK_JOKER, RED_JOKER, u64
from keys.layers cimport ALL_ALIKE, MOST_LAYERS, PAIR_ALIKE, PLAIN_ALIKE, Step, Steps, list_layers, steps_init

cdef enum:
    LAYER_BITS = 9   # there are less than 512 layers
    LOW_LAYERS = 7   # in the low word of a key
    KEY_LAYERS = 11  # keys have 104 bits

cdef struct Key:
    u64 low
    u64 high              # 40 bits

cdef struct TraceTables:
    bint ready
    Steps steps
    unsigned int ternary[8192]       # the bits of a lane as the digits of a number to the base three

cdef inline bint trace_key(const TraceTables* t, u64 attacker_hand, u64 defender_hand, Key* key) noexcept nogil:
    """The key of a bout start without jokers; False if it has too many layers for one.

    With 36 cards none has, as no layer is without a rank of its own.
    """
    cdef unsigned short codes[MOST_LAYERS]
    cdef const Steps* steps = &t.steps
    cdef const Step* step
    cdef int renaming = 0, state = 0, i, n = list_layers(steps, attacker_hand, defender_hand, codes)
    if n > KEY_LAYERS:
        return False
    key.low = key.high = 0
    for i in range(n):
        step = &steps.step[state][steps.renamed[renaming][steps.layer_of[codes[i]]]]
        if i < LOW_LAYERS:
            key.low |= <u64> (step.row + 1) << (LAYER_BITS * i)
        else:
            key.high |= <u64> (step.row + 1) << (LAYER_BITS * (i - LOW_LAYERS))
        renaming = steps.composed[step.renaming][renaming]
        state = step.next
    return True

cdef inline void exact_key(u64 attacker_hand, u64 defender_hand, Key* key) noexcept nogil:
    """The hands as they are, for bout starts with a stock, whose cards keep ranks and suits apart."""
    cdef u64 defender = packed(defender_hand)
    key.low = packed(attacker_hand) | defender << 52
    key.high = defender >> 12

cdef inline u64 packed(u64 cards) noexcept nogil:
    """A set of cards in 52 bits: the lanes without the places of jokers."""
    return ((cards & 0x1FFF) | ((cards >> 16 & 0x1FFF) << 13) | ((cards >> 32 & 0x1FFF) << 26)
            | ((cards >> 48 & 0x1FFF) << 39))

cdef inline u64 lane_number(const TraceTables* t, u64 attacker_hand, u64 defender_hand, int lane) noexcept nogil:
    """Whose the cards of a suit are, in 21 bits."""
    return (t.ternary[attacker_hand >> (16 * lane) & 0x1FFF]
            + 2 * <u64> t.ternary[defender_hand >> (16 * lane) & 0x1FFF])

cdef inline u64 joker_bits(u64 cards) noexcept nogil:
    return (cards >> RED_JOKER & 1) | (cards >> BLACK_JOKER & 1) << 1

cdef inline void full_key(const TraceTables* t, u64 attacker_hand, u64 defender_hand, Key* key) noexcept nogil:
    """The hands as they are, jokers too, for bout starts where cards count by name."""
    key.low = (lane_number(t, attacker_hand, defender_hand, 0)
               | lane_number(t, attacker_hand, defender_hand, 1) << 21
               | lane_number(t, attacker_hand, defender_hand, 2) << 42)
    key.high = (lane_number(t, attacker_hand, defender_hand, 3)
                | joker_bits(attacker_hand) << 21 | joker_bits(defender_hand) << 23)

cdef inline void pile_key(u64 attacker_hand, unsigned int pile, Key* key) noexcept nogil:
    """One hand and the whole discard, which leave the other cards that are not in the stock for the other hand."""
    key.low = packed(attacker_hand) | joker_bits(attacker_hand) << 52
    key.high = pile

cdef inline void init_trace(TraceTables* t, int fixed_lanes) noexcept nogil:
    """Fill the tables, for rules under which the suits of the first 0 to 2 lanes may not be renamed."""
    cdef int code
    steps_init(&t.steps, ALL_ALIKE if fixed_lanes == 0 else PLAIN_ALIKE if fixed_lanes == 1 else PAIR_ALIKE)
    for code in range(8192):
        t.ternary[code] = 0 if not code else 3 * t.ternary[code >> 1] + (code & 1)
    t.ready = True
