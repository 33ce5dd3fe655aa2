"""People: characters, skills and advancement."""
