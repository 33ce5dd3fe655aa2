"""Close attacks in a fight: defense, result and Free Strikes."""

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import the
from rulewright.play import Choice, Option, Play, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.gravity import floats
from rulewright.systems.silhouette.action.rounds import lowers_guard, may_strike_freely
from rulewright.systems.silhouette.attacks.attack_setup import defenseless, guards, make_blow
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.facing import turned_to
from rulewright.systems.silhouette.attacks.orders import guard_by_point
from rulewright.systems.silhouette.attacks.recoil import flung_apart
from rulewright.systems.silhouette.attacks.skill_applications import blow_with_applications
from rulewright.systems.silhouette.attacks.special_effects import mimicked
from rulewright.systems.silhouette.combat.arms import Weapon
from rulewright.systems.silhouette.combat.close_combat import GUARDS, Blow, Guard, Struck, lower_of_stealth, strike
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import (
    Action,
    Fight,
    Fighter,
    Landing,
    Opening,
    Situation,
    Swing,
    reach_of,
    striking_weapon,
)
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.damage import only_bruises


def _add_emergency_dice(rules: Ruleset, fight: Fight, blow: Blow) -> Play[tuple[Fight, Blow]]:
    """Lets both sides add Emergency Dice to an attack."""
    fight, pool = yield from spend_emergency_dice(rules, fight, blow.attacker, blow.attack.pool, f"the attack on {blow.target}")
    if pool is not blow.attack.pool:
        blow = replace(blow, attack=replace(blow.attack, pool=pool))
    if blow.defense is not None:
        fight, pool = yield from spend_emergency_dice(rules, fight, blow.target, blow.defense.pool, "the defense")
        if pool is not blow.defense.pool:
            blow = replace(blow, defense=replace(blow.defense, pool=pool))
    return fight, blow


# --- a blow in a fight --------------------------------------------------------------------------------------------------------

GUARD_OPTIONS: dict[Guard, Option[Guard]] = {
    "dodge": Option("dodge", "Dodge (Defense)", "dodge"),
    "parry": Option("parry", "Parry (Melee)", "parry"),
    "block": Option("block", "Block (Hand-to-Hand)", "block"),
}
_MANY: tuple[Option[bool], ...] = (
    Option("no", "Defend normally", False),
    Option("yes", "Give up dice to defend against all of them", True),
)


def choose_guard(rules: Ruleset, fight: Fight, attacker: Fighter, target: Fighter, weapon: Weapon) -> Play[tuple[Fight, Guard]]:
    """Asks the target how to defend; an outnumbered one may first give up dice for this round."""
    if defenseless(rules, fight, target):
        return fight, "dodge"
    others = len([foe for foe in fight.enemies(target) if foe.distance(target) <= reach_of(rules, foe.profile, foe.weapon)]) - 1
    if others > 0 and not target.many and not target.attacked_by:
        asked = f"{others + 1} opponents attack you. Do you defend against all of them?"
        if (yield from Choice(target.name, asked, _MANY, Situation(fight, target.name, rules), "many")):
            yield happened(fight, target.name, f"defends against {others + 1} opponents")
            fight = fight.change(target.name, many=others)
    options = _defense_of(guards(rules, fight, target))
    about = Situation(fight, target.name, rules, action=Action("strike", attacker.name))
    asked = f"{attacker.name} attacks with {the(weapon.name)}. How do you defend?"
    guard = yield from Choice(target.name, asked, options, about, "guard")
    return fight, guard


@cached(64)
def _defense_of(item: tuple[Guard, ...]) -> tuple[Option[Guard], ...]:
    return tuple([GUARD_OPTIONS[guard] for guard in item])


def swing(rules: Ruleset, fight: Fight, item: Swing) -> Play[Fight]:
    """Settles the defense against a declared blow, with Command Points and Emergency Dice; only the dice are left."""
    name, action = item.name, item.action
    attacker, target = fight.fighter(name), fight.fighter(action.target)
    weapon = attacker.profile.weapons[action.weapon]
    if not fight.in_it(target) or not fight.in_it(attacker):
        return fight
    if attacker.distance(target) > reach_of(rules, attacker.profile, weapon):
        raise UserError(f"{target.name} is out of {name}'s reach")
    if item.free:
        if not may_strike(rules, fight, attacker, target):
            return fight
        fight = fight.put(replace(attacker, struck_freely=True))
        yield happened(fight, name, f"makes a Free Strike against {target.name}")
    fight = turned_to(rules, fight, name, target.name)
    attacker, target = fight.fighter(name), fight.fighter(target.name)
    fight, guard = yield from choose_guard(rules, fight, attacker, target, weapon)
    if fight.commands:
        fight = yield from guard_by_point(rules, fight, fight.fighter(target.name), name)
    attacker, target = fight.fighter(name), fight.fighter(target.name)
    if fight.swayed:
        fight, attacker, target = yield from _mimic_skills(rules, fight, attacker, target, weapon=weapon, guard=guard)
    blow = make_blow(rules, fight, attacker, target, weapon, action=action, guard=guard, penalty=item.penalty, free=item.free)
    fight, blow = yield from blow_with_applications(rules, fight, blow)
    fight, blow = yield from _add_emergency_dice(rules, fight, blow)
    return fight.first(Landing(blow, item.free))


