"""Splitting and combining machines: where the components are placed, and how their crews continue."""

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.grammar import join
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table, distance, terrains
from rulewright.systems.silhouette.units.combined import joined, parted, without_seat
from rulewright.systems.silhouette.units.forms import reformed
from rulewright.systems.silhouette.units.nanomachine_state import gathered
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Ashore, Unit

NEAR = 1
"""Hexes within which components must be of the caller, and people of a machine that they reboard (ruling)."""
FAR = 2
"""Hexes within which components are placed if there is no room where the combined machine was."""


def components(battle: Battle, whole: Unit) -> list[Unit]:
    """The components of a combined machine, wherever they are."""
    return [unit for unit in battle.units if unit.part is not None and not unit.section and unit.part.of == whole.name]


def waits_beside(battle: Battle, whole: Unit) -> int:
    """How many people dropped off before it combined are beside a combined machine."""
    return sum([candidate.hands for candidate in whole.ashore if _beside(battle, whole, candidate)])


def _beside(battle: Battle, whole: Unit, left: Ashore) -> bool:
    return not whole.altitude and distance(battle.field, whole.spot, (left.x, left.y)) <= NEAR


def apart_words(battle: Battle, whole: Unit) -> str:
    """The log text for a combined machine that splits: its components, and who reboards."""
    back = waits_beside(battle, whole)
    again = f"; {back} of the crew left behind {'reboard' if back > 1 else 'reboards'}" if back else ""
    return f"splits into {join([component.name for component in components(battle, whole)])}{again}"


def can_drop(rules: Ruleset, battle: Battle, unit: Unit) -> bool:
    """Whether people can be dropped off at a unit's place: on dry ground, in breathable air."""
    dry = not terrains(rules)[battle.field.terrain(unit.spot)].wet
    return dry and not unit.altitude and unit.way != "space" and battle.place.atmosphere > 0


def spots_for(rules: Ruleset, battle: Battle, whole: Unit) -> dict[str, Spot] | None:
    """Where each component would be if the machine split here; None if there is no room for one of them."""
    emptied = battle.change(whole.name, gone=True)
    point_by_name: dict[str, Spot] = {}
    for component in components(battle, whole):
        spot = next((spot for spot in _around(battle, whole.spot) if _can_be_placed(rules, emptied, component, spot, whole)), None)
        if spot is None:
            return None
        point_by_name[component.name] = spot
        emptied = emptied.put(replace(component, gone=False, x=spot[0], y=spot[1], altitude=whole.altitude))
    return point_by_name


def _around(battle: Battle, spot: Spot) -> list[Spot]:
    if not battle.hexes:
        return [spot]
    pairs: list[tuple[int, int]] = [(int(spot[0]), int(spot[1]))]
    for _ in range(FAR):
        pairs += [pair for at in list(pairs) for side in range(6) if (pair := hexes.neighbour(at, side)) not in pairs]
    return [(float(x), float(y)) for x, y in pairs if battle.field.on_map((x, y))]


def _can_be_placed(rules: Ruleset, battle: Battle, unit: Unit, spot: Spot, whole: Unit) -> bool:
    """Whether a component can be at a place: there is room and passable terrain; flyers stand on the ground."""
    there = replace(unit, x=spot[0], y=spot[1], altitude=whole.altitude, gone=False)
    if unit.way == "space" or unit.way == "submarine":
        return unit.way == whole.way and holds(battle, there, spot)
    ways = [way.type for way in unit.machine.ways if way.type != "air"]
    way = "" if unit.way == "air" and not ways else ways[0] if unit.way == "air" else unit.way
    ground = not way or cost_table(rules, unit.machine, way, battle.place.atmosphere)[battle.field.terrain(spot)] is not None
    return ground and holds(battle, there, spot)


