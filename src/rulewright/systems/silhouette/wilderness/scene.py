"""A journey through the wilderness as a scene: marching, camping and treating wounds (book lines 2509-2610).

A day has three watches of eight hours. Wounds follow their own clocks, and marching may reopen them.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Clock, SceneView, Tag, Track
from rulewright.build.sheet_parts import Pool as Points
from rulewright.campaign.calendar import MINUTE
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.highest_die.harm import dice_asked
from rulewright.play import Choice, Given, Happened, Option, Play, Range, Tactic, Tell, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts, Placed
from rulewright.scenes.scene import Result, Scene
from rulewright.systems.silhouette.action.movement import MOVES, Gait, fastest_of, slower
from rulewright.systems.silhouette.action.recovery import Care, bruise_hours, cling_to_life, follow, until_something
from rulewright.systems.silhouette.action.rounds import SECONDS
from rulewright.systems.silhouette.drama.luck_targets import Company, Fate, burst, inner_strength, mimic
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.fight.aftermath import BODY, body_after, luck_after
from rulewright.systems.silhouette.fight.luck import watched
from rulewright.systems.silhouette.harm.body import BODY_LIMITS, Patient
from rulewright.systems.silhouette.harm.fatigue import rest, rested, strain, tire
from rulewright.systems.silhouette.harm.healing import AN_ATTEMPT, Kind, exert, next_to_treat, resuscitate, stabilize
from rulewright.systems.silhouette.hazards.drugs import wear_off
from rulewright.systems.silhouette.resolution.tasks import run_test
from rulewright.systems.silhouette.resolution.tests import Mod, most_emergency_dice
from rulewright.systems.silhouette.wilderness.travellers import Country, Traveller, Trek, traveller

WILDERNESS_SCENE = "wilderness"
WATCH = 8 * 60
"""Minutes of a watch."""
MARCH = 6 * 60
"""Minutes of walking in a watch on the march."""


# --- a watch ------------------------------------------------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """The subject of a decision."""

    trek: Trek
    name: str


_PLANS: tuple[Option[str], ...] = (
    Option("camp", "Make camp: rest and treat wounds", "camp"),
    Option("march", "March on", "march"),
    Option("forage", "Search for food", "forage"),
)
_SPENT = {"camp": "makes camp", "march": "marches", "forage": "searches for food"}


def next_watch(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """Plays eight hours: the party decides and acts, and the wounds run on."""
    dulled = {candidate.name: candidate.body.ignored for candidate in trek.people}
    trek = yield from _play_watch(rules, (yield from _offer_genre_effects(rules, trek)) if trek.swayed else trek)
    for person in trek.people:
        body = replace(person.body, ignored=dulled[person.name]) if trek.swayed else person.body
        if not body.dead:
            trek = trek.put(person.with_body((yield from wear_off(body, WATCH // 60))))
    return trek


def _offer_genre_effects(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """Offers Genre Effects at the start of a watch: Inner Well of Strength for its duration and, as a watch has many rounds, for any
    number of wounds (ruling); Escape Impending Death; and Burst of Angst if a companion is dying."""
    for person in trek.people:
        about, body, eased = Question(trek, person.name), person.body, (0, 0)
        while True:
            body, after = yield from inner_strength(rules, body, eased, about)
            if after == eased:
                break
            eased = after
        if body.wounded:
            body = yield from cling_to_life(rules, body, about)
        person = person.with_body(body)
        dying = any(other.body.trauma is not None for other in trek.people if other.name != person.name)
        shaken = replace(person.shaken, shocked=person.shaken.shocked or dying)
        if body.able:
            shaken = yield from burst(rules, _fate(person), shaken, ("creativity",), about)
        trek = trek.put(replace(person, shaken=shaken))
    return trek


def _play_watch(rules: Ruleset, trek: Trek) -> Play[Trek]:
    leader = next((person for person in trek.people if person.body.able), None)
    plan = "camp"
    if leader is not None and any(person.body.able for person in trek.people):
        plan = yield from Choice(leader.name, f"What do you do this {trek.watch}?", _PLANS, Question(trek, leader.name), "plan")
    yield Tell(Happened("The party" if len(trek.people) > 1 else trek.people[0].name, f"{_SPENT[plan]} this {trek.watch}"))
    if plan == "march":
        trek = yield from march(rules, trek)
    elif plan == "forage":
        trek = yield from look_for_food(rules, trek)
    else:
        trek = yield from camp(rules, trek)
    return _end_day(rules, replace(trek, round=trek.round + 1), plan)


def pace_of(rules: Ruleset, trek: Trek) -> float:
    """Returns the pace of the slowest member in metres per round; carried people slow the others to a crawl (ruling)."""
    rates = []
    for person in trek.people:
        if person.body.dead:
            continue
        gait: Gait = "crawling"
        if person.body.able and person.fastest is not None:
            gait = slower("walking", slower(person.fastest, fastest_of(rules, person.body)))
        over, under = MOVES.get(rules, gait).share
        rates.append(person.sprint * over / under)
    return min(rates, default=0.0)


def march(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """Marches six hours at the pace of the slowest, which reopens stabilized Deep Wounds."""
    metres = pace_of(rules, trek) * MARCH * 60 / SECONDS
    trek = replace(trek, metres=round(trek.metres + metres, 1), marches=trek.marches + 1)
    for person in trek.people:
        trek = trek.put(person.with_body((yield from exert(rules, person.body, "light"))))
    yield Tell(Happened("The party", f"has covered {trek.metres / 1000:.1f} of {trek.country.kilometres:g} km"))
    trek = yield from time_goes_by(rules, trek, WATCH)
    for person in trek.people:
        trek = trek.put(_tire_from_march(rules, trek, person))
    return trek


def _tire_from_march(rules: Ruleset, trek: Trek, item: Traveller) -> Traveller:
    """Returns a traveller after a march: two make a day of walking, and the load tires in addition; both count before the night."""
    if trek.marches % 2 == 0:
        item = _add_strain(rules, trek, item, "walking")
    if item.load == "full load":
        return _add_strain(rules, trek, item, item.load, 0.5)
    return _add_strain(rules, trek, item, item.load) if item.load and trek.marches % 2 == 0 else item


def look_for_food(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """Tests Survival of the best forager against the land; a success feeds everybody for a day."""
    able = [person for person in trek.people if person.body.able]
    finder = max(able, key=lambda item: (item.survival.dice, item.survival.modifier + item.body.acting_penalty))
    survival = finder.survival
    if trek.swayed and survival.dice <= 0:
        level = yield from mimic(finder.name, finder.body.genre, "survival", Question(trek, finder.name))
        survival = survival.with_dice(level) if level else survival
    weary = Mod("wounds and fatigue", finder.body.acting_penalty, "sil-3.5.2-action-penalties")
    pool = survival.plus(finder.shaken.shift("creativity"), weary)
    trek, dice = yield from _emergency_dice(rules, trek, finder.name, pool.dice > 0, "looking for food")
    task = yield from run_test(rules, pool.with_emergency(dice), trek.country.forage, finder.name, "looking for food")
    if task.passed:
        trek = replace(trek, fed=True)
    return (yield from time_goes_by(rules, trek, WATCH))


def camp(rules: Ruleset, trek: Trek) -> Play[Trek]:
    """Plays a watch in camp: the medic treats wounds, five minutes per attempt, and is asked again after each event; then all rest, and
    sleep at night."""
    left, resting = WATCH, False
    while left > 0:
        patient, told = None, trek
        if not resting and _find_patients(trek) and any(candidate.body.able for candidate in trek.people):
            patient = yield from _ask_whom_to_treat(trek)
            resting = not patient
        step = min(left, AN_ATTEMPT if patient else _minutes_until_event(rules, trek) or left)
        spent: tuple[str, ...] = ()
        if patient:
            trek = yield from _treat(rules, trek, trek.who(patient))
            spent = (patient,) if _has_lost_time(told.who(patient).body, trek.who(patient).body) else ()
        trek = yield from _pass_camp_time(rules, trek, step, spent)
        left -= step
        resting = resting and _needs_of(told) == _needs_of(trek)
    for person in trek.people:
        person = yield from _fade_bruises(rules, person, WATCH // 60)
        if trek.watch == "night":
            weary = rest(rules, person.weary, "a night of sound sleep")
        else:
            weary = rest(rules, person.weary, "half an hour of quiet", 2 * WATCH // 60)
        course = replace(person.course, patient=rested(person.body, weary))
        trek = trek.put(replace(person, weary=weary, course=course))
    return trek


def _has_lost_time(before: Patient, after: Patient) -> bool:
    """Whether a resuscitation attempt has already used its five minutes of the time left."""
    return before.trauma is not None and after.trauma is not None and after.trauma == before.trauma - AN_ATTEMPT


def _find_patients(trek: Trek) -> list[Traveller]:
    """Returns who needs a medic: the dying first, then those with the worst open wounds."""
    needing = [
        person
        for person in trek.people
        if not person.body.dead and (person.body.trauma is not None or next_to_treat(person.body) is not None)
    ]
    return sorted(needing, key=lambda item: (item.body.trauma is None, item.body.trauma or 0, item.body.open_penalty, item.name))


def _needs_of(trek: Trek) -> list[tuple[str, bool, int]]:
    """Returns what a medic checks to see whether anybody needs help again."""
    return [(candidate.name, candidate.body.trauma is not None, candidate.body.open_penalty) for candidate in _find_patients(trek)]


def _ask_whom_to_treat(trek: Trek) -> Play[str]:
    """Asks the medic who to treat now, or nobody."""
    needy = _find_patients(trek)
    doctor = _best_medic(trek, needy[0])
    names = [
        (candidate.name, "yourself" if candidate.name == doctor.name else candidate.name, candidate.body.trauma is not None)
        for candidate in needy
    ]
    options: list[Option[str]] = [
        Option(f"treat:{name}", f"{'Resuscitate' if dying else 'Stabilize a wound of'} {called}", name) for name, called, dying in names
    ]
    options.append(Option("rest", "Nobody for now", ""))
    return (yield from Choice(doctor.name, "Who do you treat?", tuple(options), Question(trek, doctor.name), "act"))


def _best_medic(trek: Trek, patient: Traveller) -> Traveller:
    """Returns the best medic for a patient, possibly the patient."""
    able = [person for person in trek.people if person.body.able]
    doctor = max(able, key=lambda item: (item.name != patient.name, item.medicine, item.creativity))
    return patient if doctor.name != patient.name and doctor.medicine < patient.medicine and patient.body.able else doctor


def _minutes_until_event(rules: Ruleset, trek: Trek) -> int | None:
    """Returns the minutes until the next event of anybody's wounds in camp."""
    numbers = [until_something(rules, person.course, _care_in_camp(trek, person)) for person in trek.people]
    return min([number for number in numbers if number is not None], default=None)


