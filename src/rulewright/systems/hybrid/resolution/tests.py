"""Checks: the Difficulty Factor, the chance it gives, and the ten degrees (book lines 291-295, 315-454, 517-544)."""

from enum import Enum
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.dice.percentile import HUNDRED, BandedPercentile
from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.errors import UserError
from rulewright.play import Event, Play, Roll
from rulewright.play.cache import cached
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import (
    Derived,
    Reason,
    at_least,
    at_most,
    divided,
    less,
    reckoned,
    rounded,
    rounded_down,
    rounded_up,
    row,
    term,
    times,
    total,
)
from rulewright.rules.reasons import Mod as Mod

UNRANKED = Figures("hyb-2-unranked")
"""What it costs to have no rank in the skill, not even 0."""
MOST = 10_000
"""No Difficulty Factor or percentage lies further from zero."""


class Degree(Enum):
    """How well a check went, from the best to the worst."""

    AMAZING_SUCCESS = "Amazing Success"
    VERY_NOTABLE_SUCCESS = "Very Notable Success"
    NOTABLE_SUCCESS = "Notable Success"
    SOLID_SUCCESS = "Solid Success"
    SUCCESS = "Success"
    FAILURE = "Failure"
    SOLID_FAILURE = "Solid Failure"
    NOTABLE_FAILURE = "Notable Failure"
    VERY_NOTABLE_FAILURE = "Very Notable Failure"
    AMAZING_FAILURE = "Amazing Failure"

    @property
    def success(self) -> bool:
        """Whether the check succeeded."""
        return self in SUCCESSES

    def __str__(self) -> str:
        return self.value


DEGREES = tuple(Degree)
SUCCESSES = DEGREES[:5]


class Check(Struct, frozen=True, cache_hash=True, gc=False):
    """What is rolled against: a Difficulty Factor, percents after the look-up, and the share of the chance that is left of it."""

    df: int
    percent: int = 0
    share: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        bound("a Difficulty Factor", self.df, -MOST, MOST)
        bound("a percentage", self.percent, -MOST, MOST)
        part, whole = self.share
        if not 0 <= part <= whole <= MOST or whole < 1:
            raise UserError(f"the share of a chance lies between 0 and 1, not at {part}/{whole}")

    def plus(self, df: int = 0, percent: int = 0) -> "Check":
        """The same check, easier or harder."""
        return Check(self.df + df, self.percent + percent, self.share)

    def shared(self, part: int, whole: int) -> "Check":
        """The same check at a share of its chance."""
        left = Fraction(part, whole) * Fraction(*self.share)
        return replace(self, share=(left.numerator, left.denominator))


ORDINARY = Check(12)
"""The average statistic with rank 0 in a simple task."""


# --- rounding -----------------------------------------------------------------------------------------------------------------


def half_up(value: Fraction) -> int:
    """Rounded to the nearest whole number, halves up."""
    return floor(value + Fraction(1, 2))


def rounding(rules: Ruleset) -> Reason:
    """How an average or a calculated statistic becomes a whole number: halves up (ruling "fractions")."""
    way = rules.word("fractions")
    return rounded_down() if way == "down" else rounded_up() if way == "up" else rounded()


# --- the Difficulty Factor (lines 387-401) ------------------------------------------------------------------------------------


@rule("hyb-2-difficulty-factor")
def difficulty_factor(
    rules: Ruleset, stats: tuple[int, ...] = (12,), rank: int | None = 0, difficulty: int = 0, modifiers: tuple[Mod, ...] = ()
) -> Derived[int]:
    """Statistic, rank, task and all other modifiers added up; no rank at all (none) costs 15."""
    basis = stat_basis(rules, stats)
    ranked = UNRANKED.of(rules, "modifier") if rank is None else rank
    others = [mod for mod in modifiers if mod.value]
    return total(
        "Difficulty Factor",
        term(basis.reason.label, basis),
        term("unranked", ranked, rule="hyb-2-unranked") if rank is None else term("rank", ranked),
        term("difficulty of the task", difficulty),
        *(mod.reason() for mod in others),
        rule="hyb-2-difficulty-factor",
    )


@rule("hyb-2-difficulty-factor")
def stat_basis(rules: Ruleset, stats: tuple[int, ...] = (12,)) -> Derived[int]:
    """The term of the statistics: the one, or the average of several, halves up (ruling); whole, as the equation prints it (ruling)."""
    if not stats:
        raise UserError("a task rests on at least one statistic")
    half = rules.word("stat-basis") == "half"
    label = "statistic" if len(stats) == 1 else f"average of {len(stats)} statistics"
    terms = [term("statistic", value) for value in stats]
    if len(stats) > 1:
        terms.append(divided("of so many", len(stats)))
    if half:
        terms.append(Reason("half of it", 2, "÷", "hyb-2-difficulty-factor", rules.source("stat-basis")))
    if half or len(stats) > 1:
        terms.append(rounding(rules))
    return total(label, *terms, rule="hyb-2-difficulty-factor")


