"""Endings tables: files, look-ups, building, checking."""
