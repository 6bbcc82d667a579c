"""Open cards, solved."""
