"""A battle of machines as a scene: set-up, rounds, what units can do, tactics, what outlasts it (book lines 4231-4358)."""
