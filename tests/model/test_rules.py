"""The options of the rules as data."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver.model.rules import PRESETS, Rules, next_strap

ON_OFF = [True, False]
VALUES: dict[str, list[Any]] = {
    "deck": [36, 24, 32, 52, 54],
    "hand": [6, 5],
    "throw": ["any", "lead", "none"],
    "lead": ["many", "one"],
    "limit": [6, 1, 2, 5, 7, 54, "hand"],
    "first": [None, 5],
    "pursuit": ON_OFF,
    "both": ["draw", "attacker"],
    "transfer": ON_OFF,
    "show": ON_OFF,
    "short": ["forbid", "limit", "bita"],
    "lock": [None, "s"],
    "jokers": ["colour", "supreme"],
    "ace6": ON_OFF,
    "exchange": ON_OFF,
    "overflow": ON_OFF,
    "straps": [None, *"6789TJQKA", "Qs", "Qc", "Qd", "Qh"],
    "strapmode": ["free", "must-take"],
    "game": ["durak"],  # the other one, rules=round, goes with few of these: see test_round.py
}
any_rules = st.builds(Rules, **{key: st.sampled_from(values) for key, values in VALUES.items()})


def test_every_option_is_here() -> None:
    assert [field.name for field in fields(Rules)] == list(VALUES)


def test_defaults() -> None:
    rules = Rules()
    assert {key: getattr(rules, key) for key in ("deck", "hand", "limit", "first", "pursuit")} == {
        "deck": 36,
        "hand": 6,
        "limit": 6,
        "first": None,
        "pursuit": True,
    }
    assert rules.to_options() == {}
    assert repr(rules) == "Rules()"


@settings(deadline=None)
@given(any_rules)
def test_options_read_back(rules: Rules) -> None:
    options = rules.to_options()
    assert Rules.from_options(options) == rules
    assert Rules.from_options(dict(reversed(options.items()))) == rules
    assert eval(repr(rules)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(eval(repr(rules))) == hash(rules)


@settings(deadline=None)
@given(st.sampled_from(list(VALUES)), st.data())
def test_words_of_the_notation(key: str, data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(VALUES[key]))
    changed = Rules(**{key: value})
    word = changed.to_options().get(key)
    if word is not None:
        assert Rules(**{key: word}) == changed  # type: ignore[arg-type]


def test_words_are_turned_into_values() -> None:
    rules = Rules.from_options(
        {"deck": "52", "limit": "hand", "first": "5", "pursuit": "off", "lock": "none", "straps": "off", "hand": "5"}
    )
    assert rules == Rules(deck=52, limit="hand", first=5, pursuit=False, hand=5)
    assert rules.lock is None
    assert Rules.from_options({"first": "off", "ace6": "on"}) == Rules(ace6=True)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("deck", 40),
        ("deck", 36.0),
        ("deck", "036"),
        ("deck", True),
        ("hand", 7),
        ("throw", "all"),
        ("throw", None),
        ("throw", ["any"]),
        ("lead", ""),
        ("limit", 0),
        ("limit", 55),
        ("limit", "٣"),
        ("limit", "-1"),
        ("limit", True),
        ("limit", "9" * 5000),
        ("first", False),
        ("first", 6),
        ("pursuit", 1),
        ("pursuit", "yes"),
        ("pursuit", "ON"),
        ("lock", "d"),
        ("straps", "2"),
        ("straps", "5"),
        ("strapmode", "must\ntake"),
    ],
)
def test_wrong_values_are_named(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{key}=.* is not allowed: choose one of ") as caught:
        Rules(**{key: value})  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


def test_what_is_allowed_is_named() -> None:
    with pytest.raises(ValueError, match="throw='all' is not allowed: choose one of any, lead, none"):
        Rules(throw="all")
    with pytest.raises(ValueError, match="limit=0 is not allowed: choose one of 1 to 54, hand"):
        Rules(limit=0)


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Rules().deck = 24  # type: ignore[misc]


# ---------------------------------------------------------------------------------------------------------- presets


def test_presets() -> None:
    assert list(PRESETS) == ["podkidnoy", "simple", "perevodnoy", "perevodnoy-show", "japanese", "pogony", "round"]
    assert Rules.preset("simple") == Rules(throw="lead")
    assert Rules.preset("perevodnoy-show") == Rules(transfer=True, show=True)
    with pytest.raises(ValueError, match="rules='durak' is not known: choose one of podkidnoy, simple"):
        Rules.preset("durak")


def test_options_override_a_preset_in_any_order() -> None:
    expected = Rules(transfer=True, both="attacker")
    assert Rules.from_options({"rules": "perevodnoy", "both": "attacker"}) == expected
    assert Rules.from_options({"both": "attacker", "rules": "perevodnoy"}) == expected
    assert Rules.from_options({"transfer": "off", "rules": "perevodnoy"}) == Rules()


def test_unknown_option() -> None:
    with pytest.raises(ValueError, match="'trumps' is not an option: choose among rules, deck, hand"):
        Rules.from_options({"trumps": "2"})


@pytest.mark.parametrize(
    ("rules", "written"),
    [
        (Rules(throw="lead"), "rules=simple"),
        (Rules(throw="none"), "throw=none"),
        (Rules(transfer=True), "rules=perevodnoy"),
        (Rules(transfer=True, show=True, both="attacker"), "rules=perevodnoy-show both=attacker"),
        (Rules(show=True), "show=on"),
        (Rules(straps="7"), "straps=7"),
        (Rules(straps="6", strapmode="must-take"), "rules=pogony strapmode=must-take"),
        (Rules(lock="s"), "rules=japanese"),
        (Rules(deck=52, hand=5, transfer=True, limit="hand"), "deck=52 hand=5 rules=perevodnoy limit=hand"),
        (Rules(throw="lead", transfer=True), "rules=simple transfer=on"),
        (Rules(pursuit=False, lead="one"), "lead=one pursuit=off"),
    ],
)
def test_how_rules_are_written(rules: Rules, written: str) -> None:
    assert " ".join(f"{key}={word}" for key, word in rules.to_options().items()) == written


# ---------------------------------------------------------------------------------------------------------- support


def test_rules_that_know_cards_by_name() -> None:
    for rules in (Rules(), Rules.preset("simple"), Rules.preset("perevodnoy-show"), Rules(overflow=True, deck=52)):
        assert rules.by_name() == []
    # These change nothing by themselves.
    assert Rules(short="bita", exchange=True, jokers="supreme", strapmode="must-take").by_name() == []
    rules = Rules(deck=54, transfer=True, short="bita", lock="s", ace6=True, overflow=True, straps="6")
    assert rules.by_name() == ["deck=54", "lock=s", "ace6=on", "straps=6", "short=bita"]


# ----------------------------------------------------------------------------------------------------------- the ladder


def test_a_session() -> None:
    strap: str | None = "6"
    played = []
    while strap is not None:
        played.append(strap)
        assert Rules(straps=strap).straps == strap
        strap = next_strap(strap, queen="Qc")
    assert played == [*"6789TJKA", "Qc"]


def test_the_queen_is_needed_only_after_the_aces() -> None:
    assert next_strap("6") == "7"
    assert next_strap("J") == "K"
    assert next_strap("Qh") is None
    with pytest.raises(ValueError, match="after the aces comes the agreed queen: queen must be one of Qs, Qc, Qd, Qh"):
        next_strap("A")


@pytest.mark.parametrize("strap", ["Q", "", "67", "2", "off", "Ks"])
def test_no_rung_of_the_ladder(strap: str) -> None:
    with pytest.raises(
        ValueError, match=f"no session comes to strap='{strap}': choose one of 6, 7, 8, 9, T, J, K, A, Qs"
    ):
        next_strap(strap, queen="Qs")


def test_no_queen() -> None:
    with pytest.raises(ValueError, match="queen='Ks' is not allowed: choose one of Qs, Qc, Qd, Qh"):
        next_strap("6", queen="Ks")
