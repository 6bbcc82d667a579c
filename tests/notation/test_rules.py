"""Rules as text, in a position and in a game."""

from __future__ import annotations

import pytest

from durak_solver.model.rules import PRESETS, Rules
from durak_solver.notation.rules import format_rules, format_rules_tag, read_rules


@pytest.mark.parametrize(
    ("rules", "in_position", "in_game"),
    [
        (Rules(), "", "podkidnoy"),
        (Rules(deck=24), "deck=24", "podkidnoy deck=24"),
        (Rules(transfer=True, limit=5), "rules=perevodnoy limit=5", "perevodnoy limit=5"),
        (Rules(deck=24, hand=5, straps="6"), "deck=24 hand=5 rules=pogony", "pogony deck=24 hand=5"),
        (Rules(game="round"), "rules=round", "round"),
    ],
)
def test_writing_and_reading(rules: Rules, in_position: str, in_game: str) -> None:
    assert (format_rules(rules), format_rules_tag(rules)) == (in_position, in_game)
    assert read_rules(in_position) == read_rules(in_game) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_stands_alone(name: str) -> None:
    assert read_rules(f" {name} ") == read_rules(f"rules={name}") == PRESETS[name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("simple perevodnoy", "rules is given twice"),
        ("limit=5 limit=6", "limit is given twice"),
        ("bridge", "rules='bridge' is not known"),
        ("limit=5,throw=lead", "limit='5,throw=lead' is not allowed"),
        ("limits=5", "'limits' is not an option"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_rules(text)


def test_another_word_for_the_default() -> None:
    assert format_rules(Rules(), "rules=podkidnoy") == "rules=podkidnoy"
    assert format_rules(Rules(deck=24), "rules=podkidnoy") == "deck=24"
