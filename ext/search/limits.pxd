"""The limits of a search, in nodes, time and memory, and how it stops: at one of them, or from another thread."""

from libc.stdlib cimport realloc

from search.context cimport Bout, Search

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
    # Atomic: sets what has an old value to a new one, and says whether it had.
    bint swap_if "__sync_bool_compare_and_swap"(int* stop, int old, int new) noexcept nogil

cdef enum Stop:
    RUNNING
    OUT_OF_NODES
    OUT_OF_TIME
    OUT_OF_MEMORY
    INTERRUPTED

cdef enum:
    CHECK_INTERVAL = 4096     # nodes
    SIGNAL_MILLISECONDS = 20  # how often to look for Ctrl-C
    LARGEST_ARENA = 1 << 22   # bout starts


cdef inline void halt(Search* s, int why) noexcept nogil:
    """Stop at a limit, unless the search has stopped before: another thread may interrupt it at any time."""
    swap_if(&s.stop, RUNNING, why)


cdef inline bint resume(Search* s, int why) noexcept nogil:
    """Go on if this is why the search stopped."""
    return swap_if(&s.stop, why, RUNNING)


cdef inline void look_up(Search* s) noexcept nogil:
    """Stop if the time is up, or on Ctrl-C."""
    cdef double now = clock()
    if now >= s.deadline:
        halt(s, OUT_OF_TIME)
    elif now >= s.next_signal_check:
        s.next_signal_check = now + 1e-3 * SIGNAL_MILLISECONDS
        s.check_signals(s.owner)


cdef inline void checkpoint(Search* s) noexcept nogil:
    """Stop at a limit, or on Ctrl-C; called every few thousand nodes."""
    if s.nodes >= s.node_limit:
        halt(s, OUT_OF_NODES)
        return
    look_up(s)
    s.next_check = s.nodes + CHECK_INTERVAL
    if s.next_check > s.node_limit:
        s.next_check = s.node_limit


cdef inline bint count_node(Search* s) noexcept nogil:
    """Count a node; False if the search is to stop."""
    s.nodes += 1
    if s.nodes >= s.next_check:
        checkpoint(s)
    return s.stop == RUNNING


cdef inline bint reserve_bout(Search* s) noexcept nogil:
    """Make room for one more bout start on the arena; False (and stopped) if there is no memory."""
    cdef Bout* larger
    cdef int size = 2 * s.arena_size
    if s.top < s.arena_size:
        return True
    larger = <Bout*> realloc(s.arena, size * sizeof(Bout)) if size <= LARGEST_ARENA else NULL
    if larger == NULL:
        halt(s, OUT_OF_MEMORY)
        return False
    s.arena = larger
    s.arena_size = size
    return True
