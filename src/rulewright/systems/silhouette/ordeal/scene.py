"""An ordeal as a scene: illness, withdrawal, radiation and wounds day by day (book lines 5593-5684, 5830-5916)."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, SceneView, Tag, Track
from rulewright.campaign.calendar import DAY
from rulewright.errors import UserError
from rulewright.files import set_at
from rulewright.grammar import figure
from rulewright.play import Choice, Given, Happened, Play, Range, Tactic, Tell, sub
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.hidden_state import Draw, Imagine
from rulewright.scenes.scenarios import Lasts, Placed, Scenario, counted
from rulewright.scenes.scene import Result, Scene
from rulewright.systems.silhouette.action.recovery import A_DAY, Course, follow
from rulewright.systems.silhouette.fight.aftermath import BODY, body_after
from rulewright.systems.silhouette.harm.body import BODY_LIMITS, Patient
from rulewright.systems.silhouette.hazards import addiction, disease, radiation
from rulewright.systems.silhouette.hazards.addiction import Care
from rulewright.systems.silhouette.hazards.drugs import wear_off
from rulewright.systems.silhouette.hazards.hazard_damage import suffer_wound
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.conditions import Habit, TakenIn

ORDEAL_SCENE = "ordeal"
MOST_DAYS = 365
HALF = 0.5


class Surroundings(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The `place` of a scenario file."""

    days: int = 7
    care: Care = "some"
    """Medical care: proper, some or none."""
    treatment: int = 0
    """Bonus of medicine to tests against withdrawal and radiation: 0 to 4."""
    counselling: int = 0
    drugs: tuple[str, ...] = ()
    """Drugs available here; everybody with that habit is tempted every day."""
    illness: str = ""
    """A disease that people may catch on the first day."""
    hygiene: int = 0
    rads_a_day: float = 0


class Sufferer(Struct, frozen=True, cache_hash=True):
    """A person in an ordeal: the body with its wounds, and its conditions."""

    name: str
    side: str
    psyche: int
    course: Course
    taken_in: TakenIn = TakenIn()
    rested: int = 0
    """Days without further rads."""

    @property
    def body(self) -> Patient:
        """Returns the present body."""
        return self.course.patient

    def with_body(self, body: Patient) -> "Sufferer":
        """Returns the person with another body."""
        return replace(self, course=replace(self.course, patient=body))

    @property
    def bedridden(self) -> bool:
        """Whether illness or withdrawal keeps the person in bed."""
        ill = any(infection.fever or infection.in_bed for infection in self.taken_in.infections)
        return ill or any(habit.bout.danger or habit.bout.incapacity for habit in self.taken_in.habits)


class Days(Struct, frozen=True, cache_hash=True):
    """The state of an ordeal between two days."""

    place: Surroundings
    people: tuple[Sufferer, ...]
    round: int = 0

    def put(self, item: Sufferer) -> "Days":
        """Returns the state with one person changed."""
        return replace(self, people=tuple([item if person.name == item.name else person for person in self.people]))

    def who(self, name: str) -> Sufferer:
        """Returns a person by name."""
        for person in self.people:
            if person.name == name:
                return person
        raise UserError(f"there is no {name!r} here; the people are {', '.join(person.name for person in self.people)}")


# --- a day --------------------------------------------------------------------------------------------------------------------


def next_day(rules: Ruleset, days: Days) -> Play[Days]:
    """Plays a day for everybody alive: radiation, disease, drugs and wounds."""
    for person in days.people:
        if not person.body.dead:
            days = days.put((yield from _play_day(rules, days, person)))
    return replace(days, round=days.round + 1)


