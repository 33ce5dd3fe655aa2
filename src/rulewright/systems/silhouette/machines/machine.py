"""The machine in play: everything derived from its file, including defects (book lines 2755-2815)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.machines.design.constructions import MORPHING, scale_area, tech_multiplier
from rulewright.systems.silhouette.machines.design.costs import mass_of, overall_size, reckoned, size_of
from rulewright.systems.silhouette.machines.design.crews import crew_of, crew_skills
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain
from rulewright.systems.silhouette.machines.design.speeds import combat_speed
from rulewright.systems.silhouette.machines.design.systems import characteristics, perks_of, ranges
from rulewright.systems.silhouette.machines.design.trait_costs import beginning
from rulewright.systems.silhouette.machines.design.trait_effects import absorbing, actions_of, maneuver_with
from rulewright.systems.silhouette.machines.lemons import auxiliaries
from rulewright.systems.silhouette.machines.special import thresholds
from rulewright.systems.silhouette.machines.tables import ARC_PRICES, SCALES, flaw_rows
from rulewright.systems.silhouette.machines.vehicle import (
    Arc,
    Body,
    Component,
    Design,
    Device,
    Fitted,
    Mode,
    Mount,
    MoveType,
    Scale,
    SystemType,
    Transformation,
    Vehicle,
)

Key = tuple[str, int, str]
"""A characteristic of a system: name, level and variant."""
AREA = "area effect"
HEAVY = 2
"""Movement Points that every heavy system takes off the Top Speeds."""


class Way(Struct, frozen=True, gc=False, cache_hash=True):
    """A movement type in play."""

    type: MoveType
    combat: Figure
    top: Figure
    stall: Figure
    maneuver: int
    unpowered: bool = False


class Version(Struct, frozen=True, gc=False, cache_hash=True):
    """A system in one of its modes."""

    name: str
    type: SystemType
    melee: bool
    damage: Figure
    ranges: tuple[Figure, ...]
    accuracy: int
    rate: int
    uses: int
    perks: tuple[Key, ...]
    flaws: tuple[Key, ...]

    def perk(self, name: str) -> Key | None:
        """A Perk by its name."""
        for result in self.perks:
            if result[0] == name:
                return result
        return None

    def flaw(self, name: str) -> Key | None:
        """A Flaw by its name."""
        for result in self.flaws:
            if result[0] == name:
                return result
        return None


class Mounted(Struct, frozen=True, gc=False, cache_hash=True):
    """A mounted system: its arc (degrees from the front and width) and its modes."""

    name: str
    quantity: int
    arc: Arc
    faces: int
    degrees: int
    mount: Mount
    sniper: bool
    split: bool
    versions: tuple[Version, ...]


class Link(Struct, frozen=True, gc=False, cache_hash=True):
    """Linked systems: their worst Accuracy and range count."""

    name: str
    systems: tuple[str, ...]
    accuracy: int
    ranges: tuple[Figure, ...]


class Eyes(Struct, frozen=True, cache_hash=True):
    """Sensors or communications: rating and ranges in kilometres by environment."""

    rating: int
    ground: Figure
    air: Figure
    space: Figure


class Machine(Struct, frozen=True, gc=False, cache_hash=True):
    """A body of a machine in play."""

    name: str
    size: Figure
    armor: Figure
    light: Figure
    heavy: Figure
    overkill: Figure
    maneuver: int
    crew: int
    living: int
    passengers: int
    actions: int
    skills: tuple[tuple[str, int], ...]
    ways: tuple[Way, ...]
    systems: tuple[Mounted, ...]
    links: tuple[Link, ...]
    perks: tuple[Fitted, ...]
    flaws: tuple[Fitted, ...]
    auxiliaries: tuple[str, ...]
    absorbs: tuple[tuple[str, int], ...]
    sensors: Eyes | None
    comms: Eyes | None
    deployment: Figure
    burn_points: int
    scale: str = "vehicle"
    build: str = "vehicle"
    tech_level: int = 0
    self_repair: int = 0
    absorption: int = 0
    """Percent of its weight that nanomachines absorb in a round."""
    threat_value: int = 0
    mass: Figure = 0
    """In kilograms, with reaction mass."""
    motive: bool = False
    """Whether a section drives the machine."""
    locations: tuple[str, ...] = ()
    """The locations of the combined machine that a component makes up."""
    change: Transformation = "free"
    """The kind of transformation, if it has several forms; parts of a morphable machine change like it."""
    sections: tuple["Machine", ...] = ()
    forms: tuple["Machine", ...] = ()
    components: tuple["Machine", ...] = ()
    own: "Machine | None" = None
    """The machine as built, if it has absorbed more."""

    @property
    def morphs(self) -> bool:
        """Whether it is made of morphable material."""
        return self.change in MORPHING

    def has(self, name: str) -> Fitted | None:
        """A Perk or Flaw by its name."""
        return _fitted(self, name)

    def way(self, type: str) -> Way | None:
        """A movement type by name."""
        for result in self.ways:
            if result.type == type:
                return result
        return None


@cached(16_384)
def _fitted(machine: Machine, name: str) -> Fitted | None:
    return next((fitted for fitted in (*machine.perks, *machine.flaws) if fitted.name == name), None)


def _version(rules: Ruleset, mode: Mode, scale: Scale = "vehicle") -> Version:
    perks = tuple(perk.key for perk in perks_of(rules, mode))
    if scale != "vehicle" and not mode.melee:
        perks = _widened_areas(rules, perks, scale)
    return Version(
        name=mode.name,
        type=mode.type,
        melee=mode.melee,
        damage=mode.damage,
        ranges=ranges(mode),
        accuracy=mode.accuracy,
        rate=mode.rate,
        uses=mode.uses,
        perks=perks,
        flaws=tuple(characteristic.key for characteristic in characteristics(rules, mode.flaws, flaw=True)),
    )


def _widened_areas(rules: Ruleset, perks: tuple[Key, ...], scale: Scale) -> tuple[Key, ...]:
    """The Perks of a system of a larger scale: its area is wider, or it gains one."""
    own = next((perk for perk in perks if perk[0] == AREA), None)
    wider = scale_area(rules, scale, own[1] if own is not None else None)
    if wider is None:
        return perks
    return (*[perk for perk in perks if perk[0] != AREA], (AREA, wider, own[2] if own is not None else ""))


def mounted(rules: Ruleset, device: Device, scale: Scale = "vehicle") -> Mounted:
    """A system in play."""
    arc = ARC_PRICES(rules)[device.arc]
    return Mounted(
        name=device.name,
        quantity=device.quantity,
        arc=device.arc,
        faces=arc.faces,
        degrees=arc.degrees,
        mount=device.mount,
        sniper=device.sniper,
        split=device.share != 1,
        versions=(_version(rules, device, scale), *(_version(rules, mode, scale) for mode in device.modes)),
    )


def _links(design: Design, systems: tuple[Mounted, ...]) -> tuple[Link, ...]:
    result = []
    for link in design.links:
        members = [system.versions[0] for system in systems if system.name in link.systems]
        if members:
            reach = [member.ranges for member in members if member.ranges]
            result.append(Link(link.name, link.systems, min(member.accuracy for member in members), min(reach, default=())))
    return tuple(result)


def _ways(design: Design, heavy: int, slower: dict[str, int], clumsy: int) -> tuple[Way, ...]:
    ways = []
    for way in design.movement:
        top = plain(max(exact(0), exact(way.top) - HEAVY * heavy - slower.get(way.type, 0)))
        ways.append(Way(way.type, combat_speed(top).value, top, way.stall, maneuver_with(design, way.type) + clumsy, way.unpowered))
    return tuple(ways)


def _sensors_of(design: Design, name: str, tech_level: int) -> Eyes | None:
    """Sensors or communications with the ranges of the machine's movement types."""
    own = next((perk for perk in design.perks if perk.name == name), None)
    if own is None:
        return None
    base = exact(own.amount or 0) * exact(tech_multiplier(tech_level).value)
    if name == "communications" and any(perk.name == "satellite uplink" for perk in design.perks):
        base *= 1000
    kinds = {way.type for way in design.movement}
    air, space = (10 if "air" in kinds else 1), (100 if "space" in kinds else 1)
    return Eyes(own.rating or 0, plain(base), plain(base * air), plain(base * space))


