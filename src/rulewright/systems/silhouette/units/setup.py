"""Units from files: a vehicle with its crew, a character aboard, and what earlier scenes have left of them."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.campaign.downtime import CAMPAIGN_FIELDS
from rulewright.errors import UserError
from rulewright.files import explain_value, set_at
from rulewright.grammar import count, figure
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Lasts, counted, numbered
from rulewright.systems.silhouette.harm.body import LASTING, Patient
from rulewright.systems.silhouette.machines.machine import Machine, machine
from rulewright.systems.silhouette.machines.vehicle import DEFECTS, FUEL, Vehicle
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.skills import unfamiliar
from rulewright.systems.silhouette.units.courses import Course
from rulewright.systems.silhouette.units.forms import in_form
from rulewright.systems.silhouette.units.nanomachine_state import Taken, fitted_with
from rulewright.systems.silhouette.units.parts import called, carried, told_apart
from rulewright.systems.silhouette.units.units import ATTRIBUTES, SKILLS, Crew, Part, Rider, Skill, Unit, auxiliaries, fresh_arms, mounts
from rulewright.systems.silhouette.units.visible_traits import Signs
from rulewright.systems.silhouette.units.wear import Arm, Wear

FIELDS = {
    "walker": "mecha",
    "ground": "ground",
    "hover": "ground",
    "rail": "ground",
    "naval": "naval",
    "submarine": "naval",
    "air": "air",
    "space": "space",
}
"""The field of a pilot's and a gunner's skill, by movement type."""
_LEARNT = {"piloting": "pilot"}
MOST_LEVEL = 12
PLACED = ("facing", "altitude", "group", "speed", "way", "tows", "split", "stretched", "along")
"""The fields that a scenario may set about where and how a unit starts."""
SPEEDS = ("stationary", "combat", "top")
COURSE = ("load", "vector", "burned", "landed", "glide", "reentry", "falling")
"""The fields of its course that a scenario may set."""
WORN = tuple(Wear.__struct_fields__)
CARRIES = ("wear", "crew", "arms", "sections", "components", "form", "taken")
"""The fields of a unit that last beyond a battle."""
MOST_STRETCHED = 1_000
MOST_HULL_DOWN = 2
"""1 in partial cover, 2 in full cover."""
FIRST = ("form", "taken")
"""Fields that are set before all others, which depend on them: a one-way change of form, and absorbed sources."""
BODIES = ("sections.", "components.")
"""Prefixes of fields that belong to one body of a machine."""


def crew_of(built: Machine) -> Crew:
    """The crew that comes with a machine. Its Combat Sense equals its Leadership (ruling)."""
    levels = dict(built.skills)
    levels.setdefault("combat sense", levels.get("leadership", 0))
    skills = tuple([Skill(name, levels.get(name, 0)) for name in SKILLS])
    return Crew(hands=built.living, computers=max(0, built.crew - built.living), passengers=built.passengers, skills=skills)


def enter(rules: Ruleset, vehicle: Vehicle, name: str, side: str, *, state: Mapping[str, Any], group: str = "") -> Unit:
    """A vehicle enters a battle with the crew of its file and the changes of the scenario."""
    if not isinstance(vehicle, Vehicle):
        raise UserError(f"{name} is not a machine: put characters aboard one with `state: {{aboard: NAME OF A UNIT}}`")
    built = machine(rules, vehicle)
    way = max(built.ways, key=lambda item: (not item.unpowered, item.combat), default=None)
    unit = Unit(
        name=name,
        side=side,
        group=group or side,
        machine=built,
        crew=crew_of(built),
        arms=fresh_arms(built),
        way=way.type if way is not None else "",
    )
    told = {**vehicle.condition, **state}
    for field, value in {**{first: told[first] for first in FIRST if first in told}, **told}.items():
        if field.startswith(BODIES) or field in (DEFECTS, FUEL, *CAMPAIGN_FIELDS):
            continue  # it belongs to one of its bodies, which enter separately, or to time between scenes
        unit = _with_field(unit, field, value)
    seats = max(built.crew, built.living)
    if unit.crew.hands > seats:
        raise UserError(f"{name}: state: crew: it has seats for {seats}, not for {unit.crew.hands:,}")
    return checked(unit)


def sections_of(vehicle: Vehicle, hull: Unit, state: Mapping[str, Any]) -> tuple[Unit, ...]:
    """The sections of a large machine as units of their own, at the place of their hull."""
    bodies = hull.machine.sections
    plain = numbered([body.name for body in bodies])
    told = told_apart({**vehicle.condition, **state}, "sections", tuple(plain), hull.name)
    units = []
    for name, own, body in zip(called(hull.name, bodies), plain, bodies, strict=True):
        still = replace(body, ways=())
        unit = Unit(
            name=name,
            side=hull.side,
            group=hull.group,
            machine=still,
            crew=crew_of(body),
            arms=fresh_arms(body),
            halved=hull.halved,
            part=Part(of=hull.name, voice=hull.voice),
        )
        units.append(carried(hull, checked(said_of(unit, told.get(own, {})))))
    return tuple(units)


def said_of(unit: Unit, state: Mapping[str, Any]) -> Unit:
    """A body of a machine with its state from a file or scenario."""
    for field, value in state.items():
        if field in PLACED or field in COURSE:
            raise UserError(f"{unit.name}: set {field} on the whole machine, not on a part")
        unit = _with_field(unit, field, value)
    return unit


def _with_field(unit: Unit, field: str, value: Any) -> Unit:
    """A unit with one field of a member's state; raises a plain error if it does not fit."""
    try:
        return _set_field(unit, field, value)
    except msgspec.ValidationError as error:
        raise UserError(f"{unit.name}: state: {field}: {explain_value(error, value)}") from None


