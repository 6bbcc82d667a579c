"""Alpha-beta over loss, draw and win, with a transposition table at bout starts.

What it may leave out or knows without searching is proved beside the code: for all rules, or for classic ones, where
a card is beaten by the higher ones of its suit and by trumps (unless its suit is locked), nothing is transferred, and a
beaten bout discards as many defences as attacks. Under other rules positions may come back (cycles.pxd), and cards may
count by their names. Straps are asked for level by level: who can force a win with so many, all other ends being
draws.

Fail-soft alpha-beta (Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Fishburn, "Another optimization of
alpha-beta search", 1983) asked with null windows, as in MTD(f) (Plaat and others, 1996).

Values are -1, 0 and 1. Inside a bout they are the attacker's, who maximises; at a bout start they are the leader's.
"""

from libc.stdlib cimport realloc

from game cimport moves
from game.bits cimport lowest, of_ranks, popcount, ranks_of, rarely, several, u64
from search.cycles cimport NOTHING, Visit, Visits, foundation, visits_find, visits_pop, visits_push
from endings.endings cimport ABSENT, Endings, endings_probe
from game.moves cimport Move, State
from search.oracle cimport OUT_OF_MEMORY, OUT_OF_NODES, OUT_OF_TIME, RUNNING
from search.move_order cimport attack_cost, beat_cost, leader_logit
from game.rules cimport SHORT_LIMIT, Rules, names_matter
from search.static_win cimport sheds
from search.table cimport Table, table_probe, table_rank, table_store
from keys.trace cimport Key, TraceTables, exact_key, full_key, pile_key, trace_key

cdef extern from *:
    """
    #include <time.h>
    static double durak_clock(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec + 1e-9 * now.tv_nsec;
    }
    """
    double clock "durak_clock"() noexcept nogil
    bint swap_if "__sync_bool_compare_and_swap"(int* stop, int old, int new) noexcept nogil

cdef struct Bout:
    u64 leader     # hands
    u64 other
    const u64* stock
    unsigned char stock_left
    unsigned char swapped
    unsigned char seat     # the leader's
    unsigned char kind     # of the key: 1 if it keeps the names of cards, and 2 if an end is asked for by the leader
    unsigned int pile
    Key key
    int lower      # what is proved of its value, for the leader
    int upper
    int score      # the higher, the better for the leader: only an ordering

cdef struct Search:
    Rules rules
    Table table        # bout starts with the stock empty, under their trace normal form
    Table deals        # bout starts of one deal with cards still to be drawn
    const TraceTables* trace
    const Endings* endings  # values of bout starts with few cards under these rules, or NULL
    bint settled             # has one of them been used since `start`?
    u64 variant        # which rules the table's keys belong to
    u64 deal           # which deal the keys of the table of deals belong to
    u64 nodes
    u64 node_limit
    u64 next_check     # number of nodes at which to look at the clock
    double deadline
    double next_signal_check
    int stop
    Visits visits      # where a position can come back
    const char* stack_top  # of the machine, where the search began
    int rests_on       # the first bout start of these that a no found since then rests on
    unsigned int rank_limit  # see `find_progress`; 0: it is not asked for
    int rank_cards     # cards that are left then, STOCK times, and those of them in the stock
    Bout* arena        # a stack of candidates, addressed by index because it may move
    int arena_size
    int top
    void* owner        # the Searcher
    void (*check_signals)(void* owner) noexcept nogil


cdef inline void halt(Search* s, int why) noexcept nogil:
    """Stop at a limit, unless the search has stopped before: another thread may interrupt it at any time."""
    swap_if(&s.stop, RUNNING, why)


cdef inline bint resume(Search* s, int why) noexcept nogil:
    """Go on if this is why the search stopped."""
    return swap_if(&s.stop, why, RUNNING)


cdef inline void begin_again(Search* s) noexcept nogil:
    """Leave what a search that was stopped was in the middle of."""
    s.top = 0
    visits_pop(&s.visits, 0)
    s.rests_on = NOTHING


# --- What is known without search -------------------------------------------------------------------------------------

cdef inline u64 deal_variant(const Search* s, const Bout* b) noexcept nogil:
    """What a bout start of a deal is, beside its hands: how many cards are left, and whether the turn-up was swapped.

    Hands and number may be the same with and without the exchange, when the card that was swapped in is discarded.
    """
    return b.stock_left | s.deal << DEAL_SHIFT | <u64> (b.swapped | b.kind & 2) << SWAPPED_SHIFT

