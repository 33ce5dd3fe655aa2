"""The tables that machines are designed by, with typed rows (book lines 2825-4113)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct, field

from rulewright.rules import Column, Ruleset, Table, TableRow

Figure = int | float


class Formula(Struct, frozen=True, forbid_unknown_fields=True):
    """A price as a sum: so much in all, for the rating, the amount, the Armor, the crew."""

    base: Figure = 0
    rating: Figure = 0
    square: Figure = 0
    amount: Figure = 0
    root: Figure = 0
    armor: Figure = 0
    actions: Figure = 0
    people: Figure = 0
    people_square: Figure = 0
    share: Figure = 0

    @property
    def rated(self) -> bool:
        """Whether a rating changes it."""
        return bool(self.rating or self.square)

    @property
    def counted(self) -> bool:
        """Whether an amount changes it."""
        return bool(self.amount or self.root or self.people or self.people_square or self.share)


class PriceRow(TableRow, frozen=True):
    """What a Perk or a Flaw of a machine costs, and what it takes to say which one is meant."""

    name: str
    price: Formula | None = None
    variants: dict[str, Formula] = field(default_factory=dict)
    unit: str = ""
    quality: dict[int, Figure] = field(default_factory=dict)
    low: int | None = None
    high: int | None = None
    half_of: Literal["", "size", "armor"] = ""
    least: Figure = 0
    most: int = 0
    needs: tuple[str, ...] = ()
    free_with: str = ""
    on: tuple[str, ...] = ()
    must: bool = False
    part_of: str = ""
    halves: bool = False
    to: Literal["", "off", "up", "down"] = ""
    flaw: bool = False
    lost: tuple[str, ...] = ()

    def formula(self, variant: str) -> Formula | None:
        """The formula of a variant; None where there is none."""
        return self.variants.get(variant) if self.variants else self.price

    @property
    def rated(self) -> bool:
        """Whether it needs a rating."""
        return bool(self.quality) or any(formula.rated for formula in self._formulas())

    @property
    def counted(self) -> bool:
        """Whether it needs an amount in every version."""
        return all(formula.counted for formula in self._formulas()) and bool(self.unit) and self.name not in ("emergency medical",)

    def _formulas(self) -> tuple[Formula, ...]:
        return tuple(self.variants.values()) or ((self.price,) if self.price is not None else ())


class CountRow(TableRow, frozen=True):
    """For how many Perks or Flaws a characteristic of a system counts."""

    name: str
    count: int = 0
    per_level: int = 0
    levelled: bool = False
    levels: dict[int, int] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    variants: dict[str, int] = field(default_factory=dict)
    repeat: bool = False
    pair: bool = False
    harmless: bool = False
    melee: bool = False


class AccuracyRow(TableRow, frozen=True):
    """What an Accuracy multiplies the cost of a system by."""

    accuracy: int
    multiplier: Figure


class AmmoRow(TableRow, frozen=True):
    """What the number of uses multiplies it by; no `most` is without limit."""

    uses: str
    multiplier: Figure
    most: int = 0


class ArcRow(TableRow, frozen=True):
    """An arc: its short name, its price, how wide it is and where it points."""

    arc: str
    short: str
    multiplier: Figure
    degrees: int
    faces: int


class ManeuverRow(TableRow, frozen=True):
    """What a Maneuver multiplies the defensive value by."""

    maneuver: int
    multiplier: Figure


class SmallRow(TableRow, frozen=True):
    """The masses of a small Size, in kilograms."""

    size: Figure
    low: int
    high: int


class ArmorRow(TableRow, frozen=True):
    """The Armor that is usual."""

    vehicle: str
    low: int
    high: int


class MoveRow(TableRow, frozen=True):
    """A type of movement: kilometres an hour for a Movement Point, the metres of a hex, and what it is."""

    type: str
    kph: int
    hex: int
    effect: str


class MassRow(TableRow, frozen=True):
    """Reaction mass: its share of the empty weight for each Burn Point, and tonnes to the cubic metre."""

    type: str
    multiplier: Figure
    density: Figure


class ProductionRow(TableRow, frozen=True):
    """How a machine is made: how many there are, its Lemon dice, and what that multiplies the cost by."""

    type: str
    definition: str
    available: str
    cost: Figure
    model: int | None = None
    individual: int = 0


class LemonRow(TableRow, frozen=True):
    """A defect: what it is called, what it strikes (one of these), and the points that Flaws are worth."""

    roll: int
    defect: str
    either: tuple[str, ...]
    least: int = 0
    most: int = 0


class QualityRow(TableRow, frozen=True):
    """A crew's skill and what it multiplies Threat Value and cost by."""

    level: int
    name: str
    multiplier: Figure


class ComputerRow(TableRow, frozen=True):
    """A computer's skill, what it multiplies by, and the Character Points for its attributes."""

    level: int
    dumb: Figure
    dumb_points: int
    sentient: Figure
    sentient_points: int


