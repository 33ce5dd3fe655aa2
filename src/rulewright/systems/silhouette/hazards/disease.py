"""Illness: catching it, the time until it breaks out, and what it does then (book lines 5660-5684)."""

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.addiction import Care, fever_takes
from rulewright.systems.silhouette.hazards.hazard_damage import resist
from rulewright.systems.silhouette.people.conditions import Infection
from rulewright.systems.silhouette.resolution.tests import Mod

_ID, _FLU = "sil-6.2.4-disease", "sil-6.2.4-mutant-influenza"
MOST_DAYS = 60


class IllnessRow(TableRow, frozen=True):
    """An illness: how catching, how long before it shows at most, how virulent; and what a margin against it means.

    Passing leaves `sniffles` days less the margin of minor trouble. A failure up to `mild` costs its margin on actions, falling by 1 a
    day; one up to `severe` begins with incapacity for the days above `mild`; a worse one with a fever for the days above `severe`, or
    `fumble_days`.
    """

    illness: str
    contagion: int
    onset_days: int
    virulence: int
    sniffles: int = 4
    mild: int = 4
    severe: int = 8
    fumble_days: int = 7


ILLNESSES = Table(_FLU, IllnessRow)
CAUGHT = Infection("mutant influenza", 12)


class Ill(Struct, frozen=True):
    """Somebody some days later: whether they were infected at all, live, and what the illness costs now."""

    infected: bool
    dead: bool = False
    penalty: int = 0
    incapacitated: bool = False
    well: bool = True


@rule(_ID)
def hygiene(modifier: int = 0) -> Mod:
    """What cleanliness does to a test against contagion: from 3 less where it is poor to 3 more where it is good."""
    if not -3 <= modifier <= 3:
        raise UserError(f"hygiene adds -3 to +3, not {modifier}")
    return Mod("hygiene", modifier, _ID)


@rule(_ID)
def catch(rules: Ruleset, victim: Patient = AVERAGE, illness: str = "mutant influenza", clean: int = 0) -> Play[Infection | None]:
    """In contact with an illness: Health against its Contagiousness. Failure infects; the margin is added to its Virulence in this body
    and divides the time until it breaks out. A fumble doubles the Virulence, and leaves a tenth of the time."""
    row = ILLNESSES.get(rules, illness)
    resisted = yield from resist(rules, victim, row.contagion, f"infection with {illness}", rule=_ID, more=(hygiene(clean),))
    if resisted.passed:
        return None
    virulence = 2 * row.virulence if resisted.fumble else row.virulence + resisted.margin
    return Infection(illness, virulence, float(Fraction(row.onset_days, 10 if resisted.fumble else resisted.margin)))


@rule(_FLU)
def course_of(rules: Ruleset, illness: str, margin: int, fumble: bool = False) -> Infection:
    """What a failed test against the Virulence brings, in this order: fever, incapacity, and a penalty that falls by 1 a day."""
    row = ILLNESSES.get(rules, illness)
    if fumble or margin > row.severe:
        fever = row.fumble_days if fumble else margin - row.severe
        return Infection(illness, 0, 0, fever, row.severe - row.mild, -row.mild)
    if margin > row.mild:
        return Infection(illness, 0, 0, 0, margin - row.mild, -row.mild)
    return Infection(illness, 0, 0, 0, 0, -max(0, margin))


@rule(_FLU)
def sniffles(rules: Ruleset, illness: str = "mutant influenza", margin: int = 0) -> int:
    """Days of minor discomfort for one who withstands the illness by this margin."""
    return max(0, ILLNESSES.get(rules, illness).sniffles - margin)


@rule(_ID)
def break_out(rules: Ruleset, victim: Patient = AVERAGE, infection: Infection = CAUGHT, doctor: int = 0) -> Play[Infection]:
    """When the time is up: Health against the Virulence as it is in this body. Success rides it out; failure brings complications."""
    more = (Mod("a doctor's help", doctor),)
    resisted = yield from resist(rules, victim, infection.virulence, infection.illness, rule=_ID, more=more)
    if resisted.passed:
        return Infection(infection.illness, 0)
    return course_of(rules, infection.illness, resisted.margin, resisted.fumble)


@rule(_FLU)
def ill_for(
    rules: Ruleset, victim: Patient = AVERAGE, infection: Infection = CAUGHT, days: int = 7, care: Care = "proper", doctor: int = 0
) -> Play[Ill]:
    """Days of an illness that was caught and breaks out now: whoever has the fever dies of it with one chance in six a day without proper
    care, and two without any.

    By id only.
    """
    if not 0 <= days <= MOST_DAYS:
        raise UserError(f"an illness lasts 0 to {MOST_DAYS} days, not {days}")
    begun = yield from break_out(rules, victim, infection, doctor)
    return (yield from sub(_days_with, rules, victim, begun, days, care))


@rule(_ID)
def one_day(
    rules: Ruleset, victim: Patient = AVERAGE, infection: Infection = CAUGHT, care: Care = "proper"
) -> Play[tuple[Patient, Infection]]:
    """A day with an illness: it incubates, breaks out, burns with fever, keeps in bed, or wanes by a point."""
    if infection.days_left > 0:
        left = max(0.0, infection.days_left - 1)
        if left:
            return victim, replace(infection, days_left=left)
        return victim, (yield from break_out(rules, victim, replace(infection, days_left=0)))
    if infection.virulence:
        return victim, (yield from break_out(rules, victim, infection))
    if infection.fever:
        body = yield from fever_takes(victim.name, care, infection.illness, victim)
        return body, replace(infection, fever=infection.fever - 1)
    if infection.in_bed:
        return victim, replace(infection, in_bed=infection.in_bed - 1)
    return victim, replace(infection, penalty=min(0, infection.penalty + 1))


@rule(_ID)
def exposed(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    illness: str = "mutant influenza",
    days: int = 14,
    clean: int = 0,
    care: Care = "proper",
) -> Play[Ill]:
    """The whole of it, from the contact on: whether somebody is infected, and how they are so many days later. By id only."""
    caught = yield from catch(rules, victim, illness, clean)
    if caught is None:
        return Ill(False)
    return (yield from sub(_days_with, rules, victim, caught, days, care))


def _days_with(rules: Ruleset, victim: Patient, infection: Infection, days: int, care: Care) -> Play[Ill]:
    if days <= 0 or infection.over:
        return Ill(True, False, infection.penalty, bool(infection.fever or infection.in_bed), infection.over)
    body, later = yield from one_day(rules, victim, infection, care)
    if body.dead:
        return Ill(True, True, 0, False, False)
    return (yield from sub(_days_with, rules, victim, later, days - 1, care))
