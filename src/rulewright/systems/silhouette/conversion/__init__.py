"""The bridge to d20 and back, in the terms of the open rules (book lines 7481-7784)."""
