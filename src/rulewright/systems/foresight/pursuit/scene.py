"""The pursuit scene: initiative, focus and speed bids from worst to best, turns from best to worst (book lines 3415-3471)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Ladder, Pool, SceneView, Tag, Timeline, Track, Turn
from rulewright.build.sheet_parts import Place as MapPlace
from rulewright.errors import UserError
from rulewright.field.chase_track import spot_along, way_of
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground
from rulewright.grammar import count
from rulewright.play import Choice, Event, Happened, Play, Range, Roll, Tell, Together, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.scenes.scenarios import Lasts, Placed
from rulewright.scenes.scene import Leaving, Result, state_limits
from rulewright.scenes.skirmish import FIGHT_ON, Parting
from rulewright.systems.foresight.fight.aftermath import BODY, body_after
from rulewright.systems.foresight.fight.wait_actions import comes_after
from rulewright.systems.foresight.gear.vehicles import FASTEST_BID, SCALES, TERRAIN, pursuit_range, slowest_bid
from rulewright.systems.foresight.harm.body import BODY_LIMITS, CRITICAL, HEAVY, INCAPACITATED, Patient, condition
from rulewright.systems.foresight.harm.damage import come_to, may_come_to, pull_together, recover_from_stun
from rulewright.systems.foresight.harm.stamina import exertion_cost, spend
from rulewright.systems.foresight.people.attributes import ENVIRONMENTS
from rulewright.systems.foresight.pursuit.actions import About, distance, pursuit_options
from rulewright.systems.foresight.pursuit.bonus_actions import bonus_options, free_of, payable, spendable, try_bonus, turn_over
from rulewright.systems.foresight.pursuit.craft import ON_FOOT
from rulewright.systems.foresight.pursuit.melee import in_reach
from rulewright.systems.foresight.pursuit.pursuers import (
    UNPREPARED,
    Chase,
    Course,
    Place,
    Runner,
    Start,
    boarded,
    entering,
    levelled,
    started,
)
from rulewright.systems.foresight.pursuit.rules import after_bids, end_of_turn, operate, uncontrolled
from rulewright.systems.foresight.pursuit.wait_actions import declare_focus, forgotten, perform, rated, rested
from rulewright.systems.foresight.resolution.situations import AWARENESS
from rulewright.systems.foresight.resolution.tests import BOTCH, Mod, Quality, QualityRoll, Weighed, reading

ACTIONS = 2


class InitiativeRolled(Event, frozen=True):
    """Everybody's place in a turn of the pursuit, with what each chance was made of."""

    turn: int
    order: tuple[tuple[str, int], ...]
    of: tuple[Weighed | None, ...] = ()

    def headline(self) -> str:
        return f"Turn {self.turn}. Initiative: {', '.join([f'{name} QR{qr}' for name, qr in self.order]) or 'nobody acts'}"

    def reasons(self) -> tuple[Reason, ...]:
        rolled = zip(self.order, self.of, strict=False)
        return tuple([replace(of.why().reason, label=f"{name}: success chance") for (name, _), of in rolled if of is not None])


# --- a turn -------------------------------------------------------------------------------------------------------------------


