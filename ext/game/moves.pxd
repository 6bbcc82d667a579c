"""The moves of the game and what they lead to. The only move generator there is.

Both the search and `durak_solver.Position` go through these functions, which are the whole of the rules.
"""

from game.bits cimport lowest, of_ranks, popcount, ranks_of, rarely, u64
from game.records cimport NO_STRAPS, drop_table, put_aside, record_attack, record_beat
from game.rules cimport Rules, SHORT_LIMIT
from game.state cimport (
    DEFEND, GIVE, LEAD, MOVE_BEAT, MOVE_DONE, MOVE_EXCHANGE, MOVE_GIVE, MOVE_LEAD, MOVE_SHOW, MOVE_TAKE, MOVE_THROW_IN,
    MOVE_TRANSFER, OVER, THROW, Move, State, attack_limit, beaters, leadable, may_exchange, throwable, turn_up)
from game.transfers cimport list_transfers, play_show, play_transfer

cdef inline void start_bout(State* s, const Rules* r) noexcept nogil:
    """Clear the table and go to the lead, or to the end of the game when a hand is empty (and so is the stock)."""
    cdef int limit, held
    s.attacks = s.defences = s.unbeaten = 0
    s.led = 0
    s.count = 0
    limit = attack_limit(s, r)
    held = popcount(s.defender_hand)
    s.cap = <unsigned char> (limit if limit < held else held)
    s.phase = LEAD if s.attacker_hand and s.defender_hand else OVER
    if r.records:
        s.shown = 0
        if s.phase != OVER:
            s.group = 0

cdef inline u64 drawn(State* s, u64 hand, const Rules* r) noexcept nogil:
    """A hand after it has drawn from the stock, which loses those cards."""
    cdef int room = r.hand - popcount(hand)
    while room > 0 and s.stock_left:
        hand |= turn_up(s, r) if s.stock_left == 1 else s.stock[0]
        s.stock += 1
        s.stock_left -= 1
        room -= 1
    return hand

cdef inline void refill(State* s, const Rules* r) noexcept nogil:
    """Both draw, the attacker first."""
    if s.stock_left:
        s.attacker_hand = drawn(s, s.attacker_hand, r)
        s.defender_hand = drawn(s, s.defender_hand, r)

cdef inline void end_beaten(State* s, const Rules* r) noexcept nogil:
    """The table goes to the discard; if the game goes on, the defender leads next."""
    cdef u64 hand
    s.attacks = s.defences = 0
    refill(s, r)
    hand = s.attacker_hand
    if hand and s.defender_hand:
        s.attacker_hand = s.defender_hand
        s.defender_hand = hand
        s.attacker ^= 1
    start_bout(s, r)

cdef inline void end_taken(State* s, const Rules* r) noexcept nogil:
    """The table goes to the defender; if the game goes on, the attacker leads again."""
    if rarely(r.piles != NULL):
        drop_table(s, r)
    s.defender_hand |= s.attacks | s.defences
    s.attacks = s.defences = 0
    refill(s, r)
    start_bout(s, r)

cdef inline void play_lead(State* s, const Rules* r, u64 cards) noexcept nogil:
    s.attacker_hand &= ~cards
    s.attacks = s.unbeaten = cards
    s.led = <unsigned short> ranks_of(cards)
    s.count = <unsigned char> popcount(cards)
    s.phase = DEFEND
    if rarely(r.records):
        record_attack(s, r, cards, False)

cdef inline void play_beat(State* s, const Rules* r, u64 card, u64 target) noexcept nogil:
    s.defender_hand &= ~card
    s.defences |= card
    s.unbeaten &= ~target
    if rarely(r.piles != NULL):
        record_beat(s, r, card, target)
    if not s.unbeaten:
        if (s.count >= s.cap or not s.defender_hand) and not r.overflow:
            end_beaten(s, r)
        else:
            s.phase = THROW
    elif not s.defender_hand and r.short_hand == SHORT_LIMIT:
        end_beaten(s, r)  # an empty hand need not beat the rest, which goes to the discard with the table

cdef inline void play_throw(State* s, const Rules* r, u64 card) noexcept nogil:
    """Throw in a card, or give one: it is unbeaten either way, and the phase tells which."""
    s.attacker_hand &= ~card
    if rarely(s.count >= s.cap):
        put_aside(s, r, card)
        return
    s.attacks |= card
    s.unbeaten |= card
    s.count += 1
    if rarely(r.records):
        record_attack(s, r, card, s.phase == GIVE)
    if s.phase == THROW:
        s.phase = DEFEND

cdef inline void play_take(State* s, const Rules* r) noexcept nogil:
    if r.pursuit:
        s.phase = GIVE
    else:
        end_taken(s, r)

