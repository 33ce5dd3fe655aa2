"""Moving about: paces and their speed, what load and wounds allow, sharp turns, jumping (book lines 2007-2078, 2153-2158, 5968-5970)."""

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
"""From the slowest to the fastest."""
DOWN: frozenset[str] = frozenset(("prone", "crawling"))
ONE_DIE = Pool(1)


# --- speeds -------------------------------------------------------------------------------------------------------------------


class MoveRow(TableRow, frozen=True):
    """A way to move, as a share of the sprint."""

    move: Gait
    share: tuple[int, int]
    tiring: bool = False


MOVES = Table("sil-3.2.2-move-rates", MoveRow)


@rule("sil-3.2.2-move-rates")
def sprint(rules: Ruleset, fitness: int = 0, athletics: int = 0) -> Derived[int]:
    """Metres of a sprint in a round: 20 (a ruling between two printed figures) and 5 for each point of Fitness and level of
    Athletics; never less than 1 (ruling)."""
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
    """Metres of a sprint of somebody whose body need not be human: a creature's run, or a race's multiple of the human one."""
    plan = person.plan
    if plan.speed is not None:
        return plan.speed
    return int(sprint(rules, person.attribute("fitness"), person.level("athletics")).value * plan.speed_times)


def speed(rules: Ruleset, gait: Gait, fitness: int = 0, athletics: int = 0) -> Fraction:
    """Metres a round, exactly."""
    over, under = MOVES.get(rules, gait).share
    return Fraction(sprint(rules, fitness, athletics).value * over, under)


@rule("sil-3.2.2-move-rates")
def move_rate(rules: Ruleset, gait: Gait = "sprinting", fitness: int = 0, athletics: int = 0) -> Derived[float]:
    """Metres a round at a pace: a sprint, or its share of one. Nothing is rounded."""
    over, under = MOVES.get(rules, gait).share
    return total(
        f"{gait}, metres per round",
        term("sprinting", sprint(rules, fitness, athletics)),
        times("share", over),
        divided("of", under),
        rule="sil-3.2.2-move-rates",
    )


def speed_of(rules: Ruleset, person: Person, gait: Gait) -> Fraction:
    """A person's metres a round."""
    over, under = MOVES.get(rules, gait).share
    return Fraction(sprint_of(rules, person) * over, under)


# --- paces --------------------------------------------------------------------------------------------------------------------


@rule("sil-3.2.1-movement-types")
def pace_modifiers(rules: Ruleset, pace: Pace = "walking") -> MovementRow:
    """What a pace does: to one's own actions (none at all in a sprint or on a wall), and to the defense."""
    return MOVEMENT.get(rules, pace)


@rule("sil-3.2.1-movement-types")
def may_act(rules: Ruleset, pace: Pace = "walking") -> bool:
    """Whether anything else can be done at this pace: not in a sprint, and not while climbing."""
    return MOVEMENT.get(rules, pace).action is not None


@rule("sil-3.2.1-movement-types")
def is_tiring(rules: Ruleset, gait: Gait = "running") -> bool:
    """Running and sprinting tire; walking and jogging hardly do. By id only."""
    return MOVES.get(rules, gait).tiring


