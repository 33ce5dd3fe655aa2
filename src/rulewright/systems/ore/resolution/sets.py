"""Sets, waste dice, discarded dice, and breaking up sets (lines 299-312, 614)."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from rulewright.dice.reading import Faces
from rulewright.dice.sets import Set, Sets
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.resolution.outcomes import difficulty_of, sides

MOST_BROKEN = 15
MOST_AREA = 12


class Lying(Struct, frozen=True):
    """Dice after a roll: sets (widest first), waste dice, and discarded dice."""

    sets: tuple[Set, ...]
    waste: Faces = ()
    discarded: Faces = ()


@rule("ore-1.25-waste-dice")
def lying(rules: Ruleset, faces: tuple[int, ...], difficulty: int = 1) -> Lying:
    """Dice outside of sets are waste; some effects use them. Dice below the Difficulty are separate."""
    least, top = difficulty_of(rules, difficulty), sides(rules)
    if any(not 1 <= face <= top for face in faces):
        raise UserError(f"a die shows 1 to {top}")
    shown = Counter(face for face in faces if face >= least)
    sets = tuple(sorted(((width, height) for height, width in shown.items() if width >= 2), reverse=True))
    waste = tuple(sorted(face for face, width in shown.items() if width == 1))
    return Lying(sets, waste, tuple(sorted(face for face in faces if face < least)))


@rule("ore-1.06-breaking-up")
def broken_up(width: int = 5, height: int = 3) -> tuple[Lying, ...]:
    """A set may be split into smaller ones of the same Height; the rest is waste. The whole comes first."""
    if not 1 <= width <= MOST_BROKEN or height < 1:
        raise UserError(f"a set has 1 to {MOST_BROKEN} dice and a Height")
    return tuple(Lying(tuple([(part, height) for part in parts]), (height,) * (width - sum(parts))) for parts in _parts(width))


@cached(64)
def _parts(width: int) -> tuple[tuple[int, ...], ...]:
    """All ways to take sets of two or more from so many dice, those that waste least first."""

    def split(left: int, most: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for first in range(min(left, most), 1, -1):
            for others in split(left - first, first):
                yield (first, *others)

    return tuple(sorted(split(width, width), key=lambda parts: (width - sum(parts), len(parts), [-part for part in parts])))


@rule("ore-1.20-area-dice")
def area_dice(rules: Ruleset, rating: int = 3, by: str = "") -> Play[tuple[Set, ...]]:
    """Area Dice do not form sets: returns how many show each face, most first. Chapter 4 has their effects. A view of areas in fights."""
    if not 0 <= rating <= MOST_AREA:
        raise UserError(f"an area has a rating from 0 to {MOST_AREA}")
    if rating == 0:
        return ()
    return (yield from Roll(Sets(rating, sides(rules), loose=True), by, "area dice"))
