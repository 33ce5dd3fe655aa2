"""Special melee attacks and their effects (book lines 3231-3253)."""

from math import cos, radians, sin
from typing import Literal

from msgspec.structs import replace

from rulewright.field.places import pushed
from rulewright.grammar import count, the
from rulewright.play import Play, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.foresight.combat.arms import Weapon, passed_on
from rulewright.systems.foresight.combat.events import attempted, happened
from rulewright.systems.foresight.combat.fighters import BARE, NO_AIM, Fight, Fighter, direction
from rulewright.systems.foresight.combat.melee import A_BLOW, Strike, limbs_of, open_arms
from rulewright.systems.foresight.combat.moves import moved
from rulewright.systems.foresight.combat.pins import fall_down, strength_task, strengths
from rulewright.systems.foresight.combat.trips import keep_footing, trip_need
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient, condition, endurance_task
from rulewright.systems.foresight.harm.damage import bear_pain
from rulewright.systems.foresight.harm.hazards import fall
from rulewright.systems.foresight.resolution.damage_classes import Harm, covered, damage, parse_dc, protection
from rulewright.systems.foresight.resolution.locations import Location, Side
from rulewright.systems.foresight.resolution.situations import SPECIAL
from rulewright.systems.foresight.resolution.tests import BARELY, BOTCH, FAILURE, Mod, Task, attempt, chance_of, contest, weighed

BREAKS_ROPES = 2.0
"""The damage scale from which a person breaks a lasso or a net without effort (ruling)."""
HANDLES = frozenset(("knives", "swords", "two-handed swords"))
"""What can only be held by its handle."""


def footing_task(rules: Ruleset, fighter: Fighter) -> Task:
    """Agility or Acrobatics, whichever is better, to stay on one's feet."""
    worn = condition(rules, fighter.body, agility=True)
    return max(
        [task.plus(*worn) for task in (fighter.profile.agility, fighter.profile.acrobatics)], key=lambda task: chance_of(rules, task)
    )


# --- what a blow would have done ----------------------------------------------------------------------------------------------


def would_be(rules: Ruleset, dc: str, qr: int, victim: Patient, *, location: Location, side: Side) -> Play[Harm]:
    """The damage that a blow to a place would do, armor and all, without doing it."""
    if qr > BARELY:
        return Harm(0, stuns=False)
    blow = parse_dc(dc)
    layers = []
    for cover in victim.covering(location):
        if (yield from covered(rules, cover.coverage(side), victim.name)):
            layers.append(cover.against("m"))
    armor = protection(rules, tuple(layers), blow.pierces)
    return damage(rules, blow.amount, qr, victim.ds, armor.number, absorbs=armor.absorbs)


@rule("fs-special-melee-attacks")
def knockout(rules: Ruleset, through: int = 2, strike: Strike = A_BLOW, victim: Patient = SOMEBODY) -> Play[Patient]:
    """A blow to knock out has to come through at QR2, or QR3 from behind; it does so where it would have wounded the head.

    Where it would only have stunned, it does that; with any other rating it misses.
    """
    needs = SPECIAL.get(rules, "knockout")
    if through > (needs.behind if strike.side == "behind" else needs.rating):
        return victim
    harm = yield from would_be(rules, strike.dc, through, victim, location="head", side=strike.side)
    if harm.levels:
        return replace(victim, unconscious=True)
    return (yield from sub(bear_pain, rules, victim, "head")) if harm.stuns else victim


@rule("fs-special-melee-attacks")
def pushed_back(rules: Ruleset, levels: int = 2, ds: float = 1) -> int:
    """Meters that a knockback drives a person: the wounds it would have done less the damage scale, begun meters not counted."""
    return max(0, int(levels - ds)) if levels > ds else 0


@rule("fs-special-melee-attacks")
def after_knockback(rules: Ruleset, qr: int = 7) -> Literal["standing", "kneeling", "prone"]:
    """Whether a person who is knocked back keeps the feet: a failed roll ends on the knees, a botch on the ground."""
    return "standing" if qr <= BARELY else "kneeling" if qr == FAILURE else "prone"


