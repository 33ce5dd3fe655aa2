"""Vehicles after each other: one side flees, the others hunt it (book lines 5816-5903)."""
