"""Memory for large tables that are read at random places."""

from libc.stdlib cimport calloc

cdef extern from *:
    """
    #include <stddef.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif

    static inline void durak_ask_for_huge_pages(void *memory, size_t bytes) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        size_t page = (size_t) 1 << 21, first = ((size_t) memory + page - 1) & ~(page - 1);
        size_t end = ((size_t) memory + bytes) & ~(page - 1);
        if (end > first) madvise((void *) first, end - first, MADV_HUGEPAGE);
    #else
        (void) memory;
        (void) bytes;
    #endif
    }
    """
    void prefetch "__builtin_prefetch"(const void* address) noexcept nogil
    # They spare half of the misses of a long search, as the addresses of small ones are not at hand. A short one would
    # be longer: the first touch of each zeroes all of it.
    void ask_for_huge_pages "durak_ask_for_huge_pages"(void* memory, size_t bytes) noexcept nogil

cdef enum:
    LINE = 64  # bytes in a line of the cache

cdef inline void* allocate(void** memory, size_t bytes) noexcept nogil:
    """Zeroed memory that begins with a line of the cache, or NULL; `memory` is to be freed."""
    memory[0] = calloc(bytes + LINE, 1)
    if memory[0] == NULL:
        return NULL
    return <void*> ((<size_t> memory[0] + LINE - 1) & ~(<size_t> LINE - 1))
