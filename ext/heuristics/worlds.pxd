"""A world: what the unknown cards of a position may be, as a row of 64-bit words that deals.pyx draws.

The first two words are the unknown cards that seats 0 and 1 hold, the others the stock, the next card first.
"""

from game.bits cimport u64
from game.state cimport State

cdef inline int world_width(const State* root) noexcept nogil:
    """Words of a world."""
    return 2 + root.stock_left

cdef inline void open_world(const State* root, const u64* known, const u64* world, State* p) noexcept nogil:
    """A state with the cards of a world in the unknown places; `known` are the cards that seats 0 and 1 surely hold."""
    p[0] = root[0]
    p.attacker_hand = known[p.attacker] | world[p.attacker]
    p.defender_hand = known[1 - p.attacker] | world[1 - p.attacker]
    p.stock = world + 2
