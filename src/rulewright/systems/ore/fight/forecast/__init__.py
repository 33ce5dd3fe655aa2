"""Chances beside declared actions: what follows once everybody rolls. Speed code only; the rules are elsewhere."""
