"""Movement: paces, speeds, load, wounds, sharp turns and jumps (book lines 2007-2078, 2153-2158, 5968-5970)."""

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, at_least, divided, term, times, total
from rulewright.systems.silhouette.harm.body import LEGS, WOUNDS, Patient
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.secondary_attributes import capacity
from rulewright.systems.silhouette.people.traits import effects
from rulewright.systems.silhouette.resolution.modifiers import MOVEMENT, MovementRow
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, passes

Gait = Literal["crawling", "walking", "jogging", "running", "sprinting"]
Pace = Literal["prone", "stationary", "crawling", "walking", "jogging", "running", "sprinting", "climbing"]
GAITS: tuple[Gait, ...] = ("crawling", "walking", "jogging", "running", "sprinting")
"""Paces from the slowest to the fastest."""
DOWN: frozenset[str] = frozenset(("prone", "crawling"))
ONE_DIE = Pool(1)


# --- speeds -------------------------------------------------------------------------------------------------------------------


class MoveRow(TableRow, frozen=True):
    """A pace as a fraction of the sprint."""

    move: Gait
    share: tuple[int, int]
    tiring: bool = False


MOVES = Table("sil-3.2.2-move-rates", MoveRow)


@rule("sil-3.2.2-move-rates")
def sprint(rules: Ruleset, fitness: int = 0, athletics: int = 0) -> Derived[int]:
    """Returns sprint speed in metres per round: 20 (a ruling between two printed figures) + 5 for each point of Fitness and level of
    Athletics; at least 1 (ruling)."""
    base = rules.number("sprint-base")
    return total(
        "sprinting, metres per round",
        term("base", base, source=rules.source("sprint-base")),
        term("Fitness, 5 each", 5 * fitness),
        term("Athletics, 5 each", 5 * athletics),
        at_least(1),
        rule="sil-3.2.2-move-rates",
    )


def sprint_of(rules: Ruleset, person: Person) -> int:
    """Returns sprint speed of any body: a creature's run, or a race's multiple of the human one."""
    plan = person.plan
    if plan.speed is not None:
        return plan.speed
    return int(sprint(rules, person.attribute("fitness"), person.level("athletics")).value * plan.speed_times)


def speed(rules: Ruleset, gait: Gait, fitness: int = 0, athletics: int = 0) -> Fraction:
    """Returns exact metres per round."""
    over, under = MOVES.get(rules, gait).share
    return Fraction(sprint(rules, fitness, athletics).value * over, under)


@rule("sil-3.2.2-move-rates")
def move_rate(rules: Ruleset, gait: Gait = "sprinting", fitness: int = 0, athletics: int = 0) -> Derived[float]:
    """Returns metres per round at a pace, not rounded."""
    over, under = MOVES.get(rules, gait).share
    return total(
        f"{gait}, metres per round",
        term("sprinting", sprint(rules, fitness, athletics)),
        times("share", over),
        divided("of", under),
        rule="sil-3.2.2-move-rates",
    )


def speed_of(rules: Ruleset, person: Person, gait: Gait) -> Fraction:
    """Returns a person's metres per round."""
    over, under = MOVES.get(rules, gait).share
    return Fraction(sprint_of(rules, person) * over, under)


# --- paces --------------------------------------------------------------------------------------------------------------------


@rule("sil-3.2.1-movement-types")
def pace_modifiers(rules: Ruleset, pace: Pace = "walking") -> MovementRow:
    """Returns a pace's modifiers on actions (none possible in a sprint or climb) and on defense."""
    return MOVEMENT.get(rules, pace)


@rule("sil-3.2.1-movement-types")
def may_act(rules: Ruleset, pace: Pace = "walking") -> bool:
    """Whether a character can act at this pace: not while sprinting or climbing."""
    return MOVEMENT.get(rules, pace).action is not None


@rule("sil-3.2.1-movement-types")
def is_tiring(rules: Ruleset, gait: Gait = "running") -> bool:
    """Whether a pace is tiring: running and sprinting are. By id only."""
    return MOVES.get(rules, gait).tiring


