"""Building and asking the endings table.

A bout start is solved by a search of one bout: where that ends, fewer cards are live, or the same with fewer in the
leader's hand, and the table has the value. So the sections are built in that order.
"""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from math import comb

cimport moves
from bits cimport lowest, popcount, several, u64
from durak_solver._core.state cimport RuleSet
from endings cimport ABSENT, Endings as CEndings, endings_layout, endings_probe, same_endings
from index cimport (
    MOST_CARDS as LARGEST, SIDE, Walk, index_count, index_free, index_init, index_next, index_rank, index_unrank,
    moved_column
)
from moves cimport Move, State
from order cimport attack_cost
from sheds cimport sheds

MOST_CARDS = LARGEST
"""The index holds no bout start with more cards."""


# --- One bout ---------------------------------------------------------------------------------------------------------
# The same questions as in search.pyx, with yes or no for an answer: does the attacker reach a value?

cdef inline bint ended_reaches(const CEndings* e, const State* before, const State* p, int target) noexcept nogil:
    """Is a state that has ended a bout worth so much to the attacker of a state before?"""
    cdef int value
    if p.phase == moves.OVER:
        return moves.final_value(p, &e.rules) >= target
    if sheds(p.attacker_hand, p.defender_hand, &e.rules, e.rules.limit):
        value = 1  # often so, and quicker than a look-up
    else:
        value = endings_probe(e, p.attacker_hand, p.defender_hand)
    return (value if p.attacker == before.attacker else -value) >= target


cdef bint take_reaches(const CEndings* e, const State* p, int target) noexcept nogil:
    """After "take": can the attacker give such cards?"""
    cdef State child
    cdef u64 group = 0, subset
    cdef int room = p.cap - p.count
    if p.phase == moves.GIVE:
        group = moves.throwable(p, &e.rules)
    subset = group
    while True:
        if not several(subset) or popcount(subset) <= room:
            child = p[0]
            if p.phase == moves.GIVE:
                child.attacker_hand &= ~subset
                child.attacks |= subset
                moves.play_done(&child, &e.rules)
            if ended_reaches(e, p, &child, target):
                return True
        if not subset:
            return False
        subset = (subset - 1) & group


cdef bint defend_reaches(const CEndings* e, const State* p, int target) noexcept nogil:
    """Whatever the defender does? See `defend` in search.pyx for why only the lowest card is beaten first."""
    cdef State child
    cdef u64 card, target_card = lowest(p.unbeaten), opening = 0
    cdef u64 options = moves.beaters(p, &e.rules, target_card)
    while options:
        card = lowest(options)
        options &= options - 1
        child = p[0]
        moves.play_beat(&child, &e.rules, card, target_card)
        if child.phase == moves.THROW and not moves.throwable(&child, &e.rules):
            moves.play_done(&child, &e.rules)
        if child.phase == moves.LEAD or child.phase == moves.OVER:
            if not ended_reaches(e, p, &child, target):
                return False
        else:
            opening |= card
    child = p[0]
    moves.play_take(&child, &e.rules)
    if not take_reaches(e, &child, target):
        return False
    while opening:
        child = p[0]
        moves.play_beat(&child, &e.rules, lowest(opening), target_card)
        opening &= opening - 1
        if not (defend_reaches(e, &child, target) if child.phase == moves.DEFEND
                else throw_reaches(e, &child, target)):
            return False
    return True


cdef bint throw_reaches(const CEndings* e, const State* p, int target) noexcept nogil:
    cdef State child = p[0]
    cdef u64 cards = moves.throwable(p, &e.rules)
    moves.play_done(&child, &e.rules)
    if ended_reaches(e, p, &child, target):
        return True
    while cards:
        child = p[0]
        moves.play_throw(&child, lowest(cards))
        cards &= cards - 1
        if defend_reaches(e, &child, target):
            return True
    return False


