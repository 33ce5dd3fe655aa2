"""A battle of vehicles: what never changes while it lasts, and what does. All of it is plain, immutable and hashable."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
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
"""Who decides: somebody in a seat, a crew without names, or a wing of fighters."""
NOWHERE = ""


class Machine(Struct, frozen=True, cache_hash=True, kw_only=True):
    """What a battle does not change about a vehicle, in the mode it travels in."""

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
    """The system that each Height strikes, from 1 upwards."""
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
    """What has a machine in a battle: a vehicle, or fighters of one kind."""

    machine: Machine

    @property
    def name(self) -> str:
        """What everybody calls it."""
        return self.machine.name

    @property
    def side(self) -> str:
        """On whose side it is."""
        return self.machine.side


class Craft(Unit, frozen=True, cache_hash=True):
    """A vehicle in a battle."""

    hull: Hull
    speed: int = 0
    """How fast it goes now."""
    position: Position = (0, 0)
    grounded: bool = False
    """On the ground, though it could fly."""
    gone: bool = False
    """It has broken off the engagement."""
    erratic: int = 0
    """The Difficulty of erratic manoeuvres in this round."""
    turned: int = 0
    """How far the hull is turned against other ships of the line in this round."""
    hover: tuple[int, int] | None = None
    """The set that limits what is done from it in this round."""
    spent: tuple[tuple[int, int], ...] = ()
    """Shots gone, by the place of the weapon."""
    aside: int = 0
    """Metres that it was pushed from its way."""
    redline: int = 0
    """Rounds in a row in which its engine gave more than it can."""
    harried: int = 0
    """The Difficulty of its driver's next roll, which must not fail, after a sideswipe by a master of it."""

    @property
    def able(self) -> bool:
        """Whether it is still there and in one piece."""
        return not self.gone and not self.hull.destroyed

    def shots_left(self, place: int) -> int:
        """How often a weapon can still be fired; a thousand times where nobody counts."""
        gun = self.machine.guns[place]
        return gun.shots - dict(self.spent).get(place, 0) if gun.shots else 1_000


class Wing(Unit, frozen=True, cache_hash=True):
    """Fighters without names, who roll as one: their Threat Rating, and what is left of each one's, the strongest first."""

    members: tuple[str, ...]
    threat: int
    ratings: tuple[int, ...]
    speed: int = 0
    position: Position = (0, 0)
    gone: bool = False

    def __post_init__(self) -> None:
        if len(self.ratings) > len(self.members) or any(not 1 <= left <= self.threat for left in self.ratings):
            raise UserError(f"{self.machine.name}: every fighter needs a name and a Threat Rating from 1 to {self.threat}")

    @property
    def able(self) -> bool:
        """Whether any fighter is left."""
        return bool(self.ratings) and not self.gone


class Occupant(Struct, frozen=True, cache_hash=True):
    """Somebody with a name: in a seat of a vehicle, or out of any."""

    fighter: Fighter
    craft: str = NOWHERE
    seat: Seat = "passenger"
    dazed: int = 0
    """The round in which a Black-Out leaves no action."""

    @property
    def name(self) -> str:
        """What everybody calls them."""
        return self.fighter.name

    @property
    def side(self) -> str:
        """On whose side they are."""
        return self.fighter.side

    @property
    def able(self) -> bool:
        """Whether they can still act."""
        return self.fighter.able


class Post(Struct, frozen=True, cache_hash=True):
    """Somebody who declares: who is asked, for which vehicle or wing, and as what."""

    who: str
    craft: str
    role: Role


class Order(Struct, frozen=True, cache_hash=True):
    """One thing that is done with a vehicle, and to whom."""

    kind: str
    target: str = ""
    gun: int = 0
    share: int = 0
    """Dice of a ship's Firepower."""
    skill: str = ""
    difficulty: int = 1
    """What the Game Master set against it."""
    seat: Seat = "pilot"
    """The seat that somebody takes."""
    far: bool = False
    """Whether every enemy was at Escape Range when it was declared."""


class Plan(Struct, frozen=True, cache_hash=True):
    """Everything that somebody declared for a round."""

    post: Post
    orders: tuple[Order, ...]


