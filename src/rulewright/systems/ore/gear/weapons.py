"""Weapons for close combat: how they are built from Power and style, who can wield them, how far they reach (book lines 4729-4841).

`Weapon` is what every fight reads, whatever kind of weapon it is; missiles and firearms are built in rooms of their own, and
`armoury` finds them all by name or from a short description.
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
"""How a weapon hurts: ballistic, cutting, energy, impact, penetrating, special."""
Grip = Literal["one hand", "two hands"]
Fire = Literal["single action", "semi-automatic", "automatic"]
MOST_POWER = 20
SIX = Pool(6)
"""Dice of somebody, where nobody says whose."""
CLOSE: tuple[Kind, ...] = ("unarmed", "close")


class Weapon(Struct, frozen=True, cache_hash=True, gc=False):
    """A weapon ready for use: what it adds to the Width of a set, how far it reaches, and how it is fired."""

    name: str
    kind: Kind
    broad: str
    """The part of Close or Ranged Combat that covers it."""
    skills: tuple[str, ...] = ()
    """The weapon skills that cover it."""
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
    """Its type among firearms, which its ranges follow."""
    fire: Fire = "single action"
    spray: int = 0
    magazine: int = 0
    winder: bool = False
    area: int = 0
    """The Area Rating of what bursts where it lands; 0 for none."""
    area_form: Literal["shock", "kill"] = "shock"
    burns: bool = False
    """Whether it goes on hurting whom it hit, as fire and acid do."""

    @property
    def close(self) -> bool:
        """Whether it is for close combat."""
        return self.kind in CLOSE

    @property
    def two_handed(self) -> bool:
        """Whether its build asks for both hands, however strong the wielder is."""
        return "hafted" in self.traits or self.kind in ("pull", "push")


# --- categories and styles ----------------------------------------------------------------------------------------------------


class CategoryRow(TableRow, frozen=True):
    """A category of close combat weapons: what belongs to it, and the Specialist Skill that covers it."""

    category: str
    skill: str
    means: str


class StyleRow(TableRow, frozen=True):
    """A style: what is taken from Power for Kill and for Shock, and the classes of damage it does."""

    style: Style
    kill: int
    shock: int
    classes: tuple[Class, ...]


class TraitRow(TableRow, frozen=True):
    """A trait: the styles that can have it, and what it does."""

    trait: Trait
    styles: tuple[Style, ...]
    power: int = 0
    """Added to Power for damage and Reach."""
    hands: int = 0
    """How many hands it must be used in; 0 for no matter."""
    wound_shock: int = 0
    """Added to Shock when a Wound is looked for."""
    thrust_pen: int = 0
    one_hand_dice: int = 0
    two_hands_kill: int = 0


class MeleeRow(TableRow, frozen=True):
    """A close combat weapon as the book prints it; the category is the one that the skill chapter puts it in."""

    name: str
    category: str
    style: Style
    power: int
    kill: int
    shock: int
    traits: tuple[Trait, ...] = ()


class FixedRow(TableRow, frozen=True):
    """A weapon where nobody asks for Power: its damage once and for all."""

    name: str
    kill: int
    shock: int


CATEGORIES = Table("ore-4.09b-close-combat-categories", CategoryRow)
STYLES = Table("ore-4.09b-melee-damage", StyleRow)
TRAIT_LIST = Table("ore-4.09b-weapon-traits", TraitRow)
MELEE = Table("ore-4.09b-sample-melee-weapons", MeleeRow)
MELEE_PEN = Column("ore-4.09b-opt17-melee-pen", "style", Style, pen=int)
"""A style and the PEN Rating that it gives."""
FIXED = Table("ore-4.11b-opt24-powerless", FixedRow)


@rule("ore-4.09b-close-combat-categories")
def category_skill(rules: Ruleset, category: str = "sword") -> str:
    """Every category of close combat weapons has a Specialist Skill of its own; Close Combat is the Broad Skill that covers them all."""
    return CATEGORIES.get(rules, category).skill


# --- who can wield it ---------------------------------------------------------------------------------------------------------


@rule("ore-4.09b-wielding-power")
def hands_needed(rules: Ruleset, power: int = 3, body: int = 2, hafted: bool = False) -> int:
    """A weapon whose Power is no greater than Body needs one hand, one a little heavier two; 0 means that nobody so weak can wield it.

    Two above Body is the limit (ruling: the book names two and then one). A hafted weapon takes both hands in any case.
    """
    _check_power(power)
    if power > body + rules.number("two-handed-limit"):
        return 0
    return 2 if hafted or power > body else 1


@rule("ore-4.11b-opt24-powerless")
@instead_of(hands_needed, "powerless")
def hands_without_power(rules: Ruleset, power: int = 3, body: int = 2, hafted: bool = False) -> int:
    """Where Power is not used nobody is too weak for a weapon; only a haft asks for both hands."""
    return 2 if hafted else 1


def _check_power(power: int) -> None:
    if not 0 <= power <= MOST_POWER:
        raise UserError(f"a weapon has a Power from 0 to {MOST_POWER}, not {power}")


# --- damage -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.09b-melee-damage")
def melee_kill(rules: Ruleset, style: Style = "narrow blade", power: int = 3, traits: tuple[Trait, ...] = ()) -> Derived[int]:
    """What a close combat weapon adds to Width for Kill: Power less a number of its style, never below 0."""
    return _power_less(rules, "Kill bonus", power, STYLES.get(rules, style).kill, style=style, traits=traits)


@rule("ore-4.09b-melee-damage")
def melee_shock(rules: Ruleset, style: Style = "narrow blade", power: int = 3, traits: tuple[Trait, ...] = ()) -> Derived[int]:
    """What a close combat weapon adds to Width for Shock: Power less a number of its style, never below 0."""
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
    """What traits add to Power for damage and Reach: a haft adds 1. Slashing, thrusting and half-swording are for narrow blades only."""
    trait_rows = [TRAIT_LIST.get(rules, trait) for trait in traits]
    for row in trait_rows:
        if style not in row.styles:
            raise UserError(f"{a(style)} cannot be {row.trait}, only {join([a(name) for name in row.styles], 'or')}")
    return sum([row.power for row in trait_rows])


@rule("ore-4.09b-weapon-traits")
def wound_shock(rules: Ruleset, traits: tuple[Trait, ...] = ("slashing",)) -> int:
    """What a weapon adds to Shock when a Wound is looked for: a slashing one adds 1."""
    return sum([TRAIT_LIST.get(rules, trait).wound_shock for trait in traits])


class Held(NamedTuple):
    """What the grip of a weapon gives: dice on the attack, and Kill."""

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
    """A half-swording weapon gives a die when an attack is made in one hand, or a point of Kill in two: the wielder chooses each time.

    He must be able to wield it in one hand, and the other must be empty even then.
    """
    rows = [TRAIT_LIST.get(rules, trait) for trait in traits]
    if not free_hand or hands_needed(rules, power, body, "hafted" in traits) != 1:
        return Held()
    if grip == "two hands":
        return Held(kill=sum([row.two_hands_kill for row in rows]))
    return Held(dice=sum([row.one_hand_dice for row in rows]))


# --- penetration (Combat Option 17) -------------------------------------------------------------------------------------------


@rule("ore-4.09b-opt17-melee-pen")
def melee_pen(rules: Ruleset, style: Style = "narrow blade") -> int:
    """A close combat weapon gets through no armour of itself, unless the campaign gives each style a PEN Rating."""
    return 0


@rule("ore-4.09b-opt17-melee-pen")
@instead_of(melee_pen, "melee-penetration")
def pen_by_style(rules: Ruleset, style: Style = "narrow blade") -> int:
    """Each style has a PEN Rating of its own, the same for every Power (ruling)."""
    return MELEE_PEN.of(rules, style)


@rule("ore-4.09b-opt17-melee-pen")
def can_thrust(rules: Ruleset, style: Style | None = "narrow blade") -> bool:
    """Whether an attack can be made as a Thrust: with narrow blades, and with nothing where there are no PEN Ratings."""
    return rules.on("melee-penetration") and style == "narrow blade"


# --- Reach (Combat Option 18) -------------------------------------------------------------------------------------------------


@rule("ore-4.09b-opt18-reach")
def reach(rules: Ruleset, power: int = 2, style: Style = "narrow blade", traits: tuple[Trait, ...] = ()) -> Derived[int]:
    """How far a weapon reaches: its Power, and 1 more for a haft. Bare hands have no Reach (ruling)."""
    _check_power(power)
    more = trait_power(rules, style, traits)
    terms = [term("Power", power)] + ([Reason("hafted", more, "+", "ore-4.09b-weapon-traits")] if more else [])
    return total("Reach", *terms, rule="ore-4.09b-opt18-reach")


# --- one blow -----------------------------------------------------------------------------------------------------------------

Manner = Literal["plain", "thrust", "slash"]


class Blow(Struct, frozen=True, cache_hash=True, gc=False):
    """What an attack does where it lands, before armour."""

    width: int
    kill: int
    shock: int
    pen: int = 0
    damage_class: Class = "I"
    slash: bool = False
    """Declared as a Slash: what Kill gets through only counts when a Wound is looked for."""
    wound_shock: int = 0
    """Added to Shock when a Wound is looked for."""
    through: tuple[str, ...] = ()
    """The forms of damage, kill or shock, that armour does not stop at all."""
    pierces: int = 0
    """Points of armour that it ignores, whatever the rules on PEN."""
    least_kill: int = 0
    least_shock: int = 0
    """What armour cannot bring the damage below."""
    wounding: int = 0
    """How much lower the Wound Threshold is for it."""
    stopped: int = 0
    """What the target stops of it beside armour: a dodge that came off."""
    spared: int = 0
    """Points of Shock that the target does not feel."""

    @property
    def hit(self) -> Hit:
        """The blow as armour meets it."""
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
    """What a set does with a weapon: its Width and what the weapon adds, in Kill and in Shock; `kill` and `shock` are further bonuses.

    Of several classes of damage the wielder picks one.
    """
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
    )
    return thrust(rules, struck, weapon.style, weapon.traits) if manner == "thrust" else struck


@rule("ore-4.09b-opt17-melee-pen", "ore-4.09b-weapon-traits")
def thrust(rules: Ruleset, struck: Blow, style: Style | None = "narrow blade", traits: tuple[Trait, ...] = ()) -> Blow:
    """A Thrust gives up all Shock and adds it to PEN for this attack; a thrusting weapon adds 1 more. Only narrow blades thrust."""
    if not can_thrust(rules, style):
        raise UserError("only a narrow blade can thrust, and only with the setting melee-penetration")
    more = sum([TRAIT_LIST.get(rules, trait).thrust_pen for trait in traits])
    return Blow(struck.width, struck.kill, 0, struck.pen + struck.shock + more, struck.damage_class, wound_shock=struck.wound_shock)


# --- the weapons themselves ---------------------------------------------------------------------------------------------------

BARE_HANDS = Weapon("bare hands", "unarmed", "fight", ("unarmed",))
"""No Power and no style: Width in Kill and in Shock, by impact, through no armour (ruling)."""


@rule("ore-4.09b-melee-damage", "ore-4.09b-weapon-traits")
def melee_weapon(
    rules: Ruleset,
    name: str = "broadsword",
    category: str = "sword",
    style: Style = "narrow blade",
    power: int = 3,
    traits: tuple[Trait, ...] = (),
) -> Weapon:
    """A close combat weapon built from its style, Power and traits."""
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
    """One of the book's close combat weapons; its damage follows from style, Power and traits."""
    row = MELEE.get(rules, name)
    return melee_weapon(rules, row.name, row.category, row.style, row.power, row.traits)


@rule("ore-4.11b-opt24-powerless")
def without_power(rules: Ruleset, name: str = "broadsword") -> FixedRow | None:
    """The fixed damage of a weapon, where the campaign does without Power; None where damage follows from Power."""
    return None


@rule("ore-4.11b-opt24-powerless")
@instead_of(without_power, "powerless")
def fixed_damage(rules: Ruleset, name: str = "broadsword") -> FixedRow | None:
    """Weapons of the list have fixed damage (stand-in: the page is lost, the figures come from Power); others are built once from Power."""
    return FIXED(rules).get(name)
