"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from durak_solver.engine.tables.lookup import SHIPPED, VARIABLE

# No test depends on the tables that somebody has built for himself.
os.environ[VARIABLE] = str(SHIPPED)
# Examples that are made slowly tell of a busy machine.
settings.register_profile("patient", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
