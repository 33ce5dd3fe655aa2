"""Reduced states for simulation, so that equal situations are recognised. It contains no rules."""
