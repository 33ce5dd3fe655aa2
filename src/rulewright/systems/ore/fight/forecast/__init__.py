"""Chances of declared actions after the roll. Only for speed: the rules are elsewhere."""
