"""Ready-made characters: those that ship as files, and a plain all-rounder made for whatever rules a campaign plays by."""

from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.errors import Wrong
from rulewright.files import read_data
from rulewright.rules import Ruleset, nearest
from rulewright.systems.hybrid.characters import Character, Gear, starting_points
from rulewright.systems.hybrid.creation import accounts, given_ranks, skill_price
from rulewright.systems.hybrid.statistics import PRIMARY, Primary

ALL_ROUNDER = "all-rounder"
_WISHES = (
    *(("Sword", 9), ("Dodge", 8), ("General Perception", 8), ("Stealth", 7), ("First Aid", 7), ("Unarmed Combat", 6)),
    *(("Climbing", 6), ("Running", 6), ("Tracking", 5), ("Streetwise", 5), ("Throw Object", 4)),
    *(("Archery", 6), ("Haggling", 9), ("Spoken Language: Kothan", 5), ("Mounted Combat", 2)),
)
"""What an all-rounder learns, the dearest wish first; what cannot be paid is learnt less well, or not at all."""


def _files() -> dict[str, Any]:
    folder = resources.files("rulewright.systems.hybrid").joinpath("demos", "characters")
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


def shared_out(rules: Ruleset) -> Primary:
    """The points for statistics, shared as evenly as the limits allow."""
    low, high = rules.number("lowest-allocated"), rules.number("highest-allocated")
    each, more = divmod(starting_points(rules, "stat").value, len(PRIMARY))
    values = [max(low, min(high, each + (place < more))) for place in range(len(PRIMARY))]
    return Primary(*values)


def all_rounder(rules: Ruleset) -> Character:
    """A plain beginner, legal under any rules: skills are bought while points last, the other pools become goods and standing."""
    begun = Character(
        "All-Rounder",
        concept="somebody who can do a little of everything",
        culture="Merovan",
        primary=shared_out(rules),
        gear=Gear(weapons=("short sword",), armour=("leather coat",)),
    )
    pools, given = accounts(rules, begun), given_ranks(rules, begun)
    left, skills = pools["skill"].left, {}
    for skill, rank in _WISHES:
        while rank >= 0 and skill_price(rules, rank, given.get(skill)).value > left:
            rank -= 1
        if rank > given.get(skill, -1):
            skills[skill] = rank
            left -= skill_price(rules, rank, given.get(skill)).value
    return replace(begun, skills=skills, wealth=max(0, pools["wealth"].left), status=max(0, pools["community"].left))
