"""The printed record sheet: boxes to tick, range bands and the Systems Damage table (book lines 2755-2815)."""

from collections.abc import Iterator

from rulewright.build.sheet_parts import AnyPiece, Rows, Section, Tag, Track, Value
from rulewright.grammar import count
from rulewright.rules import Ruleset, Table, TableRow
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.machines.design.costs import reckoned
from rulewright.systems.silhouette.machines.design.threat import threat
from rulewright.systems.silhouette.machines.design.trait_costs import label
from rulewright.systems.silhouette.machines.design.trait_effects import effect_of
from rulewright.systems.silhouette.machines.machine import Machine, Mounted
from rulewright.systems.silhouette.machines.tables import ARC_PRICES
from rulewright.systems.silhouette.machines.vehicle import Vehicle

MOST_BOXES = 40
STEPS = 5
"""A system or accessory at -5 is destroyed."""
_ID = "sil-4.1.1-record-sheet"


class DamageRow(TableRow, frozen=True):
    """A row of the Systems Damage table or of one of its two subtables."""

    die: str
    system: str
    light: str
    heavy: str = ""
    effect: str = ""
    """Its effect, by the key that battles use."""
    amount: int = 0


DAMAGE = Table("sil-5.5.1-systems-damage", DamageRow)


def record(rules: Ruleset, vehicle: Vehicle, machine: Machine) -> Iterator[Section]:
    """The record sheet: the machine, every body with its boxes, and the Systems Damage table."""
    yield Section("Machine", tuple(_head(rules, vehicle, machine)), "paper")
    for body in (machine, *machine.sections, *machine.forms, *machine.components):
        of = "" if body is machine else f" of {body.name}"
        yield Section(f"Defense{of}", tuple(_defense(body)), "paper")
        yield Section(f"Systems{of}", tuple(_systems(rules, body)), "paper")
        yield Section(f"Perks and Flaws{of}", tuple(_fittings(rules, body)), "paper")
        yield Section(f"Auxiliary systems{of}", tuple(_auxiliaries(body)), "paper")
    yield Section("Systems damage", tuple(_table(rules)), "paper")


def _value(key: str, name: str, derived: Derived[int] | Derived[int | float]) -> Value:
    return Value(name=name, rule=derived.reason.rule, key=key, value=derived.reason.value, reasons=derived.reasons or (derived.reason,))


def _head(rules: Ruleset, vehicle: Vehicle, machine: Machine) -> Iterator[AnyPiece]:
    whole, parts = reckoned(rules, vehicle), threat(rules, vehicle)
    yield _value("threat_value", "Threat Value", whole.threat_value)
    yield _value("offensive_threat_value", "Offensive", parts.offense)
    yield _value("defensive_threat_value", "Defensive", parts.defense)
    yield _value("miscellaneous_threat_value", "Miscellaneous", parts.miscellany)
    yield _value("size", "Size", whole.size)
    yield _value("mass", "Mass in kg", whole.mass)
    yield _value("final_cost", "Final Cost", whole.final_cost)
    yield Tag(name="Built as", rule=_ID, effect=f"{machine.build}, {machine.scale} scale, {vehicle.production}")
    yield Tag(
        name="Crew", rule=_ID, effect=f"{machine.living} and {count(machine.passengers, 'passenger')}, {count(machine.actions, 'action')}"
    )
    yield Tag(name="Skills", rule=_ID, effect=", ".join(f"{name} {level}" for name, level in machine.skills))
    reach = f"{machine.deployment:g} km" + (f", {count(machine.burn_points, 'Burn Point')}" if machine.burn_points else "")
    yield Tag(name="Deployment Range", rule=_ID, effect=reach)
    for name, eyes in (("Sensors", machine.sensors), ("Communications", machine.comms)):
        if eyes is not None:
            yield Tag(name=name, rule=_ID, effect=f"{eyes.rating:+d}, {eyes.ground:g} km, {eyes.air:g} in the air, {eyes.space:g} in space")


