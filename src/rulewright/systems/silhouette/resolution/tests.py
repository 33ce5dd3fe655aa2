"""Tests: pools, Thresholds and margins (book lines 486-741, 828-925, 1700-1719)."""

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.dice.reading import Reading
from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.highest_die import tests as highest
from rulewright.highest_die.tests import (
    DicePool,
    Difficulty,
    Task,
    Verdict,
    go_on,
    refuse_more_dice,
    refuse_sides,
    refuse_unskilled,
    verdict,
)
from rulewright.highest_die.tests import Progress as Progress
from rulewright.highest_die.tests import succeeds as succeeds
from rulewright.play import Play, Roll, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.rules import Figure as Figure
from rulewright.rules.reasons import Derived, Reason, at_least, row, term, total
from rulewright.rules.reasons import Mod as Mod
from rulewright.systems.silhouette.resolution.dice_options import converted, dice_of, unskilled

DIE = Sum((6,))
"""A single die whose face counts."""


class Pool(DicePool, frozen=True, cache_hash=True):
    """Dice and modifiers. Zero dice or fewer are unskilled; Emergency Dice are added.

    `hero` is false for minor characters, for whom cinematic dice do not count. `favored` is true with the favored item of the skill.
    """

    hero: bool = True
    favored: bool = False

    def with_dice(self, dice: int) -> "Pool":
        """Returns the pool with another number of dice; none or fewer are unskilled."""
        return Pool(dice, self.mods, self.emergency, self.hero, self.favored)

    def with_emergency(self, dice: int) -> "Pool":
        """Returns the pool with this many Emergency Dice."""
        return Pool(self.dice, self.mods, dice, self.hero, self.favored)


def sum_of(label: str, pool: Pool, item: Total, op: str = "=", rule: str | None = None) -> Reason:
    """Explains a roll: the dice and all modifiers, at least 0. An unskilled fumble counts 1 without modifiers; luck and Genre Points
    come last."""
    if pool.dice <= 0 and (item.fumble or item.shown(pool.modifier) == 1):  # 683
        plainly = min(1, item.total) if item.fumble else 1  # 683
        added: tuple[Reason, ...] = (term("fumble, no modifiers", plainly, rule="sil-1.2.4-unskilled-test"),)
    else:
        dice = item.shown(pool.modifier)
        added = (term("fumble" if item.fumble else "dice", dice), *[mod.reason() for mod in pool.mods])
        plainly = dice + pool.modifier
        if plainly < 0:
            added, plainly = (*added, at_least(0, rule="sil-1.2.3-reading-dice")), 0
    if item.total != plainly:
        added = (*added, term("luck and Genre Points", item.total - plainly))
    return Reason(label, item.total, op, rule, "book", added)


# --- dice ---------------------------------------------------------------------------------------------------------------------


EMERGENCY_DICE = Table("sil-2.5.2-emergency-dice", Figure)


@rule("sil-2.5.2-emergency-dice")
def most_emergency_dice(rules: Ruleset) -> int:
    """Returns the most Emergency Dice on one roll: five, unless house rules differ."""
    return EMERGENCY_DICE.get(rules, "most per roll").value


@cached(8192)
@rule("sil-2.5.2-emergency-dice")
def reading(rules: Ruleset, pool: Pool) -> Reading[Total]:
    """Returns the reading of a pool; Emergency Dice, at most five, join the other dice."""
    if pool.emergency:
        refuse_more_dice(pool.emergency, most_emergency_dice(rules))
    if pool.dice > 0:
        return dice_of(rules, pool.dice, pool.modifier, pool.emergency, pool.hero)
    return unskilled(rules, pool.modifier, pool.emergency, pool.hero)


@rule("sil-1.2.3-fumble")
def fumbles(rules: Ruleset, faces: tuple[int, ...], unskilled_test: bool = False) -> bool:
    """Whether faces are a fumble: all ones; for an unskilled pair any 1."""
    if not faces:
        raise UserError("give at least one die")
    read = unskilled(rules, 0, len(faces) - 2) if unskilled_test else dice_of(rules, len(faces))
    read.check(faces)
    return read.read(faces).fumble


