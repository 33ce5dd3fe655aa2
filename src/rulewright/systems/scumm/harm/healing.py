"""Resuscitation and recovery (book lines 551-567)."""

import re
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.dice.sums import sum_of
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.highest_die.harm import faded, in_words
from rulewright.play import Event, Happened, Play, Roll, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, derive
from rulewright.systems.scumm.harm.body import AVERAGE, BRUISES, LimbInjury, Patient
from rulewright.systems.scumm.harm.damage import die
from rulewright.systems.scumm.harm.events import Died
from rulewright.systems.scumm.people.characters import Character, Person
from rulewright.systems.scumm.resolution.tests import Mod, Pool, action_test, passes, rolled_total, skill_pool

Care = Literal["none", "constant"]
MOST_DAYS = 10_000
A_DAY = 24 * 60
LONG_COMA = 7
"""Days after which a coma needs medical aid."""


# --- resuscitation ------------------------------------------------------------------------------------------------------------


class Medic(Struct, frozen=True):
    """Who tries to save a life, and what equipment and drugs add."""

    name: str = "the medic"
    medicine: int = 1
    intelligence: int = 0
    modifier: int = 0
    emergency: int = 0
    """Emergency Dice that go into every attempt."""
    penalty: int = 0
    """What the medic's own wounds cost."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character, modifier: int = 0) -> "Medic":
        """A character as a medic, with the wounds in the file."""
        person = Person.of(rules, character)
        penalty = Patient.of_person(rules, person).penalty
        return cls(person.name, person.level("medicine"), person.attribute("intelligence"), modifier, penalty=penalty)


class Treated(Event, frozen=True):
    """An attempt to bring a person back."""

    medic: str
    name: str
    pool: Pool
    rolled: Total
    outcome: Literal["stable", "failed", "fumbled"]
    minutes: int = 0

    def headline(self) -> str:
        if self.outcome == "stable":
            return f"{self.medic} resuscitates {self.name}"
        if self.outcome == "fumbled":
            return f"{self.medic} makes it worse for {self.name}"
        return f"{self.medic} loses a minute, {in_words(self.minutes)} left for {self.name}"

    def reasons(self) -> tuple[Reason, ...]:
        test = rolled_total("Medicine test", self.pool, self.rolled, "scumm-resuscitation")
        return (test.reason, Reason("Threshold", 1, "against", "scumm-resuscitation"))

    def tone(self) -> str:
        return "good" if self.outcome == "stable" else "bad"


MEDIC = Medic()
WOUNDED = replace(AVERAGE, flesh=1, deep=2)
DYING = replace(WOUNDED, trauma=5)
"""A body with 0 in everything that two Deep wounds and a Flesh wound have sent into shock."""


@rule("scumm-resuscitation")
def resuscitate(rules: Ruleset, medic: Medic = MEDIC, victim: Patient = DYING) -> Play[Patient]:
    """Medicine against 1, with the penalty of the victim's injuries: success stabilizes, failure costs a minute, a fumble kills."""
    victim = victim.under(rules)
    if victim.trauma is None or victim.dead:
        raise UserError(f"{victim.name} is {'beyond help' if victim.dead else 'not dying'}: nothing to resuscitate")
    mods = (
        Mod("injuries of the victim", victim.injury_penalty, "scumm-injuries"),
        Mod("equipment", medic.modifier, "scumm-resuscitation"),
        Mod("wounds", medic.penalty, "scumm-injuries"),
    )
    pool = skill_pool(rules, medic.medicine, medic.intelligence, "Intelligence", mods).with_dice(medic.medicine, medic.emergency)
    test = yield from action_test(rules, pool, 1, medic.name, f"resuscitating {victim.name}")
    rolled = Total(test.total, test.fumble)
    if test.fumble:  # 555: a fumble kills
        yield from Tell(Treated(medic.name, victim.name, pool, rolled, "fumbled"))
        return (yield from _slip_away(rules, victim, "the treatment"))
    if passes(rules, test.total, 1):
        yield from Tell(Treated(medic.name, victim.name, pool, rolled, "stable"))
        return replace(victim, trauma=None, resuscitated=True)
    left = victim.trauma - 1
    yield from Tell(Treated(medic.name, victim.name, pool, rolled, "failed", left))
    return replace(victim, trauma=left) if left > 0 else (yield from _slip_away(rules, victim, "trauma"))


