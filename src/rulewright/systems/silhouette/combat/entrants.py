"""Turns characters into fighters."""

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.movement import sprint, sprint_of, unhurt_fastest
from rulewright.systems.silhouette.combat.arms import weapons_of
from rulewright.systems.silhouette.combat.close_combat import ShieldUp
from rulewright.systems.silhouette.combat.fighters import SKILLS, Fighter, Lost, Profile, Trained
from rulewright.systems.silhouette.drama.death_scenes import FAREWELL
from rulewright.systems.silhouette.drama.traits_in_play import Fortune, escape_modifiers, fighting_modifiers, waking_modifiers
from rulewright.systems.silhouette.gear.items import SHIELDS
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.people.characters import Being, Character, Person
from rulewright.systems.silhouette.people.martial_arts import martial_bonus
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.people.skills import named
from rulewright.systems.silhouette.people.traits import spared
from rulewright.systems.silhouette.resolution.modifiers import CLOSE, RANGED
from rulewright.systems.silhouette.resolution.tests import Mod

_CARRIED: Lost = ""
HIGHEST, FASTEST = 1000.0, 100.0
"""Largest plausible height in metres and speed in metres per second."""


def profile_of(rules: Ruleset, person: Person, name: str, side: str) -> Profile:
    """Returns the facts about a person that a fight needs."""
    values = secondary_of(rules, person)
    strength = values["strength"].value
    skills = []
    for skill in SKILLS:
        best = person.best(skill)
        mods = fighting_modifiers(rules, named(rules, skill).skill, person.perks, person.flaws)
        martial = martial_bonus(rules, skill, person.complexity.get(best, 1), person.specializations.get("hand-to-hand", ()))
        mods = (*mods, martial) if martial.value else mods
        if skill == "defense" and person.plan.size:
            mods = (*mods, Mod("size", person.plan.size, "sil-6.1.3-creature-skills"))
        skills.append(
            Trained(
                skill,
                person.level(best),
                person.complexity.get(best, 1),
                person.specializations.get(best, ()),
                mods,
                person.favored.get(best, ""),
            )
        )
    shield = SHIELDS.get(rules, person.gear.shield) if person.gear.shield else None
    load = sum([item.weight for item in person.gear.other])
    return Profile(
        name,
        side,
        tuple(sorted(person.attributes.items())),
        tuple(skills),
        weapons_of(rules, person),
        strength,
        sprint_of(rules, person),
        unhurt_fastest(rules, person, strength, load),
        ShieldUp(shield.parry, shield.armor) if shield else None,
        person.hero,
        spared(rules, "off hand", person.perks),
        person.role == "major npc",
        emergency_start=person.emergency_dice,
        escaping=escape_modifiers(rules, person.perks, person.flaws),
        light_sleeper=spared(rules, "surprised asleep", person.perks),
        waking=waking_modifiers(rules, person.perks, person.flaws),
        plan=person.plan,
        magic=values["stamina"].value if person.spells else 0,
        human_sprint=sprint(rules, person.attribute("fitness"), person.level("athletics")).value if person.plan.ways else 0,
    )


def enter(rules: Ruleset, character: Character | Being, name: str, side: str, at: tuple[float, float] = (0.0, 0.0)) -> Fighter:
    """Returns a character as a fighter, with the first weapon in hand and a shield if a hand is free."""
    if not (isinstance(character, Character) or hasattr(character, "as_person")):
        raise UserError(f"{name} is not a person or creature; only these can join this fight")
    person = Person.of(rules, character)
    profile = profile_of(rules, person, name, side)
    body = replace(Patient.of_person(rules, person), name=name)
    count = len(profile.weapons)
    in_hand = 1 if count > 1 and not person.plan.beast else 0
    fighter = Fighter(
        profile,
        body,
        float(at[0]),
        float(at[1]),
        in_hand=in_hand,
        ammo=tuple([weapon.magazine for weapon in profile.weapons]),
        jammed=(False,) * count,
        unready=(0,) * count,
        gone=(_CARRIED,) * count,
        shield_up=profile.shield is not None and profile.weapons[in_hand].hands < 2 + profile.plan.limbs,
        fortune=Fortune.of(person),
    )
    return fighter.with_body(rules, body)


def checked(rules: Ruleset, fighter: Fighter) -> Fighter:
    """Checks a fighter described by hand, and returns it."""
    count = len(fighter.profile.weapons)
    if not 0 <= fighter.in_hand < count:
        raise UserError(f"{fighter.name}: in_hand must be 0 to {count - 1}, not {fighter.in_hand}")
    if not len(fighter.ammo) == len(fighter.jammed) == len(fighter.gone) == len(fighter.unready) == count:
        raise UserError(f"{fighter.name}: ammo, jammed, unready and gone need {count} entries each, one per weapon with the fists first")
    for weapon, left in zip(fighter.profile.weapons, fighter.ammo, strict=True):
        if not 0 <= left <= weapon.magazine:
            raise UserError(f"{fighter.name}: the {weapon.name} holds 0 to {weapon.magazine} shots, not {left}")
    if fighter.gone[fighter.in_hand]:
        raise UserError(f"{fighter.name}: the {fighter.weapon.name} cannot be in hand: it is {fighter.gone[fighter.in_hand]}")
    if fighter.cover and fighter.cover not in CLOSE(rules) and fighter.cover not in RANGED(rules):
        raise UserError(f"{fighter.name}: there is no cover {fighter.cover!r}")
    if not 0 <= fighter.farewell <= FAREWELL:
        raise UserError(f"{fighter.name}: a death scene has 0 to {FAREWELL} points, not {fighter.farewell}")
    if not 0 <= fighter.height <= HIGHEST or (fighter.height and "fly" not in fighter.profile.plan.ways):
        raise UserError(f"{fighter.name}: height must be 0 to {HIGHEST:g} metres, and 0 for a fighter who cannot fly")
    if fighter.drained < 0:
        raise UserError(f"{fighter.name}: drained must be at least 0 Spell Points, not {fighter.drained}")
    if max(abs(fighter.drift[0]), abs(fighter.drift[1])) > FASTEST:
        raise UserError(f"{fighter.name}: drift can be at most {FASTEST:g} metres per second along each axis")
    if fighter.shield_up and fighter.profile.shield is None:
        raise UserError(f"{fighter.name} has no shield")
    return fighter.with_body(rules, fighter.body)
