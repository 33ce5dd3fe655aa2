"""The parts of a machine's sheet about the whole machine: production, special construction and further bodies."""

from collections.abc import Iterator
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Choosable, Rows, Stepper, Tag
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.constructions import dimension_drive, extra_price, star_drive
from rulewright.systems.silhouette.machines.design.costs import size_of
from rulewright.systems.silhouette.machines.design.threat import threat
from rulewright.systems.silhouette.machines.lemons import individual_dice, model_dice
from rulewright.systems.silhouette.machines.sheet.sheet_values import pick, value
from rulewright.systems.silhouette.machines.special import emplaced, operating_hours, repair_points
from rulewright.systems.silhouette.machines.tables import EXTRAS, PRODUCTION
from rulewright.systems.silhouette.machines.vehicle import Design, Vehicle


def making(rules: Ruleset, vehicle: Vehicle) -> Iterator[AnyPiece]:
    """Production, Lemon dice, extras, defects."""
    kinds = [
        Choosable(
            row.type,
            row.type,
            f"×{row.cost:g}, {row.available} built, Lemon dice {'-' if row.model is None else row.model}/{row.individual}",
            source=row.source,
        )
        for row in PRODUCTION(rules).values()
    ]
    yield pick("Production", "sil-4.1.12-production-type", "production", vehicle.production, options=kinds)
    yield value("model_lemon_dice", "Lemon dice of the model", model_dice(rules, vehicle))
    yield value("lemon_dice", "Lemon dice of each machine", individual_dice(rules, vehicle))
    yield Rows(
        name="Extras",
        rule="sil-4.3.10-extras",
        field="extras",
        heads=("name", "amount", "credits"),
        rows=tuple(_extra_row(rules, extra.name, extra.amount) for extra in vehicle.extras),
        keys=tuple(str(place) for place in range(len(vehicle.extras))),
        addable=tuple(
            Choosable(row.name, row.name, f"{row.price} Cr{' × rating²' if row.square else f' for each of {row.unit}' if row.unit else ''}")
            for row in EXTRAS(rules).values()
        ),
    )
    yield Rows(
        name="Defects",
        rule="sil-4.1.12-lemon-defects",
        field="defects",
        heads=("what", "loss", "where", "of the model"),
        rows=tuple((defect.what, str(defect.loss or ""), defect.on, "yes" if defect.model else "") for defect in vehicle.defects),
        keys=tuple(str(place) for place in range(len(vehicle.defects))),
    )


def special(rules: Ruleset, vehicle: Vehicle) -> Iterator[AnyPiece]:
    """The kind of construction."""
    builds = ("vehicle", "suit", "emplacement", "robot", "bio-construct", "monster")
    yield pick("Built as", "sil-4.3.4-robots", "build", vehicle.build, options=builds)
    yield pick("Scale", "sil-4.3.2-very-large", "scale", vehicle.scale, options=("vehicle", "very large", "gigantic"))
    yield Stepper(
        name="Technical Level",
        rule="sil-4.1.1-tech-levels",
        field="tech_level",
        value=vehicle.tech_level,
        low=-5,
        high=5,
        price="cost ×10",
        signed=True,
    )
    yield Stepper(name="Self-repair", rule="sil-4.3.9-self-repair", field="self_repair", value=vehicle.self_repair, low=0, high=10)
    yield Stepper(
        name="Material absorption",
        rule="sil-4.3.9-nano-absorption",
        field="absorption",
        value=vehicle.absorption,
        low=0,
        high=100,
        step=5,
    )
    if vehicle.self_repair:
        yield value("repair_points", "Repair Points a round", repair_points(vehicle.self_repair))
    if vehicle.forms:
        ways = ("free", "one-way", "morphing", "simple morphing")
        yield pick("Transformation", "sil-4.3.7-transformables", "transformation", vehicle.transformation, options=ways)
    yield from _bodies(rules, vehicle)
    if vehicle.build == "emplacement":
        own = emplaced(vehicle)
        yield Stepper(
            name="Damage points of its building",
            rule="sil-4.3.3-emplacements",
            field="structure",
            value=vehicle.structure,
            low=0,
            high=10_000,
            step=10,
        )
        yield Tag(
            name="Emplaced",
            rule="sil-4.3.3-emplacements",
            effect=f"defense {own.defense}, attacks at {own.attack:+d}, {count(own.hours, 'hour')} of power",
        )
    if vehicle.build == "robot":
        yield value("operating_hours", "Operating time in hours", operating_hours(rules, vehicle))
    yield from _drives(rules, vehicle)


def _drives(rules: Ruleset, vehicle: Vehicle) -> Iterator[AnyPiece]:
    """Star drive and dimension drive: at most one of each, with its multiplier of Threat Value and cost."""
    stars, jump = vehicle.faster_than_light, vehicle.dimension_drive
    entries = []
    if stars is not None:
        worth = star_drive(rules, stars.speed, stars.reach, stars.delay).value
        entries.append((f"{stars.speed:,} times light", f"{stars.reach:,}", stars.delay, f"×{worth:g}"))
    offered = Choosable("star drive", "a star drive", f"×{star_drive(rules).value:g}", entry={})
    yield Rows(
        name="Faster than light",
        rule="sil-4.3.8-ftl",
        field="faster_than_light",
        heads=("speed", "light years", "after", "multiplier"),
        rows=tuple(entries),
        keys=tuple(str(place) for place in range(len(entries))),
        addable=() if entries else (offered,),
    )
    jumps = []
    if jump is not None:
        worth = dimension_drive(rules, jump.dimensions, jump.delay).value
        jumps.append((f"{count(jump.dimensions, 'dimension')}", jump.delay, f"×{worth:g}"))
    offered = Choosable("dimension drive", "a dimension drive", f"×{dimension_drive(rules).value:g}", entry={})
    yield Rows(
        name="Dimension drive",
        rule="sil-4.3.8-dimension-drive",
        field="dimension_drive",
        heads=("reaches", "after", "multiplier"),
        rows=tuple(jumps),
        keys=tuple(str(place) for place in range(len(jumps))),
        addable=() if jumps else (offered,),
    )


def _bodies(rules: Ruleset, vehicle: Vehicle) -> Iterator[AnyPiece]:
    """The further bodies of a machine; a new one starts with defaults."""
    size = size_of(rules, vehicle).value
    plain_one = {"armor": vehicle.armor, "maneuver": vehicle.maneuver}
    kinds: tuple[tuple[str, str, str, tuple[Design, ...], dict[str, Any]], ...] = (
        ("sections", "section", "sil-4.3.2-large-vehicles", vehicle.sections, plain_one),
        ("forms", "form", "sil-4.3.7-transformables", vehicle.forms, {**plain_one, "size": size}),
        ("components", "component", "sil-4.3.6-combiners", vehicle.components, plain_one),
    )
    for field, noun, rule, bodies, begins in kinds:
        name = f"{noun} {len(bodies) + 1}"
        yield Rows(
            name=field.capitalize(),
            rule=rule,
            field=field,
            heads=("name", "Size", "Armor", "Threat Value"),
            rows=tuple(
                (body.name, f"{size_of(rules, body).value:g}", f"{body.armor:g}", str(threat(rules, body).value.value)) for body in bodies
            ),
            keys=tuple(str(place) for place in range(len(bodies))),
            addable=(Choosable(noun, f"a plain {noun}", entry={"name": name, **begins}),),
        )


def _extra_row(rules: Ruleset, name: str, amount: int) -> tuple[str, str, str]:
    try:
        return name, str(amount), f"{extra_price(rules, name, amount).value:,}"
    except UserError:
        return name, str(amount), "?"
