"""Starting a battle: units from files, characters aboard, places, groups and commanders."""

from collections.abc import Iterable
from math import ceil

from msgspec.structs import replace

from rulewright import grammar
from rulewright.errors import UserError
from rulewright.field.geometry import hexes
from rulewright.field.ground import Ground
from rulewright.field.map_strokes import GroundWords
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.silhouette.action.gravity import floats
from rulewright.systems.silhouette.battle.forms.splitting_machines import come_apart_at, spots_for
from rulewright.systems.silhouette.battle.forms.stretch import lies_well, longest
from rulewright.systems.silhouette.battle.movement.hex_overlay import laid_out
from rulewright.systems.silhouette.battle.movement.watercraft import bottom
from rulewright.systems.silhouette.machines.machine import Way
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.maneuver.air.flight import highest_level, is_vtol, lowest_level
from rulewright.systems.silhouette.maneuver.air.loads import thrust_flight
from rulewright.systems.silhouette.maneuver.course_limits import aloft, clearance, ground_height
from rulewright.systems.silhouette.maneuver.ground_paths import bearing
from rulewright.systems.silhouette.maneuver.stacking import footprint, holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table, letters, terrains
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.units.combined import components_of, with_own_crews
from rulewright.systems.silhouette.units.parts import pulling
from rulewright.systems.silhouette.units.people import CLOSE_HEX, is_person, on_foot
from rulewright.systems.silhouette.units.setup import PLACED, checked, enter, rider_of, seated, sections_of
from rulewright.systems.silhouette.units.state import Battle, Command, Conditions, Place
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import UNTOUCHED, Scars

SPACE_HEX = 500
SHORT = 6
"""Seconds of a round in which people on foot take part."""
APART = 500.0
"""Metres between two sides on open ground, by default."""
ROW = 100.0
FULL = "is full: a hex holds 30 points of Size"


def ground_words(rules: Ruleset) -> GroundWords:
    """The terrain words of a map for machines."""
    return GroundWords(tuple([name for name in terrains(rules) if name]))


def _refuse_place(place: Conditions, scenario: Scenario) -> None:
    """Raises an error if a place cannot be, or does not fit the sides and the ending of the scenario."""
    if place.gravity < 0 or place.atmosphere < 0:
        raise UserError("place: gravity and atmosphere must be 0 or more")
    if not 0 <= place.wind <= 5:
        raise UserError(f"place: wind blows towards a hexside from 0 (north) to 5 (north-west), not {place.wind}")
    for objective in place.objectives:
        if objective.side not in scenario.sides:
            raise UserError(f"place.objectives: there is no side {objective.side!r}")
        if objective.units < 1:
            raise UserError(f"place.objectives: units of {objective.side} must be 1 or more, not {objective.units}")
    if scenario.ends == "by objectives" and not place.objectives:
        raise UserError("ends: no side has an objective by which the battle could end; add place.objectives")
    for zone in place.zones:
        if zone.side not in scenario.sides:
            raise UserError(f"place.zones: there is no side {zone.side!r}")


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Battle:
    """The battle at the start of a scenario. Units without a place are put at the edge of the map, opposite the others."""
    place = scenario.ground(Conditions)
    _refuse_place(place, scenario)
    area = scenario.map_understood(ground_words(rules))
    area, everybody = laid_out(rules, area, members, place.seconds)
    _refuse_off_the_map(area, place)
    sides = tuple(scenario.sides)
    battle = Battle(
        units=(),
        map=area,
        letters=letters(rules),
        place=Place(
            night=place.night,
            gravity=place.gravity,
            atmosphere=place.atmosphere,
            seconds=place.seconds,
            close=_is_close_scale(area),
            air=5 if _is_close_scale(area) else max(1, round(250 / (area.cell if area.grid == "hexes" else 50))),
            wind=place.wind,
            grassy=place.grassy,
            objectives=place.objectives,
            zones=place.zones,
        ),
        scars=scars_of(place),
        rounds=scenario.rounds,
        ends=scenario.ends,
    )
    for member in everybody:
        if not _is_aboard(member):
            battle = placed(rules, battle, member, sides)
    for member in everybody:
        if _is_aboard(member):
            battle = _board(rules, battle, member)
    commands = tuple([Command(side=side, commander=_commander(battle, side, place.commanders.get(side, ""))) for side in sides])
    for side in place.commanders:
        if side not in sides:
            raise UserError(f"place.commanders: there is no side {side!r}")
    for unit in battle.units:
        aboard = any(rider.seat == "crew" for rider in unit.riders)
        inside = unit.split or (unit.part is not None and not unit.section)  # the remaining crew is seated where it is needed
        if not (unit.crew.hands or unit.crew.computers or aboard or unit.destroyed or inside):
            raise UserError(f"{unit.name} has no crew: give it a crew or a character aboard")
        if unit.signs.carrier:
            battle = _load_aboard(battle, unit)
        if unit.tows:
            _refuse_tow(battle, unit)
    battle = replace(battle, commands=commands)
    return _facing_each_other(battle, {member.name for member in everybody if "facing" in member.state})


