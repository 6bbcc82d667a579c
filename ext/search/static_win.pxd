"""Bout starts that are won without search."""

from game.bits cimport below_top, lowest, of_ranks, popcount, ranks_of, several, u64
from game.rules cimport Rules

cdef inline bint sheds(u64 leader, u64 other, const Rules* r, int limit) noexcept nogil:
    """Does the leader win by leading only cards that must be taken? An explicit strategy, so a proof.

    Let U be the leader's cards that no card of the other hand beats, and B the rest. If every rank of B but at most
    one is a rank of U, and no group of one rank is larger than the cap, then the leader wins like this: for each rank
    with a card of U, lead that card, which must be taken, and give the other cards of the rank into the take (or
    lead the group at once where several cards may be led); plain cards of U first, by rank upward, then trumps of U
    upward; the one rank without a card of U comes last.

    Why the cards of U stay unbeatable until led: what the other hand gains are the cards shed so far. A shed card of
    U is lower than the later ones of its suit. A shed card of B adds nothing: some card of the other hand beat it,
    either a higher one of its suit, so it beats no card of U in that suit, or a trump, and then all plain cards are
    in B already and a trump of U is higher than all trumps that the other hand holds or gets from B. Trumps of U go
    last, upward, and a group that a plain card of U leads keeps its trump of U back (that trump is a group of its own
    later). A locked suit changes nothing: trumps beat none of its cards, and its cards beat none of another suit.

    The last rank ends the game if it is within the cap: taken, the leader is out. Beaten, the leader is out too, and
    the other hand is not, since it holds more cards than were beaten. The cap only grows, as the other hand does.
    """
    cdef u64 unbeatable, beatable, ranks, last, group
    cdef int held, cap
    beatable = leader & (below_top(other) | (0 if not other & r.trump else ~(r.trump | r.locked)))
    unbeatable = leader & ~beatable
    ranks = ranks_of(beatable) & ~ranks_of(unbeatable)
    if several(ranks):
        return False
    held = popcount(other)
    cap = held if held < limit else limit
    last = leader & of_ranks(ranks)
    if last and popcount(last) >= held + popcount(leader & ~last) and not r.both_empty:
        return False  # beaten to the last card, both hands would be empty
    if not r.shed_groups:
        return popcount(beatable) <= 1
    if cap >= 4:
        return True
    ranks = ranks_of(leader)
    while ranks:
        group = leader & of_ranks(lowest(ranks))
        if popcount(group) > cap:
            return False
        ranks &= ranks - 1
    return True
