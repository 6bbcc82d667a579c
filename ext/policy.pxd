"""Players that do not search. One of them also plays games on that are too long to be solved."""

from bits cimport lowest, u64
from moves cimport (
    DEFEND, LEAD, MOVE_BEAT, MOVE_DONE, MOVE_EXCHANGE, MOVE_GIVE, MOVE_LEAD, MOVE_TAKE, MOVE_THROW_IN, THROW, Move,
    State, beaters, may_exchange, throwable,
)
from order cimport cheapest
from rules cimport Rules

cdef enum:
    EARLY_STOCK = 6  # with so many cards left, a trump is worth more than a few plain cards in hand

cdef inline Move rules_move(const State* s, const Rules* r) noexcept nogil:
    """The habits of a careful beginner.

    The cheapest card first, plain before trump; no trump is thrown in or given while the stock lasts; what can be
    beaten is beaten as cheaply as possible, but early in a deal he takes a plain card rather than spend a trump. He
    swaps the lowest trump for the turn-up as soon as he can: a higher trump for nothing.
    """
    cdef u64 options, card
    if may_exchange(s, r):
        return Move(cards=0, target=0, kind=MOVE_EXCHANGE)
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
    return throw_in(s, r, options)

cdef inline Move lowest_move(const State* s, const Rules* r) noexcept nogil:
    """The cheapest card that may be played, plain before trump; he takes or stops only when there is none."""
    cdef u64 todo, options = 0, card
    if s.phase == LEAD:
        return Move(cards=cheapest(s.attacker_hand, r.trump), target=0, kind=MOVE_LEAD)
    if s.phase != DEFEND:
        return throw_in(s, r, throwable(s, r))
    todo = s.unbeaten
    while todo:
        options |= beaters(s, r, lowest(todo))
        todo &= todo - 1
    if not options:
        return Move(cards=0, target=0, kind=MOVE_TAKE)
    options = cheapest(options, r.trump)
    todo = s.unbeaten
    while True:
        card = lowest(todo)
        if beaters(s, r, card) & options:
            return Move(cards=options, target=card, kind=MOVE_BEAT)
        todo &= todo - 1

cdef inline Move throw_in(const State* s, const Rules* r, u64 options) noexcept nogil:
    """The cheapest of the cards that the attacker would throw in or give, or "done" if there is none."""
    if not options:
        return Move(cards=0, target=0, kind=MOVE_DONE)
    return Move(cards=cheapest(options, r.trump), target=0, kind=MOVE_THROW_IN if s.phase == THROW else MOVE_GIVE)
