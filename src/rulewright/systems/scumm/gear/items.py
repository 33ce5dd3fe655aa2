"""Weapons and armor with their prices (book lines 604-648)."""

from typing import Any, Literal

from msgspec.structs import replace

from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.scumm.people.characters import Gear


class MeleeWeapon(TableRow, frozen=True):
    """A weapon for the hand; its bonus is added to Armed Damage."""

    weapon: str
    bonus: int
    cost: int
    thrown: bool = False


class Gun(TableRow, frozen=True):
    """A firearm: ranges are short, medium, long and extreme in metres."""

    weapon: str
    damage: int
    range: tuple[int, int, int, int]
    ammo: int
    cost: int
    skill: Literal["pistols", "rifles"]
    burst: bool = False
    restricted: bool = False


class Armor(TableRow, frozen=True):
    """Armor Points and what they cover."""

    armor: str
    points: int
    conceal: Literal["yes", "somewhat", "no"]
    cost: int
    covers: tuple[str, ...]
    restricted: bool = False


class Wealth(TableRow, frozen=True):
    """Wealth Points to start with, and what one is worth in dollars."""

    who: str
    points: int
    dollars_per_point: tuple[int, int]


MELEE = Table("scumm-melee-weapons", MeleeWeapon)
GUNS = Table("scumm-guns", Gun)
ARMOR = Table("scumm-armor-list", Armor)


def as_listed(rules: Ruleset, gear: Gear) -> Gear:
    """Gear with every name in the spelling of its table; upper and lower case do not matter."""

    def listed(table: Table[Any], names: tuple[str, ...]) -> tuple[str, ...]:
        rows = table(rules)
        folded = {key.casefold(): key for key in rows}
        return tuple([name if name in rows else folded.get(name.casefold(), name) for name in names])

    armor = listed(ARMOR, (gear.armor,))[0] if gear.armor else gear.armor
    return replace(gear, melee=listed(MELEE, gear.melee), guns=listed(GUNS, gear.guns), armor=armor)


WEALTH = Table("scumm-wealth", Wealth)


@rule("scumm-thrown-knife")
def thrown_ranges(body: int) -> tuple[int, int, int, int]:
    """A knife flies Body + 1 metres at short range (at least 1, ruling), twice as far at each band after that."""
    short = max(1, body + 1)
    return (short, 2 * short, 4 * short, 8 * short)
