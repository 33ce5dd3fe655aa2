"""Suggested destinations: towards an enemy, away, into cover, out of sight. Any other place is written `@7,12/3`."""

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from math import hypot

from msgspec import Struct

from rulewright.field.field import Field, Spot, spot_at
from rulewright.field.geometry import hexes
from rulewright.field.geometry.hexes import Hex
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.movement.movement import least_points, points_left, reach_of, road_places, route
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.maneuver.air.flight_paths import drift_point
from rulewright.systems.silhouette.maneuver.ground_paths import Reached, bearing, places
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, half_speed
from rulewright.systems.silhouette.maneuver.terrain import terrains
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

NEAREST = 3
"""How many of the nearest enemies are checked for a line of sight to a place."""
TRIED = 8
"""How many places are tried for each goal, best first."""
ENEMIES = 4
"""How many of the nearest enemies are offered to close in on."""


class Goal(Struct, frozen=True, gc=False):
    """A destination: key, label, place and facing."""

    key: str
    label: str
    spot: Spot
    facing: int | None = None
    target: str = ""
    manner: str = ""
    backward: bool = False


def goals(rules: Ruleset, battle: Battle, unit: Unit) -> tuple[Goal, ...]:
    """The suggested destinations, without duplicates."""
    return tuple(_goals(rules, battle, unit))


def goes_somewhere(rules: Ruleset, battle: Battle, unit: Unit) -> bool:
    """Whether there is any suggested destination."""
    return next(_goals(rules, battle, unit), None) is not None


def _goals(rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Goal]:
    result = _hex_goals(rules, battle, unit) if battle.hexes else _open_goals(rules, battle, unit)
    seen: set[tuple[Spot, int | None]] = {(unit.spot, unit.facing)}
    for goal in result:
        if (goal.spot, goal.facing) not in seen:
            seen.add((goal.spot, goal.facing))
            yield goal


def _hex_goals(rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Goal]:
    left, least = points_left(battle, unit), least_points(battle, unit)
    here: Hex = (int(unit.x), int(unit.y))
    foes = by_distance(here, known_foes(rules, battle, unit))
    around = _around(reach_of(rules, battle, unit), here, left) if left > 0 else NOWHERE
    spots = around.spots
    yield from _edge_goal(rules, battle, unit, spots, key="make for the edge", how="Make for")
    if road := road_places(rules, battle, unit) if battle.place.objectives else {}:
        yield from _edge_goal(rules, battle, unit, road, key=ROAD_TO_EDGE, how="Follow the road to")
    if unit.way in ("air", "space"):
        yield from _straight_goals(rules, battle, unit, foes, spots)
    if foes:
        yield from _close_in_goals(rules, battle, unit, foes[:ENEMIES], around)
        if unit.way == "air":
            yield from _tail_goals(rules, battle, unit, foes[:ENEMIES], spots)
        yield from _cover_goals(rules, battle, unit, foes[:NEAREST], around=around, least=least)
        yield from _back_up_goal(rules, battle, unit, foes[0])
    else:
        yield from _direction_goals(rules, battle, unit, spots)
    if not least:
        yield from _turn_goals(rules, battle, unit, foes)


