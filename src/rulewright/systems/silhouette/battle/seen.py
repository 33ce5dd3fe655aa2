"""Who sees whom, and so who hears of what."""

from rulewright.rules import Ruleset
from rulewright.systems.silhouette.detection.sight import sees
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


def side_sees(rules: Ruleset, battle: Battle, side: str, other: Unit) -> bool:
    """Whether anybody of a side who can still look has a unit in sight; their own they always have."""
    if other.side == side:
        return True
    mine = [unit for unit in battle.units if unit.side == side]
    eyes = [unit for unit in mine if unit.able] or mine
    return any(sees(rules, battle, eye, other) for eye in eyes)


def known_foes(rules: Ruleset, battle: Battle, unit: Unit) -> list[Unit]:
    """Everybody on other sides of whom a unit's side knows."""
    return [foe for foe in battle.foes(unit) if side_sees(rules, battle, unit.side, foe)]


def names_of(battle: Battle, side: str) -> tuple[str, ...]:
    """Everybody of a side by name: units, and the characters aboard."""
    return tuple([name for unit in battle.units if unit.side == side for name in (unit.name, *[rider.name for rider in unit.riders])])


def witnesses(rules: Ruleset, battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Everybody who knows what a unit does: its own side, and every side that sees it."""
    return tuple([name for side in battle.sides if side_sees(rules, battle, side, unit) for name in names_of(battle, side)])
