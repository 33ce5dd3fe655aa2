"""Recovery: medicine, and what time heals."""
