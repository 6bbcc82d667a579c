"""The round game: its rules, its notation, and its solver against a plain fixpoint written from docs/rules.md."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace

import pytest

from durak_solver import (
    Engine,
    Game,
    IllegalMoveError,
    IllegalPositionError,
    Position,
    Rules,
    UnsupportedError,
    Value,
    analyse,
    deal,
    proof,
    solve,
)
from durak_solver._core.round_game import RoundSearcher
from durak_solver.notation.dpn import DPNError
from durak_solver.study.hint import find_hint
from tests.support.hints import said
from tests.support.patience import during_a_search, interrupt
from tests.support.program import normal, run

RANKS = "23456789TJQKA"
LONG = "6s7s8s9sTs6c7c8c9cTc6d7d/JsQsKsAsJcQcKcAc8d9dTdJd h a - rules=round"

# ------------------------------------------------------------------------------------ the plain rules and the fixpoint

State = tuple[frozenset[str], frozenset[str], tuple[str, ...]]
"""The hand of the player to move, the other hand, and the pile from the bottom up."""


def beats(card: str, other: str, trump: str, jokers: str) -> bool:
    if other[1] == "J":
        return False
    if card[1] == "J":
        return jokers == "supreme" or (card[0] == "R") == (other[1] in "dh")
    if card[1] == other[1]:
        return RANKS.index(card[0]) > RANKS.index(other[0])
    return card[1] == trump


def children(state: State, trump: str, jokers: str) -> dict[str, State]:
    hand, other, pile = state
    found: dict[str, State] = {}
    for card in hand:
        if not pile:
            found[card] = (other, hand - {card}, (card,))
        elif beats(card, pile[-1], trump, jokers):
            found[f"{pile[-1]}:{card}"] = (other, hand - {card}, (*pile, card))
    if pile:
        found["take"] = (other, hand | {pile[0]}, pile[1:])
    return found


def fixpoint(start: State, trump: str, jokers: str = "colour") -> dict[State, int]:
    """The value of every state that can be reached, for the player to move: 1, -1, and 0 for what is never settled."""
    graph: dict[State, list[State]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if state not in graph:
            graph[state] = list(children(state, trump, jokers).values()) if state[0] and state[1] else []
            todo += graph[state]
    values = {state: 1 if not state[0] else -1 if not state[1] else 0 for state in graph}
    changed = True
    while changed:
        changed = False
        for state, after in graph.items():
            if values[state] == 0 and after:
                best = max(-values[child] for child in after)
                if best == 1 or all(values[child] == 1 for child in after):
                    values[state] = best
                    changed = True
    return values


def state_of(position: Position) -> State:
    hands = [frozenset(map(str, hand)) for hand in position.hands]
    if position.attacker == "b":
        hands.reverse()
    return hands[0], hands[1], tuple(str(card) for card, _ in position.table)


def random_position(rng: random.Random, most: int, options: str = "") -> Position:
    """A random deal, then some random moves; perhaps without a trump suit."""
    deck = [rank + suit for suit in "scdh" for rank in RANKS[4:]] + ["RJ", "BJ"] * ("deck=54" in options)
    a, b = rng.randint(1, most), rng.randint(1, most)
    cards = rng.sample(deck, a + b)
    trump, seat = rng.choice("scdh-"), rng.choice("ab")
    text = f"{''.join(cards[:a])}/{''.join(cards[a:])} {trump} {seat} - rules=round {options}"
    position = Position.from_dpn(text)
    for _ in range(rng.randint(0, 10)):
        after = position.play(rng.choice(position.legal_moves))
        if after.phase == "over":
            break
        position = after
    return position


# ------------------------------------------------------------------------------------------------------------ solving

VALUES = {"win": 1, "draw": 0, "loss": -1}


def check(position: Position, jokers: str = "colour") -> None:
    trump = position.trump or "-"
    values = fixpoint(state_of(position), trump, jokers)
    analysis = analyse(position)
    after = children(state_of(position), trump, jokers)
    assert {str(graded.move) for graded in analysis.moves} == set(after)
    for graded in analysis.moves:
        value = VALUES[graded.value]
        assert value == -values[after[str(graded.move)]], (position, graded)
        assert graded.repetition == (value == 0)
        assert graded.line[0] == graded.move
        check_line(position, graded.line, value, values)
    assert VALUES[analysis.value] == values[state_of(position)]
    solution = solve(position)
    assert (solution.value, solution.repetition) == (analysis.value, analysis.repetition)
    for line in (analysis.line, solution.line):
        passed = check_line(position, line, VALUES[analysis.value], values)
        if analysis.value is not Value.DRAW:
            assert len(set(passed)) == len(passed), "a side that wins never goes round"


def check_line(position: Position, line: object, value: int, values: dict[State, int]) -> list[Position]:
    """Follow a line: no move of it changes the value, and it ends as the value says. Return the positions passed."""
    assert isinstance(line, tuple)
    passed = [position]
    mover = position.to_move
    for move in line:
        passed.append(passed[-1].play(move))
        seen_by_mover = 1 if passed[-1].attacker == mover else -1
        assert values[state_of(passed[-1])] * seen_by_mover == value
    if value == 0:
        assert passed[-1] in passed[:-1]
    else:
        assert (passed[-1].outcome() == mover) == (value == 1)
        assert passed[-1].outcome() is not None
    return passed


@pytest.mark.parametrize("seed", range(120))
def test_values_and_lines_against_the_plain_fixpoint(seed: int) -> None:
    check(random_position(random.Random(seed), 3 if seed % 4 else 4))


@pytest.mark.parametrize("jokers", ["colour", "supreme"])
def test_jokers(jokers: str) -> None:
    rng = random.Random(7)
    for _ in range(20):
        position = random_position(rng, 3, f"deck=54 jokers={jokers}")
        hands = [hand for hand in position.hands if hand]
        card = hands[0][0]
        if "RJ" not in str(position):  # jokers are rare otherwise
            text = str(position).replace(str(card), "RJ")
            position = Position.from_dpn(text) if Position.from_dpn(text).is_legal else position
        check(position, jokers)


def test_the_plain_fixpoint_finds_all_three_values() -> None:
    found = set()
    for seed in range(120):
        position = random_position(random.Random(seed), 3 if seed % 4 else 4)
        found.add(analyse(position).value)
    assert found == {Value.WIN, Value.DRAW, Value.LOSS}


def test_seats_do_not_matter() -> None:
    for seed in range(20):
        position = random_position(random.Random(seed), 3)
        a, b = position.hands
        swapped = replace(position, hands=(b, a), attacker=position.defender)
        assert [g.value for g in analyse(swapped).moves] == [g.value for g in analyse(position).moves]


def test_a_node_limit_never_makes_a_wrong_value() -> None:
    for seed in range(30):
        position = random_position(random.Random(seed), 4)
        exact = {graded.move: graded.value for graded in analyse(position).moves}
        for nodes in (1, 3, 10, 40, 200):
            limited = analyse(position, nodes=nodes)
            assert limited.nodes <= nodes
            assert (limited.stopped == "nodes") == (not limited.exact)
            for graded in limited.moves:
                assert graded.value in (exact[graded.move], Value.UNKNOWN)


def test_limits_and_stops_end_in_a_result() -> None:
    position = Position.from_dpn(LONG)
    assert Engine(1).solve(position).stopped == "memory"
    found = Engine().analyse(position, seconds=1e-3)
    assert (found.stopped, found.value) == ("seconds", Value.UNKNOWN)
    with during_a_search(interrupt):
        assert Engine(2048).solve(position, seconds=60).stopped == "interrupt"
    with pytest.raises(ValueError, match="nodes=0 is not allowed"):
        solve(position, nodes=0)


def test_a_state_for_which_there_is_no_room_is_no_draw() -> None:
    searcher = RoundSearcher([2, 0], 48, None, None)
    searcher.solve(1, 0)
    assert (searcher.known(1, 0)[0], searcher.nodes, searcher.done) == (1, 1, True)
    searcher.solve(2, 0)
    assert (searcher.known(2, 0)[0], searcher.stopped, searcher.done) == (0, "memory", False)


def test_eight_cards_a_side_are_solved() -> None:
    rng = random.Random(1)
    cards = rng.sample([rank + suit for suit in "scdh" for rank in RANKS[4:]], 16)
    solution = Engine(512).solve(Position.build(cards[:8], cards[8:], "h", rules="round"))
    assert solution.exact


def test_other_ways_to_ask() -> None:
    engine = Engine()
    positions = [random_position(random.Random(seed), 3) for seed in range(12)]
    for position, analysis in zip(positions, engine.analyse_many(positions, jobs=2), strict=True):
        assert analysis.moves == engine.analyse(position).moves
        assert engine.estimate(position, seed=1).best.move == analysis.best.move
        chosen = engine.choose(position)
        assert next(graded.value for graded in analysis.moves if graded.move == chosen) == analysis.value
    seen: list[int] = []
    engine.analyse(positions[0], on_progress=lambda so_far: seen.append(len(so_far.moves)))
    assert seen == [len(positions[0].legal_moves)] * len(positions[0].legal_moves)


# ----------------------------------------------------------------------------------------------- the rules as read here


def test_a_round() -> None:
    position = Position.from_dpn("6s7d/8s9h h a - rules=round")
    assert [str(move) for move in position.legal_moves] == ["6s", "7d"]
    position = position.play("6s")
    assert position.to_dpn() == "7d/8s9h h b 6s rules=round"
    assert [str(move) for move in position.legal_moves] == ["6s:8s", "6s:9h", "take"]
    position = position.play("8s").play("take")
    assert position.to_dpn() == "6s7d/9h h b 8s rules=round", "the bottom card is taken, and the top one stays"
    assert position.play("9h").outcome() == "b", "whoever has no card left has won at once, even on his own card"


def test_after_the_last_card_of_the_pile_is_taken_the_other_one_leads() -> None:
    position = Position.from_dpn("6s/8d9h h b 7s rules=round").play("take")
    assert (position.to_dpn(), position.phase, position.to_move) == ("6s/7s8d9h h a - rules=round", "lead", "a")


def test_taking_is_allowed_to_one_who_could_beat() -> None:
    assert str(Position.from_dpn("9s7d/8h h a 8s rules=round").legal_moves[-1]) == "take"


def test_a_winner_is_never_asked_whether_he_could_be_beaten() -> None:
    solution = solve(Position.from_dpn("6s/7s h a - rules=round"))
    assert (solution.value, [str(move) for move in solution.line]) == (Value.WIN, ["6s"])


def test_a_draw_goes_round() -> None:
    analysis = analyse("6s7dTh/9c6h8h h a - rules=round")
    assert (analysis.value, analysis.repetition, analysis.to_dict()["repetition"]) == (Value.DRAW, True, True)
    assert "repetition" not in analyse("6s/7s h a - rules=round").to_dict()


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("6d", "a does not hold 6d"),
        ("7d", "7d does not beat 9s"),
        ("8s:Ts", "only 9s, the top card of the pile, is to be beaten"),
        ("done", "it is a's turn to beat 9s or take"),
        ("+7d", "it is a's turn to beat 9s or take"),
        ("Ts7d", "it is a's turn to beat 9s or take"),
        ("exchange", "it is a's turn to beat 9s or take"),
    ],
)
def test_why_a_move_is_illegal(move: str, reason: str) -> None:
    position = Position.from_dpn("Ts7d/6h h a 8s,9s rules=round")
    with pytest.raises(IllegalMoveError) as caught:
        position.play(move)
    assert str(caught.value).endswith(f"is not legal: {reason}")


def test_why_a_lead_is_illegal() -> None:
    position = Position.from_dpn("6s6d/8h h a - rules=round")
    with pytest.raises(IllegalMoveError, match="6s6d is not legal: with rules=round only one card is led"):
        position.play("6s6d")
    with pytest.raises(IllegalMoveError, match="the pile is empty, so it is a's turn to lead"):
        position.play("take")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        Position.from_dpn("6s/8h h a - rules=round").play("6s").play("take")


# ------------------------------------------------------------------------------------------------------------ notation


def test_what_is_written_reads_back() -> None:
    for seed in range(50):
        position = random_position(random.Random(seed), 4, "deck=54" if seed % 2 else "")
        text = position.to_dpn()
        assert Position.from_dpn(text) == position
        assert eval(repr(position)) == position
        assert pickle.loads(pickle.dumps(position)) == position
        for move in position.legal_moves:
            assert position.parse_move(str(move)) == move
            if move.cards:
                assert position.parse_move(str(move.cards[0])) == move


def test_the_rules_are_written_as_their_preset() -> None:
    rules = Rules.preset("round")
    assert rules == Rules(game="round")
    assert rules.to_options() == {"rules": "round"}
    assert Rules.from_options({"rules": "round", "deck": "24"}).to_options() == {"deck": "24", "rules": "round"}
    with pytest.raises(ValueError, match=r"^'game' is not an option: choose among rules, deck, .*, strapmode$"):
        Rules.from_options({"game": "round"})
    with pytest.raises(DPNError, match="'game' is not an option: choose among rules, deck"):
        Position.from_dpn("6s7d/8h9h h b 6c game=round")
    assert (
        Position.build(a="6s", b="7s", trump="h", rules="round", deck=52).to_dpn() == "6s/7s h a - deck=52 rules=round"
    )


@pytest.mark.parametrize("option", ["throw=lead", "transfer=on", "hand=5", "both=attacker", "straps=6", "exchange=on"])
def test_options_of_durak_mean_nothing_here(option: str) -> None:
    text = f"6s/7s h a - rules=round {option}"
    with pytest.raises(DPNError) as caught:
        Position.from_dpn(text)
    assert caught.value.reason == f"{option} has no meaning with rules=round, where only deck and jokers have one"
    assert caught.value.offset == text.index(option)
    key, _, word = option.partition("=")
    with pytest.raises(ValueError, match=f"^{option} has no meaning with rules=round"):
        Rules.from_options({"rules": "round", key: word})


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("6s/7s h a - rules=round", []),
        ("6s/7s h a 8c,9c,6h rules=round", []),
        ("6s/?2 h a - rules=round", ["hidden_cards"]),
        ("6s/7s h a - 9hTh rules=round", ["stock_in_round"]),
        ("6s/7s h a - - 9h rules=round", ["discard_in_round"]),
        ("6s/7s h a 8s* rules=round", ["taking_in_round"]),
        ("6s/7s h a 8s:9s rules=round", ["pair_in_round"]),
        ("6s/7s h a 9c,8c rules=round", ["does_not_beat"]),
        ("6s/7s h a 9c,Td rules=round", ["does_not_beat"]),
        ("6s/7s h a 6s rules=round", ["duplicate_card"]),
        ("6s/7s h a 5s rules=round", ["card_outside_deck"]),
        ("-/7s h b 6s rules=round", ["game_over"]),
        ("-/- h b 6s rules=round", ["both_hands_empty"]),
        ("6s/7s h a - rules=round shown=a", ["shown_without_rule"]),
    ],
)
def test_status(text: str, codes: list[str]) -> None:
    position = Position.from_dpn(text)
    assert [defect.code for defect in position.status()] == codes
    if codes:
        with pytest.raises(IllegalPositionError):
            solve(position)


def test_a_game_in_dgn() -> None:
    game = Game(Position.from_dpn("6s7d/8s9h h a - rules=round"))
    for move in ("6s", "6s:8s", "take", "take", "6s", "take", "7d"):
        game = game.play(move)
    assert game.result == "a"
    assert [len(bout) for bout in game.bouts] == [4, 2, 1], "a bout lasts until the pile is empty"
    assert Game.from_dgn(game.to_dgn()) == game
    assert game.undo().view("a") == game.undo().position, "hands are open"


# ------------------------------------------------------------------------------------------------- what there is not


def test_what_is_not_done() -> None:
    position = Position.from_dpn("6s7d/8s9h h a - rules=round")
    with pytest.raises(UnsupportedError, match="proofs are not made with rules=round"):
        proof(position)
    with pytest.raises(UnsupportedError, match="the distance to the end is not measured with rules=round"):
        analyse(position, distance=True)
    with pytest.raises(UnsupportedError, match="with rules=round positions are only solved"):
        Engine().choose(position, method="lowest")
    with pytest.raises(ValueError, match="there is nothing to deal"):
        deal("round")


@pytest.mark.parametrize(
    "args",
    [
        ("proof", "6s7d/8s9h h a - rules=round"),
        ("analyse", "6s7d/8s9h h a - rules=round", "--distance"),
        ("analyse", "6s7d/?2 h a - rules=round"),
        ("tables", "build", "--rules", "round", "--cards", "3", "--dir", "nowhere"),
        ("play", "--rules", "round"),
        ("match", "rules", "random", "--rules", "round"),
    ],
)
def test_commands_that_make_no_sense_say_so(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert "round" in result.stderr
    assert len(result.stderr.splitlines()) <= 2


# ------------------------------------------------------------------------------------------------------- command line

TABLE = """\
6s7d/8h9h h b 6c rules=round
b to beat the top card or take the bottom card: win
  6c:8h  win                 6c:8h take 8h:9h
  6c:9h  win                 6c:9h take take 7d 7d:8h take 8h:9h
  take   draw by repetition  take 6s 6s:8h take take