cdef inline Table* table_of(Search* s, const Bout* b) noexcept nogil:
    return &s.deals if b.stock_left else &s.table

cdef inline u64 variant_of(const Search* s, const Bout* b) noexcept nogil:
    return deal_variant(s, b) if b.stock_left else s.variant + b.kind

cdef inline bint probe(Search* s, Bout* b) noexcept nogil:
    """Narrow the bounds of a bout start to those in the table."""
    return table_probe(table_of(s, b), &b.key, variant_of(s, b), &b.lower, &b.upper)

cdef inline void store(Search* s, const Bout* b, u64 work) noexcept nogil:
    table_store(table_of(s, b), &b.key, variant_of(s, b), b.lower, b.upper, work)


cdef inline bint settled(Search* s, Bout* b) noexcept nogil:
    """Is the value of a bout start without a stock in the endings table?"""
    cdef int value
    if s.endings == NULL:
        return False
    value = endings_probe(s.endings, b.leader, b.other)
    if value == ABSENT or (rarely(s.rules.finisher != 0) and value == 0):
        return False
    b.lower = b.upper = value
    s.settled = True
    return True


cdef inline bint drawable(const State* p, const Rules* r) noexcept nogil:
    """May both hands be empty at the end, and nobody win?

    A beaten bout takes an even number of cards out of play, as many attacks as defences, and nothing else takes any: of
    an odd number some card is left.
    """
    return rarely(r.odd_draws) or not r.both_empty and not (
        popcount(p.attacker_hand | p.defender_hand | p.attacks | p.defences) + p.stock_left) & 1


cdef inline void find_key(const Search* s, Bout* b) noexcept nogil:
    """The key of a bout start that keeps no names of cards, unless it has too many layers for that."""
    if not trace_key(s.trace, b.leader, b.other, &b.key):
        b.kind |= 1
        full_key(s.trace, b.leader, b.other, &b.key)


cdef inline bint look_special(Search* s, Bout* b) noexcept nogil:
    """Find the key of a bout start under rules that are not classic; True if its value is known."""
    cdef u64 live = b.leader | b.other
    if s.rules.strap_level and not b.stock_left and popcount(live & s.rules.straps) < s.rules.strap_level:
        b.lower = b.upper = 0
        return True
    if s.rules.finisher and b.seat == s.rules.finisher - 1:
        b.kind = 2
    if not b.stock_left and not names_matter(&s.rules, live):
        if s.rules.strap_level == 0 and settled(s, b):
            return True
        find_key(s, b)
        return False
    b.kind |= 1
    if s.rules.piles == NULL:
        full_key(s.trace, b.leader, b.other, &b.key)
        return False
    if s.rules.piles.full:
        halt(s, OUT_OF_MEMORY)
    pile_key(b.leader, b.pile, &b.key)
    return False


cdef inline void find_progress(Search* s, Bout* b) noexcept nogil:
    """Take a bout start for won or lost only if that was proved before a moment, or fewer cards are left; else for a
    draw.

    A proof uses only what was proved before it. So a side that always goes on to what was proved earlier never comes
    back.
    """
    cdef unsigned int rank
    if b.lower == b.upper and b.lower:
        if STOCK * (popcount(b.leader | b.other) + b.stock_left) + b.stock_left < s.rank_cards:
            return
        rank = table_rank(table_of(s, b), &b.key, variant_of(s, b))
        if rank and rank < s.rank_limit:
            return
    b.lower = b.upper = 0


cdef inline bint identify(Search* s, const State* p, Bout* b) noexcept nogil:
    """Describe a bout start (both hands hold cards); True if its value is known without the table."""
    b.leader = p.attacker_hand
    b.other = p.defender_hand
    b.stock_left = p.stock_left
    b.seat = p.attacker
    b.kind = 0
    b.pile = p.pile
    b.lower = -1
    b.upper = 1
    if p.stock_left:
        b.stock = p.stock
        b.swapped = p.swapped
        exact_key(b.leader, b.other, &b.key)
    if rarely(not s.rules.classic):
        return look_special(s, b)
    if p.stock_left:
        return False
    if sheds(b.leader, b.other, &s.rules, moves.attack_limit(p, &s.rules)):
        b.lower = 1
        return True
    if settled(s, b):
        return True
    find_key(s, b)
    return False


