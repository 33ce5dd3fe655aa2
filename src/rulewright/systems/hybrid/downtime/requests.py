"""Roll requests: what a rule leaves of a body, and checks of the sheet as arguments of rules."""

from collections.abc import Mapping
from typing import Any

from rulewright.campaign.requests.rules import RequestRules
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.hybrid.combat.notation import parse
from rulewright.systems.hybrid.downtime.convalescents import Convalescent
from rulewright.systems.hybrid.downtime.rules import DOWNTIME
from rulewright.systems.hybrid.harm.damage import Body
from rulewright.systems.hybrid.resolution.tests import Check


class HybridRequests(RequestRules):
    """Checks with ten degrees. The book lets nobody take a result instead of rolling."""

    rules = ("hyb-1-skill-check", "hyb-2-difficulty-factor", "hyb-2-degrees")

    def body_after(self, rules: Ruleset, outcome: Any) -> Mapping[str, Lasts] | None:
        return DOWNTIME.lasting(Convalescent().with_body(outcome)) if isinstance(outcome, Body) else None

    def argument(self, rules: Ruleset, character: Any, wanted: Any, notation: str) -> Any:
        check = parse(notation).check if notation and wanted is Check else None
        return check if isinstance(check, Check) else None


REQUESTS = HybridRequests()
