"""Machines without unusual traits, and the cache keys of their actions.

Every key leaves out what an action cannot depend on: Armor does not matter to an attacker, nor ammunition to a target. Tests play
fights by these keys and by the rules, with the same results.
"""

from collections.abc import Hashable
from functools import cached_property

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, harmless
from rulewright.systems.silhouette.battle.tactics.crew import armed
from rulewright.systems.silhouette.breakage.systems import LOCATIONS
from rulewright.systems.silhouette.breakage.wrecks import can_eject
from rulewright.systems.silhouette.gunnery.attacks import limb_penalty, pace_now
from rulewright.systems.silhouette.machines.machine import Machine, Mounted
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, pace_of
from rulewright.systems.silhouette.units.courses import UNDER_WAY
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle, Place
from rulewright.systems.silhouette.units.units import Unit, auxiliaries
from rulewright.systems.silhouette.units.visible_traits import STILL, UNTOUCHED

WAYS = ("walker", "ground", "hover")
TRAITS = {
    "ablative armor", "accommodations", "battle arm", "cargo bay", "communications", "escape system", "exposed auxiliaries",
    "exposed crew", "exposed movement", "exposed systems", "fragile chassis", "hazardous ammo/fuel", "large sensor profile", "life support",
    "low profile", "manipulator arm", "pintle mount", "reinforced armor", "reinforced crew", "searchlight", "sensors", "tool arm",
    "weak facing",
}  # fmt: skip
"""Perks and Flaws of machines that only affect sight, aim and damage."""
SYSTEM_PERKS = {"anti-infantry", "armor-crushing", "armor-piercing", "hand-held/hardpoint", "hot smoke", "indirect fire", "smoke"}
"""Perks of systems that do not change how one is fired."""


PARTS = (*LOCATIONS, "overkill")


@cached(256)
def plain_machine(machine: Machine) -> bool:
    """Whether a machine only drives or walks, sees, and fires direct weapons."""
    if machine.sections or machine.components or machine.forms or machine.build != "vehicle":
        return False
    if machine.scale != "vehicle" or machine.self_repair or machine.absorption:
        return False
    if any(way.type not in WAYS for way in machine.ways) or len(machine.ways) != 1:
        return False
    if any(fitted.name not in TRAITS for fitted in (*machine.perks, *machine.flaws)) or machine.links:
        return False
    return all(_is_plain_system(system) for system in machine.systems)


def _is_plain_system(system: Mounted) -> bool:
    if system.arc == "slow turret" or len(system.versions) != 1:
        return False
    version = system.versions[0]
    if version.melee or version.type not in ("matter", "energy") or version.flaws:
        return False
    return all(perk[0] in SYSTEM_PERKS for perk in version.perks)


def plain_battle(battle: Battle) -> bool:
    """Whether two such machines fight on hexes by day, without effects on the ground."""
    if len(battle.units) != 2 or not battle.hexes or battle.scars != UNTOUCHED or battle.placing:
        return False
    place, (unit, other) = battle.place, battle.units
    if place.night or place.close or place.objectives or place.atmosphere < 0.2 or unit.side == other.side:
        return False
    return plain_machine(unit.machine) and plain_machine(other.machine) and not unit.riders and not other.riders


def is_still(unit: Unit) -> bool:
    """Whether a unit is in a normal state: upright, and without conditions that hamper or reveal it."""
    if unit.signs != STILL or unit.course != UNDER_WAY or unit.altitude or unit.tows:
        return False
    if unit.part is not None or unit.split or unit.transformed or unit.jumped or unit.switched or unit.halved or unit.gone:
        return False
    wear = unit.wear
    return not (wear.overburnt or wear.burnt or wear.compartment)


@cached(256)
def _indices_of(machine: Machine, name: str) -> tuple[int, ...]:
    """The indices of the auxiliary systems of a kind."""
    return tuple([at for at, label in enumerate(auxiliaries(machine)) if label.startswith(name)])


