"""How many moves, or bouts, a won game still lasts when the winner hurries and the loser delays.

The distance of a state is one more than the least of its children where the winner moves, one more than the greatest
where the other does; there is none where he does not win. It is found by asking "can he win within n?" for growing n
(null windows as in MTD(f): Plaat and others, "Best-first fixed-depth minimax algorithms", 1996). The search for values
(see oracle.pxd) says which bout starts need not be searched because they are not won.

A table keeps what is proved of bout starts, under their trace normal form. States with the same key have the same
distance: what the form leaves out (names of plain suits, ranks without a card, the order of ranks that share no suit)
renames cards, and so maps the moves of one state to those of the other, one to one, at each step of the game.

Most of what makes the search for a value fast would be wrong here: to beat some cards before taking, or to lead several
cards at once, gains nothing in value, but it changes the length. See `is_needed` for what is left out.
"""

cimport cython
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp

from game cimport moves
from game.bits cimport lowest, popcount, ranks_of, several, u64
from durak_solver._core.state cimport State as PyState
from search.distance_table cimport Lengths, lengths_allocate, lengths_clear, lengths_free, lengths_probe, lengths_store
from game.moves cimport Move, State
from search.limits cimport OUT_OF_MEMORY, RUNNING
from search.oracle cimport Oracle
from search.move_order cimport attack_cost, beat_cost
from game.rules cimport Rules, names_matter
from keys.trace cimport Key, full_key, pile_key, trace_key

cdef enum:
    NEVER = 0xFFFF         # more than any distance: the distance of what is not won
    SLACK = 3              # with so many plies more than the least, it is worth asking whether a bout start is won
    BOUTS_BIT = 40         # of the high word of a key, where the entry counts bouts
    FIRST_ARENA = 4096     # candidates
    LARGEST_ARENA = 1 << 22
    LAST = 1 << 20         # more than any cost: sorts "take" and "done" after the cards

cdef u64 EVERY_CARD = 0xFFFFFFFFFFFFFFFFu

cdef struct Candidate:
    Move move
    State child
    u64 rest               # see `expand`
    int count              # what the move itself counts
    int lower              # proven bounds of the distance, the move included
    int upper
    int cost               # the cheaper, the earlier it is tried among equals

cdef struct Measuring:
    const Oracle* oracle
    Rules rules
    int winner             # seat
    int step               # what a move counts: 1 in plies, 0 in bouts
    int bout               # what the end of a bout counts: the other way round
    int per_card           # what each card in the winner's hand costs him at least, and each rank; see `shedding`
    int per_rank
    u64 nodes
    Lengths table
    Move found[moves.MAX_MOVES]
    Candidate* arena       # a stack of candidates, addressed by index because it may move
    int arena_size
    int top


# --- Bounds without search --------------------------------------------------------------------------------------------

cdef inline int shedding(const Measuring* s, u64 hand) noexcept nogil:
    """The winner leads from a hand: how long the loser can delay him at least, by taking everything.

    Then each bout sheds cards of one rank only, the led one. It lasts a lead, "take" and, with pursuit, "done" where
    the whole rank may be led at once; with single leads one more for each card given after "take"; or, where nothing
    may be given either, each card takes a bout of its own.
    """
    return s.per_card * popcount(hand) + s.per_rank * popcount(ranks_of(hand))


