"""The rules in force as plain sentences, in English and Russian."""

from durak_solver.show.rules.sections import LANGUAGES, Section, describe_rules

__all__ = ["LANGUAGES", "Section", "describe_rules"]
