"""Dice and tests: pools, readings and notation."""
