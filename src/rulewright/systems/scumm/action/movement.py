"""Movement: modes, rates and modifiers, climbing, falling, jumping, chases (book lines 148-170, 372-416)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play, Reckoned, Tell
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, derive, divided, limited, rounded_down, term, times, total
from rulewright.systems.scumm.gear.encumbrance import burden as burden
from rulewright.systems.scumm.gear.encumbrance import capacity as capacity
from rulewright.systems.scumm.gear.encumbrance import load as load
from rulewright.systems.scumm.harm.body import AVERAGE, Patient
from rulewright.systems.scumm.harm.damage import Hit, be_hit
from rulewright.systems.scumm.people.characters import Character, Person
from rulewright.systems.scumm.resolution.tests import Mod, Opposed, Pool, action_test, opposed_test, passes, skill_pool

Mode = Literal["prone", "crawling", "normal", "running", "sprinting"]
Movement = Literal["prone", "crawling", "normal", "running", "sprinting", "climbing"]
MODES: tuple[Mode, ...] = ("prone", "crawling", "normal", "running", "sprinting")
"""From lying still to the fastest."""


# --- modes and rates ----------------------------------------------------------------------------------------------------------


@rule("scumm-injury-movement")
def fastest(victim: Patient = AVERAGE) -> Mode:
    """A Flesh wound bars sprinting, a Deep wound everything above a walk; with more Deep wounds one can only crawl.

    A useless leg leaves a limping walk, two of them a crawl (ruling: the book says only that a useless limb cannot be used).
    """
    if not victim.able:
        return "prone"
    if victim.deep > 1 or victim.useless_legs() > 1:
        return "crawling"
    if victim.deep or victim.useless_legs():
        return "normal"
    return "running" if victim.flesh else "sprinting"


@rule("scumm-movement-types")
def modes_allowed(victim: Patient = AVERAGE, last: Movement = "normal") -> tuple[Mode, ...]:
    """Crawling, normal, running and sprinting (or lying still); nobody sprints in the round after lying or crawling."""
    allowed = MODES[: MODES.index(fastest(victim)) + 1]
    if last in ("prone", "crawling"):
        return tuple([mode for mode in allowed if mode != "sprinting"])
    return allowed


class Rates(TableRow, frozen=True):
    """Metres a round in every mode."""

    n: int
    sprinting: int
    running: int
    normal: int
    crawling: int

    def of(self, mode: Mode) -> int:
        """The rate of one mode; lying still is 0."""
        return 0 if mode == "prone" else int(getattr(self, mode))


RATES = Table("scumm-movement-rates", Rates)


@rule("scumm-movement-rates")
def rates(rules: Ruleset, n: int = 0) -> Rates:
    """Metres a round by Body + Athletics. Outside the printed 0 to 10 its pattern goes on, never below 5 for a sprint (ruling)."""
    printed = RATES(rules).get(str(n))
    return printed if printed is not None else _rates_beyond(n)


def _rates_beyond(n: int) -> Rates:
    """The table's pattern: a sprint of 20 + 5n, two thirds, a third and a tenth of it."""
    sprint = max(5, 20 + 5 * n)
    return Rates(
        n=n, sprinting=sprint, running=2 * sprint // 3, normal=(2 * sprint + 3) // 6, crawling=max(1, sprint // 10), source="ruling"
    )


def rates_of(rules: Ruleset, person: Person) -> Rates:
    """A person's movement rates."""
    return rates(rules, person.attribute("body") + person.level("athletics"))


class MovementRow(TableRow, frozen=True):
    """What moving so does to one's actions (None: nothing else can be done) and to one's defense."""

    movement: Movement
    action: int | None
    defense_close: int
    defense_ranged: int
    defense_jump: int


MODIFIERS = Table("scumm-movement-modifiers", MovementRow)


@rule("scumm-movement-modifiers")
def movement_modifiers(rules: Ruleset, mode: str = "normal") -> MovementRow:
    """How one moves modifies what one does, and how hard one is to hit in close and in ranged combat."""
    return MODIFIERS.get(rules, mode)


# --- climbing -----------------------------------------------------------------------------------------------------------------


