"""What is known of a bout start without searching it: from its cards, the endings table and the search's tables."""

from endings.endings cimport ABSENT, endings_probe
from game cimport moves
from game.bits cimport popcount, rarely, u64
from game.rules cimport Rules, names_matter
from game.state cimport State, attack_limit
from keys.trace cimport exact_key, full_key, pile_key, trace_key
from search.context cimport Bout, Search
from search.limits cimport OUT_OF_MEMORY, halt
from search.static_win cimport sheds
from search.table cimport Table, table_probe, table_rank, table_store

cdef enum:
    DEAL_SHIFT = 3       # with less than eight cards in the stock, the table holds eight deals side by side
    SWAPPED_SHIFT = 6    # more bits than the size of any stock has
    STOCK = 64           # more than any stock holds


cdef inline u64 deal_variant(const Search* s, const Bout* b) noexcept nogil:
    """What a bout start of a deal is, beside its hands: how many cards are left, and whether the turn-up was swapped.

    The exchange may leave no trace in hands and number, when the card that was swapped in is discarded.
    """
    return b.stock_left | s.deal << DEAL_SHIFT | <u64> (b.swapped | b.kind & 2) << SWAPPED_SHIFT


cdef inline Table* table_of(Search* s, const Bout* b) noexcept nogil:
    return &s.deals if b.stock_left else &s.table


cdef inline u64 variant_of(const Search* s, const Bout* b) noexcept nogil:
    return deal_variant(s, b) if b.stock_left else s.variant + b.kind


cdef inline bint probe(Search* s, Bout* b) noexcept nogil:
    """Narrow the bounds of a bout start to those in the table."""
    return table_probe(table_of(s, b), &b.key, variant_of(s, b), &b.lower, &b.upper)


cdef inline void store(Search* s, const Bout* b, u64 work) noexcept nogil:
    table_store(table_of(s, b), &b.key, variant_of(s, b), b.lower, b.upper, work)


cdef inline bint known_ending(Search* s, Bout* b) noexcept nogil:
    """Is the value of a bout start without a stock in the endings table?"""
    cdef int value
    if s.endings == NULL:
        return False
    value = endings_probe(s.endings, b.leader, b.other)
    if value == ABSENT or (rarely(s.rules.finisher != 0) and value == 0):
        return False
    b.lower = b.upper = value
    s.used_endings = True
    return True


cdef inline bint drawable(const State* p, const Rules* r) noexcept nogil:
    """May both hands be empty at the end, and nobody win?

    Only a beaten bout takes cards out of play, an attack and a defence at a time: of an odd number some card is left.
    """
    return rarely(r.odd_draws) or not r.both_empty and not (
        popcount(p.attacker_hand | p.defender_hand | p.attacks | p.defences) + p.stock_left) & 1


cdef inline void find_key(const Search* s, Bout* b) noexcept nogil:
    """The key of a bout start that keeps no names of cards, unless it has too many layers for that."""
    if not trace_key(s.trace, b.leader, b.other, &b.key):
        b.kind |= 1
        full_key(s.trace, b.leader, b.other, &b.key)


cdef inline bint look_special(Search* s, Bout* b) noexcept nogil:
    """Find the key of a bout start under rules that are not classic; True if its value is known."""
    cdef u64 live = b.leader | b.other
    if s.rules.strap_level and not b.stock_left and popcount(live & s.rules.straps) < s.rules.strap_level:
        b.lower = b.upper = 0
        return True
    if s.rules.finisher and b.seat == s.rules.finisher - 1:
        b.kind = 2
    if not b.stock_left and not names_matter(&s.rules, live):
        if s.rules.strap_level == 0 and known_ending(s, b):
            return True
        find_key(s, b)
        return False
    b.kind |= 1
    if s.rules.piles == NULL:
        full_key(s.trace, b.leader, b.other, &b.key)
        return False
    if s.rules.piles.full:
        halt(s, OUT_OF_MEMORY)
    pile_key(b.leader, b.pile, &b.key)
    return False


cdef inline void find_progress(Search* s, Bout* b) noexcept nogil:
    """Call a bout start a draw unless its win or loss was proved before a given moment, or with fewer cards left.

    A proof uses only earlier proofs. So a side that always moves to what was proved earlier never comes back.
    """
    cdef unsigned int rank
    if b.lower == b.upper and b.lower:
        if STOCK * (popcount(b.leader | b.other) + b.stock_left) + b.stock_left < s.rank_cards:
            return
        rank = table_rank(table_of(s, b), &b.key, variant_of(s, b))
        if rank and rank < s.rank_limit:
            return
    b.lower = b.upper = 0


cdef inline bint identify(Search* s, const State* p, Bout* b) noexcept nogil:
    """Describe a bout start (both hands hold cards); True if its value is known without the table."""
    b.leader = p.attacker_hand
    b.other = p.defender_hand
    b.stock_left = p.stock_left
    b.seat = p.attacker
    b.kind = 0
    b.pile = p.pile
    b.lower = -1
    b.upper = 1
    if p.stock_left:
        b.stock = p.stock
        b.swapped = p.swapped
        exact_key(b.leader, b.other, &b.key)
    if rarely(not s.rules.classic):
        return look_special(s, b)
    if p.stock_left:
        return False
    if sheds(b.leader, b.other, &s.rules, attack_limit(p, &s.rules)):
        b.lower = 1
        return True
    if known_ending(s, b):
        return True
    find_key(s, b)
    return False


cdef inline void recall(Search* s, const State* p, Bout* b) noexcept nogil:
    """Add to the description of a bout start what the table knows."""
    probe(s, b)
    if rarely(s.rank_limit):
        find_progress(s, b)
    if (b.lower == 0 or b.upper == 0) and not drawable(p, &s.rules):
        if b.lower == 0:
            b.lower = 1
        else:
            b.upper = -1


cdef inline void look(Search* s, const State* p, Bout* b) noexcept nogil:
    """Describe a bout start with all that is known of it without searching."""
    if not identify(s, p, b):
        recall(s, p, b)


cdef inline void look_after(Search* s, const State* p, Bout* b) noexcept nogil:
    """Describe a state that has just ended a bout; the values of a finished game are known."""
    if p.phase == moves.OVER:
        b.lower = b.upper = moves.final_value(p, &s.rules)
    else:
        look(s, p, b)