def lose_minute(rules: Ruleset, victim: Patient) -> Play[Patient]:
    """A minute in which nobody treats a dying person."""
    left = (victim.trauma or 0) - 1
    if left > 0:
        yield from Tell(Happened(victim.name, f"is dying: {count(left, 'minute')} left", "bad"))
        return replace(victim, trauma=left)
    return (yield from _slip_away(rules, victim, "trauma"))


def _slip_away(rules: Ruleset, victim: Patient, of: str) -> Play[Patient]:
    """Death on the table; a player who buys it off comes back all the same (ruling)."""
    after = yield from die(rules, victim, Died(victim.name, of))
    return after if after.dead else replace(after, trauma=None, resuscitated=True)


@rule("scumm-resuscitation")
def save_life(rules: Ruleset, medic: Medic = MEDIC, victim: Patient = DYING) -> Play[Patient]:
    """Attempt after attempt, a minute each, until the victim is stable or dead. A view of `resuscitate`."""
    while victim.trauma is not None:
        victim = yield from resuscitate(rules, medic, victim)
    return victim


# --- recovery -----------------------------------------------------------------------------------------------------------------


class CareRow(TableRow, frozen=True):
    """How long wounds take to heal under this care, and what a healed Deep wound leaves behind."""

    care: Care
    flesh_days: int
    deep_days: int
    resuscitation_rest_days: int | None
    after_deep: int


CARE = Table("scumm-recovery", CareRow)


class Recovery(Struct, frozen=True):
    """A patient some days later, the days already gone into what heals next, and the days spent in a coma."""

    patient: Patient
    progress: int = 0
    coma_days: int = 0

    def __str__(self) -> str:
        patient = self.patient
        if patient.dead:
            return "dead"
        left = [count(n, f"{kind} wound") for n, kind in ((patient.flesh, "Flesh"), (patient.deep, "Deep")) if n]
        return " and ".join(left) or "no wounds"


@rule("scumm-recovery")
def recover(
    rules: Ruleset, patient: Patient = WOUNDED, days: int = 7, care: Care = "none", progress: int = 0, coma_days: int = 0
) -> Derived[Recovery]:
    """Days of healing: one wound at a time, Flesh before Deep, after the week of rest that a resuscitation calls for.

    Without constant aid a healed Deep wound leaves -1 on physical actions, and who was resuscitated or is in a coma for more
    than a week dies. Bruises beside real wounds heal like these.
    """
    if not 0 <= days <= MOST_DAYS:
        raise UserError(f"recovery takes from 0 to {MOST_DAYS} days, not {days}")
    row = CARE.get(rules, care)
    now = Recovery(patient.under(rules), progress, coma_days)
    told: list[Reason] = []
    for day in range(1, days + 1):
        now, word = _a_day(now, row)
        if word:
            told.append(Reason(word, day, "day", "scumm-recovery", row.source))
        if now.patient.dead:
            break
    return derive(
        now,
        f"after {days} days with {'constant medical aid' if care == 'constant' else 'no constant medical aid'}",
        *told,
        rule="scumm-recovery",
    )


def _a_day(now: Recovery, row: CareRow) -> tuple[Recovery, str]:
    """One day, and what it brought."""
    patient = now.patient
    if patient.dead:
        return now, ""
    coma_days = now.coma_days + 1 if patient.coma else 0
    fate = _fatal_neglect(patient, coma_days, row)
    if fate:
        return Recovery(replace(patient, dead=True, trauma=None), 0, coma_days), fate
    patient = replace(patient, unconscious=max(0, patient.unconscious - A_DAY), incapacitated=max(0, patient.incapacitated - A_DAY))
    needed = _days_until_healed(patient, row)
    if needed is None:
        return Recovery(patient, 0, coma_days), ""
    if now.progress + 1 < needed:
        return Recovery(patient, now.progress + 1, coma_days), ""
    healed, word = _next_healed(patient, row)
    return Recovery(healed, 0, coma_days), word


