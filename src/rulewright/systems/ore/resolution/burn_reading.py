"""A reading that also counts low dice below a face."""

from math import comb
from typing import Any

from msgspec.structs import replace

from rulewright.dice.reading import Faces, Reading, Weights, weights_of
from rulewright.play.cache import cached
from rulewright.systems.ore.resolution.readings import Around, dice_of


class Burning(Around[tuple[Any, int]], frozen=True):
    """Another reading, plus how many rolled dice show less than `below`, which is at most the Difficulty."""

    below: int

    def read(self, faces: Faces) -> tuple[Any, int]:
        return self.inner.read(faces), sum([face < self.below for face in faces])

    def weights(self) -> Weights[tuple[Any, int]]:
        thrown = self.thrown
        number_by_pair: dict[tuple[Any, int], int] = {}
        for low in range(thrown.dice + 1):  # dice below the Difficulty, of which some are low enough to burn
            chosen = comb(thrown.dice, low)
            for burnt in range(low + 1):
                ways = comb(low, burnt) * (self.below - 1) ** burnt * (thrown.difficulty - self.below) ** (low - burnt)
                for result, rolls in _without_low(self.inner, thrown.dice - low).items() if ways else ():
                    key = (result, burnt)
                    number_by_pair[key] = number_by_pair.get(key, 0) + chosen * ways * rolls
        return {key: rolls for key, rolls in number_by_pair.items() if rolls}


def _with_dice(reading: Reading[Any], dice: int) -> Reading[Any]:
    """The same reading for another number of dice."""
    if isinstance(reading, Around):
        return replace(reading, inner=_with_dice(reading.inner, dice))
    return replace(reading, thrown=replace(dice_of(reading), dice=dice))


@cached(4_000)
def _without_low(reading: Reading[Any], dice: int) -> dict[Any, int]:
    """The weights of results without dice below the Difficulty."""
    left = dict(weights_of(_with_dice(reading, dice)))
    low_faces = dice_of(reading).difficulty - 1
    for low in range(1, dice + 1):
        ways = comb(dice, low) * low_faces**low
        for result, rolls in _without_low(reading, dice - low).items() if ways else ():
            left[result] = left.get(result, 0) - ways * rolls
    return left
