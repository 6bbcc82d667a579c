"""Files that are named in documents, comments and docstrings exist."""

from __future__ import annotations

import re

from tests.support.data import ROOT

FOLDERS = ("docs", "durak_solver", "ext", "positions", "tests", "tools")
ROOT_FILES = [path for path in ROOT.iterdir() if path.is_file()]
FILES = [*ROOT_FILES, *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())]
PATHS = ["/" + path.relative_to(ROOT).as_posix() for path in FILES]
READ = [path for path in FILES if path.suffix in (".md", ".py", ".pyx", ".pxd", ".pyi", ".toml")]
NAME = re.compile(r"(?<![\w./*-])((?:[\w-]+/)*[\w-]+(?:\.(?:pxd|pyx|pyi|py|md)|_weights\.h))\b(?![\w(])")
EXAMPLES = {"x.md"}


def test_named_files_exist() -> None:
    assert len(READ) > 200
    missing = {}
    for path in READ:
        named = set(NAME.findall(path.read_text(encoding="utf-8"))) - EXAMPLES
        if unknown := {name for name in named if not any(known.endswith("/" + name) for known in PATHS)}:
            missing[str(path)] = unknown
    assert not missing
