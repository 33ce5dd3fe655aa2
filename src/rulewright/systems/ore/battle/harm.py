"""Hits on vehicles, systems, unnamed fighters and people (book lines 5741-5800, 5973-5981)."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason
from rulewright.systems.ore.battle.combatants import Battle, Craft, Occupant, Wing
from rulewright.systems.ore.battle.events import CraftStruck, FighterHit, SystemHit
from rulewright.systems.ore.combat.hazards import Form, in_area
from rulewright.systems.ore.harm.body import AnyBody
from rulewright.systems.ore.harm.endurance import perished
from rulewright.systems.ore.machines.structure import Hull, crossed_off, seats_at, system_hit
from rulewright.systems.ore.machines.weapons import through_plating

Outcome = str
"""A name on the scale of hits."""


class Blow(Struct, frozen=True, kw_only=True):
    """A hit on a vehicle: attacker, damage before armour, Penetration, and the set."""

    by: str
    how: str
    damage: Derived[int]
    width: int
    height: int
    pen: int = 0


Closing = Callable[[Battle, Outcome], Play[Battle]]
"""Reports the outcome of the attack before people aboard are hurt."""


def nothing_said(battle: Battle, text: Outcome) -> Play[Battle]:
    """A callback that reports nothing."""
    yield from ()
    return battle


def strikes(rules: Ruleset, battle: Battle, target: str, blow: Blow, close: Closing = nothing_said) -> Play[Battle]:
    """Applies a hit to a vehicle, a wing or a person outside."""
    if any(unit.name == target for unit in battle.units):
        unit = battle.unit(target)
        if isinstance(unit, Wing):
            return (yield from _hit_fighter(rules, battle, unit, blow, close))
        return (yield from _hit_craft(rules, battle, unit, blow, close))
    battle = yield from direct_hit(rules, battle, battle.somebody(target), blow.by)
    return (yield from close(battle, "killed"))


# --- vehicles -----------------------------------------------------------------------------------------------------------------


def _hit_craft(rules: Ruleset, battle: Battle, craft: Craft, blow: Blow, close: Closing) -> Play[Battle]:
    """Crosses off boxes; every such hit also damages a system."""
    derived = through_plating(rules, blow.damage.value, craft.machine.armour, blow.pen)
    hull = crossed_off(craft.hull, derived.value)
    yield Tell(CraftStruck(blow.by, craft.name, blow.how, _whole(derived, blow), craft.hull.level, hull.level))
    if not derived.value:
        return (yield from close(battle, "armour holds"))
    battle = yield from close(battle, "damaged" if hull.level == craft.hull.level else hull.level.lower())
    system = craft.machine.map[min(blow.height, len(craft.machine.map)) - 1]
    hit = system_hit(hull, system)
    yield Tell(SystemHit(craft.name, system, blow.height, hit.hits_on(system)))
    battle = battle.change(craft.name, hull=hit)
    battle = yield from _stop_without_engine(battle, craft, hit)
    battle = yield from crew_hurt(rules, battle, craft.name, system, width=blow.width, height=blow.height)
    return (yield from wrecked(rules, battle, craft.name, blow.width, blow.height)) if hit.destroyed else battle


def _whole(derived: Derived[int], blow: Blow) -> Reason:
    """The boxes as a sum that includes the damage."""
    first, *others = derived.reason.terms
    return replace(derived.reason, terms=(replace(first, terms=blow.damage.reasons), *others))


def _stop_without_engine(battle: Battle, craft: Craft, hull: Hull) -> Play[Battle]:
    """Stops a vehicle without engine or fuel (ruling)."""
    if battle.craft(craft.name).speed and any(hull.broken(system) for system in ("engine", "fuel")):
        yield Tell(Happened(craft.name, "has no working engine and stops", "bad"))
        return battle.change(craft.name, speed=0)
    return battle


def _hit_fighter(rules: Ruleset, battle: Battle, wing: Wing, blow: Blow, close: Closing) -> Play[Battle]:
    """Reduces the Threat Rating of a fighter; at 0 it is shot down, and the rest is lost. The hit goes to the strongest it can take out,
    else to the weakest (ruling)."""
    if not wing.able:
        return (yield from close(battle, "no shot"))
    derived = through_plating(rules, blow.damage.value, wing.machine.armour, blow.pen)
    ratings = list(wing.ratings)
    fall = [left for left in ratings if left <= derived.value]
    which = ratings.index(max(fall) if fall else ratings[-1])
    ratings[which] -= derived.value
    left = ratings[which]
    yield Tell(FighterHit(blow.by, wing.name, _whole(derived, blow), max(0, left), left <= 0))
    after = tuple(sorted([rating for rating in ratings if rating > 0], reverse=True))
    battle = battle.change(wing.name, ratings=after)
    return (yield from close(battle, "destroyed" if left <= 0 else "damaged" if derived.value else "armour holds"))


# --- people -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.22-crew-damage")
def hurt_inside(rules: Ruleset, body: AnyBody | None = None, width: int = 3, height: int = 8, by: str = "") -> Play[AnyBody]:
    """A hit on the place of a person: an Area Attack of the Width, in Kill or Shock (setting crew-damage; the book does not say)."""
    form: Form = "shock" if rules.word("crew-damage") == "shock" else "kill"
    return (yield from in_area(rules, body, width, form, width, height, by))


def crew_hurt(rules: Ruleset, battle: Battle, craft: str, system: str, *, width: int, height: int) -> Play[Battle]:
    """Hurts everybody at the place of a damaged system."""
    seats = seats_at(rules, system)
    for occupant in battle.aboard(craft):
        if occupant.seat in seats and not occupant.fighter.body.dead:
            battle = yield from _hurt_occupants(rules, battle, occupant, width, height)
    return battle


def _hurt_occupants(rules: Ruleset, battle: Battle, occupant: Occupant, width: int, height: int) -> Play[Battle]:
    was = occupant.able
    body = yield from hurt_inside(rules, occupant.fighter.body, width, height, occupant.name)
    battle = battle.put(replace(occupant, fighter=replace(occupant.fighter, body=body)))
    if was and not body.able:
        yield Tell(Happened(occupant.name, "dies" if body.dead else "is out of the battle", "bad"))
    return battle


@rule("ore-4.22-vehicle-weapons", "ore-4.22-crew-damage")
def killed_outright(body: AnyBody) -> AnyBody:
    """Nobody survives a direct hit by a vehicle weapon."""
    return perished(body)


def direct_hit(rules: Ruleset, battle: Battle, occupant: Occupant, by: str) -> Play[Battle]:
    """Kills a person hit directly by a vehicle weapon."""
    yield Tell(Happened(by, f"hits {occupant.name} directly and kills them", "bad"))
    return battle.put(replace(occupant, fighter=replace(occupant.fighter, body=killed_outright(occupant.fighter.body))))


def wrecked(rules: Ruleset, battle: Battle, craft: str, width: int, height: int) -> Play[Battle]:
    """Destroys a vehicle; the setting aboard-a-wreck decides what happens to the people aboard."""
    yield Tell(Happened(craft, "is destroyed", "bad"))
    fate = rules.word("aboard-a-wreck")
    for occupant in battle.aboard(craft):
        if fate == "death":
            yield Tell(Happened(occupant.name, f"dies in {the(craft)}", "bad"))
            dead = replace(occupant.fighter, body=killed_outright(occupant.fighter.body))
            battle = battle.put(replace(occupant, fighter=dead))
        elif fate == "area attack" and not occupant.fighter.body.dead:
            battle = yield from _hurt_occupants(rules, battle, battle.somebody(occupant.name), width, height)
    return battle
