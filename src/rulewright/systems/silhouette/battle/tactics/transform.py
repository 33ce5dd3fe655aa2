"""When tactics change form, combine, teleport or burn a booster: only where it is plainly wise. No rule stands here."""

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
"""A shot that promises less than this is as good as none."""
GOOD = 0.2
"""A shot for which it is worth giving up a position or burning a booster."""
CLEARLY = 1.5
"""So many times what the whole promises its components must promise for it to come apart; to combine more is enough."""


def wise_change(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], options: tuple[Option[Deed], ...]) -> str | None:
    """The change that is plainly better than to go on as it is: another form that fires where this one cannot, or goes where this one is
    lame; one machine that strikes harder than its components together, or components that strike clearly harder than what is left of it;
    a leap to where there is a good shot, from where there is none."""
    result = [option for option in options if option.value.kind in KINDS]
    if not result:
        return None
    now = best_worth(rules, battle, unit, foes)
    for option in result:
        if _better(rules, battle, unit, foes, deed=option.value, now=now):
            return option.key
    return None


def _better(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], *, deed: Deed, now: float) -> bool:
    if deed.kind == "combine":
        return _stronger_together(rules, battle, unit, foes, deed)
    if deed.kind == "split":
        return not unit.transformed and _stronger_apart(rules, battle, unit, foes, now=now)
    if deed.kind == "transform":
        return not unit.transformed and _better_form(rules, battle, unit, foes, deed=deed, now=now)
    return now <= HOPELESS and _lands_well(rules, battle, unit, foes, deed)


def _better_form(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], *, deed: Deed, now: float) -> bool:
    """A form that can fire where this one cannot, or walk where this one is lame; what flies stands on the ground until it takes off."""
    after = in_form(unit, deed.what)
    if after.way == "air":
        return False
    if combat_speed(unit, battle.place) <= 0 < combat_speed(after, battle.place):
        return True
    return now <= HOPELESS and best_worth(rules, battle.put(after), after, foes) >= GOOD


def _stronger_apart(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], *, now: float) -> bool:
    """Whether the components clearly promise more than a machine that is spoiled: what strikes hardest of it is broken or empty, or it
    cannot move. A sound one waits for its shot. An Overkill only breaks it apart, so that it need not fear to be lost with all of them."""
    lame = combat_speed(unit, battle.place) <= 0
    if not (lame or _blunted(unit)) or (spots := spots_for(rules, battle, unit)) is None:
        return False
    after = come_apart_at(battle, unit, spots)
    parts = [component for component in components(after, unit) if component.able and armed(component)]
    apart = sum([best_worth(rules, after, part, foes) * min(2, actions_left(rules, part)) for part in parts])
    if apart >= GOOD and apart > CLEARLY * now * min(2, actions_left(rules, unit)):
        return True
    return now <= HOPELESS and any(combat_speed(part, battle.place) > 0 for part in parts) and (lame or not armed(unit))


def _blunted(unit: Unit) -> bool:
    """Whether of its systems those that strike hardest can no longer be used."""
    arms = range(len(unit.arms))
    hardest = max([unit.mount(at).versions[0].damage for at in arms], default=0)
    return not any(_usable(unit, at) and unit.version(at).damage >= hardest for at in arms)


def _usable(unit: Unit, at: int) -> bool:
    arm = unit.arms[at]
    return not arm.broken and (not unit.version(at).uses or bool(arm.left[arm.mode]))


def _stronger_together(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], deed: Deed) -> bool:
    """Whether the combined machine promises more than all its components: by their best shots, as often as they can fire them."""
    parts = components(battle, battle.unit(deed.target))
    apart = sum([best_worth(rules, battle, part, foes) * min(2, actions_left(rules, part)) for part in parts])
    joined = come_together_at(battle, battle.unit(deed.target), unit)
    whole = joined.unit(deed.target)
    return best_worth(rules, joined, whole, foes) * min(2, actions_left(rules, whole)) > apart


def _lands_well(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], deed: Deed) -> bool:
    """Whether there is a good shot where a teleporter would set it down, with an action left to make it."""
    if (
        deed.spot is None
        or actions_left(rules, unit) < 3
        or any(candidate.spot == deed.spot and candidate.able for candidate in battle.units)
    ):
        return False
    there = replace(unit, x=deed.spot[0], y=deed.spot[1], facing=deed.facing or 0, moved=True)
    return best_worth(rules, battle.put(there), there, foes) >= GOOD


def feeds(rules: Ruleset, battle: Battle, unit: Unit) -> str:
    """A machine within touch of which a weapon would be of use once it is taken in; scrap, things and the ground only cost actions."""
    for name in within_touch(rules, battle, unit) if unit.machine.absorption else ():
        wreck = next((candidate for candidate in battle.units if candidate.name == name), None)
        if wreck is not None and wreck.wear.destroyed not in BEYOND_REPAIR and armed(wreck):
            return name
    return ""


def wise_boost(rules: Ruleset, battle: Battle, unit: Unit, keys: list[str]) -> str | None:
    """All that a power booster has left into the damage of the round in which a good shot offers itself; never overburnt."""
    boosts = [key for key in keys if key.startswith("boost damage ")]
    if not boosts or best_worth(rules, battle, unit, nearest_foes(rules, battle, unit)) < GOOD:
        return None
    return max(boosts, key=lambda key: int(key.rpartition(" ")[2]))
