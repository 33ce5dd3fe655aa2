"""Abbreviations and terms of Hybrid on sheets, cards and in logs, each with a short explanation."""

from collections.abc import Mapping

from rulewright.play.cache import cached
from rulewright.systems.hybrid.people.statistics import FORMULAS, PRIMARIES
from rulewright.systems.hybrid.settings import BOOK

WORDS = {
    "DF": "difficulty factor: the higher, the likelier a check succeeds",
    "PBD": "Physical Body: the wounds that the body can take",
    "PFT": "Physical Fatigue: spent by exertion, and by blows before the body takes damage",
    "PEX": "Physical Exhaustion: the reserve behind Physical Fatigue",
    "MBD": "Mental Body: the harm that the mind can take",
    "MFT": "Mental Fatigue: spent first by mental effort and damage",
    "MEX": "Mental Exhaustion: the reserve behind Mental Fatigue",
    "PSE": "physical strike value: the damage bonus from strength",
    "MSE": "mental strike value: the damage bonus from mental strength",
    "PSPD": "Physical Speed: how soon the body acts",
    "MSPD": "Mental Speed: how soon the mind acts",
    "APP": "Appearance: how others see the character",
}


@cached(1)
def glossary() -> Mapping[str, str]:
    """The statistics as their tables have them, and the rest."""
    rules = BOOK.ruleset()
    primary = {str(row.stat): f"{row.name}: {row.covers}" for row in PRIMARIES(rules).values()}
    return {**primary, **{str(row.stat): row.name for row in FORMULAS(rules).values()}, **WORDS}
