"""Every example in README.md and docs/ is run.

What is done with a block depends on its language:

``python``
    With ``>>>`` it is a doctest, without it is executed. The blocks of one document share their names, in order.
``console``
    ``$ durak …`` is run by the command line, in the folder of the repository, and what it writes (both streams) must be
    exactly what is shown. ``$ echo … | durak …`` gives it an input, ``printf '…'`` one with ``\\n`` between its lines,
    and ``$ echo $?`` shows the exit code.
``sh``
    Commands joined by ``&&``; those that call ``durak`` must succeed.
``dpn``
    Every line must be a legal position. Blank lines and comments are skipped.
``dgn``
    One game, in the form in which it is written.
``text``
    Not run.

Commands that set things up (``python3 -m venv``, ``pip``, ``pytest``) are skipped; any other command, and any other
language, fails the test. Numbers of nodes and seconds depend on the search and the machine: before the comparison
``55 nodes, 0.001 s`` becomes ``N nodes, S s``, and in JSON ``"nodes": 55, "seconds": 0.001`` becomes
``"nodes": N, "seconds": S``.
"""

from __future__ import annotations

import doctest
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from durak_solver import Game, Position
from durak_solver.cli.app import app
from tests.support.data import ROOT

# Terminal settings of the person who runs the tests must not change what is shown.
ENVIRONMENT = {"FORCE_COLOR": None, "COLUMNS": None, "NO_COLOR": "1", "TERM": "dumb"}
SETUP = re.compile(r"(python3 -m venv|(\S+/)?(pip|pytest))( |$)")


@dataclass(frozen=True)
class Block:
    file: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def find_blocks(path: Path) -> list[Block]:
    found: list[Block] = []
    text = path.read_text(encoding="utf-8")
    for fence in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, fence.start()) + 1
        found.append(Block(path.name, line, fence[1], fence[2]))
    return found


DOCUMENTS = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.exists()]
BLOCKS = [block for path in DOCUMENTS for block in find_blocks(path)]


def of_language(language: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == language], ids=str)


def normalised(text: str) -> str:
    text = re.sub(r"[\d,]+ nodes, [\d.]+ s", "N nodes, S s", text)
    text = re.sub(r'"nodes": \d+, "seconds": [\d.e-]+', '"nodes": N, "seconds": S', text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def run_durak(command: str, given: str | None = None) -> tuple[str, int]:
    program, *arguments = shlex.split(command)
    assert program.rpartition("/")[2] == "durak", f"this command is not known: {command}"
    result = CliRunner().invoke(app, arguments, input=given, env=ENVIRONMENT)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output, result.exit_code


def run_console(text: str) -> list[tuple[str, str, str]]:
    """Return each command with what is shown and what came out."""
    results = []
    code = 0
    for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = example.partition("\n")
        if SETUP.match(command):
            continue
        if command == "echo $?":
            output = str(code)
        elif pipe := re.fullmatch(r"echo (.*?) \| (.*)", command):
            output, code = run_durak(pipe[2], " ".join(shlex.split(pipe[1])) + "\n")
        elif pipe := re.fullmatch(r"printf '(.*?)' \| (.*)", command):
            output, code = run_durak(pipe[2], pipe[1].replace("\\n", "\n"))
        else:
            output, code = run_durak(command)
        results.append((command, normalised(shown), normalised(output)))
    return results


def run_python(blocks: list[Block]) -> str:
    """Run the Python of one document, and return what differed."""
    names: dict[str, Any] = {}
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    for block in blocks:
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(block.text, names, str(block), block.file, block.line)
            runner.run(test, out=report.append, clear_globs=False)
            names = test.globs
        else:
            exec(compile(block.text, str(block), "exec"), names)
    return "".join(report)


# -------------------------------------------------------------------------------------------------------- the documents


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_python(path: Path) -> None:
    report = run_python([block for block in find_blocks(path) if block.language == "python"])
    assert not report, report


@of_language("console")
def test_console(block: Block) -> None:
    results = run_console(block.text)
    for command, shown, output in results:
        assert output == shown, command


@of_language("sh")
def test_sh(block: Block) -> None:
    for command in re.split(r" && |\n", block.text.strip()):
        if not SETUP.match(command):
            output, code = run_durak(command)
            assert code == 0, output


@of_language("dpn")
def test_dpn(block: Block) -> None:
    for line in block.text.splitlines():
        if line.strip() and not line.startswith("#"):
            assert Position.from_dpn(line).status() == (), line


@of_language("dgn")
def test_games_are_games(block: Block) -> None:
    assert Game.from_dgn(block.text).to_dgn() == block.text


def test_no_block_escapes() -> None:
    known = ("python", "console", "sh", "dpn", "dgn", "text")
    unknown = [str(block) for block in BLOCKS if block.language not in known]
    assert not unknown, unknown
    for path in DOCUMENTS:
        fences = re.findall("^ *```", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == 2 * len(find_blocks(path)), path


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


# ----------------------------------------------------------------------------------- the tests above can tell a mistake


def test_a_wrong_output_is_noticed() -> None:
    right = '$ durak hint "6s/7s h a -"\nLead 6♠'
    command, shown, output = run_console(right)[0]
    assert command == 'durak hint "6s/7s h a -"'
    assert output.startswith(shown)
    assert output != shown
    assert run_console("$ durak analyse x\n$ echo $?\n2")[1][1:] == ("2", "2")


def test_a_wrong_doctest_is_noticed() -> None:
    assert run_python([Block("x.md", 1, "python", ">>> x = 1\n")]) == ""
    assert "Expected" in run_python([Block("x.md", 1, "python", ">>> 1 + 1\n3\n")])


def test_names_are_shared_within_a_document() -> None:
    blocks = [Block("x.md", 1, "python", "x = 1\n"), Block("x.md", 5, "python", ">>> x\n1\n")]
    assert run_python(blocks) == ""


def test_an_unknown_command_is_noticed() -> None:
    with pytest.raises(AssertionError, match="not known"):
        run_console("$ ls\n")
    assert run_console("$ python3 -m venv x\n$ pip install -e .\n") == []


def test_only_nodes_and_seconds_are_normalised() -> None:
    assert normalised("1,234 nodes, 0.001 s") == normalised("7 nodes, 12.345 s")
    assert normalised('"nodes": 5, "seconds": 1e-05}') == normalised('"nodes": 6, "seconds": 0.1}')
    assert normalised("6s win") != normalised("7s win")
