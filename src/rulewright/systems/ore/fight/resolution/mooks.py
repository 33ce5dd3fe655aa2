"""Mooks in a round: approach, one roll, and targets for every set (book lines 5416-5443)."""

from msgspec.structs import replace

from rulewright.dice.sets import Set
from rulewright.grammar import the
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Group, Pending, Situation, apart, where
from rulewright.systems.ore.combat.mooks import mook_attack, mook_dice, mook_range, mook_sets, pool_left
from rulewright.systems.ore.drama.determination import speed_of, waste_counts
from rulewright.systems.ore.drama.round_readings import Laid, arranged
from rulewright.systems.ore.fight.events import MooksReady, SetReady
from rulewright.systems.ore.fight.feats.effects import trait
from rulewright.systems.ore.fight.map_positions import through_doors
from rulewright.systems.ore.fight.resolution.movement import goes, steps_towards
from rulewright.systems.ore.log_phrases import verb
from rulewright.systems.ore.people.feat_effects import RULE
from rulewright.systems.ore.resolution.outcomes import sides
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.resolution.tests import Mod

MOST_PARTS = 5
"""The most sets that one set can be broken into."""


def mooks_approach(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Mooks without a target in range walk towards the nearest enemy."""
    for group in fight.groups:
        foes = _known_enemies(fight, group)
        if group.able and foes and not in_range(rules, fight, group):
            nearest = min(foes, key=lambda foe: apart(foe, group))
            steps = steps_towards(fight, group.name, where(nearest), run_metres(rules, 0))
            if steps == group.at:
                fight = yield from _go_through_door(rules, fight, group)
            else:
                fight = yield from goes(fight, group.name, steps, verb(group.name, "walks", "walk"), f"towards {nearest.name}")
    return fight


def _go_through_door(rules: Ruleset, fight: Fight, group: Group) -> Play[Fight]:
    """Mooks behind a shut door walk up to it and open it."""
    spot, door = through_doors(fight, group.name, run_metres(rules, 0))
    if door is None:
        return (yield from goes(fight, group.name, spot, verb(group.name, "walks", "walk")))
    yield Tell(Happened(group.name, f"{verb(group.name, 'opens', 'open')} {the(door.name)}"))
    return fight.with_door(door)


def _known_enemies(fight: Fight, group: Group) -> list[Fighter]:
    """Named enemies known to the side of a group."""
    known = fight.known_foes(group.name)
    return [fighter for fighter in fight.fighters if fighter.name in known]


def in_range(rules: Ruleset, fight: Fight, group: Group) -> list[tuple[Fighter, Mod]]:
    """Enemies in range of a group, with the modifier for distance."""
    foes = [foe for foe in _known_enemies(fight, group) if fight.sees(group.name, foe.name)]
    pairs = [(foe, mook_range(rules, group.mob, apart(foe, group))) for foe in foes]
    return [(foe, mod) for foe, mod in pairs if mod is not None]


def mooks_attack(rules: Ruleset, fight: Fight, group: Group) -> Play[list[Pending]]:
    """One roll for a group, at the distance of the nearest target (ruling); the Game Master names a target for every set."""
    people = in_range(rules, fight, group)
    if not people:
        yield Tell(Happened(group.name, f"{verb(group.name, 'has', 'have')} nobody within reach"))
        return []
    more = more_dice(rules, fight, group, people)
    yield Tell(MooksReady(group.name, pool_left(group.mob), more, mook_dice(group.mob, more.dice)))
    sets = yield from _roll_sets(rules, group, more.dice)
    return (yield from aimed(rules, fight, group, people, sets))


def more_dice(rules: Ruleset, fight: Fight, group: Group, people: list[tuple[Fighter, Mod]]) -> Mod:
    """Modifiers of a group from distance, powers and leaders."""
    more = max([mod for _, mod in people], key=lambda mod: mod.dice)
    if fight.powers:
        powers = sum([power.dice for power in fight.powers if power.on == group.name])
        more = Mod(f"{more.label} and powers", more.dice + powers, more.rule) if powers else more
    helped = _leader_dice(rules, fight, group)
    if helped:
        more = Mod(f"{more.label}, {helped.label}" if more.dice else helped.label, more.dice + helped.dice, more.rule or helped.rule)
    return more


@cached(1_000)
def _options_by_name(names: tuple[str, ...]) -> tuple[Option[str], ...]:
    return tuple([Option(name, name, name) for name in names])


def aimed(
    rules: Ruleset, fight: Fight, group: Group, people: list[tuple[Fighter, Mod]], sets: tuple[tuple[int, int, int], ...]
) -> Play[list[Pending]]:
    """Asks for the targets of a group's sets."""
    pendings: list[Pending] = []
    options = _options_by_name(tuple([foe.profile.name for foe, _ in people]))
    speaker = group.members[0]
    for width, height, waste in sets:
        target = options[0].value
        if len(options) > 1:
            about = Situation(replace(fight, pending=tuple(pendings)), speaker, rules)
            target = yield from Choice(
                speaker, f"Whom {verb(group.name, 'does', 'do')} {group.name} attack with a {width}x{height}?", options, about, "mooks"
            )
        speed = speed_of(rules, width, height, waste)
        yield Tell(SetReady(group.name, f"attack {target}", width, height, speed, rules.word("speed")))
        pendings.append(Pending(group.name, Act("attack", target), width, height, speed))
    if not pendings:
        yield Tell(Happened(group.name, f"{verb(group.name, 'rolls', 'roll')} no set"))
    return pendings


def _leader_dice(rules: Ruleset, fight: Fight, group: Group) -> Mod | None:
    """Dice from leaders and orders, minus stunned mooks."""
    if not fight.with_feats:
        return None
    leaders = [fighter for fighter in fight.fighters if fighter.side == group.side and fighter.able]
    threat = max([trait(rules, leader, "mooks attack").amount("threat") for leader in leaders], default=0)
    able = group.mob.number if group.mob.room is None else min(group.mob.room, group.mob.number)
    dice = threat * able + group.instructed - group.stunned
    return Mod("leaders, orders and stunned mooks", dice, RULE) if dice else None


def _roll_sets(rules: Ruleset, group: Group, more: int) -> Play[tuple[tuple[int, int, int], ...]]:
    """The sets of a group, each with its waste die if these decide Speed."""
    dice = mook_dice(group.mob, more)
    if not dice:
        return ()
    if not waste_counts(rules):
        sets = yield from mook_attack(rules, group.mob, group.members[0], more)
        return tuple([(width, height, 0) for width, height in sets])
    return with_waste(rules, group.mob.threat, (yield from Roll(read_with_waste(rules, dice), group.members[0], "an attack of mooks")))


def read_with_waste(rules: Ruleset, dice: int) -> Laid:
    """The reading of mook dice if waste dice decide Speed."""
    return Laid(Thrown(dice, (0,) * sides(rules)))


def with_waste(rules: Ruleset, threat: int, fell: tuple[tuple[Set, ...], tuple[int, ...]]) -> tuple[tuple[int, int, int], ...]:
    """The sets of a group of mooks, each with its waste die."""
    lying, singles = fell
    return arranged((mook_sets(rules, lying, threat), singles), len(lying) * MOST_PARTS)
