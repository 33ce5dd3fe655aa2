"""People of Silhouette CORE in words that other games share, for conversion."""

from collections.abc import Mapping

from rulewright.build.portrait import Item, Portrait, Portrayal, Rating
from rulewright.highest_die.notation import parse
from rulewright.highest_die.portrait import margins_of_hits
from rulewright.play import sub
from rulewright.play.cache import cached
from rulewright.play.odds import exact
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.gear.items import ARCHAIC, ARMOR, GUNS, MELEE
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.damage import Hit, damage, take_hit
from rulewright.systems.silhouette.people.characters import ATTRIBUTES, Character, Gear, Person, limits
from rulewright.systems.silhouette.people.characters import Item as Thing
from rulewright.systems.silhouette.people.skills import attribute_of, named
from rulewright.systems.silhouette.resolution.notation import written_test
from rulewright.systems.silhouette.resolution.tests import Pool

ORDINARY_LEVEL = 2
ORDINARY_THRESHOLDS = (4, 5)
"""Moderate and challenging."""
HIGHEST_LEVEL = 6
_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "agility": ("agility", "dexterity"),
    "appearance": ("appearance",),
    "build": ("strength",),
    "creativity": ("creativity",),
    "fitness": ("toughness",),
    "influence": ("presence",),
    "knowledge": ("reasoning",),
    "perception": ("perception",),
    "psyche": ("intuition",),
    "willpower": ("willpower",),
}
_SKILLS: Mapping[str, tuple[str, ...]] = {
    "animal handling": ("animals",),
    "archery": ("archery",),
    "athletics": ("athletics", "acrobatics", "climbing", "jumping", "swimming", "endurance"),
    "business": ("trade",),
    "combat sense": ("alertness in combat",),
    "defense": ("dodging",),
    "demolition/traps": ("explosives",),
    "disguise": ("disguise",),
    "etiquette (business)": ("etiquette",),
    "forgery (documents)": ("forgery",),
    "gambling": ("gambling",),
    "hand-to-hand": ("unarmed",),
    "heavy weapons": ("heavy weapons",),
    "information warfare": ("computers",),
    "interrogation": ("interrogation", "intimidation"),
    "investigation": ("searching",),
    "leadership": ("leadership",),
    "medicine": ("medicine",),
    "melee": ("melee",),
    "natural sciences (life)": ("science",),
    "navigation (land)": ("navigation",),
    "negotiation": ("persuasion", "deception"),
    "notice": ("noticing",),
    "performance art (theatrics)": ("performance",),
    "pilot (ground)": ("driving",),
    "pilot (air)": ("flying",),
    "pilot (naval)": ("boats",),
    "pilot (space)": ("spacecraft",),
    "riding": ("riding",),
    "seduction": ("seduction",),
    "sleight-of-hand": ("sleight of hand", "locks"),
    "small arms": ("pistols", "rifles"),
    "stealth": ("stealth",),
    "streetwise": ("streetwise",),
    "survival (woodlands)": ("survival", "tracking"),
    "teaching": ("teaching",),
    "throwing": ("throwing",),
    "tinker": ("machines",),
    "trivia/lore (games)": ("lore",),
    "visual art (painting)": ("art",),
    "zero-g": ("weightlessness",),
}
_SEVERAL = ("pilot",)
"""Skills whose fields are different abilities; of the others, the best field counts."""
_KINDS: Mapping[str, tuple[str, ...]] = {
    "knife": ("knife", "sickle"),
    "axe": ("battle-ax", "hatchet", "pick ax", "poleax", "war scythe"),
    "club": ("club", "fighting stick", "flail", "mace", "maul", "nunchuka", "warhammer", "whip"),
    "staff": ("quarterstaff", "metal quarterstaff", "javelin", "long spear", "halberd", "spear", "short spear"),
    "thrown blade": ("throwing knife",),
    "crossbow": ("crossbow", "hand crossbow", "repeating crossbow"),
    "bow": ("short bow", "recurve bow", "long bow", "modern compound bow"),
    "sling": ("sling", "bola"),
    "stun gun": ("taser pistol",),
    "assault rifle": ("assault rifle",),
    "shotgun": ("shotgun", "autoshotgun"),
}
_KIND = {weapon: kind for kind, weapons in _KINDS.items() for weapon in weapons}
_ARMOUR: Mapping[str, str] = {"leather": "jacket", "studded leather": "jacket", "chain mail": "mail", "plate": "plate"}


