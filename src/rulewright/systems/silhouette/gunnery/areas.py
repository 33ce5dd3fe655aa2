"""Area attacks: one attack roll, and everyone in the area defends separately (book lines 4955-4957)."""

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.field.field import Spot
from rulewright.grammar import count, the
from rulewright.play import Play, Reckoned, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_down, term, times, total
from rulewright.systems.silhouette.breakage.systems import Blow
from rulewright.systems.silhouette.detection.sight import sees
from rulewright.systems.silhouette.gunnery.arcs import side_hit, signed
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, as_told, attack_pool, defense_pool, suffer, told, weighed
from rulewright.systems.silhouette.gunnery.scales import at_scale, scaled
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.gunnery.special import area_damage, in_area
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.stacking import hexes_to
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Pool, roll_of, settled, sum_of
from rulewright.systems.silhouette.units.people import BLAST, SCALE, WIELDED
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Mined

_AREA, _PERKS = "sil-5.4.4-area-effect", "sil-f-system-perks"
SPREAD = "spread"
"""The manner of firing a spread salvo."""


def area_of(version: Version) -> int | None:
    """The radius of a system's area in hexes; None if it has none."""
    perk = version.perk("area effect")
    return perk[1] if perk is not None else None


@rule(_PERKS)
def spread_damage(damage: Figure) -> Derived[int]:
    """The Damage Multiplier of a spread salvo: half, rounded down."""
    return total("Damage Multiplier", term("Damage Multiplier", damage), divided("spread salvo", 2), rounded_down(), rule=_PERKS)


def radius_of(version: Version, shot: Shot) -> int | None:
    """The radius of an attack: that of the system's area, plus one for a spread salvo (0 without an area)."""
    own = area_of(version)
    return own if shot.manner != SPREAD else 0 if own is None else own + 1


@rule(_PERKS)
def doom(damage: Figure, hexes: int) -> Derived[Figure]:
    """The Damage Multiplier of a weapon of mass destruction at so many hexes from its impact: tenfold within a quarter of the damage in
    hexes, rounded down, fivefold within half of it, its own within all of it, and none beyond."""
    if hexes > damage:
        return total("Damage Multiplier", term("out of range", 0), rule=_PERKS)
    near = times("within a quarter", 10) if hexes <= damage // 4 else times("within half", 5) if hexes <= damage / 2 else None
    return total("Damage Multiplier", term("Damage Multiplier", damage), *([near] if near is not None else []), rule=_PERKS)


def in_the_angle(battle: Battle, attacker: Unit, target: Unit, degrees: int, reach: Figure) -> list[Unit]:
    """Everyone within so many degrees around the target and within range, unless terrain hides them."""
    field, here = battle.field, attacker.spot
    middle = signed(field.off_front(here, attacker.facing, target.spot))
    result = []
    for unit in battle.units:
        if unit.gone or unit.destroyed or unit.name == attacker.name or distance(field, here, unit.spot) > reach:
            continue
        off = abs((signed(field.off_front(here, attacker.facing, unit.spot)) - middle + 180) % 360 - 180)
        if unit.spot == here or off <= degrees / 2:
            result.append(unit)
    return result


def caught(battle: Battle, spot: Spot, radius: int) -> list[Unit]:
    """Everyone in an area, friends too; a unit that occupies several hexes is in it with any of them."""
    return [unit for unit in battle.units if not unit.gone and not unit.destroyed and in_area(hexes_to(battle, spot, unit), radius)]


def mass_destruction(rules: Ruleset, battle: Battle, shot: Shot, spot: Spot) -> Play[Battle]:
    """Resolve a weapon of mass destruction: it never misses, and deals more damage the nearer a unit is."""
    return (yield from attack_on_all(rules, battle, shot, caught(battle, spot, int(shot.damage)), spot=spot, doomed=True))[0]


def wide_attack(rules: Ruleset, battle: Battle, shot: Shot, degrees: int, reach: Figure) -> Play[Battle]:
    """Resolve one roll against everyone visible in the angle; a miss has no effect."""
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    inside = [unit for unit in in_the_angle(battle, attacker, target, degrees, reach) if sees(rules, battle, attacker, unit)]
    pool = attack_pool(rules, battle, shot)
    aim = settled(rules, pool, (yield from roll_of(rules, pool, attacker.voice, "attack on an arc")))
    for unit in sorted(inside, key=lambda item: item.name == shot.target):
        battle = yield from _hit_one(rules, battle, shot, unit.name, pool=pool, aim=aim, spot=attacker.spot, concussion=False)
    return battle


