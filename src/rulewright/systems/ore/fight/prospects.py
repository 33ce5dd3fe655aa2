"""What an attack leads to if nobody answers it, so that its odds can stand beside it while it is declared."""

from rulewright.play import Play, Prospect, sub
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Pending, Situation
from rulewright.systems.ore.drama.determination import Cast, determine
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.strikes import hits

SCALE = ("no set", "no harm", "hurt", "down", "unconscious", "dead")
GOOD = SCALE[2:]


def prospect(about: Situation, act: Act) -> Prospect | None:
    """What this blow would come to, as things stand when it is declared."""
    fighter = about.fight.fighter(about.name)
    cast = cast_of(about.rules, about.fight, fighter, (act,))
    return Prospect(sub(one_blow, about.rules, about.fight, cast, act), str, SCALE, GOOD)


def one_blow(rules: Ruleset, fight: Fight, cast: Cast, act: Act) -> Play[str]:
    """The dice of a blow and where it lands, in a word."""
    determined = yield from determine(rules, (cast,))
    one = determined.sets[0][0] if determined.sets[0] else None
    if one is None:
        return "no set"
    after, _ = yield from hits(rules, fight, Pending(cast.who, act, one.width, one.height, one.speed), one.width)
    group, left = fight.group(act.target), after.group(act.target)
    if group is not None and left is not None:
        return "down" if left.mob.number < group.mob.number else "hurt" if left != group else "no harm"
    body, before = after.fighter(act.target).body, fight.fighter(act.target).body
    if (body.record(), body.wounds) == (before.record(), before.wounds):
        return "no harm"
    return "dead" if body.dead else "unconscious" if body.unconscious else "down" if body.down else "hurt"
