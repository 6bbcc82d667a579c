"""Alpha-beta over loss, draw and win, with a transposition table at bout starts.

What it may leave out or knows without searching is proved beside the code: for all rules, or for classic ones, where
a card is beaten by the higher ones of its suit and by trumps (unless its suit is locked), nothing is transferred, and a
beaten bout discards as many defences as attacks. Under other rules positions may come back (cycles.pxd), and cards may
count by their names. Straps are asked for level by level: who can force a win that hangs at least that number, all
other ends being draws?

Fail-soft alpha-beta (Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Fishburn, "Another optimization of
alpha-beta search", 1983) with null windows only, as in MTD(f) (Plaat and others, 1996). So a window is one number, the
bound, and the question is whether the value exceeds it. What a search returns is a lower bound of the value if it
exceeds the bound, else an upper bound.

Values are -1, 0 and 1. Inside a bout they are the attacker's, who maximises; at a bout start they are the leader's.

The file is long because its functions call each other in a circle.
"""

from game cimport moves
from game.bits cimport lowest, popcount, rarely, u64
from game.rules cimport SHORT_LIMIT, Rules
from game.state cimport Move, State
from search.context cimport Bout, Search
from search.cycles cimport NOTHING, Visit, Visits, foundation, visits_find, visits_pop, visits_push
from search.known cimport look, look_after, probe, store, variant_of
from search.limits cimport OUT_OF_MEMORY, checkpoint, count_node, halt, reserve_bout
from search.move_order cimport RatedCard, beat_cost, insert_rated, leader_logit, list_attacks
from search.pruning cimport beats_and_closes, card_to_beat, next_gift, next_lead
from search.table cimport Table, table_probe, table_store

cdef enum:
    STACK_BYTES = 4 << 20  # of the machine's stack, of which a thread has 8 MiB as a rule
    MAX_ANSWERS = 8      # three transfers and a show
    DECK = 64            # more than any hand holds
    OPENS = 1 << 16      # more than any cost: sorts what comes later


cdef inline int search(Search* s, const State* p, int bound) noexcept nogil:
    """Value of any state for its attacker. Void, like all that follows, if the search has stopped."""
    cdef Bout b
    if p.phase == moves.OVER:
        return moves.final_value(p, &s.rules)
    if p.phase == moves.LEAD:
        look(s, p, &b)
        return lead(s, &b, bound)
    if p.phase == moves.DEFEND:
        return defend(s, p, bound)
    if p.phase == moves.THROW:
        return throw_in(s, p, bound)
    return give(s, p, bound)


cdef inline int child_value(Search* s, const State* p, const State* child, int bound) noexcept nogil:
    """Value of a child for the attacker of its parent."""
    if child.attacker == p.attacker:
        return search(s, child, bound)
    return -search(s, child, -bound - 1)


cdef inline int after_exchange(Search* s, const State* p, int bound) noexcept nogil:
    """Value for the attacker when the player to move swaps the lowest trump for the turn-up.

    Tried before all other moves: a card that is exchanged later in a turn has not been played before, so to exchange it
    first changes nothing.
    """
    cdef State child = p[0]
    moves.play_exchange(&child, &s.rules)
    return search(s, &child, bound)


cdef inline int lead(Search* s, Bout* b, int bound) noexcept nogil:
    """Value of a bout start for its leader."""
    cdef u64 work = s.nodes
    cdef int best
    if b.lower == b.upper:
        return b.lower
    probe(s, b)
    if b.lower > bound or b.lower == b.upper:
        return b.lower
    if b.upper <= bound:
        return b.upper
    if not count_node(s):
        return 0
    if rarely(s.rules.can_cycle):
        return lead_round(s, b, bound)
    best = best_lead(s, b, bound)
    if s.stop:
        return 0
    if best > bound:
        b.lower = best
    else:
        b.upper = best
    store(s, b, s.nodes - work)
    return best


