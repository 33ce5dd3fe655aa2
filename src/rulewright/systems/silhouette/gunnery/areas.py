"""Attacks on an area: one roll, and everybody in it defends by themselves (book lines 4955-4957)."""

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.field.field import Spot
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, term
from rulewright.systems.silhouette.breakage.damage import Severity, armor_met, severity_of
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.breakage.systems import Blow
from rulewright.systems.silhouette.gunnery.arcs import side_hit
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, Shot, attack_pool, defense_pool, suffer, told
from rulewright.systems.silhouette.gunnery.special import area_damage, in_area
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Pool, roll_of, settled, sum_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_AREA = "sil-5.4.4-area-effect"


def area_of(version: Version) -> int | None:
    """The radius of a system's area in hexes; None where it has none."""
    perk = version.perk("area effect")
    return perk[1] if perk is not None else None


def caught(battle: Battle, spot: Spot, radius: int) -> list[Unit]:
    """Everybody in an area, friends too."""
    return [
        unit for unit in battle.units if not unit.gone and not unit.destroyed and in_area(distance(battle.field, spot, unit.spot), radius)
    ]


def area_attack(rules: Ruleset, battle: Battle, shot: Shot, radius: int, spot: Spot) -> Play[Battle]:
    """One attack roll on a place; every unit in the area holds its own defense against it, and takes the concussion at least. The last
    told is the one that was aimed at, so that the chance beside the option is that of the target."""
    attacker = battle.unit(shot.attacker)
    pool = attack_pool(rules, battle, shot)
    aim = settled(rules, pool, (yield from roll_of(rules, pool, attacker.voice, "attack on an area")))
    inside = caught(battle, spot, radius)
    for unit in sorted(inside, key=lambda each: each.name == shot.target):
        battle = yield from _struck_by(rules, battle, shot, unit.name, pool, aim, spot)
    if not any(unit.name == shot.target for unit in inside):
        yield from told(rules, battle, _told(battle, shot, shot.target, False, "none", (sum_of("attack", pool, aim, rule=_AREA),)))
    return battle


def _struck_by(rules: Ruleset, battle: Battle, shot: Shot, name: str, pool: Pool, aim: Total, spot: Spot) -> Play[Battle]:
    unit = battle.unit(name)
    source = spot if spot != unit.spot else battle.unit(shot.attacker).spot
    mine = replace(shot, target=name, side=side_hit(battle.field, unit.spot, unit.facing, source))
    defense = defense_pool(rules, battle, mine)
    sums: tuple[Reason, ...] = (sum_of("attack", pool, aim, rule=_AREA),)
    held = Total(0)
    if defense is not None:
        held = settled(rules, defense, (yield from roll_of(rules, defense, unit.voice, "defense against an area")))
        sums = (*sums, sum_of("defense", defense, held, "against", _AREA))
    return (yield from hit_in_area(rules, battle, mine, aim.total - held.total, sums, name == shot.target))


def hit_in_area(rules: Ruleset, battle: Battle, shot: Shot, margin: int, sums: tuple[Reason, ...], aimed: bool) -> Play[Battle]:
    """What an area does to one unit: the margin times the damage, or the damage once."""
    target, attacker = battle.unit(shot.target), battle.unit(shot.attacker)
    dealt = area_damage(margin, shot.damage, battle.place.atmosphere <= 0)
    armor = armor_met(target.machine, target.wear, shot.side, shot.location, shot.nature.heat)
    severity = severity_of(dealt.value, armor.value, shot.nature.piercing)
    sums = (*sums, dealt.reason, replace(term("Armor", armor), op="against"))
    yield from told(rules, battle, _told(battle, shot, target.name, True, severity, sums, aimed))
    blow = Blow(heavy=severity == "heavy", margin=max(1, margin), by=attacker.voice, to=target.voice, location=shot.location)
    battle = battle.put((yield from suffer(rules, target, severity, dealt.value, shot, blow)))
    for follows in FOLLOWS:
        battle = yield from follows(rules, battle, shot, max(1, margin), dealt.value, severity)
    return battle


def _told(battle: Battle, shot: Shot, name: str, hit: bool, severity: Severity, sums: tuple[Reason, ...], aimed: bool = True) -> Struck:
    attacker, target = battle.unit(shot.attacker), battle.unit(name)
    return Struck(
        by=attacker.voice if aimed else "",
        attacker=attacker.name,
        target=target.voice,
        struck=name,
        weapon=shot.weapon,
        hit=hit,
        severity=severity,
        sums=sums,
        where=shot.where if aimed else " in its area",
    )
