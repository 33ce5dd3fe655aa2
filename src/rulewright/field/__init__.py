"""Ground: one description of a place that rules and people share, and what it answers: distance, sight, cover, ways, bearings."""
