"""The activities that every game offers: something else, with or without a roll, and going to another location."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol, cast

from rulewright.campaign.activities.changed_requests import rolled_by
from rulewright.campaign.calendar import DAY, HOUR, write_span
from rulewright.campaign.downtime import OngoingEffect, SheetTest, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, DowntimeRules, Figure, again
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Sub, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset

Now = Case[Any]
Verdict = Literal["success", "draw", "failure"]


class Described(Protocol):
    """The game's description of an outcome."""

    @property
    def label(self) -> str: ...
    @property
    def verdict(self) -> Verdict | None: ...


class Tests(Protocol):
    """What activities need of a game to make the tests of a sheet."""

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]: ...
    def compose(self, notation: str, modifier: int, against: str) -> str: ...
    def show(self, outcome: Any) -> Described: ...


AIM = Figure("aim", "What it is about", takes="text", needed=True)
UNIT = Figure("unit", "Time of a unit", takes="span", default=DAY, needed=True)
TEST = Figure("test", "Test at the end of a unit", takes="test")
AGAINST = Figure("against", "Target of the test", takes="text")
MODIFIER = Figure("modifier", "Modifier of the test", low=-20, high=20)
TOTAL = Figure("total", "How many are needed", low=1, high=1000, default=1)
COUNTS = Figure("counts", "What counts", ("successes", "every unit"))


class SomethingElse(Activity[Any]):
    """Anything without rules of its own: units of time, a roll at the end of each, done when enough have succeeded.

    Its data are the number that counts so far and the number of units.
    """

    name = "something else"
    label = "do something else"
    arguments = (AIM, UNIT, TEST, AGAINST, MODIFIER, TOTAL, COUNTS)
    hours = 8

    def __init__(self, game: DowntimeRules[Any], tests: Tests | None) -> None:
        self.game = game
        self.tests = tests

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(UNIT)))

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        wanted = case.argument(TEST)
        if wanted and _test_of(case) is None:
            return f"{case.name} has no test {wanted!r}"
        return ""

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Any]]:
        counted, units = cast(tuple[int, int], effect.data or (0, 0))
        units, wanted = units + 1, _test_of(case)
        if wanted is None:
            counted += 1
            said, tone = "goes on", "plain"
        else:
            verdict, label = yield from self._rolled(rules, case, wanted, effect.about)
            counted += verdict != "failure" or case.argument(COUNTS) != COUNTS.words[0]
            said, tone = f"rolls {wanted.name}, {label}", {"success": "good", "failure": "bad"}.get(verdict or "", "plain")
        total = int(case.argument(TOTAL))
        done = counted >= total
        progress = "done" if done else f"{counted} of {total}"
        if done or wanted is not None:
            yield from Tell(Happened(case.name, f"{said if wanted is not None else 'is ready'} ({effect.about}: {progress})", tone))
        return Change(case.life, None if done else again(effect, counted, units))

    def _rolled(self, rules: Ruleset, case: Now, wanted: SheetTest, what: str) -> Play[tuple[Verdict | None, str]]:
        assert self.tests is not None
        modifier = int(case.argument(MODIFIER)) + self.game.penalty(rules, case.life)
        notation = self.tests.compose(wanted.notation, modifier, str(case.argument(AGAINST)) or wanted.target)
        outcome = yield from rolled_by(self.tests.test(rules, notation).start(), case.name, what)
        shown = self.tests.show(outcome)
        return shown.verdict, shown.label

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        counted, total = (effect.data or (0,))[0], int(case.argument(TOTAL))
        return f"{effect.about}{f', {counted} of {total}' if total > 1 else ''}"


def _test_of(case: Now) -> SheetTest | None:
    wanted = str(case.argument(TEST))
    return next((test for test in case.tests if wanted and wanted in (test.key, test.name)), None)


TO = Figure("to", "Where to", takes="location", needed=True)
WAY = Figure("takes", "Time of the way", takes="span", default=HOUR)


class GoTo(Activity[Any]):
    """Going to another location takes a time, and then one is there."""

    name = "go to"
    label = "go to"
    arguments: tuple[Figure, ...] = (TO, WAY)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(WAY))

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(TO.name):
            raise UserError("say where to go")

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Any]]:
        way = int(case.argument(WAY))
        yield from Tell(Happened(case.name, f"arrives at {case.argument(TO)}{f' after {write_span(way)}' if way else ''}"))
        return Change(case.life, location=str(case.argument(TO)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"arrives at {effect.about}"


@cached(64)
def general_activities(game: DowntimeRules[Any], tests: Any) -> tuple[Activity[Any], ...]:
    """The activities of every game, the same objects for the same game. `tests` is a `Tests`, or None for none."""
    return SomethingElse(game, tests), GoTo()