def knock_back(rules: Ruleset, fight: Fight, name: str, target: str, *, strike: Strike, through: int) -> Play[Fight]:
    """A push instead of a wound: the attacker follows to close quarters, and the target goes back and may fall."""
    result, other = fight.fighter(name), fight.fighter(target)
    fight = fight.put(moved(fight, result, f"close:{target}", 2.0))
    yield from happened(fight, name, f"is right up to {target}")
    if through > BARELY:
        return fight
    harm = yield from would_be(rules, strike.dc, through, other.body, location="chest", side=strike.side)
    meters = pushed_back(rules, harm.levels, other.body.ds)
    if not meters:
        yield from happened(fight, target, "does not give way")
        return fight
    yield from happened(fight, target, f"is driven back {meters} m", "bad")
    away = pushed_from(fight, other, result, float(meters))
    fight = fight.put(away)
    task = footing_task(rules, other)
    rolled = yield from attempt(rules, task, target, "staying on the feet")
    stance = after_knockback(rules, rolled.qr)
    said = f"{'stays on their feet' if stance == 'standing' else 'loses their footing'} (QR{rolled.qr})"
    yield from attempted(fight, target, said, of=((target, weighed(rules, task)),))
    return fight if stance == "standing" else (yield from fall_down(rules, fight, target, stance))


def pushed_from(fight: Fight, other: Fighter, fighter: Fighter, meters: float) -> Fighter:
    """A person driven straight away from where the attacker came, whichever way they look, as far as nothing is in the way."""
    way = radians(direction(fighter.x, fighter.y, other.x, other.y) if other.distance(fighter) else other.facing + 180)
    end = round(other.x + meters * cos(way), 2), round(other.y + meters * sin(way), 2)
    x, y = end if fight.bare else pushed(fight.field, (other.x, other.y), end)
    return replace(other, x=x, y=y, cover="", braced=False)


# --- bringing down ------------------------------------------------------------------------------------------------------------


def trip(rules: Ruleset, fight: Fight, name: str, target: str, through: int) -> Play[Fight]:
    """The target of a trip that came through rolls to keep the feet; weight and legs help."""
    result, other = fight.fighter(name), fight.fighter(target)
    need = trip_need(rules, result.profile.st, other.kg, other.legs).value
    stance = yield from keep_footing(rules, through, footing_task(rules, other), need, target)
    return fight if stance == "standing" else (yield from fall_down(rules, fight, target, stance))


@rule("fs-special-melee-attacks")
def entangled(rules: Ruleset, attack: int = 2, footing: int = 4, ds: float = 1) -> int:
    """Concentrate actions that it takes to get free of a lasso or net: how much better the throw was than the footing."""
    return max(0, footing - attack) if attack <= BARELY and ds < BREAKS_ROPES else 0


def entangle(rules: Ruleset, fight: Fight, name: str, target: str, through: int) -> Play[Fight]:
    """Struck with a lasso, bola or net: on the knees if it was one better than the footing, flat if more, and bound."""
    other = fight.fighter(target)
    if through > BARELY:
        return fight
    task = footing_task(rules, other)
    rolled = yield from attempt(rules, task, target, "keeping clear")
    actions, of = entangled(rules, through, rolled.qr, other.body.ds), ((target, weighed(rules, task)),)
    if not actions:
        yield from attempted(fight, target, f"keeps clear (QR{rolled.qr})", of=of)
        return fight
    said = f"is entangled (QR{rolled.qr}; {count(actions, 'concentrate action')} to get free)"
    yield from attempted(fight, target, said, "bad", of=of)
    fight = fight.change(target, entangled=actions, waiting=False)
    return (yield from fall_down(rules, fight, target, "kneeling" if actions == 1 else "prone"))


def throw_down(rules: Ruleset, fight: Fight, name: str, target: str, way: str = "throw as an attack") -> Play[Fight]:
    """A person is thrown three meters past the thrower and lands flat; it counts as a fall of as many meters (ruling)."""
    result, other = fight.fighter(name), fight.fighter(target)
    meters = SPECIAL.get(rules, way).meters
    yield from happened(fight, name, f"throws {target}", "good")
    past = moved(fight, other, f"away:{name}", float(meters), turns=False) if other.distance(result) else replace(other, x=other.x + meters)
    fight = fight.put(past)
    fight = yield from fall_down(rules, fight, target)
    agile = other.profile.agility
    body = yield from sub(fall, rules, other.body, meters, "controlled fall", agile.score, agile.ease, agile.modifier)
    return fight.harm(target, body)


# --- taking weapons -----------------------------------------------------------------------------------------------------------


@rule("fs-special-melee-attacks")
def disarms(rules: Ruleset, own: int = 2, opposed: int = 3) -> bool:
    """A disarming attack or parry works where it succeeds and is better than what it is up against."""
    return own <= BARELY and own < opposed