def _refuse_off_the_map(area: Ground, place: Conditions) -> None:
    """Refuse structures, objects and zones off the map."""
    if area.size is None:
        return
    least = 1 if area.grid == "hexes" else 0
    across, down = area.size
    how = f"{across:g} columns of {down:g} rows" if area.grid == "hexes" else f"{across:g} by {down:g} metres"
    entries = [("structures", structure.name, structure.spot) for structure in place.structures]
    entries += [("objects", candidate.name, candidate.spot) for candidate in place.objects]
    entries += [("mines", mined.name, mined.spot) for mined in place.mines]
    for field, name, (x, y) in entries:
        if not (least <= x <= across and least <= y <= down):
            raise UserError(f"place.{field}: {name}: at: {x:g}, {y:g} is off the map, which is {how}")
    for zone in place.zones:
        left, top, width, height = zone.box
        if left > across or top > down or left + width <= least or top + height <= least:
            raise UserError(f"place.zones: the zone of {zone.side} is off the map, which is {how}")


def _refuse_tow(battle: Battle, unit: Unit) -> None:
    """Refuse to tow a missing unit, itself, an enemy, or a unit that tows another."""
    load = next((other for other in battle.units if other.name == unit.tows), None)
    if load is None:
        raise UserError(f"{unit.name}: tows: there is no unit {unit.tows!r}")
    if load.name == unit.name or load.side != unit.side or load.tows:
        raise UserError(f"{unit.name}: tows: {load.name} cannot be towed; it must be another machine of the same side that tows nothing")


def _load_aboard(battle: Battle, unit: Unit) -> Battle:
    """Put a machine aboard an aircraft of its side; it is no unit of its own until it is dropped."""
    carrier = next((candidate for candidate in battle.units if candidate.name == unit.signs.carrier and candidate.side == unit.side), None)
    if carrier is None or carrier.way != "air" or carrier.machine.size <= unit.machine.size:
        raise UserError(f"{unit.name}: signs.carrier: {unit.signs.carrier!r} is not an aircraft of its side that can carry it")
    return battle.put(replace(unit, gone=True, x=carrier.x, y=carrier.y))


def _is_close_scale(area: Ground) -> bool:
    """Whether a map has the scale for people on foot among machines: hexes of ten metres or less."""
    return area.grid == "hexes" and area.cell <= CLOSE_HEX


def scars_of(place: Conditions) -> Scars:
    """The structures and objects at the start."""
    for named in (place.structures, place.objects):
        names = [candidate.name for candidate in named]
        if len(set(names)) < len(names):
            raise UserError("place: every structure and object needs a name of its own")
    for built in place.structures:
        if built.capacity < 1 or built.bears < 0 or built.taken < 0:
            raise UserError(f"place.structures: {built.name}: capacity must be 1 or more, and bears 0 or more")
    for field in place.mines:
        if field.threshold < 1 or field.damage <= 0 or field.radius < 0 or field.rounds < 0:
            raise UserError("place.mines: a minefield needs a threshold of 1 or more, damage above 0, and a radius of 0 or more hexes")
    if not (place.structures or place.objects or place.mines):
        return UNTOUCHED
    return Scars(built=place.structures, things=place.objects, mines=place.mines)


def _is_aboard(member: Placed) -> bool:
    return not isinstance(member.character, Vehicle) and "aboard" in member.state