def _fatal_neglect(patient: Patient, coma_days: int, row: CareRow) -> str:
    """Why a patient dies of missing aid; nothing if he does not."""
    if patient.trauma is not None:
        return "dies of trauma, not resuscitated"
    if row.resuscitation_rest_days is None and patient.resuscitated:
        return "dies without medical aid after resuscitation"
    if row.resuscitation_rest_days is None and coma_days > LONG_COMA:
        return "dies without medical aid in a long coma"
    return ""


def days_for_next(rules: Ruleset, patient: Patient, care: Care) -> int | None:
    """How many days the next step of healing takes under this care; None if nothing is left to heal or aid is missing."""
    return _days_until_healed(patient, CARE.get(rules, care))


def _days_until_healed(patient: Patient, row: CareRow) -> int | None:
    """How long the next step of healing takes; None where nothing is left to heal."""
    if patient.resuscitated:
        return row.resuscitation_rest_days
    if patient.flesh or (patient.wounded and patient.bruised_flesh):
        return row.flesh_days
    return row.deep_days if patient.deep else None


def _next_healed(patient: Patient, row: CareRow) -> tuple[Patient, str]:
    """The next step of healing done."""
    if patient.resuscitated:
        return replace(patient, resuscitated=False), "rested from the resuscitation"
    # A bruise heals before the last real wound of its kind, since it counts as one only as long as a real wound is there.
    if patient.flesh and not (patient.bruised_flesh and patient.flesh == 1):
        return heal_wound(patient, "flesh"), "a Flesh wound healed"
    if patient.bruised_flesh and patient.wounded:
        return replace(patient, bruised_flesh=patient.bruised_flesh - 1), "a bruise beside the wounds healed"
    if patient.bruised_deep and patient.deep == 1:
        return replace(patient, bruised_deep=patient.bruised_deep - 1), "a bad bruise beside the wounds healed"
    healed = heal_wound(patient, "deep")
    left = f", leaving {row.after_deep} on physical actions" if row.after_deep else ""
    return replace(healed, stiffness=healed.stiffness + row.after_deep), f"a Deep wound healed{left}"


def heal_wound(patient: Patient, wound: Literal["flesh", "deep"]) -> Patient:
    """One wound less; those outside the limbs go first, and a limb works again when what disabled it is healed."""
    in_limbs = [limb for limb in patient.limbs if getattr(limb, wound)]
    count = getattr(patient, wound)
    healed = replace(patient, flesh=count - 1) if wound == "flesh" else replace(patient, deep=count - 1)
    if not in_limbs or sum(getattr(limb, wound) for limb in in_limbs) < count:
        return healed
    hurt = in_limbs[0]
    flesh, deep = hurt.flesh - (wound == "flesh"), hurt.deep - (wound == "deep")
    return healed.with_limb(LimbInjury(hurt.limb, flesh, hurt.severed or flesh >= 2 or deep >= 1, hurt.severed, deep))


@rule("scumm-recovery")
def rehabilitate(patient: Patient = AVERAGE) -> Patient:
    """Proper rehabilitation takes away what badly healed Deep wounds have left behind."""
    return replace(patient, stiffness=0)


# --- bruises ------------------------------------------------------------------------------------------------------------------

_FADES = re.compile(r"(\d{1,2})d(\d{1,3}) (hours|days)", re.ASCII)


@rule("scumm-bruise-damage")
def bruise_hours(rules: Ruleset, bruise: Literal["flesh", "deep"] = "flesh", name: str = "") -> Play[int]:
    """How many hours a bruise stays: a die of hours, a Deep one a die of days (ruling: the promised times are missing)."""
    fades = BRUISES.get(rules, bruise).fades
    match = _FADES.fullmatch(fades)
    if match is None:
        raise UserError(f"a bruise fades in something like 1d6 hours or 1d6 days, not {fades!r}")
    rolled = yield from Roll(sum_of(int(match[1]), int(match[2])), name, f"{match[3]} until a bruise fades")
    return rolled * (24 if match[3] == "days" else 1)


@rule("scumm-bruise-damage")
def fade_bruises(rules: Ruleset, patient: Patient = AVERAGE, hours: int = 6) -> Play[Patient]:
    """So many hours after the blows: each bruise whose time has run is gone. Beside real wounds bruises heal like these instead.

    By id only.
    """
    return (yield from faded(rules, patient, hours, bruise_hours))
