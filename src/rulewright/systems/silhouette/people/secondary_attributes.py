"""Secondary attributes, from Strength to System Shock, and the injury list (book lines 1347-1487, 8019-8042)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, rounded, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.people.characters import ATTRIBUTES, Person
from rulewright.systems.silhouette.people.traits import stamina_from_traits, trait_modifiers
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, action_test, attribute_pool, passes

_ID = "sil-2.3-secondary-formulas"


class MassRow(TableRow, frozen=True):
    """How heavy a body of this Build is."""

    build: int
    kg_from: float
    kg_to: float


MASS = Table("sil-2.1.1-build-mass", MassRow)
LIFE = Column("sil-2.3.1-secondary-scales", "rating", scale=dict[str, str])
"""Examples for values of a rating."""
EXPANDED = Table("sil-6.1.1-expanded-bld", MassRow)
"""Body masses beyond human Build."""


@rule(_ID, "sil-a-secondary-formulas")
def secondary(
    rules: Ruleset,
    build: int = 0,
    fitness: int = 0,
    psyche: int = 0,
    willpower: int = 0,
    hand_to_hand: int = 0,
    melee: int = 0,
    tough: int = 0,
) -> dict[str, Derived[int]]:
    """Returns the nine values derived from four attributes and two skills; `tough` is the Stamina modifier of Perks and Flaws.

    Strength rounds toward zero, Health to the nearest, the Flesh Wound threshold up; Stamina, damage and System Shock are at least 1.
    """
    bld, fit = term("Build", build), term("Fitness", fitness)
    psy, wil = term("Psyche", psyche), term("Willpower", willpower)
    average = "Strength = average of Build and Fitness, toward zero"
    strength = total(average, bld, fit, divided("halved", 2), toward_zero(build + fitness), rule=_ID)
    health = total("Health = average of Fitness, Psyche and Willpower", fit, psy, wil, divided("a third", 3), rounded(), rule=_ID)
    return _all(strength, health, build, hand_to_hand, melee=melee, tough=tough, sum_of=(bld, term("Health", health), times("five", 5)))


@rule("sil-2.1.2-simplified-attributes")
@instead_of(secondary, "attributes", "five")
def secondary_of_five(
    rules: Ruleset,
    build: int = 0,
    fitness: int = 0,
    psyche: int = 0,
    willpower: int = 0,
    hand_to_hand: int = 0,
    melee: int = 0,
    tough: int = 0,
) -> dict[str, Derived[int]]:
    """Returns the values with five attributes: Strength is Body, Health is Mind, and both give Stamina. Build stands for Body, Willpower
    for Mind."""
    return _simplified(rules, "Mind", build, willpower, hand_to_hand=hand_to_hand, melee=melee, tough=tough)


@rule("sil-2.1.2-simplified-attributes")
@instead_of(secondary, "attributes", "three")
def secondary_of_three(
    rules: Ruleset,
    build: int = 0,
    fitness: int = 0,
    psyche: int = 0,
    willpower: int = 0,
    hand_to_hand: int = 0,
    melee: int = 0,
    tough: int = 0,
) -> dict[str, Derived[int]]:
    """Returns the values with three attributes: Strength is Body, Health is Spirit, and both give Stamina. Build stands for Body,
    Willpower for Spirit."""
    return _simplified(rules, "Spirit", build, willpower, hand_to_hand=hand_to_hand, melee=melee, tough=tough)


def _simplified(rules: Ruleset, name: str, body: int, other: int, *, hand_to_hand: int, melee: int, tough: int) -> dict[str, Derived[int]]:
    rule_id = "sil-2.1.2-simplified-attributes"
    strength = total("Strength = Body", term("Body", body), rule=rule_id)
    health = total(f"Health = {name}", term(name, other), rule=rule_id)
    whole = rules.word("simplified-stamina") == "in full"
    halved = () if whole else (divided("halved", 2), toward_zero(body + other))
    terms = (term("Body", body), term(name, other), times("five", 5), *halved)
    return _all(strength, health, body, hand_to_hand, melee=melee, tough=tough, sum_of=terms)


def _all(
    strength: Derived[int],
    health: Derived[int],
    build: int,
    hand_to_hand: int,
    *,
    melee: int,
    tough: int,
    sum_of: tuple[Reason, ...],
) -> dict[str, Derived[int]]:
    skin = (term("Perks and Flaws", tough, rule="sil-b-perks"),) if tough else ()
    stamina = _at_least_one("Stamina = 5 × (Build + Health) + 25", *sum_of, term("base", 25), *skin)
    three, power, bld = term("base", 3), term("Strength", strength), term("Build", build)
    unarmed = _at_least_one("Unarmed Damage", three, power, bld, term("Hand-to-Hand", hand_to_hand))
    armed = _at_least_one("Armed Damage", three, power, bld, term("Melee", melee))
    by_stamina = term("Stamina", stamina)
    flesh = total("Flesh Wound Threshold = Stamina / 2, rounded up", by_stamina, divided("halved", 2), rounded_up(), rule=_ID)
    deep = total("Deep Wound Threshold = Stamina", by_stamina, rule=_ID)
    death = total("Instant Death Threshold = Stamina × 2", by_stamina, times("twice", 2), rule=_ID)
    shock = _at_least_one("System Shock = 5 + Health", term("base", 5), term("Health", health))
    return {
        "strength": strength,
        "health": health,
        "stamina": stamina,
        "unarmed_damage": unarmed,
        "armed_damage": armed,
        "flesh_wound_threshold": flesh,
        "deep_wound_threshold": deep,
        "instant_death_threshold": death,
        "system_shock": shock,
    }


def _at_least_one(label: str, *terms: Reason) -> Derived[int]:
    """Returns a sum of at least 1; the minimum is shown only if it applies."""
    plainly = total(label, *terms, rule=_ID)
    return plainly if plainly.value >= 1 else total(label, *terms, at_least(1, rule=_ID), rule=_ID)


def toward_zero(number: int) -> Reason:
    """Returns how an average of this sign rounds toward zero."""
    return rounded_down() if number >= 0 else rounded_up()


def secondary_of(rules: Ruleset, person: Person) -> dict[str, Derived[int]]:
    """Returns a person's secondary values."""
    return secondary(
        rules,
        person.attribute("build"),
        person.attribute("fitness"),
        person.attribute("psyche"),
        person.attribute("willpower"),
        person.level("hand-to-hand"),
        person.level("melee"),
        stamina_from_traits(rules, person.perks, person.flaws),
    )


