"""Ties between scenes: incomes, friends and reputations of the sheet (book lines 1597-1645, 2439-2480)."""

from rulewright.campaign.calendar import HOUR, MONTH
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure, again
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.hybrid.downtime.convalescents import Convalescent, Recovers
from rulewright.systems.hybrid.people.characters import Tie
from rulewright.systems.hybrid.people.ties import aid, friends, income, reputation, upkeep
from rulewright.systems.hybrid.resolution.tests import MOST, Check, skill_check

Now = Case[Convalescent]
WEALTH = "wealth points"
TENTHS = 10


def tie_of(ties: tuple[Tie, ...], name: str) -> Tie | None:
    """A tie of a sheet by name; the first one without a name."""
    return next((tie for tie in ties if not name or tie.name.casefold() == name.casefold()), None)


class OfASheet(Activity[Convalescent]):
    """Something that rests on a tie of the sheet."""

    kind = ""

    def ties(self, case: Now) -> tuple[Tie, ...]:
        """The ties of the sheet of this kind."""
        raise NotImplementedError

    def tie(self, case: Now) -> Tie | None:
        """The tie that an argument names."""
        return tie_of(self.ties(case), str(case.argument(self.arguments[0])))

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        if self.tie(case) is not None:
            return ""
        named = str(case.argument(self.arguments[0]))
        return f"the sheet of {case.name} has no {self.kind}{f' {named}' if named else ''}"


class LookAfterIncome(OfASheet):
    """An income brings its wealth points again and again, as long as its owner looks after it; below its freedom it takes a roll.

    Its data are the tenths of a point that are left over, and the times so far.
    """

    name = "look after an income"
    label = "look after an income"
    rules = ("hyb-9-environmental-uses", "hyb-9-environmental")
    hours = 1
    kind = "income"
    every = Figure("every", "How often it pays (the book prints no time)", takes="span", default=MONTH, needed=True)
    managing = Figure("managing", "Difficulty Factor of managing it (0: no roll)", low=0, high=MOST, rule="hyb-9-environmental-uses")
    arguments = (Figure("income", "Income of the sheet (empty: the first)", takes="text", rule="hyb-9-environmental-uses"), every, managing)

    def ties(self, case: Now) -> tuple[Tie, ...]:
        return case.life.character.incomes

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(self.every))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        tie, managing = self.tie(case), int(case.argument(self.managing))
        left, times = (int(figure) for figure in effect.data or (0, 0))
        assert tie is not None
        if managing:
            check = Check(managing).plus(upkeep(rules, tie.depth).value)
            degree = yield from skill_check(rules, check, case.name, f"managing {tie.name}")
            if not degree.success:
                yield from Tell(Happened(case.name, f"{tie.name} brings nothing this time", "bad"))
                return Change(case.life, again(effect, left, times + 1))
        brought: Derived[float] = income(rules, tie.people, tie.depth)
        points, left = divmod(left + round(brought.value * TENTHS), TENTHS)
        yield from Tell(Recovers(case.name, f"{tie.name} brings {points} {WEALTH}", "good", (brought.reason,)))
        return Change(case.life, again(effect, left, times + 1), means=((WEALTH, points),) if points else ())


class AskFriends(OfASheet):
    """Asking friends for help: a check that their depth makes easier; its share of the chance is told."""

    name = "ask for help"
    label = "ask friends for help"
    rules = ("hyb-9-environmental", "hyb-9-environmental-uses")
    kind = "friends"
    base = Figure("difficulty", "Difficulty Factor without the tie", low=-MOST, high=MOST, rule="hyb-9-environmental")
    what = Figure("what", "What for", takes="text")
    time = Figure("time", "Time it takes", takes="span", default=HOUR)
    arguments = (Figure("friends", "Friends of the sheet (empty: the first)", takes="text", rule="hyb-9-environmental"), base, what, time)

    def ties(self, case: Now) -> tuple[Tie, ...]:
        return case.life.character.friends

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(self.time))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        tie = self.tie(case)
        assert tie is not None
        check = Check(int(case.argument(self.base))).plus(friends(rules, tie.people, tie.depth).value)
        degree = yield from skill_check(rules, check, tie.name, "helping")
        more = aid(rules, tie.depth)
        words = f"{'gets' if degree.success else 'gets no'} help from {tie.name} (+{more.value} % by depth)"
        yield from Tell(Recovers(case.name, words, "good" if degree.success else "bad", (more.reason,)))
        return Change(case.life)


class BeRecognized(OfASheet):
    """Whether somebody is recognized by a reputation, which its depth makes likelier."""

    name = "be recognized"
    label = "see whether a reputation is known"
    rules = ("hyb-9-environmental-uses",)
    kind = "reputation"
    hours = 0
    base = Figure("difficulty", "Difficulty Factor without the tie", low=-MOST, high=MOST, rule="hyb-9-environmental-uses")
    arguments = (Figure("reputation", "Reputation of the sheet (empty: the first)", takes="text", rule="hyb-9-environmental-uses"), base)

    def ties(self, case: Now) -> tuple[Tie, ...]:
        return case.life.character.reputation

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        tie = self.tie(case)
        assert tie is not None
        check = Check(int(case.argument(self.base))).plus(reputation(rules, tie.people, tie.depth).value)
        degree = yield from skill_check(rules, check, case.name, f"recognized: {tie.name}")
        yield from Tell(Happened(case.name, f"is {'' if degree.success else 'not '}recognized ({tie.name})"))
        return Change(case.life)
