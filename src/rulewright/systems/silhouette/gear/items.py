"""Weapons, armor and shields as the appendix lists them (book lines 8044-8147)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, nearest, rule

Kind = Literal["plain", "blunt", "piercing"]


class Melee(TableRow, frozen=True):
    """A weapon for the hand; its damage is added to Armed Damage."""

    weapon: str
    accuracy: int
    parry: int
    damage: int
    hands: int = 1
    min_strength: int | None = None
    kind: Kind = "plain"
    reach: int = 0
    """Metres that it adds to the reach."""
    thrown: bool = False
    thrown_accuracy: int = 0
    thrown_base: int | None = None
    """Metres of short range before Strength, where it flies further than other things."""
    reload: int = 0
    entangles: int | None = None
    """What is added to the margin for the Threshold to get free."""
    unwieldy: bool = False
    """Of more trouble than its length in a narrow place."""


class Gun(TableRow, frozen=True):
    """A firearm; `range` is short range in metres, and each further band doubles it."""

    weapon: str
    accuracy: int
    damage: int
    range: int
    rof: int
    ammo: int
    calibre: str = ""
    hands: int = 1
    shots: int = 1
    """Ammunition for a single shot."""
    bruises: bool = False


class Heavy(TableRow, frozen=True):
    """A support weapon."""

    weapon: str
    accuracy: int
    range: int
    rof: int
    damage: int = 0
    ammo: int = 0
    belt: bool = False
    calibre: str = ""
    grenade: bool = False
    """Its damage is that of the grenade it fires."""
    guided: bool = False
    indirect: bool = False
    min_range: int = 0


class Grenade(TableRow, frozen=True):
    """A grenade: inside the inner radius both damages count, outside it only the second; radii in metres (ruling)."""

    grenade: str
    accuracy: int
    damage: int
    radius: int
    outer_damage: int = 0
    outer_radius: int = 0
    fills: str = ""
    """What it leaves: smoke or gas in the outer area, fire in the inner one."""
    rounds: int = 0
    """For how long that is there."""
    intensity: int = 0
    """The Intensity of a fire, the Potency of a gas."""


class Archaic(TableRow, frozen=True):
    """A sling, bow or crossbow; `reload` are the rounds to make it ready again (ruling)."""

    weapon: str
    accuracy: int
    damage: int
    reload: int
    range: int = 0
    thrown: bool = False
    """Flies as far as things thrown."""
    ammo: int = 0
    min_strength: int | None = None
    skill: str = "archery"
    entangles: int | None = None


class Armor(TableRow, frozen=True):
    """What it adds to each wound threshold, and what it costs on bodily tests."""

    armor: str
    points: int
    encumbrance: int
    conceal: Literal["yes", "somewhat", "no"]
    covers: tuple[str, ...] = ("torso", "lower chest")
    """The places it protects (ours: the book says only that armor may not reach everywhere)."""


class Shield(TableRow, frozen=True):
    """A shield: its parry bonus, the blow it strikes, and what it takes off a blow that it catches."""

    shield: str
    accuracy: int
    parry: int
    damage: int
    armor: int
    encumbrance: int


MELEE = Table("sil-a-melee-weapons", Melee)
GUNS = Table("sil-a-guns", Gun)
HEAVY = Table("sil-a-heavy-weapons", Heavy)
GRENADES = Table("sil-a-grenades", Grenade)
ARCHAIC = Table("sil-a-ranged-weapons", Archaic)
ARMOR = Table("sil-a-armor", Armor)
SHIELDS = Table("sil-a-shields", Shield)

AnyWeapon = Melee | Gun | Heavy | Grenade | Archaic


def find_weapon(rules: Ruleset, name: str) -> AnyWeapon | None:
    """A weapon of any list by its name; grenades are written `fragmentation grenade`."""
    return (
        MELEE(rules).get(name)
        or GUNS(rules).get(name)
        or HEAVY(rules).get(name)
        or ARCHAIC(rules).get(name)
        or GRENADES(rules).get(name.removesuffix(" grenade"))
    )


def weapon_names(rules: Ruleset) -> list[str]:
    """The names of all weapons."""
    grenades = [f"{name} grenade" for name in GRENADES(rules)]
    return [*MELEE(rules), *GUNS(rules), *HEAVY(rules), *ARCHAIC(rules), *grenades]


def weapon(rules: Ruleset, name: str) -> AnyWeapon:
    """A weapon by its name; refuses unknown ones with the nearest."""
    melee = find_weapon(rules, name)
    if melee is None:
        raise UserError(f"there is no weapon {name[:60]!r}{nearest(name, weapon_names(rules))}")
    return melee


def weapon_skill(row: AnyWeapon) -> str:
    """The skill that a weapon is used with."""
    if isinstance(row, Archaic):
        return row.skill
    names = {Melee: "melee", Gun: "small arms", Heavy: "heavy weapons", Grenade: "throwing"}
    return names[type(row)]


@rule("sil-a-shields")
def shield_catches(parry: int, margin: int) -> bool:
    """A parry that fails by no more than the shield's bonus lets the shield take the blow."""
    return 0 < margin <= parry


@rule("sil-a-shields")
def after_shield(damage: int, armor: int) -> int:
    """What is left of a blow that the shield caught."""
    return max(0, damage - armor)


@rule("sil-a-melee-weapons", "sil-a-ranged-weapons")
def threshold_to_get_free(rules: Ruleset, weapon_name: str = "whip", margin: int = 1) -> int:
    """How hard it is to get out of what a whip or bola has entangled: the margin of the hit, with a whip 1 less.

    A view of `snare_threshold`.
    """
    row = weapon(rules, weapon_name)
    if not isinstance(row, Melee | Archaic) or row.entangles is None:
        raise UserError(f"{weapon_name} cannot entangle")
    return snare_threshold(row.entangles, margin)


def snare_threshold(entangles: int, margin: int) -> int:
    """The Threshold to get free by what a weapon adds to the margin; never below 0."""
    return max(0, margin + entangles)
