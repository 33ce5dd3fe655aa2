"""The audit of a vehicle: every violation with its rule and smallest repair (book lines 5519-5814)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Audit, Problem, Repair
from rulewright.errors import UserError
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.machines.speeds import COMPARED, rating_limits, size_of
from rulewright.systems.ore.machines.structure import HITS, TRACKS, heights_of, map_of
from rulewright.systems.ore.machines.tables import SIZES, SYSTEMS
from rulewright.systems.ore.machines.vehicle import Gun, Vehicle
from rulewright.systems.ore.people.skills import known_skill

MOST_FIREPOWER, MOST_ARMOUR, MOST_RATING, MOST_PEOPLE = 20, 10, 5, 100_000
LIMITS = {
    "armour": (0, MOST_ARMOUR),
    "crew": (1, MOST_PEOPLE),
    "firepower": (0, MOST_FIREPOWER),
    "gunners": (0, MOST_PEOPLE),
    "passengers": (0, MOST_PEOPLE),
    "cabins": (0, MOST_PEOPLE),
    "sensors": (0, MOST_RATING),
    "ecm": (0, MOST_RATING),
    "eccm": (0, MOST_RATING),
}
"""Limits of the secondary statistics (rulings: the book gives a scale only for Firepower)."""
CARRIED = ("marked", "hits", "spent")
"""Fields of lasting results."""


def audit(rules: Ruleset, vehicle: Vehicle) -> Audit:
    """All problems of a vehicle file; vehicles cost no points."""
    problems = [
        *_statistics(rules, vehicle),
        *_secondary(vehicle),
        *_weapons(vehicle),
        *_systems(rules, vehicle),
        *_people(rules, vehicle),
        *_condition(vehicle),
    ]
    return Audit(tuple(problems), ())


def _within(rule: str, field: str, name: str, value: int, limits: tuple[int, int]) -> Iterator[Problem]:
    """A number outside its limits, with the nearest valid one."""
    least, most = limits
    if not least <= value <= most:
        right = min(max(value, least), most)
        yield Problem(rule, field, f"{name} goes from {least} to {most}, not {value}", abs(value - right), Repair(f"{right}", field, right))


def _beyond(rule: str, field: str, name: str, value: int) -> Iterator[Problem]:
    if value == COMPARED:
        yield Problem(rule, field, f"{name} {COMPARED} is a comparison value and hardly ever used", warning=True)


def _statistics(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    yield from _within("ore-4.22-vehicle-stats", "handling", "Handling", vehicle.handling, rating_limits("handling"))
    yield from _within("ore-4.22-vehicle-stats", "size", "Size", vehicle.size, rating_limits("size", compared=True))
    yield from _beyond("ore-4.22-vehicle-size", "size", "Size", vehicle.size)
    if not vehicle.modes:
        yield Problem("ore-4.22-speed-tables", "speeds", "the vehicle cannot move yet; give it a Speed in one mode", warning=True)
    for mode, rating in vehicle.modes.items():
        yield from _within("ore-4.22-speed-tables", f"speeds.{mode}", f"Speed ({mode})", rating, rating_limits("speed", compared=True))
        yield from _beyond("ore-4.22-speed-tables", f"speeds.{mode}", f"Speed ({mode})", rating)
    if vehicle.length < 0:
        yield Problem("ore-4.22-vehicle-size", "length", "a length cannot be negative", 1, Repair("not measured", "length", 0))
    elif vehicle.length and (right := size_of(rules, vehicle.length)) != vehicle.size and not _on_the_border(rules, vehicle):
        message = f"a vehicle of {vehicle.length:g} m has Size {right}, not {vehicle.size}"
        yield Problem("ore-4.22-vehicle-size", "size", message, abs(right - vehicle.size), Repair(f"Size {right}", "size", right))


def _on_the_border(rules: Ruleset, vehicle: Vehicle) -> bool:
    """Whether the length is on the border of two Sizes."""
    row = SIZES(rules).get(str(vehicle.size))
    return row is not None and row.least == vehicle.length


def _secondary(vehicle: Vehicle) -> Iterator[Problem]:
    for field, limits in LIMITS.items():
        yield from _within("ore-4.22-vehicle-secondary", field, field.capitalize(), getattr(vehicle, field), limits)
    for field in ("space", "tonnes"):
        if getattr(vehicle.cargo, field) < 0:
            mended = Repair("none", f"cargo.{field}", 0)
            yield Problem("ore-4.22-vehicle-secondary", f"cargo.{field}", "cargo space cannot be negative", 1, mended)


def _weapons(vehicle: Vehicle) -> Iterator[Problem]:
    rule = "ore-4.22-vehicle-weapons"
    names = [gun.name for gun in vehicle.weapons]
    for place, gun in enumerate(vehicle.weapons):
        yield from _within(rule, f"weapons.{place}.pen", f"Penetration of {gun.name}", gun.pen, (0, MOST_ARMOUR))
        yield from _within(rule, f"weapons.{place}.shots", f"shots of {gun.name}", gun.shots, (0, 10_000))
        if gun.name in names[:place]:
            mended = Repair("another name", f"weapons.{place}.name", f"{gun.name} {place + 1}")
            yield Problem(rule, f"weapons.{place}.name", f"two weapons have the name {gun.name}", 1, mended)
    if vehicle.firepower and not any(gun.direct for gun in vehicle.weapons):
        guns = [*vehicle.weapons, Gun("guns")]
        mended = Repair("guns", "weapons", msgspec.to_builtins(guns))
        yield Problem("ore-4.22-vehicle-secondary", "weapons", "Firepower needs a direct weapon", 1, mended)
    if any(not gun.direct for gun in vehicle.weapons) and not vehicle.sensors:
        yield Problem("ore-4.22-vact-lock-on", "sensors", "without Sensors, only Gunnery counts to lock on missiles", warning=True)


def _systems(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    known = SYSTEMS(rules)
    for place, system in enumerate(vehicle.systems):
        if system not in known:
            left = [text for text in vehicle.systems if text in known]
            message = f"there is no system {system!r}{nearest(system, known)}"
            yield Problem("ore-4.22-vehicle-systems", f"systems.{place}", message, 1, Repair("remove it", "systems", left))
    typical = Repair("the typical System Map", "system_map", {})
    for written, system in vehicle.system_map.items():
        if system not in known:
            message = f"there is no system {system!r}{nearest(system, known)}"
            yield Problem("ore-4.22-critical", f"system_map.{written}", message, 1, typical)
        try:
            heights_of(written)
        except UserError as error:
            yield Problem("ore-4.22-critical", "system_map", str(error), 1, typical)
            return
    drawn = map_of(rules, vehicle)
    for needed in ("cockpit", "engine"):
        if needed not in drawn:
            message = f"the System Map needs an engine and a cockpit, but has no {needed}"
            yield Problem("ore-4.22-critical", "system_map", message, 1, typical)
    if "cockpit" in drawn and "cargo" in drawn and drawn.index("cockpit") < max(at for at, name in enumerate(drawn) if name == "cargo"):
        yield Problem(
            "ore-4.22-critical", "system_map", "vital systems belong on higher Heights: the cockpit above the cargo", warning=True
        )


def _people(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    if vehicle.skill and known_skill(rules, vehicle.skill) is None:
        yield Problem("ore-4.22-vehicle-stats", "skill", f"this campaign has no skill {vehicle.skill!r}", warning=True)
    if vehicle.hands is None:
        return
    for field, most in (("pilot", MOST_RATING), ("gunnery", MOST_RATING), ("computers", MOST_RATING), ("body", MOST_RATING)):
        least = 1 if field == "body" else 0
        value = getattr(vehicle.hands, field)
        yield from _within("ore-4.22-ships-of-the-line", f"hands.{field}", f"{field.capitalize()} of the crew", value, (least, most))


def _condition(vehicle: Vehicle) -> Iterator[Problem]:
    """Invalid lasting results."""
    gone = Repair("as new", "condition", {})
    for field, value in vehicle.condition.items():
        if field not in CARRIED:
            yield Problem("ore-4.22-structure", f"condition.{field}", f"there is no condition {field!r}{nearest(field, CARRIED)}", 1, gone)
        elif field == "marked" and not (isinstance(value, int) and 0 <= value <= TRACKS * vehicle.size):
            message = f"the vehicle has {TRACKS * vehicle.size} boxes; {value!r} cannot be crossed off"
            yield Problem("ore-4.22-structure", "condition.marked", message, 1, gone)
        elif field == "hits" and not _right_hits(value):
            yield Problem("ore-4.22-critical", "condition.hits", f"a system takes at most {HITS} hits, written as [engine, 1]", 1, gone)


def _right_hits(value: object) -> bool:
    try:
        return all(1 <= hits <= HITS for _, hits in msgspec.convert(value, list[tuple[str, int]]))
    except msgspec.ValidationError:
        return False
