"""``durak match``: two players measured against each other."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from durak_solver.cli import options, terminal
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.model.messages import os_reason
from durak_solver.model.rules import Rules
from durak_solver.notation.rules import format_rules
from durak_solver.study.match import Contest, Match, Pair, PlayerSpec, parse_player
from durak_solver.study.match_result import MatchFile, MatchResult, match_result

EXAMPLES = """
Examples:

durak match rules random --games 200

durak match pimc:40 rules --games 1000 --jobs 2 --save pimc-rules.jsonl
"""

_PLAYER = f"{', '.join(METHODS)}; or pimc:40."


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=_PLAYER, show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player.", show_default=False)],
    *,
    games: Annotated[
        int, typer.Option(metavar="N", help="How many games; an even number, for each deal is played twice.")
    ] = 100,
    seed: options.FixedSeed = 0,
    rules: options.RulesOption = "",
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="How many processes share the games.")] = 1,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep finished games here; if the file is there, go on where it stopped."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Let two players play a match, each deal twice, and say how sure the result is."""
    asked = Match((_player("A", a), _player("B", b)), *_setting(games, seed, rules))
    pairs: dict[int, Pair] = {}
    contest = Contest(asked, jobs)
    bar = terminal.Bar(terminal.progress_console(terminal.out()), asked.games)
    with ExitStack() as stack:
        file = _file(save, asked)
        if file is not None:
            stack.enter_context(file)
            pairs.update(file.pairs)
        stack.enter_context(bar)
        with terminal.on_interrupt(contest.stop):
            for pair in contest.play(pairs.keys()):
                pairs[pair.number] = pair
                if file is not None:
                    file.add(pair)
                bar.update(2 * len(pairs), f"{2 * len(pairs):,} of {asked.games:,} games", asked.games)
    if not pairs:
        _interrupted("no game was finished")
    result = match_result(asked, pairs.values())
    print(json.dumps(result.to_dict()) if as_json else _text(result))
    if result.games < asked.games:
        _interrupted(f"{result.games:,} of {asked.games:,} games were played")


def _player(name: str, text: str) -> PlayerSpec:
    try:
        return parse_player(text)
    except ValueError as error:
        terminal.fail(f"{name}: {error}")


def _setting(games: int, seed: int, rules: str) -> tuple[int, int, Rules]:
    """Check the options in the order in which they stand."""
    read = options.rules_to_play(rules)
    if games <= 0 or games % 2:
        terminal.fail(f"--games {games}: an even number is needed, because each deal is played twice")
    return games, seed, read


def _file(path: Path | None, asked: Match) -> MatchFile | None:
    try:
        return None if path is None else MatchFile(path, asked)
    except ValueError as error:
        terminal.fail(f"--save: {error}")
    except OSError as error:
        terminal.fail(f"--save: {path} cannot be used: {os_reason(error)}")


def _interrupted(what: str) -> NoReturn:
    terminal.complain(f"Interrupted: {what}.")
    raise typer.Exit(terminal.INTERRUPTED)


def _text(result: MatchResult) -> str:
    """Write a result for people."""
    a, b = result.match.players
    wins, draws, losses = result.results
    rules = format_rules(result.match.rules, "rules=podkidnoy")
    told = f"  told from luck: {result.control}, {result.variance_left:.0%} of the variance"
    return "\n".join(
        [
            f"{a} against {b}: {result.games:,} games, {rules}, seed {result.match.seed}",
            f"  {wins:,} won, {draws:,} drawn, {losses:,} lost",
            f"  score {result.score}",
            *([told] if result.beta else []),
            "  in seat a: {:,} won, {:,} drawn, {:,} lost; in seat b: {:,}, {:,}, {:,}".format(
                *result.first, *result.second
            ),
            f"  {result.plies:.1f} moves a game; {a} {_milliseconds(result.seconds[0])}, "
            f"{b} {_milliseconds(result.seconds[1])} a move",
        ]
    )


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"
