"""What can be done with positions and their analyses."""
