"""A chase as a scene: who runs from whom, and how it ends (book lines 2079-2104)."""

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
from rulewright.highest_die.harm import dice_asked
from rulewright.play import Choice, Given, Happened, Option, Play, Range, Tactic, Tell, Together, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts, Placed
from rulewright.scenes.scene import Result, Scene
from rulewright.systems.silhouette.action.chase import Runner, chase_ends, chase_round, hurdle, take_obstacle
from rulewright.systems.silhouette.action.movement import GAITS, MOVES, Gait, fastest_of, slower, turn_in_a_sprint
from rulewright.systems.silhouette.drama.luck_targets import Company, Fate, burst, inner_strength, mimic
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.fight.aftermath import BODY, body_after, luck_after
from rulewright.systems.silhouette.fight.luck import watched
from rulewright.systems.silhouette.pursuit.racers import Course, Pursuit, Racer, Stretch, racer_of
from rulewright.systems.silhouette.resolution.tests import Mod, most_emergency_dice, passes

CHASE_SCENE = "chase"


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
    """What somebody puts into a roll: Emergency Dice, and a level of Athletics that was never learnt (Mimic Skill)."""

    dice: int = 0
    mimicked: int = 0


AS_USUAL = Effort()


def _running(racer: Racer, effort: Effort = AS_USUAL) -> Runner:
    """Somebody at this round's speed, with what wounds and armor cost and what goes into the roll."""
    penalty = Mod("wounds and armor", racer.body.physical_penalty, "sil-3.5.2-action-penalties")
    runner, pool = racer.runner, racer.runner.athletics
    if effort.mimicked:
        runner, pool = replace(runner, level=effort.mimicked), pool.with_dice(effort.mimicked)
    return replace(runner, speed=racer.speed, athletics=pool.plus(penalty, racer.shaken.shift("fitness")).with_emergency(effort.dice))


def _efforts(rules: Ruleset, pursuit: Pursuit, racers: list[Racer], what: str) -> Play[tuple[Pursuit, dict[str, Effort]]]:
    """What everybody puts into a roll: whoever never learnt to run may mimic it, and who has Emergency Dice may add some."""
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
    """Everybody who has Emergency Dice may put some into a roll that is made now."""
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


