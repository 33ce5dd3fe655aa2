"""Crew transfers by the AI: only if a section lacks the crew that it needs. Not a rule of the book."""

from rulewright.play import Option
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import harmless
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.forms.splitting_machines import components
from rulewright.systems.silhouette.machines.design.crews import crew_actions
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.units.forms import reformed
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


def armed(unit: Unit) -> bool:
    """Whether it has a working weapon left."""
    return any(
        not arm.broken and not harmless(unit, at) and (not unit.version(at).uses or arm.left[arm.mode]) for at, arm in enumerate(unit.arms)
    )


def fights_on(battle: Battle, unit: Unit) -> bool:
    """Whether it has a weapon, or would have after re-forming or splitting."""
    if armed(unit):
        return True
    if unit.machine.morphs and armed(reformed(unit)):
        return True
    return bool(unit.machine.components) and not unit.split and any(armed(component) for component in components(battle, unit))


def wise_crossing(rules: Ruleset, battle: Battle, unit: Unit, options: tuple[Option[Deed], ...], *, moves: bool = True) -> str | None:
    """The best crew transfer: to the controls of the hull, then to its drive if it wants to move, then to sections with something to
    fire; only if nobody is there or on the way."""
    needs = [(need, option.key) for option in options if (need := _need(rules, battle, unit, option.value, moves))]
    return max(needs, key=lambda pair: pair[0])[1] if needs else None


def _need(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed, moves: bool) -> int:
    """How much crew is needed in another body; 0: better stay."""
    other = battle.unit(deed.target)
    if other.manned or other.crew.crossing or not hands_over(rules, battle, unit, other, deed.number):
        return 0
    if not other.section:
        return 3
    return 2 if other.machine.motive and moves else int(armed(other))


def hands_over(rules: Ruleset, battle: Battle, unit: Unit, other: Unit, most: int) -> int:
    """How many should transfer, up to a limit: as many as give both the most actions, and no more. A section that only drives needs one
    person, and no gunner unless the machine cannot move otherwise. Someone stays behind; 0 if nobody can be spared."""

    def actions(many: int) -> int:
        return crew_actions(rules, unit.manned - many).value + crew_actions(rules, other.manned + other.crew.crossing + many).value

    most = min(most, unit.manned - 1, max(0, other.machine.living - other.manned - other.crew.crossing))
    if most <= 0:
        return 0
    if other.section and not armed(other):
        free = crew_actions(rules, unit.manned - 1).value == crew_actions(rules, unit.manned).value
        return int(free or combat_speed(battle.bearer(other), battle.place) <= 0)
    return max(range(most + 1), key=lambda many: (actions(many), -many))
