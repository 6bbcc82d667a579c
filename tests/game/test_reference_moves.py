"""The plain-Python rules against single sentences of the rules."""

from __future__ import annotations

import pytest

from tests.support.reference import (
    RefState,
    beats,
    legal_moves,
    make_rules,
    outcome,
    parse,
    play,
    solve,
    straps_hung,
    to_move,
)


def after(dpn: str, *moves: str) -> RefState:
    state = parse(dpn)
    for move in moves:
        state = play(state, move)
    return state


# ------------------------------------------------------------------------------------------------------- one bout


def test_four_sixes_against_four_cards() -> None:
    state = parse("6s6c6d6h9s/7s7c7dTh h a -")
    for six, seven in (("6s", "7s"), ("6c", "7c"), ("6d", "7d")):
        state = play(play(state, six if six == "6s" else f"+{six}"), f"{six}:{seven}")
    assert legal_moves(state) == ["+6h", "done"]
    assert "6s6c6d6h" in legal_moves(parse("6s6c6d6h9s/7s7c7dTh h a -"))


def test_cap_is_fixed_when_the_bout_starts() -> None:
    state = after("6s6c6dKs/7sAh h a -", "6s", "6s:7s")
    assert legal_moves(state) == ["+6c", "+6d", "done"]
    state = play(play(state, "+6c"), "take")
    assert legal_moves(state) == ["done"]


def test_defender_beats_the_last_attack_with_his_last_card_and_wins() -> None:
    state = after("6s6c6dKs/7sAh h a -", "6s", "6s:7s", "+6c", "6c:Ah")
    assert outcome(state) == "b"
    assert legal_moves(state) == []
    with pytest.raises(ValueError, match="not legal"):
        play(state, "done")


def test_attacker_out_of_cards_is_still_answered() -> None:
    state = after("6s/7s h a -", "6s")
    assert outcome(state) is None
    assert to_move(state) == "b"
    assert legal_moves(state) == ["6s:7s", "take"]
    assert outcome(play(state, "6s:7s")) == "draw"
    assert outcome(play(play(state, "take"), "done")) == "a"
    assert outcome(after("6s/7sTh h a -", "6s", "6s:7s", "done")) == "a"


def test_both_hands_empty() -> None:
    assert outcome(after("6s/7s h a - both=attacker", "6s", "6s:7s")) == "a"
    assert outcome(after("7s/6s h b - both=attacker", "6s", "6s:7s")) == "b"
    assert solve(parse("6s/7s h a -")) == ("draw", {"6s": "draw"})


def test_who_leads_next() -> None:
    taken = after("6sKs/7sAh h a -", "6s", "take", "done")
    assert (to_move(taken), legal_moves(taken)) == ("a", ["Ks"])
    beaten = after("6sKs/7sAh h a -", "6s", "6s:7s", "done")
    assert (to_move(beaten), legal_moves(beaten)) == ("b", ["Ah"])


def test_gives_stay_within_the_cap() -> None:
    state = after("6s6c6dKs/7s8sAh h a -", "6s", "take")
    assert legal_moves(state) == ["+6c", "+6d", "done"]
    state = play(play(state, "+6c"), "+6d")
    assert legal_moves(state) == ["done"]
    assert len(play(state, "done").hands[1]) == 6


def test_pursuit_off_ends_the_bout_at_once() -> None:
    state = after("6s6c6dKs/7s8sAh h a - pursuit=off", "6s", "take")
    assert (to_move(state), state.phase) == ("a", "lead")
    assert "6s" in state.hands[1]


def test_defence_ranks_open_throw_ins() -> None:
    table = "6c6d8h/9s9h h a 6s:8s"
    assert legal_moves(parse(table)) == ["+6c", "+6d", "+8h", "done"]
    assert legal_moves(parse(f"{table} throw=lead")) == ["+6c", "+6d", "done"]
    assert legal_moves(parse(f"{table} throw=none")) == ["done"]
    assert legal_moves(parse("6c6d8h/9s9h h a 6s* throw=none")) == ["done"]


