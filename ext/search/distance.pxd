"""How many moves, or bouts, a won game still lasts when the winner hurries and the loser delays.

The distance of a state is one more than the least of its children where the winner moves, and one more than the
greatest where the loser does; a state that is not won has none. It is found by asking "is it won within n?" for growing
n (null windows as in MTD(f): Plaat and others, "Best-first fixed-depth minimax algorithms", 1996). The search for
values (alphabeta.pxd) says which bout starts need not be searched because they are not won.

A table keeps what is proved of bout starts, under their trace normal form. States with the same key have the same
distance: what the form leaves out (names of plain suits, ranks without a card, the order of ranks that share no suit)
renames cards, and so maps the moves of one state to those of the other, one to one, at each step of the game.

Most of what makes the search for a value fast would be wrong here: to beat some cards before taking, or to lead several
cards at once, gains nothing in value, but it changes the length. See `is_needed` for what is left out.
"""

from libc.stdlib cimport realloc

from game cimport moves
from game.bits cimport lowest, popcount, ranks_of, several, u64
from game.rules cimport Rules, names_matter
from game.state cimport Move, State
from keys.trace cimport Key, full_key, pile_key, trace_key
from search.alphabeta cimport search
from search.context cimport Search
from search.distance_table cimport DistanceTable, distances_probe, distances_store
from search.limits cimport LARGEST_ARENA, OUT_OF_MEMORY, RUNNING, count_node, halt
from search.move_order cimport attack_cost, beat_cost

cdef enum:
    NEVER = 0xFFFF         # more than any distance: the distance of what is not won
    SLACK = 3              # this many plies above the least distance, it is worth asking whether a bout start is won
    BOUTS_BIT = 40         # of the high word of a key, where the entry counts bouts
    FIRST_ARENA = 4096     # candidates
    LAST = 1 << 20         # more than any cost: sorts "take" and "done" after the cards

cdef struct Candidate:
    Move move
    State child
    u64 passed             # cards of the bout that are no longer beaten, or given: see `is_needed`
    int count              # what the move itself counts
    int lower              # proven bounds of the distance, the move included
    int upper
    int cost               # the cheaper, the earlier it is tried among equals

cdef struct DistanceSearch:
    Search* search         # for values, limits and the counter of nodes
    Rules rules
    int winner             # seat
    int step               # what a move counts: 1 in plies, 0 in bouts
    int bout               # what the end of a bout counts: 0 in plies, 1 in bouts
    int per_card           # the least that each card in the winner's hand costs, and each rank; see `least_leading`
    int per_rank
    u64 nodes
    DistanceTable table
    Move found[moves.MAX_MOVES]
    Candidate* arena       # a stack of candidates, addressed by index because it may move
    int arena_size
    int top


cdef inline void count_plies_or_bouts(DistanceSearch* s, bint bouts) noexcept nogil:
    """Set what is counted under the rules of the search."""
    cdef const Rules* r = &s.rules
    cdef int taken = 1 if bouts else 3 if r.pursuit else 2  # what a bout counts that is a lead and a take
    s.step = not bouts
    s.bout = bouts
    if r.shed_groups and not r.lead_many and not bouts:
        s.per_rank = 2
        s.per_card = 1
    else:
        s.per_rank = taken if r.shed_groups else 0
        s.per_card = 0 if r.shed_groups else taken


# --- Bounds without search --------------------------------------------------------------------------------------------

cdef inline int least_leading(const DistanceSearch* s, u64 hand) noexcept nogil:
    """The winner leads from a hand: how long the loser delays the end at least, by taking everything.

    Then each bout sheds cards of one rank only, the led one. It lasts a lead, "take" and, with pursuit, "done" where
    the whole rank may be led at once; with single leads one more for each card given after "take"; or, where nothing
    may be given either, each card takes a bout of its own.
    """
    return s.per_card * popcount(hand) + s.per_rank * popcount(ranks_of(hand))


