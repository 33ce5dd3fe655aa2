"""State of a battle of vehicles: fixed facts and changing fields, immutable and hashable."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.people import Ends
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import OfSide
from rulewright.systems.ore.combat.fighters import Fighter
from rulewright.systems.ore.drama.determination import Cast, Speed
from rulewright.systems.ore.machines.driving_tests import Position
from rulewright.systems.ore.machines.speeds import is_manoeuvrable
from rulewright.systems.ore.machines.structure import Hull
from rulewright.systems.ore.machines.tables import RangeName
from rulewright.systems.ore.machines.threat import is_ship_of_the_line
from rulewright.systems.ore.machines.vehicle import Gun, Hands, Mode, Seat
from rulewright.systems.ore.resolution.tests import Pool

Role = Literal["pilot", "co-pilot", "gunner", "passenger", "crew", "wing"]
"""Who decides: a person in a seat, an unnamed crew, or a wing."""
NOWHERE = ""


class Machine(Struct, frozen=True, cache_hash=True, kw_only=True):
    """Fixed facts of a vehicle, for its mode of travel."""

    name: str
    side: str
    handling: int
    size: int
    speed: int
    mode: Mode
    skill: str
    armour: int = 0
    firepower: int = 0
    gunners: int = 0
    sensors: int = 0
    ecm: int = 0
    eccm: int = 0
    ejects: bool = False
    hovers: bool = False
    guns: tuple[Gun, ...] = ()
    map: tuple[str, ...] = ()
    """The system at each Height, from 1 upwards."""
    hands: Hands | None = None

    @property
    def manoeuvrable(self) -> bool:
        """Whether Position decides who can attack it."""
        return is_manoeuvrable(self.size)

    @property
    def of_the_line(self) -> bool:
        """Whether its gunners fire at targets of their own."""
        return is_ship_of_the_line(self.size, self.gunners)


class Unit(Struct, frozen=True, cache_hash=True):
    """A unit with a machine: a vehicle or a wing."""

    machine: Machine

    @property
    def name(self) -> str:
        """Its name."""
        return self.machine.name

    @property
    def side(self) -> str:
        """Its side."""
        return self.machine.side


class Craft(Unit, frozen=True, cache_hash=True):
    """A vehicle in a battle."""

    hull: Hull
    speed: int = 0
    """Current Speed."""
    position: Position = (0, 0)
    grounded: bool = False
    """Whether a flying vehicle is on the ground."""
    gone: bool = False
    """Whether it left the engagement."""
    erratic: int = 0
    """The Difficulty of erratic manoeuvres in this round."""
    turned: int = 0
    """How far the hull is turned to other ships of the line this round."""
    hover: tuple[int, int] | None = None
    """The set of the hover, which limits all sets from it this round."""
    spent: tuple[tuple[int, int], ...] = ()
    """Shots fired, by index of the weapon."""
    aside: int = 0
    """Metres pushed aside."""
    redline: int = 0
    """Consecutive rounds with an overdriven engine."""
    harried: int = 0
    """The Difficulty of the next driving roll after a sideswipe by a master; failure means a crash."""
    surrendered: bool = False
    """Whether it left the engagement by surrender."""

    @property
    def able(self) -> bool:
        """Whether it is still in the battle and not destroyed."""
        return not self.gone and not self.hull.destroyed

    def shots_left(self, place: int) -> int:
        """Shots left in a weapon; a thousand if they are not counted."""
        gun = self.machine.guns[place]
        return gun.shots - dict(self.spent).get(place, 0) if gun.shots else 1_000


class Wing(Unit, frozen=True, cache_hash=True):
    """Unnamed fighters who roll as one: their Threat Rating and the rest of each, strongest first."""

    members: tuple[str, ...]
    threat: int
    ratings: tuple[int, ...]
    speed: int = 0
    position: Position = (0, 0)
    gone: bool = False
    surrendered: bool = False
    """Whether it left the engagement by surrender."""

    def __post_init__(self) -> None:
        if len(self.ratings) > len(self.members) or any(not 1 <= left <= self.threat for left in self.ratings):
            raise UserError(f"{self.machine.name}: every fighter needs a name and a Threat Rating from 1 to {self.threat}")

    @property
    def able(self) -> bool:
        """Whether any fighter is left."""
        return bool(self.ratings) and not self.gone


class Occupant(Struct, frozen=True, cache_hash=True):
    """A named person in a seat or outside vehicles."""

    fighter: Fighter
    craft: str = NOWHERE
    seat: Seat = "passenger"
    dazed: int = 0
    """The round without actions after a Black-Out."""

    @property
    def name(self) -> str:
        """Their name."""
        return self.fighter.name

    @property
    def side(self) -> str:
        """Their side."""
        return self.fighter.side

    @property
    def able(self) -> bool:
        """Whether they can still act."""
        return self.fighter.able


class Post(Struct, frozen=True, cache_hash=True):
    """A declaring unit: the person asked, the vehicle or wing, and the role."""

    who: str
    craft: str
    role: Role


class Order(Struct, frozen=True, cache_hash=True):
    """One declared action with its target."""

    kind: str
    target: str = ""
    gun: int = 0
    share: int = 0
    """Firepower used."""
    skill: str = ""
    difficulty: int = 1
    """The Difficulty set by the Game Master."""
    seat: Seat = "pilot"
    """The seat to take."""
    far: bool = False
    """Whether every enemy was at Escape Range when it was declared."""


class Plan(Struct, frozen=True, cache_hash=True):
    """All declarations of a unit for a round."""

    post: Post
    orders: tuple[Order, ...]


class Waiting(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A set that waits to be applied."""

    post: Post
    order: Order
    width: int
    height: int
    speed: Speed
    place: int = 0
    """The number of the declared action, from 1."""
    needs: int = 0
    """The earlier action that it depends on; 0 for none."""
    counters: bool = False
    """Whether it waits as counter dice."""
    best: int = -1
    """The best outcome so far of the earlier sets of a volley, as an index on the scale of hits."""


