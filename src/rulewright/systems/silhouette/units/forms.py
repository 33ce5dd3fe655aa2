"""Machines that change their form: two or more that swap places, with the damage that goes along (book lines 3949-3961)."""

from msgspec.structs import replace

from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.units.units import Unit, auxiliaries, fresh_arms, mounts


def in_form(unit: Unit, name: str) -> Unit:
    """A unit in another of its forms: what is damaged on both is damaged still; what only one of them has waits with it. Armor lost,
    slowed ways to move, Maneuver and casualties go along."""
    old = unit.machine
    form = next(each for each in old.forms if each.name == name)
    others = (replace(old, forms=()), *[each for each in old.forms if each.name != name])
    built = replace(form, forms=others, threat_value=old.threat_value, mass=old.mass)
    known = {**dict(unit.stowed), **{label: arm for (label, _), arm in zip(mounts(old), unit.arms, strict=True)}}
    arms, stowed = [], dict(known)
    for (label, system), fresh in zip(mounts(built), fresh_arms(built), strict=True):
        kept = stowed.pop(label, fresh)
        arms.append(kept if len(kept.left) == len(system.versions) else fresh)
    lost, waits = _parts(unit, built)
    way = max([each for each in built.ways if each.type not in unit.wear.failed] or built.ways, key=lambda each: each.combat, default=None)
    return replace(
        unit,
        machine=built,
        arms=tuple(arms),
        stowed=tuple(sorted(stowed.items(), key=lambda pair: pair[0])),
        stowed_parts=waits,
        wear=replace(unit.wear, auxiliaries=lost),
        way=way.type if way is not None else "",
        primary=unit.primary or old.name,
    )


def _parts(unit: Unit, built: Machine) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    """What each auxiliary system of another form is at, and what is kept of those that it does not have."""
    known: dict[str, list[int]] = {}
    for label, lost in (*unit.stowed_parts, *zip(auxiliaries(unit.machine), unit.wear.auxiliaries, strict=False)):
        known.setdefault(label, []).append(lost)
    found = [known[label].pop(0) if known.get(label) else 0 for label in auxiliaries(built)]
    waits = tuple([(label, lost) for label, each in sorted(known.items()) for lost in each if lost])
    return (tuple(found) if any(found) else ()), waits


def at_home(unit: Unit) -> Unit:
    """A unit in the form that its file describes."""
    return in_form(unit, unit.primary) if unit.primary and unit.machine.name != unit.primary else unit