def placed(rules: Ruleset, battle: Battle, member: Placed, sides: tuple[str, ...]) -> Battle:
    """The battle with one more unit, placed by the scenario."""
    group = str(member.state.get("group", "")) or member.side
    on_legs = isinstance(member.character, Character)
    unit = (
        _enter_on_foot(rules, battle, member, group)
        if on_legs
        else enter(rules, member.character, member.name, member.side, state=member.state, group=group)
    )
    if any(candidate.name == unit.name for candidate in battle.units):
        raise UserError(f"there are two units named {unit.name}: give one of them another name")
    unit = on_thrust(battle, unit, "way" in member.state)
    if battle.place.close and not is_person(unit) and rules.word("character-scale-actions") == "half":
        unit = replace(unit, halved=True)
    low = unit.way == "air" and aloft(unit) and "altitude" not in member.state
    if low:
        unit = replace(unit, altitude=lowest_level(unit.machine, is_vtol(unit.machine)))
    at = member.at if member.at is not None else _edge(rules, battle, unit, sides)
    unit = replace(unit, x=float(at[0]), y=float(at[1]), facing=unit.facing % (6 if battle.hexes else 360))
    if low:
        unit = replace(unit, altitude=unit.altitude + ground_height(battle, unit.spot))
    refuse_place(rules, battle, unit)
    battle = replace(battle, units=(*battle.units, unit))
    if unit.machine.components:
        return _with_components(rules, battle, member, unit)
    return _with_sections(battle, member, unit) if unit.machine.sections else battle


def _with_components(rules: Ruleset, battle: Battle, member: Placed, whole: Unit) -> Battle:
    """The battle with the components of a combined machine: inside it, or on the field if the scenario says that it is split or an
    earlier battle broke it apart."""
    parts = components_of(member.character, whole, member.state)
    names = [unit.name for unit in battle.units]
    for part in parts:
        if part.name in names:
            raise UserError(f"there are two units named {part.name}: give one of them another name")
    battle = replace(battle, units=(*battle.units, *parts))
    if not (whole.split or whole.destroyed):
        return battle
    spots = spots_for(rules, battle, replace(whole, split=False))
    if spots is None:
        raise UserError(f"{whole.name}: at: there is no room for its components at {_place_name(battle, whole)}")
    return come_apart_at(battle, with_own_crews(whole), spots)


def _with_sections(battle: Battle, member: Placed, hull: Unit) -> Battle:
    """The battle with the sections of a large machine, and the hull with its towed mass."""
    sections = sections_of(member.character, hull, member.state)
    names = [unit.name for unit in battle.units]
    for section in sections:
        if section.name in names:
            raise UserError(f"there are two units named {section.name}: give one of them another name")
    return replace(battle, units=(*battle.units, *sections)).put(replace(hull, drawn=pulling(hull, list(sections))))


def _enter_on_foot(rules: Ruleset, battle: Battle, member: Placed, group: str) -> Unit:
    """A character on foot; only if the map and the rounds allow it."""
    if not battle.place.close or battle.place.seconds != SHORT:
        raise UserError(
            f"{member.name} is on foot: name their machine with `state: {{aboard: NAME}}`, or play on a map with hexes of "
            f"{CLOSE_HEX} metres and `place: {{seconds: {SHORT}}}`"
        )
    person = Person.of(rules, member.character)
    rider = rider_of(rules, member.character, member.name, None, {k: v for k, v in member.state.items() if k not in PLACED})
    unit = on_foot(rules, person, member.name, member.side, group=group, body=rider.body)
    for field in ("facing", "speed"):
        if field in member.state:
            unit = replace(unit, **{field: member.state[field]})
    return unit


def on_thrust(battle: Battle, unit: Unit, told: bool) -> Unit:
    """A space drive stronger than gravity flies if there is gravity and no room for vectors (lines 4574-4576)."""
    space = unit.machine.way("space")
    if space is None or unit.machine.way("air") is not None or battle.cell >= SPACE_HEX or floats(battle.place.gravity):
        return unit
    points = [int(thrust_flight(number, battle.place.gravity).value) for number in (space.combat, space.top)]
    if points[1] <= 0:
        return unit
    air = Way("air", points[0], points[1], 0, space.maneuver)
    flying = replace(unit, machine=replace(unit.machine, ways=(*unit.machine.ways, air)), course=replace(unit.course, jets=True))
    return replace(flying, way="air") if unit.way == "space" and not told else flying