@rule("sil-2.2-favored-item")
def with_favored_item(rules: Ruleset, rolled: Total) -> Total:
    """Returns a roll with a favored item: a fumble counts as 1 without a mishap."""
    return Total(rolled.total).showing(rolled.shown()) if rolled.fumble and rules.on("favored-items") else rolled  # 1297


@rule("sil-1.2.4-unskilled-test")
def fumbled_unskilled(rules: Ruleset, rolled: Total) -> Total:
    """Returns an unskilled fumble: it counts 1, or nothing if the campaign says so (ruling "unskilled-fumbles")."""
    return rolled if rules.word("unskilled-fumbles") == "count 1" else Total(0, fumble=True).showing(1)


def settled(rules: Ruleset, pool: Pool, rolled: Total) -> Total:
    """Returns a roll after all rules that change a fumble."""
    if not rolled.fumble:  # 611
        return rolled
    if pool.favored:
        rolled = with_favored_item(rules, rolled)
    return fumbled_unskilled(rules, rolled) if pool.dice <= 0 and rolled.fumble else rolled  # 683


def rolled(rules: Ruleset, pool: Pool, by: str = "", what: str = "test", unseen: bool = False) -> Play[Total]:
    """Rolls a pool."""
    return settled(rules, pool, (yield from roll_of(rules, pool, by, what, unseen=unseen)))


@rule("sil-3.1.1-running-tests")
def behind_the_screen(rules: Ruleset) -> bool:
    """Whether the gamemaster makes every roll unseen."""
    return rules.word("running-tests") == "behind the screen"


def roll_of(rules: Ruleset, pool: Pool, by: str = "", what: str = "test", *, secret: bool = False, unseen: bool = False) -> Roll[Total]:
    """Returns the dice request of a pool, unseen if the campaign rolls behind a screen."""
    unseen = unseen or behind_the_screen(rules)
    return Roll(reading(rules, pool), by, what, secret or unseen, unseen)


# --- tests against a Threshold ------------------------------------------------------------------------------------------------


class Test(highest.Test, frozen=True, dict=True):
    """A total against a Threshold, with its roll for the log if there was one."""

    def after(self, pool: Pool, item: Total) -> "Test":
        """Returns the test with its roll."""
        self.__dict__["roll"] = (pool, item)
        return self

    def against(self, threshold: Reason) -> "Test":
        """Returns the test with the terms of its Threshold for six-sided dice."""
        self.__dict__["given"] = threshold
        return self

    def sum(self, label: str, rule: str | None = None) -> tuple[Reason, ...]:
        """Returns the sum of the roll, and the Threshold with its terms; bigger dice convert it."""
        pool, result = self.__dict__.get("roll", (Pool(1), Total(self.total, self.fumble)))
        given: Reason | None = self.__dict__.get("given")
        terms: tuple[Reason, ...] = ()
        if given is not None and given.value != self.threshold:
            terms = (row("for bigger dice", self.threshold, given, rule="sil-a-threshold-conversion"),)
        elif given is not None:
            terms = given.terms
        return sum_of(label, pool, result, "=", rule), Reason("Threshold", self.threshold, "against", rule, "book", terms)


DIFFICULTIES = Table("sil-1.2.4-thresholds", Difficulty)


@rule("sil-1.2.4-thresholds")
def threshold_of(rules: Ruleset, name: str) -> int:
    """Returns the Threshold of a difficulty by name. By id only."""
    return DIFFICULTIES.get(rules, name).threshold


@rule("sil-1.2.4-when-to-test")
def needs_test(chance_of_failure: bool, special_circumstances: bool = False) -> bool:
    """Whether a test is needed: trivial tasks succeed unless they are risky. By id only."""
    return chance_of_failure or special_circumstances


@rule("sil-1.2.4-action-test")
def passes(rules: Ruleset, total: int, threshold: int) -> bool:
    """Whether a total passes: above the Threshold, or equal to it as a marginal success (ruling "draws-pass")."""
    return highest.passes(rules, total, threshold)


