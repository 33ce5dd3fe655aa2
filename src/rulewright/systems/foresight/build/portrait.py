"""People of ForeSight in words that other games share, for conversion."""

from collections.abc import Mapping

import msgspec

from rulewright.build.portrait import Item, Portrait, Portrayal, Rating
from rulewright.play import sub
from rulewright.play.cache import cached
from rulewright.play.odds import exact
from rulewright.rules import Ruleset
from rulewright.systems.foresight.gear.armor import ARMOR
from rulewright.systems.foresight.gear.weapons import MELEE_WEAPONS, RANGED_WEAPONS
from rulewright.systems.foresight.harm.body import INCAPACITATED, Patient
from rulewright.systems.foresight.harm.damage import Blow, be_hit
from rulewright.systems.foresight.people.attributes import ATTRIBUTES, MOST_FAMILIAR, Attributes, attribute_task, unarmed_damage
from rulewright.systems.foresight.people.backgrounds import SPECIES
from rulewright.systems.foresight.people.characters import Arm, Background, Character, Gear, Known, Person, Thing, Worn
from rulewright.systems.foresight.people.skills import highest_level, highest_trained, skill_task
from rulewright.systems.foresight.resolution.damage_classes import damage_class, parse_protection
from rulewright.systems.foresight.resolution.notation import spell
from rulewright.systems.foresight.resolution.tests import Mod

ORDINARY = 9
ORDINARY_LEVEL = 3
"""With attributes of 9 it makes a score of 12, as a competent person's second skills have."""
ORDINARY_MODIFIERS = (0, -1)
"""Average and relatively hard tasks."""
HIGHEST_LEVEL = 15
_ATTRIBUTES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "ST": ("Strength", ("strength",)),
    "EN": ("Endurance", ("toughness",)),
    "DX": ("Dexterity", ("dexterity",)),
    "AG": ("Agility", ("agility",)),
    "IN": ("Intelligence", ("reasoning", "creativity")),
    "PC": ("Perception", ("perception",)),
    "EM": ("Empathy", ("intuition", "presence")),
    "WP": ("Willpower", ("willpower",)),
    "AP": ("Appearance", ("appearance",)),
}
_SKILLS: Mapping[str, tuple[str, ...]] = {
    "Acrobatics": ("acrobatics",),
    "Aircraft": ("flying",),
    "Animal Handling": ("animals",),
    "Archery": ("archery",),
    "Armor/Exoskeleton": ("heavy armour",),
    "Athletics": ("athletics", "climbing", "jumping"),
    "Charisma": ("persuasion", "leadership", "etiquette", "trade"),
    "Confidence": ("deception", "intimidation", "interrogation", "streetwise"),
    "Dance": ("performance",),
    "Disguise": ("disguise",),
    "Gambling": ("gambling",),
    "Groundcraft": ("driving",),
    "Hand-to-Hand Combat": ("melee", "unarmed", "dodging"),
    "Handguns": ("pistols",),
    "Initiative": ("alertness in combat",),
    "Lockpicking": ("locks",),
    "Longarms": ("rifles",),
    "Musical Composition": ("art",),
    "Navigate": ("navigation",),
    "Pain Resistance": ("pain",),
    "Pickpocket": ("sleight of hand",),
    "Powered Watercraft": ("boats",),
    "Ride": ("riding",),
    "Search": ("searching", "noticing", "tracking"),
    "Seduction": ("seduction",),
    "Spacecraft": ("spacecraft",),
    "Stealth": ("stealth",),
    "Survival": ("survival",),
    "Swimming": ("swimming",),
    "Teach": ("teaching",),
    "Theory": ("science", "lore", "medicine", "computers", "machines"),
    "Throw": ("throwing",),
}
_KIND: Mapping[str, str] = {
    "Dagger": "knife",
    "Shortsword": "sword",
    "Rapier": "sword",
    "Sabre/Longsword": "sword",
    "Hand and a Half": "sword",
    "Two-Handed Sword": "sword",
    "Staff": "staff",
    "Spear": "staff",
    "Glaive": "axe",
    "Halberd": "axe",
    "Club": "club",
    "Mace": "club",
    "Flail": "club",
    "Warhammer": "club",
    "Thrown Dagger": "thrown blade",
    "Sling": "sling",
    "Bow": "bow",
    "Compound Bow": "bow",
    "Crossbow": "crossbow",
    "Revolver (TL4.25)": "pistol",
    "Revolver (TL4.5)": "pistol",
    "SL Pistol (TL4.5)": "pistol",
    "SL Pistol (TL5)": "pistol",
    "Cone Pistol": "pistol",
    "Sliver Pistol": "pistol",
    "Dexax Sliver Pistol": "pistol",
    "Repeating Rifle": "rifle",
    "Bolt Action Rifle": "rifle",
    "SL Rifle": "rifle",
    "Cone Rifle": "rifle",
    "Sliver Rifle": "assault rifle",
    "Dexax Sliver Rifle": "assault rifle",
    "Machine-gun": "machine gun",
    "Stun Pistol (TL7)": "stun gun",
    "Stun Rifle (TL7)": "stun gun",
    "Laser Pistol (TL7)": "energy pistol",
    "Laser Pistol (TL8)": "energy pistol",
    "Projac Pistol": "energy pistol",
    "Laser Rifle (TL7)": "energy rifle",
    "Laser Rifle (TL8)": "energy rifle",
    "Projac Rifle": "energy rifle",
}
_ARMOUR: Mapping[str, str] = {
    "Leather/Hide": "jacket",
    "Hard Leather": "jacket",
    "Ringmail": "mail",
    "Chainmail": "mail",
    "Lamillar": "mail",
    "Light Plate": "plate",
    "Plate": "plate",
    "Heavy Plate": "plate",
    "Flak Jacket": "vest",
    "Light Kevlar": "vest",
    "Kevlar": "vest",
    "Heavy Kevlar": "vest",
    "Silkweave": "vest",
    "Heavy Silkweave": "vest",
    "Flexible Nanofiber (TL7)": "vest",
}
_PIECES: Mapping[str, str] = {"jacket": "Shirt, arms", "mail": "Shirt, arms", "plate": "Shirt, arms", "vest": "Vest"}


