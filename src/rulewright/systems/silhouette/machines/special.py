"""Special constructions in play (book lines 3737-4083): sections, emplacements, robots, combiners, transformables, self-repair."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, at_most, term, times, total
from rulewright.systems.silhouette.machines.design.costs import mass_of
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, reckon, whole
from rulewright.systems.silhouette.machines.design.speeds import combat_speed, kilometres_an_hour
from rulewright.systems.silhouette.machines.tables import MENDING, ROBOTS
from rulewright.systems.silhouette.machines.vehicle import Design, Location, Vehicle
from rulewright.systems.silhouette.people.secondary_attributes import MASS
from rulewright.systems.silhouette.resolution.tests import Pool, action_test

Severity = Literal["light", "heavy"]
_LARGE, _MEND = "sil-4.3.2-large-vehicles", "sil-4.3.9-self-repair"
PERSONAL = 10
"""A Vehicle-scale point in the Personal scale."""
STATIONARY = 2
"""The attack modifier of an emplacement."""


@rule("sil-4.1.1-record-sheet", "sil-4.1.3-armor")
def thresholds(armor: float) -> tuple[Figure, Figure, Figure]:
    """Light Damage, Heavy Damage and Overkill: one, two and three times the Armor, which is at least 1 (a tenth for small machines)."""
    if armor <= 0:
        raise UserError(f"Armor must be above 0, not {armor:g}")
    light, heavy, over = (reckon("threshold", term("Armor", armor), times("times", factor)).value for factor in (1, 2, 3))
    return light, heavy, over


@rule("sil-4.1.3-armor")
def usual_armor(size: float, protection: Literal["none", "light", "moderate", "heavy"] = "moderate") -> Derived[Figure]:
    """The usual Armor of a Size: as much unarmored, twice lightly, two and a half times moderately, three times heavily
    armored. By id only."""
    factor = {"none": 1, "light": 2, "moderate": 2.5, "heavy": 3}[protection]
    return reckon("usual Armor", term("Size", size), times(protection, factor), rule="sil-4.1.3-armor")


# --- small machines --------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.1-small-vehicles")
def in_personal_scale(figure: float) -> Derived[Figure]:
    """Armor or damage of the Vehicle scale in the Personal scale: ten times as much."""
    return reckon("Personal scale", term("Vehicle scale", figure), times("ten", PERSONAL), rule="sil-4.3.1-small-vehicles")


@rule("sil-4.3.1-small-vehicles")
def against_vehicles(personal: float) -> Derived[int]:
    """Personal-scale Armor in a battle of machines: a tenth, rounded, and at least 1. The Threat Value counts its
    tenths. By id only."""
    terms = (term("Personal scale", personal), term("ten", PERSONAL, "÷"))
    derived = whole("Armor against vehicles", *terms, rule="sil-4.3.1-small-vehicles")
    return (
        derived if derived.value >= 1 else whole("Armor against vehicles", *terms, at_least(1, "minimum"), rule="sil-4.3.1-small-vehicles")
    )


# --- sections --------------------------------------------------------------------------------------------------------------------


@rule(_LARGE)
def carried_over(armor: float, damage: float) -> Derived[Figure]:
    """The damage that passes on to the hull when a section is overkilled: beyond three times its Armor, as a new hit."""
    over = thresholds(armor)[2]
    return reckon(
        "Damage to the hull",
        term("damage", damage),
        term("Overkill of the section", over, "−"),
        at_least(0, "minimum"),
        rule=_LARGE,
    )


@rule(_LARGE)
def crew_between(first: float, second: float) -> Derived[int]:
    """How many crew change sections in a turn: the smaller section's Size; during the transfer they give no actions."""
    return whole("Crew that can move", term("first section", first), at_most(second, "second section"), rule=_LARGE, to="down")


@rule(_LARGE)
def power_left(size: float) -> Derived[int]:
    """Turns for which a section keeps power after the hull breaks up: its Size."""
    return whole("Turns of power", term("Size", size), rule=_LARGE, to="down")


@rule(_LARGE)
def motive_mass(rules: Ruleset, vehicle: Vehicle) -> Derived[Figure]:
    """The mass that drives the machine and sets its towing capacity: of the hull and of every motive section.

    A view of `drawn`, which a hull keeps for play.
    """
    terms = [term("main hull", mass_of(rules, vehicle))]
    terms += [term(section.name, mass_of(rules, section)) for section in vehicle.sections if section.motive]
    return reckon("Driving mass in kg", *terms, rule=_LARGE)


@rule(_LARGE, "sil-4.3.3-emplacements")
def armor_lost(severity: Severity) -> int:
    """The Armor that a hit costs if its movement or Maneuver result is ignored (sections, emplacements): 1 at Light, 2 at Heavy
    Damage."""
    return 1 if severity == "light" else 2