cdef inline int lead_round(Search* s, Bout* b, int bound) noexcept nogil:
    """Value of a bout start that can come back: see cycles.pxd.

    If the bound is 0 the question is whether the leader can force a win, else whether the other player can.
    """
    cdef Visits* v = &s.visits
    cdef u64 work = s.nodes
    cdef u64 tag = variant_of(s, b) << 2 | <u64> (b.stock_left != 0) << 1 | <u64> (bound + 1)
    cdef int value, rests_on = s.rests_on, place = visits_find(v, &b.key, tag)
    if place >= 0:
        s.rests_on = min(rests_on, foundation(v, place))
        return 0
    place = visits_push(v, &b.key, tag)
    # The path is bounded only by the number of bout starts with these live cards.
    if place < 0 or s.stack_top - <const char*> &value > STACK_BYTES:
        halt(s, OUT_OF_MEMORY)
        return 0
    s.rests_on = NOTHING
    value = best_lead(s, b, bound)
    if s.stop:
        return 0
    if value:
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


cdef inline int best_lead(Search* s, const Bout* b, int bound) noexcept nogil:
    """Value of a bout start for its leader, from its leads."""
    cdef State p, child
    cdef RatedCard list[DECK]
    cdef u64 group
    cdef int i, best = -2
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
        best = after_exchange(s, &p, bound)
        if s.stop or best > bound:
            return best
    for i in range(list_attacks(&p, &s.rules, moves.leadable(&p, &s.rules), list)):
        child = p
        moves.play_lead(&child, &s.rules, list[i].card)
        best = max(best, defend(s, &child, bound))
        if s.stop or best > bound:
            return best
    group = next_lead(&p, &s.rules, 0, 2)
    while group:
        child = p
        moves.play_lead(&child, &s.rules, group)
        best = max(best, defend(s, &child, bound))
        if s.stop or best > bound:
            return best
        group = next_lead(&p, &s.rules, group, 2)
    return best


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


cdef inline int defend(Search* s, const State* p, int bound) noexcept nogil:
    """Value of a defence for the attacker; the defender minimises.

    First everything that can be answered without search: the beats that end the bout, which are the answer four times
    as often as taking, then taking. What is left is searched: the beats, then taking.
    """
    cdef State child
    cdef Bout b
    cdef RatedCard list[DECK]
    cdef u64 options, card
    cdef int i, lower, upper, n = 0, best = 2, base = s.top
    if moves.may_exchange(p, &s.rules):
        best = after_exchange(s, p, bound)
        if s.stop or best <= bound:
            return best
    options = moves.beaters(p, &s.rules, card_to_beat(p))
    while options:
        card = lowest(options)
        options &= options - 1
        if beats_and_closes(p, &s.rules, card, &child):
            look_after(s, &child, &b)
            for_attacker(p, &child, &b, &lower, &upper)
            if upper <= bound:
                return upper
            if lower > bound:
                best = min(best, lower)
                continue
            best = min(best, upper)
        insert_rated(list, n, card, defence_cost(p, &s.rules, card, &child))
        n += 1
    child = p[0]
    moves.play_take(&child, &s.rules)
    list_takes(s, &child, bound, &lower, &upper)
    if s.stop:
        return 0
    if upper <= bound:
        s.top = base
        return upper
    if lower > bound:
        best = min(best, lower)
        s.top = base
    else:
        best = min(best, upper)
    if not count_node(s):
        return 0
    for i in range(n):
        beats_and_closes(p, &s.rules, list[i].card, &child)
        best = min(best, child_value(s, p, &child, bound))
        if s.stop or best <= bound:
            s.top = base
            return best
    if rarely(not s.rules.classic):
        best = min(best, other_answers(s, p, bound))
        if s.stop or best <= bound:
            s.top = base
            return best
    if s.top > base:
        best = min(best, search_takes(s, base, bound))
    s.top = base
    return best


cdef inline int other_answers(Search* s, const State* p, int bound) noexcept nogil:
    """The least value of what other rules let the defender do; 2 if that is nothing.

    That is to transfer, and with fewer cards in hand than on the table, to choose which of them to beat.
    """
    cdef Move found[MAX_ANSWERS]
    cdef State child
    cdef u64 todo, options
    cdef int i, n, best = 2
    if s.rules.can_cycle and not p.defences:
        n = moves.list_transfers(p, &s.rules, found)
        for i in range(n):
            child = p[0]
            moves.play(&child, &s.rules, &found[i])
            best = min(best, child_value(s, p, &child, bound))
            if s.stop or best <= bound:
                return best
    if s.rules.short_hand == SHORT_LIMIT and popcount(p.unbeaten) > popcount(p.defender_hand):
        todo = p.unbeaten & ~card_to_beat(p)
        while todo:
            options = moves.beaters(p, &s.rules, lowest(todo))
            while options:
                child = p[0]
                moves.play_beat(&child, &s.rules, lowest(options), lowest(todo))
                options &= options - 1
                best = min(best, child_value(s, p, &child, bound))
                if s.stop or best <= bound:
                    return best
            todo &= todo - 1
    return best


