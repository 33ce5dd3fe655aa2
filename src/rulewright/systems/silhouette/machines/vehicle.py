"""Vehicle files (book lines 2755-4207): the designer's choices, without derived values.

A `Design` is one body with its movement, crew and systems. A `Vehicle` is the file: a design, its production, and for a machine of
several bodies, these as designs of their own: the sections of a large vehicle, the further forms of a transformable, the
components of a combiner. A body contains no other bodies.
"""

from typing import Annotated, Any, Literal, NoReturn, get_args

from msgspec import Meta, Struct, convert

from rulewright.errors import UserError
from rulewright.systems.silhouette.machines.entries import refuse_nonsense, refuse_unsaid

MOST = 10_000_000
MOST_SYSTEMS = 200
MOST_TRAITS = 200
MOST_BODIES = 40

Count = Annotated[int, Meta(ge=0, le=MOST)]
Some = Annotated[int, Meta(ge=1, le=1_000)]
Number = Annotated[int, Meta(ge=0, le=MOST)] | Annotated[float, Meta(ge=0, le=MOST)]
Words = Annotated[str, Meta(max_length=200)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]

MoveType = Literal["air", "ground", "hover", "naval", "rail", "space", "submarine", "walker"]
SystemType = Literal["matter", "missile", "energy", "exotic"]
Arc = Literal["forward", "fixed forward", "left", "right", "rear", "turret", "slow turret"]
Mount = Literal["hull", "hand-held", "hardpoint", "pintle"]
Mind = Literal["dumb", "sentient"]
Build = Literal["vehicle", "suit", "emplacement", "robot", "bio-construct", "monster"]
Scale = Literal["vehicle", "very large", "gigantic"]
Transformation = Literal["free", "one-way", "morphing", "simple morphing"]
ReactionMass = Literal["none", "hydrogen", "helium-3", "water", "high-efficiency rocket fuel", "low-efficiency rocket fuel"]
DEFECTS, FUEL = "defects", "fuel"
"""The fields of a machine's condition that only time between scenes leaves: its own lemons, and what is left of its range."""
Delay = Literal["6 seconds", "30 seconds", "1 minute", "10 minutes", "1 hour", "1 day"]
Production = Literal[
    "mass production", "early production", "limited production", "scratch-build", "late prototype", "early prototype", "testbed prototype"
]
Location = Literal["crew", "structure", "movement", "fire control", "auxiliary"]

ARCS: tuple[Arc, ...] = get_args(Arc)
LOCATIONS: tuple[Location, ...] = get_args(Location)