cdef inline void play_done(State* s, const Rules* r) noexcept nogil:
    if s.phase == THROW:
        end_beaten(s, r)
    else:
        end_taken(s, r)

cdef inline void give_all(State* s, const Rules* r, u64 cards) noexcept nogil:
    """Give cards after "take", and be done."""
    if rarely(r.records):
        record_attack(s, r, cards, True)
    s.attacker_hand &= ~cards
    s.attacks |= cards
    play_done(s, r)

cdef inline void play_exchange(State* s, const Rules* r) noexcept nogil:
    """Swap the lowest trump for the turn-up; the player stays to move."""
    cdef u64 both = r.exchange | turn_up(s, r)
    if s.phase == DEFEND:
        s.defender_hand ^= both
    else:
        s.attacker_hand ^= both
    s.swapped = 1

cdef inline int final_value(const State* s, const Rules* r) noexcept nogil:
    """Of a finished game, for the attacker of its last bout: 1 win, 0 draw, -1 loss.

    Where only straps are asked for, all ends but a win with enough of them count as a draw; where it is asked who can
    force an end, a draw counts as a win of the seat for which it is asked.
    """
    cdef int value = -1 if s.attacker_hand else 1 if s.defender_hand else r.both_empty
    if rarely(r.strap_level != 0):
        return 1 if value > 0 and s.group != NO_STRAPS and s.group >= r.strap_level else 0
    if rarely(r.finisher != 0) and value == 0:
        return 1 if s.attacker == r.finisher - 1 else -1
    return value

cdef inline int final_straps(const State* s, const Rules* r) noexcept nogil:
    """Straps hung by a finished game: only by a winner who was the attacker of its last bout."""
    return s.group if s.group != NO_STRAPS and final_value(s, r) > 0 else 0

cdef enum:
    # Leads: 15 sets a rank. Beats: 54 cards, some unbeaten and some held, make 27 x 27 pairs at most; 3 transfers, a
    # show, an exchange, a take.
    MAX_MOVES = 736

cdef inline int list_moves(const State* s, const Rules* r, Move* out) noexcept nogil:
    """Write all legal moves to `out` (room for MAX_MOVES), cards before words, and return how many there are."""
    cdef int n = list_card_moves(s, r, out)
    if may_exchange(s, r):
        out[n] = Move(cards=0, target=0, kind=MOVE_EXCHANGE)
        n += 1
    if s.phase == DEFEND:
        out[n] = Move(cards=0, target=0, kind=MOVE_TAKE)
        n += 1
    elif s.phase == THROW or s.phase == GIVE:
        out[n] = Move(cards=0, target=0, kind=MOVE_DONE)
        n += 1
    return n

cdef inline int list_card_moves(const State* s, const Rules* r, Move* out) noexcept nogil:
    """Write the legal moves that put cards on the table and return how many there are."""
    cdef int n = 0
    cdef u64 todo, group, subset, card, options
    if s.phase == LEAD:
        options = leadable(s, r)
        todo = ranks_of(options)
        while todo:
            group = options & of_ranks(lowest(todo))
            todo &= todo - 1
            subset = group
            while subset:
                if popcount(subset) <= (s.cap if r.lead_many else 1):
                    out[n] = Move(cards=subset, target=0, kind=MOVE_LEAD)
                    n += 1
                subset = (subset - 1) & group
    elif s.phase == DEFEND:
        todo = s.unbeaten
        while todo:
            card = lowest(todo)
            todo &= todo - 1
            options = beaters(s, r, card)
            while options:
                out[n] = Move(cards=lowest(options), target=card, kind=MOVE_BEAT)
                options &= options - 1
                n += 1
        if rarely(r.can_cycle) and not s.defences:
            n += list_transfers(s, r, out + n)
    elif s.phase != OVER:
        todo = throwable(s, r)
        while todo:
            out[n] = Move(cards=lowest(todo), target=0, kind=MOVE_GIVE if s.phase == GIVE else MOVE_THROW_IN)
            todo &= todo - 1
            n += 1
    return n

cdef inline void play(State* s, const Rules* r, const Move* m) noexcept nogil:
    """Play a legal move."""
    if m.kind == MOVE_LEAD:
        play_lead(s, r, m.cards)
    elif m.kind == MOVE_BEAT:
        play_beat(s, r, m.cards, m.target)
    elif m.kind == MOVE_THROW_IN or m.kind == MOVE_GIVE:
        play_throw(s, r, m.cards)
    elif m.kind == MOVE_TAKE:
        play_take(s, r)
    elif m.kind == MOVE_EXCHANGE:
        play_exchange(s, r)
    elif m.kind == MOVE_TRANSFER:
        play_transfer(s, r, m.cards)
    elif m.kind == MOVE_SHOW:
        play_show(s, r)
    else:
        play_done(s, r)