@rule("sil-3.2.1-movement-types")
def turning_threshold(degrees: int = 45) -> int:
    """How hard it is to change direction in a sprint: 6 for up to 45 degrees, 2 more for each further 45."""
    if not 0 < degrees <= 360:
        raise UserError(f"a turn has 1 to 360 degrees, not {degrees}")
    return 6 + 2 * (-(-degrees // 45) - 1)


@rule("sil-3.2.1-movement-types")
def turn_in_a_sprint(rules: Ruleset, athletics: Pool = ONE_DIE, degrees: int = 45, name: str = "") -> Play[Test]:
    """An Athletics test to change direction in a sprint."""
    return (yield from action_test(rules, athletics, turning_threshold(degrees), name, "turning in a sprint"))


@rule("sil-3.2.3-movement-in-close-combat")
def close_combat_pace(pace: Pace = "stationary", covering_ground: bool = False, immobilised: bool = False) -> Pace:
    """The pace that counts between those who fight hand to hand: their footwork is walking to the defense and nothing to the attack.

    Only who lies or crawls, hangs on a wall, cannot move at all, or runs for another place counts as they are.
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
    """What movement does to a close attack (None where none can be made) and to the defense against one."""
    row = MOVEMENT.get(rules, close_combat_pace(pace, covering_ground, immobilised))
    if row.action is None:
        return None, row.defense_close
    return (row.action if covering_ground else 0), row.defense_close


# --- load ---------------------------------------------------------------------------------------------------------------------


class Carried(Struct, frozen=True):
    """Something carried: its weight in kilograms, whether it lacks straps and handles, and the hands that must look after it."""

    kilograms: float
    awkward: bool = False
    hands: Literal[0, 1, 2] = 0


class Load(Struct, frozen=True):
    """What a load comes to: its weight, the fastest pace with it (none where it cannot be carried), and what it costs on actions."""

    kilograms: float
    fastest: Gait | None
    action: int = 0


@rule("sil-3.2.4-carrying")
def load(rules: Ruleset, strength: int = 0, items: tuple[Carried, ...] = ()) -> Load:
    """Up to half of what can be lifted costs nothing, up to three quarters leaves a jog, up to all of it a walk.

    Awkward things count double; each thing that needs a hand costs 1 on actions, one that needs both 2.
    """
    weight = sum([Fraction(str(item.kilograms)) * (2 if item.awkward else 1) for item in items], Fraction(0))
    return Load(float(weight), with_load(rules, strength, float(weight)), -sum([item.hands for item in items]))


@rule("sil-3.2.4-carrying")
def with_load(rules: Ruleset, strength: int = 0, kilograms: float = 0) -> Gait | None:
    """The fastest pace with so many kilograms; none where they are more than can be lifted."""
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
    """A Flesh Wound leaves a jog (a ruling between two passages), a Deep Wound a walk, two of them a crawl; treated or not."""
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
    """With two Deep Wounds nobody stands unaided."""
    return deep < 2


def slower(item: Gait, other: Gait) -> Gait:
    """The slower of two paces."""
    return item if GAITS.index(item) <= GAITS.index(other) else other


def fastest_of(rules: Ruleset, body: Patient) -> Gait:
    """The fastest pace that a body's wounds leave; with a useless leg or foot one crawls (ruling)."""
    if body.limbs and any(body.limb(leg).useless for leg in LEGS):
        return "crawling"
    return with_wounds(rules, body.flesh, body.deep)


def unhurt_fastest(rules: Ruleset, person: Person, strength: int, kilograms: float) -> Gait | None:
    """The fastest pace that load and Flaws leave somebody who is not wounded."""
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
"""What bad ground adds to the Threshold of a jump."""


class Jump(Struct, frozen=True):
    """Metres forward, or up; a failed jump goes nowhere (ruling)."""

    forward: float
    up: float
    fumble: bool = False


@rule("sil-3.2.9-jumping")
def jumping_threshold(rules: Ruleset, terrain: tuple[str, ...] = ()) -> int:
    """3, and more from bad ground; several conditions add up."""
    return 3 + sum([TERRAIN.of(rules, text) for text in terrain])


@rule("sil-3.2.9-jumping")
def jump_distance(rules: Ruleset, margin: int, run_up: int = 0) -> tuple[float, float]:
    """Three quarters of a metre forward, or a quarter of a metre up, for every point of the margin."""
    return 0.75 * max(0, margin), 0.25 * max(0, margin)


@rule("sil-6.4.1-cinematic-jumping")
@instead_of(jump_distance, "reality", "cinematic")
def heroic_distance(rules: Ruleset, margin: int, run_up: int = 0) -> tuple[float, float]:
    """Twice as far, and the margin of the run-up on top, a metre a point; of its length alone (ruling "run-up-for-height")."""
    more = max(0, run_up) if margin >= 0 else 0
    return 1.5 * max(0, margin) + more, 0.5 * max(0, margin) + (more if rules.on("run-up-for-height") else 0)


@rule("sil-3.2.9-jumping")
def run_up(rules: Ruleset, athletics: Pool, name: str = "") -> Play[int]:
    """A run before the jump is worth what the pace is worth, and nothing more."""
    yield from ()
    return 0


@rule("sil-6.4.1-cinematic-jumping")
@instead_of(run_up, "reality", "cinematic")
def heroic_run_up(rules: Ruleset, athletics: Pool, name: str = "") -> Play[int]:
    """A proper run: Athletics against 4, whose margin is added to the jump in metres; a failure adds nothing."""
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
    """Athletics with Fitness and the pace's close defense modifier against 3; in a cinematic campaign a run-up is tested first."""
    gained = (yield from run_up(rules, athletics, name)) if runs_up else 0
    row = MOVEMENT.get(rules, pace)
    test = yield from action_test(
        rules, athletics.plus(Mod(pace, row.defense_close, "sil-3.2.9-jumping")), jumping_threshold(rules, terrain), name, "jump"
    )
    if not passes(rules, test.total, test.threshold):
        return Jump(0.0, 0.0, test.fumble)
    forward, up = jump_distance(rules, test.margin, gained)
    return Jump(forward, up, test.fumble)
