"""Shots, throws, bursts, spraying and suppression fire (book lines 444-474)."""

from itertools import pairwise
from math import ceil, hypot
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import Wrong
from rulewright.play import Event, Play, Roll, Tell, sub
from rulewright.reasons import Derived, Reason, derive, term, times
from rulewright.rules import Ruleset, rule
from rulewright.systems.scumm.attacks import (
    Band,
    Exposure,
    attack_pool,
    circumstances,
    defense_pool,
    defenseless,
    ranged_strike,
    rolled_terms,
    shoot,
)
from rulewright.systems.scumm.close_combat import Happened, note_attack, spend_emergency_dice
from rulewright.systems.scumm.fighters import Fight, Fighter, Weapon, Zone
from rulewright.systems.scumm.injury import Hit, damage, take_hit
from rulewright.systems.scumm.patient import Location, Patient
from rulewright.systems.scumm.resolution import Mod, Pool, Test, action_test, attribute_pool, reading

SPRAY_AMMO = 10
MOST_SPRAYED = 3
SUPPRESSION_AMMO = 15
SUPPRESSION_WIDTH = 5.0


@rule("scumm-burst-fire")
def burst_ammo(dice: int) -> int:
    """A burst gives up one or two dice, each costing five rounds; on a hit they are added to the margin."""
    if dice not in (1, 2):
        raise Wrong(f"a burst gives up one die or two, not {dice}")
    return 5 * dice


@rule("scumm-burst-fire")
def can_burst(rules: Ruleset, weapon: Weapon, level: int, ammo: int, dice: int) -> bool:
    """A burst needs a weapon made for it, the ammunition, and a die left to roll (ruling "burst-keeps-a-die")."""
    keeps = level > dice or not rules.on("burst-keeps-a-die")
    return weapon.burst and ammo >= burst_ammo(dice) and keeps


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
    extra_actions: int = 0,
    ammo: int | None = None,
) -> Play[Fight]:
    """A shot or throw from trigger to wound: Emergency Dice, ammunition, the exchange, what fumbles bring."""
    attacker, target = fight.fighter(name), fight.fighter(target_name)
    weapon = attacker.profile.weapons[weapon_index]
    defended = not defenseless(attacker, target)
    emergency = saved = 0
    if attacker.body.emergency_dice > 0:
        fight, emergency = yield from spend_emergency_dice(rules, fight, name, f"the shot at {target_name}")
    if defended and target.body.emergency_dice > 0:
        fight, saved = yield from spend_emergency_dice(rules, fight, target_name, "the defense")
    strike = ranged_strike(
        rules,
        fight,
        attacker,
        target,
        weapon,
        location=location,
        burst=burst,
        thrown=thrown,
        extra_actions=extra_actions,
        emergency=emergency,
        defense_emergency=saved,
    )
    used = (burst_ammo(burst) if burst else 1) if ammo is None else ammo
    fight = _spend_shot(fight, name, weapon_index, 0 if thrown else used, thrown)
    before = fight.fighter(target_name).body
    struck = yield from sub(shoot, rules, strike, before)
    if struck.victim is not before:
        fight = fight.change(target_name, body=struck.victim)
    fight = note_attack(fight, name, target_name)
    if struck.fumble or struck.defense_fumble:
        fight = yield from ranged_fumbles(
            rules, fight, name, target_name, weapon_index, struck.fumble and not thrown, defended and struck.defense_fumble
        )
    return fight


def _spend_shot(fight: Fight, name: str, weapon_index: int, used: int, thrown: bool) -> Fight:
    fighter = fight.fighter(name)
    fields: dict[str, Any] = {"aim": 0, "aim_at": ""}
    if thrown:
        fields["gone"] = _replaced(fighter.gone, weapon_index, "away")
        fields["in_hand"] = 0
    else:
        fields["ammo"] = _replaced(fighter.ammo, weapon_index, fighter.ammo[weapon_index] - used)
    return fight.change(name, **fields)


