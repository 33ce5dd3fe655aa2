"""Disease: infection, incubation and course (book lines 5660-5684)."""

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.addiction import Care, fever_takes
from rulewright.systems.silhouette.hazards.hazard_damage import resist
from rulewright.systems.silhouette.people.conditions import Infection
from rulewright.systems.silhouette.resolution.tests import Mod

_ID, _FLU = "sil-6.2.4-disease", "sil-6.2.4-mutant-influenza"
MOST_DAYS = 60


class IllnessRow(TableRow, frozen=True):
    """A disease: its contagiousness, longest incubation and virulence, and the meaning of a margin.

    A success leaves `sniffles` minus margin days of minor symptoms. A failure up to `mild` gives its margin as a penalty, falling by 1
    per day; one up to `severe` begins with incapacity for the days above `mild`; a worse one with a fever for the days above `severe`,
    or `fumble_days`.
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
    """A character some days later: whether infected, alive, and the penalty now."""

    infected: bool
    dead: bool = False
    penalty: int = 0
    incapacitated: bool = False
    well: bool = True


@rule(_ID)
def hygiene(modifier: int = 0) -> Mod:
    """Returns the modifier of hygiene: -3 (poor) to +3 (good). It lowers or raises the Threshold of an infection."""
    if not -3 <= modifier <= 3:
        raise UserError(f"hygiene adds -3 to +3, not {modifier}")
    return Mod("hygiene", modifier, _ID)


@rule(_ID)
def contagion_threshold(contagion: int, clean: int = 0) -> Derived[int]:
    """Returns the Threshold against infection: Contagiousness, lowered by good hygiene and raised by poor."""
    return total("Threshold", term("Contagiousness", contagion), term("hygiene", -hygiene(clean).value), rule=_ID)


@rule(_ID)
def catch(rules: Ruleset, victim: Patient = AVERAGE, illness: str = "mutant influenza", clean: int = 0) -> Play[Infection | None]:
    """Tests Health against Contagiousness with hygiene on contact. A failure infects; the margin is added to the Virulence and divides
    the incubation time. A fumble doubles the Virulence and leaves a tenth of the time."""
    row = ILLNESSES.get(rules, illness)
    threshold = contagion_threshold(row.contagion, clean)
    resisted = yield from resist(rules, victim, threshold, f"infection with {illness}", rule=_ID, fumble_line=5662)
    if resisted.passed:
        return None
    virulence = 2 * row.virulence if resisted.fumble else row.virulence + resisted.margin  # 5662: a fumble doubles it
    return Infection(illness, virulence, float(Fraction(row.onset_days, 10 if resisted.fumble else resisted.margin)))


@rule(_FLU)
def course_of(rules: Ruleset, illness: str, margin: int, fumble: bool = False) -> Infection:
    """Returns the course after a failed test against Virulence: fever, then incapacity, then a penalty that falls by 1 per day."""
    row = ILLNESSES.get(rules, illness)
    if fumble or margin > row.severe:  # 5684: a fumble is a fever of a week
        fever = row.fumble_days if fumble else margin - row.severe
        return Infection(illness, 0, 0, fever, row.severe - row.mild, -row.mild)
    if margin > row.mild:
        return Infection(illness, 0, 0, 0, margin - row.mild, -row.mild)
    return Infection(illness, 0, 0, 0, 0, -max(0, margin))


@rule(_FLU)
def sniffles(rules: Ruleset, illness: str = "mutant influenza", margin: int = 0) -> int:
    """Returns the days of minor symptoms for this margin of success."""
    return max(0, ILLNESSES.get(rules, illness).sniffles - margin)


@rule(_ID)
def break_out(rules: Ruleset, victim: Patient = AVERAGE, infection: Infection = CAUGHT, doctor: int = 0) -> Play[Infection]:
    """Tests Health against the Virulence when the illness breaks out. A failure brings complications."""
    more = (Mod("a doctor's help", doctor),)
    resisted = yield from resist(rules, victim, infection.virulence, infection.illness, rule=_ID, more=more, fumble_line=5684)
    if resisted.passed:
        return Infection(infection.illness, 0)
    return course_of(rules, infection.illness, resisted.margin, resisted.fumble)


@rule(_FLU)
def ill_for(
    rules: Ruleset, victim: Patient = AVERAGE, infection: Infection = CAUGHT, days: int = 7, care: Care = "proper", doctor: int = 0
) -> Play[Ill]:
    """Plays days of an illness that breaks out now; a fever kills with one chance in six per day without proper care, two without any.

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
    """Plays a day of an illness: it incubates, breaks out, causes fever or incapacity, or fades by a point."""
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
    """Plays everything from the contact on; returns the character some days later. By id only."""
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
