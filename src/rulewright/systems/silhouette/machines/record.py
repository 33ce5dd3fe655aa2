"""The parts of a record sheet that stand on paper only: boxes to tick, range bands, and the Systems Damage table (book lines 2755-2815)."""

from collections.abc import Iterator

from rulewright.build.pieces import AnyPiece, Rows, Section, Tag, Track
from rulewright.rules import Ruleset, Table, TableRow
from rulewright.systems.silhouette.machines.machine import Machine

MOST_BOXES = 40
STEPS = 5
"""A system or accessory at -5 is beyond use."""


class DamageRow(TableRow, frozen=True):
    """A row of the Systems Damage table, or of one of the two tables that it sends to."""

    die: str
    system: str
    light: str
    heavy: str = ""


DAMAGE = Table("sil-5.5.1-systems-damage", DamageRow)


def record(rules: Ruleset, machine: Machine) -> Iterator[Section]:
    """What play ticks off, body by body, and the table it rolls on."""
    for body in (machine, *machine.sections, *machine.forms, *machine.components):
        title = "Record" if body is machine else f"Record of {body.name}"
        yield Section(title, tuple(_boxes(body)), paper=True)
    yield Section("Systems damage", tuple(_table(rules)), paper=True)


def _boxes(body: Machine) -> Iterator[AnyPiece]:
    shown = f"{body.light:g} Light · {body.heavy:g} Heavy · {body.overkill:g} Overkill"
    yield Tag(name="Thresholds", rule="sil-4.1.1-record-sheet", effect=shown)
    yield Track(name="Armor lost", rule="sil-4.1.3-armor", boxes=min(MOST_BOXES, int(body.armor)))
    for way in body.ways:
        yield Tag(
            name=f"{way.type} MP",
            rule="sil-4.1.5-speed",
            effect=f"combat {way.combat:g}, top {way.top:g}{f', stall {way.stall:g}' if way.type == 'air' else ''}",
        )
    yield Track(name="Maneuver lost", rule="sil-4.1.6-maneuver", boxes=6)
    if body.crew + body.passengers <= MOST_BOXES:
        yield Track(
            name=f"Casualties ({body.living}/{body.passengers})", rule="sil-4.1.4-crew", boxes=max(1, body.living + body.passengers)
        )
    yield Rows(
        name="Systems and range bands",
        rule="sil-4.2.1-system-attributes",
        field="",
        heads=("system", "Acc", "DM", "S", "M", "L", "X"),
        rows=tuple(
            (
                version.name,
                f"{version.accuracy:+d}",
                f"×{version.damage:g}",
                *([f"{each:g}" for each in version.ranges] or ["melee", "", "", ""]),
            )
            for system in body.systems
            for version in system.versions
        ),
    )
    for system in body.systems:
        for number in range(system.quantity if system.quantity <= 4 else 1):
            name = f"{system.name} {number + 1}" if 1 < system.quantity <= 4 else system.name
            yield Track(name=f"{name}, Accuracy lost", rule="sil-4.1.1-record-sheet", boxes=STEPS)
            uses = system.versions[0].uses * (system.quantity if system.quantity > 4 else 1)
            if 1 < uses <= MOST_BOXES:
                yield Track(name=f"{name}, ammunition", rule="sil-4.2.4-ammo-cost", boxes=uses)
            elif uses > MOST_BOXES:
                yield Tag(name=f"{name}, ammunition", rule="sil-4.2.4-ammo-cost", effect=f"{uses} ________")
    for name in body.auxiliaries:
        yield Track(name=name, rule="sil-d-accessories", boxes=STEPS)
    for part, hits in body.absorbs:
        yield Track(name=f"reinforced {part}", rule="sil-d-reinforced-systems", boxes=hits)


def _table(rules: Ruleset) -> Iterator[AnyPiece]:
    rows = DAMAGE(rules).values()
    first = tuple((row.die, row.system, row.light, row.heavy) for row in rows if len(row.die) == 1)
    yield Rows(name="Systems damage, a die", rule="sil-4.1.1-record-sheet", field="", heads=("die", "system", "Light", "Heavy"), rows=first)
    for letter, name in (("A", "Table A, fire control"), ("B", "Table B, structure")):
        shown = tuple(
            (row.die[1:], f"{row.light}{' (stand-in)' if row.source == 'stand-in' else ''}") for row in rows if row.die[0] == letter
        )
        yield Rows(name=name, rule="sil-4.1.1-record-sheet", field="", heads=("die", "what happens"), rows=shown)