def roll_initiative(rules: Ruleset, chase: Chase) -> Play[Chase]:
    """Everybody who can act rolls: a failure leaves one action, a botch none. A person who still waits keeps the old rating until the own
    turn."""
    chase = yield from awaken(rules, chase)
    able: list[tuple[int, int]] = []
    helpless: list[Place] = []
    for number, runner in enumerate(chase.runners):
        for seat, body in enumerate(runner.craft.aboard):
            if runner.out or (seat and (not runner.busy(seat) or body.dead or body.unconscious)):
                continue
            if body.dead or body.unconscious:
                helpless.append(Place(number, seat, 0))
            else:
                able.append((number, seat))
    rolls = [_initiative(rules, chase.runners[number], seat) for number, seat in able]
    rolled = (yield from Together(tuple(rolls))) if rolls else ()
    ranked = sorted(zip(able, rolled, strict=True), key=lambda pair: _rank(chase, *pair))
    places = [Place(number, seat, _actions(quality)) for (number, seat), quality in ranked]
    for (number, seat), quality in ranked:
        chase = chase.put(number, rated(chase.runners[number], seat, quality.qr))
    of = {roll.by: roll.reading.of for roll in rolls if isinstance(roll.reading, QualityRoll)}
    told = [(chase.runners[number].riders[seat].name, quality.qr) for (number, seat), quality in ranked]
    yield from Tell(InitiativeRolled(turn=chase.round, order=tuple(told), of=tuple([of.get(name) for name, _ in told])))
    return replace(chase, phase="bids", order=(*places, *helpless))


def awaken(rules: Ruleset, chase: Chase) -> Play[Chase]:
    """At the start of a turn, people unconscious from a critical wound may come to."""
    for number, runner in enumerate(chase.runners):
        for seat, body in enumerate(runner.craft.aboard):
            if not runner.out and may_come_to(body):
                after = yield from sub(come_to, rules, body)
                woken = chase.runners[number].with_body(seat, after)
                chase = chase.put(number, woken if after.unconscious else woken.with_rider(seat, roused=True))
    return chase


def begin_turn(rules: Ruleset, chase: Chase) -> Play[Chase]:
    """Initiative, then focus and bids: afterwards only those ratings are left that a person may still ask about."""
    chase = yield from roll_initiative(rules, chase)
    return (yield from declare_speeds(rules, chase))


def _initiative(rules: Ruleset, runner: Runner, seat: int) -> Roll[Quality]:
    rider, body = runner.riders[seat], runner.body(seat)
    task = rider.profile.initiative.plus(*condition(rules, body))
    if body.stunned:
        task = task.plus(Mod("stunned", AWARENESS.of(rules, "stunned"), "fs-initiative-modifiers"))
    return Roll(reading(rules, task), rider.name, "initiative")


def _rank(chase: Chase, who: tuple[int, int], rolled: Quality) -> tuple[int, float, tuple[int, int]]:
    """Better ratings first, ties by the score, then by where they sit (ruling)."""
    return rolled.qr, -chase.runners[who[0]].riders[who[1]].profile.initiative.score, who


def _actions(rolled: Quality) -> int:
    return 0 if rolled.qr == BOTCH else ACTIONS if rolled.success else 1


def declare_speeds(rules: Ruleset, chase: Chase) -> Play[Chase]:
    """From the worst initiative to the best everybody says whom they watch, and operators bid, each hearing those before.

    Then the gaps change.
    """
    for place in reversed(chase.order):
        chase = yield from declare_focus(rules, chase, place)
        runner = chase.runners[place.runner]
        if place.seat or runner.out:
            continue
        bid = 0
        body = runner.body(0)
        if not (body.dead or body.unconscious):
            about = About(rules, chase, place.runner, 0)
            bid = yield from Choice(runner.name, "What is your speed bid?", Range(FASTEST_BID, slowest_bid(rules)), about, "bid")
            yield from Tell(Happened(runner.name, f"bids {bid:+d}"))
        chase = chase.put(place.runner, replace(runner, bid=bid))
    for number, runner in enumerate(chase.runners):
        if runner.gap is not None and not runner.out:
            chase = chase.put(number, replace(runner, gap=after_bids(rules, runner.gap, chase.quarry.bid, runner.bid)))
            yield from Tell(distance(rules, chase, chase.runners[number]))
    return replace(forgotten(chase), phase="turns")


def next_turn(rules: Ruleset, chase: Chase) -> Play[Chase]:
    """Let the next person act; after the last one the turn ends."""
    place, *rest = chase.order
    chase = replace(chase, order=tuple(rest))
    if not chase.runners[place.runner].out:
        chase = yield from take_turn(rules, chase, place)
    if chase.order or chase.over:
        return chase
    return (yield from finish_turn(rules, chase))


