"""Suppression fire and movement through it (book lines 466-474)."""

from itertools import pairwise
from math import hypot
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.field.field import spot_at
from rulewright.field.places import pushed
from rulewright.grammar import the
from rulewright.highest_die.harm import OUTCOMES, hit_outcome
from rulewright.play import Event, Play, Roll, Scale, Tell, came_to, sub
from rulewright.rules import Ruleset, reasons, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_up, term, times
from rulewright.systems.scumm.action.movement import Mode
from rulewright.systems.scumm.combat.attack_setup import circumstances, happened, special, spend_emergency_dice
from rulewright.systems.scumm.combat.attacks import (
    NO_SPECIALIZATION,
    PISTOL,
    PLAINLY,
    STANDING,
    Attacked,
    Circumstances,
    Exposure,
    attack_came_to,
    attack_pool,
    guard_pool,
    mishap,
    range_band,
)
from rulewright.systems.scumm.combat.fighters import REACH, Cover, Fight, Fighter, Ranges, Zone
from rulewright.systems.scumm.harm.body import AVERAGE, Patient
from rulewright.systems.scumm.harm.damage import Hit, damage, take_hit
from rulewright.systems.scumm.resolution.tests import Mod, Pool, Test, action_test, attribute_pool, reading, rolled_total

AMMO = 15
WIDTH = 5.0
DARING = 4
"""The Threshold of the Spirit test without which nobody moves who is pinned."""


class Crossed(Struct, frozen=True):
    """What going through suppression fire did, and whether the defense was fumbled."""

    victim: Patient
    hit: bool
    fumble: bool = False


@rule("scumm-suppression-fire")
def try_suppression(
    rules: Ruleset,
    skill: int = 2,
    alertness: int = 0,
    damage: int = 3,
    metres: float = 5,
    ranges: Ranges = PISTOL,
    ammo: int = 30,
    widened: bool = False,
    circumstances: Circumstances = PLAINLY,
    defense: int = 1,
    exposure: Exposure = STANDING,
    victim: Patient = AVERAGE,
) -> Play[Attacked]:
    """Suppress an area and resolve one person who enters it later in the round. A view of `suppress`."""
    refuse_suppression(ammo, widened, metres, ranges)
    c = circumstances._replace(band=range_band(metres, ranges))
    pool = attack_pool(rules, skill, Mod("Alertness", alertness), NO_SPECIALIZATION, c)
    total = yield from Roll(reading(rules, pool), "attacker", "suppression fire")
    threshold = saturation_threshold(total.total, widened).value
    yield from Tell(Suppressed("attacker", suppressed_width(widened), pool, total, threshold))
    guard = guard_pool(rules, "defense", defense, 0, NO_SPECIALIZATION, exposure._replace(close=False, foe=0))
    crossed = yield from under_fire(rules, guard, threshold, damage, victim)
    return Attacked(hit_outcome(victim, crossed.victim) if crossed.hit else "miss", total.fumble, False)


@rule("scumm-suppression-fire")
def saturation_threshold(total: int = 4, widened: bool = False) -> Derived[int]:
    """The attack's total plus 2; spreading the fire over twice the width halves it, rounded up."""
    spread = (divided("spread over twice the width", 2), rounded_up()) if widened else ()
    return reasons.total("Saturation Threshold", term("attack", total), term("suppression", 2), *spread, rule="scumm-suppression-fire")


@rule("scumm-suppression-fire")
def suppression_ammo(widened: bool = False) -> int:
    """Fifteen rounds, or thirty where the area is widened."""
    return 2 * AMMO if widened else AMMO


@rule("scumm-suppression-fire")
def suppressed_width(widened: bool = False) -> float:
    """Five metres, or twice that where the area is widened."""
    return 2 * WIDTH if widened else WIDTH


def refuse_suppression(ammo: int, widened: bool, metres: float, ranges: Ranges) -> None:
    """The ammunition must be there, and the area within medium range."""
    need = suppression_ammo(widened)
    if ammo < need:
        raise UserError(f"suppression fire needs {need} rounds in the weapon, not {ammo}")
    if metres > ranges[1]:
        raise UserError(f"suppression fire reaches to medium range ({ranges[1]} m), not to {metres:g} m")


@rule("scumm-suppression-fire")
def under_fire(rules: Ruleset, defense: Pool, threshold: int, multiplier: int, victim: Patient) -> Play[Crossed]:
    """Beat the Saturation Threshold with Defense (ruling), or take the margin times the Damage Multiplier; a tie is spared."""
    rolled = yield from Roll(reading(rules, defense), victim.name, "defense against suppression fire")
    short = threshold - rolled.total
    if short == 0 and rules.on("suppression-tie-hits"):
        short = 1
    yield from Tell(UnderFire(victim.name, defense, rolled, threshold, multiplier, max(0, short)))
    if short <= 0:
        return Crossed(victim, False, rolled.fumble)
    after = yield from sub(take_hit, rules, victim, Hit(damage(multiplier, short).value))
    return Crossed(after, True, rolled.fumble)


