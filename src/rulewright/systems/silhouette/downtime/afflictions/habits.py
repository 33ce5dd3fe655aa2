"""Habits between scenes: becoming dependent or addicted, temptation, days without the drug (book lines 5593-5658)."""

from collections.abc import Mapping
from typing import Literal, cast

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, WEEK, YEAR
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, EffectKind, Figure, again
from rulewright.errors import UserError
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.afflictions.drugs import ABSTINENCE, DRUG, taken
from rulewright.systems.silhouette.downtime.survivors import CLINIC, COUNSELLING, Survivor, nursing_of
from rulewright.systems.silhouette.hazards.addiction import (
    HABITS,
    clean_day,
    fall_into,
    fully_cured,
    interval,
    turn_down,
    uses_between_tests,
)
from rulewright.systems.silhouette.people.conditions import Habit

Now = Case[Survivor]
KEEP_USING, CRAVING = "keep using", "craving"
What = Literal["dependence", "addiction"]
WHATS: tuple[What, ...] = ("dependence", "addiction")
USE = Figure("use", "Use", ("continual", "occasional"), rule="sil-6.2.3-becoming-addicted")
USES = Figure("uses", "Doses a week, for drugs that count doses", low=1, high=70, default=7, rule="sil-6.2.3-becoming-addicted")
SOON = Figure("interval", "Interval of the table", ("shortest", "longest"), rule="sil-6.2.3-becoming-addicted")
STATE = Figure("habit", "Habit", ("both", *WHATS), rule="sil-6.2.3-sample-addictions")


def with_habit(life: Survivor, habit: Habit) -> Survivor:
    """The person with a habit changed, and the penalty of its withdrawal."""
    before = life.taken.habit(habit.drug).bout.penalty
    return replace(life.penalized(before, habit.bout.penalty), taken=life.taken.with_habit(habit))


class Hooked(Begun[Survivor]):
    """The gamemaster makes somebody dependent or addicted."""

    name = "habit"
    label = "make dependent or addicted"
    rules = ("sil-6.2.3-sample-addictions",)
    arguments = (DRUG, STATE)

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        HABITS.get(rules, str(given[DRUG.name]))
        return super().begun(rules, given)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        drug, state = str(effect.data[0]), effect.data[1]
        known = case.life.taken.habit(drug)
        habit = replace(known, dependent=known.dependent or state != "addiction", addicted=known.addicted or state != "dependence")
        yield from Tell(Recovers(case.name, f"has a habit: {drug}", "bad"))
        return Change(with_habit(case.life, habit))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"a habit begins: {effect.about}"


class Withdrawal(EffectKind[Survivor]):
    """An addiction: every day without the drug is a test or a day of its bout. People who keep using have none."""

    name = "withdrawal"
    rules = ("sil-6.2.3-addiction", "sil-6.2.3-assisted-withdrawal", "sil-6.2.3-withdrawal-symptoms")
    ailment = True
    company = True
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        habits = case.life.taken.habits if not case.life.body.dead else ()
        return tuple(habit.drug for habit in habits if habit.addicted or habit.bout.days)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if (KEEP_USING, effect.about) in case.doing else DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        before = case.life.taken.habit(effect.about)
        day = yield from clean_day(rules, case.life.body, before, int(case.figure(CLINIC)), nursing_of(case))
        life = with_habit(case.life, day.habit)
        if day.dead:
            life = life.with_body(replace(life.body, dead=True, trauma=None))
        elif before.addicted and not day.habit.addicted:
            yield from Tell(Recovers(case.name, f"is no longer addicted to {effect.about}", "good"))
        elif day.habit.bout != before.bout:
            yield from Tell(Recovers(case.name, f"{_felt(day.habit)} ({effect.about})", "bad" if day.habit.bout.days else "good"))
        return Change(life, again(effect))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        habit = case.life.taken.habit(effect.about)
        if habit.bout.days:
            return f"withdrawal from {effect.about}: {_felt(habit)}"
        needed = HABITS.get(rules, effect.about).addiction
        return f"day {habit.clean_days + 1} without {effect.about}, {needed} in a row end the addiction"


def _felt(habit: Habit) -> str:
    """What withdrawal feels like: the nature of its symptoms follows from the drug, their strength from the bout."""
    if habit.bout.danger:
        return "has fevers and convulsions, in danger of death"
    if habit.bout.incapacity:
        return "is helpless with cramps and pain"
    return f"has the shakes ({habit.bout.penalty})" if habit.bout.penalty else "is over the worst of it"


