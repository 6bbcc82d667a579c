"""Two-player durak in plain Python, written from the rules text alone.

It is slow and direct on purpose: it is the yardstick for the compiled core, so it shares no code with it. Cards are
strings ("6s", "Th", "RJ"), seats are "a" and "b", moves are written as in the notation.
"""

from tests.support.reference.moves import RefState, legal_moves, mover, outcome, play, straps_hung, to_move
from tests.support.reference.rules import (
    LOWEST_RANK,
    SEATS,
    Card,
    Hand,
    RefRules,
    Table,
    beats,
    deck_cards,
    make_rules,
    order,
    rank,
    suit,
    written,
)
from tests.support.reference.solver import Acyclic, Analysis, Retrograde, TooLarge, analyse, end_score, plies, solve
from tests.support.reference.text import parse, write

__all__ = [
    "LOWEST_RANK",
    "SEATS",
    "Acyclic",
    "Analysis",
    "Card",
    "Hand",
    "RefRules",
    "RefState",
    "Retrograde",
    "Table",
    "TooLarge",
    "analyse",
    "beats",
    "deck_cards",
    "end_score",
    "legal_moves",
    "make_rules",
    "mover",
    "order",
    "outcome",
    "parse",
    "play",
    "plies",
    "rank",
    "solve",
    "straps_hung",
    "suit",
    "to_move",
    "write",
    "written",
]
