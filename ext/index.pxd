"""A dense perfect index of bout starts: every class of equal ones has one number, and every number is a class.

The classes are those of the trace normal form (see trace.pxd), with a trump suit in lane 0. A bout start is a walk over
the layers of its normal form, from the bottom. A layer is a set of columns that share no suit, each card owned by the
attacker or the defender: 456 there are. A layer may follow another if each of its columns touches a suit of the layer
below. Plain suits have no names: among the layers that renamings of the suits leave equivalent so far, only the one
with the smallest number is walked, and what is still tied after it is the stabiliser. At first that is all three plain
suits; where one of them has a name, as a locked suit in lane 1 has, it is the pair of the others.

How many walks go on from a layer depends on its suits, the stabiliser and the cards that both sides have left. The
suits are renamed after each layer so that few such states remain. The rank of a walk is the number of walks passed
over: at each layer those through smaller layers, which is one look-up in a table of sums. Unranking goes the other way.

No bout start within the index has more than twelve cards, and so no more than twelve ranks: with the thirteen ranks of
the largest deck there is no bound on the layers to heed, and one index serves all decks.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bits cimport ctz, of_ranks, popcount, ranks_of, suits_at, u64

cdef extern from *:
    ctypedef unsigned int u32 "uint32_t"

cdef enum:
    MOST_CARDS = 12          # sums within a section of 12 cards still fit 32 bits
    SIDE = MOST_CARDS + 1
    HELD = SIDE * SIDE       # pairs of the numbers of cards that both sides hold: SIDE * attacker's + defender's
    CODES = 4096             # of layers: 4 bits of suits, 4 of suits with a card of the attacker, 4 of which are joined
    LAYERS = 456
    MOST_STATES = 32         # 17 are reached, or 16 where a plain suit has a name
    ALL_ALIKE = 63           # stabilisers at first: of all plain suits, and of those but the one in lane 1
    PAIR_ALIKE = 3
    SPOT = 0xFFFF            # no layer

cdef struct Step:
    unsigned short row       # the layer's place among those that may follow in a state, once renamed
    unsigned char next       # the state after it
    unsigned char renaming   # by which suits are known from there on, after the names of the state before

cdef struct Index:
    int alike                                   # the stabiliser at first: a set of renamings
    unsigned short column_code[256]             # codes of columns add up to that of the layer
    unsigned short layer_of[CODES]              # the number of a layer
    unsigned char columns[LAYERS][4]            # its columns (suits, and << 4 the attacker's), 0 for none
    unsigned char held[LAYERS]                  # its cards, as SIDE * attacker's + defender's
    unsigned short renamed[6][LAYERS]           # under the renamings of the plain lanes
    unsigned char orders[6][4]                  # the new lane of each lane
    unsigned char composed[6][6]                # the second one after the first one: [second][first]
    unsigned char inverse[6]
    int states
    int rows[MOST_STATES]
    Step step[MOST_STATES][LAYERS]
    unsigned short layers[MOST_STATES][LAYERS]  # the layer of each row
    u64 counts[MOST_STATES][HELD]               # walks from a state, by the cards left
    u32 start[MOST_STATES]                      # where a state's sums begin
    u32* passed                                 # for each state, cards left and row: walks through smaller rows

cdef inline int moved_suits(const Index* x, int renaming, int suits) noexcept nogil:
    cdef int s, result = 0
    for s in range(4):
        result |= (suits >> s & 1) << x.orders[renaming][s]
    return result

cdef inline int moved_column(const Index* x, int renaming, int column) noexcept nogil:
    return moved_suits(x, renaming, column & 15) | moved_suits(x, renaming, column >> 4) << 4

cdef inline int code_of(const Index* x, const unsigned char* columns) noexcept nogil:
    return (x.column_code[columns[0]] | x.column_code[columns[1]] | x.column_code[columns[2]]
            | x.column_code[columns[3]])

cdef inline void init_layers(Index* x) noexcept nogil:
    """Number the layers, and what they are under renamings."""
    cdef unsigned char columns[4]
    cdef unsigned char joined[16]
    cdef int a, b, c, d, i, k, n = 0, code, cards
    # Four bits tell which suits of a layer are joined to columns: no two layers with the same suits share a code.
    memset(joined, 0, 16)
    joined[0b0011], joined[0b1100], joined[0b0101], joined[0b1010] = 1, 2, 4, 8
    joined[0b1001], joined[0b0110] = 5, 10
    joined[0b0111], joined[0b1011], joined[0b1101], joined[0b1110], joined[0b1111] = 6, 7, 9, 11, 13
    memset(x.layer_of, 0xFF, sizeof(x.layer_of))
    memset(x.column_code, 0, sizeof(x.column_code))
    for i in range(256):
        if not (i >> 4) & ~i:
            x.column_code[i] = <unsigned short> (i | joined[i & 15] << 8)
    # Columns in falling order, each with suits that those before have not.
    for a in range(1, 256):
        for b in range(a):
            if b & a & 15 or (b and (b >> 4) & ~b) or (a >> 4) & ~a:
                continue
            for c in range(b if b else 1):
                if c & (a | b) & 15 or (c >> 4) & ~c:
                    continue
                for d in range(c if c else 1):
                    if d & (a | b | c) & 15 or (d >> 4) & ~d:
                        continue
                    if (b == 0 and c) or (c == 0 and d):
                        continue
                    columns[0], columns[1], columns[2], columns[3] = a, b, c, d
                    code = code_of(x, columns)
                    x.layer_of[code] = <unsigned short> n
                    cards = 0
                    for i in range(4):
                        x.columns[n][i] = columns[i]
                        k = popcount(columns[i] >> 4)
                        cards += SIDE * k + popcount(columns[i] & 15) - k
                    x.held[n] = <unsigned char> cards
                    n += 1
    for n in range(LAYERS):
        for k in range(6):
            for i in range(4):
                columns[i] = <unsigned char> moved_column(x, k, x.columns[n][i])
            x.renamed[k][n] = x.layer_of[code_of(x, columns)]

cdef inline void init_renamings(Index* x) noexcept nogil:
    cdef int a, b, c, i, k, s, n = 0
    for a in range(1, 4):
        for b in range(1, 4):
            if a != b:
                x.orders[n][0], x.orders[n][1], x.orders[n][2], x.orders[n][3] = 0, a, b, 6 - a - b
                n += 1
    for i in range(6):
        for k in range(6):
            for n in range(6):
                c = 1
                for s in range(4):
                    c &= x.orders[n][s] == x.orders[i][x.orders[k][s]]
                if c:
                    x.composed[i][k] = <unsigned char> n
                    if n == 0:
                        x.inverse[k] = <unsigned char> i

cdef inline int settle_names(const Index* x, int stabiliser, int suits, int* renaming) noexcept nogil:
    """The stabiliser (a set of renamings) and suits, after the renaming that makes them smallest, as one number."""
    cdef int p, k, moved, number, best = -1
    for p in range(6):
        moved = 0
        for k in range(6):
            if stabiliser >> k & 1:
                moved |= 1 << x.composed[x.composed[p][k]][x.inverse[p]]
        number = moved << 4 | moved_suits(x, p, suits)
        if best < 0 or number < best:
            best = number
            renaming[0] = p
    return best

cdef inline void init_state(Index* x, int* numbers, int state) noexcept nogil:
    """List what may follow in a state, and add the states after that."""
    cdef int stabiliser = numbers[state] >> 4, suits = numbers[state] & 15
    cdef int layer, least, by, k, after, number, renaming = 0, next_suits, follows, i, rows = 0
    for layer in range(LAYERS):
        least = LAYERS
        by = 0
        for k in range(6):
            if stabiliser >> k & 1 and x.renamed[k][layer] < least:
                least = x.renamed[k][layer]
                by = k
        x.step[state][layer] = Step(row=SPOT, next=0, renaming=0)
        if least < layer:
            # A renamed layer has a smaller number, so it has been treated.
            x.step[state][layer] = x.step[state][least]
            x.step[state][layer].renaming = x.composed[x.step[state][least].renaming][by]
            continue
        follows = True
        next_suits = after = 0
        for i in range(4):
            next_suits |= x.columns[layer][i] & 15
            follows &= x.columns[layer][i] == 0 or (x.columns[layer][i] & suits) != 0
        if not follows:
            continue
        for k in range(6):
            if stabiliser >> k & 1 and x.renamed[k][layer] == layer:
                after |= 1 << k
        number = settle_names(x, after, next_suits, &renaming)
        k = 0
        while k < x.states and numbers[k] != number:
            k += 1
        if k == x.states:
            numbers[k] = number
            x.states += 1
        x.layers[state][rows] = <unsigned short> layer
        x.step[state][layer] = Step(row=rows, next=k, renaming=renaming)
        rows += 1
    x.rows[state] = rows

cdef inline bint index_init(Index* x, int alike) noexcept nogil:
    """Fill the tables, for plain suits of which so many renamings tell nothing apart; False if there is no memory."""
    cdef int numbers[MOST_STATES]
    cdef int state = 0, total, a, held, row, layer, held_here
    cdef u32 size = 0
    cdef u64 passed
    cdef u32* sums
    init_renamings(x)
    init_layers(x)
    # Before the first layer nothing more is named, and every column may lie at the bottom.
    x.alike = alike
    numbers[0] = alike << 4 | 15
    x.states = 1
    while state < x.states:
        init_state(x, numbers, state)
        x.start[state] = size
        size += (x.rows[state] + 1) * HELD
        state += 1
    x.passed = <u32*> malloc(size * sizeof(u32))
    if x.passed == NULL:
        return False
    memset(x.passed, 0, size * sizeof(u32))
    memset(x.counts, 0, sizeof(x.counts))
    for state in range(x.states):
        x.counts[state][0] = 1
    for total in range(1, MOST_CARDS + 1):
        for a in range(total + 1):
            held = SIDE * a + total - a
            for state in range(x.states):
                passed = 0
                sums = x.passed + x.start[state] + held * (x.rows[state] + 1)
                for row in range(x.rows[state]):
                    sums[row] = <u32> passed
                    layer = x.layers[state][row]
                    held_here = x.held[layer]
                    if held_here // SIDE <= a and held_here % SIDE <= total - a:
                        passed += x.counts[x.step[state][layer].next][held - held_here]
                sums[x.rows[state]] = <u32> passed
                x.counts[state][held] = passed
    return True

cdef inline void index_free(Index* x) noexcept nogil:
    free(x.passed)
    x.passed = NULL

cdef inline u64 index_count(const Index* x, int total, int attackers) noexcept nogil:
    """How many classes of bout starts there are with so many cards, so many of them the attacker's."""
    return x.counts[0][SIDE * attackers + total - attackers]