def take_turn(rules: Ruleset, chase: Chase, place: Place) -> Play[Chase]:
    """A rider's actions: the operator spends one on driving, or the vehicle is out of control."""
    number, seat = place.runner, place.seat
    runner = chase.runners[number]
    drives = seat == 0 and not runner.autopilot
    rider = runner.riders[seat]
    actions = max(place.actions - rider.spent, min(place.actions, int(drives)))
    if rider.held or rider.rolled:
        runner = runner.with_rider(seat, qr=rider.rolled or rider.qr, rolled=0, held=0)
    runner, actions = yield from _bestirred(rules, runner, seat, actions)
    if drives:
        runner = yield from _drive(rules, runner, actions > 0)
        actions -= 1
    chase = chase.put(number, runner)
    chase, left = yield from use_actions(rules, chase, place, max(0, actions))
    return chase if left else chase.put(number, turn_over(chase.runners[number], seat))


def _bestirred(rules: Ruleset, runner: Runner, seat: int, actions: int) -> Play[tuple[Runner, int]]:
    """Reduces a rider's actions by wounds and stun: grave wounds ask for willpower, and the stunned have one effort to recover."""
    rider, body = runner.riders[seat], runner.body(seat)
    able, overcame, lost = not body.helpless, True, 0
    if rider.roused and actions:
        runner, lost = runner.with_rider(seat, roused=False), int(rules.on("critical-loses-action"))
    elif not rider.roused and (actions or body.wounds == CRITICAL):  # without actions too, they roll to stay conscious
        willed = yield from sub(pull_together, rules, body)
        runner, able, overcame, lost = runner.with_body(seat, willed.patient), willed.able, willed.overcame, willed.lost
    body = runner.body(seat)
    if body.stunned and not (body.dead or body.unconscious) and actions:
        if overcame:
            body = yield from sub(recover_from_stun, rules, body)
        return runner.with_body(seat, body).with_rider(seat, **UNPREPARED), 0
    return runner, max(0, actions - lost) if able else 0


def use_actions(rules: Ruleset, chase: Chase, place: Place, left: int) -> Play[tuple[Chase, int]]:
    """One action after another, bonus actions among them, until none is left, or until a person waits with the rest of them."""
    number, seat = place.runner, place.seat
    fresh, acted = place.actions == ACTIONS, False
    while left or spendable(chase.runners[number].riders[seat]):
        body = chase.runners[number].body(seat)
        if chase.runners[number].out or chase.over or body.dead or body.unconscious or body.stunned:
            break
        about = About(rules, chase, number, seat)
        options = (*bonus_options(rules, about.rider, fresh, in_reach(chase, number)), *payable(about.rider, pursuit_options(about), left))
        action = yield from Choice(about.rider.name, "What do you do?", options, about)
        fresh = False
        if action.kind == "bonus":
            chase, lost = yield from try_bonus(rules, chase, number, seat, action)
            left = max(0, left - lost)
            continue
        if action.kind == "hold":
            yield from Tell(Happened(about.rider.name, f"waits until {about.rider.focus} acts"))
            return chase.put(number, about.runner.with_rider(seat, held=left, acted=comes_after(rules, acted))), left
        if action.kind == "wait" and not left:
            break
        free, acted = free_of(about.rider, action), True
        left -= free is None
        chase = yield from perform(rules, chase.put(number, about.runner.with_rider(seat, **(free or {}))), number, seat, action)
    return chase, 0


def run(rules: Ruleset, patient: Patient, seconds: int, burden: int = 1) -> Play[Patient]:
    """Running for so long costs stamina, more under a load."""
    if patient.dead or patient.unconscious:
        return patient
    return (yield from spend(rules, patient, exertion_cost(rules, "heavy", seconds).value * burden))