@rule("hyb-2-multiple-tasks")
def lumped(rules: Ruleset, dfs: tuple[int, ...] = (12, 8)) -> Derived[int]:
    """Several actions as one task: the average of their Difficulty Factors, halves up (ruling). By id only."""
    if not dfs:
        raise UserError("a task lumped together needs at least one Difficulty Factor")
    parts = [term("part", df) for df in dfs]
    return total(
        f"average of {len(dfs)} Difficulty Factors", *parts, divided("of so many", len(dfs)), rounding(rules), rule="hyb-2-multiple-tasks"
    )


SUBJECTIVE = Column("hyb-2-subjective-difficulty", "word", df=int)
"""A word for how hard a task is."""


@rule("hyb-2-subjective-difficulty")
def subjective(rules: Ruleset, word: str = "difficult") -> Mod:
    """The difficulty that a word stands for. By id only."""
    return Mod(word, SUBJECTIVE.of(rules, word), "hyb-2-subjective-difficulty")


# --- tasks (lines 403-421, 447-454) -------------------------------------------------------------------------------------------


class Task(TableRow, frozen=True):
    """A task: what it rests on, how hard it is, how long it takes (in counts), which skills would do.

    A task without a stat base takes that of the skill used.
    """

    name: str
    difficulty: int = 0
    stat_base: tuple[str, ...] = ()
    time: int | None = None
    description: str = ""
    skills: tuple[str, ...] = ()


TASKS = Table("hyb-2-common-tasks", Task)
ANY_TASK = Task(name="task")


@rule("hyb-2-task-format")
def attempt(
    rules: Ruleset,
    task: Task = ANY_TASK,
    stats: tuple[int, ...] = (12,),
    rank: int | None = 0,
    modifiers: tuple[Mod, ...] = (),
    percent: int = 0,
    by: str = "",
) -> Play[Degree]:
    """A task tried: its difficulty joins the statistics it rests on, the rank and the modifiers, and the check is rolled.

    A view of `skill_check`.
    """
    df = difficulty_factor(rules, stats, rank, task.difficulty, modifiers).value
    return (yield from skill_check(rules, Check(df, percent), by, task.name))


@rule("hyb-2-common-tasks")
def common_task(rules: Ruleset, name: str = "common action", stats: tuple[int, ...] = (12,), rank: int | None = 0) -> Derived[int]:
    """The Difficulty Factor of one of the tasks that every skill knows. A view of `difficulty_factor`."""
    return difficulty_factor(rules, stats, rank, TASKS.get(rules, name).difficulty)


# --- the chance (lines 319-385) -----------------------------------------------------------------------------------------------


class SuccessRow(TableRow, frozen=True):
    """A row of the success table: the chance, what the five successes need at most, and the five failures at least."""

    df: int
    chance: int
    success: tuple[int, int, int, int, int]
    failure: tuple[int, int, int, int, int]


SUCCESS_TABLE = Table("hyb-2-success-table", SuccessRow)


@cached(64)
def _sorted_rows(rules: Ruleset) -> tuple[SuccessRow, ...]:
    rows = tuple(sorted(SUCCESS_TABLE(rules).values(), key=lambda row: row.df))
    if not rows:
        raise UserError("the success table has no rows")
    return rows


@cached(4096)
def _row(rules: Ruleset, df: int) -> SuccessRow:
    rows = _sorted_rows(rules)
    below = [row for row in rows if row.df <= df]
    if not below:
        return rows[0]
    above = next((row for row in rows if row.df > df), None)
    if above is not None and rules.word("between-rows") == "nearest row" and above.df - df < df - below[-1].df:
        return above
    return below[-1]


@rule("hyb-2-success-table")
def success_chance(rules: Ruleset, df: int = 12, percent: int = 0, share: tuple[int, int] = (1, 1)) -> Derived[int]:
    """The chance in percent: by the table's row at or below the Difficulty Factor, then percents, then a share of what is left.

    Percents keep it within 1 and 98 (ruling); a share is rounded down and may leave nothing (ruling).
    """
    Check(df, percent, share)
    after = (term("after the look-up", percent),) if percent else ()
    return looked_up(rules, term("Difficulty Factor", df), after, share)


