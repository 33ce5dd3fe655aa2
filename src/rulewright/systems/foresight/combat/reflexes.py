"""Reflexes: what the target of an attack does about it before it is known how it comes out (book lines 3090-3112)."""

from functools import lru_cache
from math import hypot
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.pathfinding import WALKER, way
from rulewright.field.places import behind
from rulewright.play import Choice, Option, Play, Together, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.foresight.combat.arms import Weapon
from rulewright.systems.foresight.combat.events import Asked, happened
from rulewright.systems.foresight.combat.fighters import BARE, NO_AIM, CoverSpot, Fight, Fighter, Limb, on_the_map
from rulewright.systems.foresight.combat.melee import Footwork, Guard, arm_usable, open_arms, shield_covers
from rulewright.systems.foresight.combat.moves import back_off, lose_balance, turned
from rulewright.systems.foresight.combat.shots import WORST_GUESS, Fired, Shot, can_fire, jam, shot_lands, shot_task
from rulewright.systems.foresight.harm.body import Patient, condition
from rulewright.systems.foresight.harm.stamina import exertion_cost, spend
from rulewright.systems.foresight.resolution.situations import REFLEXES
from rulewright.systems.foresight.resolution.tests import Task, attempt

SHARP = Task(9, 7)
"""Somebody of ordinary perception, for rules that are asked without naming anybody."""
MOST_PREFACES = 2


class Answer(Struct, frozen=True):
    """What the target of an attack does: nothing, a dodge with its footwork, a parry with a weapon, perhaps to disarm, throw or pin."""

    guard: Guard = ""
    footwork: Footwork = ""
    weapon: int = BARE
    disarms: bool = False
    throws: bool = False
    pins: bool = False
    other: str = ""
    """A reflex that is no defense by itself: drop, squat, step, pivot, trigger."""


NOTHING = Answer()


@rule("fs-reflex-actions")
def notice(rules: Ruleset, focused: bool = True, perception: Task = SHARP, by: str = "", secret: bool = False) -> Play[bool]:
    """One reacts to what one is focused on; of anything else one has to become aware, by a perception roll (ruling)."""
    if focused or rules.word("noticing-out-of-focus") == "freely":
        return True
    if rules.word("noticing-out-of-focus") == "not at all":
        return False
    return (yield from attempt(rules, perception, by, "noticing", secret=secret)).success


def notices(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter) -> Play[bool]:
    """Whether somebody becomes aware of what another does."""
    if other.name in fighter.unaware_of or fighter.out or not fight.sees(fighter, other):
        return False
    if fight.watches(fighter, other):
        return True
    sight = fighter.profile.perception.plus(*condition(rules, fighter.body))
    return (yield from notice(rules, focused=False, perception=sight, by=fighter.name, secret=fight.aware_of(fighter.name) is not None))


def can_react(fight: Fight, fighter: Fighter) -> bool:
    """Whether somebody can move at all: not senseless, stunned, entangled or restrained."""
    held = any(pin.grip == "restrained" for pin in fight.pinned(fighter.name))
    return fighter.able and not fighter.entangled and not held


# --- against blows ------------------------------------------------------------------------------------------------------------


def _named(weapon: Weapon) -> str:
    """What somebody is attacked with, in words."""
    return weapon.name if weapon.name == "bare hands" else f"the {weapon.name}"


def answer_blow(rules: Ruleset, fight: Fight, name: str, attacker: str, *, weapon: Weapon) -> Play[tuple[Fight, Answer, bool]]:
    """The target of a blow, if aware of it and able, commits to a dodge, a parry, something else, or nothing."""
    one, other = fight.fighter(name), fight.fighter(attacker)
    aware = yield from notices(rules, fight, one, other)
    for _ in range(MOST_PREFACES):
        one, other = fight.fighter(name), fight.fighter(attacker)
        if not aware or not can_react(fight, one) or not other.able:
            return fight, NOTHING, aware
        options = guard_options(rules, fight, one, other, weapon.group)
        about = Asked(fight, name, rules, actor=attacker)
        asked = f"{attacker} strikes at you with {_named(weapon)}. What do you do?"
        chosen: Answer = yield Choice(name, asked, options, about, "guard")
        if not chosen.other:
            return fight, chosen, aware
        fight = yield from other_reflex(rules, fight, name, attacker, chosen.other)
        if chosen.other == "drop":
            return fight, NOTHING, aware
    return fight, NOTHING, aware


