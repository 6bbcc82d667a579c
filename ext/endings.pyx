"""Building and asking the endings table.

A bout start is solved by a search of one bout (bout.pxd). Where that ends, fewer cards are live, or equally many and
fewer of them in the leader's hand, and the table has the value. So the sections are built in that order.

Where attacks can be transferred, a bout may also end with the same live cards, divided in any way. Then all bout starts
with one number of live cards are solved together, by sweeps: each starts as a draw, and becomes a win of one side when
a search of one bout finds that this side can force one, out of the present values; until a sweep finds no more.

- A win that is found is one: it is forced out of wins that were found before, so after finitely many bouts the game is
  won. (The values are never wrong on the way, so they may be changed in place, and by several threads.)
- What is still a draw at the end nobody can force: each side has, against any strategy of the other, a way through the
  bout to a bout start that is no win of the other, and there again. This is the least fixed point of rules.md.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from durak_solver._core.state cimport RuleSet
from endings.bout cimport bout_value, found_out
from endings.endings cimport ABSENT, Endings as CEndings, endings_layout, endings_probe
from game.bits cimport popcount, u64
from keys.index cimport (
    MOST_CARDS as LARGEST, Walk, index_count, index_free, index_init, index_next, index_rank, index_unrank)
from keys.layers cimport PAIR_ALIKE, PLAIN_ALIKE

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
        new = found_out(e, w.attacker, w.defender, known)
        if new != known:
            values[i >> 2] ^= <unsigned char> ((known ^ new) << place)
            changed += 1
        index_next(&e.index, &w)
    return changed


# --- Python's side ----------------------------------------------------------------------------------------------------

cdef class Endings:
    """The index, and the values that were attached to it. Readers may share one while nothing is attached.

    `total` is always a number of live cards, from 2 to MOST_CARDS, and `leaders` how many of them the leader holds.
    ValueError if the index has no such bout starts.

    Parameters
    ----------
    rules
        For which the values hold; with a trump suit.

    Raises
    ------
    ValueError
        If there is no trump suit.
    MemoryError
        If there is no memory for the index, about 3 MB.
    """

    def __cinit__(self, RuleSet rules):
        cdef int alike = PAIR_ALIKE if rules.c.fixed_lanes == 2 else PLAIN_ALIKE
        if not rules.c.trump:
            raise ValueError("the endings table needs a trump suit")
        self.c = <CEndings*> malloc(sizeof(CEndings))
        if self.c == NULL or not index_init(&self.c.index, alike):
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

    @property
    def needs_sweeps(self):
        """Whether the values have to be found by `sweep`, not by `solve`."""
        return self.c.rules.can_cycle

    def count(self, int total, int leaders):
        """How many bout starts the index holds."""
        self.check(total, leaders)
        return index_count(&self.c.index, total, leaders)

    def section(self, int total, int leaders):
        """The first byte of a section; with ``leaders`` equal to ``total``, the size of all."""
        if leaders != total:
            self.check(total, leaders)
        return self.c.sections[total][leaders]

    def attach(self, int total, const unsigned char[::1] values):
        """Use the values of all bout starts with a number of cards.

        Parameters
        ----------
        values
            Four values a byte, as `solve` writes them, section after section. They are kept, not copied.

        Raises
        ------
        ValueError
            If the number of bytes is not `section(total, total)`.
        """
        self.check(total, 1)
        if <u64> values.shape[0] != self.c.sections[total][total]:
            raise ValueError(f"{values.shape[0]} bytes are not the values of {total} cards")
        self.blocks[total] = values
        self.c.values[total] = &values[0]
        self.c.largest = max(self.c.largest, total)

    def detach(self, int total):
        """Stop using the values of all bout starts with a number of cards."""
        self.check(total, 1)
        self.c.values[total] = NULL
        self.blocks.pop(total, None)
        self.c.largest = max(self.blocks, default=0)

    def rank(self, u64 leader, u64 other):
        """The number of a bout start among those with the same numbers of cards in both hands; neither is empty."""
        self.check(popcount(leader) + popcount(other), popcount(leader))
        return index_rank(&self.c.index, leader, other)

    def unrank(self, int total, int leaders, u64 number):
        """The bout start that has a number: the card sets of the leader and the other."""
        cdef Walk w
        if number >= self.count(total, leaders):
            raise ValueError(f"there is no number {number}")
        index_unrank(&self.c.index, total, leaders, number, &w)
        return w.attacker, w.defender

    def probe(self, u64 leader, u64 other):
        """The value of a bout start for its leader with the stock empty, from -1 to 1; None where there is no value."""
        cdef int value
        if not leader or not other:
            return None
        value = endings_probe(self.c, leader, other)
        return None if value == ABSENT else value

    def solve(self, int total, int leaders, u64 first, u64 count, unsigned char[::1] out):
        """Work out the values of bout starts with consecutive numbers, without the GIL.

        What must be attached: those with fewer cards, and those with `total` cards and fewer of the leader's.

        Parameters
        ----------
        first
            A multiple of 4.
        out
            For the values, four a byte.

        Raises
        ------
        ValueError
            If there are not that many numbers, or values are missing that are needed, or `out` does not fit.
        """
        self.check_run(total, leaders, first, count, out.shape[0])
        self.require(2, total + (leaders > 1))
        with nogil:
            solve_run(self.c, total, leaders, first, count, &out[0])

    def blank(self, int total):
        """What sweeps begin with, for `attach`: every bout start is a draw."""
        cdef int leaders, number
        self.check(total, 1)
        blank = bytearray(self.c.sections[total][total])
        for leaders in range(1, total):
            number = index_count(&self.c.index, total, leaders) & 3
            start = self.c.sections[total][leaders]
            end = self.c.sections[total][leaders + 1]
            blank[start:end] = b"\x55" * (end - start)
            if number:
                blank[end - 1] = 0x55 >> 2 * (4 - number)
        return blank

    def sweep(self, int total, int leaders, u64 first, u64 count, unsigned char[::1] values):
        """Find out more of bout starts with consecutive numbers, without the GIL; returns of how many more was found.

        The values are right when a sweep over all finds no more. Parameters and errors are as for `solve`, but that
        `values` is the place of theirs in what was attached, which is changed. Threads may change different parts.
        """
        cdef u64 changed
        self.check_run(total, leaders, first, count, values.shape[0])
        self.require(2, total + 1)
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
        """How many of the bout starts in the index are lost, drawn and won."""
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

    cdef int check(self, int total, int leaders) except -1:
        """Refuse numbers of cards that the index does not hold."""
        if not 1 <= leaders < total <= LARGEST:
            raise ValueError(f"{leaders} and {total - leaders} cards are not within the endings table")
        return 0

    cdef int require(self, int first, int end) except -1:
        """Refuse to go on without the values of numbers of cards from the first to before the end."""
        cdef int total
        for total in range(first, end):
            if self.c.values[total] == NULL:
                raise ValueError(f"the values of {total} cards are needed first")
        return 0
