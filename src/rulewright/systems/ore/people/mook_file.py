"""The mook file: one for all of a kind; a scenario gives the number."""

from typing import Literal

from msgspec import Struct


class Mook(Struct, frozen=True, forbid_unknown_fields=True):
    """A mook file: Threat Rating, Armour Rating, and weapon bonuses."""

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
    """Their weapon, written as on a sheet; it decides range and defences."""
    notes: str = ""
