"""The trace normal form: one key for all bout starts that the rules cannot tell apart.

With the options that are solved here the rules read only the order within a suit, the equality of ranks, which suit
is trump, and counts. So (1) ranks without a live card do not matter, (2) plain suits may be renamed, and (3) two
neighbouring ranks whose cards share no suit may be swapped: that changes the order within no suit and no equality of
ranks. The columns of a position (one per live rank: which suits, whose) are thus the letters of a trace (Cartier and
Foata, "Problemes combinatoires de commutation et rearrangements", 1969): columns that share no suit commute. In the
Foata normal form each column falls to the lowest layer in which it still lies above every earlier column that it
shares a suit with; within a layer the columns are sorted. The key is that word of columns, one byte each, so it is
exact: equal keys are equal positions up to (1) to (3).
"""

from bits cimport BLACK_JOKER, RED_JOKER, ranks_of, suits_at, u64

cdef enum:
    MAX_COLUMNS = 13  # one byte each: keys have 104 bits

cdef struct Key:
    u64 low
    u64 high              # 40 bits

cdef struct TraceTables:
    unsigned char renamed[24][256]   # a column under a renaming of the four lanes
    unsigned char renaming[256]      # which of the 24, from 4 x 2 bits: the old lane of each new lane
    unsigned char orders[24][4]      # the old lane of each new lane
    # What a lane sees in a column, the same whatever the plain suits are called: without trumps, with trumps.
    unsigned char sign[2][4][256]
    unsigned int ternary[8192]       # the bits of a lane as the digits of a number to the base three

cdef inline bint less(const Key* a, const Key* b) noexcept nogil:
    return a.high < b.high or (a.high == b.high and a.low < b.low)

cdef inline void word(const unsigned char* columns, const unsigned char* layers, int n, const unsigned char* renamed,
                      Key* key) noexcept nogil:
    """The columns, renamed, sorted by layer and then by value, as one number."""
    cdef unsigned short sorted_columns[MAX_COLUMNS]
    cdef unsigned short column
    cdef int i, k
    sorted_columns[0] = 0
    for i in range(n):
        column = <unsigned short> ((layers[i] << 8) | renamed[columns[i]])
        k = i
        while k > 0 and sorted_columns[k - 1] > column:
            sorted_columns[k] = sorted_columns[k - 1]
            k -= 1
        sorted_columns[k] = column
    key.low = key.high = 0
    for i in range(n if n < 8 else 8):
        key.low |= (<u64> (sorted_columns[i] & 0xFF)) << (8 * i)
    for i in range(8, n):
        key.high |= (<u64> (sorted_columns[i] & 0xFF)) << (8 * (i - 8))

cdef inline void least_word(const TraceTables* t, const unsigned char* columns, const unsigned char* layers, int n,
                            const u64* signature, const unsigned char* order, int first, Key* key) noexcept nogil:
    """The least word over all renamings that keep the suits in the order of their signatures."""
    cdef Key other
    cdef int p, i
    cdef bint keeps
    for p in range(24):
        keeps = (first < 1 or t.orders[p][0] == 0) and (first < 2 or t.orders[p][1] == 1)
        for i in range(4):
            keeps &= signature[t.orders[p][i]] == signature[order[i]]
        if keeps:
            word(columns, layers, n, t.renamed[p], &other)
            if less(&other, key):
                key[0] = other

cdef inline void trace_key(const TraceTables* t, u64 attacker_hand, u64 defender_hand, int first,
                           Key* key) noexcept nogil:
    """The key of a bout start without jokers; the lanes before `first` (0 to 2) may not be renamed."""
    cdef unsigned char columns[MAX_COLUMNS]
    cdef unsigned char layers[MAX_COLUMNS]
    cdef unsigned char heights[4]
    cdef u64 signature[4]
    cdef unsigned char order[4]
    cdef unsigned char lane, height
    cdef u64 live = attacker_hand | defender_hand
    cdef u64 ranks = ranks_of(live)
    cdef int rank, suits, column, s, i, k, trump = 1 if first else 0
    cdef int n = 0
    cdef bint tied = False
    for s in range(4):
        heights[s] = 0
        signature[s] = 0
        order[s] = <unsigned char> s
    rank = 0
    while ranks:
        if ranks & 1:
            suits = suits_at(live, rank)
            column = suits | (suits_at(attacker_hand, rank) << 4)
            height = 0
            for s in range(4):
                if suits >> s & 1 and heights[s] > height:
                    height = heights[s]
            height += 1
            for s in range(4):
                if suits >> s & 1:
                    heights[s] = height
                    signature[s] = signature[s] * 97 + t.sign[trump][s][column]
            columns[n] = <unsigned char> column
            layers[n] = height
            n += 1
        ranks >>= 1
        rank += 1
    # Order the plain suits by what they see from bottom to top, which does not depend on their names. Only suits that
    # see the same need a comparison of words; empty ones do not, as no column mentions them.
    for i in range(first + 1, 4):
        lane = order[i]
        k = i
        while k > first and signature[order[k - 1]] > signature[lane]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = lane
    for i in range(first + 1, 4):
        tied |= signature[order[i]] == signature[order[i - 1]] and signature[order[i]] != 0
    word(columns, layers, n, t.renamed[t.renaming[order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6]], key)
    if tied:
        least_word(t, columns, layers, n, signature, order, first, key)