class Around(Struct, frozen=True, gc=False):
    """Every place that a unit can reach and its cost; also sorted by cost, on demand."""

    spots: dict[Hex, int]
    sorted: list[tuple[int, Hex]]
    covers: dict[Ruleset, tuple[int, list[Hex]]]
    """By ruleset: the best cover of any place, and the nearest places with that cover."""

    away: dict[Hex, list[int]]
    """Distances of all places to a few hexes, by hex."""

    sheltered: dict[Ruleset, set[Hex]]
    """By ruleset: all places with any cover."""

    def far_from(self, at: Hex) -> list[int]:
        """The distance of every place to a hex."""
        result = self.away.get(at)
        if result is None:
            if len(self.away) >= MOST_AWAY:
                self.away.clear()
            result = self.away[at] = hexes.distances(at, self.spots)
        return result

    def nearest(self) -> list[tuple[int, Hex]]:
        """Every place, cheapest first."""
        if not self.sorted:
            self.sorted.extend(sorted([(cost, spot) for spot, cost in self.spots.items()]))
        return self.sorted

    def cover(self, rules: Ruleset, field: Field) -> tuple[int, list[Hex]]:
        """The best cover of any place, and the nearest places with that cover; water gives none."""
        result = self.covers.get(rules)
        if result is None:
            rows = terrains(rules)
            hides = [0 if row.wet else row.obscurement for row in [rows[terrain] for terrain in field.terrains(self.spots)]]
            most = max(hides, default=0)
            best = [spot for spot, value in zip(self.spots, hides, strict=True) if value == most] if most else []
            result = self.covers[rules] = (most, nsmallest(TRIED, best, key=lambda spot: (self.spots[spot], spot)))
        return result

    def hides(self, rules: Ruleset, field: Field) -> set[Hex]:
        """All places with any cover; water gives none."""
        if rules not in self.sheltered:
            rows = terrains(rules)
            covered = [not row.wet and row.obscurement > 0 for row in [rows[terrain] for terrain in field.terrains(self.spots)]]
            self.sheltered[rules] = {spot for spot, has_cover in zip(self.spots, covered, strict=True) if has_cover}
        return self.sheltered[rules]


MOST_AWAY = 8
NOWHERE = Around({}, [], {}, {}, {})


def _around(reached: Reached, here: Hex, left: int) -> Around:
    """The places within so many Movement Points; cached with the reach."""
    around: Around | None = reached.known.get(left)
    if around is None:
        around = Around({spot: cost for spot, cost in places(reached).items() if cost <= left and spot != here}, [], {}, {}, {})
        reached.known[left] = around
    return around


def _straight_goals(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], spots: dict[Hex, int]) -> Iterator[Goal]:
    """Straight ahead with all that is left, or by the vector alone, facing the nearest enemy if possible."""
    here = _hex(unit)
    look = _hex(foes[0]) if foes else None
    if unit.way == "space":
        there = drift_point(unit.spot, Vector(*unit.course.vector))
        if goal := _goal(
            rules, battle, unit, "drift on", label="Drift on without thrust", spot=there, look=look, target="", manner="drift"
        ):
            yield goal
        still = _goal(
            rules, battle, unit, "come to rest", label="Thrust against the drift", spot=here, look=look, target="", manner="brake"
        )
        if there != here and still is not None:
            yield still
        return
    there = here
    for _ in range(points_left(battle, unit)):
        ahead = hexes.neighbour(there, unit.facing)
        if ahead not in spots:
            break
        there = ahead
    if there != here and (
        goal := _goal(rules, battle, unit, "fly on", label="Fly straight on", spot=there, look=None, target="", manner="straight")
    ):
        yield goal


def _tail_goals(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], spots: dict[Hex, int]) -> Iterator[Goal]:
    """A place on an enemy's tail: within a few hexes behind it, facing it."""
    for foe in foes:
        at, tail = _hex(foe), (foe.facing + 3) % 6
        behind = [spot for spot in spots if spot != at and hexes.towards(at, spot) == tail]
        ranked = sorted(behind, key=lambda spot: (abs(hexes.distance(spot, at) - 2), spots[spot], spot))
        key, label = f"behind {foe.name}", f"Get on the tail of {foe.name}"
        yield from _first(rules, battle, unit, ranked, key=key, label=label, look=at, target=foe.name, manner="behind")


def _hex(unit: Unit) -> Hex:
    return int(unit.x), int(unit.y)


def by_distance(here: Hex, units: list[Unit]) -> list[Unit]:
    """Units on hexes, the nearest first."""
    far = hexes.distances(here, [_hex(unit) for unit in units])
    return [units[at] for _, _, at in sorted(zip(far, [unit.name for unit in units], range(len(units)), strict=True))]


