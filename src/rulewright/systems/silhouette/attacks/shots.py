"""Ranged attacks in a fight: shots, throws and grenades, with ammunition."""

from math import hypot

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.area_templates import flown
from rulewright.field.field import Spot
from rulewright.grammar import figure, the
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import Choice, Play, came_to, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.skirmish import put_at
from rulewright.systems.silhouette.action.confined_places import narrow
from rulewright.systems.silhouette.action.gravity import floats, footing_in
from rulewright.systems.silhouette.action.rounds import stays_ready
from rulewright.systems.silhouette.attacks.attack_setup import (
    DRUNK,
    as_rolled,
    burden,
    defenseless,
    guards,
    level_in,
    special,
    styles,
    wetness,
)
from rulewright.systems.silhouette.attacks.close_attacks import GUARD_OPTIONS, harmed
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.facing import looking_at
from rulewright.systems.silhouette.attacks.orders import guard_by_point
from rulewright.systems.silhouette.attacks.recoil import kicked_back
from rulewright.systems.silhouette.attacks.skill_applications import shot_with_applications
from rulewright.systems.silhouette.attacks.special_effects import mimicked
from rulewright.systems.silhouette.combat.arms import Weapon
from rulewright.systems.silhouette.combat.bursts import burst
from rulewright.systems.silhouette.combat.command import defense_bonus
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, Firing, Medium, Profile, Situation
from rulewright.systems.silhouette.combat.ranged_attacks import (
    Circumstances,
    Exposure,
    Shot,
    Size,
    attack_attribute,
    attack_pool,
    cannot_be_hit,
    defense_pool,
    hidden_target_modifier,
    range_band,
    shoot,
    size_of,
    snipes,
    unwary_threshold,
)
from rulewright.systems.silhouette.combat.stances import focus, stance_dice
from rulewright.systems.silhouette.combat.throws import Blast, Caught, caught_at, explode, ground_threshold, throw, throw_at
from rulewright.systems.silhouette.harm.body import Location, Patient
from rulewright.systems.silhouette.harm.damage import HURTING
from rulewright.systems.silhouette.resolution.modifiers import RANGED, throwing_range
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, complexity_modifier

PHYSICAL = ("agility", "build", "fitness")
"""Physical attributes: heavy armor penalizes tests with them."""


# --- how far ------------------------------------------------------------------------------------------------------------------


def short_range(rules: Ruleset, profile: Profile, weapon: Weapon, thrown: bool = False) -> int:
    """Returns short range of a shot or throw in metres; 0 if it flies at most one metre."""
    if weapon.blast is not None:
        return weapon.lobs or throwing_range(rules, profile.strength, 1)
    if thrown and weapon.thrown is not None:
        own = weapon.thrown.short
        return own if own is not None else throwing_range(rules, profile.strength, weapon.thrown.kilograms)
    return weapon.fires.short if weapon.fires is not None else 0


def can_reach(rules: Ruleset, fighter: Fighter, weapon: Weapon, metres: float, thrown: bool = False) -> bool:
    """Whether a shot or throw reaches a target: up to eight times short range, and beyond the minimum range."""
    least = weapon.fires.min_range if weapon.fires is not None and not thrown else 0
    return least <= metres <= 8 * short_range(rules, fighter.profile, weapon, thrown)


# --- from the fight to a shot -------------------------------------------------------------------------------------------------


def _known_situations(rules: Ruleset, *situations: str) -> tuple[str, ...]:
    """Returns the situations that the table of ranged modifiers contains."""
    known = RANGED(rules)
    return tuple([situation for situation in situations if situation in known])


def circumstances(
    rules: Ruleset,
    fight: Fight,
    shooter: Fighter,
    weapon: Weapon,
    *,
    metres: float,
    penalty: int,
    thrown: bool,
    aim: int,
    size: Size,
    target: Fighter | None = None,
) -> Circumstances:
    """Returns the circumstances of a shooter or thrower; the light on the target counts, if there is one."""
    ground, body = fight.ground, fight.acting_body(shooter)
    least = weapon.fires.min_range if weapon.fires is not None and not thrown else 0
    band = range_band(rules, metres, short_range(rules, shooter.profile, weapon, thrown), least)
    attribute = attack_attribute(rules, "throwing" if thrown else weapon.skill, band, snipes(rules, aim, band))
    mods = (
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions"),
        Mod("last act", fight.dying_act(shooter), "sil-3.3-advanced-ties-combat"),
        Mod("off hand", -1 if shooter.off_hand and not shooter.profile.both_hands else 0, "sil-3.3.2-close-modifiers"),
        narrow(rules, weapon.long, weapon.unwieldy) if ground.narrow else Mod("close quarters", 0),
        wetness(rules, fight, shooter, attribute == "agility"),
        focus(rules, shooter.stance),
        *(burden(body) if attribute in PHYSICAL else ()),
    )
    return Circumstances(
        band,
        _known_situations(rules, fight.light_on(target or shooter), DRUNK[shooter.drunk], _own_cover(fight, shooter, target)),
        shooter.pace,
        body.acting_penalty,
        aim,
        size,
        stance_dice(rules, shooter.stance, "attack") + shooter.flourish,
        tuple([mod for mod in mods if mod.value]),
    )