def looked_up(
    rules: Ruleset, factor: Reason, percents: tuple[Reason, ...] = (), share: tuple[int, int] = (1, 1), label: str = "Success Chance"
) -> Derived[int]:
    """The chance that a Difficulty Factor with its terms comes to, with what is added after the look-up and the share that is left."""
    success_row = _row(rules, int(factor.value))
    terms = [row(f"row {success_row.df} of the success table", success_row.chance, factor, rule="hyb-2-success-table"), *percents]
    if percents:
        reached, source = reckoned(terms), rules.source("highest-chance")
        lowest, highest = rules.number("lowest-chance"), rules.number("highest-chance")
        if reached < lowest:
            terms.append(at_least(lowest, "never below", rule="hyb-2-success-table", source=source))
        elif reached > highest:
            terms.append(at_most(highest, "never above", rule="hyb-2-success-table", source=source))
    if share[0] != share[1]:
        terms.append(Reason("share of the chance", f"{share[0]}/{share[1]}", "×"))
        terms.append(rounded() if rules.word("passive-rounds") == "half up" else rounded_down())
    return total(label, *terms, rule="hyb-2-success-table")


class DegreeRow(TableRow, frozen=True):
    """A degree: which share of the needed number it is measured by, and what it multiplies the effect with."""

    degree: str
    share: float
    effect: float


DEGREE_TABLE = Table("hyb-2-degrees", DegreeRow)


class Limits(Struct, frozen=True, cache_hash=True, gc=False):
    """The chance of a check, the most that each success may roll, and the least of each failure."""

    chance: int
    success: tuple[int, ...]
    failure: tuple[int, ...]


@cached(20_000)
def limits(rules: Ruleset, check: Check) -> Limits:
    """The limits of the ten degrees: the table's own, or worked out from a chance that was changed after the look-up (ruling)."""
    row = _row(rules, check.df)
    chance = success_chance(rules, check.df, check.percent, check.share).value
    if chance == row.chance:
        return Limits(chance, row.success, row.failure)
    shares = _shares(rules)
    success = tuple(half_up(share * chance) for share in shares[:5])
    failure = (chance + 1, *(max(chance + 1, half_up(share * chance)) for share in shares[6:]))
    return Limits(chance, success, failure)


@cached(256)
def _shares(rules: Ruleset) -> tuple[Fraction, ...]:
    """The share of the needed number that each degree is measured by."""
    return tuple([Fraction(str(DEGREE_TABLE.get(rules, degree.value).share)) for degree in DEGREES])


@rule("hyb-2-degrees")
def degree_of(rules: Ruleset, df: int = 12, roll: int = 50, percent: int = 0, share: tuple[int, int] = (1, 1)) -> Degree:
    """The degree of a roll: the best success whose limit it keeps, or the worst failure that it reaches. A view of `degrees`."""
    bound("a roll of d100", roll, 1, HUNDRED)
    return degrees(rules, Check(df, percent, share)).read((roll,))


@rule("hyb-2-degrees")
def effect(rules: Ruleset, degree: Degree = Degree.SUCCESS, amount: float = 1) -> Derived[float]:
    """The outcome of a task that would do so much: the degree multiplies it, below zero against the user."""
    return total("effect", term("amount", amount), times(degree.value, DEGREE_TABLE.get(rules, degree.value).effect), rule="hyb-2-degrees")


@cached(20_000)
def degrees(rules: Ruleset, check: Check) -> BandedPercentile[Degree]:
    """The d100 of a check, read into degrees."""
    result = limits(rules, check)
    strict = rules.word("success-at") == "under"
    ends = [limit - strict for limit in result.success]
    ends += [start - 1 + strict for start in result.failure[1:]]
    ends.append(HUNDRED)
    banded = []
    highest = 0
    for end, degree in zip(ends, DEGREES, strict=True):
        highest = max(highest, end)
        banded.append((highest, degree))
    return BandedPercentile(tuple(banded))


# --- rolling (lines 291-295, 540-544) -----------------------------------------------------------------------------------------


@rule("hyb-1-skill-check")
def skill_check(rules: Ruleset, check: Check = ORDINARY, by: str = "", what: str = "check", secret: bool = False) -> Play[Degree]:
    """A d100 against the chance that the Difficulty Factor gives, read into one of ten degrees."""
    return (yield from Roll(degrees(rules, check), by, what, secret))