def _ranked(ranks: list[int], spots: dict[Hex, int]) -> Iterator[Hex]:
    """A few places by rank, then by cost. The first is nearly always right, so that the others are only sorted on demand."""
    if spots:
        yield min(zip(ranks, spots.values(), spots, strict=True))[2]
        yield from [spot for _, _, spot in nsmallest(TRIED, zip(ranks, spots.values(), spots, strict=True))[1:]]


def _goal(
    rules: Ruleset, battle: Battle, unit: Unit, key: str, *, label: str, spot: Hex, look: Hex | None, target: str, manner: str
) -> Goal | None:
    """A goal, if a path leads there: with the wanted facing if possible, otherwise as it arrives."""
    place = (float(spot[0]), float(spot[1]))
    wished = hexes.towards(spot, look) if look is not None and look != spot else None
    for facing in (wished, None) if wished is not None else (None,):
        result = route(rules, battle, unit, place, facing=facing)
        if result is not None:
            return Goal(key, f"{label} ({hexes.label(spot)}, {result.cost} MP)", place, result.facing, target, manner)
    return None


def _first(
    rules: Ruleset, battle: Battle, unit: Unit, ranked: Iterable[Hex], *, key: str, label: str, look: Hex | None, target: str, manner: str
) -> Iterator[Goal]:
    for spot in ranked:
        goal = _goal(rules, battle, unit, key, label=label, spot=spot, look=look, target=target, manner=manner)
        if goal is not None:
            yield goal
            return


def _close_in_goals(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], around: Around) -> Iterator[Goal]:
    for foe in foes:
        at = _hex(foe)
        ranked = _ranked([abs(far - 1) for far in around.far_from(at)], around.spots)
        yield from _first(
            rules,
            battle,
            unit,
            ranked,
            key=f"close in on {foe.name}",
            label=f"Close in on {foe.name}",
            look=at,
            target=foe.name,
            manner="close in",
        )


def _cover_goals(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], *, around: Around, least: int) -> Iterator[Goal]:
    field, spots = battle.field, around.spots
    nearest = _hex(foes[0])
    own = terrains(rules)[field.terrain(unit.spot)]
    most, ranked = around.cover(rules, field)
    if most > (0 if own.wet else own.obscurement):
        yield from _first(
            rules,
            battle,
            unit,
            ranked,
            key="to cover",
            label=f"Take cover in {field.terrain(ranked[0])} terrain",
            look=nearest,
            target="",
            manner="cover",
        )
    if field.hides:
        hidden = _unseen_places(field, [foe.spot for foe in foes], around, least)
        yield from _first(
            rules, battle, unit, hidden, key="out of sight", label="Move out of sight", look=nearest, target="", manner="hide"
        )
    if most:
        ahead = _cover_ahead(rules, field, around, nearest, _hex(unit))
        label, look = f"Advance on {foes[0].name} from cover to cover", nearest
        yield from _first(
            rules, battle, unit, ahead, key=f"cover towards {foes[0].name}", label=label, look=look, target=foes[0].name, manner="cover"
        )
    away = _ranked([-far for far in around.far_from(nearest)], spots)
    yield from _first(rules, battle, unit, away, key="away", label=f"Move away from {foes[0].name}", look=nearest, target="", manner="away")


def _cover_ahead(rules: Ruleset, field: Field, around: Around, foe: Hex, here: Hex) -> list[Hex]:
    """Places with cover nearer to an enemy than the present one, nearest to the enemy first."""
    limit, hides = hexes.distance(here, foe), around.hides(rules, field)
    places_ahead = [(far, cost, spot) for far, (spot, cost) in zip(around.far_from(foe), around.spots.items(), strict=True) if far < limit]
    return [spot for _, _, spot in nsmallest(TRIED, [entry for entry in places_ahead if entry[2] in hides])]


