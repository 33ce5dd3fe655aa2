"""Walking fire and indirect fire (book lines 4965-4991)."""

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.grammar import count, the
from rulewright.play import Event, Option, Play, Tell, Verdict
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, harmless, used
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.fire.decoys import echo_of, hears_battery
from rulewright.systems.silhouette.battle.fire.modes import discharge, in_manner, left_of
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.breakage.damage import DAMAGE
from rulewright.systems.silhouette.detection.sight import cover_of, lay, look
from rulewright.systems.silhouette.gunnery.areas import area_attack, area_of
from rulewright.systems.silhouette.gunnery.attacks import attack, pointed, shot
from rulewright.systems.silhouette.gunnery.bursts import (
    burst_damage,
    burst_shots,
    largest_burst,
    walked_over,
    walking_rate,
)
from rulewright.systems.silhouette.gunnery.lines import in_reach
from rulewright.systems.silhouette.gunnery.perks import damage_at, is_tagged
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.gunnery.special import Spotting, deviate, indirect_allowed, indirect_gravity, indirect_obscurement
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

NEAREST = 4
"""How many of the nearest enemies walking fire and saturation fire consider."""


def nearest(battle: Battle, unit: Unit, foes: list[Unit]) -> list[Unit]:
    return sorted(foes, key=lambda foe: (battle.field.distance(unit.spot, foe.spot), foe.name))[:NEAREST]


def _hex(spot: Spot) -> hexes.Hex:
    return int(spot[0]), int(spot[1])


class WalkFire(Action):
    """Walking fire: one burst over neighbouring hexes from one target to another. It takes one action; each target is rolled separately."""

    kind = "walk fire"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.hexes or actions_left(rules, unit) < self.costs(rules):
            return
        foes = nearest(battle, unit, known_foes(rules, battle, unit))
        for arm in distinct(unit):
            most = largest_burst(rules, unit.version(arm).rate, left_of(unit, arm), unit.version(arm).type == "missile")
            if most < 1 or harmless(unit, arm):
                continue
            reached = [foe for foe in foes if shot(rules, battle, unit, foe, arm) is not None]
            for result, other in combinations(reached, 2):
                if self._hexes_of_burst(rules, battle, unit, arm, most, result, other):
                    name = unit.arm_name(arm)
                    deed = Deed(kind=self.kind, arm=arm, target=result.name, what=other.name, number=most)
                    label = f"Walk a burst of {the(name)} from {result.name} to {other.name}"
                    yield Option(
                        f"walk {name}:{result.name}+{other.name}",
                        label,
                        deed,
                        verb="attack",
                        target=result.name,
                        manner=(name, "walking fire"),
                    )

    def _hexes_of_burst(
        self, rules: Ruleset, battle: Battle, unit: Unit, arm: int, rate: int, item: Unit, other: Unit
    ) -> tuple[hexes.Hex, ...]:
        """The hexes of such a burst; empty if it cannot reach them or either target was already hit by one."""
        start, end = _hex(item.spot), _hex(other.spot)
        fresh = not any(f"{arm}/{candidate.name}" in unit.signs.swept for candidate in (item, other))
        if not fresh or hexes.distance(start, end) > rate:
            return ()
        if any(shot(rules, battle, unit, candidate, arm) is None for candidate in (item, other)):
            return ()
        return walked_over(start, end, tuple([step[0] for step in battle.field.line(start, end)]))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit = battle.unit(unit.name)
        way = self._hexes_of_burst(rules, battle, unit, deed.arm, deed.number, battle.unit(deed.target), battle.unit(deed.what))
        version = unit.version(deed.arm)
        targets = [foe for spot in way for foe in battle.foes(unit) if _hex(foe.spot) == spot][: deed.number + 1]
        over = max(len(way), len(targets))
        rate = walking_rate(rules, deed.number, min(over, deed.number + 1))
        swept = tuple([f"{deed.arm}/{candidate.name}" for candidate in targets])
        unit = used(unit, deed.arm, self.costs(rules), int(burst_shots(rules, deed.number, version.type == "missile").value))
        battle = battle.put(replace(unit, signs=replace(unit.signs, swept=(*unit.signs.swept, *swept))))
        words = f"walks a burst of {the(unit.arm_name(deed.arm))} over {count(len(way), 'hex')}"
        yield from Tell(Announced(unit.name, words, (rate.reason,)))
        for candidate in targets:
            result = shot(rules, battle, battle.unit(unit.name), battle.unit(candidate.name), deed.arm)
            if result is not None and battle.unit(candidate.name).able:
                damage = burst_damage(rules, damage_at(version, result.band).value, rate.value).value
                battle = yield from attack(rules, battle, replace(result, damage=damage, rate=rate.value))
        return battle


