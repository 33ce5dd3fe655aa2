"""What every reading of dice offers; the only place in the project where probabilities begin."""

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any, Generic, TypeVar

from msgspec import Struct

from rulewright.errors import UserError

R = TypeVar("R")

MOST_COUNTED = 2_000_000
"""So many rolls are counted one by one where a reading knows no faster way."""

Faces = tuple[int, ...]
Weights = Mapping[R, int]
"""How many of the equally likely rolls give each result; the values add up to the number of all rolls."""


class Reading(Struct, Generic[R], frozen=True, gc=False):
    """Dice and the way to read them into a small hashable result.

    A subclass gives `sides` and `read`, and `weights` where counting every roll would take too long. It checks its own limits in
    `__post_init__` and raises `UserError`, so that no count of dice can hang the exact odds or exhaust the memory.
    """

    def sides(self) -> tuple[int, ...]:
        """The number of sides of every die, in the order in which faces are given."""
        raise NotImplementedError

    def read(self, faces: Faces) -> R:
        """The result that these faces give."""
        raise NotImplementedError

    def weights(self) -> Weights[R]:
        """The exact distribution, in whole numbers of rolls; counted roll by roll unless the reading knows a faster way."""
        rolls = math.prod(self.sides())
        if rolls > MOST_COUNTED:
            raise UserError(
                f"{self} has {rolls} rolls, more than can be counted one by one: {type(self).__name__} needs `weights` of its own"
            )
        return count_every_roll(self)

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """Which of the dice made the result, by place; all of them unless the reading says otherwise."""
        return tuple(range(len(faces)))

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        """What the dice alone gave, in labelled parts that add up; modifiers are the game's to explain."""
        result: Any = self.read(faces)
        return (("dice", result),) if type(result) is int else ()

    def __str__(self) -> str:
        """The dice as people write them: 3d6, 1d6+1d10."""
        sides = self.sides()
        return "+".join(f"{sides.count(s)}d{s}" for s in dict.fromkeys(sides)) or "no dice"

    def check(self, faces: Faces) -> None:
        """Refuse faces that these dice cannot show."""
        sides = self.sides()
        if len(faces) != len(sides):
            raise UserError(f"{self} needs {len(sides)} {'face' if len(sides) == 1 else 'faces'}, {len(faces)} given")
        for face, most in zip(faces, sides, strict=True):
            if not 1 <= face <= most:
                raise UserError(f"a d{most} cannot show {face}: give a number from 1 to {most}")


@lru_cache(maxsize=4096)
def weights_of(reading: Reading[R]) -> Weights[R]:
    """The reading's weights, computed once."""
    return reading.weights()


def count_every_roll(reading: Reading[R]) -> dict[R, int]:
    """The weights by rolling every combination of faces: the slow definition that the fast ways are tested against."""
    counted: dict[R, int] = {}
    for faces in product(*(range(1, s + 1) for s in reading.sides())):
        result: Any = reading.read(faces)
        counted[result] = counted.get(result, 0) + 1
    return counted