def _unseen_places(field: Field, eyes: list[Spot], around: Around, least: int) -> list[Hex]:
    """The nearest place that no enemy sees, if there is one."""
    for cost, spot in around.nearest():
        if cost >= least:
            for eye in eyes:
                if field.sight(eye, spot).open:
                    break
            else:
                return [spot]
    return []


ROAD_TO_EDGE = "road to the edge"
BANDS = ("short", "medium", "long")


def positions(rules: Ruleset, battle: Battle, unit: Unit, ranges: tuple[Figure, ...]) -> Iterator[Goal]:
    """Places at short, medium and long range of the nearest enemy, by the ranges of a weapon: in cover if possible, then the cheapest."""
    left = points_left(battle, unit)
    if not battle.hexes or left <= 0 or unit.way in ("air", "space"):
        return
    here = _hex(unit)
    foes = by_distance(here, known_foes(rules, battle, unit))
    if not foes:
        return
    around, at = _around(reach_of(rules, battle, unit), here, left), _hex(foes[0])
    hides = around.hides(rules, battle.field)
    for band, most in zip(BANDS, ranges, strict=False):
        entries = zip(around.far_from(at), around.spots.items(), strict=True)
        ranked = nsmallest(TRIED, [(abs(far - most), spot not in hides, cost, spot) for far, (spot, cost) in entries])
        label = f"Take a position at {band} range of {foes[0].name}"
        key, spots = f"{band} range of {foes[0].name}", [entry[3] for entry in ranked]
        yield from _first(rules, battle, unit, spots, key=key, label=label, look=at, target=foes[0].name, manner=f"{band} range")


def _edge_goal(rules: Ruleset, battle: Battle, unit: Unit, spots: dict[Hex, int], *, key: str, how: str) -> Iterator[Goal]:
    """The nearest reachable place to the edge over which its side must leave."""
    aim = next((objective for objective in battle.place.objectives if objective.side == unit.side), None)
    if aim is None or not aim.edge:
        return
    far = {spot: from_edge(battle, spot, aim.edge) for spot in spots}
    ranked = sorted(
        [spot for spot in far if far[spot] < from_edge(battle, _hex(unit), aim.edge)], key=lambda spot: (far[spot], spots[spot], spot)
    )
    look = edge_facing(aim.edge)
    for spot in ranked[:4]:
        place = (float(spot[0]), float(spot[1]))
        for facing in (*look, None):
            result = route(rules, battle, unit, place, facing=facing)
            if result is not None:
                label = f"{how} the {aim.edge} edge ({hexes.label(spot)}, {result.cost} MP)"
                yield Goal(key, label, place, result.facing, "", key)
                return


def from_edge(battle: Battle, spot: Hex, edge: str) -> int:
    """The distance in hexes to an edge of the map."""
    assert battle.map.size is not None
    columns, rows = int(battle.map.size[0]), int(battle.map.size[1])
    return {"east": columns - spot[0], "west": spot[0] - 1, "north": spot[1] - 1, "south": rows - spot[1]}[edge]


def edge_facing(edge: str) -> tuple[int, ...]:
    """The facings that lead over an edge."""
    return {"east": (1, 2), "west": (4, 5), "north": (0,), "south": (3,)}[edge]


def _back_up_goal(rules: Ruleset, battle: Battle, unit: Unit, foe: Unit) -> Iterator[Goal]:
    """Backward, facing the enemy."""
    if unit.speed == "top" or (unit.hexes and not unit.backed):
        return
    at = _hex(foe)
    cost_by_hex = places(reach_of(rules, battle, unit, True))
    far, here = [-number for number in hexes.distances(at, cost_by_hex)], _hex(unit)
    ranked = nsmallest(3, [entry for entry in zip(far, cost_by_hex.values(), cost_by_hex, strict=True) if entry[2] != here])
    for _, _, spot in ranked:
        if hexes.distance(spot, at) > hexes.distance(_hex(unit), at):
            way = route(rules, battle, unit, (float(spot[0]), float(spot[1])), facing=None, backward=True)
            if way is not None:
                yield Goal("back up", f"Back up ({hexes.label(spot)}, {way.cost} MP)", way.spot, way.facing, "", "back up", True)
                return


