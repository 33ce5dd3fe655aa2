"""Attack setup: collects everything that modifies an attack in a fight, and logs it (book lines 418-456)."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Happened, Play, Range, Tell, Together
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.scumm.combat.attacks import (
    NO_SPECIALIZATION,
    Band,
    Circumstances,
    Exposure,
    Guard,
    Strike,
    attack_pool,
    guard_pool,
    lower_of_stealth,
    range_band,
    unwary_threshold,
)
from rulewright.systems.scumm.combat.fighters import STYLES, CombatSkill, Fight, Fighter, Profile, Weapon
from rulewright.systems.scumm.harm.body import Location, Patient
from rulewright.systems.scumm.resolution.tests import Mod, Pool, most_emergency_dice


class Situation(NamedTuple):
    """What a decision in a fight is about."""

    fight: Fight
    name: str
    rules: Ruleset


def happened(fight: Fight, who: str, what: str, mood: str = "plain") -> Tell:
    """Tell what a person does; what the hidden do is told to their own side only."""
    return Tell(Happened(who, what, mood, known_to=fight.knowing(who)))


def circumstances(
    fight: Fight,
    attacker: Fighter,
    band: Band | None,
    aim: int = 0,
    location: Location | None = None,
    burst: int = 0,
    extra: int = 0,
    vitals: bool = False,
    target: Fighter | None = None,
) -> Circumstances:
    """The circumstances of an attack in the current state of the fight; with the right arm useless it is the off-hand that acts.

    What counts of light is how the target is lit, where lamps make a difference.
    """
    body, ground = fight.acting_body(attacker), fight.ground
    penalty, right_useless = _hindered(body)
    return Circumstances(
        band,
        fight.light_on(target),
        ground.dim_modifier,
        attacker.mode,
        penalty,
        aim,
        location,
        burst,
        attacker.intoxicated,
        attacker.off_hand or right_useless,
        extra,
        vitals,
        special=attacker.special_attack,
    )


@cached(50_000)
def _hindered(body: Patient) -> tuple[int, bool]:
    """The penalty on what the body does, and whether its right arm is useless."""
    return body.physical_penalty, body.limb("right arm").useless


def exposure(fight: Fight, attacker: Fighter, target: Fighter, close: bool, free_strike: bool = False) -> Exposure:
    """How exposed a target is to this attacker; a Free Strike does not count as one more opponent."""
    foes = target.attacked_by
    foe = 0 if free_strike else 1 + len(foes) - (attacker.profile.name in foes)
    cover = fight.cover_from((attacker.x, attacker.y), target)
    wounds, special = _hindered(target.body)[0], target.special_defense
    return Exposure(close, target.mode, cover, wounds, foe, target.intoxicated, special=special)


def defenseless(attacker: Fighter, target: Fighter) -> bool:
    """Whether the target rolls nothing: unwary, out of the fight, or in a grapple with another person and so unaware of others."""
    return target.unwary or not target.body.able or (target.grappling != "" and target.grappling != attacker.profile.name)


def special(profile: Profile, skill: CombatSkill, weapon: str) -> Mod:
    """The +1 of a specialization that fits the weapon."""
    text = profile.specialized(skill, weapon, STYLES.get(weapon, weapon)) if profile.specializations else ""
    return Mod(f"specialization: {text}", 1, "scumm-specialization") if text else NO_SPECIALIZATION


def ranged_strike(
    rules: Ruleset,
    fight: Fight,
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    *,
    location: Location | None = None,
    burst: int = 0,
    thrown: bool = False,
    extra: int = 0,
    vitals: bool = False,
) -> Strike:
    """A shot or throw as a strike."""
    if weapon.ranges is None:
        raise UserError(f"{weapon.name} can neither be fired nor thrown")
    aim = attacker.aim if attacker.aim_at == target.profile.name else 0
    c = circumstances(fight, attacker, range_band(attacker.distance(target), weapon.ranges), aim, location, burst, extra, vitals, target)
    e = exposure(fight, attacker, target, False)
    return _ranged_strike(rules, attacker.profile, weapon, thrown, c, target.profile, e, defenseless(attacker, target))


@cached(50_000)
def _ranged_strike(
    rules: Ruleset, attacker: Profile, weapon: Weapon, thrown: bool, c: Circumstances, target: Profile, e: Exposure, helpless: bool
) -> Strike:
    skill: CombatSkill = "throw" if thrown else weapon.skill
    attack = attack_pool(rules, attacker.level(skill), Mod("Alertness", attacker.alertness), special(attacker, skill, weapon.name), c)
    if helpless:
        defense, threshold = None, unwary_threshold(rules, e.mode, e.cover, special=e.special)
    else:
        defense, threshold = guard_pool(rules, "defense", target.defense, 0, NO_SPECIALIZATION, e), 0
    return Strike(attacker.name, target.name, weapon.name, attack, defense, threshold, weapon.damage, c.burst, c.location, False, c.vitals)


@rule("scumm-close-attack")
def guards(rules: Ruleset, target: Fighter) -> tuple[Guard, ...]:
    """Returns the defenses open to a wary target: Defense, Melee with a weapon in hand to parry, Brawl for an unarmed block."""
    return ("defense", "parry", "block") if target.weapon.skill == "melee" else ("defense", "block")


def close_strike(
    rules: Ruleset,
    fight: Fight,
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    *,
    guard: Guard = "defense",
    bruise: bool = False,
    extra: int = 0,
    free_strike: bool = False,
) -> Strike:
    """A blow as a strike: Melee or Brawl against the target's Defense, parry or block; the lower of skill and Stealth from behind."""
    c = circumstances(fight, attacker, None, extra=extra, target=target)
    e = exposure(fight, attacker, target, True, free_strike)
    met: Guard | None = None if defenseless(attacker, target) else guard
    return _close_strike(rules, attacker.profile, weapon, c, target.profile, target.weapon.name, e, met, bruise)


