"""The Systems Damage table: what a hit breaks (book lines 5007-5053, 5057-5083)."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import agree, the
from rulewright.grammar import count as counted
from rulewright.play import Choice, Option, Play, Roll, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason, divided, rounded_down, term, total
from rulewright.systems.silhouette.breakage.crews import hurt_riders, kill_all, lose_crew
from rulewright.systems.silhouette.breakage.damage import Nature, Severity, ablated, armor_lost
from rulewright.systems.silhouette.breakage.escapes import Leaking, leak, who_says
from rulewright.systems.silhouette.breakage.events import LAST_ROW, ArmorLost, Broken, PartPicked, SystemHit
from rulewright.systems.silhouette.breakage.wrecks import abandon
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain
from rulewright.systems.silhouette.machines.sheet.record_sheet import DAMAGE, DamageRow
from rulewright.systems.silhouette.machines.special import component_struck
from rulewright.systems.silhouette.resolution.tests import DIE
from rulewright.systems.silhouette.units.units import TURRET, Unit, auxiliaries, mounts
from rulewright.systems.silhouette.units.wear import DESTROYED_AT, Arm, Slowed

_ID, _EXTRA = "sil-5.5.1-systems-damage", "sil-5.5.2-extra-damage"
AUXILIARY = "auxiliary system"
LOCATIONS = ("fire control", "structure", "crew", "movement", "auxiliary")
TWICE = "6"
MOST_TWICE = 2
"""The recursion limit of "roll twice"; beyond it nothing happens (ruling)."""
T = TypeVar("T")


class Blow(Struct, frozen=True, cache_hash=True, kw_only=True):
    """The input of the Systems Damage table: severity, margin, and the players of attacker and target."""

    heavy: bool
    margin: int = 1
    by: str = ""
    to: str = ""
    location: str = ""
    """The location of a called shot or of a weapon that hits only one; empty: rolled."""
    die: int = 0
    """The die that gave the location; 0 if none was rolled."""


def lose_armor(rules: Ruleset, unit: Unit, severity: Severity, nature: Nature, damage: Figure = 0) -> Play[Unit]:
    """Take the Armor that a hit costs from a unit, and tell it."""
    loss = armor_lost(unit, severity, nature, damage)
    if not loss.value:
        return unit
    armor = unit.lost_with(loss.value)
    left = plain(exact(unit.machine.armor) - armor)
    yield from Tell(ArmorLost(unit.name, loss, armor - unit.wear.armor, left))
    return replace(unit, wear=replace(unit.wear, armor=armor))


def burn_away(unit: Unit, side: str, damage: Figure) -> Play[Unit]:
    """Take the ablative armor that a hit costs from a unit, and tell it."""
    wear = ablated(unit, side, damage)
    if wear is unit.wear or wear == unit.wear:
        return unit
    before = dict(unit.wear.ablated)
    for on, gone in wear.ablated:
        if lost := gone - before.get(on, 0):
            left = max([(perk.rating or 0) - gone for perk in unit.machine.perks if perk.name == "ablative armor" and perk.on == on])
            loss = total("ablative armor lost", term("damage", damage), divided("ten", 10), rounded_down(), rule="sil-d-armor-qualities")
            yield from Tell(ArmorLost(unit.name, loss, lost, left, "ablative armor"))
    return replace(unit, wear=wear)


# --- the table ---------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def systems_damage(rules: Ruleset, unit: Unit, blow: Blow) -> Play[Unit]:
    """Roll Systems Damage: a die picks the location, unless a called shot did; Light and Heavy Damage have different effects."""
    return (yield from _roll(rules, unit, blow, 0))


def _roll(rules: Ruleset, unit: Unit, blow: Blow, depth: int) -> Play[Unit]:
    if unit.destroyed:
        return unit
    die = 0
    if blow.location:
        row = _row_of(rules, blow.location)
    else:
        die = yield from Roll(DIE, blow.by, "system hit")
        row = DAMAGE.get(rules, str(die))
    if row.die == TWICE:
        if unit.machine.build == "suit":
            return (yield from _hit_location(rules, unit, replace(blow, location="crew"), die))
        if depth >= MOST_TWICE:
            yield from Tell(Broken(unit.name, "takes no further hit", (Reason("die of Systems Damage", die, "=", _ID),), "plain"))
            return unit
        yield from Tell(SystemHit(unit.name, row.system, die, times=2))
        for _ in range(2):
            unit = yield from _roll(rules, unit, blow, depth + 1)
        return unit
    return (yield from _hit_location(rules, unit, replace(blow, location=row.system), die))


def _row_of(rules: Ruleset, location: str) -> DamageRow:
    for row in DAMAGE(rules).values():
        if len(row.die) == 1 and row.system == location:
            return row
    raise UserError(f"a machine has no location {location!r}; known are {', '.join(LOCATIONS)}")


_REINFORCED = {"structure": "chassis", "crew": "crew", "movement": "movement"}


SUBTABLES = ("fire control", "structure")
"""Locations with a subtable; its die is told together with the location."""


def _hit_location(rules: Ruleset, unit: Unit, blow: Blow, die: int = 0) -> Play[Unit]:
    """Hit one location; a reinforced one may absorb it. A component that makes up the location of a combined machine also loses Armor."""
    blow = replace(blow, die=die)
    if die and blow.location not in SUBTABLES:
        yield from Tell(SystemHit(unit.name, blow.location, die))
    if unit.machine.components:
        unit = yield from _damage_component(rules, unit, blow)
    part = _REINFORCED.get(blow.location, "")
    if part and (spared := absorb(unit, part)) is not None:
        if die and blow.location in SUBTABLES:
            yield from Tell(SystemHit(unit.name, blow.location, die))
        yield from Tell(Broken(unit.name, f"the reinforced {part} absorbs the hit", mood="plain"))
        return spared
    return (yield from _LOCATIONS[blow.location](rules, unit, blow))


def _damage_component(rules: Ruleset, unit: Unit, blow: Blow) -> Play[Unit]:
    """A component loses Armor with the location that it makes up; if there are several, a die picks one."""
    struck = yield from component_struck(unit.machine, blow.location, "heavy" if blow.heavy else "light", blow.by)  # type: ignore[arg-type]
    if struck.component is None:
        return unit
    sums = (Reason("die of the component", struck.die, "=", "sil-4.3.6-combiners"),) if struck.die else ()
    yield from Tell(Broken(unit.name, f"its {struck.component} loses {struck.armor} Armor", sums))
    return replace(unit, dents=(*unit.dents, (struck.component, struck.armor)))


def absorb(unit: Unit, part: str) -> Unit | None:
    """The unit after a reinforced part absorbs one more hit; None if it cannot."""
    most = next((count for name, count in unit.machine.absorbs if name == part), 0)
    used = unit.wear.soaked(part)
    if used >= most:
        return None
    kept = [pair for pair in unit.wear.absorbed if pair[0] != part]
    return replace(unit, wear=replace(unit.wear, absorbed=tuple(sorted([*kept, (part, used + 1)]))))


def picked(rules: Ruleset, blow: Blow, what: str, options: Sequence[tuple[str, str, T]], about: Unit) -> Play[T]:
    """Pick one of several parts: a die is rolled; on an odd number the target's player chooses, on an even one the attacker's."""
    if len(options) == 1:
        return options[0][2]
    die = yield from Roll(DIE, blow.by, f"who chooses: {what}")
    chooser = (blow.to if die % 2 else blow.by) or blow.by or blow.to
    yield from Tell(PartPicked(about.name, what, chooser, die))
    offered = tuple([Option(key, label, value) for key, label, value in options])
    return (yield from Choice(chooser, f"Which {what} is hit?", offered, about, "damage"))


# --- fire control --------------------------------------------------------------------------------------------------------------------


def _subtable(rules: Ruleset, unit: Unit, blow: Blow, letter: str, more: tuple[tuple[str, int], ...]) -> Play[DamageRow]:
    """Roll on a subtable; Heavy Damage adds 1, and some Flaws add more."""
    die = yield from Roll(DIE, blow.by, "fire control" if letter == "A" else "structure")
    more = (("Heavy Damage", 1), *more) if blow.heavy else more
    yield from Tell(SystemHit(unit.name, blow.location, blow.die, f"subtable {letter}", die, more))
    return DAMAGE.get(rules, f"{letter}{min(LAST_ROW, die + sum([value for _, value in more]))}")


def _hit_fire_control(rules: Ruleset, unit: Unit, blow: Blow) -> Play[Unit]:
    more: tuple[tuple[str, int], ...] = (("exposed systems", 1),) if unit.machine.has("exposed systems") is not None else ()
    if unit.machine.has("hazardous ammo/fuel") is not None:
        more = (*more, ("hazardous ammo/fuel", 2 if blow.heavy else 1))
    row = yield from _subtable(rules, unit, blow, "A", more)
    if row.effect == "accuracy":
        at = yield from _one_arm(rules, unit, blow)
        return unit if at is None else (yield from _lose_accuracy(unit, (at,), row.amount))
    if row.effect == "accuracy of all":
        return (yield from _lose_accuracy(unit, tuple(_whole_arms(unit)), row.amount))
    if row.effect == "systems destroyed":
        for _ in range(row.amount):
            at = yield from _one_arm(rules, unit, blow)
            if at is not None:
                unit = yield from _break_arm(unit, at)
        return unit
    return (yield from _explode_ammunition(rules, unit, row.effect))


def _explode_ammunition(rules: Ruleset, unit: Unit, effect: str) -> Play[Unit]:
    """Ammunition or fuel explodes, unless its containment holds: then half of it is lost."""
    if (spared := absorb(unit, "ammo/fuel")) is not None:
        yield from Tell(Broken(unit.name, "the ammunition explodes, but its containment holds: half of it is lost", mood="plain"))
        return replace(spared, arms=tuple([replace(arm, left=tuple([left // 2 for left in arm.left])) for arm in spared.arms]))
    if effect == "chain reaction":
        yield from Tell(Broken(unit.name, "a chain reaction destroys it and kills everyone aboard"))
        return kill_all(replace(unit, wear=replace(unit.wear, destroyed="chain reaction")))
    yield from Tell(Broken(unit.name, "its ammunition or fuel explodes and destroys it"))
    return (yield from abandon(rules, replace(unit, wear=replace(unit.wear, destroyed="ammunition"))))


def _whole_arms(unit: Unit) -> list[int]:
    return [at for at, arm in enumerate(unit.arms) if not arm.broken]


def _one_arm(rules: Ruleset, unit: Unit, blow: Blow) -> Play[int | None]:
    """The system that is hit, of those that still work; identical ones are one choice."""
    options: list[tuple[str, str, int]] = []
    seen: set[tuple[str, Arm]] = set()
    for at in _whole_arms(unit):
        alike = (unit.mount(at).name, unit.arms[at])
        if alike not in seen:
            seen.add(alike)
            options.append((f"hit {unit.arm_name(at)}", unit.arm_name(at).capitalize(), at))
    return (yield from picked(rules, blow, "system", options, unit)) if options else None


def _ignore_hit(unit: Unit, at: int) -> Unit | None:
    """A redundant system ignores its first hits."""
    spare = sum([1 for name, _, _ in unit.version(at).perks if name == "redundant"])
    arm = unit.arms[at]
    if unit.version(at).perk("concealed") is not None and not arm.switched:
        spare += 1  # folded in, it is safe from one hit
    return unit.with_arm(at, replace(arm, redundant=arm.redundant + 1)) if arm.redundant < spare else None


def _lose_accuracy(unit: Unit, arms: tuple[int, ...], amount: int) -> Play[Unit]:
    for at in arms:
        if (spared := _ignore_hit(unit, at)) is not None:
            yield from Tell(Broken(unit.name, f"the spare parts of {the(unit.arm_name(at))} absorb the hit", mood="plain"))
            unit = spared
            continue
        lost = unit.arms[at].accuracy + amount
        if lost >= DESTROYED_AT:
            unit = yield from _break_arm(unit, at)
            continue
        yield from Tell(Broken(unit.name, f"loses {amount} Accuracy with {the(unit.arm_name(at))}"))
        unit = unit.with_arm(at, replace(unit.arms[at], accuracy=lost))
    return unit


def _break_arm(unit: Unit, at: int) -> Play[Unit]:
    if (spared := _ignore_hit(unit, at)) is not None:
        yield from Tell(Broken(unit.name, f"the spare parts of {the(unit.arm_name(at))} absorb the hit", mood="plain"))
        return spared
    yield from Tell(Broken(unit.name, f"{agree(the(unit.arm_name(at)), 'is', 'are')} destroyed"))
    return unit.with_arm(at, replace(unit.arms[at], broken=True))


# --- structure and movement ----------------------------------------------------------------------------------------------------------


def _hit_structure(rules: Ruleset, unit: Unit, blow: Blow) -> Play[Unit]:
    fragile = (("fragile chassis", 1),) if unit.machine.has("fragile chassis") is not None else ()
    row = yield from _subtable(rules, unit, blow, "B", fragile)
    effect = _LEAKING.get((row.effect, row.amount)) or _LEAKING.get((row.effect, 0))
    vented = yield from _hit_tanks(rules, unit, blow, effect)
    if vented is not None:
        return vented
    if row.effect in ("slower", "half speed", "power transfer"):
        return (yield from _hit_movement_type(rules, unit, blow, row))
    if row.effect == "maneuver":
        return (yield from _lose_maneuver(unit, row.amount))
    if row.effect == "compartment":
        yield from Tell(Broken(unit.name, "the crew compartment fails"))
        crew = yield from lose_crew(rules, unit.name, unit.crew, row.amount)
        unit = replace(unit, crew=crew, wear=replace(unit.wear, compartment=True))
        return (yield from hurt_riders(rules, unit, True, blow.margin))
    yield from Tell(Broken(unit.name, "its structure fails: it is destroyed, but the crew survives"))
    return replace(unit, wear=replace(unit.wear, destroyed="structure"))


_LEAKING: dict[tuple[str, int], Leaking] = {
    ("slower", 0): "-1 MP",
    ("half speed", 0): "half the MP",
    ("power transfer", 0): "no movement",
    ("maneuver", 1): "-1 Maneuver",
    ("maneuver", 2): "-2 Maneuver",
}
"""The leak that replaces a damage, by the table's effect and its amount."""


