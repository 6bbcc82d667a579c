"""Hidden cards, estimated."""
