"""Pursuits: one side flees, the others chase it (book lines 5816-5903)."""