# --- emplacements ----------------------------------------------------------------------------------------------------------------


class Emplaced(Struct, frozen=True):
    """How an emplacement fights: it cannot dodge, always attacks as stationary, and has so many hours of power."""

    largest_size: int
    defense: int
    attack: int
    hours: Figure
    maneuver: int


@rule("sil-4.3.3-emplacements")
def emplaced(vehicle: Vehicle) -> Emplaced:
    """An emplacement: Size up to the damage points of its building, no speed, Maneuver -5, defense 0, +2 to attack, hours of power."""
    return Emplaced(vehicle.structure, 0, STATIONARY, vehicle.deployment, -5)


# --- robots ----------------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.4-robots")
def operating_hours(rules: Ruleset, design: Design) -> Derived[Figure]:
    """Hours that a robot operates: its Deployment Range divided by its Combat Speed in km/h; without movement the range itself."""
    ways = [way for way in design.movement if way.type != "space" and way.top]
    if not ways:
        return reckon("Hours", term("Deployment Range", design.deployment), rule="sil-4.3.4-robots")
    speed = kilometres_an_hour(rules, combat_speed(ways[0].top).value, ways[0].type)
    return reckon("Hours", term("Deployment Range", design.deployment), term("Combat Speed in km/h", speed, "÷"), rule="sil-4.3.4-robots")


@rule("sil-4.3.4-robots")
def build_of(rules: Ruleset, mass: float) -> Derived[int]:
    """The Build of a robot of a mass in kilograms, by the table of bodies; beyond it the nearest end."""
    rows = sorted(MASS(rules).items(), key=lambda entry: entry[1].kg_from)
    key = next((key for key, row in rows if mass <= row.kg_to), rows[-1][0])
    return total("Build", term(f"{mass:g} kg", int(key)), rule="sil-4.3.4-robots")


class RobotAsPerson(Struct, frozen=True):
    """A robot's figures as those of a person."""

    build: int
    agility: int
    perception: int | None
    stamina: Figure
    jog: Figure
    sprint: Figure
    hours: Figure


@rule("sil-4.3.4-robots")
def as_person(rules: Ruleset, design: Design) -> RobotAsPerson:
    """A robot among people: mass gives Build, Maneuver Agility, sensors Perception, and Armor (in the Personal scale)
    Stamina."""
    ROBOTS(rules)
    ways = [way for way in design.movement if way.type != "space"]
    jog, sprint = (
        (kilometres_an_hour(rules, points, ways[0].type).value for points in (combat_speed(ways[0].top).value, ways[0].top))
        if ways
        else (0, 0)
    )
    sensors = next((perk.rating or 0 for perk in design.perks if perk.name == "sensors"), None)
    mass = mass_of(rules, design).value
    return RobotAsPerson(
        build=build_of(rules, mass).value,
        agility=design.maneuver,
        perception=sensors,
        stamina=in_personal_scale(design.armor).value,
        jog=jog,
        sprint=sprint,
        hours=operating_hours(rules, design).value,
    )


# --- bio-constructs and monsters -------------------------------------------------------------------------------------------------


@rule("sil-4.3.5-bio-constructs", "sil-7-monsters-as-vehicles")
def nerves(design: Design) -> Derived[int]:
    """Crew hits that a living machine ignores: its levels of reinforced crew, read as tough nerves. Its crew represents its
    nervous system. By id only."""
    levels = [perk.count for perk in design.perks if perk.name == "reinforced crew"]
    return whole("Tough nerves", term("reinforced crew", sum(levels)), rule="sil-4.3.5-bio-constructs")


@rule("sil-7-monsters-as-vehicles")
def against_people(anti_infantry: bool = False) -> int:
    """The modifier of a huge creature's weapon against people: -2 unless it is an anti-infantry weapon. A view of `against_person`."""
    return 0 if anti_infantry else -2


# --- combiners -------------------------------------------------------------------------------------------------------------------


class Piece(Protocol):
    """A component: its name and the locations that it makes up."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def locations(self) -> tuple[str, ...]:
        """The locations of the combined machine that it makes up."""


class Combined(Protocol):
    """A combined machine, in its file or in play."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def components(self) -> Sequence[Piece]:
        """Its components."""


class Struck(Struct, frozen=True, dict=True):
    """The component hit on a combined machine, and its loss of Armor; none for an Overkill, which splits the machine."""

    component: str | None
    armor: int
    splits: bool = False

    def after(self, die: int) -> "Struck":
        """The same with the die that picked the component, for the log."""
        self.__dict__["die"] = die
        return self

    @property
    def die(self) -> int:
        """The die that picked the component; 0 if there was no choice."""
        return int(self.__dict__.get("die", 0))


