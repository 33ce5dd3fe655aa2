"""User-defined readings: small pools are counted roll by roll, large ones raise an error that says what is missing."""

import pytest

from rulewright.dice import Reading
from rulewright.errors import UserError
from rulewright.play import Roll
from rulewright.play.odds import exact


class Successes(Reading[int], frozen=True):
    dice: int

    def sides(self):
        return (6,) * self.dice

    def read(self, faces):
        return sum(face >= 5 for face in faces)


def test_a_reading_without_weights_is_counted_roll_by_roll():
    odds = exact(lambda: (yield from Roll(Successes(3))))
    assert odds.weights == {0: 64, 1: 96, 2: 48, 3: 8}


def test_too_many_rolls_are_not_counted_one_by_one():
    with pytest.raises(UserError, match=r"12d6 has 2176782336 rolls.*Successes needs its own `weights`"):
        Successes(12).weights()