def test_leads() -> None:
    assert legal_moves(parse("6s6c6d/9s9h h a -")) == ["6s", "6c", "6d", "6s6c", "6s6d", "6c6d"]
    assert legal_moves(parse("6s6c6d/9s9h h a - lead=one")) == ["6s", "6c", "6d"]
    assert "RJBJ" in legal_moves(parse("RJBJ/9s9h h a - deck=54"))


# --------------------------------------------------------------------------------------------------------- limits


def test_limit_six_and_limit_hand() -> None:
    dpn = "8d9d9hAs/TcTdThJhQhKhAh h a 6s:7s,6c:7c,6d:7d,6h:7h,8s:9s,8c:9c"
    assert parse(dpn).cap == 6
    assert legal_moves(parse(dpn)) == ["done"]
    assert parse(f"{dpn} limit=hand").cap == 13
    assert legal_moves(parse(f"{dpn} limit=hand")) == ["+8d", "+9d", "+9h", "done"]
    assert parse(f"{dpn} limit=2").cap == 2


def test_first_bout_is_limited_to_five_while_the_discard_is_empty() -> None:
    whole = "9s9cTsTcTdThJsJcJdJhQsQc/9d9hQdQhKsKcKdKhAsAcAdAh h a - deck=24"
    assert parse(whole).discard_count == 0
    assert parse(whole).cap == 6
    state = parse(f"{whole} first=5")
    assert state.cap == 5
    for move in ("Ts", "Ts:Ks", "+Tc", "Tc:Kc", "+Td", "Td:Kd", "+Th", "Th:Kh"):
        state = play(state, move)
    assert state.phase == "throw"
    state = play(state, "done")
    assert (to_move(state), state.discard_count, state.cap) == ("b", 8, 6)
    assert parse("9s9cTsTcTdTh/9d9hQdQhKsKc h a - deck=24 first=5").cap == 6
    taken = after(f"{whole} first=5", "Ts", "take", "done")
    assert (to_move(taken), taken.discard_count, taken.cap) == ("a", 0, 5)


def test_the_fifth_attack_closes_a_first_bout() -> None:
    whole = "9s9c9d9hTdJsJcJhQsQcQdQh/TsTcThJdKsKcKdKhAsAcAdAh h a - deck=24"
    moves = ("9s", "9s:Ts", "+9c", "9c:Tc", "+9d", "9d:Jd", "+9h", "9h:Th", "+Td", "Td:Kd")
    assert after(f"{whole} first=5", *moves).phase == "lead"
    assert legal_moves(after(whole, *moves)) == ["+Js", "+Jc", "+Jh", "done"]


def test_overflow_goes_straight_to_the_discard() -> None:
    state = after("6s6c6dKs/7sAs h a - limit=1 overflow=on", "6s", "6s:7s")
    assert legal_moves(state) == ["+6c", "+6d", "done"]
    state = play(state, "+6c")
    assert state.table == (("6s", "7s"),)
    assert state.discard_count == 36 - 5
    assert after("6s6c6dKs/7sAs h a - limit=1", "6s", "6s:7s").phase == "lead"


# ---------------------------------------------------------------------------------------------------------- stock


def test_attacker_draws_first_and_the_turn_up_last() -> None:
    state = after("6s7c8c9cTcJc/7s8d9dTdJdQd h a - KsAs6h", "6s", "6s:7s", "done")
    assert state.hands[0] == frozenset(("7c", "8c", "9c", "Tc", "Jc", "Ks"))
    assert "As" in state.hands[1]
    assert state.stock == ("6h",)
    assert to_move(state) == "b"


def test_an_empty_hand_is_refilled_before_the_end_is_tested() -> None:
    state = after("6s/7s h a - 8h", "6s", "6s:7s")
    assert outcome(state) == "b"
    assert state.hands == (frozenset(("8h",)), frozenset())


