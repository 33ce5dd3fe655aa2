"""Days in the wilderness with somebody hurt: marching, camping and treating, watch after watch (book lines 2509-2610).

There are three watches to a day, of eight hours each. Wounds run by their own clocks meanwhile, and whoever marches may open them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.encounter import Result, Scene
from rulewright.errors import Wrong
from rulewright.pieces import AnyPiece, Card, Clock, SceneView, Tag, Track
from rulewright.play import Choice, Given, Option, Play, Tactic, Tell, sub
from rulewright.rules import Ruleset, nearest
from rulewright.scenarios import Lasts, Placed, Scenario
from rulewright.systems.silhouette.aftermath import BODY, body_after
from rulewright.systems.silhouette.body import secondary_of
from rulewright.systems.silhouette.characters import Person, skill_test
from rulewright.systems.silhouette.fatigue import RESTED, Weariness, rest, rested, strain, tire
from rulewright.systems.silhouette.harm import Changed
from rulewright.systems.silhouette.healing import Medic, exert, next_to_treat, resuscitate, stabilize
from rulewright.systems.silhouette.injury import Patient
from rulewright.systems.silhouette.movement import MOVES, Gait, fastest_of, slower, sprint, unhurt_fastest
from rulewright.systems.silhouette.recovery import Course, follow
from rulewright.systems.silhouette.resolution import Mod, Pool
from rulewright.systems.silhouette.rounds import SECONDS
from rulewright.systems.silhouette.tasks import run_test

WILDERNESS_SCENE = "wilderness"
WATCH = 8 * 60
"""Minutes of a watch."""
MARCH = 6 * 60
"""Minutes that a watch on the march is spent walking."""
WATCHES = ("morning", "afternoon", "night")
ATTEMPTS = 6
"""How often somebody is treated in one watch at camp."""


class Country(Struct, frozen=True, forbid_unknown_fields=True):
    """The country as a scenario file describes it: how far help is, how hard the land feeds people, and the weather."""

    kilometres: float = 40.0
    days: int = 3
    forage: int = 4
    extreme_weather: bool = False


class Traveller(Struct, frozen=True, cache_hash=True):
    """Somebody under way: what never changes, and how they fare."""

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

    @property
    def body(self) -> Patient:
        """The body as it is now."""
        return self.course.patient

    @property
    def medic(self) -> Medic:
        """This one as a medic, with one's own wounds and fatigue."""
        return Medic(self.name, self.medicine, self.creativity, self.complexity, self.body.acting_penalty, 0, self.hero)


class Trek(Struct, frozen=True, cache_hash=True):
    """The whole journey at one moment, between two watches."""

    country: Country
    people: tuple[Traveller, ...]
    round: int = 0
    rounds: int = 9
    metres: float = 0.0
    fed: bool = True
    marches: int = 0
    """Watches of this day that were spent on the march."""

    def put(self, one: Traveller) -> "Trek":
        """The journey with somebody changed."""
        return replace(self, people=tuple([one if each.name == one.name else each for each in self.people]))

    def who(self, name: str) -> Traveller:
        """Somebody by name."""
        return next(each for each in self.people if each.name == name)

    @property
    def watch(self) -> str:
        """The time of day."""
        return WATCHES[self.round % 3]


def traveller(rules: Ruleset, member: Placed) -> Traveller:
    """A person under way."""
    person = Person.of(rules, member.character)
    body = replace(Patient.of_person(rules, person), name=member.name)
    for field, value in member.state.items():
        if field not in Patient.__struct_fields__:
            raise Wrong(f"{member.name}: state has no field {field!r}{nearest(field, Patient.__struct_fields__)}")
        try:
            body = msgspec.convert({**msgspec.to_builtins(body), field: value}, Patient)
        except msgspec.ValidationError as error:
            raise Wrong(f"{member.name}: state: {error}") from None
    values = secondary_of(rules, person)
    weight = sum([item.weight for item in person.gear.other])
    best = person.best("medicine")
    return Traveller(
        member.name,
        member.side,
        sprint(rules, person.attribute("fitness"), person.level("athletics")).value,
        unhurt_fastest(rules, person, values["strength"].value, weight),
        skill_test(rules, person, "survival", "creativity"),
        person.level(best),
        person.attribute("creativity"),
        person.complexity.get(best, 1),
        person.hero,
        Course(body),
        Weariness(body.fatigue),
    )


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Trek:
    """The journey in which a scenario begins."""
    try:
        country = msgspec.convert(scenario.place, Country)
    except msgspec.ValidationError as error:
        raise Wrong(f"place: {error}") from None
    if country.days < 1 or country.kilometres <= 0:
        raise Wrong("place: a journey takes at least a day and goes somewhere")
    people = tuple([traveller(rules, member) for member in members])
    if len({one.side for one in people}) != 1:
        raise Wrong("in the wilderness everybody is on one side")
    return Trek(country, people, rounds=min(scenario.rounds, 3 * country.days))


# --- a watch ------------------------------------------------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """What a decision under way is about."""

    trek: Trek
    name: str


