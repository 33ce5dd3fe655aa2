"""Creature files, and the values derived from a creature's six attributes (book lines 5276-5395, 5430-5436)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, divided, rounded, rounded_down, rounded_up, row, term, times, total
from rulewright.systems.silhouette.creatures.swarm import Swarm
from rulewright.systems.silhouette.people.body_plan import BodyPlan, NaturalWeapon
from rulewright.systems.silhouette.people.characters import Gear, Injuries, Person, known
from rulewright.systems.silhouette.people.secondary_attributes import EXPANDED
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, attribute_pool, succeeds

_TRAITS, _SKILLS, _MOVEMENT = "sil-6.1.2-creature-secondary-traits", "sil-6.1.3-creature-skills", "sil-6.1.4-creature-movement"
_INSTINCT, _RIDING, _WEAPONS = "sil-6.1.1-instinct-test", "sil-6.1.3-riding-modifier", "sil-6.1.4-natural-weapons"
ATTRIBUTES = ("agility", "build", "fitness", "instinct", "perception", "willpower")
REPLACED = ("knowledge", "creativity", "psyche")
"""Attributes that Instinct replaces."""
NEEDS_A_TOOL = 7


class Creature(Struct, frozen=True, forbid_unknown_fields=True):
    """A creature file: one animal or a swarm."""

    name: str
    system: Literal["silhouette"] = "silhouette"
    kind: Literal["creature"] = "creature"
    concept: str = ""
    attributes: dict[str, int] = {}
    """Agility, build, fitness, instinct, perception and willpower; missing ones are 0."""
    skills: dict[str, int] = {}
    complexity: dict[str, int] = {}
    weapons: tuple[NaturalWeapon, ...] = ()
    """Natural weapons, the usual one first."""
    armor: int = 0
    mass: float | None = None
    """Kilograms, within what its Build allows."""
    moves: tuple[str, ...] = ("run",)
    """Ways to move: run and others (fly, swim, burrow), all at the same speed."""
    manipulators: bool = False
    """Whether it has something like hands."""
    riding: int | None = None
    """Modifier to a rider's tests; None if it cannot be ridden."""
    placid: bool = False
    """Whether it is a placid grazer without Combat Sense."""
    swarm: Swarm | None = None
    injuries: Injuries = Injuries()
    notes: str = ""

    @property
    def role(self) -> Literal["joe average"]:
        """Returns the role: a creature is never a hero."""
        return "joe average"

    def attribute(self, name: str) -> int:
        """Returns an attribute; Instinct for mental ones that a creature lacks."""
        return self.attributes.get("instinct" if name in REPLACED else name, 0)

    def as_person(self, rules: Ruleset) -> Person:
        """Returns the creature as a person for tests and scenes, with Instinct in place of missing attributes and its own body plan."""
        ten = {name: self.attribute(name) for name in ("agility", "build", "fitness", "perception", "willpower", *REPLACED)}
        skills = {known(rules, name): level for name, level in self.skills.items() if level > 0}
        depth = {known(rules, name): value for name, value in self.complexity.items() if value > 1}
        empty: dict[str, tuple[str, ...]] = {}
        return Person(
            name=self.name,
            role="joe average",
            attributes={**ten, "influence": 0, "appearance": 0},
            skills=skills,
            complexity=depth,
            specializations=empty,
            covers={},
            favored={},
            perks=(),
            flaws=(),
            emergency_dice=0,
            gear=Gear(),
            injuries=self.injuries,
            plan=body_plan(rules, self),
        )


# --- size ---------------------------------------------------------------------------------------------------------------------


class BulkRow(TableRow, frozen=True):
    """A bulk class: its lowest Build, and its Size on the machine scale."""

    bulk: str
    build: int
    vehicle_size: int
    example: str


BULKS = Table("sil-6.1.1-size-comparison", BulkRow)
LIGHTEST, HEAVIEST = -10, 15


@rule("sil-6.1.1-expanded-bld")
def mass_of(rules: Ruleset, build: int) -> tuple[float, float]:
    """Returns the lightest and heaviest body of a Build, in kilograms."""
    row = EXPANDED.get(rules, str(build))
    return row.kg_from, row.kg_to


@rule("sil-6.1.1-expanded-bld")
def build_for(rules: Ruleset, kilograms: float) -> int:
    """Returns the Build for a mass; a band extends to the start of the next (reading). By id only."""
    if kilograms <= 0:
        raise UserError("the mass must be above 0")
    rows = sorted(EXPANDED(rules).values(), key=lambda row: row.kg_from)
    if kilograms >= 80_000:
        return HEAVIEST + 1
    return [row for row in rows if row.kg_from <= kilograms][-1].build


@rule("sil-6.1.1-size-comparison")
def bulk_of(rules: Ruleset, build: int) -> str:
    """Returns the bulk class: from Medium up the highest whose Build is reached, below it the nearest, the larger of two (ruling)."""
    rows = list(BULKS(rules).values())
    if build >= 0:
        return [row for row in rows if row.build <= build][-1].bulk
    return min(rows, key=lambda row: (abs(row.build - build), -row.build)).bulk


