"""What a line of play needs: moves that keep a value, and the order of proofs, by which it never goes round."""

from game cimport moves
from game.bits cimport lowest, popcount, several, u64
from game.rules cimport Rules
from game.state cimport Move, State, live_cards
from search.alphabeta cimport OPENS
from search.bounds cimport find_bounds
from search.context cimport Bout, Search
from search.known cimport look, table_of, variant_of
from search.move_order cimport attack_cost, beat_cost
from search.proofnumber cimport NO, UNKNOWN, YES, Answer, Prover, answer_within
from search.table cimport table_rank

cdef enum:
    MOVE_BUDGET = 20000   # nodes for each move at first: one that keeps the value may be found next to hopeless ones
    BUDGET_GROWTH = 8


cdef inline int move_cost(const State* p, const Rules* r, const Move* m) noexcept nogil:
    """Sorts moves much as the search tries them, so that a line follows what is in the table."""
    cdef State child
    cdef u64 card
    if m.kind == moves.MOVE_BEAT:
        child = p[0]
        moves.play(&child, r, m)
        if child.phase == moves.THROW and moves.throwable(&child, r):
            return OPENS + beat_cost(p, r, m.cards, moves.throwable(&child, r))
        return beat_cost(p, r, m.cards, 0)
    if m.kind == moves.MOVE_EXCHANGE:
        return -2
    if m.cards:
        card = lowest(m.cards)
        return (OPENS if several(m.cards) else 0) + attack_cost(p, r, card, moves.beaters(p, r, card))
    if p.phase == moves.THROW and popcount(p.attacker_hand) >= popcount(p.defender_hand):
        return -1
    return 2 * OPENS


cdef inline int list_by_cost(const State* p, const Rules* r, Move* found) noexcept nogil:
    """All legal moves, the cheapest first; returns how many."""
    cdef int costs[moves.MAX_MOVES]
    cdef Move move
    cdef int i, k, cost, n = moves.list_moves(p, r, found)
    for i in range(n):
        move = found[i]
        costs[i] = cost = move_cost(p, r, &move)
        k = i
        while k > 0 and costs[k - 1] > cost:
            found[k] = found[k - 1]
            costs[k] = costs[k - 1]
            k -= 1
        found[k] = move
        costs[k] = cost
    return n


cdef inline bint best_move(Prover* v, const State* p, int value, Move* best) noexcept nogil:
    """A move that keeps the value of a state (for the attacker); False if the search was stopped."""
    cdef Move found[moves.MAX_MOVES]
    cdef int i, unclear, n = list_by_cost(p, &v.s.rules, found)
    cdef u64 budget = MOVE_BUDGET
    cdef Answer answer
    while n:
        unclear = 0
        for i in range(n):
            best[0] = found[i]
            if value == (1 if p.phase == moves.DEFEND else -1):
                return True  # a lost player's moves are all alike
            answer = keeps_value(v, p, &found[i], value, budget)
            if answer == YES:
                return True
            if v.s.stop:
                return False
            if answer == UNKNOWN:
                found[unclear] = found[i]
                unclear += 1
        n = unclear
        budget *= BUDGET_GROWTH
    return False


cdef inline Answer keeps_value(Prover* v, const State* p, const Move* move, int value, u64 budget) noexcept nogil:
    """Does a move keep the value of a state for its attacker, if a budget of nodes tells?"""
    cdef State child = p[0]
    cdef Answer answer
    cdef bint attacks = p.phase != moves.DEFEND
    moves.play(&child, &v.s.rules, move)
    # The attacker wants at least the value, the defender that the attacker gets no more.
    if child.attacker != p.attacker:
        value = -value
        attacks = not attacks
    if attacks:
        return answer_within(v, &child, value - 1, budget)
    answer = answer_within(v, &child, value, budget)
    return answer if answer == UNKNOWN else (NO if answer == YES else YES)


cdef inline void leave_endings(Search* s, const State* p) noexcept nogil:
    """Search in spite of the endings table where it has the value of a state: it does not say how a win is forced."""
    if s.endings != NULL and live_cards(p) <= s.endings.largest:
        s.endings = NULL


cdef inline unsigned int proof_rank(Prover* v, const State* p) noexcept nogil:
    """When a win was proved, as the number of the proof in the table; the greatest number if it is not there.

    What was proved before is enough to force the win.
    """
    cdef int lower = -1, upper = 1
    cdef unsigned int rank = 0
    cdef Bout b
    find_bounds(v, p, &lower, &upper)
    if p.phase == moves.LEAD:
        look(v.s, p, &b)
        rank = table_rank(table_of(v.s, &b), &b.key, variant_of(v.s, &b))
    return rank if rank else 0xFFFFFFFFu
