"""Recovery: medicine and natural healing."""
