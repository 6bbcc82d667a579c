"""The extension type of endings.pyx, for the other modules of the core."""

from game.bits cimport u64
from endings.endings cimport Endings as CEndings

cdef class Endings:
    cdef CEndings* c
    cdef dict blocks      # what the values point into, by number of cards
    cdef int check(self, int total, int leaders) except -1
    cdef int require(self, int first, int end) except -1
    cdef int check_run(self, int total, int leaders, u64 first, u64 count, u64 size) except -1
