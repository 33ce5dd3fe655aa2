"""Harm: the body, damage, healing and fatigue."""
