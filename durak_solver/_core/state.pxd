"""The extension types of state.pyx, for the other modules of the core."""

from moves cimport State as CState
from rules cimport Rules as CRules

cdef class RuleSet:
    cdef CRules c

cdef class State:
    cdef readonly RuleSet rules
    cdef bytes cards      # of the stock, as 64-bit words; the state points into them
    cdef CState c
