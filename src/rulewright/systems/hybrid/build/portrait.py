"""People of Hybrid in words that other games share, for conversion."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from rulewright.build.portrait import Item, Portrait, Portrayal, Rating
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.notation import Written, spell_test
from rulewright.systems.hybrid.gear.items import ARMOUR, WEAPONS, Weapon
from rulewright.systems.hybrid.harm.damage import SOUND, DamageType, apply_damage
from rulewright.systems.hybrid.people.characters import Character, Gear, Person, ranks_of
from rulewright.systems.hybrid.people.characters import Item as Thing
from rulewright.systems.hybrid.people.skills import HIGHEST_RANK, use_check
from rulewright.systems.hybrid.people.statistics import Primary
from rulewright.systems.hybrid.resolution.tests import SUBJECTIVE, Check

ORDINARY = 12
ORDINARY_RANK = 8
"""A solid workaday craftsman."""
ORDINARY_TASKS = ("difficult", "very difficult", "damned difficult")
"""The book's simple tasks hardly tell people apart: from these on, a point counts about as much as elsewhere (ruling)."""
_STATISTICS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "pst": ("Physical Strength", ("strength",)),
    "pen": ("Physical Endurance", ("toughness",)),
    "dex": ("Dexterity", ("dexterity",)),
    "pag": ("Physical Agility", ("agility",)),
    "paw": ("Physical Awareness", ("perception",)),
    "mst": ("Mental Strength", ("presence",)),
    "men": ("Mental Endurance", ("willpower",)),
    "mag": ("Mental Agility", ("reasoning", "creativity")),
    "nrg": ("Energy Access", ()),
    "maw": ("Mental Awareness", ("intuition",)),
}
_SKILLS: Mapping[str, tuple[str, ...]] = {
    "General Perception": ("noticing", "searching"),
    "Combat Perception": ("alertness in combat",),
    "Throw Object": ("throwing",),
    "Sword": ("melee",),
    "Weapon: Pistol": ("pistols",),
    "Weapon: Rifle": ("rifles",),
    "Archery": ("archery",),
    "Unarmed Combat": ("unarmed",),
    "Dodge": ("dodging",),
    "Stealth": ("stealth",),
    "Running": ("athletics", "endurance"),
    "Climbing": ("climbing",),
    "Tracking": ("tracking", "survival"),
    "Haggling": ("trade", "persuasion"),
    "First Aid": ("medicine",),
    "Meditation": ("meditation",),
    "Streetwise": ("streetwise",),
    "Interrogation": ("interrogation", "intimidation"),
    "Computer Ops": ("computers",),
    "Mathematics": ("science",),
    "Lore": ("lore",),
    "Mounted Combat": ("riding",),
    "Vehicular Combat": ("driving",),
    "Armor Wearing": ("heavy armour",),
    "0-g Maneuver": ("weightlessness",),
}
_ALSO: Mapping[str, tuple[str, ...]] = {
    "Evasion": ("dodging",),
    "Throwing": ("throwing",),
    "Long Sword": ("melee",),
    "Dagger": ("melee",),
    "Melee": ("melee",),
    "Melee: Axe": ("melee",),
    "Melee: Spear": ("melee",),
    "Melee: Staff": ("melee",),
    "Melee: Dagger": ("melee",),
    "Melee: Hammer": ("melee",),
    "Weapon: Tonfa": ("melee",),
    "Weapon: Fist": ("unarmed",),
    "Slug Pistol": ("pistols",),
}
"""Skills that are read, and written only for the weapon that needs them."""
_KIND: Mapping[str, str] = {
    "fist": "fist",
    "kick": "fist",
    "knife": "knife",
    "dagger": "knife",
    "short sword": "sword",
    "sabre": "sword",
    "long sword": "sword",
    "hammer": "club",
    "battle axe": "axe",
    "spear": "staff",
    "staff": "staff",
    "tonfa": "club",
    "throwing knife": "thrown blade",
    "sling": "sling",
    "bow": "bow",
    "pistol": "pistol",
    "rifle": "rifle",
    "taser": "stun gun",
}
_ARMOUR: Mapping[str, tuple[str, DamageType]] = {
    "leather coat": ("jacket", "cutting"),
    "chain shirt": ("mail", "cutting"),
    "plate": ("plate", "cutting"),
    "ballistic vest": ("vest", "projectile"),
}
_GIVEN = ("Culture Lore", "Spoken Language", "Written Language", "Tech Level Lore")
_MOST_DAMAGE = 1000


