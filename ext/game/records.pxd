"""What a bout remembers besides its cards, where `Rules.records` is set: its straps, and the order of the discard."""

from game.bits cimport ctz, lane, popcount, u64
from game.pile cimport laid_on, pile_under, top_card
from game.rules cimport Rules
from game.state cimport State

cdef enum:
    NO_STRAPS = 0xFF     # a group with a card that hangs none; further straps given with it do not count either

cdef inline void record_attack(State* s, const Rules* r, u64 cards, bint given) noexcept nogil:
    """Attack cards have come to the table: a new group, but for cards that are given."""
    cdef int i
    cdef u64 card
    if r.straps:
        if not given:
            s.group = 0
        if cards & ~r.straps:
            s.group = NO_STRAPS
        elif s.group != NO_STRAPS:
            s.group += <unsigned char> popcount(cards)
    if r.piles != NULL:
        for i in range(4):
            card = cards & lane(r.suits[i])
            if card:
                s.pile = laid_on(r.piles, s.pile, ctz(card))

cdef inline int lift(State* s, const Rules* r, u64 cards, unsigned char* lifted) noexcept nogil:
    """Take the cards of a set off the pile down to the first that is none of them; return how many there were."""
    cdef int n = 0
    while s.pile and cards >> top_card(r.piles, s.pile) & 1:
        lifted[n] = <unsigned char> top_card(r.piles, s.pile)
        s.pile = pile_under(r.piles, s.pile)
        n += 1
    return n

cdef inline void lay_back(State* s, const Rules* r, const unsigned char* lifted, int n) noexcept nogil:
    """Put them back."""
    while n:
        n -= 1
        s.pile = laid_on(r.piles, s.pile, lifted[n])

cdef inline void record_beat(State* s, const Rules* r, u64 card, u64 target) noexcept nogil:
    """A card goes on the pile right after the attack card that it beats."""
    cdef unsigned char lifted[64]
    cdef int n = lift(s, r, (s.attacks | s.defences) & ~target, lifted)
    s.pile = laid_on(r.piles, s.pile, ctz(card))
    lay_back(s, r, lifted, n)

cdef inline void drop_table(State* s, const Rules* r) noexcept nogil:
    """The table does not go to the discard after all."""
    cdef unsigned char lifted[64]
    lift(s, r, s.attacks | s.defences, lifted)

cdef inline void put_aside(State* s, const Rules* r, u64 card) noexcept nogil:
    """A card goes straight to the discard, under the table."""
    cdef unsigned char lifted[64]
    cdef int n
    if r.piles != NULL:
        n = lift(s, r, s.attacks | s.defences, lifted)
        s.pile = laid_on(r.piles, s.pile, ctz(card))
        lay_back(s, r, lifted, n)

cdef inline u64 draw_discard(State* s, const Rules* r) noexcept nogil:
    """Take the top card of the discard; none if it is not known."""
    cdef unsigned char lifted[64]
    cdef int n
    cdef u64 card = 0
    if r.piles != NULL:
        n = lift(s, r, s.attacks | s.defences, lifted)
        if s.pile:
            card = <u64> 1 << top_card(r.piles, s.pile)
            s.pile = pile_under(r.piles, s.pile)
        lay_back(s, r, lifted, n)
    return card
