"""Pursuers: riders, their vehicles, and the whole pursuit. All of it is plain, immutable and hashable."""

from collections.abc import Iterable
from math import ceil
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.chase_track import ahead, refuse_without_way, way_of
from rulewright.field.ground import BARE, Ground
from rulewright.field.people import Ends
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import OfSide, Placed, Scenario
from rulewright.systems.foresight.combat.arms import Profile, Weapon, profile_of
from rulewright.systems.foresight.combat.fighters import UNJAMMED
from rulewright.systems.foresight.gear.vehicles import CONTACT_LOST, SCALES, TYPES, Medium, machine, slowest_bid
from rulewright.systems.foresight.harm.body import DEAD, DYING, Patient
from rulewright.systems.foresight.people.abilities import ability_task, still_strange
from rulewright.systems.foresight.people.characters import Character, Person
from rulewright.systems.foresight.people.skills import familiarities
from rulewright.systems.foresight.pursuit.craft import ON_FOOT, Craft, craft_of, driving_skill
from rulewright.systems.foresight.pursuit.rules import Gap
from rulewright.systems.foresight.resolution.locations import Location
from rulewright.systems.foresight.resolution.situations import AWARENESS, awareness
from rulewright.systems.foresight.resolution.tests import Mod, Task

Phase = Literal["initiative", "bids", "turns"]
FARTHEST_START = 5
UNPREPARED: dict[str, Any] = {"aim": 0, "aim_at": "", "just_hit": "", "feints": 0, "windups": 0}
"""What stun takes from a rider, as in any fight: whatever has to come right before an attack."""


class Trick(Struct, frozen=True, forbid_unknown_fields=True):
    """Something risky that the place allows: its modifier, the ratings that count, and the steps it gains."""

    name: str
    modifier: int = 0
    gains: int = 1
    acc: bool = False
    man: bool = True
    size: bool = False


