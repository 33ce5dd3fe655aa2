"""Dice and tests: coins, and a throw against a guard."""

from math import comb

from msgspec import Struct

from rulewright.dice import Faces, Reading, Weights
from rulewright.dice.limits import bound
from rulewright.play import Play, Roll, Together
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.rules.reasons import Derived, at_least, term, total

HEADS = 2
MOST_COINS = 60


class Heads(Reading[int], frozen=True):
    """A dice reading: the number of heads among some coins."""

    coins: int

    def __post_init__(self) -> None:
        bound("the number of coins", self.coins, 0, MOST_COINS)

    def sides(self) -> tuple[int, ...]:
        return (2,) * self.coins

    def read(self, faces: Faces) -> int:
        return faces.count(HEADS)

    def weights(self) -> Weights[int]:
        """C(n, k) of the 2**n results show k heads."""
        return {heads: comb(self.coins, heads) for heads in range(self.coins + 1)}


class Throw(Struct, frozen=True):
    """The result of a throw: heads of the thrower and of the guard."""

    heads: int
    guard: int

    @property
    def margin(self) -> int:
        return self.heads - self.guard


@rule("pebbles-coins")
def coins(rules: Ruleset, number: int) -> Reading[int]:
    """A test flips coins and counts heads."""
    return Heads(number)


@rule("pebbles-throw")
def throw(rules: Ruleset, aim: int, guard: int, by: str = "", at: str = "") -> Play[Throw]:
    """Thrower and target flip at once."""
    aimed, guarded = yield from Together((Roll(coins(rules, aim), by, "aim"), Roll(coins(rules, guard), at, "guard")))
    return Throw(aimed, guarded)


@rule("pebbles-topple")
def topple(rules: Ruleset, margin: int) -> Derived[int]:
    """As many stones fall as the throw has heads beyond the guard; a tie topples none (ruling "ties-hit")."""
    if margin == 0 and rules.on("ties-hit"):
        return total("stones toppled", term("a tie", 1, source=rules.source("ties-hit")), rule="pebbles-topple")
    return total("stones toppled", term("heads beyond the guard", margin), at_least(0), rule="pebbles-topple")


@instead_of(topple, "gentle-topple")
@rule("pebbles-gentle-topple")
def topple_gently(rules: Ruleset, margin: int) -> Derived[int]:
    """One stone falls, however good the throw."""
    return total("stones toppled", term("a gentle hit", int(margin > 0)), rule="pebbles-gentle-topple")
