"""Movement: paths, Movement Points and interrupts (book lines 4352, 4360-4439)."""

from collections.abc import Iterator
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.field.pathfinding import hex_outlines
from rulewright.field.places import Band, circle, written
from rulewright.grammar import count
from rulewright.play import Choice, Given, Offering, Option, Play, Stands, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, less, term, total
from rulewright.systems.silhouette.battle.actions.attacks.interrupts import interrupting, interrupts, may_interrupt
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.damage.structures import onto_bridge
from rulewright.systems.silhouette.battle.damage.zones import ROADS, entered
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.battle.movement.hard_turns import hold_turn, is_hard_turn
from rulewright.systems.silhouette.battle.sensors.sightings import names_of, side_sees, witnesses
from rulewright.systems.silhouette.breakage.environment import road_bonus
from rulewright.systems.silhouette.detection.night import speed_at_night
from rulewright.systems.silhouette.detection.sight import sensor_rating
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.maneuver.air.flight_paths import drift_point, drift_to, drifts, flight_to, flown, pushed
from rulewright.systems.silhouette.maneuver.course_limits import least_allowed, points_allowed, radius_of, too_low
from rulewright.systems.silhouette.maneuver.ground_paths import Reached, Rig, Route, Step, open_route, places, reached, rig_of, route_to
from rulewright.systems.silhouette.maneuver.space import Vector, burned
from rulewright.systems.silhouette.maneuver.speeds import (
    combat_speed,
    half_speed,
    top_speed,
    top_speed_points,
    towed_speed,
    towing_capacity,
)
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.units.courses import Course
from rulewright.systems.silhouette.units.state import Battle, Place
from rulewright.systems.silhouette.units.units import Unit

_SPEED = "sil-5.2.1-combat-speed"
STEERED = ("air", "space", "submarine")
"""Movement types with speeds and turns of their own."""


# --- Movement Points -----------------------------------------------------------------------------------------------------------------


def points_of(battle: Battle, unit: Unit) -> int:
    """Movement Points of this round: those of the movement type it began with, as far as its declared speed and tow allow."""
    if is_towed(battle, unit):
        return 0
    return _points(unit, battle.place, dragging(battle, unit) if unit.tows else "any")


@cached(1024)
def _points(unit: Unit, place: Place, drags: str) -> int:
    """The same for a unit that is not towed, by how fast it can go with its own tow."""
    if unit.shape.stretched:
        return 0  # it cannot move until it draws together (ruling)
    if unit.machine.build == "emplacement" or unit.signs.shut or unit.signs.snagged or unit.pace == "stationary" or drags == "none":
        return 0
    base = unit.points
    if base is None:
        base = top_speed(unit, place) if unit.speed == "top" else combat_speed(unit, place)
    if unit.way in STEERED:
        base = points_allowed(place, unit, base)
    combat = combat_speed(unit, place)
    if place.night and sensor_rating(unit) is None:
        base = int(speed_at_night(base, True, False).value)
    if drags != "any":
        base = min(base, combat if drags == "combat" else int(half_speed(combat).value))
    return min(base, int(half_speed(combat).value)) if unit.pace == "half" else base


def cumbersome(unit: Unit) -> bool:
    """Whether moving takes an action of a unit."""
    return unit.machine.has("inefficient controls") is not None


def is_towed(battle: Battle, unit: Unit) -> bool:
    """Whether another unit tows it."""
    towed = [other.tows for other in battle.units if other.tows]
    return unit.name in towed and any(other.able for other in battle.units if other.tows == unit.name)


def dragging(battle: Battle, unit: Unit) -> str:
    """How fast a unit can go with its tow."""
    if not unit.tows:
        return "any"
    load = battle.unit(unit.tows)
    rolls = any(way.type in ("ground", "rail", "naval", "hover") for way in load.machine.ways) or not load.machine.ways
    return towed_speed(float(load.machine.mass), float(capacity_of(unit).value), rolls)


