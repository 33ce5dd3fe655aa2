"""Simulation views of fights and battles, which make equivalent states equal. No rules of the book."""
