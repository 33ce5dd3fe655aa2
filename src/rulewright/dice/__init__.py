"""Readings of dice: which dice are rolled, how faces become a result, and the exact distribution. Independent of any game."""

from rulewright.dice.highest import HighestDie, Total, Unskilled
from rulewright.dice.percentile import BandedPercentile, Percentile
from rulewright.dice.reading import Faces, Reading, Weights, count_every_roll, weights_of
from rulewright.dice.sets import BestSet, Set, Sets
from rulewright.dice.sums import Banded, Sum, sum_of

__all__ = [
    "Banded",
    "BandedPercentile",
    "BestSet",
    "Faces",
    "HighestDie",
    "Percentile",
    "Reading",
    "Set",
    "Sets",
    "Sum",
    "Total",
    "Unskilled",
    "Weights",
    "count_every_roll",
    "sum_of",
    "weights_of",
]
