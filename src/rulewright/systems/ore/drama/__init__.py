"""Luck and Drama Points: changes to rolls."""