def capacity_of(unit: Unit) -> Derived[float]:
    """The mass that a unit can tow."""
    high = unit.machine.has("high towing capacity")
    factor: Literal[1, 2, 3] = 1 if high is None else 3 if high.variant == "triple" else 2
    return towing_capacity(float(unit.machine.mass), factor, unit.machine.has("poor towing capacity") is not None, unit.way == "rail")


@cached(64)
def points_left(battle: Battle, unit: Unit) -> int:
    """Unused Movement Points."""
    return max(0, points_of(battle, unit) - unit.spent) if unit.able and not unit.signs.ready else 0


def least_points(battle: Battle, unit: Unit) -> int:
    """Movement Points that it must use by the end of its move: at Top Speed more than its Combat Speed, an aircraft its Stall
    Speed, a submarine what its Inertia leaves it."""
    if unit.way in STEERED and (unit.speed != "top" or unit.way == "space"):
        return max(0, least_allowed(battle, unit, points_of(battle, unit)) - unit.spent)
    if unit.speed != "top":
        return 0
    combat, top = combat_speed(unit, battle.place), top_speed(unit, battle.place)
    return top_speed_points(combat, max(combat, top))[0] - unit.spent if top > combat else 0


@cached(8)
def reach_of(rules: Ruleset, battle: Battle, unit: Unit, backward: bool = False) -> Reached:
    """All hexes that a unit can reach with its remaining points; backward at most at half speed."""
    left = points_left(battle, unit)
    if backward:
        left = max(0, min(left, int(half_speed(combat_speed(unit, battle.place)).value) - unit.spent))
    spot = (int(unit.x), int(unit.y))
    if unit.way == "space":
        return drifting(rules, battle, unit)
    if unit.way == "air" and (radius := turning_radius(rules, battle, unit)):
        return flown(battle.field, (spot, unit.facing, min(unit.course.straight, radius)), 0 if backward else left, radius)
    return reached(battle.field, rig_of(rules, battle, unit), (spot, unit.facing, unit.turned), left, backward)


@cached(64)
def route(rules: Ruleset, battle: Battle, unit: Unit, spot: Spot, *, facing: int | None = None, backward: bool = False) -> Route | None:
    """The path of a unit to a place with its remaining points and a wanted facing; None if there is no path or room, or if it is too
    short for its speed. Cached, since offering, evaluating and moving ask for the same path."""
    if unit.signs.prone or unit.signs.held:
        return None
    left, least = points_left(battle, unit), least_points(battle, unit)
    if backward:
        left = max(0, min(left, int(half_speed(combat_speed(unit, battle.place)).value) - unit.spent))
    if unit.way in ("air", "space"):
        return _steered_path(rules, battle, unit, spot, facing=facing, backward=backward)
    if battle.hexes:
        result = route_to(reach_of(rules, battle, unit, backward), (int(spot[0]), int(spot[1])), facing)
        more = road_points(battle, unit) if result is None and not backward else 0
        if more:
            left += more
            result = route_to(_road_reach(rules, battle, unit, left), (int(spot[0]), int(spot[1])), facing)
    else:
        result = open_route(
            battle.field, rig_of(rules, battle, unit), unit.spot, unit.facing, goal=spot, then=facing, most=left, backward=backward
        )
    if result is None or result.cost > left or not holds(battle, unit, result.spot, result.facing):
        return None
    return result if result.cost >= least else None


def road_points(battle: Battle, unit: Unit) -> int:
    """Extra Movement Points of a vehicle that kept to its road or rails all round."""
    road = ROADS.get(unit.way)
    if road is None or unit.signs.off_road or not battle.hexes or battle.field.terrain(unit.spot) != road:
        return 0
    base = points_of(battle, unit)
    return int(road_bonus(base, "rail" if road == "rail" else "ground", True, road == "rail").value)


