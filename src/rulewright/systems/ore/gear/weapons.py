"""Close combat weapons: construction from Power and style, wielding and Reach (book lines 4729-4841).

Fights use `Weapon` for every kind; missiles and firearms have their own modules, and `armoury` finds all by name or description.
"""

from typing import Literal, NamedTuple, get_args

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import a, join, the
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, term, total
from rulewright.systems.ore.gear.armour import Hit
from rulewright.systems.ore.resolution.tests import Pool

Kind = Literal["unarmed", "close", "thrown", "pull", "push", "ballistic", "energy"]
Style = Literal["bludgeon", "broad blade", "narrow blade"]
Trait = Literal["hafted", "slashing", "thrusting", "half-sword"]
TRAITS: tuple[Trait, ...] = get_args(Trait)
Class = Literal["B", "C", "E", "I", "P", "S"]
"""Damage classes: ballistic, cutting, energy, impact, penetrating, special."""
Grip = Literal["one hand", "two hands"]
Fire = Literal["single action", "semi-automatic", "automatic"]
MOST_POWER = 20
SIX = Pool(6)
"""A default pool."""
CLOSE: tuple[Kind, ...] = ("unarmed", "close")


class Weapon(Struct, frozen=True, cache_hash=True, gc=False):
    """A weapon: bonuses to Width, range and fire modes."""

    name: str
    kind: Kind
    broad: str
    """The part of Close or Ranged Combat for it."""
    skills: tuple[str, ...] = ()
    """Its weapon skills."""
    power: int = 0
    kill: int = 0
    shock: int = 0
    pen: int = 0
    classes: tuple[Class, ...] = ("I",)
    reach: int = 0
    style: Style | None = None
    traits: tuple[Trait, ...] = ()
    flight: Literal["", "trajectory", "hurled"] = ""
    """How it flies when thrown."""
    gun: str = ""
    """Its firearm type, for ranges."""
    fire: Fire = "single action"
    spray: int = 0
    magazine: int = 0
    winder: bool = False
    area: int = 0
    """The Area Rating of an explosive; 0 for none."""
    area_form: Literal["shock", "kill"] = "shock"
    burns: bool = False
    """Whether its damage is continuous, like fire and acid."""

    @property
    def close(self) -> bool:
        """Whether it is a close combat weapon."""
        return self.kind in CLOSE

    @property
    def two_handed(self) -> bool:
        """Whether it always needs both hands."""
        return "hafted" in self.traits or self.kind in ("pull", "push")


# --- categories and styles ----------------------------------------------------------------------------------------------------


class CategoryRow(TableRow, frozen=True):
    """A category of close combat weapons with its Specialist Skill."""

    category: str
    skill: str
    means: str


class StyleRow(TableRow, frozen=True):
    """A style: reductions of Power for Kill and Shock, and damage classes."""

    style: Style
    kill: int
    shock: int
    classes: tuple[Class, ...]


class TraitRow(TableRow, frozen=True):
    """A trait: allowed styles and effects."""

    trait: Trait
    styles: tuple[Style, ...]
    power: int = 0
    """Added to Power for damage and Reach."""
    hands: int = 0
    """Hands it needs; 0 for any."""
    wound_shock: int = 0
    """Shock bonus towards a Wound."""
    thrust_pen: int = 0
    one_hand_dice: int = 0
    two_hands_kill: int = 0


class MeleeRow(TableRow, frozen=True):
    """A close combat weapon of the book; the skill chapter gives its category."""

    name: str
    category: str
    style: Style
    power: int
    kill: int
    shock: int
    traits: tuple[Trait, ...] = ()


class FixedRow(TableRow, frozen=True):
    """A weapon with fixed damage, without Power."""

    name: str
    kill: int
    shock: int


CATEGORIES = Table("ore-4.09b-close-combat-categories", CategoryRow)
STYLES = Table("ore-4.09b-melee-damage", StyleRow)
TRAIT_LIST = Table("ore-4.09b-weapon-traits", TraitRow)
MELEE = Table("ore-4.09b-sample-melee-weapons", MeleeRow)
MELEE_PEN = Column("ore-4.09b-opt17-melee-pen", "style", Style, pen=int)
"""A style and its PEN."""
FIXED = Table("ore-4.11b-opt24-powerless", FixedRow)


@rule("ore-4.09b-close-combat-categories")
def category_skill(rules: Ruleset, category: str = "sword") -> str:
    """Every category has a Specialist Skill; Close Combat is their Broad Skill."""
    return CATEGORIES.get(rules, category).skill


# --- who can wield it ---------------------------------------------------------------------------------------------------------


@rule("ore-4.09b-wielding-power")
def hands_needed(rules: Ruleset, power: int = 3, body: int = 2, hafted: bool = False) -> int:
    """Hands needed: one if Power is at most Body, two if slightly more; 0 means too weak. Two above Body is the limit (ruling: the book
    names two and then one). Hafted weapons always take both."""
    _check_power(power)
    if power > body + rules.number("two-handed-limit"):
        return 0
    return 2 if hafted or power > body else 1


