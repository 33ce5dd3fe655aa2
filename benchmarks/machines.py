"""Threat Value, cost and audit of a large machine, compared with decoding it with pydantic a hundred times."""

from itertools import count
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from benchmarks.play import _row
from rulewright.system import find
from rulewright.systems.silhouette.machines.design.costs import reckoned
from rulewright.systems.silhouette.machines.design.trait_costs import beginning
from rulewright.systems.silhouette.machines.tables import perk_rows
from rulewright.systems.silhouette.machines.vehicle import ARCS, Device, Fitted, Movement, Vehicle

DECODED = 100


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FittedModel(_Strict):
    """A Perk or a Flaw."""

    name: str = Field(min_length=1, max_length=60)
    rating: int | None = Field(None, ge=-5, le=1000)
    variant: str = ""
    amount: float | None = Field(None, ge=0)
    on: str = ""
    count: int = Field(1, ge=1, le=1000)
    punch: float | None = None


class MovementModel(_Strict):
    """A movement type."""

    type: Literal["air", "ground", "hover", "naval", "rail", "space", "submarine", "walker"]
    top: float = Field(1, ge=0)
    stall: float = Field(0, ge=0)
    unpowered: bool = False


class ModeModel(_Strict):
    """A mode of a system."""

    name: str = Field(min_length=1, max_length=60)
    type: Literal["matter", "missile", "energy", "exotic"] = "matter"
    melee: bool = False
    damage: float = Field(1, ge=0)
    range: float = Field(0, ge=0)
    accuracy: int = Field(0, ge=-5, le=5)
    rate: int = 0
    uses: int = Field(0, ge=0)
    ranges: tuple[float, ...] = ()
    perks: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()


class DeviceModel(ModeModel):
    """A system."""

    arc: Literal["forward", "fixed forward", "left", "right", "rear", "turret", "slow turret"] = "forward"
    mount: Literal["hull", "hand-held", "hardpoint", "pintle"] = "hull"
    quantity: int = Field(1, ge=1)
    sniper: bool = False
    share: float = Field(1, ge=0, le=1)
    modes: tuple[ModeModel, ...] = ()


class VehicleModel(_Strict):
    """The vehicle file as a pydantic model."""

    name: str
    concept: str = ""
    size: float = Field(0, ge=0)
    mass: float = Field(0, ge=0)
    armor: float = Field(1, ge=0)
    maneuver: int = 0
    crew: int = Field(1, ge=0)
    passengers: int = Field(0, ge=0)
    computers: tuple[dict[str, Any], ...] = ()
    movement: tuple[MovementModel, ...] = ()
    deployment: float = Field(0, ge=0)
    reaction_mass: str = "none"
    burn_points: int = Field(0, ge=0)
    perks: tuple[FittedModel, ...] = ()
    flaws: tuple[FittedModel, ...] = ()
    systems: tuple[DeviceModel, ...] = ()
    links: tuple[dict[str, Any], ...] = ()
    system: Literal["silhouette"] = "silhouette"
    kind: Literal["vehicle"] = "vehicle"
    build: str = "vehicle"
    scale: str = "vehicle"
    tech_level: int = 0
    production: str = "early production"
    crew_level: int = 2
    scout: bool = False
    structure: int = 0
    sections: tuple[dict[str, Any], ...] = ()
    forms: tuple[dict[str, Any], ...] = ()
    transformation: str = "free"
    components: tuple[dict[str, Any], ...] = ()
    faster_than_light: dict[str, Any] | None = None
    dimension_drive: dict[str, Any] | None = None
    absorption: int = 0
    self_repair: int = 0
    extras: tuple[dict[str, Any], ...] = ()
    defects: tuple[dict[str, Any], ...] = ()
    notes: str = ""
    condition: dict[str, Any] = {}


def dreadnought() -> Vehicle:
    """A machine with thirty different systems and forty Perks."""
    rules = find("silhouette").book.ruleset()
    plain = [perk.row for perk in perk_rows(rules).values() if not perk.row.part_of and not perk.row.needs]
    return Vehicle(
        name="The Dreadnought",
        armor=24,
        crew=9,
        deployment=500,
        movement=(Movement("ground", 9), Movement("walker", 6)),
        perks=tuple(Fitted(**beginning(row)) for row in plain[:40]),
        systems=tuple(
            Device(
                f"gun {place}",
                damage=5 + place,
                range=1 + place % 6,
                rate=place % 4,
                accuracy=place % 3 - 1,
                uses=10 * place,
                arc=ARCS[place % len(ARCS)],
                perks=("guided", "area effect 1"),
                flaws=("heat",),
            )
            for place in range(30)
        ),
    )


def rows() -> list[dict[str, Any]]:
    """Design values and audit without caches, compared with a hundred decodings."""
    system = find("silhouette")
    rules, machine = system.book.ruleset(), dreadnought()
    encoded = msgspec.json.encode(machine)
    assert VehicleModel.model_validate_json(encoded).name == machine.name
    numbers = count(1)

    def decode() -> None:
        for _ in range(DECODED):
            VehicleModel.model_validate_json(encoded)

    def compute() -> None:
        number = next(numbers)  # new figures each time, so that no cache helps
        systems = tuple(replace(device, damage=device.damage + number) for device in machine.systems)
        other = replace(machine, armor=machine.armor + number, systems=systems)
        reckoned(rules, other)
        system.audit(rules, other)

    peer = f"pydantic, decoding the machine {DECODED} times"
    return [_row("Threat Value, cost and audit of a machine with 30 systems and 40 Perks", compute, peer, decode, 1.0)]
