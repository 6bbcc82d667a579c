"""The layers of the trace normal form (see trace.pxd), and how one follows another whatever the suits are called.

A bout start is a walk over the layers of its normal form, from the bottom. A layer is a set of columns that share no
suit, each card owned by the attacker or the defender: 456 there are. A layer may follow another if each of its columns
touches a suit of the layer below. Suits that the rules do not tell apart have no names: among the layers that renamings
leave equivalent so far, only the one with the smallest number is walked, and what is still tied after it is the
stabiliser. At first that is all suits, or the three plain ones, or two of them where one has a name, as a locked suit
in lane 1 has. What may follow depends only on the suits of the last layer and the stabiliser; the suits are renamed
after each layer so that few such states remain.
"""

from libc.string cimport memset

from game.bits cimport ctz, of_ranks, popcount, ranks_of, suits_at, u64

cdef enum:
    CODES = 4096             # of layers: 4 bits of suits, 4 of suits with a card of the attacker, 4 of which are joined
    LAYERS = 456
    MOST_LAYERS = 13         # of a bout start
    MOST_STATES = 64         # 19 are reached from ALL_ALIKE, 17 from PLAIN_ALIKE, 14 from PAIR_ALIKE
    RENAMINGS = 24           # of the four lanes
    PLAIN_RENAMINGS = 6      # those that keep the first
    # Stabilisers at first, sets of renamings: of all suits, of the plain ones, and of those but the one in lane 1.
    ALL_ALIKE = 0xFFFFFF
    PLAIN_ALIKE = 63
    PAIR_ALIKE = 3
    SPOT = 0xFFFF            # no layer

cdef struct Step:
    unsigned short row       # the layer's place among those that may follow in a state, once renamed
    unsigned char next       # the state after it
    unsigned char renaming   # by which suits are known from there on, after the names of the state before

cdef struct Steps:
    int alike                                   # the stabiliser at first
    int renamings                               # how many of them states choose from for their names
    unsigned short column_code[256]             # codes of columns add up to that of the layer
    unsigned short layer_of[CODES]              # the number of a layer
    unsigned char columns[LAYERS][4]            # its columns (suits, and << 4 the attacker's), 0 for none
    unsigned short renamed[RENAMINGS][LAYERS]
    unsigned char orders[RENAMINGS][4]          # the new lane of each lane
    unsigned char composed[RENAMINGS][RENAMINGS]  # the second one after the first one: [second][first]
    unsigned char inverse[RENAMINGS]
    int states
    int rows[MOST_STATES]
    Step step[MOST_STATES][LAYERS]
    unsigned short layers[MOST_STATES][LAYERS]  # the layer of each row

cdef inline int moved_suits(const Steps* x, int renaming, int suits) noexcept nogil:
    cdef int s, result = 0
    for s in range(4):
        result |= (suits >> s & 1) << x.orders[renaming][s]
    return result

cdef inline int moved_column(const Steps* x, int renaming, int column) noexcept nogil:
    return moved_suits(x, renaming, column & 15) | moved_suits(x, renaming, column >> 4) << 4

cdef inline int code_of(const Steps* x, const unsigned char* columns) noexcept nogil:
    return (x.column_code[columns[0]] | x.column_code[columns[1]] | x.column_code[columns[2]]
            | x.column_code[columns[3]])

cdef inline void init_layers(Steps* x) noexcept nogil:
    """Number the layers, and what they are under renamings."""
    cdef unsigned char columns[4]
    cdef unsigned char joined[16]
    cdef int a, b, c, d, i, k, n = 0, code
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
                    for i in range(4):
                        x.columns[n][i] = columns[i]
                    n += 1
    for n in range(LAYERS):
        for k in range(RENAMINGS):
            for i in range(4):
                columns[i] = <unsigned char> moved_column(x, k, x.columns[n][i])
            x.renamed[k][n] = x.layer_of[code_of(x, columns)]

cdef inline void init_renamings(Steps* x) noexcept nogil:
    """In rising order, so that those that keep the first lane come first, and before them those that keep two."""
    cdef int a, b, c, i, k, s, n = 0
    for a in range(4):
        for b in range(4):
            for c in range(4):
                if a != b and a != c and b != c:
                    x.orders[n][0], x.orders[n][1], x.orders[n][2], x.orders[n][3] = a, b, c, 6 - a - b - c
                    n += 1
    for i in range(RENAMINGS):
        for k in range(RENAMINGS):
            for n in range(RENAMINGS):
                c = 1
                for s in range(4):
                    c &= x.orders[n][s] == x.orders[i][x.orders[k][s]]
                if c:
                    x.composed[i][k] = <unsigned char> n
                    if n == 0:
                        x.inverse[k] = <unsigned char> i

cdef inline int settle_names(const Steps* x, int stabiliser, int suits, int* renaming) noexcept nogil:
    """The stabiliser (a set of renamings) and suits, after the renaming that makes them smallest, as one number."""
    cdef int p, k, moved, number, best = -1
    for p in range(x.renamings):
        moved = 0
        for k in range(x.renamings):
            if stabiliser >> k & 1:
                moved |= 1 << x.composed[x.composed[p][k]][x.inverse[p]]
        number = moved << 4 | moved_suits(x, p, suits)
        if best < 0 or number < best:
            best = number
            renaming[0] = p
    return best

cdef inline void init_state(Steps* x, int* numbers, int state) noexcept nogil:
    """List what may follow in a state, and add the states after that."""
    cdef int stabiliser = numbers[state] >> 4, suits = numbers[state] & 15
    cdef int layer, least, by, k, after, number, renaming = 0, next_suits, follows, i, rows = 0
    for layer in range(LAYERS):
        least = LAYERS
        by = 0
        for k in range(x.renamings):
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
        for k in range(x.renamings):
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

cdef inline void steps_init(Steps* x, int alike) noexcept nogil:
    """Fill the tables; `alike` are the renamings of suits that tell nothing apart."""
    cdef int numbers[MOST_STATES]
    cdef int state = 0
    init_renamings(x)
    init_layers(x)
    # Before the first layer nothing more is named, and every column may lie at the bottom.
    x.alike = alike
    x.renamings = RENAMINGS if alike == ALL_ALIKE else PLAIN_RENAMINGS
    numbers[0] = alike << 4 | 15
    x.states = 1
    while state < x.states:
        init_state(x, numbers, state)
        state += 1

cdef inline int list_layers(const Steps* x, u64 attacker, u64 defender, unsigned short* codes) noexcept nogil:
    """The codes of a bout start's layers, from the bottom; returns how many."""
    cdef u64 live = attacker | defender, ranks = ranks_of(live), rank, reached = 0, top, lanes
    cdef int column, i, n = 0
    memset(codes, 0, MOST_LAYERS * sizeof(unsigned short))
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
    return n
