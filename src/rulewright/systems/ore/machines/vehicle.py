"""The vehicle file (book lines 5519-5814)."""

from typing import Any, Literal

from msgspec import Struct

Mode = Literal["sea", "land", "air", "relativistic", "space", "stellar"]
MODES: tuple[Mode, ...] = ("sea", "land", "air", "relativistic", "space", "stellar")
Reaches = Literal["VR", "BVR"]
Seat = Literal["pilot", "co-pilot", "gunner", "passenger"]
SEATS: tuple[Seat, ...] = ("pilot", "co-pilot", "gunner", "passenger")
Guns = Literal["", "powerful", "very powerful"]


class Gun(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A built-in weapon: Penetration, range and shots."""

    name: str
    pen: int = 0
    range: Reaches = "VR"
    shots: int = 0
    """Number of shots; 0 if not counted."""

    @property
    def direct(self) -> bool:
        """Whether it is aimed by eye within Visual Range."""
        return self.range == "VR"


class Hands(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The skills of an unnamed crew."""

    pilot: int = 0
    gunnery: int = 0
    computers: int = 0
    body: int = 2


class Hold(Struct, frozen=True, forbid_unknown_fields=True):
    """Cargo space in cubic metres and tonnes."""

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
    """A Speed for each mode; 0 for none."""
    length: float = 0
    """Length in metres; 0 if unknown."""
    armour: int = 0
    cargo: Hold = Hold()
    crew: int = 1
    """People needed to drive it."""
    firepower: int = 0
    gunners: int = 0
    """Gunners with their own targets."""
    passengers: int = 0
    cabins: int = 0
    sensors: int = 0
    ecm: int = 0
    """Dice for Evasive Manoeuvres."""
    eccm: int = 0
    """Dice taken from enemy ECM."""
    skill: str = ""
    """The driving skill, written as on a character sheet: `drive: cars`. By default from the mode."""
    ejects: bool = False
    """Whether it has ejection seats."""
    hovers: bool = False
    guns: Guns = ""
    """The power of its guns for the Threat Rating; by default from their PEN."""
    weapons: tuple[Gun, ...] = ()
    systems: tuple[str, ...] = ()
    """Systems besides those of the System Map."""
    system_map: dict[str, str] = {}
    """The system of each Height: `10: cockpit`, `5-6: sensors`; empty for the typical map."""
    hands: Hands | None = None
    """The unnamed crew; None if a named driver is needed."""
    notes: str = ""
    condition: dict[str, Any] = {}
    """Lasting results: state fields after a battle."""

    @property
    def modes(self) -> dict[Mode, int]:
        """The modes with their Speeds."""
        return {mode: rating for mode, rating in self.speeds.items() if rating}