def _body(rules: Ruleset, design: Design, vehicle: Vehicle) -> Machine:
    """One body in play."""
    own = vehicle.all_defects if design is vehicle else ()
    systems = tuple(mounted(rules, device, vehicle.scale) for device in design.systems)
    lost = {what: sum(defect.loss for defect in own if defect.what == what) for what in ("maneuver", "armor")}
    slower: dict[str, int] = {}
    for defect in own:
        if defect.what == "top speed":
            slower[defect.on] = slower.get(defect.on, 0) + defect.loss
    flaws = design.flaws + tuple(_flaw(rules, defect.on) for defect in own if defect.what == "flaw")
    heavy = sum(system.quantity for system in systems if system.versions[0].flaw("heavy"))
    carried = any((flaw := system.versions[0].flaw("clumsy")) is not None and flaw[2] == "carried" for system in systems)
    clumsy = -lost["maneuver"] - carried
    armor = plain(max(exact(1) if exact(design.armor) >= 1 else exact(design.armor), exact(design.armor) - lost["armor"]))
    light, heavier, overkill = thresholds(armor)
    return Machine(
        name=design.name,
        size=size_of(rules, design).value,
        armor=armor,
        light=light,
        heavy=heavier,
        overkill=overkill,
        maneuver=design.maneuver + clumsy,
        crew=crew_of(design).value,
        living=design.crew,
        passengers=design.passengers,
        actions=actions_of(rules, design).value,
        skills=tuple(_skills(vehicle, design).items()),
        ways=_ways(design, heavy, slower, clumsy),
        systems=systems,
        links=_links(design, systems),
        perks=design.perks,
        flaws=flaws,
        auxiliaries=auxiliaries(rules, design),
        absorbs=tuple(absorbing(design).items()),
        sensors=_sensors_of(design, "sensors", vehicle.tech_level),
        comms=_sensors_of(design, "communications", vehicle.tech_level),
        deployment=design.deployment,
        burn_points=design.burn_points,
        scale=vehicle.scale,
        build=vehicle.build,
        tech_level=vehicle.tech_level,
        self_repair=vehicle.self_repair,
        absorption=vehicle.absorption,
        threat_value=reckoned(rules, vehicle).threat_value.value if design is vehicle else 0,
        mass=reckoned(rules, vehicle).mass.value if design is vehicle else mass_of(rules, design, SCALES(rules)[vehicle.scale].worth).value,
        motive=isinstance(design, Body) and design.motive,
        locations=design.locations if isinstance(design, Component) else (),
        change=vehicle.transformation if vehicle.forms else "free",
    )


