"""Rerolls: which dice are in a set, and the rest rolled again (book lines 1329-1332, 5490-5495)."""

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
    """A reading with the dice in sets, for a reroll of the others."""

    def read(self, faces: Faces) -> tuple[Any, tuple[Set, ...]]:
        return self.inner.read(faces), standing(self.inner, faces)


class TurnableOrFaces(OrFaces, frozen=True):
    """A reading with the dice in sets, or with all faces if there is no set."""

    def read(self, faces: Faces) -> tuple[Any, tuple[Set, ...]]:
        fell, lying = super().read(faces)
        return fell, lying or standing(self.inner, faces)


def standing(reading: Reading[Any], faces: Faces) -> tuple[Set, ...]:
    """How many rolled dice are in a set at each Height: in their own, with an Expert Die, or with a matching Special Die. In a called
    shot only its number counts (ruling)."""
    dice = dice_of(reading)
    shown = Counter([face for face in faces if face >= dice.difficulty])
    if isinstance(reading, AtNumber | AimedSwiftly):
        return ((shown[reading.number], reading.number),) if shown[reading.number] else ()
    fixed = sum(map(bool, dice.lent)) == 1
    joined = {face for face, rolled in shown.items() if rolled + (dice.lent[face - 1] if fixed else 0) >= 2}
    joined |= {height for height in _used(reading, faces) if shown[height]}
    return tuple([(shown[face], face) for face in sorted(joined)])


def _used(reading: Reading[Any], faces: Faces) -> set[int]:
    """The Heights of the sets used; after a trade the dice are unknown."""
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
    """Blessed rerolls every die outside of sets; the others stay and may be joined."""
    lent = list(dice.lent)
    for width, height in sets:
        lent[height - 1] += width
    return replace(dice, dice=dice.dice - sum([width for width, _ in sets]), lent=tuple(lent))


def again(reading: Reading[Any], sets: tuple[Set, ...]) -> Reading[Any]:
    """The same reading for the dice outside of sets, together with those inside."""
    return replace(reading, thrown=rerolled(dice_of(reading), sets))