def _replaced(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


@rule("scumm-ranged-fumbles")
def ranged_fumbles(
    rules: Ruleset, fight: Fight, attacker: str, target: str, weapon: int, attacker_fumbled: bool, target_fumbled: bool
) -> Play[Fight]:
    """A fumbled shot jams the weapon until an action clears it; a fumbled defense costs 3 on the next initiative test."""
    if attacker_fumbled:
        shooter = fight.fighter(attacker)
        yield from Tell(Happened(attacker, f"fumbles: the {shooter.profile.weapons[weapon].name} jams", "bad"))
        fight = fight.change(attacker, jammed=_replaced(shooter.jammed, weapon, True))
    if target_fumbled:
        yield from Tell(Happened(target, "stumbles into a bad position: -3 on the next initiative", "bad"))
        fight = fight.change(target, initiative_modifier=-3)
    return fight


@rule("scumm-spraying")
def spray_targets(positions: tuple[tuple[float, float], ...]) -> int:
    """How many of a spray's three targets a line of people takes up: each one, and every empty metre between two."""
    count = len(positions)
    for (x, y), (to_x, to_y) in pairwise(positions):
        count += max(0, ceil(hypot(to_x - x, to_y - y) - 1e-9) - 1)
    return count


@rule("scumm-spraying")
def spray(rules: Ruleset, fight: Fight, name: str, targets: tuple[str, ...], weapon_index: int, extra_actions: int = 0) -> Play[Fight]:
    """One action against up to three targets close together, and whoever stands between; each is attacked once, and ten rounds go."""
    shooter = fight.fighter(name)
    weapon = shooter.profile.weapons[weapon_index]
    line = between(fight, shooter, targets)
    places = tuple((fight.fighter(target).x, fight.fighter(target).y) for target in line)
    if not weapon.burst or shooter.ammo[weapon_index] < SPRAY_AMMO:
        raise Wrong(f"spraying needs a weapon that fires bursts and {SPRAY_AMMO} rounds in it")
    if len(set(targets)) != len(targets) or spray_targets(places) > MOST_SPRAYED:
        raise Wrong("a spray reaches three targets at most, no one twice, and every empty metre between them counts as one")
    fight = fight.change(name, ammo=_replaced(shooter.ammo, weapon_index, shooter.ammo[weapon_index] - SPRAY_AMMO))
    for target in line:
        if fight.fighter(name).jammed[weapon_index]:
            break
        fight = yield from ranged_attack(rules, fight, name, target, weapon_index, extra_actions=extra_actions, ammo=0)
    return fight


def between(fight: Fight, shooter: Fighter, targets: tuple[str, ...]) -> tuple[str, ...]:
    """The targets in a line, and everybody else who stands between two of them."""
    chosen = [fight.fighter(target) for target in targets]
    ends = max(((a, b) for a in chosen for b in chosen), key=lambda pair: pair[0].distance(pair[1]))
    first, last = ends
    caught = [
        fighter
        for fighter in fight.fighters
        if fighter.name in targets
        or (fighter.name != shooter.name and fighter.body.able and _off_line(first.x, first.y, last.x, last.y, fighter.x, fighter.y) <= 0.5)
    ]
    return tuple(fighter.name for fighter in sorted(caught, key=first.distance))


def _off_line(x: float, y: float, to_x: float, to_y: float, at_x: float, at_y: float) -> float:
    """The distance of a point from a stretch of line."""
    length = (to_x - x) ** 2 + (to_y - y) ** 2
    if length == 0:
        return hypot(at_x - x, at_y - y)
    along = max(0.0, min(1.0, ((at_x - x) * (to_x - x) + (at_y - y) * (to_y - y)) / length))
    return hypot(at_x - x - along * (to_x - x), at_y - y - along * (to_y - y))


# --- suppression fire ---------------------------------------------------------------------------------------------------------


@rule("scumm-suppression-fire")
def saturation_threshold(total: int, widened: bool = False) -> Derived[int]:
    """The attack's total plus 2; spreading the fire over twice the width halves it, rounded up."""
    base = term("attack", total), term("suppression", 2)
    if widened:
        return derive(-(-(total + 2) // 2), "Saturation Threshold", *base, times("half, rounded up", 0.5), rule="scumm-suppression-fire")
    return derive(total + 2, "Saturation Threshold", *base, rule="scumm-suppression-fire")


class Suppressed(Event, frozen=True):
    """Ground was put under fire."""

    by: str
    width: float
    pool: Pool
    total: Total
    threshold: int

    def headline(self) -> str:
        return f"{self.by} lays suppression fire over {self.width:g} m: Saturation Threshold {self.threshold}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("attack", self.total.total, "+", None, "book", rolled_terms(self.pool, self.total)), term("suppression", 2))


@rule("scumm-suppression-fire")
def suppress(
    rules: Ruleset, fight: Fight, name: str, at: tuple[float, float], weapon_index: int, widened: bool = False, extra_actions: int = 0
) -> Play[Fight]:
    """Fill an area within medium range with lead for the rest of the round; whoever is there under cover is pinned."""
    shooter = fight.fighter(name)
    weapon = shooter.profile.weapons[weapon_index]
    ammo = SUPPRESSION_AMMO * (2 if widened else 1)
    if not weapon.burst or weapon.ranges is None or shooter.ammo[weapon_index] < ammo:
        raise Wrong(f"suppression fire needs a weapon that fires bursts and {ammo} rounds in it")
    metres = hypot(shooter.x - at[0], shooter.y - at[1])
    if metres > weapon.ranges[1]:
        raise Wrong(f"suppression fire reaches to medium range ({weapon.ranges[1]} m), not to {metres:.0f} m")
    # The area is no target of its own, so neither its range nor the light counts for more than for any shot.
    band: Band = "short range" if metres <= weapon.ranges[0] else "medium range"
    fight, emergency = yield from spend_emergency_dice(rules, fight, name, "the suppression fire")
    c = circumstances(fight, shooter, shooter, band, extra_actions=extra_actions, emergency=emergency)
    pool = attack_pool(rules, shooter.profile, weapon, c)
    total = yield from Roll(reading(rules, pool), name, "suppression fire")
    threshold = saturation_threshold(total.total, widened).value
    width = SUPPRESSION_WIDTH * (2 if widened else 1)
    yield from Tell(Suppressed(name, width, pool, total, threshold))
    fields: dict[str, Any] = {"ammo": _replaced(shooter.ammo, weapon_index, shooter.ammo[weapon_index] - ammo), "aim": 0, "aim_at": ""}
    if total.fumble:
        fields["jammed"] = _replaced(shooter.jammed, weapon_index, True)
        yield from Tell(Happened(name, f"fumbles: the {weapon.name} jams", "bad"))
    zone = Zone(name, at[0], at[1], width, threshold, weapon.damage)
    fight = fight.change(name, **fields)
    fight = replace(fight, zones=(*fight.zones, zone))
    for fighter in fight.fighters:
        if fighter.name == name or not fighter.body.able or not in_zone(zone, fighter.x, fighter.y):
            continue
        if fighter.cover != "none":
            fight = fight.change(fighter.name, pinned=True)
            yield from Tell(Happened(fighter.name, "is pinned down"))
        elif rules.word("suppression-exposed") == "hit":
            fight = yield from cross_fire(rules, fight, fighter.name, zone)
    return fight


def in_zone(zone: Zone, x: float, y: float) -> bool:
    """Whether a point lies under the fire."""
    return hypot(x - zone.x, y - zone.y) <= zone.width / 2


def crosses(zone: Zone, x: float, y: float, to_x: float, to_y: float) -> bool:
    """Whether a way leads through the fire."""
    return _off_line(x, y, to_x, to_y, zone.x, zone.y) <= zone.width / 2


class Crossed(Struct, frozen=True):
    """What going through suppression fire did."""

    victim: Patient
    hit: bool


@rule("scumm-suppression-fire")
def under_fire(rules: Ruleset, defense: Pool, threshold: int, multiplier: int, victim: Patient) -> Play[Crossed]:
    """Beat the Saturation Threshold with Defense (ruling), or take the margin times the Damage Multiplier; a tie is spared."""
    rolled = yield from Roll(reading(rules, defense), victim.name, "defense against suppression fire")
    short = threshold - rolled.total
    if short == 0 and rules.on("suppression-tie-hits"):
        short = 1
    if short <= 0:
        return Crossed(victim, False)
    after = yield from sub(take_hit, rules, victim, Hit(damage(multiplier, short).value))
    return Crossed(after, True)


def cross_fire(rules: Ruleset, fight: Fight, name: str, zone: Zone) -> Play[Fight]:
    """Somebody comes under suppression fire."""
    fighter = fight.fighter(name)
    e = Exposure(False, fighter.mode, fighter.cover, fighter.body.physical_penalty, 0, fighter.intoxicated)
    pool = defense_pool(rules, fighter.profile.defense, Mod("", 0), e)
    crossed = yield from sub(under_fire, rules, pool, zone.threshold, zone.damage, fighter.body)
    yield from Tell(Happened(name, "is caught in the suppression fire" if crossed.hit else "comes through the suppression fire unharmed"))
    return fight.change(name, body=crossed.victim)


@rule("scumm-suppression-fire")
def dare_to_move(rules: Ruleset, spirit: int, penalty: int = 0, by: str = "") -> Play[Test]:
    """One who is pinned may only move after a Spirit test against 4."""
    pool = attribute_pool(rules, spirit, "Spirit", (Mod("wounds", penalty, "scumm-injuries"),))
    return (yield from action_test(rules, pool, 4, by, "moving under suppression fire"))