@rule("sil-3.2.1-movement-types")
def turning_threshold(degrees: int = 45) -> int:
    """Returns the Threshold of a turn in a sprint: 6 up to 45 degrees, +2 for each further 45."""
    if not 0 < degrees <= 360:
        raise UserError(f"a turn has 1 to 360 degrees, not {degrees}")
    return 6 + 2 * (-(-degrees // 45) - 1)


@rule("sil-3.2.1-movement-types")
def turn_in_a_sprint(rules: Ruleset, athletics: Pool = ONE_DIE, degrees: int = 45, name: str = "") -> Play[Test]:
    """Tests Athletics to turn in a sprint."""
    return (yield from action_test(rules, athletics, turning_threshold(degrees), name, "turning in a sprint"))


@rule("sil-3.2.3-movement-in-close-combat")
def close_combat_pace(pace: Pace = "stationary", covering_ground: bool = False, immobilised: bool = False) -> Pace:
    """Returns the pace that counts in close combat: walking for the defense, and no modifier for the attack.

    The real pace counts for a character who lies, crawls, climbs, cannot move, or runs to another place.
    """
    if immobilised:
        return pace if pace in ("prone", "climbing") else "stationary"
    if pace in DOWN or pace == "climbing" or covering_ground:
        return pace
    return "walking"


@rule("sil-3.2.3-movement-in-close-combat")
def close_combat_modifiers(
    rules: Ruleset, pace: Pace = "stationary", covering_ground: bool = False, immobilised: bool = False
) -> tuple[int | None, int]:
    """Returns the modifiers of movement on a close attack (None if impossible) and on the defense against one."""
    row = MOVEMENT.get(rules, close_combat_pace(pace, covering_ground, immobilised))
    if row.action is None:
        return None, row.defense_close
    return (row.action if covering_ground else 0), row.defense_close


# --- load ---------------------------------------------------------------------------------------------------------------------


class Carried(Struct, frozen=True):
    """A carried item: its weight in kilograms, whether it is awkward, and the hands it needs."""

    kilograms: float
    awkward: bool = False
    hands: Literal[0, 1, 2] = 0


class Load(Struct, frozen=True):
    """Effect of a load: its weight, the fastest pace with it (None if too heavy), and its penalty on actions."""

    kilograms: float
    fastest: Gait | None
    action: int = 0


@rule("sil-3.2.4-carrying")
def load(rules: Ruleset, strength: int = 0, items: tuple[Carried, ...] = ()) -> Load:
    """Returns the effect of a load: free up to half the lifting capacity, a jog up to three quarters, a walk up to all of it.

    Awkward items count double; each item that needs a hand costs 1 on actions, one that needs both costs 2.
    """
    weight = sum([Fraction(str(item.kilograms)) * (2 if item.awkward else 1) for item in items], Fraction(0))
    return Load(float(weight), with_load(rules, strength, float(weight)), -sum([item.hands for item in items]))


@rule("sil-3.2.4-carrying")
def with_load(rules: Ruleset, strength: int = 0, kilograms: float = 0) -> Gait | None:
    """Returns the fastest pace with this many kilograms; None if they cannot be lifted."""
    most = Fraction(str(capacity(rules, strength).lift))
    weight = Fraction(str(kilograms))
    if weight > most:
        return None
    if weight > most * 3 / 4:
        return "walking"
    return "jogging" if weight > most / 2 else "sprinting"


# --- wounds -------------------------------------------------------------------------------------------------------------------


@rule("sil-3.2.5-injury-movement")
def with_wounds(rules: Ruleset, flesh: int = 0, deep: int = 0) -> Gait:
    """Returns the fastest pace with wounds: a jog with a Flesh Wound (a ruling between two passages), a walk with a Deep Wound, a crawl
    with two."""
    fastest: Gait = "sprinting"
    for wound, number in (("flesh", flesh), ("deep", deep)):
        if number:
            row = WOUNDS.get(rules, wound)
            fastest = slower(fastest, row.fastest if number == 1 else row.several)
    if flesh and not deep and rules.word("pace-with-flesh-wounds") == "running":
        return "running"
    return fastest


@rule("sil-3.2.5-injury-movement")
def can_stand(deep: int = 0) -> bool:
    """Whether a character can stand unaided: not with two Deep Wounds."""
    return deep < 2


def slower(item: Gait, other: Gait) -> Gait:
    """Returns the slower of two paces."""
    return item if GAITS.index(item) <= GAITS.index(other) else other


def fastest_of(rules: Ruleset, body: Patient) -> Gait:
    """Returns the fastest pace that wounds allow; with a useless leg or foot it is a crawl (ruling)."""
    if body.limbs and any(body.limb(leg).useless for leg in LEGS):
        return "crawling"
    return with_wounds(rules, body.flesh, body.deep)


def unhurt_fastest(rules: Ruleset, person: Person, strength: int, kilograms: float) -> Gait | None:
    """Returns the fastest pace that load and Flaws allow an unwounded character."""
    if person.plan.beast:
        return "sprinting"
    carrying = with_load(rules, strength, kilograms) if person.plan.speed_times else None
    if carrying is None:
        return None
    for _, row, _ in effects(rules, person.perks, person.flaws):
        for gait in GAITS:
            if row.fastest == gait:
                carrying = slower(carrying, gait)
    return carrying


# --- jumping ------------------------------------------------------------------------------------------------------------------


TERRAIN = Column("sil-3.2.9-jumping", "terrain", adds=int)
"""What bad terrain adds to the Threshold of a jump."""


class Jump(Struct, frozen=True):
    """Metres of a jump forward or up; a failed jump goes nowhere (ruling)."""

    forward: float
    up: float
    fumble: bool = False


@rule("sil-3.2.9-jumping")
def jumping_threshold(rules: Ruleset, terrain: tuple[str, ...] = ()) -> int:
    """Returns the Threshold of a jump: 3 plus all terrain conditions."""
    return 3 + sum([TERRAIN.of(rules, text) for text in terrain])


@rule("sil-3.2.9-jumping")
def jump_distance(rules: Ruleset, margin: int, run_up: int = 0) -> tuple[float, float]:
    """Returns the distance of a jump per margin: 0.75 m forward or 0.25 m up for each point."""
    return 0.75 * max(0, margin), 0.25 * max(0, margin)


@rule("sil-6.4.1-cinematic-jumping")
@instead_of(jump_distance, "reality", "cinematic")
def heroic_distance(rules: Ruleset, margin: int, run_up: int = 0) -> tuple[float, float]:
    """Returns a cinematic distance: twice as far, plus one metre per margin point of the run-up, for length only (ruling
    "run-up-for-height")."""
    more = max(0, run_up) if margin >= 0 else 0
    return 1.5 * max(0, margin) + more, 0.5 * max(0, margin) + (more if rules.on("run-up-for-height") else 0)


@rule("sil-3.2.9-jumping")
def run_up(rules: Ruleset, athletics: Pool, name: str = "") -> Play[int]:
    """Returns the bonus of a run-up: the modifier of the pace."""
    yield from ()
    return 0


@rule("sil-6.4.1-cinematic-jumping")
@instead_of(run_up, "reality", "cinematic")
def heroic_run_up(rules: Ruleset, athletics: Pool, name: str = "") -> Play[int]:
    """Tests a cinematic run-up: Athletics against 4; the margin adds metres to the jump, a failure nothing."""
    test = yield from action_test(rules, athletics, 4, name, "run-up")
    return max(0, test.margin)


@rule("sil-3.2.9-jumping", "sil-6.4.1-cinematic-jumping")
def jump(
    rules: Ruleset,
    athletics: Pool = ONE_DIE,
    pace: Pace = "walking",
    terrain: tuple[str, ...] = (),
    runs_up: bool = False,
    name: str = "",
) -> Play[Jump]:
    """Plays a jump: Athletics with Fitness and the pace's close defense modifier against 3; a cinematic campaign tests the run-up first."""
    gained = (yield from run_up(rules, athletics, name)) if runs_up else 0
    row = MOVEMENT.get(rules, pace)
    test = yield from action_test(
        rules, athletics.plus(Mod(pace, row.defense_close, "sil-3.2.9-jumping")), jumping_threshold(rules, terrain), name, "jump"
    )
    if not passes(rules, test.total, test.threshold):
        return Jump(0.0, 0.0, test.fumble)
    forward, up = jump_distance(rules, test.margin, gained)
    return Jump(forward, up, test.fumble)
