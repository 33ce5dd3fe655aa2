"""Vehicle weapons: damage and range (book lines 5780-5814)."""

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_down, row, term, times, total
from rulewright.systems.ore.machines.tables import DAMAGE, RANGES, RangeName
from rulewright.systems.ore.machines.vehicle import Reaches

RANGE_NAMES: tuple[RangeName, ...] = ("VR", "BVR", "ER")
MORE = 2
"""Damage per point of Width beyond the table (stand-in)."""


@rule("ore-4.22-vehicle-weapons")
def weapon_damage(rules: Ruleset, width: int = 3) -> Derived[int]:
    """Damage to a vehicle by Width, for every weapon."""
    if width < 1:
        raise UserError("a set has a Width of at least 1")
    rows = DAMAGE(rules)
    last = max([candidate.width for candidate in rows.values()])
    listed = rows[str(min(width, last))]
    terms = [row(f"Width {min(width, last)}", listed.damage, term("Width", width), source=listed.source)]
    if width > last:
        terms += [term("beyond the table", MORE * (width - last), source="stand-in")]
    return total("Damage", *terms, rule="ore-4.22-vehicle-weapons")


@rule("ore-4.22-vehicle-weapons")
def through_plating(rules: Ruleset, damage: int = 4, armour: int = 2, pen: int = 1) -> Derived[int]:
    """Damage through armour: Penetration reduces the Armour Rating, the rest reduces damage."""
    left = total("remaining Armour", term("Armour", armour), less("Penetration", pen), at_least(0))
    return total("Boxes", term("damage", damage), less("remaining Armour", left), at_least(0), rule="ore-4.22-vehicle-weapons")


@rule("ore-4.22-vehicle-ranges")
def reaches(rules: Ruleset, weapon: Reaches = "VR", at: RangeName = "BVR", locked: bool = False) -> bool:
    """Guns fire within Visual Range; missiles beyond it too, but only with a Lock-On."""
    return weapon in RANGES.get(rules, at).weapons and (weapon == "VR" or locked)


@rule("ore-4.22-vact-chase")
def closer(at: RangeName = "BVR") -> RangeName:
    """The next closer range, by a Chase."""
    return RANGE_NAMES[max(0, RANGE_NAMES.index(at) - 1)]


@rule("ore-4.22-vact-escape")
def farther(at: RangeName = "VR") -> RangeName | None:
    """The next farther range, by an Escape; None beyond Escape Range."""
    place = RANGE_NAMES.index(at) + 1
    return RANGE_NAMES[place] if place < len(RANGE_NAMES) else None


@rule("ore-4.22-vact-ram")
def ram_damage(rules: Ruleset, width: int = 2, size: int = 2, speed: int = 3) -> Derived[int]:
    """Ram damage: by Width (ruling), plus Size and Speed."""
    terms = term("Width", weapon_damage(rules, width)), term("Size", size), term("Speed", speed)
    return total("Damage", *terms, rule="ore-4.22-vact-ram")


@rule("ore-4.22-vact-sideswipe")
def sideswipe_damage(rules: Ruleset, width: int = 2, size: int = 2) -> Derived[int]:
    """Sideswipe damage: by Width (ruling), plus Size."""
    return total("Damage", term("Width", weapon_damage(rules, width)), term("Size", size), rule="ore-4.22-vact-sideswipe")


@rule("ore-4.22-vact-sideswipe")
def pushed_aside(width: int = 2) -> Derived[int]:
    """Metres the victim of a sideswipe is pushed: one per Width."""
    return total("Metres", term("Width", width), times("metres per point", 1), rule="ore-4.22-vact-sideswipe")


@rule("ore-4.22-vact-ram", "ore-4.22-vact-sideswipe")
def own_share(damage: int = 7) -> Derived[int]:
    """The attacker's share: half, rounded down (ruling)."""
    return total("Own damage", term("damage", damage), divided("half", 2), rounded_down(), rule="ore-4.22-vact-ram")