cdef inline void recall(Search* s, const State* p, Bout* b) noexcept nogil:
    """Add to the description of a bout start what the table knows."""
    probe(s, b)
    if rarely(s.rank_limit):
        find_progress(s, b)
    if (b.lower == 0 or b.upper == 0) and not drawable(p, &s.rules):
        if b.lower == 0:
            b.lower = 1
        else:
            b.upper = -1


cdef inline void look(Search* s, const State* p, Bout* b) noexcept nogil:
    """Describe a bout start with all that is known of it without searching."""
    if not identify(s, p, b):
        recall(s, p, b)


cdef inline void look_after(Search* s, const State* p, Bout* b) noexcept nogil:
    """Describe a state that has just ended a bout; the values of a finished game are known."""
    if p.phase == moves.OVER:
        b.lower = b.upper = moves.final_value(p, &s.rules)
    else:
        look(s, p, b)


# --- The search -------------------------------------------------------------------------------------------------------

cdef enum:
    CHECK_INTERVAL = 4096
    LARGEST_ARENA = 1 << 22
    STACK_BYTES = 4 << 20  # of the machine's stack, of which a thread has 8 MiB as a rule
    DEAL_SHIFT = 3       # with less than eight cards in the stock, the table holds eight deals side by side
    SWAPPED_SHIFT = 6    # more bits than the size of any stock has
    MAX_ANSWERS = 8      # three transfers and a show
    DECK = 64            # more than any hand holds
    STOCK = 64           # more than any stock holds
    OPENS = 1 << 16      # more than any cost: sorts what comes later
    SIGNAL_MILLISECONDS = 20  # how often to look for Ctrl-C


cdef inline void look_up(Search* s) noexcept nogil:
    """Stop if the time is up, or on Ctrl-C."""
    cdef double now = clock()
    if now >= s.deadline:
        halt(s, OUT_OF_TIME)
    elif now >= s.next_signal_check:
        s.next_signal_check = now + 1e-3 * SIGNAL_MILLISECONDS
        s.check_signals(s.owner)


cdef inline void checkpoint(Search* s) noexcept nogil:
    """Stop at a limit, or on Ctrl-C; called every few thousand nodes."""
    if s.nodes >= s.node_limit:
        halt(s, OUT_OF_NODES)
        return
    look_up(s)
    s.next_check = s.nodes + CHECK_INTERVAL
    if s.next_check > s.node_limit:
        s.next_check = s.node_limit


cdef inline bint count_node(Search* s) noexcept nogil:
    """Count a node; False if the search is to stop."""
    s.nodes += 1
    if s.nodes >= s.next_check:
        checkpoint(s)
    return s.stop == RUNNING


cdef inline bint reserve(Search* s) noexcept nogil:
    """Make room for one more candidate on the arena; False (and stopped) if there is no memory."""
    cdef Bout* larger
    cdef int size = 2 * s.arena_size
    if s.top < s.arena_size:
        return True
    larger = <Bout*> realloc(s.arena, size * sizeof(Bout)) if size <= LARGEST_ARENA else NULL
    if larger == NULL:
        halt(s, OUT_OF_MEMORY)
        return False
    s.arena = larger
    s.arena_size = size
    return True


cdef inline int search(Search* s, const State* p, int alpha, int beta) noexcept nogil:
    """Value of any state for its attacker, exact within the window, else a bound."""
    cdef Bout b
    if p.phase == moves.OVER:
        return moves.final_value(p, &s.rules)
    if p.phase == moves.LEAD:
        look(s, p, &b)
        return lead(s, &b, alpha, beta)
    if p.phase == moves.DEFEND:
        return defend(s, p, alpha, beta)
    if p.phase == moves.THROW:
        return throw_in(s, p, alpha, beta)
    return give(s, p, alpha, beta)


cdef inline int child_value(Search* s, const State* p, const State* child, int alpha, int beta) noexcept nogil:
    """Value of a child for the attacker of its parent."""
    if child.attacker == p.attacker:
        return search(s, child, alpha, beta)
    return -search(s, child, -beta, -alpha)


