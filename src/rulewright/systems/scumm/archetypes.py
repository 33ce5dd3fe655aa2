"""Ready-made characters: those that ship as files, and a plain all-rounder made for whatever rules a campaign plays by."""

from functools import cache
from importlib import resources
from typing import Any

import msgspec

from rulewright.errors import Wrong
from rulewright.files import read_data
from rulewright.rules import Ruleset, nearest
from rulewright.systems.scumm.characters import SKILL_POINTS, Attributes, Character, Gear, creation_cost

ALL_ROUNDER = "all-rounder"

_WISHES = (
    *(("notice", 2), ("pistols", 2), ("brawl", 2), ("athletics", 2), ("persuasion", 2), ("stealth", 2)),
    *(("medicine", 1), ("drive", 1), ("investigation", 1), ("streetwise", 1), ("computer", 1)),
)
"""What an all-rounder learns, the dearest wish first; what cannot be paid is left out."""


def _files() -> dict[str, Any]:
    folder = resources.files("rulewright.systems.scumm").joinpath("demos", "characters")
    found = [file for file in folder.iterdir() if file.name.endswith(".yaml")] if folder.is_dir() else []
    return {file.name.removesuffix(".yaml"): file for file in sorted(found, key=lambda file: file.name)}


@cache
def ready_made(name: str) -> Character:
    """A character that ships with the game."""
    files = _files()
    if name not in files:
        raise Wrong(f"there is no ready-made character {name!r}{nearest(name, files)}; there are {', '.join(files)}")
    return msgspec.convert(read_data(files[name]), Character)


@cache
def listed() -> dict[str, str]:
    """All ready-made characters: what to ask for, and a line about each."""
    return {ALL_ROUNDER: "somebody who can do a little of everything"} | {name: ready_made(name).concept for name in _files()}


def all_rounder(rules: Ruleset) -> Character:
    """A plain beginner, legal under any rules: skills are bought while points last, and what is left becomes Emergency Dice."""
    left = SKILL_POINTS
    skills: dict[str, int] = {}
    for skill, level in _WISHES:
        cost = creation_cost(rules, level).value
        if cost <= left:
            skills[skill] = level
            left -= cost
    return Character(
        "All-Rounder",
        concept="somebody who can do a little of everything",
        attributes=Attributes(alertness=2, body=1, intelligence=1, spirit=1),
        skills=skills,
        emergency_dice=left,
        gear=Gear(melee=("knife",), guns=("9mm pistol",)),
    )
