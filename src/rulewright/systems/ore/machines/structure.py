"""Damage to vehicles: boxes, levels, systems (book lines 5722-5778)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.ore.machines.tables import LEVELS, SYSTEM_MAP, SYSTEMS, LevelName
from rulewright.systems.ore.machines.vehicle import Seat, Vehicle
from rulewright.systems.ore.resolution.tests import Mod

LEVEL_NAMES: tuple[LevelName, ...] = ("Undamaged", "Blasted", "Crippled", "Destroyed")
TRACKS = 3
HITS = 2
"""Hits that destroy a system."""


class Hull(Struct, frozen=True, cache_hash=True):
    """The structure of a vehicle: Size, crossed boxes, and hits on systems."""

    size: int = 2
    marked: int = 0
    hits: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 6 or not 0 <= self.marked <= TRACKS * self.size:
            raise UserError(f"a vehicle of Size {self.size} has {TRACKS * self.size} boxes; {self.marked} cannot be crossed off")
        if any(not 1 <= hits <= HITS for _, hits in self.hits):
            raise UserError(f"a system takes at most {HITS} hits")

    @property
    def level(self) -> LevelName:
        """The damage level."""
        return LEVEL_NAMES[self.marked // self.size]

    @property
    def destroyed(self) -> bool:
        """Whether nothing is left of it."""
        return self.marked >= TRACKS * self.size

    def hits_on(self, system: str) -> int:
        """Hits on a system."""
        return dict(self.hits).get(system, 0)

    def broken(self, system: str) -> bool:
        """Whether a system is destroyed."""
        return self.hits_on(system) >= HITS


FRESH = Hull()


@rule("ore-4.22-structure")
def boxes_in_all(size: int = 2) -> Derived[int]:
    """Every level has Size boxes; there are three levels."""
    return total("Boxes", term("Size", size), times("levels", TRACKS), rule="ore-4.22-structure")


@rule("ore-4.22-structure")
def crossed_off(hull: Hull = FRESH, damage: int = 1) -> Hull:
    """Each point of damage crosses off a box; a full track leads to the next level."""
    if damage < 0:
        raise UserError("damage cannot be negative")
    return replace(hull, marked=min(TRACKS * hull.size, hull.marked + damage))


@rule("ore-4.22-structure")
def level_dice(rules: Ruleset, hull: Hull = FRESH) -> Mod:
    """The penalty of a level: one die when Blasted, two when Crippled."""
    return Mod(hull.level.lower(), LEVELS.of(rules, hull.level), "ore-4.22-structure")


# --- systems ------------------------------------------------------------------------------------------------------------------


@rule("ore-4.22-vehicle-systems")
def systems_for(rules: Ruleset, roll: str = "sensors") -> tuple[str, ...]:
    """The systems of a roll: helm, Handling, Speed, Sensors, weapons, crew or bailing out."""
    return tuple([row.system for row in SYSTEMS(rules).values() if roll in row.rolls])


@rule("ore-4.22-vehicle-systems")
def seats_at(rules: Ruleset, system: str = "cockpit") -> tuple[Seat, ...]:
    """The seats at a system."""
    return SYSTEMS.get(rules, system).seats


@rule("ore-4.22-critical")
def system_dice(rules: Ruleset, hull: Hull = FRESH, rolls: tuple[str, ...] = ("sensors",)) -> tuple[Mod, ...]:
    """A damaged system costs a die."""
    names = dict.fromkeys([name for roll in rolls for name in systems_for(rules, roll)])
    return tuple([Mod(f"damaged {name}", -1, "ore-4.22-critical") for name in names if hull.hits_on(name)])


@rule("ore-4.22-critical")
def out_of_order(rules: Ruleset, hull: Hull = FRESH, rolls: tuple[str, ...] = ("sensors",)) -> str:
    """The destroyed system that prevents these rolls; empty if all work."""
    return next((name for roll in rolls for name in systems_for(rules, roll) if hull.broken(name)), "")


@rule("ore-4.22-critical")
def system_hit(hull: Hull = FRESH, system: str = "engine") -> Hull:
    """The first hit damages a system, the second destroys it."""
    hits = {**dict(hull.hits), system: min(HITS, hull.hits_on(system) + 1)}
    return replace(hull, hits=tuple(hits.items()))


@rule("ore-4.22-critical")
def typical_system(rules: Ruleset, height: int = 8, passengers: bool = False) -> str:
    """The system of a Height on the typical map; of two, passengers if there are any, else cargo (ruling)."""
    systems = SYSTEM_MAP.of(rules, str(height))
    return systems[-1] if passengers else systems[0]


def heights_of(written: str) -> range:
    """The Heights of a System Map entry: `10`, `5-6`."""
    least, _, most = written.partition("-")
    if not least.strip().isdecimal() or (most and not most.strip().isdecimal()):
        raise UserError(f"a System Map has Heights like 10 or 5-6, not {written!r}")
    result = range(int(least), int(most or least) + 1)
    if not result or not 1 <= result[0] <= result[-1] <= 10:
        raise UserError(f"Heights go from 1 to 10, not {written}")
    return result


def map_of(rules: Ruleset, vehicle: Vehicle) -> tuple[str, ...]:
    """The system of every Height from 1 to 10: the own map, completed by the typical one."""
    own = {height: system for written, system in vehicle.system_map.items() for height in heights_of(written)}
    carries = vehicle.passengers > 0
    return tuple([own.get(height) or typical_system(rules, height, carries) for height in range(1, 11)])
