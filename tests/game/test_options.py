"""Every mix of options: positions and the core against the plain-Python rules, and single sentences of the rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import Card, Engine, Game, IllegalMoveError, Position, UnsupportedError
from durak_solver._core import policies
from durak_solver._core.state import DEFEND, GIVE, LEAD, OVER, THROW, State
from durak_solver.game import core
from durak_solver.model.moves import Move
from durak_solver.notation.dpn import DPNError
from tests.support import reference
from tests.support.strategies import starts

PHASES = {LEAD: "lead", DEFEND: "defend", THROW: "throw", GIVE: "give", OVER: "over"}


def play(dpn: str, *moves: str) -> Position:
    position = Position.from_dpn(dpn)
    for move in moves:
        position = position.play(move)
    return position


def legal(position: Position) -> list[str]:
    return [str(move) for move in position.legal_moves]


# ---------------------------------------------------------------------------------------------------------- reference


def require_same_position(position: Position, state: reference.RefState) -> None:
    rules = state.rules
    assert tuple(frozenset(map(str, hand)) for hand in position.hands) == state.hands
    assert "ab".index(position.attacker) == state.attacker
    assert tuple((str(attack), defence and str(defence)) for attack, defence in position.table) == state.table
    assert (position.phase, position.taking) == (state.phase, state.taking)
    assert tuple(map(str, position.stock)) == state.stock
    assert position.shown == "".join("ab"[seat] for seat in sorted(state.shown))
    assert position.outcome() == reference.outcome(state)
    assert position.discard_size == state.discard_count
    if rules.short == "bita":
        assert tuple(map(str, position.discard)) == state.discard
    if not state.over:
        assert (position.to_move, position.cap) == (reference.to_move(state), state.cap)
    if rules.straps and state.table:
        assert frozenset(map(str, position.last_group)) == state.group
    assert position.straps == (reference.straps_hung(state) if state.over else 0)


def require_same_state(found: State, state: reference.RefState) -> None:
    trump = None if state.trump == "-" else state.trump

    def bits(*cards: str) -> int:
        return core.card_set(map(Card, cards), trump)

    assert found.hands == (bits(*state.hands[0]), bits(*state.hands[1]))
    assert (found.attacker, PHASES[found.phase]) == (state.attacker, state.phase)
    assert found.attacks == bits(*(attack for attack, _ in state.table))
    assert found.defences == bits(*(defence for _, defence in state.table if defence))
    assert found.unbeaten == bits(*state.unbeaten)
    assert found.stock == tuple(map(bits, state.stock))
    assert found.shown == sum(1 << seat for seat in state.shown)
    assert found.winner == {"a": 0, "b": 1, "draw": 2, None: -1}[reference.outcome(state)]
    assert found.straps == (reference.straps_hung(state) if state.over else 0)
    if state.rules.short == "bita" and state.rules.transfer:
        assert found.pile == tuple(map(bits, (*state.discard, *state.table_cards)))
    if not state.over:
        assert found.cap == state.cap


def require_same_views(position: Position, move: Move, after: Position) -> None:
    """A move looks alike to the player himself and to the one who does not know the cards it comes from."""
    for seat in "ab":
        seen = position.view(seat).play(move)
        assert (seen.table, seen.phase, seen.attacker) == (after.table, after.phase, after.attacker)
        assert (seen.hand_sizes, seen.shown, seen.discard) == (after.hand_sizes, after.shown, after.discard)
        assert seen.cap == after.cap


@settings(max_examples=60, deadline=None)
@given(state=starts(), seed=st.integers(0, 2**32))
def test_games(state: reference.RefState, seed: int) -> None:
    rng = random.Random(seed)
    trump = None if state.trump == "-" else state.trump
    position = Position.from_dpn(reference.write(state))
    found = core.bout_state(position)
    for ply in range(300):
        require_same_position(position, state)
        require_same_state(found, state)
        # The text says everything, and the position is one that the rules let be.
        read = Position.from_dpn(position.to_dpn())
        assert (read, read.to_dpn()) == (position, position.to_dpn())
        assert [defect.code for defect in read.status()] == ["game_over"] * state.over
        if state.over:
            break
        assert core.bout_state(read) == found
        moves = reference.legal_moves(state)
        by_text = {str(core.from_core(move, trump)): move for move in found.moves()}
        assert sorted(by_text) == sorted(moves)
        assert sorted(legal(read)) == sorted(moves)
        rare = [move for move in moves if move[0] in ">^+"]
        text = rng.choice(rare if rare and rng.random() < 0.4 else moves)
        move = core.from_core(by_text[text], trump)
        try:
            after = reference.play(state, text)
        except NotImplementedError:  # the top of the discard is not known
            with pytest.raises(LookupError):
                found.play(*by_text[text])
            with pytest.raises(UnsupportedError, match="top card of the discard"):
                position.play(move)
            break
        before, position = position, position.play(move)
        found, state = found.play(*by_text[text]), after
        if ply % 4 == 0:
            require_same_views(before, move, position)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(state=starts(), seed=st.integers(0, 2**32))
def test_more_games(state: reference.RefState, seed: int) -> None:
    test_games.hypothesis.inner_test(state, seed)  # type: ignore[attr-defined]


# ---------------------------------------------------------------------------------------------------------- transfers


def test_a_transfer_swaps_roles() -> None:
    position = play("6s9s9c9d/6cAsAhKh h a - transfer=on", "6s")
    assert legal(position) == [">6c", "6s:As", "6s:Kh", "6s:Ah", "take"]
    position = position.play(">6c")
    assert position.to_dpn() == "9s9c9d/AsKhAh h b 6s,6c rules=perevodnoy"
    assert (position.to_move, position.cap) == ("a", 3)
    assert position.play("take").play("done") == Position.from_dpn("6s9s6c9c9d/AsKhAh h b - rules=perevodnoy")


def test_a_show_keeps_the_card() -> None:
    position = play("6s9s9c/6hAsAd h a - rules=perevodnoy-show", "6s", "^6h")
    assert position.to_dpn() == "9s9c/AsAd6h h b 6s rules=perevodnoy-show shown=b"
    # What b has shown is known to be there.
    hidden = play("6s9s9c/?3 h a - rules=perevodnoy-show", "6s", "^6h")
    assert hidden.to_dpn() == "9s9c/6h,?2 h b 6s rules=perevodnoy-show shown=b"


def test_short_hands() -> None:
    forbidden = Position.from_dpn("9s/6cAsAh h a 6s transfer=on")
    with pytest.raises(IllegalMoveError, match="a holds only 1 card and would have to beat 2"):
        forbidden.play(">6c")
    excused = play("9s/6cAsAh h a 6s transfer=on short=limit", ">6c", "9s")
    assert (excused.phase, excused.outcome(), list(map(str, excused.discard))) == ("over", "a", ["6s", "9s", "6c"])
    drawn = play("9s/6cAsAh h a 6s - 7d8d transfer=on short=bita", ">6c")
    assert drawn.to_dpn() == "9s8d/AsAh h b 6s,6c - 7d rules=perevodnoy short=bita"
    with pytest.raises(UnsupportedError, match=">6c cannot be played: it takes the top card of the discard"):
        play("9s/6cAsAh h a 6s transfer=on short=bita", ">6c")


@pytest.mark.parametrize(
    ("dpn", "move", "reason"),
    [
        ("9s9c/6cAs h a 6s transfer=on", ">As", "As is not of the led rank"),
        ("9s9c9d/6dAs h a 6s:7s,6c transfer=on", ">6d", "something has been beaten already"),
        ("9s9c9d/6dAs h a 6s transfer=on limit=1", ">6d", "the limit is 1 attack card"),
        ("9s9c/6dAs h a 6s rules=perevodnoy-show", "^6d", "6d is no trump"),
        ("9s9c9d/6hAsAc h a 6s,6d rules=perevodnoy-show shown=b", "^6h", "b has shown in this bout already"),
        ("9s/6hAsAc h a 6s,6d rules=perevodnoy-show", "^6h", "a holds only 1 card and would have to beat 2"),
        ("9s9c/6cAs h a 6s", ">6c", "it is b's turn to beat or take"),
        ("9s9c/6cAs h a 6s transfer=on", ">6d", "b does not hold 6d"),
    ],
)
def test_why_no_transfer(dpn: str, move: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Position.from_dpn(dpn).play(move)
    assert str(caught.value) == f"{move} is not legal: {reason}"


def test_the_two_cycles_of_the_field_go_round() -> None:
    hearts = "8s8cQdKd/7s7cTdJd h a - transfer=on"
    half = ("8s", "take", "done", "8c", ">8s", "take", "done")
    other = ("7s", "take", "done", "7c", ">7s", "take", "done")
    assert play(hearts, *half, *other) == Position.from_dpn(hearts)
    spades = "7d7s8s/6c6d8c8d s a - transfer=on"
    state = reference.parse(spades)
    assert sorted(legal(Position.from_dpn(spades))) == sorted(reference.legal_moves(state))


def test_an_unknown_discard_that_matters_is_refused() -> None:
    position = Position.from_dpn("6s7d9c/8h9h h a - - 6c7c rules=perevodnoy short=bita")
    message = "with short=bita the order of the discard matters, but 29 of its 31 cards are not known"
    with pytest.raises(UnsupportedError, match=message):
        Engine().solve(position)


def test_a_game_with_transfers_is_written_and_read() -> None:
    text = """[Rules "perevodnoy-show"]
