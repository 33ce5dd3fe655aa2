"""Vehicles as people keep them (book lines 5519-5814)."""

from typing import Any, Literal

from msgspec import Struct

Mode = Literal["sea", "land", "air", "relativistic", "space", "stellar"]
MODES: tuple[Mode, ...] = ("sea", "land", "air", "relativistic", "space", "stellar")
Reaches = Literal["VR", "BVR"]
Seat = Literal["pilot", "co-pilot", "gunner", "passenger"]
SEATS: tuple[Seat, ...] = ("pilot", "co-pilot", "gunner", "passenger")
Guns = Literal["", "powerful", "very powerful"]


class Gun(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A weapon that is built in: how well it gets through armour, and whether it needs to see its target or a Lock-On."""

    name: str
    pen: int = 0
    range: Reaches = "VR"
    shots: int = 0
    """How often it can be fired; 0 for a weapon that nobody counts shots of."""

    @property
    def direct(self) -> bool:
        """Whether it is aimed by eye, within Visual Range."""
        return self.range == "VR"


class Hands(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What a crew without names knows, all of them alike."""

    pilot: int = 0
    gunnery: int = 0
    computers: int = 0
    body: int = 2


class Hold(Struct, frozen=True, forbid_unknown_fields=True):
    """Room and weight for goods: cubic metres and tonnes."""

    space: float = 0
    tonnes: float = 0


class Vehicle(Struct, frozen=True, forbid_unknown_fields=True):
    """A vehicle file."""

    name: str
    system: Literal["ore"] = "ore"
    kind: Literal["vehicle"] = "vehicle"
    concept: str = ""
    handling: int = 2
    size: int = 1
    speeds: dict[Mode, int] = {}
    """A Speed for each mode that it can travel in; 0 is no mode of its own."""
    length: float = 0
    """In metres; 0 where nobody has measured it."""
    armour: int = 0
    cargo: Hold = Hold()
    crew: int = 1
    """How many people it takes to drive it."""
    firepower: int = 0
    gunners: int = 0
    """How many can fire at targets of their own."""
    passengers: int = 0
    cabins: int = 0
    sensors: int = 0
    ecm: int = 0
    """Dice that it adds to Evasive Manoeuvres."""
    eccm: int = 0
    """Dice that it takes from an enemy's ECM."""
    skill: str = ""
    """What drives it, written as on a character's sheet: `drive: cars`. Where nothing is said the mode says it."""
    ejects: bool = False
    """Whether its seats throw out whoever bails out."""
    hovers: bool = False
    guns: Guns = ""
    """How its guns count for a fighter's Threat Rating; where nothing is said their PEN says it."""
    weapons: tuple[Gun, ...] = ()
    systems: tuple[str, ...] = ()
    """What it has beside what its System Map names."""
    system_map: dict[str, str] = {}
    """Which system a Height strikes: `10: cockpit`, `5-6: sensors`; the typical map where it is empty."""
    hands: Hands | None = None
    """Its crew without names; none where somebody with a name must drive it."""
    notes: str = ""
    condition: dict[str, Any] = {}
    """What scenes left: fields of a member's state, as a battle names them when it is over."""

    @property
    def modes(self) -> dict[Mode, int]:
        """The modes in which it moves at all, with its Speed in each."""
        return {mode: rating for mode, rating in self.speeds.items() if rating}
