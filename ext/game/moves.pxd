"""The game itself: one state, what may be played in it and what that leads to. The only move generator there is.

A state is seen from the bout: attacker and defender. The functions below are the whole of the rules; both the search
and `durak_solver.Position` go through them.
"""

from game.bits cimport ctz, lane, lowest, of_ranks, popcount, ranks_of, rarely, u64
from game.pile cimport laid_on, pile_under, top_card
from game.rules cimport Rules, SHORT_BITA, SHORT_LIMIT

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

cdef enum:
    NO_STRAPS = 0xFF     # a group with a card that hangs none; further straps given with it do not count either

cdef inline int live_cards(const State* s) noexcept nogil:
    """How many cards are not in the discard."""
    return popcount(s.attacker_hand | s.defender_hand | s.attacks | s.defences) + s.stock_left

cdef inline int attack_limit(const State* s, const Rules* r) noexcept nogil:
    """Most attack cards whatever the defender holds. The discard is empty exactly while every card is live."""
    if r.first_limit == r.limit:
        return r.limit
    return r.first_limit if live_cards(s) == r.deck else r.limit

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
    if rarely(r.piles != NULL):
        drop_table(s, r)
    s.defender_hand |= s.attacks | s.defences
    s.attacks = s.defences = 0
    refill(s, r)
    start_bout(s, r)

cdef inline u64 throwable(const State* s, const Rules* r) noexcept nogil:
    """Cards the attacker may throw in, give after "take", or (overflow) put straight on the discard."""
    if s.count >= s.cap and not (r.overflow and s.phase == THROW):
        return 0
    return s.attacker_hand & of_ranks(
        ranks_of((s.attacks | s.defences) & r.throw_table) | (s.led & r.throw_led))

cdef inline u64 leadable(const State* s, const Rules* r) noexcept nogil:
    """Cards the attacker may lead: those held back only when he has no others."""
    cdef u64 others = s.attacker_hand & ~r.held_back
    return others if others else s.attacker_hand

cdef inline u64 beaters(const State* s, const Rules* r, u64 card) noexcept nogil:
    """The defender's cards that beat a card."""
    return s.defender_hand & r.beaten_by[ctz(card)]

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
        end_beaten(s, r)  # he need only beat as many as he holds; the rest goes to the discard with the table

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
    """Of a finished game, for the attacker of its last bout: 1 win, 0 draw, -1 loss.

    Where only straps are asked for, all ends but a win with enough of them count as a draw; where it is asked who can
    force an end, a draw counts as a win of him for whom it is asked.
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

# Transfers.

cdef inline bint can_answer(const State* s, const Rules* r, int attacks) noexcept nogil:
    """Can the attacker be made to answer so many cards?"""
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
    """The attacker becomes the defender of the same table, with a cap of his own."""
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

# What a bout remembers besides its cards.

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

cdef inline bint draws_unknown(const State* s, const Rules* r, const Move* m) noexcept nogil:
    """Does a legal move take a card off the discard (short=bita) that is not known?"""
    cdef unsigned char lifted[64]
    cdef State under = s[0]
    if m.kind != MOVE_TRANSFER or r.short_hand != SHORT_BITA or popcount(s.attacker_hand) > s.count:
        return False
    lift(&under, r, s.attacks | s.defences, lifted)
    return under.pile == 0
