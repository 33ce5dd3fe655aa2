"""People: characters, skills, traits, races and advancement."""
