"""People who can be called on between scenes, and how calls strain them for a week (book lines 929-1513)."""

from collections.abc import Mapping

from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import HOUR, WEEK
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Change, Figure
from rulewright.errors import UserError
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import Now, Patient, Recovers, hindering, person_of
from rulewright.systems.ore.people.advantages import CALLS, PART_LIMIT, TWO_PARTS, call_with, gift, parts_of
from rulewright.systems.ore.people.characters import Owned
from rulewright.systems.ore.people.pools import advantage_pool

RULE = "ore-2.17-two-part-advantage-test"
POUNDS, OWED = "Pounds", "Pounds owed"
STRAIN = "strained"
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=HOUR)
WHOM = (
    *("allies", "benefactor", "contacts", "eminence", "guardian"),
    *("influence", "mentor", "rank", "staff"),
)
MONEY = ("no money", "a gift", "a loan")


class Strained(Begun[Patient]):
    """An advantage that was asked too much: a die less on every call, until the week is over."""

    name = STRAIN
    label = "strain a tie"
    rules = (RULE,)
    arguments = (Figure("advantage", "Advantage", WHOM, rule=RULE),)

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        return OngoingEffect(self.name, self.about(given))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return WEEK

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        yield from Tell(Recovers(case.name, f"can call on {effect.about} without a penalty again", "good"))
        return Change(case.life)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} strained: a die less on every call"


class CallOnPeople(Activity[Patient]):
    """Calling on an advantage with two parts. A success is what was asked for, with Allies also money; a failure can strain the tie."""

    name = "call on people"
    label = "call on people"
    rules = (RULE, *[f"ore-{number}" for number in ("2.18-allies", "2.21-benefactor", "2.22-contacts", "2.23-eminence")])
    rules = (*rules, *[f"ore-{number}" for number in ("2.26-guardian", "2.29-influence", "2.32-mentor", "2.38-rank", "2.40-staff")])
    whom = Figure("advantage", "Advantage", WHOM, rule=RULE)
    which = Figure("which", "Which, if there are several", takes="text")
    difficulty = Figure("difficulty", "Difficulty of the request", low=1, high=PART_LIMIT, default=1, rule=RULE)
    money = Figure("money", "Money from Allies", MONEY, rule="ore-2.18-allies")
    arguments = (AIM, whom, which, difficulty, money, TIME)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if given[self.money.name] != MONEY[0] and given[self.whom.name] != "allies":
            raise UserError("only Allies give or lend money")

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        which = f" ({case.argument(self.which)})" if case.argument(self.which) else ""
        return "" if self.owned(rules, case) is not None else f"{case.name} has no {case.argument(self.whom)}{which}"

    def owned(self, rules: Ruleset, case: Now) -> Owned | None:
        """The advantage on the sheet, the one of the choice if it is said; with several the first."""
        whom, which = case.argument(self.whom), str(case.argument(self.which)).casefold()
        owned = [own for own in person_of(rules, case.life.sheet).advantages if own.name == whom]
        return next((own for own in owned if not which or own.choice.casefold() == which), None)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        own, difficulty = self.owned(rules, case), int(case.argument(self.difficulty))
        assert own is not None
        person, call = person_of(rules, case.life.sheet), CALLS.get(rules, own.name)
        pool = advantage_pool(rules, person, own, call.statistic, hindering(rules, case.life))
        _, second = parts_of(rules, own.name, own.rating, own.first, own.second)
        strained = any(run.about == own.name for run in case.running(STRAIN))
        called = yield from call_with(rules, pool, own.name, second, difficulty, strained=strained, by=case.name)
        request = TWO_PARTS[own.name].get(rules, str(difficulty)).request
        asked = f"calls on {own.name} for {effect.about} ({request or f'Difficulty {difficulty}'}): {called.outcome}"
        if not called.outcome.success:
            said = f"; {own.name} {'are' if own.name in ('allies', 'contacts') else 'is'} strained for a week" if called.strained else ""
            yield from Tell(Recovers(case.name, f"{asked}, in vain{said}", "bad"))
            return Change(case.life, runs=(OngoingEffect(STRAIN, own.name),) if called.strained else ())
        means = yield from self._paid(rules, case, difficulty, called.outcome.width, asked)
        return Change(case.life, means=means)

    def _paid(self, rules: Ruleset, case: Now, difficulty: int, width: int, asked: str) -> Play[tuple[tuple[str, int], ...]]:
        """What a success brings, in money."""
        money = case.argument(self.money)
        if money == MONEY[0]:
            yield from Tell(Recovers(case.name, f"{asked}, granted", "good"))
            return ()
        lent = money == MONEY[2]
        pounds = gift(rules, difficulty, width, loan=lent)
        yield from Tell(Recovers(case.name, f"{asked}, and gets {pounds.value} {POUNDS} as {money}", "good", (pounds.reason,)))
        return ((POUNDS, pounds.value), *(((OWED, pounds.value),) if lent else ()))
