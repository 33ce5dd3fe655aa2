"""The design tables of machines, with typed rows (book lines 2825-4113)."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow

Figure = int | float


class Formula(Struct, frozen=True, forbid_unknown_fields=True):
    """A price as a sum: a base, and for the rating, the amount, the Armor, the crew."""

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
    """The price of a machine's Perk or Flaw, and the fields that it needs."""

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
        """The formula of a variant; None if there is none."""
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
    """The cost multiplier of an Accuracy."""

    accuracy: int
    multiplier: Figure


class AmmoRow(TableRow, frozen=True):
    """The cost multiplier of the number of uses; no `most` is unlimited."""

    uses: str
    multiplier: Figure
    most: int = 0


class ArcRow(TableRow, frozen=True):
    """An arc: short name, price, width and direction."""

    arc: str
    short: str
    multiplier: Figure
    degrees: int
    faces: int


class ManeuverRow(TableRow, frozen=True):
    """The multiplier of the defensive value by Maneuver."""

    maneuver: int
    multiplier: Figure


class SmallRow(TableRow, frozen=True):
    """The masses of a small Size, in kilograms."""

    size: Figure
    low: int
    high: int


class ArmorRow(TableRow, frozen=True):
    """The usual Armor."""

    vehicle: str
    low: int
    high: int


class MoveRow(TableRow, frozen=True):
    """A movement type: kilometres per hour for a Movement Point, the metres of a hex, and a description."""

    type: str
    kph: int
    hex: int
    effect: str


class MassRow(TableRow, frozen=True):
    """Reaction mass: its share of the empty weight for each Burn Point, and tonnes per cubic metre."""

    type: str
    multiplier: Figure
    density: Figure


class ProductionRow(TableRow, frozen=True):
    """A type of production: how many exist, Lemon dice, and the cost multiplier."""

    type: str
    definition: str
    available: str
    cost: Figure
    model: int | None = None
    individual: int = 0


class LemonRow(TableRow, frozen=True):
    """A defect: its name, the figures it may affect, and the points of its Flaw."""

    roll: int
    defect: str
    either: tuple[str, ...]
    least: int = 0
    most: int = 0


class QualityRow(TableRow, frozen=True):
    """A crew's skill and its multiplier of Threat Value and cost."""

    level: int
    name: str
    multiplier: Figure


class ComputerRow(TableRow, frozen=True):
    """A computer's skill, its multiplier, and the Character Points for its attributes."""

    level: int
    dumb: Figure
    dumb_points: int
    sentient: Figure
    sentient_points: int


class ScaleRow(TableRow, frozen=True):
    """A scale: the worth of a point in the Vehicle scale, its order, and the area that its weapons gain."""

    scale: str
    worth: Figure
    step: int
    area: int


class StarRow(TableRow, frozen=True):
    """Multipliers of a star drive, by speed in multiples of light and by range in light years."""

    step: int
    speed: Figure
    reach: Figure


class JumpRow(TableRow, frozen=True):
    """Multipliers by the number of dimensions, or by the delay before a jump."""

    what: str
    multiplier: Figure
    dimensions: int = 0


class MendRow(TableRow, frozen=True):
    """The cost of repairing a damage besides the Size, and its Threshold: a base, and for each point."""

    effect: str
    base: int = 0
    each: Figure = 0
    size: bool = False
    threshold: int = 0
    threshold_each: Figure = 0


class ExtraRow(TableRow, frozen=True):
    """The price of an extra in credits: for each, or for the rating squared."""

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
"""Machines with this typical Maneuver."""
SYSTEM_TYPES = Column("sil-4.2.1-system-types", "type", effect=str)
"""A type of system."""
SIZE_EXAMPLES = Column("sil-4.1.2-size-mass", "size", int, example=str)
"""An example of this Size."""
SMALL_SIZES = Table("sil-4.3.1-small-size-chart", SmallRow)
USUAL_ARMOR = Table("sil-4.1.3-armor", ArmorRow)
MOVEMENT = Table("sil-4.1.5-movement-types", MoveRow)
REACTION_MASS = Table("sil-4.1.7-reaction-mass", MassRow)
PRODUCTION = Table("sil-4.1.12-production-type", ProductionRow)
LEMONS = Table("sil-4.1.12-lemon-defects", LemonRow)
ANNOYANCES = Column("sil-4.1.12-annoyances", "annoyance", effect=str)
"""An annoyance for the crew."""
CREW_QUALITY = Table("sil-4.1.13-crew-quality", QualityRow)
COMPUTERS = Table("sil-4.1.13-computer-crew", ComputerRow)
ACTIONS = Column("sil-5.1.1-actions", "crew", int, actions=int)
"""The smallest crew with so many actions."""
SCALES = Table("sil-4.3.2-very-large", ScaleRow)
ROBOTS = Column("sil-4.3.4-robots", "robot", person=str)
"""The robot figure that stands for a person's figure."""
STARS = Table("sil-4.3.8-ftl", StarRow)
JUMPS = Table("sil-4.3.8-dimension-drive", JumpRow)
MENDING = Table("sil-4.3.9-self-repair", MendRow)
EXTRAS = Table("sil-4.3.10-extras", ExtraRow)


class Priced(Struct, frozen=True):
    """A row of a price list with its list."""

    row: PriceRow
    rule: str

    @property
    def group(self) -> str:
        """The list in one word: arms, armor, sensors."""
        return self.rule.rpartition("-")[2]

    @property
    def list_name(self) -> str:
        """The list's display name."""
        return {"hep": "environment", "iw": "information warfare", "comms": "communications"}.get(self.group, self.group)


@cached(64)
def perk_rows(rules: Ruleset) -> Mapping[str, Priced]:
    """Every Perk of a machine by its name."""
    return {name: Priced(row, table.rule) for table in PERK_PRICES for name, row in table(rules).items() if not row.flaw}


@cached(64)
def flaw_rows(rules: Ruleset) -> Mapping[str, Priced]:
    """Every Flaw of a machine by its name, including those printed with the Perks."""
    own = {name: Priced(row, table.rule) for table in FLAW_PRICES for name, row in table(rules).items()}
    return own | {name: Priced(row, table.rule) for table in PERK_PRICES for name, row in table(rules).items() if row.flaw}
