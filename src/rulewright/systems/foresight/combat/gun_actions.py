"""Guns in hand: drawing, readying, aiming, firing, throwing, reloading, clearing jams, as actions of a fight (book lines 3028-3036)."""

from typing import Any

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count, the
from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.skirmish import put_at
from rulewright.systems.foresight.combat.events import Asked, happened
from rulewright.systems.foresight.combat.fighters import NO_AIM, UNJAMMED, Action, Fight, Fighter
from rulewright.systems.foresight.combat.melee import open_arms, shield_covers
from rulewright.systems.foresight.combat.pins import seize_gun, seized_modifier
from rulewright.systems.foresight.combat.reflexes import answer_shot, shot_fired
from rulewright.systems.foresight.combat.shots import (
    WORST_GUESS,
    Shot,
    burst_class,
    can_fire,
    clear_jam,
    fire_actions,
    in_sight,
    shot_lands,
    shot_task,
)
from rulewright.systems.foresight.combat.special import lose_weapon
from rulewright.systems.foresight.harm.body import condition
from rulewright.systems.foresight.resolution.damage_classes import parse_dc
from rulewright.systems.foresight.resolution.tests import Mod

PICK_UP = 1
"""Draw actions to take up a weapon from the ground (ruling)."""
BURSTS = ("burst", "area burst", "short burst")


def rounds_of(fighter: Fighter, weapon: int, way: str) -> int:
    """Rounds that a way of firing uses."""
    owned = fighter.profile.weapons[weapon]
    return min(owned.short if way == "short burst" else owned.burst, fighter.ammo[weapon]) if way in BURSTS else 1


def is_ready(rules: Ruleset, fighter: Fighter, weapon: int, way: str = "") -> bool:
    """Whether the next fire action is the shot, and not what has to come before it."""
    owned = fighter.profile.weapons[weapon]
    return weapon in fighter.ready or fire_actions(rules, owned.prepare, way in BURSTS) == 1


def make_ready(fight: Fight, name: str, weapon: int) -> Play[Fight]:
    """The first of two fire actions: cocking, drawing back, lifting for the throw."""
    result = fight.fighter(name)
    yield from happened(fight, name, f"readies {the(result.profile.weapons[weapon].name)}")
    return fight.put(replace(result, ready=tuple(sorted({*result.ready, weapon}))))


