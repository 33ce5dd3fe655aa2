"""Work between scenes: long tasks, and finding the time instead of a roll (book lines 760-800)."""

from collections.abc import Mapping

from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import HOUR
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure
from rulewright.errors import UserError
from rulewright.highest_die import long_task
from rulewright.highest_die.downtime import Recovers
from rulewright.highest_die.notation import parse
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.activities.growth import SKILL, refuse_unknown
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.people.characters import known
from rulewright.systems.silhouette.resolution.tests import (
    Mod,
    Pool,
    Test,
    action_test,
    gathered,
    passes,
    take_average,
    take_high,
    time_to_take_high,
)

Now = Case[Survivor]
TEST = Figure("test", "Test", takes="test", needed=True, rule="sil-1.2.4-skill-test")
THRESHOLD = Figure("threshold", "Threshold", low=1, high=30, default=4, rule="sil-1.2.4-thresholds")
TIME = Figure("time", "Usual time", takes="span", default=HOUR, needed=True)
HOW = Figure("how", "How", ("average", "high"), rule="sil-1.2.3-takes")


def pool_of(case: Now, modifier: int = 0) -> Pool:
    """The dice of the test that an activity uses, as the body is now."""
    written = parse(case.tests[0].notation, Pool).pool
    assert isinstance(written, Pool)
    return written.plus(Mod("action penalty", case.life.body.acting_penalty, "sil-3.5.2-action-penalties"), Mod("situation", modifier))


class LongTask(long_task.LongTask[Survivor]):
    """An extended task: Margins of Success add up until they reach the total."""

    def __init__(self) -> None:
        super().__init__("sil-1.2.4-accumulated-successes", TEST, THRESHOLD)

    def tested(self, rules: Ruleset, case: Now, modifier: int, threshold: int, what: str) -> Play[Test]:
        return (yield from action_test(rules, pool_of(case, modifier), threshold, case.name, what))

    def gathered(self, rules: Ruleset, so_far: int, margin: int) -> int:
        return gathered(rules, so_far, margin)

    def passes(self, rules: Ruleset, total: int, threshold: int) -> bool:
        return passes(rules, total, threshold)


class TakeTime(Activity[Survivor]):
    """Taking Average in the usual time, or Taking High in twenty times it: a certain result to which nothing is added."""

    name = "take time"
    label = "take time instead of a roll"
    rules = ("sil-1.2.3-takes",)
    arguments = (AIM, SKILL, HOW, TIME, THRESHOLD)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        refuse_unknown(rules, given)

    def level(self, rules: Ruleset, case: Now) -> int:
        """The level of the skill."""
        return case.life.learning.level(known(rules, str(case.argument(SKILL))))

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        skilled = self.level(rules, case) > 0
        return "" if skilled else f"{case.name} does not know {case.argument(SKILL)}, and an unskilled test is always rolled"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        usual = int(case.argument(TIME))
        return case.worked(usual if case.argument(HOW) == "average" else round(time_to_take_high(usual)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        depth = case.life.learning.depth(known(rules, str(case.argument(SKILL))))
        take = take_average if case.argument(HOW) == "average" else take_high
        try:
            taken = take(rules, self.level(rules, case), complexity=depth)
        except UserError as error:
            yield from Tell(Recovers(case.name, f"cannot take {case.argument(HOW)} for {effect.about}: {error}", "bad"))
            return Change(case.life)
        threshold = int(case.argument(THRESHOLD))
        passed = passes(rules, taken.value, threshold)
        said = f"takes {case.argument(HOW)} for {effect.about}: {taken.value} against {threshold}, {'success' if passed else 'failure'}"
        yield from Tell(Recovers(case.name, said, "good" if passed else "bad", (taken.reason,)))
        return Change(case.life)
