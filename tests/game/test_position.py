"""Positions: building, questions, defects."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest

from durak_solver.game.defects import IllegalPositionError
from durak_solver.game.position import Position
from durak_solver.model.cards import Card, deck_cards
from durak_solver.model.moves import Move
from durak_solver.model.rules import Rules, beats
from tests.support import reference

# ---------------------------------------------------------------------------------------------------------- building


def test_build_reads_what_people_type() -> None:
    expected = Position.from_dpn("6s7dTh/9c6h8h h a -")
    assert Position.build(a="6s 7d Th", b="6h 8h 9c", trump="h") == expected
    assert Position.build("6♠,7♦, 10♥", ["6h", Card("8h"), "9♣"], "♥", "A") == expected
    assert Position.build(a="6п 7б 10ч", b="6ч 8ч 9т", trump="ч", table="-", stock="-", discard="-") == expected


def test_build_every_argument() -> None:
    position = Position.build(
        a="6s ?2",
        b="?3",
        trump=None,
        attacker="b",
        table="6c : 8c , 6d *",
        stock=[None, "9s", Card("7h")],
        discard="9h 8s",
        rules="perevodnoy-show",
        shown="a",
        limit="hand",
        first=5,
    )
    text = "6s,?2/?3 - b 6c:8c,6d* ?1,9s7h 9h8s rules=perevodnoy-show limit=hand first=5 shown=a"
    assert position == Position.from_dpn(text)


def test_build_takes_its_own_parts_back() -> None:
    position = Position.from_dpn("6s7dQd/9c h b 6c:8c,6d* ?2,7h 9h8s rules=simple")
    again = Position.build(
        *position.hands,
        position.trump,
        position.attacker,
        table=position.table,
        taking=position.taking,
        stock=position.stock,
        discard=position.discard,
        rules=position.rules,
        shown=position.shown,
    )
    assert again == position


def test_build_options_override_the_preset() -> None:
    position = Position.build("6s", "7s", "h", rules="simple", both="attacker", pursuit=False)
    assert position.rules == Rules(throw="lead", both="attacker", pursuit=False)
    assert Position.build("6s", "7s", "h", rules=Rules(deck=24), deck="52").rules == Rules(deck=52)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": "6s 7x"}, "^a: a suit was expected, not 'x'"),
        ({"b": "6 h"}, "^b: a suit was expected"),
        ({"b": 6}, "^b: a text or several cards were expected, not 6"),
        ({"b": ["6h", 7]}, "^b: a suit was expected"),
        ({"trump": "x"}, "^trump: a suit was expected"),
        ({"trump": "hs"}, "^trump: one suit was expected"),
        ({"attacker": "c"}, "^attacker: a or b was expected"),
        ({"table": "6c 8"}, "^table: a suit was expected"),
        ({"table": "6c::8c"}, "^table: a rank was expected"),
        ({"stock": "?x"}, "^stock: a number of cards"),
        ({"discard": "?3"}, "^discard: only known cards"),
        ({"rules": "durak"}, "^rules='durak' is not known"),
        ({"shown": "c"}, "^shown='c' is not allowed"),
        ({"throw": "all"}, "^throw='all' is not allowed"),
        ({"trumps": "h"}, "^trumps is neither"),
    ],
)
def test_build_names_the_wrong_argument(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Position.build(**({"a": "6s", "b": "6h", "trump": "h"} | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        {"trump": "x"},
        {"trump": ""},
        {"attacker": "ab"},
        {"attacker": ""},
        {"shown": "ba"},
        {"unknown": (-1, 0)},
        {"unknown": (0, 55)},
    ],
)
def test_the_constructor_checks(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"is not allowed|unknown cards"):
        Position(**({"hands": ((), ()), "trump": None, "attacker": "a"} | arguments))  # type: ignore[arg-type]


def test_positions_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Position.from_dpn("6s/6h h a -").taking = True  # type: ignore[misc]


def test_repr_and_str() -> None:
    position = Position.from_dpn("7d6s/6h h a -")
    assert repr(position) == 'Position.from_dpn("6s7d/6h h a -")'
    assert str(position) == position.to_dpn() == "6s7d/6h h a -"


# ---------------------------------------------------------------------------------------------------------- questions


@pytest.mark.parametrize(
    ("dpn", "phase", "to_move", "cap"),
    [
        ("6s/6h7h h a -", "lead", "a", 2),
        ("6s/6h h b -", "lead", "b", 1),
        ("6s/6h h a 7s", "defend", "b", 1),
        ("6s/6h h b 7s,7d:8d", "defend", "a", 2),
        ("6s/6h h a 7s:8s,7d:8d", "throw", "a", 3),
        ("6s/6h7h8h h a 7s:8s,7d*", "give", "a", 4),
        ("6s/6c7c8c9cTcJcQcKc h a -", "lead", "a", 6),
        ("6s/6c7c8c9cTcJcQcKc h a - limit=hand", "lead", "a", 8),
        ("6s/6c7c8c9cTcJcQcKc h a - limit=2", "lead", "a", 2),
        ("?6/?6 h a - ?23,7h first=5", "lead", "a", 5),
        ("?6/?6 h a - ?21,7h first=5", "lead", "a", 6),
        ("-/6h h a -", "over", None, 1),
        ("-/6h h a 7s", "defend", "b", 1),
        ("-/6h h a - 7s8h", "lead", "a", 1),
    ],
)
def test_phase_turn_and_cap(dpn: str, phase: str, to_move: str | None, cap: int) -> None:
    position = Position.from_dpn(dpn)
    assert (position.phase, position.to_move, position.cap) == (phase, to_move, cap)
    assert {position.attacker, position.defender} == {"a", "b"}


@pytest.mark.parametrize(
    ("dpn", "outcome"),
    [
        ("-/6h h a -", "a"),
        ("6h/- h a -", "b"),
        ("-/- h a -", "draw"),
        ("-/- h b - both=attacker", "b"),
        ("?3/- h b - both=attacker", "b"),
        ("6s/6h h a -", None),
        ("-/6h h a 6s", None),
        ("-/6h h a - 7h", None),
    ],
)
def test_outcome(dpn: str, outcome: str | None) -> None:
    assert Position.from_dpn(dpn).outcome() == outcome


# ---------------------------------------------------------------------------------------------------------- defects


@pytest.mark.parametrize(
    ("dpn", "codes"),
    [
        # Cards.
        ("6s7s/6s8h h a -", "duplicate_card"),
        ("6s6s7s/8h h a -", "duplicate_card"),
        ("6s/8h h a 7s:9s - 7s", "duplicate_card"),
        ("6s/8h h a - 6s9h", "duplicate_card short_hand short_hand"),
        ("2s/8h h a -", "card_outside_deck"),
        ("9s/8h h a - deck=24", "card_outside_deck"),
        ("6s/RJ h a - deck=52", "card_outside_deck"),
        ("6s/?36 h a -", "too_many_cards"),
        ("?17/?17 h a - - 6s7s8s", "too_many_cards"),
        # Trump and stock.
        ("6s/8h h a - lock=s", "lock_needs_diamonds"),
        ("6s/8h - a - lock=s", "lock_needs_diamonds"),
        ("?6/?6 h a - 7h,?1,8s", "turn_up_not_trump"),
        ("?6/?6 h a - ?1,RJ deck=54", "turn_up_not_trump"),
        ("?5/?6 h a - 8h", "short_hand"),
        ("?4/?4 h b - 8h hand=5", "short_hand short_hand"),
        ("?5/?5 h a 6s:7s ?3", ""),
        ("?5/?4 h a 6s:7s ?3", "short_hand"),
        ("?4/?6 h a 6s ?3", "short_hand"),
        ("?4/?6 h a 6s ?3 rules=perevodnoy", ""),
        ("?4/?6 h a 6s ?3 overflow=on", ""),
        # The cap.
        ("-/8h h a 6s,6c", "over_defender_hand"),
        ("-/8h h a 6s:7s,6c,6d", "over_defender_hand"),
        ("7d/8h9h h a 6s:7s,7c,6c:8c", "played_too_early"),
        ("Ts/?9 h a 6s,6c,6d limit=2", "over_limit"),
        ("?5/8h h a 6s,6c rules=perevodnoy short=limit", ""),
        ("?5/8h h a 6s,6c rules=perevodnoy short=forbid", "over_defender_hand"),
        # Ranks of attack cards.
        ("Ts/8h9h h a 6s,7s", "played_too_early rank_not_allowed"),
        ("Ts/8h h a 6s:7s,8s", "rank_not_allowed"),
        ("Ts/8h h a 6s:7s,7c", ""),
        ("Ts/8h h a 6s:7s,7c rules=simple", "rank_not_allowed"),
        ("Ts/8h h a 6s:7s,6c rules=simple", ""),
        ("Ts/8h h a 6s:7s,6c throw=none", ""),
        ("Ts/8h h a 6s:7s,6c throw=none lead=one", "rank_not_allowed"),
        ("Ts/8h h a 6s:7s,6c lead=one", ""),
        ("Ts/8h9h h a 6s,6c lead=one", "played_too_early"),
        ("Ts/8h9h h a 6s,6c lead=one transfer=on", ""),
        ("Ts/8h9h h a 6s,6c:8c", ""),
        ("Ts/8h9h h a 6s:7s,7c:9c,6d", ""),
        ("Ts/8h9h h a 6s:7s,7c,9c", "played_too_early rank_not_allowed"),
        ("Ts/8h9h h a 6s,6c:7c,7d", "played_too_early"),
        ("Ts/8h9h h a 6s,6c:7c,7d*", ""),
        ("Ts/8h9h h a 6s,7d*", "rank_not_allowed"),
        ("Ts/8h9h h a 6s,6d* throw=none lead=one", "rank_not_allowed"),
        ("Ts/8h9h h a 6s,6d* throw=none", ""),
        ("Ts/8h9h h a 6s,6c,7d:8d*", "played_too_early rank_not_allowed"),
        # Beating.
        ("Ts/8h h a 6s:7c", "does_not_beat"),
        ("Ts/8h h a 7s:6s", "does_not_beat"),
        ("Ts/8h h a 6h:7s", "does_not_beat"),
        ("Ts/8h - a 6s:7h", "does_not_beat"),
        ("Ts/8h d a 6s:7d lock=s", "does_not_beat"),
        ("Ts/8h h a Ah:6h ace6=on", ""),
        ("Ts/8h h a Ah:7h ace6=on", "does_not_beat"),
        ("Ts/8h h a As:BJ deck=54", ""),
        ("Ts/8h h a As:RJ deck=54", "does_not_beat"),
        ("Ts/8h h a As:RJ deck=54 jokers=supreme", ""),
        ("Ts/8h h a BJ:RJ deck=54 jokers=supreme", "does_not_beat"),
        ("Ts/8h h a 6s:7s straps=6 strapmode=must-take", "does_not_beat"),
        # The end of a bout and of the game.
        ("Ts/- h a 6s:7s", "bout_over"),
        ("Ts/8h h a 6s:7s limit=1", "bout_over"),
        ("Ts/8h h a 6s:7s limit=1 overflow=on", ""),
        ("Ts/8h h a -*", "take_empty_table"),
        ("Ts/8h h a 6s:7s*", "take_all_beaten"),
        ("Ts/8h h a 6s* pursuit=off", "take_ends_bout"),
        ("Ts/- h a -", "game_over"),
        ("-/- h a -", "game_over"),
        # Showing.
        ("Ts/8h h a 6s shown=a", "shown_without_rule"),
        ("Ts/8h h a - shown=a show=on", "shown_empty_table"),
        ("Ts/8h h a 6s shown=ab show=on", ""),
        # Several at once.
        (
            "2s6s/6s8h h a 6c:7c,7d,Ad:Kd* ?1,8s shown=a",
            "duplicate_card card_outside_deck turn_up_not_trump short_hand short_hand shown_without_rule "
            "played_too_early rank_not_allowed does_not_beat",
        ),
    ],
)
def test_defects(dpn: str, codes: str) -> None:
    position = Position.from_dpn(dpn)
    found = [defect.code for defect in position.status()]
    assert sorted(found) == sorted(codes.split())
    assert position.is_legal == (not codes)
    if codes and codes != "game_over":
        with pytest.raises(IllegalPositionError) as caught:
            _ = position.legal_moves
        assert all(defect.text in str(caught.value) for defect in position.status())
        with pytest.raises(IllegalPositionError):
            position.play(Move("done"))
        assert pickle.loads(pickle.dumps(caught.value)).defects == position.status()


def test_defects_are_sentences() -> None:
    texts = [str(defect) for defect in Position.from_dpn("6s7s/6s8h h a 7s - 7s").status()]
    assert texts == [
        "6s is in more than one place: a's hand and b's hand",
        "7s is in more than one place: a's hand and the table and the discard",
    ]
    assert str(Position.from_dpn("6s6s/8h h a -").status()[0]) == "6s is in more than one place: a's hand (2 times)"
    (defect,) = Position.from_dpn("-/8h h a 6s,6c").status()
    assert str(defect) == "2 attack cards on the table, but the defender began the bout with 1 card"


def test_first_limit() -> None:
    table = "6s:7s,6c:7c,6d:7d,7h:8h,8s:9s,8c"
    assert Position.from_dpn(f"?5/?5 h a {table} ?15 first=5").status()[0].code == "over_limit"
    assert Position.from_dpn(f"?5/?5 h a {table} ?13 first=5").is_legal


def test_beats_agrees_with_the_reference() -> None:
    for text in ("", "deck=54", "deck=54 jokers=supreme", "ace6=on", "lock=s deck=54", "straps=Qh strapmode=must-take"):
        options = dict(option.split("=") for option in text.split())
        rules, ref_rules = Rules.from_options(options), reference.make_rules(options)
        deck = deck_cards(rules.deck)
        for trump in "d" if rules.lock else "sh":
            for attack in deck:
                for defence in deck:
                    expected = reference.beats(str(defence), str(attack), trump, ref_rules)
                    assert beats(defence, attack, trump, rules) == expected or defence == attack