def _set_field(unit: Unit, field: str, value: Any) -> Unit:
    """One field of a member's state."""
    head, _, rest = field.partition(".")
    if field == "crew" and isinstance(value, int):
        return replace(unit, crew=replace(unit.crew, hands=value))
    if field == "level":
        level = msgspec.convert(value, int)
        return replace(unit, crew=replace(unit.crew, skills=tuple([Skill(name, level) for name in SKILLS])))
    if field in SKILLS:
        level = msgspec.convert(value, int)
        skills = tuple([replace(skill, level=level) if skill.name == field else skill for skill in unit.crew.skills])
        return replace(unit, crew=replace(unit.crew, skills=skills))
    if field in PLACED:
        if field == "speed" and value not in SPEEDS:
            raise UserError(f"{unit.name}: state: speed: {value!r} is not one of {', '.join(SPEEDS)}")
        if field in ("stretched", "along"):
            return replace(unit, shape=replace(unit.shape, **{field: msgspec.convert(value, int)}))
        kind: Any = bool if field == "split" else int if field in ("facing", "altitude") else str
        return replace(unit, **{field: msgspec.convert(value, kind)})
    if field in COURSE:
        return replace(unit, course=msgspec.convert({**msgspec.to_builtins(unit.course), field: value}, Course))
    if field == "form":
        return _with_form(unit, msgspec.convert(value, str))
    if field == "taken":
        return _with_absorbed(unit, msgspec.convert(value, tuple[Taken, ...]))
    if head == "wear" and rest:
        return replace(unit, wear=msgspec.convert(set_at(msgspec.to_builtins(unit.wear), rest, value), Wear))
    if head == "signs" and rest:
        return replace(unit, signs=msgspec.convert(set_at(msgspec.to_builtins(unit.signs), rest, value), Signs))
    if head == "crew" and rest:
        return replace(unit, crew=msgspec.convert(set_at(msgspec.to_builtins(unit.crew), rest, value), Crew))
    if head == "arms" and rest:
        return _set_arm(unit, rest, value)
    known = ("crew", "level", *SKILLS, *PLACED, *COURSE, *[f"wear.{text}" for text in WORN], "arms.NAME")
    raise UserError(f"{unit.name}: state has no field {field!r}{nearest(field, known)}")


def _with_form(unit: Unit, form: str) -> Unit:
    """A unit with a permanent change of form; empty: none."""
    if not form or form == unit.machine.name:
        return unit
    known = [candidate.name for candidate in unit.machine.forms]
    if form not in known:
        raise UserError(f"{unit.name}: there is no form {form!r}{nearest(form, known)}")
    return in_form(unit, form)


def _with_absorbed(unit: Unit, taken: tuple[Taken, ...]) -> Unit:
    """A unit with what its nanomachines absorbed before."""
    if taken and not unit.machine.absorption:
        raise UserError(f"{unit.name}: taken: it has no nanomachines that absorb material")
    if any(candidate.kg < 0 or candidate.size < 0 for candidate in taken):
        raise UserError(f"{unit.name}: taken: kilograms and Size must be 0 or more")
    built = fitted_with(unit.machine, taken)
    fresh = fresh_arms(built)
    told = [arm for candidate in taken for arm in candidate.arms]
    arms = (*unit.arms, *(told if len(unit.arms) + len(told) == len(fresh) else fresh[len(unit.arms) :]))
    kept = tuple([replace(candidate, arms=()) for candidate in taken])
    return replace(unit, machine=built, arms=arms, shape=replace(unit.shape, taken=kept))