def _mimic_skills(
    rules: Ruleset, fight: Fight, attacker: Fighter, target: Fighter, *, weapon: Weapon, guard: Guard
) -> Play[tuple[Fight, Fighter, Fighter]]:
    """Returns both sides of this blow, after Genre Points may have replaced a missing skill."""
    open_ = defenseless(rules, fight, target)
    skill = weapon.skill
    if open_ and target.unwary:
        skill = lower_of_stealth(skill, attacker.profile.level(skill), attacker.profile.level("stealth")).skill
    fight, attacker = yield from mimicked(rules, fight, attacker.name, skill)
    if not open_:
        fight, target = yield from mimicked(rules, fight, target.name, GUARDS[guard][0])
    return fight, attacker, target


def land(rules: Ruleset, fight: Fight, item: Landing) -> Play[Fight]:
    """Rolls a blow: damage, and an opening if either side drops the guard."""
    blow = item.blow
    struck: Struck = yield from sub(strike, rules, blow, fight.fighter(blow.target).body)
    if struck.shield is not None:
        target = fight.fighter(blow.target)
        fight = fight.put(replace(target, profile=replace(target.profile, shield=struck.shield)))
    fight = _end_attack(rules, fight, blow.attacker, blow.target, body=struck.victim, free=item.free)
    if struck.hits and floats(fight.ground.gravity):
        fight = yield from flung_apart(fight, blow.attacker, blow.target, blow.multiplier * struck.hits)
    if struck.open == "nobody":
        return fight
    opened = Opening(blow.attacker, "fumbled attack") if struck.open == "attacker" else Opening(blow.target, "fumbled defense")
    return fight.first(opened)


def _end_attack(rules: Ruleset, fight: Fight, name: str, target: str, *, body: Patient, free: bool) -> Fight:
    """Updates the fight after an attack: nobody involved stays hidden or unwary, and the target may be hurt."""
    attacker = fight.fighter(name)
    if attacker.hidden or attacker.aim:
        fight = fight.put(replace(attacker, hidden=False, aim=0, aim_at=""))
    return harmed(rules, attacked(fight, target, name, free), target, body, name)


def attacked(fight: Fight, target: str, by: str, free: bool = False) -> Fight:
    """Marks a fighter as attacked: wary, with one more opponent this round."""
    result = fight.fighter(target)
    seen = result.attacked_by if free or by in result.attacked_by else (*result.attacked_by, by)
    if seen != result.attacked_by or result.unwary or result.guarded:
        fight = fight.put(replace(result, attacked_by=seen, unwary=False, guarded=False))
    return fight


def harmed(rules: Ruleset, fight: Fight, name: str, body: Patient, by: str = "") -> Fight:
    """Applies an injury; a fighter who shares a moment with others falls only when it is over."""
    fighter = fight.fighter(name)
    if body is fighter.body:
        return fight
    worse = body.flesh + body.deep > fighter.body.flesh + fighter.body.deep
    if fight.swayed and by and worse and "mortal strike" in fight.fighter(by).body.genre:
        fight = fight.change(by, dealt=(name, body.flesh + body.deep))
        fighter = fight.fighter(name)
    if any(moment.name == name for moment in fight.frozen):
        return fight.put(replace(fighter, body=body))
    return fight.put(fighter.with_body(rules, body))


def bruises(fighter: Fighter, weapon: Weapon, meant_to_wound: bool) -> bool:
    """Whether a blow only bruises: bare hands do, unless a trained fighter means to wound."""
    return weapon.skill == "hand-to-hand" and not weapon.natural and only_bruises(fighter.profile.level("hand-to-hand"), meant_to_wound)


# --- Free Strikes -------------------------------------------------------------------------------------------------------------

_STRIKE: tuple[Option[bool], ...] = (Option("strike", "Make a Free Strike", True), Option("hold", "Do not strike", False))


def strikers(rules: Ruleset, fight: Fight, opening: Opening) -> list[Fighter]:
    """Returns the aware opponents within reach who have not yet made a Free Strike this round."""
    prey = fight.fighter(opening.who)
    if not fight.in_it(prey) or not lowers_guard(rules, opening.act):
        return []
    return [f for f in fight.fighters if f.profile.side != prey.profile.side and may_strike(rules, fight, f, prey)]


def offer_free_strikes(rules: Ruleset, fight: Fight, opening: Opening) -> Play[Fight]:
    """Offers a Free Strike to every aware opponent within reach, once per round and without cost."""
    able = strikers(rules, fight, opening)
    if not able:
        return fight
    asked = f"{opening.who} drops their guard. Do you strike?"
    answers = yield from Together(tuple([Choice(f.name, asked, _STRIKE, Situation(fight, f.name, rules), "free strike") for f in able]))
    swings = []
    for striker, strikes_now in zip(able, answers, strict=True):
        if strikes_now:
            at = striking_weapon(striker)
            action = Action("strike", opening.who, weapon=at, bruise=bruises(striker, striker.profile.weapons[at], True))
            swings.append(Swing(striker.name, action, free=True))
    return fight.first(*swings)


def may_strike(rules: Ruleset, fight: Fight, striker: Fighter, target: Fighter) -> bool:
    """Whether a fighter may make a Free Strike against another now."""
    if striker.struck_freely or target.hidden or striker.pace in ("sprinting", "climbing") or striker.body.snared is not None:
        return False
    if striker.profile.plan.swarm is not None:  # it attacks all within it as a round begins, and nobody else
        return False
    radius = reach_of(rules, striker.profile, striker.profile.weapons[striking_weapon(striker)])
    return may_strike_freely(fight.acting_body(striker).able, not striker.unwary, 0, striker.distance(target), radius)
