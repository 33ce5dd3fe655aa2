"""Drugs, toxins and addiction (book lines 650-708)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.sums import sum_of
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.highest_die.harm import in_words
from rulewright.play import Event, Happened, Play, Reckoned, Roll, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, limited, rounded_down, rounded_up, term, times, total
from rulewright.systems.scumm.harm.body import AVERAGE, Influence, Patient
from rulewright.systems.scumm.harm.damage import Hit, be_hit, minutes_pass
from rulewright.systems.scumm.resolution.tests import Mod, Pool, Test, action_test, attribute_pool, health_pool, passes

Effect = Literal["fatal", "sedative", "euphoric", "hallucinogenic", "stimulant", "analgesic"]
MOST_DOSES = 100
HIGHEST_BONUS = 5
"""Where the bonus of a strong stimulant stops rising."""


class Drug(TableRow, frozen=True):
    """A drug: how strong it is, what it does, and the longest it takes to work."""

    drug: str
    potency: int
    effects: tuple[Effect, ...]
    onset_minutes: float


DRUGS = Table("scumm-sample-drugs", Drug)
POISON = Drug(drug="poison", potency=10, effects=("fatal",), onset_minutes=1)


class Dosed(Struct, frozen=True):
    """The outcome of a dose: who took it, by how much the body failed to resist (0: it did not), and after how many seconds it works."""

    patient: Patient
    margin: int = 0
    fumble: bool = False
    onset_seconds: int = 0


class Took(Event, frozen=True):
    """A drug was taken."""

    name: str
    drug: str
    total: int
    potency: int
    fumble: bool
    seconds: int

    def headline(self) -> str:
        if not self.seconds:
            return f"{self.name} resists the {self.drug}"
        when = in_words(self.seconds // 60) if self.seconds >= 60 else count(self.seconds, "second")
        return f"the {self.drug} affects {self.name} after {when}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("Health test", self.total, "=", "scumm-drugs"), Reason("Potency", self.potency, "against", "scumm-multiple-doses"))

    def tone(self) -> str:
        return "bad" if self.seconds else "good"


# --- taking a drug ------------------------------------------------------------------------------------------------------------


@rule("scumm-drugs")
def take(rules: Ruleset, drug: str = "alcohol", user: Patient = AVERAGE, doses: int = 1, emergency: int = 0) -> Play[Dosed]:
    """A drug of the table: one Health test against its Potency; a person who fails feels all its effects, the sooner the worse he
    failed."""
    return (yield from dose(rules, known_drug(rules, drug), user, doses, emergency))


@rule("scumm-sample-drugs")
def known_drug(rules: Ruleset, drug: str = "alcohol") -> Drug:
    """Potency, effects and onset of a drug of the table."""
    return DRUGS.get(rules, drug)


@rule("scumm-drugs")
def dose(rules: Ruleset, drug: Drug = POISON, user: Patient = AVERAGE, doses: int = 1, emergency: int = 0) -> Play[Dosed]:
    """The same with any drug or toxin."""
    dosed = yield from resist(rules, drug, user, doses, emergency)
    user, potency = dosed.patient, potency_of(rules, drug.potency, doses).value
    if dosed.margin:
        for effect in drug.effects:
            user = yield from suffer(rules, effect, potency, dosed.margin, fumble=dosed.fumble, user=user)
    return Dosed(user, dosed.margin, dosed.fumble, dosed.onset_seconds)


def resist(rules: Ruleset, drug: Drug, user: Patient, doses: int = 1, emergency: int = 0) -> Play[Dosed]:
    """The Health test against a drug, and when it works; what it does then is not suffered yet."""
    user = user.under(rules)
    potency = potency_of(rules, drug.potency, doses).value
    user = paid(user, emergency)
    test = yield from health_test(rules, user, potency, f"resisting {drug.drug}", emergency)
    if passes(rules, test.total, potency) and not test.fumble:  # 652-672: every effect has a fumble clause
        yield from Tell(Took(user.name, drug.drug, test.total, potency, False, 0))
        return Dosed(user)
    margin = margin_of_failure(test)
    seconds = onset(rules, drug.onset_minutes, margin, doses, test.fumble).value
    yield from Tell(Took(user.name, drug.drug, test.total, potency, test.fumble, seconds))
    return Dosed(user, margin, test.fumble, seconds)


def health_test(rules: Ruleset, user: Patient, threshold: int, what: str, emergency: int = 0) -> Play[Test]:
    """A Health test with all action penalties, and the Emergency Dice that go into it."""
    pool = health_pool(rules, user.health, (Mod("action penalty", user.penalty, "scumm-injuries"),))
    return (yield from action_test(rules, pool.with_dice(pool.dice, emergency), threshold, user.name, what))


def paid(user: Patient, emergency: int) -> Patient:
    """A person with so many Emergency Dice less; a person who is not known to own any is taken at their word."""
    return replace(user, emergency_dice=max(0, user.emergency_dice - emergency)) if emergency > 0 else user


def margin_of_failure(test: Test) -> int:
    """By how much a test failed; a draw that fails, or a fumble that would have passed, counts as failed by 1 (ruling)."""
    return max(1, -test.margin)


def suffer(rules: Ruleset, effect: Effect, potency: int, margin: int, *, fumble: bool, user: Patient) -> Play[Patient]:
    """One effect of a drug."""
    if effect == "fatal":
        return (yield from fatal_toxin(rules, potency, margin, fumble, user))
    if effect == "sedative":
        return (yield from sedative(rules, potency, margin, fumble, user))
    if effect == "stimulant":
        return (yield from stimulant(rules, potency, margin, fumble, user))
    if effect == "analgesic":
        return (yield from analgesic(rules, margin, fumble, user))
    return (yield from hallucinogen(rules, potency, margin, fumble, user))


@rule("scumm-multiple-doses")
def potency_of(rules: Ruleset, potency: int, doses: int = 1) -> Derived[int]:
    """Every dose beyond the first adds a tenth of the Potency; the sum is rounded down once (ruling "extra-dose-rounding")."""
    if potency < 1:
        raise UserError(f"a drug has a Potency of at least 1, not {potency}")
    if not 1 <= doses <= MOST_DOSES:
        raise UserError(f"from 1 to {MOST_DOSES} doses can be taken, not {doses}")
    tenth, more = divided("a tenth", 10), times("doses beyond the first", doses - 1)
    steps = (tenth, rounded_down(), more) if rules.word("extra-dose-rounding") == "each dose" else (tenth, more, rounded_down())
    extra = total("a tenth for every extra dose", term("Potency", potency), *steps)
    source = rules.source("extra-dose-rounding")
    return total("Potency", term("one dose", potency), term(extra.reason.label, extra), rule="scumm-multiple-doses", source=source)


@rule("scumm-drugs")
def onset(rules: Ruleset, onset_minutes: float, margin: int = 1, doses: int = 1, fumble: bool = False) -> Derived[int]:
    """Seconds until a drug works, rounded up: its Onset Time divided by the doses and the Margin of Failure; a fumble takes a tenth."""
    if onset_minutes < 0 or margin < 1 or doses < 1:
        raise UserError("an onset takes an Onset Time of 0 or more, a Margin of Failure of at least 1 and at least one dose")
    shared = doses if not fumble or rules.on("fumbled-onset-counts-doses") else 1  # 652
    by = 10 if fumble else margin
    return limited(
        "seconds until it works",
        term("Onset Time in minutes", onset_minutes),
        times("seconds a minute", 60),
        divided("doses", shared, rule="scumm-multiple-doses"),
        divided("fumble: a tenth" if fumble else "Margin of Failure", by),
        rounded_up() if rules.word("drug-onset-rounding") == "up" else rounded_down(),
        limit=at_least(1),
        rule="scumm-drugs",
    )


# --- what drugs do ------------------------------------------------------------------------------------------------------------


@rule("scumm-fatal-toxins")
def fatal_toxin(rules: Ruleset, potency: int = 10, margin: int = 1, fumble: bool = False, victim: Patient = AVERAGE) -> Play[Patient]:
    """Damage of a fifth of Potency times the Margin of Failure, which no armor stops; a fumble brings a coma besides (ruling)."""
    after = yield from be_hit(rules, victim, Hit(toxin_damage(potency, margin).value, cause="poison"))
    return replace(after, coma=True) if fumble and not after.dead else after  # 654: a fumble is a coma


@rule("scumm-fatal-toxins")
def toxin_damage(potency: int, margin: int) -> Derived[int]:
    """Potency times Margin of Failure, divided by 5 and rounded up (ruling)."""
    return _poison_damage(potency, margin, 5, "scumm-fatal-toxins")


def _poison_damage(potency: int, margin: int, divisor: int, rule_id: str) -> Derived[int]:
    if margin < 0:
        raise UserError(f"a Margin of Failure is 0 or more, not {margin}")
    return limited(
        "damage",
        term("Potency", potency),
        times("Margin of Failure", margin),
        divided("divisor", divisor),
        rounded_up(),
        limit=at_least(0),
        rule=rule_id,
        source="ruling",
    )


def _under(victim: Patient, influence: Influence) -> Patient:
    return replace(victim, influences=(*victim.influences, influence)) if influence.points > 0 else victim


@rule("scumm-sedatives")
def sedative(rules: Ruleset, potency: int = 10, margin: int = 1, fumble: bool = False, victim: Patient = AVERAGE) -> Play[Patient]:
    """Failed by 1 to 4: that action penalty, less by one an hour. By 5 to 9: unconscious for Potency times the margin in minutes,
    then as if failed by 4 (ruling). By 10 or more: a fatal toxin five points weaker, which a fumble is failed against by 10. The
    penalty is no part of trauma.
    """
    if fumble:  # 660: an overdose
        margin = 10
    if margin >= 10:
        return (yield from fatal_toxin(rules, potency - 5, margin, False, victim))
    if margin >= 5:
        minutes = potency * margin
        asleep = replace(victim, unconscious=max(victim.unconscious, minutes))
        return _under(asleep, Influence("sedative", rules.number("after-collapse"), minutes))
    return _under(victim, Influence("sedative", margin))


@rule("scumm-hallucinogens")
def hallucinogen(rules: Ruleset, potency: int = 10, margin: int = 1, fumble: bool = False, victim: Patient = AVERAGE) -> Play[Patient]:
    """Like a sedative, by distorted senses: a penalty for 1 to 4, helpless for 5 to 14, a fumble counting as 14.

    From 15 on it does damage as if ten points weaker, divided by 5 as for other toxins (ruling "hallucinogen-divisor").
    """
    if fumble:  # 664: failed by 14
        margin = 14
    if margin >= 15:
        damage = _poison_damage(potency - 10, margin, rules.number("hallucinogen-divisor"), "scumm-hallucinogens").value
        return (yield from be_hit(rules, victim, Hit(damage, cause="poison")))
    if margin >= 5:
        minutes = potency * margin
        lost = replace(victim, incapacitated=max(victim.incapacitated, minutes))
        return _under(lost, Influence("hallucinogen", rules.number("after-collapse"), minutes))
    return _under(victim, Influence("hallucinogen", margin))


@rule("scumm-stimulants")
def stimulant(rules: Ruleset, potency: int = 10, margin: int = 1, fumble: bool = False, victim: Patient = AVERAGE) -> Play[Patient]:
    """Failed by 1 to 4: that bonus to initiative, less by one an hour. By 5 to 9: 10 less the margin, rising to 5 before it falls,
    and no sleep meanwhile. By 10 or more, or fumbled (ruling "stimulant-fumble"): a fatal toxin five points weaker.
    """
    if fumble and rules.word("stimulant-fumble") == "overdose":  # 670
        margin = max(10, margin)
    if margin >= 10:
        return (yield from fatal_toxin(rules, potency - 5, margin, False, victim))
    if margin >= 5:
        return _under(victim, Influence("stimulant", 10 - margin, rising=margin > 5, sleepless=True))
    return _under(victim, Influence("stimulant", margin))


@rule("scumm-analgesics")
def analgesic(rules: Ruleset, margin: int = 1, fumble: bool = False, victim: Patient = AVERAGE) -> Play[Patient]:
    """Every point of failure lets a point of action penalty be ignored, one less every hour; a fumble brings no relief.

    Failed by more than twice System Shock, the drug knocks out for a die of hours.
    """
    if fumble:  # 672: no relief
        return victim
    numb = _under(victim, Influence("analgesic", margin))
    if margin <= 2 * victim.system_shock:
        return numb
    hours = yield from Roll(sum_of(1, 6), victim.name, "hours unconscious")
    return replace(numb, unconscious=max(numb.unconscious, 60 * hours))


# --- time ---------------------------------------------------------------------------------------------------------------------


@rule("scumm-drugs")
def wear_off(rules: Ruleset, patient: Patient = AVERAGE, minutes: int = 60) -> Play[Patient]:
    """Time goes by for a person under drugs: sleepers wake, and what drugs do fades by a point an hour once it has begun."""
    later = yield from minutes_pass(rules, patient, minutes)
    faded = tuple([fade(influence, minutes) for influence in patient.influences])
    return replace(later, influences=tuple([influence for influence in faded if influence.points > 0]))


def fade(influence: Influence, minutes: int) -> Influence:
    """An influence some minutes later. Withdrawal does not fade with the hours."""
    if influence.effect == "withdrawal":
        return influence
    if influence.after >= minutes:
        return replace(influence, after=influence.after - minutes)
    hours, spent = divmod(influence.spent + minutes - influence.after, 60)
    points, rising = influence.points, influence.rising
    up = min(hours, max(0, HIGHEST_BONUS - points)) if rising else 0
    points = max(0, points + up - (hours - up))
    return replace(influence, after=0, spent=spent, points=points, rising=rising and hours == up and points < HIGHEST_BONUS)


# --- addiction ----------------------------------------------------------------------------------------------------------------


class Habit(TableRow, frozen=True):
    """How a drug takes hold: its Addiction Rating, how often to test, and the Threshold."""

    drug: str
    addiction_rating: int
    interval: int
    interval_unit: Literal["weeks", "uses"]
    health_threshold: int


HABITS = Table("scumm-becoming-addicted", Habit)


@rule("scumm-becoming-addicted")
def becomes_addicted(rules: Ruleset, drug: str = "alcohol", user: Patient = AVERAGE, emergency: int = 0) -> Play[bool]:
    """At every interval of use a Health test against the drug's Threshold; a person who fails is addicted."""
    habit = HABITS.get(rules, drug)
    test = yield from health_test(rules, user.under(rules), habit.health_threshold, f"keeping off {drug}", emergency)
    addicted = not passes(rules, test.total, habit.health_threshold)
    sums = (Reason("Health test", test.total, "=", "scumm-becoming-addicted"), Reason("Threshold", habit.health_threshold, "against"))
    said = f"{'is addicted to' if addicted else 'is not addicted to'} {drug}"
    yield from Tell(Reckoned(user.name, said, "bad" if addicted else "good", sums))
    return addicted