@pytest.mark.parametrize(
    ("dpn", "expected"),
    [
        ("6h7d/8s9s h a - QsKh exchange=on", "7dKh/8s9s h a - Qs6h exchange=on"),
        ("6h7d/8s9s h b 8c QsKh exchange=on", "7dKh/8s9s h b 8c Qs6h exchange=on"),
        ("6h7d/8s9s h a 8c:9c QsKh exchange=on", "7dKh/8s9s h a 8c:9c Qs6h exchange=on"),
        ("6h7d/8s9s h a 8c* Kh exchange=on", "7dKh/8s9s h a 8c* 6h exchange=on"),
        ("2c7d/8s9s c a - Ac deck=52 exchange=on", "7dAc/8s9s c a - 2c deck=52 exchange=on"),
    ],
)
def test_exchange(dpn: str, expected: str) -> None:
    state = after(dpn, "exchange")
    assert state == parse(expected)
    assert to_move(state) == to_move(parse(dpn))
    assert "exchange" not in legal_moves(state)


@pytest.mark.parametrize(
    "dpn",
    [
        "6h/7s h a - exchange=on",  # the stock is used up
        "6h/7s h a - Kh",  # not agreed on
        "7d/6h8s h a - QsKh exchange=on",  # the other one's turn
        "7h/8s h a - Kh exchange=on",  # the lowest trump in the hands, but not of the deck
        "7h/8s h a - 6h exchange=on",  # the turn-up itself
        "6s/7s - a - Kh exchange=on",  # no trump suit
        "7d/8s h a 6h:9h Kh exchange=on",  # on the table
    ],
)
def test_no_exchange(dpn: str) -> None:
    assert "exchange" not in legal_moves(parse(dpn))


# ------------------------------------------------------------------------------------------------------ transfers

LOOP = "8s8cQdKd/7s7cTdJd h a - transfer=on"


def test_transfers_can_go_round() -> None:
    start = parse(LOOP)
    half = ("8s", "take", "done", "8c", ">8s", "take", "done")
    other = ("7s", "take", "done", "7c", ">7s", "take", "done")
    assert after(LOOP, *half, *other) == start


def test_transfer_swaps_roles_and_renews_the_cap() -> None:
    state = after("6s9s9c9d/6cAsAhKhQhJhTh h a - transfer=on", "6s", ">6c")
    assert to_move(state) == "a"
    assert (state.attacker, state.attacks, state.cap) == (1, 2, 3)
    assert legal_moves(state) == ["6s:9s", "6c:9c", "take"]
    state = play(play(play(state, "take"), "done"), "Th")
    assert to_move(state) == "a"


@pytest.mark.parametrize("short", ["forbid", "limit"])
def test_transfer_to_a_short_hand(short: str) -> None:
    state = after(f"6s9s/6cAsAh h a - transfer=on short={short}", "6s")
    assert (">6c" in legal_moves(state)) == (short == "limit")


def test_a_short_hand_beats_what_it_can() -> None:
    state = after("6s9s/6cAsAh h a - transfer=on short=limit", "6s", ">6c", "6s:9s")
    assert outcome(state) == "a"


def test_bita_takes_the_top_of_the_discard_first() -> None:
    state = after("6s9s/6cAsAh h a - - 7d8d transfer=on short=bita", "6s", ">6c")
    assert state.hands[0] == frozenset(("9s", "8d"))
    assert state.discard == ("7d",)
    with pytest.raises(NotImplementedError):
        after("6s9s/6cAsAh h a - transfer=on short=bita", "6s", ">6c")


def test_no_transfer_beyond_the_limit_or_after_a_beat() -> None:
    assert ">6c" not in legal_moves(after("6s9s9c/6cAsAh h a - transfer=on limit=1", "6s"))
    state = after("6s6d9s9c9d/6c7sAsAh h a - transfer=on", "6s6d")
    assert ">6c" in legal_moves(state)
    assert ">6c" not in legal_moves(play(state, "6s:7s"))


