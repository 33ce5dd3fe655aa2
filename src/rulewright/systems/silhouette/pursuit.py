"""A chase as a scene: who runs from whom, over what ground, and how it ends (book lines 2079-2104)."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.encounter import Result, Scene
from rulewright.errors import Wrong
from rulewright.pieces import AnyPiece, Card, Place, SceneView, Tag, Track, Value
from rulewright.play import Choice, Given, Option, Play, Range, Tactic, Tell, Together, sub
from rulewright.rules import Ruleset, nearest
from rulewright.scenarios import Lasts, Placed, Scenario
from rulewright.systems.silhouette.aftermath import BODY, body_after
from rulewright.systems.silhouette.body import secondary_of
from rulewright.systems.silhouette.characters import Person
from rulewright.systems.silhouette.chase import OBSTACLES, Runner, chase_ends, chase_round, take_obstacle
from rulewright.systems.silhouette.harm import Changed
from rulewright.systems.silhouette.injury import Patient
from rulewright.systems.silhouette.modifiers import CHASE
from rulewright.systems.silhouette.movement import GAITS, MOVES, Gait, fastest_of, slower, turn_in_a_sprint, unhurt_fastest
from rulewright.systems.silhouette.resolution import Mod, most_emergency_dice, passes

CHASE_SCENE = "chase"


class Stretch(Struct, frozen=True, forbid_unknown_fields=True):
    """A round's worth of ground: what it is like for everybody, something that the prey may go over, and a bend in degrees."""

    conditions: tuple[str, ...] = ()
    obstacle: str = ""
    bend: int = 0


class Course(Struct, frozen=True, forbid_unknown_fields=True):
    """The ground as a scenario file describes it; the last stretch goes on for ever."""

    prey: str
    """The side that is chased."""
    lead: float = 10.0
    sight: float = 60.0
    course: tuple[Stretch, ...] = (Stretch(),)


class Racer(Struct, frozen=True, cache_hash=True):
    """Somebody in a chase: what is rolled, how fast, and for a pursuer the gap to the prey in metres."""

    runner: Runner
    side: str
    body: Patient
    sprint: int
    fastest: Gait | None = "sprinting"
    gap: float = 0.0
    speed: float = 0.0
    """Metres of this round."""
    out: bool = False

    @property
    def name(self) -> str:
        """Who it is."""
        return self.runner.name


class Pursuit(Struct, frozen=True, cache_hash=True):
    """The whole chase at one moment, between two rounds."""

    course: Course
    prey: Racer
    pursuers: tuple[Racer, ...]
    round: int = 0
    rounds: int = 50
    surrendered: bool = False
    facing: tuple[str, ...] = ()
    """Pursuers who have still to get over what the prey went over."""

    @property
    def stretch(self) -> Stretch:
        """The ground of this round."""
        return self.course.course[min(self.round, len(self.course.course) - 1)]

    @property
    def chasing(self) -> list[Racer]:
        """Those who are still after the prey."""
        return [racer for racer in self.pursuers if not racer.out]

    @property
    def everybody(self) -> tuple[Racer, ...]:
        """Prey and pursuers."""
        return (self.prey, *self.pursuers)


def _racer(rules: Ruleset, member: Placed, gap: float) -> Racer:
    person = Person.of(rules, member.character)
    body = replace(Patient.of_person(rules, person), name=member.name)
    strength = secondary_of(rules, person)["strength"].value
    fastest = unhurt_fastest(rules, person, strength, sum([item.weight for item in person.gear.other]))
    runner = replace(Runner.of(rules, person), name=member.name)
    sprint = int(Runner.of(rules, person, "sprinting").speed)
    racer = Racer(runner, member.side, body, sprint, fastest, gap)
    if not member.state:
        return racer
    data: dict[str, Any] = msgspec.to_builtins(racer)
    for field, value in member.state.items():
        if field in ("gap", "fastest"):
            data[field] = value
        elif field in Patient.__struct_fields__:
            data["body"][field] = value
        else:
            raise Wrong(f"{member.name}: state has no field {field!r}{nearest(field, ('gap', 'fastest', *Patient.__struct_fields__))}")
    try:
        return msgspec.convert(data, Racer)
    except msgspec.ValidationError as error:
        raise Wrong(f"{member.name}: state: {error}") from None


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Pursuit:
    """The chase in which a scenario begins: one is chased, all others are after them."""
    try:
        course = msgspec.convert(scenario.place, Course)
    except msgspec.ValidationError as error:
        raise Wrong(f"place: {error}") from None
    for stretch in course.course:
        for condition in stretch.conditions:
            CHASE.get(rules, condition)
        if stretch.obstacle:
            OBSTACLES.get(rules, stretch.obstacle)
    if not course.course:
        raise Wrong("place.course: a chase needs at least one stretch of ground")
    prey_side = course.prey
    if prey_side not in scenario.sides:
        raise Wrong(f"place.prey: {prey_side!r} is no side; the sides are {', '.join(scenario.sides)}")
    placed = list(members)
    chased = [member for member in placed if member.side == prey_side]
    if len(chased) != 1 or len(placed) < 2 or len(scenario.sides) != 2:
        raise Wrong("a chase has one who is chased on one side, and at least one pursuer on the other")
    prey = _racer(rules, chased[0], 0.0)
    pursuers = tuple([_racer(rules, member, course.lead) for member in placed if member is not chased[0]])
    return Pursuit(course, prey, pursuers, rounds=scenario.rounds)