def component_struck(
    vehicle: Combined, location: Location, severity: Literal["light", "heavy", "overkill"] = "light", by: str = ""
) -> Play[Struck]:
    """The component of a combined machine, in its file or in play, that takes a hit."""
    if severity == "overkill":
        return Struck(None, 0, True)
    there = [component for component in vehicle.components if location in component.locations]
    if not there:
        raise UserError(f"no component of {vehicle.name} makes up its {location}")
    place = 1
    if len(there) > 1:
        place = yield from Roll(Sum((len(there),)), by or vehicle.name, "which component")
    return Struck(there[place - 1].name, armor_lost(severity)).after(place if len(there) > 1 else 0)


@rule("sil-4.3.6-combiners")
def combined_hit(
    vehicle: Vehicle, location: Location, severity: Literal["light", "heavy", "overkill"] = "light", by: str = ""
) -> Play[Struck]:
    """A hit on a location of a combined machine: a component that makes it up loses 1 or 2 Armor; one of several at random.

    An Overkill splits the machine into its components instead. A view of `component_struck`, which battles play.
    """
    return (yield from component_struck(vehicle, location, severity, by))


# --- transformables --------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.7-transformables")
def transformation_actions(times_this_turn: int) -> Derived[int]:
    """Actions for changing form so often in one turn: the first is free."""
    if times_this_turn < 0:
        raise UserError(f"changes of form must be 0 or more, not {times_this_turn}")
    return whole(
        "Actions",
        term("changes", times_this_turn),
        term("the first is free", min(1, times_this_turn), "−"),
        rule="sil-4.3.7-transformables",
    )


@rule("sil-4.3.7-transformables", "sil-4.3.9-nano-morphable")
def damage_kept(before: Design, after: Design, damaged: tuple[str, ...], morphing: bool = False) -> tuple[str, ...]:
    """The damage that carries over into another form: always Armor and casualties, and damaged systems that the other form has too.

    A morphing machine carries over only Armor and casualties; one action re-forms even the same shape without the rest.

    A view of `in_form`.
    """
    shared = {"armor", "crew"}
    if not morphing:
        for names in ((way.type for way in after.movement), (system.name for system in after.systems), (perk.name for perk in after.perks)):
            shared.update(names)
        shared.add("maneuver")
    return tuple(text for text in damaged if text in shared)


@rule("sil-4.3.9-nano-morphable")
def spread(size: float, metres: float) -> bool:
    """Whether a morphable machine can stretch so far: at least one point of Size for every 50 metres."""
    return exact(size) * 50 >= exact(metres)


# --- self-repair -----------------------------------------------------------------------------------------------------------------


class Mending(Struct, frozen=True):
    """The result of a self-repair: points used, whether the damage is repaired, and whether the attempt did Light Damage."""

    points: int
    mended: bool
    harmed: bool = False


@rule(_MEND)
def repair_points(rating: int) -> Derived[int]:
    """Repair Points a round: five for each point of rating. Unused points are lost."""
    return whole("Repair Points", term("rating", rating), times("five", 5), rule=_MEND)


@rule(_MEND)
def repair_cost(rules: Ruleset, effect: str, size: float, points: float = 1) -> Derived[int]:
    """Repair Points for one damage: the machine's Size plus what the damage adds, by the points lost or the Perk's price."""
    row = MENDING.get(rules, effect)
    terms = [term("Size", size), term(effect, row.base)]
    if row.each:
        terms.append(term("for each point", reckon("points", term("points", points), times("each", row.each))))
    if row.size:
        terms.append(term("Size again", size))
    return whole("Repair Points needed", *terms, rule=_MEND, to="up")


@rule(_MEND)
def repair_threshold(rules: Ruleset, effect: str, points: float = 1) -> Derived[int]:
    """The Threshold of a repair: by the damage, and for each point lost (a tenth of a Perk's price, rounded down)."""
    row = MENDING.get(rules, effect)
    added = reckon("points", term("points", points), times("each", row.threshold_each), to="down")
    return whole("Threshold", term(effect, row.threshold, source=row.source), term("points lost", added), rule=_MEND)


@rule(_MEND)
def mend(
    rules: Ruleset, rating: int, effect: str, size: float, points: float = 1, available: int | None = None, who: str = ""
) -> Play[Mending]:
    """A machine repairs one of its damages: once it has the Repair Points, its rating is rolled against the Threshold.

    A failure or a draw wastes them; a fumble also does Light Damage.
    """
    needed = repair_cost(rules, effect, size, points).value
    have = repair_points(rating).value if available is None else available
    if have < needed:
        raise UserError(f"this repair takes {count(needed, 'Repair Point')}, and there are only {have}: save them over more rounds")
    threshold = repair_threshold(rules, effect, points).value
    test = yield from action_test(rules, Pool(rating, hero=False), threshold, who, "self-repair")
    won = test.total > threshold and not test.fumble  # 4083: a fumble repairs nothing
    return Mending(needed, won, test.fumble)
