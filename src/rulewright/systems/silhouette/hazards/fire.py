"""Fire: intensity, damage, ignition and burning time (book lines 5715-5774, 6246-6264)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Happened, Play, Reckoned, Roll, Tell, sub
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.hazard_damage import harm
from rulewright.systems.silhouette.resolution.tests import DIE, Pool, rolled, sum_of

_DAMAGE, _IGNITION, _DURATION = "sil-6.2.6-fire-damage", "sil-6.2.6-ignition", "sil-6.2.6-burn-duration"
MOST = 10_000
MOST_ROUNDS = 60
PutOut = Literal["rolling", "water, foam or vacuum"]


class FlameRow(TableRow, frozen=True):
    """A fire and its Intensity; `heat_only` if blast and radiation come on top."""

    flame: str
    intensity: int
    heat_only: bool = False


class FlammableRow(TableRow, frozen=True):
    """A flammable object and the total to ignite it (from and to for a range)."""

    object: str
    flammability: int
    up_to: int | None = None


FLAMES = Table("sil-6.2.6-fire-intensity", FlameRow)
FLAMMABLE = Table("sil-6.2.6-flammability", FlammableRow)
FUELS = Column(_IGNITION, "fuel", intensity=int)
"""Flammable clothing and its Intensity."""


class Burnt(Struct, frozen=True):
    """Result of fire: the body, the damage of the last round, and rounds of helpless pain."""

    patient: Patient
    damage: int = 0
    rounds_in_pain: int = 0


def checked(intensity: int) -> int:
    """Returns a valid Intensity, or refuses it."""
    if not 0 <= intensity <= MOST:
        raise UserError(f"the Intensity must be 0 to {MOST}, not {intensity}")
    return intensity


@rule("sil-6.2.6-fire-intensity")
def heat_of(rules: Ruleset, flame: str) -> int:
    """Returns the Intensity of a fire."""
    return FLAMES.get(rules, flame).intensity


@rule("sil-6.2.6-flammability")
def flammability_of(rules: Ruleset, thing: str) -> int:
    """Returns the total needed to ignite something; the lowest of a range."""
    return FLAMMABLE.get(rules, thing).flammability


@rule(_DAMAGE)
def effective_heat(rules: Ruleset, intensity: int, full_round: bool = True, weapon: bool = False, fumble: bool = False) -> Derived[int]:
    """Returns the effective Intensity: half for less than a round, except for a flame weapon (rounded down by the rule, up in the book's
    example: ruling "short-burns"); a fumble halves it, rounded down."""
    terms = [term("Intensity", checked(intensity))]
    if not (full_round or weapon):
        terms += [divided("less than a round", 2), rounded_up() if rules.word("short-burns") == "up" else rounded_down()]
    if fumble:  # 5736: halved
        terms += [divided("fumble", 2), rounded_down()]
    return total("effective Intensity", *terms, rule=_DAMAGE)


@rule(_DAMAGE)
def fire_damage(rules: Ruleset, intensity: int, roll: int) -> Derived[int]:
    """Returns the damage: Intensity times the better of two dice; two sixes are 7 or 6 (ruling "fire-sixes")."""
    shown = min(6, roll) if rules.word("fire-sixes") == "six" else roll
    return total("damage", term("Intensity", intensity), times("better of two dice", shown), rule=_DAMAGE)


@rule(_DAMAGE)
def burn(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    intensity: int = 7,
    full_round: bool = True,
    weapon: bool = False,
    armored: bool = True,
) -> Play[Burnt]:
    """Plays a round in fire: damage against the thresholds; a Deep Wound causes a die of rounds of helpless pain."""
    pool = Pool(2, hero=False)
    result = yield from rolled(rules, pool, victim.name, "damage of the fire")
    heat = effective_heat(rules, intensity, full_round, weapon, result.fumble)
    damage = fire_damage(rules, heat.value, result.total)
    dealt = damage.value
    sums = (sum_of("two dice", pool, result, "=", _DAMAGE), heat.reason, damage.reason)
    yield from Tell(Reckoned(victim.name, f"burns and takes {dealt} damage", "bad", sums))
    body = yield from harm(rules, victim, dealt, armored)
    rounds = 0
    if body.deep > victim.deep and not body.dead:
        rounds = yield from Roll(DIE, victim.name, "rounds of searing pain")
        yield from Tell(Happened(victim.name, f"is helpless with pain for {count(rounds, 'round')}", "bad"))
    return Burnt(body, dealt, rounds)


@rule(_DURATION)
def burn_on(rules: Ruleset, victim: Patient = AVERAGE, intensity: int = 7, rounds: int = 3, armored: bool = True) -> Play[Patient]:
    """Plays rounds of burning fuel that sticks, unless it is put out."""
    if not 0 <= rounds <= MOST_ROUNDS:
        raise UserError(f"a fire burns on a victim for 0 to {MOST_ROUNDS} rounds, not {rounds}")
    if rounds <= 0 or victim.dead:
        return victim
    after = yield from sub(_a_round, rules, victim, intensity, armored)
    return (yield from sub(burn_on, rules, after, intensity, rounds - 1, armored))


def _a_round(rules: Ruleset, victim: Patient, intensity: int, armored: bool) -> Play[Patient]:
    return (yield from burn(rules, victim, intensity, True, True, armored)).patient


# --- setting things alight ----------------------------------------------------------------------------------------------------


@rule(_IGNITION)
def ignites(rules: Ruleset, intensity: int = 1, flammability: int = 7, full_round: bool = True, name: str = "") -> Play[bool]:
    """Rolls ignition: two dice + Intensity (half for less than a round) against the Flammability; a fumble never ignites. Checked every
    round."""
    result = yield from rolled(rules, Pool(2, hero=False), name, "whether it catches fire")
    heat = effective_heat(rules, intensity, full_round).value
    return not result.fumble and result.total + heat >= flammability  # 5748: a fumble never ignites


@rule(_IGNITION)
def rounds_to_light(rules: Ruleset, intensity: int = 1, flammability: int = 7, rounds: int = 10) -> Play[int | None]:
    """Returns the round in which something ignites, within these rounds; None if it does not. By id only."""
    if not 0 <= rounds <= MOST_ROUNDS:
        raise UserError(f"the exposure lasts 0 to {MOST_ROUNDS} rounds, not {rounds}")
    return (yield from sub(_lighting, rules, intensity, flammability, 1, rounds))


def _lighting(rules: Ruleset, intensity: int, flammability: int, now: int, rounds: int) -> Play[int | None]:
    if now > rounds:
        return None
    if (yield from ignites(rules, intensity, flammability)):
        return now
    return (yield from sub(_lighting, rules, intensity, flammability, now + 1, rounds))


@rule(_IGNITION)
def new_fire(rules: Ruleset, fuel: str = "medium clothes") -> int:
    """Returns the Intensity of burning clothes, hair or fur."""
    return FUELS.of(rules, fuel)


@rule(_IGNITION)
def burning_time(rules: Ruleset, intensity: int = 5, name: str = "") -> Play[int]:
    """Rolls the rounds that clothes, hair or fur burn: Intensity times a die."""
    return checked(intensity) * (yield from Roll(DIE, name, "how long it burns"))


@rule(_IGNITION)
def time_to_put_out(rules: Ruleset, how: PutOut = "rolling", name: str = "") -> Play[int]:
    """Rolls the rounds until the flames are out: a die for rolling on the ground, 0 for water, foam or vacuum."""
    return 0 if how != "rolling" else (yield from Roll(DIE, name, "rounds until the flames are out"))


@rule(_IGNITION, _DURATION)
def on_fire(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    fuel: str = "medium clothes",
    how: Literal["rolling", "water, foam or vacuum", "nothing"] = "rolling",
) -> Play[Patient]:
    """Plays a character on fire until the flames are out. By id only."""
    intensity = new_fire(rules, fuel)
    if how == "nothing":
        rounds = yield from sub(burning_time, rules, intensity, victim.name)
    else:
        rounds = yield from sub(time_to_put_out, rules, how, victim.name)
    return (yield from sub(burn_on, rules, victim, intensity, min(rounds, MOST_ROUNDS)))
