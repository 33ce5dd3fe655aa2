"""Vehicles, terrain, and the tables of travel and pursuit (book lines 3338-3492, 3987-4154)."""

from typing import Any, Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.foresight.resolution.tests import half_up

TerrainClass = Literal["land", "marsh", "water", "ice", "air", "space"]
Medium = Literal["ground", "water", "air", "space"]
CONTACT_LOST = 7
FASTEST_BID = -20
BIDS = Figures("fs-pursuit-speed-bids")


class TypeRow(TableRow, frozen=True):
    """A type of vehicle: what it adds to the value of each class of terrain, and its limit."""

    type: str
    medium: Medium
    land: int | None
    marsh: int | None
    water: int | None
    ice: int | None
    limit: int | None
    surface_only: bool = False


class TerrainRow(TableRow, frozen=True, rename={"terrain_class": "class"}):
    """A terrain and its value."""

    terrain: str
    value: int
    terrain_class: TerrainClass


class VehicleRow(TableRow, frozen=True):
    """A vehicle as the book lists it."""

    vehicle: str
    price: int | None
    tl: float | None
    acc: int
    man: int
    safe: int
    cruise: float | None
    max: float | None
    ds: float
    size: int
    types: tuple[str, ...]
    cargo: float | None
    passengers: int
    ceiling: float | None = None
    space: bool = False
    cheaper_later: bool = False
    mode_of: str = ""


class VehicleModRow(TableRow, frozen=True):
    """A modification of vehicles."""

    modification: str
    price: float | None = 1
    tl: float = 0
    acc: int = 0
    man: int = 0
    safe: int = 0
    cruise: float = 1
    max: float = 1
    ceiling: float = 1
    ds: float = 1
    size: int = 0
    cargo: float = 1
    passengers: float = 1


class TravelRow(TableRow, frozen=True):
    """What a driving roll makes of a leg: parts of cruise and maximum speed, or a mishap at this modifier beside Man."""

    qr: int
    normal: tuple[float, float] | None
    hasty: tuple[float, float] | None
    hasty_at_least: float = 0
    normal_mishap: int | None = None
    hasty_mishap: int | None = None


class AccidentRow(TableRow, frozen=True):
    """What became of a mishap."""

    qr: int
    result: str
    damage: int
    dc: int
    hours: int
    goes_on: bool
    explosion: int = 0


class ConversionRow(TableRow, frozen=True):
    """How a vehicle of one medium counts among those of another."""

    conversion: str
    skill: str
    acc: int
    man: int
    safe: int


class ScaleRow(TableRow, frozen=True):
    """The ranges of a pursuit, in meters, and the seconds of its rounds."""

    scale: str
    meters: tuple[int, ...]
    seconds: int


class ManeuverRow(TableRow, frozen=True):
    """Something to do in a pursuit, and which ratings of the vehicle its roll counts."""

    action: str
    acc: bool
    man: bool
    does: str
    bulk: bool = False
    ceiling: bool = False
    ranges: tuple[int, int] = (0, 6)
    steps: int = 0
    """Steps by which the range grows each turn until it is answered."""
    turns: int = 1
    """Quick turns that do the same work."""


class SafetyRow(TableRow, frozen=True):
    """What a safety roll leads to; passengers suffer the damage class less the vehicle's damage scale."""

    qr: int
    result: str
    levels: int
    dc: int | None


class PartRow(TableRow, frozen=True):
    """A part of a vehicle."""

    part: str
    d10: tuple[int, int]
    aggregates: bool
    fragile: bool


TYPES = Table("fs-vehicle-types", TypeRow)
TERRAIN = Table("fs-vehicle-terrain", TerrainRow)
VEHICLES = Table("fs-vehicle-list", VehicleRow)
VEHICLE_MODS = Table("fs-vehicle-mods", VehicleModRow)
TRAVEL = Table("fs-travel", TravelRow)
ACCIDENTS = Table("fs-travel-accident", AccidentRow)
CONVERSIONS = Table("fs-pursuit-conversion", ConversionRow)
SCALES = Table("fs-pursuit-ranges", ScaleRow)
MANEUVERS = Table("fs-pursuit-actions", ManeuverRow)
SAFETY = Table("fs-safety-rolls", SafetyRow)
PARTS = Table("fs-vehicle-hit-location", PartRow)


ADDED, MULTIPLIED = ("tl", "acc", "man", "safe", "size"), ("price", "cruise", "max", "ceiling", "ds", "cargo", "passengers")
"""What modifications do to the figures of a vehicle."""


class Machine(Struct, frozen=True):
    """A vehicle with its modifications worked in."""

    vehicle: str
    price: float | None
    tl: float | None
    acc: int
    man: int
    safe: float
    cruise: float | None
    max: float | None
    ds: float
    size: int
    types: tuple[str, ...]
    cargo: float | None
    passengers: int
    ceiling: float | None = None
    space: bool = False


@rule("fs-vehicle-mods", "fs-vehicle-list")
def machine(rules: Ruleset, vehicle: str = "Automobile", modifications: tuple[str, ...] = ()) -> Machine:
    """A vehicle of the list with its modifications: ratings, size and technology level add, the other figures multiply."""
    row = VEHICLES.get(rules, vehicle)
    result: dict[str, Any] = {field: getattr(row, field) for field in Machine.__struct_fields__}
    for name in modifications:
        mod = VEHICLE_MODS.get(rules, name)
        result |= {field: None if result[field] is None else result[field] + getattr(mod, field) for field in ADDED}
        result |= {field: _times(result[field], getattr(mod, field)) for field in MULTIPLIED}
    return Machine(**{**result, "safe": float(result["safe"]), "passengers": half_up(result["passengers"])})


