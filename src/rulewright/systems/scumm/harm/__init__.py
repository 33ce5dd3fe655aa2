"""Harm: bodies, damage, healing and hazards."""
