"""People of S.C.U.M.M. in words that other games share, for conversion."""

from collections.abc import Mapping

import msgspec

from rulewright.build.portrait import Item, Portrait, Portrayal, Rating
from rulewright.highest_die.notation import parse
from rulewright.highest_die.portrait import margins_of_hits
from rulewright.play import sub
from rulewright.play.cache import cached
from rulewright.play.odds import exact
from rulewright.rules import Ruleset
from rulewright.systems.scumm.gear.items import ARMOR, GUNS, MELEE
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.harm.damage import Hit, damage, take_hit
from rulewright.systems.scumm.people.characters import (
    ATTRIBUTE_LIMITS,
    ATTRIBUTES,
    SKILLS,
    Attributes,
    Character,
    Gear,
    Person,
    starting_limit,
)
from rulewright.systems.scumm.people.characters import Item as Thing
from rulewright.systems.scumm.people.conversion import TenAttributes, from_silhouette
from rulewright.systems.scumm.resolution.notation import written_test
from rulewright.systems.scumm.resolution.tests import Pool

ORDINARY_LEVEL = 2
"""A skill that somebody lives by."""
HIGHEST_IN_PLAY = 8
ORDINARY_THRESHOLDS = (4, 5)
"""Moderate and challenging."""
_COVERED: Mapping[str, tuple[str, ...]] = {
    "alertness": ("agility", "dexterity", "perception"),
    "body": ("strength", "toughness"),
    "intelligence": ("reasoning", "creativity"),
    "spirit": ("appearance", "presence", "willpower", "intuition"),
    "drive": ("driving",),
    "notice": ("noticing",),
    "pistols": ("pistols",),
    "rifles": ("rifles",),
    "sleight": ("sleight of hand", "locks"),
    "stealth": ("stealth",),
    "throw": ("throwing",),
    "tinker": ("machines", "explosives"),
    "acrobatics": ("acrobatics",),
    "athletics": ("athletics",),
    "brawl": ("unarmed",),
    "climb": ("climbing",),
    "endurance": ("endurance",),
    "jump": ("jumping",),
    "melee": ("melee",),
    "swim": ("swimming",),
    "business": ("trade",),
    "computer": ("computers",),
    "forgery": ("forgery",),
    "gamble": ("gambling",),
    "investigation": ("searching",),
    "medicine": ("medicine",),
    "navigate": ("navigation",),
    "trivia": ("science", "lore"),
    "animal handling": ("animals",),
    "disguise": ("disguise",),
    "etiquette": ("etiquette",),
    "intimidate": ("intimidation", "interrogation"),
    "leadership": ("leadership",),
    "persuasion": ("persuasion", "deception"),
    "seduction": ("seduction",),
    "streetwise": ("streetwise",),
}
_KINDS: Mapping[str, str] = {
    "nightstick": "club",
    "knife": "knife",
    "baseball bat": "club",
    "machete": "sword",
    "fire axe": "axe",
    "shotgun": "shotgun",
    "automatic shotgun": "shotgun",
    "assault rifle": "assault rifle",
    "9mm smg": "submachine gun",
    "11mm smg": "submachine gun",
}
_ARMOUR: Mapping[str, str] = {"leather": "jacket"}


