"""Fire at structures, and the movement bonus on roads (book lines 5182-5196)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count, the
from rulewright.play import Event, Option, Play, Scale, Tell, Verdict
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, harmless, used
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.damage.structures import damaged
from rulewright.systems.silhouette.battle.fire.modes import left_of
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.movement.movement import along_road, go
from rulewright.systems.silhouette.breakage.environment import structure_damage
from rulewright.systems.silhouette.detection.line_of_sight import blocked as ground_blocks
from rulewright.systems.silhouette.detection.sight import ground_between, height_of
from rulewright.systems.silhouette.gunnery.arcs import in_arc
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, attack_test
from rulewright.systems.silhouette.gunnery.bursts import burst_shots, largest_burst
from rulewright.systems.silhouette.gunnery.modifiers import band_of
from rulewright.systems.silhouette.gunnery.perks import damage_at
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Built

_BUILT = "sil-5.6.4-structures"
WRECKING = Scale(("miss", "hit", "rubble"), ("hit", "rubble"), "hits", "missed")


class Wrecked(Event, frozen=True):
    """Fire at a structure: the test and the damage points."""

    by: str
    attacker: str
    weapon: str
    built: str
    points: float
    down: bool
    sums: tuple[Reason, ...] = ()

    def headline(self) -> str:
        if not self.points:
            return f"{self.attacker} fires {the(self.weapon)} at {self.built} and misses"
        return f"{self.attacker} fires {the(self.weapon)} at {self.built}: {count(self.points, 'damage point')}"

    def verdict(self) -> Verdict:
        return Verdict("rubble" if self.down else "hit" if self.points else "miss", WRECKING, self.by)


class Demolish(Action):
    """Fires a system at a structure, which has no defense."""

    kind = "demolish"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.scars.built or actions_left(rules, unit) < self.costs(rules):
            return
        for built in battle.scars.built:
            if built.rubble:
                continue
            for arm in distinct(unit):
                if not harmless(unit, arm) and self._shot(rules, battle, unit, built, arm) is not None:
                    name = unit.arm_name(arm)
                    deed = Deed(kind=self.kind, arm=arm, what=built.name)
                    label = f"Fire {the(name)} at {built.name} ({count(built.capacity - built.taken, 'damage point')} left)"
                    yield Option(f"demolish {name}:{built.name}", label, deed, verb="special", target=built.name, manner=(name,))

    def _shot(self, rules: Ruleset, battle: Battle, unit: Unit, built: Built, arm: int) -> Shot | None:
        """The attack on a structure; None if arc, range or terrain forbid it."""
        version, mount = unit.version(arm), unit.mount(arm)
        far = distance(battle.field, unit.spot, built.spot)
        band = band_of(rules, far, version.ranges)
        if not band or not in_arc(battle.field, unit.spot, unit.facing, mount, target=built.spot, frozen=unit.arms[arm].frozen):
            return None
        ground = ground_between(
            rules, battle, unit.spot, built.spot, levels=(height_of(rules, battle, unit), battle.field.level(built.spot))
        )
        if ground_blocks(rules, ground).value:
            return None
        mods = (Mod("Accuracy", version.accuracy, _BUILT), Mod("damage to the system", -unit.arms[arm].accuracy, _BUILT))
        skill = "piloting" if version.melee else "gunnery"
        return Shot(
            attacker=unit.name,
            target=unit.name,
            arm=arm,
            weapon=unit.arm_name(arm),
            distance=far,
            band=band,
            side="front",
            skill=skill,
            damage=damage_at(version, band).value,
            mods=tuple([mod for mod in mods if mod.value]),
        )

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit = battle.unit(unit.name)
        built = next(candidate for candidate in battle.scars.built if candidate.name == deed.what)
        made, version = self._shot(rules, battle, unit, built, deed.arm), unit.version(deed.arm)
        assert made is not None
        missile = version.type == "missile"
        rate = largest_burst(rules, version.rate, left_of(unit, deed.arm), missile)
        battle = battle.put(used(unit, deed.arm, self.costs(rules), int(burst_shots(rules, rate, missile).value)))
        exchange = yield from attack_test(rules, attack_pool(rules, battle, made), None, unit.voice)
        if exchange.margin <= 0:
            yield from Tell(Wrecked(unit.voice, unit.name, made.weapon, built.name, 0, False, exchange.sums))
            return battle
        perks = (version.perk("anti-structure") is not None, version.perk("disintegrator") is not None)
        points = structure_damage(rules, exchange.margin, made.damage, rate, *perks)
        down = built.taken + points.value > built.capacity
        yield from Tell(Wrecked(unit.voice, unit.name, made.weapon, built.name, points.value, down, (*exchange.sums, points.reason)))
        return (yield from damaged(rules, battle, built, points.value, unit.name))


class FollowRoad(Action):
    """A ground vehicle that has kept to the road all round continues along it for half its speed more; so does a train on its rails."""

    kind = "follow road"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        here = (int(unit.x), int(unit.y))
        cost_by_hex = along_road(rules, battle, unit)
        best: dict[int, hexes.Hex] = {}
        for spot in cost_by_hex:
            if spot != here:
                side = hexes.towards(here, spot)
                if side not in best or hexes.distance(here, spot) > hexes.distance(here, best[side]):
                    best[side] = spot
        for side, spot in sorted(best.items()):
            way = hexes.DIRECTIONS[side]
            deed = Deed(kind=self.kind, spot=(float(spot[0]), float(spot[1])))
            label = f"Follow the road {way} to {hexes.label(spot)} ({cost_by_hex[spot]} MP)"
            yield Option(f"road {way}", label, deed, verb="move", manner=("road", way))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        return (yield from go(rules, battle, unit, replace(deed, what="")))
