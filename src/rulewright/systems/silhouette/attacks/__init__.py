"""Attacks carried out between people of a fight, with everything that joins in."""
