"""Attack calculator: the odds of a shot, an ambush, a blow or an attack on an object, from plain numbers."""

from typing import Literal

from rulewright.play import Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.scumm.combat.attacks import (
    CALLED,
    NO_SPECIALIZATION,
    PISTOL,
    PLAINLY,
    STANDING,
    Attacked,
    Circumstances,
    Exposure,
    Guard,
    Strike,
    aimed_dice,
    aimed_unskilled,
    ambush,
    attack_pool,
    guard_pool,
    lower_of_stealth,
    range_band,
    refuse_no_dice,
    tried,
    unwary_threshold,
)
from rulewright.systems.scumm.combat.fighters import Ranges
from rulewright.systems.scumm.harm.body import AVERAGE, Patient
from rulewright.systems.scumm.resolution.tests import Mod, Pool, Test, action_test, skill_pool


@rule("scumm-ranged-attack")
def try_shot(
    rules: Ruleset,
    skill: int = 2,
    alertness: int = 0,
    damage: int = 3,
    metres: float = 5,
    ranges: Ranges = PISTOL,
    circumstances: Circumstances = PLAINLY,
    defense: int = 1,
    exposure: Exposure = STANDING,
    victim: Patient = AVERAGE,
) -> Play[Attacked]:
    """Skill and Alertness, with the range and everything else, against the target's Defense: higher hits by the margin, a tie misses."""
    c = circumstances._replace(band=range_band(metres, ranges))
    attack = attack_pool(rules, skill, Mod("Alertness", alertness), NO_SPECIALIZATION, c)
    guard = guard_pool(rules, "defense", defense, 0, NO_SPECIALIZATION, exposure._replace(close=False))
    strike = Strike("attacker", victim.name, "a shot", attack, guard, 0, damage, c.burst, c.location, vitals=c.vitals)
    return (yield from tried(rules, strike, victim))


@rule("scumm-ranged-unwary")
def try_ambush(
    rules: Ruleset,
    stealth: int = 1,
    notice: int = 1,
    modifier: int = 0,
    skill: int = 2,
    alertness: int = 0,
    damage: int = 3,
    metres: float = 5,
    ranges: Ranges = PISTOL,
    circumstances: Circumstances = PLAINLY,
    defense: int = 1,
    exposure: Exposure = STANDING,
    victim: Patient = AVERAGE,
    watcher_alertness: int = 0,
) -> Play[Attacked]:
    """A person who loses Notice against the ambusher's Stealth is shot at unwary: against 1 plus movement and cover, and nothing is rolled.

    Range and conditions (`modifier`) weigh on noticing. Who notices defends as against any shot.

    A view of `shoot`.
    """
    lurking = skill_pool(rules, stealth, alertness, "Alertness")
    watching = skill_pool(rules, notice, watcher_alertness, "Alertness", (Mod("range and conditions", modifier, "scumm-ranged-unwary"),))
    if not (yield from ambush(rules, lurking, watching, "attacker", victim.name)):
        return (yield from try_shot(rules, skill, alertness, damage, metres, ranges, circumstances, defense, exposure, victim))
    c = circumstances._replace(band=range_band(metres, ranges))
    attack = attack_pool(rules, skill, Mod("Alertness", alertness), NO_SPECIALIZATION, c)
    threshold = unwary_threshold(rules, exposure.mode, exposure.cover, special=exposure.special)
    return (
        yield from tried(
            rules, Strike("attacker", victim.name, "a shot", attack, None, threshold, damage, c.burst, c.location, vitals=c.vitals), victim
        )
    )


@rule("scumm-close-attack")
def try_blow(
    rules: Ruleset,
    skill: int = 2,
    body: int = 0,
    damage: int = 3,
    circumstances: Circumstances = PLAINLY,
    guard: Guard = "defense",
    defense: int = 1,
    defender_body: int = 0,
    exposure: Exposure = STANDING,
    bruise: bool = False,
    victim: Patient = AVERAGE,
) -> Play[Attacked]:
    """Melee or Brawl with Body against what the target chose: Defense, a parry (Melee) or a block (Brawl). A tie misses.

    `defense` is the Defense value or the level of the skill that the target defends with.

    A view of `shoot`.
    """
    attack = attack_pool(rules, skill, Mod("Body", body), NO_SPECIALIZATION, circumstances._replace(band=None))
    met = guard_pool(rules, guard, defense, defender_body, NO_SPECIALIZATION, exposure._replace(close=True))
    return (yield from tried(rules, Strike("attacker", victim.name, "a blow", attack, met, 0, damage, bruise=bruise, close=True), victim))


@rule("scumm-close-unwary")
def try_unwary_blow(
    rules: Ruleset,
    skill: int = 2,
    body: int = 0,
    stealth: int = 1,
    alertness: int = 0,
    damage: int = 3,
    circumstances: Circumstances = PLAINLY,
    exposure: Exposure = STANDING,
    bruise: bool = False,
    victim: Patient = AVERAGE,
) -> Play[Attacked]:
    """From behind it is the lower of the attack skill and Stealth, each with its own attribute, against 1 plus movement and cover.

    A view of `shoot`.
    """
    level, attribute = lower_of_stealth(rules, skill, body, stealth, alertness)
    attack = attack_pool(rules, level, attribute, NO_SPECIALIZATION, circumstances._replace(band=None))
    threshold = unwary_threshold(rules, exposure.mode, exposure.cover, close=True, special=exposure.special)
    return (
        yield from tried(
            rules, Strike("attacker", victim.name, "a blow", attack, None, threshold, damage, bruise=bruise, close=True), victim
        )
    )


@rule("scumm-attack-object")
def attack_object(
    rules: Ruleset,
    level: int = 1,
    attribute: int = 0,
    modifiers: int = 0,
    size: Literal["man-sized", "torso", "limb", "head"] = "man-sized",
    defense_modifiers: int = 0,
    by: str = "",
    aim: int = 0,
) -> Play[Test]:
    """A thing is hit against Threshold 1 plus modifiers; one smaller than a man costs dice as a called shot does, and aim gives some.

    By id only.
    """
    dice = level + aimed_dice(rules, aim) + (0 if size == "man-sized" else CALLED.of(rules, size))
    refuse_no_dice(rules, level, dice, burst=False)
    dice, joins = (dice, 0) if level > 0 else aimed_unskilled(rules, dice)
    pool = Pool(dice, joins=joins).plus(
        Mod("attribute", attribute, "scumm-skill-test"), Mod("situation", modifiers, "scumm-combat-modifiers")
    )
    return (yield from action_test(rules, pool, 1 + defense_modifiers, by, "attack on an object"))