def _pull_together(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """At the beginning of a round: an Inner Well of Strength may keep the pain of a wound away until the chase is over, and a Burst of
    Angst may make legs faster."""
    for racer in (pursuit.prey, *pursuit.chasing):
        about = Question(pursuit, racer.name)
        body, eased = yield from inner_strength(rules, racer.body, racer.eased, about)
        racer = replace(racer, body=body, eased=eased)
        racer = replace(racer, shaken=(yield from burst(rules, _fate(racer), racer.shaken, ("fitness",), about)))
        pursuit = pursuit.put(racer)
    return pursuit


def _round_the_bend(rules: Ruleset, runner: Runner, degrees: int) -> Play[bool]:
    test = yield from turn_in_a_sprint(rules, runner.athletics, degrees, runner.name)
    return passes(rules, test.total, test.threshold)


def go_on(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """A round: paces, bends, the test of all, and perhaps something that the prey goes over."""
    if pursuit.swayed:
        pursuit = yield from _pull_together(rules, pursuit)
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
            if not (yield from sub(_round_the_bend, rules, _running(racer, efforts[racer.name]), stretch.bend)):
                yield from Tell(Happened(racer.name, "overshoots the bend", "bad"))
                racer = replace(racer, speed=_speed(rules, racer, "running"))  # no faster than a run (ruling)
        pursuit = pursuit.put(racer)
    over = (yield from _goes_over(pursuit, stretch)) if stretch.obstacle else False
    pursuit, efforts = yield from _efforts(rules, pursuit, [pursuit.prey, *pursuit.chasing], "running")
    chasing = pursuit.chasing
    gaps = tuple([racer.gap for racer in chasing])
    runners = tuple([_running(racer, efforts[racer.name]) for racer in chasing])
    prey = _running(pursuit.prey, efforts[pursuit.prey.name])
    moved = yield from chase_round(rules, prey, runners, gaps, stretch.conditions)
    for racer, result in zip(chasing, moved, strict=True):
        pursuit = pursuit.put(replace(racer, gap=round(result.gap, 2)))
    if over and not any(racer.gap <= 0 for racer in pursuit.chasing):
        return (yield from _over(rules, pursuit))
    return (yield from _end_round(pursuit))


def _goes_over(pursuit: Pursuit, stretch: Stretch) -> Play[bool]:
    options: tuple[Option[bool], ...] = (Option("over", f"Over the {stretch.obstacle}", True), Option("round", "Round it", False))
    name = pursuit.prey.name
    return (yield from Choice(name, f"There is a {stretch.obstacle}. Do you go over it?", options, Question(pursuit, name), "obstacle"))


def _over(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """The prey tests once whether it gets over what is in the way; then everybody after it must decide."""
    pursuit, efforts = yield from _efforts(rules, pursuit, [pursuit.prey], f"the {pursuit.stretch.obstacle}")
    taken = yield from sub(hurdle, rules, _running(pursuit.prey, efforts[pursuit.prey.name]), pursuit.stretch.obstacle)
    return replace(pursuit, facing=tuple([racer.name for racer in pursuit.chasing]), taken=taken)


def get_over(rules: Ruleset, pursuit: Pursuit) -> Play[Pursuit]:
    """The prey has tried to get over something: the next pursuer decides whether to follow, and tries."""
    prey, obstacle = pursuit.prey.name, pursuit.stretch.obstacle
    racer = next(pursuer for pursuer in pursuit.pursuers if pursuer.name == pursuit.facing[0])
    asked = f"{prey} goes over the {obstacle}. Do you follow?"
    follows = yield from Choice(racer.name, asked, _FOLLOW, Question(pursuit, racer.name), "follow")
    pursuit, efforts = yield from _efforts(rules, pursuit, [racer] if follows else [], f"the {obstacle}")
    racer = pursuit.racer(racer.name)
    runners = _running(pursuit.prey), _running(racer, efforts.get(racer.name, AS_USUAL))
    hurdled = yield from take_obstacle(rules, *runners, racer.gap, obstacle, follows, pursuit.taken)
    if not follows:
        yield from Tell(Happened(racer.name, "gives up"))
    pursuit = pursuit.put(replace(racer, gap=round(hurdled.gap, 2), out=not hurdled.followed))
    pursuit = replace(pursuit, facing=pursuit.facing[1:])
    return pursuit if pursuit.facing else (yield from _end_round(replace(pursuit, taken=None)))


def _end_round(pursuit: Pursuit) -> Play[Pursuit]:
    """The round is over: whoever has lost sight of the prey is out of it."""
    pursuit = replace(pursuit, round=pursuit.round + 1, prey=replace(pursuit.prey, speed=0.0))
    for racer in pursuit.pursuers:
        lost = not racer.out and chase_ends(racer.gap, pursuit.course.sight) == "lost"
        if lost:
            yield from Tell(Happened(racer.name, f"has lost sight of {pursuit.prey.name}"))
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


def _told_along(played: Play[Pursuit]) -> Play[Pursuit]:
    """A round on a map, after which it is told how far along the way everybody is."""
    after = yield from played
    behind = [f"{racer.name} {racer.gap:g} m behind" for racer in after.pursuers]
    first = ahead(way_of(after.map), after.round / len(after.course.course), after.course.lead)
    yield Tell(Happened("", f"Along the way: {after.prey.name} at {first:.0f} m, {', '.join(behind)}"))
    return after


class PursuitScene(Scene[Pursuit]):
    """A chase on foot: every round is a step."""

    state_type = Pursuit
    described = Course
    kind = CHASE_SCENE

    def step(self, state: Pursuit) -> Play[Pursuit]:
        played = watched(Runners(self.rules, state), self._step) if state.swayed else self._step(state)
        return _told_along(played) if way_of(state.map) else played

    def _step(self, state: Pursuit) -> Play[Pursuit]:
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

    def join(self, state: Pursuit, newcomer: Any, side: str) -> Pursuit:
        if any(racer.name == newcomer.name for racer in state.everybody):
            raise UserError(f"there is a {newcomer.name} in this chase already: give the newcomer another name")
        hunters = state.pursuers[0].side
        if side != hunters:
            raise UserError(f"one person is chased in a chase: a newcomer joins {hunters}")
        last = max([racer.gap for racer in state.pursuers])
        characters = sum([racer.body.hero and not racer.villain for racer in state.everybody])
        racer = racer_of(self.rules, Placed.coming(newcomer, side), last, state.course.genre, characters)
        luck = state.swayed or racer.fortune != ORDINARY
        return replace(state, pursuers=(*state.pursuers, racer), swayed=luck)

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
        """The map with what is in the way on it."""
        return None if state.map is BARE or state.map.bare else (state.map, with_marks(state.obstacles()))

    def in_sight(self, state: Pursuit, side: str) -> frozenset[str] | None:
        """The book counts how far one sees; nothing on the map hides anybody."""
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
