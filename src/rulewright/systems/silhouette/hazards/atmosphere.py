"""Air: lack of oxygen, pressure loss, breaches and vacuum (book lines 5491-5556)."""

from math import floor, log
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Roll, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, divided, rounded_down, row, term, total
from rulewright.systems.silhouette.action.rounds import SECONDS, rounds_in
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.hazard_damage import perish, strain_of, suffer_wound
from rulewright.systems.silhouette.resolution.tests import DIE, Mod

_OXYGEN = "sil-6.2.1-atmosphere-oxygen"
_VACUUM = "sil-6.2.1-vacuum-exposure"
MENTAL = ("creativity", "influence", "knowledge", "perception", "psyche", "willpower")
"""Attributes lowered by lack of air."""
BRAIN_DEATH = -5
MOST_ROUNDS = 600
FIRST, EACH, LAST = 10, 2, 20
"""Minutes to the first drop, between drops, and to certain unconsciousness, in a standard room with 20% oxygen."""
ROOM_OXYGEN = 20
DROPS = (LAST - FIRST) // EACH
"""Drops before certain unconsciousness: at 10, 12, 14, 16 and 18 minutes."""

Minds = tuple[int, int, int, int, int, int]
AVERAGE_MIND: Minds = (0, 0, 0, 0, 0, 0)


class Breathless(Struct, frozen=True):
    """A character after some time without air: the mental penalty, since when unconscious, and whether alive."""

    penalty: int = 0
    """Penalty on every mental attribute: zero or negative."""
    awake: bool = True
    dead: bool = False


# --- the brain without oxygen -------------------------------------------------------------------------------------------------


def fade_away(rules: Ruleset, name: str, minds: Minds, rounds: int) -> Play[bool]:
    """Lowers one random mental attribute by 1 each round; returns whether the brain dies within these rounds."""
    if min(minds) <= BRAIN_DEATH:
        return True
    if rounds <= 0:
        return False
    return (yield from sub(fade_away, rules, name, (yield from fade(name, minds)), rounds - 1))


def fade(name: str, minds: Minds) -> Play[Minds]:
    """Lowers one random mental attribute by 1."""
    drawn = yield from Roll(DIE, name, "the mental attribute that drops")
    return check_minds(tuple([value - 1 if at == drawn - 1 else value for at, value in enumerate(minds)]))


def check_minds(minds: tuple[int, ...]) -> Minds:
    """Returns six mental attributes, the lowest first, or refuses them."""
    if len(minds) != 6:
        raise UserError(f"give the six mental attributes ({', '.join(MENTAL)}), not {len(minds)} values")
    number, two, three, four, five, six = sorted(minds)
    return number, two, three, four, five, six


