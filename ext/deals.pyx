"""Worlds: deals drawn at random, each consistent one as likely as any other."""

cimport cython
from libc.stdlib cimport free, malloc

from game.bits cimport lowest, popcount, u64
from heuristics.random cimport below, next_word


@cython.final
cdef class Dealer:
    """Draws worlds: the unseen cards put into the unknown places, uniformly over all deals that fit.

    Parameters
    ----------
    unseen
        Card set of the unseen cards; at least as many as there are unknown places.
    unknown
        How many unknown cards seats 0 and 1 hold.
    stock
        The cards to be drawn, the next one first, each as a card set; 0 for an unknown one.
    turn_ups
        Card set of what the last card of the stock may be, if it is unknown.

    Raises
    ------
    ValueError
        If no deal fits.
    """

    cdef u64 unseen
    cdef u64 turn_ups
    cdef int unknown[2]
    cdef int stock_size
    cdef u64 stock[64]

    def __init__(self, *, u64 unseen, unknown, stock, u64 turn_ups):
        cdef int i
        self.unseen = unseen
        self.turn_ups = turn_ups & unseen
        self.unknown[0], self.unknown[1] = unknown
        if len(stock) > 64:
            raise ValueError("a stock has at most 64 cards")
        self.stock_size = len(stock)
        for i in range(self.stock_size):
            self.stock[i] = stock[i]
        places = sum(unknown) + sum(1 for card in stock if not card)
        if places > popcount(unseen) or (
                self.stock_size and not self.stock[self.stock_size - 1] and not self.turn_ups):
            raise ValueError("no deal fits")

    @property
    def width(self):
        """Words of a world: the cards that seats 0 and 1 get, then the stock."""
        return 2 + self.stock_size

    def sample(self, u64 seed, u64 first, int count):
        """Draw worlds.

        Parameters
        ----------
        first, count
            Which worlds of the seed's sequence: number `first` and the following ones. A world depends on the seed and
            its number alone, so a sequence may be drawn in parts, in any order, by any number of threads.

        Returns
        -------
        bytes
            `count` rows of `width` 64-bit words.
        """
        cdef int width = 2 + self.stock_size, i
        cdef u64* rows = <u64*> malloc(max(1, count) * width * sizeof(u64))
        if rows == NULL:
            raise MemoryError("no memory for so many worlds")
        try:
            with nogil:
                for i in range(count):
                    self.deal(seed, first + i, rows + i * width)
            return (<char*> rows)[:count * width * sizeof(u64)]
        finally:
            free(rows)

    cdef void deal(self, u64 seed, u64 number, u64* row) noexcept nogil:
        """Draw one world."""
        cdef u64 cards[64]
        cdef u64 state = seed, rest = self.unseen, card
        cdef int i, seat, n = 0
        # A stream of its own for each number: its start is hashed, so that streams do not overlap by a step.
        state = next_word(&state) ^ number
        state = next_word(&state)
        row[0] = row[1] = 0
        for i in range(self.stock_size):
            row[2 + i] = self.stock[i]
        if self.stock_size and not self.stock[self.stock_size - 1]:
            rest = self.turn_ups
            for _ in range(below(&state, popcount(rest))):
                rest &= rest - 1
            row[1 + self.stock_size] = lowest(rest)
            rest = self.unseen & ~lowest(rest)
        while rest:
            cards[n] = lowest(rest)
            rest &= rest - 1
            n += 1
        for seat in range(2):
            for _ in range(self.unknown[seat]):
                card = take(&state, cards, &n)
                row[seat] |= card
        for i in range(self.stock_size):
            if not row[2 + i]:
                row[2 + i] = take(&state, cards, &n)


cdef inline u64 take(u64* state, u64* cards, int* n) noexcept nogil:
    """Take a random card out of n."""
    cdef int i = below(state, n[0])
    cdef u64 card = cards[i]
    n[0] -= 1
    cards[i] = cards[n[0]]
    return card
