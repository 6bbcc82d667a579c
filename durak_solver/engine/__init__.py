"""Positions in, results out: the engine that searches and the records that it returns."""
