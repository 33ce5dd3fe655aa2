"""What is offered to somebody who may act: everything that is allowed, and the ways to attack, with their odds (book lines 1917-1998)."""

from functools import lru_cache
from itertools import combinations
from math import hypot

from msgspec.structs import replace

from rulewright.field.aims import Aimed
from rulewright.field.field import NOTHING
from rulewright.play import Choice, Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.gravity import AT_HAND, floats
from rulewright.systems.silhouette.action.movement import DOWN, Pace, can_stand, fastest_of
from rulewright.systems.silhouette.action.rounds import FOR_ANYONE, Ready, counts
from rulewright.systems.silhouette.attacks.area_fire import can_walk
from rulewright.systems.silhouette.attacks.shots import can_reach, short_range
from rulewright.systems.silhouette.combat.arms import Weapon
from rulewright.systems.silhouette.combat.close_combat import Speed, Technique
from rulewright.systems.silhouette.combat.fighters import (
    SIMPLE,
    Action,
    Fight,
    Fighter,
    Profile,
    Situation,
    UnderWay,
    hands_of,
    reach_of,
    striking_weapon,
)
from rulewright.systems.silhouette.gear.ammunition import endless_ammunition
from rulewright.systems.silhouette.harm.body import Location

ASK_HOW = Technique("plain", -1)
"""Stands for a way of attacking that is still to be asked for."""
CALLED: tuple[Location, ...] = ("torso", "head", "lower chest", "groin", "throat", "left arm", "right arm", "left leg", "right leg")
SMALL: tuple[Location, ...] = ("left hand", "right hand", "left foot", "right foot")
"""Hands and feet: of interest only where the campaign has hit locations."""


def _called_shots(rules: Ruleset) -> tuple[Location, ...]:
    return (*CALLED, *SMALL) if rules.on("hit-locations") else CALLED


# --- ways to attack -----------------------------------------------------------------------------------------------------------


def choose_way(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Action]:
    """Ask how an attack is made."""
    fighter = fight.fighter(name)
    at = action.weapon
    if action.kind == "strike":
        options = ways_to_strike(rules, fighter.profile, action)
    elif action.kind == "throw":
        options = ways_to_throw(rules, action)
    else:
        weapon = fighter.profile.weapons[at]
        left = fighter.ammo[at] if weapon.magazine else 10_000
        options = ways_to_shoot(rules, fighter.profile, action, left)
    about = Situation(fight, name, rules, UnderWay(name, 1 - penalty), action)
    return (yield from Choice(name, f"How do you attack {action.target}?", options, about, "way"))


@lru_cache(maxsize=10_000)
def ways_to_strike(rules: Ruleset, profile: Profile, action: Action) -> tuple[Option[Action], ...]:
    """Plainly, in quick succession, with a feint, or at a part of the body; speed and feints go together."""
    weapon = profile.weapons[action.weapon]
    level = profile.level(weapon.skill)
    found: list[Option[Action]] = []
    speeds: tuple[Speed, ...] = ("plain", "fast", "lightning")
    for speed in speeds:
        for dice in range(level + 1):
            words = [*([] if speed == "plain" else [speed]), *([f"deceive {dice}"] if dice else [])]
            key = " ".join(words) or "plain"
            found.append(Option(key, key.capitalize(), replace(action, technique=Technique(speed, dice))))
    plain = replace(action, technique=Technique())
    if rules.on("blunt-and-stabbing") and weapon.skill == "melee" and weapon.nature == "plain":
        found.append(Option("stab", "With the point", replace(plain, stab=True)))
    for place in _called_shots(rules):
        found.append(Option(f"at {place}", f"At the {place}", replace(plain, location=place)))
    return tuple(found)


@lru_cache(maxsize=10_000)
def ways_to_throw(rules: Ruleset, action: Action) -> tuple[Option[Action], ...]:
    """Plainly, or at a part of the body."""
    plain = replace(action, technique=Technique())
    parts = [Option(f"at {place}", f"At the {place}", replace(plain, location=place)) for place in _called_shots(rules)]
    return (Option("plain", "Plainly", plain), *parts)


