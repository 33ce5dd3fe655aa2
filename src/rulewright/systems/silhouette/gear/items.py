"""Weapons, armor and shields of the appendix (book lines 8044-8147)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, nearest, rule

Kind = Literal["plain", "blunt", "piercing"]


class Melee(TableRow, frozen=True):
    """A melee weapon; its damage is added to Armed Damage."""

    weapon: str
    accuracy: int
    parry: int
    damage: int
    hands: int = 1
    min_strength: int | None = None
    kind: Kind = "plain"
    reach: int = 0
    """Metres added to reach."""
    thrown: bool = False
    thrown_accuracy: int = 0
    thrown_base: int | None = None
    """Metres of short range before Strength, if it flies farther than other items."""
    reload: int = 0
    entangles: int | None = None
    """Added to the margin for the Threshold to get free."""
    unwieldy: bool = False
    """Whether it is unwieldy in a narrow place."""


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
    """Ammunition per single shot."""
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
    """Whether its damage is that of its grenade."""
    guided: bool = False
    indirect: bool = False
    min_range: int = 0


class Grenade(TableRow, frozen=True):
    """A grenade: inside the inner radius both damages count, outside only the second; radii in metres (ruling)."""

    grenade: str
    accuracy: int
    damage: int
    radius: int
    outer_damage: int = 0
    outer_radius: int = 0
    fills: str = ""
    """What it leaves: smoke or gas in the outer area, fire in the inner one."""
    rounds: int = 0
    """Duration in rounds."""
    intensity: int = 0
    """Intensity of a fire, or Potency of a gas."""


class Archaic(TableRow, frozen=True):
    """A sling, bow or crossbow; `reload` is the rounds of reloading (ruling)."""

    weapon: str
    accuracy: int
    damage: int
    reload: int
    range: int = 0
    thrown: bool = False
    """Whether its range is that of thrown items."""
    ammo: int = 0
    min_strength: int | None = None
    skill: str = "archery"
    entangles: int | None = None


class Armor(TableRow, frozen=True):
    """Armor: its bonus to each wound threshold, and its penalty on physical tests."""

    armor: str
    points: int
    encumbrance: int
    conceal: Literal["yes", "somewhat", "no"]
    covers: tuple[str, ...] = ("torso", "lower chest")
    """Parts of the body it protects (ours: the book only says that armor may not cover everything)."""


class Shield(TableRow, frozen=True):
    """A shield: parry bonus, damage, and the damage it absorbs."""

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
    """Returns a weapon of any list by name; grenades are written `fragmentation grenade`."""
    return (
        MELEE(rules).get(name)
        or GUNS(rules).get(name)
        or HEAVY(rules).get(name)
        or ARCHAIC(rules).get(name)
        or GRENADES(rules).get(name.removesuffix(" grenade"))
    )


def weapon_names(rules: Ruleset) -> list[str]:
    """Returns the names of all weapons."""
    grenades = [f"{name} grenade" for name in GRENADES(rules)]
    return [*MELEE(rules), *GUNS(rules), *HEAVY(rules), *ARCHAIC(rules), *grenades]


def weapon(rules: Ruleset, name: str) -> AnyWeapon:
    """Returns a weapon by name; refuses unknown ones with a suggestion."""
    melee = find_weapon(rules, name)
    if melee is None:
        raise UserError(f"there is no weapon {name[:60]!r}{nearest(name, weapon_names(rules))}")
    return melee


def weapon_skill(row: AnyWeapon) -> str:
    """Returns the skill of a weapon."""
    if isinstance(row, Archaic):
        return row.skill
    names = {Melee: "melee", Gun: "small arms", Heavy: "heavy weapons", Grenade: "throwing"}
    return names[type(row)]


@rule("sil-a-shields")
def shield_catches(parry: int, margin: int) -> bool:
    """Whether a shield absorbs the blow: a parry failed by no more than the shield's bonus."""
    return 0 < margin <= parry


@rule("sil-a-shields")
def after_shield(damage: int, armor: int) -> int:
    """Returns the damage left after the shield."""
    return max(0, damage - armor)


@rule("sil-a-melee-weapons", "sil-a-ranged-weapons")
def threshold_to_get_free(rules: Ruleset, weapon_name: str = "whip", margin: int = 1) -> int:
    """Returns the Threshold to get free from a whip or bola: the margin of the hit, minus 1 for a whip.

    A view of `snare_threshold`.
    """
    row = weapon(rules, weapon_name)
    if not isinstance(row, Melee | Archaic) or row.entangles is None:
        raise UserError(f"{weapon_name} cannot entangle")
    return snare_threshold(row.entangles, margin)


def snare_threshold(entangles: int, margin: int) -> int:
    """Returns the Threshold to get free from the weapon's modifier to the margin; at least 0."""
    return max(0, margin + entangles)
