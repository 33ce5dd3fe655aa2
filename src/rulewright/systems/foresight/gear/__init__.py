"""Gear: weapons, armor and equipment."""
