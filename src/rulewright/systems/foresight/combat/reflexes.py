"""Reflexes: how the target of an attack reacts before its outcome is known (book lines 3090-3112)."""

from math import hypot
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.pathfinding import WALKER, way
from rulewright.field.places import behind
from rulewright.grammar import the
from rulewright.play import Choice, Option, Play, Tell, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.scenes.skirmish import put_at
from rulewright.systems.foresight.combat.arms import Weapon
from rulewright.systems.foresight.combat.events import Asked, happened
from rulewright.systems.foresight.combat.fighters import BARE, NO_AIM, CoverSpot, Fight, Fighter, Limb, on_the_map
from rulewright.systems.foresight.combat.melee import Footwork, Guard, arm_usable, open_arms, shield_covers
from rulewright.systems.foresight.combat.moves import back_off, lose_balance, turned
from rulewright.systems.foresight.combat.shots import WORST_GUESS, Fired, Shot, can_fire, jam, shot_lands, shot_task
from rulewright.systems.foresight.harm.body import Patient, condition
from rulewright.systems.foresight.harm.events import Attempted
from rulewright.systems.foresight.harm.stamina import exertion_cost, spend
from rulewright.systems.foresight.resolution.situations import REFLEXES
from rulewright.systems.foresight.resolution.tests import Task, attempt, weighed

SHARP = Task(9, 7)
"""A person of ordinary perception, for rules that are asked without naming anybody."""
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
    """Whether a person becomes aware of what another does."""
    if other.name in fighter.unaware_of or fighter.out or not fight.sees(fighter, other):
        return False
    if fight.watches(fighter, other):
        return True
    sight = fighter.profile.perception.plus(*condition(rules, fighter.body))
    knowing = fight.aware_of(fighter.name)
    seen = yield from notice(rules, focused=False, perception=sight, by=fighter.name, secret=knowing is not None)
    if rules.word("noticing-out-of-focus") == "perception roll":
        said = f"{'notices' if seen else 'does not notice'} what {other.name} does"
        yield from Tell(Attempted(fighter.name, said, of=((fighter.name, weighed(rules, sight)),), known_to=_both(fight, knowing, other)))
    return seen


def _both(fight: Fight, knowing: tuple[str, ...] | None, other: Fighter) -> tuple[str, ...] | None:
    """People who know of two people, one of whom they are known to know; None where everybody does."""
    also = fight.aware_of(other.name)
    return knowing if also is None else also if knowing is None else tuple([name for name in knowing if name in also])


def can_react(fight: Fight, fighter: Fighter) -> bool:
    """Whether a person can move at all: not senseless, stunned, entangled or restrained."""
    flag = any(pin.grip == "restrained" for pin in fight.pinned(fighter.name))
    return fighter.able and not fighter.entangled and not flag


# --- against blows ------------------------------------------------------------------------------------------------------------


def _named(weapon: Weapon) -> str:
    """The name of a weapon in the sentence about an attack."""
    return weapon.name if weapon.name == "bare hands" else f"{the(weapon.name)}"


def answer_blow(rules: Ruleset, fight: Fight, name: str, attacker: str, *, weapon: Weapon) -> Play[tuple[Fight, Answer, bool]]:
    """The target of a blow, if aware of it and able, commits to a dodge, a parry, something else, or nothing."""
    result, other = fight.fighter(name), fight.fighter(attacker)
    aware = yield from notices(rules, fight, result, other)
    for _ in range(MOST_PREFACES):
        result, other = fight.fighter(name), fight.fighter(attacker)
        if not aware or not can_react(fight, result) or not other.able:
            return fight, NOTHING, aware
        options = guard_options(rules, fight, result, other, weapon.group)
        about = Asked(fight, name, rules, actor=attacker)
        asked = f"{attacker} strikes at you with {_named(weapon)}. What do you do?"
        chosen: Answer = yield Choice(name, asked, options, about, "guard")
        if not chosen.other:
            return fight, chosen, aware
        fight = yield from other_reflex(rules, fight, name, attacker, chosen.other)
        if chosen.other == "drop":
            return fight, NOTHING, aware
    return fight, NOTHING, aware


