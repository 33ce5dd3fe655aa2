"""Learning between scenes: skills, Complexity, attributes, specializations and Emergency Dice for experience (book lines 1691-1750)."""

from collections.abc import Mapping
from typing import Literal, cast

from rulewright.campaign.calendar import WEEK
from rulewright.campaign.downtime import Learnt, OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.activities.awards import XP
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.people.characters import ATTRIBUTES, known
from rulewright.systems.silhouette.people.experience import (
    MOST_RAISES,
    attribute_improvement,
    complexity_cost,
    emergency_dice_cost,
    improvement_cost,
    practice_needed,
    specialization_experience,
)
from rulewright.systems.silhouette.people.skills import named

Now = Case[Survivor]
What = Literal["level", "Complexity"]
SKILL = Figure("skill", "Skill", takes="text", needed=True, rule="sil-2.5.2-skill-improvement")
WHAT = Figure("what", "What", ("level", "Complexity"), rule="sil-2.5.2-skill-improvement")
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=WEEK)


def refuse_unknown(rules: Ruleset, given: Mapping[str, Value]) -> None:
    """Raises an error for a skill that the book does not list."""
    if not str(given.get(SKILL.name, "")).strip():
        raise UserError("say which skill")
    named(rules, str(given[SKILL.name]))


def next_step(rules: Ruleset, case: Now) -> tuple[str, What, int, int]:
    """The skill that a case is about, what rises, to what, and the price; an error if nothing can be bought."""
    skill, what = known(rules, str(case.argument(SKILL))), cast(What, case.argument(WHAT))
    learning = case.life.learning
    if what == "level":
        to = learning.level(skill) + 1
        return skill, what, to, improvement_cost(rules, to, to - 1).value
    if not learning.level(skill):
        raise UserError(f"{case.name} does not know {skill}")
    to = learning.depth(skill) + 1
    return skill, what, to, complexity_cost(rules, to, to - 1).value


def unpractised(rules: Ruleset, case: Now) -> str:
    """Why a level cannot rise yet, where Emergency Dice must be spent on a skill first; empty if it can."""
    skill, what, to, _ = next_step(rules, case)
    needed = practice_needed(rules, to) if what == "level" and to > 1 else 0
    used = dict(case.life.learning.practice).get(skill, 0)
    return f"{skill} {to}: {needed} Emergency Dice must be spent on it first, {used} are" if used < needed else ""


def bought(case: Now, buy: str, what: str, to: int, price: int, **more: Value) -> Play[Change[Survivor]]:
    """A purchase for the log of experience, told."""
    reached = {"skill": f"{what} {to}", "complexity": f"{what} Complexity {to}", "attribute": f"{what} {to:+}"}
    words = f"reaches {reached[buy]}" if buy in reached else f"gains {more.get('name') or count(to, 'Emergency Die', 'Emergency Dice')}"
    yield from Tell(Recovers(case.name, f"{words} for {price} {XP}", "good"))
    fields = {"buy": buy, "what": what, "to": to, **more}
    return Change(case.life, learnt=(Learnt("purchase", tuple(sorted(fields.items())), 0, words),))


class Learning(Activity[Survivor]):
    """Something that Experience Points buy, at the end of the time that the gamemaster asks for."""

    hours = 8

    def cost(self, rules: Ruleset, case: Now) -> int:
        """The Experience Points that it costs."""
        raise NotImplementedError

    def missing(self, rules: Ruleset, case: Now) -> str:
        """What else is missing; empty if nothing is."""
        return ""

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        try:
            cost, missing = self.cost(rules, case), self.missing(rules, case)
        except UserError as error:
            return str(error)
        return missing or ("" if case.amount(XP) >= cost else f"{cost} {XP} are needed, {case.amount(XP)} are left")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))


class LearnSkill(Learning):
    """The next level of a skill, its next Complexity, or a new skill at level 1."""

    name = "learn a skill"
    label = "learn or improve a skill"
    rules = ("sil-2.5.2-skill-improvement", "sil-2.5.2-ed-prerequisite")
    arguments = (SKILL, WHAT, TIME)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        refuse_unknown(rules, given)

    def cost(self, rules: Ruleset, case: Now) -> int:
        return next_step(rules, case)[3]

    def missing(self, rules: Ruleset, case: Now) -> str:
        return unpractised(rules, case)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        skill, what, to, price = next_step(rules, case)
        return (yield from bought(case, "skill" if what == "level" else "complexity", skill, to, price))


class RaiseAttribute(Learning):
    """One point of an attribute, at most three times each."""

    name = "raise an attribute"
    label = "raise an attribute"
    rules = ("sil-2.5.2-attribute-improvement",)
    attribute = Figure("attribute", "Attribute", ATTRIBUTES, rule="sil-2.5.2-attribute-improvement")
    arguments = (attribute, TIME)

    def cost(self, rules: Ruleset, case: Now) -> int:
        return attribute_improvement(rules).value

    def missing(self, rules: Ruleset, case: Now) -> str:
        name = str(case.argument(self.attribute))
        raised = dict(case.life.learning.raises).get(name, 0)
        if name not in dict(case.life.learning.attributes):
            return f"this campaign has no attribute {name}"
        return f"{name} has already been raised {MOST_RAISES} times" if raised >= MOST_RAISES else ""

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        name = str(case.argument(self.attribute))
        to = dict(case.life.learning.attributes)[name] + 1
        return (yield from bought(case, "attribute", name, to, self.cost(rules, case)))


class Specialize(Learning):
    """A specialization of a known skill."""

    name = "specialize"
    label = "learn a specialization"
    rules = ("sil-2.2.3-specialization",)
    arguments = (SKILL, Figure("name", "Specialization", takes="text", needed=True, rule="sil-2.2.3-specialization"), TIME)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        refuse_unknown(rules, given)
        if not str(given.get("name", "")).strip():
            raise UserError("say which specialization")

    def cost(self, rules: Ruleset, case: Now) -> int:
        return specialization_experience(rules).value

    def missing(self, rules: Ruleset, case: Now) -> str:
        skill = known(rules, str(case.argument(SKILL)))
        return "" if case.life.learning.level(skill) else f"{case.name} does not know {skill}"

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        skill, name = known(rules, str(case.argument(SKILL))), str(case.argument(self.arguments[1])).strip()
        return (yield from bought(case, "specialization", skill, 0, self.cost(rules, case), name=name))


class SaveDice(Learning):
    """Emergency Dice for experience, in no time. About half of all experience is well kept so."""

    name = "keep emergency dice"
    label = "turn experience into Emergency Dice"
    rules = ("sil-2.5.2-emergency-dice", "sil-2.5.2-progress-advice")
    hours = 0
    arguments = (Figure("dice", "Emergency Dice", low=1, high=100, default=1, rule="sil-2.5.2-emergency-dice"),)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def cost(self, rules: Ruleset, case: Now) -> int:
        return emergency_dice_cost(rules, int(case.argument(self.arguments[0]))).value

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        return (yield from bought(case, "emergency dice", "", int(case.argument(self.arguments[0])), self.cost(rules, case)))
