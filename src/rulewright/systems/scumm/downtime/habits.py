"""Habits between scenes: becoming addicted, and days without the drug (book lines 692-708)."""

from collections.abc import Mapping
from typing import cast

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, WEEK
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Figure, again
from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.scumm.downtime.survivors import CLINIC, Survivor, exertion_of
from rulewright.systems.scumm.harm.drugs import HABITS, Addiction, becomes_addicted, day_without, in_withdrawal, relapse

Now = Case[Survivor]
ADDICTION, KEEP_USING = "addiction", "keep using"
HABIT = Figure("drug", "Drug of the table, such as alcohol", takes="text", needed=True, rule="scumm-becoming-addicted")
USES = Figure("uses", "Uses a week, for drugs that count uses", low=1, high=70, default=7, rule="scumm-becoming-addicted")


def written_addiction(addiction: Addiction) -> tuple[Value, ...]:
    """An addiction as the data of its effect."""
    kept = (addiction.rating, addiction.streak, addiction.bonus, addiction.failed)
    return tuple(int(figure) for figure in (*kept, addiction.penalty, addiction.helpless_days, addiction.crisis_days))


def read_addiction(effect: OngoingEffect) -> Addiction:
    """The addiction that an effect is about."""
    rating, streak, bonus, failed, penalty, helpless, crisis = cast(tuple[int, ...], effect.data)
    return Addiction(effect.about, rating, streak, bonus, bool(failed), penalty, helpless, crisis)


class Addicted(Begun[Survivor]):
    """An addiction: every day without the drug is a test of withdrawal, until enough are passed in a row."""

    name = ADDICTION
    label = "make addicted"
    ailment = True
    rules = ("scumm-withdrawal", "scumm-assisted-withdrawal")
    arguments = (HABIT,)

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        drug = str(given[HABIT.name])
        HABITS.get(rules, drug)
        return OngoingEffect(self.name, drug, 0, written_addiction(Addiction.to(rules, drug)))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        uses = (KEEP_USING, effect.about) in case.doing
        return None if uses or case.life.body.dead else DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        clinic, rests = int(case.figure(CLINIC)), exertion_of(case) in ("rest", "ordinary days")
        after = yield from day_without(rules, read_addiction(effect), case.life.body, clinic, case.life.strength, rests)
        symptoms = Addiction(after.drug, after.rating) if after.free else after
        body = in_withdrawal(replace(case.life.body, incapacitated=0), symptoms)
        return Change(case.life.with_body(body), None if after.free else again(effect, *written_addiction(after)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        addiction = read_addiction(effect)
        return f"day {addiction.streak + 1} without {effect.about}, {addiction.rating} in a row end the addiction"


class KeepUsing(Activity[Survivor]):
    """Using a drug regularly: at every interval of the book a Health test, and a failure is an addiction. It never ends by itself."""

    name = KEEP_USING
    label = "keep using a drug"
    rules = ("scumm-becoming-addicted",)
    arguments = (HABIT, USES)
    hours = 0

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        HABITS.get(rules, str(given[HABIT.name]))
        if not rules.on("addiction"):
            raise UserError("this campaign leaves addiction out (setting addiction)")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if any(run.about == effect.about for run in case.running(ADDICTION)):
            return DAY  # there is nothing left to test
        habit = HABITS.get(rules, effect.about)
        return habit.interval * WEEK if habit.interval_unit == "weeks" else habit.interval * WEEK // int(case.argument(USES))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        addicted_to = [run for run in case.running(ADDICTION) if run.about == effect.about]
        if addicted_to:
            used = tuple(again(run, *written_addiction(relapse(read_addiction(run)))) for run in addicted_to)
            body = in_withdrawal(case.life.body, read_addiction(used[0]))
            return Change(case.life.with_body(body), again(effect), runs=used)
        addicted = yield from becomes_addicted(rules, effect.about, case.life.body)
        begun = (Addicted().begun(rules, {HABIT.name: effect.about}),) if addicted else ()
        return Change(case.life, again(effect), runs=begun)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"another day with {effect.about}" if self.seconds(rules, case, effect) == DAY else f"a test of the habit: {effect.about}"
