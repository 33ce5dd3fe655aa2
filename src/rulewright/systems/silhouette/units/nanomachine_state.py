"""State of nanomachines: how far a unit is stretched and what it has absorbed (book lines 4027-4045). Only data, no rules."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Eyes, Machine, Mounted
from rulewright.systems.silhouette.machines.vehicle import Fitted
from rulewright.systems.silhouette.units.wear import Arm


class Taken(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """What a machine has absorbed of one source: kilograms, and the usable parts once it is absorbed completely."""

    source: str
    kg: Figure = 0
    size: Figure = 0
    """Growth in Size by that mass."""
    systems: tuple[Mounted, ...] = ()
    perks: tuple[Fitted, ...] = ()
    auxiliaries: tuple[str, ...] = ()
    sensors: Eyes | None = None
    comms: Eyes | None = None
    arms: tuple[Arm, ...] = ()
    """In a file: the state of those systems, each of several identical ones separately; in a battle they are among the unit's own."""


class Shape(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """The present shape of a machine with nanomachines."""

    stretched: int = 0
    """Hexes over which it is stretched, including its own; 0: not stretched."""
    along: int = 0
    """The direction in which it is stretched: a hexside from 0 (north) clockwise; on open ground degrees from the x axis towards y."""
    taken: tuple[Taken, ...] = ()
    jams: tuple[str, ...] = ()
    """Jammed systems of other forms, by name."""


USUAL = Shape()


def gathered(shape: Shape) -> Shape:
    """The same shape, not stretched."""
    return replace(shape, stretched=0, along=0) if shape.stretched else shape


def fitted_with(machine: Machine, taken: tuple[Taken, ...]) -> Machine:
    """A machine with everything that it has absorbed."""
    for more in taken:
        machine = with_more(machine, more)
    return machine


def with_more(machine: Machine, more: Taken) -> Machine:
    """A machine that has absorbed more: the new systems come after its own."""
    return replace(
        machine,
        own=machine.own or machine,
        mass=machine.mass + more.kg,
        size=machine.size + more.size,
        systems=(*machine.systems, *more.systems),
        perks=(*machine.perks, *more.perks),
        auxiliaries=(*machine.auxiliaries, *more.auxiliaries),
        sensors=machine.sensors or more.sensors,
        comms=machine.comms or more.comms,
    )


def together(taken: tuple[Taken, ...], more: Taken) -> tuple[Taken, ...]:
    """All absorbed sources with more of one, which comes last so that its systems come after all others."""
    before = next((candidate for candidate in taken if candidate.source == more.source), None)
    if before is None:
        return (*taken, more)
    now = replace(
        more,
        kg=before.kg + more.kg,
        size=before.size + more.size,
        systems=(*before.systems, *more.systems),
        perks=(*before.perks, *more.perks),
        auxiliaries=(*before.auxiliaries, *more.auxiliaries),
        sensors=before.sensors or more.sensors,
        comms=before.comms or more.comms,
    )
    return (*[candidate for candidate in taken if candidate.source != more.source], now)
