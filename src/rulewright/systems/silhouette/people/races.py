"""Non-human races: shifted ranges, abilities, powers and costs (book lines 5438-5481, 6220-6232)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.silhouette.people.body_plan import HUMAN, BodyPlan, Way
from rulewright.systems.silhouette.people.powers import Power
from rulewright.systems.silhouette.people.traits import Trait, flaw_value, perk_cost

_TEMPLATE, _SHIFT, _ABILITIES = "sil-6.2-alien-template", "sil-6.2.1-attribute-shift", "sil-6.2.2-special-abilities"
POINTS_A_SHIFT = 10


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """A special ability, with a detail if it needs one: fly, swim, a third arm."""

    name: str
    about: str = ""


class Race(Struct, frozen=True, forbid_unknown_fields=True):
    """A race file, and the race of a character."""

    name: str
    system: Literal["silhouette"] = "silhouette"
    kind: Literal["race"] = "race"
    concept: str = ""
    shifts: dict[str, int] = {}
    """Shift of an attribute's range, up or down."""
    skills: dict[str, int] = {}
    """Skills of all members, who pay for them as usual."""
    perks: tuple[Trait, ...] = ()
    flaws: tuple[Trait, ...] = ()
    abilities: tuple[Ability, ...] = ()
    powers: dict[str, int] = {}
    """Natural attack or defense powers with the cost of their systems (sil-6.2.2-special-powers)."""
    designs: dict[str, Power] = {}
    """The systems of these powers by name, for use in fights."""
    common: tuple[Trait, ...] = ()
    """Perks and Flaws that most members choose and pay for."""
    notes: str = ""


class AbilityRow(TableRow, frozen=True):
    """A non-human ability: its price and its numerical effect."""

    ability: str
    cost: int
    speed_times: float | None = None
    reach_times: float | None = None
    sight: Literal[180, 270, 360] = 180
    disguise: int = 0


ABILITIES = Table(_ABILITIES, AbilityRow)
LIMB, WAY = "extra limb", "extra way to move"
WAYS: dict[Way, tuple[str, ...]] = {"fly": ("fly", "flight", "wing"), "swim": ("swim", "fin"), "burrow": ("burrow", "dig")}
"""Words that mean a way to move."""
KEEN = Race("keen one", shifts={"perception": 1})


@rule(_SHIFT)
def shifted_range(low: int = -3, high: int = 3, shift: int = 0) -> tuple[int, int]:
    """Returns the shifted range of an attribute: both ends move."""
    return low + shift, high + shift


@rule(_SHIFT)
def shift_points(shifts: dict[str, int]) -> Derived[int]:
    """Returns the Skill Points that become Character Points (negative: the other way): 10 per step up, minus 10 per step down."""
    terms = [term(name.capitalize(), POINTS_A_SHIFT * by) for name, by in shifts.items() if by]
    return total("Skill Points that become Character Points", *terms, rule=_SHIFT)


@rule("sil-6.2.1-racial-perks")
def trait_points(rules: Ruleset, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> Derived[int]:
    """Returns the Character Points of Perks and Flaws of a whole race (ruling: the same figures as Skill Points)."""
    bought = [term(perk.label(), perk_cost(rules, perk).value) for perk in perks]
    given = [term(flaw.label(), -flaw_value(rules, flaw).value) for flaw in flaws]
    return total("Perks and Flaws", *bought, *given, rule="sil-6.2.1-racial-perks")


@rule(_ABILITIES)
def ability_points(rules: Ruleset, abilities: tuple[Ability, ...] = ()) -> Derived[int]:
    """Returns the Character Points of special abilities. A body has only one speed, one reach and one field of view."""
    for group in (("immobile", "slower than human", "faster than human", "much faster than human"), ("half reach", "double reach")):
        if len({ability.name for ability in abilities} & set(group)) > 1:
            raise UserError(f"these contradict each other: {', '.join(sorted({ability.name for ability in abilities} & set(group)))}")
    terms = [
        term(f"{ability.name}{f' ({ability.about})' if ability.about else ''}", ABILITIES.get(rules, ability.name).cost)
        for ability in abilities
    ]
    return total("abilities", *terms, rule=_ABILITIES)


@rule(_TEMPLATE)
def template_cost(rules: Ruleset, race: Race = KEEN) -> Derived[int]:
    """Returns the Character Points of the template, paid first: abilities, and the Perks and Flaws of all members."""
    traits, able = trait_points(rules, race.perks, race.flaws), ability_points(rules, race.abilities)
    powers = [term(name, cost, rule="sil-6.2.2-special-powers") for name, cost in race.powers.items()]
    terms = (term("traits", traits), term("abilities", able), *powers)
    return total("Character Points of the template", *terms, rule=_TEMPLATE)


@rule(_TEMPLATE)
def pools_of(rules: Ruleset, race: Race = KEEN, character_points: int = 30, skill_points: int = 50) -> tuple[int, int]:
    """Returns the Character Points and Skill Points left for a member of this race."""
    moved = shift_points(race.shifts).value
    return character_points + moved - template_cost(rules, race).value, skill_points - moved


@rule(_ABILITIES)
def body_of(rules: Ruleset, race: Race = KEEN) -> BodyPlan:
    """Returns the body plan of a race: speed, reach, sight, limbs, ways to move, disguise bonus; a shield power gives a third of its
    damage as armor (sil-f-system-perks)."""
    speed, reach, sight, disguise = 1.0, 1.0, 180, 0
    for ability in race.abilities:
        row = ABILITIES.get(rules, ability.name)
        speed = row.speed_times if row.speed_times is not None else speed
        reach = row.reach_times if row.reach_times is not None else reach
        sight, disguise = max(sight, row.sight), max(disguise, row.disguise)
    limbs = len([ability for ability in race.abilities if ability.name == LIMB])
    ways = tuple([further_way(ability) for ability in race.abilities if ability.name == WAY])
    armor = sum([round(design.multiplier / 3) for design in race.designs.values() if design.has("shield")])
    if (speed, reach, sight, disguise, limbs, ways, armor) == (1.0, 1.0, 180, 0, 0, (), 0):
        return HUMAN
    skills = (("disguise", disguise),) if disguise else ()
    return BodyPlan(speed_times=speed, reach_times=reach, sight=sight, skills=skills, limbs=limbs, ways=ways, armor=armor)  # type: ignore[arg-type]


@rule(_ABILITIES)
def further_way(ability: Ability) -> Way:
    """Returns the further way to move of an ability: fly, swim or burrow."""
    for way, words in WAYS.items():
        if any(word in ability.about.lower() for word in words):
            return way
    raise UserError(f"an extra way to move must be fly, swim or burrow, not {ability.about!r}")


@rule(_ABILITIES)
def surprise_modifier(sight: Literal[180, 270, 360] = 180) -> int:
    """Returns the modifier to surprise a character with this field of view: -1 if it is all round."""
    return -1 if sight == 360 else 0