@rule("sil-1.2.4-action-test")
def action_test(rules: Ruleset, pool: Pool, threshold: int, by: str = "", what: str = "test", unseen: bool = False) -> Play[Test]:
    """Rolls a pool against a Threshold; the difference is the margin."""
    result = yield from rolled(rules, pool, by, what, unseen)
    number = converted(rules, threshold)
    test = Test(result.total, number, result.fumble).after(pool, result)
    return test if number == threshold else test.against(Reason("Threshold for six-sided dice", threshold, "="))


# --- Complexity ---------------------------------------------------------------------------------------------------------------

_CPX = "sil-1.2.2-complexity-modifier"


class ComplexityRow(TableRow, frozen=True):
    """Name of a Complexity."""

    complexity: int
    training: str
    means: str


class LevelRow(TableRow, frozen=True):
    """Name of a skill level."""

    level: int
    ability: str
    means: str


class SampleRow(TableRow, frozen=True):
    """What each Complexity of a skill covers."""

    skill: str
    one: str
    two: str
    three: str
    four: str
    five: str


COMPLEXITIES = Table(_CPX, ComplexityRow)
LEVELS = Table("sil-1.2.2-skill-level-meaning", LevelRow)
SAMPLES = Table("sil-1.2.2-sample-complexities", SampleRow)


@rule("sil-2.2.2-complexity-default")
def task_complexity(stated: int | None = None) -> int:
    """Returns the Complexity of a task, tool or weapon: 1 unless its description says otherwise. By id only."""
    if stated is not None and stated < 1:
        raise UserError(f"Complexity must be at least 1, not {stated}")
    return 1 if stated is None else stated


@rule(_CPX)
def complexity_modifier(complexity: int, task: int = 1) -> Mod:
    """Returns the Complexity modifier without an opponent: the character's minus that of the task or tool."""
    return Mod("Complexity", complexity - task, _CPX)


@rule(_CPX)
def opposed_complexity(
    rules: Ruleset, complexity: int, other: int = 1, same_skill: bool = True, tool: int = 1, others_tool: int = 1
) -> tuple[Mod, Mod]:
    """Returns the Complexity modifiers of both sides against an opponent: only if both use one skill, and on the acting side.

    The first is the acting side's, the second the resisting side's. Between different skills, a tool above its user's Complexity costs
    the difference, and one below gives nothing (ruling; a setting).
    """
    if same_skill:
        return Mod("Complexity", complexity - other, _CPX), Mod("Complexity", 0, _CPX)
    mode = rules.word("tool-complexity-against-others")

    def tool_mod(own: int, needed: int) -> Mod:
        difference = own - needed if mode == "in full" else 0 if mode == "ignored" else min(0, own - needed)
        return Mod("Complexity of the tool", difference if needed > 1 or mode == "in full" else 0, _CPX)

    return tool_mod(complexity, tool), tool_mod(other, others_tool)


@rule(_CPX)
def complexity_above(complexity: int, everyone: tuple[int, ...] = ()) -> Mod:
    """Returns each side's Complexity above the lowest, among three or more with one skill."""
    return Mod("Complexity", complexity - min((complexity, *everyone)), _CPX)


@rule("sil-1.2.2-sample-complexities")
def covered(complexity: int = 1) -> int:
    """Returns how many languages, arts or lands a skill covers: one, doubled with each Complexity."""
    if not 1 <= complexity <= 30:
        raise UserError(f"Complexity must be 1 to 30, not {complexity}")
    return int(2 ** (complexity - 1))


@rule("sil-1.2.2-skill-level-meaning")
def ability(rules: Ruleset, level: int) -> str:
    """Returns the name of a skill level."""
    rows = [row for row in LEVELS(rules).values() if row.level <= level]
    if not rows:
        raise UserError(f"the skill level must be at least 0, not {level}")
    return max(rows, key=lambda row: row.level).ability


# --- opposed tests ------------------------------------------------------------------------------------------------------------


class Side(Struct, frozen=True, cache_hash=True):
    """One side of a contest: its pool and its tie-breakers."""

    pool: Pool
    skill: str = ""
    level: int = 0
    complexity: int = 1
    attribute: int = 0

    def rank(self) -> tuple[int, int, int]:
        """Returns the tie-breakers: level, Complexity, attribute."""
        return self.level, self.complexity, self.attribute