def exposure(rules: Ruleset, fight: Fight, target: Fighter, shot_from: Spot | None = None, dodges: bool = True) -> Exposure:
    """Returns the circumstances of a target of a shot or explosion; footing matters only for dodging."""
    mods = (
        Mod("multiple actions", target.hurried, "sil-3.1.1-multiple-actions"),
        wetness(rules, fight, target),
        *([footing_in(rules, fight.ground.gravity)] if dodges else []),
        *([defense_bonus(rules)] if target.guarded else []),
        *burden(fight.acting_body(target)),
    )
    return Exposure(
        _known_situations(rules, fight.light_on(target), DRUNK[target.drunk], fight.cover_from(shot_from, target)),
        target.pace,
        fight.acting_body(target).acting_penalty,
        stance_dice(rules, target.stance, "defense"),
        tuple([mod for mod in mods if mod.value]),
    )


def _own_cover(fight: Fight, shooter: Fighter, target: Fighter | None) -> str:
    """Returns the cover a fighter shoots from."""
    return fight.cover_from((target.x, target.y), shooter) if target is not None else shooter.cover


@cached(50_000)
def firing_pool(rules: Ruleset, shooter: Profile, weapon: Weapon, thrown: bool, c: Circumstances, opposed: bool, medium: Medium) -> Pool:
    """Returns the pool of a shot or throw; against a Threshold the skill's Complexity counts."""
    skill = "throwing" if thrown else weapon.skill
    trained = shooter.trained(skill)
    attribute = attack_attribute(rules, skill, c.band, snipes(rules, c.aim, c.band))
    accuracy = weapon.thrown.accuracy if thrown and weapon.thrown is not None else weapon.accuracy
    task = weapon.fires.complexity if weapon.fires is not None and not thrown else 1
    own = [special(trained, *styles(weapon.name)), *trained.mods, *([] if opposed else [complexity_modifier(trained.complexity, task)])]
    c = replace(c, mods=(*c.mods, *[mod for mod in own if mod.value]))
    level = level_in(rules, trained.level, shooter, medium)
    pool = attack_pool(rules, level, shooter.attribute(attribute), accuracy, c, attribute.capitalize())
    return as_rolled(pool, shooter, trained, weapon.name)


@cached(50_000)
def dodging_pool(rules: Ruleset, target: Profile, e: Exposure, medium: Medium) -> Pool:
    """Returns the pool to dodge a shot."""
    trained = target.trained("defense")
    own = [special(trained, "ranged attacks"), *trained.mods]
    e = replace(e, mods=(*e.mods, *[mod for mod in own if mod.value]))
    level = level_in(rules, trained.level, target, medium)
    return as_rolled(defense_pool(rules, level, target.attribute("agility"), e), target, trained)


def parrying_pool(rules: Ruleset, target: Fighter, e: Exposure, medium: Medium) -> Pool:
    """Returns the pool to parry an arrow or thrown item: Melee with Fitness, with weapon or shield."""
    trained = target.profile.trained("melee")
    own = target.weapon.parry if target.weapon.parry is not None else -99
    shield = target.profile.shield.parry if target.shield_up and target.profile.shield is not None else -99
    used = ("shields",) if shield >= own else styles(target.weapon.name)
    mods = [Mod("Parry", max(own, shield), "sil-3.4-ranged-attack"), special(trained, *used), *trained.mods]
    e = replace(e, mods=(*e.mods, *[mod for mod in mods if mod.value]))
    level = level_in(rules, trained.level, target.profile, medium)
    return as_rolled(defense_pool(rules, level, target.profile.attribute("fitness"), e, "Fitness"), target.profile, trained)


