"""Breaches in a hull: Size and mass, Armor, crew, movement, Maneuver, reaction mass (book lines 2825-3009, 3336-3354, 3737-3860)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Problem, Repair, amiss
from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.constructions import bodies, morphs
from rulewright.systems.silhouette.machines.design.costs import default_size, size_of, sizes_allowed
from rulewright.systems.silhouette.machines.design.crews import crew_of
from rulewright.systems.silhouette.machines.design.rounding import exact, plain, rounded
from rulewright.systems.silhouette.machines.design.sizes import SMALL, largest_mass, size_for, volume
from rulewright.systems.silhouette.machines.design.speeds import kilometres_an_hour
from rulewright.systems.silhouette.machines.design.threat import HIGHEST_MANEUVER, LOWEST_MANEUVER, threat
from rulewright.systems.silhouette.machines.design.trait_costs import has
from rulewright.systems.silhouette.machines.tables import MANEUVER, SCALES
from rulewright.systems.silhouette.machines.vehicle import Design, Movement, Vehicle

_SIZE, _DEFAULT, _ARMOR, _CREW, _SPEED = (
    *("sil-4.1.2-size-mass", "sil-4.1.11-default-size-cost", "sil-4.1.3-armor", "sil-4.1.4-crew", "sil-4.1.5-speed"),
)
_MANEUVER, _MASS, _SMALL, _EMPLACED = (
    *("sil-4.1.6-maneuver", "sil-4.1.7-reaction-mass", "sil-4.3.1-small-vehicles", "sil-4.3.3-emplacements"),
)
LARGE = 30
ROOM = 2
"""Cubic metres that a person needs."""


def hull(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str) -> Iterator[Problem]:
    """Every breach in a body's hull."""
    yield from _check_size(rules, vehicle, body, prefix)
    yield from _check_armor(rules, body, prefix)
    yield from _check_crew(rules, vehicle, body, prefix)
    for place, way in enumerate(body.movement):
        yield from _check_movement_type(rules, vehicle, body, prefix, place=place, way=way)
    yield from _check_maneuver(rules, vehicle, body, prefix)
    yield from _check_reaction_mass(body, prefix)
    yield from _check_emplacement(rules, vehicle, body, prefix)


def _is_small(rules: Ruleset, vehicle: Vehicle, body: Design) -> bool:
    return vehicle.scale == "vehicle" and exact(size_of(rules, body).value) <= SMALL


def _check_size(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str) -> Iterator[Problem]:
    """Size must be a fifth of the Default Size to twice it, whole above 5, and large enough for the target mass."""
    counted = bodies(vehicle)[0] if morphs(vehicle) and body not in vehicle.components else body
    try:
        size = size_of(rules, body).value
    except UserError as error:
        yield amiss(_SIZE, f"{prefix}mass", str(error), 0, "leave the mass automatic", 0)
        return
    least, most = sizes_allowed(default_size(threat(rules, counted).value.value).value)
    if exact(size) > SMALL and exact(size).denominator != 1:
        said, up = f"only Sizes up to {SMALL} can have tenths, not {size:g}", rounded(size, "up")
        yield amiss(_SIZE, f"{prefix}size", said, 0, f"Size {up}", up)
    if body not in vehicle.forms and not exact(least) <= exact(size) <= most:  # forms share the machine's Size
        near = least if exact(size) < exact(least) else most
        over = rounded(abs(exact(size) - exact(near)), "up")
        said = f"Size {size:g} is outside {least:g} to {most} (a fifth of the Default Size to twice it)"
        heavy = body.mass if body.mass and exact(near) < exact(size) else 0
        mended = (
            Repair("leave the mass automatic", f"{prefix}mass", 0)
            if heavy and not body.size
            else Repair(f"Size {near:g}", f"{prefix}size", near)
        )
        yield Problem(_DEFAULT, f"{prefix}{'size' if body.size else 'mass'}", said, over, mended)
    yield from _check_mass(rules, vehicle, body, prefix, size)


