"""How a battle begins: units from files, characters aboard, places on the ground, groups, commanders."""

from collections.abc import Iterable
from math import ceil

from msgspec.structs import replace

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
"""Seconds of a round in which people on foot matter."""
APART = 500.0
"""Metres between two sides on open ground, where nothing else is said."""
ROW = 100.0
FULL = "is full: a hex holds 30 points of Size"


def ground_words(rules: Ruleset) -> GroundWords:
    """What a map of machines may say of its ground."""
    return GroundWords(tuple([name for name in terrains(rules) if name]))


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Battle:
    """The battle in which a scenario begins. Whoever has no place is put at the edge of the map, opposite the others."""
    place = scenario.ground(Conditions)
    if place.gravity < 0 or place.atmosphere < 0:
        raise UserError("place: gravity and atmosphere are 0 or more")
    if not 0 <= place.wind <= 5:
        raise UserError(f"place: wind blows towards a hexside from 0 (north) to 5 (north-west), not {place.wind}")
    for objective in place.objectives:
        if objective.side not in scenario.sides:
            raise UserError(f"place.objectives: there is no side {objective.side!r}")
        if objective.units < 1:
            raise UserError(f"place.objectives: {objective.side} is to bring 1 unit or more off the field, not {objective.units}")
    for zone in place.zones:
        if zone.side not in scenario.sides:
            raise UserError(f"place.zones: there is no side {zone.side!r}")
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
            close=_close(area),
            air=5 if _close(area) else max(1, round(250 / (area.cell if area.grid == "hexes" else 50))),
            wind=place.wind,
            grassy=place.grassy,
            objectives=place.objectives,
            zones=place.zones,
        ),
        scars=scars_of(place),
        rounds=scenario.rounds,
    )
    for member in everybody:
        if not _goes_aboard(member):
            battle = placed(rules, battle, member, sides)
    for member in everybody:
        if _goes_aboard(member):
            battle = _boarded(rules, battle, member)
    commands = tuple([Command(side=side, commander=_commander(battle, side, place.commanders.get(side, ""))) for side in sides])
    for side in place.commanders:
        if side not in sides:
            raise UserError(f"place.commanders: there is no side {side!r}")
    for unit in battle.units:
        aboard = any(rider.seat == "crew" for rider in unit.riders)
        inside = unit.split or (unit.part is not None and not unit.section)  # whoever is left sits where there is need
        if not (unit.crew.hands or unit.crew.computers or aboard or unit.destroyed or inside):
            raise UserError(f"{unit.name} has a crew of nobody: give it a crew, or a character aboard")
        if unit.signs.carrier:
            battle = _loaded(battle, unit)
        if unit.tows:
            _refuse_tow(battle, unit)
    battle = replace(battle, commands=commands)
    return _facing_each_other(battle, {member.name for member in everybody if "facing" in member.state})


def _refuse_off_the_map(area: Ground, place: Conditions) -> None:
    """Refuse what stands, lies or is to be placed off the map."""
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
    """Refuse a tow of what is not there, of oneself, of an enemy, or of what has something in tow itself."""
    load = next((other for other in battle.units if other.name == unit.tows), None)
    if load is None:
        raise UserError(f"{unit.name}: tows: there is no unit {unit.tows!r}")
    if load.name == unit.name or load.side != unit.side or load.tows:
        raise UserError(
            f"{unit.name}: tows: only another machine of its side that tows nothing itself can be in tow, and {load.name} is not"
        )


def _loaded(battle: Battle, unit: Unit) -> Battle:
    """A machine aboard an aircraft of its side: it is no unit of its own until it is dropped."""
    carrier = next((candidate for candidate in battle.units if candidate.name == unit.signs.carrier and candidate.side == unit.side), None)
    if carrier is None or carrier.way != "air" or carrier.machine.size <= unit.machine.size:
        raise UserError(f"{unit.name}: signs.carrier: {unit.signs.carrier!r} is no aircraft of its side that could carry it")
    return battle.put(replace(unit, gone=True, x=carrier.x, y=carrier.y))


def _close(area: Ground) -> bool:
    """Whether a map is of the scale on which people on foot and machines meet: hexes of ten metres or less."""
    return area.grid == "hexes" and area.cell <= CLOSE_HEX


