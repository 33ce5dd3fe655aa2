"""Tests of the highest die: a pool, what its total is compared with, and the margin. Games define how dice are read."""

from collections.abc import Callable, Collection
from itertools import combinations
from typing import Any, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import Play, sub
from rulewright.rules import Ruleset, TableRow
from rulewright.rules.reasons import Mod

MOST_TESTS = 50
"""The largest number of tests of an extended task; more would only hide that it is out of reach."""

Verdict = Literal["success", "draw", "failure"]


class DicePool(Struct, frozen=True, cache_hash=True, gc=False):
    """Dice and modifiers. Zero dice or fewer are rolled unskilled; Emergency Dice are added."""

    dice: int
    mods: tuple[Mod, ...] = ()
    emergency: int = 0

    @property
    def modifier(self) -> int:
        """The sum of all modifiers."""
        return sum([mod.value for mod in self.mods])

    def plus(self, *mods: Mod) -> Self:
        """The pool with more modifiers; zero ones are left out."""
        added = tuple([mod for mod in mods if mod.value])
        return replace(self, mods=self.mods + added) if added else self


class Difficulty(TableRow, frozen=True):
    """A named Threshold."""

    name: str
    threshold: int
    needs: str


def refuse_more_dice(spent: int, most: int) -> None:
    """Raises an error if too many Emergency Dice are spent on one roll."""
    if not 0 <= spent <= most:
        raise UserError(f"from 0 to {most} Emergency Dice may be spent on one roll, not {spent}")


def verdict(margin: int) -> Verdict:
    """The verdict of a margin."""
    return "success" if margin > 0 else "draw" if margin == 0 else "failure"


class Test(Struct, frozen=True):
    """A total compared with a Threshold."""

    total: int
    threshold: int
    fumble: bool = False

    @property
    def margin(self) -> int:
        """The total minus the Threshold: the Margin of Success, or if negative the Margin of Failure."""
        return self.total - self.threshold

    @property
    def verdict(self) -> Verdict:
        """Success, draw or failure."""
        return verdict(self.total - self.threshold)


def passes(rules: Ruleset, total: int, threshold: int) -> bool:
    """Whether a total passes: above the Threshold, or equal to it as a marginal success (ruling "draws-pass")."""
    return total > threshold or (total == threshold and rules.on("draws-pass"))


def succeeds(rules: Ruleset, test: Test, fumble_line: int = 0) -> bool:
    """Whether a test passes. A fumble counts 1 plus modifiers and may pass like any other roll.

    `fumble_line` is the line of the book that gives a fumble of this test a result of its own; then a fumble never passes.
    """
    return not (fumble_line and test.fumble) and passes(rules, test.total, test.threshold)


class Opposed(Struct, frozen=True):
    """Two totals compared with each other; the first is the actor's."""

    actor: Total
    resister: Total

    @property
    def margin(self) -> int:
        """The actor's total minus the other's."""
        return self.actor.total - self.resister.total

    @property
    def verdict(self) -> Verdict:
        """A tie is a draw, and a draw favours the resisting side."""
        return verdict(self.margin)


class Contest(Struct, frozen=True):
    """The totals of several sides, in the order given; `resisting` names the side that a tie favours."""

    totals: tuple[tuple[str, Total], ...]
    resisting: str = ""

    def total(self, side: str) -> Total:
        """The total of one side."""
        for name, total in self.totals:
            if name == side:
                return total
        raise UserError(f"{side!r} takes no part in this contest; {', '.join(name for name, _ in self.totals)} do")

    def margin(self, side: str, other: str) -> int:
        """The margin between two sides; others do not matter."""
        return self.total(side).total - self.total(other).total

    def beats(self, side: str, other: str) -> bool:
        """Whether one side beats another: more, or as much while resisting."""
        margin = self.margin(side, other)
        return margin > 0 or (margin == 0 and side == self.resisting)

    def margins(self) -> dict[tuple[str, str], int]:
        """The Margin of Success between every two sides, the better one first (on a draw the resisting one)."""
        margins = {}
        for (side, _), (other, _) in combinations(self.totals, 2):
            ordered = (other, side) if self.beats(other, side) else (side, other)
            margins[ordered] = self.margin(*ordered)
        return margins

    @property
    def winner(self) -> str | None:
        """The side that beats all others; None if a draw leaves it open."""
        names = [name for name, _ in self.totals]
        return next((name for name in names if all(self.beats(name, other) for other in names if other != name)), None)


def refuse_sides(names: Collection[str], resisting: str) -> None:
    """Raises an error for fewer than two sides, repeated names, or an unknown resisting side."""
    if len(names) < 2 or len(set(names)) < len(names):
        raise UserError("a contest needs at least two sides, each with a name of its own")
    if resisting and resisting not in names:
        raise UserError(f"{resisting!r} takes no part in this contest; {', '.join(names)} do")


def refuse_unskilled(name: str, level: int) -> None:
    """Raises an error if a result is taken instead of a roll without the skill."""
    if level < 1:
        raise UserError(f"{name} needs a skill level of at least 1; an unskilled test is always rolled")


# --- long tasks ---------------------------------------------------------------------------------------------------------------


class Progress(Struct, frozen=True):
    """The state of an extended task: margin so far, tests made, and whether it is done."""

    gathered: int
    tests: int
    done: bool

    def time(self, value: float) -> float:
        """The time it took, if every test takes `value`."""
        return self.tests * value


BEGUN = Progress(0, 0, False)
"""An extended task before its first test."""


class Task(Struct, frozen=True):
    """An extended task: the test, how margins add up, the required margin, and the largest number of tests."""

    test: Callable[..., Play[Any]]
    gather: Callable[[Ruleset, int, int], int]
    pool: DicePool
    threshold: int
    required: int
    tests: int
    by: str = ""
    what: str = "task"

    def __post_init__(self) -> None:
        if self.required < 1:
            raise UserError(f"an extended task needs a required margin of at least 1, not {self.required}")
        if not 1 <= self.tests <= MOST_TESTS:
            raise UserError(f"an extended task is followed for 1 to {MOST_TESTS} tests, not {self.tests}")


def go_on(rules: Ruleset, task: Task, progress: Progress = BEGUN) -> Play[Progress]:
    """One more test of an extended task. The rest depends on the sum alone, so that exact odds solve each sum once."""
    test = yield from task.test(rules, task.pool, task.threshold, task.by, task.what)
    gathered, made = task.gather(rules, progress.gathered, test.margin), progress.tests + 1
    now = Progress(gathered, made, gathered >= task.required)
    if now.done or made == task.tests:
        return now
    return (yield from sub(go_on, rules, task, now))