def guard_options(rules: Ruleset, fight: Fight, one: Fighter, other: Fighter, group: str) -> tuple[Option[Answer], ...]:
    """Everything that a target may do about a blow."""
    behind = one.side_of(other) == "behind"
    weapons: list[int] = []
    if not one.frozen and not behind:
        held = [at for at in (one.hand, one.off) if at and one.profile.weapons[at].parry is not None]
        weapons = [at for at in dict.fromkeys([*held, BARE]) if arm_usable(fight, one, at)]
    close = one.at(other) == "close"
    can_pin = bool(weapons) and BARE in weapons and close
    can_throw = group in ("unarmed", "polearms") and bool(open_arms(fight, one))
    names = tuple([(at, one.profile.weapons[at].name) for at in weapons])
    trigger = _trigger_ready(one) and not one.sudden and not one.frozen
    gripped = bool(one.pins) or bool(fight.pinned(one.name))
    pivots = behind and not one.sudden
    return _guard_options(
        one.frozen, one.stance == "standing", one.flat, gripped, names, pins=can_pin, throws=can_throw, pivots=pivots, trigger=trigger
    )


@lru_cache(maxsize=4096)
def _guard_options(
    frozen: bool,
    standing: bool,
    flat: bool,
    held: bool,
    weapons: tuple[tuple[int, str], ...],
    pins: bool,
    throws: bool,
    pivots: bool,
    trigger: bool,
) -> tuple[Option[Answer], ...]:
    found = [Option("nothing", "Do nothing", NOTHING)]
    if not frozen:
        found.append(Option("dodge", "Dodge", Answer("dodges")))
        if not flat and not held:
            found.append(Option("dodge back", "Dodge, giving a meter", Answer("dodges", "back"), "+1"))
            found.append(Option("dodge far", "Dodge desperately, giving two meters", Answer("dodges", "far"), "+3"))
        if standing:
            found.append(Option("dodge squat", "Dodge, dropping to a squat", Answer("dodges", "squat"), "+1"))
        if standing and not held:
            found.append(Option("dodge back squat", "Dodge, giving a meter and squatting", Answer("dodges", "back and squat"), "+2"))
        if throws:
            found.append(Option("dodge throw", "Dodge and throw", Answer("dodges", throws=True), "-1"))
    for at, name in weapons:
        found.append(Option(f"parry:{name}", f"Parry with {name}", Answer("parries", weapon=at)))
        found.append(Option(f"disarm:{name}", f"Parry with {name} to disarm", Answer("parries", weapon=at, disarms=True), "-3"))
    if pins:
        found.append(Option("pin", "Parry by pinning the arm", Answer("parries", weapon=BARE, pins=True)))
    if not flat:
        found.append(Option("drop", "Drop prone", Answer(other="drop")))
    if pivots and standing and not frozen:
        found.append(Option("pivot", "Pivot to face it", Answer(other="pivot"), "once a round"))
    if trigger:
        found.append(Option("trigger", "Pull the trigger", Answer(other="trigger"), "once a round"))
    return tuple(found)


# --- against shots ------------------------------------------------------------------------------------------------------------


def answer_shot(rules: Ruleset, fight: Fight, name: str, firer: str, *, weapon: Weapon) -> Play[tuple[Fight, bool]]:
    """The target of a shot, if aware of it and able, may drop, squat, duck into cover, shoot back blindly, or seize the gun hand."""
    one = fight.fighter(name)
    if firer in one.unaware_of or not can_react(fight, one):
        return fight, False
    if not (yield from notices(rules, fight, one, fight.fighter(firer))):
        return fight, False
    for _ in range(MOST_PREFACES):
        one, other = fight.fighter(name), fight.fighter(firer)
        options = duck_options(fight, one, other)
        if len(options) == 1 or not other.able or not can_react(fight, one):
            return fight, False
        about = Asked(fight, name, rules, actor=firer)
        did = f"throws {_named(weapon)} at you" if weapon.thrown else f"shoots at you with {_named(weapon)}"
        chosen: Answer = yield Choice(name, f"{firer} {did}. What do you do?", options, about, "duck")
        if chosen.pins:
            return fight, True
        if not chosen.other:
            return fight, False
        fight = yield from other_reflex(rules, fight, name, firer, chosen.other)
    return fight, False