def _times(value: float | None, factor: float | None) -> float | None:
    return None if value is None or factor is None else value * factor


@rule("fs-vehicle-stats")
def price_at(rules: Ruleset, vehicle: str = "Helicopter", tl: float = 5, modifications: tuple[str, ...] = ()) -> Derived[float]:
    """The price of a vehicle at a technology level: a starred price falls to 75 percent half a level later and to 50 a whole one later.

    Modifications change the price, and the level from which on it is built."""
    result, listed = machine(rules, vehicle, modifications), VEHICLES.get(rules, vehicle)
    if listed.price is None or result.price is None or result.tl is None:
        raise UserError(f"{', '.join([*modifications, vehicle])}: no price is known")
    later = round(tl - result.tl, 6)
    if later < 0:
        raise UserError(f"{', '.join([*modifications, vehicle])} is built from TL{result.tl:g} on, not at TL{tl:g}")
    starred = listed.cheaper_later
    factor = 0.5 if starred and later >= 1 else 0.75 if starred and later >= 0.5 else 1.0
    rows = [VEHICLE_MODS.get(rules, name) for name in modifications]
    return total(
        f"{vehicle} at TL{tl:g}",
        term("price", listed.price),
        *[term(row.modification, row.price, "×") for row in rows if row.price is not None],
        term("later technology", factor, "×"),
        rule="fs-vehicle-stats",
    )


@rule("fs-vehicle-types")
def terrain_value(rules: Ruleset, type: str = "Wheeled", terrain: str = "plain") -> Derived[int]:
    """The terrain's value for a type of vehicle, adjustment added; refuses terrain that the type cannot enter or that passes its limit."""
    row, land = TYPES.get(rules, type), TERRAIN.get(rules, terrain)
    adjustments = {"land": row.land, "marsh": row.marsh, "water": row.water, "ice": row.ice}
    if land.terrain_class in ("air", "space"):
        adjustments = {land.terrain_class: 0 if row.medium == land.terrain_class else None}
    adjustment = adjustments[land.terrain_class]
    if adjustment is None:
        raise UserError(f"{type} vehicles cannot enter {terrain}")
    if row.limit is not None and land.value > row.limit:
        raise UserError(f"{terrain} has a terrain value of {land.value}, and {type} vehicles can use {row.limit} at most")
    return total(
        "terrain value",
        term(terrain, land.value, source=land.source),
        term(type, adjustment),
        rule="fs-vehicle-types",
    )


class Going(Struct, frozen=True):
    """How a vehicle goes in a terrain."""

    cruise: float | None
    max: float | None
    acc: int
    man: int
    safe: float


@rule("fs-vehicle-terrain")
def in_terrain(
    rules: Ruleset, vehicle: str = "Automobile", terrain: str = "plain", modifications: tuple[str, ...] = (), type: str = ""
) -> Going:
    """A vehicle in a terrain: speeds divided by half the terrain value where that is more than 1, ratings lowered by it.

    Aircraft keep their speeds; the value is then what landing there costs.
    """
    result = machine(rules, vehicle, modifications)
    kind = type or result.types[0]
    value = terrain_value(rules, kind, terrain).value
    slower = 1.0 if TYPES.get(rules, kind).medium in ("air", "space") else max(value / 2, 1.0)
    return Going(
        _times(result.cruise, 1 / slower), _times(result.max, 1 / slower), result.acc - value, result.man - value, result.safe + value / 2
    )


@rule("fs-pursuit-conversion")
def converted(rules: Ruleset, acc: int = 0, man: int = 0, safe: int = 0, medium: Medium = "air", to: Medium = "ground") -> ConversionRow:
    """The ratings of a vehicle of one medium among those of another, and the skill that is rolled."""
    if medium == to:
        raise UserError("vehicles of the same medium compare as they are")
    row = CONVERSIONS.get(rules, f"{medium} to {to}")
    return ConversionRow(conversion=row.conversion, skill=row.skill, acc=acc + row.acc, man=man + row.man, safe=safe + row.safe)


@rule("fs-pursuit-ranges")
def pursuit_range(rules: Ruleset, scale: str = "car", number: int = 2) -> int | None:
    """The meters of a range number; at 7 contact is lost."""
    meters = SCALES.get(rules, scale).meters
    return meters[max(0, number)] if number < CONTACT_LOST else None


def slowest_bid(rules: Ruleset) -> int:
    """The highest, and so slowest, speed that can be bid."""
    return BIDS.of(rules, "slowest", least=FASTEST_BID)


@rule("fs-pursuit-speed-bids")
def range_after_bids(rules: Ruleset, number: int = 2, leader: int = -1, pursuer: int = 0) -> int:
    """The range after two speed bids: lower is faster, and each point of difference is a step (ruling)."""
    slowest = slowest_bid(rules)
    for bid in (leader, pursuer):
        if not FASTEST_BID <= bid <= slowest:
            raise UserError(f"a speed bid is at most {slowest:+} and no lower than {FASTEST_BID}, not {bid}")
    change = pursuer - leader
    if rules.word("bid-difference") == "one step":
        change = max(-1, min(1, change))
    return max(0, min(CONTACT_LOST, number + change))
