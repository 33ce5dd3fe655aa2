"""A combined machine comes apart, or its components come together: where they stand, and who goes on from there."""

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table, distance, terrains
from rulewright.systems.silhouette.units.combined import joined, parted, without_seat
from rulewright.systems.silhouette.units.forms import reformed
from rulewright.systems.silhouette.units.nanomachine_state import gathered
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Ashore, Unit

NEAR = 1
"""Hexes within which components must be of whoever calls them, and people of a machine into which they go back (ruling)."""
FAR = 2
"""Hexes within which components are set down that find no room where the whole was."""


def components(battle: Battle, whole: Unit) -> list[Unit]:
    """The components of a combined machine, wherever they are."""
    return [each for each in battle.units if each.part is not None and not each.section and each.part.of == whole.name]


def waits_beside(battle: Battle, whole: Unit) -> int:
    """How many of those who were dropped off before it combined are beside a combined machine."""
    return sum([each.hands for each in whole.ashore if _beside(battle, whole, each)])


def _beside(battle: Battle, whole: Unit, left: Ashore) -> bool:
    return not whole.altitude and distance(battle.field, whole.spot, (left.x, left.y)) <= NEAR


def apart_words(battle: Battle, whole: Unit) -> str:
    """What is told of a combined machine that comes apart: into what, and who goes aboard again."""
    back = waits_beside(battle, whole)
    again = f"; {back} who had stayed behind {'go' if back > 1 else 'goes'} aboard again" if back else ""
    return f"comes apart: {', '.join([each.name for each in components(battle, whole)])}{again}"


def can_drop(rules: Ruleset, battle: Battle, unit: Unit) -> bool:
    """Whether people can be dropped off where a unit is: on dry ground, in air."""
    dry = not terrains(rules)[battle.field.terrain(unit.spot)].wet
    return dry and not unit.altitude and unit.way != "space" and battle.place.atmosphere > 0


def spots_for(rules: Ruleset, battle: Battle, whole: Unit) -> dict[str, Spot] | None:
    """Where each component would be if the whole came apart here; None where there is no room for one of them."""
    emptied = battle.change(whole.name, gone=True)
    found: dict[str, Spot] = {}
    for each in components(battle, whole):
        spot = next((spot for spot in _around(battle, whole.spot) if _stands(rules, emptied, each, spot, whole)), None)
        if spot is None:
            return None
        found[each.name] = spot
        emptied = emptied.put(replace(each, gone=False, x=spot[0], y=spot[1], altitude=whole.altitude))
    return found


def _around(battle: Battle, spot: Spot) -> list[Spot]:
    if not battle.hexes:
        return [spot]
    found: list[tuple[int, int]] = [(int(spot[0]), int(spot[1]))]
    for _ in range(FAR):
        found += [each for at in list(found) for side in range(6) if (each := hexes.neighbour(at, side)) not in found]
    return [(float(x), float(y)) for x, y in found if battle.field.on_map((x, y))]


def _stands(rules: Ruleset, battle: Battle, each: Unit, spot: Spot, whole: Unit) -> bool:
    """Whether a component can be at a place: there is room, and ground for it; what flies stands on the ground."""
    there = replace(each, x=spot[0], y=spot[1], altitude=whole.altitude, gone=False)
    if each.way == "space" or each.way == "submarine":
        return each.way == whole.way and holds(battle, there, spot)
    ways = [way.type for way in each.machine.ways if way.type != "air"]
    way = "" if each.way == "air" and not ways else ways[0] if each.way == "air" else each.way
    ground = not way or cost_table(rules, each.machine, way, battle.place.atmosphere)[battle.field.terrain(spot)] is not None
    return ground and holds(battle, there, spot)


def come_apart_at(battle: Battle, whole: Unit, spots: dict[str, Spot]) -> Battle:
    """The components stand where they were set down, and go on where the whole was in its round. Whoever was dropped off beside it is
    aboard again."""
    back = waits_beside(battle, whole)
    if back:
        left = tuple([each for each in whole.ashore if not _beside(battle, whole, each)])
        whole = replace(whole, ashore=left, crew=replace(whole.crew, passengers=whole.crew.passengers + back))
    whole = _shaped(whole)
    whole = replace(whole, shape=gathered(whole.shape))
    empty, parts = parted(whole, [_shaped(each) for each in components(battle, whole)])
    for each in parts:
        spot = spots.get(each.name, whole.spot)
        assert each.part is not None
        air = each.way == "air" and whole.way != "air"
        course = replace(each.course, landed=True) if air else whole.course if each.way == whole.way else each.course
        out = replace(
            each,
            gone=False,
            part=replace(each.part, inside=False, voice=whole.voice, dented=each.wear.armor if each.machine.morphs else 0),
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
    names = tuple([each.name for each in parts])
    battle = battle.put(replace(empty, gone=True, split=True))
    waiting = tuple([name for each in battle.waiting for name in (names if each == whole.name else (each,))])
    if battle.active == whole.name:
        waiting = (*[name for name in names[1:] if battle.unit(name).able], *waiting)
        battle = replace(battle, active=names[0])
    return _led(replace(battle, waiting=waiting), (whole.name,), names[0])


def _shaped(unit: Unit) -> Unit:
    """A body as it takes shape: of morphable material without all damage but to its Armor, of any other as it was."""
    return reformed(unit) if unit.machine.morphs and not unit.destroyed else unit


def _with_dents(whole: Unit, parts: list[Unit]) -> Unit:
    """A morphable machine lacks the Armor that its parts have lost since it split: lost Armor goes along into every form."""
    lost = sum([max(0, each.wear.armor - each.part.dented) for each in parts if each.part is not None])
    return replace(whole, wear=replace(whole.wear, armor=whole.lost_with(lost)))


def come_together_at(battle: Battle, whole: Unit, caller: Unit) -> Battle:
    """The components are inside the whole, which goes on where they were in their round. Whoever finds no seat is dropped off there."""
    parts = components(battle, whole)
    if over := without_seat(whole, parts).value:
        whole = replace(whole, ashore=(*whole.ashore, Ashore(over, caller.x, caller.y)))
    if whole.machine.morphs:
        whole = _with_dents(_shaped(whole), parts)
    full, emptied = joined(whole, parts)
    for each in emptied:
        assert each.part is not None
        battle = battle.put(replace(each, gone=True, part=replace(each.part, inside=True), shape=gathered(each.shape)))
    begun = any(each.points is not None for each in parts)
    names = tuple([each.name for each in parts])
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
            hexes=max([each.hexes for each in parts]),
            last=max([each.last for each in parts]),
            used=max([each.used for each in parts]),
            transformed=max([each.transformed for each in parts]),
            moved=any(each.moved for each in parts),
            done=False,
            points=0 if begun else None,
            spent=0,
            turned=begun,
            hit_by=tuple(dict.fromkeys([name for each in parts for name in each.hit_by])),
        )
    )
    waiting = tuple([name for name in battle.waiting if name not in names])
    return _led(replace(battle, waiting=waiting, active=whole.name), names, whole.name)


def _led(battle: Battle, before: tuple[str, ...], after: str) -> Battle:
    """Whoever commanded from a machine that is no more commands from what it has become."""
    for command in battle.commands:
        if command.commander in before:
            battle = battle.put_command(replace(command, commander=after))
    return battle
