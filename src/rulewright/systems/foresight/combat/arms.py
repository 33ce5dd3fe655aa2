"""Combat equipment and abilities of a person: tasks, weapons in use, fields of unarmed combat."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.systems.foresight.gear.armor import EXOSKELETONS, armor_weight, hindrance
from rulewright.systems.foresight.gear.items import HIDING, as_made, concealment
from rulewright.systems.foresight.gear.weapons import MELEE_WEAPONS, Blade, Gun, blade, grip_of, gun, shield_of, too_heavy
from rulewright.systems.foresight.people.abilities import ability_task, still_strange
from rulewright.systems.foresight.people.attributes import Load, attribute_task, capacity, load, unarmed_damage
from rulewright.systems.foresight.people.characters import HTH, Arm, Person
from rulewright.systems.foresight.people.skills import SKILLS, familiarities, skill_row, split_name
from rulewright.systems.foresight.people.traits import NIGHT_VISION, ONE_ARMED, in_sunlight, of_limbs
from rulewright.systems.foresight.resolution.damage_classes import DamageClass, parse_dc
from rulewright.systems.foresight.resolution.tests import Mod, Task

Bite = tuple[int, float, int]
"""A melee weapon at one distance: modifier, whole damage class, and what it pierces."""
StyleKind = Literal["offensive", "defensive", "drunken"]
EXOTIC = "Unarmed Combat Exotic Style"
LONGARMS = frozenset(("Longarms", "Heavy Weapon", "Archery"))
BOWS = frozenset(("Archery", "Slings"))
SUPPLIES = ("bandage", "first aid", "medical", "medkit")
"""What is in the names of things that serve to bandage with."""
SHOOTING = ("Handguns", "Longarms", "Archery", "Slings", "Throw", "Heavy Weapon")


class Weapon(Struct, frozen=True, cache_hash=True):
    """A weapon as a person wields it: strength and skill worked in."""

    name: str
    group: str
    task: Task
    kg: float = 0.0
    hands: Literal["1", "1-2", "2"] = "1"
    draw: int = 0
    close: Bite | None = None
    normal: Bite | None = None
    reach: Bite | None = None
    parry: int | None = None
    heavy: tuple[int, int] = (0, 0)
    """What its weight costs in one hand and in both."""
    covers: tuple[int, int, int] = (0, 0, 0)
    """Tenths that a shield covers: of the arm, of the torso, of legs and head."""
    shield: str = ""
    """The armor that a shield protects as."""
    ammo: int = 0
    """How many shots it holds; 0 for what is not fired or thrown."""
    loaded: int | None = None
    pm: int = 0
    recoil: int = 0
    prepare: bool = False
    dc: str = ""
    burst: int = 0
    burst_dc: int = 0
    increment: float = 1.0
    reload: int = 0
    reload_each: bool = False
    jam: str = "A"
    thrown: bool = False
    bow: bool = False
    longarm: bool = False
    bonus_aim: int = 0
    aim_rolls: int = 0
    muscle: bool = False
    """Whether the wielder's unarmed damage class is in that of a shot."""
    short: int = 0
    """Rounds of a shorter burst beside the long one, and what it adds."""
    short_dc: int = 0

    @property
    def ranged(self) -> bool:
        """Whether it is fired or thrown."""
        return self.ammo > 0

    def bite(self, at: str) -> Bite | None:
        """The weapon's modifier, damage class and piercing at a distance of melee; None where it cannot strike."""
        return {"close": self.close, "normal": self.normal, "reach": self.reach}[at]


AS_MADE = {*Gun.__struct_fields__} & {*Weapon.__struct_fields__} - {"draw", "ammo", "dc"}
"""The properties of a gun that do not depend on its user."""
BARE = 0
"""The place of the bare hand among everybody's weapons."""


class Style(Struct, frozen=True):
    """An exotic style of unarmed combat."""

    name: str
    kind: StyleKind


