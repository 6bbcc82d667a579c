"""``durak rules``: the rules in force, in plain sentences."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Final

import typer

from durak_solver.cli import options, terminal
from durak_solver.model.rules import PRESETS
from durak_solver.notation.rules import format_rules
from durak_solver.show.rules import Section, describe_rules

EXAMPLES = """
Examples:

durak rules

durak rules perevodnoy --rules "show=on limit=hand" --lang ru
"""

SCHEMA: Final = "durak.rules/1"


class Language(StrEnum):
    """What the rules are written in."""

    EN = "en"
    RU = "ru"


def rules(
    preset: Annotated[
        str | None,
        typer.Argument(
            metavar="PRESET",
            help=f"{', '.join(PRESETS)}; podkidnoy if not given.",
            show_default=False,
            autocompletion=options.preset_names,
        ),
    ] = None,
    *,
    given: Annotated[
        str,
        typer.Option(
            "--rules", help="Options that override it: 'show=on limit=hand'.", metavar="RULES", show_default=False
        ),
    ] = "",
    lang: Annotated[Language, typer.Option(help="English or Russian.")] = Language.EN,
    as_json: options.Json = False,
) -> None:
    """Say in plain sentences how the game goes by these rules."""
    try:
        read = options.read_rules(f"{preset or ''} {given}")
    except ValueError as error:
        terminal.fail(str(error))
    dpn = format_rules(read, "rules=podkidnoy")
    sections = describe_rules(read, lang.value)
    if as_json:
        written = [asdict(section) for section in sections]
        print(
            json.dumps({"schema": SCHEMA, "dpn": dpn, "rules": asdict(read), "lang": lang.value, "sections": written})
        )
        return
    console = terminal.out()
    console.print("\n".join([dpn, *_lines(sections, terminal.text_width(console))]), soft_wrap=True)
    if preset is None:
        own = read.to_options().get("rules", "podkidnoy")
        others = ", ".join(name for name in PRESETS if name != own)
        words = {Language.EN: "Other presets", Language.RU: "Другие наборы правил"}
        console.print(f"\n{words[lang]}: {others}.", soft_wrap=True)


def _lines(sections: tuple[Section, ...], width: int | None) -> Iterator[str]:
    """Yield the lines of the text, not broken if there is no width."""
    for section in sections:
        yield f"\n{section.title}"
        for sentence in section.sentences:
            lines = [sentence] if width is None else textwrap.wrap(sentence, max(width - 4, 20))
            yield f"  {lines[0]}"
            yield from (f"    {line}" for line in lines[1:])
