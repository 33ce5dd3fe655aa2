"""Damage and its effects: consequences of hits, hazards, zones, structures, strain on machine and crew."""
