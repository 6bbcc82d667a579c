"""Options that several commands share."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from durak_solver.cli.options import with_groups
from tests.support.program import run


@dataclass(frozen=True, kw_only=True)
class Group:
    size: Annotated[int, typer.Option(min=1)] = 3
    name: str | None = None


def test_a_group_becomes_options() -> None:
    @with_groups
    def command(text: str, *, group: Group, last: bool = False) -> None:
        """Say it."""
        print(text, group.size, group.name, last)

    assert [*inspect.signature(command).parameters] == ["text", "size", "name", "last"]
    app = typer.Typer()
    app.command()(command)
    told = CliRunner().invoke(app, ["x", "--size", "5", "--last"])
    assert (told.exit_code, told.stdout) == (0, "x 5 None True\n")
    assert CliRunner().invoke(app, ["x", "--size", "0"]).exit_code == 2
    assert "Say it." in CliRunner().invoke(app, ["--help"]).stdout


@pytest.mark.parametrize("name", ["analyse", "hint", "show", "proof", "graph"])
def test_every_command_about_a_position_has_the_same_options(name: str) -> None:
    told = run(name, "--help").stdout
    for option in ("trump", "me", "opponent", "opponent-cards", "attack", "table", "stock", "turn-up", "discard"):
        assert f"--{option} " in told or f"--{option}," in told