# --- a round ------------------------------------------------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """What a decision in a chase is about."""

    pursuit: Pursuit
    name: str


_FOLLOW: tuple[Option[bool], ...] = (Option("follow", "Keep after the prey", True), Option("give up", "Give up", False))


def gaits(rules: Ruleset, racer: Racer) -> tuple[Gait, ...]:
    """The paces somebody has left, the fastest first; nobody runs after anybody at a crawl."""
    if racer.fastest is None or not racer.body.able:
        return ()
    fastest = slower(racer.fastest, fastest_of(rules, racer.body))
    return tuple([gait for gait in reversed(GAITS[: GAITS.index(fastest) + 1]) if gait != "crawling"])


def _paces(rules: Ruleset, pursuit: Pursuit) -> Play[tuple[Pursuit, dict[str, Gait]]]:
    """Everybody says how fast they run; who cannot or will not any more is out of it."""
    asked: list[Choice[Gait | None]] = []
    for racer in (pursuit.prey, *pursuit.chasing):
        options: list[Option[Gait | None]] = [Option(gait, gait.capitalize(), gait) for gait in gaits(rules, racer)]
        options.append(Option("stop", "Give up", None))
        asked.append(Choice(racer.name, "How fast?", tuple(options), Question(pursuit, racer.name), "pace"))
    answers = yield from Together(tuple(asked))
    chosen: dict[str, Gait] = {}
    for racer, gait in zip((pursuit.prey, *pursuit.chasing), answers, strict=True):
        if gait is not None:
            chosen[racer.name] = gait
        elif racer.name == pursuit.prey.name:
            pursuit = replace(pursuit, surrendered=True)
        else:
            pursuit = _put(pursuit, replace(racer, out=True))
    return pursuit, chosen


def _put(pursuit: Pursuit, racer: Racer) -> Pursuit:
    return replace(pursuit, pursuers=tuple([racer if each.name == racer.name else each for each in pursuit.pursuers]))


def _speed(rules: Ruleset, racer: Racer, gait: Gait) -> float:
    over, under = MOVES.get(rules, gait).share
    return round(racer.sprint * over / under, 2)


def _running(racer: Racer, dice: int = 0) -> Runner:
    """Somebody at this round's speed, with what wounds and armor cost and the Emergency Dice that go into it."""
    penalty = Mod("wounds and armor", racer.body.physical_penalty, "sil-3.5.2-action-penalties")
    return replace(racer.runner, speed=racer.speed, athletics=racer.runner.athletics.plus(penalty).with_emergency(dice))


def _emergency_dice(rules: Ruleset, pursuit: Pursuit, racers: list[Racer], what: str) -> Play[tuple[Pursuit, dict[str, int]]]:
    """Everybody who has Emergency Dice may put some into a roll that is made now."""
    joins = rules.word("unskilled-emergency-dice") != "none"
    able = [racer for racer in racers if racer.body.emergency_dice > 0 and (joins or racer.runner.athletics.dice > 0)]
    if not able:
        return pursuit, {}
    most = most_emergency_dice(rules)
    questions = [
        Choice[int](
            racer.name,
            f"Emergency Dice for {what}?",
            Range(0, min(most, racer.body.emergency_dice)),
            Question(pursuit, racer.name),
            "emergency dice",
        )
        for racer in able
    ]
    spent = dict(zip([racer.name for racer in able], (yield from Together(tuple(questions))), strict=True))
    for racer in able:
        left = replace(racer, body=replace(racer.body, emergency_dice=racer.body.emergency_dice - spent[racer.name]))
        pursuit = replace(pursuit, prey=left) if racer.name == pursuit.prey.name else _put(pursuit, left)
    return pursuit, spent


