"""Monte Carlo tree search over worlds: a tree for each world, or one tree for all of them.

UCT (Kocsis and Szepesvari, "Bandit based Monte-Carlo planning", 2006) with uniformly random playouts. With a tree for
each world this is determinised MCTS; with one tree, whose nodes are the moves made and in which each iteration meets
another world, it is SO-ISMCTS (Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", 2012).
"""

cimport cython
from libc.math cimport log, sqrt
from libc.stdlib cimport free, realloc

from durak_solver._core.state cimport State as PyState
from game cimport moves
from game.bits cimport u64
from game.pile cimport forget_piles
from game.rules cimport Rules
from game.state cimport Move, State
from heuristics.policy cimport LONGEST_PLAY_OUT
from heuristics.random cimport below
from heuristics.worlds cimport open_world, world_width

cdef enum:
    MOST_DEPTH = 1024
    FIRST_NODES = 1024

cdef double EXPLORATION = 0.7  # Cowling, Powley and Whitehouse, for payoffs from 0 to 1

cdef struct Node:
    Move move          # that leads here
    int first_child    # 0 for none: the root is no child
    int next_sibling
    int visits
    int available      # iterations in which the move could have been chosen
    int wins           # for the player of the move
    int draws


@cython.final
cdef class TreeSearcher:
    """Searches the moves of one state, some worlds at a time.

    Parameters
    ----------
    root
        A state with a move to make; any cards in the place of the unknown ones.
    known
        Card sets of the cards that seats 0 and 1 are known to hold.
    one_tree
        One tree for all worlds, or a new tree for each.
    iterations
        Iterations in each world.
    seed
        What the playouts are drawn from.
    """

    cdef PyState root
    cdef Rules rules
    cdef u64 known[2]
    cdef bint one_tree
    cdef int iterations
    cdef u64 stream
    cdef Node* nodes
    cdef int room
    cdef int used
    cdef int moves_count
    cdef Move root_moves[moves.MAX_MOVES]
    cdef int visits[moves.MAX_MOVES]
    cdef int wins[moves.MAX_MOVES]
    cdef int draws[moves.MAX_MOVES]

    def __cinit__(self, PyState root, known, bint one_tree, int iterations, u64 seed):
        cdef int i
        if root.c.phase == moves.OVER:
            raise ValueError("the game is over")
        self.root = root
        self.rules = root.rules.c
        if root.discard is not None:
            self.rules.piles = root.discard.c
        self.known[0], self.known[1] = known
        self.one_tree = one_tree
        self.iterations = iterations
        self.stream = seed
        self.moves_count = moves.list_moves(&root.c, &root.rules.c, self.root_moves)
        for i in range(self.moves_count):
            self.visits[i] = self.wins[i] = self.draws[i] = 0
        self.room = FIRST_NODES
        self.nodes = <Node*> realloc(NULL, self.room * sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError("no memory for a tree")
        self.plant()

    def __dealloc__(self):
        free(self.nodes)

    def add(self, bytes worlds):
        """Search in more worlds.

        Parameters
        ----------
        worlds
            Rows of 64-bit words, as `Dealer.sample` draws them.

        Raises
        ------
        MemoryError
            If the tree outgrows the memory.
        """
        cdef const u64* world = <const u64*> <const char*> worlds
        cdef int width = world_width(&self.root.c), count = <int> (len(worlds) // (8 * width))
        cdef bint enough = True
        cdef State p
        with nogil:
            for _ in range(count):
                if not self.one_tree:
                    self.plant()
                open_world(&self.root.c, self.known, world, &p)
                for _ in range(self.iterations):
                    enough = enough and self.iterate(p)
                world += width
        if not enough:
            raise MemoryError("no memory for a tree")

    def tallies(self):
        """How each move did.

        Returns
        -------
        list of tuple of int
            Visits, wins and draws (for the player to move) of the moves in the order of `State.moves`.
        """
        return [(self.visits[i], self.wins[i], self.draws[i]) for i in range(self.moves_count)]

    cdef void plant(self) noexcept nogil:
        """Begin a tree: a root that nothing is known of."""
        self.used = 1
        self.nodes[0].first_child = 0

    cdef bint iterate(self, State p) noexcept nogil:
        """One iteration: select, expand, play out, remember. False if there is no memory left."""
        cdef Move found[moves.MAX_MOVES]
        cdef int path[MOST_DEPTH]
        cdef unsigned char seats[MOST_DEPTH]
        cdef const Rules* r = &self.rules
        cdef int depth = 0, node = 0, n, i, child, winner, left = LONGEST_PLAY_OUT
        cdef bint is_new = False
        while p.phase != moves.OVER and depth < MOST_DEPTH and not is_new:
            n = moves.list_moves(&p, r, found)
            if n > 1 or depth == 0:
                child = self.select(node, found, n, &is_new)
                if child < 0:
                    return False
                path[depth] = node = child
                seats[depth] = p.attacker if p.phase != moves.DEFEND else 1 - p.attacker
                depth += 1
                moves.play(&p, r, &self.nodes[node].move)
            else:
                moves.play(&p, r, &found[0])  # no choice, so no node
        while p.phase != moves.OVER and left:
            n = moves.list_moves(&p, r, found)
            moves.play(&p, r, &found[below(&self.stream, n)])
            left -= 1
        if r.piles != NULL:
            forget_piles(r.piles, 0)
        i = moves.final_value(&p, r) if p.phase == moves.OVER else 0
        winner = 2 if i == 0 else p.attacker if i > 0 else 1 - p.attacker
        for i in range(depth):
            self.nodes[path[i]].visits += 1
            self.nodes[path[i]].wins += winner == seats[i]
            self.nodes[path[i]].draws += winner == 2
        for i in range(self.moves_count):
            if same(&self.root_moves[i], &self.nodes[path[0]].move):
                self.visits[i] += 1
                self.wins[i] += winner == seats[0]
                self.draws[i] += winner == 2
        return True

    cdef int select(self, int node, const Move* found, int n, bint* is_new) noexcept nogil:
        """The child to go to: one never tried, at random, else the one of the highest bound; -1 without memory."""
        cdef bint tried[moves.MAX_MOVES]
        cdef int i, child, untried = n, best = -1
        cdef Node* it
        cdef double bound, best_bound = -1
        for i in range(n):
            tried[i] = False
        child = self.nodes[node].first_child
        while child:
            it = &self.nodes[child]
            for i in range(n):
                if same(&found[i], &it.move):
                    tried[i] = True
                    untried -= 1
                    it.available += 1
                    bound = (it.wins + 0.5 * it.draws) / it.visits
                    bound += EXPLORATION * sqrt(log(<double> it.available) / it.visits)
                    if bound > best_bound:
                        best_bound = bound
                        best = child
                    break
            child = it.next_sibling
        is_new[0] = untried > 0
        if not untried:
            return best
        untried = below(&self.stream, untried)
        i = 0
        while tried[i] or untried:
            untried -= not tried[i]
            i += 1
        return self.grow(node, &found[i])

    cdef int grow(self, int node, const Move* move) noexcept nogil:
        """Add a child; -1 without memory."""
        cdef Node* more
        cdef int child = self.used
        if child == self.room:
            more = <Node*> realloc(self.nodes, 2 * self.room * sizeof(Node)) if self.room < 1 << 29 else NULL
            if more == NULL:
                return -1
            self.nodes = more
            self.room *= 2
        self.used += 1
        self.nodes[child] = Node(
            move=move[0], first_child=0, next_sibling=self.nodes[node].first_child, visits=0, available=1, wins=0,
            draws=0)
        self.nodes[node].first_child = child
        return child


cdef inline bint same(const Move* a, const Move* b) noexcept nogil:
    return a.cards == b.cards and a.target == b.target and a.kind == b.kind
