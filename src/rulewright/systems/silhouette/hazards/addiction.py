"""Addiction: becoming dependent or addicted, refusing, withdrawal and treatment (book lines 5593-5658)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Happened, Option, Play, Reckoned, Roll, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.drugs import DRUGS
from rulewright.systems.silhouette.hazards.hazard_damage import Resisted, perish, resist, strain_of
from rulewright.systems.silhouette.people.conditions import Bout, Habit
from rulewright.systems.silhouette.resolution.tests import DIE, Mod

_DEPENDENCE, _ADDICTION = "sil-6.2.3-dependence", "sil-6.2.3-addiction"
_BECOMING, _HELP = "sil-6.2.3-becoming-addicted", "sil-6.2.3-assisted-withdrawal"
STEADIED = 3
MOST_DAYS = 60
Care = Literal["proper", "some", "none"]
DEATHS_IN_SIX: dict[Care, int] = {"proper": 0, "some": 1, "none": 2}
"""Deadly faces of a die on a day of life-threatening fever, by care."""


class HabitRow(TableRow, frozen=True):
    """A drug's addictiveness: ratings, test intervals (days from and to, or uses), and Thresholds."""

    drug: str
    dependence: int
    dependence_daily: tuple[int, int] | None = None
    dependence_weekly: tuple[int, int] | None = None
    dependence_uses: tuple[int, int] | None = None
    psyche_threshold: int = 0
    addiction: int | None = None
    addiction_daily: tuple[int, int] | None = None
    addiction_weekly: tuple[int, int] | None = None
    addiction_uses: tuple[int, int] | None = None
    health_threshold: int | None = None


HABITS = Table("sil-6.2.3-sample-addictions", HabitRow)
ALCOHOLIC = Habit("alcohol", dependent=True, addicted=True)


def fever_takes(name: str, care: Care, cause: str, body: Patient) -> Play[Patient]:
    """Rolls a day of life-threatening fever: death with one chance in six without proper care, two without any."""
    deadly = DEATHS_IN_SIX[care]
    if not deadly:
        return body
    face = yield from Roll(DIE, name, "living through a day of fever")
    dies = face <= deadly
    sums = (Reason("die", face, "="), Reason("deadly up to", deadly, "against"))
    yield from Tell(Reckoned(name, "does not survive a day of fever" if dies else "survives a day of fever", "bad", sums))
    return (yield from perish(body, cause)) if dies else body


# --- getting there ------------------------------------------------------------------------------------------------------------


@rule(_BECOMING)
def interval(
    rules: Ruleset,
    drug: str = "alcohol",
    use: Literal["continual", "occasional"] = "continual",
    what: Literal["dependence", "addiction"] = "dependence",
) -> tuple[int, int] | None:
    """Returns the interval between tests in days (from, to): continual use is daily, occasional weekly. None if the drug is not
    addictive that way or counts doses."""
    row = HABITS.get(rules, drug)
    if what == "dependence":
        return row.dependence_daily if use == "continual" else row.dependence_weekly
    return row.addiction_daily if use == "continual" else row.addiction_weekly


@rule(_BECOMING)
def uses_between_tests(
    rules: Ruleset, drug: str = "pcp", what: Literal["dependence", "addiction"] = "dependence"
) -> tuple[int, int] | None:
    """Returns the interval between tests in doses, if a drug counts doses."""
    row = HABITS.get(rules, drug)
    return row.dependence_uses if what == "dependence" else row.addiction_uses


@rule(_BECOMING)
def fall_into(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    psyche: int = 0,
    drug: str = "alcohol",
    habit: Habit | None = None,
    what: Literal["both", "dependence", "addiction"] = "both",
) -> Play[Habit]:
    """Tests at the end of a drug's interval: Psyche against dependence, Health against addiction. Poisons are never addictive."""
    row = HABITS.get(rules, drug)
    if drug in DRUGS(rules) and "fatal" in DRUGS(rules)[drug].effects:
        raise UserError(f"{drug} is a poison, and no poison is addictive")
    now = habit or Habit(drug)
    if not now.dependent and what != "addiction":
        resisted = yield from strain_of(
            rules, victim.name, "Psyche", psyche, threshold=row.psyche_threshold, what=f"depending on {drug}", rule=_BECOMING
        )
        now = replace(now, dependent=not resisted.passed)
    if not now.addicted and row.health_threshold is not None and what != "dependence":
        body = yield from resist(rules, victim, row.health_threshold, f"addiction to {drug}", rule=_BECOMING)
        now = replace(now, addicted=not body.passed)
    return now


