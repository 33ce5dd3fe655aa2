"""The state of a chase: runners, course and start (book lines 2079-2104)."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.field.chase_track import ahead, refuse_without_way, spot_along, way_of
from rulewright.field.field import Spot
from rulewright.field.ground import BARE, Ground
from rulewright.field.people import Ends
from rulewright.files import set_at
from rulewright.grammar import join
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import OfSide, Placed, Scenario
from rulewright.systems.silhouette.action.chase import OBSTACLES, Runner
from rulewright.systems.silhouette.action.movement import Gait, unhurt_fastest
from rulewright.systems.silhouette.drama.luck_targets import Shaken, with_genre
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.resolution.modifiers import CHASE


class Stretch(Struct, frozen=True, forbid_unknown_fields=True):
    """One round's stretch of the course: its conditions, an obstacle that the prey may cross, and a bend in degrees."""

    conditions: tuple[str, ...] = ()
    obstacle: str = ""
    bend: int = 0


class Course(Struct, frozen=True, forbid_unknown_fields=True):
    """The course from a scenario file; the last stretch repeats."""

    prey: OfSide
    """The side that is chased."""
    lead: float = 10.0
    sight: float = 60.0
    course: tuple[Stretch, ...] = (Stretch(),)
    genre: tuple[str, ...] = ()
    """The Genre Effects of the campaign: three to five, or none without Genre Points."""


class Racer(Struct, frozen=True, cache_hash=True):
    """A runner: dice, speed, and for a pursuer the gap to the prey in metres."""

    runner: Runner
    side: str
    body: Patient
    sprint: int
    fastest: Gait | None = "sprinting"
    gap: float = 0.0
    speed: float = 0.0
    """Metres run this round."""
    out: bool = False
    fortune: Fortune = ORDINARY
    genre_start: int = 0
    villain: bool = False
    eased: tuple[int, int] = (0, 0)
    """Flesh and Deep Wounds whose penalty is suppressed until the chase is over (Inner Well of Strength)."""
    shaken: Shaken = Shaken()

    @property
    def name(self) -> str:
        """The runner's name."""
        return self.runner.name


class Pursuit(Struct, frozen=True, cache_hash=True):
    """The state of a chase between two rounds."""

    course: Course
    prey: Racer
    pursuers: tuple[Racer, ...]
    round: int = 0
    rounds: int = 50
    surrendered: bool = False
    facing: tuple[str, ...] = ()
    """Pursuers who still have to cross the obstacle that the prey crossed."""
    taken: Total | None = None
    """The prey's result at the obstacle: one test counts against all who follow."""
    swayed: bool = False
    """Whether anyone is lucky or unlucky, or the campaign has Genre Points; if not, nobody is asked."""
    map: Ground = BARE
    """The map with the path of the chase; empty without a map."""
    ends: Ends = "to the end"
    """With "by morale", runners who are shaken are asked every round whether they go on."""
    resolved: int = 0
    """The last round in which they were asked."""

    @property
    def stretch(self) -> Stretch:
        """The stretch of this round."""
        return self.course.course[min(self.round, len(self.course.course) - 1)]

    def spot(self, racer: Racer) -> Spot:
        """A runner's place on the map: the prey by its progress through the course, the others behind by their gap."""
        way = way_of(self.map)
        return spot_along(way, ahead(way, self.round / len(self.course.course), self.course.lead) - racer.gap)

    def obstacles(self) -> list[tuple[str, Spot]]:
        """The obstacles on the map, each in the middle of its stretch."""
        way, count = way_of(self.map), len(self.course.course)
        return [
            (stretch.obstacle, spot_along(way, ahead(way, (number + 0.5) / count, self.course.lead)))
            for number, stretch in enumerate(self.course.course)
            if stretch.obstacle and way
        ]

    @property
    def chasing(self) -> list[Racer]:
        """Those who are still after the prey."""
        return [racer for racer in self.pursuers if not racer.out]

    @property
    def everybody(self) -> tuple[Racer, ...]:
        """Prey and pursuers."""
        return (self.prey, *self.pursuers)

    def put(self, racer: Racer) -> "Pursuit":
        """The chase with a runner changed."""
        if racer.name == self.prey.name:
            return replace(self, prey=racer)
        return replace(self, pursuers=tuple([racer if pursuer.name == racer.name else pursuer for pursuer in self.pursuers]))

    def racer(self, name: str) -> Racer:
        """A runner by name."""
        for racer in self.everybody:
            if racer.name == name:
                return racer
        raise UserError(f"there is no {name!r} in this chase; its runners are {join([racer.name for racer in self.everybody])}")


def racer_of(rules: Ruleset, member: Placed, gap: float, genre: tuple[str, ...] = (), characters: int = 1) -> Racer:
    person = Person.of(rules, member.character)
    body = with_genre(rules, replace(Patient.of_person(rules, person), name=member.name), person, genre, characters)
    strength = secondary_of(rules, person)["strength"].value
    fastest = unhurt_fastest(rules, person, strength, sum([item.weight for item in person.gear.other]))
    runner = replace(Runner.of(rules, person), name=member.name)
    sprint = int(Runner.of(rules, person, "sprinting").speed)
    racer = Racer(
        runner,
        member.side,
        body,
        sprint,
        fastest,
        gap,
        fortune=Fortune.of(person),
        genre_start=body.genre_points,
        villain=person.role == "major npc",
        shaken=Shaken(person.attribute("psyche")),
    )
    if not member.state:
        return racer
    data: dict[str, Any] = msgspec.to_builtins(racer)
    known = ("gap", "fastest", "fortune", "shocked", *Patient.__struct_fields__)
    for field, value in member.state.items():
        head = field.partition(".")[0]
        if head not in known:
            raise UserError(f"{member.name}: state has no field {field!r}{nearest(field, known)}")
        inside = "shaken." if head == "shocked" else "body." if head in Patient.__struct_fields__ else ""
        data = set_at(data, f"{inside}{field}", value)
    return member.started(data, Racer)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Pursuit:
    """The chase at the start of a scenario: one runner is chased by all others."""
    course = scenario.ground(Course)
    area = refuse_without_way(scenario.map or BARE if not isinstance(scenario.map, str) else BARE)
    for stretch in course.course:
        for condition in stretch.conditions:
            CHASE.get(rules, condition)
        if stretch.obstacle:
            OBSTACLES.get(rules, stretch.obstacle)
    if not course.course:
        raise UserError("place.course: a chase needs at least one stretch of ground")
    prey_side = course.prey
    if prey_side not in scenario.sides:
        raise UserError(f"place.prey: {prey_side!r} is not a side; the sides are {join(list(scenario.sides))}")
    placed = list(members)
    chased = [member for member in placed if member.side == prey_side]
    if len(chased) != 1 or len(placed) < 2 or len(scenario.sides) != 2:
        raise UserError("a chase needs exactly one runner on the chased side, and at least one pursuer on the other")
    characters = sum([member.character.role == "pc" for member in placed])
    prey = racer_of(rules, chased[0], 0.0, course.genre, characters)
    pursuers = tuple([racer_of(rules, member, course.lead, course.genre, characters) for member in placed if member is not chased[0]])
    luck = bool(course.genre) or any(racer.fortune != ORDINARY for racer in (prey, *pursuers))
    return Pursuit(course, prey, pursuers, rounds=scenario.rounds, swayed=luck, map=area, ends=scenario.ends)