def scars_of(place: Conditions) -> Scars:
    """What stands and lies about at the beginning."""
    for named in (place.structures, place.objects):
        names = [candidate.name for candidate in named]
        if len(set(names)) < len(names):
            raise UserError("place: structures and objects have names of their own, and none comes twice")
    for built in place.structures:
        if built.capacity < 1 or built.bears < 0 or built.taken < 0:
            raise UserError(f"place.structures: {built.name} has a capacity of 1 or more, and bears a Size of 0 or more")
    for field in place.mines:
        if field.threshold < 1 or field.damage <= 0 or field.radius < 0 or field.rounds < 0:
            raise UserError("place.mines: a minefield has a threshold of 1 or more, some damage, and a radius of 0 or more hexes")
    if not (place.structures or place.objects or place.mines):
        return UNTOUCHED
    return Scars(built=place.structures, things=place.objects, mines=place.mines)


def _goes_aboard(member: Placed) -> bool:
    return not isinstance(member.character, Vehicle) and "aboard" in member.state


def placed(rules: Ruleset, battle: Battle, member: Placed, sides: tuple[str, ...]) -> Battle:
    """The battle with one more unit, where the scenario puts it."""
    group = str(member.state.get("group", "")) or member.side
    on_legs = isinstance(member.character, Character)
    unit = (
        _walks_in(rules, battle, member, group)
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
    """The battle with the components of a combined machine: inside it, or on the field where the scenario says that it is split, or a
    battle before has broken it apart."""
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
        raise UserError(f"{whole.name}: at: there is no room for its components at {_said(battle, whole)}")
    return come_apart_at(battle, with_own_crews(whole), spots)


def _with_sections(battle: Battle, member: Placed, hull: Unit) -> Battle:
    """The battle with the sections of a large machine, and the hull with what it draws."""
    sections = sections_of(member.character, hull, member.state)
    names = [unit.name for unit in battle.units]
    for section in sections:
        if section.name in names:
            raise UserError(f"there are two units named {section.name}: give one of them another name")
    return replace(battle, units=(*battle.units, *sections)).put(replace(hull, drawn=pulling(hull, list(sections))))


def _walks_in(rules: Ruleset, battle: Battle, member: Placed, group: str) -> Unit:
    """A character on foot; only where the map and the rounds are made for it."""
    if not battle.place.close or battle.place.seconds != SHORT:
        raise UserError(
            f"{member.name} is on foot: say which machine they are aboard with `state: {{aboard: NAME}}`, or play on a map with hexes of "
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
    """Where there is gravity and no room for vectors, a drive for space that is stronger than gravity flies (lines 4574-4576)."""
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
    """A place at the edge of the map that is a side's own, next to those who are there already."""
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
        if not (why := _refused(rules, battle, there)):
            return float(spot[0]), float(spot[1])
        full = full or why.endswith(FULL)
    where = "on the map" if zone is None else f"in the zone of {unit.side}"
    if full:
        raise UserError(f"{unit.name}: there is no room left {where}")
    raise UserError(f"{unit.name}: nothing {where} is a place for {unit.way or 'such a machine'}{' movement' if unit.way else ''}")


def _refused(rules: Ruleset, battle: Battle, unit: Unit) -> str:
    """Why a unit cannot be where it is; nothing where it can."""
    try:
        refuse_place(rules, battle, unit)
    except UserError as error:
        return str(error)
    return ""


def refuse_place(rules: Ruleset, battle: Battle, unit: Unit) -> None:
    """Refuse a unit where it cannot be: off the map, on ground that it cannot enter, in a hex that is full."""
    field = battle.field
    try:
        if battle.hexes and (unit.x % 1 or unit.y % 1):
            raise UserError(f"a hex is a whole column and row, not {unit.x:g}, {unit.y:g}")
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
            where = f"{ground or 'clear ground'} at {_said(battle, unit)}"
            raise UserError(f"{unit.name}: at: {where} is no place for {unit.way} movement")
    if unit.shape.stretched and not lies_well(rules, battle, unit):
        many, most = unit.shape.stretched, int(longest(battle, unit).value)
        why = f"its Size allows {most} at the most" if many > most else "the map ends, or the ground or somebody is in its way"
        raise UserError(f"{unit.name}: stretched: it does not lie over {many} hexes there; {why}")
    if not holds(battle, unit, unit.spot):
        raise UserError(f"{unit.name}: at: {_said(battle, unit)} {FULL}")


def refuse_height(battle: Battle, unit: Unit) -> None:
    """Refuse a height or depth at which a unit cannot be."""
    if unit.way == "air" and aloft(unit):
        lowest, highest = lowest_level(unit.machine, is_vtol(unit.machine)), int(highest_level(unit.machine).value)
        if not lowest <= clearance(battle, unit) or unit.altitude > highest:
            low = lowest + ground_height(battle, unit.spot)
            raise UserError(f"{unit.name}: altitude is from {low} to {highest} there, not {unit.altitude}; or say `landed: true`")
    elif unit.way == "submarine":
        if not 0 <= -unit.altitude <= bottom(battle, unit.spot):
            raise UserError(f"{unit.name}: altitude is from {-bottom(battle, unit.spot)} (the bottom) to 0 there, not {unit.altitude}")
    elif unit.altitude and unit.way != "air":
        raise UserError(f"{unit.name}: {unit.way or 'what cannot move'} has no altitude of its own")


def _said(battle: Battle, unit: Unit) -> str:
    return hexes.label((int(unit.x), int(unit.y))) if battle.hexes else f"{unit.x:g}, {unit.y:g}"


def _facing_each_other(battle: Battle, told: set[str]) -> Battle:
    """Everybody of whom nothing else is said looks towards the nearest enemy."""
    for unit in battle.units:
        foes = [candidate for candidate in battle.units if candidate.side != unit.side and candidate.spot != unit.spot]
        if unit.name in told or unit.section or not foes:
            continue
        nearest = min(foes, key=lambda foe: battle.field.distance(unit.spot, foe.spot))
        here, there = (int(unit.x), int(unit.y)), (int(nearest.x), int(nearest.y))
        battle = battle.change(unit.name, facing=hexes.towards(here, there) if battle.hexes else bearing(unit.spot, nearest.spot))
    return battle


def _commander(battle: Battle, side: str, named: str) -> str:
    """The unit of whoever commands: as the scenario says, or the first of the side."""
    mine = [unit for unit in battle.units if unit.side == side]
    if not mine:
        raise UserError(f"{side} has no unit: characters alone do not fight this battle")
    if not named:
        return mine[0].name
    unit = next((unit for unit in mine if unit.name == named or any(rider.name == named for rider in unit.riders)), None)
    if unit is None:
        raise UserError(f"place.commanders: {named!r} is not of the side {side!r}")
    return unit.name


def _boarded(rules: Ruleset, battle: Battle, member: Placed) -> Battle:
    """A character goes aboard the machine that its state names."""
    named = str(member.state.get("aboard", ""))
    mine = [unit for unit in battle.units if unit.side == member.side]
    if not named:
        raise UserError(f"{member.name} is on foot: say which machine they are aboard with `state: {{aboard: NAME}}`")
    unit = next((candidate for candidate in mine if candidate.name == named), None)
    if unit is None:
        raise UserError(
            f"{member.name}: aboard: there is no machine {named!r} on this side; there are {', '.join(unit.name for unit in mine)}"
        )
    rider = rider_of(rules, member.character, member.name, unit, member.state)
    return battle.put(seated(rules, unit, rider))


# --- later ---------------------------------------------------------------------------------------------------------------------------


def join(rules: Ruleset, battle: Battle, newcomer: Placed) -> Battle:
    """Somebody comes in later: a machine at the edge of the map, a character into the first seat that is free on their side."""
    names = [name for unit in battle.units for name in (unit.name, *[rider.name for rider in unit.riders])]
    if newcomer.name in names:
        raise UserError(f"there is a {newcomer.name} in this battle already: give the newcomer another name")
    if _goes_aboard(newcomer) or (isinstance(newcomer.character, Character) and not battle.place.close):
        return _takes_a_seat(rules, battle, newcomer)
    result = placed(rules, battle, newcomer, battle.sides)
    unit = result.unit(newcomer.name)
    late = battle.phase == "activation"
    for candidate in (unit, *result.sections(unit)):
        result = result.change(candidate.name, done=late, moved=late)
    return result


def _takes_a_seat(rules: Ruleset, battle: Battle, newcomer: Placed) -> Battle:
    named = newcomer.state.get("aboard", "")
    for unit in battle.units:
        if unit.side == newcomer.side and unit.able and named in ("", unit.name):
            try:
                return battle.put(seated(rules, unit, rider_of(rules, newcomer.character, newcomer.name, unit, newcomer.state)))
            except UserError:
                if named:
                    raise
    raise UserError(f"{newcomer.name}: no machine of {newcomer.side} has a seat left")


def put(rules: Ruleset, battle: Battle, who: str, x: float, y: float) -> Battle:
    """A unit is put elsewhere by hand."""
    unit = battle.bearer(battle.asked(who))
    moved = replace(unit, x=float(x), y=float(y))
    refuse_place(rules, battle, moved)
    return battle.put(moved)


def fitting(rules: Ruleset, battle: Battle) -> Battle:
    """A battle that was changed by hand, if everything in it fits together."""
    for unit in battle.units:
        checked(unit)
        if not unit.section:
            refuse_height(battle, unit)
    return battle
