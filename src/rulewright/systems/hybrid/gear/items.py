"""Weapons, armour, healing and spells. The book prints none: these rows are placeholders for a campaign's own."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.hybrid.harm.damage import DamageType, Location
from rulewright.systems.hybrid.resolution.tests import Check, Checked, skill_check


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


class Healing(TableRow, frozen=True):
    """How wounds of body or mind heal: a roll every so many hours, each after the first one easier."""

    track: Literal["PBD", "MBD"]
    stat: str
    df: int
    hours: int
    heals: int


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
HEALING = Table("hyb-x-healing", Healing)
SPELLS = Table("hyb-x-spells", Spell)


@rule("hyb-x-healing")
def heal(rules: Ruleset, track: Literal["PBD", "MBD"] = "PBD", endurance: int = 12, rolls_before: int = 0, by: str = "") -> Play[int]:
    """One healing roll on endurance, due after the hours of the table and 1 easier for each roll before; gives the points that return.

    By id only.
    """
    row = HEALING.get(rules, track)
    if rolls_before < 0:
        raise UserError(f"the rolls before this one are 0 or more, not {rolls_before}")
    check = Check(endurance + row.df + rolls_before)
    healed = (yield from skill_check(rules, check, by, f"healing of {track}")).success
    yield from Tell(Checked(by, f"healing of {track} after {count(row.hours, 'hour')}", healed, rules, check))
    return row.heals if healed else 0