class Volley(Struct, frozen=True, cache_hash=True):
    """A roll of a gunner or wing in which every set counts."""

    post: Post
    order: Order
    pool: Pool
    difficulty: int = 1
    height: int = 0
    """Height lost by every set."""


class Street(Struct, frozen=True, forbid_unknown_fields=True):
    """A stretch of road and its Difficulty."""

    name: str = "open road"
    difficulty: int = 0


class Engagement(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a battle, from the scenario."""

    mode: Mode = "land"
    range: RangeName = "BVR"
    adverse: bool = False
    """Whether landing and take-off need a roll."""
    streets: tuple[Street, ...] = ()
    """The stretches of road, one per round and repeated; they add to every driver's Difficulty."""
    quarry: OfSide = ""
    """In a pursuit: the side that is chased; by default the first."""


class Battle(Struct, frozen=True, cache_hash=True):
    """A battle: units, ranges, declarations and waiting sets."""

    field: Engagement
    crafts: tuple[Craft, ...]
    wings: tuple[Wing, ...] = ()
    people: tuple[Occupant, ...] = ()
    ranges: tuple[tuple[str, str, RangeName], ...] = ()
    """Ranges between vehicles of different sides, in order of entry."""
    round: int = 0
    rounds: int = 50
    phase: Literal["begin", "declare", "roll", "resolve"] = "begin"
    order: tuple[Post, ...] = ()
    """Who still has to declare, lowest Position first."""
    plans: tuple[Plan, ...] = ()
    casts: tuple[tuple[Post, Cast], ...] = ()
    volleys: tuple[Volley, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    edition: int = 0
    """The edition of the rules of play; 0 in records of version 0.9.5 and earlier."""
    ends: Ends = "to the end"
    """With "by morale", vehicles that are shaken are asked every round whether they fight on."""
    resolved: int = 0
    """The last round in which they were asked."""

    # --- who is there -----------------------------------------------------------------------------------------------------------

    @property
    def units(self) -> tuple[Craft | Wing, ...]:
        """All vehicles and wings."""
        return (*self.crafts, *self.wings)

    def unit(self, name: str) -> Craft | Wing:
        """A vehicle or a wing by its name."""
        for unit in self.units:
            if unit.machine.name == name:
                return unit
        raise UserError(f"there is no vehicle {name!r} in this battle")

    def craft(self, name: str) -> Craft:
        """A vehicle by its name."""
        result = self.unit(name)
        if isinstance(result, Wing):
            raise UserError(f"{name} is a wing of fighters, not a single vehicle")
        return result

    def wing(self, name: str) -> Wing | None:
        """A wing by its name."""
        return next((wing for wing in self.wings if wing.name == name), None)

    def person(self, name: str) -> Occupant | None:
        """A person by name, or None."""
        return next((occupant for occupant in self.people if occupant.name == name), None)

    def somebody(self, name: str) -> Occupant:
        """A person by name; raises an error if there is none."""
        occupant = self.person(name)
        if occupant is None:
            raise UserError(f"there is no person {name!r} in this battle")
        return occupant

    def aboard(self, craft: str) -> tuple[Occupant, ...]:
        """All named people in a vehicle."""
        return tuple([person for person in self.people if person.craft == craft]) if craft else ()

    def in_seat(self, craft: str, seat: Seat) -> Occupant | None:
        """The person in a seat who can act."""
        return next((occupant for occupant in self.aboard(craft) if occupant.seat == seat and occupant.able), None)

    def manned(self, craft: Craft) -> bool:
        """Whether it has a driver."""
        return craft.able and (craft.machine.hands is not None or self.in_seat(craft.name, "pilot") is not None)

    def foes(self, side: str) -> tuple[Craft | Wing, ...]:
        """Vehicles and wings of other sides still in the battle."""
        return tuple([unit for unit in self.units if unit.side != side and unit.able])

    def helm(self, craft: str) -> Post | None:
        """The driver of a vehicle, or the speaker of a wing."""
        unit = self.unit(craft)
        if isinstance(unit, Wing):
            return Post(unit.members[0], craft, "wing")
        pilot = self.in_seat(craft, "pilot")
        if pilot is not None:
            return Post(pilot.name, craft, "pilot")
        return Post(craft, craft, "crew") if unit.machine.hands is not None else None

    def voice(self, post: Post) -> str:
        """The name for the log: that of the wing, or of the person."""
        return post.craft if post.role == "wing" else post.who

    def can_act(self, post: Post) -> bool:
        """Whether a declaring unit can still act."""
        if not self.unit(post.craft).able:
            return False
        person = self.person(post.who)
        return person is None or (person.able and person.craft == post.craft)

    # --- how far they are apart -------------------------------------------------------------------------------------------------

    def range_of(self, text: str, other: str) -> RangeName:
        """The range between two units."""
        for first, second, at in self.ranges:
            if {first, second} == {text, other}:
                return at
        return self.field.range

    def at_range(self, text: str, other: str, at: RangeName) -> "Battle":
        """The battle with a new range between two units."""
        entries = [entry for entry in self.ranges if {entry[0], entry[1]} != {text, other}]
        names = [unit.name for unit in self.units]
        first, second = sorted((text, other), key=names.index)
        entries.append((first, second, at))
        return replace(self, ranges=tuple(sorted(entries, key=lambda item: (names.index(item[0]), names.index(item[1])))))

    # --- changes ----------------------------------------------------------------------------------------------------------------

    def put(self, unit: Craft | Wing | Occupant) -> "Battle":
        """The battle with a changed vehicle, wing or person."""
        if isinstance(unit, Occupant):
            return replace(self, people=tuple([unit if person.name == unit.name else person for person in self.people]))
        if isinstance(unit, Wing):
            return replace(self, wings=tuple([unit if wing.name == unit.name else wing for wing in self.wings]))
        return replace(self, crafts=tuple([unit if craft.name == unit.name else craft for craft in self.crafts]))

    def change(self, name: str, **changes: Any) -> "Battle":
        """The battle with fields of a vehicle or wing changed."""
        return self.put(replace(self.unit(name), **changes))


class Situation(Struct, frozen=True, eq=False):
    """The subject of a decision: the battle and the deciding post."""

    battle: Battle
    post: Post
    rules: Ruleset