cdef inline int after_exchange(Search* s, const State* p, int alpha, int beta) noexcept nogil:
    """Value for the attacker when the player to move swaps the lowest trump for the turn-up.

    Tried before his other moves: a card that he exchanges later in the same turn he has not played before, so he may
    as well exchange first.
    """
    cdef State child = p[0]
    moves.play_exchange(&child, &s.rules)
    return search(s, &child, alpha, beta)


cdef struct Candidate:
    u64 card
    int cost


cdef inline void insert(Candidate* list, int n, u64 card, int cost) noexcept nogil:
    """Insert into a list of n candidates, the cheapest first."""
    while n > 0 and list[n - 1].cost > cost:
        list[n] = list[n - 1]
        n -= 1
    list[n] = Candidate(card=card, cost=cost)


cdef inline int list_attacks(const State* p, const Rules* r, u64 cards, Candidate* list) noexcept nogil:
    """Single cards to lead or throw in, the cheapest first; returns how many."""
    cdef int n = 0
    cdef u64 card
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        insert(list, n, card, attack_cost(p, r, card, moves.beaters(p, r, card)))
        n += 1
    return n


cdef inline int lead(Search* s, Bout* b, int alpha, int beta) noexcept nogil:
    """Value of a bout start for its leader."""
    cdef u64 work = s.nodes
    cdef int floor, best
    if b.lower == b.upper:
        return b.lower
    probe(s, b)
    if b.lower >= beta or b.lower == b.upper:
        return b.lower
    if b.upper <= alpha:
        return b.upper
    if not count_node(s):
        return 0
    if rarely(s.rules.can_cycle):
        return lead_round(s, b, alpha, beta)
    if b.lower > alpha:
        alpha = b.lower
    if b.upper < beta:
        beta = b.upper
    floor = alpha
    best = best_lead(s, b, alpha, beta)
    if s.stop:
        return 0
    # Fail-soft: what exceeds the floor was reached, what stays below beta cannot be exceeded.
    if best > floor:
        b.lower = best
    if best < beta:
        b.upper = best
    store(s, b, s.nodes - work)
    return best


cdef inline int lead_round(Search* s, Bout* b, int alpha, int beta) noexcept nogil:
    """Value of a bout start that can come back, in a null window: see cycles.pxd.

    If beta is 1 the question is whether the leader can force a win, else whether the other player can.
    """
    cdef Visits* v = &s.visits
    cdef u64 work = s.nodes
    cdef u64 tag = variant_of(s, b) << 2 | <u64> (b.stock_left != 0) << 1 | <u64> beta
    cdef int value, rests_on = s.rests_on, place = visits_find(v, &b.key, tag)
    if place >= 0:
        s.rests_on = min(rests_on, foundation(v, place))
        return 0
    place = visits_push(v, &b.key, tag)
    # The path has no bound but the number of bout starts with the same live cards.
    if place < 0 or s.stack_top - <const char*> &value > STACK_BYTES:
        halt(s, OUT_OF_MEMORY)
        return 0
    s.rests_on = NOTHING
    value = best_lead(s, b, alpha, beta)
    if s.stop:
        return 0
    if value == (1 if beta == 1 else -1) or value == (-1 if beta == 1 else 1):
        # A forced win of either side: its proof uses no answer that was given for the time being, as these are draws.
        b.lower = b.upper = value
        visits_pop(v, place)
        store(s, b, s.nodes - work)
    elif s.rests_on >= place:
        while v.top > place:
            close_no(s, &v.stack[v.top - 1], s.nodes - work)
            visits_pop(v, v.top - 1)
    else:
        v.stack[place].is_open = False
        v.stack[place].rests_on = s.rests_on
        rests_on = min(rests_on, s.rests_on)
    s.rests_on = rests_on
    return value


cdef inline void close_no(Search* s, const Visit* e, u64 work) noexcept nogil:
    """Keep a no in the table."""
    cdef Table* table = &s.deals if e.tag >> 1 & 1 else &s.table
    cdef int lower = -1, upper = 1
    table_probe(table, &e.key, e.tag >> 2, &lower, &upper)
    if e.tag & 1:
        upper = min(upper, 0)
    else:
        lower = max(lower, 0)
    table_store(table, &e.key, e.tag >> 2, lower, upper, work)