def met(rules: Ruleset, fight: Fight, shot: Shot, skill: str) -> Play[Shot]:
    """Asks a target with something to parry whether to parry an arrow or thrown item; bullets cannot be parried."""
    target = fight.fighter(shot.target)
    if shot.defense is None or skill not in ("archery", "throwing") or "parry" not in guards(rules, fight, target):
        return shot
    about = Situation(fight, target.name, rules, action=Action("shoot", shot.attacker))
    options = tuple([GUARD_OPTIONS[guard] for guard in ("dodge", "parry")])
    asked = f"{shot.attacker} attacks with {the(shot.weapon)}. How do you defend?"
    guard = yield from Choice(target.name, asked, options, about, "guard")
    if guard == "dodge":
        return shot
    shooter = fight.fighter(shot.attacker)
    e = exposure(rules, fight, target, (shooter.x, shooter.y), dodges=False)
    return replace(shot, defense=parrying_pool(rules, target, e, fight.medium_at(target)))


def make_shot(
    rules: Ruleset,
    fight: Fight,
    shooter: Fighter,
    target: Fighter,
    weapon: Weapon,
    *,
    rof: int = 0,
    location: Location | None = None,
    penalty: int = 0,
    thrown: bool = False,
) -> Shot:
    """Builds a complete shot or throw."""
    aim = shooter.aim if shooter.aim_at == target.name else 0
    size: Size = size_of(rules, location) if location is not None else "none"
    c = circumstances(
        rules, fight, shooter, weapon, metres=shooter.distance(target), penalty=penalty, thrown=thrown, aim=aim, size=size, target=target
    )
    e, open_ = exposure(rules, fight, target, (shooter.x, shooter.y)), defenseless(rules, fight, target)
    hidden = hidden_target_modifier(rules, e.situations)
    if hidden.value:
        c = replace(c, mods=(*c.mods, hidden))
    return Shot(
        attacker=shooter.name,
        target=target.name,
        weapon=weapon.name,
        attack=firing_pool(rules, shooter.profile, weapon, thrown, c, not open_, fight.medium_at(shooter)),
        defense=None if open_ else dodging_pool(rules, target.profile, e, fight.medium_at(target)),
        threshold=unwary_threshold(rules, e.pace, e.situations) if open_ else 1,
        multiplier=weapon.damage,
        burst=rof,
        location=location,
        aimed=aim > 0 or location is not None,
        bruise=weapon.fires.bruises if weapon.fires is not None else False,
        nature=weapon.nature,
        safe=cannot_be_hit(rules, e.situations),
        waits=target.name in fight.late,
        pierces=weapon.pierces and not thrown,
    )


# --- shots --------------------------------------------------------------------------------------------------------------------


def spent(rules: Ruleset, fighter: Fighter, at: int, shots: int, jammed: bool = False) -> Fighter:
    """Updates a fighter after firing: ammunition, reloading time, a jam; aim and hiding end."""
    weapon = fighter.profile.weapons[at]
    left = max(0, fighter.ammo[at] - shots) if weapon.magazine else 0
    loads = weapon.fires.reload if weapon.fires is not None else 0
    return replace(
        fighter,
        ammo=put_at(fighter.ammo, at, left),
        unready=put_at(fighter.unready, at, loads),
        jammed=put_at(fighter.jammed, at, jammed and not weapon.natural),
        drained=fighter.drained + weapon.spell,
        aim=0,
        aim_at="",
        hidden=False,
    )


def shots_of(rules: Ruleset, fighter: Fighter, at: int, rof: int) -> tuple[int, int]:
    """Returns the rate of fire that the magazine allows, and the shots it uses."""
    weapon = fighter.profile.weapons[at]
    fires = weapon.fires
    if fires is None:
        raise UserError(f"{weapon.name} cannot shoot")
    result = burst(rules, rof, fires.rof, fighter.ammo[at] if weapon.magazine else None)
    return result.rof, result.shots * fires.shots if not result.rof else result.shots


def ranged_attack(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int = 0) -> Play[Fight]:
    """Settles everything about a declared shot but the dice: Command Points and Emergency Dice."""
    rof, shots = shots_of(rules, fight.fighter(name), action.weapon, action.rof)
    fight = looking_at(rules, fight, name, action.target)
    fight, shot = yield from declared(rules, fight, name, action.target, action.weapon, rof=rof, location=action.location, penalty=penalty)
    return fight.first(Firing(shot, action.weapon, shots))


