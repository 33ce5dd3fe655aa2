"""Attacks of machines: arcs, range, modifiers, the test itself (book lines 4804-4895)."""
