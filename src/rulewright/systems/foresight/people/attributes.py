"""The nine attributes and the values derived from them (book lines 280-292, 450-534, 1304-1312, 1641-1669, 2073-2114)."""

import re
from typing import Literal

from msgspec import Struct

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, less, row, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.resolution.tests import Mod, Task

AttributeName = Literal["ST", "EN", "DX", "AG", "IN", "PC", "EM", "WP", "AP"]
ATTRIBUTES: tuple[AttributeName, ...] = ("ST", "EN", "DX", "AG", "IN", "PC", "EM", "WP", "AP")
MOST_FAMILIAR = 3
STRONGEST_IN_TABLE = 18
MOST_STRENGTH = 200


class Attributes(Struct, frozen=True, forbid_unknown_fields=True):
    """The nine attributes; 9 is the norm."""

    ST: int = 9
    EN: int = 9
    DX: int = 9
    AG: int = 9
    IN: int = 9
    PC: int = 9
    EM: int = 9
    WP: int = 9
    AP: int = 9

    def of(self, name: str) -> int:
        """An attribute by its abbreviation."""
        if name not in ATTRIBUTES:
            raise UserError(f"there is no attribute {name!r}; there are {', '.join(ATTRIBUTES)}")
        return int(getattr(self, name))

    def each(self) -> dict[AttributeName, int]:
        """All nine by their abbreviations."""
        return {name: int(getattr(self, name)) for name in ATTRIBUTES}


TYPICAL = Attributes()
"""A person with 9 in everything, for rules that are asked without naming anybody."""


class AttributeRow(TableRow, frozen=True):
    """An attribute and what it covers."""

    attribute: AttributeName
    name: str
    covers: str
    physical: bool


class CapacityRow(TableRow, frozen=True):
    """What a person of a strength (from this value on) can carry, in kilograms."""

    from_st: int
    carry: float
    laden: float
    burden: float
    lift: float
    drag: float


Band = Literal["free", "laden", "burdened", "lifting", "dragging", "too much"]


class LoadRow(TableRow, frozen=True):
    """What a weight of this kind does to its bearer: the modifier to agility tasks and the factor on stamina costs."""

    band: Band
    agility: int
    stamina: int


ATTRIBUTE_LIST = Table("fs-attributes", AttributeRow)
UNARMED = Column("fs-ucdc", "from_st", int, ucdc=float)
"""The unarmed damage class from a strength on."""
CAPACITY = Table("fs-carrying-capacity", CapacityRow)
LOADS = Table("fs-load-bands", LoadRow)


def attribute_name(rules: Ruleset, name: str) -> str:
    """The full name of an attribute."""
    return ATTRIBUTE_LIST.get(rules, name).name


@rule("fs-ucdc")
def unarmed_damage(rules: Ruleset, strength: int) -> Derived[float]:
    """The damage class of bare hands, from strength; above 18 it is half the strength less four."""
    bound("strength", strength, 1, MOST_STRENGTH)
    if strength > STRONGEST_IN_TABLE:
        return total("UCDC", term("ST", strength), divided("half", 2), less("less", 4), rounded_off(), rule="fs-ucdc")
    classes = UNARMED.numbered(rules)
    value = classes[max([least for least in classes if least <= strength])]
    whole = [] if rules.on("fractional-damage-class") else [rounded_off()]
    listed = row("by strength", value, term("ST", strength), rule="fs-ucdc")
    return total("UCDC", listed, *whole, rule="fs-ucdc", source=rules.source("fractional-damage-class"))


@rule("fs-carrying-capacity")
def capacity(rules: Ruleset, strength: int) -> CapacityRow:
    """The carrying capacity of a person, in kilograms; past the table four points of strength double it."""
    bound("strength", strength, 1, MOST_STRENGTH)
    rows = sorted(CAPACITY(rules).values(), key=lambda row: row.from_st)
    last, doublings = rows[-1].from_st + 1, 0
    while strength > last:
        strength, doublings = strength - 4, doublings + 1
    row = max([row for row in rows if row.from_st <= strength], key=lambda row: row.from_st)
    factor = 2**doublings
    return CapacityRow(
        from_st=row.from_st + 4 * doublings,
        carry=row.carry * factor,
        laden=row.laden * factor,
        burden=row.burden * factor,
        lift=row.lift * factor,
        drag=row.drag * factor,
        source=row.source,
    )


