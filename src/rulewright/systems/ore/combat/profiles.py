"""Turns a character into a fighter: skills, gear and advantages in combat."""

from msgspec.structs import replace

from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.abilities import pool_for, trained
from rulewright.systems.ore.combat.fighters import Fighter, Group, Profile
from rulewright.systems.ore.combat.mooks import mob
from rulewright.systems.ore.combat.weapon_use import NO_DICE, Training, wielded
from rulewright.systems.ore.drama.points import effects_allowed
from rulewright.systems.ore.gear.armour import Protection, Split, athletic_difficulty, encumbrance, worn
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.gear.weapons import BARE_HANDS, Weapon
from rulewright.systems.ore.harm.body import AnyBody, Vital, fresh
from rulewright.systems.ore.harm.endurance import Stamina
from rulewright.systems.ore.people.advantages import resistances_by_class, shrugged_off
from rulewright.systems.ore.people.characters import Character, Person
from rulewright.systems.ore.people.feat_effects import RULE, Feats, Try, feats_of, helps
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.people.pools import rated, skill_pool, usable_pool
from rulewright.systems.ore.people.skills import WEAPON_SKILLS, known_skill
from rulewright.systems.ore.powers.repertoire import known_of
from rulewright.systems.ore.resolution.tests import Pool

COMBAT_SKILLS = ("fight", "dodge", "parry", "ballistics", "missiles", "thrown", "energy", "shoot", "unarmed")


def enter(rules: Ruleset, character: Character, name: str, side: str, metres: int = 0) -> Fighter:
    """A character as a fighter, with the first weapon in hand."""
    person = Person.of(rules, character)
    points = person.has("action hero") if effects_allowed(rules) else 0
    whole = fresh(rules, max(1, person.statistic("body")))
    body = replace(whole, ignores=shrugged_off(person.has("hard to kill")), luck=person.has("lucky"), drama=points)
    body = hardened(rules, body, feats_of(person.feats))
    protection = replace(worn(rules, dict(character.armour), character.shield, character.shield_arm), natural=resistances(rules, person))
    profile = profile_of(rules, person, character, name, side=side, protection=protection)
    in_hand = int(bool(character.weapons))
    return Fighter(profile, body, protection, in_hand, metres=metres, stamina=Stamina(profile.body))


@rule(RULE)
def hardened(rules: Ruleset, body: AnyBody, feats: Feats = ()) -> AnyBody:
    """An unhurt body with feats: a higher Wound Threshold, and Kill and Shock Boxes for Body +1."""
    if not feats:
        return body
    threshold = helps(rules, feats, Try(on=("hurt",))).amount("wound threshold")
    if threshold:
        body = replace(body, threshold=threshold)
    boxes = helps(rules, feats, Try(on=("vital boxes",)))
    if isinstance(body, Vital) and boxes.amounts:
        body = replace(body, tougher=boxes.amount("kill boxes"), steadier=boxes.amount("shock boxes"))
    return body


def resistances(rules: Ruleset, person: Person) -> Split:
    """Natural resistances by damage class."""
    return resistances_by_class(rules, {own.choice: person.has(own.name, own.choice) for own in person.advantages if own.name == RESISTS})


RESISTS = "preternatural resistance"


