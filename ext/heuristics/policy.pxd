"""Players that do not search. One of them also plays games on that are too long to be solved."""

from game.bits cimport BLACK_JOKER, RED_JOKER, lowest, u64
from game.rules cimport Rules
from game.state cimport (
    DEFEND, LEAD, MOVE_BEAT, MOVE_DONE, MOVE_EXCHANGE, MOVE_GIVE, MOVE_LEAD, MOVE_SHOW, MOVE_TAKE, MOVE_THROW_IN,
    MOVE_TRANSFER, THROW, Move, State, beaters, leadable, may_exchange, throwable)
from game.transfers cimport list_transfers
from search.move_order cimport cheapest

cdef enum:
    EARLY_STOCK = 6  # with this many cards left, a trump is worth more than a few plain cards in hand
    LONGEST_PLAY_OUT = 1000  # moves: under transfers a game can go round for ever, and one played out is then a draw

cdef inline u64 strong(const Rules* r) noexcept nogil:
    """The trumps and the jokers."""
    return r.trump | <u64> 1 << RED_JOKER | <u64> 1 << BLACK_JOKER

cdef inline bint find_transfer(const State* s, const Rules* r, u64 allowed, Move* chosen) noexcept nogil:
    """Find a show, which costs nothing, or else the cheapest transfer with one of the cards allowed."""
    cdef Move found[5]
    cdef int i
    cdef u64 options = 0
    if not r.can_cycle or s.defences:
        return False
    for i in range(list_transfers(s, r, found)):
        if found[i].kind == MOVE_SHOW:
            chosen[0] = found[i]
            return True
        options |= found[i].cards & allowed
    chosen[0] = Move(cards=cheapest(options, strong(r)), target=0, kind=MOVE_TRANSFER)
    return options != 0

cdef inline Move rules_move(const State* s, const Rules* r) noexcept nogil:
    """The habits of a careful beginner.

    The cheapest card first, plain before trump; no trump is thrown in or given while the stock lasts; what can be
    beaten is beaten as cheaply as possible, but early in a deal a plain card is taken rather than a trump spent. The
    lowest trump is swapped for the turn-up at once: a higher trump for nothing. The attack is transferred by showing or
    with a plain card; with a trump only when the stock is used up. A joker counts as a trump.
    """
    cdef u64 options, card, dear = strong(r)
    cdef Move passed_on
    if may_exchange(s, r):
        return Move(cards=0, target=0, kind=MOVE_EXCHANGE)
    if s.phase == LEAD:
        return Move(cards=cheapest(leadable(s, r), dear), target=0, kind=MOVE_LEAD)
    if s.phase == DEFEND:
        if find_transfer(s, r, ~dear if s.stock_left else s.defender_hand, &passed_on):
            return passed_on
        card = lowest(s.unbeaten)
        options = beaters(s, r, card)
        if s.stock_left >= EARLY_STOCK and not card & dear:
            options &= ~dear
        if not options:
            return Move(cards=0, target=0, kind=MOVE_TAKE)
        return Move(cards=cheapest(options, dear), target=card, kind=MOVE_BEAT)
    options = throwable(s, r)
    if s.stock_left:
        options &= ~dear
    return throw_in(s, r, options)

cdef inline Move lowest_move(const State* s, const Rules* r) noexcept nogil:
    """The cheapest card that may be played, plain before trump; take or stop only when there is none.

    A card that both beats and transfers is for transferring; a transfer by showing plays no card at all.
    """
    cdef u64 todo, options = 0, card
    cdef Move passed_on
    cdef bint passes
    if s.phase == LEAD:
        return Move(cards=cheapest(leadable(s, r), strong(r)), target=0, kind=MOVE_LEAD)
    if s.phase != DEFEND:
        return throw_in(s, r, throwable(s, r))
    todo = s.unbeaten
    while todo:
        options |= beaters(s, r, lowest(todo))
        todo &= todo - 1
    passes = find_transfer(s, r, s.defender_hand, &passed_on)
    if passes and (passed_on.kind == MOVE_SHOW or cheapest(options | passed_on.cards, strong(r)) == passed_on.cards):
        return passed_on
    if not options:
        return Move(cards=0, target=0, kind=MOVE_TAKE)
    options = cheapest(options, strong(r))
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
    return Move(cards=cheapest(options, strong(r)), target=0, kind=MOVE_THROW_IN if s.phase == THROW else MOVE_GIVE)
