"""Animals and other creatures, swarms, and races that are not human (book lines 5276-5481)."""
