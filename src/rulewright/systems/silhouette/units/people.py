"""People on foot among machines, in rounds of six seconds (book lines 7425-7451)."""

from msgspec.structs import replace

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, divided, rounded_down, row, term, times, total
from rulewright.systems.silhouette.action.movement import sprint_of
from rulewright.systems.silhouette.combat.arms import Weapon, weapons_of
from rulewright.systems.silhouette.combat.throws import Missile
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.design.rounding import Figure, reckon, rounded
from rulewright.systems.silhouette.machines.machine import Machine, Mounted, Version, Way
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.people.skills import attribute_of
from rulewright.systems.silhouette.resolution.modifiers import throwing_range
from rulewright.systems.silhouette.units.units import Crew, Rider, Skill, Unit, fresh_arms

_ID = "sil-7-character-scale-vehicles"
PERSON = "person"
"""The build of a unit that is a person on foot."""
SCALE = 10
RANGE = 50
CLOSE_HEX = 10
"""Metres of a hex on a map of this scale: the distance of one Movement Point in six seconds."""
MISSES = -2


# --- figures ----------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def among_people(figure: float) -> Derived[Figure]:
    """Armor or damage of a machine among people: ten times as much. By id only."""
    return reckon("among people", term("of a machine", figure), times("ten", SCALE), rule=_ID)


@rule(_ID)
def range_among_people(base_range: float) -> Derived[Figure]:
    """Metres of a machine's weapon range among people: fifty for each point. By id only."""
    return reckon("metres", term("range", base_range), times("metres for each", RANGE), rule=_ID)


@rule(_ID)
def metres_a_round(points: float, flying: bool = False) -> Derived[Figure]:
    """Metres that a machine moves in six seconds: ten for each Movement Point spent, fifty in the air. By id only."""
    reason = times("in the air", 50) if flying else times("on the ground", 10)
    return reckon("metres a round", term("Movement Points", points), reason, rule=_ID)


@rule(_ID)
def against_person(anti_infantry: bool = False) -> int:
    """The modifier of a machine's weapon against a person on foot: -2, unless it is an anti-infantry weapon."""
    return 0 if anti_infantry else MISSES


@rule(_ID)
def actions_among_people(rules: Ruleset, actions: int) -> Derived[int]:
    """Actions of a machine in six seconds: all of them, or in a gritty campaign half, rounded down, but at least one."""
    if rules.word("character-scale-actions") == "all":
        return total("Actions", row("unchanged", actions), rule=_ID)
    half = total("Actions", term("crew", actions), divided("half", 2), rounded_down(), rule=_ID)
    return half if half.value >= 1 or actions < 1 else total("Actions", row("at least one", 1), rule=_ID)


@rule(_ID)
def persons_size() -> int:
    """The Size of a person on foot for throws and rams."""
    return 1


# --- people on foot ---------------------------------------------------------------------------------------------------------------


def on_foot(rules: Ruleset, person: Person, name: str, side: str, *, group: str, body: Patient) -> Unit:
    """A character on foot as a unit, with their body, weapons and legs."""
    weapons = [weapon for weapon in weapons_of(rules, person) if not weapon.too_heavy]
    sprint = sprint_of(rules, person)
    steps = max(1, rounded(sprint / 2 / CLOSE_HEX)), max(1, rounded(sprint / CLOSE_HEX))
    walking: Way = Way("walker", steps[0], steps[1], 0, person.attribute("agility"))
    built = Machine(
        name=name,
        size=persons_size(),
        armor=max(1, rounded(body.flesh_threshold / SCALE)),
        light=1,
        heavy=2,
        overkill=3,
        maneuver=0,
        crew=1,
        living=1,
        passengers=0,
        actions=2,
        skills=(),
        ways=(replace(walking, maneuver=0),),
        systems=_systems(rules, person, weapons),
        links=(),
        perks=(),
        flaws=(),
        auxiliaries=(),
        absorbs=(),
        sensors=None,
        comms=None,
        deployment=0,
        burn_points=0,
        build=PERSON,
    )
    rider = Rider(name=name, body=replace(body, name=name), skills=_skills(rules, person, weapons), fitness=person.attribute("fitness"))
    return Unit(name=name, side=side, group=group, machine=built, crew=Crew(), riders=(rider,), arms=fresh_arms(built), way="walker")


BLAST = "blast"
"""The mark of a grenade: its damage at the centre, in people's scale, and its radius in hexes."""
WIELDED = "wielded"
"""The mark of a hand weapon: the skill that it is used with."""