def lose_weapon(fight: Fight, name: str, weapon: int, way: str = "") -> Play[Fight]:
    """A weapon is knocked out of reach; a bare limb goes numb instead, the one that the blow was struck with."""
    result = fight.fighter(name)
    if not weapon:
        arm = limbs_of(fight, result, BARE, way)[0]
        yield from happened(fight, name, f"loses feeling in the {arm}", "bad")
        return fight.put(replace(result, numb=tuple(sorted({*result.numb, arm}))))
    yield from happened(fight, name, f"loses {the(result.profile.weapons[weapon].name)}", "bad")
    gone = tuple(["away" if at == weapon else state for at, state in enumerate(result.gone)])
    hands = {field: 0 for field in ("hand", "off") if getattr(result, field) == weapon}
    return fight.put(replace(result, gone=gone, **NO_AIM, shouldered=False, braced=False, **hands))


@rule("fs-special-melee-attacks")
def numbness(rules: Ruleset, victim: Patient = SOMEBODY, hours: int = 1) -> Play[int]:
    """Hours until feeling comes back into a numbed limb: an endurance roll each hour, as many as are watched; 0 where it does not.

    By id only.
    """
    for hour in range(1, min(hours, 100) + 1):
        rolled = yield from attempt(rules, endurance_task(rules, victim, *condition(rules, victim)), victim.name, "feeling returns")
        if rolled.success:
            return hour
    return 0


@rule("fs-special-melee-attacks")
def object_size(rules: Ruleset, kg: float = 1) -> Mod:
    """A thing held is smaller than its holder: grabbing at it costs 1 from three kilograms on, 2 from one, 3 below (ruling)."""
    return Mod("size of the thing", -1 if kg >= 3 else -2 if kg >= 1 else -3, "fs-special-melee-attacks", "ruling")


@rule("fs-special-melee-attacks")
def grabbed(rules: Ruleset, own: int = 2, holder: int = 4, only_handle: bool = False) -> Literal["taken", "both hold", "kept"]:
    """Decides who keeps a thing: strictly better takes it, by two where there is nothing but a handle to hold; a tie leaves both a grip."""
    ahead = holder - own
    if ahead >= (2 if only_handle else 1):
        return "taken"
    return "both hold" if ahead == 0 else "kept"


def grab(rules: Ruleset, fight: Fight, name: str, target: str, through: int) -> Play[Fight]:
    """A grab that came through: strength against strength for what the target holds, the holder at +2 for the grip."""
    outcome, other = fight.fighter(name), fight.fighter(target)
    if through > BARELY or not other.hand:
        return fight
    thing: Weapon = other.weapon
    handle = Mod("has the grip", 2, "fs-special-melee-attacks")
    mine, theirs = strength_task(rules, outcome, knack=False), strength_task(rules, other, knack=False).plus(handle)
    result = yield from contest(rules, mine, theirs, name, target, what="strength")
    value = grabbed(rules, result.one, result.other, thing.group in HANDLES)
    words = {"taken": "wrests away", "both hold": "gets a hand on", "kept": "cannot get"}
    of = ((name, weighed(rules, mine)), (target, weighed(rules, theirs)))
    said = f"{words[value]} {target}'s {thing.name} ({strengths(result)})"
    yield from attempted(fight, name, said, "good" if value == "taken" else "plain", of=of)
    if value != "taken":
        return fight
    fight = hand_over(rules, fight, name, target, other.hand)
    return (yield from lose_weapon(fight, target, other.hand))


def hand_over(rules: Ruleset, fight: Fight, name: str, target: str, weapon: int) -> Fight:
    """The grabber has the weapon now, loaded, cocked and jammed as it is; where no hand is free for it, it lies at their feet."""
    result, other = fight.fighter(name), fight.fighter(target)
    taken = passed_on(rules, other.profile.weapons[weapon], other.profile, result.profile)
    at = len(result.profile.weapons)
    arms = open_arms(fight, result)
    text = "hand" if result.main_arm in arms else "off"
    free = len(arms) >= (2 if taken.hands == "2" else 1)
    hands: dict[str, int] = {text: at} if free else {}
    return fight.put(
        replace(
            result,
            profile=replace(result.profile, weapons=(*result.profile.weapons, taken)),
            ammo=(*result.ammo, other.ammo[weapon]),
            jams=(*result.jams, other.jams[weapon]),
            gone=(*result.gone, "" if free else "at hand"),
            attacks=(*result.attacks, 0),
            ready=(*result.ready, at) if weapon in other.ready else result.ready,
            **hands,
        )
    )


@rule("fs-special-melee-attacks")
def headbutt_hurts(qr: int = 10) -> bool:
    """Whether a headbutt hurts the one who gives it: on a botch (ruling)."""
    return qr == BOTCH