def duck_options(fight: Fight, one: Fighter, other: Fighter) -> tuple[Option[Answer], ...]:
    """Everything that a target may do about a shot."""
    spot = nearest_cover(fight, one, other)
    close = one.at(other) == "close" and arm_usable(fight, one, BARE) and one.side_of(other) != "behind"
    trigger = _trigger_ready(one) and not one.sudden and not one.frozen
    return _duck_options(
        one.frozen,
        one.stance == "standing",
        one.flat,
        one.sudden,
        spot.name if spot and one.stance == "standing" else "",
        close=close,
        trigger=trigger,
    )


@lru_cache(maxsize=4096)
def _duck_options(
    frozen: bool, standing: bool, flat: bool, sudden: bool, spot: str, close: bool, trigger: bool
) -> tuple[Option[Answer], ...]:
    found = [Option("nothing", "Do nothing", NOTHING)]
    if not flat:
        found.append(Option("drop", "Drop prone", Answer(other="drop")))
    if not frozen and not sudden and standing:
        found.append(Option("squat", "Squat", Answer(other="squat"), "once a round"))
        if spot:
            found.append(Option("step", f"Step behind {spot}", Answer(other="step"), "once a round"))
    if trigger:
        found.append(Option("trigger", "Pull the trigger", Answer(other="trigger"), "once a round"))
    if close and not frozen:
        found.append(Option("pin", "Seize the gun hand", Answer("parries", weapon=BARE, pins=True)))
    return tuple(found)


def nearest_cover(fight: Fight, one: Fighter, against: Fighter | None = None) -> CoverSpot | None:
    """Cover within a step, where one is not behind it already; on the ground the place behind it, as seen by whom one shelters from."""
    if fight.map.covers and against is not None and not one.cover and fight.cover_from(against, one) is None:
        found = _step_behind(fight, one, against)
        if found is not None:
            return found
    near = [spot for spot in fight.ground.covers if spot.name != one.cover and hypot(spot.x - one.x, spot.y - one.y) <= 1.5]
    return min(near, key=lambda spot: hypot(spot.x - one.x, spot.y - one.y)) if near and not one.cover else None


def _step_behind(fight: Fight, one: Fighter, against: Fighter) -> CoverSpot | None:
    """The nearest place within a step behind something that lies on the ground."""
    at, found = (one.x, one.y), []
    for cover in fight.field.beside(at):
        spot = behind(fight.field, cover, [(against.x, against.y)], at)
        there = way(fight.field, at, spot, WALKER, 1.5) if spot is not None else None
        if there is not None and cover in fight.field.covers((against.x, against.y), there.end):
            found.append((there.cost, there.end, cover))
    if not found:
        return None
    _, end, cover = min(found, key=lambda each: each[:2])
    return replace(on_the_map(cover), x=end[0], y=end[1])


# --- of those who look on -----------------------------------------------------------------------------------------------------


def onlookers(fight: Fight, actor: Fighter, target: str, hostile: bool) -> list[Fighter]:
    """Those who watch an enemy and may react to what is done to somebody else: duck from an attack, or pull a trigger at anything."""
    found = []
    for one in fight.fighters:
        if one.profile.side == actor.profile.side or one.profile.name == target or not fight.watches(one, actor):
            continue
        if can_react(fight, one) and ((hostile and not one.waiting and not one.flat) or trigger_trained(one)):
            found.append(one)
    return found


def trigger_trained(one: Fighter) -> bool:
    """Whether somebody has a gun trained on anybody and a sudden movement left this round."""
    return one.aim_at != "" and not one.sudden and not one.frozen and _trigger_ready(one)


