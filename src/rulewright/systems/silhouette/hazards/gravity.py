"""Gravity: space sickness, collisions and long-term effects (book lines 5776-5828)."""

from fractions import Fraction
from math import ceil
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Reckoned, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, less, rounded_up, term, times, total
from rulewright.systems.silhouette.action.gravity import driven_apart as driven_apart
from rulewright.systems.silhouette.action.gravity import footing as footing
from rulewright.systems.silhouette.action.gravity import move_rate_at as move_rate_at
from rulewright.systems.silhouette.action.gravity import push_off as push_off
from rulewright.systems.silhouette.action.gravity import recoil as recoil
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.hazard_damage import harm, resist
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, rolled, sum_of

_SAS, _MOVE = "sil-6.2.7-sas", "sil-6.2.7-gravity-movement"
_COLLISION, _HEALTH = "sil-6.2.7-freefall-collision", "sil-6.2.7-gravity-health"
IMMUNE = 5
MOST_DAYS = 60


class Sick(Struct, frozen=True):
    """Space sickness: its penalty, and the day it ended (0: never began; None: not yet)."""

    penalty: int
    over_after: int | None


@rule(_SAS)
def space_sickness(rules: Ruleset, drugs: bool = False, training: bool = False, recoveries: int = 0, name: str = "someone") -> Play[int]:
    """Rolls space sickness on entering free fall: two dice, +1 each for drugs, training and each earlier recovery. 5 or more is immune;
    otherwise the difference to 5 is an action penalty."""
    mods = (
        Mod("motion drugs", int(drugs), _SAS),
        Mod("training", int(training), _SAS),
        Mod("recovered before", recoveries, _SAS),
    )
    result = yield from rolled(rules, Pool(2, hero=False).plus(*mods), name, "getting used to free fall")
    return min(0, result.total - IMMUNE)


@rule(_SAS)
def recover_from_sickness(rules: Ruleset, victim: Patient = AVERAGE) -> Play[bool]:
    """Tests Health against 5 at the end of a day; a recovery gives +1 the next time."""
    return (yield from resist(rules, victim, 5, "space sickness", rule=_SAS)).passed


@rule(_SAS)
def days_in_free_fall(
    rules: Ruleset, victim: Patient = AVERAGE, days: int = 7, drugs: bool = False, training: bool = False, recoveries: int = 0
) -> Play[Sick]:
    """Plays space sickness; returns its penalty and duration. By id only."""
    if not 0 <= days <= MOST_DAYS:
        raise UserError(f"space sickness lasts 0 to {MOST_DAYS} days, not {days}")
    penalty = yield from space_sickness(rules, drugs, training, recoveries, victim.name)
    if not penalty:
        return Sick(0, 0)
    return Sick(penalty, (yield from sub(_sick_days, rules, victim, 1, days)))


def _sick_days(rules: Ruleset, victim: Patient, day: int, days: int) -> Play[int | None]:
    if day > days:
        return None
    if (yield from recover_from_sickness(rules, victim)):
        return day
    return (yield from sub(_sick_days, rules, victim, day + 1, days))


# --- low and high gravity -----------------------------------------------------------------------------------------------------


@rule(_MOVE)
def fall_in_gravity(damage: int, gravity: float = 1) -> int:
    """Returns falling damage under this gravity, rounded up. By id only."""
    if gravity < 0:
        raise UserError("gravity must be at least 0")
    return ceil(damage * Fraction(str(gravity)))


# --- free fall ----------------------------------------------------------------------------------------------------------------


class SurfaceRow(TableRow, frozen=True):
    """A surface in free fall and its factor for the speed."""

    surface: str
    times: float = 1


WALLS = Table(_COLLISION, SurfaceRow)


class Bump(Struct, frozen=True):
    """Result of a collision: the body, its damage, whether the character holds on, and otherwise the rebound speed."""

    patient: Patient
    damage: int = 0
    landed: bool = False
    rebound: float = 0