cdef inline int least_after_beats(const DistanceSearch* s, u64 hand, int attacks, bint more) noexcept nogil:
    """The winner beats some cards from a hand; how long the game then lasts at least if the loser is done at once.

    `more` says that more could be thrown in, so that "done" has to be said unless the winner's hand is empty.
    """
    cdef int left = popcount(hand) - attacks
    cdef int ranks = popcount(ranks_of(hand)) - attacks
    if left < 0:
        return NEVER
    if not left:
        return attacks * s.step + s.bout
    if ranks < 1:
        ranks = 1
    return attacks * s.step + (s.step if more else 0) + s.bout + s.per_card * left + s.per_rank * ranks


cdef inline int least_defending(const DistanceSearch* s, u64 hand, u64 table, int attacks, bint more) noexcept nogil:
    """The winner has some cards to beat: the shorter of beating all of them and taking.

    The loser is done at once, and if they were taken, leads one card, throws in nothing, and takes from then on.
    To beat some before taking is no shorter: it costs moves, and puts more ranks on the table.
    """
    cdef int beaten = least_after_beats(s, hand, attacks, more)
    cdef int taken = (3 if s.rules.pursuit else 2) * s.step + s.bout + least_after_beats(s, hand | table, 1, False)
    return beaten if beaten < taken else taken


cdef inline int least_distance(const DistanceSearch* s, const State* p) noexcept nogil:
    """A lower bound of the distance of a state: how long the loser delays with some simple ways of play."""
    cdef u64 given
    if p.phase == moves.OVER or not s.rules.classic:
        return 0
    if p.attacker == s.winner:
        if p.phase == moves.LEAD:
            return least_leading(s, p.attacker_hand)
        if p.phase != moves.DEFEND:
            return 0  # the winner's move: all of them are looked at one by one
        # The loser takes. To give a card is never longer than to shed it later, so the winner gives all that they can.
        if not s.rules.pursuit:
            return s.step + s.bout + least_leading(s, p.attacker_hand)
        given = moves.throwable(p, &s.rules)
        return (2 + popcount(given)) * s.step + s.bout + least_leading(s, p.attacker_hand & ~given)
    if p.phase == moves.LEAD:
        return s.step + least_defending(s, p.defender_hand, 0, 1, p.cap > 1)
    if p.phase == moves.DEFEND:
        return least_defending(
            s, p.defender_hand, p.attacks | p.defences, popcount(p.unbeaten), p.count < p.cap)
    if p.phase == moves.THROW:
        return s.step + s.bout + least_leading(s, p.defender_hand)
    return 2 * s.step + s.bout + least_defending(s, p.defender_hand | p.attacks | p.defences, 0, 1, False)


# --- Candidates -------------------------------------------------------------------------------------------------------

cdef inline void distance_key(const DistanceSearch* s, const State* p, Key* key) noexcept nogil:
    """The key of a bout start, of what is counted and for whom."""
    cdef bint by_name = names_matter(&s.rules, p.attacker_hand | p.defender_hand)
    if s.rules.piles != NULL:
        pile_key(p.attacker_hand, p.pile, key)
    elif by_name or not trace_key(s.search.trace, p.attacker_hand, p.defender_hand, key):
        by_name = True
        full_key(s.search.trace, p.attacker_hand, p.defender_hand, key)
    key.high |= (<u64> s.bout << BOUTS_BIT | <u64> (p.attacker == s.winner) << (BOUTS_BIT + 1)
                 | <u64> by_name << (BOUTS_BIT + 2))


cdef inline bint winner_moves(const DistanceSearch* s, const State* p) noexcept nogil:
    return (p.attacker == s.winner) != (p.phase == moves.DEFEND)


