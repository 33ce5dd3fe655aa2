"""Machines of several bodies: a hull with its sections (book lines 3794-3836)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import nearest
from rulewright.scenes.scenarios import numbered
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.units.units import Unit


def called(unit: str, bodies: tuple[Machine, ...]) -> tuple[str, ...]:
    """The names of a machine's bodies in a battle."""
    return tuple([f"{unit}'s {name}" for name in numbered([body.name for body in bodies])])


def carried(hull: Unit, unit: Unit) -> Unit:
    """A unit after its hull has moved: a section is where the hull is, and as fast; any other unit is unchanged."""
    part = unit.part
    if part is None or part.of != hull.name or not unit.borne:
        return unit
    return replace(
        unit,
        x=hull.x,
        y=hull.y,
        facing=hull.facing,
        altitude=hull.altitude,
        way=hull.way,
        speed=hull.speed,
        course=hull.course,
        evading=hull.evading,
        gone=hull.gone,
        part=replace(part, voice=hull.voice),
    )


def pulling(hull: Unit, sections: list[Unit]) -> tuple[Figure, Figure]:
    """Kilograms of the hull and the sections that drive the machine, and of the sections that they drag. A destroyed or empty section
    is dragged."""
    drives = [section for section in sections if section.machine.motive and not section.destroyed and section.manned]
    driving = hull_mass(hull.machine) + sum([drive.machine.mass for drive in drives])
    drawn = sum([section.machine.mass for section in sections if section not in drives])
    return driving, drawn


def hull_mass(machine: Machine) -> Figure:
    """The mass of a hull without its sections, in kilograms."""
    return max(0, machine.mass - sum([section.mass for section in machine.sections]))


def told_apart(state: Mapping[str, Any], head: str, names: tuple[str, ...], unit: str) -> dict[str, dict[str, Any]]:
    """The state of each body of a machine from a file or scenario: `sections.fore turret.wear.armor` belongs to the fore turret."""
    result: dict[str, dict[str, Any]] = {}
    for field, value in state.items():
        if not field.startswith(f"{head}."):
            continue
        rest = field.removeprefix(f"{head}.")
        name = max((text for text in names if rest.startswith(f"{text}.")), key=len, default="")
        if not name:
            raise UserError(f"{unit}: state has no field {field!r}{nearest(rest, names)}")
        result.setdefault(name, {})[rest.removeprefix(f"{name}.")] = value
    return result
