"""How a roll is read in which every set counts, and how likely each reading is."""

from rulewright.dice.sets import Set
from rulewright.systems.ore.resolution.readings import ByFace


class Widths(ByFace[tuple[int, ...], tuple[Set, ...]], frozen=True):
    """Every set of a roll by its Width alone, the widest first; all at the lowest Height that counts. For odds where no Height matters:
    rolls that differ in nothing else fall together."""

    def go_on(self, state: tuple[int, ...], face: int, rolled: int) -> tuple[int, ...]:
        width = rolled + self.thrown.lent[face - 1]
        return tuple(sorted((*state, width), reverse=True)) if width > 1 else state

    def end(self, state: tuple[int, ...]) -> tuple[Set, ...]:
        return tuple([(width, self.thrown.difficulty) for width in state])