def _absorbed_for_file(unit: Unit) -> tuple[Taken, ...]:
    """Returns what a unit has absorbed, for a file: with the present state of the systems."""
    left = list(unit.arms[len(mounts(unit.machine.own or unit.machine)) :])
    takens = []
    for candidate in unit.shape.taken:
        many = sum([system.quantity for system in candidate.systems])
        takens.append(replace(candidate, arms=tuple(left[:many])))
        left = left[many:]
    return tuple(takens)


def _set_arm(unit: Unit, rest: str, value: Any) -> Unit:
    names = [name for name, _ in mounts(unit.machine)]
    name = max((text for text in names if rest == text or rest.startswith(f"{text}.")), key=len, default="")
    if not name:
        stowed = _other_forms_systems(unit)
        if rest not in stowed:
            raise UserError(f"{unit.name}: it has no system {rest!r}{nearest(rest, names)}")
        known = {**dict(unit.stowed), rest: msgspec.convert({**msgspec.to_builtins(stowed[rest]), **value}, Arm)}
        return replace(unit, stowed=tuple(sorted(known.items(), key=lambda pair: pair[0])))
    at, field = names.index(name), rest[len(name) + 1 :]
    data = msgspec.to_builtins(unit.arms[at])
    after = set_at(data, field, value) if field else {**data, **value}
    return unit.with_arm(at, msgspec.convert(after, Arm))


def _other_forms_systems(unit: Unit) -> dict[str, Arm]:
    """The systems of a unit's other forms by name, for one-way changes: as they were left or built."""
    if unit.machine.change != "one-way":
        return {}
    own = {name for name, _ in mounts(unit.machine)}
    others = {name: arm for form in unit.machine.forms for (name, _), arm in zip(mounts(form), fresh_arms(form), strict=True)}
    return {name: dict(unit.stowed).get(name, arm) for name, arm in others.items() if name not in own}


def checked(unit: Unit) -> Unit:
    """A unit if it is consistent; raises `UserError` with the reason otherwise."""
    built, crew, wear = unit.machine, unit.crew, unit.wear
    if min(crew.hands, crew.computers, crew.passengers, crew.lost, crew.lost_passengers, crew.dead, crew.crossing) < 0:
        raise UserError(f"{unit.name}: the crew's numbers must be 0 or more")
    if crew.lost > crew.hands or crew.lost_passengers > crew.passengers or crew.dead > crew.lost + crew.lost_passengers:
        raise UserError(f"{unit.name}: there are more casualties than people aboard")
    if crew.hands > 100_000:
        raise UserError(f"{unit.name}: a crew of {crew.hands:,} is too large")
    if not 0 <= unit.signs.hull_down <= MOST_HULL_DOWN:
        raise UserError(f"{unit.name}: hull_down must be 0 to {MOST_HULL_DOWN}, not {unit.signs.hull_down}")
    for skill in crew.skills:
        if not 0 <= skill.level <= MOST_LEVEL:
            raise UserError(f"{unit.name}: the level of {skill.name} must be 0 to {MOST_LEVEL}, not {skill.level}")
    if unit.way and built.way(unit.way) is None and not unit.section:
        known = ", ".join(way.type for way in built.ways) or "none"
        raise UserError(f"{unit.name}: it has no {unit.way} movement, only {known}")
    if unit.shape.stretched and not (built.morphs and 2 <= unit.shape.stretched <= MOST_STRETCHED):
        raise UserError(f"{unit.name}: stretched: only morphable material can be stretched, and over 2 hexes or more")
    if unit.split and not built.components:
        raise UserError(f"{unit.name}: split: it has no components")
    if len(unit.arms) != len(mounts(built)):
        raise UserError(f"{unit.name}: arms needs {count(len(mounts(built)), 'entry')}, one for each system")
    for at, arm in enumerate(unit.arms):
        versions = unit.mount(at).versions
        if len(arm.left) != len(versions) or not 0 <= arm.mode < len(versions):
            raise UserError(f"{unit.name}: the {unit.arm_name(at)} has only {count(len(versions), 'mode')}")
        for left, version in zip(arm.left, versions, strict=True):
            if not 0 <= left <= version.uses:
                raise UserError(f"{unit.name}: the {version.name} has 0 to {count(version.uses, 'use')}, not {left}")
        if not 0 <= arm.accuracy <= 20 or arm.redundant < 0 or arm.fired < 0:
            raise UserError(f"{unit.name}: the state of the {unit.arm_name(at)} is impossible")
    if wear.auxiliaries and len(wear.auxiliaries) != len(auxiliaries(built)):
        raise UserError(f"{unit.name}: auxiliaries needs {count(len(auxiliaries(built)), 'entry')}, one for each auxiliary system")
    armor = max([built.armor, *[form.armor for form in built.forms]])
    if not 0 <= wear.armor <= armor or not 0 <= wear.maneuver <= 100:
        raise UserError(f"{unit.name}: lost Armor must be 0 to {armor:g}, and lost Maneuver 0 or more")
    course = unit.course
    if min(course.load, course.burned, course.falling, course.reentry, course.glide or 0, course.skid) < 0 or course.reentry > 20:
        raise UserError(f"{unit.name}: load, burned, falling, glide and reentry must be 0 or more, and reentry at most 20")
    if max(abs(part) for part in course.vector) > 1000:
        raise UserError(f"{unit.name}: a vector can be at most 1,000 hexes a round along each axis")
    if min(unit.used, unit.extra, unit.ordered, unit.owed, unit.stunned, unit.spent, unit.hexes, unit.last, unit.received, unit.turns) < 0:
        raise UserError(f"{unit.name}: the counts of a round must be 0 or more")
    return unit