def _defense(body: Machine) -> Iterator[AnyPiece]:
    yield Tag(name="Thresholds", rule=_ID, effect=f"{body.light:g} Light · {body.heavy:g} Heavy · {body.overkill:g} Overkill")
    yield Track(name="Armor lost", rule=_ID, boxes=max(1, min(MOST_BOXES, int(body.armor))))
    for way in body.ways:
        stall = f", Stall Speed {way.stall:g}" if way.type == "air" else ""
        shown = f"Combat {way.combat:g}, Top {way.top:g}{stall}, Maneuver {way.maneuver:+d}"
        yield Tag(name=f"{way.type.capitalize()} MP", rule=_ID, effect=shown)
    if not body.ways:
        yield Tag(name="Maneuver", rule=_ID, effect=f"{body.maneuver:+d}")
    yield Track(name="Maneuver and MP lost", rule=_ID, boxes=10)
    aboard = body.living + body.passengers
    if 0 < aboard <= MOST_BOXES:
        yield Track(name="Casualties", rule=_ID, boxes=aboard)
    elif aboard:
        yield Tag(name="Casualties", rule=_ID, effect=f"____ of {aboard}")
    for part, hits in body.absorbs:
        yield Track(name=f"Reinforced {part}", rule=_ID, boxes=hits)


def _systems(rules: Ruleset, body: Machine) -> Iterator[AnyPiece]:
    if not body.systems:
        return
    rows = []
    for system in body.systems:
        for version in system.versions:
            bands = [f"{number:g}" for number in version.ranges] or ["melee", "", "", ""]
            short = ARC_PRICES(rules)[system.arc].short
            rows.append((version.name, short, f"{version.accuracy:+d}", f"×{version.damage:g}", *bands, f"{version.rate:+d}"))
    heads = ("system", "arc", "Acc", "DM", "S", "M", "L", "X", "ROF")
    yield Rows(name="Range bands", rule=_ID, field="", heads=heads, rows=tuple(rows))
    named = tuple(
        (version.name, _characteristics(version.perks + version.flaws)) for mounted in body.systems for version in mounted.versions
    )
    yield Rows(name="Characteristics", rule=_ID, field="", heads=("system", ""), rows=tuple(row for row in named if row[1]))
    for link in body.links:
        shown = f"{', '.join(link.systems)}; Accuracy {link.accuracy:+d}, ranges {'/'.join(f'{number:g}' for number in link.ranges)}"
        yield Tag(name=f"Link {link.name}", rule=_ID, effect=shown)
    for system in body.systems:
        yield from _boxes(system)


def _characteristics(keys: tuple[tuple[str, int, str], ...]) -> str:
    return ", ".join(" ".join(str(part) for part in key if part) for key in keys)


def _boxes(system: Mounted) -> Iterator[AnyPiece]:
    """Boxes for lost Accuracy and spent ammunition, for each system if there are few identical ones."""
    apart = system.quantity if system.quantity <= 4 else 1
    for number in range(apart):
        name = f"{system.name} {number + 1}" if apart > 1 else system.name
        yield Track(name=f"{name}, Accuracy lost", rule=_ID, boxes=STEPS)
        uses = system.versions[0].uses * (1 if apart > 1 else system.quantity)
        if 1 < uses <= MOST_BOXES:
            yield Track(name=f"{name}, ammunition", rule=_ID, boxes=uses)
        elif uses:
            yield Tag(name=f"{name}, ammunition", rule=_ID, effect=f"____ of {uses}")


def _fittings(rules: Ruleset, body: Machine) -> Iterator[AnyPiece]:
    rows = []
    for entries, flaw in ((body.perks, False), (body.flaws, True)):
        for fitted in entries:
            effect = effect_of(rules, fitted.name, flaw=flaw)
            rows.append((label(fitted), effect.effect if effect is not None else ""))
    if rows:
        yield Rows(name="", rule=_ID, field="", heads=("name", "effect"), rows=tuple(rows))


def _auxiliaries(body: Machine) -> Iterator[AnyPiece]:
    for name in body.auxiliaries:
        yield Track(name=name, rule=_ID, boxes=STEPS)


def _table(rules: Ruleset) -> Iterator[AnyPiece]:
    rows = DAMAGE(rules).values()
    first = tuple((row.die, row.system, row.light, row.heavy) for row in rows if len(row.die) == 1)
    yield Rows(name="A die", rule=_ID, field="", heads=("die", "system", "Light", "Heavy"), rows=first)
    for letter, name in (("A", "Table A, fire control (+1 at Heavy)"), ("B", "Table B, structure (+1 at Heavy)")):
        shown = tuple((row.die[1:], f"{row.light}{_mark(row)}") for row in rows if row.die[0] == letter)
        yield Rows(name=name, rule=_ID, field="", heads=("die", "effect"), rows=shown)


def _mark(row: DamageRow) -> str:
    return " (stand-in)" if row.source == "stand-in" else ""
