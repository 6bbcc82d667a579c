"""The extension type of endings.pyx, for the other modules of the core."""

from endings cimport Endings as CEndings

cdef class Endings:
    cdef CEndings* c
    cdef dict blocks      # what the values point into, by number of cards