def fire(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    """A shot, burst or throw: readied first where it has to be; the target may react, then one roll decides."""
    weapon, target = action.weapon, action.target
    result = fight.fighter(name)
    if not is_ready(rules, result, weapon, action.way):
        return (yield from make_ready(fight, name, weapon))
    if action.way == "wild":
        return (yield from fire_wildly(rules, fight, name, weapon))
    area = action.way.startswith("area")
    extra: tuple[Mod, ...] = ()
    if not area:
        fight, grabs = yield from answer_shot(rules, fight, target, name, weapon=result.profile.weapons[weapon])
        if grabs:
            fight, seized = yield from seize_gun(rules, fight, target, name)
            extra = (Mod("gun hand seized", seized_modifier(rules), "fs-close-quarters-pins"),) if seized else ()
    result, other = fight.fighter(name), fight.fighter(target)
    if not result.able or not can_fire(result, weapon):
        return fight
    shot = fired_so(rules, fight, result, other, action, extra=extra)
    fired = yield from sub(shot_lands, rules, shot, other.body)
    rounds = rounds_of(result, weapon, action.way)
    if action.way == "weapon":
        fight = yield from shot_fired(rules, fight, name, target, weapon=weapon, rounds=rounds, fired=fired)
        return (yield from lose_weapon(fight, target, other.hand)) if fired.hits and other.hand else fight
    return (yield from shot_fired(rules, fight, name, target, weapon=weapon, rounds=rounds, fired=fired))


@cached(20_000)
def fired_so(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter, action: Action, extra: tuple[Mod, ...] = ()) -> Shot:
    """The shot with everything decided."""
    owned, area = fighter.profile.weapons[action.weapon], action.way.startswith("area")
    task = shot_task(rules, fight, fighter, other, action.weapon, aimed=action.aimed, way=action.way, guess=action.guess, extra=extra)
    more = owned.short_dc if action.way == "short burst" else owned.burst_dc
    dc = str(burst_class(rules, owned.dc, more, area)) if action.way in BURSTS else owned.dc
    if owned.thrown and fighter.windups:
        dc = str(parse_dc(dc).plus(fighter.windups))
    spot = fight.cover_from(fighter, other)
    known = fight.aware_of(fighter.name)
    return Shot(
        firer=fighter.name,
        target=other.name,
        task=task,
        dc=dc,
        aimed=action.aimed,
        side=other.side_of(fighter),
        jam=owned.jam,
        rounds=rounds_of(fighter, action.weapon, action.way) if area else 0,
        barriers=spot.barriers if spot else (),
        bare=spot.bare if spot else (),
        covers=shield_covers(rules, other, fighter),
        harmless=action.way == "weapon",
        how=_said(action, owned.thrown),
        known_to=None if known is None else (*known, other.name),
    )


def _said(action: Action, thrown: bool) -> str:
    how = {
        "burst": "fires a burst at",
        "short burst": "fires a short burst at",
        "area": "fires blindly at",
        "area burst": "sprays the assumed position of",
        "weapon": "shoots at the weapon of",
    }
    plain = "throws at" if thrown else "shoots at"
    if action.aimed and action.way in ("", "burst"):
        return f"{'fires a burst' if action.way else plain.removesuffix(' at')} at the {action.aimed} of"
    return how.get(action.way, plain)


def fire_wildly(rules: Ruleset, fight: Fight, name: str, weapon: int) -> Play[Fight]:
    """With the gun arm barely held a shot goes off somewhere: the gamemaster says where."""
    others = tuple([Option(f.name, f"Toward {f.name}", f.name) for f in fight.fighters if f.name != name and not f.out])
    about = Asked(fight, name, rules, actor=name)
    way = (Option("nowhere", "Into the air", ""), *others)
    where: str = yield Choice(GAMEMASTER, f"{name}'s gun goes off. Where does the shot go?", way, about, "wild shot")
    result = fight.fighter(name)
    if not where:
        yield from happened(fight, name, "fires into the air")
        ammo = tuple([left - (at == weapon) for at, left in enumerate(result.ammo)])
        return fight.put(replace(result, ammo=ammo, shots=result.shots + 1, ready=tuple([at for at in result.ready if at != weapon])))
    other = fight.fighter(where)
    shot = fired_so(rules, fight, result, other, Action("fire", where, weapon, "wild", guess=WORST_GUESS))
    fired = yield from sub(shot_lands, rules, shot, other.body)
    return (yield from shot_fired(rules, fight, name, where, weapon=weapon, rounds=1, fired=fired))


def guess_at(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Action]:
    """Before fire at an area the gamemaster judges how good the guess is: -2 to -6."""
    about = Asked(fight, name, rules, action, name)
    asked = f"How well does {name} guess the position of {action.target}? (2 is good, 6 is bad)"
    off: int = yield Choice(GAMEMASTER, asked, Range(2, 6), about, "guess")
    return replace(action, guess=-off)


# --- other actions ------------------------------------------------------------------------------------------------------------


def aim(fight: Fight, name: str, target: str, weapon: int) -> Play[Fight]:
    """One more aim at a person; at a person new, or with another weapon, it begins again."""
    result = fight.fighter(name)
    by_off = result.in_off_hand(weapon)
    aims = result.aim + 1 if (result.aim_at, result.aim_off) == (target, by_off) else 1
    yield from happened(fight, name, f"aims at {target} (+{min(aims, 6)})")
    return fight.put(replace(result, aim=min(aims, 9), aim_at=target, aim_off=by_off))


def draw(fight: Fight, name: str, weapon: int) -> Play[Fight]:
    """One of the draw actions of a weapon; with the last it is in hand."""
    result = fight.fighter(name)
    owned = result.profile.weapons[weapon]
    done = result.drawn + 1 if result.drawing == weapon else 1
    needed = PICK_UP if result.gone[weapon] else max(1, owned.draw)
    if done < needed:
        yield from happened(fight, name, f"reaches for {the(owned.name)} ({done} of {count(needed, 'action')})")
        return fight.put(replace(result, drawing=weapon, drawn=done))
    yield from happened(fight, name, f"has {the(owned.name)} in hand")
    gone: Any = tuple(["" if at == weapon else state for at, state in enumerate(result.gone)])
    where = "hand" if result.main_arm in open_arms(fight, result) else "off"
    changes = {where: weapon, "drawing": 0, "drawn": 0, "gone": gone, "shots": 0, **NO_AIM}
    if any(at == weapon for at, _, _ in result.lying):  # what was thrown is its own ammunition
        lying = tuple([entry for entry in result.lying if entry[0] != weapon])
        return fight.put(replace(result, **changes, lying=lying, ammo=put_at(result.ammo, weapon, owned.ammo)))
    return fight.put(replace(result, **changes))


def reload(fight: Fight, name: str, weapon: int) -> Play[Fight]:
    """One of the reload actions of a weapon: each brings a round, or the last of them fills it."""
    result = fight.fighter(name)
    owned = result.profile.weapons[weapon]
    needed, done = max(1, owned.reload), result.reloaded + 1
    if owned.reload_each:
        ammo = min(owned.ammo, result.ammo[weapon] + 1)
        yield from happened(fight, name, f"loads a round into {the(owned.name)} ({ammo} of {owned.ammo} rounds)")
        return fight.put(replace(result, ammo=put_at(result.ammo, weapon, ammo)))
    if done < needed:
        yield from happened(fight, name, f"reloads {the(owned.name)} ({done} of {count(needed, 'action')})")
        return fight.put(replace(result, reloaded=done))
    yield from happened(fight, name, f"has reloaded {the(owned.name)}")
    return fight.put(replace(result, reloaded=0, ammo=put_at(result.ammo, weapon, owned.ammo)))


def clear(rules: Ruleset, fight: Fight, name: str, weapon: int) -> Play[Fight]:
    """A concentrate action on a jammed weapon; nobody but the gamemaster knows how many it takes."""
    result = fight.fighter(name)
    if result.jams[weapon] == UNJAMMED:
        raise UserError(f"the {result.profile.weapons[weapon].name} is not jammed")
    awkward = Mod("one arm", result.profile.awkward, "fs-character-modifiers")
    deft = result.profile.dexterity.plus(awkward, *condition(rules, result.body, result.arms_of(weapon), concentration=True))
    left = yield from clear_jam(rules, result.jams[weapon], deft, name)
    if result.jams[weapon] > 1:  # the last action ends in a roll, which is told with its sum
        yield from happened(fight, name, "works on the jam")
    return fight.put(replace(result, jams=put_at(result.jams, weapon, left)))


def discard(fight: Fight, name: str, weapon: int) -> Play[Fight]:
    """Tosses a weapon in hand away casually, to land at one's feet."""
    result = fight.fighter(name)
    yield from happened(fight, name, f"tosses {the(result.profile.weapons[weapon].name)} away")
    gone: Any = tuple(["at hand" if at == weapon else state for at, state in enumerate(result.gone)])
    hands = {field: 0 for field in ("hand", "off") if getattr(result, field) == weapon}
    return fight.put(replace(result, gone=gone, **NO_AIM, shouldered=False, braced=False, **hands))


# --- the options offered ------------------------------------------------------------------------------------------------------


def fire_options(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter, weapon: int) -> tuple[Option[Action], ...]:
    """The ways to fire at a person: plainly, at a part, at the weapon, in a burst, or blindly."""
    owned, options = fighter.profile.weapons[weapon], []
    kind, name = "throw" if owned.thrown else "fire", other.name
    if in_sight(fight, fighter, other):
        options.append(Option("plain", "Plainly", Action(kind, name, weapon)))
        for place in ("head", "torso", "legs", "left arm", "right arm"):
            options.append(Option(place, f"At the {place}", Action(kind, name, weapon, aimed=place)))
        if other.hand:
            options.append(Option("weapon", "At the weapon", Action(kind, name, weapon, "weapon")))
        if owned.burst and fighter.ammo[weapon] >= owned.burst:
            options.append(Option("burst", f"A burst of {owned.burst}", Action(kind, name, weapon, "burst")))
            options.append(Option("burst head", "A burst at the head", Action(kind, name, weapon, "burst", "head")))
            options.append(Option("burst torso", "A burst at the torso", Action(kind, name, weapon, "burst", "torso")))
        if owned.short and fighter.ammo[weapon] >= owned.short:
            options.append(Option("short burst", f"A burst of {owned.short}", Action(kind, name, weapon, "short burst")))
    if not owned.thrown:
        options.append(Option("area", "Blindly, at the assumed position", Action(kind, name, weapon, "area"), "-2 to -6"))
        if owned.burst and fighter.ammo[weapon] >= owned.burst:
            burst = Action(kind, name, weapon, "area burst", "torso")
            options.append(Option("area burst", f"Blindly, {owned.burst} rounds at chest height", burst, "-2 to -6"))
    return tuple(options)
