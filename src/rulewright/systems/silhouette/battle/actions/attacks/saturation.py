"""Saturation fire: a hex under fire for the rest of the round (book lines 4969-4971)."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.field.pathfinding import hex_outlines
from rulewright.field.places import Band, written
from rulewright.grammar import count, the
from rulewright.play import Choice, Event, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.attacks.heavy_fire import nearest
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, harmless, used
from rulewright.systems.silhouette.battle.actions.base import About, Action, Deed
from rulewright.systems.silhouette.battle.damage.zones import swept_by
from rulewright.systems.silhouette.battle.fire.modes import left_of
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.detection.line_of_sight import blocked as hidden_by
from rulewright.systems.silhouette.detection.line_of_sight import obscurement
from rulewright.systems.silhouette.detection.sight import lay, walled
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, blocked, nature_of, shot, system_mods
from rulewright.systems.silhouette.gunnery.bursts import saturate, saturated_pool, saturation_shots
from rulewright.systems.silhouette.gunnery.lines import band_here, in_reach
from rulewright.systems.silhouette.gunnery.perks import damage_at
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.maneuver.course_limits import apart
from rulewright.systems.silhouette.resolution.tests import sum_of
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import STILL, Zone

MEDIUM = 1
"""Index of medium range among a system's ranges."""
SUGGESTED = 6
"""How many hexes without a known enemy are suggested."""
LEAST_MISSILES, LEAST_SHOTS = 4, 10


class Saturated(Event, frozen=True):
    """Saturation fire on a hex: the Threshold that defenders must beat, and the worst immediate result for an enemy."""

    by: str
    name: str
    weapon: str
    where: str
    threshold: int
    sums: tuple[Reason, ...]

    def headline(self) -> str:
        return f"{self.name} saturates {self.where} with {the(self.weapon)}: defenders there must beat {self.threshold}"


def _hex(spot: Spot) -> hexes.Hex:
    return int(spot[0]), int(spot[1])


def hex_shot(rules: Ruleset, battle: Battle, unit: Unit, arm: int, spot: hexes.Hex) -> Shot | None:
    """The attack of a unit on a hex, occupied or empty; None if arc, medium range, sight or the system forbid it."""
    if not battle.field.on_map(spot) or spot == _hex(unit.spot) or unit.signs.hull_down > 1 or blocked(unit, arm):
        return None
    version = unit.version(arm)
    there = replace(unit, name="", x=float(spot[0]), y=float(spot[1]), altitude=0, signs=STILL)
    far = apart(battle, unit, there)
    if far > version.ranges[MEDIUM] or not in_reach(rules, battle, unit, there, arm) or walled(rules, battle, unit, there):
        return None
    ground = lay(rules, battle, unit, there)
    if hidden_by(rules, ground).value:
        return None
    band = band_here(rules, battle, unit, there, version=version, far=far)
    return Shot(
        attacker=unit.name,
        target="",
        arm=arm,
        weapon=version.name,
        distance=far,
        band=band,
        side="front",
        hidden=int(obscurement(rules, ground).value),
        damage=version.damage,
        nature=nature_of(version),
        mods=system_mods(unit, arm, band),
    )


class AnyHex(Struct, frozen=True, eq=False):
    """Any hex that a system can saturate, written `@7,12`."""

    rules: Ruleset
    battle: Battle
    unit: str
    arm: int

    @property
    def mark(self) -> str:
        """A short key of the area."""
        unit = self.battle.unit(self.unit)
        ground = self.battle.field.mark
        return f"{ground} fire {self.arm} from {unit.x:g},{unit.y:g}/{unit.facing}" if ground else ""

    def take(self, given: str) -> Spot:
        """The hex; an error if the system cannot saturate it."""
        _, spots, _ = written(given)
        unit, spot = self.battle.unit(self.unit), spots[-1]
        if spot[0] % 1 or spot[1] % 1:
            raise UserError(f"a hex has a whole column and row number, not {spot[0]:g}, {spot[1]:g}")
        if hex_shot(self.rules, self.battle, unit, self.arm, _hex(spot)) is None:
            name, most = the(unit.arm_name(self.arm)), unit.version(self.arm).ranges[MEDIUM]
            raise UserError(
                f"{name} cannot saturate {hexes.label(_hex(spot))}: the hex must be in its arc, in sight, not its own, "
                f"and within medium range ({count(int(most), 'hex')})"
            )
        return float(spot[0]), float(spot[1])

    def label(self, given: str) -> str:
        """The hex in words, for the log."""
        return f"Saturate {hexes.label(_hex(self.take(given)))}"

    def tells(self, given: str) -> tuple[str, ...]:
        """How far away the hex is."""
        unit, spot = self.battle.unit(self.unit), self.take(given)
        return (f"{count(hexes.distance(_hex(unit.spot), _hex(spot)), 'hex')} away",)

    def paces_by_reach(self) -> tuple[str, ...]:
        """There is one way to fire at a hex."""
        return ("",)

    def bands(self) -> tuple[Band, ...]:
        """Every hex that the system can saturate, for drawing."""
        unit = self.battle.unit(self.unit)
        most = int(unit.version(self.arm).ranges[MEDIUM])
        near = {_hex(unit.spot)}
        for _ in range(most):
            near |= {spot for at in near for spot in hexes.neighbours(at)}
        area = {spot for spot in near if hex_shot(self.rules, self.battle, unit, self.arm, spot) is not None}
        return (Band("", "saturation fire", float(most), hex_outlines(area), "hexes"),)