@rule("scumm-becoming-addicted")
def addiction_tests(rules: Ruleset, drug: str = "alcohol", used: int = 0) -> int:
    """How many addiction tests so many weeks or uses of a drug call for; none where the campaign leaves addiction out. By id only."""
    if used < 0:
        raise UserError(f"a drug is used 0 times or more, not {used}")
    return used // HABITS.get(rules, drug).interval if rules.on("addiction") else 0


class Addiction(Struct, frozen=True):
    """How a person stands with a drug: days passed in a row, what earlier attempts have taught, and what withdrawal does now."""

    drug: str
    rating: int
    streak: int = 0
    bonus: int = 0
    failed: bool = False
    """Whether this attempt has seen a failed test."""
    penalty: int = 0
    """Points of action penalty."""
    helpless_days: int = 0
    crisis_days: int = 0
    free: bool = False

    @classmethod
    def to(cls, rules: Ruleset, drug: str) -> "Addiction":
        """A fresh addiction to a drug of the table."""
        return cls(drug, HABITS.get(rules, drug).addiction_rating)


DRINK = Addiction("alcohol", 5)


def _fares(addiction: Addiction) -> str:
    """The state of a person on a day without the drug, in words."""
    if addiction.free:
        return f"is no longer addicted to {addiction.drug}"
    if addiction.crisis_days:
        return f"has fevers or convulsions for another {in_words(addiction.crisis_days * 24 * 60)}"
    if addiction.helpless_days:
        return f"is helpless for another {in_words(addiction.helpless_days * 24 * 60)}"
    if addiction.penalty:
        return f"suffers withdrawal from {addiction.drug}: -{addiction.penalty}"
    return f"resists a day without {addiction.drug} (day {addiction.streak} of {addiction.rating})"