def _road_reach(rules: Ruleset, battle: Battle, unit: Unit, left: int) -> Reached:
    rig = rig_of(rules, battle, unit)
    only = Rig(tuple([(name, cost if name == ROADS[unit.way] else None) for name, cost in rig.costs]), rig.up, rig.down)
    return reached(battle.field, only, ((int(unit.x), int(unit.y)), unit.facing, unit.turned), left)


def road_places(rules: Ruleset, battle: Battle, unit: Unit) -> dict[hexes.Hex, int]:
    """Every hex of its road or rails that a unit on it reaches without leaving it, and the cost; empty if it is on none."""
    if not battle.hexes or unit.way not in ROADS or battle.field.terrain(unit.spot) != ROADS[unit.way]:
        return {}
    here = (int(unit.x), int(unit.y))
    within = places(_road_reach(rules, battle, unit, points_left(battle, unit)))
    return {spot: cost for spot, cost in within.items() if spot != here}


def along_road(rules: Ruleset, battle: Battle, unit: Unit) -> dict[hexes.Hex, int]:
    """Every road hex that a unit reaches only because it keeps to the road, and its cost."""
    more = road_points(battle, unit)
    left = points_left(battle, unit)
    if not more or unit.signs.prone or unit.signs.held or unit.pace in ("stationary", "half"):
        return {}
    far = {spot: cost for spot, cost in places(_road_reach(rules, battle, unit, left + more)).items() if left < cost <= left + more}
    return {spot: cost for spot, cost in far.items() if route(rules, battle, unit, (float(spot[0]), float(spot[1]))) is not None}


def _steered_path(rules: Ruleset, battle: Battle, unit: Unit, spot: Spot, *, facing: int | None, backward: bool) -> Route | None:
    """The path of a craft through air or space; never into the ground."""
    result, there = reach_of(rules, battle, unit, backward), (int(spot[0]), int(spot[1]))
    if unit.way == "space":
        return drift_to(result, there, facing)
    radius = turning_radius(rules, battle, unit)
    way = flight_to(result, there, facing, radius) if radius else route_to(result, there, facing)
    if way is None or any(too_low(battle, unit, step.spot) for step in way.steps[1:]) or not holds(battle, unit, way.spot, way.facing):
        return None
    return way if unit.speed != "top" or way.cost >= least_points(battle, unit) else None


def turning_radius(rules: Ruleset, battle: Battle, unit: Unit) -> int:
    """The turn radius of an aircraft at its present speed; 0 if it hovers."""
    return radius_of(rules, battle, unit, points_of(battle, unit))


def drifting(rules: Ruleset, battle: Battle, unit: Unit) -> Reached:
    """Where a spacecraft can be after this round; only its own place once it has drifted."""
    if unit.course.drifted or not unit.able:
        return Reached({}, {}, ((int(unit.x), int(unit.y)), unit.facing, 0), False)
    ahead = rules.word("thrust-direction") == "only ahead"
    burn = burn_left(unit)
    maneuver = maneuver_of(battle, unit).value
    vector = Vector(*unit.course.vector)
    return drifts(
        battle.field,
        rules,
        unit.spot,
        unit.facing,
        vector=vector,
        points=points_left(battle, unit),
        burn=burn,
        maneuver=maneuver,
        ahead=ahead,
    )


def burn_left(unit: Unit) -> int:
    """Movement Points of thrust that the reaction mass allows; overthrust takes two Burn Points for each."""
    if unit.machine.has("no fuel required") is not None:
        return 10_000
    left = max(0, unit.machine.burn_points - unit.course.burned)
    return left // 2 if unit.speed == "top" else left


# --- free choice ---------------------------------------------------------------------------------------------------------------------


