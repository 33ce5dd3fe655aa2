"""The ward scene: days of rest, crises, doctors' and patients' decisions (book lines 2574-2610, 2795-2927).

A step is a visit and the time that follows it: a day, or in a crisis the few minutes to the next roll. The minutes of a crisis are
told but use up no day (ruling): what matters of it is how it ends. When all wounds have healed a step is a period of therapy.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Ladder, Pool, SceneView, Tag
from rulewright.errors import UserError
from rulewright.files import set_at
from rulewright.grammar import count
from rulewright.play import Choice, Given, Option, Play, Tactic, Tell, sub
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Lasts, Placed, Scenario
from rulewright.scenes.scene import Result, Scene
from rulewright.systems.foresight.fight.aftermath import BODY, body_after
from rulewright.systems.foresight.harm.body import BODY_LIMITS, CRITICAL, HEAVY, INCAPACITATED, Patient, wound_row
from rulewright.systems.foresight.harm.medicine import BLOOD, bandage, operate, restore_blood, surgery_known
from rulewright.systems.foresight.harm.recovery import DAY, NO_CARE, Care, care, due_rolls, next_roll, sinks
from rulewright.systems.foresight.people.abilities import ability_task
from rulewright.systems.foresight.people.characters import Character, Person
from rulewright.systems.foresight.resolution.tests import Mod, chance_of
from rulewright.systems.foresight.ward.patients import About, Bed, Clinic, Cost, Doctor, Passed, Rested, Ward
from rulewright.systems.foresight.ward.rehabilitation import (
    HOURS,
    bed_rest,
    care_of,
    choose_therapy,
    exercise,
    next_period,
    take_stock,
    treated,
)

Treatment = Literal["rest", "bandage", "operate", "infusion", "whole blood", "artificial blood", "crude substitute"]
SURGERY = "Tools of Trade: surgery"
DEXTERITY_ALONE = -3


# --- treatment ----------------------------------------------------------------------------------------------------------------


def treatments(rules: Ruleset, ward: Ward, doctor: Doctor, bed: Bed) -> tuple[Option[Treatment], ...]:
    """The treatments that a doctor may give a patient now; doing nothing is always allowed."""
    body = bed.body
    options: list[Option[Treatment]] = []
    if body.bandaged == 0 and sinks(rules, body):
        options.append(Option("bandage", f"bandage {bed.name}", "bandage"))
    if body.wounds >= HEAVY and doctor.trained:
        options += [Option(means, f"give {means} to {bed.name}", means) for means, left in ward.store if left]
    if body.worst >= HEAVY and doctor.surgeon and not bed.cut and surgery_known(rules, ward.tl):
        options.append(Option("operate", f"operate on {bed.name}", "operate"))
    return (*options, Option("rest", "let the patient rest", "rest"))


def visit(rules: Ruleset, ward: Ward) -> Play[Ward]:
    """Every doctor sees every patient and treats them until rest is best."""
    for doctor in ward.doctors:
        for number in range(len(ward.beds)):
            tried: set[str] = set()
            while not ward.beds[number].settled:
                bed = ward.beds[number]
                options = tuple([option for option in treatments(rules, ward, doctor, bed) if option.key not in tried])
                if len(options) == 1:
                    break
                about = About(rules, ward, doctor, bed)
                what: Treatment = yield from Choice(doctor.name, f"How do you treat {bed.name}?", options, about, "treatment")
                if what == "rest":
                    break
                if what in ("bandage", "operate"):
                    tried.add(what)
                ward = yield from treat(rules, ward, doctor, number, what)
    return ward


def treat(rules: Ruleset, ward: Ward, doctor: Doctor, number: int, what: Treatment) -> Play[Ward]:
    """One treatment by one of the rules of medicine."""
    bed = ward.beds[number]
    x_rays, known, multiple, mysterious = ward.circumstances
    if what == "bandage":
        deft = doctor.dexterity
        cause = (known, mysterious) if ward.cause_counts else (False, False)
        part = sub(bandage, rules, bed.body, doctor.search, deft, doctor.trained, multiple, 0, doctor.name, *cause)
        return ward.put(number, replace(bed, body=(yield from part)))
    if what == "operate":
        part = sub(operate, rules, bed.body, doctor.search, doctor.surgery, ward.tl, x_rays, known, multiple, mysterious, 0, doctor.name)
        return ward.put(number, replace(bed, body=(yield from part), cut=True))
    body = yield from sub(restore_blood, rules, bed.body, what, doctor.trained, None, doctor.name)
    store = tuple([(means, left - (means == what)) for means, left in ward.store])
    return replace(ward.put(number, replace(bed, body=body)), store=store)


# --- time ---------------------------------------------------------------------------------------------------------------------


def rest_of_day(rules: Ruleset, body: Patient, minutes: int, care: Care) -> Play[Patient]:
    """The rolls of a day of rest, up to its end or to the moment when a crisis begins."""
    wait = next_roll(rules, body, care)
    if wait is None:
        return replace(body, clock=0)
    if wait > minutes:
        return replace(body, clock=body.clock + minutes)
    after = yield from sub(due_rolls, rules, body, care)
    if after.dead or after.wounds >= CRITICAL:
        return after
    return (yield from sub(rest_of_day, rules, after, minutes - wait, care))


def crisis(rules: Ruleset, ward: Ward) -> Play[Ward]:
    """The next moment of a crisis: the patient who is due first rolls, and time passes for the others."""
    waits = [next_roll(rules, bed.body, ward.care) or 0 for bed in ward.beds if bed.crisis]
    minutes = min(waits)
    for number, bed in enumerate(ward.beds):
        if not bed.crisis:
            continue
        body = replace(bed.body, clock=bed.body.clock + minutes)
        if (next_roll(rules, bed.body, ward.care) or 0) <= minutes:
            body = yield from sub(due_rolls, rules, bed.body, ward.care)
            yield from Tell(Passed(bed.name, ward.minutes + minutes, body.wounds, body.dead))
        ward = ward.put(number, treated(rules, bed, body))
    return replace(ward, minutes=ward.minutes + minutes)


def day_of_rest(rules: Ruleset, ward: Ward) -> Play[Ward]:
    """A day goes by over every wound."""
    for number, bed in enumerate(ward.beds):
        if not bed.settled:
            body = yield from sub(rest_of_day, rules, bed.body, DAY, care_of(rules, ward, bed))
            if body.wounds != bed.body.wounds:
                yield from Tell(Rested(bed.name, ward.day, body.wounds, wound_row(rules, body.wounds).name))
            after = treated(rules, replace(bed, cut=False), body)
            ward = ward.put(number, (yield from take_stock(rules, ward, bed, after)) if after.healed else after)
        elif bed.recovering:
            ward = ward.put(number, (yield from exercise(rules, ward, bed, HOURS)))
    return replace(ward, day=ward.day + 1, minutes=0)


# --- the scene ----------------------------------------------------------------------------------------------------------------


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Ward:
    """The ward in which a scenario begins: who is wounded lies in a bed, and everybody else looks after them."""
    clinic = scenario.ground(Clinic)
    _refuse(rules, clinic)
    beds: list[Bed] = []
    doctors: list[Doctor] = []
    for member in members:
        bed, doctor = admitted(rules, member)
        if bed.body.wounds:
            beds.append(bed)
        else:
            doctors.append(doctor)
    if not beds:
        raise UserError("nobody here is wounded: give somebody a state such as {wounds: 4}")
    care_here = care(rules, clinic.tl, clinic.quality)
    circumstances = (clinic.x_rays, clinic.known, clinic.multiple, clinic.mysterious)
    store = tuple(sorted(clinic.store.items()))
    return Ward(
        tl=clinic.tl,
        care=care_here,
        beds=tuple(beds),
        doctors=tuple(doctors),
        store=store,
        circumstances=circumstances,
        days=scenario.rounds,
        cause_counts=True,
    )


def _refuse(rules: Ruleset, clinic: Clinic) -> None:
    if not 0 <= clinic.quality <= 1:
        raise UserError(f"place.quality is from 0, the worst facility, to 1, the best, not {clinic.quality:g}")
    for means, left in clinic.store.items():
        row = BLOOD.get(rules, means)
        if left < 0 or (left and row.tl > clinic.tl):
            raise UserError(f"place.store: {left} of {means} at TL{clinic.tl:g}; there is none before TL{row.tl:g}, and never less than 0")


def admitted(rules: Ruleset, member: Placed) -> tuple[Bed, Doctor]:
    """A person as a patient, and as a doctor."""
    character = member.character
    if not isinstance(character, Character):
        raise UserError(f"{member.name} is not a character; only characters take part")
    person = Person.of(rules, character)
    fresh = msgspec.to_builtins(replace(Patient.of_person(rules, person), name=member.name))
    for field, value in member.state.items():
        if field not in Patient.__struct_fields__ or field == "name":
            raise UserError(f"{member.name}: state has no field {field!r}{nearest(field, Patient.__struct_fields__)}")
        fresh = set_at(fresh, field, value)
    body = member.started(fresh, Patient)
    if not 0 <= body.wounds < 8:
        raise UserError(f"{member.name}: a wound level is from 0 to 7, not {body.wounds}")
    worst = body.worst if "worst" in member.state else max(body.worst, body.wounds) if "wounds" in member.state else body.worst
    body = replace(body, worst=worst, unconscious=body.unconscious or body.wounds > CRITICAL)
    deepest = max(body.wounds, body.worst) if rules.on("major-injury") else 0
    return Bed(member.side, body, deepest=deepest), doctor_of(rules, person, member.name, member.side)


def doctor_of(rules: Ruleset, person: Person, name: str, side: str = "") -> Doctor:
    """A person as a doctor of others."""
    dexterity = ability_task(rules, person, "DX")
    skilled = person.level(SURGERY) is not None
    alone = dexterity.plus(Mod("dexterity alone", DEXTERITY_ALONE, "fs-surgery"))
    learnt = ability_task(rules, person, SURGERY) if skilled else alone
    surgery = max(learnt, alone, key=lambda task: chance_of(rules, task))
    return Doctor(
        name=name,
        side=side,
        search=ability_task(rules, person, "Search"),
        dexterity=dexterity,
        surgery=surgery,
        trained=person.knows("Medicine") or person.knows("Surgery"),
        surgeon=person.knows("Medicine") and person.knows("Surgery"),
    )


class ConvalescenceScene(Scene[Ward]):
    """Wounds over weeks: every step is a visit, and then a day or the next moment of a crisis."""

    state_type = Ward
    described = Clinic
    kind = "convalescence"

    def step(self, state: Ward) -> Play[Ward]:
        return self._step(state)

    def _step(self, ward: Ward) -> Play[Ward]:
        seen = yield from visit(self.rules, ward)
        if any(bed.crisis for bed in seen.beds):
            return (yield from crisis(self.rules, seen))
        seen = yield from choose_therapy(self.rules, (yield from bed_rest(self.rules, seen)))
        if all(bed.settled for bed in seen.beds):
            return (yield from next_period(self.rules, seen))
        return (yield from day_of_rest(self.rules, seen))

    def result(self, state: Ward) -> Result | None:
        if all(bed.settled and not bed.recovering for bed in state.beds):
            living = [bed for bed in state.beds if bed.healed]
            if not living:
                return Result(None, "nobody was saved")
            dead = [bed.name for bed in state.beds if bed.body.dead]
            told = f"all but {', '.join(dead)} are well again" if dead else "the wounds have healed"
            return Result(living[0].side, "; ".join([told, *filter(None, map(_scars, living))]))
        if state.day > state.days:
            left = [f"{bed.name} at wound level {bed.body.wounds}" for bed in state.beds if not bed.settled]
            left += [_scars(bed) for bed in state.beds if bed.recovering]
            return Result(None, f"{count(state.days, 'day')} {'has' if state.days == 1 else 'have'} passed, {', '.join(left)}")
        return None

    def sides(self, state: Ward) -> Mapping[str, tuple[str, ...]]:
        result: dict[str, tuple[str, ...]] = {}
        for name, side in _people(state):
            result[side] = (*result.get(side, ()), name)
        return result

    def out(self, state: Ward) -> frozenset[str]:
        return frozenset(bed.name for bed in state.beds if bed.body.dead)

    def round(self, state: Ward) -> int:
        return state.day

    def took(self, state: Ward) -> int:
        return ((state.day - 1) * DAY + state.minutes) * 60

    def join(self, state: Ward, newcomer: Any, side: str) -> Ward:
        placed = Placed.coming(newcomer, side)
        if any(name == placed.name for name, _ in _people(state)):
            raise UserError(f"there is a {placed.name} here already: give the newcomer another name")
        bed, doctor = admitted(self.rules, placed)
        if bed.body.wounds:
            return replace(state, beds=(*state.beds, bed))
        return replace(state, doctors=(*state.doctors, doctor))

    carries = BODY
    limits = BODY_LIMITS

    def lasting(self, state: Ward, who: str) -> Mapping[str, Lasts]:
        return next((body_after(bed.body) for bed in state.beds if bed.name == who), {})

    def lens(self, state: Ward, question: str) -> Ward:
        """Removes what survival does not depend on: where the wounds are, who is awake, and how long a crisis has lasted.

        Where wounds cost attributes their places are kept: patients choose by them. The hours of a therapy are kept too.
        """
        if question == "all":
            return state
        grave = self.rules.on("major-injury")
        minutes = state.minutes if all(bed.settled for bed in state.beds) else 0
        return replace(state, beds=tuple([_levelled(bed, grave) for bed in state.beds]), minutes=minutes)

    def view(self, state: Ward, who: str | None) -> SceneView:
        cards = [Card(bed.name, bed.side, tuple(pieces_of(self.rules, bed)), bed.body.dead) for bed in state.beds]
        cards += [Card(doctor.name, doctor.side, (Tag(name="looks after them"),)) for doctor in state.doctors]
        if state.doctors and state.store:
            stored: list[AnyPiece] = [Pool(left, max(left, 1), name=means) for means, left in state.store]
            cards[-1] = replace(cards[-1], pieces=(*cards[-1].pieces, *stored))
        headline = f"Day {state.day} of {state.days}" + (f", crisis of {count(state.minutes, 'minute')}" if state.minutes else "")
        return SceneView("Convalescence", headline, tuple(cards))


def _scars(bed: Bed) -> str:
    """The permanent losses of a person, in words."""
    cost = bed.cost
    if cost is None:
        return ""
    back = f", {cost.regained} of {cost.inherent} inherent won back" if cost.inherent else ""
    return f"{bed.name} has lost {cost.trained} {cost.attribute}{back}"


def _people(ward: Ward) -> list[tuple[str, str]]:
    """Everybody with their side."""
    return [(bed.name, bed.side) for bed in ward.beds] + [(doctor.name, doctor.side) for doctor in ward.doctors]


def pieces_of(rules: Ruleset, bed: Bed) -> list[AnyPiece]:
    """A patient on a card."""
    body = bed.body
    levels = tuple([wound_row(rules, level).name for level in range(9)])
    pieces: list[AnyPiece] = [Ladder(levels, min(body.wounds, 8), min(body.worst, 8), name="wound level", rule="fs-wound-levels")]
    if body.bandaged:
        pieces.append(Tag(f"+{body.bandaged}", name="bandaged", rule="fs-bandaging"))
    if bed.cost is not None:
        pieces.append(cost_tag(bed.cost))
    states = (
        ("operated", body.operated),
        ("up and about", bed.up),
        ("unconscious", body.unconscious and not body.dead),
        ("dead", body.dead),
    )
    return pieces + [Tag(name=name) for name, holds in states if holds]


def cost_tag(cost: Cost) -> Tag:
    """What a grave wound has cost, on a card."""
    won_back = f"{cost.regained} of {cost.inherent} inherent won back" if cost.inherent else "trained points alone"
    return Tag(f"-{cost.trained}", hurt=True, name=f"{cost.attribute}, {won_back}", rule="fs-major-injury")


def _levelled(bed: Bed, grave: bool) -> Bed:
    """A bed without what no roll of recovery asks for; the dead and the healed are all alike."""
    old = bed.body
    if bed.recovering:
        return Bed(bed.side, Patient(old.name, willpower=old.willpower), cost=bed.cost)
    if bed.settled:
        return Bed(bed.side, Patient(old.name, dead=old.dead, wounds=8 if old.dead else 0))
    places = old.hurt if grave else ()
    asleep = old.unconscious and old.wounds < INCAPACITATED
    body = replace(old, hurt=places, covers=(), unconscious=asleep, stunned=False, stun=0, prone=False, dropped=(), drunk=0)
    return replace(bed, body=body)


# --- tactics ------------------------------------------------------------------------------------------------------------------


def _patient(choice: Choice[Any]) -> Given:
    """Decides as a sensible patient: to stay in bed as long as care does some good, and to work with a therapist."""
    about: About = choice.about
    if choice.topic == "bed":
        care_here = about.ward.care
        return "bed" if care_here.modifier >= 0 or care_here.interval < NO_CARE.interval else "up"
    return choice.keys()[0]


def surgeon(choice: Choice[Any]) -> Given:
    """Stop the bleeding, restore blood in a crisis, operate as soon as it is over, then let nature work."""
    about: About = choice.about
    keys = choice.keys()
    if about.doctor is None:
        return _patient(choice)
    if about.bed.crisis:
        for key in ("bandage", "artificial blood", "whole blood", "infusion", "crude substitute", "operate"):
            if key in keys:
                return key
    return "operate" if "operate" in keys and not about.bed.body.operated else "rest"


def thorough(choice: Choice[Any]) -> Given:
    """As a surgeon, and operates again as long as there is anything left to mend; blood even where nobody is dying."""
    about: About = choice.about
    keys = choice.keys()
    if about.doctor is None:
        return _patient(choice)
    for key in ("bandage", "artificial blood", "whole blood", "infusion", "crude substitute", "operate"):
        if key in keys and (about.bed.crisis or key != "bandage"):
            return key
    return "rest"


def idle(choice: Choice[Any]) -> Given:
    """Leave everything to nature: no treatment, and nobody who helps with the exercises."""
    if choice.topic == "therapy":
        return "self-help"
    return _patient(choice) if choice.about.doctor is None else "rest"


TACTICS: Mapping[str, Tactic] = {"surgeon": surgeon, "thorough": thorough, "idle": idle}
"""The first is what anybody does who was given no tactic."""
