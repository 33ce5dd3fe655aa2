"""Mooks in a round: they come nearer, roll once for all of them, and every set goes to somebody (book lines 5416-5443)."""

from msgspec.structs import replace

from rulewright.play import Choice, Happened, Option, Play, Roll, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Group, Pending, Situation
from rulewright.systems.ore.combat.mooks import mook_attack, mook_dice, mook_range, mook_sets, pool_left
from rulewright.systems.ore.drama.determination import speed_of, waste_counts
from rulewright.systems.ore.drama.falls import Laid, arranged
from rulewright.systems.ore.fight.events import MooksReady, SetReady
from rulewright.systems.ore.fight.moving import goes, steps_towards
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.resolution.tests import Mod, sides

MOST_PARTS = 5
"""Into how many sets one can be broken up at most."""


def mooks_approach(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Mooks whom nobody is in range of walk towards the nearest enemy."""
    for group in fight.groups:
        foes = [fighter for fighter in fight.fighters if fighter.side != group.side and fighter.able]
        if group.able and foes and not in_range(rules, fight, group):
            nearest = min(foes, key=lambda foe: abs(foe.metres - group.metres))
            steps = steps_towards(fight, group.name, nearest.metres, run_metres(rules, 0))
            fight = yield from goes(fight, group.name, steps, "walk", f"towards {nearest.name}")
    return fight


def in_range(rules: Ruleset, fight: Fight, group: Group) -> list[tuple[Fighter, Mod]]:
    """The enemies whom a group can attack from where it is, each with the dice that the distance gives or takes."""
    foes = [fighter for fighter in fight.fighters if fighter.side != group.side and fighter.able]
    found = [(foe, mook_range(rules, group.mob, abs(foe.metres - group.metres))) for foe in foes]
    return [(foe, mod) for foe, mod in found if mod is not None]


def mooks_attack(rules: Ruleset, fight: Fight, group: Group) -> Play[list[Pending]]:
    """One roll for all mooks of a group, at the distance of the nearest target (ruling); every set goes to somebody whom the Game Master
    names."""
    people = in_range(rules, fight, group)
    if not people:
        yield Tell(Happened(group.name, "have nobody within reach"))
        return []
    more = max([mod for _, mod in people], key=lambda mod: mod.dice)
    if fight.powers:
        powers = sum([each.dice for each in fight.powers if each.on == group.name])
        more = Mod(f"{more.label} and powers", more.dice + powers, more.rule) if powers else more
    yield Tell(MooksReady(group.name, pool_left(group.mob), more, mook_dice(group.mob, more.dice)))
    sets = yield from _sets(rules, group, more.dice)
    found: list[Pending] = []
    options = tuple([Option(foe.name, foe.name, foe.name) for foe, _ in people])
    speaker = group.members[0]
    for width, height, waste in sets:
        target = options[0].value
        if len(options) > 1:
            about = Situation(replace(fight, pending=tuple(found)), speaker, rules)
            target = yield from Choice(speaker, f"Whom do {group.name} attack with a {width}x{height}?", options, about, "mooks")
        speed = speed_of(rules, width, height, waste)
        yield Tell(SetReady(group.name, f"attack {target}", width, height, speed, rules.word("speed")))
        found.append(Pending(group.name, Act("attack", target), width, height, speed))
    if not found:
        yield Tell(Happened(group.name, "roll no set"))
    return found


def _sets(rules: Ruleset, group: Group, more: int) -> Play[tuple[tuple[int, int, int], ...]]:
    """The sets of a group of mooks, each with its waste die where these decide Speed."""
    dice = mook_dice(group.mob, more)
    if not dice:
        return ()
    if not waste_counts(rules):
        sets = yield from mook_attack(rules, group.mob, group.members[0], more)
        return tuple([(width, height, 0) for width, height in sets])
    lying, singles = yield from Roll(Laid(Thrown(dice, (0,) * sides(rules))), group.members[0], "mooks attack")
    return arranged((mook_sets(rules, lying, group.mob.threat), singles), len(lying) * MOST_PARTS)