class SilhouettePortrayal(Portrayal):
    """Ten attributes and broad skills; a Complexity has no equal elsewhere."""

    def ratings(self, rules: Ruleset) -> tuple[Rating, ...]:
        attributes = [
            Rating(f"attributes.{name}", name.capitalize(), _ATTRIBUTES[name], *limits(rules, name), 0, attribute=True)
            for name in ATTRIBUTES
        ]
        skills = [Rating(f"skills.{name}", name.capitalize(), covers, 1, HIGHEST_LEVEL, ORDINARY_LEVEL) for name, covers in _SKILLS.items()]
        return (*attributes, *skills)

    def tasks(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> tuple[str, ...]:
        field, _, name = rating.key.partition(".")
        attribute = name if field == "attributes" else attribute_of(rules, name)
        dice = ORDINARY_LEVEL if field == "attributes" else ratings[rating.key]
        pool = f"{f'{dice}d' if dice else 'unskilled'}{ratings[f'attributes.{attribute}']:+d}"
        return tuple([f"{pool} vs {threshold}" for threshold in ORDINARY_THRESHOLDS])

    def read(self, rules: Ruleset, thing: Character) -> Portrait:
        person = Person.of(rules, thing)
        values = {f"attributes.{name}": person.attribute(name) for name in ATTRIBUTES}
        lost = [f"{trait.label()}: Perks and Flaws have no equal in other games" for trait in (*person.perks, *person.flaws)]
        for skill, level in person.skills.items():
            own = _own_skill(rules, skill)
            if own:
                values[f"skills.{own}"] = max(level, values.get(f"skills.{own}", 0))
            elif not (thing.native and skill == f"language ({thing.native.lower()})"):
                lost.append(f"{skill} {level}: no shared word covers this skill")
        lost += [f"Complexity {value} of {skill}: no other game has it" for skill, value in person.complexity.items()]
        lost += [f"the specialization {name} of {skill}" for skill, names in person.specializations.items() for name in names]
        lost += [f"the spell {spell.name}: no other game designs spells this way" for spell in person.spells]
        lost += [f"{person.emergency_dice} Emergency Dice: no other game has them"] if person.emergency_dice else []
        lost += [f"the race {thing.race.name}: other games know it as a human"] if thing.race is not None else []
        gear = person.gear
        lost += [f"the shield ({gear.shield})"] if gear.shield else []
        return Portrait(
            thing.name,
            thing.concept,
            values,
            gear.weapons,
            (gear.armor,) if gear.armor else (),
            tuple([item.name for item in gear.other]),
            tuple(lost),
            thing.role == "pc",
        )

    def build(self, rules: Ruleset, portrait: Portrait) -> Character:
        ratings = portrait.ratings
        return Character(
            portrait.name,
            concept=portrait.concept,
            role="pc" if portrait.player else "major npc",
            attributes={name: ratings.get(f"attributes.{name}", 0) for name in ATTRIBUTES},
            skills={key.partition(".")[2]: level for key, level in ratings.items() if key.startswith("skills.")},
            gear=Gear(
                weapons=portrait.weapons, armor=next(iter(portrait.armour), None), other=tuple([Thing(name) for name in portrait.other])
            ),
        )

    def weapons(self, rules: Ruleset) -> tuple[Item, ...]:
        close = [Item(row.weapon, _KIND.get(row.weapon, "sword"), felling(rules, ARMED + row.damage)) for row in MELEE(rules).values()]
        guns = [Item(row.weapon, _kind_of_gun(row.weapon), felling(rules, row.damage)) for row in GUNS(rules).values()]
        old = [Item(row.weapon, _KIND[row.weapon], felling(rules, row.damage)) for row in ARCHAIC(rules).values() if row.weapon in _KIND]
        return (*close, *guns, *old)

    def armour(self, rules: Ruleset) -> tuple[Item, ...]:
        return tuple(
            [Item(row.armor, _ARMOUR.get(row.armor, "vest"), min(1.0, row.points / _usual_hit(rules))) for row in ARMOR(rules).values()]
        )


PORTRAYAL = SilhouettePortrayal()
ARMED = 5
"""The Armed Damage of an ordinary person with Melee 2."""
_BUILDS = (-1, 0, 1)
"""The Build of the ordinary people that a weapon is measured with."""


def _own_skill(rules: Ruleset, skill: str) -> str:
    """The skill of the shared list that a skill counts as: itself, or its base with another field. Empty if there is none."""
    base = named(rules, skill).skill
    if skill in _SKILLS:
        return skill
    fields = [name for name in _SKILLS if name.partition(" (")[0] == base]
    return "" if base in _SEVERAL else next(iter(fields), "")


def _kind_of_gun(name: str) -> str:
    if name in _KIND:
        return _KIND[name]
    if name.endswith(" smg"):
        return "submachine gun"
    if name.startswith("laser pistol"):
        return "energy pistol"
    if name == "sniper laser":
        return "energy rifle"
    return "rifle" if name.endswith("rifle") else "pistol"


@cached(16)
def _margins(rules: Ruleset) -> tuple[tuple[int, float], ...]:
    """The margins of an ordinary person who hits another, with their chances."""
    return margins_of_hits(exact(sub(written_test, rules, parse(f"{ORDINARY_LEVEL}d vs {ORDINARY_LEVEL}d", Pool))))


@cached(512)
def felling(rules: Ruleset, multiplier: int) -> float:
    """The chance that a hit with this Damage Multiplier takes an ordinary person (Build -1 to +1) out of the fight."""
    return sum(
        share * exact(sub(take_hit, rules, victim, Hit(damage(rules, multiplier, margin).value))).chance(lambda body: not body.able)[0]
        for margin, share in _margins(rules)
        for victim in _ordinary_people(rules)
    ) / len(_BUILDS)


@cached(16)
def _ordinary_people(rules: Ruleset) -> tuple[Patient, ...]:
    return tuple([Patient.of(rules, Character("somebody", role="joe average", attributes={"build": build})) for build in _BUILDS])


def _usual_hit(rules: Ruleset) -> float:
    """The damage of an ordinary hit with a medium pistol."""
    return 15 * sum(margin * share for margin, share in _margins(rules))
