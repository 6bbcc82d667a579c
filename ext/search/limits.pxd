"""Why a search stops."""

cdef enum Stop:
    RUNNING
    OUT_OF_NODES
    OUT_OF_TIME
    OUT_OF_MEMORY
    INTERRUPTED
