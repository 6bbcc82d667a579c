"""``durak play``: a whole game against the program."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Annotated, Final, TypeVar

import typer

from durak_solver.cli import options, terminal
from durak_solver.engine.engine import Engine
from durak_solver.game.deal import deal
from durak_solver.game.game import Game
from durak_solver.model.messages import quoted
from durak_solver.model.moves import Move, MoveError, MoveSyntaxError
from durak_solver.model.rules import Rules
from durak_solver.model.seeds import draw_seed
from durak_solver.notation.rules import format_rules
from durak_solver.show.game import last_ply_text, outcome_text
from durak_solver.show.hint import hint_text
from durak_solver.show.position import turn_text
from durak_solver.show.rules.words import may_follow, may_transfer_by_card, one_attack_card
from durak_solver.study.hint import find_hint
from durak_solver.study.opponents import LEVELS, before_last_choice, has_no_choice, move_seed, opponent_move

EXAMPLES = """
Examples:

durak play

durak play --level best --seed 7 --save game.dgn
"""

YOU: Final = "a"
"""The seat of the person."""

_HELP: Final = """\
Or one of these:
  hint, h, ?   the best move and why, from what you can see
  undo         takes your last decision back, and what the opponent did since
  moves        shows the table and your moves again
  save FILE    writes the game so far, with all cards open
  quit         ends the game; so do Ctrl-D and Ctrl-C
In what is shown, ?3 stands for three cards that you do not know."""
# Of a game nobody chose, short enough to be typed.
_SEEDS: Final = 1_000_000
_LONGEST_LINE: Final = 10_000
_HINT_SECONDS: Final = 5.0

Found = TypeVar("Found")


class Level(StrEnum):
    """The keys of `LEVELS`."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    BEST = "best"