cdef inline int throw_in(Search* s, const State* p, int bound) noexcept nogil:
    """Value for the attacker when all is beaten: to throw in or to be done."""
    cdef State child, after
    cdef Bout b
    cdef RatedCard list[DECK]
    cdef int i, n, value, lower, upper, best
    cdef bint done_first
    after = p[0]
    moves.play_done(&after, &s.rules)
    look_after(s, &after, &b)
    for_attacker(p, &after, &b, &lower, &upper)
    if lower > bound:
        return lower
    if not count_node(s):
        return 0
    best = lower
    if moves.may_exchange(p, &s.rules):
        best = max(best, after_exchange(s, p, bound))
        if s.stop or best > bound:
            return best
    # A beaten bout takes cards out of play, so where it is likely enough to win, it wins with a smaller tree.
    done_first = popcount(p.attacker_hand) >= popcount(p.defender_hand)
    n = list_attacks(p, &s.rules, moves.throwable(p, &s.rules), list)
    for i in range(-1 if done_first else 0, n + (0 if done_first else 1)):
        if i == -1 or i == n:
            value = upper
            if upper > bound:
                value = child_value(s, p, &after, bound)
        else:
            child = p[0]
            moves.play_throw(&child, &s.rules, list[i].card)
            value = defend(s, &child, bound) if child.phase == moves.DEFEND else throw_in(s, &child, bound)
        best = max(best, value)
        if s.stop or best > bound:
            break
    return best


cdef inline int give(Search* s, const State* p, int bound) noexcept nogil:
    """Value for the attacker after "take"."""
    cdef int lower, upper, value, base = s.top
    list_takes(s, p, bound, &lower, &upper)
    if s.stop:
        return 0
    if lower > bound:
        value = lower
    elif upper <= bound:
        value = upper
    elif not count_node(s):
        return 0
    else:
        value = search_takes(s, base, bound)
    s.top = base
    return value


cdef inline void list_takes(Search* s, const State* p, int bound, int* lower, int* upper) noexcept nogil:
    """Put all bout starts that a take can lead to on the arena; bounds of the best of them for the attacker.

    `p` is the state after "take": in the phase GIVE (the attacker chooses which cards to give, and may exchange
    first), or past the end of the bout. Stops early when one exceeds the bound.
    """
    cdef State child
    cdef Bout* b
    cdef u64 cards = 0, gift = 0
    cdef int listed = 0, exchanged_lower, exchanged_upper
    if p.phase == moves.GIVE:
        cards = moves.throwable(p, &s.rules)
    lower[0] = upper[0] = -1
    while True:
        gift = next_gift(p, cards, gift)
        listed += 1
        if listed & 1023 == 0:
            checkpoint(s)  # limit=hand can leave very many sets of cards to give
        if s.stop or not reserve_bout(s):
            return
        child = p[0]
        if p.phase == moves.GIVE:
            moves.give_all(&child, &s.rules, gift)
        b = &s.arena[s.top]
        s.top += 1
        look_after(s, &child, b)
        lower[0] = max(lower[0], b.lower)
        upper[0] = max(upper[0], b.upper)
        if lower[0] > bound:
            return
        if not gift:
            break
    if p.phase == moves.GIVE and moves.may_exchange(p, &s.rules):
        child = p[0]
        moves.play_exchange(&child, &s.rules)
        list_takes(s, &child, bound, &exchanged_lower, &exchanged_upper)
        lower[0] = max(lower[0], exchanged_lower)
        upper[0] = max(upper[0], exchanged_upper)


cdef inline int search_takes(Search* s, int base, int bound) noexcept nogil:
    """Value for the attacker of the candidates from `base` to the top of the arena, likely wins first."""
    cdef int i, k, best = -1, top = s.top
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
        best = max(best, b.upper if b.upper <= bound else lead(s, &b, bound))
        if s.stop or best > bound:
            break
    return best
