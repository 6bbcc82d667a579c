"""The limits of a search: the clock, and why a search stops."""

cdef extern from *:
    """
    #include <time.h>
    static double durak_clock(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec + 1e-9 * now.tv_nsec;
    }
    """
    double clock "durak_clock"() noexcept nogil

cdef enum Stop:
    RUNNING
    OUT_OF_NODES
    OUT_OF_TIME
    OUT_OF_MEMORY
    INTERRUPTED
