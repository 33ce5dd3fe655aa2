"""A roll request: who is asked for which test, how the results are joined, and who may see what.

A request is a scene of one step. Its state holds everything that the step needs, so a record replays without the characters' files.
"""

from typing import Literal, get_args

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count, join

Verdict = Literal["success", "draw", "failure"]
Join = Literal["each", "any", "all", "most", "best", "worst"]
Manner = Literal["open", "target hidden", "blind", "gamemaster rolls"]
JOINS: tuple[Join, ...] = get_args(Join)
MANNERS: tuple[Manner, ...] = get_args(Manner)

JOIN_WORDS: dict[Join, str] = {
    "each": "each result counts for its own roller",
    "any": "one success is enough",
    "all": "everybody must succeed",
    "most": "more than half must succeed",
    "best": "the best result counts",
    "worst": "the worst result counts",
}
MANNER_WORDS: dict[Manner, str] = {
    "open": "everybody sees the target, the dice and the result",
    "target hidden": "the roller sees the dice, but neither the target nor the result",
    "blind": "the roller rolls without seeing the dice; only the gamemaster sees the result",
    "gamemaster rolls": "the gamemaster rolls behind the screen",
}


class Difficulty(Struct, frozen=True):
    """A named target of tests: what the roll must reach, or a modifier of the roll, and the rule that lists it."""

    name: str
    against: str = ""
    modifier: int = 0
    rule: str = ""


class WantedTest(Struct, frozen=True, forbid_unknown_fields=True):
    """A test that may be used for a roll request: its key or name on the sheet, its target, and a modifier."""

    test: str
    against: str = ""
    modifier: int = 0


class Way(Struct, frozen=True, cache_hash=True):
    """One test that may be used: its key on the sheet, its name, and its notation for each number of boosts (extra dice) spent."""

    key: str
    label: str
    notations: tuple[str, ...]
    target: str = ""
    """The target in words, such as a Threshold; empty if there is none."""


class Boost(Struct, frozen=True, cache_hash=True):
    """A resource that a player may spend on a roll, such as Emergency Dice."""

    name: str
    field: str
    """The field of the character's condition that counts what is left."""
    left: int
    most: int
    """How many may be spent on one roll."""
    singular: str = ""

    def count(self, spent: int) -> str:
        """A number of them in words: 1 Emergency Die, 2 Emergency Dice."""
        return count(spent, self.singular or self.name, self.name)


class Attempt(Struct, frozen=True, cache_hash=True):
    """One person who is asked, with the tests that may be used."""

    name: str
    ways: tuple[Way, ...]
    against: str = ""
    """The opponent, if the test is opposed; the notations then contain both sides."""
    together: tuple[str, ...] = ()
    """Everybody whose rolls the notation makes, in order, if the game joins several people in one test."""
    boost: Boost | None = None

    @property
    def rollers(self) -> tuple[str, ...]:
        """Everybody who rolls in this attempt, in the order of their rolls."""
        return self.together or ((self.name, self.against) if self.against else (self.name,))


class Attempted(Struct, frozen=True, cache_hash=True):
    """The result of an attempt: the test, the number of boosts, the result in words, the verdict, and its rank among results."""

    name: str
    test: str
    result: str
    verdict: Verdict | None
    rank: float = 0
    boosts: int = 0


class RollRequest(Struct, frozen=True, cache_hash=True):
    """A request for rolls, and the results so far."""

    title: str
    attempts: tuple[Attempt, ...]
    why: str = ""
    joined: Join = "each"
    manner: Manner = "open"
    seconds: int = 0
    """How long the attempt takes, in seconds."""
    done: tuple[Attempted, ...] = ()

    def checked(self) -> "RollRequest":
        """Refuse a request that nobody could answer."""
        if not self.attempts:
            raise UserError("a roll request must name at least one person")
        names = [attempt.name for attempt in self.attempts]
        if len(set(names)) < len(names):
            raise UserError("a roll request must name each person once")
        for attempt in self.attempts:
            if not attempt.ways or not all(way.notations for way in attempt.ways):
                raise UserError(f"{attempt.name} has no test for this roll request")
            if attempt.against and attempt.against in names:
                raise UserError(f"{attempt.against} cannot be asked and be the opponent in the same roll request")
        return self

    def people(self) -> tuple[str, ...]:
        """Everybody who may roll, without repetition."""
        return tuple(dict.fromkeys(name for attempt in self.attempts for name in attempt.rollers))


def joined_verdict(joined: Join, results: tuple[Attempted, ...]) -> Verdict | None:
    """The joint verdict of several results; None if each counts alone, or if results have no verdict."""
    verdicts = [result.verdict for result in results]
    if joined == "each" or not verdicts or None in verdicts:
        return None
    if joined == "best":
        return max(results, key=lambda result: result.rank).verdict
    if joined == "worst":
        return min(results, key=lambda result: result.rank).verdict
    needed = {"any": 1, "all": len(verdicts), "most": len(verdicts) // 2 + 1}[joined]
    successes, draws = verdicts.count("success"), verdicts.count("draw")
    return "success" if successes >= needed else "draw" if successes + draws >= needed else "failure"


def describe_result(request: RollRequest) -> str:
    """The whole outcome in one sentence."""
    verdict = joined_verdict(request.joined, request.done)
    if verdict is not None and len(request.done) > 1:
        return f"{request.title}: {verdict} ({JOIN_WORDS[request.joined]})"
    return f"{request.title}: {join([f'{result.name} {result.result}' for result in request.done])}"
