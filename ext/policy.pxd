"""A cheap player, for playing a game on when it is too long to be solved.

The habits of a careful beginner: the cheapest card first, plain before trump, no trump thrown in or given while the
stock lasts; beat as cheaply as possible, but take rather than spend a trump on a plain card early in a deal.
"""

from bits cimport lowest, u64
from moves cimport (
    DEFEND, LEAD, MOVE_BEAT, MOVE_DONE, MOVE_GIVE, MOVE_LEAD, MOVE_TAKE, MOVE_THROW_IN, THROW, Move, State, beaters,
    throwable,
)
from order cimport cheapest
from rules cimport Rules

cdef enum:
    EARLY_STOCK = 6  # with so many cards left, a trump is worth more than a few plain cards in hand

cdef inline Move policy_move(const State* s, const Rules* r) noexcept nogil:
    """The move that this player makes in a state with a move to make."""
    cdef u64 options, card
    if s.phase == LEAD:
        return Move(cards=cheapest(s.attacker_hand, r.trump), target=0, kind=MOVE_LEAD)
    if s.phase == DEFEND:
        card = lowest(s.unbeaten)
        options = beaters(s, r, card)
        if s.stock_left >= EARLY_STOCK and not card & r.trump:
            options &= ~r.trump
        if not options:
            return Move(cards=0, target=0, kind=MOVE_TAKE)
        return Move(cards=cheapest(options, r.trump), target=card, kind=MOVE_BEAT)
    options = throwable(s, r)
    if s.stock_left:
        options &= ~r.trump
    if not options:
        return Move(cards=0, target=0, kind=MOVE_DONE)
    return Move(cards=cheapest(options, r.trump), target=0, kind=MOVE_THROW_IN if s.phase == THROW else MOVE_GIVE)
