"""Absorption by nanomachines: mass, and systems that keep working (book lines 4029-4031)."""

from msgspec.structs import replace

from rulewright.grammar import figure, join
from rulewright.play import Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, at_most, term
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.machines.design.constructions import absorbed_mass
from rulewright.systems.silhouette.machines.design.rounding import Figure, reckon
from rulewright.systems.silhouette.machines.design.sizes import largest_mass, size_for
from rulewright.systems.silhouette.machines.design.trait_costs import label
from rulewright.systems.silhouette.machines.machine import Mounted
from rulewright.systems.silhouette.machines.vehicle import Fitted
from rulewright.systems.silhouette.maneuver.course_limits import aloft
from rulewright.systems.silhouette.maneuver.stacking import hexes_apart, hexes_to
from rulewright.systems.silhouette.units.forms import parts_in
from rulewright.systems.silhouette.units.nanomachine_state import Taken, together, with_more
from rulewright.systems.silhouette.units.people import is_person
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import ABSORBED, BEYOND_REPAIR, Arm

_ABSORBING = "sil-4.3.9-nano-absorption"
GROUND = "the ground"


def within_touch(rules: Ruleset, battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Names what a machine touches and its nanomachines can absorb: abandoned machines, loose objects, and the ground that it stands on; no
    machine that still fights and nothing with people inside (ruling)."""
    if aloft(unit):
        return ()
    wrecks = [candidate.name for candidate in battle.units if _is_absorbable(battle, unit, candidate)]
    names = [thing.name for thing in battle.scars.things if not hexes_to(battle, thing.spot, unit) and not unit.altitude]
    ground = [GROUND] if unit.way != "space" and not unit.altitude else []
    return (*wrecks, *names, *ground)


def _is_absorbable(battle: Battle, unit: Unit, other: Unit) -> bool:
    if other.name == unit.name or other.able or other.gone or other.borne or other.split or other.machine.sections or is_person(other):
        return False
    if other.wear.destroyed == ABSORBED or other.altitude != unit.altitude or hexes_apart(battle, unit, other):
        return False
    empty = not other.crew.aboard and not any(not rider.body.dead for rider in other.riders)
    return other.destroyed or other.signs.ejected or empty


def left_of(rules: Ruleset, battle: Battle, source: str) -> Figure | None:
    """Kilograms left of a source; None for the ground, which is unlimited. An object weighs the most that its Size allows
    (ruling)."""
    if source == GROUND:
        return None
    gone = sum([taken.kg for unit in battle.units for taken in unit.shape.taken if taken.source == source])
    wreck = next((unit for unit in battle.units if unit.name == source), None)
    thing = next((thing for thing in battle.scars.things if thing.name == source), None)
    if wreck is not None:
        return max(0, (wreck.machine.own or wreck.machine).mass + sum([candidate.kg for candidate in wreck.shape.taken]) - gone)
    return max(0, largest_mass(rules, float(thing.size)).value - gone) if thing is not None else 0


def kilograms_per_round(unit: Unit, left: Figure | None) -> Derived[Figure]:
    """Kilograms that a machine absorbs this round: a percentage of its original mass, and no more than there is."""
    built = unit.machine.own or unit.machine
    most = absorbed_mass(unit.machine.absorption, float(built.mass))
    if left is None:
        return most
    return reckon("Absorbed kg", term("in a round", most), at_most(left, "no more than there is of it"), rule=_ABSORBING)


def absorb(rules: Ruleset, battle: Battle, name: str, source: str) -> Play[Battle]:
    """Absorb as much of a source as possible in a round; a completely absorbed source becomes part of the machine."""
    unit, left = battle.unit(name), left_of(rules, battle, source)
    kg = kilograms_per_round(unit, left)
    grows = _size_growth(rules, unit, kg.value)
    wreck = next((candidate for candidate in battle.units if candidate.name == source), None)
    whole = left is not None and kg.value >= left
    more = Taken(source=source, kg=kg.value, size=grows.value)
    arms: tuple[Arm, ...] = ()
    if whole and wreck is not None:
        more, arms = _with_systems(unit, wreck, more)
    sums: tuple[Reason, ...] = (kg.reason, grows.reason) if grows.value else (kg.reason,)
    size = f" and grows to Size {unit.machine.size + grows.value:g}" if grows.value else ""
    known = witnesses(rules, battle, unit)
    yield from Tell(Announced(name, f"absorbs {figure(kg.value)} kg of {source}{size}", sums, known_to=known))
    battle = battle.put(_install_absorbed(unit, more, arms))
    if whole:
        battle = _without(battle, source)
        gained = [*[system.name for system in more.systems], *[perk.name for perk in more.perks]]
        use = f" and gains {join(gained)}" if gained else ""
        yield from Tell(Announced(name, f"has absorbed all of {source}{use}", known_to=known))
    yield from Tell(Stands(battle))
    return battle


def _size_growth(rules: Ruleset, unit: Unit, kg: Figure) -> Derived[Figure]:
    """The growth in Size by more mass, from the table of Size and mass (book lines 2825-2849; ruling)."""
    now, after = size_for(rules, float(unit.machine.mass)), size_for(rules, float(unit.machine.mass + kg))
    return reckon("Size more", term("Size at its new mass", after), term("Size at its present mass", now, "−"), rule="sil-4.1.2-size-mass")


def _with_systems(unit: Unit, wreck: Unit, more: Taken) -> tuple[Taken, tuple[Arm, ...]]:
    """Returns what of a wreck keeps working: undamaged systems, and auxiliary systems of kinds that the machine does not have."""
    if wreck.wear.destroyed in BEYOND_REPAIR:
        return more, ()
    systems, arms = _undamaged_systems(wreck)
    perks, parts = _undamaged_parts(unit, wreck)
    names = [perk.name for perk in perks]
    return replace(
        more,
        systems=systems,
        perks=perks,
        auxiliaries=parts,
        sensors=wreck.machine.sensors if "sensors" in names else None,
        comms=wreck.machine.comms if "communications" in names else None,
    ), arms


def _undamaged_systems(wreck: Unit) -> tuple[tuple[Mounted, ...], tuple[Arm, ...]]:
    """The undamaged systems of a wreck, named after their origin."""
    systems: list[Mounted] = []
    arms: list[Arm] = []
    at = 0
    for system in wreck.machine.systems:
        places = range(at, at + system.quantity)
        at += system.quantity
        sound = [wreck.arms[place] for place in places if place not in wreck.signs.jammed and _is_undamaged(wreck.arms[place])]
        if sound:
            first = replace(system.versions[0], name=f"{system.versions[0].name} from {wreck.name}")
            versions = (first, *system.versions[1:])
            systems.append(replace(system, name=f"{system.name} from {wreck.name}", quantity=len(sound), versions=versions))
            arms += [replace(arm, fired=0) for arm in sound]
    return tuple(systems), tuple(arms)


def _is_undamaged(arm: Arm) -> bool:
    return not (arm.broken or arm.accuracy or arm.worn or arm.frozen is not None)


def _undamaged_parts(unit: Unit, wreck: Unit) -> tuple[tuple[Fitted, ...], tuple[str, ...]]:
    """The undamaged auxiliary systems of a wreck that the machine does not have."""
    names = wreck.machine.auxiliaries
    lost = wreck.wear.auxiliaries or (0,) * len(names)
    sound = [name for name, worn in zip(names, lost, strict=False) if not worn]
    perks, parts = [], []
    for perk in wreck.machine.perks:
        called = label(replace(perk, count=1))
        many = min(perk.count, sound.count(called))
        if many and unit.machine.has(perk.name) is None:
            perks.append(replace(perk, count=many))
            parts += [called] * many
    return tuple(perks), tuple(parts)


def _install_absorbed(unit: Unit, more: Taken, arms: tuple[Arm, ...]) -> Unit:
    """The machine with what it has just absorbed."""
    built = with_more(unit.machine, more)
    lost, waits = parts_in(unit, built)
    return replace(
        unit,
        machine=built,
        arms=(*unit.arms, *arms),
        wear=replace(unit.wear, auxiliaries=lost),
        stowed_parts=waits,
        shape=replace(unit.shape, taken=together(unit.shape.taken, more)),
    )


def _without(battle: Battle, source: str) -> Battle:
    """The battle without a source that was absorbed completely."""
    for unit in battle.units:
        if unit.name == source:
            return battle.put(replace(unit, wear=replace(unit.wear, destroyed=ABSORBED)))
    result = tuple([thing for thing in battle.scars.things if thing.name != source])
    return replace(battle, scars=replace(battle.scars, things=result))