def _play_day(rules: Ruleset, days: Days, rays: Sufferer) -> Play[Sufferer]:
    place, before = days.place, rays
    if not days.round and place.illness:
        rays = yield from _play_contact(rules, place, rays)
    rays = yield from _play_radiation(rules, place, rays)
    rays = yield from _play_illness(rules, place, rays)
    for habit in rays.taken_in.habits:
        if not rays.body.dead and (habit.dependent or habit.addicted or habit.bout.days):
            rays = yield from _play_habit(rules, place, rays, habit)
    if not rays.body.dead:
        course = yield from sub(follow, rules, rays.course, A_DAY, "constant" if place.care == "proper" else "none")
        healed = rays.body.deep + rays.body.flesh - course.patient.deep - course.patient.flesh
        if healed > 0:
            yield Tell(Happened(rays.name, f"recovers from {counted(healed, 'wound')}", "good"))
        rays = replace(rays, course=course)
        rays = rays.with_body((yield from wear_off(rays.body, A_DAY // 60)))
    after = rays.with_body(replace(rays.body, ill=0 if rays.body.dead else _penalty(rays)))
    if (after.body.ill, after.bedridden) != (rays.body.ill, before.bedridden) and not after.body.dead:
        how = "is bedridden" if after.bedridden else "is back on their feet" if before.bedridden else "is up"
        yield Tell(
            Happened(
                rays.name,
                f"{how}, {after.body.ill} on every test" if after.body.ill else f"{how}, without a penalty",
                "bad" if after.body.ill < rays.body.ill else "plain",
            )
        )
    return after


def _penalty(item: Sufferer) -> int:
    """Returns the combined penalty of illness, withdrawal and radiation."""
    ill = min([infection.penalty for infection in item.taken_in.infections], default=0)
    withdrawn = min([habit.bout.penalty for habit in item.taken_in.habits], default=0)
    return ill + withdrawn + radiation.sickness_of(item.taken_in.rad_sickness).lingering


def _play_contact(rules: Ruleset, place: Surroundings, result: Sufferer) -> Play[Sufferer]:
    if any(infection.illness == place.illness for infection in result.taken_in.infections):
        return result
    caught = yield from disease.catch(rules, result.body, place.illness, place.hygiene)
    if caught is None:
        return result
    return replace(result, taken_in=replace(result.taken_in, infections=(*result.taken_in.infections, caught)))


def _play_illness(rules: Ruleset, place: Surroundings, result: Sufferer) -> Play[Sufferer]:
    left = []
    for infection in result.taken_in.infections:
        body, later = yield from disease.one_day(rules, result.body, infection, place.care)
        result = result.with_body(body)
        if body.dead:
            return result
        if not later.over:
            left.append(later)
    return replace(result, taken_in=replace(result.taken_in, infections=tuple(left)))


def _play_radiation(rules: Ruleset, place: Surroundings, result: Sufferer) -> Play[Sufferer]:
    """Plays the day's rads and their test; or the daily recovery test, and at the end of a week the purging."""
    before = result.taken_in.rads
    if place.rads_a_day:
        result = replace(result, taken_in=radiation.irradiate(result.taken_in, place.rads_a_day), rested=0)
        if radiation.is_due(before, place.rads_a_day):
            return (yield from _irradiated(rules, result))
        return result
    result = replace(result, rested=result.rested + 1)
    if result.rested % 7 == 0 and before:
        result = replace(
            result, taken_in=(yield from radiation.purge_week(rules, result.body, result.taken_in, max(1, 2 * place.treatment)))
        )
    sick = result.taken_in.rad_sickness
    if sick:
        sickened = yield from sub(radiation.lingers, rules, result.body, sick, 1, place.treatment)
        result = result.with_body(sickened.patient)
        if sickened.recovered_on:
            result = replace(result, taken_in=replace(result.taken_in, rad_sickness=0))
    return result


def _irradiated(rules: Ruleset, result: Sufferer) -> Play[Sufferer]:
    irradiated = yield from radiation.rads_tell(rules, result.body, result.taken_in.rads)
    if irradiated.passed:
        return result
    result = replace(result, taken_in=radiation.remember(result.taken_in, irradiated.margin))
    if irradiated.strike != "none":
        for wound in radiation.STRIKES[irradiated.strike]:
            result = result.with_body((yield from suffer_wound(rules, result.body, wound, "radiation")))
        return result
    sick = radiation.sickness_of(irradiated.margin)
    if sick.fatal:
        return result.with_body((yield from suffer_wound(rules, result.body, "death", "radiation")))
    if not sick.lingering:
        return result
    return replace(result, taken_in=replace(result.taken_in, rad_sickness=max(result.taken_in.rad_sickness, irradiated.margin)))


def _play_habit(rules: Ruleset, place: Surroundings, item: Sufferer, habit: Habit) -> Play[Sufferer]:
    """Plays a day with a habit: if the drug is available, a dependent person is tempted and an addicted one takes it; otherwise a dose
    is missed."""
    taken = False
    if habit.drug in place.drugs and habit.dependent:
        offered = yield from addiction.turn_down(rules, item.body.willpower, habit, place.counselling, item.name)
        habit, taken = offered.habit, offered.taken
    if taken:
        yield Tell(Happened(item.name, f"takes {habit.drug}", "bad"))
        return replace(item, taken_in=item.taken_in.with_habit(addiction.takes_it_again(habit)))
    result = yield from sub(addiction.clean_day, rules, item.body, habit, place.treatment, place.care)
    if result.dead:
        item = item.with_body(replace(item.body, dead=True, trauma=None))
    return replace(item, taken_in=item.taken_in.with_habit(result.habit))


# --- the scene ----------------------------------------------------------------------------------------------------------------


def sufferer(rules: Ruleset, member: Placed) -> Sufferer:
    """Returns a person at the start, with the states of file and scenario."""
    person = Person.of(rules, member.character)
    body = replace(Patient.of_person(rules, person), name=member.name)
    data: dict[str, Any] = {**msgspec.to_builtins(body), "taken_in": msgspec.to_builtins(member.character.taken_in)}
    for field, value in member.state.items():
        if field.partition(".")[0] not in data:
            raise UserError(f"{member.name}: state has no field {field!r}{nearest(field, data)}")
        data = set_at(data, field, value)
    taken = member.started(data.pop("taken_in"), TakenIn)
    return Sufferer(member.name, member.side, person.attribute("psyche"), Course(member.started(data, Patient)), taken)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Days:
    """Starts the ordeal of a scenario."""
    place = scenario.ground(Surroundings)
    if not 1 <= place.days <= MOST_DAYS:
        raise UserError(f"place: an ordeal lasts 1 to {MOST_DAYS} days, not {place.days}")
    if place.rads_a_day < 0:
        raise UserError("place: rads_a_day must be at least 0")
    addiction.institution(place.treatment)
    addiction.counselling(place.counselling)
    disease.hygiene(place.hygiene)
    if place.illness:
        disease.ILLNESSES.get(rules, place.illness)
    for drug in place.drugs:
        addiction.HABITS.get(rules, drug)
    people = tuple([sufferer(rules, member) for member in members])
    if len({person.side for person in people}) != 1:
        raise UserError("everybody in an ordeal must be on the same side")
    return Days(replace(place, days=min(place.days, scenario.rounds)), people)


class OrdealScene(Scene[Days]):
    """An ordeal: every day is a step."""

    state_type = Days
    described = Surroundings
    kind = ORDEAL_SCENE
    seconds_a_round = DAY

    def step(self, state: Days) -> Play[Days]:
        return next_day(self.rules, state)

    def imagining(self, state: Days, side: str) -> Imagine[Days]:
        """Nobody but the gamemaster knows how many rads a person has taken in: a guess by the days and the place."""

        def guess(draw: Draw) -> Days:
            people = []
            for person in state.people:
                rads = round(state.place.rads_a_day * state.round * (HALF + draw()))
                people.append(replace(person, taken_in=replace(person.taken_in, rads=rads, most_rads=rads)))
            return replace(state, people=tuple(people))

        return guess

    def result(self, state: Days) -> Result | None:
        alive = [person for person in state.people if not person.body.dead]
        if not alive:
            return Result(None, "nobody has survived")
        if state.round >= state.place.days:
            lost = len(state.people) - len(alive)
            return Result(alive[0].side, f"{counted(state.place.days, 'day')} passed with {counted(lost, 'death')}")
        return None

    def sides(self, state: Days) -> Mapping[str, tuple[str, ...]]:
        return {state.people[0].side: tuple([person.name for person in state.people])}

    def out(self, state: Days) -> frozenset[str]:
        return frozenset(person.name for person in state.people if not person.body.able or person.bedridden)

    def join(self, state: Days, newcomer: Any, side: str) -> Days:
        if any(person.name == newcomer.name for person in state.people):
            raise UserError(f"there is already a {newcomer.name} here: choose another name")
        if side != state.people[0].side:
            raise UserError(f"everybody in an ordeal must be on the same side: {state.people[0].side}")
        return replace(state, people=(*state.people, sufferer(self.rules, Placed.coming(newcomer, side))))

    limits = BODY_LIMITS
    carries = (*BODY, "taken_in")

    def lasting(self, state: Days, who: str) -> Mapping[str, Lasts]:
        result = state.who(who)
        return {**body_after(result.body), **taken_in_after(result.taken_in)}

    def checked(self, state: Days) -> Days:
        for person in state.people:
            for habit in person.taken_in.habits:
                addiction.HABITS.get(self.rules, habit.drug)
            for infection in person.taken_in.infections:
                disease.ILLNESSES.get(self.rules, infection.illness)
        return state

    def view(self, state: Days, who: str | None) -> SceneView:
        headline = f"Day {min(state.round + 1, state.place.days)} of {state.place.days}, care: {state.place.care}"
        return SceneView("Ordeal", headline, tuple([_card(person, who is None) for person in state.people]))


def taken_in_after(taken: TakenIn) -> dict[str, Lasts]:
    """Returns a body's lasting conditions other than wounds."""
    habits = ", ".join([habit.drug for habit in taken.habits if habit.dependent or habit.addicted])
    ill = ", ".join([infection.illness for infection in taken.infections])
    return {
        "taken_in.rads": Lasts(taken.rads, f"{figure(taken.rads)} rads"),
        "taken_in.most_rads": Lasts(taken.most_rads, f"highest tally {figure(taken.most_rads)} rads"),
        "taken_in.worst_irradiation": Lasts(taken.worst_irradiation, f"worst failure against radiation: {taken.worst_irradiation}"),
        "taken_in.rad_sickness": Lasts(taken.rad_sickness, "sick from radiation" if taken.rad_sickness else "not sick from radiation"),
        "taken_in.habits": Lasts(
            [msgspec.to_builtins(candidate) for candidate in taken.habits], f"hooked on {habits}" if habits else "no habits"
        ),
        "taken_in.infections": Lasts(
            [msgspec.to_builtins(infection) for infection in taken.infections], f"infected: {ill}" if ill else "not infected"
        ),
    }


def weightless_after(taken: TakenIn) -> dict[str, Lasts]:
    """Returns how often somebody has got used to free fall, which no ordeal changes."""
    times = taken.weightless_before
    return {"taken_in.weightless_before": Lasts(times, f"{counted(times, 'recovery', 'recoveries')} from space sickness")}


def _card(item: Sufferer, all_of_it: bool) -> Card:
    """Returns the card of a person; only the gamemaster sees the rad tally."""
    body = item.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    pieces: list[AnyPiece] = [Track(body.system_shock, wounds, name="System Shock", rule="sil-2.3.3-system-shock")]
    if body.acting_penalty:
        pieces.append(Tag(str(body.acting_penalty), True, name="penalty", rule="sil-3.5.2-action-penalties"))
    if all_of_it and item.taken_in.rads:
        pieces.append(Tag(figure(item.taken_in.rads), True, name="rads", rule="sil-6.2.8-rad-tally"))
    for habit in item.taken_in.habits:
        if habit.addicted or habit.dependent:
            pieces.append(Tag(counted(habit.clean_days, "clean day"), habit.addicted, name=habit.drug, rule="sil-6.2.3-addiction"))
    states = (("dead", body.dead), ("in bed", item.bedridden and not body.dead), ("unconscious", not body.awake and not body.dead))
    pieces.extend([Tag(name=name) for name, holds in states if holds])
    return Card(item.name, item.side, tuple(pieces), not body.able)


# --- tactics ------------------------------------------------------------------------------------------------------------------


def firm(choice: Choice[Any]) -> Given:
    """Refuses drugs at any cost; saves Emergency Dice."""
    if isinstance(choice.options, Range):
        return choice.options.low
    return "refuse" if choice.topic == "craving" else choice.options[0].key


def weak(choice: Choice[Any]) -> Given:
    """Takes drugs when tempted; saves Emergency Dice."""
    return choice.options.low if isinstance(choice.options, Range) else choice.options[0].key


ORDEAL_TACTICS: Mapping[str, Tactic] = {"firm": firm, "weak": weak}
