"""Dice and tests: pools, Thresholds and notation."""