def _hit_tanks(rules: Ruleset, unit: Unit, blow: Blow, effect: Leaking | None) -> Play[Unit | None]:
    """A hit on the movement of a spacecraft may go into its tanks: a die says who decides. None: it does not."""
    left = unit.machine.burn_points - unit.course.burned
    if effect is None or unit.way != "space" or left <= 0 or unit.machine.has("no fuel required") is not None:
        return None
    lost = leak(rules, left, effect)
    says = yield from who_says(rules, blow.by, unit.name, blow.to)
    chooser = (blow.to if says == "defender" else blow.by) or blow.by or blow.to
    options = (Option("movement", "The drive", False), Option("tanks", f"The tanks: {counted(lost.value, 'Burn Point')}", True))
    if not (yield from Choice(chooser, f"Which part of {unit.name} is hit?", options, unit, "damage")):
        return None
    yield from Tell(Broken(unit.name, f"loses {counted(lost.value, 'Burn Point')} to a leak", (lost.reason,)))
    course = replace(unit.course, burned=unit.course.burned + lost.value)
    return replace(unit, course=course, signs=replace(unit.signs, vented=unit.signs.vented + lost.value))


def _cannot_move(unit: Unit) -> bool:
    """Whether hits on movement have no effect: it has no engine, or cannot move."""
    return unit.machine.has("no engine") is not None or unit.machine.build == "emplacement" or unit.section or not unit.machine.ways