def come_apart_at(battle: Battle, whole: Unit, spots: dict[str, Spot]) -> Battle:
    """Place the components, which continue the round of the combined machine. People dropped off beside it reboard."""
    back = waits_beside(battle, whole)
    if back:
        left = tuple([item for item in whole.ashore if not _beside(battle, whole, item)])
        whole = replace(whole, ashore=left, crew=replace(whole.crew, passengers=whole.crew.passengers + back))
    whole = _reshaped(whole)
    whole = replace(whole, shape=gathered(whole.shape))
    empty, parts = parted(whole, [_reshaped(component) for component in components(battle, whole)])
    for candidate in parts:
        spot = spots.get(candidate.name, whole.spot)
        assert candidate.part is not None
        air = candidate.way == "air" and whole.way != "air"
        course = replace(candidate.course, landed=True) if air else whole.course if candidate.way == whole.way else candidate.course
        out = replace(
            candidate,
            gone=False,
            part=replace(candidate.part, inside=False, voice=whole.voice, dented=candidate.wear.armor if candidate.machine.morphs else 0),
            x=spot[0],
            y=spot[1],
            facing=whole.facing,
            altitude=whole.altitude,
            course=course,
            speed="combat",
            hexes=whole.hexes,
            last=whole.last,
            moved=whole.moved,
            done=whole.done,
            used=whole.used,
            transformed=whole.transformed,
            hit_by=whole.hit_by,
        )
        battle = battle.put(replace(out, points=whole.spent, spent=whole.spent) if whole.points is not None else out)
    names = tuple([item.name for item in parts])
    battle = battle.put(replace(empty, gone=True, split=True))
    waiting = tuple([name for text in battle.waiting for name in (names if text == whole.name else (text,))])
    if battle.active == whole.name:
        waiting = (*[name for name in names[1:] if battle.unit(name).able], *waiting)
        battle = replace(battle, active=names[0])
    return _transfer_command(replace(battle, waiting=waiting), (whole.name,), names[0])


def _reshaped(unit: Unit) -> Unit:
    """A body after reshaping: morphable material repairs all damage but lost Armor, other material does not change."""
    return reformed(unit) if unit.machine.morphs and not unit.destroyed else unit


def _with_dents(whole: Unit, parts: list[Unit]) -> Unit:
    """A morphable machine without the Armor that its parts lost since it split: lost Armor carries over into every form."""
    lost = sum([max(0, unit.wear.armor - unit.part.dented) for unit in parts if unit.part is not None])
    return replace(whole, wear=replace(whole.wear, armor=whole.lost_with(lost)))


def come_together_at(battle: Battle, whole: Unit, caller: Unit) -> Battle:
    """Merge the components into the combined machine, which continues their round. People without a seat are dropped off there."""
    parts = components(battle, whole)
    if over := without_seat(whole, parts).value:
        whole = replace(whole, ashore=(*whole.ashore, Ashore(over, caller.x, caller.y)))
    if whole.machine.morphs:
        whole = _with_dents(_reshaped(whole), parts)
    full, emptied = joined(whole, parts)
    for unit in emptied:
        assert unit.part is not None
        battle = battle.put(replace(unit, gone=True, part=replace(unit.part, inside=True), shape=gathered(unit.shape)))
    begun = any(candidate.points is not None for candidate in parts)
    names = tuple([candidate.name for candidate in parts])
    battle = battle.put(
        replace(
            full,
            gone=False,
            split=False,
            x=caller.x,
            y=caller.y,
            facing=caller.facing,
            altitude=caller.altitude,
            speed="combat",
            shifting="",
            pace=caller.pace,
            hexes=max([candidate.hexes for candidate in parts]),
            last=max([candidate.last for candidate in parts]),
            used=max([candidate.used for candidate in parts]),
            transformed=max([candidate.transformed for candidate in parts]),
            moved=any(candidate.moved for candidate in parts),
            done=False,
            points=0 if begun else None,
            spent=0,
            turned=begun,
            hit_by=tuple(dict.fromkeys([name for candidate in parts for name in candidate.hit_by])),
        )
    )
    waiting = tuple([name for name in battle.waiting if name not in names])
    return _transfer_command(replace(battle, waiting=waiting, active=whole.name), names, whole.name)


def _transfer_command(battle: Battle, before: tuple[str, ...], after: str) -> Battle:
    """Transfer command from a machine that no longer exists to its successor."""
    for command in battle.commands:
        if command.commander in before:
            battle = battle.put_command(replace(command, commander=after))
    return battle
