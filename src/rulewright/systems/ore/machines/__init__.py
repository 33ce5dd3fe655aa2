"""Vehicles: the file, what its figures mean, what damage does to it, whether it is legal, and its sheet (book lines 5519-5814)."""
