"""Python's side of the players that do not search."""

from durak_solver._core.state cimport State as PyState
from game cimport moves
from game.bits cimport u64
from game.state cimport Move
from heuristics.policy cimport lowest_move, rules_move
from heuristics.random cimport below, next_word


def random_move(PyState state, u64 seed):
    """Any legal move, all equally likely, drawn from a seed."""
    cdef Move found[moves.MAX_MOVES]
    cdef Move move
    cdef int n = moves.list_moves(&state.c, &state.rules.c, found)
    if not n:
        raise ValueError("the game is over")
    next_word(&seed)
    move = found[below(&seed, n)]
    return move.kind, move.cards, move.target


def lowest(PyState state):
    """What the player of the cheapest card plays; see policy.pxd."""
    require_move(state)
    cdef Move move = lowest_move(&state.c, &state.rules.c)
    return move.kind, move.cards, move.target


def rules(PyState state):
    """What the player of good habits plays; see policy.pxd."""
    require_move(state)
    cdef Move move = rules_move(&state.c, &state.rules.c)
    return move.kind, move.cards, move.target


cdef void require_move(PyState state) except *:
    if state.c.phase == moves.OVER:
        raise ValueError("the game is over")
