"""Tasks: score, ease factor, success chance and quality rating (book lines 223-317, 347-370, 1338-1619).

A task is a score, a base ease factor and modifiers. All modifiers are summed before they move the ease factor along its ladder,
and the roll is read as one of six quality ratings: 1, 2, 3 and 4 succeed, 7 fails, 10 is a botch.
"""

from fractions import Fraction
from math import floor

from msgspec import Struct

from rulewright.dice.limits import bound
from rulewright.dice.percentile import HUNDRED, Percentile
from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.dice.sums import Banded, Sum
from rulewright.errors import UserError
from rulewright.play import Play, Roll, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, at_most, divided, reckoned, row, term, times, total
from rulewright.rules.reasons import Mod as Mod
from rulewright.rules.reasons import rounded as rounded_off

LADDER = (0.0, 0.25, 0.5, *map(float, range(1, 16)))
"""The ease factors there are, from impossible to as easy as it gets."""
TOP_SCORE = 20
BEYOND = Figures("fs-score-over-20")
RATINGS = (1, 2, 3, 4, 7, 10)
NOTCHES = (1, 2, 3, 4, 7)
"""The ratings that a defense moves an attack along."""
BARELY = 4
FAILURE = 7
BOTCH = 10
MOST_SCORE = 1000
MOST_MODIFIER = 10_000
MOST_TRIES = 50


# --- rounding and the dice ----------------------------------------------------------------------------------------------------


def half_up(value: float) -> int:
    """The nearest whole number, a half going up."""
    return floor(value + 0.5)


@rule("fs-rounding")
def rounded(rules: Ruleset, value: float) -> float:
    """Fractions of scores and chances go to the nearest whole number, and a half goes up."""
    return half_up(value)


@instead_of(rounded, "continuous-values")
@rule("fs-continuous-values")
def unrounded(rules: Ruleset, value: float) -> float:
    """Scores and chances keep their fractions."""
    return value


D10 = Sum((10,))
D100 = Percentile()


@rule("fs-d100")
def roll_d100(rules: Ruleset) -> Play[int]:
    """Two ten-sided dice as tens and units, 1 to 100."""
    return (yield from Roll(D100, "", "d100"))


@rule("fs-d100")
def roll_d10(rules: Ruleset) -> Play[int]:
    """One ten-sided die, 1 to 10. By id only."""
    return (yield from Roll(D10, "", "d10"))


# --- modifiers and the ease factor --------------------------------------------------------------------------------------------


class Task(Struct, frozen=True, cache_hash=True, gc=False):
    """Something attempted: the raw score of the ability, its base ease factor, and everything that makes it easier or harder."""

    score: float
    ease: float
    mods: tuple[Mod, ...] = ()

    @property
    def modifier(self) -> int:
        """The sum of all modifiers, before the bonus of a score above 20."""
        return sum([mod.value for mod in self.mods])

    def plus(self, *mods: Mod) -> "Task":
        """The same task with more modifiers; those of nothing are left out."""
        more = tuple([mod for mod in mods if mod.value])
        return Task(self.score, self.ease, self.mods + more) if more else self


class Effective(Struct, frozen=True):
    """A score as it is used: at most 20, and the bonus to the ease factor for what lies above."""

    score: float
    bonus: int

    def __str__(self) -> str:
        shown = int(self.score) if self.score == int(self.score) else self.score
        return f"{shown}+{self.bonus}" if self.bonus else str(shown)


