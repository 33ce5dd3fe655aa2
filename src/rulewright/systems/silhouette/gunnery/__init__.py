"""Attacks of machines: arcs, ranges, modifiers and the attack test (book lines 4804-4895)."""
