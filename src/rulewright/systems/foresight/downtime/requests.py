"""Roll requests: time by quality rating, another try with the penalty of running out of ideas, and bodies after a rule."""

from collections.abc import Mapping
from typing import Any

from rulewright.campaign.requests.rules import Again, RequestRules
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.foresight.downtime.rules import DOWNTIME
from rulewright.systems.foresight.downtime.survivors import Survivor
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.resolution.notation import parse
from rulewright.systems.foresight.resolution.tests import Quality, Task, duration

WORSE_EACH = 1
"""The penalty of every further attempt, as the rule of repeated attempts has it by default."""


class ForeSightRequests(RequestRules):
    """How long a task takes depends on its quality; every further attempt is harder."""

    rules = ("fs-success-chance", "fs-quality-rating", "fs-ease-factor-ladder", "fs-yield-time-pm")

    def again(self, rules: Ruleset, tries: int) -> Again:
        return Again("another attempt, for running out of ideas", -WORSE_EACH * tries, 1, "fs-retries")

    def seconds(self, rules: Ruleset, outcome: Any, estimate: int) -> int:
        return round(duration(rules, outcome.qr, estimate).value) if isinstance(outcome, Quality) else estimate

    def body_after(self, rules: Ruleset, outcome: Any) -> Mapping[str, Lasts] | None:
        return DOWNTIME.lasting(Survivor().with_body(outcome)) if isinstance(outcome, Patient) else None

    def argument(self, rules: Ruleset, character: Any, wanted: Any, notation: str) -> Any:
        return parse(notation).task if wanted is Task and notation else None


REQUESTS = ForeSightRequests()
