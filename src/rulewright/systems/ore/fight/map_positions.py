"""Positions on a map: distances, cover, areas and destinations.

Without a map people stand on a line, and none of this is used.
"""

from functools import partial
from math import ceil, hypot
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.area_templates import Aimed
from rulewright.field.destinations import Door, doors_at_hand, doors_to_try, goals, what_it_means
from rulewright.field.field import Spot, spot_at
from rulewright.field.pathfinding import WALKER, way
from rulewright.field.places import Anywhere, Going, Pace, behind, pushed, towards
from rulewright.field.revealed import known_field
from rulewright.play import Choice, Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, Situation
from rulewright.systems.ore.combat.hazards import MOST_AREA
from rulewright.systems.ore.gear.armoury import ranges_of

SHORT = 1.5
"""Metres from an enemy at which a walk ends, within reach."""
NEAR_COVER = 8.0
"""Metres to search for cover to dive behind."""


def on_map(fight: Fight, name: str) -> Spot:
    """The position of a fighter on the map."""
    result = fight.one(name).at
    assert result is not None
    return result


def end_towards(fight: Fight, name: str, goal: Spot, most: float, within: float) -> Spot:
    """The end of a walk towards a place; the start if there is no path."""
    here = on_map(fight, name)
    near = hypot(goal[0] - here[0], goal[1] - here[1]) <= within and fight.clear_between(here, goal)
    return here if near and within else towards(fight.field, here, goal, WALKER, most, min(SHORT, within)) or here


def end_away(fight: Fight, name: str, other: str, metres: float) -> Spot:
    """The end of a straight move away from somebody, until an obstacle."""
    here, there = on_map(fight, name), on_map(fight, other) if other else (0.0, 0.0)
    far = hypot(here[0] - there[0], here[1] - there[1])
    dx, dy = ((here[0] - there[0]) / far, (here[1] - there[1]) / far) if far else (1.0, 0.0)
    return pushed(fight.field, here, spot_at(here[0] + dx * metres, here[1] + dy * metres))


def on_foot(fight: Fight, point: Spot, other: Spot) -> float:
    """Walking distance between two places."""
    result = way(fight.field, point, other, WALKER, 500.0)
    return result.cost if result is not None else fight.field.distance(point, other)


# --- cover --------------------------------------------------------------------------------------------------------------------


class Near(Struct, frozen=True):
    """Cover nearby: name, place behind it, and distance."""

    name: str
    spot: Spot
    metres: int


def cover_near(fight: Fight, fighter: Fighter) -> Near | None:
    """The nearest cover against known enemies that is not in use yet."""
    if fighter.at is None or not fight.map.covers:
        return None
    foes = [spot for spot in [fight.one(foe).at for foe in fight.known_foes(fighter.name)] if spot is not None]
    if not foes or all(fight.shelters(foe, fighter.at) for foe in foes):
        return None
    entries = []
    for cover in fight.known_map.covers:
        spot = behind(fight.field, cover, foes, fighter.at)
        there = way(fight.field, fighter.at, spot, WALKER, NEAR_COVER) if spot is not None else None
        if there is not None:
            entries.append((there.cost, cover.name, there.end))
    if not entries:
        return None
    cost, name, end = min(entries)
    return Near(name, end, ceil(round(cost, 2)))


# --- areas --------------------------------------------------------------------------------------------------------------------


def area_words() -> tuple[str, ...]:
    """The words for areas on a map: rating, and Shock or Kill."""
    return tuple([f"area {rating}{form}" for rating in range(1, MOST_AREA + 1) for form in ("", " kill")])


def area_at(fight: Fight, spot: Spot | None) -> tuple[int, Literal["shock", "kill"]]:
    """The Area Rating at a place and its damage: from the map region, else from the whole place."""
    word = fight.field.terrain(spot) if spot is not None and (fight.map.regions or fight.map.terrain) else ""
    if not word:
        return fight.ground.area, fight.ground.area_form
    return int(word.split()[1]), "kill" if word.endswith("kill") else "shock"


# --- going anywhere -----------------------------------------------------------------------------------------------------------


