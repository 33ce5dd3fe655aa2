"""Damage to machines and their crews (book lines 4999-5083)."""