cdef inline int best_lead(Search* s, const Bout* b, int alpha, int beta) noexcept nogil:
    """Value of a bout start for its leader, from its leads."""
    cdef State p, child
    cdef Candidate list[DECK]
    cdef int i, value, best = -2
    p.attacker_hand = b.leader
    p.defender_hand = b.other
    if b.stock_left:
        p.stock = b.stock
        p.swapped = b.swapped
    p.stock_left = b.stock_left
    p.pile = b.pile
    p.attacker = b.seat
    moves.start_bout(&p, &s.rules)
    if moves.may_exchange(&p, &s.rules):
        best = after_exchange(s, &p, alpha, beta)
        if s.stop:
            return 0
        if best > alpha:
            alpha = best
    for i in range(list_attacks(&p, &s.rules, moves.leadable(&p, &s.rules), list) if best < beta else 0):
        child = p
        moves.play_lead(&child, &s.rules, list[i].card)
        value = defend(s, &child, alpha, beta)
        if s.stop:
            return 0
        if value > best:
            best = value
            if best > alpha:
                alpha = best
            if best >= beta:
                break
    if best < beta and not s.rules.single_leads:
        best = lead_groups(s, &p, best, alpha, beta)
    return best


cdef inline u64 next_group(u64 subset, u64 group) noexcept nogil:
    """The next smaller set of at least two cards of a group, or 0."""
    while subset:
        subset = (subset - 1) & group
        if several(subset):
            return subset
    return 0


cdef inline int lead_groups(Search* s, const State* p, int best, int alpha, int beta) noexcept nogil:
    """Leads of several cards, which `lead` left out.

    It may leave them out where pursuit is on and the led rank may be thrown in: the attacker leads one card of the
    group and throws in, or after "take" gives, the others one by one. Whatever the defender does then, he could have
    done against the whole group: beat the same cards with the same cards, or take at the same point, with the same
    cards on the table, in the hands and under the same cap; he holds at least as many cards as the group has, so his
    hand is not empty before the last of the group is beaten. His options against the group are more (any order, all
    of it seen), so the group is worth no more to the attacker.
    """
    cdef State child
    cdef u64 cards = moves.leadable(p, &s.rules), todo = ranks_of(cards), group, subset
    cdef int value
    while todo:
        group = subset = cards & of_ranks(lowest(todo))
        todo &= todo - 1
        while several(subset):
            if popcount(subset) <= p.cap and s.rules.lead_many:
                child = p[0]
                moves.play_lead(&child, &s.rules, subset)
                value = defend(s, &child, alpha, beta)
                if s.stop:
                    return 0
                if value > best:
                    best = value
                    if best > alpha:
                        alpha = best
                    if best >= beta:
                        return best
            subset = next_group(subset, group)
    return best


cdef inline bint beats_and_closes(const State* p, const Rules* r, u64 card, State* child) noexcept nogil:
    """Beat the lowest unbeaten card; does that end the bout, by itself or because nothing can be thrown in?"""
    child[0] = p[0]
    moves.play_beat(child, r, card, lowest(p.unbeaten))
    if child.phase == moves.THROW and not moves.throwable(child, r) and not moves.may_exchange(child, r):
        moves.play_done(child, r)
    return child.phase == moves.LEAD or child.phase == moves.OVER


cdef inline void for_attacker(const State* p, const State* after, const Bout* b, int* lower, int* upper) noexcept nogil:
    """Bounds of a bout start for the attacker of a state before it, who need not be its leader."""
    if after.attacker == p.attacker:
        lower[0] = b.lower
        upper[0] = b.upper
    else:
        lower[0] = -b.upper
        upper[0] = -b.lower


cdef inline int defence_cost(const State* p, const Rules* r, u64 card, const State* child) noexcept nogil:
    """Of a beat, the cheapest first: a cheap card, and good prospects in the next bout, if no more is thrown in."""
    cdef State after = child[0]
    cdef int logit, cost = 0
    if child.phase == moves.THROW:
        cost = OPENS + 2 * beat_cost(p, r, card, moves.throwable(child, r))
        moves.play_done(&after, r)
    else:
        cost = 2 * beat_cost(p, r, card, 0)
    if after.phase != moves.LEAD or after.stock_left:
        return cost
    logit = leader_logit(after.attacker_hand, after.defender_hand, r.trump)
    return cost + (logit if after.attacker == p.attacker else -logit)