def test_show_once_per_player_and_bout() -> None:
    dpn = "6s9s9c/6hAsAd h a - rules=perevodnoy-show"
    state = after(dpn, "6s", "^6h")
    assert (to_move(state), state.attacks, state.cap) == ("a", 1, 2)
    assert "6h" in state.hands[1]
    again = after("6s6d9s9c9d/6hAsAdAc h a - rules=perevodnoy-show", "6s", "^6h", ">6d")
    assert ">6h" in legal_moves(again)
    assert "^6h" not in legal_moves(again)
    assert "^6h" in legal_moves(parse("9s9c9d/6hAsAdAc h a 6s,6d rules=perevodnoy-show"))
    assert "^6h" not in legal_moves(parse("9s9c9d/6hAsAdAc h a 6s,6d rules=perevodnoy-show shown=b"))


# ---------------------------------------------------------------------------------------------------------- beats


@pytest.mark.parametrize(
    ("defence", "attack", "options", "expected"),
    [
        ("7s", "6s", "", True),
        ("6s", "7s", "", False),
        ("7c", "6s", "", False),
        ("6d", "As", "", True),
        ("As", "6d", "", False),
        ("6d", "Ad", "", False),
        ("6d", "Ad", "ace6=on", True),
        ("6s", "As", "ace6=on", False),
        ("6d", "Ad", "ace6=on deck=52", False),
        ("2d", "Ad", "ace6=on deck=52", True),
        ("6d", "As", "lock=s", False),
        ("As", "Ks", "lock=s", True),
        ("6d", "Ac", "lock=s", True),
        ("RJ", "Ad", "deck=54", True),
        ("BJ", "Ad", "deck=54", False),
        ("BJ", "As", "deck=54", True),
        ("RJ", "As", "deck=54", False),
        ("RJ", "As", "deck=54 jokers=supreme", True),
        ("RJ", "BJ", "deck=54 jokers=supreme", False),
        ("Ad", "BJ", "deck=54", False),
        ("Ad", "6s", "straps=6 strapmode=must-take", False),
        ("Ad", "7s", "straps=6 strapmode=must-take", True),
    ],
)
def test_beats(defence: str, attack: str, options: str, expected: bool) -> None:
    rules = make_rules(dict(option.split("=") for option in options.split()))
    assert beats(defence, attack, "d", rules) == expected


# --------------------------------------------------------------------------------------------------------- straps


def test_straps_count_the_last_group_and_what_was_given() -> None:
    led = after("6s6c6d/7s7cTs h a - straps=6", "6s6c6d", "take", "done")
    assert (outcome(led), straps_hung(led)) == ("a", 3)
    given = after("6s6c/7s7cTs h a - straps=6", "6s", "take", "+6c", "done")
    assert (outcome(given), straps_hung(given)) == ("a", 2)
    thrown = after("6s6c/7s8cAs h a - straps=6", "6s", "6s:7s", "+6c", "6c:8c", "done")
    assert (outcome(thrown), straps_hung(thrown)) == ("a", 1)


def test_trumps_and_other_ranks_hang_no_straps() -> None:
    trump = after("6s6h/7s7cTs h a - straps=6", "6s6h", "take", "done")
    assert (outcome(trump), straps_hung(trump)) == ("a", 0)
    other = after("7d/7s7cTs h a - straps=6", "7d", "take", "done")
    assert (outcome(other), straps_hung(other)) == ("a", 0)
    queen = after("Qs/7s7cTs h a - straps=Qs", "Qs", "take", "done")
    assert (outcome(queen), straps_hung(queen)) == ("a", 1)


def test_strap_rank_is_led_last_in_must_take() -> None:
    options = "straps=6 strapmode=must-take"
    assert legal_moves(parse(f"6s8c/7s7c h a - {options}")) == ["8c"]
    assert legal_moves(parse(f"6s6c/7s7c h a - {options}")) == ["6s", "6c", "6s6c"]