def _lose_only_armor(unit: Unit) -> Play[Unit]:
    """An emplacement (sil-4.3.3), or a section that its hull carries (sil-4.3.2), has no movement to lose: such a hit costs it the Armor
    of every hit, and nothing else."""
    if unit.machine.build == "emplacement" or unit.section:
        yield from Tell(Broken(unit.name, "has no drive of its own: the hit only costs Armor", mood="plain"))
    return unit


def _hit_movement_type(rules: Ruleset, unit: Unit, blow: Blow, row: DamageRow) -> Play[Unit]:
    """Hit one movement type."""
    if _cannot_move(unit):
        return (yield from _lose_only_armor(unit))
    ways = [way.type for way in unit.machine.ways if way.type not in unit.wear.failed]
    if not ways:
        return unit
    way = yield from picked(
        rules, blow, "movement type", [(f"hit {candidate}", candidate.capitalize(), candidate) for candidate in ways], unit
    )
    if row.effect == "power transfer":
        return (yield from fail(unit, way))
    return (yield from _slow_down(unit, (way,), row.amount if row.effect == "slower" else None))


def fail(unit: Unit, way: str) -> Play[Unit]:
    """A movement type is lost."""
    yield from Tell(Broken(unit.name, f"power transfer fails: no more {way} movement"))
    return replace(unit, wear=replace(unit.wear, failed=tuple(sorted({*unit.wear.failed, way}))))


