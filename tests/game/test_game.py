"""Games: dealing, playing with and without hidden cards, what each player sees, and how a game ends."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_solver import (
    Card,
    Game,
    IllegalMoveError,
    IllegalPositionError,
    Move,
    MoveSyntaxError,
    Position,
    Rules,
    UnsupportedError,
    deal,
)
from durak_solver.game.game import GameError
from durak_solver.model.cards import deck_cards
from durak_solver.model.moves import Ply
from durak_solver.notation.cards import parse_cards

RULES = (
    Rules(),
    Rules(deck=24),
    Rules(deck=24, hand=5, throw="lead", first=5),
    Rules(deck=32, pursuit=False, limit="hand"),
    Rules(deck=24, throw="none", lead="one", both="attacker"),
    Rules(deck=24, limit=2),
    Rules(deck=52),
)
HIDDEN = "6s7dThKs9c8h/?6 h a - ?23,7h"


def random_game(seed: int, rules: Rules) -> Game:
    """A game from the deal to the end, of random legal moves."""
    rng = random.Random(seed)
    game = Game(deal(rules, seed))
    while game.position.to_move:
        game = game.play(rng.choice(game.position.legal_moves))
    return game


def as_seen_by(game: Game, seat: str) -> Game:
    """The game as a player would write it down: the opponent's cards and draws are unknown."""
    own = "ab".index(seat)
    plies = []
    for ply in game.plies:
        drawn = (ply.drawn[0], ()) if own == 0 else ((), ply.drawn[1])
        plies.append(replace(ply, drawn=drawn))
    start = game.start
    return Game(start.view(seat, start.stock[-1:]), tuple(plies), tags=game.tags, comment=game.comment)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------ dealing


@pytest.mark.parametrize("deck", [24, 32, 36, 52, 54])
@pytest.mark.parametrize("hand", [5, 6])
def test_deals_are_legal_and_whole(deck: int, hand: int) -> None:
    for seed in range(30):
        position = deal(Rules(deck=deck, hand=hand), seed)
        assert position.status() == ()
        assert position.hand_sizes == (hand, hand)
        cards = [*position.hands[0], *position.hands[1], *position.stock]
        assert sorted(card for card in cards if card) == list(deck_cards(deck))
        turn_up = position.stock[-1]
        assert turn_up and turn_up.suit == position.trump
        trumps = [card for hand in position.hands for card in hand if card.suit == position.trump]
        assert position.attacker == ("a" if not trumps or min(trumps) in position.hands[0] else "b")


DEAL_OF_SEED_7 = "Js7cQd6h8hTh/As9cJcTdJd7h d b - KhQc6s7d9hKs9dAhTc8sQhQsKc7s6d8cJhAcAdTs9sKd6c8d"


def test_nothing_is_dealt_for_straps_that_are_not_in_the_deck() -> None:
    with pytest.raises(ValueError, match="straps=6 needs cards of that rank"):
        deal(Rules(straps="6", deck=24))


def test_a_seed_deals_the_same_everywhere() -> None:
    assert deal(seed=7).to_dpn() == DEAL_OF_SEED_7
    assert deal("podkidnoy", 7) == deal(Rules(), 7) == deal(seed=7)
    assert deal(seed=8) != deal(seed=7)
    assert deal() != deal()


def test_the_shuffle_is_fair() -> None:
    """Where two cards are among 36 places: each place about as often."""
    counts = dict.fromkeys(["a", "b", "turn-up", "stock"], 0)
    games = 1800
    for seed in range(games):
        position = deal(seed=seed)
        card = Card("Qd")
        place = "a" if card in position.hands[0] else "b" if card in position.hands[1] else "stock"
        counts["turn-up" if position.stock[-1] is card else place] += 1
    assert counts["a"] == pytest.approx(games / 6, abs=70)
    assert counts["b"] == pytest.approx(games / 6, abs=70)
    assert counts["turn-up"] == pytest.approx(games / 36, abs=35)


def test_who_attacks_first() -> None:
    assert {deal(seed=seed).attacker for seed in range(20)} == {"a", "b"}
    assert {deal(seed=seed, attacker="b").attacker for seed in range(20)} == {"b"}
    nobody = next(
        position
        for position in (deal(Rules(deck=24), seed) for seed in range(3000))
        if not any(card.suit == position.trump for hand in position.hands for card in hand)
    )
    assert nobody.attacker == "a"


