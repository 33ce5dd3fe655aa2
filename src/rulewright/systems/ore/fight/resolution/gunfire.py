"""Firearms in a fight: fire modes, ammunition, recoil and suppressive fire (book lines 4972-5050, 5150-5160)."""

from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Choice, Event, Happened, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.combat.attacks import land
from rulewright.systems.ore.combat.cover import dive_dice
from rulewright.systems.ore.combat.fighters import REACH, Act, Dropped, Fight, Fighter, Group, Pending, Situation, Where
from rulewright.systems.ore.combat.hazards import in_area
from rulewright.systems.ore.combat.mooks import hit_mook
from rulewright.systems.ore.fight.actions.base import Declarable
from rulewright.systems.ore.fight.drama_points import rolls_for, when_hit
from rulewright.systems.ore.fight.events import UnderFire
from rulewright.systems.ore.fight.feats.effects import help_for, rating_of, trait
from rulewright.systems.ore.fight.resolution.movement import can_dive, cover_metres, in_cover
from rulewright.systems.ore.gear.armour import Protection
from rulewright.systems.ore.gear.firearms import Mode, bullets, facing_difficulty, modes_of, recoil, under_fire
from rulewright.systems.ore.gear.missiles import loading_rounds
from rulewright.systems.ore.gear.weapons import Weapon, blow, hands_needed
from rulewright.systems.ore.harm.body import Located, shock_to, shrugs
from rulewright.systems.ore.harm.events import Suffered
from rulewright.systems.ore.harm.locations import Location
from rulewright.systems.ore.log_phrases import is_many, verb
from rulewright.systems.ore.people.feat_effects import Try, helps

ENDLESS = -1
"""Bullets of a weapon that never runs out."""


# --- bullets ------------------------------------------------------------------------------------------------------------------


def loaded(fighter: Fighter) -> int:
    """Shots left in the weapon in hand; ENDLESS if not counted."""
    magazine = fighter.weapon.magazine
    return magazine - gone(fighter, fighter.in_hand) if magazine else ENDLESS


def gone(fighter: Fighter, place: int) -> int:
    """Bullets fired from a weapon."""
    return dict(fighter.spent).get(place, 0)


def without_bullets(fighter: Fighter, place: int, number: int) -> Fighter:
    """A fighter with so many bullets fired."""
    spent = {**dict(fighter.spent), place: number}
    return replace(fighter, spent=tuple(sorted([(result, many) for result, many in spent.items() if many])))


def reloads(rules: Ruleset, fighter: Fighter) -> Fighter:
    """Reloads: an action fills a magazine (ruling); a push weapon takes a round, or more with a winder."""
    weapon = fighter.weapon
    if weapon.kind == "push":
        wound = fighter.winding + 1
        if wound < loading_rounds(rules, weapon.power, fighter.profile.body, weapon.winder):
            return replace(fighter, winding=wound)
    return replace(without_bullets(fighter, fighter.in_hand, 0), winding=0)


def pairs(rules: Ruleset, fighter: Fighter) -> int:
    """The usable off-hand weapon; 0 for none."""
    place = fighter.off_hand
    return place if place and place not in fighter.lost and can_pair(rules, fighter, place) and _is_loaded(fighter, place) else 0


def can_pair(rules: Ruleset, fighter: Fighter, other: int) -> bool:
    """Whether a weapon can be used in the off-hand: both close or both ranged, each one-handed, and no shield."""
    weapons, place = fighter.profile.weapons, fighter.in_hand
    both = fighter.body.usable("right arm") and fighter.body.usable("left arm") and not fighter.worn.shield
    if not place or not both or other == place or not one_handed(rules, fighter, place):
        return False
    return weapons[other].close == weapons[place].close and one_handed(rules, fighter, other)


def _is_loaded(fighter: Fighter, place: int) -> bool:
    weapon = fighter.profile.weapons[place]
    return not weapon.magazine or gone(fighter, place) < weapon.magazine


def ready(victim: Fighter) -> Protection:
    """Current protection: a shield needs a usable arm."""
    worn = victim.worn
    return worn if not worn.shield or victim.body.usable(worn.shield_arm) else replace(worn, shield=0)