class Climber(Struct, frozen=True):
    """A person on a wall."""

    name: str = "someone"
    climb: int = 0
    body: int = 0
    athletics: int = 0
    modifier: int = 0
    emergency: int = 0
    """Emergency Dice that go into every test."""
    penalty: int = 0
    """What wounds and loads cost."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character, modifier: int = 0) -> "Climber":
        """A character as a climber, with the wounds in the file."""
        person = Person.of(rules, character)
        levels = person.level("climb"), person.attribute("body"), person.level("athletics")
        return cls(person.name, *levels, modifier, penalty=Patient.of_person(rules, person).physical_penalty)

    def pool(self, rules: Ruleset, penalty: int = 0) -> Pool:
        """The dice of a Climb test."""
        wounds = Mod("wounds", self.penalty, "scumm-injuries")
        mods = (Mod("situation", self.modifier), wounds, Mod("grip lost", penalty, "scumm-climbing"))
        return skill_pool(rules, self.climb, self.body, "Body", mods).with_dice(self.climb, self.emergency)


class ClimbState(Struct, frozen=True):
    """The state of a climb: metres done, whether the grip is lost, the penalty since then, and whether the climber fell."""

    metres: int = 0
    grip_lost: bool = False
    penalty: int = 0
    fallen: bool = False


SOMEONE = Climber(climb=1)
AT_THE_FOOT = ClimbState()


def _gets_on(before: ClimbState, after: ClimbState) -> str:
    """A round on the wall, in words."""
    if after.fallen:
        return "can no longer hold on and falls"
    if before.grip_lost:
        return "is still slipping" if after.grip_lost else "has a firm grip again"
    if after.grip_lost:
        return "starts to lose the grip"
    gained = after.metres - before.metres
    return f"climbs {gained} m" if gained else "makes no progress"


@rule("scumm-climbing")
def climb_round(
    rules: Ruleset, climber: Climber = SOMEONE, state: ClimbState = AT_THE_FOOT, threshold: int = 4, full_round: bool = True
) -> Play[ClimbState]:
    """One round on a wall: a Climb test to get on, or, once the grip is slipping, to regain it.

    Failing by 4 or more starts to lose the grip, and so does a fumble, even one whose total would do. From then on every further
    failure makes the next tests harder by one, and who could not pass any more, whatever the dice, falls.
    """
    if state.fallen:
        raise UserError(f"{climber.name} has fallen and cannot climb on")
    test = yield from action_test(rules, climber.pool(rules, state.penalty), threshold, climber.name, "climbing")
    if passes(rules, test.total, threshold):
        after = replace(state, grip_lost=test.fumble, penalty=state.penalty if test.fumble else 0)  # 408: a fumble loses the grip
        if not state.grip_lost:
            after = replace(after, metres=state.metres + climbing_metres(rules, climber.body + climber.athletics, full_round).value)
    elif state.grip_lost:
        after = replace(state, penalty=state.penalty - 1)
    else:
        after = replace(state, grip_lost=test.margin <= -4 or test.fumble)  # 408
    if after.grip_lost and not can_hold(rules, replace(climber, emergency=0).pool(rules, after.penalty), threshold):
        after = replace(after, fallen=True)
    sums = (Reason("Climb test", test.total, "=", "scumm-climbing"), Reason("Threshold", threshold, "against"))
    yield from Tell(Reckoned(climber.name, _gets_on(state, after), "bad" if after.fallen or after.grip_lost else "good", sums))
    return after


@rule("scumm-climbing")
def climbing_metres(rules: Ruleset, n: int = 0, full_round: bool = True) -> Derived[int]:
    """A standard action covers a quarter of the walking speed, a whole round half of it (in full metres, at least one: ruling)."""
    pace = rules.word("climbing-pace")
    speed = int(getattr(rates(rules, n), pace))
    return limited(
        "metres climbed in a round",
        term(f"{pace} rate", speed, rule="scumm-movement-rates"),
        divided("full round" if full_round else "standard action", 2 if full_round else 4),
        rounded_down(),
        limit=at_least(1),
        rule="scumm-climbing",
    )


@rule("scumm-climbing")
def can_hold(rules: Ruleset, pool: Pool, threshold: int) -> bool:
    """Whether the best roll there is would still pass: all sixes, or a six on an unskilled test."""
    if pool.dice > 0:
        best = max(0, 5 + pool.dice + pool.emergency + pool.modifier)
    else:
        best = max(1, 6 + pool.emergency + pool.modifier)  # an unskilled fumble is worth 1 whatever the modifiers
    return passes(rules, best, threshold)


@rule("scumm-climbing")
def climb(
    rules: Ruleset, climber: Climber = SOMEONE, metres: int = 10, threshold: int = 4, full_round: bool = True, rounds: int = 50
) -> Play[ClimbState]:
    """A whole climb, round after round, until the top is reached, the climber falls or the rounds are over."""
    if metres < 1:
        raise UserError(f"a climb is at least 1 metre high, not {metres}")
    state = ClimbState()
    for _ in range(rounds):
        state = yield from climb_round(rules, climber, state, threshold, full_round)
        if state.fallen or state.metres >= metres:
            break
    return state


# --- falling and jumping ------------------------------------------------------------------------------------------------------


@rule("scumm-falling")
def fall(rules: Ruleset, metres: int, victim: Patient = AVERAGE) -> Play[Patient]:
    """A fall does a point of damage a metre, held against the wound thresholds; armor does not help (ruling). By id only."""
    return (yield from be_hit(rules, victim, Hit(fall_damage(metres).value, cause="fall")))


@rule("scumm-falling")
def fall_damage(metres: int) -> Derived[int]:
    """A point of damage for every metre fallen."""
    if metres < 0:
        raise UserError(f"a fall is 0 metres or more, not {metres}")
    return total("damage of a fall", term("metres fallen", metres), rule="scumm-falling")


Terrain = Literal["good", "rough", "slippery", "crumbling"]


TERRAINS = Column("scumm-jumping", "terrain", threshold=int)
"""The Threshold of a jump from such ground."""


class Jumped(Struct, frozen=True):
    """How far and how high a jump went, in centimetres; a failed one goes nowhere."""

    far: int
    high: int
    fumble: bool = False


@rule("scumm-jumping")
def jump(
    rules: Ruleset,
    skill: int = 0,
    body: int = 0,
    movement: Movement = "normal",
    terrain: Terrain = "good",
    modifier: int = 0,
    name: str = "",
    emergency: int = 0,
) -> Play[Jumped]:
    """A Jump test with Body and the movement's close defense modifier (as printed, ruling) against 3, more on bad ground.

    Every point of success is three quarters of a metre forward, or a quarter of a metre up.

    By id only.
    """
    mods = (Mod(movement, movement_modifiers(rules, movement).defense_jump, "scumm-movement-modifiers"), Mod("situation", modifier))
    pool = skill_pool(rules, skill, body, "Body", mods).with_dice(skill, emergency)
    test = yield from action_test(rules, pool, TERRAINS.of(rules, terrain), name, "jump")
    margin = max(0, test.margin)
    far, high = jump_distance(margin).value
    return Jumped(far, high, test.fumble)


@rule("scumm-jumping")
def jump_distance(margin: int) -> Derived[tuple[int, int]]:
    """Centimetres forward and up that a Margin of Success is worth."""
    if margin < 0:
        raise UserError(f"a jump needs a Margin of Success of 0 or more, not {margin}")
    return derive(
        (75 * margin, 25 * margin),
        "centimetres forward, or up",
        term("Margin of Success", margin),
        times("centimetres forward a point", 75),
        term("centimetres up a point", 25, "or"),
        rule="scumm-jumping",
    )


# --- chases -------------------------------------------------------------------------------------------------------------------


class Racer(Struct, frozen=True):
    """A person who hunts or is hunted: the level of Endurance, Body, whatever else modifies it, and Athletics.

    In water it is `swim` that counts, or the same level where none is given.
    """

    name: str = ""
    skill: int = 0
    body: int = 0
    modifier: int = 0
    athletics: int = 0
    emergency: int = 0
    penalty: int = 0
    swim: int | None = None

    @classmethod
    def of(cls, rules: Ruleset, character: Character, modifier: int = 0) -> "Racer":
        """A character in a chase, with the wounds in the file."""
        person = Person.of(rules, character)
        levels = person.level("endurance"), person.attribute("body"), modifier, person.level("athletics")
        penalty = Patient.of_person(rules, person).physical_penalty
        return cls(person.name, *levels, penalty=penalty, swim=person.level("swim"))

    def level(self, in_water: bool) -> int:
        """The level that this chase is about."""
        return self.swim if in_water and self.swim is not None else self.skill

    def pool(self, rules: Ruleset, in_water: bool = False) -> Pool:
        """The dice of the test."""
        mods = (Mod("situation", self.modifier), Mod("wounds", self.penalty, "scumm-injuries"))
        level = self.level(in_water)
        return skill_pool(rules, level, self.body, "Body", mods).with_dice(level, self.emergency)


PURSUER, FUGITIVE = Racer("pursuer", 1), Racer("fugitive", 1)


@rule("scumm-chases")
def chase(rules: Ruleset, pursuer: Racer = PURSUER, fugitive: Racer = FUGITIVE, in_water: bool = False) -> Play[Opposed]:
    """A chase may be settled by one opposed test: Endurance on foot, Swim in water. The fugitive resists, and a tie is an escape."""
    what = "Swim" if in_water else "Endurance"
    return (
        yield from opposed_test(
            rules, pursuer.pool(rules, in_water), fugitive.pool(rules, in_water), pursuer.name, fugitive.name, what, what
        )
    )


@rule("scumm-chases")
def catches(rules: Ruleset, pursuer: Racer = PURSUER, fugitive: Racer = FUGITIVE, in_water: bool = False) -> Play[bool]:
    """Whether a pursuer catches up. Without the option the faster one has it: by the sprint, in water by Swim and Body (ruling)."""
    yield from ()
    if in_water:
        return pursuer.level(in_water) + pursuer.body > fugitive.level(in_water) + fugitive.body
    return rates(rules, pursuer.body + pursuer.athletics).sprinting > rates(rules, fugitive.body + fugitive.athletics).sprinting


@instead_of(catches, "chases")
def catches_by_test(rules: Ruleset, pursuer: Racer = PURSUER, fugitive: Racer = FUGITIVE, in_water: bool = False) -> Play[bool]:
    """Whether a pursuer catches up: an opposed test settles it."""
    return (yield from chase(rules, pursuer, fugitive, in_water)).margin > 0