_PLANS: tuple[Option[str], ...] = (
    Option("camp", "Make camp: rest, and treat wounds", "camp"),
    Option("march", "March on", "march"),
    Option("forage", "Look for food", "forage"),
)


def next_watch(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """Eight hours: the party decides, does it, and the wounds run on meanwhile."""
    leader = next((one for one in trek.people if one.body.able), None)
    plan = "camp"
    if leader is not None and any(one.body.able for one in trek.people):
        plan = yield from Choice(leader.name, f"What do you do this {trek.watch}?", _PLANS, Question(trek, leader.name), "plan")
    yield Tell(Changed("The party" if len(trek.people) > 1 else trek.people[0].name, f"spends the {trek.watch}: {plan}"))
    if plan == "march":
        trek = yield from march(rules, trek)
    elif plan == "forage":
        trek = yield from look_for_food(rules, trek)
    else:
        trek = yield from camp(rules, trek)
    return _next_day(rules, replace(trek, round=trek.round + 1), plan)


def pace_of(rules: Ruleset, trek: Trek) -> float:
    """Metres a round that the slowest of the party walks; those who are carried hold the others to a crawl's worth (ruling)."""
    rates = []
    for one in trek.people:
        if one.body.dead:
            continue
        gait: Gait = "crawling"
        if one.body.able and one.fastest is not None:
            gait = slower("walking", slower(one.fastest, fastest_of(rules, one.body)))
        over, under = MOVES.get(rules, gait).share
        rates.append(one.sprint * over / under)
    return min(rates, default=0.0)


def march(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """Six hours on foot at the pace of the slowest: that is more than bed rest, and opens stabilized Deep Wounds again."""
    metres = pace_of(rules, trek) * MARCH * 60 / SECONDS
    trek = replace(trek, metres=round(trek.metres + metres, 1), marches=trek.marches + 1)
    for one in trek.people:
        body = yield from exert(rules, one.body, "light")
        trek = trek.put(replace(one, course=replace(one.course, patient=body)))
    yield Tell(Changed("The way", f"so far: {trek.metres / 1000:.1f} of {trek.country.kilometres:g} km"))
    return (yield from time_goes_by(rules, trek, WATCH))


def look_for_food(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """The best of those who can look for food: Survival against what the land gives; a find feeds everybody for a day."""
    able = [one for one in trek.people if one.body.able]
    finder = max(able, key=lambda one: (one.survival.dice, one.survival.modifier + one.body.acting_penalty))
    pool = finder.survival.plus(Mod("wounds and fatigue", finder.body.acting_penalty, "sil-3.5.2-action-penalties"))
    came = yield from run_test(rules, pool, trek.country.forage, finder.name, "looking for food")
    if came.passed:
        trek = replace(trek, fed=True)
    return (yield from time_goes_by(rules, trek, WATCH))


def camp(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """At camp the best medic treats whoever needs it most, again and again; then all rest, and sleep at night."""
    for _ in range(ATTEMPTS):
        worst = _worst(trek)
        if worst is None:
            break
        trek = yield from _treat(rules, trek, worst)
    trek = yield from time_goes_by(rules, trek, WATCH, nursed=True)
    for one in trek.people:
        if trek.watch == "night":
            weary = rest(rules, one.weary, "a night of sound sleep")
        else:
            weary = rest(rules, one.weary, "half an hour of quiet", 2 * WATCH // 60)
        course = replace(one.course, patient=rested(one.body, weary))
        trek = trek.put(replace(one, weary=weary, course=course))
    return trek


def _worst(trek: Trek) -> Traveller | None:
    """Who needs a medic most: the dying first, then whoever has the worst open wounds."""
    dying = [one for one in trek.people if one.body.trauma is not None and not one.body.dead]
    if dying:
        return min(dying, key=lambda one: (one.body.trauma or 0, one.name))
    hurt = [one for one in trek.people if not one.body.dead and next_to_treat(one.body) is not None]
    return min(hurt, key=lambda one: (one.body.open_penalty, one.name), default=None)


def _treat(rules: Ruleset, trek: Trek, patient: Traveller) -> Play[Trek]:
    """One attempt of the best medic, who may have to treat himself; it takes five minutes."""
    able = [one for one in trek.people if one.body.able]
    if not able:
        return trek
    doctor = max(able, key=lambda one: (one.name != patient.name, one.medicine, one.creativity))
    if doctor.name != patient.name and doctor.medicine < patient.medicine and patient.body.able:
        doctor = patient
    medic = doctor.medic if doctor.name != patient.name else doctor.medic.treating_oneself(patient.body)
    if patient.body.trauma is not None:
        body = yield from sub(resuscitate, rules, medic, patient.body)
    else:
        body = yield from sub(stabilize, rules, medic, patient.body)
    return trek.put(replace(patient, course=replace(patient.course, patient=body)))


def time_goes_by(rules: Ruleset, trek: Trek, minutes: int, nursed: bool = False) -> Play[Trek]:
    """Everybody's wounds run on by their clocks; in camp somebody else who knows medicine is aid enough."""
    for one in trek.people:
        if not one.body.dead:
            aid = nursed and any(o.body.able and o.medicine > 0 and o.name != one.name for o in trek.people)
            care = "constant" if aid else "none"
            course = yield from sub(follow, rules, one.course, minutes, care)
            trek = trek.put(replace(one, course=course))
    return trek


def _next_day(rules: Ruleset, trek: Trek, plan: str) -> Trek:
    """The end of a day: two marches make a day of walking, a night without camp is a night without sleep, and a day without food
    weighs like one of hard work (ruling)."""
    if trek.round % 3:
        return trek
    weather = trek.country.extreme_weather
    for one in trek.people:
        hungry = 0 if trek.fed else one.hungry + 1
        strains = [("walking", trek.marches / 2)]
        if plan != "camp":
            strains.append(("missed sleep", 1.0))
        if hungry:
            strains.append(("hard work", 8.0))
        body, weary = one.body, one.weary
        for what, amount in strains:
            body, weary = tire(rules, body, weary, what, strain(rules, what, amount, weather, body.armor > 0).value)
        trek = trek.put(replace(one, hungry=hungry, weary=weary, course=replace(one.course, patient=body)))
    return replace(trek, fed=False, marches=0)


# --- the scene ----------------------------------------------------------------------------------------------------------------


class WildernessScene(Scene[Trek]):
    """Days under way: every watch is a step."""

    state_type = Trek
    kind = WILDERNESS_SCENE

    def step(self, state: Trek) -> Play[Trek]:
        return next_watch(self.rules, state)

    def result(self, state: Trek) -> Result | None:
        side = state.people[0].side
        if any(one.body.dead for one in state.people):
            gone = next(one.name for one in state.people if one.body.dead)
            return Result(None, f"{gone} is dead")
        if state.metres >= 1000 * state.country.kilometres:
            return Result(side, "the party has reached help")
        if state.round >= state.rounds:
            return Result(side, f"help has come after {state.country.days} days, and everybody is alive")
        return None

    def sides(self, state: Trek) -> Mapping[str, tuple[str, ...]]:
        return {state.people[0].side: tuple([one.name for one in state.people])}

    def out(self, state: Trek) -> frozenset[str]:
        return frozenset(one.name for one in state.people if not one.body.able)

    def round(self, state: Trek) -> int:
        return state.round

    def join(self, state: Trek, newcomer: Any, side: str) -> Trek:
        if any(one.name == newcomer.name for one in state.people):
            raise Wrong(f"there is a {newcomer.name} here already: give the newcomer another name")
        if side != state.people[0].side:
            raise Wrong(f"in the wilderness everybody is on one side: {state.people[0].side}")
        return replace(state, people=(*state.people, traveller(self.rules, Placed.coming(newcomer, side))))

    carries = BODY

    def lasting(self, state: Trek, who: str) -> Mapping[str, Lasts]:
        return body_after(state.who(who).body)

    def view(self, state: Trek, who: str | None) -> SceneView:
        headline = f"Day {state.round // 3 + 1}, {state.watch}: {state.metres / 1000:.1f} of {state.country.kilometres:g} km"
        return SceneView("Wilderness", headline, tuple([_card(one) for one in state.people]))


def _card(one: Traveller) -> Card:
    body = one.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    pieces: list[AnyPiece] = [Track(body.system_shock, wounds, name="System Shock", rule="sil-2.3.3-system-shock")]
    if body.wounded:
        treated = body.stable_flesh + body.stable_deep
        pieces.append(Tag(f"{treated} of {body.flesh + body.deep}", name="stabilized", rule="sil-3.5.4-stabilizing"))
    if body.acting_penalty:
        pieces.append(Tag(str(body.acting_penalty), True, name="penalty", rule="sil-3.5.2-action-penalties"))
    if body.trauma is not None:
        pieces.append(Clock(body.trauma, "minutes", name="dying", rule="sil-3.5.5-trauma"))
    states = (("dead", body.dead), ("unconscious", not body.awake and not body.dead), ("hungry", one.hungry > 0))
    pieces.extend([Tag(name=name) for name, holds in states if holds])
    return Card(one.name, one.side, tuple(pieces), not body.able)


# --- tactics ------------------------------------------------------------------------------------------------------------------


def patient(choice: Choice[Any]) -> Given:
    """Treat wounds first, eat, and walk only with everybody awake and nobody's Deep Wounds to open; never by night."""
    trek = choice.about.trek
    if any(next_to_treat(one.body) is not None for one in trek.people) or trek.watch == "night":
        return "camp"
    if not trek.fed:
        return "forage"
    return "camp" if any(one.body.deep or not one.body.able for one in trek.people) else "march"


def hurried(choice: Choice[Any]) -> Given:
    """March by day whatever it costs."""
    return "camp" if choice.about.trek.watch == "night" else "march"


def still(choice: Choice[Any]) -> Given:
    """Stay in camp and wait for help."""
    return "camp"


WILDERNESS_TACTICS: Mapping[str, Tactic] = {"patient": patient, "hurried": hurried, "still": still}
