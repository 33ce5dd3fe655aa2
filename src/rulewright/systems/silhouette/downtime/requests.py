"""Roll requests: Taking Average and Taking High, extended tasks, and what a rule leaves of a body."""

from collections.abc import Mapping
from typing import Any

from rulewright.build.sheet_parts import Test as SheetTest
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Take
from rulewright.highest_die.notation import parse
from rulewright.highest_die.requests import taken, written_modifier
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.silhouette.downtime.rules import DOWNTIME
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.resolution.tests import Pool, Side, gathered, take_average, take_high, time_to_take_high

TAKES = "sil-1.2.3-takes"


class SilhouetteRequests(RequestRules):
    """Skills may be taken as an average without hurry, or high with twenty times the time."""

    gathers = "points of margin"
    extended_rule = "sil-1.2.4-accumulated-successes"
    rules = ("sil-1.2.4-action-test", "sil-1.2.3-fumble")

    def takes(self, rules: Ruleset, test: SheetTest, modifier: int, target: str, seconds: int) -> tuple[Take, ...]:
        level, _ = written_modifier(test.notation)
        if test.rule != "sil-1.2.4-skill-test" or level < 1:
            return ()
        complexity = 1 + sum(part.value for part in test.parts if part.label.startswith("Complexity"))
        average = take_average(rules, level, complexity=max(1, complexity)).value
        high = take_high(rules, level, complexity=max(1, complexity)).value
        return (
            taken("Taking Average", average, target, seconds, TAKES),
            taken("Taking High", high, target, round(time_to_take_high(seconds)), TAKES),
        )

    def gain(self, rules: Ruleset, outcome: Any, success: bool) -> int:
        return gathered(rules, 0, outcome.margin) if hasattr(outcome, "margin") else 0

    def body_after(self, rules: Ruleset, outcome: Any) -> Mapping[str, Lasts] | None:
        return DOWNTIME.lasting(Survivor().with_body(outcome)) if isinstance(outcome, Patient) else None

    def argument(self, rules: Ruleset, character: Any, wanted: Any, notation: str) -> Any:
        if not notation:
            return None
        pool = parse(notation, Pool).pool
        return pool if wanted is Pool else Side(pool) if wanted is Side else None


REQUESTS = SilhouetteRequests()