@rule("sil-2.3.1-secondary-scales")
def who_has(rules: Ruleset, rating: str, value: int) -> str:
    """Returns an example for a rating: the nearest below it on the scale, or the lowest. By id only."""
    scale = {int(key): words for key, words in LIFE.of(rules, rating).items()}
    below = [key for key in scale if key <= value]
    return scale[max(below) if below else min(scale)]


# --- lifting ------------------------------------------------------------------------------------------------------------------


class Capacity(Struct, frozen=True):
    """Lifting, overhead and dragging capacity in kilograms."""

    lift: float
    overhead: float
    drag: float


def _mass(rules: Ruleset, build: int) -> MassRow:
    """Returns the mass row of a Build, human or beyond."""
    return MASS(rules).get(str(build)) or EXPANDED.get(rules, str(build))


@rule("sil-2.1.1-build-mass")
def body_mass(rules: Ruleset, build: int) -> tuple[float, float]:
    """Returns the lightest and heaviest body of a Build in kilograms."""
    row = _mass(rules, build)
    return row.kg_from, row.kg_to


@rule("sil-2.3.1-strength-capacity")
def capacity(rules: Ruleset, strength: int = 0) -> Capacity:
    """Returns the capacity: lifts the lightest body of a Build equal to Strength, half overhead, twice when dragging."""
    lift = _mass(rules, strength).kg_from
    return Capacity(lift, lift / 2, lift * 2)


# --- pushing ------------------------------------------------------------------------------------------------------------------


class Pushed(Struct, frozen=True):
    """Result of a push: Strength for one test, and the wound it caused."""

    strength: int
    wound: Literal["none", "flesh", "deep"]


@rule("sil-2.3.1-pushing-strength")
def push_strength(
    rules: Ruleset, strength: int = 0, health: int = 0, by: int = 1, pushes_today: int = 0, penalty: int = 0, who: str = ""
) -> Play[Pushed]:
    """Pushes Strength by 1, or by 2 from Strength 0 up; tests Health against 4 or 6, +2 for each push since the last sleep: a failure
    is a Flesh Wound, a fumble a Deep one.

    By id only.
    """
    most = 2 if strength >= 0 else 1
    if not 1 <= by <= most:
        raise UserError(f"you can push Strength {strength:+} by {'1 or 2' if most == 2 else '1'}, not by {by}")
    pool = attribute_pool(rules, health, "Health", (Mod("wounds", penalty),))
    test = yield from action_test(rules, pool, (4 if by == 1 else 6) + 2 * pushes_today, who, "pushing one's Strength")
    wound: Literal["none", "flesh", "deep"] = "none"
    if test.fumble:  # 1392: a fumble is a Deep Wound
        wound = "deep"
    elif not passes(rules, test.total, test.threshold):
        wound = "flesh"
    return Pushed(strength + by, wound)


# --- the injury list ----------------------------------------------------------------------------------------------------------

Wound = Literal["none", "flesh", "deep", "death"]


@rule("sil-2.3.2-injury-list")
def wound_from(damage: int, flesh: int = 13, deep: int = 25, death: int = 50, armor: int = 0) -> Wound:
    """Returns the most severe wound whose threshold the damage reaches; armor raises each threshold."""
    if damage >= death + armor:
        return "death"
    if damage >= deep + armor:
        return "deep"
    return "flesh" if damage >= flesh + armor else "none"


@rule("sil-2.3.2-injury-list")
def wound_penalty(flesh: int = 0, deep: int = 0) -> Derived[int]:
    """Returns the wound penalty: 1 per Flesh Wound and 2 per Deep Wound on all actions. A view of `Patient`."""
    return total(
        "action penalty",
        term("Flesh Wounds", -flesh),
        term("Deep Wounds, 2 each", -2 * deep),
        rule="sil-2.3.2-injury-list",
    )


@rule("sil-2.3.3-system-shock")
def shock_left(shock: int, penalty: int = 0) -> int:
    """Returns the System Shock boxes left; at 0 or fewer the body goes into shock."""
    return shock + penalty


@rule("sil-2.3.3-system-shock")
def in_shock(shock: int, penalty: int = 0) -> bool:
    """Whether System Shock plus the wound penalty is zero or less. A view of `shock_left`."""
    return shock_left(shock, penalty) <= 0


def attribute_test(rules: Ruleset, person: Person, attribute: str, when: tuple[str, ...] = (), modifiers: tuple[Mod, ...] = ()) -> Pool:
    """Returns the pool of an attribute, Strength or Health test."""
    value = person.attribute(attribute) if attribute in ATTRIBUTES else secondary_of(rules, person)[attribute].value
    extra = trait_modifiers(rules, attribute, when, person.perks, person.flaws)
    pool = attribute_pool(rules, value, attribute.capitalize(), (*extra, *modifiers))
    return Pool(pool.dice, pool.mods, 0, person.hero)
