"""Burn: low dice of a power deal Shock to its user, in boxes of their choice (book lines 6018, 6173)."""

from collections import Counter

from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Situation
from rulewright.systems.ore.fight.actions.powers.events import Burnt
from rulewright.systems.ore.fight.powers.active import POWER_KINDS
from rulewright.systems.ore.harm.body import AnyBody, Located, damage, marked, shrugs
from rulewright.systems.ore.powers.usage import burns_below

BURN = 1
"""The Limit Rating of powers that burn."""


def burning(rules: Ruleset, fighter: Fighter, acts: tuple[Act, ...]) -> int:
    """The face below which dice burn: the highest of the used powers; 0 for none."""
    used = [fighter.profile.power(act.skill) for act in acts if act.kind in POWER_KINDS]
    return max([burns_below(rules, known.effect) for known in used if known.limit == BURN and not known.inherent], default=0)


def burns(rules: Ruleset, fight: Fight, name: str, points: int, *, below: int, effect: str) -> Play[Fight]:
    """Applies Burn; outside the body it waits for the return."""
    fighter = fight.fighter(name)
    if any(power.by == name and power.effect == "Bi-location" for power in fight.powers):
        yield Tell(Burnt(name, effect, points, below, "when back in the body"))
        return fight.change(name, reserve=replace(fighter.reserve, unburnt=fighter.reserve.unburnt + points))
    return fight.change(name, body=(yield from burnt_body(rules, fight, name, points, below=below, effect=effect)))


def burnt_body(rules: Ruleset, fight: Fight, name: str, points: int, *, below: int, effect: str) -> Play[AnyBody]:
    """A body after Burn: the owner chooses a location for each point."""
    body, shock, _ = yield from shrugs(fight.fighter(name).body, points, by=name)
    if not isinstance(body, Located):
        yield Tell(Burnt(name, effect, points, below))
        return (yield from damage(rules, body, "torso", shock, 0, name)) if shock else body
    struck: Counter[str] = Counter()
    for _ in range(shock):
        free = [part for part in body.parts if part.empty]
        where = free[0].location if free else "torso"
        if len(free) > 1:
            free.sort(key=lambda part: (part.location in ("head", "vital"), -part.empty))
            options = tuple([Option(part.location, f"{part.location.capitalize()} ({part.empty} free)", part.location) for part in free])
            where = yield from Choice(name, "Where do you take the Shock from Burn?", options, Situation(fight, name, rules), "burn")
        body = marked(rules, body, where, 1)
        struck[where] += 1
    places = ", ".join([f"{many} to the {where}" for where, many in struck.items()])
    yield Tell(Burnt(name, effect, points, below, places))
    return body