def _care_in_camp(trek: Trek, item: Traveller) -> Care:
    """Returns the care in camp: another character with Medicine keeps the resuscitated alive (ruling)."""
    return "nursed" if any(o.body.able and o.medicine > 0 and o.name != item.name for o in trek.people) else "none"


def _pass_camp_time(rules: Ruleset, trek: Trek, minutes: int, spent: tuple[str, ...]) -> Play[Trek]:
    """Passes minutes in camp for everybody whose time has not already passed."""
    for person in trek.people:
        if not person.body.dead and person.name not in spent:
            course = yield from sub(follow, rules, person.course, minutes, _care_in_camp(trek, person))
            trek = trek.put(replace(person, course=course))
    return trek


def _treat(rules: Ruleset, trek: Trek, patient: Traveller) -> Play[Trek]:
    """Plays one attempt of the best medic; it takes five minutes."""
    doctor = _best_medic(trek, patient)
    medic = doctor.medic if doctor.name != patient.name else doctor.medic.treating_oneself(patient.body)
    if trek.swayed and medic.medicine <= 0:
        medic = replace(medic, medicine=(yield from mimic(doctor.name, doctor.body.genre, "medicine", Question(trek, doctor.name))))
    dying = patient.body.trauma is not None
    what = f"{'resuscitating' if dying else 'stabilizing'} {patient.name}"
    trek, dice = yield from _emergency_dice(rules, trek, doctor.name, medic.medicine > 0, what)
    patient = trek.who(patient.name)
    body = yield from sub(resuscitate if dying else stabilize, rules, replace(medic, emergency=dice), patient.body)
    return trek.put(patient.with_body(body))