def test_redeal() -> None:
    def longest(position: Position) -> int:
        suits = [[card.suit for card in hand] for hand in position.hands]
        return max(hand.count(suit) for hand in suits for suit in "scdh")

    seeds = range(400)
    assert max(longest(deal(seed=seed)) for seed in seeds) >= 5
    assert max(longest(deal(seed=seed, redeal=True)) for seed in seeds) == 4
    kept = [seed for seed in seeds if longest(deal(seed=seed)) < 5]
    assert all(deal(seed=seed, redeal=True) == deal(seed=seed) for seed in kept)


def test_cards_that_cannot_be_turned_up() -> None:
    jokers = [deal(Rules(deck=54), seed) for seed in range(200)]
    assert all(position.trump and not position.stock[-1].is_joker for position in jokers if position.stock[-1])
    japanese = [deal("japanese", seed) for seed in range(50)]
    assert {position.trump for position in japanese} == {"d"}
    assert all(position.status() == () for position in japanese)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "whist"}, "rules='whist' is not known"),
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"seed": "x"}, "seed='x' is not allowed"),
        ({"attacker": "c"}, "attacker='c' is not allowed: choose one of a, b"),
    ],
)
def test_deals_refuse(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deal(**arguments)  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------------- hidden cards


def test_unknown_cards_are_played() -> None:
    position = Position.from_dpn("7dTd/9c,?2 h a 6s")
    # An unseen card takes an unknown place; a known one is where it is.
    assert position.play("6s:9s").to_dpn() == "7dTd/9c,?1 h a 6s:9s"
    assert position.play("9s") == position.play("6s:9s")
    assert position.play("take").play("done").to_dpn() == "7dTd/6s9c,?2 h a -"
    known = Position.from_dpn("7dTd/9c,?2 h a 6c")
    assert known.play("9c").to_dpn() == "7dTd/?2 h a 6c:9c"


@pytest.mark.parametrize(
    ("dpn", "move", "message"),
    [
        ("7dTd/9c,?2 h a 6s", "6s:7d", "6s:7d is not legal: b does not hold 7d"),
        ("7dTd/9c,?2 h a 6s", "6s:6s", "6s:6s is not legal: b does not hold 6s"),
        ("7dTd/9c,?2 h a 6s", "6s:2s", "6s:2s is not legal: b does not hold 2s"),
        ("7dTd/9c,?2 h a 6s", "6s:9d", "6s:9d is not legal: 9d does not beat 6s"),
        ("7dTd/9c,?2 h a 6s", "9d", "6s:9d is not legal: 9d does not beat 6s"),
        ("7dTd/9c,?2 h a 6s", "done", "done is not legal: it is b's turn to beat or take"),
        ("?1,6s/7dTd h a -", "7s7c", "7s7c is not legal: a has only 1 unknown card"),
        ("?2,6s/7dTd h a -", "7s7c", None),
        ("?2,6s/7dTd h a -", "7s8c", "7s8c is not legal: cards led together must be of one rank"),
        ("?2,6s/7dTd h a -", "7s7s", "7s7s is not legal: a card can be led only once"),
        ("6s/7dTd h a -", "6s6s", "6s6s is not legal: a card can be led only once"),
        ("?2,6s/7d h a -", "7s7c", "7s7c is not legal: the cap is 1 attack card"),
    ],
)
def test_unknown_cards_that_cannot_be_played(dpn: str, move: str, message: str | None) -> None:
    position = Position.from_dpn(dpn)
    if message is None:
        assert position.play(move).status() == ()
        return
    with pytest.raises(IllegalMoveError) as caught:
        position.play(move)
    assert str(caught.value) == message


def every_move(position: Position, rng: random.Random) -> Iterator[Move]:
    """Moves of all kinds that may or may not be legal."""
    deck = deck_cards(position.rules.deck)
    yield from (Move("take"), Move("done"))
    for card in rng.sample(deck, 12):
        yield from (Move(kind, (card,)) for kind in ("lead", "throw", "give", "transfer"))
        yield from (Move("lead", (card, other)) for other in deck if other.rank == card.rank)
        yield from (Move("beat", (card,), attack) for attack, _ in position.table)
        yield Move("beat", (card,), rng.choice(deck))


def playable(position: Position, move: Move) -> bool:
    try:
        after = position.play(move)
    except IllegalMoveError as error:
        assert str(error).startswith(f"{move} is not legal: ")
        return False
    assert [defect for defect in after.status() if defect.code != "game_over"] == []
    return True


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_what_can_be_played(seed: int, rules: Rules) -> None:
    """With open cards it is what is listed; with unknown ones, what would be listed with the cards in hand."""
    rng = random.Random(seed)
    game = random_game(seed, rules)
    for position in rng.sample(list(game.positions())[:-1], 3):
        mover = position.to_move or ""
        own = "ab".index(mover)
        hidden = position.view(
            "b" if mover == "a" else "a", rng.sample(position.hands[own], len(position.hands[own]) // 2)
        )
        legal = set(position.legal_moves)
        for move in (*legal, *every_move(position, rng)):
            assert playable(position, move) == (move in legal)
            try:
                held = hidden.reveal(mover, [card for card in move.cards if card not in hidden.hands[own]])
            except ValueError:
                assert not playable(hidden, move)
                continue
            filled = held.reveal(mover, held.unseen[: held.unknown[own]])
            assert playable(hidden, move) == (move in filled.legal_moves)
        assert all(playable(hidden, move) for move in legal)


def test_the_unknown_turn_up_is_a_trump() -> None:
    position = Position.from_dpn("9hThJhQhKh9s/?6 h b - ?12 deck=24")
    with pytest.raises(IllegalMoveError, match="Ah is not legal: the unknown turn-up must be a trump"):
        position.play("Ah")
    assert position.play("As").status() == ()


def test_moves_of_unknown_hands_are_not_listed() -> None:
    position = Position.from_dpn(HIDDEN).play("6s")
    with pytest.raises(UnsupportedError, match="the moves of b cannot be listed"):
        _ = position.legal_moves
    # What follows from such a move is checked as ever.
    assert position.play("9s").legal_moves == (Move("throw", (Card("9c"),)), Move("done"))
    with pytest.raises(MoveSyntaxError):
        position.play("6s:9x")


def test_illegal_positions_are_still_refused() -> None:
    for text in ("6s7d/6s h a -", "7dTd/7d,?2 h a 6s"):
        with pytest.raises(IllegalPositionError):
            Position.from_dpn(text).play("take")
    # Neither a copy nor a change of a position that came from a move is taken for legal unseen.
    after = Position.from_dpn("6s7d/8s9d h a -").play("6s")
    with pytest.raises(IllegalPositionError):
        replace(after, hands=((Card("8s"),), after.hands[1])).play("take")
    assert after == Position.from_dpn("7d/8s9d h a 6s")
    assert hash(after) == hash(Position.from_dpn("7d/8s9d h a 6s"))
    assert pickle.loads(pickle.dumps(after)) == after


def test_reveal() -> None:
    position = Position.from_dpn(HIDDEN)
    assert position.reveal("b", parse_cards("QsQd")).to_dpn() == "6sKs9c7d8hTh/QsQd,?4 h a - ?23,7h"
    assert position.reveal("b", ()) == position
    for cards, message in (
        ("6s", "6s cannot be an unknown card of b"),
        ("7h", "7h cannot be an unknown card of b"),
        ("QsQs", "Qs cannot be an unknown card of b"),
        ("2s", "2s cannot be an unknown card of b"),
        ("QsQcQdQhAsAcAd", "b has 6 unknown cards, not 7"),
    ):
        with pytest.raises(ValueError, match=message):
            position.reveal("b", parse_cards(cards))
    with pytest.raises(ValueError, match="a has 0 unknown cards, not 1"):
        position.reveal("a", parse_cards("Qs"))
    with pytest.raises(ValueError, match="seat='c' is not allowed"):
        position.reveal("c", ())


def test_view() -> None:
    position = Position.from_dpn("6sKs9c7d8hTh/7s8sTs6d9dAh h a - QsQdKd7h 6cAc deck=36")
    assert position.view("a").to_dpn() == "6sKs9c7d8hTh/?6 h a - ?3,7h 6cAc"
    assert position.view("b", {Card("9c"), Card("7h")}).to_dpn() == "9c,?5/7s8sTs6d9dAh h a - ?3,7h 6cAc"
    assert position.view("b").view("b") == position.view("b")
    with pytest.raises(ValueError, match="what a knows cannot be told"):
        position.view("b").view("a")
    with pytest.raises(ValueError, match="seat='x' is not allowed"):
        position.view("x")


# --------------------------------------------------------------------------------------------------------------- games


def test_a_short_game() -> None:
    game = Game(Position.from_dpn("6s6c/6d7s8c h a -"), tags=(("Event", "a test"),))
    game = game.play("6s", mark="$1").play("7s", comment="  what\n else ")
    assert game.plies == (
        Ply(Move("lead", (Card("6s"),)), "!"),
        Ply(Move("beat", (Card("7s"),), Card("6s")), comment="what else"),
    )
    assert [str(position) for position in game.positions()] == [
        "6s6c/7s8c6d h a -",
        "6c/7s8c6d h a 6s",
        "6c/8c6d h a 6s:7s",
    ]
    assert (game.outcome(), game.result, len(game.bouts)) == (None, "*", 1)
    assert game.undo().undo() == Game(game.start, tags=game.tags)
    ended = game.play("+6c").play("8c").play("done")
    assert ended.position.phase == "over"
    assert (ended.outcome(), ended.result) == ("a", "a")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        ended.play("6d")
    assert ended.undo().result == "*"
    with pytest.raises(FrozenInstanceError):
        game.result = "a"  # type: ignore[misc]


def test_a_game_given_up() -> None:
    game = Game(Position.from_dpn("6s6c/6d7s8c h a -")).play("6s").end("b")
    assert game.result == "b"
    assert game.outcome() is None
    with pytest.raises(IllegalMoveError, match="the game has ended with the result b"):
        game.play("take")
    assert game.undo().play("6c").result == "*"
    assert game.end("*").play("take").result == "*"
    with pytest.raises(ValueError, match="result='c' is not allowed"):
        game.end("c")
    over = Game(Position.from_dpn("6s/- h a -"))
    assert over.result == "b"
    with pytest.raises(ValueError, match="the result a contradicts the moves, which end with b"):
        over.end("a")
    with pytest.raises(ValueError, match="there is no move to take back"):
        over.undo()


def test_games_are_checked_when_made() -> None:
    start = Position.from_dpn("6s6c/6d7s8c h a -")
    lead, beat = Ply(Move("lead", (Card("6s"),))), Ply(Move("beat", (Card("8c"),), Card("6s")))
    with pytest.raises(GameError) as caught:
        Game(start, (lead, beat))
    assert str(caught.value) == "bout 1, move 2 (6s:8c): 6s:8c is not legal: 8c does not beat 6s"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    takes = Ply(Move("take")), Ply(Move("done")), Ply(Move("lead", (Card("6d"),)))
    with pytest.raises(GameError, match=r"^bout 2, move 1 \(6d\): 6d is not legal: a does not hold 6d$"):
        Game(start, (lead, *takes))
    with pytest.raises(IllegalPositionError):
        Game(Position.from_dpn("6s/6s h a -"))
    with pytest.raises(ValueError, match="contradicts"):
        Game(Position.from_dpn("6s/- h a -"), result="a")


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ((("Result", "a"),), "cannot be set"),
        ((("position", "a"),), "cannot be set"),
        ((("A b", "a"),), "not the name of a tag"),
        ((("A", "a"), ("a", "b")), "given twice"),
        ((("A", "a\nb"),), "one line"),
    ],
)
def test_tags_are_checked(tags: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game(Position.from_dpn("6s/7s h a -"), tags=tags)


def test_marks_and_comments_are_checked() -> None:
    move = Move("done")
    assert [Ply(move, mark).mark for mark in ("$2 $6", "$007", "!?", "$0 !")] == ["? ?!", "$7", "!?", "$0 !"]
    for mark in ("$256", "$", "x", "!!!", "$1000", "$٣"):
        with pytest.raises(ValueError, match="is not a mark"):
            Ply(move, mark)
    with pytest.raises(ValueError, match="there can be no } in a comment"):
        Ply(move, comment="a } b")


def test_drawn_cards() -> None:
    game = Game(Position.from_dpn(HIDDEN)).play("6s").play("9s")
    told = game.play("done", drawn=(parse_cards("Qs"), parse_cards("8d")))
    assert told.position.to_dpn() == "QsKs9c7d8hTh/8d,?5 h b - ?21,7h 6s9s"
    assert told.plies[-1].drawn == ((Card("Qs"),), (Card("8d"),))
    assert told.undo() == game
    half = game.play("done", drawn=((), parse_cards("8d")))
    assert half.position.unknown == (1, 5)
    for drawn, message in (
        (("QsQd", ""), "a draws only 1 here, so not Qs Qd"),
        (("6s", ""), "6s cannot be an unknown card of a"),
        (("7h", ""), "7h cannot be an unknown card of a"),
    ):
        with pytest.raises(ValueError, match=message):
            game.play("done", drawn=(parse_cards(drawn[0]), parse_cards(drawn[1])))
    with pytest.raises(ValueError, match="a draws no card here, so Qs neither"):
        game.play("+9c", drawn=(parse_cards("Qs"), ()))
    opened = Game(Position.from_dpn("6sKs9c7d8hTh/9s7s7c6d8dJh h a - QsQd7h")).play("6s").play("9s")
    assert opened.play("done").plies[-1].drawn == ((Card("Qs"),), (Card("Qd"),))
    with pytest.raises(ValueError, match="a cannot have drawn Qd: the stock gives a Qs"):
        opened.play("done", drawn=(parse_cards("Qd"), ()))


def test_repr_reads_back() -> None:
    game = random_game(5, Rules(deck=24)).undo()
    assert eval(repr(game)) == game
    assert hash(pickle.loads(pickle.dumps(game))) == hash(game)


# -------------------------------------------------------------------------------------------------------- whole games


def check_views(game: Game) -> None:
    """Compare what each player sees at every ply with the truth."""
    part, positions = game, list(game.positions())
    for position in reversed(positions):
        assert part.position == position
        for own, seat in enumerate("ab"):
            view = part.view(seat)
            assert [defect.code for defect in view.status()] == ["game_over"] * (position.phase == "over")
            assert view.hands[own] == position.hands[own]
            assert set(view.hands[1 - own]) <= set(position.hands[1 - own])
            assert view.hand_sizes == position.hand_sizes
            assert (view.table, view.taking, view.attacker) == (position.table, position.taking, position.attacker)
            assert (view.discard, view.stock[-1:]) == (position.discard, position.stock[-1:])
            assert view.stock.count(None) == max(0, len(position.stock) - 1)
        if part.plies:
            part = part.undo()
    assert part.plies == ()


def check_records(game: Game) -> None:
    """Compare what each player sees at every ply with the game as he would have written it down."""
    for seat in "ab":
        record = as_seen_by(game, seat)
        assert Game.from_dgn(record.to_dgn()) == record
        part = Game(game.start)
        for i, position in enumerate(record.positions()):
            if i:
                part = part.play(game.plies[i - 1].move)
            assert part.view(seat) == position
            if position.to_move == seat:
                assert position.legal_moves == part.position.legal_moves


def games(number: int, decks: tuple[int, ...]) -> Iterator[Game]:
    rules = [rules for rules in RULES if rules.deck in decks]
    for seed in range(number):
        yield random_game(seed, rules[seed % len(rules)])


def test_whole_games() -> None:
    """Most of them short: with a deck of 36 a game takes four times as long, and many more are below."""
    for i, game in enumerate((*games(9, (32, 36, 52)), *games(120, (24,)))):
        assert game.result == game.outcome() != "*"
        check_views(game)
        if i % 10 == 0:
            check_records(game)


@pytest.mark.slow
def test_many_whole_games() -> None:
    for game in games(1000, (24, 32, 36, 52)):
        check_views(game)
        check_records(game)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES), data=st.data())
def test_undo_and_construction(seed: int, rules: Rules, data: st.DataObject) -> None:
    game = random_game(seed, rules)
    kept = data.draw(st.integers(0, len(game.plies)))
    part = Game(game.start, game.plies[:kept])
    undone = game
    for _ in range(len(game.plies) - kept):
        undone = undone.undo()
    assert part == undone
    assert list(part.positions()) == list(undone.positions())
    assert part.position == undone.position
    assert sum(map(len, part.bouts)) == kept
    # A bout begins with a lead, and only there.
    assert all([ply.move.kind == "lead" for ply in bout] == [True] + [False] * (len(bout) - 1) for bout in part.bouts)
