"""Long tasks of the games of the highest die: tests of the sheet whose margins add up until they reach a total."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import DAY
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure, again
from rulewright.errors import UserError
from rulewright.highest_die.downtime import Living, Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset

S = TypeVar("S", bound=Living)
TOTAL = Figure("total", "Total margin needed", low=1, high=200, default=10)
UNIT = Figure("unit", "Time of a test", takes="span", default=DAY, needed=True)
MODIFIER = Figure("modifier", "Modifier", low=-20, high=20)


def worded(test: Any, passed: bool) -> str:
    """A test in words: 5 against 4, success by 1."""
    verdict = "draw" if test.margin == 0 else f"{'success' if passed else 'failure'} by {abs(test.margin)}"
    return f"{test.total} against {test.threshold}, {'fumble, ' if test.fumble else ''}{verdict}"


class LongTask(Activity[S]):
    """An extended task: Margins of Success add up until they reach the total. Its data are the margin so far and the tests made."""

    name = "long task"
    label = "work on a long task"
    hours = 8

    def __init__(self, rule: str, test: Figure, threshold: Figure) -> None:
        self.rules = (rule,)
        self.test = test
        self.threshold = threshold
        self.arguments = (AIM, test, threshold, MODIFIER, TOTAL, UNIT)

    def tested(self, rules: Ruleset, case: Case[S], modifier: int, threshold: int, what: str) -> Play[Any]:
        """The test at the end of a unit."""
        raise NotImplementedError

    def gathered(self, rules: Ruleset, so_far: int, margin: int) -> int:
        """The margin gathered with another test."""
        raise NotImplementedError

    def passes(self, rules: Ruleset, total: int, threshold: int) -> bool:
        """Whether a total passes a test."""
        raise NotImplementedError

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(self.test.name):
            raise UserError("say which test of the sheet it takes")

    def obstacle(self, rules: Ruleset, case: Case[S]) -> str:
        wanted = case.argument(self.test)
        return "" if case.tests or not wanted else f"{case.name} has no test {wanted}"

    def seconds(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(UNIT)))

    def come_due(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> Play[Change[S]]:
        so_far, made = cast(tuple[int, int], effect.data or (0, 0))
        modifier, threshold = int(case.argument(MODIFIER)), int(case.argument(self.threshold))
        test = yield from self.tested(rules, case, modifier, threshold, effect.about)
        now, total = self.gathered(rules, so_far, test.margin), int(case.argument(TOTAL))
        done = now >= total
        said = "is done" if done else f"{now} of {total}"
        verdict = worded(test, self.passes(rules, test.total, test.threshold))
        yield from Tell(Recovers(case.name, f"works on {effect.about}: {verdict}; {said}", "good" if now > so_far else "bad"))
        return Change(case.life, None if done else again(effect, now, made + 1))

    def words(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> str:
        return f"a test for {effect.about}, {(effect.data or (0,))[0]} of {case.argument(TOTAL)}"