def _emergency_dice(rules: Ruleset, trek: Trek, name: str, skilled: bool, what: str) -> Play[tuple[Trek, int]]:
    """Asks for Emergency Dice on a roll."""
    result = trek.who(name)
    if result.body.emergency_dice <= 0 or (not skilled and rules.word("unskilled-emergency-dice") == "none"):
        return trek, 0
    spent = yield from dice_asked(name, what, result.body.emergency_dice, most_emergency_dice(rules), Question(trek, name))
    return trek.put(result.with_body(replace(result.body, emergency_dice=result.body.emergency_dice - spent))), spent


def time_goes_by(rules: Ruleset, trek: Trek, minutes: int) -> Play[Trek]:
    """Passes time for everybody's wounds without care."""
    for person in trek.people:
        if not person.body.dead:
            if person.body.trauma is not None:
                person = person.with_body((yield from cling_to_life(rules, person.body, Question(trek, person.name))))
            course = yield from sub(follow, rules, person.course, minutes, "none")
            trek = trek.put((yield from _fade_bruises(rules, replace(person, course=course), minutes // 60)))
    return trek


def _fade_bruises(rules: Ruleset, item: Traveller, hours: int) -> Play[Traveller]:
    """Fades bruises over hours, each in its own time; next to real wounds they heal like these instead."""
    body = item.body
    if body.wounded or body.dead or not body.bruise_boxes:
        return replace(item, fading=()) if item.fading else item
    left = []
    for kind, bruises in (("flesh", body.bruised_flesh), ("deep", body.bruised_deep)):
        lasting: list[tuple[Kind, int]] = [pair for pair in item.fading if pair[0] == kind][:bruises]
        for _ in range(bruises - len(lasting)):
            lasting.append((kind, (yield from bruise_hours(rules, kind, item.name))))  # type: ignore[arg-type]
        left += [(which, over - hours) for which, over in lasting if over > hours]
    flesh, deep = [sum([which == kind for which, _ in left]) for kind in ("flesh", "deep")]
    return replace(item.with_body(replace(body, bruised_flesh=flesh, bruised_deep=deep)), fading=tuple(left))


def _add_strain(rules: Ruleset, trek: Trek, item: Traveller, what: str, amount: float = 1.0) -> Traveller:
    """Returns a traveller after a strain; the day's heat or cold counts with the first."""
    weather = trek.country.extreme_weather and not item.weathered
    cost = strain(rules, what, amount, weather, item.body.armor > 0, item.insomniac).value
    body, weary = tire(rules, item.body, item.weary, what, cost)
    return replace(item.with_body(body), weary=weary, weathered=item.weathered or (weather and cost < 0))


def _end_day(rules: Ruleset, trek: Trek, plan: str) -> Trek:
    """Ends a day: a night without camp is a night without sleep, and a day without food counts as hard work (ruling)."""
    if trek.round % 3:
        return trek
    for person in trek.people:
        person = replace(person, hungry=0 if trek.fed else person.hungry + 1)
        if plan != "camp":
            person = _add_strain(rules, trek, person, "missed sleep")
        if person.hungry:
            person = _add_strain(rules, trek, person, "hard work", 8.0)
        trek = trek.put(replace(person, weathered=False))
    return replace(trek, fed=False, marches=0)


# --- luck and Genre Points ----------------------------------------------------------------------------------------------------


class Party(Company[Trek]):
    """The people of a journey as holders of luck and Genre Points."""

    def all_fates(self) -> tuple[Fate, ...]:
        return tuple([_fate(person) for person in self.state.people])

    def with_points(self, state: Trek, points: Mapping[str, int]) -> Trek:
        for person in state.people:
            if points.get(person.name, person.body.genre_points) != person.body.genre_points:
                state = state.put(person.with_body(replace(person.body, genre_points=points[person.name])))
        return state

    def with_fortune(self, state: Trek, name: str, fortune: Fortune) -> Trek:
        return state.put(replace(state.who(name), fortune=fortune))

    def about(self, name: str) -> Question:
        return Question(self.state, name)


def _fate(item: Traveller) -> Fate:
    body = item.body
    return Fate(item.name, item.side, body.able, body.genre_points, body.genre, item.genre_start, item.villain, False, item.fortune)


# --- the scene ----------------------------------------------------------------------------------------------------------------


class WildernessScene(Scene[Trek]):
    """A journey: every watch is a step."""

    state_type = Trek
    described = Country
    kind = WILDERNESS_SCENE
    seconds_a_round = WATCH * MINUTE

    def step(self, state: Trek) -> Play[Trek]:
        return watched(Party(self.rules, state), self._step) if state.swayed else self._step(state)

    def _step(self, state: Trek) -> Play[Trek]:
        return next_watch(self.rules, state)

    def result(self, state: Trek) -> Result | None:
        side = state.people[0].side
        if any(person.body.dead for person in state.people):
            gone = next(person.name for person in state.people if person.body.dead)
            return Result(None, f"{gone} died")
        if state.metres >= 1000 * state.country.kilometres:
            return Result(side, "the party reached help")
        if state.round >= state.rounds:
            return Result(side, f"help arrived after {count(state.country.days, 'day')} and everybody is alive")
        return None

    def sides(self, state: Trek) -> Mapping[str, tuple[str, ...]]:
        return {state.people[0].side: tuple([person.name for person in state.people])}

    def out(self, state: Trek) -> frozenset[str]:
        return frozenset(person.name for person in state.people if not person.body.able)

    def join(self, state: Trek, newcomer: Any, side: str) -> Trek:
        if any(person.name == newcomer.name for person in state.people):
            raise UserError(f"there is already a {newcomer.name} here: choose another name")
        if side != state.people[0].side:
            raise UserError(f"everybody in the wilderness must be on the same side: {state.people[0].side}")
        characters = sum([person.hero and not person.villain for person in state.people])
        result = traveller(self.rules, Placed.coming(newcomer, side), state.country.genre, characters)
        return replace(state, people=(*state.people, result), swayed=state.swayed or result.fortune != ORDINARY)

    limits = BODY_LIMITS
    carries = (*BODY, "fortune")

    def lasting(self, state: Trek, who: str) -> Mapping[str, Lasts]:
        result = state.who(who)
        return {**body_after(result.body), **luck_after(result.fortune)}

    def view(self, state: Trek, who: str | None) -> SceneView:
        headline = f"Day {state.round // 3 + 1}, {state.watch}: {state.metres / 1000:.1f} of {state.country.kilometres:g} km"
        return SceneView("Wilderness", headline, tuple([_card(person) for person in state.people]))


def _card(item: Traveller) -> Card:
    body = item.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    pieces: list[AnyPiece] = [Track(body.system_shock, wounds, name="System Shock", rule="sil-2.3.3-system-shock")]
    if body.wounded:
        treated = body.stable_flesh + body.stable_deep
        pieces.append(Tag(f"{treated} of {body.flesh + body.deep}", name="stabilized", rule="sil-3.5.4-stabilizing"))
    if body.acting_penalty:
        pieces.append(Tag(str(body.acting_penalty), True, name="penalty", rule="sil-3.5.2-action-penalties"))
    if body.trauma is not None:
        pieces.append(Clock(body.trauma, "minute" if body.trauma == 1 else "minutes", name="dying", rule="sil-3.5.5-trauma"))
    if body.genre_points:
        pieces.append(Points(body.genre_points, body.genre_points, name="Genre Points"))
    states = (("dead", body.dead), ("unconscious", not body.awake and not body.dead), ("hungry", item.hungry > 0))
    pieces.extend([Tag(name=name) for name, holds in states if holds])
    return Card(item.name, item.side, tuple(pieces), not body.able)


# --- tactics ------------------------------------------------------------------------------------------------------------------


def _answer_minor(choice: Choice[Any]) -> Given | None:
    """Answers minor questions: save dice and points, use luck; None for the plan of a watch."""
    if choice.topic == "plan":
        return None
    if choice.topic == "act":
        return _worth_treating(choice.about.trek)
    return choice.options.low if isinstance(choice.options, Range) else choice.options[0].key


def _worth_treating(trek: Trek) -> Given:
    """Returns who to treat: the dying always, others while it helps more than it harms; rests if one die in two would fail."""
    for candidate in _find_patients(trek):
        doctor = _best_medic(trek, candidate)
        weight = (
            doctor.creativity + doctor.complexity - 1 + candidate.body.health + candidate.body.injury_penalty + doctor.body.acting_penalty
        )
        if candidate.body.trauma is not None or (doctor.medicine > 0 and weight >= -3):
            return f"treat:{candidate.name}"
    return "rest"


def patient(choice: Choice[Any]) -> Given:
    """Treats wounds first, eats, and walks only with everybody awake and no Deep Wounds to reopen; never at night."""
    if (small := _answer_minor(choice)) is not None:
        return small
    trek = choice.about.trek
    if any(next_to_treat(person.body) is not None for person in trek.people) or trek.watch == "night":
        return "camp"
    if not trek.fed:
        return "forage"
    return "camp" if any(person.body.deep or not person.body.able for person in trek.people) else "march"


def hurried(choice: Choice[Any]) -> Given:
    """Marches by day at any cost."""
    if (small := _answer_minor(choice)) is not None:
        return small
    return "camp" if choice.about.trek.watch == "night" else "march"


def still(choice: Choice[Any]) -> Given:
    """Stays in camp and waits for help."""
    small = _answer_minor(choice)
    return "camp" if small is None else small


WILDERNESS_TACTICS: Mapping[str, Tactic] = {"patient": patient, "hurried": hurried, "still": still}
