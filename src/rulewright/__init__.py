"""Rulewright plays universal tabletop role-playing games: legal builds, exact odds, fights at a shared table, and a reason behind every number."""

__version__ = "0.1.0"