def _direction_goals(rules: Ruleset, battle: Battle, unit: Unit, spots: dict[Hex, int]) -> Iterator[Goal]:
    """Without known enemies: as far as possible in each of the six directions."""
    here = _hex(unit)
    for side, name in enumerate(hexes.DIRECTIONS):
        ahead = [spot for spot in spots if hexes.towards(here, spot) == side]
        ranked = nsmallest(
            TRIED, ahead, key=lambda spot: (-hexes.distance(here, spot), hexes.off_front(here, side, spot).degrees, spots[spot], spot)
        )
        yield from _first(rules, battle, unit, ranked, key=f"go {name}", label=f"Go {name}", look=None, target="", manner=name)


def _turn_goals(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit]) -> Iterator[Goal]:
    """Turning on the spot towards the nearest enemies."""
    for foe in foes[:2]:
        if _hex(foe) == _hex(unit):
            continue
        facing = hexes.towards(_hex(unit), _hex(foe))
        result = route(rules, battle, unit, unit.spot, facing=facing) if facing != unit.facing else None
        if result is not None:
            yield Goal(f"face {foe.name}", f"Turn towards {foe.name} ({result.cost} MP)", unit.spot, facing, foe.name, "turn")


# --- open ground -------------------------------------------------------------------------------------------------------------------------


def _open_goals(rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Goal]:
    left, cell = points_left(battle, unit), battle.cell
    foes = sorted(known_foes(rules, battle, unit), key=lambda foe: (hypot(foe.x - unit.x, foe.y - unit.y), foe.name))
    for foe in foes[:ENEMIES]:
        metres = hypot(foe.x - unit.x, foe.y - unit.y)
        yield from _straight(
            rules,
            battle,
            unit,
            foe,
            metres=min(left * cell, metres - cell),
            key=f"close in on {foe.name}",
            label=f"Close in on {foe.name}",
            target=foe.name,
        )
    if foes:
        yield from _straight(
            rules, battle, unit, foes[0], metres=-left * cell, key="away", label=f"Move away from {foes[0].name}", target=""
        )
        half = int(half_speed(combat_speed(unit, battle.place)).value) - unit.spent
        if half > 0 and unit.speed != "top" and (unit.backed or not unit.hexes):
            yield from _straight(
                rules, battle, unit, foes[0], metres=-half * cell, key="back up", label="Back up", target="", backward=True
            )
    if not least_points(battle, unit):
        for foe in foes[:2]:
            facing = bearing(unit.spot, foe.spot)
            if facing != unit.facing and route(rules, battle, unit, unit.spot, facing=facing) is not None:
                yield Goal(f"face {foe.name}", f"Turn towards {foe.name}", unit.spot, facing, foe.name, "turn")


def _straight(
    rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, *, metres: float, key: str, label: str, target: str, backward: bool = False
) -> Iterator[Goal]:
    """So many metres towards a unit, or away from it; less if that is too far."""
    far = hypot(foe.x - unit.x, foe.y - unit.y) or 1.0
    dx, dy = (foe.x - unit.x) / far, (foe.y - unit.y) / far
    while abs(metres) >= battle.cell:
        spot = spot_at(unit.x + dx * metres, unit.y + dy * metres)
        result = route(rules, battle, unit, spot, facing=None, backward=backward)
        if result is not None:
            yield Goal(key, f"{label} ({result.cost} MP)", spot, result.facing, target, key, backward)
            return
        metres -= battle.cell if metres > 0 else -battle.cell
