"""Exact search of the open game, for Python: values, lines of play, and what moves are worth in many worlds.

Values are -1, 0 and 1. Inside a bout they are the attacker's, who maximises; at a bout start they are the leader's.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_New
from libc.stdlib cimport free, realloc

from game cimport moves
from search.alphabeta cimport OPENS, search
from search.context cimport Bout, Search, begin_again
from search.known cimport DEAL_SHIFT, STOCK, drawable, look, table_of, variant_of
from search.limits cimport (
    CHECK_INTERVAL, INTERRUPTED, OUT_OF_MEMORY, OUT_OF_NODES, OUT_OF_TIME, RUNNING, SIGNAL_MILLISECONDS, clock,
    count_node, look_up, resume)
from game.bits cimport lowest, popcount, several, u64
from search.cycles cimport visits_free
from durak_solver._core.endings cimport Endings as PyEndings
from durak_solver._core.state cimport State as PyState
from endings.endings cimport same_endings
from heuristics.evaluation cimport evaluate
from game.state cimport Move, State, live_cards
from search.oracle cimport Oracle
from search.move_order cimport attack_cost, beat_cost, leader_logit
from game.pile cimport forget_piles
from heuristics.policy cimport LONGEST_PLAY_OUT, lowest_move, rules_move
from search.proofnumber cimport (
    NO, UNKNOWN, YES, Answer, Prover, answer_within, exceeds, prove, prover_allocate, prover_free)
from search.proof_table cimport proofs_clear
from heuristics.network cimport INPUTS, LOGIT, MOST_ROWS, OUTPUTS, ROWS, describe_both, foresee, list_rows
from game.rules cimport Rules
from search.table cimport (
    AGES, TABLE_BUCKET, TableEntry, table_allocate, table_clear, table_free, table_keep_ranks, table_rank)
from keys.trace cimport TraceTables, init_trace

cdef enum:
    FIRST_ARENA = 4096   # candidates
    DEAL_BUCKETS = 1 << 15  # 2 MiB
    DEALS = 8            # side by side in the table of deals
    SMALL_ENDING = 8     # cards; nearly all such endings are solved within some hundred nodes
    MAX_VARIANTS = 256   # they have eight bits in the table
    MANY_PILES = 1 << 16  # kept from one world to the next
    KEY_KINDS = 4        # see `Bout.kind`

cdef u64 NO_LIMIT = 0x4000000000000000u


# --- Values -----------------------------------------------------------------------------------------------------------

cdef void find_bounds(Prover* v, const State* p, int* lower, int* upper) noexcept nogil:
    """Narrow the bounds of a state's value for its attacker by questions, each yes or no, until they meet.

    Two at most: less work than one search with an open window. First the one that is likely to be the last.
    """
    cdef int outputs[OUTPUTS]
    cdef int bound
    cdef bint more
    if p.phase == moves.LEAD and not p.stock_left:
        foresee(p.attacker_hand, p.defender_hand, v.s.rules.trump, outputs)
    else:
        outputs[LOGIT] = leader_logit(p.attacker_hand, p.defender_hand, v.s.rules.trump)
    bound = 0 if outputs[LOGIT] > 0 else -1
    while lower[0] < upper[0]:
        more = exceeds(v, p, bound)
        if v.s.stop:
            return
        if more:
            lower[0] = bound + 1
        else:
            upper[0] = bound
        if not drawable(p, &v.s.rules):
            lower[0] = 1 if more else -1
            upper[0] = lower[0]
        bound = lower[0] if lower[0] == 0 else -1


# --- Worlds -----------------------------------------------------------------------------------------------------------

cdef void forget_discards(Search* s, const State* p) noexcept nogil:
    """Forget the orders of the discard (short=bita) that were met before a state, with what was proved of them.

    They take memory: not much in one search, but in a thousand.
    """
    if s.rules.piles != NULL and s.rules.piles.used > MANY_PILES:
        table_clear(&s.table)
        table_clear(&s.deals)
        forget_piles(s.rules.piles, p.pile + 1)


cdef bint settle(Search* s, const State* p, u64 budget, u64 all_nodes, double* value) noexcept nogil:
    """The exact value of a state for its attacker, if a budget of nodes suffices."""
    cdef int found
    if p.phase == moves.OVER:
        value[0] = moves.final_value(p, &s.rules)
        return True
    forget_discards(s, p)
    s.node_limit = min(s.nodes + budget, all_nodes)
    s.next_check = min(s.nodes + CHECK_INTERVAL, s.node_limit)
    found = search(s, p, 0)
    if not s.stop and found == 0:
        found = search(s, p, -1)
    if s.nodes < all_nodes and (resume(s, OUT_OF_NODES) or (s.rules.can_cycle and resume(s, OUT_OF_MEMORY))):
        begin_again(s)
        return False
    value[0] = found
    return s.stop == RUNNING


cdef double play_out(Search* s, State p, int habits, u64 budget, u64 all_nodes) noexcept nogil:
    """A guess at the value of a state for its attacker: cheap play until the stock is gone, then the truth.

    Bit k of `habits` says how seat k plays: as a careful beginner, or always the lowest card. Against players who are
    like neither, a mixture of both guesses better than one alone: 84 % against 80 % of games against `lowest` and much
    the same against `rules`.

    If the ending is too long for that, a guess that was fitted to solved endings stands for it: the exact value of one
    line of play that both sides would have left makes no better player, and costs many times as much.

    Under transfers such players may go round for ever, with cards in the stock that nobody draws: that is a draw.
    """
    cdef Move move
    cdef int seat = p.attacker, mover, left = LONGEST_PLAY_OUT
    cdef double value
    while p.phase != moves.OVER and (p.stock_left or p.phase != moves.LEAD):
        if not left:
            return 0
        left -= 1
        mover = p.attacker if p.phase != moves.DEFEND else 1 - p.attacker
        move = rules_move(&p, &s.rules) if habits >> mover & 1 else lowest_move(&p, &s.rules)
        moves.play(&p, &s.rules, &move)
    if ((p.phase != moves.OVER and popcount(p.attacker_hand | p.defender_hand) > SMALL_ENDING)
            or not settle(s, &p, budget, all_nodes, &value)):
        value = evaluate(p.attacker_hand, p.defender_hand, s.rules.trump)
    return value if p.attacker == seat else -value


# --- Lines ------------------------------------------------------------------------------------------------------------

cdef int move_cost(const State* p, const Rules* r, const Move* m) noexcept nogil:
    """Sorts moves much as the search tries them, so that a line follows what is in the table."""
    cdef State child
    cdef u64 card
    if m.kind == moves.MOVE_BEAT:
        child = p[0]
        moves.play(&child, r, m)
        if child.phase == moves.THROW and moves.throwable(&child, r):
            return OPENS + beat_cost(p, r, m.cards, moves.throwable(&child, r))
        return beat_cost(p, r, m.cards, 0)
    if m.kind == moves.MOVE_EXCHANGE:
        return -2
    if m.cards:
        card = lowest(m.cards)
        return (OPENS if several(m.cards) else 0) + attack_cost(p, r, card, moves.beaters(p, r, card))
    if p.phase == moves.THROW and popcount(p.attacker_hand) >= popcount(p.defender_hand):
        return -1
    return 2 * OPENS


cdef enum:
    MOVE_BUDGET = 20000   # nodes for each move at first: one that keeps the value may be found next to hopeless ones
    BUDGET_GROWTH = 8


cdef bint best_move(Prover* v, const State* p, int value, Move* best) noexcept nogil:
    """A move that keeps the value of a state (for the attacker); False if the search was stopped."""
    cdef Move found[moves.MAX_MOVES]
    cdef Move move
    cdef int costs[moves.MAX_MOVES]
    cdef int i, k, cost, n = moves.list_moves(p, &v.s.rules, found)
    cdef u64 budget = MOVE_BUDGET
    cdef Answer answer
    for i in range(n):
        move = found[i]
        costs[i] = cost = move_cost(p, &v.s.rules, &move)
        k = i
        while k > 0 and costs[k - 1] > cost:
            found[k] = found[k - 1]
            costs[k] = costs[k - 1]
            k -= 1
        found[k] = move
        costs[k] = cost
    while n:
        k = 0
        for i in range(n):
            best[0] = found[i]
            if value == (1 if p.phase == moves.DEFEND else -1):
                return True  # a lost player's moves are all alike
            answer = keeps(v, p, &found[i], value, budget)
            if answer == YES:
                return True
            if v.s.stop:
                return False
            if answer == UNKNOWN:
                found[k] = found[i]
                k += 1
        n = k
        budget *= BUDGET_GROWTH
    return False


cdef Answer keeps(Prover* v, const State* p, const Move* move, int value, u64 budget) noexcept nogil:
    """Does a move keep the value of a state for its attacker, if a budget of nodes tells?"""
    cdef State child = p[0]
    cdef Answer answer
    cdef bint attacks = p.phase != moves.DEFEND
    moves.play(&child, &v.s.rules, move)
    # The attacker wants at least the value, the defender that he gets no more.
    if child.attacker != p.attacker:
        value = -value
        attacks = not attacks
    if attacks:
        return answer_within(v, &child, value - 1, budget)
    answer = answer_within(v, &child, value, budget)
    return answer if answer == UNKNOWN else (NO if answer == YES else YES)


cdef int oracle_value(void* lent, const State* p, int bound) noexcept nogil:
    return search(<Search*> lent, p, bound)


cdef bint oracle_count_node(void* lent) noexcept nogil:
    return count_node(<Search*> lent)


cdef void searcher_check_signals(void* owner) noexcept nogil:
    with gil:
        (<Searcher> owner).check_signals()


cdef TraceTables TRACES[3]


cdef const TraceTables* traces_of(const Rules* r) noexcept:
    """The tables for rules, filled when they are first asked for."""
    if not TRACES[r.fixed_lanes].ready:
        init_trace(&TRACES[r.fixed_lanes], r.fixed_lanes)
    return &TRACES[r.fixed_lanes]


# --- Python's side ----------------------------------------------------------------------------------------------------

cdef dict STOPPED = {
    RUNNING: None,
    OUT_OF_NODES: "nodes",
    OUT_OF_TIME: "seconds",
    OUT_OF_MEMORY: "memory",
    INTERRUPTED: "interrupt",
}


def network_inputs(PyState state):
    """What the network of network.pxd sees of a bout start.

    Parameters
    ----------
    state : State

    Returns
    -------
    inputs : bytes
        Signed 16-bit numbers.
    rows : bytes
        Unsigned 16-bit numbers of rows, filled up with the number of rows that there are.
    """
    cdef short inputs[INPUTS]
    cdef unsigned short rows[MOST_ROWS]
    cdef int n = list_rows(state.c.attacker_hand, state.c.defender_hand, state.rules.c.trump, rows)
    describe_both(state.c.attacker_hand, state.c.defender_hand, state.rules.c.trump, inputs)
    while n < MOST_ROWS:
        rows[n] = ROWS
        n += 1
    return (<char*> inputs)[:INPUTS * sizeof(short)], (<char*> rows)[:MOST_ROWS * sizeof(short)]


@cython.final
cdef class Searcher:
    """A search and the memory it owns; not for two threads at once, save for `stop`.

    Parameters
    ----------
    table_bytes : int
        Memory for the tables, rounded down to a power of two; below 64: no table. Half is for bout starts, most of the
        rest for proof-number search.

    Raises
    ------
    MemoryError
        If there is not that much.
    """

    cdef Search s
    cdef Prover prover
    cdef Oracle oracle
    cdef object error
    cdef dict variants
    cdef PyEndings endings
    cdef object discard  # what the numbers of piles in the tables belong to
    cdef tuple deal  # what the table of deals belongs to: the rules' variant and the stock
    cdef u64 all_nodes

    def __cinit__(self, u64 table_bytes):
        cdef u64 buckets = 1 if table_bytes >= 64 else 0
        cdef u64 proofs
        while buckets and buckets <= table_bytes // 256:
            buckets *= 2
        # Half of the memory is for proof-number search, whose entries are larger.
        proofs = buckets // 4
        if not (table_allocate(&self.s.table, buckets) and prover_allocate(&self.prover, &self.s, proofs)
                and table_allocate(&self.s.deals, min(buckets, <u64> DEAL_BUCKETS))):
            raise MemoryError(f"no memory for a transposition table of {table_bytes} bytes")
        self.s.arena = <Bout*> realloc(NULL, FIRST_ARENA * sizeof(Bout))
        if self.s.arena == NULL:
            raise MemoryError("no memory for a search")
        self.s.arena_size = FIRST_ARENA
        self.s.owner = <void*> self
        self.s.check_signals = searcher_check_signals
        self.variants = {}

    def __dealloc__(self):
        table_free(&self.s.table)
        table_free(&self.s.deals)
        prover_free(&self.prover)
        visits_free(&self.s.visits)
        free(self.s.arena)

    @property
    def table_bytes(self):
        """Size of the tables."""
        return 2 * self.s.table.buckets * TABLE_BUCKET * sizeof(TableEntry)

    @property
    def nodes(self):
        """Nodes searched since `start`."""
        return self.s.nodes

    @property
    def settled(self):
        """Whether the search has met values of the endings table since `start`."""
        return self.s.used_endings

    @property
    def stopped(self):
        """Why the search stopped: "nodes", "seconds", "memory" or "interrupt"; None if it did not."""
        return STOPPED[self.s.stop]

    def clear(self):
        """Forget everything."""
        if not self.variants:  # nothing was stored, and memory that was never touched stays so
            return
        table_clear(&self.s.table)
        table_clear(&self.s.deals)
        proofs_clear(&self.prover.table)
        self.deal = None
        self.variants.clear()

    def use(self, PyEndings endings):
        """Stop the search at bout starts whose values are known.

        Parameters
        ----------
        endings : Endings or None
            Where the values are, which count only under the rules they were built for; None for none.
        """
        self.endings = endings

    def stop(self):
        """End the running search, from any thread or signal handler; it returns within some milliseconds."""
        self.s.stop = INTERRUPTED

    def start(self, nodes, seconds):
        """Begin a search: reset the counter and set the limits that all calls until the next `start` share.

        Parameters
        ----------
        nodes : int or None
        seconds : float or None
        """
        self.all_nodes = NO_LIMIT if nodes is None else min(nodes, NO_LIMIT)
        self.s.nodes = 0
        self.s.used_endings = False
        self.s.deadline = clock() + seconds if seconds is not None else 1e300
        self.s.next_signal_check = clock() + 1e-3 * SIGNAL_MILLISECONDS
        self.s.stop = RUNNING
        self.s.table.age = (self.s.table.age + 1) % AGES

    def bounds(self, PyState state, budget=None, int straps=0):
        """What can be proved of a state within the limits.

        Parameters
        ----------
        state : State
        budget : int or None
            Nodes this call may use at most; running out of them does not stop the search.
        straps : int
            If positive, only a win that hangs so many straps counts as one, and any other end as a draw.

        Returns
        -------
        tuple of int
            Lower and upper bound of the value for the attacker of `state`, from -1 to 1.
        """
        cdef State p = state.c
        cdef int lower = -1, upper = 1
        self.prepare(state, budget, straps)
        self.open_deal(state)
        with nogil:
            find_bounds(&self.prover, &p, &lower, &upper)
        self.finish()
        return lower, upper

    def ends(self, PyState state, int seat, budget=None):
        """Can a seat force the game to end, and not to be lost, where a position can come back?

        Parameters
        ----------
        state : State
        seat : int
        budget : int or None
            Nodes this call may use at most.

        Returns
        -------
        bool or None
            None if a limit ended the search.
        """
        cdef State p = state.c
        cdef bint attacks = state.c.attacker == seat
        cdef int bound = 0 if attacks else -1
        cdef Answer answer
        if not state.rules.c.can_cycle:
            raise ValueError("no position can come back under these rules")
        self.prepare(state, budget, 0, seat + 1)
        self.open_deal(state)
        with nogil:
            answer = answer_within(&self.prover, &p, bound, self.s.node_limit)
        self.finish()
        if answer == UNKNOWN:
            return None
        return (answer == YES) == attacks

    def prove(self, PyState state, int bound):
        """Whether the value of a state without a stock is more than a bound, by proof-number search from the start.

        `bounds` asks alpha-beta first, which answers all that is easy; this shows that both say the same.

        Parameters
        ----------
        state : State
        bound : int
            For the attacker of `state`: -1 or 0.

        Returns
        -------
        bool or None
            None if a limit ended the search.

        Raises
        ------
        ValueError
            If there is a stock, or no table, or the rules are not those that it is for.
        """
        cdef State p = state.c
        cdef Answer answer
        if p.stock_left or not self.prover.table.buckets or not state.rules.c.classic:
            raise ValueError("proof-number search needs a table, a state without a stock, and classic rules")
        self.prepare(state, None)
        with nogil:
            answer = prove(&self.prover, &p, bound)
        self.finish()
        return None if answer == UNKNOWN else answer == YES

    def line(self, PyState state, int value, int straps=0):
        """A line of play to the end of the game that keeps the value of a state, or as much as the limits allow.

        It never comes back to a position unless neither side can force a win; then it ends there.

        Parameters
        ----------
        state : State
        value : int
            Its exact value for the attacker.
        straps : int
            As many as the winner can hang at most.

        Returns
        -------
        list of tuple
            Moves as `State.moves` gives them.
        """
        cdef State p = state.c
        cdef Move move
        cdef bint found, cycles = state.rules.c.can_cycle
        cdef unsigned int limit = 0
        cdef int attacker, left = 0
        cdef list result = []
        seen = set()
        while p.phase != moves.OVER:
            if cycles and (p.phase == moves.LEAD or not result):
                start = (p.attacker, p.phase, p.attacker_hand, p.defender_hand, p.stock_left)
                if start in seen:
                    break
                seen.add(start)
                left = STOCK * live_cards(&p) + p.stock_left
                limit = self.rank_of(state, &p, straps) if value else 0
            found = self.keep_value(state, &p, value, straps, limit, left, &move)
            if not found and limit and self.s.stop == RUNNING:
                self.clear()  # what the proof rests on was no longer in the table
                limit = self.rank_of(state, &p, straps)
                found = self.keep_value(state, &p, value, straps, limit, left, &move)
            if not found:
                break
            result.append((move.kind, move.cards, move.target))
            attacker = p.attacker
            moves.play(&p, &self.s.rules, &move)
            if p.attacker != attacker:
                value = -value
        self.finish()
        return result

    cdef unsigned int rank_of(self, PyState state, const State* p, int straps) except *:
        """What is proved before this moment is enough to force the win that a state is worth to one side.

        The rank of a bout start in the table, or the greatest there is.
        """
        cdef int lower = -1, upper = 1
        cdef unsigned int rank = 0
        cdef Bout b
        self.prepare(state, None, straps)
        self.open_deal(state)
        if self.s.endings != NULL and live_cards(p) <= self.s.endings.largest:
            self.s.endings = NULL  # it does not say how the win is forced
        with nogil:
            find_bounds(&self.prover, p, &lower, &upper)
        if p.phase == moves.LEAD:
            look(&self.s, p, &b)
            rank = table_rank(table_of(&self.s, &b), &b.key, variant_of(&self.s, &b))
        return rank if rank else 0xFFFFFFFFu

    cdef bint keep_value(self, PyState state, const State* p, int value, int straps, unsigned int limit, int left,
                         Move* move) except *:
        """A move that keeps the value of a state and the straps; False if there is none, or the search was stopped."""
        cdef bint found, wins = value == (-1 if p.phase == moves.DEFEND else 1)
        # The loser sees to it that no more straps are hung than must be: he holds a draw where one more is asked for.
        if not wins and value and state.rules.c.straps:
            straps += 1
            value = 0
        self.prepare(state, None, straps)
        self.open_deal(state)
        if wins and limit:
            if self.s.endings != NULL and live_cards(p) <= self.s.endings.largest:
                self.s.endings = NULL
            self.s.rank_limit = limit
            self.s.rank_cards = left
        with nogil:
            found = best_move(&self.prover, p, value, move)
        return found

    def payoffs(self, PyState root, known, which, bytes worlds, u64 budget, u64 leaf_budget):
        """What moves of a state are worth in each world.

        Parameters
        ----------
        root : State
            Any cards in the place of the unknown ones.
        known : tuple of int
            Card sets of the cards that seats 0 and 1 are known to hold.
        which : sequence of int
            Which moves, by their places in `State.moves`.
        worlds : bytes
            Rows of 64-bit words, as `Dealer.sample` draws them.
        budget : int
            Nodes for each attempt at an exact value; 0 for none.
        leaf_budget : int
            Where there is no exact value, the world is played on until the stock is gone, each seat with one of two
            habits, which change from row to row; nodes for each attempt at an exact value there.

        Returns
        -------
        tuple
            A row of doubles for each world, as bytes: the payoffs of the moves, from -1 to 1 for the player to move;
            and how many of them are exact. Fewer worlds than given if a limit ended the search.
        """
        cdef Move found[moves.MAX_MOVES]
        cdef double values[moves.MAX_MOVES]
        cdef int chosen[moves.MAX_MOVES]
        cdef State p, child
        cdef const u64* row = <const u64*> <const char*> worlds
        cdef u64 known_attacker = known[root.c.attacker], known_defender = known[1 - root.c.attacker]
        cdef u64 all_nodes = self.all_nodes
        cdef int n = moves.list_moves(&root.c, &root.rules.c, found)
        cdef int width = 2 + root.c.stock_left, i, number, exact = 0, exact_here
        cdef int seat = root.c.attacker if root.c.phase != moves.DEFEND else 1 - root.c.attacker
        cdef list rows = []
        if not all(0 <= move < n for move in which) or len(which) > n:
            raise ValueError("there is no such move")
        n = len(which)
        for i in range(n):
            chosen[i] = which[i]
        self.prepare(root, None)
        self.deal = None
        self.s.deal = DEALS - 1
        for number in range(len(worlds) // (8 * width)):
            exact_here = 0
            with nogil:
                p = root.c
                p.attacker_hand = known_attacker | row[root.c.attacker]
                p.defender_hand = known_defender | row[1 - root.c.attacker]
                p.stock = row + 2
                if budget and root.c.stock_left:
                    self.s.deal = (self.s.deal + 1) % DEALS if root.c.stock_left < 1 << DEAL_SHIFT else 0
                    if not self.s.deal:
                        table_clear(&self.s.deals)
                for i in range(n):
                    child = p
                    moves.play(&child, &self.s.rules, &found[chosen[i]])
                    # A search with a small budget ends before it looks at the clock.
                    look_up(&self.s)
                    if self.s.stop:
                        break
                    if budget and settle(&self.s, &child, budget, all_nodes, &values[i]):
                        exact_here += 1
                    elif not self.s.stop:
                        values[i] = play_out(&self.s, child, number & 3, leaf_budget, all_nodes)
                    if self.s.stop:
                        break
                    if child.attacker != seat:
                        values[i] = -values[i]
                row += width
            if self.s.stop:
                break
            rows.append((<char*> values)[:n * sizeof(double)])
            exact += exact_here
        self.s.deal = 0
        self.finish()
        return b"".join(rows), exact

    def play_outs(self, PyState root, known, bytes worlds, u64 leaf_budget):
        """How a state goes on in each world when both follow habits until the stock is gone.

        Each seat follows one of two habits, which change from row to row: any four rows have all four cases.

        Parameters
        ----------
        root : State
            Any cards in the place of the unknown ones.
        known : tuple of int
            Card sets of the cards that seats 0 and 1 are known to hold.
        worlds : bytes
            Rows of 64-bit words, as `Dealer.sample` draws them.
        leaf_budget : int
            Nodes for each attempt at an exact value at the end.

        Returns
        -------
        bytes
            A double for each world: the payoff, from -1 to 1, for the attacker of `root`. Fewer worlds than given if a
            limit ended the search.
        """
        cdef State p
        cdef double value
        cdef const u64* row = <const u64*> <const char*> worlds
        cdef u64 known_attacker = known[root.c.attacker], known_defender = known[1 - root.c.attacker]
        cdef u64 all_nodes = self.all_nodes
        cdef int width = 2 + root.c.stock_left, number
        cdef list values = []
        self.prepare(root, None)
        self.deal = None
        self.s.deal = 0
        for number in range(len(worlds) // (8 * width)):
            with nogil:
                p = root.c
                p.attacker_hand = known_attacker | row[root.c.attacker]
                p.defender_hand = known_defender | row[1 - root.c.attacker]
                p.stock = row + 2
                look_up(&self.s)
                if not self.s.stop:
                    value = play_out(&self.s, p, number & 3, leaf_budget, all_nodes)
                row += width
            if self.s.stop:
                break
            values.append((<char*> &value)[:sizeof(double)])
        self.finish()
        return b"".join(values)

    def lend(self, PyState state):
        """Let another module of the core ask for values under the rules of a state, within the limits of this search.

        Parameters
        ----------
        state : State

        Returns
        -------
        capsule
            With an `Oracle`, good until anything else is asked of the searcher; then call `take_back`.
        """
        self.prepare(state, None)
        self.oracle = Oracle(
            search=&self.s, trace=self.s.trace, stop=&self.s.stop, value=oracle_value, count_node=oracle_count_node)
        return PyCapsule_New(&self.oracle, NULL, NULL)

    def take_back(self):
        """End what `lend` began; raises what a signal handler raised."""
        self.finish()

    cdef void prepare(self, PyState state, budget, int straps=0, int finisher=0) except *:
        """Set the rules, what the tables hold for them, and the node limit."""
        cdef bytes identity
        self.s.rules = state.rules.c
        self.s.trace = traces_of(&self.s.rules)
        if straps:
            self.s.rules.strap_level = straps
            self.s.rules.classic = self.s.rules.single_leads = False
            self.s.rules.odd_draws = True
        self.s.rules.finisher = finisher
        identity = (<char*> &self.s.rules)[:sizeof(Rules)]
        if state.discard is not self.discard:
            self.clear()
            self.discard = state.discard
        if identity not in self.variants:
            if KEY_KINDS * len(self.variants) == MAX_VARIANTS:
                self.clear()
            self.variants[identity] = KEY_KINDS * len(self.variants)
        if state.discard is not None:
            self.s.rules.piles = state.discard.c
        if state.rules.c.can_cycle and not (table_keep_ranks(&self.s.table) and table_keep_ranks(&self.s.deals)):
            raise MemoryError("no memory for the order of what is proved")
        self.s.endings = NULL
        if self.endings is not None and same_endings(&self.endings.c.rules, &state.rules.c):
            self.s.endings = self.endings.c
        self.s.variant = self.variants[identity]
        begin_again(&self.s)
        self.s.stack_top = <const char*> &straps
        self.s.rank_limit = 0
        self.s.node_limit = self.all_nodes
        if budget is not None and self.s.nodes + budget < self.all_nodes:
            self.s.node_limit = self.s.nodes + budget
        self.s.next_check = min(self.s.nodes + CHECK_INTERVAL, self.s.node_limit)

    cdef void open_deal(self, PyState state) except *:
        """Make the table of deals belong to one: there, the number of cards left says which are left."""
        deal = (self.s.variant, state.cards)
        if state.c.stock_left and self.deal != deal:
            table_clear(&self.s.deals)
            self.deal = deal

    cdef void finish(self) except *:
        """Forgive a spent budget, raise what a signal handler raised."""
        if self.s.nodes < self.all_nodes:
            resume(&self.s, OUT_OF_NODES)
        if self.error is not None:
            error, self.error = self.error, None
            raise error

    cdef void check_signals(self) noexcept:
        """Run pending signal handlers (Python does so in the main thread only); their exception ends the search."""
        try:
            PyErr_CheckSignals()
        except KeyboardInterrupt:
            self.s.stop = INTERRUPTED
        except BaseException as error:
            self.error = error
            self.s.stop = INTERRUPTED
