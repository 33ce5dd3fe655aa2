"""A ready-made all-rounder that fits the rules of any campaign."""

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.characters import Background, Character, Gear, Known, Thing
from rulewright.systems.foresight.people.creation import accounts
from rulewright.systems.foresight.people.skills import highest_level

_WISHES = (
    *("Athletics", "Charisma", "Search", "Stealth", "Groundcraft", "Confidence", "Swimming", "Teach", "Navigate"),
    *("Hand-to-Hand Combat", "Initiative", "Stamina", "Pain Resistance", "Dance", "Lockpicking", "Survival", "Throw", "Ride"),
)
"""What an all-rounder learns, a level of each in turn; what cannot be paid is left out."""

_STUDIES = ("Medicine", "History", "Law", "Biology", "Mechanical Engineering", "Geography", "Accounting", "Psychology")


def all_rounder(rules: Ruleset) -> Character:
    """A plain beginner, legal under any rules: fields and skills are bought while points last."""
    package = rules.on("free-packages")
    character = Character(
        "All-Rounder",
        concept="an all-rounder",
        age=26,
        tl=5.5,
        attributes=Attributes(),
        background=(
            Background("Comfortable Childhood"),
            Background("Full-Time Education"),
            Background("Field Experience"),
            Background("Office Experience"),
        ),
        package="1970s Wealthy Nation",
        environments={"Urban": 3} if package else {},
        fields=(Known("Language", name="mother tongue", free=package), Known("Literacy", name="its script", free=package)),
        favored_weapons=("unarmed",),
        gear=Gear(things=(Thing("bag of useful things", 2, 50, worn=True),)),
    )
    character = _educated(rules, character)
    skills = {"Hand-to-Hand Combat": 0}
    character = replace(character, skills=skills)
    while True:
        before = dict(skills)
        for skill in _WISHES:
            level = skills.get(skill, -1) + 1
            if level <= min(9, highest_level(rules, skill, character.attributes).value):
                wished = replace(character, skills={**skills, skill: level})
                if accounts(rules, wished)["general"].left >= 0:
                    skills[skill] = level
                    character = wished
        if skills == before:
            return character


def _educated(rules: Ruleset, character: Character) -> Character:
    for level in ("basic", "standard"):
        for field in _STUDIES:
            fields = tuple([known for known in character.fields if known.field != field])
            wished = replace(character, fields=(*fields, Known(field, level)))
            if accounts(rules, wished)["education"].left >= 0:
                character = wished
    return character
