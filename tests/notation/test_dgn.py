"""DGN: what is read, how it is written, and what is said about mistakes."""

from __future__ import annotations

import pickle
import random
import string
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from durak_solver import Game, Position, Rules
from durak_solver.game.game import parse_dgn
from durak_solver.model.moves import GLYPHS
from durak_solver.notation.dgn import WIDTH, DGNError
from tests.support.data import POSITIONS
from tests.support.games import RULES, as_seen_by, random_game

FOLDER = POSITIONS / "games"
SMALL = '[Position "6s6c/6d7s8c h a -"]'
HIDDEN = '[Position "6s7dThKs9c8h/?6 h a - ?23,7h"]'
EXAMPLE = """\
[Event "Club evening"]
[Rules "podkidnoy"]
[Position "6sAc6dAdThJh/9s8cJcTd7h8h s a - Qs8dKs9c7c9dAs"]
[Result "a"]

{from memory}
1. 6s6d! 6d:Td 6s:9s done (a:Qs8d b:Ks9c)
2. 7h?! $14 7h:Th done (a:9d b:7c) {should have waited} a
"""


# ---------------------------------------------------------------------------------------------------- round trips


def test_the_canonical_form_is_kept() -> None:
    game = Game.from_dgn(EXAMPLE)
    assert game.to_dgn() == EXAMPLE
    assert game.result == "a"
    assert game.outcome() is None
    assert game.tags == (("Event", "Club evening"),)
    assert game.plies[0].mark == "!"
    assert game.plies[4].mark == "?! $14"
    assert game.plies[6].comment == "should have waited"
    assert [len(bout) for bout in game.bouts] == [4, 3]


@pytest.mark.parametrize(
    "text",
    [
        # Order and spelling of tags, missing numbers, line breaks anywhere, other words, other cards.
        """ [Result "A"] [ position "6s6dThJhAcAd/9sTd8c8hJc7h s a - Qs8dKs9c7c9dAs" ]
            [Event "Club evening"] {from memory}
            6\u2660,6\u2666! 10d
            6s : 9s бито
            (b:Ks9c
            a: Qs, 8d)
            7h ?! $14 10h pass (a:9d)(b:7c) {should have\n waited}""",
        EXAMPLE.replace("\n", "\r\n"),
        "\ufeff" + EXAMPLE,
        EXAMPLE.replace("!", "$1", 1).replace("?!", "$6").replace("1.", "1...", 1).replace("2. ", "2."),
        EXAMPLE.replace("waited} a", "waited}").replace("{from memory}", ""). replace("[Event", "{from memory} [Event"),
        EXAMPLE.replace("(a:Qs8d b:Ks9c)", "").replace("(a:9d b:7c)", ""),
        EXAMPLE.replace('[Result "a"]\n', "\n\n"),
        EXAMPLE.replace('[Rules "podkidnoy"]\n', ""),
    ],
)  # fmt: skip
def test_forgiving_reading(text: str) -> None:
    assert Game.from_dgn(text).to_dgn() == EXAMPLE


def test_several_games() -> None:
    first, second = Game.from_dgn(EXAMPLE), Game.from_dgn(SMALL)
    third = Game.from_dgn(SMALL + "6s take")
    text = "\n".join(map(Game.to_dgn, (first, second, second, third)))
    assert parse_dgn(text) == [first, second, second, third]
    # Without results the tags tell where a game begins.
    assert parse_dgn(f"{SMALL} 6s take\n{SMALL} * {{end}} {SMALL}") == [
        third,
        Game(second.start, comment="end"),
        second,
    ]
    with pytest.raises(DGNError, match="one game was expected, not 4"):
        Game.from_dgn(text)


@pytest.mark.parametrize("rules", RULES)
def test_whole_games_are_read_back(rules: Rules) -> None:
    for seed in range(3):
        game = random_game(seed, rules)
        for one in (game, as_seen_by(game, "a"), as_seen_by(game, "b"), game.undo(), game.undo().end("draw")):
            text = one.to_dgn()
            assert text.isascii()
            assert Game.from_dgn(text) == one
            assert Game.from_dgn(text).to_dgn() == text
            assert all(len(line) <= WIDTH for line in text.splitlines() if not line.startswith("["))