def declared(
    rules: Ruleset,
    fight: Fight,
    name: str,
    target: str,
    at: int,
    *,
    rof: int = 0,
    location: Location | None = None,
    penalty: int = 0,
    thrown: bool = False,
) -> Play[tuple[Fight, Shot]]:
    """Settles a shot or throw: Command Points, mimicked skills, a parry, Skill Applications, Emergency Dice."""
    if fight.commands:
        fight = yield from guard_by_point(rules, fight, fight.fighter(target), name)
    shooter, met_by = fight.fighter(name), fight.fighter(target)
    weapon = shooter.profile.weapons[at]
    skill = "throwing" if thrown else weapon.skill
    if fight.swayed:
        fight, shooter = yield from mimicked(rules, fight, name, skill)
        met_by = fight.fighter(target)
        if not defenseless(rules, fight, met_by):
            fight, met_by = yield from mimicked(rules, fight, target, "defense")
    shot = make_shot(rules, fight, shooter, met_by, weapon, rof=rof, location=location, penalty=penalty, thrown=thrown)
    shot = yield from met(rules, fight, shot, skill)
    fight, shot = yield from shot_with_applications(rules, fight, shot, skill)
    return (yield from _add_emergency_dice(rules, fight, shot))


def fire(rules: Ruleset, fight: Fight, item: Firing) -> Play[Fight]:
    """Rolls a shot: ammunition, damage, a jam, a defender off balance."""
    shot = item.shot
    struck = yield from sub(shoot, rules, shot, fight.fighter(shot.target).body)
    fight = fight.put(spent(rules, fight.fighter(shot.attacker), item.weapon, item.shots, struck.jammed))
    if floats(fight.ground.gravity):
        mark = fight.fighter(shot.target)
        fight = yield from kicked_back(fight, shot.attacker, (mark.x, mark.y), shot.multiplier, item.shots)
    return shot_at(rules, fight, shot.target, struck.victim, off_balance=struck.off_balance, by=shot.attacker)


def shot_at(rules: Ruleset, fight: Fight, name: str, body: Patient, *, off_balance: bool, by: str = "") -> Fight:
    """Updates the fight after a shot: the target is wary, and perhaps hurt or off balance."""
    result = fight.fighter(name)
    if result.unwary or result.guarded or off_balance:
        fight = fight.put(replace(result, unwary=False, guarded=False, off_balance=result.off_balance or off_balance))
    return harmed(rules, fight, name, body, by)


def _add_emergency_dice(rules: Ruleset, fight: Fight, shot: Shot) -> Play[tuple[Fight, Shot]]:
    """Lets both sides add Emergency Dice to a shot."""
    fight, pool = yield from spend_emergency_dice(rules, fight, shot.attacker, shot.attack, f"the attack on {shot.target}")
    if pool is not shot.attack:
        shot = replace(shot, attack=pool)
    if shot.defense is not None:
        fight, pool = yield from spend_emergency_dice(rules, fight, shot.target, shot.defense, "the defense")
        if pool is not shot.defense:
            shot = replace(shot, defense=pool)
    return fight, shot


# --- throws and grenades ------------------------------------------------------------------------------------------------------


def throw_weapon(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int = 0) -> Play[Fight]:
    """Throws a weapon: a total as high as the defense hits, and the weapon lies where it fell."""
    fight = looking_at(rules, fight, name, action.target)
    fight, shot = yield from declared(
        rules, fight, name, action.target, action.weapon, location=action.location, penalty=penalty, thrown=True
    )
    target = fight.fighter(action.target)
    body = target.body
    snare = fight.fighter(name).profile.weapons[action.weapon].entangles if action.snare else None
    thing = shot.multiplier, body, shot.nature, name, snare, shot.location, shot.aimed, shot.safe
    result = yield from sub(throw_at, rules, shot.attack, shot.defense, shot.threshold, *thing)
    outcome = fight.fighter(name)
    gone = put_at(outcome.gone, action.weapon, "away")
    fight = fight.put(replace(outcome, gone=gone, in_hand=0, aim=0, aim_at="", hidden=False))
    fight = yield from kicked_back(fight, name, (target.x, target.y), shot.multiplier)
    return shot_at(rules, fight, target.name, result.victim, off_balance=False, by=name)


def _leave_residue(fight: Fight, name: str, blast: Blast, at: Spot) -> Play[Fight]:
    """Adds what a grenade leaves on the terrain: smoke that blocks sight, gas and fire that harm."""
    if blast.fills == "fire":
        yield happened(fight, name, f"sets {figure(blast.radius)} m around the {blast.name} grenade on fire")
        return fight.endangered("fire", at, blast.radius, blast.intensity, blast.rounds)
    yield happened(fight, name, f"fills {figure(blast.outer_radius)} m around the {blast.name} grenade with {blast.fills}")
    if blast.fills == "gas":
        return fight.endangered("gas", at, blast.outer_radius, blast.intensity, blast.rounds)
    return fight.filled(blast.fills, at, blast.outer_radius, blast.rounds)