cdef bint lead_reaches(const CEndings* e, const State* p, int target) noexcept nogil:
    cdef Move found[moves.MAX_MOVES]
    cdef State child
    cdef u64 cards = p.attacker_hand, card
    cdef u64 leads[64]
    cdef int costs[64]
    cdef int i, k, cost, n = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        cost = attack_cost(p, &e.rules, card, moves.beaters(p, &e.rules, card))
        k = n
        while k > 0 and costs[k - 1] > cost:
            costs[k] = costs[k - 1]
            leads[k] = leads[k - 1]
            k -= 1
        costs[k] = cost
        leads[k] = card
        n += 1
    for i in range(n):
        child = p[0]
        moves.play_lead(&child, leads[i])
        if defend_reaches(e, &child, target):
            return True
    if not e.rules.single_leads:
        for i in range(moves.list_card_moves(p, &e.rules, found)):
            if several(found[i].cards):
                child = p[0]
                moves.play_lead(&child, found[i].cards)
                if defend_reaches(e, &child, target):
                    return True
    return False


cdef inline void begin_bout(const CEndings* e, u64 leader, u64 other, State* p) noexcept nogil:
    p.attacker_hand = leader
    p.defender_hand = other
    p.stock = NULL
    p.stock_left = 0
    p.swapped = 0
    p.attacker = 0
    moves.start_bout(p, &e.rules)


cdef inline int bout_value(const CEndings* e, u64 leader, u64 other) noexcept nogil:
    """Value of a bout start for its leader, out of the values of what follows the bout.

    With an odd number of cards there is no draw: only a beaten bout discards, as many attack cards as cards that beat
    them, and a draw leaves no card.
    """
    cdef State p
    if sheds(leader, other, &e.rules, e.rules.limit):
        return 1
    begin_bout(e, leader, other, &p)
    if lead_reaches(e, &p, 1):
        return 1
    if (popcount(leader | other) & 1) or not lead_reaches(e, &p, 0):
        return -1
    return 0


cdef void solve_run(const CEndings* e, int total, int leaders, u64 first, u64 count,
                    unsigned char* out) noexcept nogil:
    """Write the values of bout starts with consecutive numbers, four to a byte."""
    cdef Walk w
    cdef u64 i
    cdef unsigned char four = 0
    index_unrank(&e.index, total, leaders, first, &w)
    for i in range(count):
        four |= <unsigned char> ((bout_value(e, w.attacker, w.defender) + 1) << (2 * (i & 3)))
        if i & 3 == 3 or i == count - 1:
            out[i >> 2] = four
            four = 0
        index_next(&e.index, &w)


# --- Counting ---------------------------------------------------------------------------------------------------------

cdef inline int winning_leads(const CEndings* e, u64 leader, u64 other) noexcept nogil:
    """How many leads, of one card or of several, win a bout start."""
    cdef Move found[moves.MAX_MOVES]
    cdef State p, child
    cdef int i, wins = 0
    begin_bout(e, leader, other, &p)
    for i in range(moves.list_card_moves(&p, &e.rules, found)):
        child = p
        moves.play_lead(&child, found[i].cards)
        wins += defend_reaches(e, &child, 1)
    return wins


cdef struct Survey:
    u64 ways[SIDE]         # of choosing so many ranks from those of the deck
    bint count_leads
    u64 positions[3]       # lost, drawn, won
    u64 deals[3]
    u64 burdens            # deals in which the leader would be better off if the other led
    u64 single             # deals that one lead only wins


