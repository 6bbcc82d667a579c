"""Durak: endgames solved exactly, moves valued while cards are hidden.

>>> from durak_solver import Position, analyse
>>> analysis = analyse(Position.from_dpn("Ks7h7d/6s8h9d s a -"))
>>> analysis.value
Value.WIN
"""

from collections.abc import Callable

from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.estimate import Estimate, EstimatedMove
from durak_solver.engine.results import Analysis, GradedMove, Solution, Value
from durak_solver.game.deal import deal
from durak_solver.game.defects import Defect, IllegalPositionError, UnsupportedError
from durak_solver.game.game import Game
from durak_solver.game.knowledge import Knowledge
from durak_solver.game.position import Position
from durak_solver.model.cards import Card
from durak_solver.model.moves import AmbiguousMoveError, IllegalMoveError, Move, MoveError, MoveSyntaxError
from durak_solver.model.rules import PRESETS, Rules, next_strap
from durak_solver.model.seeds import Seeder
from durak_solver.study.graph import graph
from durak_solver.study.proof import ProofError, proof, verify_proof

__version__ = "0.1.0"

__all__ = [
    "PRESETS",
    "AmbiguousMoveError",
    "Analysis",
    "Card",
    "Defect",
    "Engine",
    "Estimate",
    "EstimatedMove",
    "Game",
    "GradedMove",
    "IllegalMoveError",
    "IllegalPositionError",
    "Knowledge",
    "Move",
    "MoveError",
    "MoveSyntaxError",
    "Position",
    "ProofError",
    "Rules",
    "Solution",
    "UnsupportedError",
    "Value",
    "analyse",
    "deal",
    "estimate",
    "graph",
    "next_strap",
    "proof",
    "solve",
    "verify_proof",
]


def solve(position: Position | str, *, nodes: int | None = None, seconds: float | None = None) -> Solution:
    """Solve one position with an engine of its own; see `Engine.solve`.

    Parameters
    ----------
    position : Position or str
        A position, or its DPN.
    nodes, seconds : int or float, optional
        Limits.

    Returns
    -------
    Solution
    """
    return Engine().solve(position, nodes=nodes, seconds=seconds)


def analyse(
    position: Position | str, *, nodes: int | None = None, seconds: float | None = None, distance: bool = False
) -> Analysis:
    """Grade every legal move of one position with an engine of its own; see `Engine.analyse`.

    Parameters
    ----------
    position : Position or str
        A position, or its DPN.
    nodes, seconds : int or float, optional
        Limits.
    distance : bool
        Also find how long the game lasts after each move.

    Returns
    -------
    Analysis
    """
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
    """Value every legal move of a position with hidden cards, with an engine of its own; see `Engine.estimate`.

    Parameters
    ----------
    position : Position or str
        A position, or its DPN.
    method : str
        ``"pimc"``, ``"ismcts"``, ``"mcts30x30"``, ``"rules"``, ``"lowest"`` or ``"random"``.
    samples, seconds : int or float, optional
        Limits.
    seed : int or numpy.random.Generator, optional
        What the deals are drawn from.
    jobs : int
        Threads that value deals.
    on_progress : callable, optional
        Called with what is known so far.

    Returns
    -------
    Estimate or Analysis
        The exact analysis if nothing is hidden.
    """
    return Engine().estimate(
        position,
        method=method,
        samples=samples,
        seconds=seconds,
        seed=seed,
        jobs=jobs,
        on_progress=on_progress,
    )
