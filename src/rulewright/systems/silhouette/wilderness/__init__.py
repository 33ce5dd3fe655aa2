"""Journeys through the wilderness as scenes."""
