"""A roll request: who is asked for which test, how the results are joined, and who may see what.

A request is a scene of one step. Its state holds everything that the step needs, so a record replays without the characters' files.
"""

from typing import Literal, get_args

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count, join

Verdict = Literal["success", "draw", "failure"]
ConsequenceKind = Literal["reveal", "tick", "run", "suffer", "pay", "award"]
Join = Literal["each", "any", "all", "most", "best", "worst"]
Manner = Literal["open", "target hidden", "blind", "gamemaster rolls"]
JOINS: tuple[Join, ...] = get_args(Join)
MANNERS: tuple[Manner, ...] = get_args(Manner)

MOST_GOAL = 1_000
MOST_TRIES = 50
CONSEQUENCES: dict[ConsequenceKind, str] = {
    "reveal": "show a handout to everyone",
    "tick": "count a tally",
    "run": "begin an ongoing effect",
    "suffer": "add to a number of the condition",
    "pay": "pay from the means",
    "award": "award experience",
}

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


class Take(Struct, frozen=True, cache_hash=True):
    """Taking the time: a certain result, or another roll, for more time."""

    name: str
    words: str
    """What it gives, in words: a total of 5."""
    seconds: int
    """How long the attempt then takes."""
    rule: str
    notation: str = ""
    """The test that is rolled; empty for a certain result."""
    verdict: Verdict | None = None
    rank: float = 0
    gain: int = 0
    """How far a certain result brings an extended task."""


class Called(Struct, frozen=True, cache_hash=True):
    """A rule of the book that is played instead of a test of the sheet: its id, its function, and its arguments as JSON."""

    rule: str
    function: str
    arguments: str


class Way(Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """One test that may be used: its key on the sheet, its name, and its notation for each number of boosts (extra dice) spent."""

    key: str
    label: str
    notations: tuple[str, ...] = ()
    target: str = ""
    """The target in words, such as a Threshold; empty if there is none."""
    further: tuple[tuple[str, ...], ...] = ()
    """The notations against each further opponent."""
    takes: tuple[Take, ...] = ()
    called: Called | None = None
    """The rule that is played instead, with its arguments."""


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


class Attempt(Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """One person who is asked, with the tests that may be used."""

    name: str
    ways: tuple[Way, ...]
    against: str = ""
    """The opponent, if the test is opposed; the notations then contain both sides."""
    together: tuple[str, ...] = ()
    """Everybody whose rolls the notation makes, in order, if the game joins several people in one test."""
    boost: Boost | None = None
    others: tuple[str, ...] = ()
    """Further opponents. The person rolls once against all of them, and must beat each."""

    @property
    def rollers(self) -> tuple[str, ...]:
        """Everybody who rolls in this attempt, in the order of their rolls."""
        return self.together or ((self.name, self.against) if self.against else (self.name,))


class Attempted(Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """The result of an attempt: the test, the number of boosts, the result in words, the verdict, and its rank among results."""

    name: str
    test: str
    result: str
    verdict: Verdict | None
    rank: float = 0
    boosts: int = 0
    seconds: int | None = None
    """How long it took; None for as long as the request says."""
    gain: int = 0
    """How far it brings an extended task."""
    condition: tuple[tuple[str, str, str], ...] = ()
    """What the rule did to the body: fields of the condition, with their values as JSON and in words."""


class Consequence(Struct, frozen=True, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """What follows a verdict. The table carries it out in the same step as the roll."""

    on: Verdict
    do: ConsequenceKind
    what: str = ""
    """The handout, tally, ongoing effect or field of the condition."""
    amount: int = 1


class RollRequest(Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """A request for rolls, and the results so far."""

    title: str
    attempts: tuple[Attempt, ...]
    why: str = ""
    joined: Join = "each"
    manner: Manner = "open"
    seconds: int = 0
    """How long the attempt takes, in seconds."""
    done: tuple[Attempted, ...] = ()
    one_roll: bool = False
    """Whether everybody rolls once, also against several opponents. Requests of older versions roll anew against each."""
    goal: int = 0
    """What an extended task must gather; 0 for a single test."""
    tries: int = 0
    """How many tests an extended task allows."""
    gathers: str = ""
    """What an extended task counts, in the game's words."""
    progress: int = 0
    tried: int = 0
    """How many tests of an extended task were made."""
    spent: int = 0
    """The seconds that the tests took so far."""
    then: tuple[Consequence, ...] = ()
    wanted: tuple[WantedTest, ...] = ()
    """The tests as they were asked for, to ask again."""
    earlier: int = 0
    """How many times the same was tried before."""
    group: str = ""
    """The game's way of joining several people in one test."""

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of the whole request; None if each result counts alone, or nobody has rolled."""
        if self.goal:
            return "success" if self.progress >= self.goal else "failure" if self.tried >= self.tries else None
        return self.done[0].verdict if len(self.done) == 1 else joined_verdict(self.joined, self.done)

    def checked(self) -> "RollRequest":
        """Refuse a request that nobody could answer."""
        if not self.attempts:
            raise UserError("a roll request must name at least one person")
        names = [attempt.name for attempt in self.attempts]
        if len(set(names)) < len(names):
            raise UserError("a roll request must name each person once")
        for attempt in self.attempts:
            if not attempt.ways or not all(way.notations or way.called is not None for way in attempt.ways):
                raise UserError(f"{attempt.name} has no test for this roll request")
            for opponent in (attempt.against, *attempt.others):
                if opponent and opponent in names:
                    raise UserError(f"{opponent} cannot be asked and be the opponent in the same roll request")
        if self.goal and not (1 <= self.goal <= MOST_GOAL and 1 <= self.tries <= MOST_TRIES):
            raise UserError(f"an extended task needs a goal from 1 to {MOST_GOAL} and 1 to {MOST_TRIES} tests")
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
    if request.goal:
        gathered = f"{request.progress} of {request.goal} {request.gathers} after {count(request.tried, 'test')}"
        return f"{request.title}: {request.verdict or 'not finished'}, {gathered}"
    verdict = joined_verdict(request.joined, request.done)
    if verdict is not None and len(request.done) > 1:
        return f"{request.title}: {verdict} ({JOIN_WORDS[request.joined]})"
    return f"{request.title}: {join([f'{result.name} {result.result}' for result in request.done])}"
