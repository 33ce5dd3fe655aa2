"""Abbreviations of Silhouette on sheets, cards and in logs, with short explanations."""

from collections.abc import Mapping

from rulewright.play.cache import cached
from rulewright.systems.silhouette.people.characters import SHEET
from rulewright.systems.silhouette.settings import BOOK

WORDS = {
    "SP": "Skill Points, which buy skills and their Complexity",
    "CP": "Character Points, which buy attributes",
    "XP": "Experience Points, earned in play and spent on improvements",
    "SS": "System Shock: the wounds a body takes before it goes into shock",
    "TV": "Threat Value: the combat value of a machine or one of its parts",
    "MP": "Movement Points: how far a machine moves in a round",
    "DM": "Damage Multiplier: the damage for each point by which an attack succeeds",
    "ROF": "Rate of Fire: how well a weapon fires bursts",
    "HEAT": "a shaped charge that burns through armor",
    "ECM": "electronic countermeasures, which jam sensors and radio",
    "ECCM": "electronic counter-countermeasures, which overcome jamming",
    "MoS": "Margin of Success: by how much a test was passed",
    "MoF": "Margin of Failure: by how much a test was missed",
}


@cached(1)
def glossary() -> Mapping[str, str]:
    """Returns the ratings of the sheet and other abbreviations."""
    rows = SHEET(BOOK.ruleset()).values()
    return {**{row.abbreviation: f"{row.name}: {row.rates}" for row in rows if row.abbreviation.isupper()}, **WORDS}