def profile_of(rules: Ruleset, person: Person, character: Character, name: str, *, side: str, protection: Protection) -> Profile:
    """The fixed facts of a character; bare hands are always the first weapon."""
    feats = feats_of(person.feats)
    weapons = (BARE_HANDS, *[weapon_named(rules, weapon) for weapon in character.weapons])
    if feats:
        weapons = tuple([in_trained_hands(rules, weapon, feats, person.statistic("body")) for weapon in weapons])
    skills = dict.fromkeys((*COMBAT_SKILLS, *[skill for weapon in weapons for skill in weapon.skills], *person.skills))
    fought = [skill for skill in skills if for_combat(rules, skill)]
    burden = encumbrance(rules, protection).value
    arms = [wielded(rules, person, weapon) for weapon in weapons]
    return Profile(
        name=name,
        side=side,
        body=max(1, person.statistic("body")),
        coordination=person.statistic("coordination"),
        insight=person.statistic("insight"),
        psyche=person.statistic("psyche"),
        perception=max([rated(rules, person, skill).rating for skill in ("perception", "sight", "spot")]),
        weapons=weapons,
        attacks=tuple([arm.attack for arm in arms]),
        parries=tuple([arm.parry for arm in arms]),
        dodge=usable_pool(rules, _dodging(rules, person, feats)),
        run=usable_pool(rules, pool_for(rules, person, "run")),
        wrestle=usable_pool(rules, pool_for(rules, person, "grapple")),
        wits=_largest(rules, [skill_pool(rules, person, skill, "insight") for skill in fought]),
        athletic_difficulty=athletic_difficulty(burden, person.has("armour conditioning")),
        ambidextrous=person.has("ambidextrous") > 0,
        nerve=_largest(rules, trained(rules, person, ("focus", "willpower"), "psyche")),
        endurance=_largest(rules, trained(rules, person, ("endurance", "stamina", "physique"), "body")),
        threat=usable_pool(rules, pool_for(rules, person, "threaten")),
        ratings=tuple([arm.rating for arm in arms]),
        acrobatics=usable_pool(rules, pool_for(rules, person, "stand")),
        training=Training.of(person),
        powers=known_of(rules, person) if person.powers or person.inherent else (),
        feats=feats,
    )


def in_trained_hands(rules: Ruleset, weapon: Weapon, feats: Feats, body: int) -> Weapon:
    """A weapon with feats: one more bullet, or bare hands with Reach equal to Body."""
    given = helps(rules, feats, Try(on=("attack",), when=(*weapon.skills, weapon.broad)))
    if weapon.magazine and given.amount("clip"):
        weapon = replace(weapon, magazine=weapon.magazine + given.amount("clip"))
    return replace(weapon, reach=body) if "reach is body" in given else weapon


def _dodging(rules: Ruleset, person: Person, feats: Feats) -> Pool:
    """The best pool for dodging, including skills that feats allow."""
    pools = [pool_for(rules, person, "dodge")]
    for skill, statistic in helps(rules, feats, Try(on=("dodge",))).instead:
        pools.append(skill_pool(rules, person, skill, statistic or "coordination"))
    return max(pools, key=lambda pool: (pool.size, pool.master, pool.expert))


def for_combat(rules: Ruleset, skill: str) -> bool:
    """Whether a skill is a combat skill."""
    known = known_skill(rules, skill)
    return known is not None and (known.name in WEAPON_SKILLS(rules) or known.name in FIGHTING or known.field in FIGHTING)


FIGHTING = {"close combat", "ranged combat", "fight", "shoot", "dodge", "parry"}


def _largest(rules: Ruleset, pools: list[Pool]) -> Pool:
    return usable_pool(rules, max(pools, key=lambda pool: (pool.size, pool.master, pool.expert), default=NO_DICE))


def gather(mook: Mook, members: tuple[str, ...], side: str, room: int = 0, *, metres: int = 0, weapon: Weapon | None = None) -> Group:
    """Mooks of one file and side as a group; `weapon` is their weapon, if any."""
    base = members[0].rstrip("0123456789 ") if len(members) > 1 else members[0]
    many = mob(mook.threat, len(members), base or mook.name, room or None, armour=mook.armour, kill=mook.kill, shock=mook.shock)
    return Group(replace(many, damage_class=mook.damage_class, weapon=weapon or BARE_HANDS), side, members, metres)


def carried_by(rules: Ruleset, mook: Mook) -> Weapon:
    """The weapon of mooks: from their file, a pistol for ballistic or energy damage (ruling), else none."""
    if mook.weapon:
        return weapon_named(rules, mook.weapon)
    guns = {"B": "guns: pistol 9mm", "E": "beams: energy pistol 2"}
    return weapon_named(rules, guns[mook.damage_class]) if mook.damage_class in guns else BARE_HANDS
