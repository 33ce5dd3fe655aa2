"""Hazards: air, drugs, disease, electricity, fire, gravity and radiation (book lines 5485-5916)."""
