"""How a roll is read in which every set counts, and how likely each reading is."""

from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.dice.sets import Set
from rulewright.systems.ore.resolution.readings import Thrown, by_face


class Widths(Reading[tuple[Set, ...]], frozen=True):
    """Every set of a roll by its Width alone, the widest first; all at the lowest Height that counts. For odds where no Height matters:
    rolls that differ in nothing else fall together."""

    thrown: Thrown

    def sides(self) -> tuple[int, ...]:
        return (self.thrown.top,) * self.thrown.dice

    def read(self, faces: Faces) -> tuple[Set, ...]:
        low, found = self.thrown.difficulty, []
        for face, rolled in enumerate(self.thrown.counted(faces), low):
            width = rolled + self.thrown.lent[face - 1]
            found += [(width, low)] if width > 1 else []
        return tuple(sorted(found, reverse=True))

    def weights(self) -> Weights[tuple[Set, ...]]:
        low, lent = self.thrown.difficulty, self.thrown.lent

        def go_on(state: tuple[int, ...], face: int, rolled: int) -> tuple[int, ...]:
            width = rolled + lent[face - 1]
            return tuple(sorted((*state, width), reverse=True)) if width > 1 else state

        nothing: tuple[int, ...] = ()
        return {tuple([(width, low) for width in widths]): rolls for widths, rolls in by_face(self.thrown, nothing, go_on).items()}