@rule("scumm-withdrawal")
def day_without(
    rules: Ruleset,
    addiction: Addiction = DRINK,
    addict: Patient = AVERAGE,
    clinic: int = 0,
    body: int = 0,
    resting: bool = True,
    emergency: int = 0,
) -> Play[Addiction]:
    """A day without the drug: Health against the Addiction Rating, and as many passed in a row as the rating end the addiction.

    Failed by 1 to 4: that penalty, less by one every day of rest. By 5 to 8: helpless for as many days as it is above 4. By 9
    or more, or fumbled: a crisis for as many days as it is above 8 (fumbled: one). After each the milder stage follows; a person who is
    helpless is not tested meanwhile (ruling).
    """
    if addiction.free:
        return addiction
    after = _suffering_on(rules, addiction)
    if after is None:
        eased = replace(addiction, penalty=max(0, addiction.penalty - 1)) if resting else addiction
        pool = withdrawal_pool(rules, addiction, addict, clinic, body)
        test = yield from action_test(
            rules, pool.with_dice(pool.dice, emergency), addiction.rating, addict.name, f"withdrawal from {addiction.drug}"
        )
        passed = passes(rules, test.total, addiction.rating) and not test.fumble  # 704: a fumble is a crisis
        after = _held_out(eased) if passed else _broke_down(eased, margin_of_failure(test), test.fumble)
    yield from Tell(Happened(addict.name, _fares(after), "good" if after.streak else "bad"))
    return after