@rule(_COLLISION)
def collide(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    speed: float = 5,
    zero_g: Pool | None = None,
    surface: str = "moderately solid",
    head_first: bool = False,
    padding: int = 1,
) -> Play[Bump]:
    """Plays a collision: two dice, +10 head first, times the speed in metres per second. A conscious character may roll Zero-G, which
    is subtracted from the speed; as much as the speed lands unharmed, and a fumble hits head first. Otherwise the character drifts back
    at half the earlier speed.

    The surface multiplies the speed for damage and rebound; crash pads and nets divide it by 10 to 20 as the gamemaster says.
    """
    if speed < 0 or (padding != 1 and not 10 <= padding <= 20):
        raise UserError("the speed must be at least 0, and pads or nets divide it by 10 to 20")
    real = speed * WALLS.get(rules, surface).times / padding
    roll = 0
    if zero_g is not None and victim.awake:
        result = yield from rolled(rules, zero_g, victim.name, "softening the collision")
        roll, head_first = result.total, head_first or result.fumble  # 5812
        sums = (sum_of("Zero-G", zero_g, result, "=", _COLLISION), Reason("speed in m/s", speed, "against", _COLLISION))
        if result.total >= speed and not result.fumble:  # 5812: a fumble hits head first
            yield from Tell(Reckoned(victim.name, "softens the collision and is unharmed", "good", sums))
            return Bump(victim, 0, True)
        how = "fumbles and hits head first" if result.fumble else "softens the collision"
        yield from Tell(Reckoned(victim.name, how, "bad" if result.fumble else "plain", sums))
    dice = yield from rolled(rules, Pool(2, hero=False), victim.name, "damage of the collision")
    damage = _collision(dice.total, head_first, real, roll)
    yield from Tell(Reckoned(victim.name, f"collides and takes {damage.value} damage", "bad", (damage.reason,)))
    body = yield from harm(rules, victim, damage.value, rules.on("armor-against-falls"))
    return Bump(body, damage.value, False, real / 2)


def _collision(dice: int, head_first: bool, speed: float, softened: int) -> Derived[int]:
    """Returns the damage of a collision with its sum."""
    counted = total("effective speed", term("speed, m/s", speed), *([less("Zero-G", softened)] if softened else []), at_least(0))
    terms = [term("two dice", dice), *([term("head first", 10)] if head_first else [])]
    return total("damage", *terms, times("speed", counted), rounded_up(), rule=_COLLISION)


# --- months of it -------------------------------------------------------------------------------------------------------------


@rule(_HEALTH)
def fitness_lost(months: float) -> int:
    """Returns the Fitness lost after months in free fall without exercise: at one, two, four, eight months and so on (ruling)."""
    if months < 0:
        raise UserError(f"the time must be at least 0 months, not {months:g}")
    lost, due = 0, 1
    while months >= due and lost < 30:
        lost, due = lost + 1, due * 2
    return lost


@rule(_HEALTH)
def build_lost(months: float) -> int:
    """Returns the Build lost: one for every two points of Fitness. Strength and Health follow from both."""
    return fitness_lost(months) // 2


@rule(_HEALTH)
def exercise_needed(months: float = 0) -> int:
    """Returns the daily hours of exercise that keep a character fit: two, plus one for every three months in free fall, at most six."""
    if months < 0:
        raise UserError(f"the time must be at least 0 months, not {months:g}")
    return min(6, 2 + int(months // 3))


@rule(_HEALTH)
def after_months(
    fitness: int = 0, build: int = 0, months: float = 6, hours_of_exercise: float = 0
) -> dict[Literal["fitness", "build"], int]:
    """Returns Fitness and Build after months in free fall; enough exercise prevents any loss. By id only."""
    if hours_of_exercise >= exercise_needed(months):
        return {"fitness": fitness, "build": build}
    return {"fitness": fitness - fitness_lost(months), "build": build - build_lost(months)}