cdef inline int defend(Search* s, const State* p, int alpha, int beta) noexcept nogil:
    """Value of a defence for the attacker; the defender minimises.

    Only beats of the lowest unbeaten card are tried (but see `other_answers`). If all are to be beaten in the end, the
    order does not matter, as the attacker has no move in between; and beating some, then taking, is no better than
    taking at once: it puts more ranks on the table, gives up the right to transfer, and changes nothing else.

    First everything that can be answered without search: the beats that end the bout, which are the answer four times
    as often as taking, then taking. What is left is searched: the beats, then taking.
    """
    cdef State child
    cdef Bout b
    cdef Candidate list[DECK]
    cdef u64 options, card
    cdef int i, value, lower, upper, n = 0, best = 2, base = s.top
    if moves.may_exchange(p, &s.rules):
        best = after_exchange(s, p, alpha, beta)
        if s.stop or best <= alpha:
            return best
        if best < beta:
            beta = best
    options = moves.beaters(p, &s.rules, lowest(p.unbeaten))
    while options:
        card = lowest(options)
        options &= options - 1
        if beats_and_closes(p, &s.rules, card, &child):
            look_after(s, &child, &b)
            for_attacker(p, &child, &b, &lower, &upper)
            if upper <= alpha:
                return upper
            if upper < best:
                best = upper
                if best < beta:
                    beta = best
            if lower >= beta or lower == upper:
                if lower < best:
                    best = lower
                continue
        insert(list, n, card, defence_cost(p, &s.rules, card, &child))
        n += 1
    child = p[0]
    moves.play_take(&child, &s.rules)
    list_takes(s, &child, beta, &lower, &upper)
    if s.stop:
        return 0
    if upper <= alpha:
        s.top = base
        return upper
    if lower >= beta:
        best = min(best, lower)
        s.top = base
    elif upper < best:
        best = upper
        if best < beta:
            beta = best
    if not count_node(s):
        return 0
    for i in range(n):
        beats_and_closes(p, &s.rules, list[i].card, &child)
        value = child_value(s, p, &child, alpha, beta)
        if s.stop:
            return 0
        if value < best:
            best = value
            if best < beta:
                beta = best
            if best <= alpha:
                s.top = base
                return best
    if rarely(not s.rules.classic):
        value = other_answers(s, p, alpha, beta)
        if s.stop:
            return 0
        if value < best:
            best = value
            if best < beta:
                beta = best
        if best <= alpha:
            s.top = base
            return best
    if s.top > base:
        value = search_takes(s, base, alpha, beta)
        if value < best:
            best = value
    s.top = base
    return best


cdef inline int other_answers(Search* s, const State* p, int alpha, int beta) noexcept nogil:
    """The least value of what other rules let the defender do; 2 if that is nothing.

    That is to transfer, and where he holds fewer cards than he faces, to choose which of them he beats.
    """
    cdef Move found[MAX_ANSWERS]
    cdef State child
    cdef u64 todo, options
    cdef int i, n, value, best = 2
    if s.rules.can_cycle and not p.defences:
        n = moves.list_transfers(p, &s.rules, found)
        for i in range(n):
            child = p[0]
            moves.play(&child, &s.rules, &found[i])
            value = child_value(s, p, &child, alpha, beta)
            if s.stop:
                return 0
            best = min(best, value)
            beta = min(beta, best)
            if best <= alpha:
                return best
    if s.rules.short_hand == SHORT_LIMIT and popcount(p.unbeaten) > popcount(p.defender_hand):
        todo = p.unbeaten & ~lowest(p.unbeaten)
        while todo:
            options = moves.beaters(p, &s.rules, lowest(todo))
            while options:
                child = p[0]
                moves.play_beat(&child, &s.rules, lowest(options), lowest(todo))
                options &= options - 1
                value = child_value(s, p, &child, alpha, beta)
                if s.stop:
                    return 0
                best = min(best, value)
                beta = min(beta, best)
                if best <= alpha:
                    return best
            todo &= todo - 1
    return best