class Course(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Where the pursuit goes: its scale and medium, the terrain, the range it begins at, who flees, and what the place allows."""

    scale: str = "car"
    medium: Medium | None = None
    """Among vehicles of which medium they are compared; that of the quarry's own unless it is named."""
    terrain: str = ""
    range: int = 2
    flees: OfSide = ""
    shortcuts: bool = False
    """Whether pursuers further behind can cut corners instead of making a quick turn."""
    tricks: tuple[Trick, ...] = ()
    environment: str = "Urban"
    gravity: float = 1.0


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario says about a person in a pursuit."""

    vehicle: str = "Automobile"
    type: str = ""
    modifications: tuple[str, ...] = ()
    aboard: str = ""
    """Whose vehicle they ride in; everything about a vehicle is then said there."""
    skill: str = ""
    driving: int = 0
    """What traffic, weather and the like do to the driving."""
    awareness: str = ""
    """A row of the initiative modifiers."""
    range: int | None = None
    armor: int = 0
    autopilot: bool = False
    weapon: str = ""
    """The weapon at hand; none are unless it is named."""
    open: bool | None = None
    """Whether riders can strike and be struck from beside the vehicle; saddles and two wheels are open unless it is said."""


class Rider(Struct, frozen=True, cache_hash=True):
    """A person in a vehicle, with the weapon at hand; their body is aboard the craft."""

    profile: Profile
    search: Task
    hand: int = 0
    """The weapon at hand among those of the profile; 0, bare hands, is none."""
    ammo: int = 0
    reloading: int = 0
    jam: int = UNJAMMED
    shots: int = 0
    cocked: bool = True
    """Whether a weapon that has to be made ready between shots is."""
    begun: bool = False
    """Whether the first of two fire actions for a burst is done, where a burst takes two."""
    aim: int = 0
    aim_at: str = ""
    just_hit: str = ""
    """Whose vehicle the shot right before this one hit."""
    focus: str = ""
    """The operator of the vehicle that is watched."""
    qr: int = 0
    """The initiative rating in force, as long as it may matter."""
    rolled: int = 0
    """This turn's rating of a person who waited over from the last; it counts from the own turn on."""
    held: int = 0
    """Actions kept back by a person who waits."""
    spent: int = 0
    """Actions done this turn before the own turn came."""
    roused: bool = False
    """Whether grave wounds have been overcome this turn already, by coming to."""
    tried: bool = False
    """Whether bonus actions were rolled for this turn."""
    bonus: str = ""
    bonuses: int = 0
    sighted: bool = False
    """Whether the laser sight's own aim action of this turn is used."""
    blows: int = 0
    dodges: int = 0
    parries: int = 0
    drawing: int = 0
    """The weapon that is being drawn, and how many actions of it are done."""
    drawn: int = 0
    feints: int = 0
    windups: int = 0
    """Feints and wind-ups right before the next blow."""
    lost: tuple[int, ...] = ()
    """Weapons that were let go of and lie on the road."""
    acted: bool = False
    """Whether a person who waits has acted this turn already: only the first action may come before another's."""

    @property
    def name(self) -> str:
        """The name of the person."""
        return self.profile.name

    @property
    def arms(self) -> tuple[Location, ...]:
        """The arms that the weapon at hand is used with."""
        main: tuple[Location, Location] = ("left arm", "right arm") if self.profile.left_handed else ("right arm", "left arm")
        return main if self.hand and self.profile.weapons[self.hand].hands != "1" else main[:1]

    @property
    def drawable(self) -> tuple[int, ...]:
        """The weapons that empty hands can draw."""
        return () if self.hand else tuple([at for at in range(1, len(self.profile.weapons)) if at not in self.lost])

    @property
    def weapon(self) -> Weapon | None:
        """The weapon at hand, where there is one."""
        return self.profile.weapons[self.hand] if self.hand else None


class Runner(Struct, frozen=True, cache_hash=True):
    """A vehicle in the pursuit with its riders, the operator first; a pursuer has a gap to the quarry."""

    side: str
    craft: Craft
    driving: Task
    riders: tuple[Rider, ...]
    gap: Gap | None = None
    bid: int = 0
    autopilot: bool = False
    left: Literal["", "withdraw", "surrender"] = ""
    """How it left the pursuit by its own will."""

    @property
    def name(self) -> str:
        """A vehicle is called after its operator."""
        return self.riders[0].name

    @property
    def out(self) -> bool:
        """Stopped, left behind, or out of it by its own will."""
        return bool(self.left) or self.craft.stopped or (self.gap is not None and self.gap.lost)

    def safest(self, rules: Ruleset) -> int:
        """The fastest bid that is still safe."""
        return min(slowest_bid(rules), ceil(self.craft.safe))

    def busy(self, seat: int) -> bool:
        """Whether a passenger has anything to do: a weapon at hand or to draw, or a person within an arm's reach who may come beside."""
        rider = self.riders[seat]
        return bool(rider.hand or rider.drawable or self.craft.open)

    def body(self, seat: int) -> Patient:
        """The body of a rider."""
        return self.craft.aboard[seat]

    def with_body(self, seat: int, body: Patient) -> "Runner":
        """The same with a rider's body changed."""
        people = (*self.craft.aboard[:seat], body, *self.craft.aboard[seat + 1 :])
        return replace(self, craft=replace(self.craft, aboard=people))

    def with_rider(self, seat: int, **changes: Any) -> "Runner":
        """The same with a rider changed."""
        rider = replace(self.riders[seat], **changes)
        return replace(self, riders=(*self.riders[:seat], rider, *self.riders[seat + 1 :]))


class Place(Struct, frozen=True):
    """A person's turn: which vehicle, which seat, and how many actions the initiative roll left."""

    runner: int
    seat: int
    actions: int


class Chase(Struct, frozen=True, cache_hash=True):
    """The whole pursuit, the quarry first."""

    course: Course
    runners: tuple[Runner, ...]
    phase: Phase = "initiative"
    order: tuple[Place, ...] = ()
    """A person who has still to act this turn, the best initiative first."""
    round: int = 1
    limit: int = 50
    map: Ground = BARE
    """Where it goes on, with a way along which it goes; bare where the scenario has no map."""
    ends: Ends = "to the end"
    """With "by morale", those who are shaken are asked every turn whether they go on."""
    resolved: int = 0
    """The last turn in which they were asked."""

    def metres_ahead(self, lead: float) -> float:
        """How far along the way of the map the quarry is: every turn is an equal part of it."""
        return ahead(way_of(self.map), (self.round - 1) / max(1, self.limit), lead)

    @property
    def quarry(self) -> Runner:
        """The fleeing vehicle."""
        return self.runners[0]

    @property
    def pursuers(self) -> tuple[Runner, ...]:
        """All who pursue."""
        return self.runners[1:]

    @property
    def over(self) -> bool:
        """Whether the quarry is stopped, or nobody follows any more."""
        return self.quarry.out or all(runner.out for runner in self.pursuers)

    def put(self, number: int, runner: Runner) -> "Chase":
        """The same with a vehicle changed."""
        return replace(self, runners=(*self.runners[:number], runner, *self.runners[number + 1 :]))

    def between(self, number: int, other: int) -> Gap | None:
        """The gap between two vehicles, where it is known: one of them is the quarry."""
        return self.runners[max(number, other)].gap if min(number, other) == 0 else None


# --- how a pursuit begins -----------------------------------------------------------------------------------------------------


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Chase:
    """The pursuit in which a scenario begins: one vehicle flees, all others pursue."""
    course = scenario.ground(Course)
    SCALES.get(rules, course.scale)
    area = refuse_without_way(scenario.map or BARE if not isinstance(scenario.map, str) else BARE)
    flees = course.flees or next(iter(scenario.sides))
    if flees not in scenario.sides:
        raise UserError(f"place.flees: {flees!r} is no side; the sides are {', '.join(scenario.sides)}")
    runners: list[Runner] = []
    people = [(member, started(member)) for member in members]
    if course.medium is None:
        first = next((start for member, start in people if member.side == flees and not start.aboard), Start())
        course = replace(course, medium=TYPES.get(rules, first.type or machine(rules, first.vehicle).types[0]).medium)
    for member, start in people:
        if not start.aboard:
            runners.append(entering(rules, course, member, start, member.side == flees))
    for member, start in people:
        if start.aboard:
            runners = _seated(rules, course, runners, member, start)
    fleeing = [runner for runner in runners if runner.gap is None]
    if len(fleeing) != 1 or len(runners) < 2:
        raise UserError(f"one vehicle flees and others pursue; here {len(fleeing)} flee and {len(runners) - len(fleeing)} pursue")
    pursuing = [runner for runner in runners if runner.gap is not None]
    return Chase(course, (fleeing[0], *pursuing), limit=scenario.rounds, map=area, ends=scenario.ends)


def started(member: Placed) -> Start:
    """The scenario's entries about a member, except for the body."""
    bodily = {*Patient.__struct_fields__} - {*Start.__struct_fields__}
    own = {field: value for field, value in member.state.items() if field not in bodily}
    return member.started(own, Start)


def entering(rules: Ruleset, course: Course, member: Placed, start: Start, flees: bool) -> Runner:
    """A person with a vehicle of their own."""
    rider, body = riding(rules, course, member, start)
    person = Person.of(rules, member.character)
    skill = start.skill or driving_skill(rules, start.vehicle, start.type, course.medium)
    known = sum(
        [familiarity.ability == skill and familiarity.subject in (start.vehicle, start.type) for familiarity in person.familiarities]
    )
    driving = ability_task(rules, person, skill, course.environment, course.gravity, in_peril=True).plus(
        Mod("conditions", start.driving), familiarities(rules, known), *still_strange(person, start.vehicle, start.type or start.vehicle)
    )
    called = member.name if start.vehicle in ON_FOOT else f"{member.name}'s {start.vehicle}"
    craft = craft_of(
        rules,
        called,
        start.vehicle,
        course.terrain,
        modifications=start.modifications,
        type=start.type,
        medium=course.medium,
        aboard=(body,),
        armor=start.armor,
    )
    craft = craft if start.open is None else replace(craft, open=start.open)
    begins = course.range if start.range is None else start.range
    if not 0 <= begins <= FARTHEST_START:
        raise UserError(f"a pursuit begins at range 0 to {FARTHEST_START}, not {begins}")
    return Runner(member.side, craft, driving, (rider,), None if flees else Gap(begins), autopilot=start.autopilot)


def riding(rules: Ruleset, course: Course, member: Placed, start: Start) -> tuple[Rider, Patient]:
    """A person as a rider, and their body."""
    character = member.character
    if not isinstance(character, Character):
        raise UserError(f"{member.name} is not a character; only characters take part in a pursuit")
    person = Person.of(rules, character)
    left = character.handed == "left"
    profile = profile_of(rules, person, member.name, member.side, left=left, environment=course.environment, gravity=course.gravity)
    if start.awareness:
        if start.awareness not in AWARENESS(rules):
            raise UserError(f"{member.name}: there is no awareness {start.awareness!r}{nearest(start.awareness, AWARENESS(rules))}")
        profile = replace(profile, initiative=profile.initiative.plus(awareness(rules, start.awareness)))
    search = ability_task(rules, person, "Search", course.environment, course.gravity, in_peril=True)
    hand = 0
    if start.weapon:
        names = [weapon.name for weapon in profile.weapons[1:]]
        if start.weapon not in names:
            raise UserError(f"{member.name} has no {start.weapon!r} to use; there are {', '.join(names) or 'none'}")
        hand = names.index(start.weapon) + 1
    result = profile.weapons[hand]
    ammo = result.ammo if result.loaded is None else result.loaded
    body = msgspec.to_builtins(replace(Patient.of_person(rules, person), name=member.name))
    for field, value in member.state.items():
        if field in body and field not in Start.__struct_fields__:
            body[field] = value
    patient = member.started(body, Patient)
    dead, senseless = patient.dead or patient.wounds >= DEAD, patient.unconscious or patient.wounds >= DYING
    return Rider(profile, search, hand, ammo if hand else 0), replace(patient, dead=dead, unconscious=senseless)


def _seated(rules: Ruleset, course: Course, runners: list[Runner], member: Placed, start: Start) -> list[Runner]:
    names = [runner.name for runner in runners]
    if start.aboard not in names:
        raise UserError(f"{member.name}: nobody called {start.aboard!r} has a vehicle here{nearest(start.aboard, names)}")
    number = names.index(start.aboard)
    if runners[number].side != member.side:
        raise UserError(f"{member.name} rides with {start.aboard}, who is on another side")
    return [*runners[:number], boarded(rules, course, runners[number], member, start), *runners[number + 1 :]]


def boarded(rules: Ruleset, course: Course, runner: Runner, member: Placed, start: Start) -> Runner:
    """A vehicle with one more rider."""
    rider, body = riding(rules, course, member, start)
    craft = replace(runner.craft, aboard=(*runner.craft.aboard, body))
    return replace(runner, craft=craft, riders=(*runner.riders, rider))


def levelled(runner: Runner) -> Runner:
    """A vehicle that is out of the pursuit, with everything forgotten that cannot matter any more."""
    if not runner.out:
        return runner
    aboard = tuple([Patient(body.name) for body in runner.craft.aboard])
    riders = tuple([Rider(rider.profile, rider.search, rider.hand) for rider in runner.riders])
    gap = None if runner.gap is None else Gap(CONTACT_LOST)
    craft = replace(runner.craft, level=4, aboard=aboard)
    return replace(runner, craft=craft, riders=riders, gap=gap, bid=0, left="")
