"""Vehicles against each other, in rounds, with the people aboard (book lines 5816-5981)."""
