"""Step three of a round: each set takes effect at its Speed."""