class Opposed(highest.Opposed, frozen=True):
    """Two totals against each other; the first acts. `tie` is 1 if a tie goes to the acting side."""

    tie: int = 0

    @property
    def verdict(self) -> Verdict:
        """Returns the result: a tie goes to the resisting side unless advanced ties decide."""
        return verdict(self.margin or self.tie)


@rule("sil-1.2.4-advanced-ties")
def settle_tie(rules: Ruleset, actor: Side, resister: Side, attack: bool = False) -> int:
    """Returns who wins a tie by level, Complexity and attribute, if the campaign says so: 1 acting, -1 resisting, 0 nobody.

    A tie between attack and defense is never broken this way.
    """
    if attack or not rules.on("advanced-ties"):
        return 0
    return (actor.rank() > resister.rank()) - (actor.rank() < resister.rank())


@rule("sil-1.2.4-opposed-test")
def opposed_test(
    rules: Ruleset,
    actor: Side,
    resister: Side,
    by: str = "",
    against: str = "",
    what: str = "test",
    resists: str = "resistance",
    attack: bool = False,
    secret: bool = False,
) -> Play[Opposed]:
    """Rolls both sides; the higher total wins by the difference, and a tie goes to the resisting side."""
    acts = actor.pool
    if actor.skill and actor.skill == resister.skill:
        acts = acts.plus(opposed_complexity(rules, actor.complexity, resister.complexity)[0])
    pair = yield from Together(
        (roll_of(rules, acts, by, what, secret=secret), roll_of(rules, resister.pool, against, resists, secret=secret))
    )
    acted, resisted = settled(rules, acts, pair[0]), settled(rules, resister.pool, pair[1])
    tie = settle_tie(rules, actor, resister, attack) if acted.total == resisted.total else 0
    return Opposed(acted, resisted, tie)


class Contest(highest.Contest, frozen=True):
    """Rolls of several sides, with ranks if these break ties."""

    ranks: tuple[tuple[int, int, int], ...] = ()

    def beats(self, side: str, other: str) -> bool:
        """Whether one side beats another; a tie goes by rank if ranks count, then to the resisting side."""
        if self.ranks and not self.margin(side, other):
            names = [name for name, _ in self.totals]
            mine, theirs = self.ranks[names.index(side)], self.ranks[names.index(other)]
            if mine != theirs:
                return mine > theirs
        return highest.Contest.beats(self, side, other)


def contest_pools(sides: tuple[tuple[str, Side], ...]) -> tuple[tuple[str, Pool], ...]:
    """Returns the pools of a contest: with Complexity above the lowest if all use one skill."""
    if len({side.skill for _, side in sides}) > 1 or not sides[0][1].skill:
        return tuple([(name, side.pool) for name, side in sides])
    everyone = tuple([side.complexity for _, side in sides])
    return tuple([(name, side.pool.plus(complexity_above(side.complexity, everyone))) for name, side in sides])


@rule("sil-1.2.4-opposed-test")
def contest(rules: Ruleset, sides: tuple[tuple[str, Side], ...], resisting: str = "", what: str = "contest") -> Play[Contest]:
    """Rolls once for each of several sides; margins are computed between any two."""
    names = [name for name, _ in sides]
    refuse_sides(names, resisting)
    pools = [pool for _, pool in contest_pools(sides)]
    totals = yield from Together(tuple([roll_of(rules, pool, name, what) for name, pool in zip(names, pools, strict=True)]))
    pairs = tuple([(name, settled(rules, pool, total)) for name, pool, total in zip(names, pools, totals, strict=True)])
    ranks = tuple([side.rank() for _, side in sides]) if rules.on("advanced-ties") else ()
    return Contest(pairs, resisting, ranks)


# --- pools --------------------------------------------------------------------------------------------------------------------


@rule("sil-1.2.4-skill-test")
def skill_pool(
    rules: Ruleset,
    level: int,
    attribute: int = 0,
    complexity: int = 1,
    task: int = 1,
    specialized: bool = False,
    attribute_name: str = "attribute",
    modifiers: tuple[Mod, ...] = (),
) -> Pool:
    """Returns a skill pool: as many dice as levels, plus attribute, Complexity, one specialization and situation."""
    special = Mod("specialization", 1 if specialized else 0, "sil-2.2.3-specialization")
    return Pool(level).plus(
        Mod(attribute_name, attribute, "sil-1.2.4-skill-test"), complexity_modifier(complexity, task), special, *modifiers
    )


