"""Tables of vehicles from data/machines (book lines 5538-5963)."""

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
    """A Size: name and length in metres."""

    size: int
    name: str
    least: int
    most: int | None = None
    compared: bool = False
    """Only for comparison."""


class SpeedRow(TableRow, frozen=True):
    """A Speed in every mode."""

    rating: int
    sea: int
    land: int
    air: int
    relativistic: tuple[int, ...]
    """Minimum and maximum acceleration; the last row has none, the one before no maximum."""
    space: int
    """Percent of the speed of light; 0 for slower speeds."""
    stellar: str


class AccelerationRow(TableRow, frozen=True):
    """A craft, its acceleration in G, and its Speed."""

    craft: str
    least: int
    most: int
    rating: int


class SystemRow(TableRow, frozen=True):
    """A system: examples, rolls and seats."""

    system: str
    examples: tuple[str, ...]
    rolls: tuple[str, ...]
    seats: tuple[Seat, ...]


class RangeRow(TableRow, frozen=True):
    """A range and the weapons that reach it."""

    range: RangeName
    name: str
    weapons: tuple[Reaches, ...]


class FighterRow(TableRow, frozen=True):
    """A factor of a fighter's Threat Rating."""

    modifier: str
    threat: int
    of: Literal["speed", "guns", "armour"]
    least: int
    most: int


class VehicleActionRow(TableRow, frozen=True):
    """One of the sixteen actions: roll, effect and counters."""

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
"""A mode and its rank: a higher one is always faster."""
SECONDARY = Column("ore-4.22-vehicle-secondary", "statistic", means=str)
"""A secondary statistic."""
SYSTEMS = Table("ore-4.22-vehicle-systems", SystemRow)
LEVELS = Column("ore-4.22-structure", "level", LevelName, dice=int)
"""A damage level and its penalty."""
SYSTEM_MAP = Column("ore-4.22-critical", "height", int, systems=tuple[str, ...])
"""A Height and its systems; the first that the vehicle has counts."""
DAMAGE = Column("ore-4.22-vehicle-weapons", "width", int, damage=int)
"""Damage by Width."""
RANGES = Table("ore-4.22-vehicle-ranges", RangeRow)
FIGHTERS = Table("ore-4.22-fighters", FighterRow)
FIREPOWER = Column("ore-4.22-ships-of-the-line", "firepower", int, example=str)
"""A Firepower and an example ship."""
ACTION_LIST = Table("ore-4.22-vehicle-action-list", VehicleActionRow)
