"""A dense perfect index of bout starts: every class of equal ones has one number, and every number is a class.

The classes are those of the trace normal form (see trace.pxd), and a bout start is a walk over its layers (see
layers.pxd). How many walks go on from a layer depends on the state and the cards that both sides have left: a small
table of counts. The rank of a walk is the number of walks passed over: at each layer those through smaller layers,
which is one look-up in a table of sums. Unranking goes the other way.

No bout start within the index has more than twelve cards, and so no more than twelve ranks: with the thirteen ranks of
the largest deck there is no bound on the layers to heed, and one index serves all decks.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from game.bits cimport popcount, u64
from keys.layers cimport LAYERS, MOST_LAYERS, MOST_STATES, Step, Steps, list_layers, steps_init

cdef extern from *:
    ctypedef unsigned int u32 "uint32_t"

cdef enum:
    MOST_CARDS = 12          # sums within a section of 12 cards still fit 32 bits
    SIDE = MOST_CARDS + 1
    HELD = SIDE * SIDE       # pairs of the numbers of cards that both sides hold: SIDE * attacker's + defender's

cdef struct Index:
    Steps steps
    unsigned char held[LAYERS]                  # the cards of a layer, as SIDE * attacker's + defender's
    u64 counts[MOST_STATES][HELD]               # walks from a state, by the cards left
    u32 start[MOST_STATES]                      # where a state's sums begin
    u32* passed                                 # for each state, cards left and row: walks through smaller rows

cdef inline bint index_init(Index* x, int alike) noexcept nogil:
    """Fill the tables; `alike` are the renamings of suits that tell nothing apart. False if there is no memory."""
    cdef Steps* steps = &x.steps
    cdef int state, total, a, held, row, layer, held_here, i, k
    cdef u32 size = 0
    cdef u64 passed
    cdef u32* sums
    steps_init(steps, alike)
    for layer in range(LAYERS):
        held = 0
        for i in range(4):
            k = popcount(steps.columns[layer][i] >> 4)
            held += SIDE * k + popcount(steps.columns[layer][i] & 15) - k
        x.held[layer] = <unsigned char> held
    for state in range(steps.states):
        x.start[state] = size
        size += (steps.rows[state] + 1) * HELD
    x.passed = <u32*> malloc(size * sizeof(u32))
    if x.passed == NULL:
        return False
    memset(x.passed, 0, size * sizeof(u32))
    memset(x.counts, 0, sizeof(x.counts))
    for state in range(steps.states):
        x.counts[state][0] = 1
    for total in range(1, MOST_CARDS + 1):
        for a in range(total + 1):
            held = SIDE * a + total - a
            for state in range(steps.states):
                passed = 0
                sums = x.passed + x.start[state] + held * (steps.rows[state] + 1)
                for row in range(steps.rows[state]):
                    sums[row] = <u32> passed
                    layer = steps.layers[state][row]
                    held_here = x.held[layer]
                    if held_here // SIDE <= a and held_here % SIDE <= total - a:
                        passed += x.counts[steps.step[state][layer].next][held - held_here]
                sums[steps.rows[state]] = <u32> passed
                x.counts[state][held] = passed
    return True

cdef inline void index_free(Index* x) noexcept nogil:
    free(x.passed)
    x.passed = NULL

cdef inline u64 index_count(const Index* x, int total, int attackers) noexcept nogil:
    """How many classes of bout starts there are with `total` cards, of which the attacker holds `attackers`."""
    return x.counts[0][SIDE * attackers + total - attackers]

cdef inline u64 index_rank(const Index* x, u64 attacker, u64 defender) noexcept nogil:
    """The number of a bout start among those with equal numbers of cards in both hands."""
    cdef const Steps* steps = &x.steps
    cdef unsigned short codes[MOST_LAYERS]
    cdef u64 number = 0
    cdef const Step* step
    cdef int layer, renaming = 0, state = 0, i
    cdef int held = SIDE * popcount(attacker) + popcount(defender)
    for i in range(list_layers(steps, attacker, defender, codes)):
        layer = steps.layer_of[codes[i]]
        step = &steps.step[state][steps.renamed[renaming][layer]]
        number += x.passed[x.start[state] + held * (steps.rows[state] + 1) + step.row]
        held -= x.held[layer]
        renaming = steps.composed[step.renaming][renaming]
        state = step.next
    return number


# --- Walking the index in order ---------------------------------------------------------------------------------------

cdef struct Level:
    int state
    int held       # cards left for this layer and those above
    int row
    int renaming   # from lanes to the names of the state
    int rank       # the rank of the layer's first column
    u64 attacker   # cards below this layer
    u64 defender

cdef struct Walk:
    Level levels[SIDE]
    int depth
    u64 attacker
    u64 defender

cdef inline void climb(const Index* x, Walk* w) noexcept nogil:
    """Put the layer of the topmost level's row down, and open the level above it."""
    cdef Level* level = &w.levels[w.depth]
    cdef Level* above = level + 1
    cdef int layer = x.steps.layers[level.state][level.row], column, i, s
    cdef const Step* step = &x.steps.step[level.state][layer]
    above.state = step.next
    above.held = level.held - x.held[layer]
    above.renaming = x.steps.composed[step.renaming][level.renaming]
    above.rank = level.rank
    above.attacker = level.attacker
    above.defender = level.defender
    layer = x.steps.renamed[x.steps.inverse[level.renaming]][layer]
    for i in range(4):
        column = x.steps.columns[layer][i]
        if not column:
            break
        for s in range(4):
            if column >> (4 + s) & 1:
                above.attacker |= <u64> 1 << (16 * s + above.rank)
            elif column >> s & 1:
                above.defender |= <u64> 1 << (16 * s + above.rank)
        above.rank += 1
    w.depth += 1

cdef inline void descend(const Index* x, Walk* w, u64 number) noexcept nogil:
    """Go on to the end of the walk that has a number among those that go on from here."""
    cdef Level* level = &w.levels[w.depth]
    cdef const u32* sums
    cdef int low, high, middle
    while level.held:
        sums = x.passed + x.start[level.state] + level.held * (x.steps.rows[level.state] + 1)
        low = 0
        high = x.steps.rows[level.state]
        while high - low > 1:  # the last row with no more than `number` passed over
            middle = (low + high) // 2
            if sums[middle] <= number:
                low = middle
            else:
                high = middle
        level.row = low
        number -= sums[low]
        climb(x, w)
        level = &w.levels[w.depth]
    w.attacker = level.attacker
    w.defender = level.defender

cdef inline void index_unrank(const Index* x, int total, int attackers, u64 number, Walk* w) noexcept nogil:
    """Make a walk stand at a bout start, the member of its class with the lowest ranks: `attacker`, `defender`."""
    w.depth = 0
    w.levels[0] = Level(state=0, held=SIDE * attackers + total - attackers, row=0, renaming=0, rank=0, attacker=0,
                        defender=0)
    descend(x, w, number)

cdef inline bint index_next(const Index* x, Walk* w) noexcept nogil:
    """Go on to the next number; False after the last."""
    cdef Level* level
    cdef const u32* sums
    cdef int rows, row
    while w.depth:
        w.depth -= 1
        level = &w.levels[w.depth]
        rows = x.steps.rows[level.state]
        sums = x.passed + x.start[level.state] + level.held * (rows + 1)
        row = level.row + 1
        while row < rows and sums[row + 1] == sums[row]:
            row += 1
        if row < rows:
            level.row = row
            climb(x, w)
            descend(x, w, 0)
            return True
    return False
