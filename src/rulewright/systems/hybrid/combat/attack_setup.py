"""Attack setup: everything that modifies an attack in a fight, and a word for its outcome."""

from fractions import Fraction

from rulewright.play import Scale
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.arms import Arm, range_modifier
from rulewright.systems.hybrid.combat.attacks import Strike, all_out, lob
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Fighter, defense_of, situation
from rulewright.systems.hybrid.combat.initiative import set_up
from rulewright.systems.hybrid.combat.maneuvers import Manner, as_a_club, grip_bonus, jumping, spinning
from rulewright.systems.hybrid.harm.damage import Blow, Body, called_modifier
from rulewright.systems.hybrid.resolution.modifiers import florentine
from rulewright.systems.hybrid.resolution.tests import Check, Mod

DOWN = "brought down"
"""The gain of an overbear or a throw: the target is on the ground (book lines 980, 986)."""
HARM = ("tired", "wounded", DOWN, "out", "dead")
ATTACK = Scale(("out of reach", "kept outside", "miss", "parried", "no harm", *HARM), HARM, "harms", "unharmed", harms=True)
"""The possible results of an attack, from the best for its target to the worst."""


def strike(rules: Ruleset, fight: Fight, me: Fighter, foe: Fighter, *, doing: Doing, arm: Arm, now: int, more: int = 0) -> Strike:
    """An attack as it comes at this count, with the defense it meets and the ward that is up."""
    df = situation(rules, fight, me, offensive=True, kind=arm.kind) + range_modifier(arm, me.distance(foe)) + more
    df += sum([mod.value for mod in manner(rules, me, doing, arm)])
    if me.holding == foe.name and arm.natural and arm.use == "melee":
        df += grip_bonus(rules).value
    check = set_up(rules, arm.check, arm.rank) if "set up" in doing.ways else arm.check
    warded = foe.ward if now < foe.ward_ends else 0
    blow = Blow(arm.dice, arm.flat, arm.type, doing.called, times=force(rules, doing, arm), mental=arm.mental, armour=warded)
    if me.name in foe.inside and arm.use == "melee" and arm.length > foe.arm.length and not arm.natural:
        blow = as_a_club(rules, blow)
    return Strike(check.plus(df=df).shared(*doing.share), defense_of(rules, foe, now, arm.mental), blow, me.name, arm.name)


def manner(rules: Ruleset, me: Fighter, doing: Doing, arm: Arm) -> tuple[Mod, ...]:
    """Returns the modifiers that the mode of an attack adds to its Difficulty Factor."""
    ways = doing.ways
    if not ways and not doing.called:
        return ()
    mods = []
    if "all out" in ways:
        mods.append(all_out(rules, me.profile.mdf if arm.mental else me.profile.pdf))
    mods += [turn.modifier for turn in _turns(rules, doing, arm)]
    if "lob" in ways:
        mods.append(lob(rules))
    if "both hands" in ways:
        mods.append(florentine(rules).first)
    if doing.called:
        mods.append(called_modifier(rules, doing.called))
    return tuple(mods)


def _turns(rules: Ruleset, doing: Doing, arm: Arm) -> list[Manner]:
    """Spinning and jumping, each where it is done."""
    turns = {"spinning": spinning, "jumping": jumping}
    return [turns[way](rules, arm.speed) for way in doing.ways if way in turns]


def force(rules: Ruleset, doing: Doing, arm: Arm) -> tuple[int, int]:
    """Returns the ratio by which the mode of an attack multiplies its damage."""
    whole = Fraction(1)
    for turn in _turns(rules, doing, arm):
        whole *= Fraction(*turn.times)
    return whole.numerator, whole.denominator


def tried(rules: Ruleset, fight: Fight, me: Fighter, doing: Doing, *, arm: Arm, action: str = "") -> Check:
    """Returns the check, in a certain mode, for an action other than a strike with a weapon or with bare hands."""
    check = arm.by(action or doing.what)
    if "set up" in doing.ways:
        check = set_up(rules, check, arm.rank)
    df = situation(rules, fight, me) + sum([mod.value for mod in manner(rules, me, doing, arm)])
    return check.plus(df=df).shared(*doing.share)


def fate(before: Body, after: Body, topples: bool = False) -> str:
    """A word for what a blow that landed did; one that topples is meant to bring its target down."""
    if after.dead:
        return "dead"
    if not after.awake:
        return "out"
    if topples and after.prone and not before.prone:
        return DOWN
    if after.pbd < before.pbd or after.mbd < before.mbd:
        return "wounded"
    return "tired" if after.energy != before.energy or after.mind != before.mind else "no harm"