@cached(50_000)
def _close_strike(
    rules: Ruleset,
    attacker: Profile,
    weapon: Weapon,
    c: Circumstances,
    target: Profile,
    parrying: str,
    e: Exposure,
    guard: Guard | None,
    bruise: bool,
) -> Strike:
    level, attribute, plus = attacker.level(weapon.skill), Mod("Body", attacker.body), special(attacker, weapon.skill, weapon.name)
    defense: Pool | None = None
    threshold = 0
    if guard is None:
        threshold = unwary_threshold(rules, e.mode, e.cover, close=True, special=e.special)
        if attacker.stealth < level:
            plus = NO_SPECIALIZATION
        level, attribute = lower_of_stealth(rules, level, attacker.body, attacker.stealth, attacker.alertness)
    elif guard == "parry":
        defense = guard_pool(rules, guard, target.melee, target.body, special(target, "melee", parrying), e)
    elif guard == "block":
        defense = guard_pool(rules, guard, target.brawl, target.body, NO_SPECIALIZATION, e)
    else:
        defense = guard_pool(rules, guard, target.defense, 0, NO_SPECIALIZATION, e)
    attack = attack_pool(rules, level, attribute, plus, c)
    return Strike(attacker.name, target.name, weapon.name, attack, defense, threshold, weapon.damage, bruise=bruise, close=True)


def spend_emergency_dice(rules: Ruleset, fight: Fight, name: str, pool: Pool, what: str) -> Play[tuple[Fight, Pool]]:
    """Ask how many Emergency Dice go into a roll, where there are any and the roll takes them; they are used up."""
    fighter = fight.fighter(name)
    owned = fighter.body.emergency_dice
    if owned <= 0 or (pool.dice <= 0 and rules.word("unskilled-emergency-dice") == "none"):
        return fight, pool
    spent = yield from _asked(rules, fight, fighter, what)
    return ((yield from _spend(fight, name, spent, what)), replace(pool, emergency=spent)) if spent else (fight, pool)


def _asked(rules: Ruleset, fight: Fight, fighter: Fighter, what: str) -> Choice[int]:
    most, name = min(most_emergency_dice(rules), fighter.body.emergency_dice), fighter.name
    return Choice(name, f"Emergency Dice for {what}?", Range(0, most), Situation(fight, name, rules), "emergency dice", fighter.hidden)


def _spend(fight: Fight, name: str, dice: int, what: str) -> Play[Fight]:
    yield from happened(fight, name, f"spends {dice} Emergency {'Die' if dice == 1 else 'Dice'} on {what}")
    body = fight.fighter(name).body
    return fight.change(name, body=replace(body, emergency_dice=body.emergency_dice - dice))


def emergency_dice_for_all(rules: Ruleset, fight: Fight, pools: dict[str, int], what: str) -> Play[tuple[Fight, dict[str, int]]]:
    """The same for a roll that several make at once (`pools` are their dice): nobody knows of the others' answers."""
    joins = rules.word("unskilled-emergency-dice") != "none"
    able = [name for name, dice in pools.items() if fight.fighter(name).body.emergency_dice > 0 and (dice > 0 or joins)]
    if not able:
        return fight, {}
    answers = yield from Together(tuple([_asked(rules, fight, fight.fighter(name), what) for name in able]))
    spent = {name: dice for name, dice in zip(able, answers, strict=True) if dice}
    for name, dice in spent.items():
        fight = yield from _spend(fight, name, dice, what)
    return fight, spent


def boosted(rules: Ruleset, fight: Fight, strike: Strike, what: str) -> Play[tuple[Fight, Strike]]:
    """Both sides of an attack may put Emergency Dice into it."""
    fight, attack = yield from spend_emergency_dice(rules, fight, strike.attacker, strike.attack, what)
    defense = strike.defense
    if defense is not None:
        fight, defense = yield from spend_emergency_dice(rules, fight, strike.target, defense, "the defense")
    return fight, replace(strike, attack=attack, defense=defense)


def attacked(target: Fighter, by: str, body: Patient, free_strike: bool = False) -> Fighter:
    """The target after an attack: wary now, with one opponent more this round, and injured where the body is another."""
    if target.unwary or (not free_strike and by not in target.attacked_by):
        seen = target.attacked_by if free_strike or by in target.attacked_by else (*target.attacked_by, by)
        target = replace(target, unwary=False, attacked_by=seen)
    return target if body is target.body else target.with_body(body)
