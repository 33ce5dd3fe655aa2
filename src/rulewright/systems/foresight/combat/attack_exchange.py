"""A melee attack from start to end: reaction, exchange, effect and cost (book lines 3114-3253)."""

from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, came_to, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.events import EFFECT, Asked, happened
from rulewright.systems.foresight.combat.fighters import BARE, Action, Fight, Fighter
from rulewright.systems.foresight.combat.melee import (
    Met,
    Strike,
    Struck,
    arm_usable,
    arms_in_use,
    attack_task,
    damage_of,
    dodge_task,
    exchange,
    limbs_of,
    parry_task,
    shield_covers,
    strike_at,
    struck_body,
    written_dc,
)
from rulewright.systems.foresight.combat.moves import after_action
from rulewright.systems.foresight.combat.pins import capture, pin_task, take_hold
from rulewright.systems.foresight.combat.reflexes import NOTHING, Answer, answer_blow, defended, limb_of, reveal, tire
from rulewright.systems.foresight.combat.special import (
    disarms,
    entangle,
    grab,
    headbutt_hurts,
    knock_back,
    knockout,
    lose_weapon,
    object_size,
    throw_down,
    trip,
)
from rulewright.systems.foresight.harm.damage import Blow, be_hit
from rulewright.systems.foresight.resolution.situations import special_attack
from rulewright.systems.foresight.resolution.tests import BARELY, FAILURE, Mod, Task

PLAIN_WAYS = ("", "kick", "headbutt", "lethal strike")
"""Ways to strike that end in a wound like any other blow."""
AIMS = ("head", "torso", "legs", "left arm", "right arm")
SAID = {
    "": "attacks",
    "trip": "tries to trip",
    "knockout": "tries to knock out",
    "entangle": "tries to entangle",
    "grab": "grabs at the weapon of",
    "disarm": "tries to disarm",
    "knockback": "charges into",
    "throw as an attack": "tries to throw",
    "headbutt": "headbutts",
    "kick": "kicks at",
    "lethal strike": "strikes to kill",
    "pin": "tries to pin",
    "strangle": "goes for the throat of",
}