def area_attack(rules: Ruleset, battle: Battle, shot: Shot, radius: int, spot: Spot) -> Play[Battle]:
    """Resolve one attack roll on a place; every unit in the area defends separately, and takes at least the concussion. The main
    target is told last, so that the chance beside the option is that of the target."""
    battle, aim = yield from attack_on_all(rules, battle, shot, caught(battle, spot, radius), spot=spot)
    version = battle.unit(shot.attacker).version(shot.arm)
    if version.perk("persistent") is None or aim.total <= 0:
        return battle
    field = Mined(name=shot.weapon, spot=spot, threshold=aim.total, damage=shot.damage, radius=radius, rounds=aim.total)
    weapon = the(shot.weapon)
    lasts = f"stays active there for {count(aim.total, 'round')}, Threshold {aim.total}"
    yield from Tell(
        Reckoned(f"{weapon[0].upper()}{weapon[1:]}", lasts, sums=(sum_of("attack", attack_pool(rules, battle, shot), aim, rule=_AREA),))
    )
    return replace(battle, scars=replace(battle.scars, mines=(*battle.scars.mines, field)))


def attack_on_all(
    rules: Ruleset, battle: Battle, shot: Shot, inside: list[Unit], *, spot: Spot, doomed: bool = False
) -> Play[tuple[Battle, Total]]:
    """Resolve one attack roll against everyone of a list; `doomed`: the damage depends on the distance from the impact."""
    attacker = battle.unit(shot.attacker)
    pool = attack_pool(rules, battle, shot)
    aim = settled(rules, pool, (yield from roll_of(rules, pool, attacker.voice, "attack on an area")))
    version = attacker.version(shot.arm)
    near, thrown = version.perk(BLAST), version.perk(WIELDED) is not None
    for unit in sorted(inside, key=lambda item: item.name == shot.target):
        mine = shot
        if near is not None and hexes_to(battle, spot, unit) <= int(near[2]):
            mine = replace(shot, damage=shot.damage + near[1] / SCALE)
        if doomed:
            mine = replace(shot, damage=doom(shot.damage, hexes_to(battle, spot, unit)).value)
        battle = yield from _hit_one(rules, battle, mine, unit.name, pool=pool, aim=aim, spot=spot, concussion=not thrown)
    if not any(unit.name == shot.target for unit in inside):
        yield from told(rules, battle, as_told(battle, shot, False, sums=(sum_of("attack", pool, aim, rule=_AREA),)))
    return battle, aim


def _hit_one(
    rules: Ruleset, battle: Battle, shot: Shot, name: str, *, pool: Pool, aim: Total, spot: Spot, concussion: bool = True
) -> Play[Battle]:
    unit = battle.unit(name)
    source = spot if spot != unit.spot else battle.unit(shot.attacker).spot
    mine = replace(
        shot,
        target=name,
        side=side_hit(battle.field, unit.spot, unit.facing, source),
        scaled=scaled(rules, battle.unit(shot.attacker), unit),
    )
    defense = defense_pool(rules, battle, mine)
    sums: tuple[Reason, ...] = (sum_of("attack", pool, aim, rule=_AREA),)
    result = Total(0)
    if defense is not None:
        result = settled(rules, defense, (yield from roll_of(rules, defense, unit.voice, "defense against an area")))
        sums = (*sums, sum_of("defense", defense, result, "against", _AREA))
    margin = aim.total - result.total
    if not concussion and margin <= 0:
        yield from told(rules, battle, as_told(battle, mine, False, sums=sums, aimed=name == shot.target))
        return battle
    return (yield from hit_in_area(rules, battle, mine, margin, sums=sums, aimed=name == shot.target))


def hit_in_area(rules: Ruleset, battle: Battle, shot: Shot, margin: int, *, sums: tuple[Reason, ...], aimed: bool) -> Play[Battle]:
    """Apply an area's effect to one unit: the margin times the damage, or the damage once."""
    target, attacker = battle.unit(shot.target), battle.unit(shot.attacker)
    dealt = at_scale(area_damage(margin, shot.damage, battle.place.atmosphere <= 0), shot.scaled)
    severity, met = weighed(rules, battle, target, shot, dealt.value)
    sums = (*sums, dealt.reason, *met)
    yield from told(rules, battle, as_told(battle, shot, True, severity=severity, sums=sums, aimed=aimed))
    blow = Blow(heavy=severity == "heavy", margin=max(1, margin), by=attacker.voice, to=target.voice, location=shot.location)
    battle = battle.put((yield from suffer(rules, target, severity, dealt.value, shot=shot, blow=blow)))
    for follows in FOLLOWS:
        battle = yield from follows(rules, battle, shot, margin=max(1, margin), damage=dealt.value, severity=severity)
    return battle
