"""Stalemates: battles in which nobody attacks any more, or nobody can (not in the book: a battle must end)."""

from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import weapons
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

PATIENCE = 3
"""Rounds without an attack after which the battle is checked for units that could still attack."""


def attacked(battle: Battle) -> bool:
    """Whether anyone attacked in the round that ends, or a weapon is still on its way."""
    if battle.scars.fuses or battle.scars.zones:
        return True
    return any(unit.hit_by or any(arm.fired for arm in unit.arms) for unit in battle.units)


def quiet_after(battle: Battle) -> int:
    """Rounds in a row without an attack, including the one that ends."""
    return 0 if attacked(battle) else battle.quiet + 1


def stalemate(rules: Ruleset, battle: Battle) -> str:
    """Why a battle is a stalemate; empty if it may still be decided.

    In play a scenario's last round always comes before that many quiet rounds. In simulations without a round number they end a
    battle that would go on for ever.
    """
    if battle.quiet >= max(PATIENCE, battle.rounds):
        return f"{count(battle.quiet, 'round')} have passed without an attack"
    if battle.quiet >= PATIENCE and not any(_can_fight(battle, unit) for unit in battle.units if unit.able):
        return "neither side can move or fight any more"
    return ""


def _can_fight(battle: Battle, unit: Unit) -> bool:
    """Whether a unit has a weapon left or can still move."""
    return bool(weapons(unit)) or combat_speed(unit, battle.place) > 0 or bool(unit.course.vector != (0, 0, 0) or unit.course.falling)
