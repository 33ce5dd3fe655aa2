"""Consequences of a hit besides systems damage: falls, flooding, haywire, lost searchlights (book lines 5081, 5218-5222)."""

from msgspec.structs import replace

from rulewright.field.ground import Region
from rulewright.grammar import count, the
from rulewright.play import Play, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, less, rounded_down, term, total
from rulewright.systems.silhouette.battle.damage.zones import blow_of, harmed
from rulewright.systems.silhouette.breakage.damage import PLAIN, Severity, damage_of
from rulewright.systems.silhouette.breakage.environment import knockdown
from rulewright.systems.silhouette.breakage.escapes import drawn_down, flooding, makes_dust
from rulewright.systems.silhouette.breakage.events import Broken, Tested
from rulewright.systems.silhouette.breakage.systems import Blow, lose_armor, systems_damage
from rulewright.systems.silhouette.breakage.wrecks import overkilled
from rulewright.systems.silhouette.gunnery.areas import area_of
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, maneuver_of
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.gunnery.special import hits_tiny
from rulewright.systems.silhouette.harm.damage import health_test_pool
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import DIE, action_test, passes, succeeds
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.people import is_person
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

AQUATIC = ("naval", "submarine")
_PERKS = "sil-f-system-perks"
OVERTURNS = 6
"""The die on which a pushed machine other than a walker overturns."""


def version_of(battle: Battle, shot: Shot) -> Version | None:
    """The weapon version that caused a hit; None for fists, rams and fires."""
    return battle.unit(shot.attacker).version(shot.arm) if shot.arm >= 0 else None