class Fitted(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Perk or a Flaw of a machine, with the fields that its row needs."""

    name: Name
    rating: Annotated[int, Meta(ge=-5, le=1_000)] | None = None
    variant: Words = ""
    """Which version, if there are several: `luxury`, `escape pods`."""
    amount: Number | None = None
    """Kilometres, cubic metres, people: the unit of the row."""
    on: Words = ""
    """Where or for what: an arc, a location, a type of movement, a part, a skill."""
    count: Some = 1
    """The quantity."""
    punch: Number | None = None
    """The Damage Multiplier of an arm's punch, if it can punch."""

    def __post_init__(self) -> None:
        refuse_unsaid(self)


class Movement(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A movement type and its Top Speed in Movement Points."""

    type: MoveType
    top: Number = 1
    stall: Number = 0
    """The Stall Speed of an aircraft; 0 if it can hover."""
    unpowered: bool = False
    """Wheels or floats of an aircraft without a drive of their own."""


class Mode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Another ammunition or mode of a system, with all its figures."""

    name: Name
    type: SystemType = "matter"
    melee: bool = False
    damage: Number = 1
    range: Number = 0
    accuracy: Annotated[int, Meta(ge=-5, le=5)] = 0
    rate: Annotated[int, Meta(ge=-100, le=100)] = 0
    uses: Count = 0
    """How often it can be used; 0 is unlimited."""
    ranges: Annotated[tuple[Number, ...], Meta(max_length=4)] = ()
    """Short, medium, long and extreme range of a system with a Base Range of 0."""
    perks: Annotated[tuple[Words, ...], Meta(max_length=MOST_TRAITS)] = ()
    flaws: Annotated[tuple[Words, ...], Meta(max_length=MOST_TRAITS)] = ()

    def __post_init__(self) -> None:
        refuse_nonsense(self.perks, self.flaws)
        if self.ranges and (len(self.ranges) != 4 or list(self.ranges) != sorted(self.ranges)):
            raise ValueError("ranges needs four numbers that do not decrease: write for example `ranges: [0, 1, 2, 3]`")


class Device(Mode, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A system: a weapon, a shield, a grapple, a launcher."""

    arc: Arc = "forward"
    mount: Mount = "hull"
    quantity: Some = 1
    sniper: bool = False
    share: Annotated[int, Meta(ge=0, le=1)] | Annotated[float, Meta(ge=0, le=1)] = 1
    """This carrier's share of a split system's cost."""
    modes: Annotated[tuple[Mode, ...], Meta(max_length=20)] = ()


class Link(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Linked systems, by name."""

    name: Name
    systems: Annotated[tuple[Words, ...], Meta(max_length=MOST_SYSTEMS)] = ()


class Computer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A computer crew: how many people it replaces, and its skill."""

    mind: Mind = "dumb"
    crew: Some = 1
    level: Annotated[int, Meta(ge=1, le=8)] = 2


class Extra(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An extra with a price and no Threat Value."""

    name: Name
    amount: Annotated[int, Meta(ge=1, le=100_000)] = 1
    """Kilograms, items, sounds, seats, cubic feet, or a rating."""


class Defect(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A defect from a Lemon roll."""

    what: Literal["maneuver", "armor", "top speed", "auxiliary", "annoyance", "flaw"]
    loss: Count = 0
    on: Words = ""
    """The auxiliary system, the movement type, the annoyance or the Flaw."""
    model: bool = False
    """Whether every machine of the model has it."""


class FasterThanLight(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A drive to other stars."""

    speed: Annotated[int, Meta(ge=1, le=100_000)] = 1
    """In multiples of the speed of light."""
    reach: Annotated[int, Meta(ge=1, le=100_000)] = 1
    """In light years."""
    delay: Delay = "30 seconds"


class DimensionDrive(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A drive to other dimensions."""

    dimensions: Annotated[int, Meta(ge=1, le=100_000)] = 1
    delay: Delay = "30 seconds"


class Design(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One body of a machine."""

    name: Name
    concept: Words = ""
    size: Number = 0
    """0: what the target mass needs, or the Default Size."""
    mass: Number = 0
    """The target mass in kilograms, empty; 0: the most for its Size."""
    armor: Number = 1
    """In the Vehicle scale; small machines may have tenths (4.5 is 45 in the Personal scale)."""
    maneuver: Annotated[int, Meta(ge=-20, le=10)] = 0
    crew: Count = 1
    passengers: Count = 0
    computers: Annotated[tuple[Computer, ...], Meta(max_length=20)] = ()
    movement: Annotated[tuple[Movement, ...], Meta(max_length=8)] = ()
    deployment: Number = 0
    """Deployment Range in kilometres, or hours in space and on an emplacement."""
    reaction_mass: ReactionMass = "none"
    burn_points: Count = 0
    perks: Annotated[tuple[Fitted, ...], Meta(max_length=MOST_TRAITS)] = ()
    flaws: Annotated[tuple[Fitted, ...], Meta(max_length=MOST_TRAITS)] = ()
    systems: Annotated[tuple[Device, ...], Meta(max_length=MOST_SYSTEMS)] = ()
    links: Annotated[tuple[Link, ...], Meta(max_length=MOST_SYSTEMS)] = ()


class Body(Design, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A section of a large vehicle, or another form of a transformable."""

    motive: bool = False
    """A section that drives the machine."""


class Component(Design, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A machine that combines with others."""

    locations: Annotated[tuple[Location, ...], Meta(min_length=1, max_length=5)] = ("structure",)
    """The locations of the combined machine that it makes up."""


class Vehicle(Design, frozen=True, forbid_unknown_fields=True, omit_defaults=False, kw_only=True):
    """A vehicle file."""

    system: Literal["silhouette"] = "silhouette"
    kind: Literal["vehicle"] = "vehicle"
    build: Build = "vehicle"
    scale: Scale = "vehicle"
    tech_level: Annotated[int, Meta(ge=-9, le=9)] = 0
    production: Production = "early production"
    crew_level: Annotated[int, Meta(ge=1, le=8)] = 2
    scout: bool = False
    """A scout's crew is better at information warfare than at gunnery."""
    structure: Count = 0
    """Damage points of an emplacement's building."""
    sections: Annotated[tuple[Body, ...], Meta(max_length=MOST_BODIES)] = ()
    forms: Annotated[tuple[Body, ...], Meta(max_length=MOST_BODIES)] = ()
    transformation: Transformation = "free"
    components: Annotated[tuple[Component, ...], Meta(max_length=MOST_BODIES)] = ()
    faster_than_light: FasterThanLight | None = None
    dimension_drive: DimensionDrive | None = None
    absorption: Annotated[int, Meta(ge=0, le=1_000)] = 0
    """The percentage of the machine's weight that nanomachines absorb a round."""
    self_repair: Annotated[int, Meta(ge=0, le=20)] = 0
    extras: Annotated[tuple[Extra, ...], Meta(max_length=MOST_TRAITS)] = ()
    defects: Annotated[tuple[Defect, ...], Meta(max_length=MOST_TRAITS)] = ()
    notes: str = ""
    condition: dict[str, Any] = {}
    """What battles have left, by the fields of a scenario member's state: damage, casualties, ammunition. It is not part of the design."""

    @property
    def all_defects(self) -> tuple[Defect, ...]:
        """The defects of the design, and those with which this machine entered the campaign."""
        return (*self.defects, *convert(self.condition.get(DEFECTS, ()), tuple[Defect, ...]))

    def __hash__(self) -> int:
        """By the design alone: the state of one machine does not affect what is derived from the file."""
        return hash((self.name, self.size, self.armor, self.systems, self.movement, self.perks))

    @property
    def role(self) -> str:
        """A placeholder: machines have no role of people."""
        return "joe average"

    def as_person(self, rules: object) -> NoReturn:
        """Refuse: a machine takes no part in scenes of people."""
        raise UserError(f"{self.name} is a machine: only people and creatures can take part in this scene")