class Abstinence(EffectKind[Survivor]):
    """A dependence ends with a year without the drug (ruling: the gamemaster agrees). A cured craving does not come back by itself."""

    name = ABSTINENCE
    rules = ("sil-6.2.3-dependence",)
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return tuple(habit.drug for habit in case.life.taken.habits if habit.dependent) if not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if (KEEP_USING, effect.about) in case.doing else YEAR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        habit = case.life.taken.habit(effect.about)
        if not fully_cured(effect.spent // DAY):
            return Change(case.life, again(effect))
        yield from Tell(Recovers(case.name, f"is free of {effect.about}", "good"))
        return Change(with_habit(case.life, replace(habit, dependent=False, refusals=0, steadied=False)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"free of the craving for {effect.about}"


EVERY = Figure("every", "Again every (nothing: once)", takes="span")


class Temptation(Begun[Survivor]):
    """A drug is offered: who depends on it tests Willpower, and may give in or suffer. It can be offered again and again."""

    name = "temptation"
    label = "offer a drug"
    rules = ("sil-6.2.3-dependence", "sil-6.2.3-assisted-withdrawal")
    arguments = (DRUG, EVERY)

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        HABITS.get(rules, str(given[DRUG.name]))
        return super().begun(rules, given)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        return int(effect.data[1]) if len(effect.data) > 2 else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        drug, every = str(effect.data[0]), int(effect.data[1])
        goes_on = again(effect, drug, every, 1) if every else None
        habit, body = case.life.taken.habit(drug), case.life.body
        if not habit.dependent or not body.able:
            return Change(case.life, goes_on)
        offered = yield from turn_down(rules, body.willpower, habit, int(case.figure(COUNSELLING)), case.name)
        life = with_habit(case.life, offered.habit)
        if offered.taken:
            yield from Tell(Recovers(case.name, f"takes {drug}", "bad"))
            change = taken(replace(case, life=life), drug)
            return Change(change.life, goes_on, runs=change.runs)
        cravings = [run for run in case.running(CRAVING) if run.about == drug]
        old = int(cravings[0].data[0]) if cravings else 0
        if offered.penalty >= old:
            return Change(life, goes_on)
        run = OngoingEffect(CRAVING, drug, 0, (offered.penalty,))
        return Change(life.penalized(old, offered.penalty), goes_on, runs=(run,))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} is offered"


class Craving(Begun[Survivor]):
    """The price of refusing against one's will: a penalty that falls by 1 every hour."""

    name = CRAVING
    rules = ("sil-6.2.3-dependence",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return HOUR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        before = int(effect.data[0])
        after = min(0, before + 1)
        yield from Tell(
            Recovers(case.name, f"craves {effect.about} less ({after})" if after else f"craves {effect.about} no longer", "good")
        )
        return Change(case.life.penalized(before, after), again(effect, after) if after else None)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"craving for {effect.about} ({effect.data[0]}) fades"


class KeepUsing(Activity[Survivor]):
    """Using a drug regularly: at every interval of the table a test against dependence, and one against addiction.

    Its data are the seconds until each of the two; -1 where there is nothing to test. It never ends by itself.
    """

    name = KEEP_USING
    label = "keep using a drug"
    rules = ("sil-6.2.3-becoming-addicted",)
    arguments = (DRUG, USE, USES, SOON)
    hours = 0

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(DRUG.name):
            raise UserError("say which drug")
        HABITS.get(rules, str(given[DRUG.name]))

    def clocks(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> dict[What, int]:
        """The seconds until each test, from the last time something was due."""
        left = cast(tuple[int, ...], effect.data) or tuple(self._whole(rules, case, what) for what in WHATS)
        habit = case.life.taken.habit(effect.about)
        has = {"dependence": habit.dependent, "addiction": habit.addicted}
        return {what: seconds for what, seconds in zip(WHATS, left, strict=True) if seconds >= 0 and not has[what]}

    def _whole(self, rules: Ruleset, case: Now, what: What) -> int:
        drug, last = str(case.argument(DRUG)), case.argument(SOON) == "longest"
        days = interval(rules, drug, cast(Literal["continual", "occasional"], case.argument(USE)), what)
        if days is not None:
            return days[last] * DAY
        uses = uses_between_tests(rules, drug, what)
        return -1 if uses is None else uses[last] * WEEK // int(case.argument(USES))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return min(self.clocks(rules, case, effect).values(), default=None)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        clocks = self.clocks(rules, case, effect)
        passed, habit, left = min(clocks.values()), case.life.taken.habit(effect.about), dict.fromkeys(WHATS, -1)
        for what, seconds in clocks.items():
            left[what] = seconds - passed
            if seconds == passed:
                left[what] = self._whole(rules, case, what)
                psyche = case.life.attribute("psyche")
                habit = yield from fall_into(rules, case.life.body, psyche, effect.about, habit, what)
        return Change(with_habit(case.life, habit), again(effect, *left.values()))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        clocks = self.clocks(rules, case, effect)
        return f"a test against {min(clocks, key=lambda what: clocks[what])}: {effect.about}" if clocks else f"uses {effect.about}"