class Waiting(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A set that waits for its moment."""

    post: Post
    order: Order
    width: int
    height: int
    speed: Speed
    place: int = 0
    """Which of the declared actions it is, counted from 1."""
    needs: int = 0
    """The earlier action that it rests on; 0 for none."""
    counters: bool = False
    """Whether it waits for what it can answer."""
    best: int = -1
    """Of several sets of one volley: what the earlier ones came to, as a place on the scale of hits."""


class Volley(Struct, frozen=True, cache_hash=True):
    """What a gunner of a ship of the line, or a wing, rolls: every set of it counts."""

    post: Post
    order: Order
    pool: Pool
    difficulty: int = 1
    height: int = 0
    """Points that every set loses of its Height."""


class Street(Struct, frozen=True, forbid_unknown_fields=True):
    """What a stretch of the way asks of whoever drives it."""

    name: str = "open road"
    difficulty: int = 0


class Engagement(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a battle takes place, as the scenario has it."""

    mode: Mode = "land"
    range: RangeName = "BVR"
    adverse: bool = False
    """Whether landing and taking off must be rolled for."""
    streets: tuple[Street, ...] = ()
    """The stretches of the way, one a round, over and over; what they ask is added to every driver's Difficulty."""
    quarry: OfSide = ""
    """In a pursuit: the side that is chased; the first where nothing is said."""


class Battle(Struct, frozen=True, cache_hash=True):
    """A battle: who takes part, how far they are apart, who has declared what, and the sets that wait to be resolved."""

    field: Engagement
    crafts: tuple[Craft, ...]
    wings: tuple[Wing, ...] = ()
    people: tuple[Occupant, ...] = ()
    ranges: tuple[tuple[str, str, RangeName], ...] = ()
    """Between vehicles of different sides, the first of the two being the one that came first."""
    round: int = 0
    rounds: int = 50
    phase: Literal["begin", "declare", "roll", "resolve"] = "begin"
    order: tuple[Post, ...] = ()
    """Who has still to declare, the lowest Position first."""
    plans: tuple[Plan, ...] = ()
    casts: tuple[tuple[Post, Cast], ...] = ()
    volleys: tuple[Volley, ...] = ()
    waiting: tuple[Waiting, ...] = ()

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
        """Somebody by name."""
        return next((occupant for occupant in self.people if occupant.name == name), None)

    def somebody(self, name: str) -> Occupant:
        """Somebody who must be there."""
        occupant = self.person(name)
        if occupant is None:
            raise UserError(f"there is no person {name!r} in this battle")
        return occupant

    def aboard(self, craft: str) -> tuple[Occupant, ...]:
        """Everybody with a name in a vehicle."""
        return tuple([person for person in self.people if person.craft == craft]) if craft else ()

    def in_seat(self, craft: str, seat: Seat) -> Occupant | None:
        """Whoever sits in a seat and can act."""
        return next((occupant for occupant in self.aboard(craft) if occupant.seat == seat and occupant.able), None)

    def manned(self, craft: Craft) -> bool:
        """Whether somebody drives it."""
        return craft.able and (craft.machine.hands is not None or self.in_seat(craft.name, "pilot") is not None)

    def foes(self, side: str) -> tuple[Craft | Wing, ...]:
        """The vehicles and wings of other sides that are still there."""
        return tuple([unit for unit in self.units if unit.side != side and unit.able])

    def helm(self, craft: str) -> Post | None:
        """Who drives a vehicle, or speaks for a wing."""
        unit = self.unit(craft)
        if isinstance(unit, Wing):
            return Post(unit.members[0], craft, "wing")
        pilot = self.in_seat(craft, "pilot")
        if pilot is not None:
            return Post(pilot.name, craft, "pilot")
        return Post(craft, craft, "crew") if unit.machine.hands is not None else None

    def voice(self, post: Post) -> str:
        """Who the log says it is: a wing by its own name, everybody else by theirs."""
        return post.craft if post.role == "wing" else post.who

    def can_act(self, post: Post) -> bool:
        """Whether somebody who declared, or could, is still able to."""
        if not self.unit(post.craft).able:
            return False
        person = self.person(post.who)
        return person is None or (person.able and person.craft == post.craft)

    # --- how far they are apart -------------------------------------------------------------------------------------------------

    def range_of(self, text: str, other: str) -> RangeName:
        """How far apart two are."""
        for first, second, at in self.ranges:
            if {first, second} == {text, other}:
                return at
        return self.field.range

    def at_range(self, text: str, other: str, at: RangeName) -> "Battle":
        """The battle with two so far apart."""
        entries = [entry for entry in self.ranges if {entry[0], entry[1]} != {text, other}]
        names = [unit.name for unit in self.units]
        first, second = sorted((text, other), key=names.index)
        entries.append((first, second, at))
        return replace(self, ranges=tuple(sorted(entries, key=lambda item: (names.index(item[0]), names.index(item[1])))))

    # --- changes ----------------------------------------------------------------------------------------------------------------

    def put(self, unit: Craft | Wing | Occupant) -> "Battle":
        """The battle with a vehicle, a wing or somebody changed."""
        if isinstance(unit, Occupant):
            return replace(self, people=tuple([unit if person.name == unit.name else person for person in self.people]))
        if isinstance(unit, Wing):
            return replace(self, wings=tuple([unit if wing.name == unit.name else wing for wing in self.wings]))
        return replace(self, crafts=tuple([unit if craft.name == unit.name else craft for craft in self.crafts]))

    def change(self, name: str, **changes: Any) -> "Battle":
        """The battle with fields of a vehicle or wing changed."""
        return self.put(replace(self.unit(name), **changes))


class Situation(Struct, frozen=True, eq=False):
    """What a decision is about: the battle as it stands, and who decides."""

    battle: Battle
    post: Post
    rules: Ruleset