class Load(Struct, frozen=True):
    """What a weight does to its bearer: the modifier to agility tasks and the factor on stamina costs."""

    band: Band
    agility: int
    stamina: int

    def mod(self) -> Mod:
        """The modifier to agility tasks."""
        return Mod(self.band, self.agility, "fs-carrying-capacity")


@rule("fs-carrying-capacity", "fs-load-bands")
def load(rules: Ruleset, strength: int = 9, carried: float = 0, worn: float = 0) -> Load:
    """How a weight hinders: -1 to agility laden, -2 burdened. What is worn or well packed counts half.

    Who lifts or drags can do nothing else; stamina goes twice as fast laden and four times as fast burdened.
    """
    limits, weight = capacity(rules, strength), carried + worn / 2
    bands: tuple[tuple[Band, float], ...] = (
        ("free", limits.carry),
        ("laden", limits.laden),
        ("burdened", limits.burden),
        ("lifting", limits.lift),
        ("dragging", limits.drag),
    )
    band = next((band for band, most in bands if weight <= most), "too much")
    row = LOADS.get(rules, band)
    return Load(row.band, row.agility, row.stamina)


# --- attributes as abilities --------------------------------------------------------------------------------------------------


@rule("fs-attributes-as-skills")
def attribute_task(rules: Ruleset, attribute: AttributeName, value: int, modifiers: tuple[Mod, ...] = ()) -> Task:
    """An attribute tested by itself: its trained value and a base ease factor that the book never prints (ruling, 7)."""
    return Task(value, rules.number("attribute-ease-factor"), ()).plus(*modifiers)


_EASE = re.compile(r"([EG])?\s*\+?\s*(\d+)?|(\d+)\s*\+\s*([EG])", re.ASCII)


@rule("fs-abilities", "fs-familiarities")
def base_ease(rules: Ruleset, formula: str, environment: int = 0, gravity: int = 0) -> float:
    """A base ease factor such as G+2: E and G stand for familiarity, 0 to 3, with the environment and gravity at hand."""
    match = _EASE.fullmatch(formula.strip())
    if match is None or not formula.strip():
        raise UserError(f"a base ease factor is a number, E or G, or a sum such as G+2, not {formula!r}")
    letter, number = match[1] or match[4], match[2] or match[3]
    for familiarity in (environment, gravity):
        bound("a familiarity", familiarity, 0, MOST_FAMILIAR)
    return float((environment if letter == "E" else gravity if letter == "G" else 0) + int(number or 0))


# --- environments and gravities -----------------------------------------------------------------------------------------------


class GravityRow(TableRow, frozen=True):
    """A band of gravity, from this strength on."""

    band: str
    name: str
    from_g: float


ENVIRONMENTS = Column("fs-environment-familiarity", "environment", where=str)
"""A kind of land that one can be familiar with."""
GRAVITIES = Table("fs-gravity-familiarity", GravityRow)


@rule("fs-gravity-familiarity")
def gravity_band(rules: Ruleset, g: float = 1.0) -> str:
    """The band that a gravity belongs to. Below 0.01 g is zero gravity and only more than 2 g is extreme; other edges by ruling."""
    rows = sorted(GRAVITIES(rules).values(), key=lambda band: band.from_g)
    result = rows[0].band
    for band in rows[1:]:
        inner = 0.01 < band.from_g < 2.0
        reached = g >= band.from_g if band.from_g <= 0.01 or (inner and rules.word("gravity-edges") == "higher band") else g > band.from_g
        if reached:
            result = band.band
    return result


@rule("fs-gravity-familiarity")
def spin_gravity(rules: Ruleset, g: float = 0.2, delicate: bool = False) -> tuple[str, Mod]:
    """Spin counts as the band of its strength with a penalty for strangeness: -1, or -2 for throwing and gymnastics.

    By id only.
    """
    return gravity_band(rules, g), Mod("spin gravity", -2 if delicate else -1, "fs-gravity-familiarity")


def adjacent_bands(rules: Ruleset, band: str) -> tuple[str, ...]:
    """The bands next to one."""
    bands = [row.band for row in sorted(GRAVITIES(rules).values(), key=lambda row: row.from_g)]
    if band not in bands:
        raise UserError(f"there is no gravity band {band!r}; there are {', '.join(bands)}")
    place = bands.index(band)
    return tuple(bands[max(0, place - 1) : place] + bands[place + 1 : place + 2])


@rule("fs-environment-familiarity")
def familiarity(rules: Ruleset, environments: dict[str, int], here: str) -> int:
    """How familiar a person is with an environment, 0 to 3: what stands for E there."""
    return max(0, min(MOST_FAMILIAR, environments.get(here, 0)))
