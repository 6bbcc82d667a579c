"""The round game, solved by a fixpoint over the states that can be reached.

A state is the hand of the player to move and the pile, as card sets in which cards stand in an order such that no card
beats a later one. Each card of a pile beats the one below it, so that the set alone tells its order: the bottom is the
lowest bit, the top the highest. Whoever has put down his last card has won, so such states are not stored.

Cards go round for ever, and a search that goes down one line and remembers what it found there would be wrong: what it
takes for a repetition depends on how it came there. Here nothing depends on a line. States are expanded in the order
in which they are met, and a value is given only where it is forced by values that are known: a win, if some move leads
to a loss of the opponent; a loss, if every move leads to a win of his. By induction on the order in which values are
given, each of them is right, however few states have been expanded. When no state is left to expand, those without a
value are draws: from each of them some move leads to another one of them, and none to a loss of the opponent, so that
both sides can go on for ever and neither can do better.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport calloc, free, malloc

from search.limits cimport clock
from game.bits cimport popcount, u64

ctypedef unsigned int u32

cdef extern from *:
    int leading_zeros "__builtin_clzll" (u64 cards) noexcept nogil
    int low_bit "__builtin_ctzll" (u64 cards) noexcept nogil

cdef enum:
    CHUNK = 4096           # states expanded between two looks at the clock and for Ctrl-C
    STATE_BYTES = 48       # more than its share of all arrays
    MOST_STATES = 1 << 29
    MAX_CARDS = 54

cdef u32 NONE = 0xffffffffu
cdef u64 NO_LIMIT = 0x4000000000000000u

cdef struct Node:
    u64 hand               # of the player to move
    u64 pile
    u32 step               # when its value was found, counted from 0
    signed char value      # for the player to move; 0: not known
    unsigned char left     # its moves that are not known to lose, once it is expanded

cdef struct Graph:
    u64 all_cards
    u64 beaters[MAX_CARDS]  # the cards that beat a card
    u64 beaten[MAX_CARDS]   # the cards that a card beats
    Node* nodes
    u32* found              # the numbers of those with a value, in the order of finding
    u32* slots              # hash table: 0 in a free slot, else one more than the number of a node
    u32 mask                # the number of slots, a power of two, less one
    u32 most                # nodes that there is room for
    u32 count
    u32 expanded            # nodes before this one have been expanded, or had a value already
    u32 valued


cdef int top_bit(u64 cards) noexcept nogil:
    return 63 - leading_zeros(cards)


cdef u32* slot_of(const Graph* g, u64 hand, u64 pile) noexcept nogil:
    """Where a state is in the hash table, or the free slot where it belongs."""
    cdef u64 mixed = (hand * 0x9e3779b97f4a7c15u) ^ (pile * 0xc2b2ae3d27d4eb4fu)
    cdef u32 i, number
    mixed ^= mixed >> 32
    mixed *= 0xd6e8feb86659fd93u
    i = <u32> (mixed >> 32) & g.mask
    while True:
        number = g.slots[i]
        if number == 0 or (g.nodes[number - 1].hand == hand and g.nodes[number - 1].pile == pile):
            return &g.slots[i]
        i = (i + 1) & g.mask


cdef void release(Graph* g) noexcept nogil:
    free(g.nodes)
    free(g.found)
    free(g.slots)


cdef bint allocate(Graph* g, u32 most) noexcept nogil:
    """Make room for so many states at once, which the system gives as it is used; False if it does not."""
    cdef size_t slots = 1
    while slots < 2 * <size_t> most:
        slots *= 2
    g.nodes = <Node*> malloc(most * sizeof(Node))
    g.found = <u32*> malloc(most * sizeof(u32))
    g.slots = <u32*> calloc(slots, sizeof(u32))
    g.mask = <u32> (slots - 1)
    g.most = most
    if g.nodes == NULL or g.found == NULL or g.slots == NULL:
        release(g)
        g.nodes = NULL
        g.found = g.slots = NULL
        return False
    return True


cdef u32 node_of(Graph* g, u64 hand, u64 pile) noexcept nogil:
    """The number of a state, which is stored if it is new; NONE if there is no room."""
    cdef u32* slot = slot_of(g, hand, pile)
    cdef Node* node
    if slot[0]:
        return slot[0] - 1
    if g.count == g.most:
        return NONE
    node = &g.nodes[g.count]
    node.hand = hand
    node.pile = pile
    node.step = 0
    node.value = 0
    node.left = 0
    g.count += 1
    slot[0] = g.count
    return g.count - 1


cdef void give_value(Graph* g, u32 number, int value) noexcept nogil:
    g.nodes[number].value = value
    g.nodes[number].step = g.valued
    g.found[g.valued] = number
    g.valued += 1


cdef u64 playable(const Graph* g, u64 hand, u64 pile) noexcept nogil:
    """The cards of a hand that can be put on a pile."""
    return hand & g.beaters[top_bit(pile)] if pile else hand


cdef bint expand(Graph* g, u32 number) noexcept nogil:
    """Store what the moves of a state lead to, and give it a value if that follows at once; False without room."""
    cdef u64 hand = g.nodes[number].hand, pile = g.nodes[number].pile
    cdef u64 other = g.all_cards ^ hand ^ pile
    cdef u64 cards = playable(g, hand, pile), after
    cdef u32 child
    cdef int left = 0
    cdef bint take = pile != 0
    if cards and popcount(hand) == 1:
        give_value(g, number, 1)
        return True
    while cards or take:
        if cards:
            after = pile | (cards & -cards)
            cards &= cards - 1
        else:
            after = pile & (pile - 1)
            take = False
        child = node_of(g, other, after)
        if child == NONE:
            return False
        if g.nodes[child].value < 0:
            give_value(g, number, 1)
            return True
        left += g.nodes[child].value == 0
    g.nodes[number].left = left
    if left == 0:
        give_value(g, number, -1)
    return True


cdef void tell(Graph* g, u64 hand, u64 pile, int value) noexcept nogil:
    """Tell a state, if it has been expanded and has no value yet, that one of its moves leads to a value."""
    cdef u32 found = slot_of(g, hand, pile)[0], number = found - 1
    cdef Node* node
    if found == 0 or number >= g.expanded:
        return
    node = &g.nodes[number]
    if node.value:
        return
    if value < 0:
        give_value(g, number, 1)
        return
    node.left -= 1
    if node.left == 0:
        give_value(g, number, -1)


cdef void spread(Graph* g, u32 first) noexcept nogil:
    """Give values to all states that get them from those that were found from the given step on."""
    cdef u64 other, pile, card, cards
    cdef int value
    cdef Node node
    while first < g.valued:
        node = g.nodes[g.found[first]]
        first += 1
        value = node.value
        pile = node.pile
        other = g.all_cards ^ node.hand ^ pile  # of the player who has just moved
        cards = other
        if pile:
            card = <u64> 1 << top_bit(pile)
            tell(g, other | card, pile ^ card, value)  # he has put it there
            cards &= g.beaten[low_bit(pile)]
        while cards:
            card = cards & -cards
            cards ^= card
            tell(g, other ^ card, pile | card, value)  # he has taken it from the bottom


@cython.final
cdef class RoundSearcher:
    """A search of the round game with certain cards; not for two threads at once, save for `stop`.

    Parameters
    ----------
    beaters : sequence of int
        For each card the set of cards that beat it, all of them later ones.
    memory : int
        Bytes that it may use; it makes do with less if it does not get them.
    nodes : int or None
        States that it may expand.
    seconds : float or None
        How long it may take.

    Raises
    ------
    MemoryError
        If there is no memory at all.
    """

    cdef Graph g
    cdef u64 limit
    cdef double deadline
    cdef bint interrupted
    cdef readonly object stopped
    """Why the search stopped: "nodes", "seconds", "memory" or "interrupt"; None if it did not."""

    def __cinit__(self, beaters, u64 memory, nodes, seconds):
        cdef int i, j
        self.g.all_cards = (<u64> 1 << len(beaters)) - 1
        for i in range(len(beaters)):
            self.g.beaters[i] = beaters[i]
            for j in range(i):
                if self.g.beaters[j] >> i & 1:
                    self.g.beaten[i] |= <u64> 1 << j
        self.limit = NO_LIMIT if nodes is None else min(nodes, NO_LIMIT)
        self.deadline = 1e300 if seconds is None else clock() + seconds
        cdef u32 most = <u32> min(memory // STATE_BYTES, <u64> MOST_STATES)
        while not allocate(&self.g, most):
            most //= 2
            if most == 0:
                raise MemoryError("no memory for a search")

    def __dealloc__(self):
        release(&self.g)

    @property
    def nodes(self):
        """States expanded."""
        return self.g.expanded

    @property
    def done(self):
        """Whether no state is left to expand: then those without a value are draws."""
        return self.stopped is None and self.g.expanded == self.g.count

    def stop(self):
        """End the search, from any thread or signal handler; it returns within some milliseconds."""
        self.interrupted = True

    def solve(self, u64 hand, u64 pile):
        """Search until the value of a state is known, or a limit is met.

        Parameters
        ----------
        hand : int
            Cards of the player to move. Neither he nor the other one has an empty hand.
        pile : int
            Cards of the pile.
        """
        cdef u32 number = node_of(&self.g, hand, pile), first
        cdef u64 end
        cdef bint room = True
        if number == NONE:
            self.stopped = "memory"
        while self.stopped is None and self.g.nodes[number].value == 0 and self.g.expanded < self.g.count:
            if self.interrupted:
                self.stopped = "interrupt"
            elif self.g.expanded >= self.limit:
                self.stopped = "nodes"
            elif clock() >= self.deadline:
                self.stopped = "seconds"
            else:
                end = min(<u64> self.g.expanded + CHUNK, self.limit)
                with nogil:
                    while (room and self.g.expanded < end and self.g.expanded < self.g.count
                            and self.g.nodes[number].value == 0):
                        first = self.g.valued
                        room = self.g.nodes[self.g.expanded].value != 0 or expand(&self.g, self.g.expanded)
                        self.g.expanded += room
                        spread(&self.g, first)
                if not room:
                    self.stopped = "memory"
                PyErr_CheckSignals()

    def known(self, u64 hand, u64 pile):
        """What has been found out about a state.

        Parameters
        ----------
        hand : int
            Cards of the player to move.
        pile : int
            Cards of the pile.

        Returns
        -------
        tuple of int
            Its value for the player to move, from -1 to 1, where 0 is a draw only if the search is `done`; and the step
            in which it was found. A won state has a move to a state that is lost and was found earlier; all moves of a
            lost one lead to states that were found earlier.
        """
        cdef u32 found = slot_of(&self.g, hand, pile)[0]
        if found == 0:
            return 0, 0
        return self.g.nodes[found - 1].value, self.g.nodes[found - 1].step
