"""Systems on a sheet: their rows, and templates to add."""

from typing import Any

import msgspec

from rulewright.build.sheet_parts import Choosable
from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.systems import ranges, system_cost
from rulewright.systems.silhouette.machines.design.threat import device_worth
from rulewright.systems.silhouette.machines.tables import ARC_PRICES
from rulewright.systems.silhouette.machines.vehicle import Device


def system_row(rules: Ruleset, device: Device) -> tuple[str, ...]:
    """A system as a row of the sheet."""
    reach = ranges(device)
    named = [
        *device.perks,
        *(f"{flaw} (flaw)" for flaw in device.flaws),
        *([device.mount] if device.mount != "hull" else []),
        *(["sniper"] if device.sniper else []),
    ]
    named += [f"mode: {mode.name}" for mode in device.modes]
    many = f"{device.quantity} × " if device.quantity > 1 else ""
    try:
        price = (
            f"{device_worth(rules, device).value:g}"
            if device.mount == "pintle"
            else f"{system_cost(rules, device).value} × {ARC_PRICES(rules)[device.arc].multiplier:g}"
        )
    except (UserError, KeyError):
        price = "?"
    return (
        f"{many}{device.name}",
        ARC_PRICES(rules)[device.arc].short,
        f"{device.accuracy:+d}" if device.accuracy else "0",
        f"×{device.damage:g}",
        "/".join(f"{number:g}" for number in reach) if reach else "melee",
        f"{device.rate:+d}" if device.rate else "0",
        str(device.uses or "∞"),
        ", ".join(named),
        price,
    )


PATTERNS: tuple[dict[str, Any], ...] = (
    {"name": "autocannon", "damage": 8, "range": 3, "rate": 2, "uses": 50},
    {"name": "machine gun", "damage": 3, "range": 1, "rate": 3, "uses": 150, "perks": ["anti-infantry"]},
    {"name": "tank gun", "damage": 20, "range": 5, "uses": 25, "arc": "turret"},
    {
        "name": "rocket pack",
        "damage": 12,
        "range": 2,
        "rate": 3,
        "accuracy": -1,
        "uses": 16,
        "perks": ["indirect fire"],
        "arc": "fixed forward",
    },
    {"name": "guided missile", "type": "missile", "damage": 20, "range": 6, "uses": 1, "perks": ["guided"], "flaws": ["minimum range 1"]},
    {"name": "laser cannon", "type": "energy", "damage": 10, "range": 4, "accuracy": 1, "flaws": ["heat"]},
    {
        "name": "mortar",
        "damage": 10,
        "range": 4,
        "accuracy": -1,
        "uses": 25,
        "perks": ["indirect fire", "area effect 1"],
        "flaws": ["minimum range 1"],
    },
    {"name": "smoke launcher", "damage": 1, "range": 1, "accuracy": -1, "uses": 9, "perks": ["smoke"], "arc": "fixed forward"},
    {"name": "anti-missile gun", "damage": 4, "range": 1, "rate": 2, "uses": 150, "perks": ["anti-missile"], "arc": "turret"},
    {"name": "blade", "damage": 8, "melee": True},
    {"name": "shield", "damage": 10, "melee": True, "perks": ["shield"], "flaws": ["defensive"]},
    {"name": "grapple", "damage": 4, "range": 1, "perks": ["entangle", "winch"], "flaws": ["non-lethal"]},
)
"""Templates of systems, to be edited after adding."""


def patterns(rules: Ruleset) -> tuple[Choosable, ...]:
    """The templates with their prices."""
    return tuple(Choosable(entry["name"], entry["name"], _price_of(rules, entry), entry=entry) for entry in PATTERNS)


def _price_of(rules: Ruleset, entry: dict[str, Any]) -> str:
    return f"{device_worth(rules, msgspec.convert(entry, Device)).value:g}"