def play(
    *,
    level: Annotated[
        Level,
        typer.Option(help="; ".join(f"{name} {known.about}" for name, known in LEVELS.items()) + "."),
    ] = Level.MEDIUM,
    rules: options.RulesOption = "",
    seed: options.Seed = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game to this new file, as DGN.", show_default=False),
    ] = None,
    style: options.StyleOption = None,
) -> None:
    """Play a whole game against the program, from the deal to the durak."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    seed = draw_seed(None) % _SEEDS if seed is None else seed
    table = _Table(options.rules_to_play(rules), level.value, seed, terminal.card_style(style))
    if save is not None and (problem := table.save(save)):
        terminal.fail(f"--save: {problem}")
    code = 0
    try:
        table.play()
    except EOFError:
        table.say("Goodbye.")
    except KeyboardInterrupt:
        table.say("\nGoodbye.")
        code = terminal.INTERRUPTED
    finally:  # even if nothing can be shown any more
        problem = None if save is None else table.save(save)
    if problem:
        terminal.fail(f"--save: {problem}")
    if save is not None:
        table.say(f"The game is in {save}.")
    if code:
        raise typer.Exit(code)


class _Table:
    """A person, their opponent, and the game between them."""

    def __init__(self, rules: Rules, level: str, seed: int, style: str) -> None:
        tags = (("Seed", str(seed)), ("A", "You"), ("B", f"Opponent, level {level}"))
        self._game = Game(deal(rules, seed), tags=tags)
        self._level = level
        self._seed = seed
        self._style = style
        self._engine = Engine()
        self._console = terminal.out()
        self._saved: set[Path] = set()

    def play(self) -> None:
        """Play to the end; EOFError if the person leaves."""
        self.say(f"{self._command()} deals these cards again; help says what can be typed.")
        self.say("You attack first." if self._game.start.attacker == YOU else "The opponent attacks first.")
        while (seat := self._game.position.to_move) is not None and self._game.result == "*":
            if seat != YOU:
                self._move(
                    self._think(partial(opponent_move, self._engine, self._game, LEVELS[self._level], self._seed))
                )
            elif has_no_choice(view := self._game.view(YOU)):
                self.say("You have no other move.")
                self._move(view.legal_moves[0])
            else:
                self._ask()
        self.say(outcome_text(self._game, YOU))

    def _command(self) -> str:
        """Return what begins the same game again."""
        words = format_rules(self._game.start.rules)
        return f"durak play --level {self._level} --seed {self._seed}" + (f" --rules {quote(words)}" if words else "")

    def say(self, text: str) -> None:
        """Write to the person."""
        self._console.print(text, soft_wrap=not self._console.is_terminal)

    def save(self, path: Path) -> str | None:
        """Write the game to a file that is new, or was new when this game was first written to it.

        Returns what went wrong, in one sentence.
        """
        try:
            with path.open("w" if path in self._saved else "x", encoding="utf-8") as file:
                file.write(self._game.to_dgn())
        except FileExistsError:
            return f"{path} exists, and is not overwritten"
        except (OSError, ValueError) as error:  # ValueError: a name with a NUL
            return f"{path} cannot be written: {str(getattr(error, 'strerror', None) or error).lower()}"
        self._saved.add(path)
        return None

    def _move(self, move: Move) -> None:
        self._game = self._game.play(move)
        self.say(last_ply_text(self._game, YOU, self._style))
        if self._game.is_repeated:
            self._game = self._game.end("draw")

    def _think(self, work: Callable[[], Found]) -> Found:
        """Let the engine work; Ctrl-C ends the game and not just the work."""
        interrupted = False

        def stop() -> None:
            nonlocal interrupted
            interrupted = True
            self._engine.stop()

        with terminal.on_interrupt(stop):
            found = work()
        if interrupted:
            raise KeyboardInterrupt
        return found

    def _ask(self) -> None:
        """Show the person the table and do what they type, until they have moved or have taken back."""
        self._show()
        game = self._game
        while self._game is game:
            text = _read_line().strip()
            word, _, rest = text.partition(" ")
            if word.lower() == "save":
                self._save_as(rest.strip())
            elif command := self._commands.get(text.lower()):
                command(self)
            elif move := self._parse(text):
                self._move(move)

    def _parse(self, text: str) -> Move | None:
        """Read a move; None if there is none, after saying so."""
        view = self._game.view(YOU)
        numbered = {str(number): move for number, move in enumerate(view.legal_moves, 1)}
        if text in numbered:
            return numbered[text]
        try:
            if not text:
                raise MoveSyntaxError("nothing was typed")
            if text.isdecimal():
                raise MoveError(f"there is no move {quoted(text)}: the last one is {len(numbered)}")
            return view.parse_move(text)
        except MoveError as error:
            more = "; help says what can be typed" if isinstance(error, MoveSyntaxError) else ""
            reason = str(error)
            self.say(f"{reason[:1].upper()}{reason[1:]}{more}.")
            return None

    def _show(self) -> None:
        drawing = turn_text(self._game.view(YOU), self._style, width=terminal.text_width(self._console))
        self._console.print()
        self._console.print(drawing, soft_wrap=True)

    def _hint(self) -> None:
        with terminal.Bar(terminal.progress_console(self._console)) as bar:
            found = self._think(
                partial(
                    find_hint,
                    self._engine,
                    self._game.view(YOU),
                    seconds=_HINT_SECONDS,
                    seed=move_seed(self._game, self._seed),
                    on_progress=partial(bar.show, samples=None),
                )
            )
        self.say(f"{hint_text(found.move, found.found, found.answers, self._style)} (You are a.)")

    def _undo(self) -> None:
        before = before_last_choice(self._game, YOU)
        if before is None:
            self.say("There is nothing to take back: this is your first decision.")
            return
        self._game = before
        self.say("Taken back.")

    def _help(self) -> None:
        self.say(_help(self._game.start.rules))

    def _quit(self) -> None:
        raise EOFError

    def _save_as(self, name: str) -> None:
        if not name:
            self.say("Say where to, such as: save game.dgn")
            return
        problem = self.save(Path(name))
        self.say(f"{problem}." if problem else f"The game so far is in {name}.")

    _commands: Final[dict[str, Callable[[_Table], None]]] = {
        "hint": _hint,
        "h": _hint,
        "?": _hint,
        "undo": _undo,
        "u": _undo,
        "moves": _show,
        "help": _help,
        "quit": _quit,
        "q": _quit,
        "exit": _quit,
    }


def _read_line() -> str:
    """Ask for a line; EOFError at the end of the input. What no terminal has shown is repeated."""
    if sys.stdin.isatty():
        try:
            return input("> ")
        except EOFError:
            print()
            raise
    print("> ", end="", flush=True)
    line = sys.stdin.readline(_LONGEST_LINE)
    print(line.rstrip("\r\n"))
    if not line:
        raise EOFError
    return line


def _help(rules: Rules) -> str:
    """Say what can be typed: the moves that these rules have, and the commands."""
    moves = [
        ("6s6d", "leads two sixes", rules.lead == "many" and not one_attack_card(rules)),
        ("6s", "leads the six, or beats with it", True),
        (
            "+6d",
            'throws the six in, or gives it after "take"' if rules.pursuit else "throws the six in",
            may_follow(rules),
        ),
        (">6d", "transfers the attack with the six", may_transfer_by_card(rules)),
        ("^6h", "transfers the attack by showing the trump six, which you keep", rules.show),
        ("exchange", "swaps the lowest trump for the turn-up", rules.exchange),
        ("take, done", "ends your part of the bout", True),
    ]
    told = (f"  {move:12} {meaning}" for move, meaning, there in moves if there)
    return "\n".join(["Type the number of a move, or the move itself:", *told, _HELP])