# --- dependence ---------------------------------------------------------------------------------------------------------------


class Offered(Struct, frozen=True):
    """Result of an offer: the habit now, whether the drug was taken, and the penalty for refusing."""

    habit: Habit
    taken: bool
    penalty: int = 0


@rule(_DEPENDENCE)
def craving(margin: int, fumble: bool = False) -> int:
    """Returns the penalty for refusing against one's will, which falls by 1 each hour: 1 up to a margin of 4, 2 up to 9, 3 beyond or on
    a fumble."""
    if fumble or margin >= 10:  # 5595: a fumble counts as a failure by 10
        return -3
    return -2 if margin >= 5 else -1


@rule(_HELP)
def counselling(bonus: int = 2) -> Mod:
    """Returns the bonus of counselling to refuse a drug: at most 2."""
    if not 0 <= bonus <= 2:
        raise UserError(f"counselling adds 0 to 2, not {bonus}")
    return Mod("counselling", bonus, _HELP)


@rule(_HELP)
def institution(bonus: int = 1) -> Mod:
    """Returns the bonus of a medical institution in withdrawal: 1 to 4 by its technology; 0 for none."""
    if not 0 <= bonus <= 4:
        raise UserError(f"a medical institution adds 0 to 4, not {bonus}")
    return Mod("medical institution", bonus, _HELP)


@rule(_DEPENDENCE, _HELP)
def turn_down(rules: Ruleset, willpower: int = 0, habit: Habit = ALCOHOLIC, help_given: int = 0, name: str = "someone") -> Play[Offered]:
    """Tests Willpower against Dependence when a dependent character is offered the drug. A success refuses; on a failure they take it or
    suffer.

    As many successes in a row as the rating make a partial cure: +3 until a test fails. Then a failure restores the habit, and a fumble
    is one binge, after which Willpower decides between habit and cure.
    """
    row = HABITS.get(rules, habit.drug)
    if not habit.dependent:
        return Offered(habit, False)
    resisted = yield from _test_willpower(rules, willpower, habit, row.dependence, help_given=help_given, name=name)
    if resisted.passed:
        run = habit.refusals + 1
        steadied = habit.steadied or run >= row.dependence
        return Offered(replace(habit, refusals=0 if steadied else run, steadied=steadied), False)
    if habit.steadied and resisted.fumble:  # 5599: a fumble after a partial cure is a binge
        yield Tell(Happened(name, "goes on a binge", "bad"))
        after = yield from _test_willpower(rules, willpower, habit, row.dependence, help_given=help_given, name=name)
        return Offered(habit if after.passed else _relapse(habit), True)
    options = (Option("take", f"Take the {habit.drug}", True), Option("refuse", "Refuse and suffer the penalty", False))
    takes = yield from Choice[bool](name, f"{name} cannot resist the {habit.drug}. Do you take it?", options, habit, "craving")
    cost = 0 if takes else craving(resisted.margin, resisted.fumble)
    return Offered(_relapse(habit), takes, cost)


def _relapse(habit: Habit) -> Habit:
    return replace(habit, refusals=0, steadied=False)


def _test_willpower(rules: Ruleset, willpower: int, habit: Habit, rating: int, *, help_given: int, name: str) -> Play[Resisted]:
    mods = [counselling(help_given)]
    if habit.steadied:
        mods.append(Mod("partially cured", STEADIED, _DEPENDENCE))
    return (
        yield from strain_of(
            rules,
            name,
            "Willpower",
            willpower,
            threshold=rating,
            what=f"the pull of {habit.drug}",
            rule=_DEPENDENCE,
            more=tuple(mods),
            fumble_line=5595,
        )
    )


@rule(_DEPENDENCE)
def fully_cured(days_clean: int, leave: bool = True) -> bool:
    """Whether a character is cured of a dependence: with the gamemaster's agreement, after at least a year without the drug."""
    return leave and days_clean >= 365


# --- addiction ----------------------------------------------------------------------------------------------------------------


@rule(_ADDICTION)
def bout(margin: int, fumble: bool = False) -> Bout:
    """Returns a bout of withdrawal: up to 4 a penalty of the margin; 5 to 8 incapacity for margin - 4 days, then as 4; 9 or more danger
    of death for margin - 8 days (a fumble: one day), then as 8."""
    if fumble or margin >= 9:  # 5633: a fumble is a failure by 9 or more, for one day
        return Bout(1 if fumble else margin - 8, 4, -4)
    if margin >= 5:
        return Bout(0, margin - 4, -4)
    return Bout(0, 0, -max(0, margin))


