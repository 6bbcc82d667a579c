"""docs/api.md lists the public names, and each is there."""

from __future__ import annotations

import re
import subprocess
import sys

import durak_solver
from tests.support.data import ROOT


def test_all_public_names_are_listed() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sorted(listed) == sorted(durak_solver.__all__)
    assert all(hasattr(durak_solver, name) for name in listed)


def test_what_comes_when_first_asked_for_is_listed_by_dir() -> None:
    assert set(durak_solver.__all__) <= set(dir(durak_solver))
    assert not hasattr(durak_solver, "no_such_name")


def test_import_loads_no_slow_package() -> None:
    code = "import sys, durak_solver; print(*{'numpy', 'networkx', 'rich', 'typer', 'logging'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""