class Profile(Struct, frozen=True, cache_hash=True):
    """What a fight does not change about a person. Tasks are abilities with skill, familiarity, armor and load in them."""

    name: str
    side: str
    st: int
    dx: int
    ag: int
    pc: int
    wp: int
    initiative: Task
    hth: Task
    acrobatics: Task
    agility: Task
    dexterity: Task
    perception: Task
    strength: Task
    will: Task
    unarmed: float
    weapons: tuple[Weapon, ...]
    fields: tuple[str, ...] = ()
    styles: tuple[Style, ...] = ()
    favored: tuple[str, ...] = ()
    ambidextrous: bool = False
    left_handed: bool = False
    shooting: tuple[tuple[str, Task], ...] = ()
    """Every skill of ranged weapons, for a gun that comes to hand."""
    burden: int = 1
    """How many times faster a load wears out stamina."""
    muscle: float = 0.0
    """The unarmed damage class that goes into weapons: by strength alone, without what a powered frame adds to its fists."""
    stride: int = 0
    """Meters that a powered frame adds to a move."""
    power: int = 0
    """The stamina of a powered frame, which is spent in place of the wearer's; 0 without one."""
    night_vision: bool = False
    """Whether starlight is to these eyes what a clouded day is to others."""
    one_armed: bool = False
    awkward: int = 0
    """What a lost arm costs on fiddly work that is usually done with two hands."""
    skills: tuple[tuple[str, Task], ...] = ()
    """Every skill that was learnt and is rolled, for whatever a person may try in a fight."""
    search: Task | None = None
    """Finding wounds, learnt or not."""
    medic: bool = False
    """Whether a person knows the basics of medicine or surgery."""
    supplies: bool = False
    """Whether anything to bandage with is carried."""

    def attribute(self, name: str) -> int:
        """One of the five attributes that matter here."""
        return int(getattr(self, name.lower()))

    def task(self, attribute: str) -> Task:
        """An attribute as it is rolled here."""
        by = {"ST": self.strength, "DX": self.dexterity, "AG": self.agility, "PC": self.perception, "WP": self.will}
        return by[attribute]

    def knows(self, field: str) -> bool:
        """Whether an unarmed combat field was learnt: Capture, Defensive, Lethal, Throws."""
        return field in self.fields


def profile_of(
    rules: Ruleset, person: Person, name: str, side: str, *, left: bool, environment: str, gravity: float, sunlight: bool = False
) -> Profile:
    """The profile with which a person fights in this place."""
    here, sun = (environment, gravity), (in_sunlight(rules, person.traits),) if sunlight else ()
    legs, arms, helmet = hindrance(rules, person.gear.armor, person.level("Armor/Exoskeleton") or 0).mods()
    lame, awkward, one_handed = of_limbs(rules, person.traits, person.aided)
    frame = EXOSKELETONS.get(rules, person.gear.exoskeleton) if person.gear.exoskeleton else None
    st, carried = person.attribute("ST") + (frame.st if frame else 0), load_of(rules, person)
    nimble = (carried.mod(),) if frame else (legs, carried.mod())  # a powered frame bears what hinders the legs
    muscle = unarmed_damage(rules, st).value
    unarmed = muscle + (frame.dc if frame else 0)

    def task(ability: str, *mods: Mod) -> Task:
        return ability_task(rules, person, ability, *here, in_peril=True).plus(*mods, *sun)

    fields = [known.field.removeprefix("Unarmed Combat ") for known in person.fields if known.field.startswith("Unarmed Combat")]
    styles = tuple([Style(known.name, _kind(known.name)) for known in person.fields if known.field == EXOTIC])
    eyes = (helmet,) if rules.word("helmets-hinder") == "every skill of perception" else ()
    hth = task(HTH, *nimble, *eyes)
    own = {skill: next((owned for owned in person.skills if owned.partition(":")[0] == skill), skill) for skill in SHOOTING}
    shooting = tuple([(skill.lower(), task(called, arms, *_by_eye(rules, called, eyes))) for skill, called in own.items()])
    return Profile(
        name=name,
        side=side,
        st=st,
        dx=person.attribute("DX"),
        ag=person.attribute("AG"),
        pc=person.attribute("PC"),
        wp=person.attribute("WP"),
        initiative=task("Initiative", *eyes),
        hth=hth,
        acrobatics=task("Acrobatics", *nimble, lame),
        agility=task("AG", *nimble, lame),
        dexterity=task("DX", arms),
        perception=task("PC", helmet),
        strength=attribute_task(rules, "ST", st, sun),
        will=task("WP"),
        unarmed=unarmed,
        weapons=tuple(
            [
                replace(owned, task=owned.task.plus(one_handed)) if owned.hands == "2" else owned
                for owned in weapons_of(rules, person, hth, st, muscle=muscle, unarmed=unarmed, shooting=dict(shooting))
            ]
        ),
        fields=tuple(fields),
        styles=styles,
        favored=person.favored_weapons,
        ambidextrous=person.ambidextrous,
        left_handed=left,
        shooting=shooting,
        burden=carried.stamina,
        muscle=muscle,
        stride=frame.move if frame else 0,
        power=frame.stamina if frame else 0,
        night_vision=NIGHT_VISION in person.traits,
        one_armed=ONE_ARMED in person.traits,
        awkward=awkward.value,
        skills=tuple(
            [(skill, task(skill, *_hindered(rules, skill, nimble, arms))) for skill in sorted(person.skills) if _rolled(rules, skill)]
        ),
        search=task("Search"),
        medic=person.knows("Medicine") or person.knows("Surgery"),
        supplies=any(word in thing.name.lower() for thing in person.gear.things for word in SUPPLIES),
    )