WORDS = st.text(st.characters(exclude_characters="}", exclude_categories=["Cs"]), max_size=20)
LONG = st.lists(WORDS | st.just("word" * 40), max_size=30).map(" ".join)
MARKS = st.lists(st.sampled_from(GLYPHS) | st.integers(0, 255).map(lambda n: f"${n}"), max_size=3).map(" ".join)
NAMES = st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=10)
TAGS = st.dictionaries(
    NAMES.filter(lambda name: name.lower() not in ("rules", "position", "result")),
    WORDS.filter(lambda text: not {"\n", "\r"} & set(text)),
    max_size=3,
).filter(lambda tags: len({name.lower() for name in tags}) == len(tags))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES[:3]), tags=TAGS, comment=LONG, data=st.data())
def test_noted_games_are_read_back(
    seed: int, rules: Rules, tags: dict[str, str], comment: str, data: st.DataObject
) -> None:
    played = random_game(seed, rules)
    if data.draw(st.booleans()):
        played = as_seen_by(played, data.draw(st.sampled_from("ab")))
    game = Game(played.start, tags=tuple(tags.items()), comment=comment)
    for ply in played.plies[: data.draw(st.integers(0, 12))]:
        game = game.play(ply.move, mark=data.draw(MARKS), comment=data.draw(LONG), drawn=ply.drawn)
    if game.outcome() is None:
        game = game.end(data.draw(st.sampled_from(["a", "b", "draw", "*"])))
    text = game.to_dgn()
    assert parse_dgn(text) == [game]
    assert Game.from_dgn(text).to_dgn() == text
    lines = [line for line in text.split("\n") if " " in line and not line.startswith("[")]
    assert all(len(line) <= WIDTH for line in lines)


@pytest.mark.parametrize("tag", ['say "x"', "back\\slash", '\\"', "\\\\", "[x]", "{", "", " a  b ", "Юля"])
def test_tags_are_quoted(tag: str) -> None:
    game = Game(Position.from_dpn("6s/7s h a -"), tags=(("Event", tag),))
    assert Game.from_dgn(game.to_dgn()) == game


def test_a_backslash_that_quotes_nothing_stands_for_itself() -> None:
    assert Game.from_dgn(f'[File "C:\\games"]{SMALL}').tags == (("File", "C:\\games"),)


# ------------------------------------------------------------------------------------------------------ what it means


@pytest.mark.parametrize(
    ("rules", "options", "expected"),
    [
        ("simple", "", Rules(throw="lead")),
        ("simple limit=5", "", Rules(throw="lead", limit=5)),
        (" limit=5  rules=simple", "", Rules(throw="lead", limit=5)),
        ("podkidnoy limit=5", "limit=5", Rules(limit=5)),
        ("throw=lead", "rules=simple", Rules(throw="lead")),
        ("", "", Rules()),
        ("limit=6", "limit=6", Rules()),
        ("pogony", "", Rules(straps="6")),
    ],
)
def test_rules(rules: str, options: str, expected: Rules) -> None:
    game = Game.from_dgn(f'[Rules "{rules}"] [Position "6s6c/6d7s8c h a - {options}"]')
    assert game.start.rules == expected
    assert Game.from_dgn(game.to_dgn()) == game


def test_results() -> None:
    for text in ('[Result "b"] {0} 6s', "{0} 6s b", '[Result "*"] {0} 6s b', '[Result "b"] {0} 6s *', "{0} 6s B"):
        game = Game.from_dgn(text.replace("{0}", SMALL))
        assert (game.result, game.outcome()) == ("b", None)
    won = f"{SMALL} 6s 7s +6c 8c done"
    assert Game.from_dgn(won).result == Game.from_dgn(won + " *").result == Game.from_dgn(won + " a").result == "a"
    assert Game.from_dgn(SMALL + "DRAW").result == "draw"


