"""Battles of machines as a scene: set-up, rounds, actions, tactics and aftermath (book lines 4231-4358)."""
