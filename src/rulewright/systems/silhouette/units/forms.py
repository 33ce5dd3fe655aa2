"""Changes of form: machines with two or more forms, with the damage that carries over (book lines 3949-3961), and morphable
material, where only lost Armor and casualties do (lines 4032-4045)."""

from msgspec.structs import replace

from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.units.nanomachine_state import fitted_with
from rulewright.systems.silhouette.units.units import Unit, auxiliaries, fresh_arms, mounts
from rulewright.systems.silhouette.units.visible_traits import Signs
from rulewright.systems.silhouette.units.wear import Arm, Wear

WHEELED = ("ground", "rail")
"""Movement types that need moving parts, which simple morphable material cannot form."""


def in_form(unit: Unit, name: str) -> Unit:
    """A unit in another of its forms. Damage to shared parts stays; damage to parts of one form waits with that form. Lost Armor,
    reduced speeds, Maneuver and casualties carry over. Morphable material repairs everything except Armor and people, even when
    it re-forms into its present form."""
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
    signs, jams = _system_conditions(unit, built)
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
    """A unit of morphable material after re-forming: only Armor stays damaged. Ammunition and power booster points stay spent. Simple
    material cannot form moving parts, so its guns and wheels stay as they were (ruling)."""
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
        arms=tuple([_re_formed(arm) for arm in unit.arms]),
        stowed=tuple([(label, _re_formed(arm)) for label, arm in unit.stowed]),
        stowed_parts=(),
        signs=replace(unit.signs, jammed=(), clearing=(), hot=()) if unit.signs.jammed or unit.signs.hot else unit.signs,
        shape=replace(unit.shape, jams=()) if unit.shape.jams else unit.shape,
    )


def _re_formed(arm: Arm) -> Arm:
    """A re-formed system, with its remaining ammunition."""
    return replace(arm, accuracy=0, broken=False, redundant=0, frozen=None, worn=0)


def parts_in(unit: Unit, built: Machine) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    """The state of each auxiliary system of another form, and the kept state of those that it lacks."""
    known: dict[str, list[int]] = {}
    for label, lost in (*unit.stowed_parts, *zip(auxiliaries(unit.machine), unit.wear.auxiliaries, strict=False)):
        known.setdefault(label, []).append(lost)
    numbers = [known[label].pop(0) if known.get(label) else 0 for label in auxiliaries(built)]
    waits = tuple([(label, lost) for label, numbers in sorted(known.items()) for lost in numbers if lost])
    return (tuple(numbers) if any(numbers) else ()), waits


def _system_conditions(unit: Unit, built: Machine) -> tuple[Signs, tuple[str, ...]]:
    """Returns the systems of another form that are jammed, hot or charging, by their indices in it; and the jams that wait with the old
    form. The charge of a system of the old form is lost; clearing a jam starts again."""
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
    """A unit in the form that its file describes; a one-way change stays (book line 3963)."""
    away = unit.primary and unit.machine.name != unit.primary and unit.machine.change != "one-way"
    return in_form(unit, unit.primary) if away else unit
