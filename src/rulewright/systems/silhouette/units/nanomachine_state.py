"""What nanomachines have made of a unit (book lines 4027-4045): how far it is stretched, what it has taken in. Only facts, no rules."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Eyes, Machine, Mounted
from rulewright.systems.silhouette.machines.vehicle import Fitted
from rulewright.systems.silhouette.units.wear import Arm


class Taken(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """What a machine has taken in of one thing: kilograms, and once it is all inside what of it can be used."""

    source: str
    kg: Figure = 0
    size: Figure = 0
    """By how much in Size it has grown with that mass."""
    systems: tuple[Mounted, ...] = ()
    perks: tuple[Fitted, ...] = ()
    auxiliaries: tuple[str, ...] = ()
    sensors: Eyes | None = None
    comms: Eyes | None = None
    arms: tuple[Arm, ...] = ()
    """In a file: how those systems are, one of several alike by itself; in a battle they are among the unit's own."""


class Shape(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """How a machine that changes its shape is now."""

    stretched: int = 0
    """Hexes that morphable material lies over, its own among them; 0: it is not stretched."""
    along: int = 0
    """Where it is stretched to: a hexside from 0 (north) clockwise; on open ground degrees from the x axis towards y."""
    taken: tuple[Taken, ...] = ()
    jams: tuple[str, ...] = ()
    """Systems of other forms than the one it is in that have jammed, by their names."""


USUAL = Shape()


def gathered(shape: Shape) -> Shape:
    """The same where it is not stretched."""
    return replace(shape, stretched=0, along=0) if shape.stretched else shape


def fitted_with(machine: Machine, taken: tuple[Taken, ...]) -> Machine:
    """A machine as it was built with everything that it has taken in since."""
    for more in taken:
        machine = with_more(machine, more)
    return machine


def with_more(machine: Machine, more: Taken) -> Machine:
    """A machine that has taken in so much more: its systems come after its own."""
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
    """What a machine has taken in, with more of one thing, which comes last: its systems come after all others."""
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
