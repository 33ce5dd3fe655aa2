"""Shots, throws, bursts and spraying (book lines 444-464)."""

from collections.abc import Iterable
from itertools import combinations, pairwise
from math import atan2, ceil, degrees, hypot
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import the
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import Play, Scale, came_to, sub
from rulewright.rules import Ruleset, rule
from rulewright.scenes.skirmish import put_at
from rulewright.systems.scumm.combat.attack_setup import attacked, boosted, happened, ranged_strike
from rulewright.systems.scumm.combat.attacks import attack_came_to, can_reach, enough_dice, in_a_word, mishap, range_band, shoot
from rulewright.systems.scumm.combat.fighters import Fight, Fighter, Weapon
from rulewright.systems.scumm.combat.suppression import COMRADE, off_line
from rulewright.systems.scumm.harm.body import Location

SPRAY_AMMO = 10
MOST_SPRAYED = 3
SPRAYED = Scale(
    (COMRADE, "nobody", "one harmed", "two harmed", "three harmed"), ("one harmed", "two harmed", "three harmed"), "harms somebody"
)
"""How many enemies a spray harms; harm to a comrade outweighs it."""


# --- the rules in numbers -----------------------------------------------------------------------------------------------------


class Burst(Struct, frozen=True):
    """What a burst gives up and gains: fewer dice, a higher margin on a hit, and the rounds it uses."""

    dice: int
    margin: int
    ammo: int


@rule("scumm-burst-fire")
def burst_of(dice: int = 1) -> Burst:
    """A burst gives up one or two dice, each costing five rounds; on a hit they are added to the margin."""
    if dice not in (1, 2):
        raise UserError(f"a burst gives up one die or two, not {dice}")
    return Burst(-dice, dice, 5 * dice)


@rule("scumm-burst-fire")
def can_burst(rules: Ruleset, weapon: Weapon, level: int, aim: int, ammo: int, dice: int) -> bool:
    """A burst needs a weapon made for it, the ammunition, and a die left to roll (ruling "burst-keeps-a-die")."""
    return weapon.burst and ammo >= burst_of(dice).ammo and enough_dice(rules, level, level + aim - dice, burst=True)


class Spray(Struct, frozen=True):
    """How many of a spray's targets a line of people takes up, whether that can be done, and the rounds it uses."""

    targets: int
    possible: bool
    ammo: int


@rule("scumm-spraying")
def spray_over(positions: tuple[tuple[float, float], ...] = ((0, 0), (1, 0))) -> Spray:
    """Each person is a target, and so is every empty metre between two; three at the most, and ten rounds go."""
    count = len(positions)
    for (x, y), (to_x, to_y) in pairwise(positions):
        count += max(0, ceil(hypot(to_x - x, to_y - y) - 1e-9) - 1)
    return Spray(count, 0 < count <= MOST_SPRAYED, SPRAY_AMMO)


# --- in a fight ---------------------------------------------------------------------------------------------------------------


def ranged_attack(
    rules: Ruleset,
    fight: Fight,
    name: str,
    target_name: str,
    weapon_index: int,
    *,
    location: Location | None = None,
    burst: int = 0,
    thrown: bool = False,
    extra: int = 0,
    spraying: bool = False,
    vitals: bool = False,
) -> Play[Fight]:
    """A shot or throw from trigger to wound: Emergency Dice, ammunition, the exchange, what fumbles bring."""
    attacker, target = fight.fighter(name), fight.fighter(target_name)
    weapon = attacker.profile.weapons[weapon_index]
    used = 0 if thrown or spraying else burst_of(burst).ammo if burst else 1
    if attacker.ammo[weapon_index] < used or attacker.jammed[weapon_index]:
        raise UserError(f"the {weapon.name} is jammed or has too few rounds left")
    strike = ranged_strike(
        rules, fight, attacker, target, weapon, location=location, burst=burst, thrown=thrown, extra=extra, vitals=vitals
    )
    if attacker.body.emergency_dice > 0 or target.body.emergency_dice > 0:
        fight, strike = yield from boosted(rules, fight, strike, f"the shot at {target_name}")
        attacker, target = fight.fighter(name), fight.fighter(target_name)
    struck = yield from sub(shoot, rules, strike, target.body)
    # 450: a fumbled attack jams, a fumbled defense is a bad position
    result = mishap(struck.fumble and not thrown, strike.defense is not None and struck.defense_fumble)
    shooter = _after_shot(attacker, weapon_index, used, thrown, result.jams)
    if weapon.burst and not thrown:
        fired = (weapon_index, target_name)
        shooter = replace(shooter, sprayed=(*shooter.sprayed, fired)) if spraying else replace(shooter, shot_at=(*shooter.shot_at, fired))
    victim = attacked(target, name, struck.victim)
    if result.initiative:
        victim = replace(victim, initiative_modifier=result.initiative)
    fight = fight.put(shooter, victim)
    if victim.grappling and not victim.body.able:
        fight = fight.release(target_name)
    if result.jams:
        yield from happened(fight, name, f"fumbles: {the(weapon.name)} jams", "bad")
    yield attack_came_to(in_a_word(target.body, struck), "" if spraying else name, target_name)
    if result.initiative:
        yield from happened(fight, target_name, f"fumbles the defense: {result.initiative} on the next initiative", "bad")
    return fight