def attack(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    """A melee attack, plain or special, or an attempt to pin."""
    result = fight.fighter(name)
    weapon = result.profile.weapons[action.weapon]
    fight, answer, aware = yield from answer_blow(rules, fight, action.target, name, weapon=weapon)
    result, other = fight.fighter(name), fight.fighter(action.target)
    if not result.able or other.out or result.at(other) is None:
        return fight
    if answer.guard == "parries" and action.kind == "attack" and action.way == "" and not answer.pins:
        about = Asked(fight, name, rules, action, action.target)
        if (yield from Choice(name, f"{other.name} will parry. Do you try to disarm instead?", _CONVERT, about, "convert")):
            action = replace(action, way="disarm", aimed="")
    strike = struck_so(rules, fight, result, other, action, answer=answer, aware=aware)
    fight, met = yield from _resolve(rules, fight, name, action, strike=strike, answer=answer)
    fight = yield from _answered(rules, fight, name, action, strike=strike, answer=answer, met=met)
    return (yield from _spent(rules, fight, name, action, answer))


_CONVERT: tuple[Option[bool], ...] = (
    Option("attack", "Attack as planned", value=False),
    Option("disarm", "Attack to disarm", value=True, note="-3"),
)


@cached(20_000)
def struck_so(
    rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter, action: Action, answer: Answer = NOTHING, aware: bool = True
) -> Strike:
    """The attack with everything decided."""
    at = fighter.at(other) or "normal"
    amount, pierces = damage_of(
        rules, fighter, at, action.weapon, way=action.way, limbs=limbs_of(fight, fighter, action.weapon, action.way)
    )
    if action.kind == "pin":
        task = pin_task(rules, fight, fighter, other, limb=action.to, aware=aware)  # type: ignore[arg-type]
    else:
        extra = (object_size(rules, other.weapon.kg),) if action.way == "grab" else ()
        task = attack_task(rules, fight, fighter, other, weapon=action.weapon, way=action.way, aimed=action.aimed, aware=aware, extra=extra)
    group = fighter.profile.weapons[action.weapon].group
    defense = defense_task(rules, fight, other, fighter, answer=answer, dc=amount, group=group) if answer.guard else None
    aimed = action.aimed if action.kind == "attack" else ""
    dc = written_dc(amount, pierces)
    covers, known = shield_covers(rules, other, fighter), fight.aware_of(fighter.name)
    seen = None if known is None else (*known, other.name)
    return Strike(
        attacker=fighter.name,
        target=other.name,
        attack=task,
        defense=defense,
        guard=answer.guard,
        dc=dc,
        aimed=aimed,
        side=other.side_of(fighter),
        covers=covers,
        how=_said(action),
        known_to=seen,
        special=action.kind == "pin" or action.way not in PLAIN_WAYS,
    )


def _said(action: Action) -> str:
    """The words for an attack in the log."""
    if action.kind == "pin":
        return SAID["strangle"] if action.to == "neck" else f"{SAID['pin']} the {action.to} of"
    how = SAID[action.way]
    return f"{how} the {action.aimed} of" if action.aimed else how


def defense_task(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter, *, answer: Answer, dc: float, group: str) -> Task:
    """The dodge or parry that was chosen, with what disarming, throwing or pinning by it costs."""
    if answer.guard == "dodges":
        extra = (special_attack(rules, "throw as a dodge", fighter.profile.knows("Throws"))[0],) if answer.throws else ()
        return dodge_task(rules, fight, fighter, other, ground=answer.footwork, group=group, extra=extra)
    mods: tuple[Mod, ...] = ()
    if answer.disarms:
        mods = (special_attack(rules, "disarm")[0],)
    elif answer.pins:
        mods = (Mod("at the arm", -2, "fs-close-quarters-pins"), capture(rules, fighter.profile.knows("Capture")))
    return parry_task(rules, fight, fighter, other, weapon=answer.weapon, dc=dc, group=group, extra=mods)


def _resolve(rules: Ruleset, fight: Fight, name: str, action: Action, *, strike: Strike, answer: Answer) -> Play[tuple[Fight, Met]]:
    """The exchange, and what it does to the target."""
    target = action.target
    if action.kind == "attack" and action.way in PLAIN_WAYS:
        body = fight.fighter(target).body
        if _only_the_wound(action, answer):
            return fight.harm(target, (yield from sub(struck_body, rules, strike, body))), STRUCK
        struck: Struck = yield from sub(strike_at, rules, strike, body)
        fight = fight.harm(target, struck.body)
        if action.way == "headbutt" and headbutt_hurts(struck.met.attack):
            fight = yield from headbutt_back(rules, fight, name, strike.dc)
        return fight, struck.met
    met: Met = yield from sub(exchange, rules, strike)
    before, pins = fight.fighter(target), fight.pinned(target)
    if action.kind == "pin":
        if met.through <= BARELY:
            fight = yield from take_hold(rules, fight, name, target, action.to)  # type: ignore[arg-type]
    else:
        fight = yield from _special(rules, fight, name, action, strike=strike, answer=answer, met=met)
    yield from came_to(_effect(before, fight.fighter(target), met, holds=fight.pinned(target) != pins), EFFECT, name, target)
    return fight, met


def _effect(before: Fighter, after: Fighter, met: Met, *, holds: bool) -> str:
    """The result of a special attack, in one of the words of `EFFECTS`."""
    if met.attack > BARELY:
        return "miss"
    flag_by_name = {
        "knocked out": after.body.unconscious and not before.body.unconscious,
        "held": holds,
        "disarmed": (after.hand, after.off, after.numb) != (before.hand, before.off, before.numb),
        "bound": after.entangled > before.entangled,
        "stunned": after.body.stunned and not before.body.stunned,
        "on the ground": after.flat and not before.flat,
        "driven back": (after.x, after.y) != (before.x, before.y),
        "on the knees": after.stance != before.stance,
    }
    return next((word for word, holds in flag_by_name.items() if holds), "stopped" if met.through > BARELY else "no effect")


STRUCK = Met(FAILURE, FAILURE, FAILURE)
"""In place of ratings that nothing depends on any more."""


def _only_the_wound(action: Action, answer: Answer) -> bool:
    """Whether nothing but the wound follows from a blow: no bare arm took it, and nobody disarms, throws, pins or butts."""
    bare = answer.guard == "parries" and answer.weapon == BARE and action.weapon != BARE
    return not (answer.disarms or answer.throws or answer.pins or bare or action.way == "headbutt")


def _special(rules: Ruleset, fight: Fight, name: str, action: Action, *, strike: Strike, answer: Answer, met: Met) -> Play[Fight]:
    target, way = action.target, action.way
    if way == "knockout":
        before = fight.fighter(target).body
        body = yield from sub(knockout, rules, met.through, strike, before)
        yield from happened(
            fight, target, "is knocked out" if body.unconscious else "is not knocked out", "bad" if body.unconscious else "plain"
        )
        return fight.harm(target, body)
    if way == "disarm":
        if disarms(rules, met.attack, met.defense):
            weapon = answer.weapon if answer.guard == "parries" else fight.fighter(target).hand
            fight = yield from lose_weapon(fight, target, weapon)
        return fight
    if way == "knockback":
        return (yield from knock_back(rules, fight, name, target, strike=strike, through=met.through))
    if met.through > BARELY:
        return fight
    if way == "trip":
        return (yield from trip(rules, fight, name, target, met.through))
    if way == "entangle":
        return (yield from entangle(rules, fight, name, target, met.through))
    return (yield from (grab(rules, fight, name, target, met.through) if way == "grab" else throw_down(rules, fight, name, target)))


def _answered(rules: Ruleset, fight: Fight, name: str, action: Action, *, strike: Strike, answer: Answer, met: Met) -> Play[Fight]:
    """Applies the extra effects of a defense: a throw, a weapon knocked away, an arm seized, a limb that took the force."""
    target = action.target
    if not answer.guard:
        return fight
    fight = yield from defended(rules, fight, target, name, answer)
    other = fight.fighter(target)
    if other.out:
        return fight
    if answer.throws and met.defense < met.attack and met.defense <= BARELY:
        return (yield from throw_down(rules, fight, target, name, "throw as a dodge"))
    if answer.disarms and disarms(rules, met.defense, met.attack):
        return (yield from lose_weapon(fight, name, action.weapon, action.way))
    if answer.pins and met.defense <= BARELY:
        return (yield from take_hold(rules, fight, target, name, limb_of(fight.fighter(name))))
    if action.kind == "attack" and action.way in PLAIN_WAYS:
        return (yield from force_taken(rules, fight, target, action.weapon, strike=strike, answer=answer, met=met))
    return fight


def force_taken(rules: Ruleset, fight: Fight, target: str, weapon: int, *, strike: Strike, answer: Answer, met: Met) -> Play[Fight]:
    """A bare arm that stopped a weapon takes part of the force (ruling, setting parrying-limb)."""
    other = fight.fighter(target)
    bare = answer.guard == "parries" and answer.weapon == BARE and met.defense <= BARELY and met.attack <= BARELY
    if not bare or weapon == BARE or other.out or rules.word("parrying-limb") != "takes the force":
        return fight
    body = yield from be_hit(rules, other.body, Blow(strike.dc, BARELY, arms_in_use(fight, other, BARE)[0], strike.side))
    return fight.harm(target, body)


def _spent(rules: Ruleset, fight: Fight, name: str, action: Action, answer: Answer) -> Play[Fight]:
    """Applies the cost of an attack: the next with the same weapon is harder, balance is lost, feints and wind-ups are used up."""
    result = fight.fighter(name)
    counts = tuple([count + (at == action.weapon) for at, count in enumerate(result.attacks)])
    result = replace(result, attacks=counts, last_used=action.weapon, feints=0, windups=0)
    fight = fight.put(after_action(rules, result, action.kind))
    fight = reveal(_faced(_faced(fight, name, action.target), action.target, name), name)
    return (yield from tire(rules, fight, name))


def _faced(fight: Fight, name: str, foe: str) -> Fight:
    """One more exchange with a person of a strange style."""
    if not fight.fighter(foe).style:
        return fight
    result = fight.fighter(name)
    counts = dict(result.faced)
    counts[foe] = counts.get(foe, 0) + 1
    return fight.put(replace(result, faced=tuple(sorted(counts.items()))))


def headbutt_back(rules: Ruleset, fight: Fight, name: str, dc: str) -> Play[Fight]:
    """A botched headbutt hurts the one who gave it."""
    yield from happened(fight, name, "hurts only themselves", "bad")
    body = yield from be_hit(rules, fight.fighter(name).body, Blow(dc, BARELY, "head"))
    return fight.harm(name, body)


# --- the options offered ------------------------------------------------------------------------------------------------------


def attack_weapons(fight: Fight, fighter: Fighter, other: Fighter) -> list[int]:
    """The weapons a person can strike another with at this distance: those in hand, or a bare one."""
    at = fighter.at(other)
    if at is None or fighter.side_of(other) == "behind":
        return []
    numbers = [weapon for weapon in dict.fromkeys((fighter.hand, fighter.off)) if weapon]
    return [
        number for number in [*numbers, BARE] if fighter.profile.weapons[number].bite(at) is not None and arm_usable(fight, fighter, number)
    ]


def ways_of(fight: Fight, fighter: Fighter, other: Fighter, weapon: int) -> list[str]:
    """The special attacks that a weapon allows against a person now."""
    owned, at, result = fighter.profile.weapons[weapon], fighter.at(other), ["knockout"]
    bare = weapon == BARE
    legs_free = not any(pin.limb == "legs" for pin in fight.pinned(fighter.name))
    if (owned.group == "polearms" or (bare and legs_free)) and other.stance == "standing" and other.legs <= 4:
        result.append("trip")
    if owned.group == "entangling":
        result.append("entangle")
    if at == "normal" and (bare or owned.group == "shields"):
        result.append("knockback")
    if bare:
        result += ["grab"] if other.hand else []
        result += ["throw as an attack", "headbutt"] if at == "close" else []
        result += ["kick"] if legs_free and fighter.stance == "standing" else []
        result += ["lethal strike"] if fighter.profile.knows("Lethal") else []
    return result


def in_reach(fight: Fight, fighter: Fighter, other: Fighter, action: Action) -> bool:
    """Whether an attack that was begun still reaches its target."""
    if action.kind == "pin":
        return fighter.at(other) == "close" and arm_usable(fight, fighter, BARE)
    if action.way and action.way not in (*ways_of(fight, fighter, other, action.weapon), "disarm"):
        return False
    return action.weapon in attack_weapons(fight, fighter, other) or action.way in without_hands(fight, fighter, other)


HANDLESS = ("trip", "headbutt", "kick")
"""What takes no hand."""


def without_hands(fight: Fight, fighter: Fighter, other: Fighter) -> list[str]:
    """The special attacks of a person whose hands are full: legs and head are still free."""
    if fighter.at(other) not in ("close", "normal") or fighter.side_of(other) == "behind" or BARE in attack_weapons(fight, fighter, other):
        return []
    return [way for way in ways_of(fight, fighter, other, BARE) if way in HANDLESS]
