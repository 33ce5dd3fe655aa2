"""Checks whether a machine is legal: hull, systems, Perks and Flaws, several bodies."""
