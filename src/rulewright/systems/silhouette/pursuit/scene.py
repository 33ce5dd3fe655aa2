"""The chase scene: rounds, obstacles and the end (book lines 2079-2104)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Place, SceneView, Tag, Track, Value
from rulewright.build.sheet_parts import Pool as Points
from rulewright.errors import UserError
from rulewright.field.chase_track import ahead, way_of, with_marks
from rulewright.field.ground import BARE, Changes
from rulewright.field.ground import Ground as Map
from rulewright.grammar import a, count, figure, join, the
from rulewright.highest_die.harm import dice_asked
from rulewright.play import Choice, Given, Happened, Option, Play, Range, Tactic, Tell, Together, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts, Placed
from rulewright.scenes.scene import Leaving, Result, state_limits
from rulewright.scenes.skirmish import FIGHT_ON, Parting
from rulewright.systems.silhouette.action.chase import Runner, chase_ends, chase_round, hurdle, take_obstacle
from rulewright.systems.silhouette.action.movement import GAITS, MOVES, Gait, fastest_of, slower, turn_in_a_sprint
from rulewright.systems.silhouette.action.rounds import SECONDS
from rulewright.systems.silhouette.drama.luck_targets import Company, Fate, burst, inner_strength, mimic
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.fight.aftermath import BODY, body_after, luck_after
from rulewright.systems.silhouette.fight.luck import watched
from rulewright.systems.silhouette.harm.body import BODY_LIMITS
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.pursuit.racers import Course, Pursuit, Racer, Stretch, racer_of
from rulewright.systems.silhouette.resolution.tests import Mod, most_emergency_dice, passes

CHASE_SCENE = "chase"


# --- a round ------------------------------------------------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """The situation of a decision in a chase."""

    pursuit: Pursuit
    name: str


_FOLLOW: tuple[Option[bool], ...] = (Option("follow", "Keep chasing", True), Option("give up", "Give up", False))


def gaits(rules: Ruleset, racer: Racer) -> tuple[Gait, ...]:
    """The gaits that a runner has left, fastest first; crawling is not offered."""
    if racer.fastest is None or not racer.body.able:
        return ()
    fastest = slower(racer.fastest, fastest_of(rules, racer.body))
    return tuple([gait for gait in reversed(GAITS[: GAITS.index(fastest) + 1]) if gait != "crawling"])


def _paces(rules: Ruleset, pursuit: Pursuit) -> Play[tuple[Pursuit, dict[str, Gait]]]:
    """Ask everyone for their pace; runners who cannot or will not go on drop out."""
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
            yield from Tell(Happened(racer.name, "gives up"))
            pursuit = replace(pursuit, surrendered=True)
        else:
            yield from Tell(Happened(racer.name, "gives up"))
            pursuit = pursuit.put(replace(racer, out=True))
    return pursuit, chosen


def _speed(rules: Ruleset, racer: Racer, gait: Gait) -> float:
    over, under = MOVES.get(rules, gait).share
    return round(racer.sprint * over / under, 2)


class Effort(Struct, frozen=True):
    """A runner's effort in a roll: Emergency Dice, and a mimicked level of Athletics (Mimic Skill)."""

    dice: int = 0
    mimicked: int = 0


AS_USUAL = Effort()


def _runner_with(racer: Racer, effort: Effort = AS_USUAL) -> Runner:
    """A runner at this round's speed, with the penalties of wounds and armor and the effort of the roll."""
    penalty = Mod("wounds and armor", racer.body.physical_penalty, "sil-3.5.2-action-penalties")
    runner, pool = racer.runner, racer.runner.athletics
    if effort.mimicked:
        runner, pool = replace(runner, level=effort.mimicked), pool.with_dice(effort.mimicked)
    return replace(runner, speed=racer.speed, athletics=pool.plus(penalty, racer.shaken.shift("fitness")).with_emergency(effort.dice))


