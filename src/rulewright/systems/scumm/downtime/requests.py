"""Roll requests: Taking Average and Taking High, extended tasks, and what a rule leaves of a body."""

from collections.abc import Mapping
from typing import Any

from rulewright.build.sheet_parts import Test as SheetTest
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Take
from rulewright.highest_die.notation import parse
from rulewright.highest_die.requests import TIMES_HIGH, taken, written_modifier
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.scumm.downtime.rules import DOWNTIME
from rulewright.systems.scumm.downtime.survivors import Survivor
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.resolution.tests import Pool, gathered, take_average, take_high


class ScummRequests(RequestRules):
    """Skills may be taken as an average without hurry, or high with twenty times the time."""

    gathers = "points of margin"
    extended_rule = "scumm-accumulated-successes"
    rules = ("scumm-dice-roll", "scumm-margins", "scumm-fumble")

    def takes(self, rules: Ruleset, test: SheetTest, modifier: int, target: str, seconds: int) -> tuple[Take, ...]:
        level, own = written_modifier(test.notation)
        if test.rule != "scumm-skill-test" or level < 1:
            return ()
        average, high = take_average(level, own + modifier).value, take_high(level, own + modifier).value
        return (
            taken("Taking Average", average, target, seconds, "scumm-taking-average"),
            taken("Taking High", high, target, TIMES_HIGH * seconds, "scumm-taking-high"),
        )

    def gain(self, rules: Ruleset, outcome: Any, success: bool) -> int:
        return gathered(rules, 0, outcome.margin) if hasattr(outcome, "margin") else 0

    def body_after(self, rules: Ruleset, outcome: Any) -> Mapping[str, Lasts] | None:
        return DOWNTIME.lasting(Survivor().with_body(outcome)) if isinstance(outcome, Patient) else None

    def argument(self, rules: Ruleset, character: Any, wanted: Any, notation: str) -> Any:
        return parse(notation, Pool).pool if wanted is Pool and notation else None


REQUESTS = ScummRequests()