def guard_options(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter, group: str) -> tuple[Option[Answer], ...]:
    """Everything that a target may do about a blow."""
    behind = fighter.side_of(other) == "behind"
    weapons: list[int] = []
    if not fighter.frozen and not behind:
        numbers = [at for at in (fighter.hand, fighter.off) if at and fighter.profile.weapons[at].parry is not None]
        weapons = [at for at in dict.fromkeys([*numbers, BARE]) if arm_usable(fight, fighter, at)]
    close = fighter.at(other) == "close"
    can_pin = bool(weapons) and BARE in weapons and close
    can_throw = group in ("unarmed", "polearms") and bool(open_arms(fight, fighter))
    names = tuple([(at, fighter.profile.weapons[at].name) for at in weapons])
    trigger = _trigger_ready(fighter) and not fighter.sudden and not fighter.frozen
    gripped = bool(fighter.pins) or bool(fight.pinned(fighter.name))
    pivots = behind and not fighter.sudden
    return _guard_options(
        fighter.frozen,
        fighter.stance == "standing",
        fighter.flat,
        gripped,
        names,
        pins=can_pin,
        throws=can_throw,
        pivots=pivots,
        trigger=trigger,
    )


@cached(4096)
def _guard_options(
    frozen: bool,
    standing: bool,
    flat: bool,
    flag: bool,
    weapons: tuple[tuple[int, str], ...],
    pins: bool,
    throws: bool,
    pivots: bool,
    trigger: bool,
) -> tuple[Option[Answer], ...]:
    options = [Option("nothing", "Do nothing", NOTHING)]
    if not frozen:
        options.append(Option("dodge", "Dodge", Answer("dodges")))
        if not flat and not flag:
            options.append(Option("dodge back", "Dodge, giving a meter", Answer("dodges", "back"), "+1"))
            options.append(Option("dodge far", "Dodge desperately, giving two meters", Answer("dodges", "far"), "+3"))
        if standing:
            options.append(Option("dodge squat", "Dodge, dropping to a squat", Answer("dodges", "squat"), "+1"))
        if standing and not flag:
            options.append(Option("dodge back squat", "Dodge, giving a meter and squatting", Answer("dodges", "back and squat"), "+2"))
        if throws:
            options.append(Option("dodge throw", "Dodge and throw", Answer("dodges", throws=True), "-1"))
    for at, name in weapons:
        options.append(Option(f"parry:{name}", f"Parry with {name}", Answer("parries", weapon=at)))
        options.append(Option(f"disarm:{name}", f"Parry with {name} to disarm", Answer("parries", weapon=at, disarms=True), "-3"))
    if pins:
        options.append(Option("pin", "Parry by pinning the arm", Answer("parries", weapon=BARE, pins=True)))
    if not flat:
        options.append(Option("drop", "Drop prone", Answer(other="drop")))
    if pivots and standing and not frozen:
        options.append(Option("pivot", "Pivot to face it", Answer(other="pivot"), "once a round"))
    if trigger:
        options.append(Option("trigger", "Pull the trigger", Answer(other="trigger"), "once a round"))
    return tuple(options)


# --- against shots ------------------------------------------------------------------------------------------------------------


def answer_shot(rules: Ruleset, fight: Fight, name: str, firer: str, *, weapon: Weapon) -> Play[tuple[Fight, bool]]:
    """The target of a shot, if aware of it and able, may drop, squat, duck into cover, shoot back blindly, or seize the gun hand."""
    result = fight.fighter(name)
    if firer in result.unaware_of or not can_react(fight, result):
        return fight, False
    if not (yield from notices(rules, fight, result, fight.fighter(firer))):
        return fight, False
    for _ in range(MOST_PREFACES):
        result, other = fight.fighter(name), fight.fighter(firer)
        options = duck_options(fight, result, other)
        if len(options) == 1 or not other.able or not can_react(fight, result):
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