[Position "6s9s9c/6h6dAsAd h a - rules=perevodnoy-show"]
[Result "*"]

1. 6s ^6h take done
2. 6h ^6h
"""
    with pytest.raises(ValueError, match="bout 2, move 2"):  # it is no longer b's
        Game.from_dgn(text)
    game = Game.from_dgn(text.replace("2. 6h ^6h", "2. 6d take done"))
    assert game.position.to_dpn() == "6s9s9c6d/AsAd6h h b - rules=perevodnoy-show"
    assert Game.from_dgn(game.to_dgn()) == game


# ---------------------------------------------------------------------------------------------------------- the rest


def test_jokers() -> None:
    position = Position.from_dpn("6s6d/RJBJ7h h a - deck=54")
    assert legal(position.play("6s")) == ["6s:7h", "6s:BJ", "take"]
    assert legal(position.play("6d")) == ["6d:7h", "6d:RJ", "take"]
    assert legal(Position.from_dpn("6s6d/RJBJ7h h a - deck=54 jokers=supreme").play("6s"))[1:3] == ["6s:RJ", "6s:BJ"]
    # They are one rank, in no suit, and no card beats them.
    both = Position.from_dpn("6s7sRJ/Ah8dBJ9c h b - deck=54 transfer=on")
    assert legal(both.play("BJ")) == [">RJ", "take"]
    assert legal(both.play("BJ").play(">RJ")) == ["take"]


def test_lock_and_ace6() -> None:
    assert legal(Position.from_dpn("6s7c/8s9d6d d a 6c rules=japanese"))[-1] == "take"
    assert legal(Position.from_dpn("7c/8s9d6d d a 6s rules=japanese")) == ["6s:8s", "take"]
    assert legal(Position.from_dpn("7c/8s9d6d d a 6c rules=japanese")) == ["6c:6d", "6c:9d", "take"]
    assert legal(Position.from_dpn("7c/8s9d6dKd d a Ad ace6=on")) == ["Ad:6d", "take"]


def test_overflow_goes_to_the_discard_under_the_table() -> None:
    position = play("6s6c6dKs/7sAs h a - limit=1 overflow=on", "6s", "7s")
    assert legal(position) == ["+6c", "+6d", "done"]
    position = position.play("+6c")
    assert position.to_dpn() == "Ks6d/As h a 6s:7s - 6c limit=1 overflow=on"
    assert position.play("done").to_dpn() == "Ks6d/As h b - - 6c6s7s limit=1 overflow=on"


def test_the_cap_of_a_first_bout_is_kept_when_cards_overflow() -> None:
    start = "9s9c9d9hTdTcJsJcJhQs/TsThJdKsKcKdKhAsAcAdAhQcQdQh h a - deck=24 first=5 overflow=on"
    moves = ("9s", "9s:Ts", "+9c", "9c:Qc", "+9d", "9d:Jd", "+9h", "9h:Th", "+Td", "Td:Kd")
    position = play(start, *moves)
    assert (position.cap, position.bout_cap) == (5, None)
    position = position.play("+Js")
    assert (position.cap, position.bout_cap, len(position.table)) == (5, 5, 5)
    assert position.to_dpn().endswith("deck=24 first=5 overflow=on cap=5")
    assert len(position.play("+Jc").table) == 5, "the second one too goes to the discard"
    assert position.play("done").bout_cap is None


def test_straps() -> None:
    led = play("6s6c6d/7s7cTs h a - straps=6", "6s6c6d", "take", "done")
    assert (led.outcome(), led.straps) == ("a", 3)
    assert led.to_dpn() == "-/6s7sTs6c7c6d h a - rules=pogony group=6s6c6d"
    beaten = play("6s6c/7s7cTs h a - straps=6", "6s6c", "6s:7s", "take", "done")
    assert beaten.straps == 2, "both were led together"
    assert play("6s6h/7s7cTs h a - straps=6", "6s6h", "take", "done").straps == 0
    assert play("6s7d/7s7cTs h a - straps=6", "7d", "take", "done", "6s", "7s").straps == 0
    must_take = Position.from_dpn("6s8c/7s7cAh h a - straps=6 strapmode=must-take")
    assert legal(must_take) == ["8c"]
    with pytest.raises(IllegalMoveError, match="with strapmode=must-take cards of the strap rank are led last"):
        must_take.play("6s")
    assert legal(Position.from_dpn("8c/7s7cAh h a 6s straps=6 strapmode=must-take")) == ["take"]
    # Unknown cards may all be straps, but not where too many straps are somewhere else.
    hidden = Position.from_dpn("?2/?1 h a - straps=6 strapmode=must-take")
    assert hidden.play("6s").to_dpn() == "?1/?1 h a 6s rules=pogony strapmode=must-take"
    with pytest.raises(IllegalMoveError, match="cards of the strap rank are led last"):
        Position.from_dpn("?2/?1 h a - - 6c6d6h straps=6 strapmode=must-take").play("6s")


@pytest.mark.parametrize(
    ("dpn", "code"),
    [
        ("9s/Ts h a - deck=24 straps=6", "straps_outside_deck"),
        ("9s/Ts h a 6s cap=2", "cap_without_rule"),
        ("9s/Ts h a 6s first=5 overflow=on cap=3", "cap_not_possible"),
        ("9s/Ts h a 6s group=7s", "group_without_rule"),
        ("9s/Ts h a - straps=6 group=6s", "group_empty_table"),
        ("9s/Ts h a 6s straps=6 group=6c", "group_not_on_table"),
        ("9s/- h a 6s:7s,6c transfer=on short=limit", "bout_over"),
    ],
)
def test_defects(dpn: str, code: str) -> None:
    assert code in [defect.code for defect in Position.from_dpn(dpn).status()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cap=0", "cap='0' is not allowed: a number of cards from 1 to 99 was expected"),
        ("cap=x", "cap='x' is not allowed: a number of cards from 1 to 99 was expected"),
        ("group=6x", "a suit was expected, not 'x'"),
        ("group=?2", "only known cards are listed here"),
        ("group=", "something was expected (write - for none)"),
    ],
)
def test_what_is_no_option_of_a_bout(text: str, message: str) -> None:
    with pytest.raises(DPNError) as caught:
        Position.from_dpn(f"9s/Ts h a 6s straps=6 {text}")
    assert (caught.value.field, caught.value.reason) == ("OPTIONS", message)


# ---------------------------------------------------------------------------------------------------------- players


@pytest.mark.parametrize(
    ("dpn", "rules", "lowest"),
    [
        ("9s9c/6cAsAh h a 6s transfer=on", ">6c", ">6c"),
        ("9s9c/6hAs h a 6s transfer=on", ">6h", "6s:As"),
        ("9s9c9dTd/6h7s8sAsKs8d h a 6s ?8,7h transfer=on", "6s:7s", "6s:7s"),
        ("9s9c/6hAs h a 6s rules=perevodnoy-show", "^6h", "^6h"),
        ("9s9c/RJ7h h a 6d deck=54", "6d:7h", "6d:7h"),
        ("6s8c/7s7c h a - straps=6 strapmode=must-take", "8c", "8c"),
    ],
)
def test_players_who_do_not_search(dpn: str, rules: str, lowest: str) -> None:
    position = Position.from_dpn(dpn)
    state = core.bout_state(position)
    assert str(core.from_core(policies.rules(state), position.trump)) == rules
    assert str(core.from_core(policies.lowest(state), position.trump)) == lowest


@settings(max_examples=40, deadline=None)
@given(state=starts(), seed=st.integers(0, 2**32))
def test_players_play_legal_moves(state: reference.RefState, seed: int) -> None:
    rng = random.Random(seed)
    found = core.bout_state(Position.from_dpn(reference.write(state)))
    for _ in range(60):
        if found.phase == OVER:
            return
        moves = found.moves()
        chosen = [policies.rules(found), policies.lowest(found), policies.random_move(found, rng.getrandbits(32))]
        assert all(move in moves for move in chosen)
        try:
            found = found.play(*rng.choice(chosen))
        except LookupError:
            return