def choose_place(rules: Ruleset, fight: Fight, name: str, act: Act, *, most: int, doing: str) -> Play[Act]:
    """Asks for a destination within so many metres."""
    here = on_map(fight, name)
    foes = _known(fight, name)
    options = [Option("stay", "Stay here", replace(act, to=here))]
    for goal in goals(fight.field, here, foes, float(most), (), float(REACH), SHORT):
        options.append(Option(goal.key, goal.label[0].upper() + goal.label[1:], replace(act, to=goal.way.end)))
    pace = Pace("run" if doing == "running" else "walk", doing, float(most))
    anywhere: Anywhere[Act] = Anywhere(
        fight.field,
        here,
        (pace,),
        partial(_gone, act),
        pace.key,
        partial(_means, fight, fight.fighter(name)),
        known_field(fight.map, fight.changes),
    )
    about = Situation(fight, name, rules)
    return (yield from Choice(name, "Where do you go?", tuple(options), about, "place", where=anywhere))


def choose_target(rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
    """Asks for a place to throw at: an enemy in sight, or any place in range and sight."""
    fighter, here = fight.fighter(name), on_map(fight, name)
    ranges = ranges_of(rules, fighter.weapon, fighter.profile.body)
    most = float(ranges.long) if ranges is not None else 0.0
    seen = [entry for entry in _known(fight, name) if fight.sees(name, entry[0]) and fight.distance(name, entry[0]) <= most]
    options = [Option(f"at {foe}", f"At {foe}", replace(act, to=(x, y))) for foe, x, y in seen]
    options.append(Option("here", "At your own feet", replace(act, to=here)))
    everybody = [
        _At(candidate.name, *candidate.at) for candidate in fight.fighters if candidate.side == fighter.side and candidate.at is not None
    ]
    where: Aimed[Act] = Aimed(
        fight.field,
        here,
        "throw",
        "throwing",
        most,
        partial(_aimed, act),
        lambda: (*everybody, *[_At(*entry) for entry in _known(fight, name)]),
        float(REACH),
    )
    return (yield from Choice(name, "Where do you throw it?", tuple(options), Situation(fight, name, rules), "mark", where=where))


def _aimed(act: Act, spot: Spot) -> Act:
    return replace(act, to=spot)


def _known(fight: Fight, name: str) -> tuple[tuple[str, float, float], ...]:
    return tuple([(foe, *on_map(fight, foe)) for foe in fight.known_foes(name)])


def _gone(act: Act, going: Going) -> Act:
    return replace(act, to=going.spot)


class _At(Struct, frozen=True):
    """A fighter at a place."""

    name: str
    x: float
    y: float


def _means(fight: Fight, fighter: Fighter, going: Going) -> tuple[str, ...]:
    """The distance to the nearest enemy and the cover at a place."""
    foes = [_At(*entry) for entry in _known(fight, fighter.name)]
    moved = fight.put(replace(fighter, at=going.spot))
    there = moved.fighter(fighter.name)
    sheltered = [(foe.name, moved.cover_from(foe.name, there).name if moved.sees(foe.name, there.name) else None) for foe in foes]
    return what_it_means(_At(fighter.name, *going.spot), foes, sheltered)


# --- what is told to whom -----------------------------------------------------------------------------------------------------

Names = tuple[str, ...]


def orders_told(fight: Fight, order: Names) -> list[tuple[Names, Names | None]]:
    """The order of a round and who is told: everybody, or those who see them."""
    if not fight.hiding:
        return [(order, None)]
    groups: dict[Names, list[str]] = {}
    for name in order:
        groups.setdefault(fight.witnesses(name), []).append(name)
    return [(tuple(names), known) for known, names in groups.items()]


# --- mooks --------------------------------------------------------------------------------------------------------------------


def through_doors(fight: Fight, name: str, most: int) -> tuple[Spot, Door | None]:
    """The move of a group behind a shut door: to the nearest door, or which one it opens."""
    here = on_map(fight, name)
    shut = next((door for door in doors_at_hand(fight.field, here) if door.opens), None)
    if shut is not None:
        return here, shut
    point_by_name = {goal.key: goal.way.end for goal in goals(fight.field, here, (), float(most))}
    return next((point_by_name[f"to {door}"] for door in doors_to_try(fight.field, here) if f"to {door}" in point_by_name), here), None
