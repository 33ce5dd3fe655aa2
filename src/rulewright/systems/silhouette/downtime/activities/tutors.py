"""Lessons from a tutor: months of 150 hours, a fee, a camp, and the tutor's test at the end (book lines 1750-1769)."""

from collections.abc import Mapping
from math import ceil

from rulewright.campaign.calendar import HOUR, MONTH, WEEK
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure, again
from rulewright.errors import UserError
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.activities.awards import CREDITS, XP
from rulewright.systems.silhouette.downtime.activities.growth import SKILL, WHAT, bought, next_step, refuse_unknown, unpractised
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.people.experience import camp_months, camp_test, can_teach, tutor_fee, tutor_months, tutor_rebate
from rulewright.systems.silhouette.resolution.tests import succeeds

Now = Case[Survivor]
RULE = "sil-2.5.3-tutors"
TEACHING = "teaching"
LEARNING_MONTH = 150 * HOUR
TUTOR = Figure("tutor", "Tutor who is here (nobody: a hired one)", takes="person", rule=RULE)
LEVEL = Figure("level", "Skill of a hired tutor", low=1, high=10, default=3, rule=RULE)
TEACHES = Figure("teaching", "Teaching of a hired tutor", low=0, high=10, default=1, rule=RULE)
DEPTH = Figure("complexity", "Complexity in Teaching", low=1, high=5, default=1, rule=RULE)
CREATIVITY = Figure("creativity", "Creativity of a hired tutor", low=-5, high=5, rule=RULE)
FEE = Figure("fee", "Fee", ("the book's", "none"), rule=RULE)
HOW = Figure("how", "How", ("lessons", "camp"), rule=RULE)


class Lessons(Activity[Survivor]):
    """A course that makes the next step of a skill cheaper; a camp is quicker, and tests the nerves every month.

    A camp's data are the months so far.
    """

    name = "take lessons"
    label = "learn from a tutor"
    rules = (RULE,)
    arguments = (SKILL, WHAT, TUTOR, LEVEL, TEACHES, DEPTH, CREATIVITY, FEE, HOW)
    hours = 8

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        refuse_unknown(rules, given)

    def tutor(self, rules: Ruleset, case: Now) -> tuple[int, int, int, int, str]:
        """Level, Teaching, Complexity in Teaching, Creativity and name of the tutor."""
        partner = case.partner(TUTOR)
        if partner is None:
            numbers = (int(case.argument(figure)) for figure in (LEVEL, TEACHES, DEPTH, CREATIVITY))
            level, teaching, depth, creativity = numbers
            return level, teaching, depth, creativity, "a hired tutor"
        skill, known = next_step(rules, case)[0], partner.life.learning
        return known.level(skill), known.level(TEACHING), known.depth(TEACHING), partner.life.attribute("creativity"), partner.name

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        if case.argument(TUTOR) and case.partner(TUTOR) is None:
            return f"{case.argument(TUTOR)} is not here"
        try:
            skill, _, to, price = next_step(rules, case)
            lacking = unpractised(rules, case)
        except UserError as error:
            return str(error)
        level, _, _, _, tutor = self.tutor(rules, case)
        if not can_teach(level, case.life.learning.level(skill)):
            return f"{tutor} knows no more of {skill}"
        least = min(price, to)
        return lacking or ("" if case.amount(XP) >= least else f"{least} {XP} at least are needed, {case.amount(XP)} are left")

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        if case.argument(TUTOR) or case.argument(FEE) == "none":
            return ()
        return ((CREDITS, tutor_fee(rules, int(case.argument(LEVEL)), self._taught(rules, case)).value),)

    def _taught(self, rules: Ruleset, case: Now) -> int:
        try:
            return next_step(rules, case)[2]
        except UserError:
            return 1

    def months(self, rules: Ruleset, case: Now) -> float:
        """Months of the course: of 150 hours, or of the calendar in a camp."""
        _, teaching, depth, _, _ = self.tutor(rules, case)
        months = tutor_months(next_step(rules, case)[3], teaching, case.life.learning.months).value
        return camp_months(months, depth).value if case.argument(HOW) == "camp" else months

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        try:
            months = self.months(rules, case)
        except UserError:
            return WEEK  # nothing can be learnt, and the obstacle says why
        if case.argument(HOW) != "camp":
            return case.worked(round(months * LEARNING_MONTH))
        left = months - (int(effect.data[0]) if effect.data else 0)
        return round(min(1.0, left) * MONTH)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        skill, what, to, price = next_step(rules, case)
        level, teaching, _, creativity, tutor = self.tutor(rules, case)
        if case.argument(HOW) == "camp":
            so_far = (int(effect.data[0]) if effect.data else 0) + 1
            will = max(case.life.attribute("willpower"), case.life.attribute("psyche"))
            test = yield from camp_test(rules, will, to, case.name)
            if not succeeds(rules, test):
                yield from Tell(Recovers(case.name, "has a nervous breakdown in the camp and gives up", "bad"))
                return Change(case.life, stops=f"{case.name} has a nervous breakdown")
            if so_far < ceil(self.months(rules, case)):
                return Change(case.life, again(effect, so_far))
        taught = yield from tutor_rebate(rules, price, to, teaching, level, creativity, case.life.learning.bonus, tutor)
        if case.amount(XP) < taught.cost:
            poor = f"has finished the course, but lacks {taught.cost - case.amount(XP)} of {taught.cost} {XP}"
            yield from Tell(Recovers(case.name, poor, "bad"))
            return Change(case.life)
        buy = "skill" if what == "level" else "complexity"
        return (yield from bought(case, buy, skill, to, taught.cost, xp=taught.cost, tutor=tutor))
