"""Attacks in a fight, from the declaration to the damage."""