def look_on(rules: Ruleset, fight: Fight, name: str, target: str, hostile: bool) -> Play[Fight]:
    """Everybody who looks on may react on reflex before it is known how a deed comes out."""
    actor, asks = fight.fighter(name), f"{name} acts before your eyes. Do you react?"
    who = [(one, onlooker_options(fight, one, actor, hostile)) for one in onlookers(fight, actor, target, hostile)]
    asked = [
        Choice(one.name, asks, options, Asked(fight, one.name, rules, actor=name), "reflex", secret=fight.aware_of(one.name) is not None)
        for one, options in who
    ]
    if not asked:
        return fight
    answers: tuple[Answer, ...] = yield Together(tuple(asked))
    for choice, answer in zip(asked, answers, strict=True):
        one = fight.fighter(choice.who)
        if answer.other and can_react(fight, one):
            toward = one.aim_at if answer.other == "trigger" and one.aim_at else name
            if not fight.fighter(toward).out:
                fight = yield from other_reflex(rules, fight, one.name, toward, answer.other)
    return fight


def onlooker_options(fight: Fight, one: Fighter, actor: Fighter, hostile: bool) -> tuple[Option[Answer], ...]:
    """What one who looks on may do: drop, squat or step behind cover when somebody is attacked; a trained gun goes off at anything."""
    spot = nearest_cover(fight, one, actor) if one.stance == "standing" else None
    ducks = hostile and not one.waiting
    return _duck_options(
        one.frozen,
        one.stance == "standing" and ducks,
        one.flat or not ducks,
        one.sudden,
        spot.name if spot else "",
        close=False,
        trigger=trigger_trained(one),
    )


# --- carrying them out --------------------------------------------------------------------------------------------------------


def other_reflex(rules: Ruleset, fight: Fight, name: str, toward: str, which: str) -> Play[Fight]:
    """A reflex that is no defense by itself. All but the trigger cost balance; of the sudden ones there is one a round."""
    one, other = fight.fighter(name), fight.fighter(toward)
    row = REFLEXES.get(rules, which)
    if row.sudden:
        one = replace(one, sudden=True)
    if which == "trigger":
        return (yield from pull_trigger(rules, fight.put(one), name, toward))
    words = {"drop": "drops prone", "squat": "squats", "pivot": f"pivots to face {toward}", "step": "steps into cover"}
    yield from happened(fight, name, words[which])
    if which == "drop":
        one = replace(one, stance="prone", rising=0)
    elif which == "squat":
        one = replace(one, stance="squatting")
    elif which == "pivot":
        one = turned(one, other.x, other.y)
    else:
        spot = nearest_cover(fight, one, other)
        if spot is not None:
            one = replace(one, x=spot.x, y=spot.y, cover=spot.name if fight.cover_called(spot.name) else "")
    return fight.put(unsettled(rules, one) if row.unbalances else one)


def unsettled(rules: Ruleset, fighter: Fighter) -> Fighter:
    """Somebody who had to move on reflex: balance and aim are gone."""
    fighter = lose_balance(rules, fighter)
    return replace(fighter, **NO_AIM, just_hit="") if fighter.aim or fighter.just_hit else fighter


def trained_gun(one: Fighter) -> int:
    """The weapon whose trigger can be pulled at once: the one aimed with, or else that in the better hand."""
    return one.off if one.aim_off and one.aim_at else one.hand


def _trigger_ready(one: Fighter) -> bool:
    at = trained_gun(one)
    weapon = one.profile.weapons[at]
    return bool(at) and can_fire(one, at) and not weapon.thrown and (not weapon.prepare or at in one.ready)


def pull_trigger(rules: Ruleset, fight: Fight, name: str, toward: str) -> Play[Fight]:
    """A shot without aim: only a gun that was trained on its target or held against it has much of a chance (else a blind guess)."""
    one, other = fight.fighter(name), fight.fighter(toward)
    trained, at = one.aim_at == toward or one.distance(other) < 1.5, trained_gun(one)
    task, gun = shot_task(rules, fight, one, other, at, guess=0 if trained else WORST_GUESS, trained=False), one.profile.weapons[at]
    covers = shield_covers(rules, other, one)
    how = "pulls the trigger at"
    shot = Shot(name, toward, task, gun.dc, side=other.side_of(one), jam=gun.jam, covers=covers, how=how)
    fired = yield from sub(shot_lands, rules, shot, other.body)
    return (yield from shot_fired(rules, fight, name, toward, weapon=at, rounds=1, fired=fired))