class HybridPortrayal(Portrayal):
    """Ten statistics and narrow skills."""

    def ratings(self, rules: Ruleset) -> tuple[Rating, ...]:
        low, high = rules.number("lowest-allocated"), rules.number("highest-allocated")
        statistics = [
            Rating(f"primary.{key}", name, covers, low=low, high=high, ordinary=ORDINARY, attribute=True)
            for key, (name, covers) in _STATISTICS.items()
        ]
        skills = [
            Rating(f"skills.{name}", name, covers, low=0, high=HIGHEST_RANK, ordinary=ORDINARY_RANK) for name, covers in _SKILLS.items()
        ]
        also = [
            Rating(f"skills.{name}", name, covers, low=0, high=HIGHEST_RANK, ordinary=ORDINARY_RANK, written=False)
            for name, covers in _ALSO.items()
        ]
        return (*statistics, *skills, *also)

    def tasks(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> tuple[str, ...]:
        field, _, name = rating.key.partition(".")
        if field == "primary":
            check = Check(ratings[rating.key])
        else:
            statistics = tuple([ratings[f"primary.{key}"] for key in _STATISTICS])
            check = _check(rules, statistics, name, ratings[rating.key])
        factors = SUBJECTIVE.every(rules)
        return tuple([spell_test(Written(check.plus(factors[task]))) for task in ORDINARY_TASKS])

    def read(self, rules: Ruleset, thing: Character) -> Portrait:
        person = Person.of(rules, thing)
        values = {f"primary.{key}": person.stat(key.upper()) for key in _STATISTICS}
        lost: list[str] = []
        for skill, rank in ranks_of(rules, thing).items():
            if skill in _SKILLS or skill in _ALSO:
                values[f"skills.{skill}"] = rank.value
            elif skill.partition(":")[0] == "Lore":
                values["skills.Lore"] = max(rank.value, values.get("skills.Lore", 0))
            elif skill.partition(":")[0] not in _GIVEN:
                lost.append(f"{skill} {rank.value}: no shared word covers this skill")
        lost += [f"{gift.name}: gifts have no equal in other games" for gift in thing.gifts]
        lost += [f"{owned.name}: limitations have no equal in other games" for owned in thing.limitations]
        lost += [f"{tie.name}: friends and reputation have no points in other games" for tie in (*thing.friends, *thing.reputation)]
        lost += [f"{stat} +{points}: bought by itself" for stat, points in thing.bought.items()]
        lost += ["the statistic Energy Access: only magic and psi use it"] if person.stat("NRG") != ORDINARY else []
        gear = thing.gear
        return Portrait(
            thing.name,
            thing.concept,
            values,
            weapons=gear.weapons,
            armour=gear.armour,
            other=tuple([item.name for item in gear.other]),
            lost=tuple(lost),
        )

    def build(self, rules: Ruleset, portrait: Portrait) -> Character:
        ratings = portrait.ratings
        skills: dict[str, int] = {key.partition(".")[2]: rank for key, rank in ratings.items() if key.startswith("skills.")}
        rows = WEAPONS(rules)
        for weapon in portrait.weapons:
            own, general = rows[weapon].skill, "Sword" if rows[weapon].use == "melee" else ""
            if own not in skills and general in skills and own not in ("Unarmed Combat", "Shield"):
                skills[own] = skills[general]
        needed = {rows[weapon].skill for weapon in portrait.weapons}
        if "Sword" in skills and "Sword" not in needed and any(rows[weapon].use == "melee" for weapon in portrait.weapons):
            del skills["Sword"]  # the skill of the weapon that is carried stands in its place
        return Character(
            portrait.name,
            concept=portrait.concept,
            primary=Primary(**{key: ratings.get(f"primary.{key}", ORDINARY) for key in _STATISTICS}),
            skills={**skills},
            gear=Gear(weapons=portrait.weapons, armour=portrait.armour, other=tuple([Thing(name) for name in portrait.other])),
        )

    def weapons(self, rules: Ruleset) -> tuple[Item, ...]:
        return tuple([Item(row.weapon, _KIND[row.weapon], felling(rules, row)) for row in WEAPONS(rules).values() if row.weapon in _KIND])

    def armour(self, rules: Ruleset) -> tuple[Item, ...]:
        items = []
        for row in ARMOUR(rules).values():
            if row.armour in _ARMOUR:
                kind, against = _ARMOUR[row.armour]
                items.append(Item(row.armour, kind, min(1.0, row.stops.get(against, 0) / _USUAL[against])))
        return tuple(items)

    def assumed(self, rules: Ruleset) -> tuple[str, ...]:
        return (f"Energy Access {ORDINARY}, the average: no other game has it", "no culture: it would give languages and lore")


PORTRAYAL = HybridPortrayal()
_USUAL: Mapping[DamageType, float] = {"cutting": 11.5, "projectile": 19.5}
"""The damage of an ordinary hit with a sabre and with a pistol."""


@cached(20_000)
def _check(rules: Ruleset, statistics: tuple[int, ...], skill: str, rank: int) -> Check:
    """The check of a skill for somebody with these statistics, in the order of the book."""
    primary = Primary(**dict(zip(_STATISTICS, statistics, strict=True)))
    return use_check(rules, Person.of(rules, Character("somebody", primary=primary, skills={skill: rank})).use(rules, skill))


@cached(64)
def felling(rules: Ruleset, weapon: Weapon) -> float:
    """The share of what fells an ordinary person, fatigue and body together, that a plain success with a weapon does.

    No single hit fells an unhurt person in Hybrid, apart from shock: the share stands for the chance (ruling).
    """
    strength = Person.of(rules, Character("somebody")).stat("PSE")
    average = weapon.base + floor(Fraction(str(weapon.strike)) * strength) + sum((sides + 1) / 2 for sides in weapon.dice)
    left = next(points for points in range(1, _MOST_DAMAGE) if not apply_damage(rules, SOUND, points).body.awake)
    return min(1.0, average / left)