def _drive(rules: Ruleset, runner: Runner, steers: bool) -> Play[Runner]:
    """The operator's first action, or the outcome of its lack."""
    body = runner.body(0)
    driving = runner.driving.plus(*condition(rules, body))
    if steers:
        craft = yield from sub(operate, rules, runner.craft, driving, runner.bid, runner.name)
    else:
        catches = None if body.dead or body.unconscious else driving
        craft = yield from sub(uncontrolled, rules, runner.craft, catches, runner.bid, runner.name)
    return replace(runner, craft=craft)


def finish_turn(rules: Ruleset, chase: Chase) -> Play[Chase]:
    """People who go the wrong way fall back, those on foot have run themselves tired, and a new turn begins."""
    for number, runner in enumerate(chase.runners):
        gap = runner.gap
        if gap is not None and not runner.out:
            after = end_of_turn(rules, gap)
            chase = chase.put(number, replace(runner, gap=after))
            if after.range != gap.range:
                yield from Tell(distance(rules, chase, chase.runners[number]))
    for number, runner in enumerate(chase.runners):
        if runner.craft.vehicle in ON_FOOT and not runner.out and not runner.riders[0].profile.power:
            body = yield from sub(
                run, rules, runner.body(0), SCALES.get(rules, chase.course.scale).seconds, runner.riders[0].profile.burden
            )
            chase = chase.put(number, runner.with_body(0, body))
    runners = tuple([rested(replace(runner, bid=0)) for runner in chase.runners])
    return replace(chase, runners=runners, phase="initiative", order=(), round=chase.round + 1)


# --- the scene ----------------------------------------------------------------------------------------------------------------


