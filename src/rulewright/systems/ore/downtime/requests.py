"""Roll requests: Extra Time, Auto Complete, people who work together or against each other, projects, and bodies after a rule."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.build.sheet_parts import Test
from rulewright.campaign.requests.rules import GroupTest, RequestRules
from rulewright.campaign.roll_request import Take
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.ore.downtime.patients import Patient
from rulewright.systems.ore.downtime.rules import DOWNTIME
from rulewright.systems.ore.harm.body import Abstract, Located, Vital
from rulewright.systems.ore.people.characters import Character
from rulewright.systems.ore.resolution.notation import parse, with_modifier
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Pool, extra_time, time_taken, without_a_roll

TOGETHER, RACE, CONTEST = "together", "race", "contest"
_HOUR = 3_600


class OreRequests(RequestRules):
    """More time gives dice; with Auto Complete it gives a certain result. People join their dice or compete in one test."""

    groups = (
        GroupTest(TOGETHER, "everybody helps with one test", "ore-1.15-cooperative"),
        GroupTest(RACE, "the widest set wins", "ore-1.14-competitive"),
        GroupTest(CONTEST, "the highest set wins", "ore-1.14-competitive"),
    )
    gathers = "points of Width"
    extended_rule = "ore-1.18-projects"
    rules = ("ore-1.02-sets-width-height", "ore-1.09-penalty")

    def takes(self, rules: Ruleset, test: Test, modifier: int, target: str, seconds: int) -> tuple[Take, ...]:
        offered = []
        for doublings in (1, 2):
            more = extra_time(doublings)
            notation = with_modifier(test.notation, modifier + more.dice, target)
            rolled = Take(more.label, f"{more.dice:+}d", time_taken(seconds, doublings), "ore-1.11-extra-time", notation)
            offered.append(rolled)
        side = parse(with_modifier(test.notation, modifier, target)).sides[0]
        done = without_a_roll(rules, _skill_in(test), side.difficulty, "hours")
        if done is not None:
            words = f"{done.outcome.width}x{done.outcome.height} in {count(done.time, done.unit.removesuffix('s'))}"
            rank, gain = 10 * done.outcome.width + done.outcome.height, done.outcome.width
            offered.append(Take("Auto Complete", words, done.time * _HOUR, "ore-1.12-opt-auto-complete", "", "success", rank, gain))
        return tuple(offered)

    def together(self, rules: Ruleset, group: str, notations: Sequence[str], target: str) -> str:
        joint = {TOGETHER: " with ", RACE: " race ", CONTEST: " contest "}[group]
        return joint.join(with_modifier(notation, 0, target) for notation in notations)

    def gain(self, rules: Ruleset, outcome: Any, success: bool) -> int:
        return outcome.width if isinstance(outcome, Outcome) else int(success)

    def body_after(self, rules: Ruleset, outcome: Any) -> Mapping[str, Lasts] | None:
        return DOWNTIME.lasting(Patient().with_body(outcome)) if isinstance(outcome, Located | Vital | Abstract) else None

    def argument(self, rules: Ruleset, character: Any, wanted: Any, notation: str) -> Any:
        if wanted is Pool and notation:
            return parse(notation).sides[0].pool
        if wanted in (Located, Vital, Abstract) and isinstance(character, Character):
            body = Patient.of(rules, character).body
            return body if isinstance(body, wanted) else None
        return None


def _skill_in(test: Test) -> int:
    """The rating of the skill in a test of a sheet: the last number of its parts, such as `Psyche 4, medicine 3`; 0 without a skill."""
    skill = re.search(r", \D+ (\d+)$", test.parts[0].label) if test.parts else None
    return int(skill[1]) if skill is not None else 0


REQUESTS = OreRequests()