def seated(rules: Ruleset, unit: Unit, rider: Rider) -> Unit:
    """Seat a character: in the place of nameless crew, otherwise of a passenger; refused if all seats are taken."""
    if any(candidate.name == rider.name for candidate in unit.riders):
        raise UserError(f"{rider.name} is already aboard {unit.name}")
    free = unit.crew.hands - unit.crew.lost
    if free > 0:
        crew = replace(unit.crew, hands=unit.crew.hands - 1)
        return replace(unit, crew=crew, riders=(*unit.riders, replace(rider, seat="crew")))
    if unit.crew.passengers - unit.crew.lost_passengers > 0:
        crew = replace(unit.crew, passengers=unit.crew.passengers - 1)
        return replace(unit, crew=crew, riders=(*unit.riders, replace(rider, seat="passenger")))
    raise UserError(f"{rider.name}: {unit.name} has no free seat")


def rider_of(rules: Ruleset, character: Any, name: str, unit: Unit | None, state: Mapping[str, Any]) -> Rider:
    """A character aboard a machine: the skills that count there, and the body with its injuries."""
    if not isinstance(character, Character):
        raise UserError(f"{name} is not a character; only characters go aboard")
    person = Person.of(rules, character)
    body = replace(Patient.of_person(rules, person), name=name)
    for field, value in state.items():
        if field == "aboard":
            continue
        head = field.partition(".")[0]
        if head not in LASTING:
            raise UserError(f"{name}: state has no field {field!r}{nearest(field, ('aboard', *LASTING))}")
        try:
            body = msgspec.convert(set_at(msgspec.to_builtins(body), field, value), Patient)
        except msgspec.ValidationError as error:
            raise UserError(f"{name}: state: {field}: {str(error).partition(' - at')[0]}") from None
    skills = tuple([_skill(rules, person, text, unit.way if unit is not None else "ground") for text in (*SKILLS, "notice")])
    return Rider(name=name, body=body, skills=skills, fitness=person.attribute("fitness"), psyche=person.attribute("psyche"))


def _skill(rules: Ruleset, person: Person, skill: str, way: str) -> Skill:
    learnt = _LEARNT.get(skill, skill)
    wanted = f"{learnt} ({FIELDS.get(way, 'ground')})" if skill in ("piloting", "gunnery") else learnt
    known = person.best(wanted)
    level = person.level(known)
    strange = unfamiliar(rules, known).value if known != wanted and level else 0
    return Skill(skill, level, person.attribute(ATTRIBUTES[skill]), person.complexity.get(known, 1), strange)


# --- after a battle ------------------------------------------------------------------------------------------------------------------