def shot_fired(
    rules: Ruleset,
    fight: Fight,
    name: str,
    target: str,
    *,
    weapon: int,
    rounds: int,
    fired: Fired,
) -> Play[Fight]:
    """What a shot leaves behind: fewer rounds, recoil, a jam, somebody hit; who fires is known to everybody after it."""
    hit = fired.hits > 0
    one = fight.fighter(name)
    owned = one.profile.weapons[weapon]
    jams = one.jams
    if fired.jammed:
        yield from happened(fight, name, f"has a jam: the {owned.name} fails", "bad")
        jams = put_at(jams, weapon, (yield from jam(rules, name)))
    changes: dict[str, Any] = {
        "ammo": put_at(one.ammo, weapon, one.ammo[weapon] - min(rounds, one.ammo[weapon])),
        "jams": jams,
        "shots": one.shots + 1,
        **NO_AIM,
        "just_hit": target if hit else "",
        "ready": tuple([at for at in one.ready if at != weapon]),
        "windups": 0,
    }
    if owned.thrown:
        changes["gone"] = put_at(one.gone, weapon, "away")
        at = fight.fighter(target)  # where it was thrown is where it lies, whether it hit or not (ruling fs-ranged-weapons)
        changes["lying"] = (*[each for each in one.lying if each[0] != weapon], (weapon, at.x, at.y))
        changes.update({hand: 0 for hand in ("hand", "off") if getattr(one, hand) == weapon})
    fight = reveal(fight.put(replace(one, **changes)), name)
    return fight.harm(target, fired.body)


def put_at(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """The same with another value at one place."""
    return (*values[:at], value, *values[at + 1 :])


def reveal(fight: Fight, name: str) -> Fight:
    """Who attacks is hidden from nobody any more, and the surprise is over for both sides (ruling)."""
    for other in fight.fighters:
        if name in other.unaware_of:
            left = tuple([each for each in other.unaware_of if each != name])
            fight = fight.put(replace(other, unaware_of=left, awareness=other.awareness if left else max(0, other.awareness)))
            one = fight.fighter(name)
            fight = fight.put(replace(one, awareness=min(0, one.awareness))) if one.awareness > 0 else fight
    return fight


def defended(rules: Ruleset, fight: Fight, name: str, attacker: str, answer: Answer) -> Play[Fight]:
    """What a dodge or parry costs: balance, ground, stamina, and the ease of the next one."""
    one, other = fight.fighter(name), fight.fighter(attacker)
    one = unsettled(rules, one)
    kind = "dodge" if answer.guard == "dodges" else "parry"
    if one.bonus == kind and one.bonuses:
        one = replace(one, bonuses=one.bonuses - 1)
    elif kind == "dodge":
        one = replace(one, dodges=one.dodges + 1)
    else:
        one = replace(one, parries=one.parries + 1)
    if kind == "parry":
        one = replace(one, last_used=answer.weapon)
    if "squat" in answer.footwork:
        yield from happened(fight, name, "drops to a squat")
        one = replace(one, stance="squatting")
    back = {"back": 1.0, "back and squat": 1.0, "far": 2.0}.get(answer.footwork, 0.0)
    if back:
        yield from happened(fight, name, f"gives {back:g} m before {attacker}")
        one = back_off(fight, one, other, back)
    return (yield from tire(rules, fight.put(one), name))


def tire(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A point of stamina for an attack, dodge or parry, more under a load, where the campaign counts it in fights.

    A powered frame spends its own, and stops for good when that is gone.
    """
    one = fight.fighter(name)
    if not rules.on("stamina-in-fights") or one.out:
        return fight
    points = exertion_cost(rules, "extreme", actions=1).value * one.profile.burden
    if one.profile.power:
        after = replace(one, power=max(0, one.power - points))
        if not after.stuck:
            return fight.put(after)
        yield from happened(fight, name, "is held fast: the frame is out of power", "bad")
        return fight.put(replace(after, pins=(), waiting=False, acts=0, bonuses=0))
    body: Patient = yield from spend(rules, one.body, points)
    return fight.harm(name, body)


def limb_of(one: Fighter) -> Limb:
    """The arm that somebody attacks with, as another may seize it."""
    return one.main_arm if one.hand or not one.off else one.off_arm  # type: ignore[return-value]