def _systems(rules: Ruleset, person: Person, weapons: list[Weapon]) -> tuple[Mounted, ...]:
    """Everything that a person carries as systems: ranged weapons first, then thrown ones, then close-combat ones; without duplicates."""
    ways: list[Mounted] = []
    for weapon in weapons:
        if weapon.fires is not None:
            ways.append(_carried(weapon, weapon.skill, weapon.fires.short, max(0, weapon.fires.rof), weapon.fires.ammo or 0))
    ways += [_grenade(rules, person, weapon) for weapon in weapons if weapon.blast is not None]
    ways += [_carried(weapon, "throwing", _throw(rules, person, weapon.thrown), 0, 1) for weapon in weapons if weapon.thrown is not None]
    ways += [_carried(weapon, weapon.skill, 0, 0, 0) for weapon in weapons if weapon.close]
    named: dict[str, Mounted] = {}
    for system in ways:
        named.setdefault(system.name, system)
    return tuple(named.values())


def _throw(rules: Ruleset, person: Person, missile: Missile) -> int:
    """Short range of a throw, in metres."""
    if missile.short is not None:
        return missile.short
    return max(1, throwing_range(rules, int(secondary_of(rules, person)["strength"].value), missile.kilograms))


def _carried(weapon: Weapon, skill: str, short: float, rate: int, uses: int) -> Mounted:
    """A hand weapon as a system: a tenth of its damage, and its ranges in a machine's points; without a range it is for close combat."""
    reach = tuple([short * factor / RANGE for factor in (1, 2, 4, 8)]) if short else ()
    name = f"thrown {weapon.name}" if skill == "throwing" and weapon.close else weapon.name
    perks = (("anti-infantry", 0, ""), (WIELDED, 0, skill), *((("armor-piercing", 0, ""),) if weapon.pierces else ()))
    return _held(name, weapon.damage / SCALE, reach, weapon.accuracy, rate=rate, uses=uses, perks=perks)


def _grenade(rules: Ruleset, person: Person, weapon: Weapon) -> Mounted:
    """A grenade, thrown or from a launcher: an area of whole hexes around its impact."""
    blast = weapon.blast
    assert blast is not None
    short = weapon.lobs or max(1, throwing_range(rules, int(secondary_of(rules, person)["strength"].value), 1))
    reach = tuple([short * factor / RANGE for factor in (1, 2, 4, 8)])
    wide = ("area effect", int(blast.outer_radius // CLOSE_HEX), "")
    perks: tuple[tuple[str, int, str], ...] = (("anti-infantry", 0, ""), (WIELDED, 0, weapon.skill), wide)
    if blast.fills and not blast.outer_damage:
        perks = (*perks, ("smoke", 0, ""))
    elif blast.damage:
        perks = (*perks, (BLAST, blast.damage, str(int(blast.radius // CLOSE_HEX))))
    return _held(weapon.name, blast.outer_damage / SCALE, reach, weapon.accuracy, rate=0, uses=weapon.rounds or 1, perks=perks)


def _held(
    name: str, damage: Figure, reach: tuple[Figure, ...], accuracy: int, *, rate: int, uses: int, perks: tuple[tuple[str, int, str], ...]
) -> Mounted:
    version = Version(name, "matter", not reach, damage, reach, accuracy, rate, uses, perks, ())
    return Mounted(name, 1, "turret", 0, 360, "hull", False, False, (version,))


def _skills(rules: Ruleset, person: Person, weapons: list[Weapon]) -> tuple[Skill, ...]:
    """The skills of a person that count in a battle: attacking with what they carry, dodging and staying calm."""
    shoots = next((weapon.skill for weapon in weapons if weapon.fires is not None), "small arms")
    text_by_name = {
        "gunnery": shoots,
        "piloting": "defense",
        "combat sense": "combat sense",
        "leadership": "leadership",
        "notice": "notice",
    }
    text_by_name |= {skill: skill for weapon in weapons for skill in (weapon.skill, weapon.aims_with)}
    skills = []
    for as_unit, own in text_by_name.items():
        best = person.best(own)
        attribute = person.attribute(attribute_of(rules, own))
        skills.append(Skill(as_unit, person.level(best), attribute, person.complexity.get(best, 1)))
    return (*skills, Skill("information warfare"))


def is_person(unit: Unit) -> bool:
    """Whether a unit is a person on foot."""
    return unit.machine.build == PERSON