cdef void survey_columns(const CEndings* e, u64 leader, u64 other, int rank, int own, int others, int alike,
                         Survey* found) noexcept nogil:
    """Look at all bout starts that begin with some columns, with so many cards of both sides still to come.

    `alike` is the set of renamings of plain suits that leave the columns alone. Of columns that these make of each
    other only the smallest is taken, so that each position is met under one of its names.
    """
    cdef int column, suits, mine, k, s, still, value
    cdef bint smallest
    cdef u64 more, more_others, deals
    if not own and not others:
        value = endings_probe(e, leader, other)
        deals = found.ways[rank] * (6 // popcount(alike))
        found.positions[value + 1] += 1
        found.deals[value + 1] += deals
        if value + endings_probe(e, other, leader) < 0:
            found.burdens += deals
        if found.count_leads and value == 1 and winning_leads(e, leader, other) == 1:
            found.single += deals
        return
    for column in range(1, 256):
        suits = column & 15
        mine = popcount(column >> 4)
        if (column >> 4) & ~suits or not suits or mine > own or popcount(suits) - mine > others:
            continue
        still = 0
        smallest = True
        for k in range(6):
            if alike >> k & 1:
                s = moved_column(&e.index, k, column)
                smallest &= s >= column
                if s == column:
                    still |= 1 << k
        if not smallest:
            continue
        more = more_others = 0
        for s in range(4):
            if column >> (4 + s) & 1:
                more |= <u64> 1 << (16 * s + rank)
            elif column >> s & 1:
                more_others |= <u64> 1 << (16 * s + rank)
        survey_columns(e, leader | more, other | more_others, rank + 1, own - mine, others - popcount(suits) + mine,
                       still, found)


# --- Python's side ----------------------------------------------------------------------------------------------------

@cython.final
cdef class Endings:
    """The index, and the values that were attached to it. Readers may share one while nothing is attached.

    Parameters
    ----------
    rules : RuleSet
        For which the values hold; with a trump suit.

    Raises
    ------
    ValueError
        If there is no trump suit.
    MemoryError
        If there is no memory for the index, about 3 MB.
    """

    def __cinit__(self, RuleSet rules):
        if not rules.c.trump:
            raise ValueError("the endings table needs a trump suit")
        self.c = <CEndings*> malloc(sizeof(CEndings))
        if self.c == NULL or not index_init(&self.c.index):
            raise MemoryError("no memory for the index of the endings table")
        self.c.rules = rules.c
        self.c.rules.first_limit = rules.c.limit
        endings_layout(self.c)
        self.blocks = {}

    def __dealloc__(self):
        if self.c != NULL:
            index_free(&self.c.index)
        free(self.c)

    @property
    def largest(self):
        """The largest number of cards with values; 0 if there are none."""
        return self.c.largest

    def fits(self, RuleSet rules):
        """Whether the values hold under these rules."""
        return same_endings(&self.c.rules, &rules.c)

    def count(self, int total, int leaders):
        """How many bout starts the index holds.

        Parameters
        ----------
        total : int
            Live cards, 2 to MOST_CARDS.
        leaders : int
            How many of them the leader holds, 1 to ``total - 1``.

        Returns
        -------
        int
        """
        check(total, leaders)
        return index_count(&self.c.index, total, leaders)

    def section(self, int total, int leaders):
        """The first byte of a section; with ``leaders`` equal to ``total``, the size of all.

        Parameters
        ----------
        total, leaders : int
            As for `count`.

        Returns
        -------
        int
        """
        if leaders != total:
            check(total, leaders)
        return self.c.sections[total][leaders]

    def attach(self, int total, const unsigned char[::1] values):
        """Use the values of all bout starts with so many cards.

        Parameters
        ----------
        total : int
        values : buffer
            Four values a byte, as `solve` writes them, section after section. It is kept, not copied.

        Raises
        ------
        ValueError
            If the number of bytes is not `section(total, total)`.
        """
        check(total, 1)
        if <u64> values.shape[0] != self.c.sections[total][total]:
            raise ValueError(f"{values.shape[0]} bytes are not the values of {total} cards")
        self.blocks[total] = values
        self.c.values[total] = &values[0]
        self.c.largest = max(self.c.largest, total)

    def detach(self, int total):
        """Stop using the values of all bout starts with so many cards.

        Parameters
        ----------
        total : int
        """
        check(total, 1)
        self.c.values[total] = NULL
        self.blocks.pop(total, None)
        self.c.largest = max(self.blocks, default=0)

    def rank(self, u64 leader, u64 other):
        """The number of a bout start among those with as many cards on both sides.

        Parameters
        ----------
        leader, other : int
            Card sets of no more than MOST_CARDS cards, none of them empty.

        Returns
        -------
        int
        """
        check(popcount(leader) + popcount(other), popcount(leader))
        return index_rank(&self.c.index, leader, other)

    def unrank(self, int total, int leaders, u64 number):
        """A bout start that has a number.

        Parameters
        ----------
        total, leaders : int
            As for `count`.
        number : int
            Less than `count(total, leaders)`.

        Returns
        -------
        tuple of int
            Card sets of the leader and the other.
        """
        cdef Walk w
        if number >= self.count(total, leaders):
            raise ValueError(f"there is no number {number}")
        index_unrank(&self.c.index, total, leaders, number, &w)
        return w.attacker, w.defender

    def probe(self, u64 leader, u64 other):
        """The value of a bout start for its leader.

        Parameters
        ----------
        leader, other : int
            Card sets; the stock is empty.

        Returns
        -------
        int or None
            From -1 to 1; None where there is no value.
        """
        cdef int value
        if not leader or not other:
            return None
        value = endings_probe(self.c, leader, other)
        return None if value == ABSENT else value

    def solve(self, int total, int leaders, u64 first, u64 count, unsigned char[::1] out):
        """Work out the values of bout starts with consecutive numbers, without the GIL.

        Those with fewer cards, and with as many but fewer of the leader's, must be attached.

        Parameters
        ----------
        total, leaders : int
            As for `count`.
        first : int
            A multiple of 4.
        count : int
            How many.
        out : buffer
            For the values, four a byte.

        Raises
        ------
        ValueError
            If there are not so many numbers, or values missing that are needed, or `out` does not fit.
        """
        if not count or first & 3 or first + count > self.count(total, leaders):
            raise ValueError(f"there are no {count} numbers from {first}")
        if <u64> out.shape[0] != (count + 3) >> 2:
            raise ValueError(f"{out.shape[0]} bytes are no place for {count} values")
        require(self.c, 2, total + (leaders > 1))
        with nogil:
            solve_run(self.c, total, leaders, first, count, &out[0])

    def tally(self, int total, int leaders):
        """How many of the bout starts in the index are lost, drawn and won.

        Parameters
        ----------
        total, leaders : int
            As for `count`.

        Returns
        -------
        tuple of int
        """
        cdef u64 found[256]
        cdef u64 i, count = self.count(total, leaders)
        cdef const unsigned char* values = self.c.values[total]
        cdef int value, place
        cdef list sums = [0, 0, 0, 0]
        if values == NULL:
            raise ValueError(f"there are no values of {total} cards")
        values += self.c.sections[total][leaders]
        with nogil:
            memset(found, 0, sizeof(found))
            for i in range((count + 3) >> 2):
                found[values[i]] += 1
        for value in range(256):
            for place in range(4):
                sums[value >> (2 * place) & 3] += found[value]
        sums[0] -= 4 * ((count + 3) >> 2) - count  # what fills up the last byte is no value
        return sums[0], sums[1], sums[2]

    def survey(self, int total, int leaders, int ranks, bint count_leads=False):
        """Count positions one by one, and the deals of a deck that lead to them.

        A position differs from another in more than ranks without a card and names of plain suits. A deal is what both
        hold when the trump suit is given.

        Parameters
        ----------
        total, leaders : int
            As for `count`. Eight cards take seconds in all, and one more ten times as long.
        ranks : int
            Of the deck.
        count_leads : bool
            Count the leads that win, too, which takes much longer. The smaller tables are needed for that.

        Returns
        -------
        positions : tuple of int
            How many are lost, drawn and won.
        deals : tuple of int
            The same.
        burdens : int
            Deals in which the leader would be better off if the other led.
        single : int
            Deals that one lead only wins; 0 if leads are not counted.
        """
        cdef Survey found
        cdef int i
        memset(&found, 0, sizeof(found))
        found.count_leads = count_leads
        check(total, leaders)
        require(self.c, 2 if count_leads else total, total + 1)
        for i in range(SIDE):
            found.ways[i] = comb(ranks, i)
        with nogil:
            survey_columns(self.c, 0, 0, 0, leaders, total - leaders, 63, &found)
        positions, deals = tuple(found.positions), tuple(found.deals)
        return positions, deals, found.burdens, found.single

    def winning_leads(self, u64 leader, u64 other):
        """How many leads win a bout start.

        Parameters
        ----------
        leader, other : int
            Card sets of no more than MOST_CARDS cards, none of them empty.

        Returns
        -------
        int
        """
        cdef int total = popcount(leader) + popcount(other)
        check(total, popcount(leader))
        require(self.c, 2, total + 1)
        return winning_leads(self.c, leader, other)


cdef int check(int total, int leaders) except -1:
    if not 1 <= leaders < total <= LARGEST:
        raise ValueError(f"{leaders} and {total - leaders} cards are not within the endings table")
    return 0


cdef int require(const CEndings* e, int first, int end) except -1:
    """Refuse to go on without the values of numbers of cards from the first to before the end."""
    cdef int total
    for total in range(first, end):
        if e.values[total] == NULL:
            raise ValueError(f"the values of {total} cards are needed first")
    return 0