@rule("sil-6.1.1-size-comparison")
def vehicle_size(rules: Ruleset, build: int) -> int:
    """Returns a creature's Size on the machine scale."""
    return BULKS.get(rules, bulk_of(rules, build)).vehicle_size


# --- attributes and what follows ----------------------------------------------------------------------------------------------


@rule("sil-6.1-creature-scope")
def kind_of_being(sentient: bool) -> Literal["character", "creature"]:
    """Returns whether a being is a character (intelligent) or a creature (animals and mobile plants). By id only."""
    return "character" if sentient else "creature"


@rule("sil-6.1-creature-scope")
def stands_for(attribute: str) -> str:
    """Returns the creature attribute for a test: Instinct for Knowledge and Creativity, and for Psyche in Health.

    A view of `attribute` of a creature.
    """
    if attribute not in (*ATTRIBUTES, *REPLACED):
        raise UserError(f"a creature has no {attribute}; it has {', '.join(ATTRIBUTES)}")
    return "instinct" if attribute in REPLACED else attribute


@rule(_INSTINCT)
def instinct_threshold(difficulty: int = 4, tool: bool = False, manipulators: bool = False) -> int:
    """Returns the Threshold of a task for an animal: 3 to 5 for simple ones, at least 7 with a tool or control, which needs something
    like hands."""
    if tool and not manipulators:
        raise UserError("an animal needs something like hands to use a tool or a control")
    return max(difficulty, NEEDS_A_TOOL) if tool else difficulty


@rule(_INSTINCT)
def instinct_test(
    rules: Ruleset, instinct: int = 0, difficulty: int = 4, tool: bool = False, manipulators: bool = False, name: str = ""
) -> Play[Test]:
    """Tests an animal's Instinct: two dice + Instinct against the Threshold. By id only."""
    pool = attribute_pool(rules, instinct, "Instinct")
    threshold = instinct_threshold(difficulty, tool, manipulators)
    return (yield from action_test(rules, Pool(pool.dice, pool.mods, hero=False), threshold, name, "instinct"))


@rule(_TRAITS)
def creature_traits(
    rules: Ruleset, build: int = 0, fitness: int = 0, instinct: int = 0, willpower: int = 0, hand_to_hand: int = 0
) -> dict[str, Derived[int]]:
    """Returns a creature's secondary values with the formulas for people and Instinct in place of Psyche. Unarmed Damage includes the 3
    of the printed horse (ruling). There is no Armed Damage."""
    bld, fit, ins, wil = [term(n, v) for n, v in (("Build", build), ("Fitness", fitness), ("Instinct", instinct), ("Willpower", willpower))]
    toward_zero = rounded_down() if build + fitness >= 0 else rounded_up()
    strength = total("Strength", bld, fit, divided("halved", 2), toward_zero, rule=_TRAITS)
    health = total("Health", fit, wil, ins, divided("a third", 3), rounded(), rule=_TRAITS)
    stamina = total("Stamina", bld, term("Health", health), times("five", 5), term("base", 25), at_least(1), rule=_TRAITS)
    base = [term("base", 3, source="ruling")] if rules.word("creature-unarmed-damage") == "with the 3 of people" else []
    power = (*base, term("Strength", strength), bld, term("Hand-to-Hand", hand_to_hand))
    by = term("Stamina", stamina)
    return {
        "strength": strength,
        "health": health,
        "stamina": stamina,
        "unarmed_damage": total("Unarmed Damage", *power, at_least(1), rule=_TRAITS),
        "flesh_wound_threshold": total("Flesh Wound Threshold", by, divided("halved", 2), rounded_up(), rule=_TRAITS),
        "deep_wound_threshold": total("Deep Wound Threshold", by, rule=_TRAITS),
        "instant_death_threshold": total("Instant Death Threshold", by, times("twice", 2), rule=_TRAITS),
        "system_shock": total("System Shock", term("base", 5), term("Health", health), at_least(1), rule=_TRAITS),
    }


def traits_of(rules: Ruleset, creature: Creature) -> dict[str, Derived[int]]:
    """Returns the secondary values of a creature file."""
    return creature_traits(
        rules,
        creature.attribute("build"),
        creature.attribute("fitness"),
        creature.attribute("instinct"),
        creature.attribute("willpower"),
        creature.skills.get("hand-to-hand", 0),
    )


# --- skills, riding -----------------------------------------------------------------------------------------------------------


@rule(_SKILLS)
def size_defense(build: int) -> Derived[int]:
    """Returns the defense modifier of size: +1 for each point of Build below -5, -1 for each above +6."""
    value = max(0, -5 - build) - max(0, build - 6)
    return total("defense modifier", row("size", value, term("Build", build)), rule=_SKILLS)


