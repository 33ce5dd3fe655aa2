"""Throwing loose objects (book lines 4917-4925)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright import grammar
from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.play import Event, Option, Play, Verdict
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.breakage.damage import DAMAGE
from rulewright.systems.silhouette.detection.sight import UNSEEN, cover_of, sees, tell_of
from rulewright.systems.silhouette.gunnery.arcs import side_hit
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, defense_pool, limb_penalty, struck
from rulewright.systems.silhouette.gunnery.modifiers import band_of
from rulewright.systems.silhouette.gunnery.rams import Thrown, throw, throwing_range, thrown_off
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, sum_of
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Thing

_THROW = "sil-5.4.3-punch-kick-throw"
THROWING = "throwing"
"""The purpose of a tool or battle arm that was built to throw."""


class Astray(Event, frozen=True):
    """A missed throw and where the object landed."""

    by: str
    attacker: str
    target: str
    struck: str
    thing: str
    where: str
    sums: tuple[Reason, ...] = ()

    def headline(self) -> str:
        return f"{self.attacker} throws {self.thing} at {self.struck} and misses: it lands {self.where}"

    def verdict(self) -> Verdict:
        return Verdict("miss", DAMAGE, self.by, self.target)


def arms_of(unit: Unit) -> list[Figure]:
    """The ratings of the arms that can throw, strongest first; tool and battle arms only if built for it."""
    numbers = []
    for perk in unit.machine.perks:
        able = perk.name == "manipulator arm" or (perk.name in ("tool arm", "battle arm") and perk.on == THROWING)
        if able and unit.auxiliary(perk.name) is not None:
            numbers += [perk.rating or 0] * perk.count
    return sorted(numbers, reverse=True)


class Throw(Action):
    """Throws an object from the same hex at a target within reach."""

    kind = "throw"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.scars.things or actions_left(rules, unit) < self.costs(rules):
            return
        for thing in battle.scars.things:
            base = self._base(rules, unit, thing) if thing.spot == unit.spot else None
            if base is None or base.value <= 0:
                continue
            for foe in known_foes(rules, battle, unit):
                if self._band(rules, battle, unit, foe, base) and sees(rules, battle, unit, foe):
                    label = f"Throw {thing.name} at {foe.name} (damage ×{grammar.figure(thing.damage)})"
                    deed = Deed(kind=self.kind, target=foe.name, what=thing.name)
                    yield Option(f"throw {thing.name}:{foe.name}", label, deed, verb="attack", target=foe.name, manner=(thing.name,))

    def _base(self, rules: Ruleset, unit: Unit, thing: Thing) -> Derived[Figure] | None:
        arms = arms_of(unit)
        if not arms:
            return None
        return throwing_range(rules, arms[0], thing.size, unit.machine.size, arms[1] if len(arms) > 1 else 0)

    def _band(self, rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, base: Derived[Figure]) -> str:
        """The range band of a target for a throw, in metres that double from band to band."""
        ranges = tuple([base.value * times / battle.cell for times in (1, 2, 4, 8)])
        far = distance(battle.field, unit.spot, foe.spot)
        return band_of(rules, far, ranges) if far <= ranges[-1] else ""

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit, foe = battle.unit(unit.name), battle.unit(deed.target)
        thing = next(candidate for candidate in battle.scars.things if candidate.name == deed.what)
        base = self._base(rules, unit, thing)
        assert base is not None
        made = Shot(
            attacker=unit.name,
            target=foe.name,
            arm=-1,
            weapon=thing.name,
            distance=distance(battle.field, unit.spot, foe.spot),
            band=self._band(rules, battle, unit, foe, base),
            side=side_hit(battle.field, foe.spot, foe.facing, unit.spot),
            hidden=cover_of(rules, battle, unit, foe),
            damage=thing.damage,
            mods=tuple([mod for mod in (Mod("damaged arm", limb_penalty(unit) or 0, "sil-5.5.2-extra-damage"),) if mod.value]),
        )
        battle = battle.put(replace(unit, used=unit.used + self.costs(rules)))
        own, theirs = attack_pool(rules, battle, made), defense_pool(rules, battle, made) or Pool(0)
        thrown = yield from throw(rules, own, theirs, unit.voice, foe.voice)
        sums = (sum_of("throw", own, thrown.came.actor, rule=_THROW), sum_of("defense", theirs, thrown.came.resister, "against", _THROW))
        spot = foe.spot if thrown.margin else _landing_hex(battle, foe.spot, thrown)
        battle = _with_object_at(battle, thing, spot)
        if thrown.margin:
            return (yield from struck(rules, battle, made, thrown.margin, sums))
        return (yield from self._missed(rules, battle, made, thrown, spot, sums))

    def _missed(self, rules: Ruleset, battle: Battle, made: Shot, thrown: Thrown, spot: Spot, sums: tuple[Reason, ...]) -> Play[Battle]:
        """Resolve a miss: it hits the largest unit where it lands with a margin of 1 (ruling), but nothing in the target's hex."""
        unit, foe = battle.unit(made.attacker), battle.unit(made.target)
        where = "beside it" if spot == foe.spot else f"in {hexes.label((int(spot[0]), int(spot[1])))}" if battle.hexes else "elsewhere"
        off = thrown_off(rules, -thrown.came.margin)
        way = total("direction", term(f"die: {hexes.DIRECTIONS[thrown.direction % 6]}", thrown.direction + 1), rule=_THROW)
        event = Astray(unit.voice, unit.name, foe.voice, foe.name, made.weapon, where, (*sums, off.reason, way.reason))
        yield from tell_of(rules, battle, event, unit, foe, attacker=UNSEEN, by="")
        there = [
            candidate
            for candidate in battle.units
            if candidate.spot == spot and spot != foe.spot and not candidate.destroyed and not candidate.gone
        ]
        if not there:
            return battle
        victim = max(there, key=lambda item: (item.machine.size, item.name))
        return (yield from struck(rules, battle, replace(made, target=victim.name, side="front"), 1))


def _landing_hex(battle: Battle, spot: Spot, thrown: Thrown) -> Spot:
    """The hex nearest to where a missed throw lands, measured from the middle of the target's hex."""
    for _ in range(round(thrown.off / battle.cell) if battle.hexes else 0):
        x, y = hexes.neighbour((int(spot[0]), int(spot[1])), thrown.direction)
        spot = (float(x), float(y))
    return spot


def _with_object_at(battle: Battle, thing: Thing, spot: Spot) -> Battle:
    others = tuple([candidate for candidate in battle.scars.things if candidate.name != thing.name])
    return replace(battle, scars=replace(battle.scars, things=(*others, replace(thing, spot=spot))))
