"""Maps: one description of a place for rules and people, and queries about distance, sight, cover, paths and bearings."""
