"""Tasks at arm's length, and four ways to run a test (book lines 1963-1972, 2163-2168)."""

from typing import Literal

from msgspec import Struct

from rulewright.play import GAMEMASTER, Choice, Event, Option, Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.resolution.dice_options import converted
from rulewright.systems.silhouette.resolution.tests import Pool, Test, passes, roll_of, settled

_RUN, _TASK = "sil-3.1.1-running-tests", "sil-3.3-close-task"
Way = Literal["Thresholds told", "totals told", "behind the screen", "without dice"]


class Tested(Event, frozen=True):
    """A test as the players hear of it."""

    name: str
    what: str
    test: Test
    passed: bool
    way: Way

    def headline(self) -> str:
        if self.way == "Thresholds told":
            margin = abs(self.test.margin)
            return f"{self.name} {'succeeds' if self.passed else 'fails'} at {self.what} by {margin} (Threshold {self.test.threshold})"
        return f"{self.name}, {self.what}: {self.test.total}" if self.way == "totals told" else f"{self.name} tries {self.what}"

    def reasons(self) -> tuple[Reason, ...]:
        if self.way != "Thresholds told":
            return ()
        return (Reason("total", self.test.total, "=", _TASK), Reason("Threshold", self.test.threshold, "against", _TASK))

    def tone(self) -> str:
        return "plain" if self.way != "Thresholds told" else "good" if self.passed else "bad"


class Known(Event, frozen=True):
    """A test as only the gamemaster knows it."""

    name: str
    what: str
    test: Test
    passed: bool

    def headline(self) -> str:
        done = "passed" if self.passed else "failed"
        return f"{self.name}, {self.what}: {self.test.total} against {self.test.threshold}, {done}"

    def hidden_from(self, who: str | None) -> bool:
        return who is not None


class Task(Struct, frozen=True):
    """Result of a task: its margin, and whether a mishap happens."""

    passed: bool
    margin: int
    fumble: bool = False


ONE_DIE = Pool(1)


@rule(_RUN)
def way_of_testing(rules: Ruleset, hidden: bool = False) -> Way:
    """Returns how tests are run: with the Threshold known, with totals only, behind the screen, or without dice.

    Tests that players should not know of (`hidden`: noticing, sensing danger) are always rolled behind the screen, if they are rolled.
    """
    way: Way = rules.word("running-tests")  # type: ignore[assignment]
    return "behind the screen" if hidden and way != "without dice" else way


@rule(_RUN)
def judged(rules: Ruleset, pool: Pool = ONE_DIE, threshold: int = 4) -> bool:
    """Whether a task probably succeeds: Taking Average with all modifiers against the Threshold."""
    level = max(0, pool.dice)
    return passes(rules, 2 + level + pool.modifier, converted(rules, threshold))


@rule(_RUN, _TASK)
def run_test(
    rules: Ruleset, pool: Pool = ONE_DIE, threshold: int = 4, name: str = "someone", what: str = "task", hidden: bool = False
) -> Play[Task]:
    """Runs a task as the campaign decides: open, with a secret Threshold, hidden, or judged."""
    way = way_of_testing(rules, hidden)
    if way == "without dice":
        return (yield from _judge(rules, pool, threshold, name, what))
    result = settled(rules, pool, (yield from roll_of(rules, pool, name, what, unseen=way == "behind the screen")))
    test = Test(result.total, converted(rules, threshold), result.fumble)
    passed = passes(rules, test.total, test.threshold)
    yield from Tell(Tested(name, what, test, passed, way))
    if way != "Thresholds told":
        yield from Tell(Known(name, what, test, passed))
    return Task(passed, test.margin, test.fumble)


def _judge(rules: Ruleset, pool: Pool, threshold: int, name: str, what: str) -> Play[Task]:
    likely = judged(rules, pool, threshold)
    yes, no = Option("yes", "It succeeds", True), Option("no", "It fails", False)
    ask = f"{name} tries {what} against {threshold}. Does it succeed?"
    passed = yield from Choice(GAMEMASTER, ask, (yes, no) if likely else (no, yes), pool, "judgement", secret=True)
    margin = 2 + max(0, pool.dice) + pool.modifier - converted(rules, threshold)
    return Task(passed, max(0, margin) if passed else min(-1, margin))


@rule(_TASK)
def close_task(
    rules: Ruleset,
    pool: Pool = ONE_DIE,
    threshold: int = 4,
    centimetres: int = 0,
    reach: int = 50,
    name: str = "someone",
    what: str = "task",
) -> Play[Task]:
    """Tests work within reach: a skill test against the gamemaster's Threshold.

    Something out of reach cannot be worked on.

    By id only.
    """
    if centimetres > reach:
        return Task(False, -converted(rules, threshold))
    return (yield from run_test(rules, pool, threshold, name, what))