def _round_the_bend(rules: Ruleset, runner: Runner, degrees: int) -> Play[bool]:
    test = yield from turn_in_a_sprint(rules, runner.athletics, degrees, runner.name)
    return passes(rules, test.total, test.threshold)


def go_on(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """A round: paces, bends, the test of all, and perhaps something that the prey goes over."""
    pursuit, chosen = yield from _paces(rules, pursuit)
    stretch = pursuit.stretch
    if pursuit.surrendered or not pursuit.chasing:
        return replace(pursuit, round=pursuit.round + 1)
    for racer in (pursuit.prey, *pursuit.chasing):
        gait = chosen[racer.name]
        racer = replace(racer, speed=_speed(rules, racer, gait))
        if stretch.bend and gait == "sprinting":
            pursuit, dice = yield from _emergency_dice(rules, pursuit, [racer], "the bend")
            body = next(each.body for each in pursuit.everybody if each.name == racer.name)
            racer = replace(racer, body=body)
            if not (yield from sub(_round_the_bend, rules, _running(racer, dice.get(racer.name, 0)), stretch.bend)):
                yield from Tell(Changed(racer.name, "overshoots the bend", "bad"))
                racer = replace(racer, speed=_speed(rules, racer, "running"))  # no faster than a run (ruling)
        pursuit = replace(pursuit, prey=racer) if racer.name == pursuit.prey.name else _put(pursuit, racer)
    over = (yield from _goes_over(pursuit, stretch)) if stretch.obstacle else False
    pursuit, dice = yield from _emergency_dice(rules, pursuit, [pursuit.prey, *pursuit.chasing], "running")
    chasing = pursuit.chasing
    gaps = tuple([racer.gap for racer in chasing])
    runners = tuple([_running(racer, dice.get(racer.name, 0)) for racer in chasing])
    prey = _running(pursuit.prey, dice.get(pursuit.prey.name, 0))
    moved = yield from chase_round(rules, prey, runners, gaps, stretch.conditions)
    for racer, came in zip(chasing, moved, strict=True):
        pursuit = _put(pursuit, replace(racer, gap=round(came.gap, 2)))
    if over and not any(racer.gap <= 0 for racer in pursuit.chasing):
        return replace(pursuit, facing=tuple([racer.name for racer in pursuit.chasing]))
    return (yield from _end_round(pursuit))


def _goes_over(pursuit: Pursuit, stretch: Stretch) -> Play[bool]:
    options: tuple[Option[bool], ...] = (Option("over", f"Over the {stretch.obstacle}", True), Option("round", "Round it", False))
    name = pursuit.prey.name
    return (yield from Choice(name, f"There is a {stretch.obstacle}. Do you go over it?", options, Question(pursuit, name), "obstacle"))


def get_over(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """The prey has gone over something: the next pursuer decides whether to follow, and tries."""
    prey, obstacle = pursuit.prey.name, pursuit.stretch.obstacle
    racer = next(each for each in pursuit.pursuers if each.name == pursuit.facing[0])
    asked = f"{prey} goes over the {obstacle}. Do you follow?"
    follows = yield from Choice(racer.name, asked, _FOLLOW, Question(pursuit, racer.name), "follow")
    pursuit, dice = yield from _emergency_dice(rules, pursuit, [pursuit.prey, *([racer] if follows else [])], f"the {obstacle}")
    racer = next(each for each in pursuit.pursuers if each.name == racer.name)
    runners = _running(pursuit.prey, dice.get(prey, 0)), _running(racer, dice.get(racer.name, 0))
    came = yield from take_obstacle(rules, *runners, racer.gap, obstacle, follows)
    pursuit = _put(pursuit, replace(racer, gap=round(came.gap, 2), out=not came.followed))
    pursuit = replace(pursuit, facing=pursuit.facing[1:])
    return pursuit if pursuit.facing else (yield from _end_round(pursuit))


def _end_round(pursuit: Pursuit) -> Play[Pursuit]:
    """The round is over: whoever has lost sight of the prey is out of it."""
    pursuit = replace(pursuit, round=pursuit.round + 1, prey=replace(pursuit.prey, speed=0.0))
    for racer in pursuit.pursuers:
        lost = not racer.out and chase_ends(racer.gap, pursuit.course.sight) == "lost"
        if lost:
            yield from Tell(Changed(racer.name, f"has lost sight of {pursuit.prey.name}"))
        pursuit = _put(pursuit, replace(racer, speed=0.0, out=racer.out or lost))
    return pursuit


# --- the scene ----------------------------------------------------------------------------------------------------------------


class PursuitScene(Scene[Pursuit]):
    """A chase on foot: every round is a step."""

    state_type = Pursuit
    kind = CHASE_SCENE

    def step(self, state: Pursuit) -> Play[Pursuit]:
        return get_over(self.rules, state) if state.facing else go_on(self.rules, state)

    def result(self, state: Pursuit) -> Result | None:
        hunters = state.pursuers[0].side
        caught = next((racer for racer in state.chasing if racer.gap <= 0), None)
        if state.surrendered:
            return Result(hunters, f"{state.prey.name} gives up")
        if caught is not None:
            return Result(hunters, f"{caught.name} has caught {state.prey.name}")
        if state.facing:
            return None
        if not state.chasing:
            return Result(state.prey.side, f"nobody is after {state.prey.name} any more")
        if state.round >= state.rounds:
            return Result(None, f"{state.rounds} rounds have passed")
        return None

    def sides(self, state: Pursuit) -> Mapping[str, tuple[str, ...]]:
        return {state.prey.side: (state.prey.name,), state.pursuers[0].side: tuple([racer.name for racer in state.pursuers])}

    def out(self, state: Pursuit) -> frozenset[str]:
        caught = state.surrendered or any(racer.gap <= 0 for racer in state.chasing)
        gone = {racer.name for racer in state.pursuers if racer.out}
        return frozenset(gone | ({state.prey.name} if caught else set()))

    def round(self, state: Pursuit) -> int:
        return state.round

    def join(self, state: Pursuit, newcomer: Any, side: str) -> Pursuit:
        if any(racer.name == newcomer.name for racer in state.everybody):
            raise Wrong(f"there is a {newcomer.name} in this chase already: give the newcomer another name")
        hunters = state.pursuers[0].side
        if side != hunters:
            raise Wrong(f"one person is chased in a chase: a newcomer joins {hunters}")
        last = max([racer.gap for racer in state.pursuers])
        racer = _racer(self.rules, Placed.coming(newcomer, side), last)
        return replace(state, pursuers=(*state.pursuers, racer))

    carries = BODY

    def lasting(self, state: Pursuit, who: str) -> Mapping[str, Lasts]:
        return body_after(next(racer.body for racer in state.everybody if racer.name == who))

    def lens(self, state: Pursuit, question: str) -> Pursuit:
        return state

    def view(self, state: Pursuit, who: str | None) -> SceneView:
        stretch = state.stretch
        ground = ", ".join([*stretch.conditions, *([stretch.obstacle] if stretch.obstacle else [])]) or "open ground"
        cards = tuple([_card(racer, racer.name == state.prey.name, self.out(state)) for racer in state.everybody])
        places = tuple([Place(-racer.gap, float(at), name=racer.name) for at, racer in enumerate(state.everybody)])
        return SceneView("Chase", f"Round {state.round}: {ground}", cards, None, places)


def _card(racer: Racer, prey: bool, out: frozenset[str]) -> Card:
    body = racer.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    pieces: list[AnyPiece] = [Track(body.system_shock, wounds, name="System Shock", rule="sil-2.3.3-system-shock")]
    if prey:
        pieces.append(Tag(name="chased"))
    else:
        pieces.append(Value(key="gap", value=racer.gap, name="gap in metres", rule="sil-3.2.6-chase"))
    return Card(racer.name, racer.side, tuple(pieces), racer.name in out)


# --- tactics ------------------------------------------------------------------------------------------------------------------


def headlong(choice: Choice[Any]) -> Given:
    """As fast as legs carry, over everything, and never give up."""
    options = choice.options
    return options.low if isinstance(options, Range) else options[0].key


def wary(choice: Choice[Any]) -> Given:
    """Sprint only where the way is straight, and go round what is in the way."""
    if choice.topic == "pace" and choice.about.pursuit.stretch.bend:
        keys = choice.keys()
        return "running" if "running" in keys else keys[0]
    return "round" if choice.topic == "obstacle" else headlong(choice)


CHASE_TACTICS: Mapping[str, Tactic] = {"headlong": headlong, "wary": wary}
