"""Interrupts: what an enemy can do to a moving unit. Families of attacks add their actions to the list."""

from rulewright.play import Option
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.close_combat import Strike
from rulewright.systems.silhouette.battle.actions.attacks.shots import Fire
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

INTERRUPTING: tuple[Action, ...] = (Fire(), Strike())


def interrupts(rules: Ruleset, battle: Battle, unit: Unit, mover: str) -> list[Option[Deed]]:
    """Everything that a unit could do to a moving unit from its present position."""
    target = battle.unit(mover)
    return [option for action in INTERRUPTING for option in action.against(rules, battle, unit, target)]


def may_interrupt(rules: Ruleset, unit: Unit) -> bool:
    """Whether a unit could interrupt any move."""
    return any(action.may_interrupt(rules, unit) for action in INTERRUPTING)


def interrupting(kind: str) -> Action:
    """The interrupting action of a kind."""
    return next(action for action in INTERRUPTING if action.kind == kind)