cdef inline void exact_key(u64 attacker_hand, u64 defender_hand, Key* key) noexcept nogil:
    """The hands as they are, for bout starts with a stock, whose cards keep ranks and suits apart."""
    cdef u64 defender = packed(defender_hand)
    key.low = packed(attacker_hand) | defender << 52
    key.high = defender >> 12

cdef inline u64 packed(u64 cards) noexcept nogil:
    """A set of cards in 52 bits: the lanes without the places of jokers."""
    return ((cards & 0x1FFF) | ((cards >> 16 & 0x1FFF) << 13) | ((cards >> 32 & 0x1FFF) << 26)
            | ((cards >> 48 & 0x1FFF) << 39))

cdef inline u64 lane_number(const TraceTables* t, u64 attacker_hand, u64 defender_hand, int lane) noexcept nogil:
    """Whose the cards of a suit are, in 21 bits."""
    return (t.ternary[attacker_hand >> (16 * lane) & 0x1FFF]
            + 2 * <u64> t.ternary[defender_hand >> (16 * lane) & 0x1FFF])

cdef inline u64 joker_bits(u64 cards) noexcept nogil:
    return (cards >> RED_JOKER & 1) | (cards >> BLACK_JOKER & 1) << 1

cdef inline void full_key(const TraceTables* t, u64 attacker_hand, u64 defender_hand, Key* key) noexcept nogil:
    """The hands as they are, jokers too, for bout starts where cards count by name."""
    key.low = (lane_number(t, attacker_hand, defender_hand, 0)
               | lane_number(t, attacker_hand, defender_hand, 1) << 21
               | lane_number(t, attacker_hand, defender_hand, 2) << 42)
    key.high = (lane_number(t, attacker_hand, defender_hand, 3)
                | joker_bits(attacker_hand) << 21 | joker_bits(defender_hand) << 23)

cdef inline void pile_key(u64 attacker_hand, unsigned int pile, Key* key) noexcept nogil:
    """One hand and the whole discard, which leave the other cards that are not in the stock for the other hand."""
    key.low = packed(attacker_hand) | joker_bits(attacker_hand) << 52
    key.high = pile

cdef inline unsigned char sight(int column, int lane, bint trump) noexcept nogil:
    """What one lane sees in a column: whose its own card is, whose the trump is, how many others each side has."""
    cdef int s, others = 0, trump_card = 0
    for s in range(4):
        if s == lane or not column >> s & 1:
            continue
        if trump and s == 0:
            trump_card = 1 + (column >> 4 & 1)
        else:
            others += 4 if column >> (4 + s) & 1 else 1
    return <unsigned char> (1 + (column >> (4 + lane) & 1) + 2 * trump_card + 6 * others)

cdef inline void init_trace(TraceTables* t) noexcept nogil:
    """Fill the tables."""
    cdef int p = 0, column, s, code, a, b, c
    for code in range(256):
        a, b, c = code & 3, code >> 2 & 3, code >> 4 & 3
        if (1 << a | 1 << b | 1 << c | 1 << (code >> 6)) == 15:
            t.renaming[code] = <unsigned char> p
            for s in range(4):
                t.orders[p][s] = <unsigned char> (code >> (2 * s) & 3)
            for column in range(256):
                t.renamed[p][column] = 0
                for s in range(4):
                    a = t.orders[p][s]
                    b = (column >> a & 1) << s | (column >> (4 + a) & 1) << (4 + s)
                    t.renamed[p][column] |= <unsigned char> b
            p += 1
    for code in range(8192):
        t.ternary[code] = 0 if not code else 3 * t.ternary[code >> 1] + (code & 1)
    for s in range(4):
        for column in range(256):
            t.sign[0][s][column] = sight(column, s, False)
            t.sign[1][s][column] = sight(column, s, True)
