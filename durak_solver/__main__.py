"""``python -m durak_solver`` is the same as ``durak``."""

from durak_solver.cli.app import main

main()