@rule(_OXYGEN)
def oxygen_penalty(minutes: float = 10, oxygen: float = ROOM_OXYGEN, volume: float = 1) -> Derived[int]:
    """Returns the penalty on mental attributes after minutes without fresh oxygen: 1 after ten minutes and 1 more every two. More oxygen
    or room extends all times."""
    scale = time_factor(oxygen, volume)
    drops = max(0, int((minutes / scale - FIRST) // EACH) + 1) if minutes >= 0 else 0
    return total("every mental attribute", term("drops so far", -drops), rule=_OXYGEN)


def time_factor(oxygen: float, volume: float) -> float:
    """Returns the factor of all times for more or less oxygen and room."""
    if oxygen <= 0 or volume <= 0:
        raise UserError("oxygen and volume must be above 0; without them use the rule for exposure to vacuum")
    return oxygen / ROOM_OXYGEN * volume


@rule(_OXYGEN)
def suffocate(
    rules: Ruleset,
    fitness: int = 0,
    minds: tuple[int, ...] = AVERAGE_MIND,
    minutes: float = 22,
    oxygen: float = ROOM_OXYGEN,
    volume: float = 1,
    name: str = "someone",
) -> Play[Breathless]:
    """Plays minutes after the last oxygen. At every drop (ruling), tests Fitness with the mental penalty against 4 or the character
    passes out, which is certain after twenty minutes. Then a random mental attribute drops every six seconds, and one that reaches -5
    means death.

    Those drops count from the attributes themselves or from what the bad air has left (ruling "oxygen-death-counts").

    By id only.
    """
    scale = time_factor(oxygen, volume)
    drops = min(DROPS, -oxygen_penalty(minutes, oxygen, volume).value)
    awake, drop = True, 0
    while awake and drop < drops:
        drop += 1
        awake = yield from gasp(rules, fitness, drop, name)
    if minutes < LAST * scale:
        return Breathless(-drops, awake)
    rounds = min(MOST_ROUNDS, rounds_in(round((minutes - LAST * scale) * 60, 6)))
    dead = yield from sub(fade_away, rules, name, starved(rules, minds, drops), rounds)
    return Breathless(-drops, False, dead)


def gasp(rules: Ruleset, fitness: int, drop: int, name: str) -> Play[bool]:
    """Tests at a drop whether a character stays conscious: Fitness with the mental penalty against 4."""
    thin = (Mod("lack of oxygen", -drop, _OXYGEN),)
    return (yield from strain_of(rules, name, "Fitness", fitness, threshold=4, what="bad air", rule=_OXYGEN, more=thin)).passed


def starved(rules: Ruleset, minds: tuple[int, ...], drops: int) -> Minds:
    """Returns the mental attributes from which the brain fades: as they are, or what bad air has left (ruling "oxygen-death-counts")."""
    lost = drops if rules.word("oxygen-death-counts") == "what is left of the attributes" else 0
    return check_minds(tuple([value - lost for value in minds]))


# --- pressure -----------------------------------------------------------------------------------------------------------------


class AreaRow(TableRow, frozen=True):
    """A pressurized place: the armor of its walls, doors and bulkheads in personal scale, and its volume in cubic metres."""

    location: str
    wall: int
    door: int
    bulkhead: int
    volume: float


class LossRow(TableRow, frozen=True):
    """A hole, and the seconds until all pressure is gone, by place; 0 is at once."""

    hole: str
    square_cm: float
    airlock: int
    room: int
    hangar: int
    colony: int


AREAS = Table("sil-6.2.1-pressurized-areas", AreaRow)
LOSS = Table("sil-6.2.1-atmosphere-loss-table", LossRow)
Location = Literal["airlock", "room", "hangar", "colony"]
STAGES = 3


@rule("sil-6.2.1-pressurized-areas")
def wall_armor(rules: Ruleset, location: str = "room", part: Literal["wall", "door", "bulkhead"] = "wall", change: float = 0) -> int:
    """Returns the armor of a part of a pressurized place; the gamemaster may change it by up to half, as a fraction (0.5 is half more).

    A half rounds up.
    """
    if abs(change) > 0.5:
        raise UserError(f"the armor can change by at most half (0.5), not by {change:g}")
    row = AREAS.get(rules, location)
    armor = {"wall": row.wall, "door": row.door, "bulkhead": row.bulkhead}[part]
    return floor(round(armor * (1 + change), 6) + 0.5)


@rule("sil-6.2.1-breach-size")
def breach(damage: int, armor: int) -> Derived[int]:
    """Returns the side of the square hole in centimetres: damage divided by armor, 0 up to the armor."""
    if armor < 1:
        raise UserError(f"the armor of a wall must be at least 1, not {armor}")
    through = [term("damage", damage), divided("armor", armor), rounded_down()] if damage > armor else [row("does not penetrate", 0)]
    return total("side of the hole, cm", *through, rule="sil-6.2.1-breach-size")


@rule("sil-6.2.1-atmosphere-loss-table")
def hole_class(rules: Ruleset, square_cm: float) -> str:
    """Returns the printed hole nearest in proportion to this area (reading)."""
    if square_cm <= 0:
        raise UserError("the area of a hole must be above 0")
    rows = LOSS(rules).values()
    return min(rows, key=lambda row: abs(log(row.square_cm / square_cm))).hole


@rule("sil-6.2.1-atmosphere-loss-table")
def loss_time(rules: Ruleset, hole: str = "fist", location: Location = "room") -> int:
    """Returns the seconds until a hole has let out all pressure; 0 is explosive decompression."""
    row = LOSS.get(rules, hole)
    return {"airlock": row.airlock, "room": row.room, "hangar": row.hangar, "colony": row.colony}[location]


@rule("sil-6.2.1-pressure-loss")
def stage_times(rules: Ruleset, hole: str = "fist", location: Location = "room") -> tuple[float, float, float]:
    """Returns the seconds until 75%, 50% and 25% of the pressure are left (it falls evenly: ruling)."""
    whole = loss_time(rules, hole, location)
    return whole / 4, whole / 2, 3 * whole / 4


@rule("sil-6.2.1-pressure-loss")
def decompress(rules: Ruleset, fitness: int = 0, stages: int = STAGES, name: str = "someone") -> Play[Breathless]:
    """Plays decompression: at 75%, 50% and 25% of the pressure, tests Fitness, 1 less with each stage, against 4 (ruling
    "pressure-threshold"), or the character passes out; each stage lowers all mental attributes by 1. From 25% on it counts as no oxygen.

    By id only.
    """
    if not 0 <= stages <= STAGES:
        raise UserError(f"pressure falls in 0 to {STAGES} stages, not {stages}")
    for stage in range(1, stages + 1):
        if not (yield from bear_thin_air(rules, fitness, stage, name)):
            return Breathless(-stages, False)
    return Breathless(-stages)


def bear_thin_air(rules: Ruleset, fitness: int, stage: int, name: str) -> Play[bool]:
    """Tests at a stage of the pressure whether a character stays conscious."""
    thin, threshold = (Mod("thin air", -stage, "sil-6.2.1-pressure-loss"),), rules.number("pressure-threshold")
    resisted = yield from strain_of(
        rules, name, "Fitness", fitness, threshold=threshold, what="thin air", rule="sil-6.2.1-pressure-loss", more=thin
    )
    return resisted.passed


# --- vacuum -------------------------------------------------------------------------------------------------------------------


class Exposed(Struct, frozen=True):
    """A character after rounds in vacuum: the body, and whether it is conscious."""

    patient: Patient
    awake: bool


@rule(_VACUUM)
def rounds_awake(rules: Ruleset, fitness: int = 0, willpower: int = 0) -> Derived[int]:
    """Returns the rounds of consciousness in vacuum: 12 + Fitness, or + Willpower if higher in a cinematic campaign."""
    counted, value = "Fitness", fitness
    if rules.word("reality") == "cinematic" and willpower > fitness:
        counted, value = "Willpower", willpower
    return total("conscious rounds", term("base", 12), term(counted, value), at_least(0), rule=_VACUUM)


@rule(_VACUUM)
def vacuum(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    rounds: int = 15,
    minds: tuple[int, ...] = AVERAGE_MIND,
    held_breath: bool = False,
) -> Play[Exposed]:
    """Plays rounds in vacuum: held breath is a Deep Wound, more than a minute a Flesh Wound; consciousness ends after 12 + Fitness
    rounds; then a random mental attribute drops every round, and one that reaches -5 means death. Three minutes always kill."""
    if not 0 <= rounds <= MOST_ROUNDS:
        raise UserError(f"the exposure lasts 0 to {MOST_ROUNDS} rounds, not {rounds}")
    body = victim
    if rounds and held_breath:
        body = yield from suffer_wound(rules, body, "deep", "holding their breath")
    if rounds * SECONDS > 60 and not body.dead:
        body = yield from suffer_wound(rules, body, "flesh", "heat and cold")
    awake = rounds_awake(rules, victim.fitness, victim.willpower).value
    if rounds <= awake or body.dead:
        return Exposed(body, body.awake)
    dead = rounds * SECONDS >= 180 and rules.on("vacuum-kills-in-three-minutes")
    dead = dead or (yield from sub(fade_away, rules, victim.name, check_minds(minds), rounds - awake))
    return Exposed((yield from perish(body, "the vacuum")) if dead else body, False)
