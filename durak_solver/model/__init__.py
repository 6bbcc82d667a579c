"""Values: cards, rules, moves, and who holds what."""