def duck_options(fight: Fight, fighter: Fighter, other: Fighter) -> tuple[Option[Answer], ...]:
    """Everything that a target may do about a shot."""
    spot = nearest_cover(fight, fighter, other)
    close = fighter.at(other) == "close" and arm_usable(fight, fighter, BARE) and fighter.side_of(other) != "behind"
    trigger = _trigger_ready(fighter) and not fighter.sudden and not fighter.frozen
    return _duck_options(
        fighter.frozen,
        fighter.stance == "standing",
        fighter.flat,
        fighter.sudden,
        spot.name if spot and fighter.stance == "standing" else "",
        close=close,
        trigger=trigger,
    )


@cached(4096)
def _duck_options(
    frozen: bool, standing: bool, flat: bool, sudden: bool, spot: str, close: bool, trigger: bool
) -> tuple[Option[Answer], ...]:
    options = [Option("nothing", "Do nothing", NOTHING)]
    if not flat:
        options.append(Option("drop", "Drop prone", Answer(other="drop")))
    if not frozen and not sudden and standing:
        options.append(Option("squat", "Squat", Answer(other="squat"), "once a round"))
        if spot:
            options.append(Option("step", f"Step behind {spot}", Answer(other="step"), "once a round"))
    if trigger:
        options.append(Option("trigger", "Pull the trigger", Answer(other="trigger"), "once a round"))
    if close and not frozen:
        options.append(Option("pin", "Seize the gun hand", Answer("parries", weapon=BARE, pins=True)))
    return tuple(options)


def nearest_cover(fight: Fight, fighter: Fighter, against: Fighter | None = None) -> CoverSpot | None:
    """Cover within a step that the person does not use yet; on a map the place behind it, as seen by the attacker."""
    if fight.map.covers and against is not None and not fighter.cover and fight.cover_from(against, fighter) is None:
        cover_spot = _step_behind(fight, fighter, against)
        if cover_spot is not None:
            return cover_spot
    near = [spot for spot in fight.ground.covers if spot.name != fighter.cover and hypot(spot.x - fighter.x, spot.y - fighter.y) <= 1.5]
    return min(near, key=lambda spot: hypot(spot.x - fighter.x, spot.y - fighter.y)) if near and not fighter.cover else None


def _step_behind(fight: Fight, fighter: Fighter, against: Fighter) -> CoverSpot | None:
    """The nearest place within a step behind something that lies on the ground."""
    at, entries = (fighter.x, fighter.y), []
    for cover in fight.field.beside(at):
        spot = behind(fight.field, cover, [(against.x, against.y)], at)
        there = way(fight.field, at, spot, WALKER, 1.5) if spot is not None else None
        if there is not None and cover in fight.field.covers((against.x, against.y), there.end):
            entries.append((there.cost, there.end, cover))
    if not entries:
        return None
    _, end, cover = min(entries, key=lambda entry: entry[:2])
    return replace(on_the_map(cover), x=end[0], y=end[1])


# --- of people who look on ----------------------------------------------------------------------------------------------------


def onlookers(fight: Fight, actor: Fighter, target: str, hostile: bool) -> list[Fighter]:
    """People who watch an enemy and may react to what is done to another person: duck from an attack, or pull a trigger at anything."""
    result = []
    for fighter in fight.fighters:
        if fighter.profile.side == actor.profile.side or fighter.profile.name == target or not fight.watches(fighter, actor):
            continue
        if can_react(fight, fighter) and ((hostile and not fighter.waiting and not fighter.flat) or trigger_trained(fighter)):
            result.append(fighter)
    return result


def trigger_trained(fighter: Fighter) -> bool:
    """Whether a person has a gun trained on anybody and a sudden movement left this round."""
    return fighter.aim_at != "" and not fighter.sudden and not fighter.frozen and _trigger_ready(fighter)


