"""Attacks of a unit: shots, heavy fire, close combat, rams, throws, and interrupts."""