cdef inline u64 index_rank(const Index* x, u64 attacker, u64 defender) noexcept nogil:
    """The number of a bout start among those with as many cards on both sides."""
    cdef unsigned short codes[MOST_CARDS]
    cdef u64 live = attacker | defender, ranks = ranks_of(live), rank, reached = 0, top, lanes
    cdef u64 number = 0
    cdef const Step* step
    cdef int column, layer, renaming = 0, state = 0, i, n = 0
    cdef int held = SIDE * popcount(attacker) + popcount(defender)
    memset(codes, 0, sizeof(codes))
    # How high a suit reaches so far is a run of ones in its lane: the highest of several is their union.
    while ranks:
        rank = ctz(ranks)
        ranks &= ranks - 1
        column = suits_at(live, <int> rank)
        lanes = ((live >> rank) & 0x0001000100010001u) * 0xFFFF
        column |= suits_at(attacker, <int> rank) << 4
        top = ranks_of(reached & lanes)
        i = ctz(~top)
        codes[i] |= x.column_code[column]
        reached = (reached & ~lanes) | (of_ranks(top << 1 | 1) & lanes)
        if i >= n:
            n = i + 1
    for i in range(n):
        layer = x.layer_of[codes[i]]
        step = &x.step[state][x.renamed[renaming][layer]]
        number += x.passed[x.start[state] + held * (x.rows[state] + 1) + step.row]
        held -= x.held[layer]
        renaming = x.composed[step.renaming][renaming]
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
    cdef int layer = x.layers[level.state][level.row], column, i, s
    cdef const Step* step = &x.step[level.state][layer]
    above.state = step.next
    above.held = level.held - x.held[layer]
    above.renaming = x.composed[step.renaming][level.renaming]
    above.rank = level.rank
    above.attacker = level.attacker
    above.defender = level.defender
    layer = x.renamed[x.inverse[level.renaming]][layer]
    for i in range(4):
        column = x.columns[layer][i]
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
        sums = x.passed + x.start[level.state] + level.held * (x.rows[level.state] + 1)
        low = 0
        high = x.rows[level.state]
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
        rows = x.rows[level.state]
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
