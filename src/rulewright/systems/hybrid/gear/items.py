"""Weapons, armour and spells. The book prints none: these rows are placeholders for a campaign's own."""

from typing import Literal

from rulewright.rules import Table, TableRow
from rulewright.systems.hybrid.harm.damage import DamageType, Location


class Weapon(TableRow, frozen=True):
    """A weapon: damage is `base`, `strike` times the user's strike value, and the dice. Speed in counts, length in centimetres.

    `range`: the metres for which a missile flies without penalty; every further stretch of as many costs 1. `thrown`: a hand weapon
    that can be thrown too, as far as its range has it.
    """

    weapon: str
    skill: str
    use: Literal["melee", "thrown", "missile"]
    type: DamageType
    length: int
    speed: int
    strike: float
    dice: tuple[int, ...]
    base: int = 0
    range: int = 0
    thrown: bool = False
    shield: bool = False


class Armour(TableRow, frozen=True):
    """Armour: the parts it covers, what each type of damage loses on it, and what it costs in agility."""

    armour: str
    covers: tuple[Location, ...]
    stops: dict[DamageType, int]
    agility: int = 0


class Spell(TableRow, frozen=True):
    """A spell: its field, how hard it is, how long it takes, what it costs in mental fatigue, and what it does."""

    spell: str
    field: str
    df: int
    speed: int
    mft: int
    effect: str
    type: DamageType | None = None
    strike: float = 0
    dice: tuple[int, ...] = ()
    range: int = 0
    mental: bool = False
    armour: int = 0
    """What a ward takes off every blow."""
    lasts: int = 0
    """Counts for which a ward holds."""
    heals: int = 0
    light: bool = False
    """Whether it lifts what darkness does."""


WEAPONS = Table("hyb-x-weapons", Weapon)
ARMOUR = Table("hyb-x-armour", Armour)
SPELLS = Table("hyb-x-spells", Spell)