def bodies_after(unit: Unit, head: str, bodies: list[Unit]) -> dict[str, Lasts]:
    """Returns the lasting state of the bodies of a machine after a battle: the same as a machine, under their own names."""
    plain = numbered([body.name for body in (unit.machine.sections if head == "sections" else unit.machine.components)])
    names = dict(zip(called(unit.name, unit.machine.sections if head == "sections" else unit.machine.components), plain, strict=True))
    return {
        f"{head}.{names[body.name]}.{field}": replace(kept, words=f"{names[body.name]}: {kept.words}")
        for body in bodies
        for field, kept in unit_after(body).items()
    }


def unit_after(unit: Unit) -> dict[str, Lasts]:
    """Returns the lasting state of a machine after a battle: damage, casualties, ammunition."""
    data = msgspec.json.decode(msgspec.json.encode(unit.wear))
    lasting = {f"wear.{field}": Lasts(data[field], _WORDS[field](unit.wear)) for field in WORN}
    crew = unit.crew
    lasting["crew.lost"] = Lasts(crew.lost, f"{counted(crew.lost, 'casualty', 'casualties')} among the crew")
    lasting["crew.lost_passengers"] = Lasts(
        crew.lost_passengers, f"{counted(crew.lost_passengers, 'casualty', 'casualties')} among the passengers"
    )
    lasting["crew.dead"] = Lasts(crew.dead, f"{counted(crew.dead, 'dead', 'dead')}")
    if unit.machine.change == "one-way":
        gone = bool(unit.primary) and unit.machine.name != unit.primary
        lasting["form"] = Lasts(unit.machine.name if gone else "", f"changed into {unit.machine.name}")
    if unit.machine.absorption:
        words = "; ".join([f"{figure(candidate.kg)} kg of {candidate.source}" for candidate in unit.shape.taken])
        lasting["taken"] = Lasts(msgspec.json.decode(msgspec.json.encode(_absorbed_for_file(unit))), f"absorbed {words or 'nothing'}")
    for (name, system), arm in zip(mounts(unit.machine.own or unit.machine), unit.arms, strict=False):
        lasting[f"arms.{name}"] = _arm_after(name, arm, system.versions[0].uses)
    for name, arm in _other_forms_systems(unit).items():
        lasting[f"arms.{name}"] = _arm_after(name, arm, 0)
    return lasting


def _arm_after(name: str, arm: Arm, uses: int) -> Lasts:
    """Returns the lasting state of a system after a battle."""
    kept = {"left": list(arm.left), "accuracy": arm.accuracy, "broken": arm.broken, "redundant": arm.redundant, "frozen": arm.frozen}
    kept |= {"worn": arm.worn} if arm.worn else {}
    state = "destroyed" if arm.broken else f"Accuracy -{arm.accuracy}" if arm.accuracy else "undamaged"
    return Lasts(kept, f"{name}: {state}{f', {arm.left[0]} of {uses} uses left' if uses else ''}")


def _listed(pairs: tuple[Any, ...], words: str, none: str) -> str:
    return f"{words} {', '.join(map(str, pairs))}" if pairs else none


_WORDS: dict[str, Any] = {
    "armor": lambda wear: f"{wear.armor or 'no'} Armor lost",
    "maneuver": lambda wear: f"{wear.maneuver or 'no'} Maneuver lost",
    "slowed": lambda wear: (
        "; ".join([f"{candidate.type}: loses {candidate.combat} Combat Speed and {candidate.top} Top Speed" for candidate in wear.slowed])
        or "no speed lost"
    ),
    "failed": lambda wear: _listed(wear.failed, "no more movement by", "no movement type lost"),
    "auxiliaries": lambda wear: f"{counted(sum([1 for lost in wear.auxiliaries if lost]), 'auxiliary system')} damaged",
    "absorbed": lambda wear: (
        "; ".join([f"reinforced {part} used up {times}" for part, times in wear.absorbed]) or "reinforced parts intact"
    ),
    "ablated": lambda wear: "; ".join([f"{points} ablative armor lost ({arc})" for arc, points in wear.ablated]) or "ablative armor intact",
    "burnt": lambda wear: f"{count(wear.burnt, 'point')} of the power booster spent",
    "overburnt": lambda wear: _listed(wear.overburnt, "overburnt, permanently 1 worse:", "nothing overburnt"),
    "compartment": lambda wear: "the crew compartment has failed" if wear.compartment else "the crew compartment is intact",
    "destroyed": lambda wear: f"destroyed: {wear.destroyed}" if wear.destroyed else "not destroyed",
}