class Facts:
    """Cached facts of a unit at present; numbers stand for everything that something depends on."""

    def __init__(self, rules: Ruleset, place: Place, unit: Unit, numbers: dict[Hashable, int]) -> None:
        self.place = place
        self.unit = unit
        self.numbers = numbers
        self.able = unit.able
        self.still = self.able and is_still(unit)
        self.slow = unit.speed == "combat" and not unit.shifting
        self.actions = actions_left(rules, unit)
        self.dodge = unit.hexes if unit.moved else unit.last
        """The hexes that count for its defense."""
        self._parts: dict[str, int] = {}

    def _number(self, *key: Hashable) -> int:
        return self.numbers.setdefault((self.unit.name, *key), len(self.numbers))

    @cached_property
    def armed(self) -> bool:
        """Whether it has any weapon left."""
        return armed(self.unit)

    @cached_property
    def heard(self) -> bool:
        """Whether its radio works."""
        return self.unit.auxiliary("communications") is not None

    @cached_property
    def pace(self) -> str:
        """The speed that it counts as if it fires now."""
        return pace_now(Battle(units=(), place=self.place), self.unit)

    @cached_property
    def stays(self) -> str:
        """The speed that it counts as if it stays where it is."""
        unit = self.unit
        return unit.pace or pace_of(unit.spent, combat_speed(unit, self.place), unit.speed == "top")

    @cached_property
    def aims(self) -> tuple[tuple[int, int], ...]:
        """The systems that it may fire, each with everything that its attack depends on besides place and speed."""
        unit = self.unit
        return tuple([(at, self._number("aims", self._aim(unit, at))) for at in distinct(unit) if not harmless(unit, at)])

    @cached_property
    def hurt(self) -> int:
        """Everything that an attack on it depends on besides place and movement."""
        unit, wear = self.unit, self.unit.wear
        return self._number("hurt", wear.armor, wear.ablated, wear.maneuver, unit.crew, unit.extra, unit.evading)

    @cached_property
    def _step(self) -> tuple[Hashable, ...]:
        unit, wear = self.unit, self.unit.wear
        speed = (wear.slowed, wear.failed, unit.speed, unit.shifting)
        return (*speed, unit.points, unit.spent, unit.pace, unit.turned, unit.turns, unit.backed, unit.moved, unit.hexes)

    @cached_property
    def goes(self) -> int:
        """Everything that its moves depend on besides its place."""
        return self._number("goes", self.unit.crew, self.armed, *self._step)

    @cached_property
    def ready(self) -> int:
        """Everything that the beginning of a round depends on."""
        unit = self.unit
        return self._number("ready", self.actions, self.armed, self.heard, unit.crew, unit.extra, unit.evading, unit.ordered)

    @cached_property
    def waits(self) -> int:
        """Everything that the turn order depends on."""
        return self._number("waits", self.heard, self.unit.done, self.unit.moved, self.unit.received)

    @cached_property
    def spent(self) -> int:
        """Everything that the next round takes over from this one."""
        unit = self.unit
        fired = bool(unit.hit_by) or any(arm.fired for arm in unit.arms)
        return self._number("spent", self.heard, unit.speed, unit.shifting, unit.hexes, unit.owed, fired)

    @cached_property
    def harm(self) -> int:
        """Everything that systems damage depends on."""
        return self._number("harm", self.unit.wear, *[self.of_part(part) for part in PARTS])

    def of_part(self, part: str) -> int:
        """Everything that systems damage to one location depends on."""
        number = self._parts.get(part)
        if number is None:
            number = self._parts[part] = self._number(part, *self._left_of(part))
        return number

    def _left_of(self, part: str) -> tuple[Hashable, ...]:
        unit, wear = self.unit, self.unit.wear
        if part == "fire control":
            return _systems(unit), wear.absorbed, unit.crew, can_eject(unit)
        if part == "crew":
            return unit.crew, unit.owed, unit.stunned, unit.moved or unit.done, wear.absorbed
        if part == "auxiliary":
            return wear.auxiliaries, wear.absorbed, tuple([(arm.frozen, arm.bearing) for arm in unit.arms]) if self.turrets else ()
        if part == "overkill":
            return unit.crew, can_eject(unit)
        return wear.slowed, wear.failed, wear.maneuver, wear.compartment, wear.absorbed, unit.crew

    @property
    def turrets(self) -> bool:
        """Whether any of its systems is in a turret."""
        return any(system.arc == "turret" for system in self.unit.machine.systems)

    @staticmethod
    def _aim(unit: Unit, at: int) -> Hashable:
        arm, lost = unit.arms[at], unit.wear.auxiliaries
        eyes = tuple([lost[place] for place in _indices_of(unit.machine, "sensors")]) if lost else ()
        limb = limb_penalty(unit) if unit.mount(at).mount == "hand-held" else 0
        return (
            at,
            arm.mode,
            arm.accuracy,
            arm.worn,
            arm.frozen,
            limb,
            eyes if any(eyes) else (),
            unit.crew,
            unit.extra,
            unit.speed,
            unit.shifting,
        )


def _systems(unit: Unit) -> Hashable:
    """Returns what is left of the systems of a machine, and which of them are identical."""
    hashables: list[Hashable] = []
    alike: dict[Hashable, int] = {}
    for at, arm in enumerate(unit.arms):
        first = alike.setdefault((unit.mount(at).name, arm), at)
        bearing = arm.bearing if unit.mount(at).arc == "turret" else 0
        hashables.append((arm.broken, arm.accuracy, arm.redundant, arm.worn, arm.switched, arm.frozen, bearing, first))
    return tuple(hashables)