class PursuitScene(Parting[Chase]):
    """A pursuit: initiative with focus and bids is a step, and so is every turn."""

    state_type = Chase
    described = Course
    kind = "pursuit"
    event = "pursuit"

    def step(self, state: Chase) -> Play[Chase]:
        return self._told_along(state) if way_of(state.map) else self._step(state)

    def _told_along(self, state: Chase) -> Play[Chase]:
        """A step on a map; where it has changed how far along the way they are, that is told."""
        after = yield from self._step(state)
        if self._places(after) != self._places(state):
            told = [f"{place.name} at {place.x:.0f}, {place.y:.0f}" for place in self._places(after)]
            lost = [runner.riders[0].name for runner in after.runners if runner.gap is not None and runner.gap.lost]
            yield Tell(Happened("", f"Positions on the map: {', '.join([*told, *[f'{name} out of contact' for name in lost]])}"))
        return after

    def _step(self, state: Chase) -> Play[Chase]:
        if state.phase == "initiative":
            leaving = self.resolve(state)
            return leaving if leaving is not None else begin_turn(self.rules, state)
        return declare_speeds(self.rules, state) if state.phase == "bids" else next_turn(self.rules, state)

    def result(self, state: Chase) -> Result | None:
        quarry, following = state.quarry, [runner for runner in state.pursuers if not runner.out]
        if quarry.out:
            nearest = min(following, key=lambda runner: runner.gap.range if runner.gap else 0, default=None)
            why = f"{quarry.name} surrenders" if quarry.left else f"{quarry.craft.name} is stopped"
            return Result(nearest.side if nearest else None, why)
        if not following:
            lost = any(not runner.craft.stopped and not runner.left for runner in state.pursuers)
            return Result(quarry.side, "contact is lost" if lost else "nobody can follow any more")
        return (
            Result(None, f"{count(state.limit, 'turn')} {'has' if state.limit == 1 else 'have'} passed")
            if state.round > state.limit
            else None
        )

    def sides(self, state: Chase) -> Mapping[str, tuple[str, ...]]:
        result: dict[str, tuple[str, ...]] = {}
        for runner in state.runners:
            result[runner.side] = (*result.get(runner.side, ()), *[rider.name for rider in runner.riders])
        return result

    def out(self, state: Chase) -> frozenset[str]:
        return frozenset(rider.name for runner in state.runners if runner.out for rider in runner.riders)

    def members(self, state: Chase) -> tuple[Runner, ...]:
        return state.runners

    def member(self, state: Chase, who: str) -> Runner | None:
        return next((runner for runner in state.runners if any(rider.name == who for rider in runner.riders)), None)

    def able(self, state: Chase, fighter: Runner) -> bool:
        return not fighter.out

    def speaker(self, state: Chase, member: Runner) -> str:
        aboard = zip(member.riders, member.craft.aboard, strict=True)
        return next((rider.name for rider, body in aboard if not (body.dead or body.unconscious)), "")

    def stays(self, state: Chase, member: Runner, how: Leaving) -> str:
        chased = how == "withdraw" and member.gap is None
        return f"{member.name} is chased, and can only get away or surrender" if chased else ""

    def departed(self, state: Chase, fighter: Runner, how: Leaving) -> Chase:
        """A vehicle leaves with everybody aboard."""
        return state.put([runner.name for runner in state.runners].index(fighter.name), replace(fighter, left=how))

    def badly_hurt(self, state: Chase, fighter: Runner) -> bool:
        """Whether a vehicle is halfway to being stopped, or its operator is gravely wounded."""
        return 2 * fighter.craft.level >= INCAPACITATED or fighter.body(0).wounds >= HEAVY

    def wise_answers(self, state: Chase, fighter: Runner) -> tuple[str, ...]:
        return ("surrender", FIGHT_ON) if fighter.gap is None else ("withdraw", FIGHT_ON)

    def round(self, state: Chase) -> int:
        return state.round

    def took(self, state: Chase) -> int:
        return (state.round - 1) * SCALES.get(self.rules, state.course.scale).seconds

    def join(self, state: Chase, newcomer: Any, side: str) -> Chase:
        """A newcomer gets into the first vehicle of the side, or comes with an own one where the scenario says so."""
        placed = Placed.coming(newcomer, side)
        if any(rider.name == placed.name for runner in state.runners for rider in runner.riders):
            raise UserError(f"there is a {placed.name} in this pursuit already: give the newcomer another name")
        start: Start = started(placed)
        if start != Start() and not start.aboard:
            return replace(state, runners=(*state.runners, entering(self.rules, state.course, placed, start, flees=False)))
        for number, runner in enumerate(state.runners):
            if runner.side == side and start.aboard in ("", runner.name):
                return state.put(number, boarded(self.rules, state.course, runner, placed, start))
        raise UserError(f"{placed.name} finds nobody of {side} to ride with")

    carries = BODY
    limits = state_limits(**BODY_LIMITS, driving=(-20, 20), armor=(0, 100))

    def lasting(self, state: Chase, who: str) -> Mapping[str, Lasts]:
        aboard = [(rider, body) for runner in state.runners for rider, body in zip(runner.riders, runner.craft.aboard, strict=True)]
        return next(body_after(body) for rider, body in aboard if rider.name == who)

    def lens(self, state: Chase, question: str) -> Chase:
        """A person who gets away does not depend on the number of the turn, nor on how those fare who are out of the fight."""
        if question == "all":
            return state
        order = tuple([place for place in state.order if not state.runners[place.runner].out])
        if not order and state.phase == "turns":
            order = state.order[:1]
        return replace(state, runners=tuple([levelled(runner) for runner in state.runners]), order=order, round=1)

    def view(self, state: Chase, who: str | None) -> SceneView:
        cards = []
        mine = next((runner.side for runner in state.runners for rider in runner.riders if rider.name == who), None)
        for runner in state.runners:
            for seat, rider in enumerate(runner.riders):
                pieces = _vehicle_pieces(self.rules, state, runner) if not seat else [Tag(name=f"in {runner.craft.name}")]
                pieces += _rider_pieces(runner, seat, who is None or mine == runner.side)
                cards.append(Card(rider.name, runner.side, tuple(pieces), runner.out))
        turns = tuple([Turn(state.runners[at.runner].riders[at.seat].name, str(at.actions)) for at in state.order])
        timeline = Timeline(turns, name="Initiative")
        if state.map is BARE or state.map.bare:
            return SceneView("Pursuit", f"Turn {state.round}", tuple(cards), timeline)
        return SceneView("Pursuit", f"Turn {state.round}", tuple(cards), timeline, self._places(state), field=self.field_shown(state, who))

    def _places(self, state: Chase) -> tuple[MapPlace, ...]:
        """Everybody's vehicle on the map: the quarry along the way as the turns go, the others behind it by the metres of their range.

        On a map from which the way was taken nobody has a place.
        """
        way, lead = way_of(state.map), float(pursuit_range(self.rules, state.course.scale, state.course.range) or 0)
        first, places = state.metres_ahead(lead), []
        for runner in state.runners if way else ():
            behind = (pursuit_range(self.rules, state.course.scale, runner.gap.range) or 0) if runner.gap is not None else 0
            if runner.gap is None or not runner.gap.lost:
                places.append(MapPlace(*spot_along(way, first - behind), name=runner.riders[0].name))
        return tuple(places)

    takes_maps = True

    def place_words(self) -> Mapping[str, tuple[str, ...]]:
        return {"scale": tuple(SCALES(self.rules)), "terrain": tuple(TERRAIN(self.rules)), "environment": tuple(ENVIRONMENTS(self.rules))}

    def ground(self, state: Chase) -> tuple[Ground, Changes] | None:
        return None if state.map is BARE or state.map.bare else (state.map, UNCHANGED)

    def in_sight(self, state: Chase, side: str) -> frozenset[str] | None:
        """The book counts ranges; nothing on the map hides anybody."""
        return None