def dropped(fight: Fight, name: str, place: int, there: Where) -> Fight:
    """Puts a weapon on the floor."""
    fighter = fight.fighter(name)
    lost = tuple(sorted({*fighter.lost, place}))
    in_hand = 0 if fighter.in_hand == place else fighter.in_hand
    off_hand = 0 if fighter.off_hand == place else fighter.off_hand
    fight = fight.put(replace(fighter, lost=lost, in_hand=in_hand, off_hand=off_hand))
    lies = Dropped(name, place, there) if isinstance(there, int) else Dropped(name, place, 0, there)
    return replace(fight, floor=(*fight.floor, lies))


def with_weapon_of(rules: Ruleset, taker: Fighter, owner: Fighter, place: int) -> tuple[Fighter, int]:
    """A fighter with another's weapon and its ammunition, and its index."""
    new, lacks = len(taker.profile.weapons), gone(owner, place)
    spent = (*taker.spent, (new, lacks)) if lacks else taker.spent
    return replace(taker, profile=taker.profile.with_weapon(rules, owner.profile.weapons[place]), spent=spent), new


def one_handed(rules: Ruleset, fighter: Fighter, place: int) -> bool:
    """Whether a weapon leaves the other hand free."""
    weapon = fighter.profile.weapons[place]
    if weapon.two_handed or weapon.gun in ("rifle", "assault rifle", "shotgun"):
        return False
    return not weapon.close or hands_needed(rules, weapon.power, fighter.profile.body) == 1


def can_reload(rules: Ruleset, weapon: Weapon, body: int) -> bool:
    """Whether a fighter is strong enough to reload a weapon."""
    return weapon.kind != "push" or weapon.winder or rules.on("powerless") or weapon.power <= body


def charged(rules: Ruleset, fight: Fight, fighter: Fighter, shots: list[Act], *, used: int, left: int) -> tuple[Fighter, int]:
    """Charges used by shots with feats: more, or half a charge each."""
    given = [help_for(rules, fight, fighter, act) for act in shots]
    used += sum([candidate.amount("charges") for candidate in given])
    if any(candidate.amount("half charges") for candidate in given):
        half = ("half a charge", "")
        if half in fighter.marks:
            fighter = replace(fighter, marks=tuple([mark for mark in fighter.marks if mark != half]))
        else:
            fighter, used = replace(fighter, marks=(*fighter.marks, half)), used - 1
    if shots[0].kind == "repeat shot":
        used += 1
    return fighter, min(max(0, used), left)


def shots_fired(rules: Ruleset, fight: Fight, name: str, acts: tuple[Act, ...], waste: int) -> Play[Fight]:
    """Ammunition used by attacks, and recoil. Thrown weapons land at the target."""
    fighter = fight.fighter(name)
    shots = [act for act in acts if act.kind in ("attack", "called shot", "suppress", "repeat shot") and not act.spare]
    weapon = fighter.weapon
    if not shots or weapon.close:
        return fight
    mode, many = shots[0].mode, len(shots)
    left = loaded(fighter)
    if left != ENDLESS:
        used = bullets(rules, mode, many, weapon.spray, left, (waste,) if waste else ())
        if fighter.profile.feats:
            fighter, used = charged(rules, fight, fighter, shots, used=used, left=left)
        fighter = without_bullets(fighter, fighter.in_hand, gone(fighter, fighter.in_hand) + used)
        yield Tell(Fired(name, weapon.name, used, left - used))
    second = shots[0].off_hand
    if second and (magazine := fighter.profile.weapons[second].magazine):
        fighter = without_bullets(fighter, second, gone(fighter, second) + 1)
        yield Tell(Fired(name, fighter.profile.weapons[second].name, 1, magazine - gone(fighter, second)))
    arm: Location = "left arm" if fighter.hand == "off" else "right arm"
    fighter = yield from _apply_recoil(rules, fighter, weapon, arm, mode=mode, shots=many if mode == "semi-automatic" else 1)
    if second:
        fighter = yield from _apply_recoil(rules, fighter, fighter.profile.weapons[second], "left arm")
    fight = fight.put(fighter)
    for place in (fighter.in_hand, second):
        if place and fighter.profile.weapons[place].kind == "thrown":
            fight = dropped(fight, name, place, fight.place_of((shots[0].also if place == second else "") or shots[0].target))
    return fight


