"""The network of heuristics/network.pxd for Python: for what fits it and what checks it. No player uses this."""

from durak_solver._core.state cimport State as PyState
from heuristics.network cimport INPUTS, MOST_ROWS, OUTPUTS, ROWS, describe_both, foresee, list_rows


def inputs(PyState state):
    """What the network sees of a bout start.

    Returns
    -------
    inputs : bytes
        Signed 16-bit numbers.
    rows : bytes
        Unsigned 16-bit numbers of rows of weights, filled up with the number of rows that there are.
    """
    cdef short numbers[INPUTS]
    cdef unsigned short rows[MOST_ROWS]
    cdef int n = list_rows(state.c.attacker_hand, state.c.defender_hand, state.rules.c.trump, rows)
    describe_both(state.c.attacker_hand, state.c.defender_hand, state.rules.c.trump, numbers)
    while n < MOST_ROWS:
        rows[n] = ROWS
        n += 1
    return (<char*> numbers)[:INPUTS * sizeof(short)], (<char*> rows)[:MOST_ROWS * sizeof(short)]


def outputs(PyState state):
    """What the network says of a bout start, in units of 1 / 64.

    Returns
    -------
    tuple of int
        The logit of the leader's chance, and the binary logarithms of the nodes that a proof takes if the leader wins,
        and if not.
    """
    cdef int found[OUTPUTS]
    foresee(state.c.attacker_hand, state.c.defender_hand, state.rules.c.trump, found)
    return tuple(found)