cdef inline bint is_won(const DistanceSearch* s, const State* p) noexcept nogil:
    """Does the seat whose distance is measured win? Void if the search has stopped."""
    if p.phase == moves.OVER:
        return moves.final_value(p, &s.rules) == (1 if p.attacker == s.winner else -1)
    if p.attacker == s.winner:
        return search(s.search, p, 0) >= 1
    return search(s.search, p, -1) <= -1


cdef inline bint is_needed(const DistanceSearch* s, const State* p, const Move* m, u64 passed,
                           bint hurries) noexcept nogil:
    """May a move be the only one with the distance of its state? `hurries` says that it is the winner's.

    Cards given after "take" only need to be tried in ascending order: which ranks may be given was settled before,
    and the order changes neither the outcome nor the number of moves. Nor does the order in which cards are beaten, as
    the attacker has no move in between; so those that are to stay unbeaten until a take are passed over, and the
    others are beaten upward. The winner passes over none: to take at once instead is shorter, and leaves the loser
    fewer ranks to give.

    Leads of several cards are longer one by one: the attacker leads one card and throws in, or after "take" gives, the
    others. Whatever the defender does against that, they could have done against the whole group, with the same cards
    in all places (see `next_lead` in pruning.pxd), in fewer moves and the same number of bouts. So a loser does not
    need to lead groups, and nobody does where bouts are counted.

    All that is said for classic rules only.
    """
    if not s.rules.classic:
        return True
    if m.kind == moves.MOVE_BEAT:
        return m.target == lowest(p.unbeaten) if hurries else not m.target & passed
    if m.kind == moves.MOVE_GIVE:
        return not m.cards & passed
    if m.kind == moves.MOVE_LEAD and several(m.cards):
        return not s.rules.single_leads or (hurries and s.step != 0)
    return True


cdef inline void describe(const DistanceSearch* s, const State* p, const Move* m, Candidate* c) noexcept nogil:
    """What a move leads to, and all that is known of it without searching."""
    cdef Key key
    c.move = m[0]
    c.child = p[0]
    moves.play(&c.child, &s.rules, m)
    c.passed = 0
    if m.kind == moves.MOVE_GIVE:
        c.passed = (m.cards << 1) - 1
    elif m.kind == moves.MOVE_BEAT and c.child.phase == moves.DEFEND:
        c.passed = (m.target << 1) - 1
    c.count = s.step
    c.lower = least_distance(s, &c.child)
    c.upper = NEVER
    if c.child.phase == moves.LEAD or c.child.phase == moves.OVER:
        c.count += s.bout
        if c.child.phase == moves.LEAD:
            distance_key(s, &c.child, &key)
            distances_probe(&s.table, &key, &c.lower, &c.upper)
    c.lower += c.count
    if c.upper < NEVER:
        c.upper += c.count
    if not m.cards:
        c.cost = LAST
    elif m.kind == moves.MOVE_BEAT:
        c.cost = beat_cost(p, &s.rules, m.cards, 0)
    else:
        c.cost = attack_cost(p, &s.rules, lowest(m.cards), moves.beaters(p, &s.rules, lowest(m.cards)))


cdef inline bint reserve_candidates(DistanceSearch* s, int more) noexcept nogil:
    """Make room for more candidates on the arena; False (and stopped) if there is no memory."""
    cdef Candidate* larger
    cdef int size = s.arena_size
    while s.top + more > size:
        size *= 2
    if size == s.arena_size:
        return True
    larger = <Candidate*> realloc(s.arena, size * sizeof(Candidate)) if size <= LARGEST_ARENA else NULL
    if larger == NULL:
        halt(s.search, OUT_OF_MEMORY)
        return False
    s.arena = larger
    s.arena_size = size
    return True


cdef inline bint precedes(const Candidate* a, const Candidate* b, bint hurries) noexcept nogil:
    """Is one candidate to be tried before another? What may be quick comes first for the winner, last for the loser."""
    if a.lower != b.lower:
        return (a.lower < b.lower) == hurries
    return a.cost < b.cost