def _efforts(rules: Ruleset, pursuit: Pursuit, racers: list[Racer], what: str) -> Play[tuple[Pursuit, dict[str, Effort]]]:
    """Ask everyone for the effort of a roll: the unskilled may mimic Athletics, and Emergency Dice may be added."""
    mimicked = {}
    for racer in racers if pursuit.swayed else ():
        if racer.runner.level <= 0:
            about = Question(pursuit, racer.name)
            mimicked[racer.name] = yield from mimic(racer.name, racer.body.genre, "athletics", about)
    pursuit, dice = yield from _emergency_dice(rules, pursuit, racers, what, mimicked)
    return pursuit, {racer.name: Effort(dice.get(racer.name, 0), mimicked.get(racer.name, 0)) for racer in racers}


def _emergency_dice(
    rules: Ruleset, pursuit: Pursuit, racers: list[Racer], what: str, mimicked: Mapping[str, int]
) -> Play[tuple[Pursuit, dict[str, int]]]:
    """Ask everyone with Emergency Dice how many to add to a roll."""
    joins = rules.word("unskilled-emergency-dice") != "none"
    able = [
        racer
        for racer in racers
        if racer.body.emergency_dice > 0 and (joins or racer.runner.athletics.dice > 0 or mimicked.get(racer.name))
    ]
    if not able:
        return pursuit, {}
    most = most_emergency_dice(rules)
    questions = [
        dice_asked(candidate.name, what, candidate.body.emergency_dice, most, Question(pursuit, candidate.name)) for candidate in able
    ]
    spent = dict(zip([racer.name for racer in able], (yield from Together(tuple(questions))), strict=True))
    for racer in able:
        left = replace(racer.body, emergency_dice=racer.body.emergency_dice - spent[racer.name])
        pursuit = pursuit.put(replace(racer, body=left))
    return pursuit, spent