def lob_grenade(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int = 0) -> Play[Fight]:
    """Throws a grenade at a spot or a person: where it lands, when it explodes, and who escapes."""
    thrower = fight.fighter(name)
    aimed = fight.fighter(action.target) if action.target else thrower
    mark = action.spot or (aimed.x, aimed.y)
    weapon = thrower.profile.weapons[action.weapon]
    if weapon.blast is None:
        raise UserError(f"{weapon.name} is not a grenade")
    if fight.swayed:
        fight, thrower = yield from mimicked(rules, fight, name, weapon.skill)
    metres = hypot(mark[0] - thrower.x, mark[1] - thrower.y)
    c = circumstances(rules, fight, thrower, weapon, metres=metres, penalty=penalty, thrown=True, aim=0, size="none", target=aimed)
    pool = firing_pool(rules, thrower.profile, weapon, not weapon.lobs, c, False, fight.medium_at(thrower))
    fight, thrown = yield from spend_emergency_dice(rules, fight, name, pool, "the grenade")
    landing = yield from sub(throw, rules, thrown, None, ground_threshold(rules), name)
    fight, timing = yield from spend_emergency_dice(rules, fight, name, pool, "its timing")
    at = landing.point((thrower.x, thrower.y), mark)
    if not fight.bare:
        at = flown(fight.field, (thrower.x, thrower.y), at)
    people = [f.name for f in fight.fighters if not f.body.dead and fight.clear_between(at, (f.x, f.y))]
    near = []
    for text in people:
        fight, caught = yield from _prepare_defense(rules, fight, text, weapon.blast, at)
        near.append(caught)
    exploded = yield from sub(explode, rules, timing, weapon.blast, tuple(near), name)
    if weapon.blast.rounds and not exploded.dud:
        fight = yield from _leave_residue(fight, name, weapon.blast, at)
    result = fight.fighter(name)
    if weapon.lobs:
        result = replace(result, ammo=put_at(result.ammo, action.weapon, max(0, result.ammo[action.weapon] - 1)))
    else:
        result = replace(result, gone=put_at(result.gone, action.weapon, "away"), in_hand=0)
    fight = fight.put(replace(result, aim=0, aim_at="", hidden=False))
    foes = [fight.fighter(text).side != result.side for text in people]
    hurt = [hit_outcome(near_it.victim, body) for near_it, body, foe in zip(near, exploded.victims, foes, strict=True) if foe]
    yield came_to(max(hurt, key=HURTING.names.index, default="nothing"), HURTING, name, action.target)
    for person, body in zip(people, exploded.victims, strict=True):
        fight = shot_at(rules, fight, person, body, off_balance=False, by=name)
        if person in exploded.defended and not stays_ready(defended_against_grenade=True):
            fight = fight.change(person, ready=None)
    return fight


def _prepare_defense(rules: Ruleset, fight: Fight, name: str, blast: Blast, at: tuple[float, float]) -> Play[tuple[Fight, Caught]]:
    """Returns a fighter near a grenade with the pool to defend."""
    fighter = fight.fighter(name)
    caught = caught_at(caught_unhurt(rules, fight, fighter, at), (fighter.x, fighter.y), at)
    if caught.defense is None or not blast.multipliers(caught.metres):
        return fight, caught
    if fight.swayed:
        fight, fighter = yield from mimicked(rules, fight, name, "defense")
        caught = caught_at(caught_unhurt(rules, fight, fighter, at), (fighter.x, fighter.y), at)
    return (yield from with_dice_for_defense(rules, fight, name, caught))


def with_dice_for_defense(rules: Ruleset, fight: Fight, name: str, caught: Caught) -> Play[tuple[Fight, Caught]]:
    """Returns a fighter under fire with the Emergency Dice added to the defense."""
    if caught.defense is None:
        return fight, caught
    fight, pool = yield from spend_emergency_dice(rules, fight, name, caught.defense, "the defense")
    return fight, replace(caught, defense=pool, victim=fight.fighter(name).body)


def caught_unhurt(rules: Ruleset, fight: Fight, fighter: Fighter, comes_from: Spot | None = None) -> Caught:
    """Returns a fighter under fire or near an explosion before any damage."""
    e = exposure(rules, fight, fighter, comes_from)
    if defenseless(rules, fight, fighter):
        return Caught(fighter.body, 0.0, None, unwary_threshold(rules, e.pace, e.situations))
    return Caught(fighter.body, 0.0, dodging_pool(rules, fighter.profile, e, fight.medium_at(fighter)))