def load_of(rules: Ruleset, person: Person) -> Load:
    """How everything that a person carries hinders them."""
    frame = EXOSKELETONS.get(rules, person.gear.exoskeleton) if person.gear.exoskeleton else None
    st = person.attribute("ST") + (frame.st if frame else 0)
    return load(rules, st, *_weight(rules, person, st))


def _rolled(rules: Ruleset, skill: str) -> bool:
    """Whether tasks are rolled with a skill; Stamina is a pool, and of what no table knows nothing is known."""
    row = SKILLS(rules).get(split_name(skill)[0])
    return row is not None and not row.reservoir


def _hindered(rules: Ruleset, skill: str, nimble: tuple[Mod, ...], arms: Mod) -> tuple[Mod, ...]:
    """The modifiers of load and armor for a skill: on the legs where agility is in its formula, on the arms where dexterity is."""
    formula = skill_row(rules, skill).attributes
    return (*(nimble if "AG" in formula else ()), *((arms,) if "DX" in formula else ()))


def _by_eye(rules: Ruleset, skill: str, eyes: tuple[Mod, ...]) -> tuple[Mod, ...]:
    """The modifiers for hindered eyes, where a skill is one of perception."""
    return eyes if eyes and "PC" in skill_row(rules, skill).attributes else ()


def _kind(style: str) -> StyleKind:
    """The kind of a style, from its name: drunken and offensive ones say so, all others defend."""
    called = style.lower()
    return "drunken" if "drunken" in called else "offensive" if "offensive" in called else "defensive"


def _weight(rules: Ruleset, person: Person, strength: int) -> tuple[float, float]:
    """Kilograms carried, and worn."""
    gear = person.gear
    arms = sum([gun(rules, arm).kg for arm in gear.ranged]) + sum([blade(rules, arm).kg for arm in gear.melee])
    made = [(thing.worn, as_made(rules, thing.kg, thing.cost, thing.modifications).kg) for thing in gear.things]
    total = sum([kg for packed_up, kg in made if not packed_up])
    packed = sum([kg for packed_up, kg in made if packed_up])
    worn = 0.0 if gear.exoskeleton else sum([armor_weight(rules, candidate.armor, candidate.piece).value for candidate in gear.armor])
    most = capacity(rules, strength).burden
    return min(arms + total, most), worn + packed


# --- weapons ------------------------------------------------------------------------------------------------------------------


def weapons_of(
    rules: Ruleset, person: Person, hth: Task, strength: int, *, muscle: float, unarmed: float, shooting: dict[str, Task]
) -> tuple[Weapon, ...]:
    """The bare hand first, then everything the person carries, melee weapons before ranged ones."""
    names: dict[str, int] = {}

    def called(arm: Arm) -> str:
        base = arm.name or arm.weapon
        names[base] = names.get(base, 0) + 1
        return base if names[base] == 1 else f"{base} {names[base]}"

    fist = "Unarmed Defensive" if person.knows("Unarmed Combat Defensive") else "Unarmed"
    weapons = [_melee(rules, person, Arm(fist), "bare hands", hth=hth, strength=strength, unarmed=unarmed)]
    for arm in person.gear.melee:
        weapons.append(_melee(rules, person, arm, called(arm), hth=hth, strength=strength, unarmed=muscle))
    for arm in person.gear.ranged:
        weapons.append(_gun(rules, person, arm, called(arm), muscle=muscle, shooting=shooting))
    return tuple(weapons)


