"""Fights as scenes: rounds, options and results."""
