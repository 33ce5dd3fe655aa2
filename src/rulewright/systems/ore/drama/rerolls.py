"""Dice that may be rolled again: which of them stand in a set, and the rest rolled anew (book lines 1329-1332, 5490-5495)."""

from collections import Counter
from typing import Any

from msgspec.structs import replace

from rulewright.dice.reading import Faces, Reading
from rulewright.dice.sets import Set
from rulewright.rules import rule
from rulewright.systems.ore.drama.round_readings import AimedSwiftly, AtNumber
from rulewright.systems.ore.resolution.dice_assignment import OnTable
from rulewright.systems.ore.resolution.readings import Around, BestFor, OrFaces, Thrown, dice_of
from rulewright.systems.ore.resolution.salvos import arrangement


class Turnable(Around[tuple[Any, tuple[Set, ...]]], frozen=True):
    """What a roll is read for, and the rolled dice that stand in a set: all that is needed to roll the others again."""

    def read(self, faces: Faces) -> tuple[Any, tuple[Set, ...]]:
        return self.inner.read(faces), standing(self.inner, faces)


class TurnableOrFaces(OrFaces, frozen=True):
    """What a roll is read for, and the rolled dice that stand in a set; where there is none, the faces that lie there."""

    def read(self, faces: Faces) -> tuple[Any, tuple[Set, ...]]:
        fell, lying = super().read(faces)
        return fell, lying or standing(self.inner, faces)


def standing(reading: Reading[Any], faces: Faces) -> tuple[Set, ...]:
    """How many rolled dice stand in a set at each Height: in one of their own, with an Expert Die that lies there, or where a Special
    Die is set to match them for what the roll is used for. In a called shot only the number aimed at makes a set (ruling)."""
    dice = dice_of(reading)
    shown = Counter([face for face in faces if face >= dice.difficulty])
    if isinstance(reading, AtNumber | AimedSwiftly):
        return ((shown[reading.number], reading.number),) if shown[reading.number] else ()
    fixed = sum(map(bool, dice.lent)) == 1
    joined = {face for face, rolled in shown.items() if rolled + (dice.lent[face - 1] if fixed else 0) >= 2}
    joined |= {height for height in _used(reading, faces) if shown[height]}
    return tuple([(shown[face], face) for face in sorted(joined)])


def _used(reading: Reading[Any], faces: Faces) -> set[int]:
    """The Heights of the sets that a roll is used for; after a trade nobody can say which dice made them."""
    dice = dice_of(reading)
    if isinstance(reading, OnTable):
        lying = reading.read(faces)
        sets, loose = tuple([pair for pair in lying if pair[0] > 1]), tuple([face for many, face in lying if many == 1])
        matched = arrangement(sets, loose, reading.free, len(lying) or 1, dice.difficulty) if reading.free else sets
        return {height for _, height in matched} | {face for _, face in lying if face in reading.numbers}
    best = BestFor(dice).read(faces) if not dice.trades else None
    return {best[1]} if best is not None and best[0] > 1 else set()


@rule("ore-4.21-drama-points")
def rerolled(dice: Thrown, sets: tuple[Set, ...] = ()) -> Thrown:
    """The Blessed roll every die again that stands in no set; those that do stay where they lie, and may be joined."""
    lent = list(dice.lent)
    for width, height in sets:
        lent[height - 1] += width
    return replace(dice, dice=dice.dice - sum([width for width, _ in sets]), lent=tuple(lent))


def again(reading: Reading[Any], sets: tuple[Set, ...]) -> Reading[Any]:
    """The same reading of the dice that stand in no set, beside those that do."""
    return replace(reading, thrown=rerolled(dice_of(reading), sets))
