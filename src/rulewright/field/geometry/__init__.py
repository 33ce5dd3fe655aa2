"""Exact integer geometry: line segments, polygons and hexes."""
