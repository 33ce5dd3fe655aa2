"""Patients' decisions: bed rest, and therapy after grave wounds (book lines 2880-2927)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Choice, Happened, Option, Play, Reckoned, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.foresight.harm.body import INCAPACITATED, Patient, will_task
from rulewright.systems.foresight.harm.events import OfARoll
from rulewright.systems.foresight.harm.medicine import major_injury, period
from rulewright.systems.foresight.harm.recovery import DAY, NO_CARE, Care
from rulewright.systems.foresight.people.attributes import AttributeName, attribute_name
from rulewright.systems.foresight.resolution.locations import Location
from rulewright.systems.foresight.resolution.tests import BOTCH, attempt, weighed
from rulewright.systems.foresight.ward.patients import About, Bed, Cost, Ward

HOURS = 24
UNKNOWN: tuple[Location, ...] = ("chest",)
"""Where a wound counts as having been of which nobody has said where it was (ruling)."""


class Exercised(OfARoll, frozen=True):
    """A period of therapy or of self-help, and its outcome."""

    name: str
    attribute: str
    qr: int
    regained: int
    lost: int

    def headline(self) -> str:
        if self.qr == BOTCH:
            return f"{self.name} will never win back more {self.attribute}: {self.regained} of {self.lost}"
        return f"{self.name} has won back {self.regained} of {self.lost} {self.attribute}"

    def tone(self) -> str:
        return "bad" if self.qr == BOTCH else "plain"


# --- to stay in bed or to get up ----------------------------------------------------------------------------------------------


def care_of(rules: Ruleset, ward: Ward, bed: Bed) -> Care:
    """The care that a patient has: none for a person who is up and about, where the campaign plays so (ruling)."""
    return NO_CARE if bed.up and rules.word("care-without-rest") == "none" else ward.care


def may_get_up(rules: Ruleset, ward: Ward, bed: Bed) -> bool:
    """Whether a patient can leave the bed, and it makes a difference; asked where a new wait for a roll has begun."""
    body = bed.body
    lies = bed.settled or body.unconscious or body.wounds >= INCAPACITATED
    return not lies and body.clock < DAY and rules.word("care-without-rest") == "none" and ward.care != NO_CARE


_REST = (Option("bed", "stay in bed", value=False), Option("up", "get up and forgo care", value=True))


def bed_rest(rules: Ruleset, ward: Ward) -> Play[Ward]:
    """Everybody who could get up says whether they do, for as long as it is to the next roll; the incapacitated stay in bed."""
    for number, bed in enumerate(ward.beds):
        if not may_get_up(rules, ward, bed):
            if bed.up and (bed.settled or bed.body.wounds >= INCAPACITATED):
                ward = ward.put(number, replace(bed, up=False))
            continue
        up: bool = yield Choice(bed.name, "Do you stay in bed or get up?", _REST, About(rules, ward, None, bed), "bed")
        if up != bed.up:
            yield from Tell(Happened(bed.name, "gets up and forgoes care" if up else "goes back to bed"))
            ward = ward.put(number, replace(bed, up=up))
    return ward


# --- what is lost, and won back -----------------------------------------------------------------------------------------------


def treated(rules: Ruleset, bed: Bed, body: Patient) -> Bed:
    """A bed with its patient as they are now; how bad it has been is remembered where grave wounds cost attributes."""
    if not rules.on("major-injury"):
        return replace(bed, body=body)
    return replace(bed, body=body, deepest=max(bed.deepest, body.wounds))


def take_stock(rules: Ruleset, ward: Ward, before: Bed, bed: Bed) -> Play[Bed]:
    """When the wounds have healed it shows what they have cost: points by the worst level, of an attribute that is the patient's to say.

    The book leaves that to the gamemaster, within what the places of the wounds allow.
    """
    places = [major_injury(rules, bed.deepest, place) for place in before.body.hurt or UNKNOWN]
    if not places[0].trained:
        return bed
    names: list[AttributeName] = list(dict.fromkeys([name for place in places for name in place.attributes]))
    attribute = names[0]
    if len(names) > 1:
        options = tuple([Option(name, attribute_name(rules, name), name) for name in names])
        attribute = yield Choice(bed.name, "Which attribute suffers lasting harm?", options, About(rules, ward, None, bed), "attribute")
    cost = Cost(attribute, places[0].inherent, places[0].trained)
    lost = f"suffers lasting harm: {attribute_name(rules, attribute)} -{cost.trained}, {cost.inherent} of it inherent"
    yield from Tell(Reckoned(bed.name, lost, "bad", (Reason("worst wound level", bed.deepest, "=", "fs-major-injury"),)))
    return replace(bed, cost=cost)


def _days(days: float) -> str:
    return "day" if days == 1 else count(days, "day")


def choose_therapy(rules: Ruleset, ward: Ward) -> Play[Ward]:
    """Ask patients how they win back lost inherent points: with a therapist, where there is one, or alone, which takes longer."""
    for number, bed in enumerate(ward.beds):
        cost = bed.cost
        if cost is None or not bed.recovering or cost.decided:
            continue
        therapy = False
        days = [period(rules, ward.tl, with_help) / HOURS for with_help in (True, False)]
        if days[0] != days[1]:  # there are therapists
            options = (
                Option("physiotherapy", f"physiotherapy: a roll every {_days(days[0])}", value=True),
                Option("self-help", f"self-help: a roll every {_days(days[1])}", value=False),
            )
            therapy = yield Choice(bed.name, "How do you win back what you lost?", options, About(rules, ward, None, bed), "therapy")
        ward = ward.put(number, replace(bed, cost=replace(cost, therapy=therapy, decided=True)))
    return ward


def hours_to_roll(rules: Ruleset, ward: Ward, cost: Cost) -> int:
    """Hours to the next willpower roll."""
    return period(rules, ward.tl, cost.therapy) - cost.hours


def exercise(rules: Ruleset, ward: Ward, bed: Bed, hours: int) -> Play[Bed]:
    """So many hours of therapy: a willpower roll at the end of each period wins back an inherent point, and a botch ends all hope."""
    while hours and bed.cost is not None and not bed.cost.over:
        cost, wait = bed.cost, hours_to_roll(rules, ward, bed.cost)
        if wait > hours:
            return replace(bed, cost=replace(cost, hours=cost.hours + hours))
        hours -= wait
        task = will_task(rules, bed.body)
        rolled = yield from attempt(rules, task, bed.name, "therapy")
        cost = replace(cost, regained=cost.regained + rolled.success, ended=rolled.qr == BOTCH, hours=0, decided=False)
        name = attribute_name(rules, cost.attribute) if cost.attribute else ""
        of, won, lost = weighed(rules, task), cost.regained, cost.inherent
        yield from Tell(Exercised(name=bed.name, attribute=name, qr=rolled.qr, regained=won, lost=lost, of=of))
        bed = replace(bed, cost=cost)
    return bed


def next_period(rules: Ruleset, ward: Ward) -> Play[Ward]:
    """When all wounds have healed time goes to the next roll of a therapy, or to the last day; the begun day is kept in the minutes."""
    left = (ward.days + 1 - ward.day) * HOURS - ward.minutes // 60
    hours = min([left, *[hours_to_roll(rules, ward, bed.cost) for bed in ward.beds if bed.recovering and bed.cost is not None]])
    for number, bed in enumerate(ward.beds):
        if bed.recovering:
            ward = ward.put(number, (yield from exercise(rules, ward, bed, hours)))
    minutes = ward.minutes + hours * 60
    return replace(ward, day=ward.day + minutes // DAY, minutes=minutes % DAY)