class Somewhere(Struct, frozen=True, eq=False):
    """Any hex and facing within reach: `@7,12`, `@7,12/3`, `back@7,12`; on open ground metres and degrees."""

    rules: Ruleset
    battle: Battle
    unit: str

    @property
    def mark(self) -> str:
        """A short key of the area."""
        unit = self.battle.unit(self.unit)
        ground = self.battle.field.mark
        return f"{ground} from {unit.x:g},{unit.y:g}/{unit.facing} {points_left(self.battle, unit)}" if ground else ""

    def going(self, given: str) -> Deed:
        """Parse a place."""
        pace, spots, facing = written(given)
        if pace not in ("", "go", "back"):
            raise UserError(f"{pace!r} is not a way for a machine to move: write @7,12, or back@7,12 to back up")
        unit = self.battle.unit(self.unit)
        if self.battle.hexes and any(spot[0] % 1 or spot[1] % 1 for spot in spots):
            raise UserError(f"a hex has a whole column and row number, not {spots[-1][0]:g}, {spots[-1][1]:g}")
        if len(spots) > 1:
            raise UserError("name one place at a time: you can move again after that")
        if facing is not None and self.battle.hexes and facing > 5:
            raise UserError(f"a facing is 0 (north) to 5 (north-west), clockwise, not {facing}")
        self.battle.field.refuse_standing(spots[-1])
        result = route(self.rules, self.battle, unit, spots[-1], facing=facing, backward=pace == "back")
        if result is None:
            raise UserError(self._refused(unit, spots[-1], pace == "back"))
        return Deed(kind="move", spot=result.spot, facing=result.facing, what="back" if pace == "back" else "")

    def _refused(self, unit: Unit, spot: Spot, backward: bool) -> str:
        left, least = points_left(self.battle, unit), least_points(self.battle, unit)
        if unit.signs.prone or unit.signs.held:
            return f"{unit.name} {'is prone and must get up first' if unit.signs.prone else 'is held and must break free first'}"
        if unit.shape.stretched:
            return f"{unit.name} is stretched over {count(unit.shape.stretched, 'hex')} and must draw together first"
        if not holds(self.battle, unit, spot):
            return f"there is no room for {unit.name} in {_place_name(self.battle, spot)}"
        if least > 0:
            must = f"{unit.name} is at Top Speed and must use {least} to {count(left, 'Movement Point')}"
            return f"{must}; no such path leads to {_place_name(self.battle, spot)}"
        how = "backward " if backward else ""
        return f"{unit.name} cannot reach {_place_name(self.battle, spot)} {how}with {count(left, 'Movement Point')}"

    def take(self, given: str) -> Deed:
        """The action for a place."""
        return self.going(given)

    def label(self, given: str) -> str:
        """A label of the place for the log."""
        deed = self.going(given)
        assert deed.spot is not None
        return f"{'Back up' if deed.what else 'Go'} to {_place_name(self.battle, deed.spot)}"

    def tells(self, given: str) -> tuple[str, ...]:
        """The cost of the move."""
        deed = self.going(given)
        unit = self.battle.unit(self.unit)
        assert deed.spot is not None
        result = route(self.rules, self.battle, unit, deed.spot, facing=deed.facing, backward=bool(deed.what))
        assert result is not None
        return (
            f"{result.cost} of {points_left(self.battle, unit)} MP, {count(result.hexes, 'hex')}",
            f"faces {facing_name(self.battle, result.facing)}",
        )

    def paces_by_reach(self) -> tuple[str, ...]:
        """Backing up reaches less far."""
        return ("back", "go")

    def bands(self) -> tuple[Band, ...]:
        """All reachable hexes, for drawing."""
        unit = self.battle.unit(self.unit)
        left = float(points_left(self.battle, unit))
        if not self.battle.hexes:
            return (Band("go", "moving", left, (circle(unit.spot, left * self.battle.cell),), "MP"),)
        cost_by_hex = places(reach_of(self.rules, self.battle, unit))
        return (Band("go", "moving", left, hex_outlines(set(cost_by_hex)), "MP"),)


def _place_name(battle: Battle, spot: Spot) -> str:
    return hexes.label((int(spot[0]), int(spot[1]))) if battle.hexes else f"{spot[0]:g}, {spot[1]:g}"


def facing_name(battle: Battle, facing: int) -> str:
    """A facing in words: a direction on hexes, otherwise degrees."""
    return hexes.DIRECTIONS[facing % 6] if battle.hexes else f"{facing} degrees"


