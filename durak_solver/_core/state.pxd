"""The extension types of state.pyx, for the other modules of the core."""

from game.state cimport State as CState
from game.pile cimport Piles
from game.rules cimport Rules as CRules

cdef class RuleSet:
    cdef CRules c

cdef class Discard:
    cdef Piles* c

cdef class State:
    cdef readonly RuleSet rules
    cdef bytes cards      # of the stock, as 64-bit words; the state points into them
    cdef Discard discard  # where the state's pile lies; None unless the order of the discard matters
    cdef CState c
