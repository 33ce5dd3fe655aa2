"""Combat: fighters, weapons and attacks."""