class Saturate(Action):
    """Saturation fire: puts a hex within medium range under fire for the rest of the round."""

    kind = "saturate"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.hexes or actions_left(rules, unit) < self.costs(rules):
            return
        foes = nearest(battle, unit, known_foes(rules, battle, unit))
        for arm in distinct(unit):
            rate = self._saturation_rate(rules, unit, arm)
            if rate < 1 or harmless(unit, arm):
                continue
            name = unit.arm_name(arm)
            for spot in dict.fromkeys([foe.spot for foe in foes]):
                target = next(foe for foe in foes if foe.spot == spot)
                result = shot(rules, battle, unit, target, arm)
                if result is not None and result.distance <= unit.version(arm).ranges[MEDIUM]:
                    where = hexes.label(_hex(spot))
                    deed = Deed(kind=self.kind, arm=arm, target=target.name, spot=spot, number=rate)
                    label = f"Saturate {where} with {the(name)} ({target.name} is there)"
                    yield Option(
                        f"saturate {name}:{where}", label, deed, verb="special", target=target.name, manner=(name, "saturation fire")
                    )
            if next(self._suggested(rules, battle, unit, arm), None) is not None:
                deed = Deed(kind=self.kind, arm=arm, number=rate)
                label = f"Saturate any hex with {the(name)}"
                yield Option(f"saturate {name}", label, deed, verb="special", manner=(name, "saturation fire", "any hex"))

    def _saturation_rate(self, rules: Ruleset, unit: Unit, arm: int) -> int:
        """The rate of fire that a system can put on a hex: all of it, while at least the minimum is left."""
        version, left = unit.version(arm), left_of(unit, arm)
        if version.rate < 1 or len(version.ranges) <= MEDIUM:
            return 0
        least = LEAST_MISSILES if version.type == "missile" else LEAST_SHOTS
        return version.rate if left is None or left >= least else 0

    def _suggested(self, rules: Ruleset, battle: Battle, unit: Unit, arm: int) -> Iterator[hexes.Hex]:
        """Hexes around known enemies, then the nearest around the unit itself."""
        foes = nearest(battle, unit, known_foes(rules, battle, unit))
        taken = {_hex(foe.spot) for foe in foes} | {_hex(unit.spot)}
        around = [spot for at in (*[_hex(foe.spot) for foe in foes], _hex(unit.spot)) for spot in hexes.neighbours(at)]
        for spot in dict.fromkeys(around):
            if spot not in taken and hex_shot(rules, battle, unit, arm, spot) is not None:
                yield spot

    def _ask_hex(self, rules: Ruleset, battle: Battle, unit: Unit, arm: int) -> Play[Spot]:
        """Asks for a hex: one of a few suggested ones or any other."""
        few = [spot for _, spot in zip(range(SUGGESTED), self._suggested(rules, battle, unit, arm), strict=False)]
        options = tuple([Option(f"hex {hexes.label(spot)}", f"Hex {hexes.label(spot)}", (float(spot[0]), float(spot[1]))) for spot in few])
        where = AnyHex(rules, battle, unit.name, arm)
        return (yield from Choice(unit.voice, "Which hex?", options, About(rules, battle, unit.name), "hex", where=where))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit = battle.unit(unit.name)
        spot = deed.spot
        if spot is None:
            spot = yield from self._ask_hex(rules, battle, unit, deed.arm)
            result = hex_shot(rules, battle, unit, deed.arm, _hex(spot))
        else:
            result = shot(rules, battle, unit, battle.unit(deed.target), deed.arm)
        version = unit.version(deed.arm)
        shots = saturation_shots(rules, deed.number, version.type == "missile", left_of(unit, deed.arm))
        battle = battle.put(used(unit, deed.arm, self.costs(rules), int(shots.value)))
        if result is None:
            return battle
        pool = attack_pool(rules, battle, result)
        outcome = yield from saturate(rules, pool, deed.number, unit.voice)
        damage = damage_at(version, result.band).value
        zone = Zone(by=unit.name, spot=spot, threshold=outcome.total, damage=damage, weapon=unit.arm_name(deed.arm))
        battle = replace(battle, scars=replace(battle.scars, zones=(*battle.scars.zones, zone)))
        total = sum_of("saturation fire", saturated_pool(pool, deed.number), outcome, rule="sil-5.4.4-saturation-fire")
        yield from Tell(Saturated(unit.voice, unit.name, zone.weapon, hexes.label(_hex(spot)), outcome.total, (total, shots.reason)))
        inside = [item for item in battle.units if item.spot == spot and not item.destroyed and not item.gone]
        for candidate in sorted(inside, key=lambda item: item.name == deed.target):
            battle = yield from swept_by(rules, battle, candidate.name, zone, aimed=candidate.name == deed.target)
        return battle