class UnderFire(Event, frozen=True):
    """A person came under suppression fire."""

    name: str
    pool: Pool
    total: Total
    threshold: int
    multiplier: int
    short: int

    def headline(self) -> str:
        if self.short:
            return f"{self.name} is caught in the suppression fire"
        return f"{self.name} gets through the suppression fire unharmed"

    def reasons(self) -> tuple[Reason, ...]:
        defense = rolled_total("defense", self.pool, self.total).reason
        against = Reason("Saturation Threshold", self.threshold, "against", "scumm-suppression-fire")
        if not self.short:
            return (defense, against)
        terms = (term("Damage Multiplier", self.multiplier), times("Margin of Failure", self.short))
        return (defense, against, reasons.total("damage", *terms, rule="scumm-suppression-fire").reason)

    def tone(self) -> str:
        return "bad" if self.short else "plain"


@rule("scumm-suppression-fire")
def dare_to_move(rules: Ruleset, spirit: int = 0, penalty: int = 0, by: str = "", emergency: int = 0) -> Play[Test]:
    """A person who is pinned under cover may only move after a Spirit test against 4."""
    return (yield from action_test(rules, _daring(rules, spirit, penalty, emergency), DARING, by, "moving under suppression fire"))


def _daring(rules: Ruleset, spirit: int, penalty: int, emergency: int) -> Pool:
    pool = attribute_pool(rules, spirit, "Spirit", (Mod("wounds", penalty, "scumm-injuries"),))
    return replace(pool, emergency=emergency)


def daring_sums(rules: Ruleset, spirit: int, penalty: int, emergency: int, test: Test) -> tuple[Reason, Reason]:
    """The sum behind a Spirit test of a pinned person, and its Threshold."""
    pool, rolled = _daring(rules, spirit, penalty, emergency), Total(test.total, test.fumble)
    why = rolled_total("Spirit test", pool, rolled, "scumm-suppression-fire").reason
    return why, Reason("Threshold", DARING, "against", "scumm-suppression-fire")


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
        attack = term("attack", rolled_total("attack", self.pool, self.total))
        whole = saturation_threshold(self.total.total, self.width > WIDTH)
        return (reasons.total(whole.reason.label, attack, *whole.reasons[1:], rule=whole.reason.rule).reason,)


# --- in a fight ---------------------------------------------------------------------------------------------------------------


def suppress(
    rules: Ruleset, fight: Fight, name: str, at: tuple[float, float], *, weapon_index: int, widened: bool = False, extra: int = 0
) -> Play[Fight]:
    """Fill an area within medium range with lead for the rest of the round.

    People in cover there are pinned; people without cover must beat the Threshold at once (ruling
    "suppression-exposed"). A fumble jams the weapon, as with any shot, once the lead is in the air.
    """
    shooter = fight.fighter(name)
    weapon = shooter.profile.weapons[weapon_index]
    if not weapon.burst or weapon.ranges is None or shooter.jammed[weapon_index]:
        raise UserError("suppression fire needs a weapon that fires bursts and is not jammed")
    metres = hypot(shooter.x - at[0], shooter.y - at[1])
    refuse_suppression(shooter.ammo[weapon_index], widened, metres, weapon.ranges)
    c = circumstances(fight, shooter, range_band(metres, weapon.ranges), extra=extra)
    profile = shooter.profile
    pool = attack_pool(
        rules, profile.level(weapon.skill), Mod("Alertness", profile.alertness), special(profile, weapon.skill, weapon.name), c
    )
    fight, pool = yield from spend_emergency_dice(rules, fight, name, pool, "the suppression fire")
    total = yield from Roll(reading(rules, pool), name, "suppression fire")
    threshold = saturation_threshold(total.total, widened).value
    zone = Zone(name, at[0], at[1], suppressed_width(widened), threshold, weapon.damage)
    yield from Tell(Suppressed(name, zone.width, pool, total, threshold))
    fight = replace(fight.put(_fired(fight.fighter(name), weapon_index, widened, total.fumble)), zones=(*fight.zones, zone))
    if total.fumble:  # 450: the weapon jams
        yield from happened(fight, name, f"fumbles: {the(weapon.name)} jams", "bad")
    worst, comrades = "nobody under fire", False
    for fighter in fight.fighters:
        if fighter.name == name or not fighter.body.able or not in_zone(zone, fighter.x, fighter.y) or not fight.sees(shooter, fighter):
            continue
        fight = fight.change(fighter.name, unwary=False)
        if fight.cover_from((shooter.x, shooter.y), fighter) != "none":
            fight = fight.change(fighter.name, pinned=True)
            yield from happened(fight, fighter.name, "is pinned down")
            if fighter.side != shooter.side:
                worst = max(worst, "pinned", key=SUPPRESSED.names.index)
        elif rules.word("suppression-exposed") == "hit":
            before = fighter.body
            fight = yield from cross_fire(rules, fight, fighter.name, zone)
            hurt = hit_outcome(before, fight.fighter(fighter.name).body)
            if fighter.side != shooter.side:
                worst = max(worst, "came through" if hurt == "nothing" else hurt, key=SUPPRESSED.names.index)
            elif hurt != "nothing":
                comrades = True
    yield from came_to(COMRADE if comrades else worst, SUPPRESSED, name)
    return fight


