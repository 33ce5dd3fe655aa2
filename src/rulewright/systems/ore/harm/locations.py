"""Where a blow lands: the parts of the body, and how the dice choose among them (book lines 4270-4347, 4487-4510)."""

from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.play import Choice, Option, Play, Roll
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.ore.resolution.outcomes import sides

Location = Literal["head", "vital", "torso", "right arm", "left arm", "right leg", "left leg"]
LOCATIONS: tuple[Location, ...] = get_args(Location)
ARMS: tuple[Location, ...] = ("right arm", "left arm")
LEGS: tuple[Location, ...] = ("right leg", "left leg")
LIMBS: tuple[Location, ...] = ARMS + LEGS
TRUNK: tuple[Location, ...] = ("torso", "vital")
"""Where damage that finds no room stays; everywhere else it goes on to the torso."""


class HeightRow(TableRow, frozen=True):
    """A part of the body and the Heights that strike it, with ten-sided dice and with six-sided ones."""

    location: Location
    heights: tuple[int, ...]
    six: tuple[int, ...] = ()


class DeadlyRow(TableRow, frozen=True):
    """A part of the body where locations are more deadly: the Heights that strike it, and its Health boxes."""

    location: Location
    heights: tuple[int, ...]
    boxes: int


class WidthRow(TableRow, frozen=True):
    """What a Width strikes, where Width decides."""

    width: int
    strikes: Literal["torso", "limb", "head"]


class CalledRow(TableRow, frozen=True):
    """A part of the body that was aimed at, where no location has boxes: the numbers a die is set to, and the damage it adds."""

    location: Location
    numbers: tuple[int, ...]
    shock: int
    kill: int
    six: tuple[int, ...] = ()


HEIGHTS = Table("ore-4.06-hit-location", HeightRow)
BOXES = Column("ore-4.07-health-boxes", "location", Location, boxes=int)
"""A part of the body and its Health boxes."""
DEADLY = Table("ore-4.07-opt05-deadly-locations", DeadlyRow)
WIDTHS = Table("ore-4.06-opt04-width-location", WidthRow)
CALLED = Table("ore-4.07-opt08-called-shot", CalledRow)


class Anatomy(NamedTuple):
    """A part of the body: which Heights strike it, and how many boxes it has."""

    location: Location
    heights: tuple[int, ...]
    boxes: int


# --- the parts of the body ----------------------------------------------------------------------------------------------------


@rule("ore-4.06-hit-location", "ore-4.07-health-boxes")
def anatomy(rules: Ruleset) -> tuple[Anatomy, ...]:
    """Six parts: each limb has five boxes, the torso ten and the head four, and each answers to Heights of its own.

    With six-sided dice legs and arms keep 1 to 4, the torso has 5 and the head 6 (ruling: what is 10 elsewhere is 6).
    """
    rows, six = HEIGHTS(rules), sides(rules) == 6
    return tuple([Anatomy(row.location, row.six if six else row.heights, BOXES.of(rules, row.location)) for row in rows.values()])


@rule("ore-4.07-opt05-deadly-locations")
@instead_of(anatomy, "deadly-locations")
def deadly_anatomy(rules: Ruleset) -> tuple[Anatomy, ...]:
    """A vital part of its own at Height 9 and a torso with fewer boxes; losing the vital part is death, as with the torso (ruling)."""
    return tuple([Anatomy(row.location, row.heights, row.boxes) for row in DEADLY(rules).values()])


@lru_cache(maxsize=256)
def _by_height(rules: Ruleset) -> dict[int, Location]:
    return {height: part.location for part in anatomy(rules) for height in part.heights}


def at_height(rules: Ruleset, height: int) -> Location:
    """The part of the body that a Height, or a single die, strikes."""
    result = _by_height(rules).get(height)
    if result is None:
        raise UserError(f"no part of the body has Height {height}")
    return result


def heights_of(rules: Ruleset, location: Location) -> tuple[int, ...]:
    """The Heights that strike a part of the body; a die that is aimed at it is set to one of them."""
    numbers = next((part.heights for part in anatomy(rules) if part.location == location), ())
    return numbers or called_numbers(rules, location)


# --- what is struck -----------------------------------------------------------------------------------------------------------


