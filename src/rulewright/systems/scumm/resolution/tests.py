"""Dice and tests: readings, Thresholds and margins (book lines 297-346)."""

from rulewright.dice.highest import HighestDie, Total, Unskilled
from rulewright.dice.reading import Reading
from rulewright.errors import UserError
from rulewright.highest_die import tests
from rulewright.highest_die.tests import MOST_TESTS as MOST_TESTS
from rulewright.highest_die.tests import Contest as Contest
from rulewright.highest_die.tests import DicePool, Difficulty, Task, go_on, refuse_more_dice, refuse_sides, refuse_unskilled
from rulewright.highest_die.tests import Opposed as Opposed
from rulewright.highest_die.tests import Progress as Progress
from rulewright.highest_die.tests import Test as Test
from rulewright.highest_die.tests import succeeds as succeeds
from rulewright.play import Play, Roll, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Figure as Figure
from rulewright.rules import Ruleset, Table, rule
from rulewright.rules.reasons import Derived, at_least, limited, term, total
from rulewright.rules.reasons import Mod as Mod


class Pool(DicePool, frozen=True, cache_hash=True):
    """Dice and what is added to them. Zero dice or fewer are rolled unskilled; Emergency Dice come on top."""

    joins: int = 0
    """Dice of careful aim that join an unskilled roll as Emergency Dice do."""

    def with_dice(self, dice: int, emergency: int = 0, joins: int = 0) -> "Pool":
        """The same pool with another number of dice."""
        return Pool(dice, self.mods, emergency, joins)


@rule("scumm-dice-roll")
def highest(rules: Ruleset, dice: int, modifier: int = 0) -> Reading[Total]:
    """The highest of so many dice, +1 for every six beyond the first, plus modifiers, never below zero; all ones is a fumble."""
    return HighestDie(dice, modifier)


@rule("scumm-unskilled-test")
def unskilled(rules: Ruleset, modifier: int = 0, emergency: int = 0, joins: int = 0) -> Reading[Total]:
    """Two dice, the lower counts; a 1 on either is a fumble worth 1 without modifiers. Emergency Dice join the lower die (ruling)."""
    if emergency and rules.word("unskilled-emergency-dice") == "none":
        raise UserError("Emergency Dice cannot be used on an unskilled test in this campaign (setting unskilled-emergency-dice)")
    return Unskilled(emergency + joins, modifier)


def rolled_total(label: str, pool: Pool, rolled: Total, rule: str | None = None) -> Derived[int]:
    """Explains a roll by its dice and modifiers, never below 0; an unskilled fumble is 1 without modifiers."""
    if rolled.fumble and pool.dice <= 0:  # 338: no modifiers
        return total(label, term("fumble, unskilled", 1, rule="scumm-unskilled-test"), rule=rule)
    more = pool.emergency + pool.joins
    if rolled.fumble:  # 307: counts 1
        dice = "fumble"
    elif pool.dice > 0:
        dice = f"highest of {pool.dice + more}"
    else:
        dice = f"lower of 2, or the highest of {more} more" if more else "lower of 2"
    mods = [mod.reason() for mod in pool.mods]
    if rolled.total == 0 and not rolled.fumble:  # 299: a total of 0 does not say how high the dice were
        limit = at_least(0, f"{dice} is {-pool.modifier} or less", rule="scumm-dice-roll")
        return total(label, *mods, limit, rule=rule)
    shown = 1 if rolled.fumble else rolled.total - pool.modifier
    return limited(label, term(dice, shown, rule="scumm-dice-roll"), *mods, limit=at_least(0), rule=rule)


EMERGENCY_DICE = Table("scumm-emergency-dice", Figure)


@rule("scumm-emergency-dice")
def most_emergency_dice(rules: Ruleset) -> int:
    """How many Emergency Dice may be spent on one roll: five, unless the house rules say otherwise."""
    return EMERGENCY_DICE.get(rules, "most per roll").value


@cached(50_000)
@rule("scumm-emergency-dice")
def reading(rules: Ruleset, pool: Pool) -> Reading[Total]:
    """How a pool is read: Emergency Dice, at most five on one roll, are added to the dice already there."""
    if pool.emergency:
        refuse_more_dice(pool.emergency, most_emergency_dice(rules))
    if pool.dice > 0:
        return highest(rules, pool.dice + pool.emergency, pool.modifier)
    return unskilled(rules, pool.modifier, pool.emergency, pool.joins)


@rule("scumm-margins")
def passes(rules: Ruleset, total: int, threshold: int) -> bool:
    """Above the Threshold is a success, below it a failure; a draw passes as a marginal success (ruling "draws-pass")."""
    return tests.passes(rules, total, threshold)