COMRADE = "a comrade harmed"
SUPPRESSED = Scale((COMRADE, "nobody under fire", "came through", "pinned", *OUTCOMES[1:]), ("pinned", *OUTCOMES[1:]), "pins or harms")
"""The worst that suppression fire does to enemies at once; harm to a comrade outweighs it."""
DARES = Scale(("does not dare", "dares"), ("dares",), "dares")


def _fired(shooter: Fighter, at: int, widened: bool, fumble: bool) -> Fighter:
    left = shooter.ammo[at] - suppression_ammo(widened)
    changes: dict[str, Any] = {"ammo": (*shooter.ammo[:at], left, *shooter.ammo[at + 1 :]), "aim": 0, "aim_at": "", "hidden": False}
    if fumble:  # 450: the weapon jams
        changes["jammed"] = (*shooter.jammed[:at], True, *shooter.jammed[at + 1 :])
    return replace(shooter, **changes)


def in_zone(zone: Zone, x: float, y: float) -> bool:
    """Whether a point lies under the fire."""
    return hypot(x - zone.x, y - zone.y) <= zone.width / 2


def enters(zone: Zone, x: float, y: float, to_x: float, to_y: float) -> bool:
    """Whether a way leads into the fire or through it."""
    return not in_zone(zone, x, y) and off_line(x, y, to_x, to_y, at_x=zone.x, at_y=zone.y) <= zone.width / 2


def off_line(x: float, y: float, to_x: float, to_y: float, *, at_x: float, at_y: float) -> float:
    """The distance of a point from a stretch of line."""
    length = (to_x - x) ** 2 + (to_y - y) ** 2
    if length == 0:
        return hypot(at_x - x, at_y - y)
    along = max(0.0, min(1.0, ((at_x - x) * (to_x - x) + (at_y - y) * (to_y - y)) / length))
    return hypot(at_x - x - along * (to_x - x), at_y - y - along * (to_y - y))


def cross_fire(rules: Ruleset, fight: Fight, name: str, zone: Zone) -> Play[Fight]:
    """A person comes under suppression fire."""
    fighter = fight.fighter(name)
    shooter = next((candidate for candidate in fight.fighters if candidate.name == zone.by), fighter)
    cover = fight.cover_from((shooter.x, shooter.y), fighter)
    e = Exposure(False, fighter.mode, cover, fighter.body.physical_penalty, 0, fighter.intoxicated)
    pool = guard_pool(rules, "defense", fighter.profile.defense, 0, NO_SPECIALIZATION, e)
    fight, pool = yield from spend_emergency_dice(rules, fight, name, pool, "the defense against suppression fire")
    crossed = yield from sub(under_fire, rules, pool, zone.threshold, zone.damage, fight.fighter(name).body)
    before = fight.fighter(name).body
    fight = fight.harm(name, crossed.victim)
    yield attack_came_to(hit_outcome(before, crossed.victim) if crossed.hit else "miss", "", name)
    if not crossed.fumble:  # 450: a bad position
        return fight
    off_balance = mishap(False, True).initiative
    yield from happened(fight, name, f"fumbles the defense: {off_balance} on the next initiative", "bad")
    return fight.change(name, initiative_modifier=off_balance)


def relocate(
    rules: Ruleset,
    fight: Fight,
    name: str,
    x: float,
    *,
    y: float,
    cover: Cover = "none",
    mode: Mode | None = None,
    over: tuple[tuple[float, float], ...] = (),
) -> Play[Fight]:
    """A person gets from one place to another, willingly or not: aim and cover are lost, and suppression fire on the way is met.

    What was dropped is out of reach from more than two metres away. A person who was pinned leaves cover under fire and must face it too.
    `over` are the bends of a way that was chosen; a person who is pushed comes to a stop at whatever stands there.
    """
    before = fight.fighter(name)
    x, y = spot_at(x, y)
    if not over and not fight.bare:
        x, y = pushed(fight.field, (before.x, before.y), (x, y))
    bends = over or ((before.x, before.y), (x, y))
    metres = hypot(x - before.x, y - before.y)
    gone = before.gone
    if metres > REACH and "dropped" in gone:
        gone = tuple(["away" if lost else lost for lost in gone])
    now = mode if mode is not None else before.mode
    if metres or now != before.mode:
        fight = fight.put(replace(before, x=x, y=y, cover=cover, mode=now, gone=gone, aim=0, aim_at="", pinned=False))
    for zone in fight.zones:
        crossed = any(enters(zone, *point, *other) for point, other in pairwise(bends))
        met = crossed or (before.pinned and metres > 0 and in_zone(zone, before.x, before.y))
        if met and fight.fighter(name).body.able:
            fight = yield from cross_fire(rules, fight, name, zone)
    return fight
