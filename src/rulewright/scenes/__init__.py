"""Scenes in rounds: the interface of a scene, the live encounter, its record, scenario files, and chances of options."""
