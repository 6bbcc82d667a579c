"""Exact search of the open game, for Python: values, lines of play, and what moves are worth in many worlds.

Values are -1, 0 and 1. Inside a bout they are the attacker's, who maximises; at a bout start they are the leader's.
One class answers all questions, since they share tables and limits; how they are answered is in the headers of search/.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport free, realloc

from durak_solver._core.endings cimport Endings as PyEndings
from durak_solver._core.state cimport State as PyState
from endings.endings cimport same_endings
from game cimport moves
from game.bits cimport u64
from game.rules cimport Rules
from game.state cimport Move, State, live_cards
from heuristics.worlds cimport open_world, world_width
from keys.trace cimport TraceTables, init_trace
from search.bounds cimport find_bounds
from search.context cimport Bout, begin_again
from search.cycles cimport visits_free
from search.known cimport DEAL_SHIFT, STOCK
from search.limits cimport (
    CHECK_INTERVAL, INTERRUPTED, OUT_OF_NODES, RUNNING, SIGNAL_MILLISECONDS, clock, look_up, resume)
from search.lines cimport best_move, leave_endings, proof_rank
from search.playouts cimport move_payoffs, play_out
from search.proofnumber cimport UNKNOWN, YES, Answer, answer_within, prove, prover_allocate, prover_free
from search.proof_table cimport proofs_clear
from search.table cimport (
    AGES, TABLE_BUCKET, TableEntry, table_allocate, table_clear, table_free, table_keep_ranks)

cdef enum:
    FIRST_ARENA = 4096      # candidates
    DEAL_BUCKETS = 1 << 15  # 2 MiB
    DEALS = 8               # side by side in the table of deals
    MAX_VARIANTS = 256      # they have eight bits in the table
    KEY_KINDS = 4           # see `Bout.kind`

cdef u64 NO_LIMIT = 0x4000000000000000u

cdef tuple STOPPED = (None, "nodes", "seconds", "memory", "interrupt")  # by Stop

cdef TraceTables TRACES[3]


cdef const TraceTables* traces_of(const Rules* r) noexcept:
    """The tables for rules, filled when they are first asked for."""
    if not TRACES[r.fixed_lanes].ready:
        init_trace(&TRACES[r.fixed_lanes], r.fixed_lanes)
    return &TRACES[r.fixed_lanes]


cdef void searcher_check_signals(void* owner) noexcept nogil:
    with gil:
        (<Searcher> owner).check_signals()


@cython.final
cdef class Searcher:
    """A search and the memory it owns; not for two threads at once, save for `stop`.

    Parameters
    ----------
    table_bytes
        Memory for the tables, rounded down to a power of two; below 64: no table. Half is for bout starts, most of the
        rest for proof-number search.

    Raises
    ------
    MemoryError
        If there is not that much.
    """

    def __cinit__(self, u64 table_bytes):
        cdef u64 buckets = 1 if table_bytes >= 64 else 0, proofs
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
        """Stop the search at bout starts whose values are in an endings table, under its rules; None for no table."""
        if endings is not None and endings.c.who_can_end:
            raise ValueError("these are no values, but who can force an end")
        self.endings = endings

    def stop(self):
        """End the running search, from any thread or signal handler; it returns within some milliseconds."""
        self.s.stop = INTERRUPTED

    def start(self, nodes, seconds):
        """Begin a search: reset the counter, set the limits of all calls until the next `start` (None: no limit)."""
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
        budget
            Nodes this call may use at most; running out of them does not stop the search.
        straps
            If positive, only a win that hangs this many straps counts as one, and any other end as a draw.

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

        `budget` is as for `bounds`. None if a limit ended the search; ValueError if no position can come back.
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
        return None if answer == UNKNOWN else (answer == YES) == attacks

    def prove(self, PyState state, int bound):
        """Whether the value of a state for its attacker is more than -1 or 0, by proof-number search from the start.

        `bounds` asks alpha-beta first, which answers all that is easy: this shows that they agree. None if a limit
        ended the search; ValueError if there is a stock, or no table, or the rules are not classic.
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
        """A line of play that keeps the value of a state, to the end of the game or until a limit is met.

        `value` is the exact value for the attacker, `straps` the most that the winner can hang. The line never comes
        back to a position unless neither side can force a win; then it ends there. Moves are as in `State.moves`.
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
        """`proof_rank` of a state on the way from `state`."""
        cdef unsigned int rank
        self.prepare(state, None, straps)
        self.open_deal(state)
        leave_endings(&self.s, p)
        with nogil:
            rank = proof_rank(&self.prover, p)
        return rank

    cdef bint keep_value(self, PyState state, const State* p, int value, int straps, unsigned int limit, int left,
                         Move* move) except *:
        """A move that keeps the value of a state and the straps; False if there is none, or the search was stopped."""
        cdef bint found, wins = value == (-1 if p.phase == moves.DEFEND else 1)
        # The loser sees to it that no more straps are hung than must be: it is a draw where one more is asked for.
        if not wins and value and state.rules.c.straps:
            straps += 1
            value = 0
        self.prepare(state, None, straps)
        self.open_deal(state)
        if wins and limit:
            leave_endings(&self.s, p)
            self.s.rank_limit = limit
            self.s.rank_cards = left
        with nogil:
            found = best_move(&self.prover, p, value, move)
        return found

    def payoffs(self, PyState root, known, which, bytes worlds, u64 budget, u64 leaf_budget):
        """What moves of a state are worth in each world.

        Parameters
        ----------
        root
            Any cards in the place of the unknown ones.
        known
            Card sets of the cards that seats 0 and 1 are known to hold.
        which
            Which moves, by their places in `State.moves`.
        worlds
            Rows of 64-bit words, as `Dealer.sample` draws them.
        budget
            Nodes for each attempt at an exact value; 0 for none.
        leaf_budget
            Where there is no exact value, the world is played on until the stock is gone, each seat with one of two
            habits, which change from row to row; nodes for each attempt at an exact value there.

        Returns
        -------
        tuple
            A row of doubles for each world, as bytes: the payoffs of the moves, from -1 to 1 for the player to move;
            and how many of them are exact. Fewer worlds than given if a limit ended the search.
        """
        cdef Move found[moves.MAX_MOVES]
        cdef Move played[moves.MAX_MOVES]
        cdef double values[moves.MAX_MOVES]
        cdef u64 held[2]
        cdef State p
        cdef const u64* world = <const u64*> <const char*> worlds
        cdef int legal = moves.list_moves(&root.c, &root.rules.c, found)
        cdef int width = world_width(&root.c), n = len(which), i, number, exact = 0, exact_here
        cdef list rows = []
        if n > legal or not all(0 <= move < legal for move in which):
            raise ValueError("there is no such move")
        for i in range(n):
            played[i] = found[<int> which[i]]
        held[0], held[1] = known
        self.prepare(root, None)
        self.deal = None
        self.s.deal = DEALS - 1
        for number in range(len(worlds) // (8 * width)):
            with nogil:
                open_world(&root.c, held, world, &p)
                if budget and p.stock_left:
                    self.s.deal = (self.s.deal + 1) % DEALS if p.stock_left < 1 << DEAL_SHIFT else 0
                    if not self.s.deal:
                        table_clear(&self.s.deals)
                exact_here = move_payoffs(
                    &self.s, &p, played, n, number & 3, budget, leaf_budget, self.all_nodes, values)
                world += width
            if self.s.stop:
                break
            rows.append((<char*> values)[:n * sizeof(double)])
            exact += exact_here
        self.s.deal = 0
        self.finish()
        return b"".join(rows), exact

    def play_outs(self, PyState root, known, bytes worlds, u64 leaf_budget):
        """How a state goes on in each world when both follow habits until the stock is gone.

        Each seat follows one of two habits, which change from row to row: any four rows have all four cases. Parameters
        as for `payoffs`.

        Returns
        -------
        bytes
            A double for each world: the payoff, from -1 to 1, for the attacker of `root`. Fewer worlds than given if a
            limit ended the search.
        """
        cdef State p
        cdef double value
        cdef u64 held[2]
        cdef const u64* world = <const u64*> <const char*> worlds
        cdef int width = world_width(&root.c), number
        cdef list values = []
        held[0], held[1] = known
        self.prepare(root, None)
        self.deal = None
        self.s.deal = 0
        for number in range(len(worlds) // (8 * width)):
            with nogil:
                open_world(&root.c, held, world, &p)
                look_up(&self.s)
                if not self.s.stop:
                    value = play_out(&self.s, p, number & 3, leaf_budget, self.all_nodes)
                world += width
            if self.s.stop:
                break
            values.append((<char*> &value)[:sizeof(double)])
        self.finish()
        return b"".join(values)

    cdef void prepare(self, PyState state, budget, int straps=0, int finisher=0) except *:
        """Set the rules, what the tables hold for them, and the node limit."""
        cdef tuple question = (state.rules, straps, finisher)
        self.s.rules = state.rules.c
        self.s.trace = traces_of(&self.s.rules)
        if straps:
            self.s.rules.strap_level = straps
            self.s.rules.classic = self.s.rules.single_leads = False
            self.s.rules.odd_draws = True
        self.s.rules.finisher = finisher
        if state.discard is not self.discard:
            self.clear()
            self.discard = state.discard
        if question not in self.variants:
            if KEY_KINDS * len(self.variants) == MAX_VARIANTS:
                self.clear()
            self.variants[question] = KEY_KINDS * len(self.variants)
        if state.discard is not None:
            self.s.rules.piles = state.discard.c
        if state.rules.c.can_cycle and not (table_keep_ranks(&self.s.table) and table_keep_ranks(&self.s.deals)):
            raise MemoryError("no memory for the order of what is proved")
        self.s.endings = NULL
        if self.endings is not None and same_endings(&self.endings.c.rules, &state.rules.c):
            self.s.endings = self.endings.c
        self.s.variant = self.variants[question]
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