class Fired(Event, frozen=True):
    """Ammunition used by shots."""

    who: str
    weapon: str
    used: int
    left: int

    def headline(self) -> str:
        spent = f"fires {count(self.used, 'bullet')} from {the(self.weapon)}" if self.used else f"uses no ammunition of {the(self.weapon)}"
        return f"{self.who} {spent}: {self.left or 'none'} left"

    def reasons(self) -> tuple[Reason, ...]:
        return Reason("loaded", self.used + self.left, "+"), Reason("fired", -self.used, "+")


def _apply_recoil(
    rules: Ruleset, fighter: Fighter, weapon: Weapon, arm: Location, *, mode: Mode = "single", shots: int = 1
) -> Play[Fighter]:
    """Shock to the arm from excessive recoil."""
    steadied = trait(rules, fighter, "suppress").amount("recoil") if mode == "suppressive" else 0
    kick = recoil(rules, max(0, weapon.power + steadied), fighter.profile.body, mode, shots) if weapon.gun else None
    if kick is None or not kick.shock:
        return fighter
    body, shock, _ = yield from shrugs(fighter.body, kick.shock, by=fighter.name)
    what = f"is hurt by the recoil of {the(weapon.name)}"
    yield Tell(Suffered(fighter.name, what, "Recoil beyond Body", shock, location=arm, rule="ore-4.11b-recoil"))
    return replace(fighter, body=shock_to(rules, body, arm, shock) if shock else body)


# --- ways to fire -------------------------------------------------------------------------------------------------------------


def volleys(rules: Ruleset, weapon: Weapon, left: int, foe: str, others: tuple[tuple[str, int], ...] = ()) -> list[Declarable]:
    """All options for several shots: two or three, a burst, a burst at two targets."""
    modes = modes_of(rules, weapon.fire) if weapon.gun else ()
    declarables = []
    if "semi-automatic" in modes:
        for shots in (2, 3):
            if left == ENDLESS or left >= shots:
                act = Act("attack", foe, mode="semi-automatic", shots=shots)
                declarables.append(Declarable(f"{shots} shots:{foe}", f"Fire {shots} shots at {foe}", (act,) * shots))
    if "burst" in modes and weapon.spray:
        declarables.append(Declarable(f"burst:{foe}", f"Fire a burst at {foe}", (Act("attack", foe, mode="burst"),)))
        for other, metres in others:
            acts = (Act("attack", foe, mode="burst", between=metres), Act("attack", other, mode="burst", between=metres))
            declarables.append(Declarable(f"burst:{foe}+{other}", f"Fire a burst at {foe} and {other}", acts))
    return declarables


def can_suppress(rules: Ruleset, weapon: Weapon) -> bool:
    """Whether a weapon can use suppressive fire."""
    return bool(weapon.gun) and "suppressive" in modes_of(rules, weapon.fire) and weapon.spray > 0


def is_volley(acts: tuple[Act, ...]) -> bool:
    """Whether these are shots of one roll, without the penalty of multiple actions."""
    return len(acts) > 0 and all(act.mode != "single" for act in acts)


# --- suppressive fire ---------------------------------------------------------------------------------------------------------

_REACTIONS: tuple[Option[bool], ...] = (Option("dive", "Dive for cover", value=True), Option("face", "Face the fire", value=False))


def under_suppression(rules: Ruleset, fight: Fight, fire: Pending) -> Play[tuple[Fight, tuple[str, ...]]]:
    """Everybody in the area without cover dives or faces the fire; others are shot at. The area contains all enemies, and everybody
    within arm's length of one (ruling). Also returns who was hit, once per hit."""
    hit: list[str] = []
    in_the_open = [fighter for fighter in fight.fighters if fighter.able and not fight.cover_from(fire.who, fighter).any]
    for victim in [fighter for fighter in in_the_open if _is_under_fire(rules, fight, fire.who, fighter)]:
        fight, hits = yield from _suppress_person(rules, fight, fire, victim)
        hit += [victim.name] * hits
    for group in [
        candidate
        for candidate in fight.groups
        if candidate.able and candidate.side != fight.side_of(fire.who) and fight.sees(fire.who, candidate.name)
    ]:
        fight, hits = yield from _suppress_mooks(rules, fight, fire, group)
        hit += [group.name] * hits
    return fight, tuple(hit)


