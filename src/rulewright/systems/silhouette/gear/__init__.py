"""Gear: weapons, armor and ammunition."""
