"""In which order moves are tried. No value depends on it, only the number of nodes.

The weights of the costs were fitted one by one to the geometric mean of the nodes on random deals of 7v7, 8v8, 6v10 and
10v6. Those of `leader_logit` came out of a logistic regression to solved positions, but neither the positions nor the
script were kept. They order well; as a chance they are poor: on endings of whole games hardly better than a constant
(see docs/evaluation.md), so `evaluate` in evaluation.pxd is used where a guess stands for a value.
"""

from game.bits cimport below_top, ctz, lowest, of_ranks, popcount, ranks_of, u64
from game.rules cimport Rules
from game.state cimport State, beaters

cdef enum:
    RANK_COST = 16
    TRUMP_COST = 256

cdef struct RatedCard:
    u64 card
    int cost

cdef inline int attack_cost(const State* s, const Rules* r, u64 card, u64 beating) noexcept nogil:
    """Of leading or throwing in a card, the cheapest first: low and plain, with few mates and few beaters."""
    cdef u64 rank = ranks_of(card)
    cdef int cost = RANK_COST * ctz(rank)
    if card & r.trump:
        cost += TRUMP_COST
    cost += 72 * popcount(s.attacker_hand & of_ranks(rank) & ~card)
    cost += 8 * popcount(s.defender_hand & of_ranks(rank))
    return cost + 16 * popcount(beating)

cdef inline void insert_rated(RatedCard* list, int n, u64 card, int cost) noexcept nogil:
    """Insert into a list of n cards, the cheapest first."""
    while n > 0 and list[n - 1].cost > cost:
        list[n] = list[n - 1]
        n -= 1
    list[n] = RatedCard(card=card, cost=cost)

cdef inline int list_attacks(const State* p, const Rules* r, u64 cards, RatedCard* list) noexcept nogil:
    """Single cards to lead or throw in, the cheapest first; returns how many."""
    cdef int n = 0
    cdef u64 card
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        insert_rated(list, n, card, attack_cost(p, r, card, beaters(p, r, card)))
        n += 1
    return n

cdef inline int beat_cost(const State* s, const Rules* r, u64 card, u64 throwable) noexcept nogil:
    """Of beating with a card, the cheapest first: low and plain, without mates, opening few cards to be thrown in."""
    cdef u64 rank = ranks_of(card)
    cdef int cost = RANK_COST * ctz(rank)
    if card & r.trump:
        cost += TRUMP_COST
    cost += 96 * popcount(throwable)
    cost += 10 * popcount(s.defender_hand & of_ranks(rank) & ~card)
    return cost + 4 * popcount(s.attacker_hand & below_top(card))

cdef inline int leader_logit(u64 leader, u64 other, u64 trump) noexcept nogil:
    """Sorts bout starts: the higher, the likelier the leader wins. Meant as 64 times the logit of that chance."""
    cdef u64 in_suit = leader & below_top(other), other_in_suit = other & below_top(leader)
    cdef u64 beatable = in_suit | (leader & ~trump if other & trump else 0)
    cdef u64 other_beatable = other_in_suit | (other & ~trump if leader & trump else 0)
    cdef u64 safe = leader & ~beatable, other_safe = other & ~other_beatable
    cdef int logit = 109 - 25 * popcount(leader) + 21 * popcount(other)
    logit += 142 * popcount(leader & trump) - 119 * popcount(other & trump)
    logit += 54 * popcount(beatable & ~in_suit) - 26 * popcount(other_beatable & ~other_in_suit)
    logit += 47 * popcount(safe) - 44 * popcount(other_safe)
    logit += 36 * popcount(ranks_of(other_beatable) & ~ranks_of(other_safe))
    logit -= 45 * popcount(ranks_of(beatable) & ~ranks_of(safe))
    return logit - (166 if (leader & trump) > (other & trump) else 0)

cdef inline u64 cheapest(u64 cards, u64 trump) noexcept nogil:
    """The lowest-ranked card of a set, plain before trump."""
    if cards & ~trump:
        cards &= ~trump
    return lowest(cards & of_ranks(lowest(ranks_of(cards))))
