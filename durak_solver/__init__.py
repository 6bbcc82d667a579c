"""Durak: endgames solved exactly, moves valued while cards are hidden.

>>> from durak_solver import Position, analyse
>>> analysis = analyse(Position.from_dpn("Ks7h7d/6s8h9d s a -"))
>>> analysis.value
Value.WIN

The names listed in ``__all__`` are promised (docs/api.md); import paths of submodules are not.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.results import Analysis, GradedMove, Solution, Value
from durak_solver.game.deal import deal
from durak_solver.game.defects import Defect, IllegalPositionError, UnsupportedError
from durak_solver.game.game import Game, GameError, parse_dgn
from durak_solver.game.knowledge import Knowledge
from durak_solver.game.position import Position
from durak_solver.model.cards import Card
from durak_solver.model.moves import AmbiguousMoveError, IllegalMoveError, Move, MoveError, MoveSyntaxError, Ply
from durak_solver.model.rules import PRESETS, Rules, beats, next_strap
from durak_solver.model.seeds import Seeder
from durak_solver.notation.cards import CardError, format_card, parse_cards
from durak_solver.notation.dgn import DGNError
from durak_solver.notation.dpn import DPNError

if TYPE_CHECKING:
    from durak_solver.engine.strategy import NoStrategyError, UnfinishedError
    from durak_solver.engine.tables.files import TableError
    from durak_solver.engine.tables.lookup import NotCoveredError, Tables
    from durak_solver.show.rules import describe_rules
    from durak_solver.study.graph import graph
    from durak_solver.study.proof import ProofError, proof, verify_proof

__version__ = "0.1.0"

__all__ = [
    "PRESETS",
    "AmbiguousMoveError",
    "Analysis",
    "Card",
    "CardError",
    "DGNError",
    "DPNError",
    "Defect",
    "Engine",
    "Estimate",
    "EstimatedMove",
    "Game",
    "GameError",
    "GradedMove",
    "IllegalMoveError",
    "IllegalPositionError",
    "Knowledge",
    "Move",
    "MoveError",
    "MoveSyntaxError",
    "NoStrategyError",
    "NotCoveredError",
    "Ply",
    "Position",
    "ProofError",
    "Rules",
    "Solution",
    "TableError",
    "Tables",
    "UnfinishedError",
    "UnsupportedError",
    "Value",
    "analyse",
    "beats",
    "deal",
    "describe_rules",
    "estimate",
    "format_card",
    "graph",
    "hint",
    "next_strap",
    "parse_cards",
    "parse_dgn",
    "proof",
    "solve",
    "verify_proof",
]

# Not every program needs these, and loading them takes as long as half of the rest: they come when first asked for.
_LOADED_LATER: Final = {
    "NoStrategyError": "durak_solver.engine.strategy",
    "UnfinishedError": "durak_solver.engine.strategy",
    "TableError": "durak_solver.engine.tables.files",
    "NotCoveredError": "durak_solver.engine.tables.lookup",
    "Tables": "durak_solver.engine.tables.lookup",
    "describe_rules": "durak_solver.show.rules",
    "graph": "durak_solver.study.graph",
    "ProofError": "durak_solver.study.proof",
    "proof": "durak_solver.study.proof",
    "verify_proof": "durak_solver.study.proof",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LOADED_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def solve(position: Position | str, *, nodes: int | None = None, seconds: float | None = None) -> Solution:
    """Solve one position with an engine of its own; see `Engine.solve`."""
    return Engine().solve(position, nodes=nodes, seconds=seconds)


def analyse(
    position: Position | str, *, nodes: int | None = None, seconds: float | None = None, distance: bool = False
) -> Analysis:
    """Grade every legal move of one position with an engine of its own; see `Engine.analyse`."""
    return Engine().analyse(position, nodes=nodes, seconds=seconds, distance=distance)


def estimate(
    position: Position | str,
    *,
    method: str = "pimc",
    samples: int | None = None,
    seconds: float | None = None,
    seed: int | Seeder | None = None,
    jobs: int = 1,
    on_progress: Callable[[Estimate | Analysis], None] | None = None,
) -> Estimate | Analysis:
    """Value every legal move of a position with hidden cards, with an engine of its own; see `Engine.estimate`."""
    return Engine().estimate(
        position,
        method=method,
        samples=samples,
        seconds=seconds,
        seed=seed,
        jobs=jobs,
        on_progress=on_progress,
    )


def hint(
    position: Position | str,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    style: str = "ascii",
) -> str:
    """Say in one sentence what to play and why, with an engine of its own.

    Parameters
    ----------
    nodes, seconds, seed
        As for `Engine.estimate`.
    style
        How cards are written: ``"ascii"``, ``"unicode"`` or ``"russian"``.

    Raises
    ------
    IllegalPositionError, UnsupportedError, ValueError
        As for `Engine.estimate`.

    Examples
    --------
    >>> hint("Ks7d7h/6s9d8h s a -")
    'Lead Ks: it cannot be beaten, so b must take, and a wins in every line; every other move draws.'
    """
    from durak_solver.show.hint import hint_text  # noqa: PLC0415  (see `_LOADED_LATER`)
    from durak_solver.study.hint import find_hint  # noqa: PLC0415

    known = Position.from_dpn(position) if isinstance(position, str) else position
    found = find_hint(Engine(), known, nodes=nodes, seconds=seconds, seed=seed)
    return hint_text(found.move, found.found, found.answers, style)
