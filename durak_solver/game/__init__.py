"""What may be played, what it leads to, and what players know."""