class Withdrawn(Struct, frozen=True):
    """A character after days without the drug: the habit, whether they live, and the penalty now."""

    habit: Habit
    dead: bool = False
    penalty: int = 0
    incapacitated: bool = False


@rule(_ADDICTION, _HELP)
def miss_a_dose(rules: Ruleset, victim: Patient = AVERAGE, habit: Habit = ALCOHOLIC, treatment: int = 0) -> Play[tuple[Habit, Bout]]:
    """Tests Health against Addiction on a day without the drug. As many successes in a row as the rating end the addiction; a failure
    begins a bout, and surviving one gives +1 on further tests."""
    row = HABITS.get(rules, habit.drug)
    if not habit.addicted or row.addiction is None:
        return replace(habit, addicted=False), Bout()
    more = (institution(treatment), Mod("withdrawals survived", habit.survived, _ADDICTION))
    resisted = yield from resist(
        rules, victim, row.addiction, f"withdrawal from {habit.drug}", rule=_ADDICTION, more=more, fumble_line=5633
    )
    if resisted.passed:
        run = habit.clean_days + 1
        free = run >= row.addiction
        return replace(habit, clean_days=0 if free else run, addicted=not free, survived=0 if free else habit.survived), Bout()
    return replace(habit, clean_days=0), bout(resisted.margin, resisted.fumble)


@rule(_ADDICTION)
def takes_it_again(habit: Habit = ALCOHOLIC) -> Habit:
    """Returns the habit after taking the drug again: no symptoms, and the count of clean days restarts."""
    return replace(habit, clean_days=0, bout=Bout())


@rule(_ADDICTION)
def withdraw(
    rules: Ruleset, victim: Patient = AVERAGE, habit: Habit = ALCOHOLIC, days: int = 14, treatment: int = 0, care: Care = "proper"
) -> Play[Withdrawn]:
    """Plays days without the drug. A bout ends before the next test (ruling), and its dangerous days kill like a fever: one chance in
    six per day without proper care, two without any (ruling "withdrawal-deaths").

    By id only.
    """
    if not 0 <= days <= MOST_DAYS:
        raise UserError(f"withdrawal lasts 0 to {MOST_DAYS} days, not {days}")
    return (yield from sub(_play_days, rules, victim, habit, days, treatment, care))


class CleanDay(Struct, frozen=True):
    """Result of one day of withdrawal: the habit with its bout, and whether it killed."""

    habit: Habit
    dead: bool = False


def clean_day(rules: Ruleset, victim: Patient, habit: Habit, treatment: int, care: Care) -> Play[CleanDay]:
    """Plays one day without the drug: a bout continues, or a test is made."""
    now = habit.bout
    if now.danger:
        alive = victim
        if rules.word("withdrawal-deaths") == "as of a fever":
            alive = yield from fever_takes(victim.name, care, "withdrawal", victim)
        if alive.dead:
            return CleanDay(replace(habit, bout=Bout()), True)
        left = replace(now, danger=now.danger - 1)
    elif now.incapacity:
        left = replace(now, incapacity=now.incapacity - 1)
    elif now.penalty:
        left = replace(now, penalty=now.penalty + 1)
    else:
        after, begun = yield from miss_a_dose(rules, victim, habit, treatment)
        return CleanDay(replace(after, bout=begun))
    return CleanDay(replace(habit, bout=left, survived=habit.survived + (0 if left.days else 1)))


def _play_days(rules: Ruleset, victim: Patient, habit: Habit, days: int, treatment: int, care: Care) -> Play[Withdrawn]:
    now = habit.bout
    if days <= 0 or (not habit.addicted and not now.days):
        return Withdrawn(replace(habit, bout=Bout()), False, now.penalty, bool(now.danger or now.incapacity))
    result = yield from clean_day(rules, victim, habit, treatment, care)
    if result.dead:
        return Withdrawn(result.habit, True)
    return (yield from sub(_play_days, rules, victim, result.habit, days - 1, treatment, care))


@rule(_ADDICTION)
def withdrawal_days(margin: int, fumble: bool = False) -> Derived[int]:
    """Returns the days until a bout of withdrawal ends. By id only."""
    result = bout(margin, fumble)
    terms = (term("danger", result.danger), term("incapacity", result.incapacity), term("until the penalty is gone", -result.penalty))
    return total("days", *[reason for reason in terms if reason.value], rule=_ADDICTION)