def _vehicle_pieces(rules: Ruleset, chase: Chase, runner: Runner) -> list[AnyPiece]:
    levels = ("whole", "light", "medium", "heavy", "incapacitated", "", "", "", "destroyed")
    level = min(runner.craft.level, len(levels) - 1)
    pieces: list[AnyPiece] = [Ladder(levels, level, level, name=runner.craft.vehicle, rule="fs-safety-rolls")]
    if chase.phase == "turns":
        pieces.append(Tag(f"{runner.bid:+d}", name="speed bid", rule="fs-pursuit-speed-bids"))
    gap = runner.gap
    if gap is None:
        return [*pieces, Tag(name="flees")]
    meters = pursuit_range(rules, chase.course.scale, gap.range)
    far = "contact lost" if gap.lost else f"{meters} m"
    pieces.append(Tag(far, name=f"range {gap.range}", rule="fs-pursuit-ranges"))
    if gap.height:
        pieces.append(Tag(str(gap.height), name="height of the quarry", rule="fs-pursuit-actions"))
    if gap.missed != "no":
        pieces.append(Tag(f"{gap.owes} quick turns", hurt=True, name=gap.missed, rule="fs-pursuit-actions"))
    return pieces


def _rider_pieces(runner: Runner, seat: int, friend: bool) -> list[AnyPiece]:
    rider, body = runner.riders[seat], runner.body(seat)
    pieces: list[AnyPiece] = [Track(8, ("wound",) * min(body.wounds, 8), name="wounds", rule="fs-wound-levels")]
    weapon = rider.weapon
    if weapon is not None and friend:
        pieces.append(Pool(rider.ammo, weapon.ammo, name=weapon.name))
    if rider.focus:
        pieces.append(Tag(rider.focus, name="waits for" if rider.held else "watches", rule="fs-pursuit-speed-bids"))
    states = (("stunned", body.stunned), ("unconscious", body.unconscious), ("dead", body.dead))
    return pieces + [Tag(name=name) for name, holds in states if holds]
