"""The vehicle sheet: statistics, speeds, equipment, weapons, structure, System Map, and tests of an unnamed crew."""

from collections.abc import Iterator
from typing import Any

from rulewright.build.sheet_parts import (
    AnyPiece,
    Choosable,
    Modifier,
    Pick,
    PickMany,
    Rows,
    Section,
    Sheet,
    Stepper,
    Tag,
    Test,
    Track,
    Value,
)
from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, derive, term, total
from rulewright.systems.ore.machines.audit import LIMITS
from rulewright.systems.ore.machines.driving_tests import skill_for
from rulewright.systems.ore.machines.speeds import COMPARED, HIGHEST, handling_difficulty, is_manoeuvrable, speed_in_words
from rulewright.systems.ore.machines.structure import LEVEL_NAMES, TRACKS, boxes_in_all, map_of
from rulewright.systems.ore.machines.tables import LEVELS, SECONDARY, SIZES, SYSTEMS
from rulewright.systems.ore.machines.threat import is_ship_of_the_line, ships_like, threat_of
from rulewright.systems.ore.machines.vehicle import MODES, Gun, Vehicle

SKILLS = ("drive: bicycles", "drive: cars", "drive: tanks", "pilot: aircraft", "pilot: helicopters", "sail: ships", "spaceflight")
ADDABLE = (Gun("machine guns"), Gun("cannon", 2), Gun("heavy cannon", 4), Gun("missiles", 3, "BVR", 4), Gun("torpedoes", 5, "BVR", 6))


def sheet(rules: Ruleset, vehicle: Vehicle) -> Sheet:
    """The sheet of a vehicle."""
    page = _Page(rules, vehicle)
    sections = (
        Section("Statistics", tuple(page.statistics())),
        Section("Speeds", tuple(page.speeds())),
        Section("Equipment", tuple(page.aboard())),
        Section("Weapons", tuple(page.weapons())),
        Section("Structure", tuple(page.structure())),
        Section("System Map", tuple(page.systems())),
        Section("Unnamed crew", tuple(page.hands())),
    )
    shown = tuple(part for part in sections if part.pieces)
    return Sheet("ore", "vehicle", vehicle.name, vehicle.concept, shown, ("boxes", "threat"))


def _value(key: str, name: str, derived: Derived[Any], note: str = "") -> Value:
    why = derived.reason
    return Value(name=name, rule=why.rule, note=note, key=key, value=why.value, reasons=why.terms or (why,), source=why.source)