def _after_shot(shooter: Fighter, at: int, used: int, thrown: bool, jams: bool) -> Fighter:
    """Returns the shooter after a shot or throw: fewer rounds or an empty hand, no aim, no hiding, perhaps a jam."""
    changes: dict[str, Any] = {"aim": 0, "aim_at": "", "hidden": False}
    if thrown:
        changes["gone"] = put_at(shooter.gone, at, "away")
        changes["in_hand"] = 0
    else:
        changes["ammo"] = put_at(shooter.ammo, at, shooter.ammo[at] - used)
    if jams:
        changes["jammed"] = put_at(shooter.jammed, at, True)
    return replace(shooter, **changes)


def spray(rules: Ruleset, fight: Fight, name: str, targets: tuple[str, ...], *, weapon_index: int, extra: int = 0) -> Play[Fight]:
    """One action against up to three targets close together, and everybody between them; each is attacked once, and ten rounds go.

    Steady aim at one of them is lost, and a jam ends it.
    """
    shooter = fight.fighter(name)
    for target in targets:
        fight.fighter(target)  # refuses an unknown name
    line = between(name, targets, tuple([standing(fighter) for fighter in fight.fighters]))
    if not can_spray(rules, shooter, weapon_index, line):
        raise UserError(
            f"spraying needs a weapon that fires bursts with {SPRAY_AMMO} rounds in it, and at most {MOST_SPRAYED} targets within its "
            "arc, none attacked with it this round already; every empty metre between them counts as one"
        )
    left = put_at(shooter.ammo, weapon_index, shooter.ammo[weapon_index] - SPRAY_AMMO)
    fight = fight.put(replace(shooter, ammo=left, aim=0, aim_at=""))
    harmed, comrades = 0, False
    for target in [person.name for person in line]:
        if fight.fighter(name).jammed[weapon_index]:
            break
        before = fight.fighter(target).body
        fight = yield from ranged_attack(rules, fight, name, target, weapon_index, extra=extra, spraying=True)
        hurt = hit_outcome(before, fight.fighter(target).body) != "nothing"
        if fight.fighter(target).side == shooter.side:
            comrades = comrades or hurt
        else:
            harmed += hurt
    yield from came_to(COMRADE if comrades else SPRAYED.names[harmed + 1], SPRAYED, name)
    return fight


Bands = tuple[int, int, int, int]
"""The ranges of a weapon, in metres."""


class Standing(Struct, frozen=True, gc=False):
    """A person for the lines of sprays: where they stand, and whether they are able."""

    name: str
    x: float
    y: float
    able: bool

    def distance(self, other: "Standing") -> float:
        """The distance of two people, in metres."""
        return hypot(self.x - other.x, self.y - other.y)


def standing(fighter: Fighter) -> Standing:
    """A person for the lines of sprays."""
    return Standing(fighter.profile.name, fighter.x, fighter.y, fighter.body.able)


def can_spray(rules: Ruleset, shooter: Fighter, weapon_index: int, line: tuple[Standing, ...]) -> bool:
    """Whether a weapon can be sprayed over these people, who stand in a line and within its arc (ruling "spray-arc")."""
    weapon = shooter.profile.weapons[weapon_index]
    return (
        sprays(shooter, weapon_index)
        and weapon.ranges is not None
        and not fired_at(shooter, weapon_index, [person.name for person in line])
        and fits_spray(rules, weapon.ranges, standing(shooter), line)
    )


def sprays(shooter: Fighter, weapon_index: int) -> bool:
    """Whether a weapon can be sprayed at all now."""
    burst = shooter.profile.weapons[weapon_index].burst
    return burst and shooter.ammo[weapon_index] >= SPRAY_AMMO and not shooter.jammed[weapon_index]


def fired_at(shooter: Fighter, weapon_index: int, names: Iterable[str]) -> bool:
    """Whether a weapon has been fired at any of these people this round."""
    fired = (*shooter.shot_at, *shooter.sprayed)
    return any((weapon_index, name) in fired for name in names)


def fits_spray(rules: Ruleset, ranges: Bands, shooter: Standing, line: tuple[Standing, ...]) -> bool:
    """Whether people stand close enough together, within the range and the arc of a spray."""
    return (
        spray_over(tuple([(person.x, person.y) for person in line])).possible
        and all(can_reach(rules, range_band(shooter.distance(person), ranges)) for person in line)
        and all(_apart(shooter, result, other) <= rules.number("spray-arc") for result, other in combinations(line, 2))
    )


def _apart(shooter: Standing, fighter: Standing, other: Standing) -> float:
    """The angle between two people as the shooter sees them, in degrees."""
    angle = atan2(fighter.y - shooter.y, fighter.x - shooter.x) - atan2(other.y - shooter.y, other.x - shooter.x)
    turned = abs(degrees(angle)) % 360
    return min(turned, 360 - turned)


def between(shooter: str, targets: tuple[str, ...], people: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The targets in a line, and everybody else who stands between two of them."""
    chosen = [next(person for person in people if person.name == target) for target in targets]
    first, last = max(((a, b) for a in chosen for b in chosen), key=lambda pair: pair[0].distance(pair[1]))
    caught = [
        person
        for person in people
        if person.name in targets
        or (person.name != shooter and person.able and off_line(first.x, first.y, last.x, last.y, at_x=person.x, at_y=person.y) <= 0.5)
    ]
    return tuple(sorted(caught, key=first.distance))