@rule("fs-score-over-20")
def effective(rules: Ruleset, score: float) -> Effective:
    """A score above 20 counts as 20, and every full three points above it are +1 to the ease factor."""
    if score <= TOP_SCORE:
        return Effective(score, 0)
    return Effective(TOP_SCORE, int((score - TOP_SCORE) // BEYOND.of(rules, "points for +1", least=1)))


def written_score(rules: Ruleset, score: float) -> str:
    """A score as people write it: 17, 20+1."""
    return str(effective(rules, score))


def rung(ease: float) -> int:
    """Where a base ease factor stands on the ladder."""
    if ease not in LADDER:
        raise UserError(f"a base ease factor is one of 0, 0.25, 0.5, 1, 2 … 15, not {ease:g}")
    return LADDER.index(ease)


@rule("fs-ease-factor-ladder")
def ease_factor(rules: Ruleset, base: float, modifier: int = 0) -> float:
    """As many rungs up or down the ladder as the sum of all modifiers says, held between 0 and 15 only at the end."""
    if base == 0 and rules.word("zero-base") == "none":
        return 0.0
    return LADDER[max(0, min(len(LADDER) - 1, rung(base) + modifier))]


@rule("fs-success-chance")
def success_chance(rules: Ruleset, score: float, ease: float) -> float:
    """Score times ease factor, in percent, rounded; it may pass 100. A score above 20 counts as 20: its bonus is in the ease factor."""
    return rounded(rules, min(score, TOP_SCORE) * ease)


@cached(20_000)
def chance_of(rules: Ruleset, task: Task) -> float:
    """The success chance of a task."""
    bound("a score", floor(task.score), -MOST_SCORE, MOST_SCORE)
    bound("a modifier", task.modifier, -MOST_MODIFIER, MOST_MODIFIER)
    used = effective(rules, max(0, task.score))
    return success_chance(rules, used.score, ease_factor(rules, task.ease, task.modifier + used.bonus))


@rule("fs-success-chance")
def explained_chance(rules: Ruleset, score: float, base: float, modifier: int = 0) -> Derived[float]:
    """The success chance with everything that made it: the score, the base ease factor and the sum of the modifiers.

    A view of the reasons of `weighed`.
    """
    return why(rules, Task(score, base, (Mod("modifiers", modifier),) if modifier else ()))


class Weighed(Struct, frozen=True, gc=False):
    """A task with what it came to: the bonus of a score above 20, the ease factor, and the success chance."""

    task: Task
    bonus: int
    ease: float
    chance: float

    def why(self) -> Derived[float]:
        """The success chance with its reasons: the score, and the ease factor as it moved along its ladder."""
        score, factor = self.task.score, total("ease factor", *self._rungs(), rule="fs-ease-factor-ladder")
        limits = [at_most(TOP_SCORE, "counts as 20", rule="fs-score-over-20")] if score > TOP_SCORE else []
        limits += [at_least(0)] if score < 0 else []
        whole = [term("score", score), *limits, times("ease factor", factor)]
        nearest = [] if reckoned(whole) == self.chance else [rounded_off(rule="fs-rounding")]
        return total("success chance", *whole, *nearest, rule="fs-success-chance")

    def _rungs(self) -> tuple[Reason, ...]:
        more = [mod.reason() for mod in self.task.mods]
        if self.bonus:
            more.append(Reason(f"score {self.task.score:g} above 20", self.bonus, "+", "fs-score-over-20"))
        steps = (term("base ease factor", self.task.ease), *more)
        return steps if reckoned(steps) == self.ease else (*steps, row("as the ladder goes", self.ease, rule="fs-ease-factor-ladder"))


@cached(20_000)
def weighed(rules: Ruleset, task: Task) -> Weighed:
    """A task with its ease factor and success chance."""
    used = effective(rules, max(0, task.score))
    return Weighed(task, used.bonus, ease_factor(rules, task.ease, task.modifier + used.bonus), chance_of(rules, task))


def why(rules: Ruleset, task: Task) -> Derived[float]:
    """The success chance of a task with its reasons."""
    return weighed(rules, task).why()


# --- quality ratings ----------------------------------------------------------------------------------------------------------


class RatingRow(TableRow, frozen=True):
    """A quality rating: its word, and the share of the success chance that the roll must not pass."""

    qr: int
    label: str
    share: float | None


class ResultRow(TableRow, frozen=True):
    """What a quality rating is worth, in one of three ways: percent of the yield, percent of the time, or a modifier."""

    qr: int
    yields: int
    time: int
    pm: int


QUALITY = Table("fs-quality-rating", RatingRow)
RESULTS = Table("fs-yield-time-pm", ResultRow)


class Quality(Struct, frozen=True, order=True):
    """How a task went: the rating, lower being better, and whether the roll was one on which the thing used fails."""

    qr: int
    fails: bool = False

    @property
    def success(self) -> bool:
        """QR1 to QR4."""
        return self.qr <= BARELY


class QualityRoll(Reading[Quality], frozen=True):
    """A d100 read against the limits of QR1 to QR4.

    A roll of 99 is never better than QR4. A failure on a multiple of ten is a botch, except 100 where the chance reaches 100.
    `failing` lists the rolls on which the equipment fails, whatever the rating.
    """

    limits: tuple[int, int, int, int]
    failing: tuple[int, ...] = ()
    of: Weighed | None = None
    """The task that it is rolled for; it tells no two rolls apart."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QualityRoll) and (self.limits, self.failing) == (other.limits, other.failing)

    def __hash__(self) -> int:
        return hash((self.limits, self.failing))

    def __repr__(self) -> str:
        return f"QualityRoll(limits={self.limits!r}, failing={self.failing!r})"

    def sides(self) -> tuple[int, ...]:
        return (HUNDRED,)

    def read(self, faces: Faces) -> Quality:
        roll = faces[0]
        return Quality(self._rating(roll), roll in self.failing)

    def weights(self) -> Weights[Quality]:
        """Each rating holds the rolls between its limit and the one before, up to 98; 99 and 100 are apart."""
        first, second, third, last = [max(0, min(limit, HUNDRED - 2)) for limit in self.limits]
        rolls = {1: first, 2: second - first, 3: third - second, 4: last - third}
        begun = min(max(self.limits[3], 0), HUNDRED)
        if begun >= HUNDRED - 1:
            rolls[4] += 1
        failed = HUNDRED - min(begun, HUNDRED - 1)
        rolls[BOTCH] = 0 if begun == HUNDRED else HUNDRED // 10 - begun // 10
        rolls[FAILURE] = failed - rolls[BOTCH]
        number_by_quality = {Quality(qr): count for qr, count in rolls.items()}
        for roll in self.failing:
            qr = self._rating(roll)
            number_by_quality[Quality(qr)] -= 1
            number_by_quality[Quality(qr, fails=True)] = number_by_quality.get(Quality(qr, fails=True), 0) + 1
        return {quality: count for quality, count in number_by_quality.items() if count}

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return (("d100", faces[0]),)

    def _rating(self, roll: int) -> int:
        if roll < HUNDRED and roll <= self.limits[3]:
            within = [qr for qr, limit in zip(RATINGS, self.limits, strict=False) if roll <= limit]
            return within[0] if roll < HUNDRED - 1 else BARELY
        return BOTCH if roll % 10 == 0 and roll > self.limits[3] else FAILURE


@cached(20_000)
def _limits(rules: Ruleset, chance: float) -> tuple[int, int, int, int]:
    """The highest roll of QR1 to QR4: fractions of the chance that are never rounded up."""
    exact = Fraction(chance)
    rows = QUALITY(rules)
    shares = [Fraction(str(row.share)) for row in (rows[str(qr)] for qr in NOTCHES[:4]) if row.share is not None]
    first, second, third, last = [floor(exact * share) for share in shares]
    return first, second, third, last


@cached(20_000)
def reading(rules: Ruleset, task: Task, failing: tuple[int, ...] = ()) -> QualityRoll:
    """How a task is rolled."""
    return QualityRoll(_limits(rules, chance_of(rules, task)), failing, weighed(rules, task))


@rule("fs-quality-rating")
def quality_rating(rules: Ruleset, roll: int, chance: float) -> int:
    """The rating of a roll: a tenth of the chance, a fifth, a half or all of it; above it a failure, and a botch on a multiple of ten.

    A view of `reading`.
    """
    bound("a d100", roll, 1, HUNDRED)
    return QualityRoll(_limits(rules, chance)).read((roll,)).qr


@rule("fs-quality-rating", "fs-success-chance")
def attempt(
    rules: Ruleset, task: Task, by: str = "", what: str = "task", failing: tuple[int, ...] = (), secret: bool = False
) -> Play[Quality]:
    """A task is rolled on d100 against score times ease factor and comes out with a quality rating."""
    return (yield from Roll(reading(rules, task, failing), by, what, secret))


@rule("fs-quality-rating")
def try_task(rules: Ruleset, score: float, base: float, modifier: int = 0) -> Play[Quality]:
    """A task from bare numbers: the score, the base ease factor and the sum of the modifiers. A view of `attempt`."""
    return (yield from attempt(rules, Task(score, base, (Mod("modifiers", modifier),) if modifier else ())))


def label(rules: Ruleset, qr: int) -> str:
    """The word for a rating."""
    return QUALITY.get(rules, str(qr)).label


@rule("fs-yield-time-pm")
def amount(rules: Ruleset, qr: int, possible: float = 100, hidden: bool = False) -> Derived[float]:
    """How much of what could be had was had. Where nobody may tell, a failure gives as much worthless stuff as a QR4."""
    shown = BARELY if hidden and qr > BARELY else qr
    return _part("yield", term("possible", possible), shown, RESULTS.get(rules, str(shown)).yields)


@rule("fs-yield-time-pm")
def duration(rules: Ruleset, qr: int, estimate: float = 100) -> Derived[float]:
    """How long it took, against what a competent worker would have estimated; failures take as long as a QR4."""
    return _part("time", term("estimate", estimate), qr, RESULTS.get(rules, str(qr)).time)


def _part(label: str, whole: Reason, qr: int, percent: int) -> Derived[float]:
    """So many percent of something."""
    return total(label, whole, times(f"QR{qr}, percent", percent), divided("of a hundred", 100), rule="fs-yield-time-pm")


@rule("fs-yield-time-pm")
def performance(rules: Ruleset, qr: int) -> int:
    """The performance modifier of what was made, for its later user. By id only."""
    return RESULTS.get(rules, str(qr)).pm


@cached(256)
def yield_of(rules: Ruleset, qr: int) -> Fraction:
    """The share of the possible damage, or of anything, that a rating gives."""
    return Fraction(RESULTS.get(rules, str(qr)).yields, 100)


# --- one task and another -----------------------------------------------------------------------------------------------------


class Contest(Struct, frozen=True):
    """Two results held against each other; `winner` is 1, 2, or 0 where nothing is decided."""

    one: int
    other: int
    winner: int

    @property
    def margin(self) -> int:
        """By how many points of rating the first did better (worse: negative)."""
        return self.other - self.one


@rule("fs-opposed-compare")
def compare(rules: Ruleset, one: int, other: int, one_score: float = 0, other_score: float = 0, decide: bool = False) -> Contest:
    """The better rating wins. A tie settles nothing, or falls to the higher score where there must be a winner."""
    if one != other:
        return Contest(one, other, 1 if one < other else 2)
    if (decide or rules.word("comparing-ties") == "score") and one_score != other_score:
        return Contest(one, other, 1 if one_score > other_score else 2)
    return Contest(one, other, 0)


@rule("fs-opposed-compare")
def contest(
    rules: Ruleset, one: Task, other: Task, by: str = "", against: str = "", what: str = "contest", decide: bool = False
) -> Play[Contest]:
    """Both sides roll their own ability, and the better rating wins."""
    first, second = yield from Together((Roll(reading(rules, one), by, what), Roll(reading(rules, other), against, what)))
    return compare(rules, first.qr, second.qr, one.score, other.score, decide=decide)


@rule("fs-opposed-blocking")
def blocked(rules: Ruleset, attack: int, defense: int) -> int:
    """The rating of an attack after a defense.

    As good or better it stops it; a lesser success moves it 5 less its rating notches down; a failure changes nothing, and a
    botch helps the attack by one notch. A botched attack stays botched.
    """
    if attack == BOTCH or defense == FAILURE:
        return attack
    place = NOTCHES.index(attack)
    if defense == BOTCH:
        return NOTCHES[max(0, place - 1)]
    if defense <= attack:
        return FAILURE
    return NOTCHES[min(len(NOTCHES) - 1, place + 5 - defense)]


class Blocked(Struct, frozen=True):
    """An attack, the defense, and the rating that got through."""

    attack: int
    defense: int
    through: int


@rule("fs-opposed-blocking")
def oppose(
    rules: Ruleset, attack: Task, defense: Task, by: str = "", against: str = "", what: str = "attack", resists: str = "defense"
) -> Play[Blocked]:
    """An attack and a defense are rolled, and the defense takes away from the attack."""
    struck, quality = yield from Together((Roll(reading(rules, attack), by, what), Roll(reading(rules, defense), against, resists)))
    return Blocked(struck.qr, quality.qr, blocked(rules, struck.qr, quality.qr))


@rule("fs-qr-as-modifier")
def follow_up(rules: Ruleset, qr: int, opposing: bool = False) -> int:
    """The modifier for a task that builds on a result: 4 less its rating; the opposite where the task works against it."""
    if qr not in RATINGS:
        raise UserError(f"a quality rating is one of 1, 2, 3, 4, 7 and 10, not {qr}")
    return qr - BARELY if opposing else BARELY - qr


def built_on(rules: Ruleset, qr: int, on: str, opposing: bool = False) -> Mod:
    """An earlier result as a modifier of the next task."""
    return Mod(f"{'against' if opposing else 'building on'} {on} (QR{qr})", follow_up(rules, qr, opposing), "fs-qr-as-modifier")


@rule("fs-qr-as-modifier")
def in_steps(rules: Ruleset, tasks: tuple[Task, ...], by: str = "", what: str = "step") -> Play[tuple[int, ...]]:
    """Tasks one after another, each building on the rating of the one before. By id only."""
    numbers: list[int] = []
    for number, task in enumerate(tasks):
        built = task.plus(built_on(rules, numbers[-1], f"{what} {number}")) if numbers else task
        result = yield from attempt(rules, built, by, f"{what} {number + 1}")
        numbers.append(result.qr)
    return tuple(numbers)


# --- modifiers in words -------------------------------------------------------------------------------------------------------


class KnowledgeRow(TableRow, frozen=True):
    """How well knowledge fits a task; where the two differ the gamemaster picks."""

    knowledge: str
    lowest: int
    highest: int


DIFFICULTIES = Column("fs-rule-of-thumb-modifiers", "difficulty", modifier=int)
"""A difficulty in words."""
INPUTS = Column("fs-player-input", "input", modifier=int)
"""How a player described the attempt."""
KNOWLEDGE = Table("fs-knowledge-modifiers", KnowledgeRow)
STRANGENESS = Column("fs-nfm", "strangeness", modifier=int)
"""How strange a thing is."""


@rule("fs-rule-of-thumb-modifiers")
def difficulty(rules: Ruleset, how: str = "average") -> Mod:
    """The modifier for a difficulty in words; it adds to everything else. By id only."""
    return Mod(how, DIFFICULTIES.of(rules, how), "fs-rule-of-thumb-modifiers")


@rule("fs-player-input")
def player_input(rules: Ruleset, described: tuple[str, ...] = ("better than nothing",)) -> Mod:
    """The modifier for the description of an attempt, all that fits added up; nothing where the campaign does without.

    By id only.
    """
    if not rules.on("player-input"):
        return Mod("player input", 0, "fs-player-input")
    worth = [INPUTS.of(rules, how) for how in dict.fromkeys(described)]
    return Mod(f"player input: {', '.join(described)}", sum(worth), "fs-player-input")


@rule("fs-knowledge-modifiers")
def knowledge_modifier(rules: Ruleset, knowledge: str = "fair", pick: int | None = None, helps: bool = True) -> Mod:
    """The modifier for knowledge of the matter: the gamemaster picks within the range, and more than enough helps only where it can.

    By id only.
    """
    row = KNOWLEDGE.get(rules, knowledge)
    value = row.highest if pick is None else pick
    if not row.lowest <= value <= row.highest:
        raise UserError(f"{knowledge} knowledge is worth {row.lowest} to {row.highest}, not {value}")
    return Mod(f"{knowledge} knowledge", value if helps else min(0, value), "fs-knowledge-modifiers")


@rule("fs-knowledge-transfer")
def talked_through(rules: Ruleset, own: int = -5, helper: int = 0) -> Derived[int]:
    """Knowledge can be lent: a person who is talked through a task uses the helper's modifier where it is better than the own one.

    By id only.
    """
    return total("knowledge", term("own", own), at_least(helper, "lent by the helper"), rule="fs-knowledge-transfer")


@rule("fs-nfm")
def strangeness(rules: Ruleset, how: str = "different", eased: int = 0) -> Mod:
    """The modifier for an unfamiliar thing or situation, less what experience or teaching has worn off; it never turns into a bonus.

    By id only.
    """
    value = min(0, STRANGENESS.of(rules, how) + eased)
    return Mod(f"unfamiliar: {how}", value, "fs-nfm")


# --- ratings without a task, and trying again ---------------------------------------------------------------------------------


RANDOM = Column("fs-random-qr", "qr", int, d10=tuple[int, int])
"""Which rolls of a d10 give a random rating."""


@cached(64)
def random_reading(rules: Ruleset) -> Reading[str]:
    """A d10 read as a quality rating."""
    return Banded(D10, tuple([(low, high, qr) for qr, (low, high) in RANDOM.every(rules).items()]))


@rule("fs-random-qr")
def random_quality(rules: Ruleset, by: str = "", what: str = "random quality rating") -> Play[int]:
    """A d10 for the rating of something that surely succeeded."""
    return int((yield from Roll(random_reading(rules), by, what)))


class Persistence(Struct, frozen=True):
    """The outcome of trying again and again: the last rating, and how many attempts it took."""

    qr: int
    tries: int


@rule("fs-retries")
def keep_trying(
    rules: Ruleset, task: Task, tries: int = 3, worse_each: int = 1, by: str = "", what: str = "task", will: Task | None = None
) -> Play[Persistence]:
    """Attempt after attempt until one succeeds, each at a further penalty for running out of ideas; a botch ends it (ruling).

    Given a willpower task, a success at it before the next attempt is a fresh start without the penalty.

    By id only.
    """
    bound("the number of attempts", tries, 1, MOST_TRIES)
    bound("the penalty of each attempt", worse_each, 0, 15)
    return (yield from sub(_try_again, rules, task, tries, worse_each, by, what, will, 0, 0))


def _try_again(
    rules: Ruleset, task: Task, tries: int, worse_each: int, by: str, what: str, will: Task | None, made: int, stale: int
) -> Play[Persistence]:
    result = yield from attempt(rules, task.plus(Mod("tried before", -worse_each * stale, "fs-retries")), by, what)
    if result.success or result.qr == BOTCH or made + 1 >= tries:
        return Persistence(result.qr, made + 1)
    fresh = will is not None and (yield from attempt(rules, will, by, "a fresh start")).success
    after = 0 if fresh else stale + 1
    return (yield from sub(_try_again, rules, task, tries, worse_each, by, what, will, made + 1, after))
