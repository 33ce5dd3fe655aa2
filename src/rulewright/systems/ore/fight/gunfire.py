"""Firearms in a fight: ways to fire, bullets that run out, recoil, and an area under fire (book lines 4972-5050, 5150-5160)."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.dice.sets import Set
from rulewright.play import Choice, Happened, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import land
from rulewright.systems.ore.combat.cover import Cover, dive_dice
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending, Situation
from rulewright.systems.ore.combat.mooks import hit_mook
from rulewright.systems.ore.fight.heroics import rolls_for, when_hit
from rulewright.systems.ore.gear.firearms import Mode, bullets, facing_difficulty, modes_of, recoil, suppressing, under_fire
from rulewright.systems.ore.gear.missiles import loading_rounds
from rulewright.systems.ore.gear.weapons import Weapon, blow, hands_needed
from rulewright.systems.ore.harm.body import shock_to, shrugs
from rulewright.systems.ore.harm.locations import Location

ENDLESS = -1
"""How many bullets are in a weapon that never runs out."""


class Volley(NamedTuple):
    """A way to fire at somebody: the key of the option, what it says, and the attacks it makes of one roll."""

    key: str
    label: str
    acts: tuple[Act, ...]


# --- bullets ------------------------------------------------------------------------------------------------------------------


def loaded(fighter: Fighter) -> int:
    """How many shots are left in the weapon in hand; ENDLESS where nobody counts."""
    magazine = fighter.weapon.magazine
    return magazine - gone(fighter, fighter.in_hand) if magazine else ENDLESS


def gone(fighter: Fighter, place: int) -> int:
    """How many bullets are gone from a weapon."""
    return dict(fighter.spent).get(place, 0)


def without_bullets(fighter: Fighter, place: int, number: int) -> Fighter:
    """Somebody with so many bullets gone from a weapon in all."""
    spent = {**dict(fighter.spent), place: number}
    return replace(fighter, spent=tuple(sorted([(each, many) for each, many in spent.items() if many])))


def reloads(rules: Ruleset, fighter: Fighter) -> Fighter:
    """An action fills a magazine (ruling: the book prints no time); a push weapon is set in a round, or wound in more."""
    weapon = fighter.weapon
    if weapon.kind == "push":
        wound = fighter.winding + 1
        if wound < loading_rounds(rules, weapon.power, fighter.profile.body, weapon.winder):
            return replace(fighter, winding=wound)
    return replace(without_bullets(fighter, fighter.in_hand, 0), winding=0)


def pairs(rules: Ruleset, fighter: Fighter) -> int:
    """The place of a second weapon to use in the off-hand beside the one in hand: the first that fits; 0 for none.

    Both must be for close combat or both ranged, light enough for one hand, and loaded.
    """
    weapons, place = fighter.profile.weapons, fighter.in_hand
    both = fighter.body.usable("right arm") and fighter.body.usable("left arm") and not fighter.worn.shield
    if not place or not both or not one_handed(rules, fighter, place):
        return 0
    others = [other for other in range(1, len(weapons)) if other != place and other not in fighter.lost]
    fits = [other for other in others if weapons[other].close == weapons[place].close and one_handed(rules, fighter, other)]
    return next((other for other in fits if not weapons[other].magazine or gone(fighter, other) < weapons[other].magazine), 0)


def one_handed(rules: Ruleset, fighter: Fighter, place: int) -> bool:
    """Whether a weapon leaves somebody the other hand."""
    weapon = fighter.profile.weapons[place]
    if weapon.two_handed or weapon.gun in ("rifle", "assault rifle", "shotgun"):
        return False
    return not weapon.close or hands_needed(rules, weapon.power, fighter.profile.body) == 1


def can_reload(rules: Ruleset, weapon: Weapon, body: int) -> bool:
    """Whether somebody is strong enough to make a weapon ready again."""
    return weapon.kind != "push" or weapon.winder or rules.on("powerless") or weapon.power <= body


def shots_fired(rules: Ruleset, fighter: Fighter, acts: tuple[Act, ...], waste: int) -> Play[Fighter]:
    """What an attack with a ranged weapon uses up, and how the weapon kicks."""
    shots = [act for act in acts if act.kind in ("attack", "called shot", "suppress")]
    weapon = fighter.weapon
    if not shots or weapon.close:
        return fighter
    mode, many = shots[0].mode, len(shots)
    left = loaded(fighter)
    if left != ENDLESS:
        used = bullets(rules, mode, many, weapon.spray, left, (waste,) if waste else ())
        fighter = without_bullets(fighter, fighter.in_hand, gone(fighter, fighter.in_hand) + used)
    if shots[0].off_hand and fighter.profile.weapons[shots[0].off_hand].magazine:
        fighter = without_bullets(fighter, shots[0].off_hand, gone(fighter, shots[0].off_hand) + 1)
    arm: Location = "left arm" if fighter.hand == "off" else "right arm"
    fighter = yield from _kicked(rules, fighter, weapon, arm, mode, many if mode == "semi-automatic" else 1)
    if shots[0].off_hand:
        fighter = yield from _kicked(rules, fighter, fighter.profile.weapons[shots[0].off_hand], "left arm")
    return fighter


def _kicked(rules: Ruleset, fighter: Fighter, weapon: Weapon, arm: Location, mode: Mode = "single", shots: int = 1) -> Play[Fighter]:
    """A firearm far too strong for somebody hurts the arm that it is fired with."""
    kick = recoil(rules, weapon.power, fighter.profile.body, mode, shots) if weapon.gun else None
    if kick is None or not kick.shock:
        return fighter
    body, shock, _ = yield from shrugs(fighter.body, kick.shock, by=fighter.name)
    yield Tell(Happened(fighter.name, f"is hurt by the recoil of the {weapon.name}"))
    return replace(fighter, body=shock_to(rules, body, arm, shock) if shock else body)


# --- ways to fire -------------------------------------------------------------------------------------------------------------


def volleys(rules: Ruleset, weapon: Weapon, left: int, foe: str, others: tuple[tuple[str, int], ...] = ()) -> list[Volley]:
    """Every way to fire more than one shot at an enemy: two or three shots, a burst, a burst at him and at another so many metres off."""
    modes = modes_of(rules, weapon.fire) if weapon.gun else ()
    found = []
    if "semi-automatic" in modes:
        for shots in (2, 3):
            if left == ENDLESS or left >= shots:
                act = Act("attack", foe, mode="semi-automatic", shots=shots)
                found.append(Volley(f"{shots} shots:{foe}", f"{shots} shots at {foe}", (act,) * shots))
    if "burst" in modes and weapon.spray:
        found.append(Volley(f"burst:{foe}", f"A burst at {foe}", (Act("attack", foe, mode="burst"),)))
        for other, metres in others:
            acts = (Act("attack", foe, mode="burst", between=metres), Act("attack", other, mode="burst", between=metres))
            found.append(Volley(f"burst:{foe}+{other}", f"A burst at {foe} and {other}", acts))
    return found


def can_suppress(rules: Ruleset, weapon: Weapon) -> bool:
    """Whether a weapon can lay an area under fire."""
    return bool(weapon.gun) and "suppressive" in modes_of(rules, weapon.fire) and weapon.spray > 0


def is_volley(acts: tuple[Act, ...]) -> bool:
    """Whether these are the shots of one roll, which cost no dice of a multiple action."""
    return len(acts) > 0 and all(act.mode != "single" for act in acts)


# --- suppressive fire ---------------------------------------------------------------------------------------------------------

SUPPRESSIVE: Mode = "suppressive"


def lays_fire(rules: Ruleset, fight: Fight, fighter: Fighter) -> Play[tuple[Set, ...]]:
    """The dice of an area under fire."""
    return (yield from suppressing(rules, fighter.weapon.spray, fighter.name))


_REACTIONS: tuple[Option[bool], ...] = (Option("dive", "Dive for cover", True), Option("face", "Face it", False))


def under_suppression(rules: Ruleset, fight: Fight, fire: Pending) -> Play[tuple[Fight, tuple[str, ...]]]:
    """Everybody on other sides who is not in cover dives for it or faces the fire; whoever stays in the open is shot at.

    Also who was hit, once for each hit.
    """
    shooter, hit = fight.fighter(fire.who), []
    for victim in [each for each in fight.fighters if each.side != shooter.side and each.able and not each.cover.any]:
        fight, hits = yield from _suppressed(rules, fight, fire, victim)
        hit += [victim.name] * hits
    for group in [each for each in fight.groups if each.side != shooter.side and each.able]:
        for width, height in (yield from under_fire(rules, fire.lying, group.members[0])):
            now = fight.group(group.name)
            if now is not None and now.able:
                mob = hit_mook(rules, now.mob, blow(rules, shooter.weapon, width).hit, height)
                fight = fight.put_group(replace(now, mob=mob))
    return fight, tuple(hit)


def _suppressed(rules: Ruleset, fight: Fight, fire: Pending, victim: Fighter) -> Play[tuple[Fight, int]]:
    shooter, ground = fight.fighter(fire.who), fight.ground
    about = Situation(fight, victim.name, rules)
    dives = bool(ground.cover) and not victim.held_by
    if dives:
        dives = yield from Choice(victim.name, f"{fire.who} lays the area under fire.", _REACTIONS, about, "suppressed")
        if not dives:
            need = facing_difficulty(shooter.weapon.spray)
            fight, dared = yield from rolls_for(rules, fight, victim.name, victim.profile.nerve, need, "facing the fire")
            dives = not dared.success
    if dives:
        pool = victim.profile.dodge.plus(dive_dice(ground.cover_metres))
        fight, dived = yield from rolls_for(rules, fight, victim.name, pool, victim.profile.athletic_difficulty, "dive for cover")
        if dived.success:
            yield Tell(Happened(victim.name, "dives for cover"))
            return fight.change(victim.name, cover=Cover(ground.cover, ground.cover_material)), 0
    sets = yield from under_fire(rules, fire.lying, victim.name)
    for width, height in sets:
        fight, dealt = yield from when_hit(rules, fight, victim.name, blow(rules, shooter.weapon, width))
        now = fight.fighter(victim.name)
        landed = yield from land(rules, dealt, height, now.body, now.worn, None, now.cover, True, fire.who, victim.name)
        fight = fight.put(replace(now, body=landed.body, worn=landed.worn))
    return fight, len(sets)
