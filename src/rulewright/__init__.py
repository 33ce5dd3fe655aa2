"""Rulewright plays universal tabletop role-playing games: legal builds, exact odds, live tables, and a reason behind every number."""

__version__ = "0.9.5"
