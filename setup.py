"""Build the Cython core in ``ext/`` as ``durak_solver._core``; everything else is declared in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup

# DURAK_DEBUG=1 builds a core that checks bounds and divisions, for hunting bugs in the core itself.
DEBUG = os.environ.get("DURAK_DEBUG") == "1"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": not DEBUG,
    "initializedcheck": DEBUG,
    "embedsignature": True,
}

extensions = [
    Extension(
        f"durak_solver._core.{path.stem}",
        [str(path)],
        depends=[str(weights) for weights in Path("ext/generated").glob("*.h")],
        include_dirs=["ext"],
        extra_compile_args=["-O3", "-fno-strict-aliasing"],
    )
    for path in sorted(Path("ext").glob("*.pyx"))
]

setup(
    # An installed package carries the puzzles and the suites as durak_solver/positions.
    packages=[*find_packages(include=["durak_solver*"]), "durak_solver.positions"],
    package_dir={"durak_solver.positions": "positions"},
    package_data={
        "durak_solver": ["py.typed", "**/*.pyi", "tables/*.durak"],
        "durak_solver.positions": ["*/*.dpn", "*/*.dgn"],
    },
    ext_modules=cythonize(extensions, include_path=[".", "ext"], compiler_directives=DIRECTIVES),
)
