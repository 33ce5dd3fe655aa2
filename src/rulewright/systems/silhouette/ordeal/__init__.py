"""Ordeals as scenes: days of illness, withdrawal and radiation."""
