"""Battles that come to nothing: nobody attacks any more, or nobody could (no rule of the book: a battle must end)."""

from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import weapons
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

PATIENCE = 3
"""Rounds without an attack after which it is looked at whether anybody could still make one."""


def attacked(battle: Battle) -> bool:
    """Whether anybody attacked in the round that ends, or something is still on its way to somebody."""
    if battle.scars.fuses or battle.scars.zones:
        return True
    return any(unit.hit_by or any(arm.fired for arm in unit.arms) for unit in battle.units)


def quiet_after(battle: Battle) -> int:
    """Rounds in a row without an attack, the one that ends among them."""
    return 0 if attacked(battle) else battle.quiet + 1


def stalemate(rules: Ruleset, battle: Battle) -> str:
    """Why a battle will not be decided any more; nothing where it may be.

    As many quiet rounds as the scenario has rounds at all are never reached in play before its end; where the lab forgets the number of
    the round they end a battle that would go on for ever.
    """
    if battle.quiet >= max(PATIENCE, battle.rounds):
        return f"{battle.quiet} rounds have passed without an attack"
    if battle.quiet >= PATIENCE and not any(_can_fight(battle, unit) for unit in battle.units if unit.able):
        return "neither side can move or fight any more"
    return ""


def _can_fight(battle: Battle, unit: Unit) -> bool:
    """Whether a unit has anything to attack with, or can still go somewhere."""
    return bool(weapons(unit)) or combat_speed(unit, battle.place) > 0 or bool(unit.course.vector != (0, 0, 0) or unit.course.falling)
