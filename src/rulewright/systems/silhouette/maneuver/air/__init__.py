"""Flight: altitude and turns, loss of control, descent, loads, and flight paths."""
