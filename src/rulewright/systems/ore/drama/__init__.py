"""Luck and drama: points, perks and fates that bend what the dice say."""
