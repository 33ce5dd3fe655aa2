"""Form changes, combining, teleporting and boosting by the AI: only if clearly better. Not a rule of the book."""

from msgspec.structs import replace

from rulewright.play import Option
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.forms.absorption import within_touch
from rulewright.systems.silhouette.battle.forms.splitting_machines import come_apart_at, come_together_at, components, spots_for
from rulewright.systems.silhouette.battle.tactics.crew import armed
from rulewright.systems.silhouette.battle.tactics.evaluation import best_worth, nearest_foes
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.forms import in_form
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import BEYOND_REPAIR

KINDS = ("transform", "combine", "split", "teleport")
HOPELESS = 0.005
"""The worth of a shot below which it is as good as none."""
GOOD = 0.2
"""The worth of a shot for which it gives up a position or uses a booster."""
CLEARLY = 1.5
"""How many times the combined machine's worth its components must reach before it splits; combining needs only more."""


def wise_change(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], options: tuple[Option[Deed], ...]) -> str | None:
    """The change that is clearly better than none: a form that can fire or move where this one cannot; a combined machine that
    hits harder than its components together, or components that hit clearly harder than a damaged machine; a teleport to a good
    shot if there is none here."""
    result = [option for option in options if option.value.kind in KINDS]
    if not result:
        return None
    now = best_worth(rules, battle, unit, foes)
    for option in result:
        if _is_better(rules, battle, unit, foes, deed=option.value, now=now):
            return option.key
    return None


def _is_better(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], *, deed: Deed, now: float) -> bool:
    if deed.kind == "combine":
        return _is_stronger_together(rules, battle, unit, foes, deed)
    if deed.kind == "split":
        return not unit.transformed and _is_stronger_apart(rules, battle, unit, foes, now=now)
    if deed.kind == "transform":
        return not unit.transformed and _is_better_form(rules, battle, unit, foes, deed=deed, now=now)
    return now <= HOPELESS and _has_shot_there(rules, battle, unit, foes, deed)


def _is_better_form(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], *, deed: Deed, now: float) -> bool:
    """Whether another form can fire or move where this one cannot; a flying form stays on the ground until it takes off."""
    after = in_form(unit, deed.what)
    if after.way == "air":
        return False
    if combat_speed(unit, battle.place) <= 0 < combat_speed(after, battle.place):
        return True
    return now <= HOPELESS and best_worth(rules, battle.put(after), after, foes) >= GOOD


def _is_stronger_apart(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], *, now: float) -> bool:
    """Whether the components are clearly worth more than a spoiled machine: its strongest systems are broken or empty, or it cannot
    move. An intact one waits for its shot. An Overkill only breaks it apart, so that it does not risk losing all of them."""
    lame = combat_speed(unit, battle.place) <= 0
    if not (lame or _is_blunted(unit)) or (spots := spots_for(rules, battle, unit)) is None:
        return False
    after = come_apart_at(battle, unit, spots)
    parts = [component for component in components(after, unit) if component.able and armed(component)]
    apart = sum([best_worth(rules, after, part, foes) * min(2, actions_left(rules, part)) for part in parts])
    if apart >= GOOD and apart > CLEARLY * now * min(2, actions_left(rules, unit)):
        return True
    return now <= HOPELESS and any(combat_speed(part, battle.place) > 0 for part in parts) and (lame or not armed(unit))


def _is_blunted(unit: Unit) -> bool:
    """Whether its strongest systems can no longer be used."""
    arms = range(len(unit.arms))
    hardest = max([unit.mount(at).versions[0].damage for at in arms], default=0)
    return not any(_is_usable(unit, at) and unit.version(at).damage >= hardest for at in arms)


def _is_usable(unit: Unit, at: int) -> bool:
    arm = unit.arms[at]
    return not arm.broken and (not unit.version(at).uses or bool(arm.left[arm.mode]))


def _is_stronger_together(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], deed: Deed) -> bool:
    """Whether the combined machine is worth more than its components, by their best shots and their actions."""
    parts = components(battle, battle.unit(deed.target))
    apart = sum([best_worth(rules, battle, part, foes) * min(2, actions_left(rules, part)) for part in parts])
    joined = come_together_at(battle, battle.unit(deed.target), unit)
    whole = joined.unit(deed.target)
    return best_worth(rules, joined, whole, foes) * min(2, actions_left(rules, whole)) > apart


def _has_shot_there(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], deed: Deed) -> bool:
    """Whether there is a good shot from the teleporter's destination, with an action left to make it."""
    if (
        deed.spot is None
        or actions_left(rules, unit) < 3
        or any(candidate.spot == deed.spot and candidate.able for candidate in battle.units)
    ):
        return False
    there = replace(unit, x=deed.spot[0], y=deed.spot[1], facing=deed.facing or 0, moved=True)
    return best_worth(rules, battle.put(there), there, foes) >= GOOD


def feeds(rules: Ruleset, battle: Battle, unit: Unit) -> str:
    """A wreck within touch with a weapon worth absorbing; scrap, objects and the ground only cost actions."""
    for name in within_touch(rules, battle, unit) if unit.machine.absorption else ():
        wreck = next((candidate for candidate in battle.units if candidate.name == name), None)
        if wreck is not None and wreck.wear.destroyed not in BEYOND_REPAIR and armed(wreck):
            return name
    return ""


def wise_boost(rules: Ruleset, battle: Battle, unit: Unit, keys: list[str]) -> str | None:
    """All remaining booster points into damage if there is a good shot; never overburnt."""
    boosts = [key for key in keys if key.startswith("boost damage ")]
    if not boosts or best_worth(rules, battle, unit, nearest_foes(rules, battle, unit)) < GOOD:
        return None
    return max(boosts, key=lambda key: int(key.rpartition(" ")[2]))
