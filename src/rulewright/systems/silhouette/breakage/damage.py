"""Damage against Armor: the severity of a hit, and the loss of Armor (book lines 4999-5024, 5057-5065)."""

from math import ceil
from typing import Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Scale
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, divided, less, rounded_up, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain
from rulewright.systems.silhouette.machines.design.trait_effects import armor_against
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.machines.special import thresholds
from rulewright.systems.silhouette.machines.vehicle import Design
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import Wear

_ID, _EXTRA = "sil-5.5-damage", "sil-5.5.2-extra-damage"
Severity = Literal["none", "light", "heavy", "overkill"]
DAMAGE = Scale(
    ("miss", "no effect", "light damage", "heavy damage", "overkill"),
    ("light damage", "heavy damage", "overkill"),
    "damages",
    "unharmed",
    harms=True,
)
"""The possible results of an attack on a machine, for the chances beside options."""
NAMES: dict[Severity, str] = {"none": "no effect", "light": "light damage", "heavy": "heavy damage", "overkill": "overkill"}


class Nature(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """What a weapon does to Armor besides its damage."""

    piercing: bool = False
    """Half the Armor, no loss of it, never an Overkill."""
    crushing: bool = False
    """Twice the Armor loss."""
    heat: bool = False
    liquid: bool = False
    """Twice the Armor, and it splashes."""
    inside: bool = False
    """It explodes inside: half the Armor, rounded down."""


PLAIN = Nature()


@cached(4096)
@rule(_ID)
def damage_of(margin: int, multiplier: float) -> Derived[Figure]:
    """The damage of a hit: the Margin of Success times the Damage Multiplier."""
    if margin < 0 or multiplier < 0:
        raise UserError("margin and Damage Multiplier must be 0 or more")
    return total("damage", term("Margin of Success", margin), times("Damage Multiplier", multiplier), rule=_ID)


@cached(8192)
@rule(_ID)
def severity_of(damage: float, armor: float, piercing: bool = False) -> Severity:
    """The severity of a hit: from the Armor on Light, from twice that Heavy, from three times that Overkill; only the worst counts.

    An armor-piercing hit meets half the Armor, rounded up, and is at most Heavy.
    """
    if damage < 0 or armor < 0:
        raise UserError("damage and Armor must be 0 or more")
    met = plain(exact(pierced(armor).value)) if piercing else armor
    light, heavy, overkill = thresholds(met) if met > 0 else (0, 0, 0)
    if damage <= 0 or damage < light:
        return "none"
    if damage < heavy:
        return "light"
    return "heavy" if damage < overkill or piercing else "overkill"


def pierced(armor: Figure) -> Derived[Figure]:
    """Half the Armor, rounded up."""
    return total("Armor", term("Armor", armor), divided("armor-piercing", 2, rule="sil-f-system-perks"), rounded_up())


@cached(1024)
@rule(_EXTRA)
def armor_loss(
    severity: Severity,
    piercing: bool = False,
    crushing: bool = False,
    brittle: bool = False,
    damage: float | None = None,
    armor: float = 0,
) -> Derived[int]:
    """Points of base Armor that a hit costs: 1 at Light, 2 at Heavy Damage, twice that if it crushes or the armor is brittle, none
    if it pierces. A crushing hit below Light Damage costs 1 if its damage is more than half the Armor, rounded up; without a `damage`
    it is."""
    if severity == "none" and crushing:
        enough = damage is None or damage > ceil(armor / 2)
        return total("Armor lost", row("armor-crushing, more than half the Armor", int(enough), rule="sil-f-system-perks"), rule=_EXTRA)
    base = {"light": 1, "heavy": 2}.get(severity, 0)
    terms = [row(severity, base)]
    if crushing:
        terms.append(times("armor-crushing", 2, rule="sil-f-system-perks"))
    if brittle:
        terms.append(times("brittle", 2, rule="sil-d-armor-qualities"))
    if piercing:
        terms.append(row("armor-piercing", 0, rule="sil-f-system-perks"))
    return total("Armor lost", *terms, rule=_EXTRA)


@rule(_EXTRA)
def thresholds_after(armor: float, lost: int = 0) -> tuple[Figure, Figure, Figure]:
    """The thresholds of Light, Heavy and Overkill after losing so many points of Armor: 1, 2 and 3 less for each.

    A view of `thresholds`.
    """
    left = total("Armor", term("base Armor", armor), less("lost", lost)).value
    return thresholds(max(0, left)) if left > 0 else (0, 0, 0)


@cached(4096)
def armor_met(machine: Machine, wear: Wear, side: str, location: str = "", heat: bool = False, below: bool = False) -> Derived[Figure]:
    """Armor against an attack: the remaining base, plus Perks for the side, the location, HEAT and hits from below."""
    left = plain(max(exact(0), exact(machine.armor) - wear.armor))
    gone = dict(wear.ablated)
    perks = tuple(
        [
            replace(perk, rating=max(0, (perk.rating or 0) - gone[perk.on])) if perk.name == "ablative armor" and perk.on in gone else perk
            for perk in machine.perks
        ]
    )
    return armor_against(cast(Design, replace(machine, armor=left, perks=perks)), side, location, heat, below)


def ablated(unit: Unit, side: str, damage: Figure) -> Wear:
    """The ablative armor after a hit on that side: one point less for every ten of damage."""
    flanks = side.endswith("flank")
    for perk in unit.machine.perks:
        if perk.name == "ablative armor" and (perk.on == side or (perk.on == "sides" and flanks)):
            gone = dict(unit.wear.ablated)
            gone[perk.on] = min(perk.rating or 0, gone.get(perk.on, 0) + int(damage) // 10)
            return replace(unit.wear, ablated=tuple(sorted(gone.items()))) if gone[perk.on] else unit.wear
    return unit.wear


def hull_after(rules: Ruleset, unit: Unit, severity: Severity, nature: Nature, damage: Figure = 0) -> Unit:
    """A unit without the Armor that a hit cost it. The damage matters only below Light Damage."""
    lost = armor_lost(unit, severity, nature, damage).value
    return unit if not lost else replace(unit, wear=replace(unit.wear, armor=unit.lost_with(lost)))


def armor_lost(unit: Unit, severity: Severity, nature: Nature, damage: Figure = 0) -> Derived[int]:
    """The Armor that a hit costs a unit."""
    brittle = unit.machine.has("brittle") is not None
    left = plain(exact(unit.machine.armor) - unit.wear.armor) if severity == "none" else 0
    return armor_loss(severity, nature.piercing, nature.crushing, brittle, damage, left)