@lru_cache(maxsize=10_000)
def ways_to_shoot(rules: Ruleset, profile: Profile, action: Action, left: int) -> tuple[Option[Action], ...]:
    """Plainly, as a burst, or at a part of the body."""
    weapon = profile.weapons[action.weapon]
    plain = replace(action, technique=Technique())
    found = [Option("plain", "Plainly", plain)]
    rates = max(0, weapon.fires.rof) if weapon.fires is not None else 0
    for rof in range(1, rates + 1):
        if left >= 5 or endless_ammunition(rules):
            found.append(Option(f"burst {rof}", f"Burst +{rof}", replace(plain, rof=rof)))
    for place in _called_shots(rules):
        found.append(Option(f"at {place}", f"At the {place}", replace(plain, location=place)))
    return tuple(found)


# --- what is offered ----------------------------------------------------------------------------------------------------------


_BOUND: tuple[Option[Action], ...] = (
    Option("get free", "Try to get free", Action("get free")),
    Option("pass", "Nothing more", Action("pass")),
)
"""All that is left to one who is entangled."""


def action_options(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> tuple[Option[Action], ...]:
    """Everything that is allowed now: what one can do to whom, and for a grenade in hand the spots that it can be thrown at."""
    found = _everything_else(rules, fight, fighter, turn)
    if floats(fight.ground.gravity):
        found = _floating(fight, fighter, turn, found)
    if fighter.weapon.blast is None or turn.left <= 0 or fight.acting_body(fighter).snared is not None:
        return found
    return (*found[:-1], *spots(rules, fight, fighter), found[-1])


_HOLD: Option[Action] = Option("hold on", "Take hold of what is at hand", Action("hold on"))


def _floating(fight: Fight, fighter: Fighter, turn: UnderWay, found: tuple[Option[Action], ...]) -> tuple[Option[Action], ...]:
    """In free fall nobody drops or stands up; who floats beside something may take hold of it."""
    kept = [option for option in found if option.value.kind not in ("stand", "drop")]
    near = any(hypot(spot.x - fighter.x, spot.y - fighter.y) <= AT_HAND for spot in fight.ground.covers)
    if fighter.loose and near and (counts(turn.simple) == "free" or turn.left > 0) and fighter.body.snared is None:
        kept.insert(len(kept) - 1, _HOLD)
    return tuple(kept)


def spots(rules: Ruleset, fight: Fight, fighter: Fighter) -> tuple[Option[Action], ...]:
    """Places on the ground that a grenade can be thrown at: every cover, and the middle between any two enemies."""
    weapon, at = fighter.weapon, fighter.in_hand
    if weapon.lobs and not fighter.ammo[at]:
        return ()
    places = [(spot.name, spot.x, spot.y) for spot in fight.ground.covers]
    places += [(cover.name, *cover.middle) for cover in fight.known_map.covers]
    pairs = combinations(fight.enemies(fighter), 2)
    places += [(f"between {one.name} and {two.name}", (one.x + two.x) / 2, (one.y + two.y) / 2) for one, two in pairs]
    return tuple(
        [
            Option(f"lob at:{name}", f"Lob the {weapon.name} at a spot: {name}", Action("lob", weapon=at, spot=(round(x, 2), round(y, 2))))
            for name, x, y in places
            if can_reach(rules, fighter, weapon, hypot(x - fighter.x, y - fighter.y), thrown=True)
            and fight.clear_between((fighter.x, fighter.y), (x, y))
        ]
    )


def spots_to_aim_at(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> Aimed[Action] | None:
    """Any place on the ground, for a grenade in hand; on a map also for a weapon that sweeps it with fire."""
    weapon = fighter.weapon
    if weapon.blast is not None:
        return spots_to_lob_at(rules, fight, fighter, turn)
    if (
        weapon.fires is None
        or not weapon.fires.rof
        or not fighter.loaded
        or turn.left <= 0
        or (weapon.magazine and fighter.ammo[fighter.in_hand] < 10)
    ):
        return None
    if fight.acting_body(fighter).snared is not None:
        return None
    at, rof = fighter.in_hand, weapon.fires.rof
    return Aimed(
        NOTHING if fight.bare else fight.field,
        (fighter.x, fighter.y),
        "saturate",
        "sweeping it with fire",
        2.0 * weapon.fires.short,
        lambda spot: Action("saturate", weapon=at, rof=rof, spot=spot),
        lambda: (fighter, *_about(fight, fighter)),
        least=float(weapon.fires.min_range),
    )


def spots_to_lob_at(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> Aimed[Action] | None:
    """Any place on the ground, for a grenade in hand: in range, and in sight."""
    weapon, at = fighter.weapon, fighter.in_hand
    blast = weapon.blast
    if blast is None or turn.left <= 0 or fight.acting_body(fighter).snared is not None or (weapon.lobs and not fighter.ammo[at]):
        return None
    least = weapon.fires.min_range if weapon.fires is not None and weapon.lobs else 0
    return Aimed(
        NOTHING if fight.bare else fight.field,
        (fighter.x, fighter.y),
        "lob",
        "throwing",
        8.0 * short_range(rules, fighter.profile, weapon, True),
        lambda spot: Action("lob", weapon=at, spot=spot),
        lambda: (fighter, *_about(fight, fighter)),
        float(max(blast.radius, blast.outer_radius)),
        float(least),
    )


def _about(fight: Fight, fighter: Fighter) -> list[Fighter]:
    """Friends, and the enemies of whom one's side knows."""
    friends = [f for f in fight.fighters if f.side == fighter.side and f.name != fighter.name and not f.body.dead]
    return [*friends, *fight.known_enemies(fighter)]


def _everything_else(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> tuple[Option[Action], ...]:
    """The options are kept and offered again whenever the situation is the same."""
    at, weapon = fighter.in_hand, fighter.weapon
    body = fight.acting_body(fighter)
    if body.snared is not None:
        return _BOUND if turn.left > 0 else _BOUND[1:]
    striking = fighter.profile.weapons[striking_weapon(fighter)]
    reach = reach_of(rules, fighter.profile, striking)
    foes = fight.enemies(fighter)
    lines: tuple[tuple[tuple[str, ...], int, int], ...] = ()
    targets = []
    for foe in foes:
        metres = fighter.distance(foe)
        able = weapon.fires is not None and fighter.loaded and turn.left >= weapon.actions
        shootable = able and can_reach(rules, fighter, weapon, metres)
        in_the_hand = weapon.thrown is not None or (weapon.blast is not None and (not weapon.lobs or fighter.ammo[at] > 0))
        flung = in_the_hand and can_reach(rules, fighter, weapon, metres, thrown=True)
        medium = weapon.fires is not None and metres <= 2 * weapon.fires.short
        targets.append((foe.profile.name, metres <= reach, shootable, flung, medium))
    if weapon.fires is not None and weapon.fires.rof > 0 and fighter.loaded and turn.left > 0 and len(foes) > 1:
        lines = fire_lines(rules, fight, fighter, tuple([t[0] for t in targets if t[2]]))
    fired = tuple([name for index, name in turn.fired if index == at]) if turn.fired else ()
    return _action_options(
        rules,
        fighter.profile,
        at,
        fighter.ammo,
        fighter.jammed,
        fighter.unready,
        fighter.gone,
        fighter.shield_up,
        (fighter.aim, fighter.aim_at),
        fighter.pace,
        can_stand(body.deep) and fastest_of(rules, body) != "crawling",
        tuple(targets),
        lines,
        fired,
        turn.left > 0,
        counts(turn.simple) == "free" or turn.left > 0,
        turn.steady,
        turn.loaded,
        hands_of(fighter, body),
    )


def fire_lines(rules: Ruleset, fight: Fight, fighter: Fighter, names: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], int, int], ...]:
    """Every group of people that a burst can be walked over, with the least rate of fire that reaches them and the highest there is."""
    weapon = fighter.weapon
    rof = weapon.fires.rof if weapon.fires is not None else 0
    if weapon.magazine and not endless_ammunition(rules):
        left = fighter.ammo[fighter.in_hand]
        if left < 5:
            return ()
        rof = min(rof, -(-left // 5))
    people = [fight.fighter(name) for name in names]
    near = {(one.name, other.name) for one, other in combinations(people, 2) if one.distance(other) <= rof + 1}
    if not near:
        return ()
    groups = [
        group for size in range(2, rof + 2) for group in combinations(names, size) if all(pair in near for pair in combinations(group, 2))
    ]
    found = []
    for group in groups:
        rates = [rate for rate in range(1, rof + 1) if can_walk(rules, fight, fighter, group, rate)]
        if rates:
            found.append((group, rates[0], rof))
    return tuple(found)


@lru_cache(maxsize=50_000)
def _action_options(
    rules: Ruleset,
    profile: Profile,
    at: int,
    ammo: tuple[int, ...],
    jammed: tuple[bool, ...],
    unready: tuple[int, ...],
    gone: tuple[str, ...],
    shield_up: bool,
    aimed: tuple[int, str],
    pace: Pace,
    stands: bool,
    targets: tuple[tuple[str, bool, bool, bool, bool], ...],
    lines: tuple[tuple[tuple[str, ...], int, int], ...],
    fired: tuple[str, ...],
    actions: bool,
    simple: bool,
    steady: bool,
    loaded: bool,
    hands: int,
) -> tuple[Option[Action], ...]:
    weapon = profile.weapons[at]
    found: list[Option[Action]] = []
    if actions:
        for name, near, shootable, flung, medium in targets:
            found.extend(_attacks(profile, at, name, near, shootable, flung))
            level = profile.level(weapon.aims_with)
            aims = shootable or (flung and weapon.blast is None)
            steadily = aims and steady and level > 0 and (aimed[1] != name or aimed[0] < level)
            if steadily:
                found.append(Option(f"aim:{name}", f"Aim at {name}", Action("aim", name), "all round, +1 die to the next shot"))
            if shootable and medium and weapon.fires is not None and weapon.fires.rof > 0 and (not weapon.magazine or ammo[at] >= 10):
                rates = range(weapon.fires.rof, 0, -1)
                found.extend([_saturation(name, at, weapon, wide, rof) for rof in rates for wide in (False, True)])
        for line, least, most in lines:
            if not set(line) & set(fired):
                names = ", ".join(line)
                for rof in range(most, least - 1, -1):
                    rate, words = (f" {rof}", f" at +{rof}") if rof < most else ("", "")
                    walk = Action("walk fire", targets=line, weapon=at, rof=rof)
                    found.append(Option(f"walk{rate}:{names}", f"Walk fire over {names}{words}", walk))
        if weapon.fires is not None and jammed[at]:
            found.append(Option("clear", f"Clear the jammed {weapon.name}", Action("clear", weapon=at)))
        found.append(Option("skill", "Use a skill, against what the gamemaster says", Action("use a skill")))
        found.append(Option("ready", "Stand ready for anyone who acts", Action("ready", ready=FOR_ANYONE)))
        found.append(Option("ready moves", "Stand ready for anyone who moves", Action("ready", ready=Ready("moves"))))
        found.append(Option("ready shows", "Stand ready for anyone who shows himself", Action("ready", ready=Ready("shows"))))
        if len(targets) > 1:
            for target in targets:
                found.append(Option(f"ready:{target[0]}", f"Stand ready for {target[0]}", Action("ready", ready=Ready("acts", target[0]))))
    if simple:
        found.extend(_simple(profile, at, ammo, unready, gone, shield_up, pace, stands, loaded, hands))
    found.append(Option("pass", "Nothing more", Action("pass")))
    return tuple(found)


def _attacks(profile: Profile, at: int, name: str, near: bool, shootable: bool, flung: bool) -> list[Option[Action]]:
    """Every way to attack one person, each plainly and in a way that is asked for."""
    weapon, found = profile.weapons[at], []
    if shootable:
        shot = Action("shoot", name, weapon=at)
        words = f"Shoot {name}" if not weapon.natural else f"Strike {name} with the {weapon.name}{_priced(weapon)}"
        found.append(Option(f"shoot:{name}", words, shot))
        found.append(Option(f"shoot how:{name}", f"Shoot {name}: a burst, or at a part", replace(shot, technique=ASK_HOW)))
    if near:
        close = at if weapon.close else 0
        bare = profile.weapons[close].skill == "hand-to-hand" and not profile.weapons[close].natural
        blow = Action("strike", name, weapon=close)
        if not bare or profile.level("hand-to-hand") > 0:
            found.append(Option(f"strike:{name}", f"Strike at {name}", blow))
            found.append(
                Option(f"strike how:{name}", f"Strike at {name}: quickly, by a feint, or at a part", replace(blow, technique=ASK_HOW))
            )
        if bare:
            found.append(Option(f"bruise:{name}", f"Strike at {name} to bruise", replace(blow, bruise=True)))
        if profile.weapons[close].entangles is not None:
            found.append(Option(f"entangle:{name}", f"Entangle {name} with the {weapon.name}", replace(blow, snare=True)))
    if flung:
        if weapon.blast is not None:
            found.append(Option(f"lob:{name}", f"Lob the {weapon.name} at {name}", Action("lob", name, weapon=at)))
        else:
            thrown = Action("throw", name, weapon=at)
            found.append(Option(f"throw:{name}", f"Throw the {weapon.name} at {name}", thrown))
            how = replace(thrown, technique=ASK_HOW)
            found.append(Option(f"throw how:{name}", f"Throw the {weapon.name} at a part of {name}", how))
            if weapon.entangles is not None:
                found.append(Option(f"entangle:{name}", f"Entangle {name} with the {weapon.name}", replace(thrown, snare=True)))
    return found


def _priced(weapon: Weapon) -> str:
    """What a spell costs, in words."""
    return f" ({weapon.spell} Spell Points)" if weapon.spell else ""


def _saturation(name: str, at: int, weapon: Weapon, wide: bool, rof: int) -> Option[Action]:
    most = weapon.fires.rof if weapon.fires is not None else rof
    rate, words = (f" {rof}", f" at +{rof}") if rof < most else ("", "")
    label = f"Sweep the ground around {name}{words}{', spread out' if wide else ''}"
    return Option(f"saturate{' wide' if wide else ''}{rate}:{name}", label, Action("saturate", name, weapon=at, rof=rof, wide=wide))


def _simple(
    profile: Profile,
    at: int,
    ammo: tuple[int, ...],
    unready: tuple[int, ...],
    gone: tuple[str, ...],
    shield_up: bool,
    pace: Pace,
    stands: bool,
    loaded: bool,
    hands: int,
) -> list[Option[Action]]:
    """The simple actions that make sense now, with the hands that are left."""
    weapon = profile.weapons[at]
    free = hands - (1 if shield_up and hands < 2 else 0)  # with both arms a shield is let go for what takes two hands
    found: list[Option[Action]] = []
    if (ammo[at] < weapon.magazine or unready[at]) and not (loaded and unready[at]) and not weapon.natural:
        found.append(Option("load", f"Load the {weapon.name}", Action("load", weapon=at)))
    falls = f", letting the {weapon.name} fall" if at else ""
    for i, called in enumerate(_called(profile)):
        if profile.weapons[i].hands > free:
            continue
        if i and i != at and gone[i] == "":
            words = f"{'Use' if profile.weapons[i].natural else 'Draw'} the {called}"
            found.append(Option(f"draw:{called}", words, Action("draw", weapon=i)))
        elif i and gone[i] == "dropped":
            found.append(Option(f"pick up:{called}", f"Pick up the {called}{falls}", Action("pick up", weapon=i)))
    if at:
        words = f"Use the {profile.weapons[0].name}" if weapon.natural else f"Put the {weapon.name} away"
        found.append(Option("sheathe", words, Action("sheathe", weapon=at)))
    if profile.shield is not None and (shield_up or (1 if at else 0) + 1 <= hands) and (shield_up or weapon.hands < hands):
        found.append(Option("shield", "Let the shield go" if shield_up else "Ready the shield", Action("shield")))
    if pace in DOWN and stands:
        found.append(Option("stand", "Stand up", Action("stand")))
    elif pace not in DOWN:
        found.append(Option("drop", "Drop prone", Action("drop")))
    return found


def _called(profile: Profile) -> list[str]:
    """The names of all weapons; the second of a kind is numbered, so that each can be told from the others."""
    names = [weapon.name for weapon in profile.weapons]
    return [name if names.index(name) == i else f"{name} {names[: i + 1].count(name)}" for i, name in enumerate(names)]


def is_simple(action: Action) -> bool:
    """Whether something needs no test unless it is one among several."""
    return action.kind in SIMPLE
