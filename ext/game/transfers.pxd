"""Transfers: the defender passes the attack on, by a card of its rank or by showing the trump of that rank."""

from game.bits cimport lowest, of_ranks, popcount, u64
from game.records cimport draw_discard, lift, record_attack
from game.rules cimport Rules, SHORT_BITA, SHORT_LIMIT
from game.state cimport MOVE_SHOW, MOVE_TRANSFER, Move, State, attack_limit, live_cards

cdef inline bint can_answer(const State* s, const Rules* r, int attacks) noexcept nogil:
    """Can the attacker be made to answer a number of attack cards?"""
    cdef int held = popcount(s.attacker_hand)
    if held >= attacks:
        return True
    if r.short_hand == SHORT_LIMIT:
        return held > 0
    return r.short_hand == SHORT_BITA and live_cards(s) < r.deck

cdef inline int list_transfers(const State* s, const Rules* r, Move* out) noexcept nogil:
    """Write the legal transfers and shows of a defender who has beaten nothing, and return how many there are."""
    cdef int n = 0
    cdef u64 todo = 0, card
    if r.transfer and s.count < attack_limit(s, r) and can_answer(s, r, s.count + 1):
        todo = s.defender_hand & of_ranks(s.led)
    while todo:
        out[n] = Move(cards=lowest(todo), target=0, kind=MOVE_TRANSFER)
        todo &= todo - 1
        n += 1
    card = s.defender_hand & of_ranks(s.led) & r.trump
    if r.show and card and not s.shown & defender_bit(s) and popcount(s.attacker_hand) >= s.count:
        out[n] = Move(cards=card, target=0, kind=MOVE_SHOW)
        n += 1
    return n

cdef inline int defender_bit(const State* s) noexcept nogil:
    """The defender in `shown`."""
    return 2 >> s.attacker

cdef inline void swap_roles(State* s, const Rules* r) noexcept nogil:
    """The attacker becomes the defender of the same table, with a cap of their own."""
    cdef u64 hand = s.attacker_hand
    cdef int limit, held
    s.attacker_hand = s.defender_hand
    s.defender_hand = hand
    s.attacker ^= 1
    s.group = 0
    limit = attack_limit(s, r)
    held = popcount(hand)
    s.cap = <unsigned char> (limit if limit < held else held)

cdef inline void play_transfer(State* s, const Rules* r, u64 card) noexcept nogil:
    s.defender_hand &= ~card
    s.attacks |= card
    s.unbeaten |= card
    s.count += 1
    if r.short_hand == SHORT_BITA and popcount(s.attacker_hand) < s.count:
        s.attacker_hand |= draw_discard(s, r)
    swap_roles(s, r)
    record_attack(s, r, card, False)

cdef inline void play_show(State* s, const Rules* r) noexcept nogil:
    s.shown |= <unsigned char> defender_bit(s)
    swap_roles(s, r)

cdef inline bint draws_unknown(const State* s, const Rules* r, const Move* m) noexcept nogil:
    """Does a legal move take a card off the discard (short=bita) that is not known?"""
    cdef unsigned char lifted[64]
    cdef State under = s[0]
    if m.kind != MOVE_TRANSFER or r.short_hand != SHORT_BITA or popcount(s.attacker_hand) > s.count:
        return False
    lift(&under, r, s.attacks | s.defences, lifted)
    return under.pile == 0
