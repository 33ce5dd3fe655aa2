"""Vehicles: file, tables, damage, audit and sheet (book lines 5519-5814)."""
