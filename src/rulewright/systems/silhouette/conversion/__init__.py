"""Conversion to and from d20, in the terms of the open rules (book lines 7481-7784)."""
