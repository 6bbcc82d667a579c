"""Building and asking the endings table.

A bout start is solved by a search of one bout (bout.pxd). Where that ends, fewer cards are live, or the same with fewer
in the leader's hand, and the table has the value. So the sections are built in that order.

Where attacks can be transferred, a bout may also end with the same cards live and any numbers of them in the hands. All
bout starts with one number of live cards are then solved together, by sweeps: each starts as a draw, and what a search
of one bout finds to be a forced win of either side, out of the present values, becomes one, until a sweep finds none.

- A win that is found is one: it is forced out of wins that were found before, so after finitely many bouts the game is
  won. (The values are never wrong on the way, so they may be changed in place, and by several threads.)
- What is still a draw at the end nobody can force: each side has, against any strategy of the other, a way through the
  bout to a bout start that is no win of the other, and there again. This is the least fixed point of rules.md.
"""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from math import comb

from game cimport moves
from game.bits cimport popcount, u64
from endings.bout cimport BOTH, DRAWN, begin_bout, bout_value, defend_reaches, forces, found_out
from durak_solver._core.state cimport RuleSet
from endings.endings cimport ABSENT, Endings as CEndings, endings_layout, endings_probe, same_endings
from keys.index cimport (
    MOST_CARDS as LARGEST, SIDE, Walk, index_count, index_free, index_init, index_next, index_rank, index_unrank
)
from keys.layers cimport PAIR_ALIKE, PLAIN_ALIKE, PLAIN_RENAMINGS, moved_column
from game.moves cimport Move, State

MOST_CARDS = LARGEST
"""The index holds no bout start with more cards."""


# --- Many bout starts -------------------------------------------------------------------------------------------------

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


cdef u64 sweep_run(const CEndings* e, int total, int leaders, u64 first, u64 count,
                   unsigned char* values) noexcept nogil:
    """Find out more of bout starts with consecutive numbers, four to a byte; returns of how many more was found."""
    cdef Walk w
    cdef u64 i, changed = 0
    cdef int known, new, place
    index_unrank(&e.index, total, leaders, first, &w)
    for i in range(count):
        place = 2 * (i & 3)
        known = values[i >> 2] >> place & 3
        if known != BOTH if e.who_can_end else known == DRAWN:
            new = found_out(e, w.attacker, w.defender, known)
            if new != known:
                values[i >> 2] ^= <unsigned char> ((known ^ new) << place)
                changed += 1
        index_next(&e.index, &w)
    return changed


# --- Counting ---------------------------------------------------------------------------------------------------------

cdef inline int winning_leads(const CEndings* e, u64 leader, u64 other) noexcept nogil:
    """How many leads, of one card or of several, win a bout start."""
    cdef Move found[moves.MAX_MOVES]
    cdef State p, child
    cdef int i, wins = 0
    begin_bout(e, leader, other, &p)
    for i in range(moves.list_card_moves(&p, &e.rules, found)):
        child = p
        moves.play_lead(&child, &e.rules, found[i].cards)
        wins += defend_reaches(e, &child, 1) if e.rules.classic else forces(e, &child, 0)
    return wins


cdef struct Survey:
    u64 ways[SIDE]         # of choosing so many ranks from those of the deck
    bint count_leads
    u64 positions[4]       # lost, drawn, won
    u64 deals[4]
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
        deals = found.ways[rank] * (popcount(e.index.steps.alike) // popcount(alike))
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
        for k in range(PLAIN_RENAMINGS):
            if alike >> k & 1:
                s = moved_column(&e.index.steps, k, column)
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
    ends : bool
        Keep not values but who can force an end of the game that is no loss for him: 0 nobody, 1 the leader, 2 the
        other, 3 both. Such endings are for `sweep`, `tally` and `survey` only, which speak of 0, 1 and 2 as lost,
        drawn and won. What nobody can end is a draw by repetition.

    Raises
    ------
    ValueError
        If there is no trump suit.
    MemoryError
        If there is no memory for the index, about 3 MB.
    """

    def __cinit__(self, RuleSet rules, bint ends=False):
        cdef int alike = PAIR_ALIKE if rules.c.fixed_lanes == 2 else PLAIN_ALIKE
        if not rules.c.trump:
            raise ValueError("the endings table needs a trump suit")
        self.c = <CEndings*> malloc(sizeof(CEndings))
        if self.c == NULL or not index_init(&self.c.index, alike):
            raise MemoryError("no memory for the index of the endings table")
        self.c.rules = rules.c
        self.c.rules.first_limit = rules.c.limit
        self.c.who_can_end = ends
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

    @property
    def needs_sweeps(self):
        """Whether the values have to be found by `sweep`, not by `solve`."""
        return self.c.rules.can_cycle

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
        self.check_run(total, leaders, first, count, out.shape[0])
        require(self.c, 2, total + (leaders > 1))
        with nogil:
            solve_run(self.c, total, leaders, first, count, &out[0])

    def blank(self, int total):
        """What sweeps begin with: draws, or that nobody can force an end.

        Parameters
        ----------
        total : int

        Returns
        -------
        bytearray
            For `attach`.
        """
        cdef int leaders, number
        check(total, 1)
        blank = bytearray(self.c.sections[total][total])
        for leaders in range(1, total if not self.c.who_can_end else 1):
            number = index_count(&self.c.index, total, leaders) & 3
            start = self.c.sections[total][leaders]
            end = self.c.sections[total][leaders + 1]
            blank[start:end] = b"\x55" * (end - start)
            if number:
                blank[end - 1] = 0x55 >> 2 * (4 - number)
        return blank

    def sweep(self, int total, int leaders, u64 first, u64 count, unsigned char[::1] values):
        """Find out more of bout starts with consecutive numbers, without the GIL.

        Parameters
        ----------
        total, leaders : int
            As for `count`.
        first : int
            A multiple of 4.
        count : int
            How many.
        values : buffer
            The place of theirs in what was attached, which is changed. Threads may change different parts.

        Returns
        -------
        int
            Of how many more was found. The values are right when a sweep over all finds no more.

        Raises
        ------
        ValueError
            As for `solve`.
        """
        cdef u64 changed
        self.check_run(total, leaders, first, count, values.shape[0])
        require(self.c, 2, total + 1)
        with nogil:
            changed = sweep_run(self.c, total, leaders, first, count, &values[0])
        return changed

    cdef int check_run(self, int total, int leaders, u64 first, u64 count, u64 size) except -1:
        """Refuse numbers that there are not, and a wrong number of bytes for them."""
        if not count or first & 3 or first + count > self.count(total, leaders):
            raise ValueError(f"there are no {count} numbers from {first}")
        if size != (count + 3) >> 2:
            raise ValueError(f"{size} bytes are no place for {count} values")
        return 0

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
            survey_columns(self.c, 0, 0, 0, leaders, total - leaders, self.c.index.steps.alike, &found)
        positions, deals = tuple(list(found.positions)[:3]), tuple(list(found.deals)[:3])
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