@rule("ore-4.06-hit-location")
def uses_locations(rules: Ruleset) -> bool:
    """Whether blows land on parts of the body: they do, unless the campaign has a damage system without."""
    return True


@rule("ore-4.06-opt-no-locations")
@instead_of(uses_locations, "damage-system", "vital")
def vital_locations(rules: Ruleset) -> bool:
    """The Vital system knows no locations; a campaign can keep them beside it, for armour, shields and cover."""
    return rules.on("locations-beside-vital")


@rule("ore-4.06-opt-no-locations")
@instead_of(uses_locations, "damage-system", "abstract")
def no_locations(rules: Ruleset) -> bool:
    """Downs and Outs belong to the whole body: there are no locations at all."""
    return False


@rule("ore-4.06-hit-location")
def location_struck(rules: Ruleset, width: int = 2, height: int = 7, by: str = "") -> Play[Location]:
    """The Height of the set says which part of the body is struck."""
    yield from ()
    return at_height(rules, height)


_WHICH_LIMB: tuple[Option[Location], ...] = tuple([Option(limb, limb.capitalize(), limb) for limb in LIMBS])


@rule("ore-4.06-opt04-width-location")
@instead_of(location_struck, "hit-location", "width")
def location_by_width(rules: Ruleset, width: int = 2, height: int = 7, by: str = "") -> Play[Location]:
    """The better the blow, the harder the place it finds: two dice the torso, three a limb, four and more the head.

    The attacker names the limb, or a die does (ruling); a single die that an option lets pass for a set strikes the torso (ruling).
    """
    reached = [row for row in WIDTHS(rules).values() if row.width <= max(width, 2)]
    strikes = max(reached, key=lambda row: row.width).strikes if reached else "torso"
    if strikes != "limb":
        return strikes
    if rules.word("limb-by-width") == "at random":
        return LIMBS[(yield from Roll(Sum((len(LIMBS),)), by, "which limb")) - 1]
    return (yield from Choice(by, "Which limb do you strike?", _WHICH_LIMB, topic="limb"))


@rule("ore-4.06-opt-no-locations")
def strike(rules: Ruleset, width: int = 2, height: int = 7, by: str = "", aimed: Location | None = None) -> Play[Location]:
    """Where an attack lands: where it was aimed, else where the dice say; without locations every blow that is not aimed hits the torso."""
    if aimed is not None:
        return aimed
    if not uses_locations(rules):
        return "torso"
    return (yield from location_struck(rules, width, height, by))


# --- aiming where no location has boxes ---------------------------------------------------------------------------------------


class Bonus(NamedTuple):
    """Damage that an aimed blow adds."""

    shock: int = 0
    kill: int = 0


def called_numbers(rules: Ruleset, location: Location) -> tuple[int, ...]:
    """The numbers that a die aimed at a part of the body is set to, by the list of aimed blows; an aimed torso is struck at 7 to 9."""
    row = CALLED(rules).get(location)
    if row is not None:
        return row.six if sides(rules) == 6 else row.numbers
    return (5,) if sides(rules) == 6 else (7, 8, 9)


@rule("ore-4.07-opt08-called-shot")
def called_bonus(rules: Ruleset, location: Location = "head") -> Bonus:
    """What an aimed blow adds: nothing where locations have boxes, for there the place itself is what matters."""
    return Bonus()


@rule("ore-4.07-opt08-called-shot")
@instead_of(called_bonus, "damage-system", "vital", "abstract")
def called_bonus_vital(rules: Ruleset, location: Location = "head") -> Bonus:
    """Where the Vital system or Downs and Outs count, an aimed blow adds the damage of its place; the torso adds none."""
    return aimed_damage(rules, location)


@rule("ore-4.07-opt08-called-shot")
def aimed_damage(rules: Ruleset, location: Location = "head") -> Bonus:
    """Shock and Kill that the list of aimed blows gives a part of the body."""
    row = CALLED(rules).get(location)
    return Bonus(row.shock, row.kill) if row is not None else Bonus()


@lru_cache(maxsize=256)
def called_parts(rules: Ruleset) -> tuple[Location, ...]:
    """What can be aimed at: the parts that have boxes, or all that the list of aimed blows knows."""
    if uses_locations(rules):
        return tuple([part.location for part in anatomy(rules)])
    return tuple([location for location in LOCATIONS if location != "torso"])