N nodes, S s
"""
DRAWING = """\
trump      hearts
b          8h 9h (2 cards)
pile       6c 9c (from the bottom up)
a          6s 7d (2 cards)
to move    a, to beat the top card or take the bottom card
rules      rules=round
legal      take
"""


def test_the_command_line() -> None:
    assert normal(run("analyse", "6s7d/8h9h h b 6c rules=round").stdout) == TABLE
    assert run("show", "6s7d/8h9h h a 6c,9c rules=round", "--style", "ascii").stdout == DRAWING
    record = json.loads(run("analyse", "--json", "6s7dTh/9c6h8h h a - rules=round").stdout)
    assert (record["value"], record["repetition"], record["moves"][0]["repetition"]) == ("draw", True, True)
    flags = ("--trump", "h", "--me", "6s 7d", "--opponent", "8h 9h", "--rules", "round", "--table", "6c, 9c")
    assert run("show", *flags, "--style", "ascii").stdout == DRAWING


def test_hints() -> None:
    def sentence(text: str) -> str:
        return said(find_hint(Engine(), Position.from_dpn(text)))

    assert sentence("6s7d/8h9h h b 6c rules=round") == (
        "Beat 6c with 8h: it cannot be beaten, so a must take, and b wins in every line."
    )
    assert sentence("6s7dTh/9c6h8h h a - rules=round") == (
        "Lead 6s: no move wins, but this one holds the draw by repetition, and only 2 of b's 3 answers hold the draw."
    )
    assert "b cannot beat 9c, so b must take" in sentence("6s7d/8d9d h a 6c,7c,9c rules=round")