def _check_mass(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str, size: float) -> Iterator[Problem]:
    if not (body.mass and body.size):
        return
    worth = SCALES(rules)[vehicle.scale].worth
    holds = largest_mass(rules, min(10_000, size * worth)).value
    if body.mass > holds:
        said = f"a machine of Size {size:g} weighs at most {holds:,} kg, not {body.mass:,g}"
        yield amiss(_SIZE, f"{prefix}mass", said, rounded(body.mass - holds, "up"), f"{holds:,} kg", holds)
    elif vehicle.scale == "vehicle" and exact(size_for(rules, body.mass).value) < exact(size):
        lighter = size_for(rules, body.mass).value
        said = f"{body.mass:,g} kg would be Size {lighter:g}; Size {size:g} is bulky for its mass"
        yield Problem(_SIZE, f"{prefix}mass", said, 0, None, True)


def _check_armor(rules: Ruleset, body: Design, prefix: str) -> Iterator[Problem]:
    small = exact(size_of(rules, body).value) <= SMALL if body.size or not body.mass else True
    field = f"{prefix}armor"
    if exact(body.armor) < (exact(0.1) if small else 1):
        least = 0.1 if small and body.armor else 1
        yield amiss(_ARMOR, field, f"Armor must be at least {least:g}, not {body.armor:g}", 1, f"Armor {least:g}", least)
    elif exact(body.armor).denominator != 1 and not small:
        whole = max(1, rounded(body.armor))
        yield amiss(_SMALL, field, f"only machines up to Size {SMALL} can have tenths of Armor", 0, f"Armor {whole}", whole)
    elif (exact(body.armor) * 10).denominator != 1:
        near = plain(exact(rounded(exact(body.armor) * 10)) / 10)
        yield amiss(_SMALL, field, "Armor can have tenths, but nothing finer", 0, f"Armor {near:g}", near)


def _check_crew(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str) -> Iterator[Problem]:
    if not crew_of(body).value:
        said = "every machine needs a crew of at least one, or a computer"
        yield amiss(_CREW, f"{prefix}crew", said, 1, "a crew of 1", 1)
    aboard = body.crew + body.passengers
    room = (
        volume(size_of(rules, body).value * float(SCALES(rules)[vehicle.scale].worth)).value if exact(size_of(rules, body).value) > 0 else 0
    )
    if aboard > 1 and aboard * ROOM > room and vehicle.build not in ("monster", "bio-construct"):
        said = f"{aboard} people need about {aboard * ROOM} cubic metres, but there are only {room}"
        yield Problem(_CREW, f"{prefix}crew", said, aboard * ROOM - room, None, True)


def _without(body: Design, prefix: str, place: int) -> Repair:
    left = [msgspec.to_builtins(way) for at, way in enumerate(body.movement) if at != place]
    return Repair("remove it", f"{prefix}movement", left)


def _check_movement_type(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str, *, place: int, way: Movement) -> Iterator[Problem]:
    """Breaches in one movement type."""
    field = f"{prefix}movement.{place}"
    if any(other.type == way.type for other in body.movement[:place]):
        yield Problem("sil-4.1.5-movement-types", field, f"{way.type} movement is listed twice", 1, _without(body, prefix, place))
        return
    if not way.top:
        said = f"{way.type} movement needs a Top Speed above 0"
        yield amiss(_SPEED, f"{field}.top", said, 1, "Top Speed 1", 1)
    if exact(way.top).denominator != 1 and way.type != "space" and not _is_small(rules, vehicle, body):
        whole = max(1, rounded(way.top))
        said = "only space thrust and small machines can have fractions of Movement Points"
        yield amiss(_SPEED, f"{field}.top", said, 0, f"Top Speed {whole}", whole)
    if way.stall and way.type != "air":
        yield amiss(_SPEED, f"{field}.stall", "only aircraft have a Stall Speed", 1, "no Stall Speed", 0)
    elif way.stall and exact(way.stall) > exact(way.top):
        over = rounded(exact(way.stall) - exact(way.top), "up")
        said = f"its Stall Speed of {way.stall:g} is above its Top Speed of {way.top:g}"
        yield amiss(_SPEED, f"{field}.stall", said, over, f"Stall Speed {way.top:g}", way.top)
    if way.type == "air":
        yield from _check_flight(body, field, way)
    if way.unpowered:
        yield from _check_taxi(rules, body, prefix, place, field=field, way=way)
    if vehicle.build == "suit" and way.type != "walker" and not any(candidate.type == "walker" for candidate in body.movement):
        yield amiss(_SMALL, f"{field}.type", "a powered suit needs walker movement", 0, "walker", "walker")


