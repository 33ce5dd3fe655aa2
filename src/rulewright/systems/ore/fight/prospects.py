"""What an attack leads to if nobody answers it, so that its odds can stand beside it while it is declared."""

from rulewright.play import Play, Prospect, sub
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Pending, Situation
from rulewright.systems.ore.drama.determination import Cast, determine
from rulewright.systems.ore.fight.actions.power_harm import Use, opposed
from rulewright.systems.ore.fight.actions.registry import action_of
from rulewright.systems.ore.fight.at_work import POWER_KINDS
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.strikes import hits

SCALE = ("no set", "no harm", "hurt", "down", "unconscious", "dead")
GOOD = SCALE[2:]
USE_SCALE = ("no set", "resisted", "works")
HURTING = ("harm", "scorch", "force")
"""Powers whose odds say what becomes of the target."""
PREPARED = 2
"""The Limit Rating under which the Game Master is asked whether a power is ready."""


def prospect(about: Situation, act: Act) -> Prospect | None:
    """What this blow would come to, as things stand when it is declared."""
    fighter = about.fight.fighter(about.name)
    if act.kind in POWER_KINDS and not _known(about, act):
        return None
    cast = cast_of(about.rules, about.fight, fighter, (act,))
    if act.kind in POWER_KINDS:
        hurts = fighter.profile.power(act.skill).row(about.rules).works in HURTING and bool(act.target)
        names, good = (SCALE, GOOD) if hurts else (USE_SCALE, USE_SCALE[-1:])
        return Prospect(sub(one_power, about.rules, about.fight, cast, act), str, names, good)
    return Prospect(sub(one_blow, about.rules, about.fight, cast, act), str, SCALE, GOOD)


def _known(about: Situation, act: Act) -> bool:
    """Whether the odds of a power hang on dice alone, and on nothing that the Game Master has yet to say."""
    known = about.fight.fighter(about.name).profile.power(act.skill)
    row = known.row(about.rules)
    return not row.hard and not (row.steps and row.works == "ask") and known.limit != PREPARED and row.works != "drain" and not act.steps


def one_power(rules: Ruleset, fight: Fight, cast: Cast, act: Act) -> Play[str]:
    """The dice of a power, whoever resists it, and what it does, in a word."""
    determined = yield from determine(rules, (cast,))
    one = determined.sets[0][0] if determined.sets[0] else None
    if one is None:
        return "no set"
    each, known = Pending(cast.who, act, one.width, one.height, one.speed), fight.fighter(cast.who).profile.power(act.skill)
    row = known.row(rules)
    if row.works in HURTING and act.target:
        after, _ = yield from action_of(act).lands(rules, fight, each, one.width)
        return _state(fight, after, act.target)
    _, left = yield from opposed(rules, fight, Use(each, known, row, one.width))
    return "works" if left else "resisted"


def one_blow(rules: Ruleset, fight: Fight, cast: Cast, act: Act) -> Play[str]:
    """The dice of a blow and where it lands, in a word."""
    determined = yield from determine(rules, (cast,))
    one = determined.sets[0][0] if determined.sets[0] else None
    if one is None:
        return "no set"
    after, _ = yield from hits(rules, fight, Pending(cast.who, act, one.width, one.height, one.speed), one.width)
    return _state(fight, after, act.target)


def _state(fight: Fight, after: Fight, target: str) -> str:
    """What became of somebody, in a word."""
    group, left = fight.group(target), after.group(target)
    if group is not None and left is not None:
        return "down" if left.mob.number < group.mob.number else "hurt" if left != group else "no harm"
    body, before = after.fighter(target).body, fight.fighter(target).body
    if (body.record(), body.wounds) == (before.record(), before.wounds):
        return "no harm"
    return "dead" if body.dead else "unconscious" if body.unconscious else "down" if body.down else "hurt"
