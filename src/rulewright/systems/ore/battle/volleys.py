"""Readings of a roll in which every set counts, with their weights."""

from rulewright.dice.sets import Set
from rulewright.systems.ore.resolution.readings import ByFace


class Widths(ByFace[tuple[int, ...], tuple[Set, ...]], frozen=True):
    """All Widths of a roll, widest first, at the lowest Height that counts. For odds where Height does not matter."""

    def go_on(self, state: tuple[int, ...], face: int, rolled: int) -> tuple[int, ...]:
        width = rolled + self.thrown.lent[face - 1]
        return tuple(sorted((*state, width), reverse=True)) if width > 1 else state

    def end(self, state: tuple[int, ...]) -> tuple[Set, ...]:
        return tuple([(width, self.thrown.difficulty) for width in state])
