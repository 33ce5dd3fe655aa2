"""Dice and tests: what is rolled, what it is held against, and how people write it."""