def _use_inner_strength(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """At the beginning of a round: an Inner Well of Strength may suppress a wound's penalty until the chase is over, and a Burst of
    Angst may increase speed."""
    for racer in (pursuit.prey, *pursuit.chasing):
        about = Question(pursuit, racer.name)
        body, eased = yield from inner_strength(rules, racer.body, racer.eased, about)
        racer = replace(racer, body=body, eased=eased)
        racer = replace(racer, shaken=(yield from burst(rules, _fate(racer), racer.shaken, ("fitness",), about)))
        pursuit = pursuit.put(racer)
    return pursuit


def go_on(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """Play a round: paces, bends, the common test, and perhaps an obstacle."""
    if pursuit.swayed:
        pursuit = yield from _use_inner_strength(rules, pursuit)
    pursuit, chosen = yield from _paces(rules, pursuit)
    stretch = pursuit.stretch
    if pursuit.surrendered or not pursuit.chasing:
        return replace(pursuit, round=pursuit.round + 1)
    for racer in (pursuit.prey, *pursuit.chasing):
        gait = chosen[racer.name]
        racer = replace(racer, speed=_speed(rules, racer, gait))
        if stretch.bend and gait == "sprinting":
            pursuit, efforts = yield from _efforts(rules, pursuit, [racer], "the bend")
            racer = replace(racer, body=pursuit.racer(racer.name).body)
            test = yield from sub(turn_in_a_sprint, rules, _runner_with(racer, efforts[racer.name]).athletics, stretch.bend, racer.name)
            turned = passes(rules, test.total, test.threshold)
            words, mood = ("takes the bend in a sprint", "plain") if turned else ("overshoots the bend", "bad")
            yield from Tell(Managed(racer.name, words, test, "sil-3.2.1-movement-types", mood))
            if not turned:
                racer = replace(racer, speed=_speed(rules, racer, "running"))  # no faster than a run (ruling)
        pursuit = pursuit.put(racer)
    over = (yield from _ask_obstacle(pursuit, stretch)) if stretch.obstacle else False
    pursuit, efforts = yield from _efforts(rules, pursuit, [pursuit.prey, *pursuit.chasing], "running")
    chasing = pursuit.chasing
    gaps = tuple([racer.gap for racer in chasing])
    runners = tuple([_runner_with(racer, efforts[racer.name]) for racer in chasing])
    prey = _runner_with(pursuit.prey, efforts[pursuit.prey.name])
    moved = yield from chase_round(rules, prey, runners, gaps, stretch.conditions)
    for racer, result in zip(chasing, moved, strict=True):
        pursuit = pursuit.put(replace(racer, gap=round(result.gap, 2)))
    if over and not any(racer.gap <= 0 for racer in pursuit.chasing):
        return (yield from _cross_obstacle(rules, pursuit))
    return (yield from _end_round(pursuit))


def _ask_obstacle(pursuit: Pursuit, stretch: Stretch) -> Play[bool]:
    options: tuple[Option[bool], ...] = (Option("over", f"Go over {the(stretch.obstacle)}", True), Option("round", "Go around it", False))
    name = pursuit.prey.name
    return (yield from Choice(name, f"There is {a(stretch.obstacle)} ahead. Go over it?", options, Question(pursuit, name), "obstacle"))


def _cross_obstacle(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """The prey tests once to cross the obstacle; then every pursuer decides."""
    pursuit, efforts = yield from _efforts(rules, pursuit, [pursuit.prey], f"the {pursuit.stretch.obstacle}")
    taken = yield from sub(hurdle, rules, _runner_with(pursuit.prey, efforts[pursuit.prey.name]), pursuit.stretch.obstacle)
    return replace(pursuit, facing=tuple([racer.name for racer in pursuit.chasing]), taken=taken)


def get_over(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """The next pursuer decides whether to follow the prey across the obstacle, and tries."""
    prey, obstacle = pursuit.prey.name, pursuit.stretch.obstacle
    racer = next(pursuer for pursuer in pursuit.pursuers if pursuer.name == pursuit.facing[0])
    asked = f"{prey} goes over {the(obstacle)}. Follow?"
    follows = yield from Choice(racer.name, asked, _FOLLOW, Question(pursuit, racer.name), "follow")
    pursuit, efforts = yield from _efforts(rules, pursuit, [racer] if follows else [], f"the {obstacle}")
    racer = pursuit.racer(racer.name)
    runners = _runner_with(pursuit.prey), _runner_with(racer, efforts.get(racer.name, AS_USUAL))
    hurdled = yield from take_obstacle(rules, *runners, racer.gap, obstacle, follows, pursuit.taken)
    if not follows:
        yield from Tell(Happened(racer.name, "gives up"))
    pursuit = pursuit.put(replace(racer, gap=round(hurdled.gap, 2), out=not hurdled.followed))
    pursuit = replace(pursuit, facing=pursuit.facing[1:])
    return pursuit if pursuit.facing else (yield from _end_round(replace(pursuit, taken=None)))


def _end_round(pursuit: Pursuit) -> Play[Pursuit]:
    """End the round: pursuers who have lost sight of the prey drop out."""
    pursuit = replace(pursuit, round=pursuit.round + 1, prey=replace(pursuit.prey, speed=0.0))
    for racer in pursuit.pursuers:
        lost = not racer.out and chase_ends(racer.gap, pursuit.course.sight) == "lost"
        if lost:
            yield from Tell(Happened(racer.name, f"loses sight of {pursuit.prey.name}"))
        pursuit = pursuit.put(replace(racer, speed=0.0, out=racer.out or lost))
    return pursuit


# --- luck and Genre Points ----------------------------------------------------------------------------------------------------


class Runners(Company[Pursuit]):
    """The people of a chase."""

    def all_fates(self) -> tuple[Fate, ...]:
        return tuple([_fate(racer) for racer in self.state.everybody])

    def with_points(self, state: Pursuit, points: Mapping[str, int]) -> Pursuit:
        for racer in state.everybody:
            if points.get(racer.name, racer.body.genre_points) != racer.body.genre_points:
                state = state.put(replace(racer, body=replace(racer.body, genre_points=points[racer.name])))
        return state

    def with_fortune(self, state: Pursuit, name: str, fortune: Fortune) -> Pursuit:
        return state.put(replace(state.racer(name), fortune=fortune))

    def about(self, name: str) -> Question:
        return Question(self.state, name)


def _fate(racer: Racer) -> Fate:
    body, able = racer.body, racer.body.able and not racer.out
    return Fate(racer.name, racer.side, able, body.genre_points, body.genre, racer.genre_start, racer.villain, False, racer.fortune)


# --- the scene ----------------------------------------------------------------------------------------------------------------


def _with_positions(played: Play[Pursuit]) -> Play[Pursuit]:
    """A round on a map, followed by everyone's position on the path."""
    after = yield from played
    behind = [f"{racer.name} {figure(racer.gap)} m behind" for racer in after.pursuers]
    first = ahead(way_of(after.map), after.round / len(after.course.course), after.course.lead)
    yield Tell(Happened(after.prey.name, f"is at {first:.0f} m, {join(behind)}"))
    return after


class PursuitScene(Parting[Pursuit]):
    """A chase on foot: every round is a step."""

    state_type = Pursuit
    described = Course
    kind = CHASE_SCENE
    event = "chase"
    seconds_a_round = SECONDS

    def step(self, state: Pursuit) -> Play[Pursuit]:
        played = watched(Runners(self.rules, state), self._step) if state.swayed else self._step(state)
        return _with_positions(played) if way_of(state.map) else played

    def _step(self, state: Pursuit) -> Play[Pursuit]:
        if not state.facing and (leaving := self.resolve(state)) is not None:
            return leaving
        return get_over(self.rules, state) if state.facing else go_on(self.rules, state)

    def result(self, state: Pursuit) -> Result | None:
        hunters = state.pursuers[0].side
        caught = next((racer for racer in state.chasing if racer.gap <= 0), None)
        if state.surrendered:
            return Result(hunters, f"{state.prey.name} gives up")
        if caught is not None:
            return Result(hunters, f"{caught.name} catches {state.prey.name}")
        if state.facing:
            return None
        if not state.chasing:
            return Result(state.prey.side, f"nobody chases {state.prey.name} any more")
        if state.round >= state.rounds:
            return Result(None, f"{count(state.rounds, 'round')} have passed")
        return None

    def sides(self, state: Pursuit) -> Mapping[str, tuple[str, ...]]:
        return {state.prey.side: (state.prey.name,), state.pursuers[0].side: tuple([racer.name for racer in state.pursuers])}

    def out(self, state: Pursuit) -> frozenset[str]:
        caught = state.surrendered or any(racer.gap <= 0 for racer in state.chasing)
        gone = {racer.name for racer in state.pursuers if racer.out}
        return frozenset(gone | ({state.prey.name} if caught else set()))

    def members(self, state: Pursuit) -> tuple[Racer, ...]:
        return state.everybody

    def able(self, state: Pursuit, fighter: Racer) -> bool:
        return fighter.name not in self.out(state)

    def stays(self, state: Pursuit, member: Racer, how: Leaving) -> str:
        chased = how == "withdraw" and member.name == state.prey.name
        return f"{member.name} is chased, and can only get away or surrender" if chased else ""

    def departed(self, state: Pursuit, fighter: Racer, how: Leaving) -> Pursuit:
        """The prey gives up, or a pursuer stays behind."""
        return replace(state, surrendered=True) if fighter.name == state.prey.name else state.put(replace(fighter, out=True))

    def wise_answers(self, state: Pursuit, fighter: Racer) -> tuple[str, ...]:
        return ("surrender", FIGHT_ON) if fighter.name == state.prey.name else ("withdraw", FIGHT_ON)

    def join(self, state: Pursuit, newcomer: Any, side: str) -> Pursuit:
        if any(racer.name == newcomer.name for racer in state.everybody):
            raise UserError(f"the name {newcomer.name} is already taken in this chase: give the newcomer another name")
        hunters = state.pursuers[0].side
        if side != hunters:
            raise UserError(f"only one runner can be chased: add the newcomer to {hunters}")
        last = max([racer.gap for racer in state.pursuers])
        characters = sum([racer.body.hero and not racer.villain for racer in state.everybody])
        racer = racer_of(self.rules, Placed.coming(newcomer, side), last, state.course.genre, characters)
        luck = state.swayed or racer.fortune != ORDINARY
        return replace(state, pursuers=(*state.pursuers, racer), swayed=luck)

    limits = state_limits(**BODY_LIMITS, gap=(-100_000, 100_000))
    carries = (*BODY, "fortune")

    def lasting(self, state: Pursuit, who: str) -> Mapping[str, Lasts]:
        racer = state.racer(who)
        return {**body_after(racer.body), **luck_after(racer.fortune)}

    def view(self, state: Pursuit, who: str | None) -> SceneView:
        stretch = state.stretch
        ground = ", ".join([*stretch.conditions, *([stretch.obstacle] if stretch.obstacle else [])]) or "open ground"
        mine = next((racer.side for racer in state.everybody if racer.name == who), None)
        cards = tuple([_card(state, racer, self.out(state), who is None or racer.side == mine) for racer in state.everybody])
        if state.map is BARE or state.map.bare:
            places = tuple([Place(-racer.gap, float(at), name=racer.name) for at, racer in enumerate(state.everybody)])
            return SceneView("Chase", f"Round {state.round}: {ground}", cards, None, places)
        there = state.everybody if way_of(state.map) else ()
        places = tuple([Place(*state.spot(racer), name=racer.name) for racer in there])
        return SceneView("Chase", f"Round {state.round}: {ground}", cards, None, places, self.field_shown(state, who))

    takes_maps = True

    def ground(self, state: Pursuit) -> tuple[Map, Changes] | None:
        """The map with the obstacles on it."""
        return None if state.map is BARE or state.map.bare else (state.map, with_marks(state.obstacles()))

    def in_sight(self, state: Pursuit, side: str) -> frozenset[str] | None:
        """Everyone: the book limits sight by distance, and nothing on the map hides a runner."""
        return None


def _card(pursuit: Pursuit, racer: Racer, out: frozenset[str], friend: bool) -> Card:
    body = racer.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    pieces: list[AnyPiece] = [Track(body.system_shock, wounds, name="System Shock", rule="sil-2.3.3-system-shock")]
    if racer.name == pursuit.prey.name:
        pieces.append(Tag(name="chased"))
    else:
        pieces.append(Value(key="gap", value=racer.gap, name="gap in metres", rule="sil-3.2.6-chase"))
    if friend and body.genre_points:
        pieces.append(Points(body.genre_points, body.genre_points, name="Genre Points"))
    return Card(racer.name, racer.side, tuple(pieces), racer.name in out)


# --- tactics ------------------------------------------------------------------------------------------------------------------


def headlong(choice: Choice[Any]) -> Given:
    """As fast as possible, over everything, never giving up."""
    options = choice.options
    return options.low if isinstance(options, Range) else options[0].key


def wary(choice: Choice[Any]) -> Given:
    """Sprints only on straight stretches, and goes around obstacles."""
    if choice.topic == "pace" and choice.about.pursuit.stretch.bend:
        keys = choice.keys()
        return "running" if "running" in keys else keys[0]
    return "round" if choice.topic == "obstacle" else headlong(choice)


CHASE_TACTICS: Mapping[str, Tactic] = {"headlong": headlong, "wary": wary}