class _Page:
    """One vehicle under one set of rules."""

    def __init__(self, rules: Ruleset, vehicle: Vehicle) -> None:
        self.rules, self.vehicle = rules, vehicle

    def statistics(self) -> Iterator[AnyPiece]:
        """Handling and Size, and whether it is Manoeuvrable."""
        vehicle, row = self.vehicle, SIZES(self.rules).get(str(self.vehicle.size))
        yield Stepper(name="Handling", rule="ore-4.22-vehicle-stats", field="handling", value=vehicle.handling, low=1, high=HIGHEST)
        note = f"{row.name}, {row.least} to {row.most or '...'} m long" if row is not None else ""
        yield Stepper(name="Size", rule="ore-4.22-vehicle-size", note=note, field="size", value=vehicle.size, low=1, high=COMPARED)
        if is_manoeuvrable(vehicle.size):
            yield Tag("its Position decides who can attack it", name="Manoeuvrable", rule="ore-4.22-vehicle-size")
        if is_ship_of_the_line(vehicle.size, vehicle.gunners):
            like = ships_like(self.rules, vehicle.firepower)
            yield Tag(f"Firepower of {like}" if like else "", name="Ship of the line", rule="ore-4.22-ships-of-the-line")
        if vehicle.modes:
            threat = threat_of(self.rules, vehicle, max(vehicle.speeds.values()))
            yield (
                _value("threat", "Threat Rating", threat, "without a named pilot")
                if is_manoeuvrable(vehicle.size)
                else Tag(name="never a mook", rule="ore-4.22-fighters")
            )

    def speeds(self) -> Iterator[AnyPiece]:
        """A Speed for every mode, with its Difficulty."""
        vehicle = self.vehicle
        for mode in MODES:
            rating = vehicle.speeds.get(mode, 0)
            note = speed_in_words(self.rules, mode, rating) if 1 <= rating <= COMPARED else ""
            field, name = f"speeds.{mode}", f"Speed, {mode}"
            yield Stepper(name=name, rule="ore-4.22-speed-tables", note=note, field=field, value=rating, low=0, high=COMPARED)
            harder = handling_difficulty(vehicle.handling, rating)
            if harder.value:
                yield _value(f"difficulty_{mode}", f"Difficulty at full Speed, {mode}", harder)
        yield Pick(
            name="Skill",
            rule="ore-4.22-vehicle-stats",
            note="skill to drive it",
            field="skill",
            value=vehicle.skill,
            options=tuple([Choosable(name, name or f"{skill_for(vehicle)} (by its mode)") for name in self._skills()]),
        )

    def _skills(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(("", *SKILLS, self.vehicle.skill)))

    def aboard(self) -> Iterator[AnyPiece]:
        """Secondary statistics, cargo and abilities."""
        means = {"ecm": "dice for Evasive Manoeuvres", "eccm": "dice taken from ECM", **SECONDARY.every(self.rules)}
        for field, (low, high) in LIMITS.items():
            name = field.upper() if field in ("ecm", "eccm") else field.capitalize()
            value = getattr(self.vehicle, field)
            yield Stepper(
                name=name, rule="ore-4.22-vehicle-secondary", note=means.get(field, ""), field=field, value=value, low=low, high=high
            )
        hold = self.vehicle.cargo
        room = f"{hold.space:g} cubic metres, {hold.tonnes:g} tonnes"
        yield _value("cargo", "Cargo", derive(room, "Cargo", rule="ore-4.22-vehicle-secondary"), means["cargo"])
        for field, name, rule in (("ejects", "Ejection seats", "ore-4.22-vact-bail-out"), ("hovers", "Hovers", "ore-4.22-vact-hover")):
            options = (Choosable("false", "no"), Choosable("true", "yes"))
            yield Pick(name=name, rule=rule, field=field, value=str(getattr(self.vehicle, field)).lower(), options=options)

    def weapons(self) -> Iterator[AnyPiece]:
        """Built-in weapons."""
        rows = []
        for gun in self.vehicle.weapons:
            shots = str(gun.shots) if gun.shots else "not counted"
            rows.append((gun.name, str(gun.pen), gun.range, "needs a Lock-On" if not gun.direct else "", shots))
        yield Rows(
            name="Weapons",
            rule="ore-4.22-vehicle-weapons",
            field="weapons",
            heads=("name", "PEN", "range", "", "shots"),
            rows=tuple(rows),
            keys=tuple([str(place) for place in range(len(rows))]),
            addable=tuple([_addable(gun) for gun in ADDABLE]),
        )

    def structure(self) -> Iterator[AnyPiece]:
        """The Structure Tracks with crossed boxes."""
        vehicle, marked = self.vehicle, self.vehicle.condition.get("marked", 0)
        left = marked if isinstance(marked, int) else 0
        yield _value("boxes", "Total boxes", boxes_in_all(vehicle.size))
        for level in LEVEL_NAMES[:TRACKS]:
            here = max(0, min(left, vehicle.size))
            left -= here
            dice = LEVELS.of(self.rules, level)
            note = f"{dice}d on all rolls" if dice else ""
            yield Track(max(1, vehicle.size), ("x",) * here, name=level, rule="ore-4.22-structure", note=note)

    def systems(self) -> Iterator[AnyPiece]:
        """The System Map."""
        try:
            drawn = map_of(self.rules, self.vehicle)
        except UserError as error:
            yield Tag(str(error), hurt=True, name="System Map", rule="ore-4.22-critical")
            return
        taken = dict(_hits(self.vehicle.condition.get("hits", [])))
        for height in range(10, 0, -1):
            system = drawn[height - 1]
            note = {1: "damaged: -1d", 2: "destroyed"}.get(taken.get(system, 0), "")
            source = derive(system, "System Map", rule="ore-4.22-critical")
            yield _value(f"height_{height}", f"Height {height}", source, note)
        yield PickMany(
            name="Other systems",
            rule="ore-4.22-vehicle-systems",
            field="systems",
            values=self.vehicle.systems,
            options=tuple([Choosable(name, name.capitalize(), note=", ".join(row.examples)) for name, row in SYSTEMS(self.rules).items()]),
        )

    def hands(self) -> Iterator[AnyPiece]:
        """Tests of the unnamed crew."""
        vehicle, hands = self.vehicle, self.vehicle.hands
        if hands is None:
            return
        for field, high in (("pilot", HIGHEST), ("gunnery", HIGHEST), ("computers", HIGHEST), ("body", HIGHEST)):
            low, rule = int(field == "body"), "ore-4.22-ships-of-the-line"
            yield Stepper(name=field.capitalize(), rule=rule, field=f"hands.{field}", value=getattr(hands, field), low=low, high=high)
        speed = max(vehicle.speeds.values(), default=0)
        tests = [("Handling", vehicle.handling, "pilot", hands.pilot), ("Speed", speed, "pilot", hands.pilot)]
        tests += [("Sensors", vehicle.sensors, "computers", hands.computers), ("Sensors", vehicle.sensors, "gunnery", hands.gunnery)]
        tests += [("Firepower", vehicle.firepower, "gunnery", hands.gunnery)] if vehicle.firepower else []
        for statistic, rating, skill, knows in tests:
            if 0 < rating + knows <= 15:
                yield _test(statistic, rating, skill, knows)


def _test(statistic: str, rating: int, skill: str, knows: int) -> Test:
    parts = (Modifier(statistic, rating, "ore-4.22-vehicle-stats"), Modifier(skill, knows, "ore-4.22-ships-of-the-line"))
    dice = total("Dice", term(statistic, rating), term(skill, knows)).value
    return Test(name=f"{statistic} + {skill}", key=f"{statistic}_{skill}".lower(), notation=f"{dice}d", parts=parts)


def _addable(gun: Gun) -> Choosable:
    entry = {"name": gun.name, "pen": gun.pen, "range": gun.range, "shots": gun.shots}
    return Choosable(gun.name, gun.name.capitalize(), note=f"PEN {gun.pen}, {gun.range}", entry=entry)


def _hits(written: object) -> list[tuple[str, int]]:
    """The hits on systems in a file, as far as valid."""
    if not isinstance(written, list | tuple):
        return []
    return [
        (str(candidate[0]), candidate[1])
        for candidate in written
        if isinstance(candidate, list | tuple) and len(candidate) == 2 and isinstance(candidate[1], int)
    ]