@rule("ore-4.11b-opt24-powerless")
@instead_of(hands_needed, "powerless")
def hands_without_power(rules: Ruleset, power: int = 3, body: int = 2, hafted: bool = False) -> int:
    """Without Power nobody is too weak; only hafted weapons need both hands."""
    return 2 if hafted else 1


def _check_power(power: int) -> None:
    if not 0 <= power <= MOST_POWER:
        raise UserError(f"a weapon has a Power from 0 to {MOST_POWER}, not {power}")


# --- damage -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.09b-melee-damage")
def melee_kill(rules: Ruleset, style: Style = "narrow blade", power: int = 3, traits: tuple[Trait, ...] = ()) -> Derived[int]:
    """The Kill bonus: Power minus a number by style, at least 0."""
    return _power_less(rules, "Kill bonus", power, STYLES.get(rules, style).kill, style=style, traits=traits)


@rule("ore-4.09b-melee-damage")
def melee_shock(rules: Ruleset, style: Style = "narrow blade", power: int = 3, traits: tuple[Trait, ...] = ()) -> Derived[int]:
    """The Shock bonus: Power minus a number by style, at least 0."""
    return _power_less(rules, "Shock bonus", power, STYLES.get(rules, style).shock, style=style, traits=traits)


def _power_less(rules: Ruleset, label: str, power: int, less: int, *, style: Style, traits: tuple[Trait, ...]) -> Derived[int]:
    _check_power(power)
    more = trait_power(rules, style, traits)
    terms = [term("Power", power), Reason(style, -less, "+", "ore-4.09b-melee-damage")]
    if more:
        terms.insert(1, Reason("hafted", more, "+", "ore-4.09b-weapon-traits"))
    return total(label, *terms, at_least(0, rule="ore-4.09b-melee-damage"), rule="ore-4.09b-melee-damage")


@rule("ore-4.09b-weapon-traits")
def trait_power(rules: Ruleset, style: Style = "bludgeon", traits: tuple[Trait, ...] = ("hafted",)) -> int:
    """Power bonus from traits: +1 for hafted. Slashing, thrusting and half-swording are only for narrow blades."""
    trait_rows = [TRAIT_LIST.get(rules, trait) for trait in traits]
    for row in trait_rows:
        if style not in row.styles:
            raise UserError(f"{a(style)} cannot be {row.trait}, only {join([a(name) for name in row.styles], 'or')}")
    return sum([row.power for row in trait_rows])


@rule("ore-4.09b-weapon-traits")
def wound_shock(rules: Ruleset, traits: tuple[Trait, ...] = ("slashing",)) -> int:
    """Shock bonus towards a Wound: +1 for slashing."""
    return sum([TRAIT_LIST.get(rules, trait).wound_shock for trait in traits])


class Held(NamedTuple):
    """The bonus of a grip: attack dice and Kill."""

    dice: int = 0
    kill: int = 0


@rule("ore-4.09b-weapon-traits")
def half_swording(
    rules: Ruleset,
    traits: tuple[Trait, ...] = ("half-sword",),
    power: int = 3,
    body: int = 3,
    free_hand: bool = True,
    grip: Grip = "one hand",
) -> Held:
    """A half-swording weapon gives +1d in one hand or +1 Kill in two, as the wielder chooses. It must be usable in one hand, with the
    other empty."""
    rows = [TRAIT_LIST.get(rules, trait) for trait in traits]
    if not free_hand or hands_needed(rules, power, body, "hafted" in traits) != 1:
        return Held()
    if grip == "two hands":
        return Held(kill=sum([row.two_hands_kill for row in rows]))
    return Held(dice=sum([row.one_hand_dice for row in rows]))


# --- penetration (Combat Option 17) -------------------------------------------------------------------------------------------


@rule("ore-4.09b-opt17-melee-pen")
def melee_pen(rules: Ruleset, style: Style = "narrow blade") -> int:
    """The PEN of close combat weapons: none without the option."""
    return 0


@rule("ore-4.09b-opt17-melee-pen")
@instead_of(melee_pen, "melee-penetration")
def pen_by_style(rules: Ruleset, style: Style = "narrow blade") -> int:
    """PEN by style, for every Power (ruling)."""
    return MELEE_PEN.of(rules, style)


@rule("ore-4.09b-opt17-melee-pen")
def can_thrust(rules: Ruleset, style: Style | None = "narrow blade") -> bool:
    """Whether a weapon can thrust: narrow blades, with PEN Ratings."""
    return rules.on("melee-penetration") and style == "narrow blade"


# --- Reach (Combat Option 18) -------------------------------------------------------------------------------------------------


@rule("ore-4.09b-opt18-reach")
def reach(rules: Ruleset, power: int = 2, style: Style = "narrow blade", traits: tuple[Trait, ...] = ()) -> Derived[int]:
    """Reach: Power, +1 for hafted; none for bare hands (ruling)."""
    _check_power(power)
    more = trait_power(rules, style, traits)
    terms = [term("Power", power)] + ([Reason("hafted", more, "+", "ore-4.09b-weapon-traits")] if more else [])
    return total("Reach", *terms, rule="ore-4.09b-opt18-reach")


# --- one blow -----------------------------------------------------------------------------------------------------------------