def _edge(rules: Ruleset, battle: Battle, unit: Unit, sides: tuple[str, ...]) -> tuple[float, float]:
    """A place at a side's own edge of the map, next to its other units."""
    at = sides.index(unit.side) if unit.side in sides else 0
    row = len([candidate for candidate in battle.units if candidate.side == unit.side])
    if not battle.hexes:
        size = battle.map.size
        if size is None:
            return APART * at, ROW * row
        across = size[0] * (0.1 + 0.8 * at / max(1, len(sides) - 1))
        return round(across, 2), round(min(size[1], size[1] / 2 + ROW * ((row + 1) // 2) * (-1 if row % 2 else 1)), 2)
    assert battle.map.size is not None
    columns, rows = int(battle.map.size[0]), int(battle.map.size[1])
    near = 1 + round((columns - 1) * at / max(1, len(sides) - 1))
    wished = (near, ceil(rows / 2))
    zone = next((candidate for candidate in battle.place.zones if candidate.side == unit.side), None)
    spots = sorted(
        [(column, line) for column in range(1, columns + 1) for line in range(1, rows + 1) if zone is None or zone.holds(column, line)],
        key=lambda spot: (abs(spot[0] - near) * 3 + abs(spot[1] - wished[1]), spot),
    )
    full = False
    for spot in spots:
        there = replace(unit, x=float(spot[0]), y=float(spot[1]))
        if not (why := _why_refused(rules, battle, there)):
            return float(spot[0]), float(spot[1])
        full = full or why.endswith(FULL)
    where = "on the map" if zone is None else f"in the zone of {unit.side}"
    if full:
        raise UserError(f"{unit.name}: there is no room left {where}")
    raise UserError(f"{unit.name}: no hex {where} allows {unit.way or 'such a machine'}{' movement' if unit.way else ''}")


def _why_refused(rules: Ruleset, battle: Battle, unit: Unit) -> str:
    """Why a unit cannot be where it is; empty if it can."""
    try:
        refuse_place(rules, battle, unit)
    except UserError as error:
        return str(error)
    return ""


def refuse_place(rules: Ruleset, battle: Battle, unit: Unit) -> None:
    """Refuse a unit's place if it is off the map, impassable or full."""
    field = battle.field
    try:
        if battle.hexes and (unit.x % 1 or unit.y % 1):
            raise UserError(f"a hex has a whole column and row number, not {unit.x:g}, {unit.y:g}")
        for spot in footprint(unit, battle.hexes)[:1]:
            field.refuse_standing((int(spot[0]), int(spot[1])) if battle.hexes else spot)
    except UserError as error:
        raise UserError(f"{unit.name}: at: {error}") from None
    if unit.way in ("air", "space") and not battle.hexes:
        raise UserError(f"{unit.name}: aircraft and spacecraft need a map with hexes")
    refuse_height(battle, unit)
    if unit.way and not unit.destroyed:
        ground = field.terrain(unit.spot)
        if cost_table(rules, unit.machine, unit.way, battle.place.atmosphere)[ground] is None:
            where = f"{ground or 'clear ground'} at {_place_name(battle, unit)}"
            raise UserError(f"{unit.name}: at: {where} does not allow {unit.way} movement")
    if unit.shape.stretched and not lies_well(rules, battle, unit):
        many, most = unit.shape.stretched, int(longest(battle, unit).value)
        why = f"its Size allows {most} at most" if many > most else "the edge of the map, terrain or another unit is in its way"
        raise UserError(f"{unit.name}: stretched: it cannot stretch over {many} hexes there; {why}")
    if not holds(battle, unit, unit.spot):
        raise UserError(f"{unit.name}: at: {_place_name(battle, unit)} {FULL}")


def refuse_height(battle: Battle, unit: Unit) -> None:
    """Refuse an impossible altitude or depth."""
    if unit.way == "air" and aloft(unit):
        lowest, highest = lowest_level(unit.machine, is_vtol(unit.machine)), int(highest_level(unit.machine).value)
        if not lowest <= clearance(battle, unit) or unit.altitude > highest:
            low = lowest + ground_height(battle, unit.spot)
            raise UserError(f"{unit.name}: altitude must be {low} to {highest} there, not {unit.altitude}; or write `landed: true`")
    elif unit.way == "submarine":
        if not 0 <= -unit.altitude <= bottom(battle, unit.spot):
            raise UserError(f"{unit.name}: altitude must be {-bottom(battle, unit.spot)} (the bottom) to 0 there, not {unit.altitude}")
    elif unit.altitude and unit.way != "air":
        raise UserError(f"{unit.name}: a unit with {unit.way or 'no'} movement has no altitude")


def _place_name(battle: Battle, unit: Unit) -> str:
    return hexes.label((int(unit.x), int(unit.y))) if battle.hexes else f"{unit.x:g}, {unit.y:g}"


def _facing_each_other(battle: Battle, told: set[str]) -> Battle:
    """Turn every unit without a stated facing towards the nearest enemy."""
    for unit in battle.units:
        foes = [candidate for candidate in battle.units if candidate.side != unit.side and candidate.spot != unit.spot]
        if unit.name in told or unit.section or not foes:
            continue
        nearest = min(foes, key=lambda foe: battle.field.distance(unit.spot, foe.spot))
        here, there = (int(unit.x), int(unit.y)), (int(nearest.x), int(nearest.y))
        battle = battle.change(unit.name, facing=hexes.towards(here, there) if battle.hexes else bearing(unit.spot, nearest.spot))
    return battle


def _commander(battle: Battle, side: str, named: str) -> str:
    """The commander's unit: as the scenario says, or the first of the side."""
    mine = [unit for unit in battle.units if unit.side == side]
    if not mine:
        raise UserError(f"{side} has no unit: this battle needs machines, not only characters")
    if not named:
        return mine[0].name
    unit = next((unit for unit in mine if unit.name == named or any(rider.name == named for rider in unit.riders)), None)
    if unit is None:
        raise UserError(f"place.commanders: {named!r} is not on the side {side!r}")
    return unit.name


def _board(rules: Ruleset, battle: Battle, member: Placed) -> Battle:
    """Put a character aboard the machine that its state names."""
    named = str(member.state.get("aboard", ""))
    mine = [unit for unit in battle.units if unit.side == member.side]
    if not named:
        raise UserError(f"{member.name} is on foot: name their machine with `state: {{aboard: NAME}}`")
    unit = next((candidate for candidate in mine if candidate.name == named), None)
    if unit is None:
        known = grammar.join([unit.name for unit in mine]) or "none"
        raise UserError(f"{member.name}: aboard: there is no machine {named!r} on this side; its machines: {known}")
    rider = rider_of(rules, member.character, member.name, unit, member.state)
    return battle.put(seated(rules, unit, rider))


# --- changes -------------------------------------------------------------------------------------------------------------------------


def join(rules: Ruleset, battle: Battle, newcomer: Placed) -> Battle:
    """Let a newcomer join: a machine at the edge of the map, a character in the first free seat of its side."""
    names = [name for unit in battle.units for name in (unit.name, *[rider.name for rider in unit.riders])]
    if newcomer.name in names:
        raise UserError(f"the name {newcomer.name} is already taken in this battle: give the newcomer another name")
    if _is_aboard(newcomer) or (isinstance(newcomer.character, Character) and not battle.place.close):
        return _take_seat(rules, battle, newcomer)
    result = placed(rules, battle, newcomer, battle.sides)
    unit = result.unit(newcomer.name)
    late = battle.phase == "activation"
    for candidate in (unit, *result.sections(unit)):
        result = result.change(candidate.name, done=late, moved=late)
    return result


def _take_seat(rules: Ruleset, battle: Battle, newcomer: Placed) -> Battle:
    named = newcomer.state.get("aboard", "")
    for unit in battle.units:
        if unit.side == newcomer.side and unit.able and named in ("", unit.name):
            try:
                return battle.put(seated(rules, unit, rider_of(rules, newcomer.character, newcomer.name, unit, newcomer.state)))
            except UserError:
                if named:
                    raise
    raise UserError(f"{newcomer.name}: no machine of {newcomer.side} has a free seat")


def put(rules: Ruleset, battle: Battle, who: str, x: float, y: float) -> Battle:
    """Move a unit by hand."""
    unit = battle.bearer(battle.asked(who))
    moved = replace(unit, x=float(x), y=float(y))
    refuse_place(rules, battle, moved)
    return battle.put(moved)


def fitting(rules: Ruleset, battle: Battle) -> Battle:
    """Validate a battle that was edited by hand."""
    for unit in battle.units:
        checked(unit)
        if not unit.section:
            refuse_height(battle, unit)
    return battle
