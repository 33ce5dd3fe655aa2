"""Mooks as people keep them: one file for everybody of their kind; a scenario says how many there are."""

from typing import Literal

from msgspec import Struct


class Mook(Struct, frozen=True, forbid_unknown_fields=True):
    """A mook file: a Threat Rating instead of statistics, the rating of what they wear, and what their weapons add to Width."""

    name: str
    system: Literal["ore"] = "ore"
    kind: Literal["mook"] = "mook"
    concept: str = ""
    threat: int = 1
    armour: int = 0
    kill: int = 0
    shock: int = 0
    damage_class: Literal["B", "C", "E", "I", "P", "S"] = "I"
    weapon: str = ""
    """What they fight with, written as on a sheet: it says how far away, and what answers it."""
    notes: str = ""
