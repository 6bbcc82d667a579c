"""Options that several commands have: each is declared once, those that go together in a group."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, get_type_hints

import typer

from durak_solver.cli.terminal import Style, fail
from durak_solver.engine.engine import Engine
from durak_solver.engine.hidden.methods import METHODS
from durak_solver.model.messages import quoted
from durak_solver.model.rules import PRESETS, Rules
from durak_solver.notation import rules as notation_rules
from durak_solver.study.match import require_playable

_LIMITS: Final = "Limits"
_HIDDEN: Final = "Hidden cards"
_MOST_SEED: Final = 2**63 - 1


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Let typer see the fields of a group where a command has a parameter that is one.

    A group is a dataclass whose fields are annotated as options. The command gets an instance of it.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        group = groups.get(parameter.name)
        if group is None:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        options = get_type_hints(group, include_extras=True)
        parameters += [
            inspect.Parameter(field.name, parameter.KEYWORD_ONLY, default=field.default, annotation=options[field.name])
            for field in fields(group)
        ]

    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


# -------------------------------------------------------------------------------------------------------------- checks


def _positive(value: float | None) -> float | None:
    if value is not None and not value > 0:
        raise typer.BadParameter("a limit must be positive")
    return value


def _not_negative(value: float) -> float:
    if not 0 <= value < float("inf"):
        raise typer.BadParameter("the size must be 0 or more")
    return value


def _known_method(value: str) -> str:
    if value not in METHODS:
        fail(f"--method: {quoted(value)} is not known: choose one of {', '.join(METHODS)}")
    return value


def _seed(value: int | None) -> int | None:
    if value is not None and not 0 <= value <= _MOST_SEED:
        raise typer.BadParameter("a number from 0 to 2**63 - 1 was expected")
    return value


# ------------------------------------------------------------------------------------------------------ single options
# What completes a word is a named function, because the fields of a group are evaluated where a lambda finds no names.


def preset_names() -> list[str]:
    """Return what ``--rules`` may begin with."""
    return list(PRESETS)


def _method_names() -> list[str]:
    return list(METHODS)


Json = Annotated[bool, typer.Option("--json", help="Write JSON, one object in a line.")]
Jobs = Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Threads that share the work.")]
StyleOption = Annotated[Style | None, typer.Option("--style", help="How cards are written.", show_default=False)]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        help="A preset and options: simple, 'throw=lead limit=5'.",
        metavar="RULES",
        show_default=False,
        autocompletion=preset_names,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="The same N, the same cards and random choices.",
        callback=_seed,
        show_default="another each time",
    ),
]
FixedSeed = Annotated[
    int, typer.Option("--seed", metavar="N", help="The same N, the same cards and random choices.", callback=_seed)
]
Nodes = Annotated[
    int | None,
    typer.Option(metavar="N", help="Search at most N game states.", callback=_positive, rich_help_panel=_LIMITS),
]
Seconds = Annotated[
    float | None,
    typer.Option(metavar="N", help="Search at most N seconds.", callback=_positive, rich_help_panel=_LIMITS),
]
TableMB = Annotated[
    float,
    typer.Option(
        "--table-mb",
        metavar="N",
        help="Memory for proved results, in MiB; 64 if not given.",
        show_default=False,
        callback=_not_negative,
        rich_help_panel=_LIMITS,
    ),
]
TablesOption = Annotated[
    str,
    typer.Option(
        "--tables",
        help="Endings tables: those that are found, none, or a folder.",
        rich_help_panel=_LIMITS,
        metavar="auto|none|DIR",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How a position is analysed, or estimated where cards are hidden."""

    distance: Annotated[bool, typer.Option("--distance", help="Also find how long the game lasts.")] = False
    nodes: Nodes = None
    seconds: Seconds = None
    table_mb: TableMB = 64
    method: Annotated[
        str,
        typer.Option(
            help=f"{', '.join(METHODS)}.",
            callback=_known_method,
            rich_help_panel=_HIDDEN,
            metavar="NAME",
            autocompletion=_method_names,
        ),
    ] = "pimc"
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Draw at most N deals; for pimc 160 if not given.", rich_help_panel=_HIDDEN
        ),
    ] = None
    seed: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="The same N, the same deals; 0 if not given.",
            show_default=False,
            callback=_seed,
            rich_help_panel=_HIDDEN,
        ),
    ] = 0

    def for_engine(self) -> dict[str, Any]:
        """Return the arguments of `Engine.estimate`."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "table_mb"}


# ------------------------------------------------------------------------------------------------- what they stand for


def chosen_tables(choice: str) -> bool | Path:
    """Return what ``--tables`` tells an `Engine`, or end with a message."""
    if choice in ("auto", "none"):
        return choice == "auto"
    if not Path(choice).is_dir():
        fail(f"--tables: there is no folder {choice}")
    return Path(choice)


def make_engine(table_mb: float, tables: bool | Path = True) -> Engine:
    """Return an engine, or end with a message."""
    try:
        return Engine(table_mb, tables=tables)
    except (ValueError, MemoryError):
        fail_for_memory(table_mb)


def fail_for_memory(table_mb: float) -> NoReturn:
    """End the command because a table would be too large."""
    fail(f"--table-mb {table_mb:g}: there is not that much memory")


def read_rules(text: str) -> Rules:
    """Read rules as `durak_solver.notation.rules.read_rules` does, with commas as good as spaces."""
    return notation_rules.read_rules(text.replace(",", " "))


def rules_to_play(text: str) -> Rules:
    """Read ``--rules`` of a command that deals and plays, or end with a message."""
    try:
        rules = read_rules(text)
        require_playable(rules)
    except ValueError as error:
        fail(f"--rules: {error}")
    return rules