def _check_flight(body: Design, field: str, way: Movement) -> Iterator[Problem]:
    light = has(body, "lighter-than-air")
    if light and way.stall:
        yield amiss("sil-d-features", f"{field}.stall", "a lighter-than-air craft has no Stall Speed", 1, "no Stall Speed", 0)
    elif has(body, "no engine") and not light and exact(way.stall) < 1:
        said = "an aircraft without an engine needs a Stall Speed of 1 or more"
        yield amiss("sil-e-movement-flaws", f"{field}.stall", said, 1, "Stall Speed 1", 1)


def _check_taxi(rules: Ruleset, body: Design, prefix: str, place: int, *, field: str, way: Movement) -> Iterator[Problem]:
    flight = next((candidate for candidate in body.movement if candidate.type == "air"), None)
    if flight is None or way.type not in ("ground", "naval"):
        said = "only the wheels or floats of an aircraft can be unpowered"
        yield amiss(_SPEED, f"{field}.unpowered", said, 0, "powered", False)
        return
    stalls = kilometres_an_hour(rules, flight.stall, "air").value
    if flight.stall and kilometres_an_hour(rules, way.top, way.type).value <= stalls:
        needed = rounded(exact(stalls) / 6, "down") + 1
        said = f"its ground speed must be above its Stall Speed of {stalls:g} km/h"
        yield amiss(_SPEED, f"{field}.top", said, needed - int(way.top), f"Top Ground Speed {needed}", needed)


def _check_maneuver(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str) -> Iterator[Problem]:
    field, value = f"{prefix}maneuver", body.maneuver
    if value > HIGHEST_MANEUVER or str(max(LOWEST_MANEUVER, value)) not in MANEUVER(rules):
        said = f"Maneuver can be at most +{HIGHEST_MANEUVER}"
        yield amiss("sil-4.1.10-dtv", field, said, value - HIGHEST_MANEUVER, f"Maneuver +{HIGHEST_MANEUVER}", HIGHEST_MANEUVER)
    elif value < LOWEST_MANEUVER:
        yield Problem("sil-4.1.10-dtv", field, f"a Maneuver below {LOWEST_MANEUVER} saves nothing", LOWEST_MANEUVER - value, None, True)
    elif body is vehicle and value < -3 and _is_small(rules, vehicle, body) and vehicle.build != "emplacement":
        yield Problem(_SMALL, field, "small machines seldom have a Maneuver below -3", -3 - value, None, True)
    elif body is vehicle and value > -3 and vehicle.scale == "vehicle" and exact(size_of(rules, body).value) > LARGE:
        yield Problem("sil-4.3.2-large-vehicles", field, "large machines seldom have a Maneuver above -3", value + 3, None, True)


def _check_reaction_mass(body: Design, prefix: str) -> Iterator[Problem]:
    space = any(way.type == "space" for way in body.movement)
    if body.burn_points and not space:
        said = "only machines with space movement have Burn Points"
        yield amiss(_MASS, f"{prefix}burn_points", said, body.burn_points, "none", 0)
    elif body.burn_points and body.reaction_mass == "none":
        said = "Burn Points need a type of reaction mass"
        yield amiss(_MASS, f"{prefix}reaction_mass", said, 0, "hydrogen", "hydrogen")


def _check_emplacement(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str) -> Iterator[Problem]:
    size = size_of(rules, body).value
    if vehicle.build == "suit" and body is vehicle and exact(size) < 1:
        yield amiss(_SMALL, "size", "a suit cannot be smaller than its wearer", 1, "Size 1", 1)
    if vehicle.build != "emplacement" or body is not vehicle:
        return
    if body.movement:
        yield amiss(_EMPLACED, "movement", "an emplacement cannot move", len(body.movement), "no movement", [])
    if exact(size) > vehicle.structure:
        said = f"its building has {vehicle.structure} damage points, which limits the Size to that, not {size:g}"
        needed = rounded(size, "up")
        over = rounded(exact(size) - vehicle.structure, "up")
        yield amiss(_EMPLACED, "structure", said, over, f"a building of {needed} damage points", needed)
