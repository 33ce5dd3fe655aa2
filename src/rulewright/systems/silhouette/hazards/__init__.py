"""Hazards: bad air, drugs, illness, electricity, fire, gravity and radiation (book lines 5485-5916)."""
