"""Rules as text: ``rules=perevodnoy limit=5``. A preset may stand without its key: ``perevodnoy limit=5``."""

from __future__ import annotations

from collections.abc import Mapping

from durak_solver.model.rules import Rules


def read_rules(text: str) -> Rules:
    """Read rules; ValueError if they cannot be read."""
    options: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals:
            key, value = "rules", word
        if key in options:
            raise ValueError(f"{key} is given twice")
        options[key] = value
    return Rules.from_options(options)


def format_rules(rules: Rules, default: str = "") -> str:
    """Write the options that are not the default ones, as in a DPN; `default` if there are none."""
    return " ".join(option_words(rules.to_options())) or default


def format_rules_tag(rules: Rules) -> str:
    """Write rules as in a DGN: the preset first and without its key."""
    options = rules.to_options()
    return " ".join([options.pop("rules", "podkidnoy"), *option_words(options)])


def option_words(options: Mapping[str, str]) -> list[str]:
    """Write each option as ``key=word``."""
    return [f"{key}={word}" for key, word in options.items()]