def _slow_down(unit: Unit, ways: tuple[str, ...], points: int | None) -> Play[Unit]:
    """Reduce Combat and Top Speed of some movement types by some Movement Points, or to half of what is left (None), rounded down."""
    slowed = {candidate.type: candidate for candidate in unit.wear.slowed}
    for name in ways:
        way = unit.machine.way(name)
        if way is None:
            continue
        lost = slowed.get(name, Slowed(name))
        combat, top = max(0, int(way.combat) - lost.combat), max(0, int(way.top) - lost.top)
        less = (min(points, combat), min(points, top)) if points is not None else (combat - combat // 2, top - top // 2)
        slowed[name] = Slowed(name, lost.combat + less[0], lost.top + less[1])
        words = f"loses {points} MP" if points is not None else "loses half its MP"
        yield from Tell(Broken(unit.name, f"its {name} movement {words}: Combat Speed {combat - less[0]}, Top Speed {top - less[1]}"))
    return replace(unit, wear=replace(unit.wear, slowed=tuple([slowed[name] for name in sorted(slowed)])))


def _lose_maneuver(unit: Unit, points: int) -> Play[Unit]:
    if unit.machine.build == "emplacement" or unit.section:
        return (yield from _lose_only_armor(unit))
    yield from Tell(Broken(unit.name, f"loses {points} Maneuver"))
    return replace(unit, wear=replace(unit.wear, maneuver=unit.wear.maneuver + points))


def _hit_movement(rules: Ruleset, unit: Unit, blow: Blow) -> Play[Unit]:
    """Reduce all movement types (ruling: all), at Heavy Damage by half, and Maneuver; exposed ones are a stage worse."""
    if _cannot_move(unit):
        return (yield from _lose_only_armor(unit))
    worse = unit.machine.has("exposed movement") is not None
    vented = yield from _hit_tanks(
        rules, unit, blow, ("no movement" if worse else "half the MP") if blow.heavy else "half the MP" if worse else "-1 MP"
    )
    if vented is not None:
        return vented
    ways = tuple([way.type for way in unit.machine.ways if way.type not in unit.wear.failed])
    if blow.heavy and worse:
        for way in ways:
            unit = yield from fail(unit, way)
        return unit
    if blow.heavy or worse:
        unit = yield from _slow_down(unit, ways, None)
        return (yield from _lose_maneuver(unit, 2))
    return (yield from _slow_down(unit, ways, _row_of(rules, "movement").amount))


# --- crew and auxiliary systems --------------------------------------------------------------------------------------------------------


def _hit_crew(rules: Ruleset, unit: Unit, blow: Blow) -> Play[Unit]:
    """Stun the crew at Light Damage, some casualties at Heavy; exposed crews are a stage worse."""
    worse = _has_exposed_crew(unit)
    if blow.heavy and worse:
        yield from Tell(Broken(unit.name, "the whole exposed crew is killed"))
        return kill_all(unit)
    if blow.heavy or worse:
        crew = yield from lose_crew(rules, unit.name, unit.crew, _row_of(rules, "crew").amount)
        return (yield from hurt_riders(rules, replace(unit, crew=crew), True, blow.margin))
    unit = yield from stun(unit)
    return (yield from hurt_riders(rules, unit, False, blow.margin))


def _has_exposed_crew(unit: Unit) -> bool:
    """Whether any of an exposed crew are left."""
    flaw = unit.machine.has("exposed crew")
    if flaw is None:
        return False
    return not flaw.amount or unit.crew.lost < flaw.amount


def stun(unit: Unit) -> Play[Unit]:
    """The crew loses an action: this round if it has any left, otherwise in the next. Computers are immune."""
    if not unit.crew.aboard and not unit.riders:
        yield from Tell(Broken(unit.name, "nobody is aboard to be stunned", mood="plain"))
        return unit
    if unit.has("emergency medical") and not unit.wear.soaked("emergency medical"):
        yield from Tell(Broken(unit.name, "emergency medicine protects the crew from being stunned", mood="plain"))
        kept = tuple(sorted([*unit.wear.absorbed, ("emergency medical", 1)]))
        return replace(unit, wear=replace(unit.wear, absorbed=kept))
    words = "the crew is stunned and loses an action"
    if unit.moved or unit.done:
        words += " in the next round"
    yield from Tell(Broken(unit.name, words))
    return replace(unit, owed=unit.owed + 1) if unit.moved or unit.done else replace(unit, stunned=unit.stunned + 1)


def _hit_auxiliary(rules: Ruleset, unit: Unit, blow: Blow) -> Play[Unit]:
    """A die of auxiliary systems is at -1, or destroyed at Heavy Damage; exposed ones are a stage worse."""
    worse = unit.machine.has("exposed auxiliaries") is not None
    names = auxiliaries(unit.machine)
    lost = list(unit.wear.auxiliaries or (0,) * len(names))
    whole = [at for at, gone in enumerate(lost) if gone < DESTROYED_AT]
    if not whole:
        return unit
    destroys, every = blow.heavy or worse, blow.heavy and worse
    count = len(whole) if every else (yield from Roll(DIE, blow.by, "auxiliary systems hit"))
    hit: list[int] = list(whole)
    if count < len(whole):
        hit = yield from _choose_auxiliaries(rules, blow, unit, whole, count)
    elif not every:
        yield from Tell(PartPicked(unit.name, AUXILIARY, "", 0, count))
    for at in hit:
        if _has_backup(names[at]) and (spared := absorb(unit, "backups")) is not None:
            unit = spared
            yield from Tell(Broken(unit.name, f"the backups save {the(names[at])}", mood="plain"))
            continue
        if names[at].startswith(TURRET):
            if destroys:
                unit = yield from _jam_turret(unit, names[at].removeprefix(TURRET))
                lost[at] = DESTROYED_AT
            continue
        lost[at] = DESTROYED_AT if destroys else min(DESTROYED_AT, lost[at] + 1)
        words = f"loses its {names[at]}" if lost[at] >= DESTROYED_AT else f"has its {names[at]} damaged (-{lost[at]})"
        yield from Tell(Broken(unit.name, words))
    return replace(unit, wear=replace(unit.wear, auxiliaries=tuple(lost)))


def _jam_turret(unit: Unit, name: str) -> Play[Unit]:
    """A turret is stuck where it pointed last; a hit that would only weaken it has no effect."""
    yield from Tell(Broken(unit.name, f"the turret of {the(name)} is stuck"))
    at = next(place for place, (text, _) in enumerate(mounts(unit.machine)) if text == name)
    return unit.with_arm(at, replace(unit.arms[at], frozen=unit.arms[at].bearing))


def _has_backup(name: str) -> bool:
    return name.startswith(("communications", "sensors", "ecm", "eccm", "decoy", "holofield", "stealth"))


def _choose_auxiliaries(rules: Ruleset, blow: Blow, unit: Unit, whole: list[int], count: int) -> Play[list[int]]:
    """Some of several auxiliary systems: one die says who chooses, and they name one after the other."""
    die = yield from Roll(DIE, blow.by, "who chooses: auxiliary systems")
    chooser = (blow.to if die % 2 else blow.by) or blow.by or blow.to
    yield from Tell(PartPicked(unit.name, AUXILIARY, chooser, die, count))
    hit: list[int] = []
    for _ in range(count):
        left = [at for at in whole if at not in hit]
        options = tuple([Option(f"hit {at + 1}", auxiliaries(unit.machine)[at].capitalize(), at) for at in left])
        hit.append((yield from Choice(chooser, "Which auxiliary system is hit?", options, unit, "damage")))
    return hit


_LOCATIONS: dict[str, Callable[[Ruleset, Unit, Blow], Play[Unit]]] = {
    "fire control": _hit_fire_control,
    "structure": _hit_structure,
    "crew": _hit_crew,
    "movement": _hit_movement,
    "auxiliary": _hit_auxiliary,
}


@rule(_EXTRA)
def arm_penalty(hits: int) -> tuple[int, bool]:
    """The penalty of damage to an arm: 1 for each hit, and at 5 the arm is destroyed. The weapon in its hand is
    not damaged. By id only."""
    if hits < 0:
        raise UserError(f"hits must be 0 or more, not {hits}")
    return -min(hits, DESTROYED_AT), hits >= DESTROYED_AT
