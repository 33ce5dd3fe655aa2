"""Infection and illness (book lines 710-716)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.highest_die.harm import in_words
from rulewright.play import Play, Reckoned, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_down, rounded_up, term, times, total
from rulewright.systems.scumm.harm.body import AVERAGE, Patient
from rulewright.systems.scumm.harm.drugs import health_test, margin_of_failure
from rulewright.systems.scumm.resolution.tests import passes

Course = Literal["healthy", "mild", "complications"]


class Disease(Struct, frozen=True):
    """An illness; the book prints none, so the gamemaster brings them."""

    name: str = "fever"
    contagiousness: int = 5
    virulence: int = 4
    onset_hours: int = 72
    effect: str = ""


class Infection(Struct, frozen=True):
    """An illness in one body: how bad it is there, and after how many minutes it breaks out."""

    virulence: int
    onset_minutes: int


class Illness(Struct, frozen=True):
    """The result of an exposure."""

    course: Course
    infection: Infection | None = None


FEVER = Disease()


def _tested(name: str, said: str, total: int, against: Reason, *, bad: bool) -> Reckoned:
    """The outcome of a Health test, with what it was compared with."""
    return Reckoned(name, said, "bad" if bad else "good", (Reason("Health test", total, "=", "scumm-disease"), against))


@rule("scumm-disease")
def expose(rules: Ruleset, disease: Disease = FEVER, victim: Patient = AVERAGE, hygiene: int = 0, emergency: int = 0) -> Play[Illness]:
    """Contact with an illness: who catches it is tested again when it breaks out, and then it is mild or has complications.

    By id only.
    """
    infection = yield from catch(rules, disease, victim, hygiene, emergency)
    if infection is None:
        return Illness("healthy")
    bad = yield from run_course(rules, disease, infection, victim)
    return Illness("complications" if bad else "mild", infection)


@rule("scumm-disease")
def catch(
    rules: Ruleset, disease: Disease = FEVER, victim: Patient = AVERAGE, hygiene: int = 0, emergency: int = 0
) -> Play[Infection | None]:
    """A Health test against Contagiousness, from 3 less in clean to 3 more in filthy conditions; None for a person who stays healthy.

    The Margin of Failure adds to the Virulence; a fumble doubles it.
    """
    if not -3 <= hygiene <= 3:
        raise UserError(f"hygiene changes the Threshold by -3 (clean) to +3 (filthy), not by {hygiene}")
    if disease.onset_hours < 0:
        raise UserError(f"an illness has an Onset Time of 0 hours or more, not {disease.onset_hours}")
    victim = victim.under(rules)
    threshold = disease.contagiousness + hygiene
    test = yield from health_test(rules, victim, threshold, f"exposure to {disease.name}", emergency)
    infection: Infection | None = None
    if test.fumble:  # 712: a fumble doubles the Virulence
        infection = Infection(2 * disease.virulence, incubation(rules, disease.onset_hours, fumble=True).value)
    elif not passes(rules, test.total, threshold):
        margin = margin_of_failure(test)
        infection = Infection(disease.virulence + margin, incubation(rules, disease.onset_hours, margin).value)
    said = f"does not catch the {disease.name}"
    if infection is not None:
        said = f"catches the {disease.name}, which breaks out after {in_words(infection.onset_minutes)}"
    yield from Tell(_tested(victim.name, said, test.total, Reason("Contagiousness", threshold, "against"), bad=infection is not None))
    return infection


@rule("scumm-disease")
def incubation(rules: Ruleset, onset_hours: int, margin: int = 1, fumble: bool = False) -> Derived[int]:
    """Minutes until an illness breaks out: its Onset Time divided by the Margin of Failure; a tenth of it after a fumble.

    They are rounded down (ruling "disease-onset-rounding").
    """
    if onset_hours < 0 or margin < 1:
        raise UserError("an incubation takes an Onset Time of 0 hours or more and a Margin of Failure of at least 1")
    by = 10 if fumble else margin
    return total(
        "minutes until it breaks out",
        term("Onset Time in hours", onset_hours),
        times("minutes an hour", 60),
        divided("fumble: a tenth" if fumble else "Margin of Failure", by),
        rounded_down() if rules.word("disease-onset-rounding") == "down" else rounded_up(),
        rule="scumm-disease",
        source=rules.source("disease-onset-rounding"),
    )


@rule("scumm-disease")
def run_course(rules: Ruleset, disease: Disease, infection: Infection, victim: Patient = AVERAGE, emergency: int = 0) -> Play[bool]:
    """When the illness breaks out, a Health test against its Virulence in this body: whether there are complications."""
    victim = victim.under(rules)
    test = yield from health_test(rules, victim, infection.virulence, f"getting over {disease.name}", emergency)
    bad = not passes(rules, test.total, infection.virulence)
    said = f"suffers complications of the {disease.name}{': ' + disease.effect if disease.effect else ''}"
    against = Reason("Virulence", infection.virulence, "against")
    yield from Tell(_tested(victim.name, said if bad else f"gets over the {disease.name}", test.total, against, bad=bad))
    return bad