class ScummPortrayal(Portrayal):
    """Four attributes, and the skills under them."""

    def ratings(self, rules: Ruleset) -> tuple[Rating, ...]:
        limits = ATTRIBUTE_LIMITS(rules)
        attributes = [
            Rating(f"attributes.{name}", name.capitalize(), _COVERED[name], row.lowest, row.highest, 0, attribute=True)
            for name in ATTRIBUTES
            if (row := limits.get(name)) is not None
        ]
        highest = starting_limit(rules)
        skills = [
            Rating(
                f"skills.{name}",
                name.capitalize(),
                _COVERED.get(name, ()),
                1,
                highest,
                min(ORDINARY_LEVEL, highest),
                in_play=HIGHEST_IN_PLAY,
            )
            for name in SKILLS(rules)
        ]
        return (*attributes, *skills)

    def tasks(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> tuple[str, ...]:
        field, _, name = rating.key.partition(".")
        attribute = name if field == "attributes" else SKILLS.get(rules, name).attribute
        dice = ORDINARY_LEVEL if field == "attributes" else ratings[rating.key]
        pool = f"{f'{dice}d' if dice else 'unskilled'}{ratings[f'attributes.{attribute}']:+d}"
        return tuple([f"{pool} vs {threshold}" for threshold in ORDINARY_THRESHOLDS])

    def read(self, rules: Ruleset, thing: Character) -> Portrait:
        person = Person.of(rules, thing)
        known = SKILLS(rules)
        values = {f"attributes.{name}": person.attribute(name) for name in ATTRIBUTES}
        values |= {f"skills.{name}": level for name, level in person.skills.items() if name in known}
        lost = [
            f"the specialization {name} of {skill}: a bonus of 1 in one case"
            for skill, names in person.specializations.items()
            for name in names
        ]
        lost += [f"{person.emergency_dice} Emergency Dice: no other game has them"] if person.emergency_dice else []
        gear = person.gear
        return Portrait(
            thing.name,
            thing.concept,
            values,
            (*gear.guns, *gear.melee),
            (gear.armor,) if gear.armor else (),
            tuple([item.name for item in gear.other]),
            tuple(lost),
            thing.player,
        )

    def build(self, rules: Ruleset, portrait: Portrait) -> Character:
        attributes = {name: portrait.ratings.get(f"attributes.{name}", 0) for name in ATTRIBUTES}
        skills = {key.partition(".")[2]: level for key, level in portrait.ratings.items() if key.startswith("skills.")}
        blades = MELEE(rules)
        return Character(
            portrait.name,
            concept=portrait.concept,
            attributes=msgspec.convert(attributes, Attributes),
            skills=skills,
            gear=Gear(
                melee=tuple([name for name in portrait.weapons if name in blades]),
                guns=tuple([name for name in portrait.weapons if name not in blades]),
                armor=next(iter(portrait.armour), None),
                other=tuple([Thing(name) for name in portrait.other]),
            ),
            player=portrait.player,
        )

    def weapons(self, rules: Ruleset) -> tuple[Item, ...]:
        close = [Item(row.weapon, _KINDS.get(row.weapon, "club"), felling(rules, ARMED + row.bonus)) for row in MELEE(rules).values()]
        guns = [
            Item(row.weapon, _KINDS.get(row.weapon, "pistol" if row.skill == "pistols" else "rifle"), felling(rules, row.damage))
            for row in GUNS(rules).values()
        ]
        return (*close, *guns)

    def armour(self, rules: Ruleset) -> tuple[Item, ...]:
        return tuple(
            [Item(row.armor, _ARMOUR.get(row.armor, "vest"), min(1.0, row.points / _usual_hit(rules))) for row in ARMOR(rules).values()]
        )

    def by_book(self, rules: Ruleset, other: str, ratings: Mapping[str, int]) -> Mapping[str, int]:
        if other != "silhouette":
            return {}
        ten = TenAttributes(**{name: ratings.get(f"attributes.{name}", 0) for name in TenAttributes.__struct_fields__})
        limits = ATTRIBUTE_LIMITS(rules)
        return {
            f"attributes.{name}": max(limits[name].lowest, min(limits[name].highest, value.value))
            for name, value in from_silhouette(rules, ten).items()
        }


PORTRAYAL = ScummPortrayal()
ARMED = 4
"""The Armed Damage of an ordinary person with a little training."""
_BODIES = (-1, 0, 1)
"""The Body of the ordinary people that a weapon is measured with."""


@cached(16)
def _margins(rules: Ruleset) -> tuple[tuple[int, float], ...]:
    """The margins of an ordinary person who hits another, with their chances."""
    return margins_of_hits(exact(sub(written_test, rules, parse(f"{ORDINARY_LEVEL}d vs {ORDINARY_LEVEL}d", Pool))))


@cached(256)
def felling(rules: Ruleset, multiplier: int) -> float:
    """The chance that a hit with this Damage Multiplier takes an ordinary person (Body -1 to +1) out of the fight."""
    return sum(
        share * exact(sub(take_hit, rules, victim, Hit(damage(multiplier, margin).value))).chance(lambda body: not body.able)[0]
        for margin, share in _margins(rules)
        for victim in _ordinary_people(rules)
    ) / len(_BODIES)


@cached(16)
def _ordinary_people(rules: Ruleset) -> tuple[Patient, ...]:
    return tuple([Patient.of(rules, Character("somebody", attributes=Attributes(body=body), player=False)) for body in _BODIES])


def _usual_hit(rules: Ruleset) -> float:
    """The damage of an ordinary hit with a service pistol."""
    return 3 * sum(margin * share for margin, share in _margins(rules))
