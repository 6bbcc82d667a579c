"""The rules in plain sentences, in English and Russian, and ``durak rules``."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from durak_solver.model.rules import PRESETS, Rules
from durak_solver.show.rules import LANGUAGES, describe_rules
from durak_solver.show.rules.words import have_cards_ru, of_cards_ru
from tests.model.test_rules import VALUES, any_rules
from tests.support.data import DATA
from tests.support.program import on_a_terminal, run

# Beside which rules an option counts, where it does not beside the default ones.
BASES = {
    "short": Rules(transfer=True),
    "jokers": Rules(deck=54),
    "strapmode": Rules(straps="6"),
}


def text(rules: Rules, lang: str = "en") -> str:
    return "\n".join(sentence for section in describe_rules(rules, lang) for sentence in section.sentences)


def changed(rules: Rules, key: str, value: Any) -> Rules:
    return replace(rules, **{key: value})


# ------------------------------------------------------------------------------------------------------------- the text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", VALUES)
def test_every_value_of_every_option_is_told(key: str, lang: str) -> None:
    base = BASES.get(key, Rules())
    texts = {text(changed(base, key, value), lang) for value in VALUES[key]}
    assert len(texts) == len(VALUES[key])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("rules", "key"),
    [
        (Rules(), "short"),
        (Rules(show=True), "short"),
        (Rules(deck=52), "jokers"),
        (Rules(), "strapmode"),
        (Rules(straps="6", deck=24), "strapmode"),
        (Rules(throw="none"), "pursuit"),
        (Rules(throw="none"), "overflow"),
        (Rules(limit=1), "lead"),
        (Rules(limit=1), "pursuit"),
        (Rules(limit=1, transfer=True), "short"),
    ],
)
def test_what_changes_nothing_is_not_told(rules: Rules, key: str, lang: str) -> None:
    assert len({text(changed(rules, key, value), lang) for value in VALUES[key]}) == 1


@settings(deadline=None, max_examples=300)
@given(any_rules)
def test_every_mix_of_options_reads_well(rules: Rules) -> None:
    english, russian = describe_rules(rules), describe_rules(rules, "ru")
    assert [len(section.sentences) for section in english] == [len(section.sentences) for section in russian]
    for sections, letters in ((english, r"[A-Za-z]"), (russian, r"[А-Яа-яЁё]")):
        for section in sections:
            assert section.sentences
            for sentence in (section.title, *section.sentences):
                assert re.fullmatch(rf"{letters}.*", sentence) and sentence[0].isupper(), sentence
                assert not re.search(r"  | [.,:;]|[.,:;]{2}|\bNone\b|\bTrue\b|\bFalse\b", sentence), sentence
            assert all(re.search(r"[^.]\.$", sentence) for sentence in section.sentences)
            assert len(set(section.sentences)) == len(section.sentences)
    assert text(rules).isascii()
    assert re.findall("[A-Za-z]+", text(rules, "ru")) == ["a"]  # the seat


def test_options_that_meet() -> None:
    both = text(Rules(deck=54, lock="s"))
    assert "A spade is beaten by a higher spade alone: no trump and no joker beats it." in both
    assert "the black joker every club." in both and "trumps too" not in both
    assert "козырную" not in text(Rules(deck=54, lock="s"), "ru")
    assert "Either joker beats all cards of the four suits but the spades" in text(
        Rules(deck=54, lock="s", jokers="supreme")
    )
    assert "rank that was led straight on the discard" in text(Rules(throw="lead", overflow=True))
    assert "the lowest trump, the two, beats the trump ace" in text(Rules(deck=52, ace6=True))
    assert "only taken or transferred" in text(Rules(transfer=True, straps="6", strapmode="must-take"))
    assert "transferred" not in text(Rules(straps="6", strapmode="must-take")).replace("cannot be transferred", "")
    assert "would come back" in text(Rules(show=True)) and "would come back" not in text(Rules())
    assert "The attack cannot be transferred, as a bout has one attack card." in text(Rules(limit=1, transfer=True))
    assert "fter a transfer" not in text(Rules(limit=1, transfer=True))
    assert "would come back" not in text(Rules(limit=1, transfer=True))
    assert "After a transfer" in text(Rules(limit=1, transfer=True, show=True))
    beyond = text(Rules(transfer=True, short="limit"))
    assert "A transfer itself may bring more attack cards than he holds; then" in beyond
    assert "A transfer itself" not in text(Rules(transfer=True)) + text(Rules(transfer=True, short="limit", limit=1))
    assert "The more straps" in text(Rules(straps="Q")) and "The more straps" not in text(Rules(straps="Qs"))
    assert "several of one rank" in text(Rules(limit=1, first=5))
    assert "the attack must keep within the limit" not in text(Rules(transfer=True, limit="hand"))
    assert "the attack must keep within the limit" in text(Rules(transfer=True, limit="hand", first=5))
    assert "This deck has no sixes: straps cannot be hung." in text(Rules(straps="6", deck=24))
    assert "The queen of diamonds is a trump: straps cannot be hung." in text(Rules(straps="Qd", lock="s"))


@pytest.mark.parametrize(
    ("straps", "english", "russian"),
    [
        ("6", "the next game is for sevens.", "дальше играют на семёрки."),
        ("T", "the next game is for jacks.", "дальше играют на валетов."),
        ("J", "the next game is for kings.", "дальше играют на королей."),
        ("A", "the next game is for the queen of one agreed suit", "дальше играют на даму одной"),
        ("Qh", "the session is over.", "игра на погоны окончена."),
    ],
)
def test_what_comes_after_straps(straps: str, english: str, russian: str) -> None:
    assert english in text(Rules(straps=straps))
    assert russian in text(Rules(straps=straps), "ru")


def test_queens_of_all_suits_are_no_part_of_a_session() -> None:
    assert "next game is for" not in text(Rules(straps="Q")) and "session" not in text(Rules(straps="Q"))


def test_russian_numbers() -> None:
    numbers = {1: "1 карта", 2: "2 карты", 4: "4 карты", 5: "5 карт", 11: "11 карт", 12: "12 карт", 14: "14 карт"}
    numbers |= {21: "21 карта", 22: "22 карты", 36: "36 карт", 52: "52 карты", 111: "111 карт", 112: "112 карт"}
    assert {number: have_cards_ru(number) for number in numbers} == numbers
    assert [of_cards_ru(number) for number in (1, 2, 5, 11, 21)] == [
        "1 карты",
        "2 карт",
        "5 карт",
        "11 карт",
        "21 карты",
    ]
    assert "не больше 1 карты и не больше" in text(Rules(limit=1), "ru")
    assert "at most 1 attack card, and" in text(Rules(limit=1))


def test_unknown_language() -> None:
    with pytest.raises(ValueError, match="lang='de' is not known: choose one of en, ru"):
        describe_rules(Rules(), "de")


# ---------------------------------------------------------------------------------------------------------- the command

CASES = DATA / "cases" / "rules"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_presets(preset: str, lang: str) -> None:
    result = run("rules", preset, "--lang", lang)
    shown = (CASES / f"{preset}.{lang}.txt").read_text(encoding="utf-8")
    assert (result.exit_code, result.stdout, result.stderr) == (0, shown, "")


def test_no_preset() -> None:
    others = "simple, perevodnoy, perevodnoy-show, japanese, pogony, round"
    assert ["podkidnoy", *others.split(", ")] == list(PRESETS)
    for args, words in (([], "Other presets"), (["--lang", "ru"], "Другие наборы правил")):
        assert run("rules", *args).stdout == f"{run('rules', 'podkidnoy', *args).stdout}\n{words}: {others}.\n"


def test_options_override_the_preset() -> None:
    result = run("rules", "perevodnoy", "--rules", "show=on limit=hand")
    assert result.stdout.startswith("rules=perevodnoy-show limit=hand\n")
    assert "as many attack cards as the defender held" in result.stdout
    assert "by showing the trump" in result.stdout
    assert run("rules", "--rules", "perevodnoy show=on limit=hand").stdout.startswith(result.stdout)
    listed = run("rules", "--rules", "rules=perevodnoy").stdout.splitlines()[-1]
    assert listed == "Other presets: podkidnoy, simple, perevodnoy-show, japanese, pogony, round."
    assert "The attack cannot be transferred." in run("rules", "perevodnoy", "--rules", "transfer=off").stdout


@pytest.mark.parametrize("lang", LANGUAGES)
def test_json(lang: str) -> None:
    result = run("rules", "pogony", "--rules", "deck=24", "--lang", lang, "--json")
    found = json.loads(result.stdout)
    rules = Rules.preset("pogony")
    assert list(found) == ["schema", "dpn", "rules", "lang", "sections"]
    assert (found["schema"], found["dpn"], found["lang"]) == ("durak.rules/1", "deck=24 rules=pogony", lang)
    assert Rules(**found["rules"]) == replace(rules, deck=24)
    assert [(part["title"], tuple(part["sentences"])) for part in found["sections"]] == [
        (section.title, section.sentences) for section in describe_rules(replace(rules, deck=24), lang)
    ]
    assert json.loads(run("rules", "--json").stdout)["dpn"] == "rules=podkidnoy"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (
            ["durak"],
            f"rules='durak' is not known: choose one of {', '.join(PRESETS)}",
        ),
        (["simple", "--rules", "perevodnoy"], "rules is given twice"),
        (["simple", "--rules", "throw=all"], "throw='all' is not allowed: choose one of any, lead, none"),
    ],
)
def test_what_cannot_be_read(args: list[str], error: str) -> None:
    result = run("rules", *args)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {error}\n")


def test_a_language_that_is_not_there() -> None:
    result = run("rules", "--lang", "de")
    assert result.exit_code == 2
    assert "'de'" in result.stderr and "Traceback" not in result.stderr


def test_lines_on_a_terminal() -> None:
    shown = on_a_terminal("rules", "perevodnoy", "--lang", "ru").replace("\r\n", "\n")
    assert max(map(len, shown.splitlines())) <= 100
    assert "\n    " in shown
    assert shown.split() == run("rules", "perevodnoy", "--lang", "ru").stdout.split()
