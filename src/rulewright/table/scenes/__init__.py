"""Scenes at a table: setup, the live encounter, AI players, and what lasts after the end."""
