"""The gamemaster's tables and the NPC generator (book lines 6406-6890)."""
