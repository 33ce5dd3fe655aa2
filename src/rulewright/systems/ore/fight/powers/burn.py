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
BILOCATION, BILOCATION_BURNS_BELOW = "Bi-location", 5
"""The power whose Burn waits for the return to the body, and its threshold."""


def burning(rules: Ruleset, fighter: Fighter, acts: tuple[Act, ...]) -> int:
    """The face below which dice burn: the highest of the used powers; 0 for none."""
    used = [fighter.profile.power(act.skill) for act in acts if act.kind in POWER_KINDS]
    return max([burns_below(rules, known.effect) for known in used if known.limit == BURN and not known.inherent], default=0)


def is_outside(fight: Fight, name: str) -> bool:
    """Whether a psychic has left the body."""
    return any(power.by == name and power.effect == BILOCATION for power in fight.powers)


def burns(rules: Ruleset, fight: Fight, name: str, points: int, *, below: int, effect: str, leaving: bool = False) -> Play[Fight]:
    """Applies Burn; outside the body, and for a roll that leaves it, it waits for the return."""
    fighter = fight.fighter(name)
    if leaving or is_outside(fight, name):
        yield Tell(Burnt(name, effect, points, below, later=True))
        return fight.change(name, reserve=replace(fighter.reserve, unburnt=fighter.reserve.unburnt + points))
    return fight.change(name, body=(yield from burnt_body(rules, fight, name, points, below=below, effect=effect)))


def burns_on_return(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Applies the Burn that waited, once the psychic is back in the body."""
    fighter = fight.fighter(name)
    waiting = fighter.reserve
    if not waiting.unburnt or is_outside(fight, name) or fighter.body.dead:
        return fight
    body = yield from burnt_body(rules, fight, name, waiting.unburnt, below=BILOCATION_BURNS_BELOW, effect=BILOCATION)
    return fight.change(name, body=body, reserve=replace(waiting, unburnt=0))


def burnt_body(rules: Ruleset, fight: Fight, name: str, points: int, *, below: int, effect: str) -> Play[AnyBody]:
    """The body of a fighter after Burn."""
    about = Situation(fight, name, rules)
    return (yield from burnt(rules, fight.fighter(name).body, name, points, below=below, effect=effect, about=about))


def burnt(rules: Ruleset, body: AnyBody, name: str, points: int, *, below: int, effect: str, about: object) -> Play[AnyBody]:
    """A body after Burn: the owner chooses a location for each point."""
    body, shock, _ = yield from shrugs(body, points, by=name)
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
            where = yield from Choice(name, "Where do you take the Shock from Burn?", options, about, "burn")
        body = marked(rules, body, where, 1)
        struck[where] += 1
    places = ", ".join([f"{many} to the {where}" for where, many in struck.items()])
    yield Tell(Burnt(name, effect, points, below, places))
    return body