def _hidden(rules: Ruleset, kg: float, person: Person, arm: Arm) -> int:
    """The extra actions to draw a weapon from its holster and from under clothes; nothing for one that is carried openly."""
    row = HIDING(rules).get(person.gear.clothing)
    over = row.where if row is not None and row.kind == "clothing" else ""
    return concealment(rules, kg, arm.carried, over).draw if arm.carried else 0


def _melee(rules: Ruleset, person: Person, arm: Arm, name: str, *, hth: Task, strength: int, unarmed: float) -> Weapon:
    made: Blade = blade(rules, arm)
    row = MELEE_WEAPONS.get(rules, made.weapon)

    def bite(at: tuple[int, DamageClass] | None) -> Bite | None:
        return None if at is None else (at[0], unarmed + at[1].amount, at[1].pierces)

    known = sum([familiarity.subject in (name, made.weapon) for familiarity in person.familiarities if familiarity.ability == HTH])
    return Weapon(
        name=name,
        group=made.group,
        task=hth.plus(familiarities(rules, known), *still_strange(person, name, made.weapon)),
        kg=made.kg,
        hands=grip_of(rules, arm),  # type: ignore[arg-type]
        draw=made.draw + _hidden(rules, made.kg, person, arm),
        close=bite(made.close),
        normal=bite(made.normal),
        reach=bite(made.reach),
        parry=made.parry,
        heavy=(too_heavy(rules, made.kg, strength, 1).value, too_heavy(rules, made.kg, strength, 2).value),
        covers=(row.covers.get("limb", 0), row.covers.get("torso", 0), row.covers.get("rest", 0)),
        shield=shield_of(rules, arm),
    )


def _gun(rules: Ruleset, person: Person, arm: Arm, name: str, *, muscle: float, shooting: dict[str, Task]) -> Weapon:
    made = gun(rules, arm)
    known = sum(
        [
            familiarity.subject in (name, made.weapon)
            for familiarity in person.familiarities
            if familiarity.ability.partition(":")[0] == made.skill
        ]
    )
    task = shooting[made.skill.lower()].plus(familiarities(rules, known), *still_strange(person, name, made.weapon))
    ammo = 1 if made.thrown else made.ammo if made.ammo is not None else max(1, rules.number("power-cell") // max(1, made.wh))
    dc = made.dc.plus(muscle) if made.dc.added else made.dc
    longarm = made.skill in LONGARMS
    return Weapon(
        name=name,
        group=made.skill.lower(),
        task=task,
        hands="2" if made.skill in BOWS or made.skill == "Heavy Weapon" else "1-2" if longarm else "1",
        draw=made.draw + _hidden(rules, made.kg, person, arm),
        ammo=ammo,
        loaded=None if arm.loaded is None else min(ammo, arm.loaded),
        dc=str(DamageClass(dc.amount, dc.type, dc.stun, dc.pierces, dc.hits)),
        increment=made.range,
        bow=made.skill in BOWS,
        longarm=longarm and made.skill not in BOWS,
        muscle=made.dc.added,
        **{field: getattr(made, field) for field in AS_MADE},
    )


def passed_on(rules: Ruleset, weapon: Weapon, giver: Profile, taker: Profile) -> Weapon:
    """A weapon as another person wields it who got hold of it: their skill, their strength, none of the old familiarity."""
    more = taker.muscle - giver.muscle

    def bite(at: Bite | None) -> Bite | None:
        return None if at is None else (at[0], at[1] + more, at[2])

    names = [owned.name for owned in taker.weapons]
    return replace(
        weapon,
        name=weapon.name if weapon.name not in names else f"{giver.name}'s {weapon.name}",
        task=dict(taker.shooting).get(weapon.group, taker.hth),
        close=bite(weapon.close),
        normal=bite(weapon.normal),
        reach=bite(weapon.reach),
        heavy=(too_heavy(rules, weapon.kg, taker.st, 1).value, too_heavy(rules, weapon.kg, taker.st, 2).value)
        if not weapon.ranged
        else weapon.heavy,
        dc=str(parse_dc(weapon.dc).plus(more)) if weapon.muscle else weapon.dc,
    )