def look_on(rules: Ruleset, fight: Fight, name: str, target: str, hostile: bool) -> Play[Fight]:
    """Everybody who looks on may react on reflex before it is known how an action comes out."""
    actor, asks = fight.fighter(name), f"{name} acts before your eyes. Do you react?"
    who = [(onlooker, onlooker_options(fight, onlooker, actor, hostile)) for onlooker in onlookers(fight, actor, target, hostile)]
    asked = [
        Choice(
            result.name,
            asks,
            options,
            Asked(fight, result.name, rules, actor=name),
            "reflex",
            secret=fight.aware_of(result.name) is not None,
        )
        for result, options in who
    ]
    if not asked:
        return fight
    answers: tuple[Answer, ...] = yield Together(tuple(asked))
    for choice, answer in zip(asked, answers, strict=True):
        result = fight.fighter(choice.who)
        if answer.other and can_react(fight, result):
            toward = result.aim_at if answer.other == "trigger" and result.aim_at else name
            if not fight.fighter(toward).out:
                fight = yield from other_reflex(rules, fight, result.name, toward, answer.other)
    return fight


def onlooker_options(fight: Fight, fighter: Fighter, actor: Fighter, hostile: bool) -> tuple[Option[Answer], ...]:
    """The options of a bystander: drop, squat or step behind cover when a person is attacked; a trained gun goes off at anything."""
    spot = nearest_cover(fight, fighter, actor) if fighter.stance == "standing" else None
    ducks = hostile and not fighter.waiting
    return _duck_options(
        fighter.frozen,
        fighter.stance == "standing" and ducks,
        fighter.flat or not ducks,
        fighter.sudden,
        spot.name if spot else "",
        close=False,
        trigger=trigger_trained(fighter),
    )


# --- carrying them out --------------------------------------------------------------------------------------------------------


def other_reflex(rules: Ruleset, fight: Fight, name: str, toward: str, which: str) -> Play[Fight]:
    """A reflex that is no defense by itself. All but the trigger cost balance; of the sudden ones there is one a round."""
    result, other = fight.fighter(name), fight.fighter(toward)
    row = REFLEXES.get(rules, which)
    if row.sudden:
        result = replace(result, sudden=True)
    if which == "trigger":
        return (yield from pull_trigger(rules, fight.put(result), name, toward))
    words = {"drop": "drops prone", "squat": "squats", "pivot": f"pivots to face {toward}", "step": "steps into cover"}
    yield from happened(fight, name, words[which])
    if which == "drop":
        result = replace(result, stance="prone", rising=0)
    elif which == "squat":
        result = replace(result, stance="squatting")
    elif which == "pivot":
        result = turned(result, other.x, other.y)
    else:
        spot = nearest_cover(fight, result, other)
        if spot is not None:
            result = replace(result, x=spot.x, y=spot.y, cover=spot.name if fight.cover_called(spot.name) else "")
    return fight.put(unsettled(rules, result) if row.unbalances else result)


def unsettled(rules: Ruleset, fighter: Fighter) -> Fighter:
    """A person who had to move on reflex: balance and aim are gone."""
    fighter = lose_balance(rules, fighter)
    return replace(fighter, **NO_AIM, just_hit="") if fighter.aim or fighter.just_hit else fighter


def trained_gun(fighter: Fighter) -> int:
    """The weapon whose trigger can be pulled at once: the one aimed with, or else that in the better hand."""
    return fighter.off if fighter.aim_off and fighter.aim_at else fighter.hand


def _trigger_ready(fighter: Fighter) -> bool:
    at = trained_gun(fighter)
    weapon = fighter.profile.weapons[at]
    return bool(at) and can_fire(fighter, at) and not weapon.thrown and (not weapon.prepare or at in fighter.ready)