cdef inline void list_candidates(DistanceSearch* s, const State* p, u64 passed, bint hurries) noexcept nogil:
    """Put the moves of a state on the arena, those to be tried first at the bottom."""
    cdef Candidate c
    cdef int i, k, base = s.top, n = moves.list_moves(p, &s.rules, s.found)
    if not reserve_candidates(s, n):
        return
    for i in range(n):
        if not is_needed(s, p, &s.found[i], passed, hurries):
            continue
        describe(s, p, &s.found[i], &c)
        k = s.top
        while k > base and precedes(&c, &s.arena[k - 1], hurries):
            s.arena[k] = s.arena[k - 1]
            k -= 1
        s.arena[k] = c
        s.top += 1


# --- The search -------------------------------------------------------------------------------------------------------

cdef inline int bound_distance(DistanceSearch* s, const State* p, u64 passed, int n) noexcept nogil:
    """A bound of a state's distance: if it is at most n an upper one, so the game is won within it; else a lower one.

    `passed`: see `is_needed`. Void if the search has stopped.
    """
    cdef Key key
    cdef u64 work = s.nodes
    cdef int lower, upper, value
    if p.phase == moves.OVER:
        return 0 if is_won(s, p) else NEVER
    if p.phase != moves.LEAD:
        return bound_by_moves(s, p, passed, n)
    lower = 0
    upper = NEVER
    distance_key(s, p, &key)
    distances_probe(&s.table, &key, &lower, &upper)
    if upper <= n:
        return upper
    if lower > n:
        return lower
    # Where little is missing, to find out by trying is cheaper than to ask.
    if upper == NEVER and n - least_distance(s, p) >= SLACK * s.step and not is_won(s, p):
        value = NEVER
    else:
        value = bound_by_moves(s, p, passed, n)
    if s.search.stop == RUNNING:
        if value <= n:
            upper = value
        else:
            lower = value
        distances_store(&s.table, &key, lower, upper, s.nodes - work)
    return value


cdef inline int bound_by_moves(DistanceSearch* s, const State* p, u64 passed, int n) noexcept nogil:
    """`bound_distance` of a state that is not over, found by trying its moves."""
    cdef Candidate c
    cdef bint hurries = winner_moves(s, p)
    cdef int i, value, best = NEVER if hurries else 0, base = s.top
    s.nodes += 1
    if s.search.stop != RUNNING or not count_node(s.search):
        return 0
    list_candidates(s, p, passed, hurries)
    for i in range(base, s.top):
        c = s.arena[i]
        value = c.lower
        if value <= n:
            value = c.count + bound_distance(s, &c.child, c.passed, n - c.count)
        if s.search.stop != RUNNING:
            break
        if (value < best) == hurries:
            best = value
        if (best <= n) == hurries:
            break
    s.top = base
    return best if best < NEVER else NEVER


cdef inline int exact_distance(DistanceSearch* s, const State* p) noexcept nogil:
    """The distance of a state, NEVER if it is not won; void if the search was stopped."""
    cdef int value, n = least_distance(s, p)
    while s.search.stop == RUNNING:
        value = bound_distance(s, p, 0, n)
        if value <= n:
            return value
        n = value
    return 0


cdef inline bint best_candidate(DistanceSearch* s, const State* p, int known, Candidate* best) noexcept nogil:
    """A move that keeps the known distance of a state; False if the search was stopped."""
    cdef bint hurries = winner_moves(s, p), found = False
    cdef int i, n, base = s.top, end
    list_candidates(s, p, 0, hurries)
    end = s.top
    for i in range(base, end):
        best[0] = s.arena[i]
        n = known - best.count - (0 if hurries else 1)
        found = (bound_distance(s, &best.child, 0, n) <= n) == hurries
        if found or s.search.stop != RUNNING:
            break
    s.top = base
    return found and s.search.stop == RUNNING