def _flaw(rules: Ruleset, name: str) -> Fitted:
    row = flaw_rows(rules).get(name)
    return Fitted(**beginning(row.row)) if row is not None else Fitted(name)


def _skills(vehicle: Vehicle, design: Design) -> dict[str, int]:
    """The skills of its crew, or of the best computer if there is none."""
    level = vehicle.crew_level
    if not design.crew and design.computers:
        level = max(computer.level for computer in design.computers)
    return crew_skills(level, vehicle.scout)


@rule("sil-4.1.1-record-sheet")
def machine(rules: Ruleset, vehicle: Vehicle) -> Machine:
    """A machine in play: thresholds, speeds, systems with ranges and arcs, sensors, and all its bodies."""
    return _machine(rules, vehicle)


@cached(256)
def _machine(rules: Ruleset, vehicle: Vehicle) -> Machine:
    own = _body(rules, vehicle, vehicle)
    if vehicle.sections:
        own = replace(own, size=max(own.size, overall_size(rules, vehicle).value))
    return replace(
        own,
        sections=tuple(_body(rules, section, vehicle) for section in vehicle.sections),
        forms=tuple(_body(rules, form, vehicle) for form in vehicle.forms),
        components=tuple(_body(rules, component, vehicle) for component in vehicle.components),
    )
