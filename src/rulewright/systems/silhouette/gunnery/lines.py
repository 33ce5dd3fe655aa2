"""The line from an attacker to a target, for any weapon: distance, line of sight and side hit; and the range band for a
system (book lines 4804-4868)."""

from typing import Any

from rulewright.field.field import Spot
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.detection.sight import cover_of, covers, sees, sees_by_day
from rulewright.systems.silhouette.gunnery.arcs import Side, in_arc, side_hit
from rulewright.systems.silhouette.gunnery.modifiers import BANDS, band_of
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.course_limits import apart, hidden_from, ranges_here
from rulewright.systems.silhouette.maneuver.stacking import nearest_ends
from rulewright.systems.silhouette.maneuver.terrain import between
from rulewright.systems.silhouette.units.levelled_units import standing
from rulewright.systems.silhouette.units.state import Battle, Site, Surroundings
from rulewright.systems.silhouette.units.units import Unit


class Line:
    """The line from an attacker to a target, computed lazily and shared by all systems of the attacker."""

    __slots__ = ("_aims", "_hidden", "_side", "attacker", "battle", "far", "field", "rules", "target")

    def __init__(self, rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit) -> None:
        self.rules, self.battle, self.attacker, self.target, self.field = rules, battle, attacker, target, battle.field
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

    def aim(self, arm: int, version: Version, frozen: int | None) -> str:
        """The range band of the target for a system of the attacker; empty if it is out of range or the system does not bear on it. In
        the same hex every system bears."""
        key = (arm, version, frozen)
        band = self._aims.get(key)
        if band is None:
            unit, other = self.attacker, self.target
            band = band_here(self.rules, self.battle, unit, other, version=version, far=self.far)
            if band and not in_arc(self.field, unit.spot, unit.facing, unit.mount(arm), target=other.spot, frozen=frozen):
                band = ""
            self._aims[key] = band
        return band

    def hidden(self) -> int | None:
        """The target's Obscurement for a direct attack; None if it is not seen or no direct fire is possible."""
        if self._hidden is _UNASKED:
            self._hidden = self._obscurement()
        result: int | None = self._hidden
        return result

    def _obscurement(self) -> int | None:
        rules, battle, unit, other = self.rules, self.battle, self.attacker, self.target
        if unit.signs.hull_down > 1:
            return None
        if not (sees(rules, battle, unit, other) if isinstance(battle, Battle) else sees_by_day(rules, battle, unit, other)):
            return None
        hidden = hidden_from(rules, battle, unit, other)
        return cover_of(rules, battle, unit, other) if hidden is None else hidden


_UNASKED = object()


def line_of(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit) -> Line:
    """The line from one unit to another. By day it is cached: firing or losing Armor does not change it. By night the lights of others
    matter, and to a section its hull."""
    if isinstance(battle, Battle):
        if attacker.shape.stretched or target.shape.stretched:
            attacker, target = _nearest_hexes(rules, battle, attacker, target)
        if battle.place.night or attacker.part is not None or target.part is not None:
            return Line(rules, battle, attacker, target)
        battle = battle.site
    return _line(rules, battle, standing(attacker), standing(target))


@cached(4_000)
def _line(rules: Ruleset, site: Site, attacker: Unit, target: Unit) -> Line:
    return Line(rules, site, attacker, target)


def _nearest_hexes(rules: Ruleset, battle: Battle, attacker: Unit, target: Unit) -> tuple[Unit, Unit]:
    """The hexes of two units, one of them stretched, between which the line runs: the nearest pair with a line of sight, otherwise the
    nearest of all (ruling)."""
    pairs = nearest_ends(battle, attacker, target)
    return next((pair for pair in pairs if sees(rules, battle, *pair)), pairs[0])


# --- ranges --------------------------------------------------------------------------------------------------------------------------


def band_here(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, *, version: Version, far: int) -> str:
    """The range band of a target for a system: for energy weapons and designators one band farther for every hex of aerosol on the line,
    including those of attacker and target."""
    band = band_of(rules, far, ranges_here(rules, battle, attacker, target, version))
    if not band or not battle.clouds or (version.type != "energy" and version.perk("target designator") is None):
        return band
    return farther(band, mist_between(battle, attacker.spot, target.spot))


@rule("sil-f-system-perks")
def farther(band: str, hexes: int = 1) -> str:
    """A range band through so many hexes of aerosol: one band farther for each; empty if there is none."""
    at = BANDS.index(band) + hexes
    return BANDS[at] if at < len(BANDS) else ""


def mist_between(battle: Surroundings, point: Spot, other: Spot) -> int:
    """Hexes of aerosol on a line, including its ends."""
    steps = [step[0] for step in between(battle.field, point, other)] if point != other else []
    spots = dict.fromkeys([point, *steps, other])
    mists = [cloud for cloud in battle.clouds if cloud.kind == "aerosol"]
    return sum([any(covers(battle, cloud.spot, cloud.radius, spot) for cloud in mists) for spot in spots])


def in_reach(rules: Ruleset, battle: Battle, attacker: Unit, target: Unit, arm: int) -> bool:
    """Whether a target is in the arc and the range of a system, seen or not."""
    if attacker.shape.stretched or target.shape.stretched:
        attacker, target = nearest_ends(battle, attacker, target)[0]
    far = apart(battle, attacker, target)
    mount, frozen = attacker.mount(arm), attacker.arms[arm].frozen
    inside = in_arc(battle.field, attacker.spot, attacker.facing, mount, target=target.spot, frozen=frozen)
    return inside and bool(band_of(rules, far, ranges_here(rules, battle, attacker, target, attacker.version(arm))))
