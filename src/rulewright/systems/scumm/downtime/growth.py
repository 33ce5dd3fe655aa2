"""What people gain between scenes: experience, skills, attributes, Wealth Points; and tiring work (book lines 60-76, 262-295, 582-590)."""

from collections.abc import Mapping

from rulewright.campaign.activities.general import AIM, GoTo
from rulewright.campaign.calendar import DAY, HOUR, WEEK
from rulewright.campaign.downtime import Learnt, OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Figure
from rulewright.errors import UserError
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, nearest
from rulewright.systems.scumm.downtime.survivors import Survivor
from rulewright.systems.scumm.people.advancement import attribute_cost, experience_award, highest_level, improvement_cost
from rulewright.systems.scumm.people.characters import ATTRIBUTES, SKILLS

Now = Case[Survivor]
XP, WEALTH = "Experience Points", "Wealth Points"
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=HOUR)


class Award(Begun[Survivor]):
    """Experience Points at the end of a session; 0 stands for the average of the book."""

    name = "award"
    label = "award Experience Points"
    rules = ("scumm-xp-award",)
    arguments = (Figure("session", "What for", takes="text"), Figure("xp", "Experience Points (0: the average)", low=0, high=1000))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        xp = int(effect.data[1]) or experience_award(rules).value
        session = (("session", effect.about),) if effect.about else ()
        yield from Tell(Recovers(case.name, f"gains {xp} {XP}", "good"))
        return Change(case.life, learnt=(Learnt("award", (*session, ("xp", xp)), 0, f"gains {xp} {XP}"),))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.data[1] or 'the average'} {XP}"


class Learning(Activity[Survivor]):
    """Something that Experience Points buy, at the end of the time that the gamemaster asks for."""

    hours = 8

    def cost(self, rules: Ruleset, case: Now) -> int:
        """The Experience Points that it costs."""
        raise NotImplementedError

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        try:
            cost = self.cost(rules, case)
        except UserError as error:
            return str(error)
        return "" if case.amount(XP) >= cost else f"{cost} {XP} are needed, {case.amount(XP)} are left"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def bought(self, rules: Ruleset, case: Now, buy: str, what: str, to: int) -> Play[Change[Survivor]]:
        """The purchase for the log of experience."""
        words = f"reaches {what} {to:+}" if buy == "attribute" else f"reaches {what} {to}"
        yield from Tell(Recovers(case.name, f"{words} for {self.cost(rules, case)} {XP}", "good"))
        return Change(case.life, learnt=(Learnt("purchase", (("buy", buy), ("to", to), ("what", what)), 0, words),))


class LearnSkill(Learning):
    """The next level of a skill, or a new skill at level 1."""

    name = "learn a skill"
    label = "learn or improve a skill"
    rules = ("scumm-skill-improvement",)
    skill = Figure("skill", "Skill", takes="text", needed=True, rule="scumm-skill-list")
    arguments = (skill, TIME)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if given[self.skill.name] not in SKILLS(rules):
            skill = str(given[self.skill.name])
            raise UserError(f"there is no skill {skill[:40]!r}{nearest(skill, SKILLS(rules)) or '; write it as on the sheet'}")

    def cost(self, rules: Ruleset, case: Now) -> int:
        level = case.life.level(str(case.argument(self.skill)))
        if level >= highest_level(rules):
            raise UserError(f"level {level} is the highest that has a price")
        return improvement_cost(rules, level + 1, level).value

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        skill = str(case.argument(self.skill))
        return (yield from self.bought(rules, case, "skill", skill, case.life.level(skill) + 1))


class RaiseAttribute(Learning):
    """One point of an attribute."""

    name = "raise an attribute"
    label = "raise an attribute"
    rules = ("scumm-attribute-improvement",)
    attribute = Figure("attribute", "Attribute", ATTRIBUTES, rule="scumm-attributes")
    arguments = (attribute, TIME)

    def now(self, case: Now) -> int:
        """The attribute as it is."""
        life = case.life
        values = {"alertness": life.alertness, "body": life.strength, "intelligence": life.intelligence, "spirit": life.spirit}
        return values[str(case.argument(self.attribute))]

    def cost(self, rules: Ruleset, case: Now) -> int:
        return attribute_cost(rules, self.now(case) + 1, self.now(case)).value

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        return (yield from self.bought(rules, case, "attribute", str(case.argument(self.attribute)), self.now(case) + 1))


# --- Wealth Points and work ---------------------------------------------------------------------------------------------------


class Buy(Activity[Survivor]):
    """Buying something for Wealth Points. With a number it is stock, such as doses of a drug."""

    name = "buy"
    label = "buy something"
    rules = ("scumm-wealth",)
    cost = Figure("cost", "Wealth Points", low=0, high=10_000, default=1, rule="scumm-wealth")
    number = Figure("number", "Added to the stock", low=0, high=10_000)
    arguments = (AIM, cost, number, TIME)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        cost = int(case.argument(self.cost))
        return ((WEALTH, cost),) if cost else ()

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        number = int(case.argument(self.number))
        yield from Tell(Recovers(case.name, f"buys {f'{number} ' if number else ''}{effect.about}", "good"))
        return Change(case.life, means=((effect.about, number),) if number else ())


class Labour(Activity[Survivor]):
    """Hard work for a wage by the week, as the gamemaster sets it. Eight hours of it a day tire."""

    name = "work for a wage"
    label = "work for a wage"
    rules = ("scumm-fatigue", "scumm-wealth")
    exertion = "hard work"
    hours = 8
    wage = Figure("wage", "Wealth Points a week", low=0, high=1000, default=1, rule="scumm-wealth")
    arguments = (AIM, wage, Figure("weeks", "Weeks (0: until dropped)", low=0, high=1000))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return WEEK

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        worked, weeks = int((effect.data or (0,))[0]) + 1, int(case.argument(self.arguments[2]))
        wage = int(case.argument(self.wage))
        yield from Tell(Recovers(case.name, f"earns {wage} {WEALTH} ({effect.about})", "good"))
        goes_on = None if worked == weeks else OngoingEffect(effect.of, effect.about, 0, (worked,))
        return Change(case.life, goes_on, means=((WEALTH, wage),) if wage else ())


class March(GoTo):
    """Walking to another location, which tires like a day of walking."""

    name = "march"
    label = "walk to"
    rules = ("scumm-fatigue",)
    exertion = "walking"
    arguments = (GoTo.arguments[0], Figure("takes", "Time of the way", takes="span", default=DAY))