class ForeSightPortrayal(Portrayal):
    """Nine attributes, and skills whose scores rest on them."""

    def ratings(self, rules: Ruleset) -> tuple[Rating, ...]:
        ranges = SPECIES.get(rules, "Human").ranges
        attributes = [
            Rating(
                f"attributes.{key}",
                name,
                covers,
                low=ranges[key][0],
                high=highest_trained(rules, ranges[key][1]).value,
                ordinary=ORDINARY,
                attribute=True,
            )
            for key in ATTRIBUTES
            for name, covers in (_ATTRIBUTES[key],)
        ]
        skills = [
            Rating(f"skills.{name}", name, covers, low=0, high=HIGHEST_LEVEL, ordinary=ORDINARY_LEVEL) for name, covers in _SKILLS.items()
        ]
        return (*attributes, *skills)

    def highest(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> int:
        if rating.attribute:
            return rating.high
        return min(rating.high, highest_level(rules, rating.name, _attributes(ratings)).value)

    def tasks(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> tuple[str, ...]:
        field, _, name = rating.key.partition(".")
        if field == "attributes":
            task = attribute_task(rules, next(key for key in ATTRIBUTES if key == name), ratings[rating.key])
        else:
            task = skill_task(rules, name, ratings[rating.key], _attributes(ratings), environment=MOST_FAMILIAR, gravity=MOST_FAMILIAR)
        return tuple([spell(task.plus(Mod("difficulty", modifier))) for modifier in ORDINARY_MODIFIERS])

    def read(self, rules: Ruleset, thing: Character) -> Portrait:
        person = Person.of(rules, thing)
        values = {f"attributes.{key}": person.attribute(key) for key in ATTRIBUTES}
        lost: list[str] = []
        for skill, level in person.skills.items():
            if level == 0 and skill not in thing.skills:  # everybody has it for nothing
                continue
            if skill in _SKILLS:
                values[f"skills.{skill}"] = level
            elif skill.partition(":")[0] != "Stamina":
                lost.append(f"{skill} {level}: no shared word covers this skill")
        lost += [f"the field {field.title}: fields of knowledge have no rolls of their own" for field in person.fields if not field.free]
        lost += [f"{trait.modifier}: character modifiers have no equal in other games" for trait in thing.traits]
        lost += [f"{merit.points} merit in {merit.organization}" for merit in thing.merit]
        gear = person.gear
        arms = [arm.weapon for arm in (*gear.ranged, *gear.melee)]
        lost += [f"the modifications of {arm.name or arm.weapon}" for arm in (*gear.ranged, *gear.melee) if arm.modifications]
        lost += [f"the exoskeleton {gear.exoskeleton}"] if gear.exoskeleton else []
        items = tuple([item.name for item in gear.things])
        worn = tuple(dict.fromkeys(worn.armor for worn in gear.armor))
        return Portrait(
            thing.name, thing.concept, values, weapons=tuple(arms), armour=worn, other=items, lost=tuple(lost), player=thing.player
        )

    def build(self, rules: Ruleset, portrait: Portrait) -> Character:
        ranges = SPECIES.get(rules, "Human").ranges
        values = {key: portrait.ratings.get(f"attributes.{key}", ORDINARY) for key in ATTRIBUTES}
        inherent = {key: min(value, ranges[key][1]) for key, value in values.items()}
        package = rules.on("free-packages")
        ranged = RANGED_WEAPONS(rules)
        return Character(
            portrait.name,
            concept=portrait.concept,
            age=30,
            attributes=msgspec.convert(inherent, Attributes),
            trained={key: value for key, value in values.items() if value > inherent[key]},
            background=tuple([Background(factor) for factor in _FACTORS]),
            package="1970s Wealthy Nation",
            skills={key.partition(".")[2]: level for key, level in portrait.ratings.items() if key.startswith("skills.")},
            fields=(Known("Language", name="mother tongue", free=package), Known("Literacy", name="its script", free=package)),
            environments={"Urban": MOST_FAMILIAR} if package else {},
            gear=Gear(
                ranged=tuple([Arm(name) for name in portrait.weapons if name in ranged]),
                melee=tuple([Arm(name) for name in portrait.weapons if name not in ranged]),
                armor=tuple([Worn(name, _PIECES[_ARMOUR.get(name, "vest")]) for name in portrait.armour[:1]]),
                things=tuple([Thing(name) for name in portrait.other]),
            ),
            player=portrait.player,
        )

    def weapons(self, rules: Ruleset) -> tuple[Item, ...]:
        ranged, close = RANGED_WEAPONS(rules), MELEE_WEAPONS(rules)
        damage = {name: ranged[name].dc for name in _KIND if name in ranged}
        damage |= {name: row.normal[1] for name in _KIND if (row := close.get(name)) is not None and row.normal is not None}
        return tuple([Item(name, _KIND[name], felling(rules, str(dc))) for name, dc in damage.items()])

    def armour(self, rules: Ruleset) -> tuple[Item, ...]:
        items = []
        for name, row in ARMOR(rules).items():
            if name in _ARMOUR:
                stops = parse_protection(row.impact if _ARMOUR[name] == "vest" else row.melee)
                items.append(Item(name, _ARMOUR[name], min(1.0, (stops.number + 2 * stops.absorbs) / _USUAL_CLASS)))
        return tuple(items)

    def assumed(self, rules: Ruleset) -> tuple[str, ...]:
        factors = ", ".join(_FACTORS)
        return (
            f"the background factors {factors}: no other game has them",
            "the package of a wealthy nation of the 1970s, and familiarity with towns: other games have no free packages",
            "an age of 30: other games do not ask",
        )


PORTRAYAL = ForeSightPortrayal()
_FACTORS = ("Comfortable Childhood", "Full-Time Education", "Field Experience", "Office Experience")
_USUAL_CLASS = 7.0
"""The damage class of an ordinary hit with a sabre or a pistol."""


def _attributes(ratings: Mapping[str, int]) -> Attributes:
    return Attributes(**{key: ratings.get(f"attributes.{key}", ORDINARY) for key in ATTRIBUTES})


@cached(256)
def felling(rules: Ruleset, text: str) -> float:
    """The chance that a hit of random quality with this damage class puts an ordinary person out of the fight: stunned, or worse."""
    dc = damage_class(rules, text, unarmed_damage(rules, ORDINARY).value)
    odds = exact(sub(be_hit, rules, Patient("somebody"), Blow(str(dc), 0)))
    return odds.chance(lambda body: body.stunned or body.unconscious or body.dead or body.wounds >= INCAPACITATED)[0]
