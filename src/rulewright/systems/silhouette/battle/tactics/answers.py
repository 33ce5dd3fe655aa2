"""Answers of AI tactics to questions other than the next action: speed, declarations, orders, defense, places, damage."""

from typing import Any

from rulewright.play import Choice, Given, Option, Range
from rulewright.systems.silhouette.battle.actions.base import About, Deed
from rulewright.systems.silhouette.battle.actions.crew_transfer import Over
from rulewright.systems.silhouette.battle.fire.parries import Barring
from rulewright.systems.silhouette.battle.movement.movement import points_left
from rulewright.systems.silhouette.battle.tactics.crew import fights_on, hands_over
from rulewright.systems.silhouette.battle.tactics.evaluation import (
    nearest_foes,
    shot_worth,
)
from rulewright.systems.silhouette.battle.tactics.styles import FIRES_FROM, PARRIES_FROM, SAVES_FROM, Style
from rulewright.systems.silhouette.battle.tactics.transform import wise_boost
from rulewright.systems.silhouette.gunnery.attacks import Aimed
from rulewright.systems.silhouette.maneuver.terrain import terrains
from rulewright.systems.silhouette.units.crews import actions_of
from rulewright.systems.silhouette.units.units import Unit


def answer_pace(style: Style, choice: Choice[Any]) -> Given | None:
    """A unit that fires before moving has chosen to stay; one that interrupts stays free to move."""
    about = choice.about
    if not isinstance(about, About):
        return None
    unit = about.battle.unit(about.unit)
    keys = choice.keys()
    if about.battle.active == unit.name or not style.moves:
        return keys[0]
    return "half" if "half" in keys and style.wants >= 10 else keys[-1]


def answer_declare(style: Style, choice: Choice[Any]) -> Given | None:
    """Unarmed units evade; a power booster is used for a good shot."""
    about, keys = choice.about, choice.keys()
    if not isinstance(about, About) or "evade" not in keys:
        return None
    unit = about.battle.unit(about.unit)
    if (boost := wise_boost(about.rules, about.battle, unit, list(keys))) is not None:
        return boost
    return "as usual" if fights_on(about.battle, unit) and points_left(about.battle, unit) >= 0 else "evade"


def answer_orders(style: Style, choice: Choice[Any]) -> Given | None:
    about = choice.about
    if not isinstance(about, About):
        return None
    unit = about.battle.unit(about.unit)
    return "yes" if actions_of(about.rules, unit).value > 2 else "no"


def crew_to_send(about: Over, many: Range) -> int:
    """As many as are worth more in another section; at least one, once crew was sent."""
    unit, other = about.battle.unit(about.unit), about.battle.unit(about.to)
    return max(many.low, hands_over(about.rules, about.battle, unit, other, many.high))


def answer_guard(style: Style, choice: Choice[Any]) -> Given | None:
    about = choice.about
    if not isinstance(about, Aimed):
        return None
    return "yes" if shot_worth(about.rules, about.battle, about.shot) >= SAVES_FROM else "no"


def answer_parry(style: Style, choice: Choice[Any]) -> Given | None:
    """A unit that has acted parries any harm; others save the action for their own attack unless the hit would be grave."""
    about = choice.about
    if not isinstance(about, Barring):
        return None
    unit = about.battle.unit(about.unit)
    worth = shot_worth(about.rules, about.battle, about.shot)
    return choice.keys()[0] if worth >= (FIRES_FROM if unit.done or unit.moved else PARRIES_FROM) else "no"


def answer_place(style: Style, choice: Choice[Any]) -> Given | None:
    """The offered place with the best cover; later units of a group go elsewhere than the first."""
    about = choice.about
    if not isinstance(about, About) or isinstance(choice.options, Range):
        return None
    rows, battle = terrains(about.rules), about.battle
    taken = {unit.spot for unit in battle.units if unit.name != about.unit}

    def hides(option: Option[Deed]) -> tuple[bool, int]:
        spot = option.value.spot or (0.0, 0.0)
        row = rows[battle.field.terrain(spot)]
        return spot not in taken, 0 if row.wet else row.obscurement

    return max(choice.options, key=hides).key


def answer_damage(style: Style, choice: Choice[Any]) -> Given | None:
    """The attacker picks the first damage option, the target the last."""
    about, keys = choice.about, choice.keys()
    mine = isinstance(about, Unit) and choice.who in (about.name, about.voice)
    return keys[-1] if mine else keys[0]


def answer_ecm(style: Style, choice: Choice[Any]) -> Given | None:
    """ECM spoofs missiles if an enemy has any, and is saved otherwise."""
    about = choice.about
    if not isinstance(about, About):
        return None
    foes = nearest_foes(about.rules, about.battle, about.battle.unit(about.unit))
    missiles = any(system.versions[0].type == "missile" for foe in foes for system in foe.machine.systems)
    return "spoof" if missiles else "no"