ATTRIBUTE_USES = Column("sil-1.2.4-attribute-test", "attribute", used_for=str)
"""Uses of attribute tests."""


@rule("sil-1.2.4-attribute-test")
def attribute_pool(rules: Ruleset, attribute: int, name: str = "attribute", modifiers: tuple[Mod, ...] = ()) -> Pool:
    """Returns the pool of an attribute test: two dice plus an attribute, Strength or Health."""
    return Pool(2).plus(Mod(name, attribute, "sil-1.2.4-attribute-test"), *modifiers)


@rule("sil-1.2.4-chance-test")
def chance_pool(rules: Ruleset, psyche: int = 0, modifiers: tuple[Mod, ...] = ()) -> Pool:
    """Returns the pool of a chance test: one die plus Psyche."""
    return Pool(1).plus(Mod("Psyche", psyche, "sil-1.2.4-chance-test"), *modifiers)


@rule("sil-1.2.4-chance-test")
def chance_test(rules: Ruleset, psyche: int = 0, emergency: int = 0, by: str = "", what: str = "chance") -> Play[Total]:
    """Rolls a chance test: higher is better, and the gamemaster interprets it. By id only."""
    return (yield from rolled(rules, chance_pool(rules, psyche).with_emergency(emergency), by, what))


# --- without dice -------------------------------------------------------------------------------------------------------------

_TAKES = "sil-1.2.3-takes"


@rule(_TAKES)
def take_average(rules: Ruleset, level: int, pressed: bool = False, supernatural: bool = False, complexity: int = 1) -> Derived[int]:
    """Returns Taking Average: level + 2 without hurry or threat; nothing is added, nothing fumbles."""
    return _taken(rules, "Taking Average", 2, level, pressed=pressed, supernatural=supernatural, complexity=complexity)


@rule(_TAKES)
def take_high(rules: Ruleset, level: int, pressed: bool = False, supernatural: bool = False, complexity: int = 1) -> Derived[int]:
    """Returns Taking High: level + 4 for twenty times the usual time, if a fumble would do no grave harm."""
    return _taken(rules, "Taking High", 4, level, pressed=pressed, supernatural=supernatural, complexity=complexity)


@rule(_TAKES)
def time_to_take_high(usual: float = 1) -> float:
    """Returns the time of Taking High: twenty times the usual."""
    return 20 * usual


def _taken(rules: Ruleset, name: str, base: int, level: int, *, pressed: bool, supernatural: bool, complexity: int) -> Derived[int]:
    refuse_unskilled(name, level)
    if pressed or supernatural:
        why = "in combat or under stress" if pressed else "for supernatural powers"
        raise UserError(f"{name} is not allowed {why}: roll the dice")
    more = complexity - 1 if rules.on("takes-with-complexity") else 0
    terms = [term("base", base), term("skill level", level), *([term("Complexity", more)] if more else [])]
    return total(name, *terms, rule=_TAKES)


# --- long tasks ---------------------------------------------------------------------------------------------------------------


@rule("sil-1.2.4-accumulated-successes")
def accumulate(
    rules: Ruleset, pool: Pool, threshold: int, required: int, tests: int = 20, by: str = "", what: str = "task"
) -> Play[Progress]:
    """Plays an extended task: margins add up until the required sum is reached; failures subtract theirs, never below 0 (rulings).

    By id only.
    """
    return (yield from sub(go_on, rules, Task(action_test, gathered, pool, threshold, required, tests, by, what)))


@rule("sil-1.2.4-accumulated-successes")
def gathered(rules: Ruleset, so_far: int, margin: int) -> int:
    """Returns the progress of an extended task after one more test: a success adds its margin, a failure subtracts its own (ruling)."""
    lost = {"their margin": margin, "one": -1, "nothing": 0}[rules.word("failures-of-a-long-task")]
    now = so_far + (margin if margin >= 0 else lost)
    return max(0, now) if rules.on("long-tasks-end-at-zero") else now
