"""Creatures, swarms and races (book lines 5276-5481)."""
