"""A state of the game and a move, as data, and what can be read off a state.

A state is seen from the bout: attacker and defender.
"""

from game.bits cimport ctz, of_ranks, popcount, ranks_of, u64
from game.rules cimport Rules

cdef enum Phase:
    LEAD
    DEFEND
    THROW
    GIVE
    OVER

cdef struct State:
    u64 attacker_hand
    u64 defender_hand
    u64 attacks          # attack cards on the table, beaten or not
    u64 defences         # the cards that beat them
    u64 unbeaten         # subset of attacks
    const u64* stock     # the cards to be drawn, the next one first; not owned by the state
    unsigned short led   # the led rank as `ranks_of` gives it; 0 on an empty table
    unsigned char stock_left
    unsigned char count  # attack cards on the table
    unsigned char cap    # most attack cards in this bout, fixed when it starts
    unsigned char phase
    unsigned char attacker  # seat, 0 or 1
    unsigned char swapped   # 1: the lowest trump lies in the place of the stock's last card
    # What follows stays 0 unless `Rules.records` is set.
    unsigned char shown  # who has transferred by showing in this bout: 1 seat 0, 2 seat 1, 3 both
    unsigned char group  # straps that the attacker's last group of cards would hang, or NO_STRAPS
    unsigned int pile    # the discard with the table on top, in the order in which it will lie there (see Rules.piles)

cdef enum MoveKind:
    MOVE_LEAD
    MOVE_BEAT
    MOVE_THROW_IN
    MOVE_GIVE            # throw in after "take"
    MOVE_TAKE
    MOVE_DONE
    MOVE_EXCHANGE
    MOVE_TRANSFER
    MOVE_SHOW            # transfer by showing a trump, which stays in the hand

cdef struct Move:
    u64 cards            # led, beating, thrown in, transferring or shown; none for take, done and exchange
    u64 target           # the attack card that is beaten
    int kind

cdef inline int live_cards(const State* s) noexcept nogil:
    """How many cards are not in the discard."""
    return popcount(s.attacker_hand | s.defender_hand | s.attacks | s.defences) + s.stock_left

cdef inline int attack_limit(const State* s, const Rules* r) noexcept nogil:
    """Most attack cards whatever the defender holds. The discard is empty exactly while every card is live."""
    if r.first_limit == r.limit:
        return r.limit
    return r.first_limit if live_cards(s) == r.deck else r.limit

cdef inline u64 turn_up(const State* s, const Rules* r) noexcept nogil:
    """The last card of the stock, which must not be empty."""
    return r.exchange if s.swapped else s.stock[s.stock_left - 1]

cdef inline u64 throwable(const State* s, const Rules* r) noexcept nogil:
    """Cards the attacker may throw in, give after "take", or (overflow) put straight on the discard."""
    if s.count >= s.cap and not (r.overflow and s.phase == THROW):
        return 0
    return s.attacker_hand & of_ranks(
        ranks_of((s.attacks | s.defences) & r.throw_table) | (s.led & r.throw_led))

cdef inline u64 leadable(const State* s, const Rules* r) noexcept nogil:
    """Cards the attacker may lead: those held back only from a hand without others."""
    cdef u64 others = s.attacker_hand & ~r.held_back
    return others if others else s.attacker_hand

cdef inline u64 beaters(const State* s, const Rules* r, u64 card) noexcept nogil:
    """The defender's cards that beat a card."""
    return s.defender_hand & r.beaten_by[ctz(card)]

cdef inline bint may_exchange(const State* s, const Rules* r) noexcept nogil:
    """Does the player to move hold the lowest trump while the turn-up still lies there? Once in a game at most."""
    return s.stock_left != 0 and ((s.defender_hand if s.phase == DEFEND else s.attacker_hand) & r.exchange) != 0
