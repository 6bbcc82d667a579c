"""Endings tables, asked by a search."""

from __future__ import annotations

from durak_solver._core.endings import Endings
from durak_solver._core.search import Searcher
from durak_solver._core.state import RuleSet, State


def uses(endings: Endings, rules: RuleSet) -> bool:
    """Does a search under some rules look a bout start of four cards up?"""
    searcher = Searcher(0)
    searcher.use(endings)
    searcher.start(None, None)
    searcher.bounds(State(rules, attacker=0, hands=(1 << 16 | 1 << 33, 1 << 18 | 1 << 36)))
    return searcher.settled
