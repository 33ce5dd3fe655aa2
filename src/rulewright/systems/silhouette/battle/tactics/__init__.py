"""AI tactics of units: evaluation of shots and places, crew transfers, transformations."""