def chance_of(rules: Ruleset | None, check: Check | None, known: tuple[Reason, ...] = (), against: int = 0) -> tuple[Reason, ...]:
    """Why a check had the chance it had, for the log: the terms of its Difficulty Factor where they are known, its row of the table, and
    what changed it after the look-up. `against` is the Success Number of the action that it opposes."""
    if rules is None or check is None:
        return ()
    if not known and against <= 0:
        return (success_chance(rules, check.df, check.percent, check.share).reason,)
    in_factor = against > 0 and rules.word("success-number") == "difficulty factor"
    opposed = (less("Success Number of the action", against, rule="hyb-2-opposed"),) if against > 0 else ()
    terms = known or (term("own Difficulty Factor", check.df + (against if in_factor else 0)),)
    factor = total("Difficulty Factor", *terms, *(opposed if in_factor else ()), rule="hyb-2-difficulty-factor")
    left = check.percent + (against if opposed and not in_factor else 0)
    percents = (*((term("after the look-up", left),) if left else ()), *(() if in_factor else opposed))
    return (looked_up(rules, term("Difficulty Factor", factor), percents, check.share).reason,)


def reasons_of(mods: tuple[Mod, ...]) -> tuple[Reason, ...]:
    """Modifiers as terms of a sum, without those that change nothing."""
    return tuple([mod.reason() for mod in mods if mod.value])


class Checked(Event, frozen=True):
    """A check that no other line of the log tells of."""

    name: str
    what: str
    success: bool
    rules: Ruleset | None = None
    check: Check | None = None
    mods: tuple[Mod, ...] = ()
    """The terms of the Difficulty Factor, where they are known."""
    against: int = 0
    """The Success Number of the action that it opposes."""

    def headline(self) -> str:
        return f"{self.name or 'somebody'}: {self.what} {'succeeds' if self.success else 'fails'}"

    def reasons(self) -> tuple[Reason, ...]:
        return chance_of(self.rules, self.check, reasons_of(self.mods), self.against)

    def tone(self) -> str:
        return "good" if self.success else "plain"


class Measured(Struct, frozen=True):
    """A check with its Success Number: the chance less the roll, below zero on a failure."""

    degree: Degree
    success_number: int

    @property
    def success(self) -> bool:
        """Whether the check succeeded."""
        return self.degree.success


class MeasuredPercentile(Reading[Measured], frozen=True):
    """A d100 that keeps how far the roll lies from the chance beside the degree."""

    chance: int
    degrees: BandedPercentile[Degree]

    def sides(self) -> tuple[int, ...]:
        return (HUNDRED,)

    def read(self, faces: Faces) -> Measured:
        return Measured(self.degrees.read(faces), self.chance - faces[0])

    def weights(self) -> Weights[Measured]:
        return {self.read((roll,)): 1 for roll in range(1, HUNDRED + 1)}

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return (("d100", faces[0]),)


@cached(20_000)
def measured(rules: Ruleset, check: Check) -> MeasuredPercentile:
    """The d100 of a check whose Success Number matters."""
    return MeasuredPercentile(limits(rules, check).chance, degrees(rules, check))


@rule("hyb-1-skill-check")
def measured_check(rules: Ruleset, check: Check = ORDINARY, by: str = "", what: str = "check") -> Play[Measured]:
    """A check that something else will be held against: it keeps its Success Number."""
    return (yield from Roll(measured(rules, check), by, what))


@rule("hyb-2-opposed")
def opposing(rules: Ruleset, check: Check = ORDINARY, success_number: int = 0) -> Check:
    """The check of a person who opposes an action: its Success Number is taken off the chance after the look-up (ruling)."""
    off = max(0, success_number)
    return check.plus(df=-off) if rules.word("success-number") == "difficulty factor" else check.plus(percent=-off)


class Opposed(Struct, frozen=True):
    """An action and what was rolled against it; nothing is rolled against one that failed by itself."""

    actor: Degree
    resister: Degree | None = None

    @property
    def stands(self) -> bool:
        """Whether the action succeeded and was not undone."""
        return self.actor.success and not (self.resister is not None and self.resister.success)


@rule("hyb-2-opposed")
def opposed_check(
    rules: Ruleset, actor: Check = ORDINARY, resister: Check = ORDINARY, by: str = "", against: str = "", what: str = "check"
) -> Play[Opposed]:
    """An opposed check: the opponent rolls with the Success Number of the action as a penalty."""
    acted = yield from measured_check(rules, actor, by, what)
    if not acted.success:
        return Opposed(acted.degree)
    undone = yield from skill_check(rules, opposing(rules, resister, acted.success_number), against, f"against the {what}")
    return Opposed(acted.degree, undone)
