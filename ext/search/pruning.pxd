"""Which moves need not be tried, with the proofs: for alpha-beta, proof-number search and the endings table alike.

A move is left out if another one is worth at least as much to the player who would make it. So all this holds for
values; how long a game lasts is another matter (distance.pyx).
"""

from game cimport moves
from game.bits cimport lowest, of_ranks, popcount, ranks_of, several, u64
from game.rules cimport Rules
from game.state cimport State


cdef inline u64 next_lead(const State* p, const Rules* r, u64 lead, int least) noexcept nogil:
    """The lead to try after another, of at least some number of cards; the first one after 0, and 0 after the last.

    Leads of several cards need not be tried (`single_leads`) where pursuit is on, the led rank may be thrown in and
    nothing is transferred: the attacker leads one card of the group and throws in, or after "take" gives, the others
    one by one. Whatever the defender does then, they could have done against the whole group: beat the same cards with
    the same cards, or take at the same point, with the same cards on the table, in the hands and under the same cap;
    they hold at least as many cards as the group has, so their hand is not empty before the last of the group is
    beaten. Their options against the group are more (any order, all of it seen), so the group is worth no more to the
    attacker.
    """
    cdef u64 cards = moves.leadable(p, r), rank = ranks_of(lead), group = cards & of_ranks(rank), todo = ranks_of(cards)
    cdef int most = 1 if r.single_leads or not r.lead_many else p.cap
    if lead:
        todo &= 0 - (rank << 1)
    while most >= least:
        lead = (lead - 1) & group
        if not lead:
            if not todo:
                break
            lead = group = cards & of_ranks(lowest(todo))
            todo &= todo - 1
        if least <= popcount(lead) <= most:
            return lead
    return 0


cdef inline u64 card_to_beat(const State* p) noexcept nogil:
    """The only attack card that the defender need beat now: the lowest unbeaten one.

    If all are to be beaten in the end, the order does not matter, as the attacker has no move in between. Beating some,
    then taking, is no better than taking at once: it puts more ranks on the table, gives up the right to transfer, and
    changes nothing else. That leaves the case that not all need be beaten (short=limit): see `other_answers` in
    alphabeta.pxd.
    """
    return lowest(p.unbeaten)


cdef inline bint beats_and_closes(const State* p, const Rules* r, u64 card, State* child) noexcept nogil:
    """Beat the card to beat; does that end the bout, by itself or because the attacker can only be done?"""
    child[0] = p[0]
    moves.play_beat(child, r, card, card_to_beat(p))
    if child.phase == moves.THROW and not moves.throwable(child, r) and not moves.may_exchange(child, r):
        moves.play_done(child, r)
    return child.phase == moves.LEAD or child.phase == moves.OVER


cdef inline u64 next_gift(const State* p, u64 cards, u64 gift) noexcept nogil:
    """The set to give after "take" that comes after another: the largest after the empty one, which is the last.

    The cards are those that may be given one by one. They are given as a set, since their order changes nothing: they
    add no rank to those that may be given.
    """
    cdef int room = p.cap - p.count
    while True:
        gift = (gift - 1) & cards
        if not several(gift) or popcount(gift) <= room:
            return gift
