"""Combat: fighters, weapons and attack resolution."""
