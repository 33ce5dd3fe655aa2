"""Missile weapons: ranges, thrown weapons, bows and crossbows (book lines 4881-4954)."""

from typing import Literal, NamedTuple

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, at_least, term, total
from rulewright.rules.reasons import less as taken
from rulewright.systems.ore.gear.weapons import FixedRow, Weapon, without_power
from rulewright.systems.ore.resolution.tests import Mod

Band = Literal["short", "medium", "long"]
BANDS: tuple[Band, ...] = ("short", "medium", "long")
Flight = Literal["trajectory", "hurled"]


class Ranges(NamedTuple):
    """Where short, medium and long range end, in metres."""

    short: int
    medium: int
    long: int


LIGHT_PISTOL = Ranges(25, 50, 100)


class TypeRow(TableRow, frozen=True):
    """A type of ranged weapon: its kinds, and the unit of its ammunition."""

    type: str
    kinds: tuple[str, ...]
    counted: str
    means: str


class ThrownRow(TableRow, frozen=True):
    """Throwing range in metres per point of Body."""

    flight: Flight
    short: int
    medium: int
    long: int
    skill: str
    means: str


DamageType = Literal["kill", "shock"]
RANGES = Column("ore-4.09c-range", "band", Band, dice=int)
"""A range band and its modifier."""
TYPES = Table("ore-4.09c-ranged-types", TypeRow)
THROWN = Table("ore-4.09c-thrown-ranges", ThrownRow)
PULL = Column("ore-4.09c-pull-weapons", "band", Band, metres=int)
PUSH = Column("ore-4.09c-push-weapons", "band", Band, metres=int)
"""A range band and its factor in metres."""
MISSILE_DAMAGE = Column("ore-4.09c-missile-damage", "damage", DamageType, less=int)
"""A form of damage and its reduction of Power."""


# --- range --------------------------------------------------------------------------------------------------------------------


def band_at(metres: int, ranges: Ranges) -> Band | None:
    """The range band of a target; None if too far."""
    if metres < 0:
        raise UserError(f"a distance cannot be {metres} metres")
    return next((band for band in BANDS if metres <= getattr(ranges, band)), None)


@rule("ore-4.09c-range")
def range_dice(rules: Ruleset, metres: int = 10, ranges: Ranges = LIGHT_PISTOL) -> Mod:
    """Short range gives a die, long range takes one; nothing can be hit beyond (ruling)."""
    band = band_at(metres, ranges)
    if band is None:
        raise UserError(f"{metres} metres is out of range; the weapon reaches {ranges.long} metres")
    return Mod(f"{band} range", RANGES.of(rules, band), "ore-4.09c-range")


@rule("ore-4.09c-ranged-types")
def ranged_type(rules: Ruleset, kind: str = "pull") -> TypeRow:
    """Ranged weapons are ballistic, missile or energy weapons; missiles are thrown, pulled or pushed. Energy weapons have no rules in
    the book and work like ballistic ones with charges (stand-in). By id only."""
    for row in TYPES(rules).values():
        if kind in (row.type, *row.kinds):
            return row
    raise UserError(
        f"there is no ranged weapon of kind {kind!r}; choose {join([k for row in TYPES(rules).values() for k in row.kinds], 'or')}"
    )


@rule("ore-4.09c-thrown-ranges")
def thrown_ranges(rules: Ruleset, body: int = 3, flight: Flight = "trajectory") -> Ranges:
    """Throwing range by Body: objects made for throwing fly twice as far."""
    row = THROWN.get(rules, flight)
    return Ranges(body * row.short, body * row.medium, body * row.long)


@rule("ore-4.09c-pull-weapons")
def pull_ranges(rules: Ruleset, body: int = 3, power: int = 3) -> Ranges:
    """A pull weapon has Body plus Power, times 5, 10 and 20 metres (ruling). Its Power cannot exceed Body."""
    if not can_draw(rules, body, power):
        raise UserError(f"a Body of {body} cannot draw a pull weapon of Power {power}")
    return Ranges(*[(body + power) * PULL.of(rules, band) for band in BANDS])


