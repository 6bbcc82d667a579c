"""Sets of cards in one 64-bit word: four 16-bit lanes, one per suit; rank bits 0 (the two) to 12 (the ace).

One layout fits every deck, a mask of ranks spreads over all suits with one multiplication, and a whole suit is one
shift. Lane 0 is the trump suit where there is one.

The jokers are bit 13 of lanes 2 (red) and 3 (black): so they are one rank, but the suit of those lanes is not theirs.
"""

cdef extern from *:
    """
    #include <stdint.h>
    #define RARELY(condition) __builtin_expect(!!(condition), 0)
    """
    ctypedef unsigned long long u64 "uint64_t"
    int ctz "__builtin_ctzll"(u64 word) noexcept nogil
    int clz "__builtin_clz"(unsigned int word) noexcept nogil
    bint rarely "RARELY"(bint condition) noexcept nogil  # what it says is seldom true; better said to the compiler

cdef enum:
    LANE_BITS = 16
    RED_JOKER = 45    # the places of the jokers: bit 13 of lanes 2 and 3
    BLACK_JOKER = 61

cdef inline u64 lowest(u64 cards) noexcept nogil:
    """The lowest card of a set, as a set; 0 of none."""
    return cards & (0 - cards)

cdef inline unsigned int highest(unsigned int cards) noexcept nogil:
    """The highest card of a suit's lane, as a set; it must hold one."""
    return 0x80000000u >> clz(cards)

cdef inline int popcount(u64 cards) noexcept nogil:
    """How many cards (plain arithmetic: a popcnt instruction may not be assumed in a build for others)."""
    cards = cards - ((cards >> 1) & 0x5555555555555555u)
    cards = (cards & 0x3333333333333333u) + ((cards >> 2) & 0x3333333333333333u)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0Fu
    return <int> ((cards * 0x0101010101010101u) >> 56)

cdef inline bint several(u64 cards) noexcept nogil:
    """Are there two cards or more?"""
    return (cards & (cards - 1)) != 0

cdef inline u64 ranks_of(u64 cards) noexcept nogil:
    """The ranks of a set, in the lowest 16 bits."""
    cards |= cards >> 32
    return (cards | (cards >> 16)) & 0xFFFF

cdef inline u64 of_ranks(u64 ranks) noexcept nogil:
    """All cards of the given ranks."""
    return ranks * 0x0001000100010001u

cdef inline u64 lane(int number) noexcept nogil:
    """All bits of a lane."""
    return <u64> 0xFFFF << (LANE_BITS * number)

cdef inline u64 higher_in_suit(u64 card) noexcept nogil:
    """All higher cards of one card's suit. A joker is in no suit."""
    return ((<u64> 0x1FFF) << (ctz(card) & 48)) & (0 - (card << 1))

cdef inline u64 below_top(u64 cards) noexcept nogil:
    """In each suit, everything strictly below the set's highest card."""
    cards = (cards >> 1) & 0x7FFF7FFF7FFF7FFFu
    cards |= (cards >> 1) & 0x7FFF7FFF7FFF7FFFu
    cards |= (cards >> 2) & 0x3FFF3FFF3FFF3FFFu
    cards |= (cards >> 4) & 0x0FFF0FFF0FFF0FFFu
    return cards | ((cards >> 8) & 0x00FF00FF00FF00FFu)

cdef inline u64 above_bottom(u64 cards) noexcept nogil:
    """In each suit, everything strictly above the set's lowest card."""
    cards = (cards << 1) & 0xFFFEFFFEFFFEFFFEu
    cards |= (cards << 1) & 0xFFFEFFFEFFFEFFFEu
    cards |= (cards << 2) & 0xFFFCFFFCFFFCFFFCu
    cards |= (cards << 4) & 0xFFF0FFF0FFF0FFF0u
    return cards | ((cards << 8) & 0xFF00FF00FF00FF00u)

cdef inline int suits_at(u64 cards, int rank) noexcept nogil:
    """Which of the four suits hold a rank: bit k for lane k.

    The multiplication moves bits 0, 16, 32 and 48 to bits 48 to 51; all sixteen partial products fall on different
    bits, so nothing carries.
    """
    return <int> (((((cards >> rank) & 0x0001000100010001u) * 0x0001000200040008u) >> 48) & 15)