@rule(_SKILLS)
def usual_defense(habit: Literal["predator", "flees", "freezes"] = "predator") -> int:
    """Returns the usual Defense of an animal: predators 1, fleeing prey 2, freezing prey 0. By id only."""
    return {"predator": 1, "flees": 2, "freezes": 0}[habit]


@rule(_SKILLS)
def may_parry(creature: bool = True) -> bool:
    """Whether a creature may parry: never with Hand-to-Hand. A view of `guards`, where a beast can but dodge."""
    return not creature


@rule(_RIDING)
def riding_modifier(modifier: int = 0) -> Mod:
    """Returns a mount's modifier to its rider's tests: -3 (unbroken) to +3 (show animal)."""
    if not -3 <= modifier <= 3:
        raise UserError(f"a mount adds -3 to +3 to its rider's tests, not {modifier}")
    return Mod("the mount", modifier, _RIDING)


@rule(_RIDING)
def ride(rules: Ruleset, rider: Pool = Pool(1), modifier: int = 0, threshold: int = 4, name: str = "") -> Play[bool]:  # noqa: B008
    """Tests Riding on this mount. By id only."""
    test = yield from action_test(rules, rider.plus(riding_modifier(modifier)), threshold, name, "riding")
    return succeeds(rules, test)


# --- movement, weapons, armor -------------------------------------------------------------------------------------------------


@rule(_MOVEMENT)
def running_speed(fitness: int = 0, agility: int = 0, build: int = 0, athletics: int = 0) -> Derived[int]:
    """Returns running speed in metres per round: 25 + 5 for each point of Fitness, Agility, Build and Athletics; at least 1. Flying,
    swimming and so on are as fast."""
    points = (("Fitness", fitness), ("Agility", agility), ("Build", build), ("Athletics", athletics))
    terms = [term("base", 25), *[term(f"{name}, 5 each", 5 * number) for name, number in points if number]]
    return total("running, metres per round", *terms, at_least(1), rule=_MOVEMENT)


@rule(_MOVEMENT)
def walking_speed(running: int = 75) -> Derived[float]:
    """Returns walking speed in metres per round: a third of the run."""
    return total("walking, metres per round", term("running", running), divided("a third", 3), rule=_MOVEMENT)


@rule(_WEAPONS)
def natural_damage(unarmed: int, weapon: NaturalWeapon, build: int = 0) -> Derived[int]:
    """Returns the Damage Multiplier of a natural attack: Unarmed Damage + the weapon's, or twice the Build for a trample."""
    if weapon.trample:
        return total("trample", term("Build", build), times("twice", 2), at_least(1), rule=_WEAPONS)
    return total(weapon.name, term("Unarmed Damage", unarmed), term(weapon.name, weapon.damage), rule=_WEAPONS)


@rule("sil-6.1.4-natural-armor")
def hide_thresholds(armor: int = 0, flesh: int = 13, deep: int = 25, death: int = 50) -> tuple[int, int, int]:
    """Returns the thresholds with natural armor, which covers the whole body. A view of `thresholds_at`."""
    if armor < 0:
        raise UserError(f"armor must be at least 0, not {armor}")
    return flesh + armor, deep + armor, death + armor


def body_plan(rules: Ruleset, creature: Creature) -> BodyPlan:
    """Returns a creature's body plan."""
    unarmed, build = traits_of(rules, creature)["unarmed_damage"].value, creature.attribute("build")
    attacks = [(weapon.name, natural_damage(unarmed, weapon, build).value, weapon.nature) for weapon in creature.weapons]
    speed = running_speed(creature.attribute("fitness"), creature.attribute("agility"), build, creature.skills.get("athletics", 0)).value
    many = creature.swarm
    swarm = (many.aggressiveness, many.damage, many.threshold, many.swarms) if many is not None else None
    return BodyPlan(
        beast=True,
        attacks=tuple(attacks) or (("body", unarmed, "blunt"),),
        speed=speed,
        size=size_defense(build).value,
        armor=creature.armor,
        swarm=swarm,
    )


# --- the printed ones ---------------------------------------------------------------------------------------------------------


class PrintedRow(TableRow, frozen=True):
    """A creature of the book with its printed figures."""

    creature: str
    agility: int
    build: int
    fitness: int
    instinct: int
    perception: int
    willpower: int
    strength: int
    health: int
    stamina: int
    unarmed: int
    skills: dict[str, int]
    weapons: dict[str, int]


PRINTED = Table("sil-6.1-horse", PrintedRow)


@rule("sil-6.1-horse")
def printed_creature(rules: Ruleset, creature: str = "horse") -> Creature:
    """Returns a creature of the book as a file. By id only."""
    row = PRINTED.get(rules, creature)
    attributes = {name: getattr(row, name) for name in ATTRIBUTES}
    weapons = tuple([NaturalWeapon(name, damage) for name, damage in row.weapons.items()])
    return Creature(creature, attributes=attributes, skills=dict(row.skills), weapons=weapons, riding=0)
