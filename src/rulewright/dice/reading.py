"""The base class of readings of dice, from which all probabilities are computed."""

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any, Generic, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count

R = TypeVar("R")

MOST_COUNTED = 2_000_000
"""The largest number of rolls that is counted one by one."""

Faces = tuple[int, ...]
Weights = Mapping[R, int]
"""How many of the equally likely rolls give each result; the values add up to the number of all rolls."""


class Reading(Struct, Generic[R], frozen=True, gc=False):
    """Dice and how they are read into a small hashable result.

    A subclass defines `sides` and `read`, and `weights` if counting every roll would take too long. It checks its limits in `__post_init__`
    and raises `UserError`, so that no number of dice can hang the exact odds or exhaust the memory.
    """

    def sides(self) -> tuple[int, ...]:
        """The number of sides of every die, in the order of the faces."""
        raise NotImplementedError

    def read(self, faces: Faces) -> R:
        """The result of these faces."""
        raise NotImplementedError

    def weights(self) -> Weights[R]:
        """The exact distribution, in numbers of rolls; counted roll by roll unless overridden."""
        rolls = math.prod(self.sides())
        if rolls > MOST_COUNTED:
            raise UserError(f"{self} has {rolls} rolls, too many to count one by one: {type(self).__name__} needs its own `weights`")
        return count_every_roll(self)

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """The indices of the dice that made the result; all by default."""
        return tuple(range(len(faces)))

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        """Returns the result of the dice alone, in labelled parts that add up; games explain modifiers."""
        result: Any = self.read(faces)
        return (("dice", result),) if type(result) is int else ()

    def __str__(self) -> str:
        """The dice in notation: 3d6, 1d6+1d10."""
        sides = self.sides()
        return "+".join(f"{sides.count(s)}d{s}" for s in dict.fromkeys(sides)) or "no dice"

    def check(self, faces: Faces) -> None:
        """Raises an error for faces that these dice cannot show."""
        sides = self.sides()
        if len(faces) != len(sides):
            raise UserError(f"{self} needs {count(len(sides), 'face')}, {len(faces)} given")
        for face, most in zip(faces, sides, strict=True):
            if not 1 <= face <= most:
                raise UserError(f"a d{most} cannot show {face}; give a number from 1 to {most}")


@lru_cache(maxsize=4096)
def weights_of(reading: Reading[R]) -> Weights[R]:
    """The reading's weights, cached."""
    return reading.weights()


def count_every_roll(reading: Reading[R]) -> dict[R, int]:
    """The weights by rolling every combination of faces: the slow definition that faster ways are tested against."""
    rolls_by_result: dict[R, int] = {}
    for faces in product(*(range(1, s + 1) for s in reading.sides())):
        result: Any = reading.read(faces)
        rolls_by_result[result] = rolls_by_result.get(result, 0) + 1
    return rolls_by_result
