"""The line from an attacker to a target, for any weapon: distance, line of sight and side hit; and the range band for a
system (book lines 4804-4868)."""

from typing import Any

from msgspec import Struct

from rulewright.field.field import Spot
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.detection.sight import Eye, Sign, cover_of, covers, eye_of, sees, sights_here, sign_of
from rulewright.systems.silhouette.gunnery.arcs import Side, in_arc, side_hit
from rulewright.systems.silhouette.gunnery.modifiers import BANDS, band_of
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.course_limits import apart, hidden_from, ranges_here
from rulewright.systems.silhouette.maneuver.stacking import nearest_ends
from rulewright.systems.silhouette.maneuver.terrain import between
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Line:
    """The line from an attacker to a target, computed lazily and shared by all systems of the attacker."""

    __slots__ = ("_aims", "_hidden", "_side", "attacker", "far", "field", "target")

    def __init__(self, battle: Battle, attacker: Unit, target: Unit) -> None:
        self.attacker, self.target, self.field = attacker, target, battle.field
        self.far = apart(battle, attacker, target)
        self._aims: dict[tuple[int, Version, int | None], str] = {}
        self._side: Side | None = None
        self._hidden: Any = _UNASKED

    @property
    def side(self) -> Side:
        """The side of the target that is hit."""
        if self._side is None:
            self._side = side_hit(self.field, self.target.spot, self.target.facing, self.attacker.spot)
        return self._side

    def aim(self, rules: Ruleset, battle: Battle, arm: int, *, version: Version, frozen: int | None) -> str:
        """The range band of the target for a system of the attacker; empty if it is out of range or the system does not bear on it. In
        the same hex every system bears."""
        key = (arm, version, frozen)
        band = self._aims.get(key)
        if band is None:
            unit, other = self.attacker, self.target
            band = band_here(rules, battle, unit, other, version=version, far=self.far)
            if band and not in_arc(self.field, unit.spot, unit.facing, unit.mount(arm), target=other.spot, frozen=frozen):
                band = ""
            self._aims[key] = band
        return band

    def hidden(self, rules: Ruleset, battle: Battle) -> int | None:
        """The target's Obscurement for a direct attack; None if it is not seen or no direct fire is possible."""
        if self._hidden is _UNASKED:
            self._hidden = self._obscurement(rules, battle)
        result: int | None = self._hidden
        return result

    def _obscurement(self, rules: Ruleset, battle: Battle) -> int | None:
        unit, other = self.attacker, self.target
        if unit.signs.hull_down > 1 or not sees(rules, battle, unit, other):
            return None
        hidden = hidden_from(rules, battle, unit, other)
        return cover_of(rules, battle, unit, other) if hidden is None else hidden


class Aiming(Struct, frozen=True, gc=False, cache_hash=True):
    """Everything about an attacker that its lines depend on."""

    eye: Eye
    side: str
    facing: int
    hull_down: int
    landed: bool


class AimedAt(Struct, frozen=True, gc=False, cache_hash=True):
    """Everything about a target that lines to it depend on."""

    sign: Sign
    side: str
    facing: int
    landed: bool


@cached(1024)
def _aiming(unit: Unit) -> Aiming:
    return Aiming(eye_of(unit), unit.side, unit.facing, unit.signs.hull_down, unit.course.landed)


@cached(1024)
def _aimed_at(unit: Unit) -> AimedAt:
    return AimedAt(sign_of(unit), unit.side, unit.facing, unit.course.landed)


_UNASKED = object()


def line_of(rules: Ruleset, battle: Battle, attacker: Unit, target: Unit) -> Line:
    """The line from one unit to another. By day it depends only on their positions and sensors, the terrain, the conditions and the clouds,
    and is cached by these: firing or losing Armor does not change it."""
    if attacker.shape.stretched or target.shape.stretched:
        attacker, target = _nearest_hexes(rules, battle, attacker, target)
    if battle.place.night or attacker.part is not None or target.part is not None:
        return Line(battle, attacker, target)
    lines, key = sights_here(rules, battle).lines, (_aiming(attacker), _aimed_at(target))
    result = lines.get(key)
    if result is None:
        result = lines[key] = Line(battle, attacker, target)
    return result  # type: ignore[return-value]  # only lines are stored there


def _nearest_hexes(rules: Ruleset, battle: Battle, attacker: Unit, target: Unit) -> tuple[Unit, Unit]:
    """The hexes of two units, one of them stretched, between which the line runs: the nearest pair with a line of sight, otherwise the
    nearest of all (ruling)."""
    pairs = nearest_ends(battle, attacker, target)
    return next((pair for pair in pairs if sees(rules, battle, *pair)), pairs[0])


# --- ranges --------------------------------------------------------------------------------------------------------------------------


def band_here(rules: Ruleset, battle: Battle, attacker: Unit, target: Unit, *, version: Version, far: int) -> str:
    """The range band of a target for a system: for energy weapons and designators one band farther for every hex of aerosol on the line,
    including those of attacker and target."""
    band = band_of(rules, far, ranges_here(rules, battle, attacker, target, version))
    if not band or not battle.scars.clouds or (version.type != "energy" and version.perk("target designator") is None):
        return band
    return farther(band, mist_between(battle, attacker.spot, target.spot))


@rule("sil-f-system-perks")
def farther(band: str, hexes: int = 1) -> str:
    """A range band through so many hexes of aerosol: one band farther for each; empty if there is none."""
    at = BANDS.index(band) + hexes
    return BANDS[at] if at < len(BANDS) else ""


def mist_between(battle: Battle, point: Spot, other: Spot) -> int:
    """Hexes of aerosol on a line, including its ends."""
    steps = [step[0] for step in between(battle.field, point, other)] if point != other else []
    spots = dict.fromkeys([point, *steps, other])
    mists = [cloud for cloud in battle.scars.clouds if cloud.kind == "aerosol"]
    return sum([any(covers(battle, cloud.spot, cloud.radius, spot) for cloud in mists) for spot in spots])


def in_reach(rules: Ruleset, battle: Battle, attacker: Unit, target: Unit, arm: int) -> bool:
    """Whether a target is in the arc and the range of a system, seen or not."""
    if attacker.shape.stretched or target.shape.stretched:
        attacker, target = nearest_ends(battle, attacker, target)[0]
    far = apart(battle, attacker, target)
    mount, frozen = attacker.mount(arm), attacker.arms[arm].frozen
    inside = in_arc(battle.field, attacker.spot, attacker.facing, mount, target=target.spot, frozen=frozen)
    return inside and bool(band_of(rules, far, ranges_here(rules, battle, attacker, target, attacker.version(arm))))
