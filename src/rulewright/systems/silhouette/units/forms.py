"""Machines that change their form: two or more that swap places, with the damage that goes along (book lines 3949-3961), and those of
morphable material, of which only lost Armor and casualties do (lines 4032-4045)."""

from msgspec.structs import replace

from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.units.nanomachine_state import fitted_with
from rulewright.systems.silhouette.units.units import Unit, auxiliaries, fresh_arms, mounts
from rulewright.systems.silhouette.units.visible_traits import Signs
from rulewright.systems.silhouette.units.wear import Arm, Wear

WHEELED = ("ground", "rail")
"""Ways to move that need moving parts, which simple morphable material does not form."""


def in_form(unit: Unit, name: str) -> Unit:
    """A unit in another of its forms: what is damaged on both is damaged still; what only one of them has waits with it. Armor lost,
    slowed ways to move, Maneuver and casualties go along. What is of morphable material is sound but for its Armor and its people, also
    where it takes the form again that it has."""
    if unit.machine.morphs and not unit.destroyed:
        unit = reformed(unit)
    old = unit.machine.own or unit.machine
    if name == old.name:
        return unit
    form = next(candidate for candidate in old.forms if candidate.name == name)
    others = (replace(old, forms=(), components=()), *[candidate for candidate in old.forms if candidate.name != name])
    shaped = replace(form, forms=others, components=old.components, threat_value=old.threat_value, mass=old.mass)
    built = fitted_with(shaped, unit.shape.taken)
    known = {**dict(unit.stowed), **{label: arm for (label, _), arm in zip(mounts(unit.machine), unit.arms, strict=True)}}
    arms, stowed = [], dict(known)
    for (label, system), fresh in zip(mounts(built), fresh_arms(built), strict=True):
        kept = stowed.pop(label, fresh)
        arms.append(kept if len(kept.left) == len(system.versions) else fresh)
    lost, waits = parts_in(unit, built)
    signs, jams = _hampered(unit, built)
    way = max(
        [candidate for candidate in built.ways if candidate.type not in unit.wear.failed] or built.ways,
        key=lambda item: item.combat,
        default=None,
    )
    return replace(
        unit,
        machine=built,
        arms=tuple(arms),
        stowed=tuple(sorted(stowed.items(), key=lambda pair: pair[0])),
        stowed_parts=waits,
        wear=replace(unit.wear, auxiliaries=lost),
        way=way.type if way is not None else "",
        primary=unit.primary or old.name,
        signs=signs,
        shape=replace(unit.shape, jams=jams) if jams != unit.shape.jams else unit.shape,
    )


def reformed(unit: Unit) -> Unit:
    """A unit of morphable material that has taken shape anew: nothing is damaged but its Armor. What was spent stays spent, ammunition as
    well as a power booster; what cannot form moving parts has its guns and wheels as they were (ruling)."""
    wear = unit.wear
    fresh = Wear(armor=wear.armor, ablated=wear.ablated, burnt=wear.burnt, overburnt=wear.overburnt, destroyed=wear.destroyed)
    if unit.machine.change == "simple morphing":
        slowed = tuple([candidate for candidate in wear.slowed if candidate.type in WHEELED])
        return replace(
            unit, stowed_parts=(), wear=replace(fresh, slowed=slowed, failed=tuple([way for way in wear.failed if way in WHEELED]))
        )
    return replace(
        unit,
        wear=fresh,
        arms=tuple([_sound(arm) for arm in unit.arms]),
        stowed=tuple([(label, _sound(arm)) for label, arm in unit.stowed]),
        stowed_parts=(),
        signs=replace(unit.signs, jammed=(), clearing=(), hot=()) if unit.signs.jammed or unit.signs.hot else unit.signs,
        shape=replace(unit.shape, jams=()) if unit.shape.jams else unit.shape,
    )


def _sound(arm: Arm) -> Arm:
    """A system that was formed anew: it has what it had left to fire."""
    return replace(arm, accuracy=0, broken=False, redundant=0, frozen=None, worn=0)


def parts_in(unit: Unit, built: Machine) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    """What each auxiliary system of another form is at, and what is kept of those that it does not have."""
    known: dict[str, list[int]] = {}
    for label, lost in (*unit.stowed_parts, *zip(auxiliaries(unit.machine), unit.wear.auxiliaries, strict=False)):
        known.setdefault(label, []).append(lost)
    numbers = [known[label].pop(0) if known.get(label) else 0 for label in auxiliaries(built)]
    waits = tuple([(label, lost) for label, numbers in sorted(known.items()) for lost in numbers if lost])
    return (tuple(numbers) if any(numbers) else ()), waits


def _hampered(unit: Unit, built: Machine) -> tuple[Signs, tuple[str, ...]]:
    """Which systems of another form have jammed, are hot, or are being made ready, by the places that they have in it; and the jams that
    wait with the form that is left. What a system that is folded away was made ready for is lost; one that is cleared is begun anew."""
    signs = unit.signs
    if not (signs.jammed or signs.charged or signs.hot or unit.shape.jams):
        return signs, ()
    before, after = [name for name, _ in mounts(unit.machine)], {name: at for at, (name, _) in enumerate(mounts(built))}
    stuck = dict.fromkeys([*unit.shape.jams, *[before[at] for at in signs.jammed]])
    jammed = tuple(sorted([after[name] for name in stuck if name in after]))
    moved = replace(
        signs,
        jammed=jammed,
        clearing=tuple([(after[before[at]], *rest) for at, *rest in signs.clearing if before[at] in after]),
        charged=tuple([(after[before[at]], spent) for at, spent in signs.charged if before[at] in after]),
        hot=tuple([(after[before[at]], rounds) for at, rounds in signs.hot if before[at] in after]),
    )
    return moved, tuple([name for name in stuck if name not in after])


def at_home(unit: Unit) -> Unit:
    """A unit in the form that its file describes; what has changed one way stays as it is (book line 3963)."""
    away = unit.primary and unit.machine.name != unit.primary and unit.machine.change != "one-way"
    return in_form(unit, unit.primary) if away else unit