def pull_trigger(rules: Ruleset, fight: Fight, name: str, toward: str) -> Play[Fight]:
    """A shot without aim: only a gun that was trained on its target or held against it has much of a chance (else a blind guess)."""
    result, other = fight.fighter(name), fight.fighter(toward)
    trained, at = result.aim_at == toward or result.distance(other) < 1.5, trained_gun(result)
    task, gun = shot_task(rules, fight, result, other, at, guess=0 if trained else WORST_GUESS, trained=False), result.profile.weapons[at]
    covers = shield_covers(rules, other, result)
    how = "pulls the trigger at"
    shot = Shot(name, toward, task, gun.dc, side=other.side_of(result), jam=gun.jam, covers=covers, how=how)
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
    """Applies a shot: fewer rounds, recoil, a jam, a person hit; everybody knows of the shooter after it."""
    hit = fired.hits > 0
    result = fight.fighter(name)
    owned = result.profile.weapons[weapon]
    jams = result.jams
    if fired.jammed:
        yield from happened(fight, name, f"has a jam: {the(owned.name)} fails", "bad")
        jams = put_at(jams, weapon, (yield from jam(rules, name)))
    changes: dict[str, Any] = {
        "ammo": put_at(result.ammo, weapon, result.ammo[weapon] - min(rounds, result.ammo[weapon])),
        "jams": jams,
        "shots": result.shots + 1,
        **NO_AIM,
        "just_hit": target if hit else "",
        "ready": tuple([at for at in result.ready if at != weapon]),
        "windups": 0,
    }
    if owned.thrown:
        changes["gone"] = put_at(result.gone, weapon, "away")
        at = fight.fighter(target)  # where it was thrown is where it lies, whether it hit or not (ruling fs-ranged-weapons)
        changes["lying"] = (*[entry for entry in result.lying if entry[0] != weapon], (weapon, at.x, at.y))
        changes.update({hand: 0 for hand in ("hand", "off") if getattr(result, hand) == weapon})
    fight = reveal(fight.put(replace(result, **changes)), name)
    return fight.harm(target, fired.body)


def reveal(fight: Fight, name: str) -> Fight:
    """Reveals an attacker to everybody, and ends the surprise for both sides (ruling)."""
    for other in fight.fighters:
        if name in other.unaware_of:
            left = tuple([text for text in other.unaware_of if text != name])
            fight = fight.put(replace(other, unaware_of=left, awareness=other.awareness if left else max(0, other.awareness)))
            result = fight.fighter(name)
            fight = fight.put(replace(result, awareness=min(0, result.awareness))) if result.awareness > 0 else fight
    return fight


def defended(rules: Ruleset, fight: Fight, name: str, attacker: str, answer: Answer) -> Play[Fight]:
    """Applies the cost of a dodge or parry: balance, ground, stamina, and the ease of the next one."""
    result, other = fight.fighter(name), fight.fighter(attacker)
    result = unsettled(rules, result)
    kind = "dodge" if answer.guard == "dodges" else "parry"
    if result.bonus == kind and result.bonuses:
        result = replace(result, bonuses=result.bonuses - 1)
    elif kind == "dodge":
        result = replace(result, dodges=result.dodges + 1)
    else:
        result = replace(result, parries=result.parries + 1)
    if kind == "parry":
        result = replace(result, last_used=answer.weapon)
    if "squat" in answer.footwork:
        yield from happened(fight, name, "drops to a squat")
        result = replace(result, stance="squatting")
    back = {"back": 1.0, "back and squat": 1.0, "far": 2.0}.get(answer.footwork, 0.0)
    if back:
        yield from happened(fight, name, f"gives {back:g} m before {attacker}")
        result = back_off(fight, result, other, back)
    return (yield from tire(rules, fight.put(result), name))


def tire(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A point of stamina for an attack, dodge or parry, more under a load, where the campaign counts it in fights.

    A powered frame spends its own, and stops for good when that is gone.
    """
    result = fight.fighter(name)
    if not rules.on("stamina-in-fights") or result.out:
        return fight
    points = exertion_cost(rules, "extreme", actions=1).value * result.profile.burden
    if result.profile.power:
        after = replace(result, power=max(0, result.power - points))
        if not after.stuck:
            return fight.put(after)
        yield from happened(fight, name, "is held fast: the frame is out of power", "bad")
        return fight.put(replace(after, pins=(), waiting=False, acts=0, bonuses=0))
    body: Patient = yield from spend(rules, result.body, points)
    return fight.harm(name, body)


def limb_of(fighter: Fighter) -> Limb:
    """The arm that a person attacks with, as another may seize it."""
    return fighter.main_arm if fighter.hand or not fighter.off else fighter.off_arm  # type: ignore[return-value]
