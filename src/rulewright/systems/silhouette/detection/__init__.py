"""Seeing and not being seen: lines of sight, concealment, sensors, information warfare (book lines 4701-4800)."""