def _is_under_fire(rules: Ruleset, fight: Fight, shooter: str, victim: Fighter) -> bool:
    """Whether a person is in the area of fire."""
    side = fight.side_of(shooter)
    if victim.name == shooter or not fight.sees(shooter, victim.name):
        return False
    if victim.side != side or rules.word("in-the-hail") == "enemies alone":
        return victim.side != side
    return any(fight.distance(victim.name, foe) <= REACH for foe in fight.foes(side))


def _suppress_mooks(rules: Ruleset, fight: Fight, fire: Pending, group: Group) -> Play[tuple[Fight, int]]:
    """Mooks roll once; every set takes out or hurts one."""
    weapon = fight.fighter(fire.who).weapon
    sets = yield from under_fire(rules, fire.lying, group.members[0])
    yield Tell(UnderFire(group.name, _widest(fire), sets, is_many(group.name)))
    for width, height in sets:
        now = fight.group(group.name)
        if now is not None and now.able:
            mob = hit_mook(rules, now.mob, blow(rules, weapon, width).hit, height)
            if width > now.mob.threat and "mooks die" in trait(rules, fight.fighter(fire.who), "suppress"):
                mob = now.mob.left(list(now.mob.ratings[1:]))
            name = group.name
            what = verb(name, "loses one mook", "lose one mook") if mob.number < now.mob.number else verb(name, "is hit", "are hit")
            yield Tell(Happened(name, f"{what} under fire: {width}x{height}", "bad"))
            fight = fight.put_group(replace(now, mob=mob))
    return fight, len(sets)


def _widest(fire: Pending) -> int:
    """The dice that everybody in the open rolls: the Width of the widest set."""
    return max([width for width, _ in fire.lying], default=1)


def _kept_down(rules: Ruleset, shooter: Fighter) -> int:
    """The Difficulty to dive from this fire: the shooter's skill with a feat."""
    given = helps(rules, shooter.profile.feats, Try(on=("dive",), when=("under your fire",)), foes=True)
    return max([rating_of(rules, shooter, skill) for skill in (given.difficulty_is, "ballistics")]) if given.difficulty_is else 1


def _suppress_person(rules: Ruleset, fight: Fight, fire: Pending, victim: Fighter) -> Play[tuple[Fight, int]]:
    """A person in the open under fire: a dive for cover, or dice that join the fire."""
    shooter = fight.fighter(fire.who)
    about = Situation(fight, victim.name, rules)
    dives = can_dive(fight, victim) and not victim.held_by
    if dives:
        dives = yield from Choice(victim.name, f"{fire.who} uses suppressive fire. What do you do?", _REACTIONS, about, "suppressed")
        if not dives:
            need = facing_difficulty(shooter.weapon.spray)
            fight, dared = yield from rolls_for(rules, fight, victim.name, victim.profile.nerve, difficulty=need, what="facing the fire")
            dives = not dared.success
    if dives:
        pool = victim.profile.dodge.plus(dive_dice(cover_metres(fight, victim)))
        need = max(victim.profile.athletic_difficulty, _kept_down(rules, shooter))
        fight, dived = yield from rolls_for(rules, fight, victim.name, pool, difficulty=need, what="dive for cover")
        if dived.success:
            yield Tell(Happened(victim.name, "dives for cover"))
            return fight.put(in_cover(fight, fight.fighter(victim.name))), 0
    sets = yield from under_fire(rules, fire.lying, victim.name)
    yield Tell(UnderFire(victim.name, _widest(fire), sets))
    for width, height in sets:
        yield Tell(Happened(fire.who, f"hits {victim.name} with a {width}x{height}"))
        fight, dealt = yield from when_hit(rules, fight, victim.name, blow(rules, shooter.weapon, width))
        now = fight.fighter(victim.name)
        worn = ready(now)
        landed = yield from land(
            rules, dealt, height, now.body, worn, cover=fight.cover_from(fire.who, now), ranged=True, by=fire.who, victim=victim.name
        )
        fight = fight.put(replace(now, body=landed.body, worn=landed.left_of(now.worn, worn)))
    if (
        sets
        and "spray as area shock" in trait(rules, shooter, "suppress", "spray")
        and isinstance(fight.fighter(victim.name).body, Located)
    ):
        body = yield from in_area(rules, fight.fighter(victim.name).body, shooter.weapon.spray, "shock", by=victim.name)
        fight = fight.change(victim.name, body=body)
    return fight, len(sets)
