"""Text in and out: cards, positions (DPN), moves."""