def _suffering_on(rules: Ruleset, addiction: Addiction) -> Addiction | None:
    """One day less of crisis or helplessness, and what follows it; None for a person who has to be tested."""
    if addiction.crisis_days:
        left = addiction.crisis_days - 1
        return replace(addiction, crisis_days=left, helpless_days=0 if left else 4)  # then as if failed by 8 (ruling)
    if addiction.helpless_days:
        left = addiction.helpless_days - 1
        return replace(addiction, helpless_days=left, penalty=0 if left else rules.number("after-collapse"))
    return None


def _held_out(addiction: Addiction) -> Addiction:
    streak = addiction.streak + 1
    return replace(addiction, streak=streak, free=streak >= addiction.rating)


def _broke_down(addiction: Addiction, margin: int, fumble: bool) -> Addiction:
    worse = replace(addiction, streak=0, failed=True)
    if fumble or margin >= 9:  # 704
        return replace(worse, crisis_days=1 if fumble else margin - 8)
    if margin >= 5:
        return replace(worse, helpless_days=margin - 4)
    return replace(worse, penalty=max(addiction.penalty, margin))


@rule("scumm-withdrawal")
def relapse(addiction: Addiction = DRINK) -> Addiction:
    """Taking the drug ends all symptoms and the count of days; an attempt that had its failures leaves +1 for the next (ruling)."""
    return Addiction(addiction.drug, addiction.rating, bonus=addiction.bonus + addiction.failed)