cdef inline int throw_in(Search* s, const State* p, int alpha, int beta) noexcept nogil:
    """Value for the attacker when all is beaten and he may throw in or be done."""
    cdef State child, after
    cdef Bout b
    cdef Candidate list[DECK]
    cdef int i, n, value, lower, upper, best
    cdef bint done_first
    after = p[0]
    moves.play_done(&after, &s.rules)
    look_after(s, &after, &b)
    for_attacker(p, &after, &b, &lower, &upper)
    if lower >= beta:
        return lower
    if not count_node(s):
        return 0
    best = lower
    if best > alpha:
        alpha = best
    if moves.may_exchange(p, &s.rules):
        value = after_exchange(s, p, alpha, beta)
        if s.stop or value >= beta:
            return value
        if value > best:
            best = value
            if best > alpha:
                alpha = best
    # A beaten bout takes cards out of play, so where it is likely enough to win, it wins with a smaller tree.
    done_first = popcount(p.attacker_hand) >= popcount(p.defender_hand)
    n = list_attacks(p, &s.rules, moves.throwable(p, &s.rules), list)
    for i in range(-1 if done_first else 0, n + (0 if done_first else 1)):
        if i == -1 or i == n:
            value = upper
            if upper > alpha:
                value = child_value(s, p, &after, alpha, beta)
        else:
            child = p[0]
            moves.play_throw(&child, &s.rules, list[i].card)
            value = defend(s, &child, alpha, beta) if child.phase == moves.DEFEND else throw_in(s, &child, alpha, beta)
        if s.stop:
            return 0
        if value > best:
            best = value
            if best > alpha:
                alpha = best
            if best >= beta:
                break
    return best


cdef inline int give(Search* s, const State* p, int alpha, int beta) noexcept nogil:
    """Value for the attacker after "take"."""
    cdef int lower, upper, value, base = s.top
    list_takes(s, p, beta, &lower, &upper)
    if s.stop:
        return 0
    if lower >= beta or upper <= alpha:
        value = lower if lower >= beta else upper
    elif not count_node(s):
        return 0
    else:
        value = search_takes(s, base, alpha, beta)
    s.top = base
    return value


cdef inline void list_takes(Search* s, const State* p, int beta, int* lower, int* upper) noexcept nogil:
    """Put all bout starts that a take can lead to on the arena; bounds of the best of them for the attacker.

    `p` is the state after "take": in the phase GIVE (the attacker chooses which cards to give, and may exchange
    first), or past the end of the bout. Stops early when one reaches beta.
    """
    cdef State child
    cdef Bout* b
    cdef u64 group = 0, subset
    cdef int room = p.cap - p.count, listed = 0, exchanged_lower, exchanged_upper
    if p.phase == moves.GIVE:
        group = moves.throwable(p, &s.rules)
    lower[0] = upper[0] = -1
    subset = group
    while True:
        if not several(subset) or popcount(subset) <= room:
            listed += 1
            if listed & 1023 == 0:
                checkpoint(s)  # limit=hand can leave very many sets of cards to give
            if s.stop or not reserve(s):
                return
            child = p[0]
            if p.phase == moves.GIVE:
                moves.give_all(&child, &s.rules, subset)
            b = &s.arena[s.top]
            s.top += 1
            look_after(s, &child, b)
            if b.lower > lower[0]:
                lower[0] = b.lower
            if b.upper > upper[0]:
                upper[0] = b.upper
            if lower[0] >= beta:
                return
        if not subset:
            break
        subset = (subset - 1) & group
    if p.phase == moves.GIVE and moves.may_exchange(p, &s.rules):
        child = p[0]
        moves.play_exchange(&child, &s.rules)
        list_takes(s, &child, beta, &exchanged_lower, &exchanged_upper)
        lower[0] = max(lower[0], exchanged_lower)
        upper[0] = max(upper[0], exchanged_upper)


cdef inline int search_takes(Search* s, int base, int alpha, int beta) noexcept nogil:
    """Value for the attacker of the candidates from `base` to the top of the arena, likely wins first."""
    cdef int i, k, value, best = -1, top = s.top
    cdef Bout b
    for i in range(base, top):
        b = s.arena[i]
        b.score = leader_logit(b.leader, b.other, s.rules.trump) if b.lower < b.upper else 0
        k = i
        while k > base and s.arena[k - 1].score < b.score:
            s.arena[k] = s.arena[k - 1]
            k -= 1
        s.arena[k] = b
    for i in range(base, top):
        b = s.arena[i]
        if b.upper <= alpha:
            value = b.upper
        else:
            value = lead(s, &b, alpha, beta)
            if s.stop:
                return 0
        if value > best:
            best = value
            if best > alpha:
                alpha = best
            if best >= beta:
                break
    return best
