"""Accidental collisions: skids into another unit and failed jumps (book lines 4439, 4443, 4899-4907)."""

from msgspec.structs import replace

from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, divided, term, times, total
from rulewright.systems.silhouette.breakage.damage import NAMES, armor_met, severity_of
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.breakage.systems import Blow
from rulewright.systems.silhouette.gunnery.arcs import side_hit
from rulewright.systems.silhouette.gunnery.attacks import defense_pool, hexes_for_defense, maneuver_of, suffer
from rulewright.systems.silhouette.gunnery.rams import Rammed, impact_speed, ram, ram_damage, ram_multiplier
from rulewright.systems.silhouette.gunnery.scales import at_scale, scaled
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.resolution.tests import Pool, sum_of
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_RAM = "sil-5.4.3-ramming"


def contest_sums(own: Pool, theirs: Pool, rammed: Rammed) -> tuple[Reason, ...]:
    """The two rolls of a ram or a collision."""
    return sum_of("ram", own, rammed.came.actor, rule=_RAM), sum_of("defense", theirs, rammed.came.resister, "against", _RAM)


def collision_damage(rammed: Rammed, multiplier: Derived[Figure], plate: bool, name: str) -> Reason:
    """The damage to one of two machines that collide: the margin times the other's Damage Multiplier, half of it behind a ram plate."""
    terms = [term("Margin of Success", max(0, rammed.came.margin)), times("the other's Damage Multiplier", multiplier)]
    more = [divided("ram plate", 2, rule="sil-d-accessories")] if plate else []
    return total(f"damage to {name}", *terms, *more, rule=_RAM).reason


def run_into(rules: Ruleset, battle: Battle, unit: Unit, other: Unit) -> Play[Battle]:
    """Resolve a skid into another unit as a ram: Piloting against Piloting, and both take damage if they collide."""
    impact = impact_speed(max(1, unit.hexes), hexes_for_defense(rules, battle, other, False), "side")
    speed = int(impact.value)
    met = Shot(
        attacker=unit.name,
        target=other.name,
        arm=-1,
        weapon="collision",
        distance=0,
        band="point blank",
        side=side_hit(battle.field, other.spot, other.facing, unit.spot),
    )
    theirs = defense_pool(rules, battle, met) or Pool(0)
    own = pool_of(rules, unit, "piloting", maneuver_of(battle, unit))
    pairs = ((unit, other), (other, unit))
    strong, weak = [at_scale(ram_multiplier(rules, result.machine.size, speed), scaled(rules, result, two)) for result, two in pairs]
    rammed = yield from ram(rules, own, theirs, (strong.value, weak.value), by=unit.voice, against=other.voice)
    sums = (impact.reason, *contest_sums(own, theirs, rammed))
    if rammed.came.margin <= 0:
        yield from Tell(Broken(unit.name, f"slips past {other.name}", sums, "plain"))
        return battle
    sums = (*sums, collision_damage(rammed, strong, False, other.name))
    battle = battle.put((yield from _damage_by_collision(rules, other, met, rammed.to_target, by=unit, sums=sums)))
    back = replace(met, attacker=other.name, target=unit.name, side="front")
    sums = (collision_damage(rammed, weak, False, unit.name),)
    return battle.put((yield from _damage_by_collision(rules, battle.unit(unit.name), back, rammed.to_rammer, by=other, sums=sums)))


def fall_short(rules: Ruleset, battle: Battle, unit: Unit, speed: int) -> Play[Battle]:
    """Resolve a jump that falls short: a ram with a margin of 1 against an obstacle as heavy as the machine itself (ruling)."""
    dealt = ram_damage(rules, 1, ram_multiplier(rules, unit.machine.size, max(1, speed)).value)
    met = Shot(attacker=unit.name, target=unit.name, arm=-1, weapon="collision", distance=0, band="point blank", side="front")
    return battle.put((yield from _damage_by_collision(rules, unit, met, dealt.value, by=unit, sums=(dealt.reason,))))


def _damage_by_collision(rules: Ruleset, unit: Unit, met: Shot, damage: Figure, *, by: Unit, sums: tuple[Reason, ...]) -> Play[Unit]:
    """Apply a collision's damage to one machine."""
    armor = armor_met(unit.machine, unit.wear, met.side)
    severity = severity_of(damage, armor.value)
    told = (*sums, replace(term("Armor", armor), op="against"))
    yield from Tell(Broken(unit.name, f"collides: {NAMES[severity]}", told, "plain" if severity == "none" else "bad"))
    blow = Blow(heavy=severity == "heavy", margin=1, by=by.voice, to=unit.voice)
    return (yield from suffer(rules, unit, severity, damage, shot=met, blow=blow))
