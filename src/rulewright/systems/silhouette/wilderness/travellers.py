"""Travellers, the country they cross, and the start of a journey."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.files import set_at
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.silhouette.action.movement import Gait, sprint_of, unhurt_fastest, with_load
from rulewright.systems.silhouette.action.recovery import Course
from rulewright.systems.silhouette.drama.luck_targets import Shaken, with_genre
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.fatigue import RESTED, Weariness
from rulewright.systems.silhouette.harm.healing import Kind, Medic
from rulewright.systems.silhouette.people.characters import Person, skill_test
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

LOADS: dict[Gait | None, str] = {"jogging": "heavy load", "walking": "full load", None: "full load"}
"""Strain of a load by the pace it allows."""
WATCHES = ("morning", "afternoon", "night")


class Country(Struct, frozen=True, forbid_unknown_fields=True):
    """The `place` of a scenario file: distance to help, difficulty of foraging, and weather."""

    kilometres: float = 40.0
    days: int = 3
    forage: int = 4
    extreme_weather: bool = False
    genre: tuple[str, ...] = ()
    """The Genre Effects of the campaign: three to five, or none without Genre Points."""


class Traveller(Struct, frozen=True, cache_hash=True):
    """A traveller: fixed facts and present state."""

    name: str
    side: str
    sprint: int
    fastest: Gait | None
    survival: Pool
    medicine: int
    creativity: int
    complexity: int
    hero: bool
    course: Course
    weary: Weariness = RESTED
    hungry: int = 0
    """Days without food."""
    fortune: Fortune = ORDINARY
    genre_start: int = 0
    villain: bool = False
    insomniac: bool = False
    handling: tuple[Mod, ...] = ()
    """Modifiers of Perks and Flaws to a medic's work."""
    shaken: Shaken = Shaken()
    fading: tuple[tuple[Kind, int], ...] = ()
    """Fading bruises and the hours each still takes."""
    load: str = ""
    """The strain of a day's march with the load, if it is one."""
    weathered: bool = False
    """Whether the heat or cold of this day has counted."""

    @property
    def body(self) -> Patient:
        """Returns the present body."""
        return self.course.patient

    def with_body(self, body: Patient) -> "Traveller":
        """Returns the traveller with another body."""
        return replace(self, course=replace(self.course, patient=body))

    @property
    def medic(self) -> Medic:
        """Returns the traveller as a medic, with their own wounds and fatigue."""
        penalty, rage = self.body.acting_penalty, self.shaken.shift("creativity")
        traits = (*self.handling, rage) if rage.value else self.handling
        return Medic(self.name, self.medicine, self.creativity, self.complexity, penalty, 0, self.hero, 0, traits)


class Trek(Struct, frozen=True, cache_hash=True):
    """The state of a journey between two watches."""

    country: Country
    people: tuple[Traveller, ...]
    round: int = 0
    rounds: int = 9
    metres: float = 0.0
    fed: bool = True
    marches: int = 0
    """Watches of this day spent marching."""
    swayed: bool = False
    """Whether anybody is lucky or unlucky, or the campaign has Genre Points; otherwise nobody is asked."""

    def put(self, item: Traveller) -> "Trek":
        """Returns the journey with one traveller changed."""
        return replace(self, people=tuple([item if person.name == item.name else person for person in self.people]))

    def who(self, name: str) -> Traveller:
        """Returns a traveller by name."""
        for person in self.people:
            if person.name == name:
                return person
        raise UserError(f"there is no {name!r} in this party; the members are {', '.join(candidate.name for candidate in self.people)}")

    @property
    def watch(self) -> str:
        """Returns the time of day."""
        return WATCHES[self.round % 3]


def load_strain(rules: Ruleset, strength: int, kilograms: float) -> str:
    """Returns the strain of a day's march with this load; empty if it is none."""
    return LOADS.get(with_load(rules, strength, kilograms), "")


def traveller(rules: Ruleset, member: Placed, genre: tuple[str, ...] = (), characters: int = 1) -> Traveller:
    """Returns a person as a traveller."""
    person = Person.of(rules, member.character)
    unhurt = with_genre(rules, replace(Patient.of_person(rules, person), name=member.name), person, genre, characters)
    body, fortune, shocked = _apply_state(unhurt, Fortune.of(person), member)
    values = secondary_of(rules, person)
    weight = sum([item.weight for item in person.gear.other])
    medic = Medic.of(rules, person)
    return Traveller(
        member.name,
        member.side,
        sprint_of(rules, person),
        unhurt_fastest(rules, person, values["strength"].value, weight),
        skill_test(rules, person, "survival", "creativity"),
        medic.medicine,
        medic.attribute,
        medic.complexity,
        medic.hero,
        Course(body),
        Weariness(body.fatigue),
        fortune=fortune,
        genre_start=unhurt.genre_points,
        villain=person.role == "major npc",
        insomniac=any(flaw.name == "insomniac" for flaw in person.flaws),
        handling=medic.traits,
        load=load_strain(rules, values["strength"].value, weight),
        shaken=Shaken(person.attribute("psyche"), shocked),
    )


def _apply_state(body: Patient, fortune: Fortune, member: Placed) -> tuple[Patient, Fortune, bool]:
    """Applies the `state` of a scenario member to body, luck and shock."""
    data: dict[str, Any] = {**msgspec.to_builtins(body), "fortune": msgspec.to_builtins(fortune), "shocked": False}
    known = (*Patient.__struct_fields__, "fortune", "shocked")
    for field, value in member.state.items():
        if field.partition(".")[0] not in known:
            raise UserError(f"{member.name}: state has no field {field!r}{nearest(field, known)}")
        data = set_at(data, field, value)
    return member.started(data, Patient), member.started(data["fortune"], Fortune), member.started(data["shocked"], bool)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Trek:
    """Starts the journey of a scenario."""
    country = scenario.ground(Country)
    if country.days < 1 or country.kilometres <= 0:
        raise UserError("place: days must be at least 1 and kilometres above 0")
    placed = list(members)
    characters = sum([member.character.role == "pc" for member in placed])
    people = tuple([traveller(rules, member, country.genre, characters) for member in placed])
    if len({person.side for person in people}) != 1:
        raise UserError("everybody in the wilderness must be on the same side")
    luck = bool(country.genre) or any(person.fortune != ORDINARY for person in people)
    return Trek(country, people, rounds=min(scenario.rounds, 3 * country.days), swayed=luck)
