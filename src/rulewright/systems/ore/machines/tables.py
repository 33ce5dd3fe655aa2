"""The tables of vehicles, as data/machines has them (book lines 5538-5963)."""

from typing import Literal

from rulewright.rules import Column, Table, TableRow
from rulewright.systems.ore.machines.vehicle import Mode, Reaches, Seat

ActionName = Literal[
    "attack",
    "bail out",
    "brake",
    "chase",
    "erratic manoeuvres",
    "escape",
    "evasive manoeuvres",
    "hover",
    "jink",
    "land",
    "lock-on",
    "position",
    "ram",
    "sideswipe",
    "swerve",
    "take-off",
]
RangeName = Literal["VR", "BVR", "ER"]
LevelName = Literal["Undamaged", "Blasted", "Crippled", "Destroyed"]


class SizeRow(TableRow, frozen=True):
    """A Size: what it is called and how long such vehicles are, in metres."""

    size: int
    name: str
    least: int
    most: int | None = None
    compared: bool = False
    """There to compare with only."""


class SpeedRow(TableRow, frozen=True):
    """What a Speed comes to in every mode."""

    rating: int
    sea: int
    land: int
    air: int
    relativistic: tuple[int, ...]
    """Least and most acceleration; the last row has none, the one before it no most."""
    space: int
    """In percent of the speed of light; 0 for speeds that are counted in metres a second."""
    stellar: str


class AccelerationRow(TableRow, frozen=True):
    """A craft, its acceleration in multiples of gravity, and the Speed that this is."""

    craft: str
    least: int
    most: int
    rating: int


class SystemRow(TableRow, frozen=True):
    """A system: examples, what is rolled with it, and whose places are there."""

    system: str
    examples: tuple[str, ...]
    rolls: tuple[str, ...]
    seats: tuple[Seat, ...]


class RangeRow(TableRow, frozen=True):
    """A range, and the weapons that reach so far."""

    range: RangeName
    name: str
    weapons: tuple[Reaches, ...]


class FighterRow(TableRow, frozen=True):
    """What makes a fighter more of a threat."""

    modifier: str
    threat: int
    of: Literal["speed", "guns", "armour"]
    least: int
    most: int


class VehicleActionRow(TableRow, frozen=True):
    """One of the sixteen actions: what is rolled, what it does, and what it and its like answer."""

    action: ActionName
    roll: tuple[str, ...] = ()
    effect: str = ""
    manoeuvre: bool = False
    counters: tuple[str, ...] = ()
    countered_by: tuple[str, ...] = ()


SIZES = Table("ore-4.22-vehicle-size", SizeRow)
EXAMPLES = Column("ore-4.22-vehicle-examples", "size", int, examples=tuple[str, ...])
"""Vehicles of a Size."""
SPEEDS = Table("ore-4.22-speed-tables", SpeedRow)
ACCELERATIONS = Table("ore-4.22-acceleration-examples", AccelerationRow)
RANKS = Column("ore-4.22-speed-comparison", "mode", Mode, rank=int)
"""A mode and its place among them: the higher is faster, whatever the ratings."""
SECONDARY = Column("ore-4.22-vehicle-secondary", "statistic", means=str)
"""A subsidiary statistic."""
SYSTEMS = Table("ore-4.22-vehicle-systems", SystemRow)
LEVELS = Column("ore-4.22-structure", "level", LevelName, dice=int)
"""A Structural Damage Level, and the dice it takes from every roll."""
SYSTEM_MAP = Column("ore-4.22-critical", "height", int, systems=tuple[str, ...])
"""A Height, and what it strikes: the first of these that the vehicle has."""
DAMAGE = Column("ore-4.22-vehicle-weapons", "width", int, damage=int)
"""What a Width does to a vehicle."""
RANGES = Table("ore-4.22-vehicle-ranges", RangeRow)
FIGHTERS = Table("ore-4.22-fighters", FighterRow)
FIREPOWER = Column("ore-4.22-ships-of-the-line", "firepower", int, example=str)
"""A Firepower, and a ship that has it."""
ACTION_LIST = Table("ore-4.22-vehicle-action-list", VehicleActionRow)
