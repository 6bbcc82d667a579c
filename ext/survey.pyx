"""What the endings tables say about the game: for positions/RESULTS.md and docs/tables.md. No player uses this."""

cimport cython
from libc.string cimport memset
from math import comb

from durak_solver._core.endings cimport Endings as PyEndings
from endings.bout cimport begin_bout, defend_reaches, forces
from endings.endings cimport Endings, endings_probe
from game cimport moves
from game.bits cimport popcount, u64
from game.state cimport Move, State
from keys.index cimport SIDE
from keys.layers cimport PLAIN_RENAMINGS, moved_column


@cython.final
cdef class ForcedEnds(PyEndings):
    """Who can force an end of the game that is no loss for them, in the place of values.

    0 is nobody, 1 the leader, 2 the other player, 3 both; what nobody can end is a draw by repetition. `tally` and
    `survey` count 0, 1 and 2 where they speak of lost, drawn and won. Built by `sweep`; no search may use it.
    """

    def __init__(self, rules):
        self.c.who_can_end = True

    def blank(self, int total):
        """What sweeps begin with, for `attach`: nobody can force an end."""
        return bytearray(self.section(total, total))


# --- Counting ---------------------------------------------------------------------------------------------------------

cdef int count_winning_leads(const Endings* e, u64 leader, u64 other) noexcept nogil:
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
    u64 ways[SIDE]         # in which a number of ranks can be chosen from those of the deck
    bint count_leads
    u64 positions[4]       # lost, drawn, won
    u64 deals[4]
    u64 burdens            # deals in which the leader would be better off if the other led
    u64 single             # deals that only one lead wins


cdef void survey_columns(const Endings* e, u64 leader, u64 other, int rank, int own, int others, int alike,
                         Survey* found) noexcept nogil:
    """Look at all bout starts that begin with some columns; `own` and `others` are the cards still to come.

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
        if found.count_leads and value == 1 and count_winning_leads(e, leader, other) == 1:
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


def survey(PyEndings endings not None, int total, int leaders, int ranks, bint count_leads=False):
    """Count positions one by one, and the deals of a deck that lead to them.

    A position differs from another in more than ranks without a card and names of plain suits. A deal is what both
    hold when the trump suit is given. Eight cards take seconds in all, and one more ten times as long.

    Parameters
    ----------
    total, leaders
        Live cards, and those of the leader.
    ranks
        Of the deck.
    count_leads
        Count the leads that win, too, which takes much longer. The smaller tables are needed for that.

    Returns
    -------
    positions, deals : tuple of int
        How many are lost, drawn and won.
    burdens : int
        Deals in which the leader would be better off if the other led.
    single : int
        Deals that only one lead wins; 0 if leads are not counted.
    """
    cdef Survey found
    cdef int i
    memset(&found, 0, sizeof(found))
    found.count_leads = count_leads
    endings.check(total, leaders)
    endings.require(2 if count_leads else total, total + 1)
    for i in range(SIDE):
        found.ways[i] = comb(ranks, i)
    with nogil:
        survey_columns(endings.c, 0, 0, 0, leaders, total - leaders, endings.c.index.steps.alike, &found)
    positions, deals = tuple(list(found.positions)[:3]), tuple(list(found.deals)[:3])
    return positions, deals, found.burdens, found.single


def winning_leads(PyEndings endings not None, u64 leader, u64 other):
    """How many leads win a bout start of two hands, neither of them empty."""
    cdef int total = popcount(leader) + popcount(other)
    endings.check(total, popcount(leader))
    endings.require(2, total + 1)
    return count_winning_leads(endings.c, leader, other)