Manner = Literal["plain", "thrust", "slash"]


class Blow(Struct, frozen=True, cache_hash=True, gc=False):
    """The damage of an attack before armour."""

    width: int
    kill: int
    shock: int
    pen: int = 0
    damage_class: Class = "I"
    slash: bool = False
    """Whether it is a Slash: Kill only counts towards a Wound."""
    wound_shock: int = 0
    """Shock bonus towards a Wound."""
    through: tuple[str, ...] = ()
    """Forms of damage that ignore armour."""
    pierces: int = 0
    """Armour points ignored, apart from PEN."""
    least_kill: int = 0
    least_shock: int = 0
    """Minimum damage after armour."""
    wounding: int = 0
    """Reduction of the Wound Threshold."""
    stopped: int = 0
    """Damage stopped besides armour, by a dodge."""
    spared: int = 0
    """Shock that the target ignores."""
    parts: tuple[tuple[str, int, int], ...] = ()
    """Named parts of the damage beside Width: Kill and Shock each."""

    @property
    def hit(self) -> Hit:
        """The blow as a hit on armour."""
        return Hit(self.kill, self.shock, self.width, self.pen, self.damage_class)


@rule("ore-4.09b-melee-damage")
def blow(
    rules: Ruleset,
    weapon: Weapon,
    width: int = 2,
    manner: Manner = "plain",
    kill: int = 0,
    shock: int = 0,
    damage_class: Class | None = None,
) -> Blow:
    """The damage of a set with a weapon: Width plus bonuses in Kill and Shock; `kill` and `shock` are further bonuses. The wielder picks
    one of several damage classes."""
    chosen = damage_class or weapon.classes[0]
    if chosen not in weapon.classes:
        raise UserError(f"{the(weapon.name)} has no damage class {chosen}, only {join(weapon.classes)}")
    struck = Blow(
        width,
        width + weapon.kill + kill,
        width + weapon.shock + shock,
        weapon.pen,
        chosen,
        manner == "slash",
        wound_shock(rules, weapon.traits),
        parts=((weapon.name, weapon.kill, weapon.shock),) if weapon.kill or weapon.shock else (),
    )
    return thrust(rules, struck, weapon.style, weapon.traits) if manner == "thrust" else struck


@rule("ore-4.09b-opt17-melee-pen", "ore-4.09b-weapon-traits")
def thrust(rules: Ruleset, struck: Blow, style: Style | None = "narrow blade", traits: tuple[Trait, ...] = ()) -> Blow:
    """A Thrust adds its Shock to PEN instead of dealing it; a thrusting weapon adds 1 more. Only narrow blades thrust."""
    if not can_thrust(rules, style):
        raise UserError("only a narrow blade can thrust, and only with the setting melee-penetration")
    more = sum([TRAIT_LIST.get(rules, trait).thrust_pen for trait in traits])
    return Blow(
        struck.width,
        struck.kill,
        0,
        struck.pen + struck.shock + more,
        struck.damage_class,
        wound_shock=struck.wound_shock,
        parts=(*struck.parts, ("Thrust: Shock becomes PEN", 0, -struck.shock)),
    )


# --- the weapons themselves ---------------------------------------------------------------------------------------------------

BARE_HANDS = Weapon("bare hands", "unarmed", "fight", ("unarmed",))
"""Unarmed: Width in Kill and Shock by impact, without PEN (ruling)."""


@rule("ore-4.09b-melee-damage", "ore-4.09b-weapon-traits")
def melee_weapon(
    rules: Ruleset,
    name: str = "broadsword",
    category: str = "sword",
    style: Style = "narrow blade",
    power: int = 3,
    traits: tuple[Trait, ...] = (),
) -> Weapon:
    """A close combat weapon from style, Power and traits."""
    fixed = without_power(rules, name)
    kill = melee_kill(rules, style, power, traits).value if fixed is None else fixed.kill
    shock = melee_shock(rules, style, power, traits).value if fixed is None else fixed.shock
    return Weapon(
        name,
        "close",
        "fight",
        (category_skill(rules, category),),
        power,
        kill,
        shock,
        melee_pen(rules, style),
        STYLES.get(rules, style).classes,
        reach(rules, power, style, traits).value,
        style,
        traits,
        "hurled",
    )


@rule("ore-4.09b-sample-melee-weapons")
def sample_melee_weapon(rules: Ruleset, name: str = "broadsword") -> Weapon:
    """A close combat weapon of the book; damage follows from style, Power and traits."""
    row = MELEE.get(rules, name)
    return melee_weapon(rules, row.name, row.category, row.style, row.power, row.traits)


@rule("ore-4.11b-opt24-powerless")
def without_power(rules: Ruleset, name: str = "broadsword") -> FixedRow | None:
    """Fixed damage without Power; None if Power is used."""
    return None


@rule("ore-4.11b-opt24-powerless")
@instead_of(without_power, "powerless")
def fixed_damage(rules: Ruleset, name: str = "broadsword") -> FixedRow | None:
    """Fixed damage of listed weapons (stand-in: computed from Power); others are built once from Power."""
    return FIXED(rules).get(name)