class ScaleRow(TableRow, frozen=True):
    """A scale: what a point of it is worth in the Vehicle scale, its place in the order, and the area its weapons gain."""

    scale: str
    worth: Figure
    step: int
    area: int


class StarRow(TableRow, frozen=True):
    """Multipliers of a drive to the stars, by speed in multiples of light and by reach in light years."""

    step: int
    speed: Figure
    reach: Figure


class JumpRow(TableRow, frozen=True):
    """Multipliers by the number of dimensions, or by the delay before a jump."""

    what: str
    multiplier: Figure
    dimensions: int = 0


class MendRow(TableRow, frozen=True):
    """What repairing a damage costs beside the Size, and the Threshold: a base, and for each point."""

    effect: str
    base: int = 0
    each: Figure = 0
    size: bool = False
    threshold: int = 0
    threshold_each: Figure = 0


class ExtraRow(TableRow, frozen=True):
    """What a comfort costs in credits: for each, or for the rating squared."""

    name: str
    price: int
    square: bool = False
    unit: str = ""
    most: int = 0
    effect: str = ""


PERK_PRICES = tuple(
    Table(f"sil-4.1.8-perk-costs-{part}", PriceRow)
    for part in ("accessories", "arms", "armor", "comms", "features", "hep", "iw", "reinforced", "sensors", "exotic")
)
FLAW_PRICES = tuple(Table(f"sil-4.1.8-flaw-costs-{part}", PriceRow) for part in ("movement", "negative", "weakness"))
SYSTEM_PERKS = Table("sil-4.2.2-system-perks", CountRow)
SYSTEM_FLAWS = Table("sil-4.2.3-system-flaws", CountRow)
ACCURACY = Table("sil-4.2.4-system-cost", AccuracyRow)
AMMUNITION = Table("sil-4.2.4-ammo-cost", AmmoRow)
ARC_PRICES = Table("sil-4.1.10-otv", ArcRow)
MANEUVER = Table("sil-4.1.10-dtv", ManeuverRow)
TYPICAL_MANEUVER = Column("sil-4.1.6-maneuver", "maneuver", int, typical=str)
"""What usually has this Maneuver."""
SYSTEM_TYPES = Column("sil-4.2.1-system-types", "type", effect=str)
"""A type of system."""
SIZE_EXAMPLES = Column("sil-4.1.2-size-mass", "size", int, example=str)
"""Something of this Size."""
SMALL_SIZES = Table("sil-4.3.1-small-size-chart", SmallRow)
USUAL_ARMOR = Table("sil-4.1.3-armor", ArmorRow)
MOVEMENT = Table("sil-4.1.5-movement-types", MoveRow)
REACTION_MASS = Table("sil-4.1.7-reaction-mass", MassRow)
PRODUCTION = Table("sil-4.1.12-production-type", ProductionRow)
LEMONS = Table("sil-4.1.12-lemon-defects", LemonRow)
ANNOYANCES = Column("sil-4.1.12-annoyances", "annoyance", effect=str)
"""A little thing that drives a crew mad."""
CREW_QUALITY = Table("sil-4.1.13-crew-quality", QualityRow)
COMPUTERS = Table("sil-4.1.13-computer-crew", ComputerRow)
ACTIONS = Column("sil-5.1.1-actions", "crew", int, actions=int)
"""The smallest crew that has so many actions."""
SCALES = Table("sil-4.3.2-very-large", ScaleRow)
ROBOTS = Column("sil-4.3.4-robots", "robot", person=str)
"""What of a robot stands for what of a person."""
STARS = Table("sil-4.3.8-ftl", StarRow)
JUMPS = Table("sil-4.3.8-dimension-drive", JumpRow)
MENDING = Table("sil-4.3.9-self-repair", MendRow)
EXTRAS = Table("sil-4.3.10-extras", ExtraRow)


class Priced(Struct, frozen=True):
    """A row of a price list with the list it stands in."""

    row: PriceRow
    rule: str

    @property
    def group(self) -> str:
        """The list in one word: arms, armor, sensors."""
        return self.rule.rpartition("-")[2]

    @property
    def list_name(self) -> str:
        """The list as people call it."""
        return {"hep": "environment", "iw": "information warfare", "comms": "communications"}.get(self.group, self.group)


@lru_cache(maxsize=64)
def perk_rows(rules: Ruleset) -> Mapping[str, Priced]:
    """Every Perk of a machine by its name."""
    return {name: Priced(row, table.rule) for table in PERK_PRICES for name, row in table(rules).items() if not row.flaw}


@lru_cache(maxsize=64)
def flaw_rows(rules: Ruleset) -> Mapping[str, Priced]:
    """Every Flaw of a machine by its name, those among them that are printed with the Perks."""
    own = {name: Priced(row, table.rule) for table in FLAW_PRICES for name, row in table(rules).items()}
    return own | {name: Priced(row, table.rule) for table in PERK_PRICES for name, row in table(rules).items() if row.flaw}