def floods(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A vessel that takes Heavy Damage may flood."""
    unit = battle.unit(shot.target)
    if severity != "heavy" or unit.destroyed or unit.way not in AQUATIC:
        return battle
    rounds = yield from sub(flooding, rules, unit.voice, unit.name)
    if rounds is None:
        return battle
    return battle.change(unit.name, signs=replace(unit.signs, floods=(*unit.signs.floods, rounds)))


def falls(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """Check whether a walker falls after a hard hit, if the campaign uses that rule."""
    unit = battle.unit(shot.target)
    if not rules.on("walker-knockdown") or unit.way != "walker" or unit.destroyed or unit.signs.prone or not unit.able:
        return battle
    pool = pool_of(rules, unit, "piloting", maneuver_of(battle, unit))
    fallen = yield from knockdown(rules, pool, damage, unit.machine.size, margin, unit.voice)
    if fallen.test is None:
        return battle
    words = "falls" if fallen.fell else "stays on its feet"
    yield from Tell(Tested(unit.name, words, fallen.test, "sil-5.6.6-knockdown", "bad" if fallen.fell else "plain"))
    if not fallen.fell:
        return battle
    unit = replace(unit, signs=replace(unit.signs, prone=True))
    if fallen.harmed:
        unit = yield from lose_armor(rules, unit, "light", PLAIN)
        unit = yield from sub(systems_damage, rules, unit, Blow(heavy=False, by=battle.unit(shot.attacker).voice, to=unit.voice))
    return battle.put(unit)


def lamp_goes_out(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A called shot with a margin of 3 destroys a searchlight."""
    unit = battle.unit(shot.target)
    if shot.tiny != "searchlight" or not hits_tiny(rules, margin):
        return battle
    yield from Tell(Broken(unit.name, "its searchlight goes out"))
    return battle.change(unit.name, signs=replace(unit.signs, searchlight=False))


def circuits_burn(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """Haywire weapons roll once more for systems damage, twice more against vulnerable machines; resistant ones ignore it at Light and
    take it as Light at Heavy Damage."""
    version, unit = version_of(battle, shot), battle.unit(shot.target)
    if version is None or version.perk("haywire") is None or severity not in ("light", "heavy") or unit.destroyed or is_person(unit):
        return battle
    heavy = severity == "heavy"
    if unit.machine.has("haywire resistant") is not None:
        if not heavy:
            return battle
        heavy = False
    rolls = 2 if unit.machine.has("vulnerable to haywire") is not None else 1
    by = battle.unit(shot.attacker).voice
    for _ in range(rolls):
        yield from Tell(Broken(unit.name, "the discharge hits its circuits"))
        unit = yield from sub(systems_damage, rules, unit, Blow(heavy=heavy, margin=margin, by=by, to=unit.voice))
    return battle.put(unit)


def is_pushed(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """Knockback: Piloting against damage and margin, by the difference to the Size; walkers fall, others overturn on a 6."""
    version, unit = version_of(battle, shot), battle.unit(shot.target)
    if version is None or version.perk("knockback") is None or unit.destroyed or not unit.able:
        return battle
    threshold = total(
        "Threshold",
        term("Damage Multiplier", version.damage),
        term("Margin of Success", margin),
        term("Damage Multiplier again", version.damage),
        less("Size", unit.machine.size),
        rule=_PERKS,
    )
    test = yield from action_test(
        rules, pool_of(rules, unit, "piloting", maneuver_of(battle, unit)), int(threshold.value), unit.voice, "knockback"
    )
    stands = succeeds(rules, test)
    walker = unit.way == "walker"
    die = 0 if stands or walker else (yield from Roll(DIE, unit.voice, "overturning"))
    down = not stands and (walker or die == OVERTURNS)
    metres = (test.threshold - test.total) // 2
    words = f"is pushed back {metres} m" if not stands else "keeps its place"
    words += " and thrown down" if down and walker else ""
    yield from Tell(Tested(unit.name, words, test, _PERKS, "plain" if stands else "bad"))
    if die:
        sums = (Reason("die of overturning", die, "=", _PERKS),)
        yield from Tell(Broken(unit.name, "is thrown down" if down else "stays upright", sums, "bad" if down else "plain"))
    return battle.change(unit.name, signs=replace(unit.signs, prone=True)) if down else battle


def dissolves(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A disintegrator destroys its target at Light Damage or more; otherwise it takes as much Armor as it did damage."""
    version, unit = version_of(battle, shot), battle.unit(shot.target)
    if version is None or version.perk("disintegrator") is None or unit.destroyed or damage <= 0 or is_person(unit):
        return battle
    if severity != "none":
        return battle.put((yield from overkilled(rules, unit)))
    lost = unit.lost_with(int(damage))
    yield from Tell(
        Broken(unit.name, f"loses {lost - unit.wear.armor} Armor to the disintegrator", (Reason("damage", damage, "=", _PERKS),))
    )
    return battle.put(replace(unit, wear=replace(unit.wear, armor=lost)))


def goes_on(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A persistent attack hits again every round, with one point of margin less each time."""
    version, unit = version_of(battle, shot), battle.unit(shot.target)
    if version is None or version.perk("persistent") is None or margin < 2 or unit.destroyed or area_of(version) is not None:
        return battle
    again = (shot.attacker, shot.weapon, shot.damage, margin - 1)
    yield from Tell(Broken(unit.name, f"{the(shot.weapon)} stays active for {count(margin - 1, 'more round')}"))
    return battle.change(unit.name, signs=replace(unit.signs, clings=(*unit.signs.clings, again)))


def vents(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A large leak of reaction mass fills the hex with dust."""
    unit = battle.unit(shot.target)
    lost = unit.signs.vented
    if not lost:
        return battle
    battle = battle.change(unit.name, signs=replace(unit.signs, vented=0))
    if not makes_dust(lost) or not battle.hexes:
        return battle
    cloud = Region(terrain="dust", box=(float(int(unit.x)), float(int(unit.y)), 1.0, 1.0), name=f"reaction mass of {unit.name}")
    yield from Tell(Broken(unit.name, "its reaction mass makes a cloud of dust", mood="plain"))
    return replace(battle, changes=replace(battle.changes, clouds=(*battle.changes.clouds, cloud)))


@rule(_PERKS)
def splash(rules: Ruleset, damage: Figure, multiplier: Figure = 0) -> Derived[int]:
    """Splash damage of a liquid around its target: a quarter of the damage done, rounded down, or of the system's Damage Multiplier
    (ruling "splash-damage"); it reaches a metre for every ten points of damage."""
    by_attack = rules.word("splash-damage") == "of the attack"
    whole = term("damage", damage) if by_attack else term("Damage Multiplier", multiplier)
    return total("damage", whole, divided("a quarter", 4), rounded_down(), rule=_PERKS)


def splashes(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A liquid splashes on everyone near its target: in the same hex, and in as many more as its reach crosses."""
    version = version_of(battle, shot)
    reach = int(damage) // 10
    if version is None or version.perk("liquid") is None or reach < 1:
        return battle
    target, dealt = battle.unit(shot.target), splash(rules, damage, shot.damage)
    hexes_off = int(reach // battle.cell)
    for unit in battle.units:
        near = unit.name != target.name and not unit.gone and not unit.destroyed
        if near and distance(battle.field, target.spot, unit.spot) <= hexes_off and dealt.value:
            yield from Tell(Broken(unit.name, f"{the(shot.weapon)} splashes it", (dealt.reason,), "plain"))
            battle = yield from harmed(rules, battle, blow_of(unit, shot.attacker, shot.weapon, dealt.value), dealt.value, 1)
    return battle


def unmade(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A disintegrator kills people that it hits; a haywire weapon also gives them an electrical shock."""
    version, unit = version_of(battle, shot), battle.unit(shot.target)
    if version is None or not is_person(unit) or not unit.able:
        return battle
    if version.perk("disintegrator") is not None:
        yield from Tell(Broken(unit.name, "is disintegrated"))
        return battle.put(replace(unit, riders=tuple([replace(rider, body=replace(rider.body, dead=True)) for rider in unit.riders])))
    if version.perk("haywire") is not None:
        intensity = total("Intensity", term("Damage Multiplier", version.damage), term("Margin of Success", margin), rule=_PERKS)
        rider = unit.riders[0]
        yield from Tell(Broken(unit.name, f"takes an electrical shock of Intensity {intensity.value:g}", (intensity.reason,)))
        test = yield from action_test(rules, health_test_pool(rules, rider.body), int(intensity.value), unit.voice, "the shock")
        if not passes(rules, test.total, test.threshold):
            yield from Tell(Tested(unit.name, "is knocked out by the shock", test, _PERKS, "bad"))
            return battle.put(replace(unit, riders=(replace(rider, body=replace(rider.body, unconscious=max(1, -test.margin))),)))
    return battle


FOLLOWS.extend([splashes, unmade, vents, goes_on, floods, falls, lamp_goes_out, circuits_burn, is_pushed, dissolves])


# --- at the end of a round -----------------------------------------------------------------------------------------------------------


def clinging(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Apply persistent attacks again."""
    for unit in battle.units:
        clings = unit.signs.clings
        if not clings:
            continue
        left = tuple([(by, weapon, damage, margin - 1) for by, weapon, damage, margin in clings if margin > 1])
        battle = battle.change(unit.name, signs=replace(unit.signs, clings=left))
        for by, weapon, damage, margin in clings:
            if battle.unit(unit.name).destroyed:
                break
            dealt = damage_of(margin, damage)
            yield from Tell(Broken(unit.name, f"{the(weapon)} hits again", (dealt.reason,)))
            battle = yield from harmed(rules, battle, blow_of(battle.unit(unit.name), by, weapon, damage), dealt.value, margin)
    return battle


def recoils(rules: Ruleset, battle: Battle, name: str, arm: int) -> Play[Battle]:
    """A recoil weapon fired on the move throws a walker down, and overturns any other vehicle on a 6."""
    unit = battle.unit(name)
    if unit.version(arm).flaw("recoil") is None or not unit.hexes or not unit.able:
        return battle
    down = unit.way == "walker" or (yield from Roll(DIE, unit.voice, "overturning")) == 6
    if not down:
        return battle
    yield from Tell(Broken(name, "is thrown down by the recoil"))
    return battle.change(name, signs=replace(unit.signs, prone=True))


def water_rises(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Count down flooding: a flooded vessel sinks, and flooded sections draw a vessel down, unless its remaining Movement Points hold
    it (ruling: all that are left do)."""
    for name in [unit.name for unit in battle.units]:
        unit = battle.unit(name)
        if unit.signs.floods and not unit.destroyed:
            battle = yield from _flood_further(battle, unit)
    for name in [unit.name for unit in battle.units if not unit.borne]:
        unit = battle.unit(name)
        if flooded_of(battle, unit) and not unit.destroyed:
            battle = yield from _sink_deeper(rules, battle, unit)
    return battle


def flooded_of(battle: Battle, unit: Unit) -> int:
    """The number of flooded bodies of a vessel."""
    return unit.signs.flooded + sum([section.signs.flooded for section in battle.sections(unit)])


def _sink_deeper(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    left = max(0, (unit.points or 0) - unit.spent)
    down = drawn_down(rules, flooded_of(battle, unit), left, unit.course.surfacing)
    bed = min(0, battle.field.level(unit.spot))
    deeper = max(bed, unit.altitude - int(down.value))
    if deeper == unit.altitude:
        return battle
    yield from Tell(Broken(unit.name, f"its flooded sections draw it down to depth {-deeper}", (down.reason,)))
    return battle.put(replace(unit, altitude=deeper))


def _flood_further(battle: Battle, unit: Unit) -> Play[Battle]:
    """Count down until a body is flooded; with the last of its bodies the vessel sinks."""
    left = tuple([rounds - 1 for rounds in unit.signs.floods if rounds > 1])
    full = len(unit.signs.floods) - len(left)
    several = unit.borne or bool(battle.sections(unit))
    flooded = min(1, unit.signs.flooded + full) if several else unit.signs.flooded + full
    battle = battle.put(replace(unit, signs=replace(unit.signs, floods=left, flooded=flooded)))
    if not full:
        return battle
    vessel = battle.bearer(battle.unit(unit.name))
    parts = 1 + len(vessel.machine.sections)
    if flooded_of(battle, vessel) >= parts:
        yield from Tell(Broken(vessel.name, "is flooded and sinks"))
        for candidate in (vessel, *battle.sections(vessel)):
            battle = battle.put(replace(candidate, wear=replace(candidate.wear, destroyed="sunk")))
        return battle
    name = unit.name if several else f"{unit.name}: a section"
    dry = parts - flooded_of(battle, vessel)
    yield from Tell(Broken(name, f"is flooded; {count(dry, 'section')} {'is' if dry == 1 else 'are'} still dry"))
    return battle