def test_hidden_cards_become_known() -> None:
    game = Game.from_dgn(f"{HIDDEN} 6s 6s:9s done (a:Qs) 2. 8d take +8s done (b:Ac)")
    assert [str(position).split(" ", 1)[0] for position in game.positions()] == [
        "6sKs9c7d8hTh/?6",
        "Ks9c7d8hTh/?6",
        "Ks9c7d8hTh/?5",
        "KsQs9c7d8hTh/?6".replace("KsQs", "QsKs"),
        "QsKs9c7d8hTh/?5",
        "QsKs9c7d8hTh/?5",
        "QsKs9c7d8hTh/?4",
        "8sQsKs9c7d8d8hTh/Ac,?5",
    ]
    assert game.to_dgn().splitlines()[-2:] == ["1. 6s 6s:9s done (a:Qs)", "2. 8d take +8s done (b:Ac) *"]
    assert game.view("a") == game.position.view("a")
    with pytest.raises(ValueError, match="what b knows cannot be told"):
        game.view("b")
    # A card of which only the record tells is not seen by the other player.
    assert game.position.hands[1] and game.view("a").hands[1] == ()


# ----------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: there is no game in this text"),
        (" \n\n ", "line 3, column 2: there is no game in this text"),
        ("{only a comment}", "line 1, column 17: there is no game in this text"),
        ("6s", "game 1: the tag Position is missing"),
        ("*", "game 1: the tag Position is missing"),
        ('[Event "x"]', "game 1: the tag Position is missing"),
        (f"{SMALL} 6s *\n\n[Event \"x\"] 6s", "game 2: the tag Position is missing"),
        (f"{SMALL} {{x", "line 1, column 32: this comment is not closed"),
        (f"{SMALL} 6s }}", "line 1, column 35: '}' was not expected here"),
        (f"{SMALL} 6s ]", "line 1, column 35: ']' was not expected here"),
        (f"{SMALL} 6s )", "line 1, column 35: ')' was not expected here"),
        (f"{SMALL} 6s : ", "line 1, column 35: ':' was not expected here"),
        (f"{SMALL} 6s (a:7s", "line 1, column 35: this list of drawn cards is not closed"),
        ("[", "line 1, column 2: the name of a tag was expected"),
        ('["x"]', "line 1, column 2: the name of a tag was expected"),
        ("[Event x]", "line 1, column 8: the text of the tag was expected, in quotes"),
        ('\n[Event "x]\n[', "line 2, column 8: the quote is not closed in this line"),
        ('[Event "x\\"]', "line 1, column 8: the quote is not closed in this line"),
        ('[Event "x" 6s', "line 1, column 11: a ] was expected after the text of the tag"),
        (f'{SMALL} [EVENT "x"] [Event "x"]', "line 1, column 45: the tag Event is given twice"),
        (f"{SMALL} {SMALL}", "line 1, column 33: the tag Position is given twice"),
        ('[Position "6s6c/6d7x h a -"] 6s', "line 1, column 20: HANDS: a suit was expected, not 'x'"),
        ('[Position "6s6c/6d7s h a"]', "line 1, column 25: TABLE: the field is missing"),
        ('[Position ""]', "line 1, column 12: HANDS: the field is missing"),
        ('[Position "6s/6s h a -"]', "game 1, start: not a legal position: 6s is in more than one place"),
        (f'[Rules "whist"] {SMALL}', "line 1, column 9: rules='whist' is not known: choose one of podkidnoy"),
        (f'[Rules "limit=x"] {SMALL}', "line 1, column 9: limit='x' is not allowed"),
        (f'[Rules "simple pogony"] {SMALL}', "line 1, column 9: rules is given twice"),
        (f'[Rules "podkidnoy"] {SMALL.replace("-", "- limit=5")}', "tag Position, which says limit=5"),
        (f'[Rules "limit=5"] {SMALL.replace("-", "- limit=6")}', "tag Position, which says podkidnoy"),
        (f'[Result "1-0"] {SMALL}', "line 1, column 10: '1-0' is no result: choose one of a, b, draw, *"),
        (f'[Result "a"] {SMALL} 6s b', "column 48: the result b after the moves contradicts the tag Result"),
        (f'[Result "b"] {SMALL} 6s 7s 6c 8c done', "game 1: the result b contradicts the moves, which end with a"),
        (f"{SMALL} 6s 7s 6c 8c done draw", "game 1: the result draw contradicts the moves, which end with a"),
        (f"{SMALL} 6s * 7s", "line 1, column 37: after the result * only the tags of another game were expected"),
        (f"{SMALL} 6s * *", "line 1, column 37: after the result * only the tags"),
        (f"{SMALL} 6s$256", "line 1, column 34: '$256' is not a mark"),
        (f"{SMALL} 6s$", "line 1, column 34: '$' is not a mark"),
        (f"{SMALL} 6s ${'9' * 9999}", "is not a mark"),
        (f"{SMALL} ! 6s", "line 1, column 32: a mark can only follow a move"),
        (f"{SMALL} 1. ! 6s", "line 1, column 35: a mark can only follow a move"),
        (f"{SMALL} (a:7s) 6s", "line 1, column 32: a list of drawn cards can only follow a move"),
        (f"{SMALL} 6s 2.", "line 1, column 35: a move was expected after the bout number"),
        (f"{SMALL} 1. 1. 6s", "line 1, column 32: a move was expected after the bout number"),
        (f"{SMALL} 1. *", "line 1, column 32: a move was expected after the bout number"),
        (f"{SMALL} 1. {SMALL}", "line 1, column 32: a move was expected after the bout number"),
        (f"{SMALL} 2. 6s", "game 1, bout 1, move 1 (6s): it is numbered 2, but this is bout 1"),
        (f"{SMALL} 6s 1. 7s", "game 1, bout 1, move 2 (7s): it is numbered 1, but bout 1 is not over"),
        (f"{SMALL} 6s take done 3. 6c", "game 1, bout 2, move 1 (6c): it is numbered 3, but this is bout 2"),
        (f"{SMALL} 6s 6s:8c", "game 1, bout 1, move 2 (6s:8c): 8c does not beat 6s"),
        (f"{SMALL} 6s 8c", "game 1, bout 1, move 2 (8c): 8c does not beat 6s"),
        (f"{SMALL} 6s take done\n7h", "game 1, bout 2, move 1 (7h): a does not hold 7h"),
        (f"{SMALL} 6s 7s 6c 8c done 6d", "game 1, bout 2, move 1 (6d): the game is over"),
        (f"{SMALL} foo", "game 1, bout 1, move 1 (foo): 'foo' is not a move: a rank was expected, not 'f'"),
        (f"{SMALL} {'x' * 5000}", "game 1, bout 1, move 1 ('" + "x" * 40 + "'...): "),
        (f"{SMALL} 6s *\n{SMALL} 6s take 6d", "game 2, bout 1, move 3 (6d): a does not hold 6d"),
        (f"{SMALL} 6s >6d", "game 1, bout 1, move 2 (>6d): it is b's turn to beat or take"),
        (f"{SMALL} 6s ()", "line 1, column 36: a: or b: was expected before the drawn cards"),
        (f"{SMALL} 6s (7s)", "line 1, column 36: a: or b: was expected before the drawn cards"),
        (f"{SMALL} 6s (c:7s)", "line 1, column 36: a: or b: was expected before the drawn cards"),
        (f"{SMALL} 6s (ab:7s)", "line 1, column 36: a: or b: was expected before the drawn cards"),
        (f"{SMALL} 6s (a:7s c:8s)", "line 1, column 41: a: or b: was expected before the drawn cards"),
        (f"{SMALL} 6s (a:7s b:8s a:9s)", "line 1, column 46: the cards that a drew are given twice"),
        (f"{SMALL} 6s (a:7s) (a:9s)", "line 1, column 43: the cards that a drew are given twice"),
        (f"{SMALL} 6s (a:)", "line 1, column 38: a card was expected"),
        (f"{SMALL} 6s (a:, b:7s)", "line 1, column 38: a card was expected"),
        (f"{SMALL} 6s (a:7x)", "line 1, column 39: a suit was expected, not 'x'"),
        (f"{SMALL} 6s (a:7s:8s)", "a: or b: was expected before the drawn cards"),
        (f"{SMALL} 6s (a:7s)", "game 1, bout 1, move 1 (6s): a draws no card here, so 7s neither"),
        (f"{SMALL} 6s 7s (b:8s)", "game 1, bout 1, move 2 (7s): b draws no card here, so 8s neither"),
        (f"{HIDDEN} 6s 9s done (a:QsQd)", "game 1, bout 1, move 3 (done): a draws only 1 here, so not Qs Qd"),
        (f"{HIDDEN} 6s 9s done (a:9c)", "game 1, bout 1, move 3 (done): 9c cannot be an unknown card of a"),
        (f"{HIDDEN} 6s 6s:7d", "game 1, bout 1, move 2 (6s:7d): b does not hold 7d"),
        (EXAMPLE.replace("a:Qs8d", "a:Ks"), "move 4 (done): a cannot have drawn Ks: the stock gives a Qs 8d"),
    ],
)  # fmt: skip
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(DGNError) as caught:
        parse_dgn(text)
    assert message in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_an_error_points_at_its_place() -> None:
    with pytest.raises(DGNError) as caught:
        parse_dgn('[Event "x"]\r\n[Position "6s6c/6d7x h a -"]\r\n6s')
    error = caught.value
    assert (error.line, error.column, error.place) == (2, 20, "")
    caret = " " * 19 + "^"
    assert str(error).splitlines()[1:] == ['[Position "6s6c/6d7x h a -"]', caret]
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    with pytest.raises(DGNError) as caught:
        parse_dgn(f"{SMALL}\n6s\n  8c")
    error = caught.value
    assert (error.line, error.column, error.place) == (3, 3, "game 1, bout 1, move 2 (8c)")


