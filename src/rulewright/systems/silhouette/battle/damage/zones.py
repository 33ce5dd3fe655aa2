"""Hexes under saturation fire, minefields and burning hexes (book lines 4969-4971, 5141-5149)."""

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.breakage.damage import NAMES
from rulewright.systems.silhouette.breakage.environment import (
    burns_on,
    catches,
    cross_fire,
    fire_damage_to_machine,
    ignitable,
    spreads_to,
)
from rulewright.systems.silhouette.breakage.events import Broken, Struck, Tested
from rulewright.systems.silhouette.breakage.systems import Blow
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, defense_pool, maneuver_of, suffer, told, weighed
from rulewright.systems.silhouette.gunnery.bursts import saturation_damage, under_saturation
from rulewright.systems.silhouette.gunnery.scales import at_scale, scaled
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.maneuver.terrain import cost_table, distance
from rulewright.systems.silhouette.resolution.tests import Pool, rolled
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Fire, Zone

_SATURATION, _FIRE = "sil-5.4.4-saturation-fire", "sil-5.6.2-firestarting"


ROADS = {"ground": "road", "rail": "rail"}
"""The terrain on which a movement type is faster."""


def blow_of(unit: Unit, by: str, weapon: str, damage: Figure) -> Shot:
    """A hit without an aimed attack."""
    return Shot(attacker=by, target=unit.name, arm=-1, weapon=weapon, distance=0, band="point blank", side="front", damage=damage)


def harmed(rules: Ruleset, battle: Battle, shot: Shot, damage: Figure, margin: int) -> Play[Battle]:
    """Apply damage without an attack test: against Armor, with all consequences."""
    target = battle.unit(shot.target)
    severity, _ = weighed(rules, battle, target, shot, damage)
    blow = Blow(heavy=severity == "heavy", margin=max(1, margin), by=battle.unit(shot.attacker).voice, to=target.voice)
    battle = battle.put((yield from suffer(rules, target, severity, damage, shot=shot, blow=blow)))
    for follows in FOLLOWS:
        battle = yield from follows(rules, battle, shot, margin=max(1, margin), damage=damage, severity=severity)
    return battle


def swept_by(rules: Ruleset, battle: Battle, name: str, zone: Zone, aimed: bool = False) -> Play[Battle]:
    """Resolve saturation fire on a unit in the hex: its defense must beat it."""
    unit, by = battle.unit(name), battle.unit(zone.by)
    shot = blow_of(unit, zone.by, zone.weapon, zone.damage)
    pool = defense_pool(rules, battle, shot) or Pool(0, hero=False)
    caught = yield from under_saturation(rules, pool, zone.threshold, zone.damage, unit.voice)
    dealt = at_scale(saturation_damage(zone.damage, caught.short), scaled(rules, by, unit))
    severity, met = weighed(rules, battle, unit, shot, dealt.value)
    sums = (*caught.test.sum("defense", _SATURATION), dealt.reason, *met)
    where = f", which saturates {hexes.label((int(unit.x), int(unit.y)))},"
    yield from told(
        rules,
        battle,
        Struck(
            by=by.voice if aimed else "",
            attacker=by.name,
            target=unit.voice,
            struck=name,
            weapon=zone.weapon,
            hit=caught.short > 0,
            severity=severity,
            sums=sums,
            where=where,
        ),
    )
    return (yield from harmed(rules, battle, shot, dealt.value, caught.short)) if caught.short else battle


def entered(rules: Ruleset, battle: Battle, name: str) -> Play[Battle]:
    """Apply the hazards of a hex that a unit enters: saturation fire and flames."""
    scars, unit = battle.scars, battle.unit(name)
    if unit.way in ROADS and not unit.signs.off_road and battle.field.terrain(unit.spot) != ROADS[unit.way]:
        battle = battle.put(replace(unit, signs=replace(unit.signs, off_road=True)))
    if unit.machine.has("unstable") is not None:
        cost = cost_table(rules, unit.machine, unit.way, battle.place.atmosphere)[battle.field.terrain(unit.spot)] or 0
        battle = battle.put(replace(battle.unit(name), signs=replace(battle.unit(name).signs, rough=cost > 1)))
    if scars.mines:
        battle = yield from mined(rules, battle, name)
    if not (scars.zones or scars.fires):
        return battle
    spot = unit.spot
    for zone in scars.zones:
        if zone.spot == spot and battle.unit(name).able:
            battle = yield from swept_by(rules, battle, name, zone, aimed=True)
    for fire in scars.fires:
        if fire.spot == spot and fire.intensity and battle.unit(name).able:
            battle = yield from _cross_flames(rules, battle, name, fire)
    return battle


def mined(rules: Ruleset, battle: Battle, name: str, *, lasting: bool = False) -> Play[Battle]:
    """Apply mines where a unit arrived: its defense must beat them, and the damage comes from below. Areas that last for some rounds
    hit again the units that stay in them."""
    for field in battle.scars.mines:
        unit = battle.unit(name)
        if field.side == unit.side or not unit.able or (unit.way == "air" and unit.altitude > 0) or (lasting and not field.rounds):
            continue
        if distance(battle.field, field.spot, unit.spot) > field.radius:
            continue
        shot = replace(blow_of(unit, name, field.name, field.damage), below=True)
        pool = defense_pool(rules, battle, shot) or Pool(0, hero=False)
        caught = yield from under_saturation(rules, pool, field.threshold, field.damage, unit.voice)
        severity, met = weighed(rules, battle, unit, shot, caught.damage)
        dealt = saturation_damage(field.damage, caught.short)
        sums = (*caught.test.sum("defense", _SATURATION), dealt.reason, *met)
        words = f"runs into the {field.name}: {NAMES[severity]}" if caught.short else f"crosses the {field.name} unharmed"
        yield from Tell(Broken(name, words, sums, "bad" if severity != "none" else "plain"))
        if caught.short:
            battle = yield from harmed(rules, battle, shot, caught.damage, caught.short)
    return battle