cdef inline int after_beats(const Measuring* s, u64 hand, int attacks, bint more) noexcept nogil:
    """The winner beats some cards from a hand; at least how long he then needs if the loser is done at once.

    `more` says that more could be thrown in, so that "done" has to be said unless his hand is empty.
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


cdef inline int defence(const Measuring* s, u64 hand, u64 table, int attacks, bint more) noexcept nogil:
    """The winner has some cards to beat: the better for him of beating all of them and taking.

    The loser is done at once, and if they were taken, leads one card, throws in nothing, and takes from then on.
    Beating some before taking is no better for the winner: it costs moves, and puts more ranks on the table.
    """
    cdef int beaten = after_beats(s, hand, attacks, more)
    cdef int taken = (3 if s.rules.pursuit else 2) * s.step + s.bout + after_beats(s, hand | table, 1, False)
    return beaten if beaten < taken else taken


cdef int least(const Measuring* s, const State* p) noexcept nogil:
    """A lower bound of the distance of a state: how long the loser delays with some simple ways of play."""
    cdef u64 given
    if p.phase == moves.OVER or not s.rules.classic:
        return 0
    if p.attacker == s.winner:
        if p.phase == moves.LEAD:
            return shedding(s, p.attacker_hand)
        if p.phase != moves.DEFEND:
            return 0  # the winner's move: all his moves are looked at one by one
        # The loser takes. To give a card is never longer than to shed it later: so he gives all that he can.
        if not s.rules.pursuit:
            return s.step + s.bout + shedding(s, p.attacker_hand)
        given = moves.throwable(p, &s.rules)
        return (2 + popcount(given)) * s.step + s.bout + shedding(s, p.attacker_hand & ~given)
    if p.phase == moves.LEAD:
        return s.step + defence(s, p.defender_hand, 0, 1, p.cap > 1)
    if p.phase == moves.DEFEND:
        return defence(s, p.defender_hand, p.attacks | p.defences, popcount(p.unbeaten), p.count < p.cap)
    if p.phase == moves.THROW:
        return s.step + s.bout + shedding(s, p.defender_hand)
    return 2 * s.step + s.bout + defence(s, p.defender_hand | p.attacks | p.defences, 0, 1, False)


# --- Keys -------------------------------------------------------------------------------------------------------------

cdef inline void key_of(const Measuring* s, const State* p, Key* key) noexcept nogil:
    """The key of a bout start, of what is counted and for whom."""
    cdef bint by_name = names_matter(&s.rules, p.attacker_hand | p.defender_hand)
    if s.rules.piles != NULL:
        pile_key(p.attacker_hand, p.pile, key)
    elif by_name or not trace_key(s.oracle.trace, p.attacker_hand, p.defender_hand, key):
        by_name = True
        full_key(s.oracle.trace, p.attacker_hand, p.defender_hand, key)
    key.high |= (<u64> s.bout << BOUTS_BIT | <u64> (p.attacker == s.winner) << (BOUTS_BIT + 1)
                 | <u64> by_name << (BOUTS_BIT + 2))


# --- The search -------------------------------------------------------------------------------------------------------

cdef inline bint winner_moves(const Measuring* s, const State* p) noexcept nogil:
    return (p.attacker == s.winner) != (p.phase == moves.DEFEND)


cdef inline bint is_won(const Measuring* s, const State* p) noexcept nogil:
    """Does he whose distance is measured win? Void if the search has stopped."""
    if p.phase == moves.OVER:
        return moves.final_value(p, &s.rules) == (1 if p.attacker == s.winner else -1)
    if p.attacker == s.winner:
        return s.oracle.value(s.oracle.search, p, 0) >= 1
    return s.oracle.value(s.oracle.search, p, -1) <= -1


cdef inline bint is_needed(const Measuring* s, const State* p, const Move* m, u64 rest, bint mine) noexcept nogil:
    """May a move be the only one with the distance of its state?

    Cards given after "take" only need to be tried in ascending order: which ranks may be given was settled before,
    and the order changes neither the outcome nor the number of moves. Nor does the order in which cards are beaten, as
    the attacker has no move in between; so those that are to stay unbeaten until a take are passed over, and the
    others are beaten upward. The winner passes over none: to take at once instead is shorter, and leaves the loser
    fewer ranks to give.

    Leads of several cards are longer one by one: the attacker leads one card and throws in, or after "take" gives, the
    others. Whatever the defender does against that, he could have done against the whole group, with the same cards in
    all places (see `next_lead` in pruning.pxd), in fewer moves and as many bouts. So a loser does not need to lead
    groups, and nobody does where bouts are counted.

    All that is said for classic rules only.
    """
    if not s.rules.classic:
        return True
    if m.kind == moves.MOVE_BEAT:
        return m.target == lowest(p.unbeaten) if mine else (m.target & rest) != 0
    if m.kind == moves.MOVE_GIVE:
        return (m.cards & rest) != 0
    if m.kind == moves.MOVE_LEAD and several(m.cards):
        return not s.rules.single_leads or (mine and s.step != 0)
    return True


cdef inline void describe(const Measuring* s, const State* p, const Move* m, Candidate* c) noexcept nogil:
    """What a move leads to, and all that is known of it without searching."""
    cdef Key key
    c.move = m[0]
    c.child = p[0]
    moves.play(&c.child, &s.rules, m)
    c.rest = EVERY_CARD
    if m.kind == moves.MOVE_GIVE:
        c.rest = 0 - (m.cards << 1)
    elif m.kind == moves.MOVE_BEAT and c.child.phase == moves.DEFEND:
        c.rest = 0 - (m.target << 1)
    c.count = s.step
    c.lower = least(s, &c.child)
    c.upper = NEVER
    if c.child.phase == moves.LEAD or c.child.phase == moves.OVER:
        c.count += s.bout
        if c.child.phase == moves.LEAD:
            key_of(s, &c.child, &key)
            lengths_probe(&s.table, &key, &c.lower, &c.upper)
    c.lower += c.count
    if c.upper < NEVER:
        c.upper += c.count
    if not m.cards:
        c.cost = LAST
    elif m.kind == moves.MOVE_BEAT:
        c.cost = beat_cost(p, &s.rules, m.cards, 0)
    else:
        c.cost = attack_cost(p, &s.rules, lowest(m.cards), moves.beaters(p, &s.rules, lowest(m.cards)))


cdef bint reserve(Measuring* s, int more) noexcept nogil:
    """Make room for more candidates on the arena; False (and stopped) if there is no memory."""
    cdef Candidate* larger
    cdef int size = s.arena_size
    while s.top + more > size:
        size *= 2
    if size == s.arena_size:
        return True
    larger = <Candidate*> realloc(s.arena, size * sizeof(Candidate)) if size <= LARGEST_ARENA else NULL
    if larger == NULL:
        s.oracle.stop[0] = OUT_OF_MEMORY
        return False
    s.arena = larger
    s.arena_size = size
    return True


cdef inline bint precedes(const Candidate* a, const Candidate* b, bint mine) noexcept nogil:
    """Is one candidate to be tried before another? What may be quick comes first for the winner, last for the loser."""
    if a.lower != b.lower:
        return (a.lower < b.lower) == mine
    return a.cost < b.cost


cdef void list_candidates(Measuring* s, const State* p, u64 rest, bint mine) noexcept nogil:
    """Put the moves of a state on the arena, those to be tried first at the bottom."""
    cdef Candidate c
    cdef int i, k, base = s.top, n = moves.list_moves(p, &s.rules, s.found)
    if not reserve(s, n):
        return
    for i in range(n):
        if not is_needed(s, p, &s.found[i], rest, mine):
            continue
        describe(s, p, &s.found[i], &c)
        k = s.top
        while k > base and precedes(&c, &s.arena[k - 1], mine):
            s.arena[k] = s.arena[k - 1]
            k -= 1
        s.arena[k] = c
        s.top += 1


cdef int distance(Measuring* s, const State* p, u64 rest, int n) noexcept nogil:
    """The distance of a state, or a bound: at most n means that he wins within what is returned, more than n that he
    needs at least so much.
    """
    cdef Key key
    cdef u64 work = s.nodes
    cdef int lower, upper, value
    if p.phase == moves.OVER:
        return 0 if is_won(s, p) else NEVER
    if p.phase != moves.LEAD:
        return expand(s, p, rest, n)
    lower = 0
    upper = NEVER
    key_of(s, p, &key)
    lengths_probe(&s.table, &key, &lower, &upper)
    if upper <= n:
        return upper
    if lower > n:
        return lower
    # Where little is missing, to find out by trying is cheaper than to ask.
    if upper == NEVER and n - least(s, p) >= SLACK * s.step and not is_won(s, p):
        value = NEVER
    else:
        value = expand(s, p, rest, n)
    if s.oracle.stop[0] == RUNNING:
        if value <= n:
            upper = value
        else:
            lower = value
        lengths_store(&s.table, &key, lower, upper, s.nodes - work)
    return value


cdef int expand(Measuring* s, const State* p, u64 rest, int n) noexcept nogil:
    """The same for a state that is not in the table; `rest` are the cards that may still be beaten, or given."""
    cdef Candidate c
    cdef bint mine = winner_moves(s, p)
    cdef int i, value, best = NEVER if mine else 0, base = s.top
    s.nodes += 1
    if s.oracle.stop[0] != RUNNING or not s.oracle.count_node(s.oracle.search):
        return 0
    list_candidates(s, p, rest, mine)
    for i in range(base, s.top):
        c = s.arena[i]
        value = c.lower
        if value <= n:
            value = c.count + distance(s, &c.child, c.rest, n - c.count)
        if s.oracle.stop[0] != RUNNING:
            break
        if (value < best) == mine:
            best = value
        if (best <= n) == mine:
            break
    s.top = base
    return best if best < NEVER else NEVER


cdef int exact(Measuring* s, const State* p) noexcept nogil:
    """The distance of a state that the winner wins; void if the search was stopped."""
    cdef int value, n = least(s, p)
    while s.oracle.stop[0] == RUNNING:
        value = distance(s, p, EVERY_CARD, n)
        if value <= n:
            return value
        n = value
    return 0


cdef bint best_move(Measuring* s, const State* p, int known, Candidate* best) noexcept nogil:
    """A move that keeps the distance of a state; False if the search was stopped."""
    cdef bint mine = winner_moves(s, p)
    cdef int i, n, base = s.top, end
    cdef bint found = False
    list_candidates(s, p, EVERY_CARD, mine)
    end = s.top
    for i in range(base, end):
        best[0] = s.arena[i]
        n = known - best.count - (0 if mine else 1)
        found = (distance(s, &best.child, EVERY_CARD, n) <= n) == mine
        if found or s.oracle.stop[0] != RUNNING:
            break
    s.top = base
    return found and s.oracle.stop[0] == RUNNING


# --- Python's side ----------------------------------------------------------------------------------------------------

@cython.final
cdef class DistanceSearcher:
    """Measures won and lost positions, and remembers what it proved; not for two threads at once.

    Parameters
    ----------
    searcher : Searcher
        Whose knowledge of values, limits and counter of nodes are used.
    table_bytes : int
        Memory for a table of its own, rounded down to a power of two of buckets.

    Raises
    ------
    MemoryError
        If there is not that much.
    """

    cdef Measuring s
    cdef object searcher
    cdef object discard  # what the numbers of piles in the table belong to
    cdef bint is_used

    def __cinit__(self, searcher, u64 table_bytes):
        self.searcher = searcher
        self.s.arena = <Candidate*> realloc(NULL, FIRST_ARENA * sizeof(Candidate))
        if not lengths_allocate(&self.s.table, table_bytes) or self.s.arena == NULL:
            raise MemoryError("no memory for a search of distances")
        self.s.arena_size = FIRST_ARENA

    def __dealloc__(self):
        lengths_free(&self.s.table)
        free(self.s.arena)

    def clear(self):
        """Forget everything."""
        if self.is_used:  # memory that was never touched stays so
            lengths_clear(&self.s.table)
            self.is_used = False

    def plies(self, PyState state, int winner):
        """How many moves the game lasts, forced ones too, when the winner hurries and the loser delays.

        Parameters
        ----------
        state : State
            With an empty stock.
        winner : int
            The seat that is known to win.

        Returns
        -------
        int or None
            None if a limit of the searcher was reached.
        """
        return self.measure(state, winner, False)

    def bouts(self, PyState state, int winner):
        """The same in bouts, each of which counts when it ends; the winner hurries, and the loser delays, in these.

        Parameters
        ----------
        state : State
            With an empty stock.
        winner : int
            The seat that is known to win.

        Returns
        -------
        int or None
            None if a limit of the searcher was reached.
        """
        return self.measure(state, winner, True)

    def line(self, PyState state, int winner):
        """A quickest win of one and slowest loss of the other, in plies, or as much of it as the limits allow.

        Parameters
        ----------
        state : State
            With an empty stock.
        winner : int
            The seat that is known to win.

        Returns
        -------
        list of tuple
            Moves as `State.moves` gives them.
        """
        cdef State p = state.c
        cdef Candidate best
        cdef bint found
        cdef list result = []
        known = self.plies(state, winner)
        if known is None:
            return result
        cdef int left = known
        oracle = self.begin(state, winner, False)
        while p.phase != moves.OVER:
            with nogil:
                found = best_move(&self.s, &p, left, &best)
            if not found:
                break
            result.append((best.move.kind, best.move.cards, best.move.target))
            p = best.child
            left -= best.count
        self.end(oracle)
        return result

    cdef measure(self, PyState state, int winner, bint bouts):
        cdef int found
        oracle = self.begin(state, winner, bouts)
        with nogil:
            found = exact(&self.s, &state.c)
        self.end(oracle)
        if self.searcher.stopped is not None:
            return None
        if found == NEVER:
            raise ValueError("the seat does not win")
        return found

    cdef begin(self, PyState state, int winner, bint bouts):
        """Set the rules and what is counted; returns what must be handed to `end`."""
        if state.c.stock_left:
            raise ValueError("the stock must be empty")
        cdef Rules rules = state.rules.c
        cdef const Rules* r = &rules
        cdef bint by_ranks
        if state.discard is not None:
            rules.piles = state.discard.c
        if memcmp(&self.s.rules, r, sizeof(Rules)) or state.discard is not self.discard:
            self.clear()
            self.s.rules = rules
            self.discard = state.discard
        self.is_used = True
        self.s.winner = winner
        self.s.step = 0 if bouts else 1
        self.s.bout = 1 if bouts else 0
        by_ranks = r.shed_groups
        if bouts:
            self.s.per_rank = 1 if by_ranks else 0
            self.s.per_card = 0 if by_ranks else 1
        elif r.lead_many or not by_ranks:
            self.s.per_rank = (3 if r.pursuit else 2) if by_ranks else 0
            self.s.per_card = 0 if by_ranks else (3 if r.pursuit else 2)
        else:
            self.s.per_rank = 2
            self.s.per_card = 1
        self.s.top = 0
        capsule = self.searcher.lend(state)
        self.s.oracle = <const Oracle*> PyCapsule_GetPointer(capsule, NULL)
        return capsule

    cdef end(self, capsule):
        self.s.oracle = NULL
        self.searcher.take_back()
