"""Harm: the body and its state, being hit, healing, and what else hurts."""
