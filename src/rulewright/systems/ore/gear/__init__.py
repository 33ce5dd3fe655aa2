"""Weapons, armour and other gear."""
