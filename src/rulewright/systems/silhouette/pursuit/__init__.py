"""Chases on foot as a scene."""
