"""Descent: dives, stalls, gliding, landing and crash-landing (book lines 4521-4539, 4578-4596)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Play, Reckoned, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, limited, rounded_up, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, reckon
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.air.control import Slip, lost_control, random_heading
from rulewright.systems.silhouette.maneuver.piloting_tests import PILOT, handling, steer
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, rolled, sum_of

_DIVE, _STALL, _GLIDE, _GROUND = "sil-5.2.2-diving", "sil-5.2.2-stalling", "sil-5.2.2-gliding", "sil-5.2.2-ground-air"
PULL_OUT, RECOVER = 4, 6
"""The Piloting Thresholds to pull out of a dive, and to recover from a failed one or a stall."""
FALL = 21
"""Levels fallen in a round of thirty seconds."""
FALLS = (1, 2, 4, 6, 8)
"""Levels fallen in rounds of six seconds; the last counts for every further round."""
SUPERSONIC = 35
"""The Top Speed from which an aircraft is a bad glider."""
WARM_AIR = 5
"""The Piloting Threshold to climb on thermals."""
MAPS = 5
"""Ground hexes across an air hex."""
STRANGE = -2
"""The modifier of fire between ground and air."""

Round = Literal["thirty seconds", "six seconds"]


# --- dives ----------------------------------------------------------------------------------------------------------------------


@rule(_DIVE)
def is_dive(spent_down: float, combat_speed: float) -> bool:
    """Whether a descent is a dive: at least half the Combat Speed was spent on it."""
    return spent_down > 0 and spent_down * 2 >= combat_speed


class PulledOut(Struct, frozen=True):
    """The end of a dive: whether it is over, and the effect of a fumble."""

    out: bool
    slip: Slip | None = None


@rule(_DIVE)
def pull_out(
    rules: Ruleset,
    pilot: Pool = PILOT,
    maneuver: int = 0,
    diving_wings: bool = False,
    name: str = "the pilot",
    nap_of_earth: bool = False,
    mods: tuple[Mod, ...] = (),
) -> Play[PulledOut]:
    """Test at the end of a dive: Piloting with Maneuver against 4. A failure stalls; a fumble also loses control."""
    better = handling(maneuver), Mod("diving wings", int(diving_wings), "sil-d-features"), *mods
    piloted = yield from steer(rules, pilot, PULL_OUT, name, what="pulling out of the dive", rule=_DIVE, mods=better)
    slip = None
    if piloted.fumble:  # 4521: a fumble also loses control
        slip = yield from lost_control(rules, piloted.failed_by, nap_of_earth, name=name)
    return PulledOut(piloted.passed, slip)


@rule(_DIVE)
def end_dive(
    rules: Ruleset, pilot: Pool = PILOT, diving_wings: bool = False, name: str = "the pilot", mods: tuple[Mod, ...] = ()
) -> Play[bool]:
    """Test to end a failed dive: it continues with as many levels as points were first spent on it, until Piloting against 6. Below the
    ground the craft is destroyed; once out of it the pilot picks any facing, and its speed is what it fell last round."""
    return (
        yield from steer(
            rules,
            pilot,
            RECOVER,
            name,
            what="ending the dive",
            rule=_DIVE,
            mods=(Mod("diving wings", int(diving_wings), "sil-d-features"), *mods),
        )
    ).passed


# --- stalls ---------------------------------------------------------------------------------------------------------------------


@rule(_STALL)
def stalls(speed: float, stall_speed: float, lighter_than_air: bool = False) -> bool:
    """Whether an aircraft falls at the end of its turn: it is slower than its Stall Speed and not lighter than air."""
    return speed < stall_speed and not lighter_than_air


@rule(_STALL)
def levels_fallen(rounds_before: int = 0, of: Round = "thirty seconds") -> Derived[int]:
    """Levels that a falling aircraft loses in its next round: 21; in rounds of six seconds 1, 2, 4, 6 and then 8 each."""
    if rounds_before < 0:
        raise UserError(f"rounds_before must be 0 or more, not {rounds_before}")
    if of == "thirty seconds":
        return total("Levels lost", row("a round of thirty seconds", FALL), rule=_STALL)
    return total("Levels lost", row(f"round {rounds_before + 1} of six seconds", FALLS[min(rounds_before, 4)]), rule=_STALL)


class Caught(Struct, frozen=True):
    """An attempt to end a stall: whether it worked, and the heading; None if the pilot picks it."""

    out: bool
    heading: int | None = None


@rule(_STALL)
def end_stall(
    rules: Ruleset, pilot: Pool = PILOT, diving_wings: bool = False, name: str = "the pilot", mods: tuple[Mod, ...] = ()
) -> Play[Caught]:
    """Test to recover once as many levels are lost as the Stall Speed: Piloting against 6. By two or more the pilot picks the heading, by
    less it is random; otherwise the next attempt comes after as many more levels."""
    better = Mod("diving wings", int(diving_wings), "sil-d-features"), *mods
    piloted = yield from steer(rules, pilot, RECOVER, name, what="recovering from the stall", rule=_STALL, mods=better)
    if not piloted.passed or piloted.margin >= 2:
        return Caught(piloted.passed)
    return Caught(True, (yield from random_heading(name)))


@rule(_STALL)
def fall_damage(rules: Ruleset, size: float = 10, levels: int = 1, name: str = "a craft") -> Play[Derived[Figure]]:
    """The damage of hitting the ground: the better of two dice (ruling) times Size times the levels fallen, against Armor."""
    if levels < 0:
        raise UserError(f"levels must be 0 or more, not {levels}")
    return (yield from _impact(rules, size, levels, name, what="hits the ground", rule=_STALL))


def _impact(rules: Ruleset, size: float, levels: int, name: str, *, what: str, rule: str, softened: int = 0) -> Play[Derived[Figure]]:
    pool = Pool(2, hero=False)
    result = yield from rolled(rules, pool, name, "the fall")
    terms = [term("two dice", result.total)]
    if softened:
        terms += [less("Margin of Success", softened, rule=_GROUND), at_least(0, source="ruling")]
    damage = reckon("damage", *terms, times("Size", size), times("levels", levels), rule=rule)
    roll = sum_of("two dice", pool, result, rule=rule)
    yield from Tell(Reckoned(name, f"{what}: {figure(damage.value)} damage", "bad", (roll, damage.reason)))
    return damage


# --- gliding --------------------------------------------------------------------------------------------------------------------


class Glide(Struct, frozen=True):
    """The loss of gliding for a round: points of speed or levels, and how many of them must be levels."""

    points: int
    levels: int = 0


@rule(_GLIDE)
def glide_loss(top_speed: float, glider: bool = False) -> Glide:
    """Speed or altitude that an aircraft without power loses a round: two points; three, with at least one level, if its Top Speed
    is 35 or more; a glider one, and a glider of that speed two."""
    fast = top_speed >= SUPERSONIC
    if glider:
        return Glide(2 if fast else 1)
    return Glide(3, 1) if fast else Glide(2)


@rule(_GLIDE)
def can_glide(machine: Machine) -> bool:
    """Whether an aircraft without power can glide."""
    return machine.way("air") is not None and machine.has("cannot glide") is None


@rule(_GLIDE)
def ride_thermals(rules: Ruleset, pilot: Pool = PILOT, name: str = "the pilot", mods: tuple[Mod, ...] = ()) -> Play[int]:
    """Test a glider for thermals: Piloting against 5; each point of margin is a level up, without losing speed."""
    piloted = yield from steer(rules, pilot, WARM_AIR, name, what="climbing on thermals", rule=_GLIDE, mods=mods, closes=True)
    return max(0, piloted.margin) if piloted.passed else 0


# --- the ground and the air -------------------------------------------------------------------------------------------------------


@rule(_GROUND)
def on_ground_map(figure: float) -> Derived[Figure]:
    """A speed or turn radius of an aircraft on a ground map: five times as many hexes."""
    return reckon("on a ground map", term("in the air", figure), times("ground hexes to an air hex", MAPS), rule=_GROUND)


@rule(_GROUND)
def vtol_radius(maneuver: int) -> Derived[int]:
    """The turn radius of a hovering craft on a ground map: the absolute value of its Maneuver, at least one hex."""
    return limited("Turn radius", term("Maneuver", abs(maneuver)), limit=at_least(1, "minimum"), rule=_GROUND)


@rule(_GROUND)
def interface(attacker: Literal["ground", "air"], target: Literal["ground", "air"], made_for_it: bool = False) -> int:
    """The modifier of fire between ground and air: -2, unless the system is made for it (ruling: the same 2 as for any foreign
    environment)."""
    return 0 if attacker == target or made_for_it else STRANGE


@rule(_GROUND)
def range_hex(
    attacker: Literal["ground", "air"], target: Literal["ground", "air"], level: int = 1, lobbed: bool = False, made_for_it: bool = False
) -> int:
    """Metres of the hexes in which ranges count: air hexes against targets above nap-of-earth height, ground hexes downward, except for
    indirect and falling weapons and those made for it."""
    if attacker == "air":
        return 250 if target == "air" or lobbed or made_for_it else 50
    return 250 if target == "air" and level > 0 else 50


class Landing(Struct, frozen=True):
    """Whether a landing is normal, and if not, why."""

    plain: bool
    why: str = ""


@rule(_GROUND)
def can_land(ground_cost: int, at_combat_speed: bool = True, gear: bool = True, heavy_gear: bool = False, airstrip: bool = True) -> Landing:
    """Check a landing: it ends the move at Combat Speed on terrain that costs 1, or up to 2 with heavy gear (ruling: Off-Road Ability); in
    the next round it rolls on or stays. Everything else is a crash-landing."""
    if not at_combat_speed:
        return Landing(False, "at Top Speed")
    if not gear:
        return Landing(False, "landing gear lost")
    if ground_cost > (2 if heavy_gear else 1):
        return Landing(False, "terrain too rough")
    return Landing(True) if airstrip else Landing(False, "needs an airstrip")


@rule(_GROUND)
def crash_levels(speed: float) -> Derived[int]:
    """The levels that a crash-landing counts as: half the landing speed, rounded up."""
    return total("levels", term("landing speed", speed), divided("half", 2), rounded_up(), rule=_GROUND)


@rule(_GROUND)
def crash_landing(
    rules: Ruleset,
    pilot: Pool = PILOT,
    maneuver: int = 0,
    ground_cost: int = 2,
    size: float = 10,
    speed: float = 6,
    name: str = "the pilot",
    mods: tuple[Mod, ...] = (),
) -> Play[Derived[Figure]]:
    """Resolve a crash-landing: Piloting with Maneuver against the terrain's cost, its margin taken off the two dice (not below 0:
    ruling), times Size times half the speed."""
    piloted = yield from steer(rules, pilot, ground_cost, name, what="a crash-landing", rule=_GROUND, mods=(handling(maneuver), *mods))
    softened = max(0, piloted.margin) if piloted.passed else 0
    return (yield from _impact(rules, size, crash_levels(speed).value, name, what="crash-lands", rule=_GROUND, softened=softened))


@rule(_GROUND)
def can_take_off(speed: float, stall_speed: float) -> bool:
    """Whether a craft can take off: at once if it hovers, otherwise after rolling at its Stall Speed (ruling: the reverse of a
    landing)."""
    return speed >= stall_speed
