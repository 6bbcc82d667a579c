"""The game itself: one state, what may be played in it and what that leads to. The only move generator there is.

A state is seen from the bout: attacker and defender. The functions below are the whole of the rules; both the search
and `durak_solver.Position` go through them.
"""

from bits cimport higher_in_suit, lowest, of_ranks, popcount, ranks_of, u64
from rules cimport Rules

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
    u64 led              # first attack card, which names the led rank; 0 on an empty table
    const u64* stock     # the cards to be drawn, the next one first; not owned by the state
    unsigned char stock_left
    unsigned char count  # attack cards on the table
    unsigned char cap    # most attack cards in this bout, fixed when it starts
    unsigned char phase
    unsigned char attacker  # seat, 0 or 1
    unsigned char swapped   # 1: the lowest trump lies in the place of the stock's last card

cdef inline int attack_limit(const State* s, const Rules* r) noexcept nogil:
    """Most attack cards whatever the defender holds. The discard is empty exactly while every card is live."""
    cdef int live
    if r.first_limit == r.limit:
        return r.limit
    live = popcount(s.attacker_hand | s.defender_hand | s.attacks | s.defences) + s.stock_left
    return r.first_limit if live == r.deck else r.limit

cdef inline void start_bout(State* s, const Rules* r) noexcept nogil:
    """Clear the table and go to the lead, or to the end of the game when a hand is empty (and so is the stock)."""
    cdef int limit, held
    s.attacks = s.defences = s.unbeaten = s.led = 0
    s.count = 0
    limit = attack_limit(s, r)
    held = popcount(s.defender_hand)
    s.cap = <unsigned char> (limit if limit < held else held)
    s.phase = LEAD if s.attacker_hand and s.defender_hand else OVER

cdef inline u64 turn_up(const State* s, const Rules* r) noexcept nogil:
    """The last card of the stock, which must not be empty."""
    return r.exchange if s.swapped else s.stock[s.stock_left - 1]

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
    s.defender_hand |= s.attacks | s.defences
    s.attacks = s.defences = 0
    refill(s, r)
    start_bout(s, r)

cdef inline u64 throwable(const State* s, const Rules* r) noexcept nogil:
    """Cards the attacker may throw in, or give after "take"."""
    if s.count >= s.cap:
        return 0
    return s.attacker_hand & of_ranks(
        ranks_of(((s.attacks | s.defences) & r.throw_table) | (s.led & r.throw_led)))

cdef inline u64 beaten_by_any(u64 card, const Rules* r) noexcept nogil:
    """All cards of the deck that beat a card."""
    return higher_in_suit(card) | (0 if card & r.trump else r.trump)

cdef inline u64 beaters(const State* s, const Rules* r, u64 card) noexcept nogil:
    """The defender's cards that beat a card."""
    return s.defender_hand & beaten_by_any(card, r)

cdef inline void play_lead(State* s, u64 cards) noexcept nogil:
    s.attacker_hand &= ~cards
    s.attacks = s.unbeaten = cards
    s.led = lowest(cards)
    s.count = <unsigned char> popcount(cards)
    s.phase = DEFEND

cdef inline void play_beat(State* s, const Rules* r, u64 card, u64 target) noexcept nogil:
    s.defender_hand &= ~card
    s.defences |= card
    s.unbeaten &= ~target
    if not s.unbeaten:
        if s.count == s.cap or not s.defender_hand:
            end_beaten(s, r)
        else:
            s.phase = THROW

cdef inline void play_throw(State* s, u64 card) noexcept nogil:
    """Throw in a card, or give one: it is unbeaten either way, and the phase tells which."""
    s.attacker_hand &= ~card
    s.attacks |= card
    s.unbeaten |= card
    s.count += 1
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

cdef inline bint may_exchange(const State* s, const Rules* r) noexcept nogil:
    """Does the player to move hold the lowest trump while the turn-up still lies there? Once in a game at most."""
    return s.stock_left != 0 and ((s.defender_hand if s.phase == DEFEND else s.attacker_hand) & r.exchange) != 0

cdef inline void play_exchange(State* s, const Rules* r) noexcept nogil:
    """Swap the lowest trump for the turn-up; the same player moves on."""
    cdef u64 both = r.exchange | turn_up(s, r)
    if s.phase == DEFEND:
        s.defender_hand ^= both
    else:
        s.attacker_hand ^= both
    s.swapped = 1

cdef inline int final_value(const State* s, const Rules* r) noexcept nogil:
    """Of a finished game, for the attacker of its last bout: 1 win, 0 draw, -1 loss."""
    if s.attacker_hand:
        return -1
    return 1 if s.defender_hand else r.both_empty

cdef enum MoveKind:
    MOVE_LEAD
    MOVE_BEAT
    MOVE_THROW_IN
    MOVE_GIVE            # throw in after "take"
    MOVE_TAKE
    MOVE_DONE
    MOVE_EXCHANGE

cdef struct Move:
    u64 cards            # led, beating or thrown in; none for take, done and exchange
    u64 target           # the attack card that is beaten
    int kind

cdef enum:
    # Leads: 15 sets a rank. Beats: 26 unbeaten cards at most, each by at most 26 held cards; an exchange, a take.
    MAX_MOVES = 704

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
        todo = ranks_of(s.attacker_hand)
        while todo:
            group = s.attacker_hand & of_ranks(lowest(todo))
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
        play_lead(s, m.cards)
    elif m.kind == MOVE_BEAT:
        play_beat(s, r, m.cards, m.target)
    elif m.kind == MOVE_THROW_IN or m.kind == MOVE_GIVE:
        play_throw(s, m.cards)
    elif m.kind == MOVE_TAKE:
        play_take(s, r)
    elif m.kind == MOVE_EXCHANGE:
        play_exchange(s, r)
    else:
        play_done(s, r)