@rule("ore-4.09c-pull-weapons")
def can_draw(rules: Ruleset, body: int = 3, power: int = 3) -> bool:
    """Whether a fighter can draw a pull weapon: Power at most Body, if Power is used."""
    return power <= body or rules.on("powerless")


@rule("ore-4.09c-push-weapons")
def push_ranges(rules: Ruleset, power: int = 3) -> Ranges:
    """A push weapon has Power times 10, 20 and 40 metres."""
    return Ranges(*[power * PUSH.of(rules, band) for band in BANDS])


@rule("ore-4.09c-push-weapons")
def loading_rounds(rules: Ruleset, power: int = 4, body: int = 4, winder: bool = False) -> int:
    """Rounds to set a push weapon: one if Power is at most Body; otherwise impossible by hand. A winder takes Power rounds, but strong
    users need not wind (ruling). Without Power it always takes one round."""
    if power <= body or rules.on("powerless"):
        return 1
    if winder:
        return power
    raise UserError(f"a Body of {body} cannot set a push weapon of Power {power} by hand; it needs a winder")


# --- damage -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.09c-missile-damage")
def missile_kill(rules: Ruleset, power: int = 3) -> Derived[int]:
    """The Kill bonus of a missile: Power minus 1, at least 0 (ruling)."""
    return power_less(power, MISSILE_DAMAGE.of(rules, "kill"), "Kill bonus", "ore-4.09c-missile-damage")


@rule("ore-4.09c-missile-damage")
def missile_shock(rules: Ruleset, power: int = 3) -> Derived[int]:
    """The Shock bonus of a missile: Power minus 3, at least 0 (ruling)."""
    return power_less(power, MISSILE_DAMAGE.of(rules, "shock"), "Shock bonus", "ore-4.09c-missile-damage")


def power_less(power: int, less: int, label: str, rule_id: str) -> Derived[int]:
    """Power minus a number, at least 0."""
    return total(label, term("Power", power), taken("less", less, rule=rule_id), at_least(0, rule=rule_id), rule=rule_id)


@rule("ore-4.09c-opt20-missile-pen")
def missile_pen(rules: Ruleset, power: int = 4) -> Derived[int]:
    """The PEN of missiles: none without the option."""
    return total("PEN", rule="ore-4.09c-opt20-missile-pen")


@rule("ore-4.09c-opt20-missile-pen")
@instead_of(missile_pen, "missile-penetration")
def power_is_pen(rules: Ruleset, power: int = 4) -> Derived[int]:
    """PEN is Power minus 2, at least 0 (ruling)."""
    return power_less(power, 2, "PEN", "ore-4.09c-opt20-missile-pen")


# --- the weapons themselves ---------------------------------------------------------------------------------------------------


@rule("ore-4.09c-ranged-types")
def missile_weapon(
    rules: Ruleset,
    name: str = "bow",
    kind: Literal["thrown", "pull", "push"] = "pull",
    power: int = 3,
    flight: Flight = "trajectory",
    winder: bool = False,
) -> Weapon:
    """A missile weapon from its Power: thrown, pull or push."""
    fixed: FixedRow | None = without_power(rules, name)
    skills = {"thrown": (THROWN.get(rules, flight).skill,), "pull": ("pull weapons", "missile weapons")}
    return Weapon(
        name,
        kind,
        "thrown" if kind == "thrown" else "missiles",
        skills.get(kind, ("push weapons", "missile weapons")),
        power,
        missile_kill(rules, power).value if fixed is None else fixed.kill,
        missile_shock(rules, power).value if fixed is None else fixed.shock,
        missile_pen(rules, power).value,
        ("I",) if kind == "thrown" and flight == "hurled" else ("P",),
        flight=flight if kind == "thrown" else "",
        magazine=1 if kind == "push" else 0,
        winder=winder,
    )


@rule("ore-4.09c-thrown-ranges")
def hurled(rules: Ruleset, weapon: Weapon) -> Weapon:
    """A close combat weapon that is thrown: it flies like an improvised missile of its Power and deals its usual damage (ruling)."""
    flies = missile_weapon(rules, weapon.name, "thrown", weapon.power, "hurled")
    return replace(flies, kill=weapon.kill, shock=weapon.shock, classes=weapon.classes)
