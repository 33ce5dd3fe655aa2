"""Scenes in rounds: the contract of a scene, the live encounter, its record, scenario files."""
