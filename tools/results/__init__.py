"""What the endings tables say about the game."""
