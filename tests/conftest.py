"""What holds for all tests."""

from __future__ import annotations

import os

from durak_solver.engine.tables import SHIPPED, VARIABLE

# No test depends on the tables that somebody has built for himself.
os.environ[VARIABLE] = str(SHIPPED)
