"""Scenario files: who meets whom, where they stand, how they decide, by which rules, and when it ends. The same for every game."""

from typing import Any

from msgspec import Struct

from rulewright.record import FIGHT
from rulewright.rules import SettingValue


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody on a side: a character file (beside the scenario) or the name of a ready-made one."""

    character: str
    name: str = ""
    count: int = 1
    at: tuple[float, float] | None = None
    tactic: str = ""
    state: dict[str, Any] = {}
    """What is different from a fresh start, by the game's own fields: wounds, ammunition, posture, awareness."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A scene ready to be played, solved or sampled."""

    system: str
    kind: str
    name: str
    sides: dict[str, list[Member]]
    about: str = ""
    scene: str = FIGHT
    """Which of the game's scenes it is: a fight, or what else the game offers."""
    preset: str | None = None
    settings: dict[str, SettingValue] = {}
    house: str = ""
    place: dict[str, Any] = {}
    tactics: dict[str, str] = {}
    """The tactic of each side; a member's own goes before it."""
    rounds: int = 50
    """Nobody wins a scene that goes on for longer."""


class Placed(Struct, frozen=True):
    """A member with the file behind it, ready for the game to begin with."""

    character: Any
    name: str
    side: str
    at: tuple[float, float] | None
    state: dict[str, Any]
