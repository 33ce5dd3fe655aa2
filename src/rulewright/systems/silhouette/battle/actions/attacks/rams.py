"""Rams: driving straight ahead into a target (book lines 4897-4907, 4937-4945)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count
from rulewright.play import Event, Option, Play, Stands, Tell, Verdict
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, term
from rulewright.systems.silhouette.battle.actions.attacks.close_combat import blow_at
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.damage.collisions import collision_damage, contest_sums
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.movement.movement import points_left, points_of
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.breakage.damage import DAMAGE, NAMES, Severity, armor_met, severity_of
from rulewright.systems.silhouette.breakage.systems import Blow
from rulewright.systems.silhouette.detection.sight import UNSEEN, sees, tell_of
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, attack_pool, defense_pool, hexes_for_defense, suffer
from rulewright.systems.silhouette.gunnery.rams import Impact, Rammed, impact_speed, ram, ram_multiplier
from rulewright.systems.silhouette.gunnery.scales import at_scale, scaled
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.maneuver.ground_paths import rig_of, step_cost
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.units.crews import actions_left, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_RAM = "sil-5.4.3-ramming"


class RamCame(Event, frozen=True):
    """A ram and the damage to both machines."""

    by: str
    attacker: str
    target: str
    struck: str
    came: Rammed
    severity: Severity
    own: Severity
    sums: tuple[Reason, ...] = ()

    def headline(self) -> str:
        if not self.came.hit:
            return f"{self.attacker} tries to ram {self.struck} and misses"
        return f"{self.attacker} rams {self.struck}: {NAMES[self.severity]} to {self.struck}, {NAMES[self.own]} to {self.attacker}"

    def tone(self) -> str:
        return "bad" if self.came.hit else "plain"

    def verdict(self) -> Verdict:
        return Verdict(NAMES[self.severity] if self.came.hit else "miss", DAMAGE, self.by, self.target)


class Ram(Action):
    """A ram of a target straight ahead. Both take damage, by the other's Size and the speed of impact."""

    kind = "ram"
    activity = "one physical attack"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.hexes or actions_left(rules, unit) < self.costs(rules) or unit.machine.build == "emplacement":
            return
        for foe in known_foes(rules, battle, unit):
            if not foe.section and self._speed(rules, battle, unit, foe) > 0:
                speed = self._impact(rules, battle, unit, foe).value
                label = f"Ram {foe.name} (at {count(speed, 'hex')} a round)"
                yield Option(
                    f"ram:{foe.name}", label, Deed(kind=self.kind, target=foe.name), verb="attack", target=foe.name, manner=("ram",)
                )

    def _cost(self, rules: Ruleset, battle: Battle, unit: Unit, foe: Unit) -> int | None:
        """Movement Points to reach a target: 0 in the same hex, otherwise those of the hex straight ahead; None if it cannot."""
        far = distance(battle.field, unit.spot, foe.spot)
        if unit.signs.prone or unit.signs.held or foe.altitude != unit.altitude or not sees(rules, battle, unit, foe):
            return None
        if far == 0:
            return 0 if unit.hexes else None  # a ram needs movement
        ahead = hexes.neighbour((int(unit.x), int(unit.y)), unit.facing)
        if far > 1 or ahead != (int(foe.x), int(foe.y)):
            return None
        rig = rig_of(rules, battle, unit)
        if unit.way in ("air", "space"):
            cost = dict(rig.costs).get(battle.field.terrain(foe.spot))
        else:
            cost = step_cost(battle.field, rig, (int(unit.x), int(unit.y)), ahead)
        return cost if cost is not None and cost <= points_left(battle, unit) else None

    def _speed(self, rules: Ruleset, battle: Battle, unit: Unit, foe: Unit) -> int:
        """Speed of impact in hexes; 0 if no ram is possible."""
        if self._cost(rules, battle, unit, foe) is None:
            return 0
        return int(self._impact(rules, battle, unit, foe).value)

    def _impact(self, rules: Ruleset, battle: Battle, unit: Unit, foe: Unit) -> Derived[int]:
        own = unit.hexes + (distance(battle.field, unit.spot, foe.spot) > 0)
        return impact_speed(own, hexes_for_defense(rules, battle, foe, False), _collision_angle(battle, unit, foe))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        cost = self._cost(rules, battle, unit, battle.unit(deed.target)) or 0
        battle = yield from announce(rules, battle, unit, cost)
        unit, foe = battle.unit(unit.name), battle.unit(deed.target)
        impact = self._impact(rules, battle, unit, foe)
        there, here = (blow_at(rules, battle, result, other, weapon="ram", damage=1) for result, other in ((unit, foe), (foe, unit)))
        begun = points_of(battle, unit) if unit.points is None else unit.points
        moved = distance(battle.field, unit.spot, foe.spot) > 0
        unit = replace(
            unit, used=unit.used + self.costs(rules), points=begun, spent=unit.spent + cost, hexes=unit.hexes + moved, moved=True
        )
        battle = battle.put(unit)
        own, theirs = attack_pool(rules, battle, there), defense_pool(rules, battle, there) or Pool(0)
        if rules.word("ram-modifiers") == "Piloting alone":
            own = pool_of(rules, unit, "piloting")
        flying = unit.way in ("air", "space")
        strong, weak = [
            at_scale(ram_multiplier(rules, result.machine.size, int(impact.value), flying), scaled(rules, result, other))
            for result, other in ((unit, foe), (foe, unit))
        ]
        plates = (_has_ram_plate(unit, "front"), _has_ram_plate(foe, there.side))
        rammed = yield from ram(rules, own, theirs, (strong.value, weak.value), plates, unit.voice, foe.voice)
        sums = (impact.reason, *contest_sums(own, theirs, rammed))
        dealt = (collision_damage(rammed, strong, plates[1], foe.name), collision_damage(rammed, weak, plates[0], unit.name))
        return (yield from self._crashed(rules, battle, there, here, rammed=rammed, sums=sums, dealt=dealt))

    def _crashed(
        self,
        rules: Ruleset,
        battle: Battle,
        there: Shot,
        here: Shot,
        *,
        rammed: Rammed,
        sums: tuple[Reason, ...],
        dealt: tuple[Reason, Reason],
    ) -> Play[Battle]:
        result: list[Severity] = []
        for shot, damage, told in ((there, rammed.to_target, dealt[0]), (here, rammed.to_rammer, dealt[1])):
            victim = battle.unit(shot.target)
            armor = armor_met(victim.machine, victim.wear, shot.side)
            result.append(severity_of(damage, armor.value) if rammed.hit else "none")
            if rammed.hit:
                sums = (*sums, told, replace(term(f"Armor of {victim.name}", armor), op="against"))
        unit, foe = battle.unit(there.attacker), battle.unit(there.target)
        event = RamCame(unit.voice, unit.name, foe.voice, foe.name, rammed, result[0], result[1], sums)
        yield from tell_of(rules, battle, event, unit, foe, attacker=UNSEEN, by="")
        if not rammed.hit:
            return battle
        for shot, damage, severity in zip((there, here), (rammed.to_target, rammed.to_rammer), result, strict=True):
            victim = battle.unit(shot.target)
            blow = Blow(heavy=severity == "heavy", margin=rammed.came.margin, by=unit.voice, to=victim.voice)
            battle = battle.put((yield from suffer(rules, victim, severity, damage, shot=shot, blow=blow)))
            for follows in FOLLOWS:
                battle = yield from follows(rules, battle, shot, margin=rammed.came.margin, damage=damage, severity=severity)
        yield from Tell(Stands(battle))
        return battle


def _collision_angle(battle: Battle, unit: Unit, foe: Unit) -> Impact:
    """How two machines collide: head-on within 60 degrees of the other's front, from behind within 60 of its rear (ruling), otherwise from
    side. In the same hex it is from the side."""
    if unit.spot == foe.spot:
        return "side"
    seen = battle.field.off_front(foe.spot, foe.facing, unit.spot)
    if seen.against(30) <= 0:
        return "head-on"
    return "rear" if seen.against(150) > 0 else "side"


def _has_ram_plate(unit: Unit, side: str) -> bool:
    """Whether a ram plate covers the side of the collision."""
    plate = unit.machine.has("ram plate")
    return plate is not None and (plate.on or "front") == side.removesuffix(" rear flank")