# --- moving --------------------------------------------------------------------------------------------------------------------------


def go(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
    """Move a unit step by step as far as it gets: enemies may interrupt, and a hard turn at Top Speed may fail."""
    assert deed.spot is not None
    result = route(rules, battle, unit, deed.spot, facing=deed.facing, backward=bool(deed.what))
    if result is None:
        raise UserError(f"{unit.name} cannot get there")
    before = unit
    begun = unit.points is None
    unit = replace(unit, points=points_of(battle, unit) if begun else unit.points, moved=True)
    if begun and cumbersome(unit):
        unit = replace(unit, used=unit.used + 1)
        yield from Tell(Moved(unit.name, "spends an action on its controls", known_to=names_of(battle, unit.side)))
    battle = battle.put(unit)
    battle = yield from along(rules, battle, unit, result)
    unit = battle.unit(unit.name)
    if unit.way == "space":
        battle = yield from drifted(rules, battle, before, unit, result)
        unit = battle.unit(unit.name)
    after = total("MP left", term("this round", points_of(battle, unit)), less("used", unit.spent), rule=_SPEED)
    where = _place_name(battle, unit.spot)
    how = "backs up" if result.backward else "turns" if unit.spot == before.spot else "moves"
    words = f"{how}{'' if how == 'turns' else f' to {where}'} and faces {facing_name(battle, unit.facing)}"
    yield from Tell(Moved(unit.name, words, (after.reason,), known_to=witnesses(rules, battle, unit)))
    yield from Tell(Stands(battle))
    return battle


def along(rules: Ruleset, battle: Battle, unit: Unit, item: Route) -> Play[Battle]:
    """Play the steps of a path with everything that happens on them."""
    plans = (yield from _interrupt_plans(rules, battle, unit, item, 0)) if item.hexes else []
    turned = 0
    for at, (step, before) in enumerate(zip(item.steps[1:], item.steps, strict=False), 1):
        unit = battle.unit(unit.name)
        sides = _sides(battle, before.facing, step.facing)
        if sides and is_hard_turn(rules, unit, turned + sides, STEERED):
            battle, kept_turn = yield from hold_turn(rules, battle, unit, before, points_of(battle, unit))
            if not kept_turn:
                return battle
            unit = battle.unit(unit.name)
        turned += sides
        battle = battle.put(_take_step(unit, before, step, item.backward, sides))
        if step.spot != before.spot:
            battle = yield from entered(rules, battle, unit.name)
            battle = yield from onto_bridge(rules, battle, unit.name)
            if not battle.unit(unit.name).able:
                return battle
        if unit.tows:
            battle = battle.change(unit.tows, x=step.spot[0], y=step.spot[1])
        while plans and plans[0][0] <= at:
            plan = plans.pop(0)
            battle = yield from _carry_out_interrupt(rules, battle, unit.name, plan[1], plan[2])
            now = battle.unit(unit.name)
            if not now.able or (points_left(battle, now) <= 0 and at < len(item.steps) - 1 and _is_stuck(battle, now)):
                return battle
            plans = sorted(
                [*plans, *(yield from _ask_interrupt(rules, battle, now, battle.unit(plan[1]), path=item, first=at + 1))], key=_first
            )
    return battle


def _first(plan: tuple[int, str, Deed]) -> int:
    return plan[0]


def _is_stuck(battle: Battle, unit: Unit) -> bool:
    """Whether damage has stopped it."""
    return combat_speed(unit, battle.place) <= 0


def _sides(battle: Battle, number: int, other: int) -> int:
    if battle.hexes:
        apart = abs(number - other) % 6
        return min(apart, 6 - apart)
    turn = abs(number - other) % 360
    return -(-min(turn, 360 - turn) // 60)


def _take_step(unit: Unit, before: Step, step: Step, backward: bool, sides: int) -> Unit:
    moved = step.spot != before.spot
    return replace(
        unit,
        x=step.spot[0],
        y=step.spot[1],
        facing=step.facing,
        spent=unit.spent + step.cost - before.cost,
        hexes=unit.hexes + moved,
        turned=not moved if sides or moved else unit.turned,
        turns=unit.turns + sides,
        backed=unit.backed or (backward and moved),
        course=unit.course if unit.way != "air" else _fly_ahead(unit, sides, moved),
        signs=replace(unit.signs, hull_down=0) if moved and unit.signs.hull_down else unit.signs,
    )


def _fly_ahead(unit: Unit, sides: int, moved: bool) -> Course:
    """How far an aircraft has flown straight ahead after a step."""
    straight = (0 if sides else unit.course.straight) + moved
    return replace(unit.course, straight=straight)


def drifted(rules: Ruleset, battle: Battle, before: Unit, unit: Unit, item: Route) -> Play[Battle]:
    """Apply a spacecraft's drift and thrust: fuel burnt, new vector, and the defense bonus."""
    vector = Vector(*before.course.vector)
    middle = drift_point(before.spot, vector)
    after = pushed(vector, middle, (int(item.spot[0]), int(item.spot[1])))
    thrust = hexes.distance(middle, (int(item.spot[0]), int(item.spot[1])))
    burn = burned(thrust, unit.speed == "top")
    if thrust:
        words = f"burns {count(burn.value, 'Burn Point')} for {thrust} MP of thrust: its vector is now {after}"
        yield from Tell(Moved(unit.name, words, (burn.reason,), known_to=witnesses(rules, battle, unit)))
    course = replace(
        unit.course, vector=(after.x, after.y, after.z), burned=unit.course.burned + int(burn.value), drifted=unit.spot == item.spot
    )
    return battle.put(replace(unit, course=course, hexes=unit.spent))


# --- interrupts ----------------------------------------------------------------------------------------------------------------------

_LET: Option[Deed] = Option("let it pass", "Let it pass", Deed(kind="pass"), verb="other")


def _interrupt_plans(rules: Ruleset, battle: Battle, unit: Unit, item: Route, first: int) -> Play[list[tuple[int, str, Deed]]]:
    """Asks every enemy for plans during the move; returns them in the order of the places."""
    plans: list[tuple[int, str, Deed]] = []
    for foe in battle.foes(unit):
        plans.extend((yield from _ask_interrupt(rules, battle, unit, foe, path=item, first=first)))
    return sorted(plans, key=_first)


def _ask_interrupt(rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, *, path: Route, first: int) -> Play[list[tuple[int, str, Deed]]]:
    """Ask one enemy whether it interrupts the move, with what, and where."""
    if not foe.able or first >= len(path.steps) or not may_interrupt(rules, foe):
        return []
    about = _passing(rules, battle, unit.name, foe.name, path, first)
    if not about.some:
        return []
    unfound = not side_sees(rules, battle, foe.side, unit)
    if unfound:  # it comes into sight on its way, which is where those who are asked see it
        yield from Tell(Stands(about.first))
    asked: Offering[Deed] = Offering(foe.voice, f"{unit.name} moves. Interrupt?", cast(Any, about), about, "act")
    chosen = yield from asked
    plan = [] if chosen.kind == "pass" else (yield from _plan_interrupt(battle, unit, foe, path, about, chosen=chosen))
    if unfound:
        yield from Tell(Stands(battle))
    return plan


def _plan_interrupt(
    battle: Battle, unit: Unit, foe: Unit, path: Route, about: "Passing", *, chosen: Deed
) -> Play[list[tuple[int, str, Deed]]]:
    """At which place of the path an enemy interrupts as it has chosen; it is asked if there are several."""
    chances = about.chances
    key = next(option.key for option in about.all if option.value == chosen)
    points = [at for at, option, _ in chances if option.key == key]
    at = points[0]
    if len(points) > 1:
        options = tuple([Option(f"at {place}", _point(battle, path.steps[place], place), place) for place in points])
        at = yield from Choice(foe.voice, f"At which point of {unit.name}'s path?", options, about, "point")
    deed = next(option.value for place, option, _ in chances if place == at and option.key == key)
    return [(at, foe.name, deed)]


@cached(128)
def _passing(rules: Ruleset, battle: Battle, mover: str, name: str, item: Route, first: int) -> "Passing":
    """Returns the options of an enemy during a move; cached, since exact odds ask for it once for every path."""
    return Passing(rules, battle, name, mover, item, first)


class Passing:
    """Everything that an enemy could do to a moving unit, computed lazily: a unit that lets it pass in any case only needs to know
    whether there is anything to do at all."""

    __slots__ = ("_all", "_chances", "_left", "battle", "mover", "rules", "unit")

    def __init__(self, rules: Ruleset, battle: Battle, unit: str, mover: str, item: Route, first: int) -> None:
        self.rules, self.battle, self.unit, self.mover = rules, battle, unit, mover
        self._left = list(_on_the_way(battle, mover, item, first)[::-1])
        self._chances: list[tuple[int, Option[Deed], Battle]] = []
        self._all: tuple[Option[Deed], ...] = ()

    def _go_on(self) -> None:
        """Compute what can be done at the next place."""
        at, there = self._left.pop()
        for option in interrupts(self.rules, there, self.battle.unit(self.unit), self.mover):
            self._chances.append((at, option, there))

    @property
    def some(self) -> bool:
        """Whether there is anything to do at any place."""
        while not self._chances and self._left:
            self._go_on()
        return bool(self._chances)

    @property
    def first(self) -> Battle:
        """The battle with the mover at the first place where there is anything to do."""
        return self._chances[0][2] if self.some else self.battle

    @property
    def chances(self) -> list[tuple[int, Option[Deed], Battle]]:
        """The places of the path, what can be done at each, and the battle with the mover there."""
        while self._left:
            self._go_on()
        return self._chances

    @property
    def all(self) -> tuple[Option[Deed], ...]:
        """Letting it pass, and everything that can be done anywhere, without duplicates."""
        if not self._all:
            deeds: dict[str, Option[Deed]] = {}
            for _, option, _ in self.chances:
                deeds.setdefault(option.key, option)
            self._all = (_LET, *deeds.values())
        return self._all

    def take(self, key: Given) -> Option[Deed] | None:
        """The option with a key; letting it pass is always one."""
        return _LET if key == _LET.key else next((option for option in self.all if option.key == key), None)


@cached(8)
def _on_the_way(battle: Battle, mover: str, item: Route, first: int) -> tuple[tuple[int, Battle], ...]:
    """The battle with the mover at each of these places; shared by all enemies."""
    unit = battle.unit(mover)
    return tuple([(at, _at(battle, unit, step)) for at, step in _places(item, first)])


def _places(item: Route, first: int) -> Iterator[tuple[int, Step]]:
    """The places of a path for interrupts: one a hex, as the unit leaves it."""
    for at in range(max(1, first), len(item.steps)):
        last = at == len(item.steps) - 1
        if last or item.steps[at].spot != item.steps[at + 1].spot:
            yield at, item.steps[at]


def _point(battle: Battle, step: Step, at: int) -> str:
    return f"At {_place_name(battle, step.spot)}, facing {facing_name(battle, step.facing)}"


def _at(battle: Battle, unit: Unit, step: Step) -> Battle:
    """The battle with a unit at a place of its path."""
    return battle.change(unit.name, x=step.spot[0], y=step.spot[1], facing=step.facing)


def _carry_out_interrupt(rules: Ruleset, battle: Battle, mover: str, foe: str, deed: Deed) -> Play[Battle]:
    """Carry out an interrupt where the mover is now, if it is still possible."""
    unit = battle.unit(foe)
    if not battle.unit(mover).able or not any(option.value == deed for option in interrupts(rules, battle, unit, mover)):
        return battle
    return (yield from interrupting(deed.kind).do(rules, battle, unit, deed))