# --- indirect fire -------------------------------------------------------------------------------------------------------------------


def spotting(rules: Ruleset, battle: Battle, unit: Unit, target: Unit, guided: bool) -> tuple[Spotting, str, int]:
    """The spotter of a target for a gun (forward observer, own sensors, target designator or nobody), and the resulting Obscurement."""
    for friend in battle.friends(unit):
        if target.name in friend.signs.observes and friend.able:
            return "observer", friend.name, cover_of(rules, battle, friend, target)
    in_hex = lay(rules, battle, unit, target).target.obscurement
    if look(rules, battle, unit, target).by or (guided and is_tagged(unit, target)):
        return "sensors", "", in_hex
    return "blind", "", 0


class Indirect(Action):
    """Indirect fire over an obstacle: with an observer, by one's own sensors, or blind."""

    kind = "indirect"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for arm in distinct(unit):
            version = unit.version(arm)
            flying = unit.way == "air" and unit.altitude > 0
            if indirect_allowed(version.perk("indirect fire") is not None, flying, unit.way == "space") or harmless(unit, arm):
                continue
            for foe in known_foes(rules, battle, unit):
                if not in_reach(rules, battle, unit, foe, arm):
                    continue
                how, who, _ = spotting(rules, battle, unit, foe, version.perk("guided") is not None)
                words = {"observer": f"observed by {who}", "sensors": "by own sensors", "blind": "blind"}[how]
                name = unit.arm_name(arm)
                deed = Deed(kind=self.kind, arm=arm, target=foe.name, what=how)
                label = f"Fire {the(name)} indirectly at {foe.name} ({words})"
                yield Option(f"indirect {name}:{foe.name}", label, deed, verb="attack", target=foe.name, manner=(name, "indirect"))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit, target = battle.unit(unit.name), battle.unit(deed.target)
        how, _, observed = spotting(rules, battle, unit, target, unit.version(deed.arm).perk("guided") is not None)
        hidden = indirect_obscurement(how, observed, observed)
        result = shot(rules, battle, unit, target, deed.arm, hidden=int(hidden.value))
        if result is None:
            return battle.put(used(unit, deed.arm, self.costs(rules)))
        result = replace(result, mods=tuple([mod for mod in (*result.mods, indirect_gravity(rules, battle.place.gravity)) if mod.value]))
        result, shots = yield from in_manner(rules, battle, unit, replace(result, where=" indirectly"))
        battle = battle.put(used(battle.unit(unit.name), deed.arm, self.costs(rules), shots))
        battle = battle.put(pointed(battle, battle.unit(unit.name), deed.arm, target.spot))
        battle = yield from hears_battery(rules, battle, battle.unit(unit.name), target.spot)
        astray = yield from echo_of(rules, battle, unit, target)
        if how != "blind" and not astray:
            return (yield from discharge(rules, battle, result))
        return (yield from self._deviates(rules, battle, unit, result, target.spot, astray))

    def _deviates(self, rules: Ruleset, battle: Battle, unit: Unit, item: Shot, spot: Spot, echo: int = 0) -> Play[Battle]:
        """Resolve a shot fired blind or at an echo: it deviates and hits any unit where it lands."""
        astray = yield from deviate(rules, unit.voice)
        astray = replace(astray, hexes=echo) if echo else astray
        for _ in range(astray.hexes if battle.hexes else 0):
            spot = tuple(map(float, hexes.neighbour(_hex(spot), astray.direction)))  # type: ignore[assignment]  # two of them
        if astray.hexes:
            where = hexes.label(_hex(spot)) if battle.hexes else "elsewhere"
            off = f"{count(astray.hexes, 'hex')} off, in {where}"
            yield from Tell(Announced(unit.name, f"fires blind: the shot lands {off}", astray.sums(astray.hexes)))
        else:
            yield from Tell(Announced(unit.name, "fires blind: the shot does not deviate", astray.sums()))
        radius = area_of(unit.version(item.arm))
        if radius is not None:
            return (yield from area_attack(rules, battle, item, radius, spot))
        there = [entry for entry in battle.units if entry.spot == spot and not entry.destroyed and not entry.gone]
        if not there:
            yield from Tell(Missed(unit.voice, unit.name, item.weapon, battle.unit(item.target).voice))
            return battle
        for candidate in there:
            battle = yield from attack(rules, battle, replace(item, target=candidate.name))
        return battle


class Missed(Event, frozen=True):
    """A blind shot that landed in an empty hex."""

    by: str
    name: str
    weapon: str
    target: str

    def headline(self) -> str:
        return f"{self.name} hits nothing with {the(self.weapon)}"

    def verdict(self) -> Verdict:
        return Verdict("miss", DAMAGE, self.by, self.target)
