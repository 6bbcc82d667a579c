"""Random numbers: a stream is one 64-bit word, owned by whoever draws from it."""

from game.bits cimport u64


cdef inline u64 next_word(u64* stream) noexcept nogil:
    """The next word of a splitmix64 stream (Steele, Lea and Flood, 2014)."""
    cdef u64 z
    stream[0] += 0x9E3779B97F4A7C15u
    z = stream[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu
    return z ^ (z >> 31)


cdef inline int below(u64* stream, int n) noexcept nogil:
    """A number from 0 to n - 1, all equally likely: bits that do not fit are thrown away."""
    cdef u64 mask = 1, word
    while mask < <u64> n:
        mask = mask << 1
    mask -= 1
    while True:
        word = next_word(stream) & mask
        if word < <u64> n:
            return <int> word