ALPHABET = '6789TJQKAscdh/:+-*?!$.,()[]{}"\\ \n\tab0123456789РВДКТпчbRJ♠🂡\ufeff\x00'


def check_reading(text: str) -> None:
    """Whatever it is, there are games that are written and read back, or there is a DGNError."""
    work = time.process_time()
    try:
        games = parse_dgn(text)
    except DGNError as error:
        assert error.reason
        assert 1 <= error.column <= len(error.source) + 1
    else:
        written = "".join(map(Game.to_dgn, games))
        assert parse_dgn(written) == games
    assert time.process_time() - work < 2, "the time grows too fast with the text"


@settings(max_examples=300, deadline=None)
@example("\r")
@given(st.text() | st.text(ALPHABET, max_size=80))
@example("[" * 10000)
@example("(" * 10000)
@example("a:" * 10000)
@example(SMALL + " 6s" + "!" * 10000)
@example(SMALL + " 6s (" + "a:7s " * 5000 + ")")
@example(SMALL + " 6s (" + "a " * 50000 + ")")
@example(SMALL + " " * 100000 + ":")
@example(SMALL + " +" + " \n" * 50000)
@example(SMALL + "1." * 50000)
@example('[A "' + "\\" * 100001 + '"]')
@example(SMALL + "{" + " a" * 50000 + "} 6s")
def test_any_text(text: str) -> None:
    check_reading(text)
    check_reading(SMALL + text)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_damaged_games(seed: int) -> None:
    rng = random.Random(seed)
    text = rng.choice(TEXTS)
    for _ in range(rng.randint(1, 4)):
        i, j = rng.randrange(len(text)), rng.randrange(len(text))
        cut = rng.choice(["", rng.choice(ALPHABET), text[j : j + rng.randint(1, 8)]])
        text = text[:i] + cut + text[i + rng.randint(0, 4) :]
    check_reading(text)


TEXTS = [
    EXAMPLE,
    *(as_seen_by(random_game(seed, Rules(deck=24)), "a").to_dgn() for seed in range(3)),
    f"{SMALL} 6s take",
]


# -------------------------------------------------------------------------------------------------------- the examples


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.dgn")), ids=lambda path: path.stem)
def test_example_games(path: Path) -> None:
    text = path.read_text(encoding="ascii")
    games = parse_dgn(text)
    assert "\n".join(map(Game.to_dgn, games)) == text
    assert all(game.result != "*" for game in games)


def test_there_are_example_games() -> None:
    games = [game for path in FOLDER.glob("*.dgn") for game in parse_dgn(path.read_text(encoding="ascii"))]
    assert len(games) >= 3
    assert any(any(game.start.unknown) for game in games)
    assert any(game.start.stock and not any(game.start.unknown) for game in games)
