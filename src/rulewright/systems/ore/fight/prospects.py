"""What an attack leads to if nobody counters it, so that its odds can stand beside it while it is declared, with that condition said.

All declare before all roll, and what everybody will roll together has too many outcomes to count while somebody waits (a blow of six dice
against a parry of six takes seconds). So the very steps of the round are played on with this attack alone.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from rulewright.errors import Wrong
from rulewright.play import Play, Prospect, Request, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Pending, Plan, Situation
from rulewright.systems.ore.drama.determination import Cast, determine
from rulewright.systems.ore.fight.actions.power_harm import Use, opposed
from rulewright.systems.ore.fight.actions.registry import action_of
from rulewright.systems.ore.fight.at_work import POWER_KINDS
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.rounds import make_ready, next_step

SCALE = ("no set", "no harm", "hurt", "down", "unconscious", "dead")
GOOD = SCALE[2:]
COUNTS = "hurt or worse, unless it is countered"
MOST_STEPS = 12
USE_SCALE = ("no set", "resisted", "works")
HURTING = ("harm", "scorch", "force")
"""Powers whose odds say what becomes of the target."""
PREPARED = 2
"""The Limit Rating under which the Game Master is asked whether a power is ready."""


def prospect(about: Situation, act: Act) -> Prospect | None:
    """What this blow would come to, as things stand when it is declared; None where it cannot be told before the dice fall."""
    if act.kind in POWER_KINDS:
        return _of_power(about, act)
    try:
        ready = _ready(about.rules, about.fight, about.name, act)
    except Wrong:
        return None
    return Prospect(sub(one_blow, about.rules, ready, about.name, act.target), str, SCALE, GOOD, COUNTS)


def _of_power(about: Situation, act: Act) -> Prospect | None:
    """What a power would come to, where that hangs on dice alone, and on nothing that the Game Master has yet to say."""
    fighter = about.fight.fighter(about.name)
    known = fighter.profile.power(act.skill)
    row = known.row(about.rules)
    if row.hard or (row.steps and row.works == "ask") or known.limit == PREPARED or row.works == "drain" or act.steps:
        return None
    hurts = row.works in HURTING and bool(act.target)
    names, good = (SCALE, GOOD) if hurts else (USE_SCALE, USE_SCALE[-1:])
    cast = cast_of(about.rules, about.fight, fighter, (act,))
    return Prospect(sub(one_power, about.rules, about.fight, cast, act), str, names, good)


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
        return _came_to(fight, after, act.target)
    _, left = yield from opposed(rules, fight, Use(each, known, row, one.width))
    return "works" if left else "resisted"


def _ready(rules: Ruleset, fight: Fight, name: str, act: Act) -> Fight:
    """The fight just before the dice fall, if nobody did anything but this."""
    plan = Plan(name, (act,), exposed=action_of(act).exposes)
    ready = replace(fight, plans=(plan,), order=(), pending=(), casts=(), round=max(1, fight.round))
    return replace(_run(lambda: make_ready(rules, ready)), plain="")


def _run(begin: Callable[[], Play[Fight]]) -> Fight:
    """What comes of a procedure that asks nothing."""
    play = begin()
    try:
        while True:
            if not isinstance(next(play), Tell):
                raise Wrong("this asks for something before the dice fall")
    except StopIteration as done:
        found: Fight = done.value
        return found


def one_blow(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[str]:
    """The dice of a blow and where it lands, in a word: the round from the dice on, up to its moment."""
    before = fight
    for step in range(MOST_STEPS):
        fight = yield from _silently(next_step(rules, fight))
        own = [each for each in fight.pending if each.who == name and not each.counters]
        if not own and step == 0:
            return "no set"
        if not own:
            break
    return _came_to(before, fight, target)


def _silently(play: Play[Fight]) -> Play[Fight]:
    """A step without what the log hears of it."""
    answer: Any = None
    while True:
        try:
            request: Request[Any] = play.send(answer)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        answer = None if isinstance(request, Tell) else (yield request)


def _came_to(before: Fight, after: Fight, target: str) -> str:
    """What became of a target, in a word of the scale."""
    group, left = before.group(target), after.group(target)
    if group is not None and left is not None:
        return "down" if left.mob.number < group.mob.number else "hurt" if left.mob != group.mob else "no harm"
    body, was = after.fighter(target).body, before.fighter(target).body
    if (body.record(), body.wounds) == (was.record(), was.wounds):
        return "no harm"
    return "dead" if body.dead else "unconscious" if body.unconscious else "down" if body.down else "hurt"