@rule("scumm-withdrawal")
def withdraw(
    rules: Ruleset, addiction: Addiction = DRINK, addict: Patient = AVERAGE, days: int = 10, clinic: int = 0, body: int = 0
) -> Play[Addiction]:
    """So many days without the drug, or until the addiction is over. By id only."""
    if days < 0:
        raise UserError(f"a withdrawal takes 0 days or more, not {days}")
    for _ in range(days):
        addiction = yield from day_without(rules, addiction, addict, clinic, body)
        if addiction.free:
            break
    return addiction


@rule("scumm-assisted-withdrawal")
def medical_help(kind: Literal["clinic", "counselling"] = "clinic", bonus: int = 1) -> Mod:
    """A clinic adds 1 to 4 to withdrawal tests, by its technology; counselling helps against the dependence, by 2 at most."""
    most = 4 if kind == "clinic" else 2
    if not 1 <= bonus <= most:
        raise UserError(f"{kind} gives a bonus from 1 to {most}, not {bonus}")
    return Mod(kind, bonus, "scumm-assisted-withdrawal")


@rule("scumm-assisted-withdrawal")
def withdrawal_pool(rules: Ruleset, addiction: Addiction = DRINK, addict: Patient = AVERAGE, clinic: int = 0, body: int = 0) -> Pool:
    """The dice against withdrawal: a Health test; what doctors help with may be a test of Body (ruling "withdrawal-test")."""
    others = tuple([influence for influence in addict.influences if influence.effect != "withdrawal"])  # that is the penalty below
    mods = (
        Mod("action penalty", replace(addict.under(rules), influences=others).penalty, "scumm-injuries"),
        Mod("withdrawal", -addiction.penalty, "scumm-withdrawal"),
        Mod("earlier attempts", addiction.bonus, "scumm-withdrawal"),
    )
    if not clinic:
        return health_pool(rules, addict.health, mods)
    helped = (*mods, medical_help("clinic", clinic))
    if rules.word("withdrawal-test") == "body":
        return attribute_pool(rules, body, "Body", helped)
    return health_pool(rules, addict.health, helped)


@rule("scumm-withdrawal")
def in_withdrawal(patient: Patient, addiction: Addiction) -> Patient:
    """The addict's body today: the penalty of withdrawal, or helpless for as long as the worse stages last."""
    others = tuple([influence for influence in patient.influences if influence.effect != "withdrawal"])
    days = addiction.crisis_days + addiction.helpless_days
    suffering = replace(patient, influences=others, incapacitated=max(patient.incapacitated, days * 24 * 60))
    return _under(suffering, Influence("withdrawal", addiction.penalty))
