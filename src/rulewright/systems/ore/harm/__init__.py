"""Bodies: damage, tiredness and lasting harm."""
