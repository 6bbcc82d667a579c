"""The value of one bout start, out of those of the bout starts that can follow it: a search of one bout.

With yes or no for an answer, and values for what ends the bout from the endings table.
"""

from endings.endings cimport Endings, endings_probe
from game cimport moves
from game.bits cimport lowest, popcount, u64
from game.state cimport Move, State
from keys.index cimport MOST_CARDS
from search.move_order cimport RatedCard, list_attacks
from search.pruning cimport beats_and_closes, card_to_beat, next_gift, next_lead
from search.static_win cimport sheds


# --- One bout of the usual rules --------------------------------------------------------------------------------------
# The same questions as in alphabeta.pxd, does the attacker reach a value, with the pruning of pruning.pxd.

cdef inline bint ended_reaches(const Endings* e, const State* before, const State* p, int target) noexcept nogil:
    """Does a state that has ended a bout reach a value for the attacker of a state before?"""
    cdef int value
    if p.phase == moves.OVER:
        return moves.final_value(p, &e.rules) >= target
    if sheds(p.attacker_hand, p.defender_hand, &e.rules, e.rules.limit):
        value = 1  # often so, and quicker than a look-up
    else:
        value = endings_probe(e, p.attacker_hand, p.defender_hand)
    return (value if p.attacker == before.attacker else -value) >= target


cdef inline bint take_reaches(const Endings* e, const State* p, int target) noexcept nogil:
    """After "take": does any set of cards to give reach the value?"""
    cdef State child
    cdef u64 cards = 0, gift = 0
    if p.phase == moves.GIVE:
        cards = moves.throwable(p, &e.rules)
    while True:
        gift = next_gift(p, cards, gift)
        child = p[0]
        if p.phase == moves.GIVE:
            moves.give_all(&child, &e.rules, gift)
        if ended_reaches(e, p, &child, target):
            return True
        if not gift:
            return False


cdef inline bint defend_reaches(const Endings* e, const State* p, int target) noexcept nogil:
    """Does every answer of the defender?"""
    cdef State child
    cdef u64 card, opening = 0, options = moves.beaters(p, &e.rules, card_to_beat(p))
    while options:
        card = lowest(options)
        options &= options - 1
        if beats_and_closes(p, &e.rules, card, &child):
            if not ended_reaches(e, p, &child, target):
                return False
        else:
            opening |= card
    child = p[0]
    moves.play_take(&child, &e.rules)
    if not take_reaches(e, &child, target):
        return False
    while opening:
        beats_and_closes(p, &e.rules, lowest(opening), &child)
        opening &= opening - 1
        if not (defend_reaches(e, &child, target) if child.phase == moves.DEFEND
                else throw_reaches(e, &child, target)):
            return False
    return True


cdef inline bint throw_reaches(const Endings* e, const State* p, int target) noexcept nogil:
    cdef State child = p[0]
    cdef u64 cards = moves.throwable(p, &e.rules)
    moves.play_done(&child, &e.rules)
    if ended_reaches(e, p, &child, target):
        return True
    while cards:
        child = p[0]
        moves.play_throw(&child, &e.rules, lowest(cards))
        cards &= cards - 1
        if defend_reaches(e, &child, target):
            return True
    return False


cdef inline bint lead_reaches(const Endings* e, const State* p, int target) noexcept nogil:
    cdef State child
    cdef RatedCard list[MOST_CARDS]
    cdef u64 group
    cdef int i
    for i in range(list_attacks(p, &e.rules, moves.leadable(p, &e.rules), list)):
        child = p[0]
        moves.play_lead(&child, &e.rules, list[i].card)
        if defend_reaches(e, &child, target):
            return True
    group = next_lead(p, &e.rules, 0, 2)
    while group:
        child = p[0]
        moves.play_lead(&child, &e.rules, group)
        if defend_reaches(e, &child, target):
            return True
        group = next_lead(p, &e.rules, group, 2)
    return False


cdef inline void begin_bout(const Endings* e, u64 leader, u64 other, State* p) noexcept nogil:
    p.attacker_hand = leader
    p.defender_hand = other
    p.stock = NULL
    p.stock_left = 0
    p.swapped = 0
    p.attacker = 0
    moves.start_bout(p, &e.rules)


# --- One bout of other rules ------------------------------------------------------------------------------------------
# Nothing is left out here: the proofs of what the search of the usual rules leaves out do not all hold.

cdef enum:
    DRAWN = 1    # how a value of 0 is stored
    BOTH = 3     # both can force an end


cdef inline bint wanted(const Endings* e, const State* p, int seat) noexcept nogil:
    """Is a state that has ended a bout known to be won by a seat, or to be one from which it can force an end?"""
    cdef int value
    if p.phase == moves.OVER:
        value = moves.final_value(p, &e.rules)
        return (value == 0 and e.who_can_end) or value == (1 if p.attacker == seat else -1)
    value = endings_probe(e, p.attacker_hand, p.defender_hand)
    if e.who_can_end:
        return value + 1 >> (p.attacker != seat) & 1
    return value == (1 if p.attacker == seat else -1)


cdef inline bint forces(const Endings* e, const State* p, int seat) noexcept nogil:
    """Can a seat see to it that the bout ends with what it wants?"""
    cdef Move found[moves.MAX_MOVES]
    cdef State child
    cdef bint chooses = seat == (1 - p.attacker if p.phase == moves.DEFEND else p.attacker)
    cdef int i, n = moves.list_moves(p, &e.rules, found), unclear = 0
    for i in range(n):
        child = p[0]
        moves.play(&child, &e.rules, &found[i])
        if child.phase != moves.LEAD and child.phase != moves.OVER:
            found[unclear] = found[i]
            unclear += 1
        elif wanted(e, &child, seat) == chooses:
            return chooses
    for i in range(unclear):
        child = p[0]
        moves.play(&child, &e.rules, &found[i])
        if forces(e, &child, seat) == chooses:
            return chooses
    return not chooses


cdef inline int found_out(const Endings* e, u64 leader, u64 other, int known) noexcept nogil:
    """The new entry of a bout start with a known one; the leader is seat 0."""
    cdef State p
    if known == BOTH or (known != DRAWN and not e.who_can_end):
        return known
    begin_bout(e, leader, other, &p)
    if e.who_can_end:
        if not known & 1 and forces(e, &p, 0):
            known |= 1
        if not known & 2 and forces(e, &p, 1):
            known |= 2
        return known
    return 2 if forces(e, &p, 0) else 0 if forces(e, &p, 1) else DRAWN


# --- Values -----------------------------------------------------------------------------------------------------------

cdef inline int bout_value(const Endings* e, u64 leader, u64 other) noexcept nogil:
    """Value of a bout start for its leader, out of the values of what follows the bout.

    With an odd number of cards the usual rules know no draw (see `drawable` in known.pxd).
    """
    cdef State p
    if not e.rules.classic:
        return found_out(e, leader, other, DRAWN) - 1
    if sheds(leader, other, &e.rules, e.rules.limit):
        return 1
    begin_bout(e, leader, other, &p)
    if lead_reaches(e, &p, 1):
        return 1
    if (popcount(leader | other) & 1) or not lead_reaches(e, &p, 0):
        return -1
    return 0
