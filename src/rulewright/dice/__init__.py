"""Readings of dice: which dice are rolled, how the faces are read, how likely each reading is. No game in here."""

from rulewright.dice.reading import Faces, Reading, Weights, count_every_roll, weights_of

__all__ = ["Faces", "Reading", "Weights", "count_every_roll", "weights_of"]