DIFFICULTIES = Table("scumm-action-test", Difficulty)


@rule("scumm-action-test")
def action_test(rules: Ruleset, pool: Pool, threshold: int, by: str = "", what: str = "test", secret: bool = False) -> Play[Test]:
    """A modified roll is compared with a Threshold set by how hard the task is."""
    rolled = yield from Roll(reading(rules, pool), by, what, secret)
    return Test(rolled.total, threshold, rolled.fumble)


@rule("scumm-fumble")
def fumbles(rules: Ruleset, faces: tuple[int, ...], unskilled_test: bool = False) -> bool:
    """All ones is a mishap whatever the total says: it counts 1 plus modifiers. An unskilled pair fumbles on any 1, without modifiers.

    A view of `reading`.
    """
    read = Unskilled(len(faces) - 2) if unskilled_test else HighestDie(len(faces))
    read.check(faces)
    return read.read(faces).fumble


@rule("scumm-opposed-test")
def opposed_test(
    rules: Ruleset, actor: Pool, resister: Pool, by: str = "", against: str = "", what: str = "test", resists: str = "resistance"
) -> Play[Opposed]:
    """Both roll; the higher total wins by the difference, and a tie is the resisting side's."""
    acted, resisted = yield from Together((Roll(reading(rules, actor), by, what), Roll(reading(rules, resister), against, resists)))
    return Opposed(acted, resisted)


@rule("scumm-opposed-test")
def contest(rules: Ruleset, sides: tuple[tuple[str, Pool], ...], resisting: str = "", what: str = "contest") -> Play[Contest]:
    """More than two may oppose each other: everybody rolls once, and the margin is worked out between any two of them. By id only."""
    names = [name for name, _ in sides]
    refuse_sides(names, resisting)
    totals = yield from Together(tuple([Roll(reading(rules, pool), name, what) for name, pool in sides]))
    return Contest(tuple(zip(names, totals, strict=True)), resisting)


@rule("scumm-skill-test")
def skill_pool(rules: Ruleset, level: int, attribute: int = 0, attribute_name: str = "attribute", modifiers: tuple[Mod, ...] = ()) -> Pool:
    """As many dice as the skill has levels; the attribute and the situation modify the result."""
    return Pool(level).plus(Mod(attribute_name, attribute, "scumm-skill-test"), *modifiers)


@rule("scumm-attribute-test")
def attribute_pool(rules: Ruleset, attribute: int, name: str = "attribute", modifiers: tuple[Mod, ...] = ()) -> Pool:
    """Two dice, the highest counts, plus the attribute."""
    return Pool(2).plus(Mod(name, attribute, "scumm-attribute-test"), *modifiers)


@rule("scumm-health-test")
def health_pool(rules: Ruleset, health: int, modifiers: tuple[Mod, ...] = ()) -> Pool:
    """Two dice as for an attribute (ruling), plus Health; wounds weigh on it like on every test."""
    return Pool(rules.number("health-test-dice")).plus(Mod("Health", health, "scumm-health-test"), *modifiers)


@rule("scumm-taking-average")
def take_average(level: int, modifier: int = 0) -> Derived[int]:
    """Without hurry or threat the dice may be taken as 2 plus the skill level; nothing is rolled, so nothing fumbles.

    Who has no level has none to add to: an unskilled test is always rolled (ruling).
    """
    return _taken("Taking Average", 2, level, modifier, "scumm-taking-average")


@rule("scumm-taking-high")
def take_high(level: int, modifier: int = 0) -> Derived[int]:
    """With twenty times the usual time and no grave risk the dice may be taken as 4 plus the skill level; not unskilled (ruling)."""
    return _taken("Taking High", 4, level, modifier, "scumm-taking-high")


def _taken(name: str, base: int, level: int, modifier: int, rule_id: str) -> Derived[int]:
    refuse_unskilled(name, level)
    terms = term("base", base), term("skill level", level), term("modifiers", modifier)
    return limited(name, *terms, limit=at_least(0), rule=rule_id)


@rule("scumm-accumulated-successes")
def accumulate(
    rules: Ruleset, pool: Pool, threshold: int, required: int, tests: int = 20, by: str = "", what: str = "task"
) -> Play[Progress]:
    """An extended task: margins of success add up over repeated tests until the required sum is reached; failures add nothing (ruling).

    By id only.
    """
    return (yield from sub(go_on, rules, Task(action_test, gathered, pool, threshold, required, tests, by, what)))


@rule("scumm-accumulated-successes")
def gathered(rules: Ruleset, so_far: int, margin: int) -> int:
    """Returns the total of an extended task after one more test: success adds its margin, failures add nothing (ruling)."""
    return so_far + max(0, margin)
