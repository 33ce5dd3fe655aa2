"""Hit locations and how the dice choose them (book lines 4270-4347, 4487-4510)."""

from typing import Literal, NamedTuple, get_args

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.play import Choice, Option, Play, Roll
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.ore.resolution.outcomes import sides

Location = Literal["head", "vital", "torso", "right arm", "left arm", "right leg", "left leg"]
LOCATIONS: tuple[Location, ...] = get_args(Location)
ARMS: tuple[Location, ...] = ("right arm", "left arm")
LEGS: tuple[Location, ...] = ("right leg", "left leg")
LIMBS: tuple[Location, ...] = ARMS + LEGS
TRUNK: tuple[Location, ...] = ("torso", "vital")
"""Locations that keep excess damage; all others pass it to the torso."""


class HeightRow(TableRow, frozen=True):
    """A location and its Heights, for d10 and d6."""

    location: Location
    heights: tuple[int, ...]
    six: tuple[int, ...] = ()


class DeadlyRow(TableRow, frozen=True):
    """A location with the option of deadly locations: Heights and boxes."""

    location: Location
    heights: tuple[int, ...]
    boxes: int


class WidthRow(TableRow, frozen=True):
    """The location of a Width."""

    width: int
    strikes: Literal["torso", "limb", "head"]


class CalledRow(TableRow, frozen=True):
    """A called location without boxes: its numbers and extra damage."""

    location: Location
    numbers: tuple[int, ...]
    shock: int
    kill: int
    six: tuple[int, ...] = ()


HEIGHTS = Table("ore-4.06-hit-location", HeightRow)
BOXES = Column("ore-4.07-health-boxes", "location", Location, boxes=int)
"""A location and its boxes."""
DEADLY = Table("ore-4.07-opt05-deadly-locations", DeadlyRow)
WIDTHS = Table("ore-4.06-opt04-width-location", WidthRow)
CALLED = Table("ore-4.07-opt08-called-shot", CalledRow)


class Anatomy(NamedTuple):
    """A location: Heights and boxes."""

    location: Location
    heights: tuple[int, ...]
    boxes: int


# --- the parts of the body ----------------------------------------------------------------------------------------------------


@rule("ore-4.06-hit-location", "ore-4.07-health-boxes")
def anatomy(rules: Ruleset) -> tuple[Anatomy, ...]:
    """Six locations: limbs have five boxes, the torso ten, the head four. With d6 legs and arms have 1 to 4, the torso 5 and the head 6
    (ruling)."""
    rows, six = HEIGHTS(rules), sides(rules) == 6
    return tuple([Anatomy(row.location, row.six if six else row.heights, BOXES.of(rules, row.location)) for row in rows.values()])


@rule("ore-4.07-opt05-deadly-locations")
@instead_of(anatomy, "deadly-locations")
def deadly_anatomy(rules: Ruleset) -> tuple[Anatomy, ...]:
    """A vital location at Height 9 and a smaller torso; losing the vital part is death (ruling)."""
    return tuple([Anatomy(row.location, row.heights, row.boxes) for row in DEADLY(rules).values()])


@cached(256)
def _by_height(rules: Ruleset) -> dict[int, Location]:
    return {height: part.location for part in anatomy(rules) for height in part.heights}


def at_height(rules: Ruleset, height: int) -> Location:
    """The location of a Height or single die."""
    result = _by_height(rules).get(height)
    if result is None:
        raise UserError(f"no part of the body has Height {height}")
    return result


def heights_of(rules: Ruleset, location: Location) -> tuple[int, ...]:
    """The Heights of a location."""
    numbers = next((part.heights for part in anatomy(rules) if part.location == location), ())
    return numbers or called_numbers(rules, location)


# --- what is struck -----------------------------------------------------------------------------------------------------------


@rule("ore-4.06-hit-location")
def uses_locations(rules: Ruleset) -> bool:
    """Whether hits have locations: yes by default."""
    return True


@rule("ore-4.06-opt-no-locations")
@instead_of(uses_locations, "damage-system", "vital")
def vital_locations(rules: Ruleset) -> bool:
    """The Vital system has no locations unless the campaign keeps them for armour, shields and cover."""
    return rules.on("locations-beside-vital")


@rule("ore-4.06-opt-no-locations")
@instead_of(uses_locations, "damage-system", "abstract")
def no_locations(rules: Ruleset) -> bool:
    """Downs and Outs have no locations."""
    return False


@rule("ore-4.06-hit-location")
def location_struck(rules: Ruleset, width: int = 2, height: int = 7, by: str = "") -> Play[Location]:
    """Height decides the location."""
    yield from ()
    return at_height(rules, height)


_WHICH_LIMB: tuple[Option[Location], ...] = tuple([Option(limb, limb.capitalize(), limb) for limb in LIMBS])


@rule("ore-4.06-opt04-width-location")
@instead_of(location_struck, "hit-location", "width")
def location_by_width(rules: Ruleset, width: int = 2, height: int = 7, by: str = "") -> Play[Location]:
    """Width decides the location: 2 torso, 3 limb, 4 or more head. The attacker or a die chooses the limb (ruling); a Width of 1 hits
    the torso (ruling)."""
    reached = [row for row in WIDTHS(rules).values() if row.width <= max(width, 2)]
    strikes = max(reached, key=lambda row: row.width).strikes if reached else "torso"
    if strikes != "limb":
        return strikes
    if rules.word("limb-by-width") == "at random":
        return LIMBS[(yield from Roll(Sum((len(LIMBS),)), by, "which limb")) - 1]
    return (yield from Choice(by, "Which limb do you strike?", _WHICH_LIMB, topic="limb"))


@rule("ore-4.06-opt-no-locations")
def strike(rules: Ruleset, width: int = 2, height: int = 7, by: str = "", aimed: Location | None = None) -> Play[Location]:
    """The location of an attack: as aimed, else by the dice; without locations the torso."""
    if aimed is not None:
        return aimed
    if not uses_locations(rules):
        return "torso"
    return (yield from location_struck(rules, width, height, by))


# --- aiming where no location has boxes ---------------------------------------------------------------------------------------


class Bonus(NamedTuple):
    """Extra damage of a called shot."""

    shock: int = 0
    kill: int = 0


def called_numbers(rules: Ruleset, location: Location) -> tuple[int, ...]:
    """The numbers for a called location; the torso has 7 to 9."""
    row = CALLED(rules).get(location)
    if row is not None:
        return row.six if sides(rules) == 6 else row.numbers
    return (5,) if sides(rules) == 6 else (7, 8, 9)


@rule("ore-4.07-opt08-called-shot")
def called_bonus(rules: Ruleset, location: Location = "head") -> Bonus:
    """Extra damage of called shots: none if locations have boxes."""
    return Bonus()


@rule("ore-4.07-opt08-called-shot")
@instead_of(called_bonus, "damage-system", "vital", "abstract")
def called_bonus_vital(rules: Ruleset, location: Location = "head") -> Bonus:
    """With Vital or abstract damage a called shot adds the damage of its location; none for the torso."""
    return aimed_damage(rules, location)


@rule("ore-4.07-opt08-called-shot")
def aimed_damage(rules: Ruleset, location: Location = "head") -> Bonus:
    """Shock and Kill that a called location adds."""
    row = CALLED(rules).get(location)
    return Bonus(row.shock, row.kill) if row is not None else Bonus()


@cached(256)
def called_parts(rules: Ruleset) -> tuple[Location, ...]:
    """Locations that can be called."""
    if uses_locations(rules):
        return tuple([part.location for part in anatomy(rules)])
    return tuple([location for location in LOCATIONS if location != "torso"])