def mines_fade(battle: Battle) -> Battle:
    """Shorten persistent area attacks by a round."""
    left = tuple([replace(field, rounds=field.rounds - 1) if field.rounds else field for field in battle.scars.mines if field.rounds != 1])
    return battle if left == battle.scars.mines else replace(battle, scars=replace(battle.scars, mines=left))


def _cross_flames(rules: Ruleset, battle: Battle, name: str, fire: Fire) -> Play[Battle]:
    unit = battle.unit(name)
    crossed = yield from cross_fire(rules, pool_of(rules, unit, "piloting", maneuver_of(battle, unit)), fire.intensity, unit.voice)
    heat = crossed.intensity
    if heat and unit.machine.has("fire resistant") is not None:
        heat //= 2
    if heat and unit.machine.has("highly flammable") is not None:
        heat *= 2
    words = f"catches fire at Intensity {heat}" if heat else "crosses the flames unharmed"
    yield from Tell(Tested(unit.name, words, crossed.test, _FIRE, "bad" if heat else "plain"))
    if not heat:
        return battle
    signs = replace(unit.signs, burning=max(unit.signs.burning, heat), sticks=max(unit.signs.sticks, 1))
    return battle.change(name, signs=signs)


# --- at the end of a round -----------------------------------------------------------------------------------------------------------


def fires_burn(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the end of a round: damage burning machines, grow and spread fires, and end saturation fire."""
    for unit in battle.units:
        if unit.signs.burning and not unit.destroyed and not unit.gone:
            battle = yield from _burn_unit(rules, battle, unit.name)
    if battle.scars.fires:
        battle = yield from _grow_fires(rules, battle)
    if battle.scars.zones:
        battle = replace(battle, scars=replace(battle.scars, zones=()))
    if battle.scars.clouds:
        battle = yield from _fade_clouds(battle)
    if battle.scars.mines:
        for unit in battle.units:
            battle = yield from mined(rules, battle, unit.name, lasting=True)
        battle = mines_fade(battle)
    return battle


def _fade_clouds(battle: Battle) -> Play[Battle]:
    """Shorten smoke and illumination by a round."""
    left = tuple([replace(cloud, rounds=cloud.rounds - 1) for cloud in battle.scars.clouds if cloud.rounds > 1])
    if len(left) < len(battle.scars.clouds):
        yield from Tell(Announced("", "All smoke and flares disperse" if not left else "Some smoke or a flare disperses"))
    return replace(battle, scars=replace(battle.scars, clouds=left))


def _burn_unit(rules: Ruleset, battle: Battle, name: str) -> Play[Battle]:
    unit = battle.unit(name)
    result = yield from rolled(rules, Pool(2, hero=False), unit.voice, "fire damage")
    dealt = fire_damage_to_machine(rules, unit.signs.burning, result.total)
    severity, met = weighed(rules, battle, unit, blow_of(unit, name, "fire", dealt.value), dealt.value)
    sums = (dealt.reason, *met)
    yield from Tell(
        Struck(by="", attacker=name, target=unit.voice, struck=name, weapon="fire on it", hit=True, severity=severity, sums=sums, where="")
        if severity != "none"
        else Announced(name, "burns without damage", sums)
    )
    left = unit.signs.sticks - 1
    cooler = replace(unit.signs, sticks=max(0, left), burning=max(0, unit.signs.burning - 1) if left > 0 else 0)
    battle = battle.change(name, signs=cooler)
    return (yield from harmed(rules, battle, blow_of(unit, name, "fire", dealt.value), dealt.value, 1))


def terrain_burns(rules: Ruleset, battle: Battle, spot: Spot) -> bool:
    """Whether a hex can burn: wood, jungle, and grass if the place has any."""
    return ignitable(rules, battle.field.terrain(spot), battle.place.grassy)


def fed(rules: Ruleset, battle: Battle, spot: Spot, points: int) -> tuple[Battle, Fire]:
    """Add fire points to a hex; with enough of them it burns."""
    old = next((fire for fire in battle.scars.fires if fire.spot == spot), Fire(spot=spot))
    new = replace(old, points=old.points + points)
    if not new.intensity and catches(rules, new.points):
        new = replace(new, intensity=int(burns_on(rules, 0).value))
    others = tuple([fire for fire in battle.scars.fires if fire.spot != spot])
    return replace(battle, scars=replace(battle.scars, fires=(*others, new))), new


def _grow_fires(rules: Ruleset, battle: Battle) -> Play[Battle]:
    fires = {fire.spot: fire for fire in battle.scars.fires}
    fresh: list[Spot] = []
    for fire in battle.scars.fires:
        if not fire.intensity:
            continue
        if battle.hexes:
            fresh += [
                (float(x), float(y))
                for x, y in spreads_to(rules, (int(fire.spot[0]), int(fire.spot[1])), fire.intensity, battle.place.wind)
            ]
        fires[fire.spot] = replace(fire, intensity=int(burns_on(rules, fire.intensity).value))
    for spot in fresh:
        old = fires.get(spot, Fire(spot=spot))
        if battle.field.on_map((int(spot[0]), int(spot[1]))) and terrain_burns(rules, battle, spot) and not old.intensity:
            fires[spot] = replace(old, intensity=int(burns_on(rules, 0).value))
            yield from Tell(Announced("", f"The fire spreads to {hexes.label((int(spot[0]), int(spot[1])))}"))
    return replace(battle, scars=replace(battle.scars, fires=tuple(fires.values())))
